package main

import (
	"github.com/spf13/cobra"

	"skidpad/harness/output"
	"skidpad/harness/schema"
)

// schemaCommand prints what editors need to complete keys.
func schemaCommand() *cobra.Command {
	c := &cobra.Command{
		Use: "schema KIND", Short: "JSON Schema of model, subsystem or tire files, for editors",
		Long: "Prints the JSON Schema (draft 4) of files of a kind, model, subsystem or tire: keys with their meaning,\n" +
			"unit, default and range. Write it to a file and name that in the first line of a TOML file, #:schema FILE:\n" +
			"editors with the language server taplo then complete and check keys. Dimensions and what one part means\n" +
			"to another are checked by \"skidpad equations\" only.",
		Example: "  skidpad schema model > model.schema.json",
		Args:    arguments(1, 1, "one KIND: model, subsystem or tire"),
	}
	c.RunE = func(c *cobra.Command, args []string) error {
		s, err := schema.Of(args[0])
		if err != nil {
			return err
		}
		return output.WriteJSON(c.OutOrStdout(), s)
	}
	return c
}
