// Package selftest checks an installation in seconds: the library loads, a shipped vehicle moves as in the independent
// solver, and an FMU of the vehicle is written, read and run.
package selftest

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"slices"

	"skidpad/fmu"
	"skidpad/harness"
	"skidpad/harness/library"
	"skidpad/harness/workbench/analyses/export"
	"skidpad/harness/workbench/results/trace"
	"skidpad/harness/workbench/runs/drive"
	"skidpad/harness/workbench/runs/manoeuvre"
)

// Model is the shipped vehicle of the test.
const Model = "generic4w"

// value is a result of the independent solver for a variable at a time of the manoeuvre, see resources/references.
type value struct {
	time     float64
	variable string
	is       float64
}

// reference are values of the trajectory generic4w_sine: in the bend, and where the car has come to.
var reference = []value{
	{2.5, "body.wz", 0.101152421485},
	{2.5, "body.roll", 0.0595840632537},
	{2.5, "spring_FL.force", -3398.38964555},
	{10, "body.x", 189.918316747},
	{10, "body.y", 31.0550520719},
	{10, "body.yaw", -0.00033561108472},
}

// tolerance is the largest difference to the reference, relative for values with a magnitude above 1. It is above the
// accuracy of both methods of integration, and far below the effect of another model or another law.
const tolerance = 1e-8

// Check is one part of the test. The part has a result, failed, or needs a part that is not installed.
type Check struct {
	Name, Found  string
	Fault, Needs error
}

// Do runs the test with a library and the folder of the libraries of FMUs. A check that needs a failed one is left out.
func Do(open func() (*library.Library, error), binaries string) (checks []Check) {
	add := func(name, found string, err error) bool {
		checks = append(checks, Check{Name: name, Found: found, Fault: err})
		return err == nil
	}
	lib, err := open()
	if err == nil && lib.Version != harness.Version {
		err = fmt.Errorf("the library has version %s, the command %s; install both again, from one archive", lib.Version,
			harness.Version)
	}
	found := ""
	if err == nil {
		found = "version " + lib.Version
	}
	if !add("library", found, err) {
		return checks
	}
	folder, err := os.MkdirTemp("", "skidpad-self-test-")
	if err != nil {
		add("run", "", err)
		return checks
	}
	defer os.RemoveAll(folder)
	model := filepath.Join(folder, "vehicle.toml")
	text := fmt.Appendf(nil, "name = \"SelfTest\"\ntitle = \"Self-test\"\nbase = %q\n", Model)
	if err := os.WriteFile(model, text, 0o644); err != nil {
		add("run", "", err)
		return checks
	}
	run, err := loaded(lib, model, false)
	if err == nil {
		found, err = compare(run, reference)
	}
	if !add("run", Model+" in a sine steer, "+found, err) {
		return checks
	}
	if _, missing := os.Stat(binaries); errors.Is(missing, fs.ErrNotExist) { // the Python package without skidpad_fmi
		_, missing = fmu.ReadLibraries(binaries)
		return append(checks, Check{Name: "FMU", Needs: missing})
	}
	if run, err = loaded(lib, model, true); err == nil {
		found, err = packed(model, filepath.Join(folder, "vehicle.fmu"), binaries, run)
	}
	add("FMU", found, err)
	return checks
}

// loaded runs a model file in the library.
func loaded(lib *library.Library, model string, zeroOrderHold bool) (*trace.Trace, error) {
	vehicle, err := lib.Load(model, "")
	if err != nil {
		return nil, err
	}
	defer vehicle.Close()
	return sine(vehicle, zeroOrderHold)
}

// sine drives a vehicle through the manoeuvre. Inputs are held for a step, or change in it as far as the vehicle can.
func sine(subject drive.Subject, zeroOrderHold bool) (*trace.Trace, error) {
	m, err := manoeuvre.Read("skidpad:/manoeuvres/generic4w_sine.toml")
	if err != nil {
		return nil, err
	}
	var names []string
	for _, v := range reference {
		names = append(names, v.variable)
	}
	slices.Sort(names)
	result, err := drive.Simulate(subject, drive.Plan{Manoeuvre: m, Held: zeroOrderHold, Record: slices.Compact(names)})
	if err != nil {
		return nil, err
	}
	return result.Trace, nil
}

// compare finds the largest difference of a run to a reference, and refuses one above the tolerance.
func compare(run *trace.Trace, reference []value) (found string, err error) {
	largest, of := -1.0, ""
	for _, v := range reference {
		is := run.At(v.variable, v.time)
		difference := math.Abs(is-v.is) / max(1, math.Abs(v.is))
		if !(difference <= tolerance) {
			return "", fmt.Errorf("%s is %.12g at %g s; the independent solver has %.12g", v.variable, is, v.time, v.is)
		}
		if difference > largest {
			largest, of = difference, v.variable
		}
	}
	return fmt.Sprintf("%d values within %.0e of the independent solver (largest: %.1e, %s)", len(reference), tolerance,
		largest, of), nil
}

// packed writes the FMU of a model, reads it, and runs it through the manoeuvre. It must give the bits of the library's
// run with held inputs.
func packed(model, file, binaries string, run *trace.Trace) (found string, err error) {
	e := &export.Export{Version: 3, Binaries: binaries, Report: io.Discard}
	if err := e.Models([]string{model}, file); err != nil {
		return "", err
	}
	f, err := library.OpenFMU(file)
	if err != nil {
		return "", err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	instance, err := f.Instantiate(f.ModelName, f.Token)
	if err != nil {
		return "", err
	}
	defer instance.Close()
	again, err := sine(instance, true)
	if err != nil {
		return "", err
	}
	for _, name := range run.Names() {
		for i, t := range run.Time {
			one, other := run.Column(name)[i], again.At(name, t)
			if math.Float64bits(one) != math.Float64bits(other) {
				return "", fmt.Errorf("%s is %.17g at %g s in the FMU, %.17g in the library", name, other, t, one)
			}
		}
	}
	return "written, read and run: the bits of the library", nil
}
