package view

import (
	"fmt"
	"slices"

	"skidpad/harness/workbench/results/recording"
	"skidpad/harness/workbench/runs/live"
	"skidpad/model/document"
	"skidpad/model/roles"
)

// choice are signals that a viewer has chosen: each state ends with their values.
type choice struct {
	names []string
	at    []int // places in the values of a moment
}

// Outputs is a vehicle with outputs.
type Outputs interface {
	live.Finder
	Outputs() []string
}

// Offer adds all outputs of a vehicle as choices of viewers, and what pages show of tires beside their forces. The
// utilisation of a tire follows from a search for peaks, which takes longer than a slice: it is read seldom, and not in
// lockstep, where a program may order slices faster than real time.
func (o *Options) Offer(v Outputs, r *roles.Roles, lockstep bool) error {
	for _, name := range v.Outputs() {
		x, err := v.Find(name)
		if err != nil {
			return err
		}
		if !slices.Contains(o.Outputs, name) {
			o.Outputs = append(o.Outputs, name)
		}
		o.Choices = append(o.Choices, Signal{Name: name, Unit: x.Unit, Text: x.Text})
	}
	for _, w := range r.Wheels() {
		for _, quantity := range []string{".kappa", ".alpha", ".utilisation"} {
			name := w.Tire + quantity
			x, err := v.Find(name)
			if err != nil {
				continue // tires differ in their outputs
			}
			if !slices.Contains(o.Outputs, name) {
				if lockstep {
					continue
				}
				o.Seldom = append(o.Seldom, name)
				o.Choices = append(o.Choices, Signal{Name: name, Unit: x.Unit, Text: x.Text})
			}
			o.Signals = append(o.Signals, Signal{Name: name, Unit: x.Unit, Role: r.Role(name)})
		}
	}
	return nil
}

// choose finds signals by their names. The error of an unknown one names the nearest.
func (o *Options) choose(names []string) (c choice, err error) {
	c.names = append([]string{}, names...)
	for _, name := range names {
		i := slices.IndexFunc(o.Choices, func(s Signal) bool { return s.Name == name })
		if i < 0 {
			return c, fmt.Errorf("%.80q is no output of the vehicle%s", name, near(name, o.named()))
		}
		c.at = append(c.at, o.Choices[i].output)
	}
	return c, nil
}

// near asks for the nearest name; "" where none is near.
func near(name string, names []string) string {
	if other := document.Nearest(name, names); other != "" {
		return fmt.Sprintf("; did you mean %q?", other)
	}
	return ""
}

// named are the names of signals that viewers can choose.
func (o *Options) named() (list []string) {
	for i := range o.Choices {
		list = append(list, o.Choices[i].Name)
	}
	return list
}

// Plots of a page.
const (
	mostPlots  = 6
	mostCurves = 8 // of a plot
)

// Plot adds a plot to those of a new page. Patterns choose signals, separated by commas.
func (o *Options) Plot(patterns string, r *roles.Roles) error {
	list, err := recording.ChooseInOrder(recording.Split(patterns), o.named(), nil, r)
	if err != nil {
		return err
	}
	if _, err := o.choose(list); err != nil {
		return err
	}
	if len(list) > mostCurves || len(o.Plots) == mostPlots {
		return fmt.Errorf("%q chooses %d signals, in plot %d; a page has at most %d plots of %d curves", patterns, len(list),
			len(o.Plots)+1, mostPlots, mostCurves)
	}
	o.Plots = append(o.Plots, list)
	return nil
}
