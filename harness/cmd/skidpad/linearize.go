package main

import (
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"skidpad/harness/linearise"
	"skidpad/harness/manoeuvre"
	"skidpad/harness/output"
	"skidpad/model"
	"skidpad/model/linear"
)

// linearizeVerb linearises a model about steady motions.
func linearizeVerb(args []string, stdout, stderr io.Writer) error {
	f := newLinearizeFlags(stdout)
	files, err := parse(f.flags, args, 1, 1)
	if err != nil {
		return err
	}
	varied, err := f.check()
	if err != nil {
		return usageError{err}
	}
	m, err := model.Read(files[0])
	if err != nil {
		return err
	}
	vehicle, err := f.vehicle(m)
	if err != nil {
		return err
	}
	result, err := f.linearise(m, vehicle, varied)
	if err != nil {
		return err
	}
	if err := f.export.write(stderr, vehicle, result); err != nil {
		return err
	}
	second := linearise.BySecondMethod(result, m, f.set)
	if *f.forces && second.Err != nil {
		return fmt.Errorf("--forces: forces of connections are not found: %w", second.Err)
	}
	if *f.secondMethod {
		if second.Err != nil {
			return fmt.Errorf("--check: %w", second.Err)
		}
		if err := second.Check(stdout); err != nil {
			return fmt.Errorf("--check, %w", err)
		}
	}
	if *f.out == "" {
		return result.Print(stdout, f.wanted(), second)
	}
	if err := f.writeFolder(stdout, result, second); err != nil {
		return err
	}
	if f.wanted().Eigenvalues {
		return result.PrintStabilityLimits(stdout, vehicle)
	}
	return nil
}

// check refuses what cannot be before anything is computed, and reads the values.
func (f *linearizeFlags) check() (manoeuvre.Variation, error) {
	varied, err := values(*f.at)
	switch {
	case err != nil:
		return varied, err
	case *f.forces && *f.out == "" && len(varied.Values) > 1:
		return varied, errors.New("--forces of several values needs --out, the folder of forces.csv; or give --at " +
			"NAME=VALUE")
	case *f.plot && *f.out == "":
		return varied, errors.New("--plot needs --out, the folder to draw into")
	}
	return varied, f.export.check(varied)
}

// wanted is what the flags ask for; eigenvalues where they ask for nothing.
func (f *linearizeFlags) wanted() linearise.Wanted {
	w := linearise.Wanted{
		Eigenvalues: *f.eigen, Modes: *f.modes, Forces: *f.forces, Plots: *f.plot,
		Transfer: *f.transfer != "", Handling: *f.handling != "", Bode: *f.bode != "",
	}
	others := w.Modes || w.Forces || w.Transfer || w.Handling || w.Bode || f.export.asked()
	w.Eigenvalues = w.Eigenvalues || !others
	return w
}

// vehicle makes the vehicle of a model, with what is set, held and free.
func (f *linearizeFlags) vehicle(m *model.Model) (*linear.Model, error) {
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

// linearise makes the linear equations about the steady motion of each value.
func (f *linearizeFlags) linearise(
	m *model.Model, vehicle *linear.Model, varied manoeuvre.Variation,
) (*linearise.Result, error) {
	result := &linearise.Result{Title: m.Title, Varied: varied}
	if *f.bode != "" {
		if err := forBode(result, *f.bode, *f.frequencies); err != nil {
			return nil, usageError{err}
		}
	}
	if *f.transfer != "" {
		var ok bool
		if result.From, result.To, ok = strings.Cut(*f.transfer, ":"); !ok {
			return nil, usageError{fmt.Errorf("--transfer %q is not INPUT:OUTPUT", *f.transfer)}
		}
	}
	var car *linear.Car
	if *f.handling != "" {
		var err error
		if car, err = linearise.HandlingCar(*f.handling, m.Name); err != nil {
			return nil, err
		}
	}
	for _, v := range varied.Values {
		if err := result.Add(vehicle, car, v); err != nil {
			return nil, err
		}
	}
	if *f.modes {
		if err := result.Follow(); err != nil {
			return nil, err
		}
	}
	return result, nil
}

// writeFolder writes what is wanted as files, and their names to stdout.
func (f *linearizeFlags) writeFolder(
	stdout io.Writer, result *linearise.Result, second *linearise.SecondMethod,
) error {
	if err := os.MkdirAll(*f.out, 0o755); err != nil {
		return err
	}
	files, err := result.Files(f.wanted(), second)
	if err != nil {
		return err
	}
	for _, file := range files {
		path := filepath.Join(*f.out, file.Name)
		if err := output.WriteFile(path, file.Write); err != nil {
			return err
		}
		fmt.Fprintln(stdout, path)
	}
	return nil
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

// values reads NAME=FIRST:LAST:STEP or NAME=VALUE.
func values(text string) (manoeuvre.Variation, error) {
	name, list, ok := strings.Cut(text, "=")
	v := manoeuvre.Variation{Name: name}
	if !ok || name == "" {
		return v, fmt.Errorf("--at %q is neither NAME=FIRST:LAST:STEP nor NAME=VALUE", text)
	}
	var numbers []float64
	for part := range strings.SplitSeq(list, ":") {
		x, err := strconv.ParseFloat(part, 64)
		if err != nil || x-x != 0 {
			return v, fmt.Errorf("--at %s: %q is not a finite number", text, part)
		}
		numbers = append(numbers, x)
	}
	switch len(numbers) {
	case 1:
		v.Values = numbers
		return v, nil
	case 3:
	default:
		return v, fmt.Errorf("--at %s: FIRST:LAST:STEP or a single value is expected", text)
	}
	steps := math.Round((numbers[1] - numbers[0]) / numbers[2])
	const most = 1_000_000
	if !(steps >= 0 && steps < most) || math.Abs(numbers[0]+steps*numbers[2]-numbers[1]) > 1e-6*math.Abs(numbers[2]) {
		return v, fmt.Errorf("--at %s: steps of %g do not lead from %g to %g, or there are more than %d", text,
			numbers[2], numbers[0], numbers[1], most)
	}
	for i := range int(steps) + 1 {
		v.Values = append(v.Values, numbers[0]+float64(i)*numbers[2])
	}
	return v, nil
}

// forBode reads what a Bode plot is of.
func forBode(result *linearise.Result, of, frequencies string) error {
	var ok bool
	if result.Input, result.Output, ok = strings.Cut(of, ":"); !ok {
		return fmt.Errorf("--bode %q is not INPUT:OUTPUT", of)
	}
	spread, err := manoeuvre.ParseVariation("frequencies=" + frequencies)
	if err != nil {
		return err
	}
	first, last := spread.Values[0], spread.Values[len(spread.Values)-1]
	if len(spread.Values) < 2 || first <= 0 || last <= first {
		return fmt.Errorf("--frequencies %s: they must be above 0 and rise", frequencies)
	}
	result.Frequencies = linear.LogSpace(first, last, len(spread.Values))
	return nil
}
