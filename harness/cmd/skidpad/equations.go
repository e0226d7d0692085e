package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"skidpad/harness/workbench/analyses/equations"
	"skidpad/harness/workbench/files/resources"
)

// equationsCommand shows what the engine makes of a model.
func equationsCommand() *cobra.Command {
	c := &cobra.Command{
		Use: "equations MODEL [flags]", Short: "print the states, equation counts and cost of a model",
		Long: "Formulates a model and prints its trees, its states, how many equations it has and what one evaluation\n" +
			"costs, or what is wrong with the file, by line and column. With --intermediates it prints the cost of the\n" +
			"intermediate variables of a tire instead, for the generic vehicle beside what Morency (2007) published.\n" +
			"With --matrices it prints the matrices of the equations of motion, entry by entry. With --export it writes\n" +
			"them as functions for SymPy, CasADi, or Matlab and Octave (docs/equations.md).\n" +
			"docs/model-files.md describes model files, docs/components/TYPE.md each type of component.",
		Example: "  skidpad equations generic4w --tree tire --passes\n" +
			"  skidpad equations generic4w --intermediates tire_FL\n" +
			"  skidpad equations pendulum --matrices --only M,b\n" +
			"  skidpad equations bicycle --export sympy --out bicycle.py",
		Args: arguments(1, 1, "one MODEL"), ValidArgsFunction: names(resources.Models),
	}
	flags := c.Flags()
	tree := flags.String("tree", "", "tree selection of the model, by `NAME`; default: its first")
	text := flags.Bool("text", false, "print the equations as readable mathematics")
	passes := flags.Bool("passes", false, "compare the cost of the simplification passes")
	tire := flags.String("intermediates", "", "print the cost of the intermediate variables of this `TIRE` instead")
	var o matricesOptions
	o.add(c)
	asJSON := jsonFlag(flags)
	excludeEachOther(c, "text", "json")
	excludeEachOther(c, "text", "intermediates")
	excludeEachOther(c, "passes", "intermediates")
	c.RunE = func(c *cobra.Command, args []string) error {
		if err := o.check(c); err != nil {
			return err
		}
		if err := found(c, resources.Models, &args[0]); err != nil {
			return err
		}
		m, err := readModel(args[0], c.ErrOrStderr())
		if err != nil {
			return err
		}
		if o.asked() {
			return o.write(c, m, *tree, *asJSON)
		}
		e, err := equations.New(m, *tree)
		if err != nil {
			return err
		}
		if *tire != "" {
			return printIntermediates(c, e, *tire, *asJSON)
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

// printIntermediates prints what the intermediate variables of a tire cost.
func printIntermediates(c *cobra.Command, e *equations.Equations, tire string, asJSON bool) error {
	rows, err := e.Intermediates(tire)
	if err != nil {
		return usageError{err}
	}
	table := &equations.Table{Model: e.Model.Name, Tire: tire, Rows: rows}
	if e.Model.Name == equations.PublishedModel {
		path, err := resources.References.Find("morency2007_intermediates")
		if err == nil {
			table.Published, err = equations.ReadPublished(path)
		}
		if err != nil { // the costs are known without
			fmt.Fprintf(c.ErrOrStderr(), "without the published costs: %v\n", err)
		}
	}
	if asJSON {
		return table.WriteJSON(c.OutOrStdout())
	}
	table.Print(c.OutOrStdout())
	return nil
}
