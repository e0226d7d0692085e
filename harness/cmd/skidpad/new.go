package main

import (
	"fmt"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"skidpad/harness/workbench/files/template"
)

// newCommand writes the folder of a new vehicle.
func newCommand() *cobra.Command {
	var list strings.Builder
	for _, t := range template.All {
		fmt.Fprintf(&list, "\n  %-16s %s", t.Name, t.Title)
	}
	c := &cobra.Command{
		Use:   "new FOLDER --from TEMPLATE [flags]",
		Short: "write the folder of a new vehicle",
		Long: "Writes a folder with a vehicle of your own: a commented model file that runs at once, its tires, a\n" +
			"manoeuvre, and a README with the next commands. Templates:\n" + list.String(),
		Example: "  skidpad new my_car --from passenger\n  cd my_car\n" +
			"  skidpad simulate vehicle.toml --manoeuvre first_run.toml --out run.csv --plot run.png",
		Args: arguments(1, 1, "one FOLDER"),
	}
	from := c.Flags().String("from", "", "template: "+strings.Join(template.Names(), ", "))
	c.RegisterFlagCompletionFunc("from", cobra.FixedCompletions(template.Names(), cobra.ShellCompDirectiveNoFileComp))
	c.RunE = func(c *cobra.Command, args []string) error {
		t, err := template.Find(*from)
		if err != nil {
			return usageError{fmt.Errorf("--from: %w", err)}
		}
		if err := t.Write(args[0]); err != nil {
			return err
		}
		fmt.Fprintf(c.OutOrStdout(), "%s: %s; %s has the next commands\n", args[0], t.Title,
			filepath.Join(args[0], "README.md"))
		return nil
	}
	return c
}
