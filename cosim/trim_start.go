package cosim

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"skidpad/model/search"
)

// assemble closes the loops, lets carried bodies move with the chassis, and changes the start values so that they give
// these states. Other speeds stay: the search finds them, and keeps the speed of travel.
func (t *trim) assemble() error {
	in := t.in
	before := slices.Clone(in.x)
	if _, err := in.assemble(); err != nil {
		return err
	}
	copy(in.x[:in.sys.program.Speeds], before)
	if t.carried != nil {
		t.carried.Follow(in.x)
	}
	if slices.Equal(before, in.x) {
		return nil
	}
	var all []int
	for i, v := range in.sys.program.Parameters {
		if v.StartValue {
			all = append(all, i)
		}
	}
	t.match(all, in.x)
	return nil
}

// match changes start values so that they give coordinates and speeds of x.
func (t *trim) match(parameters []int, x []float64) {
	m := &startMatch{trim: t, of: parameters, wanted: slices.Clone(x[:2*t.in.sys.program.Speeds])}
	start := make([]float64, len(parameters))
	for j, i := range parameters {
		start[j] = t.in.p[i]
	}
	(&search.Search{Of: m, Equations: len(m.wanted), Steps: matchSteps, Resolved: trimResolved}).Run(start)
}

// stand starts the search at the coordinates of rest, where rest is found.
func (t *trim) stand() {
	in := t.in
	moving := slices.Clone(in.p)
	for i, v := range in.sys.program.Parameters {
		if v.StartValue && (v.Unit == "m/s" || v.Unit == "rad/s") {
			in.p[i] = 0
		}
	}
	rest, err := newTrim(in, nil)
	if err == nil {
		_, err = rest.run()
	}
	for i, v := range in.sys.program.Parameters {
		if coordinate := v.StartValue && (v.Unit == "m" || v.Unit == "rad"); err != nil || !coordinate {
			in.p[i] = moving[i]
		}
	}
}

// driven is the settling time [s] of bodies on springs.
const driven, communication = 4, 0.05

// drive starts the search where the vehicle is after some seconds of driving or standing, with its place and heading.
// It reports whether bodies move with a chassis, and no step fails.
func (in *Instance) drive() bool {
	speeds := slices.Clone(in.p)
	t, err := newTrim(in, nil)
	if err != nil || t.carried == nil {
		return false
	}
	place := slices.Clone(in.x)
	trial, err := in.sys.Instantiate()
	if err != nil {
		return false
	}
	defer trial.Close()
	copy(trial.p, in.p)
	copy(trial.u, in.u)
	copy(trial.texts, in.texts)
	trial.assignments = slices.Clone(in.assignments)
	trial.settings = in.settings
	if trial.Initialise() != nil {
		return false
	}
	for range int(driven / communication) {
		if trial.Step(communication) != nil {
			return false
		}
	}
	t.carried.Return(trial.x, place)
	t.match(t.unknowns, trial.x)
	for i, v := range in.sys.program.Parameters {
		if speed := v.Unit == "m/s" || v.Unit == "rad/s"; v.StartValue && speed {
			in.p[i] = speeds[i]
		}
	}
	return true
}

// matchSteps is enough for start values that are nearly linear in the states.
const matchSteps = 4

// startMatch are the differences of the states at the start from wanted ones, by start values.
type startMatch struct {
	*trim
	of     []int // parameters
	wanted []float64
}

// Evaluate implements search.Equations.
func (m *startMatch) Evaluate(x, f []float64) {
	for j, i := range m.of {
		m.in.p[i] = x[j]
	}
	m.in.place()
	for i, v := range m.wanted {
		f[i] = m.in.x[i] - v
	}
}

// Differentiate implements search.Equations.
func (m *startMatch) Differentiate(x []float64, j *mat.Dense) { search.Differences(m, x, trimStep, j) }

// relax starts the search for rest without slips, which would leave forces between tires.
func (t *trim) relax() {
	slips := map[string]bool{}
	for _, of := range t.in.sys.model.Components {
		if head := of.Head(); head.Type == "tire" {
			for _, key := range []string{".q1", ".q2", ".q3"} {
				slips[head.Name+key] = true
			}
		}
	}
	for _, i := range t.unknowns {
		if slips[t.in.sys.program.Parameters[i].Name] {
			t.in.p[i] = 0
		}
	}
	t.residual(t.r)
}

// stopped reports whether the speeds of travel in the model file have been set to 0, and no other speed is set. Speeds
// of at most half the fastest speed of the file, such as the vertical speed of a pitched body, are not speeds of
// travel.
func (t *trim) stopped() bool {
	filed := t.filed()
	for i, v := range t.in.sys.program.Parameters {
		if !v.StartValue || v.Unit != "m/s" || t.in.p[i] == 0 || t.carries(v.Name) {
			continue
		}
		if math.Abs(v.Start) > math.Abs(filed)/2 || t.in.p[i] != v.Start {
			return false
		}
	}
	return filed != 0
}

// filed returns the fastest start speed of the model file [m/s].
func (t *trim) filed() (fastest float64) {
	for _, v := range t.in.sys.program.Parameters {
		if v.StartValue && v.Unit == "m/s" && math.Abs(v.Start) > math.Abs(fastest) && !t.carries(v.Name) {
			fastest = v.Start
		}
	}
	return fastest
}

// roll starts the search with rolling wheels: beyond the peak of the slip curve more slip means less force, which
// misleads the search. Spins of the model file are scaled with the speed. A wheel whose scaled spin is not within a
// tenth of rolling on the unloaded radius starts with that rolling.
func (t *trim) roll() {
	p := t.in.sys.program
	rolling := map[string]float64{}
	for _, a := range t.in.sys.model.Scope().Axles() {
		rolling[a.Joint+".omega"] = t.travel / a.Wheel.Radius.Value * a.Axis[a.Wheel.Axis]
	}
	filed := t.filed()
	for _, i := range t.unknowns {
		omega, wheel := rolling[p.Parameters[i].Name]
		if filed != 0 {
			if spin := p.Parameters[i].Start * t.travel / filed; math.Abs(spin-omega) < 0.1*math.Abs(omega) {
				omega = spin
			}
		}
		if wheel {
			t.in.p[i] = omega
		}
	}
}
