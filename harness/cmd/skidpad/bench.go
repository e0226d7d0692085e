package main

import (
	"errors"
	"io"
	"os"
	"path/filepath"

	"skidpad/harness/bench"
	"skidpad/harness/output"
)

// benchVerb measures how fast the library is.
func benchVerb(args []string, stdout, stderr io.Writer) error {
	self, err := os.Executable()
	if err != nil {
		return err
	}
	flags := newFlags(stdout, "bench [MODEL.toml ...] [flags]\n\n"+
		"Measures, side by side in one run: the rates of the shipped models and of each MODEL as native code,\n"+
		"generated Go, tape and emitted C at gcc -O3; tire functions in Go, in C and together; the packed FMUs;\n"+
		"single steps next to a program in C; chains and stars of up to 500 bodies; many vehicles on all\n"+
		"processors; memory. The text file can be compared with another one by benchstat. Needs a C compiler, gcc if "+
		"there is one.",
		"  skidpad bench\n  skidpad bench my_truck.toml --paced 1000000 --out results")
	out := flags.String("out", "", "`FOLDER` for bench.json, bench.txt (for benchstat) and bench.png")
	resources := flags.String("resources", "resources", "`FOLDER` of models, manoeuvres and tires")
	binaries := flags.String("binaries", filepath.Dir(self), "`FOLDER` with fmi3/, skidpad.h and the library")
	rounds := flags.Int("rounds", 11, "`NUMBER` of rounds of each comparison")
	steps := flags.Int("steps", 1_000_000, "`NUMBER` of steps that are timed one by one")
	paced := flags.Int("paced", 10_000, "`NUMBER` of steps at 1 kHz, idle and loaded; 0 for none")
	models, err := parse(flags, args, 0, 100)
	if err != nil {
		return err
	}
	if *rounds < 1 || *steps < 1 || *paced < 0 {
		return usageError{errors.New("--rounds and --steps must be above 0, --paced not negative")}
	}
	if *out != "" {
		if err := output.MakeFolder(*out); err != nil {
			return err
		}
	}
	library, err := openLibrary(filepath.Join(*binaries, libraryName()))
	if err != nil {
		return err
	}
	s := bench.Suite{
		Library: library, FMUs: *binaries, Resources: *resources, Header: *binaries, Models: models,
		Rounds: *rounds, Steps: *steps, Paced: *paced, Progress: output.NewProgress(stderr),
	}
	report, err := s.Do()
	if err != nil {
		return err
	}
	report.Print(stdout)
	if *out == "" {
		return nil
	}
	return errors.Join(
		output.WriteFile(filepath.Join(*out, "bench.json"), report.JSON),
		output.WriteFile(filepath.Join(*out, "bench.txt"), report.Benchmarks),
		output.WriteFile(filepath.Join(*out, "bench.png"), report.Plot),
	)
}
