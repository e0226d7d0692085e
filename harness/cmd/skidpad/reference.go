package main

import (
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"skidpad/harness/output"
	"skidpad/harness/references"
)

// referenceVerb regenerates stored references.
func referenceVerb(args []string, stdout, stderr io.Writer) error {
	var names []string
	for _, c := range references.Cases {
		names = append(names, c.Name)
	}
	flags := newFlags(stdout, "reference [CASE ...] [flags]\n\nCASE is one of "+strings.Join(names, ", ")+
		"; default: all",
		"  skidpad reference generic4w_sine --resources resources")
	resources := flags.String("resources", "resources", "`FOLDER` with models, manoeuvres and tires")
	out := flags.String("out", "", "`FOLDER` for the files; default: references/trajectories in the resources")
	wanted, err := parse(flags, args, 0, len(names))
	if err != nil {
		return err
	}
	for _, name := range wanted {
		if !slices.Contains(names, name) {
			return usageError{fmt.Errorf("there is no case %q; there are %s", name, strings.Join(names, ", "))}
		}
	}
	if *out == "" {
		*out = filepath.Join(*resources, "references", "trajectories")
	}
	progress := output.NewProgress(stderr)
	for _, c := range references.Cases {
		if len(wanted) > 0 && !slices.Contains(wanted, c.Name) {
			continue
		}
		if err := references.Make(c, *resources, *out, progress); err != nil {
			return err
		}
		fmt.Fprintf(stdout, "%s\n", filepath.Join(*out, c.Name+".csv"))
	}
	return nil
}
