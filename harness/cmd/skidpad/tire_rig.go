package main

import (
	"cmp"
	"errors"
	"flag"
	"fmt"
	"io"
	"math"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"skidpad/harness/rig"
	"skidpad/harness/tirefile"
	"skidpad/tire"
)

// rigFlags are the flags of tire rig.
type rigFlags struct {
	flags *flag.FlagSet

	out, file, relaxation, side, library *string
	speed, radius, stiffness             *float64
	loads, pressures                     numbers
}

func newRigFlags(help io.Writer) *rigFlags {
	flags := newFlags(help, "tire rig FILE|LIBRARY [flags]\n\n"+
		"FILE is a tire file (TOML or .tir), LIBRARY what tire.model of a vehicle takes: plugin:LIBRARY#SYMBOL.\n"+
		"The figures of merit are printed: stiffnesses, pneumatic trail, largest friction and its slip, relaxation\n"+
		"lengths. With --out also curves and carpets of slip, camber, load, turn slip and combined slip are written.",
		"  skidpad tire rig resources/tires/mf61_205_60R15.tir --out mf61 --pressures 200e3,240e3\n"+
			"  skidpad tire rig resources/tires/pacejka2002.toml --relaxation resources/tires/stretched_string.toml\n"+
			"  skidpad tire rig plugin:$PWD/out/tires/fiala.so#skidpad_fiala --file "+
			"resources/tires/fiala_generic4w.toml --loads 2000,4000,6000")
	f := &rigFlags{flags: flags}
	f.out = flags.String("out", "", "`FOLDER` for points.csv, report.html and an SVG of each plot")
	f.file = flags.String("file", "", "parameter `FILE` of a LIBRARY")
	f.relaxation = flags.String("relaxation", "", "`FILE` of the relaxation; default: of a .tir the file itself")
	f.side = flags.String("side", "", "side `left|right` on which the tire of a .tir is mounted; empty: as it says")
	flags.Var(&f.loads, "loads",
		"`N,N,...`, rising; default: quarter to double nominal load, 1000 to 8000 N without one")
	flags.Var(&f.pressures, "pressures", "`Pa,Pa,...` to compare at one load, of tires that have inflation pressure")
	f.speed = flags.Float64("speed", 16.7, "`m/s`")
	f.radius = flags.Float64("radius", 0, "unloaded radius `m`; default: the file's, 0.32 m without one")
	f.stiffness = flags.Float64("stiffness", 0, "vertical stiffness `N/m`; default: a .tir's, 200 kN/m without one")
	f.library = flags.String("library", "", "shared library `FILE` of Skidpad; default: "+libraryName()+
		" beside this command")
	return f
}

// mount puts the tire on the rig, with what the flags say of it; parameters are nil of a library.
func (f *rigFlags) mount(what string, stderr io.Writer) (
	on rig.Tire, nominal float64, parameters *tire.Parameters, err error,
) {
	switch library := strings.Contains(what, "#"); {
	case library && len(f.pressures) > 0:
		err = usageError{errors.New("--pressures is for tire files, whose parameters are known")}
	case library:
		on, nominal, err = tirefile.MountFunction(what, *f.file, *f.side)
	case *f.file != "":
		err = usageError{errors.New("--file is for a LIBRARY; a tire file needs none")}
	default:
		on, nominal, parameters, err = tirefile.Mount(what, *f.side, *f.relaxation == "", stderr)
	}
	if err != nil {
		return on, nominal, parameters, err
	}
	on.Radius, on.Stiffness = cmp.Or(*f.radius, on.Radius), cmp.Or(*f.stiffness, on.Stiffness)
	if !(on.Radius > 0 && on.Stiffness > 0 && *f.speed > 0) {
		err = usageError{errors.New("--radius, --stiffness and --speed must be above 0")}
		return on, nominal, parameters, err
	}
	if *f.relaxation != "" {
		if on.Relaxation, err = tirefile.ReadRelaxation(*f.relaxation); err != nil {
			return on, nominal, parameters, err
		}
	}
	if on.File != "" {
		on.File, err = filepath.Abs(on.File)
	}
	return on, nominal, parameters, err
}

// plan is the standard plan with the speed and the loads of the flags.
func (f *rigFlags) plan(on rig.Tire, nominal float64) (rig.Plan, error) {
	plan := rig.Standard(nominal)
	plan.Speed = *f.speed
	if loads := f.loads; len(loads) > 0 {
		if most := on.Radius * on.Stiffness; !slices.IsSorted(loads) || loads[0] <= 0 || loads[len(loads)-1] >= most {
			return plan, usageError{fmt.Errorf("--loads %v: they must rise from above 0 to below %.4g N, with which "+
				"the wheel's centre is on the road", loads, most)}
		}
		plan.Loads = loads
	}
	return plan, nil
}

// rigVerb measures a tire on the rig.
func rigVerb(args []string, stdout, stderr io.Writer) error {
	f := newRigFlags(stdout)
	what, err := parse(f.flags, args, 1, 1)
	if err != nil {
		return err
	}
	if *f.side != "" && *f.side != "left" && *f.side != "right" {
		return usageError{fmt.Errorf("--side is %q; it must be left or right", *f.side)}
	}
	on, nominal, parameters, err := f.mount(what[0], stderr)
	if err != nil {
		return err
	}
	plan, err := f.plan(on, nominal)
	if err != nil {
		return err
	}
	variants, remove, err := tirefile.PressureVariants(on, parameters, f.pressures)
	if errors.Is(err, tirefile.ErrNoPressure) {
		return usageError{fmt.Errorf("--pressures: %w", err)}
	}
	if err != nil {
		return err
	}
	defer remove()
	loaded, err := openLibrary(*f.library)
	if err != nil {
		return err
	}
	measured, err := rig.Measure(loaded, on, plan, variants)
	if err != nil {
		return err
	}
	if err := measured.WriteTable(stdout); err != nil || *f.out == "" {
		return err
	}
	return measured.WriteFolder(*f.out)
}

// numbers collects N,N,...
type numbers []float64

func (n *numbers) String() string { return "" }

func (n *numbers) Set(text string) error {
	for part := range strings.SplitSeq(text, ",") {
		x, err := strconv.ParseFloat(strings.TrimSpace(part), 64)
		if err != nil || math.IsNaN(x) || math.IsInf(x, 0) {
			return fmt.Errorf("%q is not a finite number", part)
		}
		*n = append(*n, x)
	}
	return nil
}
