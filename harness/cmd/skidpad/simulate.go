package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"

	"skidpad/harness"
)

// simulateVerb drives one model through one manoeuvre.
func simulateVerb(args []string, stdout, stderr io.Writer) error {
	flags := newFlags(stdout, "simulate MODEL --manoeuvre FILE [flags]",
		"  skidpad simulate resources/models/skidder.toml \\\n"+
			"    --manoeuvre resources/manoeuvres/skidder_braking.toml --out braking.csv --plot braking.png")
	manoeuvreFile := flags.String("manoeuvre", "", "manoeuvre `FILE`, TOML (required)")
	out := flags.String("out", "-", "CSV `FILE` for all outputs, SI units; - is stdout")
	plotFile := flags.String("plot", "", "PNG `FILE` with speed, yaw rate, angles, wheel loads, lateral forces and path")
	method := flags.String("method", "", "solver: euler, heun, rk4, linearly-implicit; default: the model's")
	step := flags.Float64("step", 0, "communication step in `SECONDS`; default: the manoeuvre's")
	tree := flags.String("tree", "", "tree selection; default: the model's first")
	libraryFile := flags.String("library", "", "shared library `FILE`; default: "+libraryName()+" beside this command")
	models, err := parse(flags, args, 1, 1)
	if err != nil {
		return err
	}
	if *manoeuvreFile == "" {
		return usageError{errors.New("--manoeuvre is missing")}
	}
	manoeuvre, err := harness.ReadManoeuvre(*manoeuvreFile)
	if err != nil {
		return err
	}
	library, err := openLibrary(*libraryFile)
	if err != nil {
		return err
	}
	vehicle, err := library.Load(models[0], *tree)
	if err != nil {
		return err
	}
	defer vehicle.Close()
	result, err := vehicle.Simulate(harness.Run{Manoeuvre: manoeuvre, Method: *method, Step: *step, Progress: stderr})
	if err != nil {
		return err
	}
	t := result.Timing
	fmt.Fprintf(stderr, "%s: %d steps, median %v, p99.9 %v, worst %v, %.0f times real time\n",
		manoeuvre.Name, t.Steps, t.Median, t.P999, t.Worst, t.RealTime)
	if *plotFile != "" {
		draw := func(to io.Writer) error {
			return harness.PlotOverview(to, result.Trace, manoeuvre.Title)
		}
		if err := harness.WriteFile(*plotFile, draw); err != nil {
			return err
		}
	}
	if *out == "-" {
		return result.Trace.WriteCSV(stdout)
	}
	return harness.WriteFile(*out, result.Trace.WriteCSV)
}

// libraryName is the file name of the shared library on this system.
func libraryName() string {
	switch runtime.GOOS {
	case "windows":
		return "libskidpad.dll"
	case "darwin":
		return "libskidpad.dylib"
	}
	return "libskidpad.so"
}

// openLibrary loads the library at path, or, without path, the one that lies
// beside this command.
func openLibrary(path string) (*harness.Library, error) {
	if path == "" {
		self, err := os.Executable()
		if err != nil {
			return nil, err
		}
		path = filepath.Join(filepath.Dir(self), libraryName())
	}
	absolute, err := filepath.Abs(path) // the system's loader searches for bare names
	if err != nil {
		return nil, err
	}
	if _, err := os.Stat(absolute); err != nil {
		return nil, fmt.Errorf("no library: %w; build it with ./build.sh or name it with --library", err)
	}
	return harness.Open(absolute)
}
