package tire

import (
	"errors"
	"fmt"
	"math"

	"skidpad/tire/elementary"
	"skidpad/tire/formula"
)

// saturating is a force function with data for a carcass. grip returns slip stiffnesses [N], by S and by tan(alpha),
// and largest forces [N], each along and across. Its inputs are a load [N], an inclination [rad] and a friction.
type saturating interface {
	grip() Differentiable
}

// relaxing is a relaxation function that tells its lengths [m] at a load and an inclination, along and across.
type relaxing interface {
	lengths() Differentiable
}

// Places of what a carcass asks for.
const (
	gripInputs   = 3 // load [N], inclination [rad], friction
	gripResults  = 4 // stiffnesses, largest forces [N], each along and across
	lengthInputs = 2 // load, inclination
	lengthsTold  = 2 // [m], along and across
)

// gripText is the text of a force law that tells its grip, at arguments that a tire on the ground has.
type gripText interface {
	lawText
	grip(in, coefficients []formula.Number) (stiffness, most [2]formula.Number)
}

// lengthText is the text of a relaxation law that tells its lengths.
type lengthText interface {
	lawText
	lengths(in, coefficients []formula.Number) [2]formula.Number
}

// gripOf is the law of the grip that a text tells.
type gripOf struct{ gripText }

func (g gripOf) shape() lawShape {
	s := g.gripText.shape()
	s.inputs = gripInputs
	return s
}

func (g gripOf) write(in, coefficients []formula.Number) (bounded, results []formula.Number) {
	bounded = heldAt(in)
	stiffness, most := g.gripText.grip(bounded, coefficients)
	return bounded, append(stiffness[:], most[:]...)
}

// lengthsOf is the law of the lengths that a text tells.
type lengthsOf struct{ lengthText }

func (l lengthsOf) shape() lawShape {
	s := l.lengthText.shape()
	s.inputs = lengthInputs
	return s
}

func (l lengthsOf) write(in, coefficients []formula.Number) (bounded, results []formula.Number) {
	bounded = heldAt(in)
	lengths := l.lengthText.lengths(bounded, coefficients)
	return bounded, lengths[:]
}

// heldAt are load, inclination and friction, limited as those of the law of a carcass are, and with a load.
func heldAt(in []formula.Number) []formula.Number {
	c := in[0].Constant
	bounded := []formula.Number{in[0].Bounded(c(liftedOff), c(crushing)), in[1].Within(math.Pi / 2)}
	if len(in) == gripInputs {
		bounded = append(bounded, in[2].Bounded(c(0), c(extreme)))
	}
	return bounded
}

// grip implements saturating: nil for a text that does not tell it.
func (f *formulas) grip() Differentiable {
	text, told := f.text.(gripText)
	if !told {
		return nil
	}
	if f.grips == nil {
		f.grips = f.part(gripOf{text})
	}
	return f.grips
}

// lengths implements relaxing: nil for a text that does not tell them.
func (f *formulas) lengths() Differentiable {
	text, told := f.text.(lengthText)
	if !told {
		return nil
	}
	if f.length == nil {
		f.length = f.part(lengthsOf{text})
	}
	return f.length
}

func (f *formulas) part(text lawText) *formulas {
	return &formulas{text: text, coefficients: f.coefficients, portable: f.portable}
}

// gripAt is a grip that is no formula, of arguments limited as by heldAt.
type gripAt struct{ Differentiable }

func (gripAt) bounded(in []float64) [gripInputs]float64 {
	return [gripInputs]float64{max(liftedOff, min(in[0], crushing)), clampAbs(in[1], math.Pi/2),
		max(0, min(in[2], extreme))}
}

// Eval implements Function.
func (g gripAt) Eval(in, out []float64) {
	b := g.bounded(in)
	g.Differentiable.Eval(b[:], out)
}

// Jacobian implements Differentiable.
func (g gripAt) Jacobian(in, jac []float64) {
	b := g.bounded(in)
	g.Differentiable.Jacobian(b[:], jac)
	zeroClampedColumns(jac, in[:gripInputs], b[:])
}

// proportionalGrip is the grip of a function that does not tell its own: stiffnesses and largest forces by the load.
type proportionalGrip struct{ stiffness, friction float64 }

// Eval implements Function.
func (g proportionalGrip) Eval(in, out []float64) {
	for i := range 2 {
		out[i], out[2+i] = in[0]*g.stiffness, in[0]*in[2]*g.friction
	}
}

// Jacobian implements Differentiable.
func (g proportionalGrip) Jacobian(in, jac []float64) {
	clear(jac)
	for i := range 2 {
		most := jac[(2+i)*gripInputs:]
		jac[i*gripInputs], most[0], most[2] = g.stiffness, in[2]*g.friction, in[0]*g.friction
	}
}

// nominal is a function that knows the nominal load [N] of its tire.
type nominal interface{ nominalLoad() float64 }

// unlimited stands for the slip of saturation of a function that never saturates.
const unlimited = 1000

// probe finds stiffnesses and largest forces of a function that does not tell them, at five loads.
type probe struct {
	loads           [5]float64
	stiffness, most [2][5]float64
}

// probeLoads are the loads of a probe, in nominal loads.
var probeLoads = [5]float64{0.2, 0.6, 1, 1.4, 1.8}

// What a probe does at each load.
const (
	probeSpeed = 20.0 // m/s
	probeSlip  = 1e-4 // slip for measuring the stiffness
	probeSteps = 50   // up to the slip 1
)

var errNoSlope = errors.New("its force does not grow with slip")

// newProbe calls a function on an upright wheel of a radius [m] that rolls at 20 m/s.
func newProbe(f Function, inputs []string, results int, nominal, radius float64) (*probe, error) {
	p := &probe{}
	if f, ok := f.(PoseReceiver); ok {
		f.Place(0, &Pose{Centre: [3]float64{0, 0, radius}, Heading: [3]float64{1, 0, 0}, Normal: [3]float64{0, 0, 1}})
	}
	in, out := make([]float64, len(inputs)), make([]float64, results)
	force := func(load, slip float64, side int) float64 {
		kappa, tan := slip, 0.0
		if side == 1 {
			kappa, tan = 0, slip
		}
		for i, name := range inputs {
			in[i] = probedInput(name, load, kappa, tan, radius)
		}
		f.Eval(in, out)
		return out[side]
	}
	for k, share := range probeLoads {
		p.loads[k] = share * nominal
		for side := range 2 {
			force := func(slip float64) float64 { return force(p.loads[k], slip, side) }
			slope := math.Abs(force(probeSlip)-force(-probeSlip)) / (2 * probeSlip)
			most := 0.0
			for step := 1; step <= probeSteps; step++ {
				slip := float64(step) / probeSteps
				most = max(most, math.Abs(force(slip)-force(-slip))/2)
			}
			if f, ok := f.(Fallible); ok {
				if err := f.Fault(); err != nil {
					return nil, fmt.Errorf("at a load of %.4g N: %w", p.loads[k], err)
				}
			}
			if !(slope > 0 && most > 0) || math.IsInf(slope, 0) || math.IsInf(most, 0) {
				return nil, fmt.Errorf("at a load of %.4g N: %w", p.loads[k], errNoSlope)
			}
			p.stiffness[side][k], p.most[side][k] = slope, most
		}
	}
	return p, nil
}

// probedInput is the value of an input for probing a function.
func probedInput(name string, load, kappa, tan, radius float64) float64 {
	switch name {
	case "Fz":
		return load
	case "S", "q1":
		return kappa
	case "alpha":
		return elementary.Atan(tan)
	case "q2":
		return tan
	case "mu":
		return 1
	case "Omega":
		return (1 + kappa) * probeSpeed / radius
	case "Reff", "Rl", "depth":
		return radius
	case "VCx", "VPxs", "VExs":
		return probeSpeed
	case "VPx", "VEx":
		return -kappa * probeSpeed
	case "VCy", "VPy":
		return tan * probeSpeed
	}
	return 0
}

// Eval gives the grip at a load and a friction.
func (p *probe) Eval(in, out []float64) {
	for side := range 2 {
		out[side], _ = p.at(in[0], &p.stiffness[side])
		most, _ := p.at(in[0], &p.most[side])
		out[2+side] = most * in[2]
	}
}

// Jacobian implements Differentiable.
func (p *probe) Jacobian(in, jac []float64) {
	clear(jac)
	for side := range 2 {
		_, jac[side*gripInputs] = p.at(in[0], &p.stiffness[side])
		most, slope := p.at(in[0], &p.most[side])
		row := jac[(2+side)*gripInputs:]
		row[0], row[2] = slope*in[2], most
	}
}

// at is a value at a load, and its slope: proportional below the first load, then linear between neighbours, and beyond
// the last.
func (p *probe) at(fz float64, values *[5]float64) (value, slope float64) {
	if fz <= p.loads[0] {
		slope = values[0] / p.loads[0]
		return slope * fz, slope
	}
	k := 1
	for k < len(p.loads)-1 && fz > p.loads[k] {
		k++
	}
	slope = (values[k] - values[k-1]) / (p.loads[k] - p.loads[k-1])
	value = values[k-1] - slope*p.loads[k-1] + slope*fz
	if lowest := values[0] * 1e-3; value < lowest {
		return lowest, 0
	}
	return value, slope
}
