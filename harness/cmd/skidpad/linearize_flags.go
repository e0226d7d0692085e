package main

import (
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"skidpad/harness/workbench/files/resources"
)

// linearizeFlags are the flags of linearize.
type linearizeFlags struct {
	at, bode, transfer, frequencies, car     *string
	out, hold, free, tree, study             *string
	state, library                           *string
	eigen, modes, plot, secondMethod, forces *bool
	json, handling                           *bool
	export                                   *linearExport
	set                                      settings
}

// linearizeCommand linearises a model about steady motions.
func linearizeCommand() *cobra.Command {
	c := &cobra.Command{
		Use: "linearize MODEL [--at NAME=FIRST:LAST:STEP|NAME=VALUE] [flags]\n" +
			"linearize --study FILE --out FOLDER [--plot]",
		Short: "steady states, eigenvalues, modes, frequency responses, handling",
		Long: "Finds the steady state of a model at each value of NAME, a start value or a parameter, linearises the\n" +
			"model there, and prints what the flags ask for; without one, eigenvalues and where their stability changes.\n" +
			"With --out everything is written as files. A study is a file with several models and what to draw of each. When\n" +
			"interrupted, it writes the values so far and ends with status 130.",
		Example: "  skidpad linearize bicycle_rolling --at speed=0:10:0.05 --eigen \\\n" +
			"    --bode steer.torque:rear_frame.wz --out bicycle --plot\n" +
			"  skidpad linearize generic4w --at body.vx=20 --set body.wz=0.2 \\\n" +
			"    --free steer_FL.angle,steer_FR.angle,drive_RL.torque,drive_RR.torque\n" +
			"  skidpad linearize passenger_car --at body.vx=27.78 --free engine.throttle \\\n" +
			"    --modes --transfer steering:body.wz --handling\n" +
			"  skidpad linearize bicycle_rolling --at speed=4.6 --fmu bicycle.fmu\n" +
			"  skidpad linearize --study resources/sweeps/minaker_figure_1.toml --out eigenvalues --plot",
		Args: arguments(0, 1, "one MODEL"), ValidArgsFunction: names(resources.Models),
	}
	f, flags := &linearizeFlags{}, c.Flags()
	f.wantedFlags(flags)
	f.out = flags.StringP("out", "o", "",
		"`FOLDER` for steady.csv, forces.csv, eigenvalues.csv, modes.csv, shapes.csv, bode.csv, "+
			"transfer.csv, handling.csv, the linear equations in independent states as linear.mat, linear.json and, "+
			"of a single value, as A.csv, B.csv, C.csv and D.csv; default: results go to stdout")
	f.study = flags.String("study", "", "study `FILE`, TOML: panels with a model, the steady states and a frequency "+
		"response or eigenvalues; each writes steady.csv, eigenvalues.csv and bode.csv into a folder with its name")
	f.plot = flags.Bool("plot", false, "draw eigenvalues and bode, or figure of a study, as .png and .svg into the folder")
	f.hold = flags.String("hold", "",
		"`STATES`, with commas between, that the search for a steady motion keeps as they "+
			"start, as it does those of --at and --set")
	f.free = flags.String("free", "",
		"`INPUTS`, with commas between, that it may choose, such as torques that hold a speed, also states of charge and "+
			"temperatures; default: none, or, if there is no steady motion then, the inputs of the role throttle")
	f.secondMethod = flags.Bool("check", false,
		"also make the equations body by body with tangent stiffness, and fail where the two ways differ by more than "+
			"1e-9")
	f.forces = flags.Bool("forces", false,
		"reactions in the steady motion: force and moment of the tail's side of each joint, arm, rod and contact on its "+
			"head, at the head's origin, along x, y, z of ground; of several values as forces.csv, or with --json")
	f.tree = flags.String("tree", "", "tree selection of the model, by `NAME`; default: its first")
	f.json = jsonFlag(flags)
	f.export = linearExportFlags(flags)
	f.state, f.library = stateFlag(flags, ", and its start values and inputs, if it was saved before initialisation"),
		libraryFlag(flags)
	flags.Var(&f.set, "set",
		"parameter, start value, input, coefficient of a tire (tire_FL.LMUY) or text (tire_FL.file, cruise.model) "+
			"`NAME=VALUE`; may be repeated")
	c.RunE = f.run
	return c
}

// wantedFlags adds the flags for the requested results and their values.
func (f *linearizeFlags) wantedFlags(flags *pflag.FlagSet) {
	f.at = flags.String("at", "",
		"`NAME=FIRST:LAST:STEP` or NAME=VALUE: start value or parameter, for each of whose "+
			"values the model is linearised about the steady motion nearest to its start; default: its speed at the "+
			"start, the parameter speed or vx of the role chassis or of the first body")
	f.eigen = flags.Bool("eigen", false, "eigenvalues, and where their stability changes; this is done when nothing "+
		"else is asked for")
	f.modes = flags.Bool("modes", false,
		"modes with frequency, damping, time constant and participating states, which name them, each followed from "+
			"value to value, and where their stability changes; of vehicles with two wheels weave, wobble, capsize, castering")
	f.bode = flags.String("bode", "",
		"`INPUT:OUTPUT` of a frequency response; a motion driver, steering or road as INPUT "+
			"stands for its motion with rate and acceleration, A+B for A and B together")
	f.transfer = flags.String("transfer", "", "`INPUT:OUTPUT` of a transfer function, as for --bode: poles, zeros, "+
		"steady-state gain and, with --modes, controllability by INPUT and observability in OUTPUT")
	f.handling = flags.Bool("handling", false, "understeer gradient, characteristic or critical speed and static margin "+
		"at a speed that is held; needs the roles chassis and steering, and wheelbase or axles")
	f.car = carFlag(flags)
	f.frequencies = flags.String("frequencies", "0.01:100:201", "`FIRST:LAST:COUNT` of angular frequencies [rad/s], "+
		"evenly on a logarithmic scale")
}
