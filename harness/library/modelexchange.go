package library

import (
	"errors"
	"fmt"
	"math"

	"skidpad/model/solver"
)

// integrator runs an FMU for model exchange: it integrates the states with error control, finds the times where event
// indicators change their sign, and handles events.
type integrator struct {
	instance *Instance
	method   solver.Solver

	x, whole, halves, start []float64 // states
	nominal                 []float64
	z, zEnd                 []float64 // event indicators: at the present time, and at another one
	step                    float64   // that is tried next [s]
	next                    float64   // time of the next time event, infinite without [s]
	failure                 error     // of an evaluation of the rates
	set                     map[uint32]float64
}

// Tolerances of the integrator.
const (
	defaultTolerance = 1e-6  // relative, where the FMU gives none
	located          = 1e-12 // of times of events, relative, and of one second
	mostUpdates      = 1000  // of discrete states at one time
	mostEvents       = 10000 // in a communication step
	mostSteps        = 1_000_000
)

func (g *integrator) tolerance() float64 {
	if t := g.instance.fmu.Tolerance; t > 0 && t < 1 {
		return min(t, 1e-4)
	}
	return defaultTolerance
}

// begin handles the first event, after the initialisation.
func (g *integrator) begin() error {
	c := g.instance
	states, indicators := uint64(c.fmu.states), uint64(c.fmu.indicators)
	if f := c.fmu.three; f != nil {
		if err := c.check(f.numberOfStates(c.handle, &states)); err != nil {
			return err
		}
		if err := c.check(f.numberOfIndicators(c.handle, &indicators)); err != nil {
			return err
		}
		if states > mostElements || indicators > mostElements {
			return fmt.Errorf("the FMU has %d states and %d event indicators; at most %d are integrated", states, indicators,
				mostElements)
		}
	}
	made := func(n uint64) []float64 { return make([]float64, n) }
	g.x, g.whole, g.halves, g.start = made(states), made(states), made(states), made(states)
	g.nominal, g.z, g.zEnd = made(states), made(indicators), made(indicators)
	g.set, g.step, g.next = map[uint32]float64{}, math.Inf(1), math.Inf(1)
	method, err := solver.Lookup("rk4")
	if err != nil {
		return err
	}
	g.method = method.New(int(states))
	return g.update()
}

// update updates the discrete states in event mode until they are settled, and goes on in continuous time.
func (g *integrator) update() error {
	c, f := g.instance, &g.instance.fmu.common
	var err error
	if g.next, err = c.settle(c.time); err != nil {
		return err
	}
	if err := c.check(f.enterContinuousTimeMode(c.handle)); err != nil {
		return err
	}
	for i := range g.nominal {
		g.nominal[i] = 1
	}
	if n := uint64(len(g.x)); n > 0 {
		if err := c.check(f.states(c.handle, &g.x[0], n)); err != nil {
			return err
		}
		if f.nominals != nil {
			if err := c.check(f.nominals(c.handle, &g.nominal[0], n)); err != nil {
				return err
			}
		}
		for i, x := range g.nominal {
			if g.nominal[i] = math.Abs(x); !(g.nominal[i] > 0) || math.IsInf(x, 0) {
				g.nominal[i] = 1
			}
		}
	}
	return g.signs(g.z)
}

// signs reads the event indicators.
func (g *integrator) signs(z []float64) error {
	if len(z) == 0 {
		return nil
	}
	return g.instance.check(g.instance.fmu.common.indicators(g.instance.handle, &z[0], uint64(len(z))))
}

// crossed reports whether an indicator has left its side.
func (g *integrator) crossed(z []float64) bool {
	for i := range z {
		if (z[i] > 0) != (g.z[i] > 0) {
			return true
		}
	}
	return false
}

// setTimeAndStates brings the FMU to a time and states.
func (g *integrator) setTimeAndStates(t float64, x []float64) error {
	c := g.instance
	if err := c.check(c.fmu.common.setTime(c.handle, t)); err != nil {
		return err
	}
	if len(x) == 0 {
		return nil
	}
	return c.check(c.fmu.common.setStates(c.handle, &x[0], uint64(len(x))))
}

// Rates are dx = f(t, x) for the solver.
func (g *integrator) Rates(t float64, x, dx []float64) {
	if g.failure != nil {
		return
	}
	c := g.instance
	if g.failure = g.setTimeAndStates(t, x); g.failure == nil && len(dx) > 0 {
		g.failure = c.check(c.fmu.common.rates(c.handle, &dx[0], uint64(len(dx))))
	}
}

// Linearise and Solve are for implicit methods.
func (g *integrator) Linearise(float64, []float64, []float64, float64) {
	panic("the method is explicit")
}

func (g *integrator) Solve([]float64) { panic("the method is explicit") }

// trial makes a step from start, once whole and once in halves, and combines both to x, of fifth order. It returns the
// error of the halves relative to what is allowed.
func (g *integrator) trial(t, h float64) (relative float64, err error) {
	g.failure = nil
	copy(g.whole, g.start)
	copy(g.halves, g.start)
	g.method.Step(g, t, h, g.whole)
	g.method.Step(g, t, h/2, g.halves)
	g.method.Step(g, t+h/2, h/2, g.halves)
	tolerance := g.tolerance()
	for i := range g.x {
		difference := (g.halves[i] - g.whole[i]) / 15
		g.x[i] = g.halves[i] + difference
		size := tolerance * (g.nominal[i] + max(math.Abs(g.start[i]), math.Abs(g.x[i]))) / 2
		if relative = max(relative, math.Abs(difference)/size); math.IsNaN(difference) || math.IsInf(g.x[i], 0) {
			relative = math.Inf(1)
		}
	}
	return relative, g.failure
}

// advance integrates up to a time.
func (g *integrator) advance(end float64) error {
	c := g.instance
	t, events := c.time, 0
	event := func(t float64) error {
		if events++; events > mostEvents {
			return fmt.Errorf("more than %d events in a communication step, at %.6g s", mostEvents, t)
		}
		return g.event(t)
	}
	// Inputs may have jumped.
	if err := g.setTimeAndStates(t, g.x); err != nil {
		return err
	}
	if err := g.signs(g.zEnd); err != nil {
		return err
	}
	if g.crossed(g.zEnd) {
		if err := event(t); err != nil {
			return err
		}
	}
	small, longest := located*max(1, math.Abs(end)), (end-t)/4
	for n := 0; end-t > small || g.next <= t+small; n++ {
		if n == mostSteps {
			return fmt.Errorf("%d steps of the integrator end at %.6g s of the %.6g s to reach: the model is too stiff for the "+
				"explicit method that integrates FMUs for model exchange", n, t, end)
		}
		if g.next <= t+small {
			if err := event(t); err != nil {
				return err
			}
			if g.next <= t+small {
				return fmt.Errorf("the time event at %.6g s names no later one", t)
			}
			continue
		}
		limit := min(end, g.next)
		before := t
		var err error
		if t, err = g.accept(t, min(limit, t+longest)); err != nil {
			return fmt.Errorf("after %.6g s: %w", before, err)
		}
		if err := g.signs(g.zEnd); err != nil {
			return err
		}
		crossing := g.crossed(g.zEnd)
		if crossing {
			if t, err = g.locate(before, t); err != nil {
				return err
			}
		}
		if err := g.completed(t, crossing, event); err != nil {
			return err
		}
	}
	return g.setTimeAndStates(end, g.x)
}

// settle updates the discrete states at a time until they stay, and returns the time of the next event, infinity
// without one.
func (c *Instance) settle(t float64) (next float64, err error) {
	for range mostUpdates {
		info, status := c.fmu.common.updateStates(c.handle)
		if err := c.check(status); err != nil {
			return 0, err
		}
		if next = math.Inf(1); info.timed {
			next = info.next
		}
		if info.terminate {
			return 0, &Ended{t, c.last}
		}
		if !info.again {
			return next, nil
		}
	}
	return 0, fmt.Errorf("the discrete states at %.6g s are not settled after %d updates", t, mostUpdates)
}

// accept makes a step that is accurate enough from t, at most up to a limit, and returns where it ends.
func (g *integrator) accept(t, limit float64) (float64, error) {
	copy(g.start, g.x)
	h := min(g.step, limit-t)
	for {
		relative, err := g.trial(t, h)
		if err == nil && relative <= 1 {
			if g.step = h * min(4, 0.9*math.Pow(max(relative, 1e-6), -0.2)); h < limit-t {
				return t + h, g.setTimeAndStates(t+h, g.x)
			}
			return limit, g.setTimeAndStates(limit, g.x)
		}
		refused := (*statusError)(nil)
		switch {
		case err != nil && !(errors.As(err, &refused) && refused.status == statusDiscard):
			return t, err
		case err != nil || math.IsInf(relative, 0):
			h /= 4
		default:
			h *= max(0.1, 0.9*math.Pow(relative, -0.2))
		}
		if t+h == t || h < 1e-14*math.Abs(t) {
			if copy(g.x, g.start); err == nil {
				err = errors.New("the rates of the states are not finite, or change too fast to be integrated")
			}
			return t, err
		}
	}
}

// locate finds the first time after a where an indicator has another sign, by bisection between a and b, and leaves the
// states of that time.
func (g *integrator) locate(a, b float64) (float64, error) {
	from := a // of every step
	for width := located * max(1, math.Abs(b)); b-a > width; {
		middle := a + (b-a)/2
		if _, err := g.trial(from, middle-from); err != nil {
			return a, err
		}
		if err := g.setTimeAndStates(middle, g.x); err != nil {
			return a, err
		}
		if err := g.signs(g.zEnd); err != nil {
			return a, err
		}
		if g.crossed(g.zEnd) {
			b = middle
		} else {
			a = middle
		}
	}
	if _, err := g.trial(from, b-from); err != nil {
		return b, err
	}
	return b, g.setTimeAndStates(b, g.x)
}

// completed tells the FMU of a step that is accepted, and handles an event where one has happened.
func (g *integrator) completed(t float64, crossing bool, event func(float64) error) error {
	c := g.instance
	if c.fmu.CompletesSteps {
		wants, terminate, status := c.fmu.common.completedStep(c.handle)
		if err := c.check(status); err != nil {
			return err
		}
		if terminate {
			return &Ended{t, c.last}
		}
		crossing = crossing || wants
	}
	if crossing {
		return event(t)
	}
	return g.signs(g.z)
}

// event handles an event at a time.
func (g *integrator) event(t float64) error {
	c := g.instance
	if err := c.check(c.fmu.common.enterEventMode(c.handle)); err != nil {
		return err
	}
	c.time = t
	g.step = math.Inf(1)
	return g.update()
}

// changes leaves out discrete variables that have their values already: others can be set in event mode only. jump
// reports whether there are any.
func (g *integrator) changes(references []uint32, values []float64) (changed []uint32, to []float64, jump bool) {
	same := 0
	for i, r := range references {
		if g.instance.fmu.places[r].continuous {
			continue
		}
		if before, known := g.set[r]; known && before == values[i] {
			same++
			continue
		}
		jump, g.set[r] = true, values[i]
	}
	if same == 0 {
		return references, values, jump
	}
	for i, r := range references {
		if before, known := g.set[r]; g.instance.fmu.places[r].continuous || !known || before != values[i] || jump {
			changed, to = append(changed, r), append(to, values[i])
		}
	}
	return changed, to, jump
}
