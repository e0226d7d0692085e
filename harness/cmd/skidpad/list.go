package main

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"skidpad/harness/workbench/files/resources"
	"skidpad/harness/workbench/results/output"
	"skidpad/model/bounded"
	"skidpad/model/document"
)

// listed is what there are lists of.
const listed = "models, subsystems, controllers, manoeuvres, assessments, systems, tires, roads, tracks"

// listCommand shows what can be given by name.
func listCommand() *cobra.Command {
	c := &cobra.Command{
		Use:   "list models|subsystems|controllers|manoeuvres|assessments|systems|tires|roads|tracks [NAME] [flags]",
		Short: "list models, subsystems, controllers, manoeuvres, assessments, systems, tires, roads or tracks",
		Long: "Prints name, title and path of the files that other commands and models accept by name: the files that\n" +
			"Skidpad ships, and those in folders called resources, in the current folder and above it. Controllers are\n" +
			"the subsystems that act at samples. With the NAME or path of a subsystem it prints the parameters that a use\n" +
			"can give, with units and defaults. With the NAME or path of a model or an FMU, 'list manoeuvres' prints which\n" +
			"of them it can make, as 'skidpad car --check' does. With the NAME of a manoeuvre it prints the constants that\n" +
			"--let can change, with values, units and meanings.\n" +
			"--copy with a NAME of any kind copies its file into the current folder, where you can change it. Files\n" +
			"beside it that it needs, such as the CSV of a driving cycle, are copied with it.",
		Example: "  skidpad list models\n  skidpad list subsystems corner_strut\n" +
			"  skidpad list subsystems corner_strut --copy\n  skidpad list manoeuvres passenger_car\n" +
			"  skidpad list manoeuvres circle_radius\n  skidpad list manoeuvres --json",
		Args:      arguments(1, 2, "one of "+listed+"; a NAME behind subsystems or manoeuvres"),
		ValidArgs: []string{controllersName},
	}
	for _, kind := range resources.Kinds {
		c.ValidArgs = append(c.ValidArgs, kind.Name)
	}
	asJSON := jsonFlag(c.Flags())
	copies := c.Flags().Bool("copy", false, "copy the file of NAME, and the files that it needs, into the current folder")
	c.RunE = func(c *cobra.Command, args []string) error {
		if *copies {
			return copyShipped(c, args)
		}
		if args[0] == controllersName && len(args) == 1 {
			return printEntries(c, controllers(), *asJSON)
		}
		if args[0] == resources.Manoeuvres.Name {
			return listManoeuvres(c, args[1:], *asJSON)
		}
		if len(args) == 2 {
			if args[0] != resources.Subsystems.Name {
				return usageError{fmt.Errorf("list %s takes no name without --copy; only subsystems and manoeuvres do, "+
					"got %q", args[0], args[1])}
			}
			list, err := parametersOf(c, args[1])
			if err != nil {
				return err
			}
			if *asJSON {
				return output.WriteJSON(c.OutOrStdout(), list)
			}
			w := tabwriter.NewWriter(c.OutOrStdout(), 0, 0, 2, ' ', 0)
			for _, p := range list {
				fmt.Fprintf(w, "%s\t%s\t%s\t%s\n", p.Name, cmp.Or(p.Default, "required"), p.Unit, p.Text)
			}
			return w.Flush()
		}
		for _, kind := range resources.Kinds {
			if kind.Name != args[0] {
				continue
			}
			return printEntries(c, kind.List(), *asJSON)
		}
		return usageError{fmt.Errorf("there is no list of %q%s; expected one of %s", args[0],
			didYouMean(args[0], "", c.ValidArgs), listed)}
	}
	return c
}

// printEntries prints names, titles and paths.
func printEntries(c *cobra.Command, list []resources.Entry, asJSON bool) error {
	if asJSON {
		return output.WriteJSON(c.OutOrStdout(), list)
	}
	w := tabwriter.NewWriter(c.OutOrStdout(), 0, 0, 2, ' ', 0)
	for _, e := range list {
		fmt.Fprintf(w, "%s\t%s\t%s\n", e.Name, e.Title, e.Path)
	}
	return w.Flush()
}

// listManoeuvres prints all manoeuvres, the manoeuvres that a vehicle can make, or the constants of a manoeuvre.
func listManoeuvres(c *cobra.Command, vehicle []string, asJSON bool) error {
	if len(vehicle) == 0 {
		list, err := listedManoeuvres()
		switch {
		case err != nil:
			return err
		case asJSON:
			return output.WriteJSON(c.OutOrStdout(), list)
		}
		return printManoeuvres(c.OutOrStdout(), list)
	}
	model := vehicle[0]
	if isName := slices.Contains[[]string]; isName(resources.Manoeuvres.Names(), model) &&
		!isName(resources.Models.Names(), model) {
		return listConstants(c, model, asJSON)
	}
	if err := found(c, resources.Models, &model); err != nil {
		return err
	}
	fits, target, err := fitsOf(c, model, "", "")
	switch {
	case err != nil:
		return err
	case asJSON:
		return output.WriteJSON(c.OutOrStdout(), fits)
	}
	return printFits(c.OutOrStdout(), fits, target, model, "")
}

// copyShipped copies a file of a kind, by its name or path, into the current folder, with the files that it needs.
func copyShipped(c *cobra.Command, args []string) error {
	i := slices.IndexFunc(resources.Kinds, func(kind resources.Kind) bool { return kind.Name == args[0] })
	if i < 0 || len(args) != 2 {
		return usageError{errors.New("--copy needs a kind and a name, as in: skidpad list subsystems corner_strut --copy")}
	}
	kind, file := resources.Kinds[i], args[1]
	if err := found(c, kind, &file); err != nil {
		return err
	}
	copies, err := kind.Copies(file)
	if err != nil {
		return err
	}
	copies, err = missing(copies)
	if err != nil {
		return err
	}
	for _, copied := range copies {
		err := output.WriteFile(copied.Name, func(w io.Writer) error {
			_, err := w.Write(copied.Data)
			return err
		})
		if err != nil {
			return err
		}
		fmt.Fprintf(c.OutOrStdout(), "%s is a copy of %s\n", copied.Name, copied.Of)
	}
	return nil
}

// missing returns the copies that the current folder lacks. Its files are not replaced: the first copy must be new, and
// the files that it names are new or equal.
func missing(copies []resources.Copy) ([]resources.Copy, error) {
	lacking := copies[:1:1]
	for i, copied := range copies {
		if _, err := os.Lstat(copied.Name); err != nil {
			if i > 0 {
				lacking = append(lacking, copied)
			}
			continue
		}
		if i == 0 {
			return nil, fmt.Errorf("%s is in this folder already; rename or remove it", copied.Name)
		}
		if there, err := bounded.Table.Read(copied.Name); err != nil || !bytes.Equal(there, copied.Data) {
			return nil, fmt.Errorf("%s names %s, and another file of this name is in this folder already; rename or "+
				"remove it, or copy into another folder", copies[0].Name, copied.Name)
		}
	}
	return lacking, nil
}

// subsystemParameter is a number or a vector that a use of a subsystem can give; without a default it must. Options are
// listed with them.
type subsystemParameter struct {
	Name    string   `json:"name"`
	Default string   `json:"default"` // as the file has it, "" for none
	Unit    string   `json:"unit"`
	Text    string   `json:"text"`
	Choices []string `json:"choices,omitempty"` // of an option
}

// parametersOf are the parameters of a subsystem file, by its name or path.
func parametersOf(c *cobra.Command, file string) ([]subsystemParameter, error) {
	if err := found(c, resources.Subsystems, &file); err != nil {
		return nil, err
	}
	data, err := bounded.Model.Read(file)
	if err != nil {
		return nil, err
	}
	root, err := document.Parse(data, file)
	if err != nil {
		return nil, err
	}
	if kind := root.Field("kind"); kind == nil || kind.Text != "subsystem" {
		return nil, fmt.Errorf("%s is not a subsystem file: it lacks kind = \"subsystem\"", file)
	}
	list := []subsystemParameter{}
	if options := root.Field("options"); options != nil {
		for _, name := range options.Keys {
			p := subsystemParameter{Name: name}
			for _, item := range options.Field(name).Items {
				p.Choices = append(p.Choices, item.Text)
			}
			if len(p.Choices) > 0 {
				p.Default, p.Text = p.Choices[0], "option: "+strings.Join(p.Choices, ", ")
			}
			list = append(list, p)
		}
	}
	table := root.Field("parameters")
	if table == nil {
		return list, nil
	}
	for _, name := range table.Keys {
		n := table.Field(name)
		text := func(key string) string {
			if field := n.Field(key); field != nil {
				return field.Text
			}
			return ""
		}
		p := subsystemParameter{Name: name, Default: text("value"), Unit: text("unit"), Text: text("text")}
		if when := text("when"); when != "" {
			p.Text = strings.TrimPrefix(p.Text+" (when "+when+")", " ")
		}
		if v := n.Field("value"); v != nil && v.Kind == document.List {
			var items []string
			for _, item := range v.Items {
				items = append(items, item.Text)
			}
			p.Default = "[" + strings.Join(items, ", ") + "]"
		}
		if n.Kind != document.Table {
			p.Default = n.Text
		}
		list = append(list, p)
	}
	return list, nil
}
