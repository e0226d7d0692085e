package main

import (
	"fmt"
	"io"
	"strings"

	"skidpad/fmu/check"
	"skidpad/harness/library"
)

// checkVerb looks into an FMU and lets it run.
func checkVerb(args []string, stdout, stderr io.Writer) error {
	flags := newFlags(stdout, "check X.fmu", "  skidpad check out/fmi3/GenericVehicle.fmu")
	files, err := parse(flags, args, 1, 1)
	if err != nil {
		return err
	}
	findings, err := check.FMU(files[0])
	if err != nil {
		return err
	}
	for _, f := range findings {
		fmt.Fprintf(stdout, "%s: %v\n", files[0], f)
	}
	behaviour, err := library.Exercise(files[0])
	if err != nil {
		behaviour = append(behaviour, strings.TrimPrefix(err.Error(), files[0]+": "))
	}
	for _, text := range behaviour {
		fmt.Fprintf(stdout, "%s: %s\n", files[0], text)
	}
	n := len(findings) + len(behaviour)
	fmt.Fprintf(stdout, "%s: %d findings\n", files[0], n)
	if n > 0 {
		return errFailed
	}
	return nil
}
