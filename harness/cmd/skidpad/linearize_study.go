package main

import (
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"skidpad/harness/workbench/analyses/linearise"
	"skidpad/harness/workbench/results/output"
)

// runStudy linearises what a study says.
func (f *linearizeFlags) runStudy(c *cobra.Command, models []string) error {
	stdout, stderr := c.OutOrStdout(), c.ErrOrStderr()
	if len(models) > 0 {
		return usageError{fmt.Errorf("a study has its own models; leave %s or --study out", models[0])}
	}
	var other string
	c.Flags().Visit(func(flag *pflag.Flag) {
		if flag.Name != "study" && flag.Name != "out" && flag.Name != "plot" {
			other = flag.Name
		}
	})
	switch {
	case other != "":
		return usageError{fmt.Errorf("--%s does not go with --study, whose panels say all that; only --out and --plot do",
			other)}
	case *f.out == "":
		return usageError{errors.New("--study needs --out, the folder of its results")}
	}
	study, err := linearise.ReadStudy(*f.study)
	if err != nil {
		return err
	}
	interrupt := interruptOf(c)
	if err := output.MakeFolder(*f.out); err != nil {
		return err
	}
	results, failure := study.Do(interrupt, output.NewProgressOf(stderr, "panels"))
	for i := range results {
		results[i].Print(stdout)
	}
	files := linearise.StudyFiles(results)
	if *f.plot && len(results) > 0 {
		for _, ending := range linearise.Drawn {
			files = append(files, output.File{Name: "figure" + ending,
				Write: func(to io.Writer) error { return linearise.PlotStudy(to, ending, results) }})
		}
	}
	return errors.Join(failure, writeFiles(*f.out, stdout, files))
}
