package evaluate

import (
	"fmt"
	"slices"
	"strings"

	"skidpad/harness/workbench/results/figures"
	"skidpad/harness/workbench/results/trace"
	"skidpad/harness/workbench/runs/drive"
	"skidpad/harness/workbench/runs/manoeuvre"
)

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

// take takes what a run has recorded.
func (b *bound) take(m *manoeuvre.Manoeuvre, result *drive.Result) {
	inputs := result.Inputs
	b.Ratio, b.Verdict, b.Time = result.Ratio, result.Verdict, result.Trace.Time
	for _, p := range result.Phases {
		b.Phases = append(b.Phases, figures.Phase(p))
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
