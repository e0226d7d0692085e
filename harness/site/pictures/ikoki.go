package main

import (
	"fmt"
	"strings"

	"skidpad/harness/workbench/results/report"
)

// panel is a figure with a plot of the report of a half-car.
type panel struct {
	manoeuvre, plot string
	title           string
}

func (f panel) draw(w *workshop) ([]byte, error) {
	p, err := w.halfCarPlot(f.manoeuvre, f.plot)
	if err != nil {
		return nil, err
	}
	p.Title = f.title
	if len(p.Curves) == 1 { // its legend is the label of the axis
		label := p.Curves[0].Label
		if strings.HasPrefix(label, "run ") {
			label = strings.ToLower(f.plot)
			p.Curves[0].Label = label
		}
		unit := p.Y.Label[strings.LastIndex(p.Y.Label, " ")+1:]
		p.Y.Label = strings.TrimSuffix(label+", "+unit, ", 1")
	}
	return drawPlot(p)
}

// halfCarPlot is a plot of the report of a half-car, whose runs are made once.
func (w *workshop) halfCarPlot(manoeuvre, title string) (*report.Plot, error) {
	if w.halfCars[manoeuvre] == nil {
		e, err := w.evaluator("halfcar")
		if err != nil {
			return nil, err
		}
		result, err := e.Evaluate(w.manoeuvre(manoeuvre))
		if err != nil {
			return nil, err
		}
		if w.halfCars == nil {
			w.halfCars = map[string]*report.Grid{}
		}
		w.halfCars[manoeuvre] = result.Plots()
	}
	for _, p := range w.halfCars[manoeuvre].Plots {
		if p.Title == title {
			mine := *p
			return &mine, nil
		}
	}
	return nil, fmt.Errorf("the report of %s has no plot %q", manoeuvre, title)
}

// ikoki are the figures of Ikoki (2022). The rotational speeds of the figures 13 and 14 are in the order of gamma.
var ikoki = []picture{
	{name: "figure_ikoki_5a.svg", draw: panel{"halfcar_550", "Torques", "Torques, 550 N m"}.draw},
	{name: "figure_ikoki_5b.svg", draw: panel{"halfcar_550", "Friction coefficient", "Friction coefficient"}.draw},
	{name: "figure_ikoki_6a.svg", draw: panel{"halfcar_150", spins, "Rotational speeds of the wheels, 150 N m"}.draw},
	{name: "figure_ikoki_6b.svg", draw: panel{"halfcar_150", "Speed", "Speed, 150 N m"}.draw},
	{name: "figure_ikoki_7a.svg", draw: panel{"halfcar_550", spins, "Rotational speeds of the wheels, 550 N m"}.draw},
	{name: "figure_ikoki_7b.svg", draw: panel{"halfcar_550", "Speed", "Speed, 550 N m"}.draw},
	{name: "figure_ikoki_8a.svg", draw: panel{"halfcar_150", rearForces, "Forces on the rear wheel, 150 N m"}.draw},
	{name: "figure_ikoki_8b.svg", draw: panel{"halfcar_550", rearForces, "Forces on the rear wheel, 550 N m"}.draw},
	{name: "figure_ikoki_9a.svg", draw: panel{"halfcar_700", "Speed", "Speed, 700 N m"}.draw},
	{name: "figure_ikoki_9b.svg", draw: panel{"halfcar_700", rearForces, "Forces on the rear wheel, 700 N m"}.draw},
	{name: "figure_ikoki_10.svg", draw: panel{"halfcar_150", frontForces, "Forces on the front wheel, 150 N m"}.draw},
	{name: "figure_ikoki_11.svg", draw: panel{"halfcar_550", frontForces, "Forces on the front wheel, 550 N m"}.draw},
	{name: "figure_ikoki_12.svg", draw: panel{"halfcar_700", frontForces, "Forces on the front wheel, 700 N m"}.draw},
	{name: "figure_ikoki_13a.svg", draw: panel{"halfcar_550", spins, "Rotational speeds, 550 N m, gamma 20 1/s"}.draw},
	{name: "figure_ikoki_13b.svg", draw: panel{"halfcar_550_gamma_100", spins,
		"Rotational speeds, 550 N m, gamma 100 1/s"}.draw},
	{name: "figure_ikoki_14a.svg", draw: panel{"halfcar_550_gamma_200", spins,
		"Rotational speeds, 550 N m, gamma 200 1/s"}.draw},
	{name: "figure_ikoki_14b.svg", long: true, draw: panel{"halfcar_550_gamma_2000", spins,
		"Rotational speeds, 550 N m, gamma 2000 1/s"}.draw},
}

// plots of the report.
const (
	spins       = "Rotational speeds of the wheels"
	rearForces  = "Forces on the rear wheel"
	frontForces = "Forces on the front wheel"
)
