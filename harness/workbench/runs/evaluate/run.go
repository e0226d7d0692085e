package evaluate

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"skidpad/harness"
	"skidpad/harness/library"
	"skidpad/harness/workbench/results/figures"
	"skidpad/harness/workbench/results/output"
	"skidpad/harness/workbench/results/recording"
	"skidpad/harness/workbench/results/trace"
	"skidpad/harness/workbench/runs/drive"
	"skidpad/harness/workbench/runs/manoeuvre"
)

// Run is one run.
type Run struct {
	Varied  []manoeuvre.ConstantValue // of the sweep
	Start   []manoeuvre.StartValue    // start values
	Result  *drive.Result
	Record  *figures.Record
	Figures []figures.Figure
	Tires   []string // force functions and files, each with the tires that have it

	gravity float64            // m/s2
	file    map[string]float64 // parameters as the file has them, before settings, SI
}

// run makes one run. Where a step fails, that is its verdict.
func (e *Evaluator) run(m *manoeuvre.Manoeuvre, progress output.Progress, out *Run) error {
	subject, closeIt, err := e.Open()
	if err != nil {
		return err
	}
	defer closeIt()
	record, err := bind(m, subject)
	if err != nil {
		return err
	}
	names := record.names()
	patterns, origin := m.Record, "record of manoeuvre "+m.Name
	if e.Record != nil {
		patterns, origin = e.Record, "--record"
	}
	var more []string
	if patterns != nil {
		if more, err = recording.Choose(patterns, subject.Outputs(), subject.Locals(), m.Roles); err != nil {
			return fmt.Errorf("%s: %w", origin, err)
		}
	}
	if e.Chosen != nil {
		more = append(more, e.Chosen(subject.Outputs())...)
	}
	for _, name := range more {
		if !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	out.file = parametersOf(subject)
	plan := drive.Plan{Manoeuvre: m, Method: e.Method, Settings: e.Settings, Record: names, Held: e.Held,
		Energy: e.Energy, Progress: progress, AllowPlugins: e.AllowPlugins, Interrupt: e.Interrupt,
		Control: e.Control}
	if m.Driver != nil {
		if plan.Driver, err = e.driver(subject, plan); err != nil {
			return err
		}
	}
	if m.Pedals != nil {
		if plan.Pedals, err = e.pedals(subject, plan); err != nil {
			return err
		}
	}
	result, err := drive.Simulate(subject, plan)
	if result == nil || len(result.Trace.Time) == 0 {
		return err
	}
	if err != nil {
		result.Verdict, result.Failure = err.Error(), err
	}
	record.take(m, result)
	out.Record = record.Record
	out.Result, out.Tires = result, tiresOf(subject, slices.Concat(m.KeyFigures.Front, m.KeyFigures.Rear))
	out.gravity = drive.Gravity(subject)
	return nil
}

// bound is the record of a run, whose channels were found in the vehicle before it.
type bound struct {
	*figures.Record
	channels []figures.Channel
}

// bind makes the record of a run, and finds its channels.
func bind(m *manoeuvre.Manoeuvre, subject drive.Subject) (*bound, error) {
	e := m.KeyFigures
	b := &bound{Record: &figures.Record{Body: e.Body, Track: m.Track}}
	if len(e.Inputs) > 0 {
		wheel := func(names []string) figures.Relaxed { return figures.Relaxed{Body: names[0], Name: names[1]} }
		b.HalfCar = &figures.HalfCar{Front: wheel(e.Front), Rear: wheel(e.Rear), Inputs: e.Inputs}
	} else {
		b.Front, b.Rear, b.Wheel = tiresCalled(e.Front), tiresCalled(e.Rear), m.Steering.Drivers[0]
	}
	if e.Following != "" {
		b.Following = &figures.Unit{Name: e.Following}
	}
	for _, c := range e.Corners {
		name, _, _ := strings.Cut(c.Travel, ".")
		b.Corners = append(b.Corners, figures.Corner{Name: name, Variable: c.Travel, Rebound: c.Rebound, Bump: c.Bump,
			Unsprung: c.Unsprung})
	}
	if lister, can := subject.(interface{ All() []library.Variable }); can {
		for _, name := range library.Controllers(lister.All()) {
			b.Controllers = append(b.Controllers, figures.Controller{Name: name})
		}
		if figures.Find(e.Kind).Batteries {
			for _, name := range library.Batteries(lister.All()) {
				b.Batteries = append(b.Batteries, figures.Battery{Name: name})
			}
		}
	}
	for _, c := range b.Channels() {
		if c.Optional {
			_, err := subject.Find(c.Name)
			if err != nil && e.Kind == "rollover" && strings.HasSuffix(c.Name, figures.FreeRadius) {
				return nil, fmt.Errorf("the heights of tires need %s, which the model does not publish where it is a "+
					"formula; write a number there", c.Name)
			} else if err != nil {
				continue
			}
		}
		b.channels = append(b.channels, c)
	}
	return b, nil
}

func tiresCalled(names []string) (list []figures.Tire) {
	for _, name := range names {
		list = append(list, figures.Tire{Name: name})
	}
	return list
}

// names are the variables of the vehicle that the record takes, each once.
func (b *bound) names() (list []string) {
	for _, c := range b.channels {
		if !c.Input && !slices.Contains(list, c.Name) {
			list = append(list, c.Name)
		}
	}
	return list
}

// wantedSpeed is the speed that phases ask for, 0 where they ask for none [m/s].
func wantedSpeed(m *manoeuvre.Manoeuvre, phases []figures.Phase, time []float64) []float64 {
	wanted := make([]float64, len(time))
	for i, p := range phases {
		for k, t := range time {
			if speed := m.Phases[i].Speed; speed != nil && t >= p.Begin && t <= p.End {
				wanted[k], _, _ = speed.At(t - p.Begin)
			}
		}
	}
	return wanted
}

// take takes what a run has recorded.
func (b *bound) take(m *manoeuvre.Manoeuvre, result *drive.Result) {
	inputs := result.Inputs
	b.Ratio, b.Verdict, b.Time = result.Ratio, result.Verdict, result.Trace.Time
	for _, p := range result.Phases {
		b.Phases = append(b.Phases, figures.Phase(p))
	}
	if figures.Find(m.KeyFigures.Kind).Batteries {
		b.Wanted = wantedSpeed(m, b.Phases, b.Time)
	}
	for _, c := range b.channels {
		of := result.Trace
		if c.Input {
			of = inputs
		}
		*c.To = of.Column(c.Name)
	}
	if m.Steering != nil && b.Hands == nil {
		for _, quantity := range []string{".angle", ".position"} {
			if name := m.Steering.Drivers[0] + quantity; inputs.Has(name) {
				b.Steer = trace.Mapped(inputs.Column(name), func(v float64) float64 { return v * result.Turns })
			}
		}
	}
	for _, c := range inputs.Channels {
		if road, is := strings.CutSuffix(c.Name, ".z_dot"); is && b.Post == nil && inputs.Has(road+".z") {
			b.Post = inputs.Column(road + ".z")
		}
	}
	b.Complete()
}

// runFact is the number of a run in the facts of its file.
const runFact = "run"

// distance of the rows of runs in files [s].
const distance = 0.01

// recording is the recorded data of a run, thinned and in single precision.
func (e *Result) recording(i int) (*recording.Recording, error) {
	run := e.Runs[i]
	recorded, m := run.Result, e.Manoeuvre
	r := &recording.Recording{Trace: recorded.Trace.Beside(recorded.Inputs), Single: true, Facts: []recording.Fact{
		{Name: "title", Text: m.Title}, {Name: "vehicle", Text: e.Vehicle}, {Name: "manoeuvre", Text: m.Name},
		{Name: runFact, Text: strconv.Itoa(i + 1)}, {Name: "varied", Text: texts(run.Varied)},
		{Name: "verdict", Text: recorded.Verdict}, {Name: "version", Text: harness.Version}}}
	r.Facts = slices.DeleteFunc(r.Facts, func(f recording.Fact) bool { return f.Text == "" })
	if len(r.Time) < 2 || r.Time[1]-r.Time[0] > distance/2 {
		return r, nil
	}
	period := math.Round(distance/(r.Time[1]-r.Time[0])) * (r.Time[1] - r.Time[0])
	return recording.Thinning{Period: period, Edge: 1 / (3 * period)}.Of(r)
}
