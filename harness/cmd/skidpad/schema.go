package main

import (
	"errors"
	"io"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"skidpad/harness/workbench/analyses/schema"
	"skidpad/harness/workbench/results/output"
)

// schemaCommand prints what editors need to complete keys, or writes it for all kinds of files.
func schemaCommand() *cobra.Command {
	kinds, half := strings.Join(schema.Kinds, ", "), len(schema.Kinds)/2
	c := &cobra.Command{
		Use: "schema KIND | --write FOLDER", Short: "JSON Schemas of the files that users write, for editors",
		Long: "Prints the JSON Schema (draft 4) of files of a KIND: keys with their meaning, unit, default and range. " +
			"Kinds:\n" + strings.Join(schema.Kinds[:half], ", ") + ",\n" + strings.Join(schema.Kinds[half:], ", ") + ".\n" +
			"With --write it writes those of all kinds into a folder, as KIND.schema.json. A TOML file names its schema\n" +
			"in the first line, #:schema FOLDER/KIND.schema.json: editors with the language server taplo then complete\n" +
			"and check keys, without a network. Dimensions and what one part means to another are checked by the other\n" +
			"verbs only.\n" +
			"docs/model-files.md describes model files, docs/components/TYPE.md each type of component.",
		Example: "  skidpad schema manoeuvre > manoeuvre.schema.json\n  skidpad schema --write schemas",
		Args:    arguments(0, 1, "one KIND: "+kinds+"; or --write FOLDER"),
	}
	folder := c.Flags().String("write", "", "`FOLDER` into which the schemas of all kinds are written")
	c.RunE = func(c *cobra.Command, args []string) error {
		switch {
		case (len(args) == 0) == (*folder == ""):
			return usageError{errors.New("give one KIND, " + kinds + ", or --write FOLDER")}
		case len(args) == 1:
			s, err := schema.Of(args[0])
			if err != nil {
				return err
			}
			return output.WriteJSON(c.OutOrStdout(), s)
		}
		return writeSchemas(*folder)
	}
	return c
}

// writeSchemas writes the schemas of all kinds into a folder.
func writeSchemas(folder string) error {
	if err := output.MakeFolder(folder); err != nil {
		return err
	}
	for _, kind := range schema.Kinds {
		s, err := schema.Of(kind)
		if err != nil {
			return err
		}
		write := func(to io.Writer) error { return output.WriteJSON(to, s) }
		if err := output.WriteFile(filepath.Join(folder, kind+".schema.json"), write); err != nil {
			return err
		}
	}
	return nil
}
