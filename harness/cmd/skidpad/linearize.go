package main

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"skidpad/harness/evidence/verify"
	"skidpad/harness/workbench/analyses/linearise"
	"skidpad/harness/workbench/files/resources"
	"skidpad/harness/workbench/results/output"
	"skidpad/harness/workbench/runs/manoeuvre"
	"skidpad/model/linear"
	"skidpad/model/vehicle"
)

func (f *linearizeFlags) run(c *cobra.Command, args []string) error {
	stdout, stderr := c.OutOrStdout(), c.ErrOrStderr()
	if *f.study != "" {
		return f.runStudy(c, args)
	}
	if len(args) == 0 {
		return usageError{errors.New("the model is missing; give a file or a name that 'skidpad list models' shows, or a " +
			"study with --study")}
	}
	varied, err := f.check()
	if err != nil {
		return usageError{err}
	}
	if err := found(c, resources.Models, &args[0]); err != nil {
		return err
	}
	m, err := readModel(args[0], stderr)
	if err != nil {
		return err
	}
	interrupt := interruptOf(c)
	if err := f.makeFolders(); err != nil {
		return err
	}
	parameters, start, err := stateSettings(*f.state, args[0], *f.tree, *f.library, f.set)
	if err != nil {
		return err
	}
	solver := func(s manoeuvre.Setting) bool { return strings.HasPrefix(s.Name, "solver.") } // linear equations have none
	f.set = slices.Concat(slices.DeleteFunc(parameters, solver), start, f.set)
	vehicle, err := f.vehicle(m)
	if err != nil {
		return err
	}
	warnOfSet(args[0], f.set, stderr)
	if *f.at == "" {
		if varied, err = startSpeed(m, vehicle); err != nil {
			return usageError{err}
		}
	} else if _, known := vehicle.Start(varied.Name); !known && varied.Name == "speed" {
		if own, err := startSpeed(m, vehicle); err == nil {
			return usageError{fmt.Errorf("--at speed: %s has no parameter \"speed\"; its speed is %s: write --at %s=%g",
				m.Name, own.Name, own.Name, varied.Values[0])}
		}
	}
	result, interruption := f.linearise(m, vehicle, varied, interrupt)
	if unsteady := (*linear.NoSteadyState)(nil); errors.As(interruption, &unsteady) && *f.free == "" {
		vehicle, result, interruption = f.byThrottle(m, varied, interrupt, stderr, interruption)
	}
	if interruption != nil && !errors.Is(interruption, output.ErrInterrupted) {
		return interruption
	}
	if err := f.write(stdout, stderr, m, vehicle, result); err != nil {
		return err
	}
	return interruption
}

// write writes what was found.
func (f *linearizeFlags) write(
	stdout, stderr io.Writer, m *vehicle.Model, vehicle *linear.Model, result *linearise.Result,
) error {
	for _, note := range vehicle.Notes() {
		fmt.Fprintln(stderr, "note: "+note)
	}
	err := f.export.write(stderr, vehicle, result)
	if err != nil {
		return err
	}
	limited := f.wanted().Eigenvalues || f.wanted().Modes
	if limited {
		if result.Limits, err = result.StabilityLimits(vehicle); err != nil {
			return err
		}
	}
	if *f.secondMethod {
		to := stdout
		if *f.json {
			to = stderr
		}
		second, err := linearise.BySecondMethod(result, m, f.set, verify.ByTangentStiffness)
		if err != nil {
			return fmt.Errorf("--check: %w", err)
		}
		if err := second.Check(to); err != nil {
			return fmt.Errorf("--check, %w", err)
		}
	}
	if *f.json {
		if err := result.WriteJSON(stdout); err != nil || *f.out == "" {
			return err
		}
		return f.writeFolder(io.Discard, result)
	}
	if *f.out == "" {
		err = result.Print(stdout, f.wanted())
	} else {
		err = f.writeFolder(stdout, result)
	}
	if err == nil && limited {
		result.PrintStabilityLimits(stdout)
	}
	return err
}

// makeFolders makes the folders of all results, before the work.
func (f *linearizeFlags) makeFolders() error {
	if *f.out != "" {
		if err := output.MakeFolder(*f.out); err != nil {
			return err
		}
	}
	return f.export.makeFolders()
}

// check refuses what cannot be before anything is computed, and reads the values.
func (f *linearizeFlags) check() (varied manoeuvre.Variation, err error) {
	if *f.at != "" {
		varied, err = linearise.ParseValues(*f.at)
	}
	switch {
	case err != nil:
		return varied, err
	case *f.forces && *f.out == "" && !*f.json && len(varied.Values) > 1:
		return varied, errors.New("--forces of several values needs --json, or --out, the folder of forces.csv; or give " +
			"--at NAME=VALUE")
	case *f.plot && *f.out == "":
		return varied, errors.New("--plot needs --out, the folder to draw into")
	}
	return varied, f.export.check(varied)
}

// wanted returns the outputs requested by the flags; eigenvalues by default.
func (f *linearizeFlags) wanted() linearise.Wanted {
	w := linearise.Wanted{
		Eigenvalues: *f.eigen, Modes: *f.modes, Plots: *f.plot,
		Transfer: *f.transfer != "", Handling: *f.handling, Bode: *f.bode != "",
	}
	others := w.Modes || *f.forces || w.Transfer || w.Handling || w.Bode || f.export.asked()
	w.Eigenvalues = w.Eigenvalues || !others
	return w
}

// vehicle makes the vehicle of a model, with what is set, held and free.
func (f *linearizeFlags) vehicle(m *vehicle.Model) (*linear.Model, error) {
	vehicle, err := linear.New(m, *f.tree)
	if err != nil {
		return nil, err
	}
	if err := linearise.Set(vehicle, f.set); err != nil {
		return nil, fmt.Errorf("--set %w", err)
	}
	if err := each(*f.hold, vehicle.Hold); err != nil {
		return nil, usageError{err}
	}
	if err := each(*f.free, vehicle.Free); err != nil {
		return nil, usageError{err}
	}
	return vehicle, nil
}

// startSpeed is the default of --at: the speed of the vehicle at its start.
func startSpeed(m *vehicle.Model, vehicle *linear.Model) (manoeuvre.Variation, error) {
	candidates := []string{"speed"} // a parameter
	if m.Roles != nil && m.Roles.Chassis != "" {
		candidates = append(candidates, m.Roles.Chassis+".vx")
	}
	for _, body := range m.Components {
		candidates = append(candidates, body.Head().Name+".vx")
	}
	for _, name := range candidates {
		if value, known := vehicle.Start(name); known && vehicle.Unit(name) == "m/s" {
			return manoeuvre.Variation{Name: name, Values: []float64{value}}, nil
		}
	}
	return manoeuvre.Variation{}, fmt.Errorf("--at is missing, and %s has neither a parameter \"speed\" nor a body with "+
		"a start value vx; give --at NAME=VALUE or --at NAME=FIRST:LAST:STEP of a parameter or start value", m.Name)
}

// byThrottle linearises a vehicle whose speed nothing holds, as failure says, with the throttle of its roles free.
func (f *linearizeFlags) byThrottle(
	m *vehicle.Model, varied manoeuvre.Variation, interrupt <-chan struct{}, stderr io.Writer, failure error,
) (*linear.Model, *linearise.Result, error) {
	failure = fmt.Errorf("%w (--free INPUTS, --hold STATES)", failure)
	if m.Roles == nil || m.Roles.Throttle == nil || f.setsAny(m.Roles.Throttle.Inputs) {
		return nil, nil, failure
	}
	*f.free = strings.Join(m.Roles.Throttle.Inputs, ",")
	vehicle, err := f.vehicle(m)
	if err != nil {
		return nil, nil, failure
	}
	result, err := f.linearise(m, vehicle, varied, interrupt)
	if unsteady := (*linear.NoSteadyState)(nil); errors.As(err, &unsteady) {
		return nil, nil, failure
	}
	fmt.Fprintf(stderr, "note: --free %s, the role throttle, which holds the speed\n", *f.free)
	return vehicle, result, err
}

// setsAny reports whether --set gives one of some inputs its value.
func (f *linearizeFlags) setsAny(inputs []string) bool {
	return slices.ContainsFunc(f.set, func(s manoeuvre.Setting) bool { return slices.Contains(inputs, s.Name) })
}

// linearise makes the linear equations about the steady motion of each value.
func (f *linearizeFlags) linearise(
	m *vehicle.Model, vehicle *linear.Model, varied manoeuvre.Variation, interrupt <-chan struct{},
) (*linearise.Result, error) {
	result := &linearise.Result{Title: m.Title, Varied: varied, Forces: *f.forces}
	if *f.bode != "" {
		if err := result.ForBode(*f.bode, *f.frequencies); err != nil {
			return nil, usageError{err}
		}
	}
	if *f.transfer != "" {
		var ok bool
		if result.From, result.To, ok = strings.Cut(*f.transfer, ":"); !ok {
			return nil, usageError{fmt.Errorf("--transfer %q is not INPUT:OUTPUT", *f.transfer)}
		}
	}
	var car *linearise.Car
	if *f.handling {
		var err error
		if car, err = linearise.HandlingCar(manoeuvre.Target{Model: m.Name, File: m.File, Car: *f.car,
			Roles: m.Roles.Table, Find: finder(m.File, *f.tree, *f.library)}); err != nil {
			return nil, err
		}
	}
	err := result.AddAll(vehicle, car, interrupt)
	if *f.modes && (err == nil || errors.Is(err, output.ErrInterrupted)) {
		err = errors.Join(err, result.Follow())
	}
	return result, err
}

// writeFolder writes what is wanted as files, and their names to stdout.
func (f *linearizeFlags) writeFolder(stdout io.Writer, result *linearise.Result) error {
	files, err := result.Files(f.wanted())
	if err != nil {
		return err
	}
	return writeFiles(*f.out, stdout, files)
}

// each does something with each of a list of names.
func each(list string, do func(string) error) error {
	if list == "" {
		return nil
	}
	for name := range strings.SplitSeq(list, ",") {
		if err := do(name); err != nil {
			return err
		}
	}
	return nil
}
