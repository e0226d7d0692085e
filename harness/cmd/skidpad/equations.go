package main

import (
	"io"

	"skidpad/harness/equations"
	"skidpad/model"
)

// equationsVerb shows what the engine makes of a model.
func equationsVerb(args []string, stdout, stderr io.Writer) error {
	flags := newFlags(stdout, "equations MODEL.toml [--tree NAME] [--text] [--passes]",
		"  skidpad equations resources/models/generic4w.toml --passes")
	tree := flags.String("tree", "", "tree of the model (default: its first)")
	text := flags.Bool("text", false, "print the equations as readable mathematics")
	passes := flags.Bool("passes", false, "compare the cost of the simplification passes")
	files, err := parse(flags, args, 1, 1)
	if err != nil {
		return err
	}
	m, err := model.Read(files[0])
	if err != nil {
		return err
	}
	f, err := equations.Print(stdout, m, *tree)
	if err != nil {
		return err
	}
	if *passes {
		if err := equations.PrintPasses(stdout, stderr, m, *tree); err != nil {
			return err
		}
	}
	if *text {
		equations.PrintText(stdout, f)
	}
	return nil
}
