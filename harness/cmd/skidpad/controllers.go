package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"skidpad/harness/workbench/files/modelfile"
	"skidpad/harness/workbench/files/resources"
	"skidpad/harness/workbench/runs/controlpipe"
	"skidpad/harness/workbench/runs/drive"
	"skidpad/harness/workbench/runs/evaluate"
)

// controllerFlag adds the flag for controllers that are put into the vehicle.
func controllerFlag(c *cobra.Command) *[]string {
	files := c.Flags().StringArray("controller", nil, "subsystem `FILE` with a controller to put into the vehicle, which "+
		"its roles connect, or the name of a shipped one (docs/own-controllers.md); the last one is next to the driver; "+
		"may be repeated")
	c.RegisterFlagCompletionFunc("controller", names(resources.Subsystems))
	return files
}

// withControllers puts the controllers of the flag into a vehicle. The caller closes the result.
func withControllers(c *cobra.Command, model string, files []string) (*modelfile.Controlled, error) {
	files = slices.Clone(files)
	for i := range files {
		if err := found(c, resources.Subsystems, &files[i]); err != nil {
			return nil, err
		}
	}
	controlled, err := modelfile.WithControllers(model, files)
	if err == nil && len(files) > 0 && strings.EqualFold(filepath.Ext(model), ".fmu") {
		fmt.Fprintf(c.ErrOrStderr(), "note: the model file in %s runs with --controller, in place of the FMU\n", model)
	}
	return controlled, err
}

// controlPipeFlag adds the flag for a program that sets inputs at samples.
func controlPipeFlag(flags *pflag.FlagSet) *bool {
	return flags.Bool("control-pipe", false, "a program on standard input and output sets inputs at samples, by the "+
		"protocol of docs/own-controllers.md; results are in --out, and texts on standard error")
}

// controlOf reads what a program at the other end of the pipe wants; nil without the flag. Results are in a file,
// because standard output has the protocol.
func controlOf(c *cobra.Command, pipe, toFile bool) (*drive.Control, error) {
	switch {
	case !pipe:
		return nil, nil
	case !toFile:
		return nil, usageError{errors.New("--control-pipe: there is no --out, and standard output has the protocol")}
	}
	// the writer of the command line shows control characters, which rows of numbers have
	return controlpipe.Open(c.InOrStdin(), os.Stdout)
}

// controllersName is the word for controllers behind list.
const controllersName = "controllers"

// controllers lists the subsystems with a component that acts at samples.
func controllers() []resources.Entry {
	list := []resources.Entry{}
	for _, e := range resources.Subsystems.List() {
		if modelfile.ActsAtSamples(e.Path) {
			list = append(list, e)
		}
	}
	return list
}

// controllerFacts names the controllers with their hashes, a line each.
func controllerFacts(files []string) string {
	var lines []string
	for _, file := range files {
		lines = append(lines, evaluate.FileFact(file))
	}
	return strings.Join(lines, "\n")
}
