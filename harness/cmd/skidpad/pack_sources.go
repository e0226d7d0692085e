package main

import (
	"errors"
	"fmt"

	"github.com/spf13/pflag"

	"skidpad/harness/workbench/analyses/export"
	"skidpad/harness/workbench/results/recording"
)

// sourcesValue is the value of --sources: empty without the flag.
type sourcesValue string

const (
	also sourcesValue = "true" // beside the libraries: of the flag without a value
	only sourcesValue = "only"
)

func (v *sourcesValue) Set(text string) error { *v = sourcesValue(text); return nil }

func (v *sourcesValue) String() string { return string(*v) }

// Type makes pflag show the flag without a value.
func (v *sourcesValue) Type() string { return "bool" }

// sourcesFlags are the flags of FMUs with C sources.
type sourcesFlags struct {
	content sourcesValue
	methods *string
}

func newSourcesFlags(flags *pflag.FlagSet) *sourcesFlags {
	f := &sourcesFlags{methods: flags.String("method", "", "`METHODS` of integration in the sources, beside that of the "+
		"model, with commas: euler, heun, rk4, linearly-implicit; default: euler,heun,rk4")}
	flags.Var(&f.content, "sources", "C sources of the model in the FMU, beside the libraries; --sources=only: without "+
		"libraries; for models that docs/generate.md#coverage covers")
	flags.Lookup("sources").NoOptDefVal = string(also)
	return f
}

// apply hands the flags on.
func (f *sourcesFlags) apply(e *export.Export) error {
	switch f.content {
	case "":
		if *f.methods != "" {
			return errors.New("--method: it is for the sources of an FMU; add --sources. In an FMU with libraries every " +
				"method can be chosen by its parameter solver.method")
		}
		return nil
	case also:
		e.Content = export.LibrariesAndSources
	case only:
		e.Content = export.Sources
	default:
		return fmt.Errorf("--sources is %q; give --sources for sources beside the libraries, or --sources=only", f.content)
	}
	if e.Coefficients {
		return errors.New("--tire-parameters: coefficients of tires are fixed numbers in C sources; leave one of the two " +
			"flags out")
	}
	if *f.methods != "" {
		e.Methods = recording.Split(*f.methods)
		if err := export.CheckMethods(e.Methods); err != nil {
			return fmt.Errorf("--method: %w", err)
		}
	}
	return nil
}
