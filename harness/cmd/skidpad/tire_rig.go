package main

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"skidpad/harness/workbench/analyses/tirefile"
	"skidpad/harness/workbench/files/resources"
	"skidpad/harness/workbench/results/output"
	"skidpad/harness/workbench/runs/rig"
	"skidpad/model/bounded"
	"skidpad/tire"
)

// rigFlags are the flags of tire rig.
type rigFlags struct {
	out, file, library         *string
	relaxation, relaxationFile *string
	speed, radius, stiffness   *float64
	side                       *side
	json                       *bool
	loads, pressures           numbers
}

// rigCommand measures a tire on the rig.
func rigCommand() *cobra.Command {
	c := &cobra.Command{
		Use: "rig TIRE|LIBRARY... [flags]", Short: "measure tires on a test rig",
		Long: "TIRE is a tire file (TOML or .tir), or a name that 'skidpad list tires' shows; LIBRARY is what tire.model\n" +
			"of a vehicle takes: plugin:LIBRARY#SYMBOL. Prints the figures of merit by load: stiffnesses, pneumatic\n" +
			"trail, largest friction and its slip, relaxation lengths. With --out also writes curves and carpets of\n" +
			"slip, camber, load, turn slip and combined slip. Relaxation lengths need a relaxation: of a .tir file\n" +
			"its own coefficients, else the file or LIBRARY of --relaxation; without one they are left out (-). Several\n" +
			"tires are measured at the loads of the first, and each plot has the curves of all.",
		Example: "  skidpad tire rig mf61_205_60R15 --out mf61 --pressures 200e3,240e3\n" +
			"  skidpad tire rig fiala_generic4w calspan_155SR13 --loads 3000,5900 --out both\n" +
			"  skidpad tire rig resources/tires/pacejka2002.toml --relaxation stretched_string\n" +
			"  skidpad tire rig fiala_generic4w --relaxation \\\n" +
			"    plugin:$PWD/out/tires/relaxation.so#skidpad_relaxation --relaxation-file lengths.txt\n" +
			"  skidpad tire rig plugin:$PWD/out/tires/fiala.so#skidpad_fiala \\\n" +
			"    --file resources/tires/fiala_generic4w.toml --loads 2000,4000,6000",
		Args: arguments(1, 8, "one TIRE or LIBRARY, or up to eight"), ValidArgsFunction: names(resources.Tires),
	}
	f, flags := &rigFlags{}, c.Flags()
	f.out = flags.StringP("out", "o", "", "`FOLDER` for points.csv, report.html and an SVG of each plot")
	writesInto(flags, "out", "points.csv", "report.html", "*.svg")
	f.file = flags.String("file", "", "parameter `FILE` of a LIBRARY")
	f.relaxation = flags.String("relaxation", "",
		"`TIRE` or LIBRARY of the relaxation; default: of a .tir the file itself")
	f.relaxationFile = flags.String("relaxation-file", "", "parameter `FILE` of a LIBRARY of --relaxation")
	c.RegisterFlagCompletionFunc("relaxation", names(resources.Tires))
	f.side, f.json = sideFlag(flags), jsonFlag(flags)
	flags.Var(&f.loads, "loads",
		"`N,N,...`, rising; default: quarter to double nominal load, 1000 to 8000 N without one")
	flags.Var(&f.pressures, "pressures", "`Pa,Pa,...` to compare at one load, of tires that have inflation pressure")
	f.speed = flags.Float64("speed", 16.7, "speed [`m/s`]")
	f.radius = flags.Float64("radius", 0, "unloaded radius [`m`]; default: the file's, 0.32 m without one")
	f.stiffness = flags.Float64("stiffness", 0,
		"vertical stiffness [`N/m`]; default: that of a .tir, 200 kN/m without one")
	f.library = libraryFlag(flags)
	c.RunE = f.run
	return c
}

// mount puts the tire on the rig, with what the flags say of it; parameters are nil of a library.
func (f *rigFlags) mount(what string, warnings io.Writer) (
	on rig.Tire, nominal float64, parameters *tire.Parameters, err error,
) {
	switch library := strings.Contains(what, "#"); {
	case library && len(f.pressures) > 0:
		err = usageError{errors.New("--pressures is for tire files, whose parameters are known")}
	case library:
		on, nominal, err = tirefile.MountFunction(what, *f.file, string(*f.side))
	case *f.file != "":
		err = usageError{errors.New("--file is for a LIBRARY; a tire file needs none")}
	default:
		on, nominal, parameters, err = tirefile.Mount(what, string(*f.side), *f.radius, *f.relaxation == "", warnings)
	}
	if err != nil {
		return on, nominal, parameters, err
	}
	on.Radius, on.Stiffness = cmp.Or(*f.radius, on.Radius), cmp.Or(*f.stiffness, on.Stiffness)
	if !(on.Radius > 0 && on.Stiffness > 0 && *f.speed > 0) {
		err = usageError{errors.New("--radius, --stiffness and --speed must be above 0")}
		return on, nominal, parameters, err
	}
	if on.Relaxation, err = f.relaxes(on.Relaxation); err != nil {
		return on, nominal, parameters, err
	}
	if on.File != "" && !bounded.IsAbsolute(on.File) {
		on.File, err = filepath.Abs(on.File)
	}
	return on, nominal, parameters, err
}

// relaxes is the relaxation that the flags name, or else that of the tire itself.
func (f *rigFlags) relaxes(own *rig.Relaxation) (*rig.Relaxation, error) {
	switch library := strings.Contains(*f.relaxation, "#"); {
	case library:
		return tirefile.LibraryRelaxation(*f.relaxation, *f.relaxationFile)
	case *f.relaxationFile != "":
		return nil, usageError{errors.New("--relaxation-file is for a LIBRARY of --relaxation; a tire file needs none")}
	case *f.relaxation != "":
		return tirefile.ReadRelaxation(*f.relaxation)
	}
	return own, nil
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

func (f *rigFlags) run(c *cobra.Command, args []string) error {
	if len(args) > 1 && len(f.pressures) > 0 {
		return usageError{errors.New("--pressures is for one tire")}
	}
	if !strings.Contains(*f.relaxation, "#") {
		if err := found(c, resources.Tires, f.relaxation); err != nil {
			return err
		}
	}
	tires := slices.Clone(args)
	for i := range tires {
		if !strings.Contains(tires[i], "#") {
			if err := found(c, resources.Tires, &tires[i]); err != nil {
				return err
			}
		}
	}
	tireNames, err := namesOfTires(tires)
	if err != nil {
		return err
	}
	var all rig.Several
	for i, what := range tires {
		measured, err := f.measure(c, what)
		if err != nil {
			return err
		}
		f.loads = measured.Plan.Loads // count for all
		all = append(all, rig.Named{Name: tireNames[i], Measured: measured})
	}
	return f.write(c, all)
}

// namesOfTires are the names of several files or library tire functions in legends and file names; files that differ
// only in their endings keep the endings.
func namesOfTires(tires []string) ([]string, error) {
	list := make([]string, len(tires))
	for i, what := range tires {
		if _, function, is := strings.Cut(what, "#"); is {
			list[i] = function
			continue
		}
		list[i] = strings.TrimSuffix(filepath.Base(what), filepath.Ext(what))
		for k, other := range tires {
			if k != i && strings.TrimSuffix(filepath.Base(other), filepath.Ext(other)) == list[i] {
				list[i] = filepath.Base(what)
				break
			}
		}
	}
	for i, name := range list {
		if slices.Contains(list[:i], name) {
			return nil, usageError{fmt.Errorf("%s is given twice, or is the name of two tires; give one of them", name)}
		}
	}
	return list, nil
}

// measure puts a tire on the rig.
func (f *rigFlags) measure(c *cobra.Command, what string) (*rig.Measured, error) {
	on, nominal, parameters, err := f.mount(what, c.ErrOrStderr())
	if err != nil {
		return nil, err
	}
	plan, err := f.plan(on, nominal)
	if err != nil {
		return nil, err
	}
	variants, remove, err := tirefile.PressureVariants(on, parameters, f.pressures)
	if errors.Is(err, tirefile.ErrNoPressure) {
		return nil, usageError{fmt.Errorf("--pressures: %w", err)}
	}
	if err != nil {
		return nil, err
	}
	defer remove()
	if *f.out != "" {
		if err := output.MakeFolder(*f.out); err != nil {
			return nil, err
		}
	}
	loaded, err := openLibrary(*f.library)
	if err != nil {
		return nil, err
	}
	return rig.Measure(loaded, on, plan, variants)
}

// write writes what was measured, of one tire without its name.
func (f *rigFlags) write(c *cobra.Command, all rig.Several) error {
	var results interface {
		WriteTable(io.Writer) error
		WriteJSON(io.Writer) error
		WriteFolder(string) error
	} = all
	if len(all) == 1 {
		results = all[0].Measured
	}
	print := results.WriteTable
	if *f.json {
		print = results.WriteJSON
	}
	if err := print(c.OutOrStdout()); err != nil || *f.out == "" {
		return err
	}
	return results.WriteFolder(*f.out)
}
