// Package references makes and reads the stored results of the independent solver. It reads model files by the engine's
// parser, as that solver does.
package references

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"maps"
	"math"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"skidpad/harness/evidence/reference"
	"skidpad/harness/workbench/results/output"
	"skidpad/harness/workbench/results/trace"
	"skidpad/harness/workbench/runs/manoeuvre"
	"skidpad/harness/workbench/runs/signal"
	"skidpad/model/bounded"
	"skidpad/model/component"
	"skidpad/model/document"
	"skidpad/model/vehicle"
	"skidpad/tire"
)

// Case is a run with a stored reference.
type Case struct {
	Name             string // of its files in resources/references/trajectories
	Model, Manoeuvre string // file names without .toml
	Function, File   string // force function of all tires and its parameter file in tires; "" for those of the model
}

// Cases are all shipped models in all manoeuvres that are meant for them; the
// generic vehicle with both tire models of Morency (2007).
var Cases = []Case{
	{Name: "generic4w_sine", Model: "generic4w", Manoeuvre: "generic4w_sine"},
	{Name: "generic4w_braking", Model: "generic4w", Manoeuvre: "generic4w_braking"},
	{Name: "generic4w_sine_fiala", Model: "generic4w", Manoeuvre: "generic4w_sine", Function: "Fiala",
		File: "fiala_generic4w.toml"},
	{Name: "generic4w_braking_fiala", Model: "generic4w", Manoeuvre: "generic4w_braking", Function: "Fiala",
		File: "fiala_generic4w.toml"},
	{Name: "skidder_sine", Model: "skidder", Manoeuvre: "skidder_sine"},
	{Name: "skidder_braking", Model: "skidder", Manoeuvre: "skidder_braking"},
	{Name: "generic4w_carcass_sine", Model: "generic4w_carcass", Manoeuvre: "generic4w_sine"},
	{Name: "generic4w_carcass_braking", Model: "generic4w_carcass", Manoeuvre: "generic4w_braking"},
	{Name: "skidder_carcass_sine", Model: "skidder_carcass", Manoeuvre: "skidder_sine"},
	{Name: "skidder_carcass_braking", Model: "skidder_carcass", Manoeuvre: "skidder_braking"},
	{Name: "truck3_sine", Model: "truck3", Manoeuvre: "truck3_sine"},
	{Name: "tractor_semitrailer_sine", Model: "tractor_semitrailer", Manoeuvre: "tractor_semitrailer_sine"},
	{Name: "tractor_semitrailer_braking", Model: "tractor_semitrailer", Manoeuvre: "tractor_semitrailer_braking"},
	{Name: "car_trailer_sine", Model: "car_trailer", Manoeuvre: "car_trailer_sine"},
	{Name: "passenger_car_sine", Model: "passenger_car", Manoeuvre: "passenger_car_sine"},
	{Name: "passenger_car_braking", Model: "passenger_car", Manoeuvre: "passenger_car_braking"},
	{Name: "pendulum_swing", Model: "pendulum", Manoeuvre: "pendulum_swing"},
	{Name: "double_pendulum_swing", Model: "double_pendulum", Manoeuvre: "double_pendulum_swing"},
}

// ReadModel reads the case's model, with the case's tires.
func (c *Case) ReadModel(resources string) (*vehicle.Model, error) {
	m, err := vehicle.Read(filepath.Join(resources, "models", c.Model+".toml"))
	if err != nil || c.Function == "" {
		return m, err
	}
	return m, FitTires(m, c.Function, filepath.Join(resources, "tires", c.File))
}

// FitTires gives all tires of a model a force function with the parameters of a file.
func FitTires(m *vehicle.Model, function, path string) error {
	data, err := bounded.Tire.Read(path)
	if err != nil {
		return err
	}
	parameters, err := tire.ParseFile(data, path)
	if err != nil {
		return err
	}
	for _, c := range m.Components {
		if t, is := c.(*component.Tire); is {
			t.Force = component.TireFunction{Name: function, File: path, Parameters: parameters.Values}
		}
	}
	return nil
}

// Solve runs a case with the reference solver, sampled every 0.05 s.
func (c *Case) Solve(
	resources string, tolerance float64, progress output.Progress,
) (*trace.Trace, reference.Statistics, error) {
	fail := func(err error) (*trace.Trace, reference.Statistics, error) {
		return nil, reference.Statistics{}, fmt.Errorf("reference %s: %w", c.Name, err)
	}
	m, err := c.ReadModel(resources)
	if err != nil {
		return fail(err)
	}
	system, err := reference.New(m)
	if err != nil {
		return fail(err)
	}
	manoeuvre, err := manoeuvre.Read(filepath.Join(resources, "manoeuvres", c.Manoeuvre+".toml"))
	if err != nil {
		return fail(err)
	}
	e := Experiment(manoeuvre)
	e.Tolerance = tolerance
	if progress != nil {
		e.Progress = func(t float64) { progress.At(c.Name+", reference", t, e.Duration) }
	}
	r, err := system.Simulate(e)
	if err != nil {
		return fail(err)
	}
	trace := trace.New(trace.Named(r.Names...), len(r.Time))
	trace.Time, trace.Values = r.Time, r.Values
	return trace, r.Statistics, nil
}

// Experiment puts a manoeuvre into the reference solver's terms.
func Experiment(m *manoeuvre.Manoeuvre) reference.Experiment {
	e := reference.Experiment{Duration: m.Duration, Sampling: trace.Sampling, Start: map[string]float64{}}
	e.Inputs = reference.Inputs{Variables: map[string]reference.Signal{}, Drivers: map[string]reference.Signal{}}
	for _, start := range m.Start {
		e.Start[start.Variable] = start.Value
	}
	for _, input := range m.Inputs {
		for _, name := range input.Variables {
			e.Inputs.Variables[name] = input.Signal
		}
		for _, name := range input.Drivers {
			e.Inputs.Drivers[name] = input.Signal
		}
		if p, is := input.Signal.(signal.PiecewiseLinear); is {
			e.Corners = append(e.Corners, p.Time...)
		}
	}
	return e
}

// Reference is a stored result of the reference solver.
type Reference struct {
	Case
	Trace *trace.Trace
	Facts Facts
}

// Facts say how a reference came about and how good it is.
type Facts struct {
	Command     string // what makes it
	Model       string
	Fingerprint string // of the model file, with its bases
	Manoeuvre   string
	Tires       string             // force function and parameter file of all tires, where they are not the model's
	Tolerance   float64            // of the local error
	Coarser     float64            // tolerance of the coarser run, from which the accuracy was computed
	Accuracy    map[string]float64 // largest difference to the coarser run, by quantity and in its unit
}

// write writes the facts as TOML.
func (f *Facts) write(to io.Writer) error {
	w := bufio.NewWriter(to)
	fmt.Fprintf(w, "# Made by: %s\n", f.Command)
	fmt.Fprintf(w, "command = %q\nmodel = %q\nfingerprint = %q # of the model file\nmanoeuvre = %q\ntires = %q # "+
		"where they are not the model's\n",
		f.Command, f.Model, f.Fingerprint, f.Manoeuvre, f.Tires)
	fmt.Fprintf(w, "tolerance = %.0e # of the local error\ncoarser = %.0e # of the run with which the accuracy was "+
		"found\n", f.Tolerance, f.Coarser)
	fmt.Fprint(w, "\n# Largest difference to the coarser run, in the unit of the quantity.\n[accuracy]\n")
	for _, name := range slices.Sorted(maps.Keys(f.Accuracy)) {
		fmt.Fprintf(w, "%q = %.1e\n", name, f.Accuracy[name])
	}
	return w.Flush()
}

// referenceTolerance is the tolerance of the kept references. What they differ from a run
// with coarserTolerance bounds their error: it falls with the tolerance.
const (
	referenceTolerance = 1e-11
	coarserTolerance   = 1e-10
)

// Make makes a case's files in a folder.
func Make(c Case, resources, folder string, progress output.Progress) error {
	fine, _, err := c.Solve(resources, referenceTolerance, progress)
	if err != nil {
		return err
	}
	coarser, _, err := c.Solve(resources, coarserTolerance, progress)
	if err != nil {
		return err
	}
	m, err := c.ReadModel(resources)
	if err != nil {
		return err
	}
	facts := Facts{
		Command: "skidpad reference " + c.Name, Model: c.Model, Fingerprint: m.Fingerprint, Manoeuvre: c.Manoeuvre,
		Tires: strings.Trim(c.Function+" "+c.File, " "), Tolerance: referenceTolerance, Coarser: coarserTolerance,
		Accuracy: map[string]float64{},
	}
	for i, name := range fine.Names() {
		worst := 0.0
		for k := range fine.Time {
			worst = max(worst, math.Abs(trace.Wrapped(name, fine.Values[i][k]-coarser.Values[i][k])))
			fine.Values[i][k] = rounded(fine.Values[i][k], 12)
		}
		facts.Accuracy[name] = worst
	}
	for k, t := range fine.Time {
		fine.Time[k] = rounded(t, 12)
	}
	base := filepath.Join(folder, c.Name)
	return errors.Join(
		output.WriteFile(base+".csv", fine.WriteCSV),
		output.WriteFile(base+".toml", facts.write),
	)
}

// rounded keeps the leading digits of a number.
func rounded(x float64, digits int) float64 {
	y, _ := strconv.ParseFloat(strconv.FormatFloat(x, 'g', digits, 64), 64) // what was formatted can be read
	return y
}

// Read reads a case's files. It refuses those that were made with another
// model file.
func Read(c Case, resources string) (*Reference, error) {
	base := filepath.Join(resources, "references", "trajectories", c.Name)
	fail := func(err error) (*Reference, error) {
		return nil, fmt.Errorf("%w; regenerate it with: skidpad reference %s", err, c.Name)
	}
	r := &Reference{Case: c}
	text, err := bounded.Facts.Read(base + ".toml")
	if err != nil {
		return fail(err)
	}
	if err := document.Decode(text, base+".toml", &r.Facts); err != nil {
		return fail(err)
	}
	m, err := c.ReadModel(resources)
	if err != nil {
		return nil, err
	}
	if m.Fingerprint != r.Facts.Fingerprint {
		return fail(fmt.Errorf("%s.toml belongs to another version of the model file %s.toml", base, c.Model))
	}
	file, err := bounded.Table.Open(base + ".csv")
	if err != nil {
		return fail(err)
	}
	defer file.Close()
	if r.Trace, err = trace.ReadCSV(file); err != nil {
		return fail(fmt.Errorf("%s.csv: %w", base, err))
	}
	return r, nil
}
