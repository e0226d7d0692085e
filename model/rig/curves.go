package rig

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/gonum/mat"
)

// Curve are states of a test, over what the test varies. A curve ends where the axle finds no rest.
type Curve struct {
	Test   string // of Tests
	Over   string // what varies
	Unit   string // SI
	At     []float64
	States []*State
	Ends   []string // why the curve ends before the range does, none for the whole range
}

// ends of the curves of motions and loads.
const (
	mostBounce, bounceStep   = 0.080, 0.005 // [m]
	mostRoll, rollStep       = 0.040, 0.004 // travel of each wheel [m]
	mostRack, rackStep       = 0.040, 0.002 // [m]
	mostTurn, turnStep       = 0.5, 0.025   // of road wheels, times the ratio of a steering wheel [rad]
	mostLateral, lateralStep = 2000, 200    // [N]
	mostAlign, alignStep     = 100, 10      // [N m]
)

// Tests are the tests of curves, in the order of reports.
var Tests = []string{"bounce", "roll", "steer", "lateral_parallel", "lateral_opposed", "braking", "driving",
	"aligning_parallel", "aligning_opposed"}

// Curve makes the curve of a test. The text says why there is none. With byPads the pads keep their forces under loads.
func (r *Rig) Curve(test string, byPads bool) (c *Curve, missing string, err error) {
	design, err := r.Solve(Given{}, nil)
	if err != nil {
		return nil, "", err
	}
	c = &Curve{Test: test, Over: "travel", Unit: "m"}
	var most, step float64
	var given func(x float64) Given
	switch test {
	case "bounce":
		most, step = mostBounce, bounceStep
		given = func(x float64) Given { return Given{Travel: [2]float64{x, x}} }
	case "roll":
		most, step = mostRoll, rollStep
		given = func(x float64) Given { return Given{Travel: [2]float64{-x, x}} }
	case "steer":
		if missing := r.steers(design); missing != "" {
			return nil, missing, nil
		}
		c.Over, c.Unit, most, step = "rack", "m", mostRack, rackStep
		if r.rackUnit() == "rad" {
			ratio := 1.0
			if s := r.roles.Steering; s != nil && s.Wheel {
				ratio = max(1, s.Ratio)
			}
			c.Over, c.Unit, most, step = "angle", "rad", mostTurn*ratio, turnStep*ratio
			if perTurn := math.Abs(design.slope.V); perTurn > 0 {
				most, step = mostRack/perTurn, rackStep/perTurn
			}
		}
		given = func(x float64) Given { return Given{Rack: x} }
	default:
		i := slices.IndexFunc(loadings, func(l loading) bool { return l.key == test })
		if i < 0 {
			return nil, "", fmt.Errorf("there is no test %q; there are %s", test, strings.Join(Tests, ", "))
		}
		c.Over, c.Unit, most, step = "load", loadings[i].unit, mostLateral, lateralStep
		if c.Unit == "N.m" {
			most, step = mostAlign, alignStep
		}
		given = func(x float64) Given {
			g := loadings[i].given(x)
			g.ByPads, g.Pads = byPads, design.pads()
			return g
		}
	}
	middle, err := r.Solve(given(0), design)
	if err != nil {
		return nil, "", err
	}
	n := int(math.Round(most / step))
	c.At, c.States = []float64{0}, []*State{middle}
	for _, direction := range []float64{-1, 1} {
		from := middle
		for i := 1; i <= n; i++ {
			x := direction * step * float64(i)
			s, err := r.follow(given, x-direction*step, x, from, c.Unit)
			if err != nil {
				c.Ends = append(c.Ends, fmt.Sprintf("the curve ends at %.4g %s: %v", x-direction*step, c.Unit, err))
				break
			}
			from = s
			c.At, c.States = append(c.At, x), append(c.States, s)
		}
		if direction < 0 {
			slices.Reverse(c.At)
			slices.Reverse(c.States)
		}
	}
	return c, "", nil
}

// smallSteps are the parts of a step that leads to another assembly of the links.
const smallSteps = 16

// follow solves at x from a state at begin. Where the solution belongs to another assembly of the links, small steps
// look for the way of this one.
func (r *Rig) follow(given func(x float64) Given, begin, x float64, from *State, unit string) (*State, error) {
	s, err := r.Solve(given(x), from)
	if err != nil || r.orientation(s)*r.orientation(from) >= 0 {
		return s, err
	}
	at := begin
	for i := 1; i <= smallSteps; i++ {
		to := begin + (x-begin)*float64(i)/smallSteps
		if s, err = r.Solve(given(to), from); err != nil {
			return nil, err
		}
		if r.orientation(s)*r.orientation(from) < 0 {
			return nil, fmt.Errorf("from %.4g to %.4g %s the axle snaps through to another assembly of its links; move the "+
				"joints so that no link comes into line with the axis about which it turns a part", at, to, unit)
		}
		at, from = to, s
	}
	return s, nil
}

// leastRegular is the reciprocal of the condition of equations below which their orientation is unknown.
const leastRegular = 1e-16

// orientation is the sign of the determinant of the equations of a state, 0 where parts are free or constraints
// redundant. Along a curve it changes where two assemblies of the links meet.
func (r *Rig) orientation(state *State) float64 {
	s := &statics{Rig: r, given: state.Given}
	s.put(state.x)
	j := mat.NewDense(len(state.x), len(state.x), nil)
	s.Differentiate(state.x, j)
	var lu mat.LU
	if lu.Factorize(j); len(r.Loose) > 0 || !(lu.Cond()*leastRegular < 1) {
		return 0
	}
	_, sign := lu.LogDet()
	return sign
}

// rackUnit is the unit of the motion of the rack or the steering wheel.
func (r *Rig) rackUnit() string { return r.equations.Program.Inputs[r.rack].Unit }

// steers says why the axle is not steered; "" where it is.
func (r *Rig) steers(design *State) string {
	if r.rack < 0 {
		return "there is no rack and no steering wheel"
	}
	if r.options.Rack == RackFree && r.rackRow >= 0 {
		return "the rack is free"
	}
	turned, err := r.Solve(Given{Rack: probeRack}, design)
	if err != nil {
		return err.Error()
	}
	for side := range 2 {
		if math.Abs(turned.Wheels[side].Toe().Minus(design.Wheels[side].Toe()).V) > probeRack*leastTurn {
			return ""
		}
	}
	return r.Rack + " does not turn the wheels"
}

// A rack moved by probeRack turns the wheels by more than leastTurn of it [m, rad].
const probeRack, leastTurn = 1e-3, 1e-6
