package main

import (
	"fmt"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"skidpad/harness/output"
	"skidpad/harness/resources"
)

// listCommand shows what can be given by name.
func listCommand() *cobra.Command {
	c := &cobra.Command{
		Use:   "list models|subsystems|manoeuvres|tires|roads [flags]",
		Short: "list models, subsystems, manoeuvres, tires or roads",
		Long: "Prints name, title and path of the files that other commands accept by name, and of the subsystems that\n" +
			"models can use by path. They are looked for in folders called resources: in the current folder and those\n" +
			"above it, beside this command, and beside the folder of this command.",
		Example: "  skidpad list models\n  skidpad list manoeuvres --json",
		Args:    arguments(1, 1, "one of models, subsystems, manoeuvres, tires, roads"),
	}
	for _, kind := range resources.Kinds {
		c.ValidArgs = append(c.ValidArgs, kind.Name)
	}
	asJSON := jsonFlag(c.Flags())
	c.RunE = func(c *cobra.Command, args []string) error {
		for _, kind := range resources.Kinds {
			if kind.Name != args[0] {
				continue
			}
			if err := kind.Missing(); err != nil {
				return err
			}
			if *asJSON {
				return output.WriteJSON(c.OutOrStdout(), kind.List())
			}
			w := tabwriter.NewWriter(c.OutOrStdout(), 0, 0, 2, ' ', 0)
			for _, e := range kind.List() {
				fmt.Fprintf(w, "%s\t%s\t%s\n", e.Name, e.Title, e.Path)
			}
			return w.Flush()
		}
		return usageError{fmt.Errorf("there is no list of %q%s; expected one of models, subsystems, manoeuvres, tires, roads",
			args[0], didYouMean(args[0], "", c.ValidArgs))}
	}
	return c
}
