package main

import (
	"github.com/spf13/cobra"

	"skidpad/harness/equations"
	"skidpad/harness/resources"
	"skidpad/model"
)

// equationsCommand shows what the engine makes of a model.
func equationsCommand() *cobra.Command {
	c := &cobra.Command{
		Use: "equations MODEL [flags]", Short: "print the states, equation counts and cost of a model",
		Long: "Formulates a model and prints its trees, its states, how many equations it has and what one evaluation\n" +
			"costs, or what is wrong with the file, by line and column.",
		Example: "  skidpad equations generic4w --tree tire --passes",
		Args:    arguments(1, 1, "one MODEL"), ValidArgsFunction: names(resources.Models),
	}
	flags := c.Flags()
	tree := flags.String("tree", "", "tree selection of the model, by `NAME`; default: its first")
	text := flags.Bool("text", false, "print the equations as readable mathematics")
	passes := flags.Bool("passes", false, "compare the cost of the simplification passes")
	asJSON := jsonFlag(flags)
	c.MarkFlagsMutuallyExclusive("text", "json")
	c.RunE = func(c *cobra.Command, args []string) error {
		if err := found(resources.Models, &args[0]); err != nil {
			return err
		}
		m, err := model.Read(args[0])
		if err != nil {
			return err
		}
		e, err := equations.New(m, *tree)
		if err != nil {
			return err
		}
		if *passes {
			if err := e.ComparePasses(c.ErrOrStderr()); err != nil {
				return err
			}
		}
		if *asJSON {
			return e.WriteJSON(c.OutOrStdout())
		}
		e.Print(c.OutOrStdout())
		if *text {
			e.PrintText(c.OutOrStdout())
		}
		return nil
	}
	return c
}
