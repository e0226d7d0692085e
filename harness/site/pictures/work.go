package main

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"skidpad/harness/workbench/results/report"
	"skidpad/harness/workbench/runs/drive"
	"skidpad/harness/workbench/runs/manoeuvre"
	"skidpad/model/solver"
)

// work is a diagram of precision over work. Work is the number of evaluations of the rates, which is the same on every
// machine and at every time.
type work struct {
	name, title, model, manoeuvre string
	methods                       []method
	steps                         []float64 // s
}

// method is a solver.
type method struct{ name, multipliers string }

const duration = 1 // s, of each run

var works = []work{
	{"solvers", "Solvers: generic vehicle, sine steer", "generic4w", "generic4w_sine",
		[]method{{"euler", ""}, {"adams-bashforth", ""}, {"heun", ""}, {"linearly-implicit", ""}, {"rk4", ""}},
		[]float64{0.008, 0.004, 0.002, 0.001, 0.0005, 0.00025}},
	{"solvers_constraints", "Solvers for constraints: point pendulum", "point_pendulum",
		"point_pendulum_swing",
		[]method{{"dlmm-euler", "step"}, {"dlmm", "stage"}, {"clmm", ""}, {"stabilised-ode", ""},
			{"post-stabilisation", ""}, {"half-explicit", ""}, {"half-explicit-both", ""}, {"dlmm", "step"}},
		[]float64{0.01, 0.005, 0.0025, 0.00125, 0.000625}},
}

// draw runs every solver with every step, and compares with RK4 at an eighth of the shortest one.
func (k work) draw(w *workshop) ([]byte, error) {
	run := func(m method, h float64) (*drive.Result, error) {
		plan := drive.Plan{Method: m.name, Step: h, Substep: h, Duration: duration}
		if m.multipliers != "" {
			plan.Settings = []manoeuvre.Setting{{Name: "solver.multipliers", Value: m.multipliers}}
		}
		_, result, err := w.run(k.model, k.manoeuvre, plan)
		return result, err
	}
	fine, err := run(method{name: "rk4"}, slices.Min(k.steps)/8)
	if err != nil {
		return nil, err
	}
	moves, err := w.motions(k.model)
	if err != nil {
		return nil, err
	}
	p := &report.Plot{Title: k.title, X: report.Axis{Label: "evaluations of the rates in a second", Log: true},
		Y: report.Axis{Label: "error at 1 s", Log: true}}
	for _, m := range k.methods {
		label := m.name
		if m.multipliers != "" && m.name == "dlmm" {
			label += ", " + m.multipliers
		}
		by, err := solver.Lookup(m.name)
		if err != nil {
			return nil, err
		}
		c := report.Curve{Label: label, Points: true}
		for _, h := range k.steps {
			r, err := run(m, h)
			if err != nil {
				continue // a step that is too long for the solver
			}
			largest := 0.0
			for i, name := range fine.Trace.Names() {
				if moves[name] {
					last := r.Trace.Values[i]
					best := fine.Trace.Values[i]
					largest = max(largest, math.Abs(last[len(last)-1]-best[len(best)-1])) // NaN stays
				}
			}
			if largest > 0 && largest < 10 {
				c.X, c.Y = append(c.X, by.Evaluations/h), append(c.Y, largest)
			}
		}
		if len(c.X) < 2 {
			return nil, fmt.Errorf("%s, %s: no two steps are short enough", k.name, label)
		}
		p.Curves = append(p.Curves, c)
	}
	return drawPlot(p)
}

// motions are the outputs of a model that are positions, angles and speeds, but not those of tires.
func (w *workshop) motions(model string) (map[string]bool, error) {
	v, err := w.library.Load(w.model(model), "")
	if err != nil {
		return nil, err
	}
	moves := map[string]bool{}
	for _, x := range v.Variables {
		moves[x.Name] = slices.Contains([]string{"m", "rad", "m/s", "rad/s"}, x.Unit) && !strings.HasPrefix(x.Name, "tire_")
	}
	return moves, v.Close()
}
