package main

import (
	"errors"
	"fmt"
	"io"
	"path/filepath"

	"github.com/spf13/cobra"

	"skidpad/harness/workbench/analyses/optimise"
	"skidpad/harness/workbench/results/output"
)

// optimiseFlags are the flags of optimise.
type optimiseFlags struct {
	out                  *string
	evaluations, threads *int
	json                 *bool
}

// optimiseCommand searches for the parameters with the fastest decay of modes.
func optimiseCommand() *cobra.Command {
	c := &cobra.Command{
		Use:   "optimise STUDY [flags]",
		Short: "find parameters with which chosen modes decay fastest",
		Long: "Searches the parameters of a study between their bounds for the lowest real part of the least stable mode,\n" +
			"by differential evolution. Only modes count whose shape has a share in the outputs of the study's mask. A\n" +
			"study gives the same result at every run and with any number of threads. When interrupted, it writes what it\n" +
			"has found so far and ends with status 130.",
		Example: "  skidpad optimise resources/sweeps/tilting_search.toml --out search\n" +
			"  skidpad optimise resources/sweeps/tilting_search.toml --evaluations 48 --json",
		Args: arguments(1, 1, "one STUDY"),
	}
	f, flags := &optimiseFlags{}, c.Flags()
	f.out = flags.StringP("out", "o", "", "`FOLDER` for history.csv, eigenvalues.csv and optimum.json; default: results "+
		"go to stdout only")
	writesInto(flags, "out", "history.csv", "eigenvalues.csv", "optimum.json")
	f.evaluations = flags.Int("evaluations", 0, "`NUMBER` of evaluations; 0: the study's")
	f.threads = flags.Int("threads", 0, "`NUMBER` of threads; 0: one for each processor")
	f.json = jsonFlag(flags)
	c.RunE = f.run
	return c
}

func (f *optimiseFlags) run(c *cobra.Command, args []string) error {
	stdout, stderr := c.OutOrStdout(), c.ErrOrStderr()
	if *f.evaluations < 0 || *f.threads < 0 {
		return usageError{errors.New("--evaluations and --threads must not be negative")}
	}
	study, err := optimise.ReadStudy(args[0])
	if err != nil {
		return err
	}
	if *f.evaluations > 0 {
		study.Evaluations = *f.evaluations
	}
	interrupt := interruptOf(c)
	if *f.out != "" {
		if err := output.MakeFolder(*f.out); err != nil {
			return err
		}
	}
	result, failure := optimise.Run(study, optimise.Options{
		Threads: *f.threads, Interrupt: interrupt, Progress: output.NewProgressOf(stderr, "evaluations"),
	})
	if result == nil {
		return failure
	}
	if *f.json {
		err = result.WriteJSON(stdout)
		stdout = io.Discard
	} else {
		result.Print(stdout)
	}
	if *f.out != "" && err == nil {
		err = writeFiles(*f.out, stdout, result.Files())
	}
	return errors.Join(failure, err)
}

// writeFiles writes files into a folder, and their names to stdout.
func writeFiles(folder string, stdout io.Writer, files []output.File) error {
	for _, file := range files {
		path := filepath.Join(folder, file.Name)
		if err := output.WriteFile(path, file.Write); err != nil {
			return err
		}
		fmt.Fprintln(stdout, path)
	}
	return nil
}
