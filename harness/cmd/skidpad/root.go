package main

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"skidpad/model/document"
)

// The groups of the overview.
const (
	simulating  = "Simulate"
	analysing   = "Analyse"
	exchanging  = "Exchange"
	maintaining = "Maintain"
)

// newRoot makes the command with all its subcommands. begun becomes true when the work of one of them begins.
func newRoot(begun *bool) *cobra.Command {
	root := &cobra.Command{
		Use: "skidpad", Short: "simulate road vehicles, analyse them, and export them as FMUs",
		SilenceErrors: true, SilenceUsage: true, Args: cobra.ArbitraryArgs,
	}
	tell := root.Flags().BoolP("version", "v", false, "tell the version")
	verbose := root.Flags().Bool("verbose", false, "with --version: tell what is found on this machine, and test the "+
		"installation")
	root.RunE = func(c *cobra.Command, args []string) error {
		switch {
		case len(args) > 0:
			return usageError{unknownCommand(c, args[0])}
		case *tell && *verbose:
			return writeInstallation(c.OutOrStdout())
		case *tell:
			_, err := fmt.Fprintln(c.OutOrStdout(), version())
			return err
		case *verbose:
			return usageError{errors.New("--verbose belongs to --version here: skidpad --version --verbose")}
		}
		writeHelp(c.ErrOrStderr(), c)
		return usageError{fmt.Errorf("no command is given")}
	}
	root.SetHelpFunc(func(c *cobra.Command, _ []string) { writeHelp(c.OutOrStdout(), c) })
	root.SetFlagErrorFunc(func(c *cobra.Command, err error) error { return usageError{withFlag(c, err)} })
	root.SetGlobalNormalizationFunc(func(_ *pflag.FlagSet, name string) pflag.NormalizedName {
		if name == "o" {
			name = "out"
		}
		return pflag.NormalizedName(name)
	})
	root.CompletionOptions.DisableDefaultCmd = true
	cobra.EnableCommandSorting = false
	for _, group := range []struct {
		title    string
		commands []*cobra.Command
	}{
		{simulating, []*cobra.Command{newCommand(), simulateCommand(), manoeuvreCommand(), assessCommand(), carCommand(),
			driverCommand(), lapCommand(), sweepCommand(), animateCommand(), viewCommand(), drawCommand(), compareCommand(),
			reportCommand(), listCommand()}},
		{analysing, []*cobra.Command{linearizeCommand(), optimiseCommand(), equationsCommand(), expandCommand(),
			trimCommand(), inverseCommand(), tireCommand(), hardpointsCommand(), kcCommand(),
			schemaCommand()}},
		{exchanging, []*cobra.Command{packCommand(), checkCommand(), generateCommand()}},
		{maintaining, []*cobra.Command{runCommand(), verifyCommand(), referenceCommand(), benchCommand(),
			completionCommand()}},
	} {
		root.AddGroup(&cobra.Group{ID: group.title, Title: group.title})
		for _, c := range group.commands {
			c.GroupID = group.title
			root.AddCommand(c)
		}
	}
	root.SetHelpCommand(helpCommand())
	root.InitDefaultHelpCmd()
	everyCommand(root, func(c *cobra.Command) {
		c.DisableFlagsInUseLine = true
		c.InitDefaultHelpFlag()
		completeFlags(c)
		if work := c.RunE; work != nil {
			c.RunE = func(c *cobra.Command, args []string) error {
				if err := checkOverwrites(c, args); err != nil {
					return err
				}
				*begun = true
				return work(c, args)
			}
		}
	})
	return root
}

// everyCommand does something with a command and all below it.
func everyCommand(c *cobra.Command, do func(*cobra.Command)) {
	do(c)
	for _, sub := range c.Commands() {
		everyCommand(sub, do)
	}
}

// unknownCommand is the error of an unknown command, with a command of similar name.
func unknownCommand(root *cobra.Command, word string) error {
	var names []string
	for _, c := range root.Commands() {
		names = append(names, c.Name())
	}
	return fmt.Errorf("unknown command %q%s", word, didYouMean(word, "", names))
}

// didYouMean is a hint at the one of some names that is most like a word; "" where none is.
func didYouMean(word, dashes string, names []string) string {
	if near := document.Nearest(word, names); near != "" {
		return fmt.Sprintf("; did you mean %s%s?", dashes, near)
	}
	return ""
}

// withFlag adds to the error of a flag that does not exist the flag that is most like it.
func withFlag(c *cobra.Command, err error) error {
	unknown, is := errors.AsType[*pflag.NotExistError](err)
	if !is {
		return err
	}
	var names []string
	c.Flags().VisitAll(func(f *pflag.Flag) { names = append(names, f.Name) })
	name := unknown.GetSpecifiedName()
	hint := didYouMean(name, "--", names)
	if f := c.Flags().ShorthandLookup(name[:1]); hint == "" && f != nil && f.NoOptDefVal == "" {
		hint = fmt.Sprintf("; the value of -%s, which is --%s, comes behind a space", f.Shorthand, f.Name)
	}
	return fmt.Errorf("%w%s", err, hint)
}

// withTwoDashes gives long flags that begin with one dash, as in -out x.csv, the second one: else they would be read as
// some short flags. The values of flags stay as they are.
func withTwoDashes(root *cobra.Command, args []string) []string {
	args = append([]string{}, args...) // without any, cobra must not take those of the process
	if len(args) > 0 && strings.HasPrefix(args[0], "__complete") {
		return args
	}
	for range 2 { // the first time tells which words are values of flags, and so which is the name of a subcommand
		c, _, err := root.Find(args)
		if err != nil {
			return args
		}
		for i := 0; i < len(args) && args[i] != "--"; i++ {
			arg := args[i]
			if slices.ContainsFunc(c.Commands(), func(sub *cobra.Command) bool { return sub.Name() == arg }) {
				break // what follows are flags of its own
			}
			if len(arg) < 2 || arg[0] != '-' {
				continue
			}
			name, _, hasValue := strings.Cut(strings.TrimLeft(arg, "-"), "=")
			if len(name) > 1 && arg[1] != '-' {
				args[i] = "-" + arg
			}
			if flag := c.Flags().Lookup(name); flag != nil && flag.NoOptDefVal == "" && !hasValue {
				i++
			}
		}
	}
	return args
}

// arguments refuses any number of arguments that is not from low to high; expected says what they are.
func arguments(low, high int, expected string) cobra.PositionalArgs {
	return func(_ *cobra.Command, args []string) error {
		if n := len(args); n < low || n > high {
			got := "none"
			if n > 0 {
				got = fmt.Sprintf("%d: %q", n, args)
			}
			return fmt.Errorf("expected %s, got %s", expected, got)
		}
		return nil
	}
}

// noArguments refuses arguments.
var noArguments = arguments(0, 0, "no arguments")

// jsonFlag adds the flag for results as JSON.
func jsonFlag(flags *pflag.FlagSet) *bool {
	return flags.Bool("json", false, "print the results as JSON (docs/command.md has the keys)")
}

// helpCommand shows the help of a command, or of all of them.
func helpCommand() *cobra.Command {
	c := &cobra.Command{
		Use: "help [COMMAND]", Short: "print the help of a command", GroupID: maintaining,
		Long:    "Prints the overview, or what a command does and takes.",
		Example: "  skidpad help simulate\n  skidpad help tire rig",
		ValidArgsFunction: func(c *cobra.Command, _ []string, _ string) ([]string, cobra.ShellCompDirective) {
			var names []string
			for _, sub := range c.Root().Commands() {
				names = append(names, sub.Name()+"\t"+sub.Short)
			}
			return names, cobra.ShellCompDirectiveNoFileComp
		},
	}
	markdown := c.Flags().Bool("markdown", false, "print the help of all commands as Markdown")
	c.RunE = func(c *cobra.Command, args []string) error {
		if *markdown {
			writeReference(c.OutOrStdout(), c.Root())
			return nil
		}
		of, rest, err := c.Root().Find(args)
		if err != nil || len(rest) > 0 {
			return usageError{unknownCommand(of, rest[0])}
		}
		writeHelp(c.OutOrStdout(), of)
		return nil
	}
	return c
}

// completionCommand writes what shells need to complete command lines.
func completionCommand() *cobra.Command {
	shells := []string{"bash", "zsh", "fish", "powershell"}
	return &cobra.Command{
		Use: "completion bash|zsh|fish|powershell", Short: "write the completion script of a shell",
		Long: "Prints a script with which a shell completes commands, flags, files, the names of models, manoeuvres and\n" +
			"tires, values of --method, --fmi and --plot-style, and the variables that --set can set. The shell has to\n" +
			"read it at each start.",
		Example: "  source <(skidpad completion bash)\n  skidpad completion fish | source\n" +
			"  skidpad completion powershell | Out-String | Invoke-Expression",
		Args: arguments(1, 1, "one of "+strings.Join(shells, ", ")), ValidArgs: shells,
		RunE: func(c *cobra.Command, args []string) error {
			root, to := c.Root(), c.OutOrStdout()
			switch args[0] {
			case "bash":
				return root.GenBashCompletionV2(to, true)
			case "zsh":
				return root.GenZshCompletion(to)
			case "fish":
				return root.GenFishCompletion(to, true)
			case "powershell":
				return root.GenPowerShellCompletionWithDesc(to)
			}
			return usageError{fmt.Errorf("%q is not one of %s", args[0], strings.Join(shells, ", "))}
		},
	}
}

// helpWidth is the longest line of flags.
const helpWidth = 100

// writeHelp writes the overview, or the help of a command.
func writeHelp(to io.Writer, c *cobra.Command) {
	if !c.HasParent() {
		writeOverview(to, c)
		return
	}
	fmt.Fprintf(to, "Usage: %s\n\n%s\n", strings.Join(usages(c), "\n       "), strings.TrimSpace(descriptionOf(c)))
	if c.HasAvailableSubCommands() {
		fmt.Fprintln(to, "\nCommands:")
		for _, sub := range c.Commands() {
			fmt.Fprintf(to, "  %-10s  %s\n", sub.Name(), sub.Short)
		}
	}
	fmt.Fprintf(to, "\nFlags:\n%s", c.Flags().FlagUsagesWrapped(helpWidth))
	if c.Example != "" {
		fmt.Fprintf(to, "\nExample:\n%s\n", c.Example)
	}
}

// usages are the forms of a command line.
func usages(c *cobra.Command) []string {
	var list []string
	for use := range strings.SplitSeq(c.Use, "\n") {
		list = append(list, c.Parent().CommandPath()+" "+use)
	}
	return list
}

// descriptionOf is the description of a command.
func descriptionOf(c *cobra.Command) string {
	if c.Long != "" {
		return c.Long
	}
	return strings.ToUpper(c.Short[:1]) + c.Short[1:] + "."
}

const statuses = `Exit status: 0 done, and every check holds; 1 the work failed, or a check does not hold;
2 the command line is wrong; 130 interrupted.`

func writeOverview(to io.Writer, root *cobra.Command) {
	fmt.Fprintln(to, "Usage: skidpad COMMAND [arguments]")
	for _, group := range root.Groups() {
		fmt.Fprintf(to, "\n%s\n", group.Title)
		for _, c := range inGroup(root, group) {
			fmt.Fprintf(to, "  %-10s  %s\n", c.Name(), c.Short)
		}
	}
	fmt.Fprintf(to, "\n%s\n\nRun 'skidpad COMMAND --help' for arguments and an example; 'skidpad --version' tells the "+
		"version,\n'skidpad --version --verbose' tests the installation.\n", statuses)
}

// inGroup are the commands of a group, in their order.
func inGroup(root *cobra.Command, group *cobra.Group) []*cobra.Command {
	return slices.DeleteFunc(slices.Clone(root.Commands()), func(c *cobra.Command) bool {
		return c.GroupID != group.ID || c.Hidden
	})
}

// writeReference writes the help of all commands as a page of Markdown.
func writeReference(to io.Writer, root *cobra.Command) {
	fmt.Fprintf(to, "# Command reference\n\n<!-- written by skidpad help --markdown -->\n\n"+
		"This page has the help of every command; [the command](command.md) describes files and exit statuses.\n\n"+
		"```text\n")
	writeOverview(to, root)
	fmt.Fprint(to, "```\n")
	for _, group := range root.Groups() {
		fmt.Fprintf(to, "\n## %s\n", group.Title)
		for _, top := range inGroup(root, group) {
			everyCommand(top, func(c *cobra.Command) {
				fmt.Fprintf(to, "\n### `%s`\n\n```text\n", c.CommandPath())
				writeHelp(to, c)
				fmt.Fprint(to, "```\n")
			})
		}
	}
}
