package rig

import (
	"fmt"
	"math"

	"skidpad/harness/library"
)

// Plan says what is measured.
type Plan struct {
	Loads  []float64 // N; the middle one is the load of the sweeps at one load
	Alphas []float64 // slip angles of combined slip, rad
	Kappas []float64 // longitudinal slips of combined slip
	Gammas []float64 // inclinations, rad
	Speed  float64   // m/s
	Angle  float64   // largest slip angle, rad
	Slip   float64   // largest longitudinal slip
	Turn   float64   // largest turn slip, rad/m
	Points int       // of a sweep, an odd number
}

// Variant is the same tire with something else, as another pressure.
type Variant struct {
	Name string
	Tire Tire
}

// Standard is the plan for a tire with a nominal load [N].
func Standard(load float64) Plan {
	p := Plan{Kappas: []float64{-0.1, -0.05, 0, 0.05, 0.1}, Speed: 16.7, Angle: 15 * degree, Slip: 0.3, Turn: 0.2,
		Points: 121}
	for _, share := range []float64{0.25, 0.5, 1, 1.5, 2} {
		p.Loads = append(p.Loads, share*load)
	}
	for _, deg := range []float64{-8, -4, -2, 0, 2, 4, 8} {
		p.Alphas = append(p.Alphas, deg*degree)
	}
	for _, deg := range []float64{-6, -3, 0, 3, 6} {
		p.Gammas = append(p.Gammas, deg*degree)
	}
	return p
}

// Line is a sweep of one quantity, the others of the state being the same.
type Line struct {
	Sweep, Name string // "alpha", "Fz = 4000 N"
	States      []State
	Forces      []Forces
}

// Measured is the measurement of a tire on the stand.
type Measured struct {
	Tire  Tire
	Plan  Plan
	Lines []Line
	Merit []Merit // by load
}

// of are the lines of a sweep.
func (m *Measured) of(sweep string) []Line {
	var list []Line
	for _, l := range m.Lines {
		if l.Sweep == sweep {
			list = append(list, l)
		}
	}
	return list
}

// The sweeps.
const (
	slipAngle     = "slip angle"
	slip          = "longitudinal slip"
	camber        = "slip angle, inclined"
	combined      = "longitudinal slip, at slip angles"
	combinedAngle = "slip angle, at longitudinal slips"
	loads         = "load"
	turnSlip      = "turn slip"
	compared      = "slip angle, compared"
)

// middle is the load of the sweeps at one load.
func (p *Plan) middle() float64 { return p.Loads[len(p.Loads)/2] }

// Measure puts a tire on the stand and measures it by a plan, and the slip angle of variants at one load.
func Measure(library *library.Library, tire Tire, plan Plan, variants []Variant) (*Measured, error) {
	m := &Measured{Tire: tire, Plan: plan}
	r, err := Open(library, tire, false)
	if err != nil {
		return nil, err
	}
	defer r.Close()
	if err := m.sweep(r); err != nil {
		return nil, err
	}
	for _, v := range variants {
		other, err := Open(library, v.Tire, false)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", v.Name, err)
		}
		err = m.line(other, compared, v.Name, State{Load: plan.middle(), Speed: plan.Speed},
			func(s *State, u float64) { s.Alpha = plan.Angle * u })
		other.Close()
		if err != nil {
			return nil, fmt.Errorf("%s: %w", v.Name, err)
		}
	}
	var delayed *Rig
	if tire.Relaxation != nil {
		if delayed, err = Open(library, tire, true); err != nil {
			return nil, err
		}
		defer delayed.Close()
	}
	for _, load := range plan.Loads {
		merit, err := r.merit(State{Load: load, Speed: plan.Speed}, delayed)
		if err != nil {
			return nil, err
		}
		m.Merit = append(m.Merit, *merit)
	}
	return m, nil
}

// line measures a sweep; at changes the state by u from -1 to 1.
func (m *Measured) line(r *Rig, sweep, name string, base State, at func(s *State, u float64)) error {
	l := Line{Sweep: sweep, Name: name}
	for i := range m.Plan.Points {
		s := base
		at(&s, 2*float64(i)/float64(m.Plan.Points-1)-1)
		f, err := r.Measure(s)
		if err != nil {
			return fmt.Errorf("sweep of the %s: %w", sweep, err)
		}
		l.States, l.Forces = append(l.States, s), append(l.Forces, f)
	}
	m.Lines = append(m.Lines, l)
	return nil
}

// sweep measures all sweeps of the plan.
func (m *Measured) sweep(r *Rig) error {
	plan := &m.Plan
	type change func(s *State, u float64)
	var err error
	add := func(sweep string, at change, name string, value float64, base State) {
		if err == nil {
			err = m.line(r, sweep, fmt.Sprintf(name, value), base, at)
		}
	}
	angle := func(s *State, u float64) { s.Alpha = plan.Angle * u }
	along := func(s *State, u float64) { s.Kappa = plan.Slip * u }
	load := func(s *State, u float64) { s.Load = plan.Loads[len(plan.Loads)-1] * (0.51 + 0.49*u) }
	one := State{Load: plan.middle(), Speed: plan.Speed}
	for _, fz := range plan.Loads {
		base := State{Load: fz, Speed: plan.Speed}
		add(slipAngle, angle, "%.5g N", fz, base)
		add(slip, along, "%.5g N", fz, base)
	}
	for _, gamma := range plan.Gammas {
		base := one
		base.Gamma = gamma
		add(camber, angle, "%.3g deg", gamma/degree, base)
	}
	for _, alpha := range plan.Alphas {
		base := one
		base.Alpha = alpha
		add(combined, along, "%.3g deg", alpha/degree, base)
		add(loads, load, "%.3g deg", alpha/degree, base)
	}
	for _, kappa := range plan.Kappas {
		base := one
		base.Kappa = kappa
		add(combinedAngle, angle, "%.3g", kappa, base)
	}
	add(turnSlip, func(s *State, u float64) { s.TurnSlip = plan.Turn * u }, "%.5g N", one.Load, one)
	return err
}

const degree = math.Pi / 180
