package main

import (
	"errors"
	"math"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"skidpad/harness/evidence/bench"
	"skidpad/harness/workbench/files/resources"
	"skidpad/harness/workbench/results/output"
)

// benchCommand measures how fast the library is.
func benchCommand() *cobra.Command {
	c := &cobra.Command{
		Use: "bench [MODEL ...] [flags]", Short: "measure speed, with plain C for comparison",
		Long: "Measures, side by side in one run: the rates of the shipped models and of each MODEL as native code,\n" +
			"tape and generated C at gcc -O3; steps of seven vehicles in generated C and in the library, in turn;\n" +
			"steps of which values are recorded, next to bare ones;\n" +
			"tire functions in Go, in C and together; the packed FMUs;\n" +
			"single steps next to a program in C; chains and stars of up to 500 bodies; many vehicles on all\n" +
			"processors; memory. The text file can be compared with another one by benchstat. Needs a C compiler,\n" +
			"gcc if there is one. Rates are measured with the tires, if there is plain C of them, and with tires held:\n" +
			"their arguments are computed, and constants stand where their results do, in every column.\n\n" +
			"With --peers it measures, in place of all this, accelerations of a body with four limbs and of the passenger\n" +
			"car without tires, next to MuJoCo and Pinocchio; harness/evidence/bench/peers.sh installs these and calls it.\n" +
			"With --lfdm it measures steps of the sedan of LFDM next to LFDM itself, written by hand in C++.",
		Example: "  skidpad bench\n  skidpad bench my_truck.toml --paced 1000000 --out results",
		Args:    arguments(0, math.MaxInt, "models"), ValidArgsFunction: names(resources.Models),
	}
	flags := c.Flags()
	out := flags.StringP("out", "o", "", "`FOLDER` for bench.json, bench.txt (for benchstat) and bench.png")
	folder := flags.String("resources", "resources", "`FOLDER` of models, manoeuvres and tires")
	binaries := flags.String("binaries", "",
		"`FOLDER` with fmi3/, skidpad.h and the library; default: the folder of this command")
	rounds := flags.Int("rounds", 11, "`NUMBER` of rounds of each comparison")
	steps := flags.Int("steps", 1_000_000, "`NUMBER` of steps that are timed one by one")
	paced := flags.Int("paced", 10_000, "`NUMBER` of steps at 1 kHz, idle and loaded; 0 for none")
	peers := flags.String("peers", "",
		"`FOLDER` of the Python packages mujoco-core, libpinocchio, cmeel-boost and cmeel-eigen: measure next to them")
	lfdm := flags.String("lfdm", "",
		"`FOLDER` of a checkout of uwsbel/low-fidelity-dynamic-models: measure next to it; needs g++")
	asJSON := jsonFlag(flags)
	c.RunE = func(c *cobra.Command, models []string) error {
		if *rounds < 1 || *steps < 1 || *paced < 0 {
			return usageError{errors.New("--rounds and --steps must be above 0, --paced not negative")}
		}
		if (*peers != "" || *lfdm != "") && len(models) > 0 {
			return usageError{errors.New("--peers and --lfdm measure models of their own: give no MODEL with them")}
		}
		if *peers != "" && *lfdm != "" {
			return usageError{errors.New("--peers and --lfdm are measured one at a time: give one of them")}
		}
		for i := range models {
			if err := found(c, resources.Models, &models[i]); err != nil {
				return err
			}
		}
		if *out != "" {
			if err := output.MakeFolder(*out); err != nil {
				return err
			}
		}
		s := bench.Suite{Resources: *folder, Models: models, Rounds: *rounds, Steps: *steps, Paced: *paced,
			Progress: output.NewProgress(c.ErrOrStderr())}
		var report *bench.Report
		var err error
		switch {
		case *peers != "":
			report, err = s.Peers(*peers)
		case *lfdm != "":
			report, err = withLibrary(&s, *binaries, func() (*bench.Report, error) { return s.LFDM(*lfdm) })
		default:
			report, err = withLibrary(&s, *binaries, s.Do)
		}
		if err != nil {
			return err
		}
		if *asJSON {
			err = report.JSON(c.OutOrStdout())
		} else {
			report.Print(c.OutOrStdout())
		}
		if err != nil || *out == "" {
			return err
		}
		return errors.Join(
			output.WriteFile(filepath.Join(*out, "bench.json"), report.JSON),
			output.WriteFile(filepath.Join(*out, "bench.txt"), report.Benchmarks),
			output.WriteFile(filepath.Join(*out, "bench.png"), report.Plot),
		)
	}
	c.AddCommand(benchViewCommand())
	return c
}

// withLibrary measures with the library, its header and the FMUs in a folder, by default that of this command.
func withLibrary(s *bench.Suite, folder string, measure func() (*bench.Report, error)) (*bench.Report, error) {
	if folder == "" {
		self, err := os.Executable()
		if err != nil {
			return nil, err
		}
		folder = filepath.Dir(self)
	}
	var err error
	s.FMUs, s.Header = folder, folder
	if s.Library, err = openLibrary(filepath.Join(folder, libraryName())); err != nil {
		return nil, err
	}
	return measure()
}
