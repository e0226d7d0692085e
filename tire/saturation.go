package tire

import (
	"errors"
	"fmt"
	"math"

	"skidpad/tire/elementary"
)

// saturating tells the slip stiffnesses [N] of a force function, by S and by tan(alpha), and the largest forces [N] at
// a load, an inclination and a friction.
type saturating interface {
	grip(fz, gamma, mu dual) (stiffness, most [2]dual)
}

// Places of what a carcass asks for.
const (
	gripInputs   = 3 // load [N], inclination [rad], friction
	gripResults  = 4 // stiffnesses, largest forces [N], each along and across
	lengthInputs = 2 // load, inclination
	lengthsTold  = 2 // [m], along and across
)

// gripBounds are the arguments of a grip, limited as those of the law are, and with a load.
func gripBounds(in []float64) [gripInputs]float64 {
	return [gripInputs]float64{max(liftedOff, min(in[0], crushing)), clampAbs(in[1], math.Pi/2),
		max(0, min(in[2], extreme))}
}

// gripOf evaluates a grip by numbers.
func gripOf(t saturating, in, out []float64) {
	b := gripBounds(in)
	stiffness, most := t.grip(dual{v: b[0]}, dual{v: b[1]}, dual{v: b[2]})
	for i := range 2 {
		out[i], out[2+i] = stiffness[i].v, most[i].v
	}
}

// gripSlopes is the Jacobian of gripOf.
func gripSlopes(t saturating, in, jac []float64) {
	b := gripBounds(in)
	for k := range gripInputs {
		var x [gripInputs]dual
		for i, v := range b {
			x[i].v = v
		}
		if b[k] == in[k] {
			x[k].d = 1
		}
		stiffness, most := t.grip(x[0], x[1], x[2])
		for i := range 2 {
			jac[i*gripInputs+k], jac[(2+i)*gripInputs+k] = stiffness[i].d, most[i].d
		}
	}
}

// lengthBounds are the arguments of relaxation lengths, limited in the same way.
func lengthBounds(in []float64) [lengthInputs]float64 {
	return [lengthInputs]float64{max(liftedOff, min(in[0], crushing)), clampAbs(in[1], math.Pi/2)}
}

// lengthsOf evaluates relaxation lengths by numbers.
func lengthsOf(t relaxing, in, out []float64) {
	b := lengthBounds(in)
	for i, length := range t.lengths(dual{v: b[0]}, dual{v: b[1]}) {
		out[i] = length.v
	}
}

// lengthSlopes is the Jacobian of lengthsOf.
func lengthSlopes(t relaxing, in, jac []float64) {
	b := lengthBounds(in)
	for k := range lengthInputs {
		x := [lengthInputs]dual{{v: b[0]}, {v: b[1]}}
		if b[k] == in[k] {
			x[k].d = 1
		}
		for i, length := range t.lengths(x[0], x[1]) {
			jac[i*lengthInputs+k] = length.d
		}
	}
}

// relaxing is a relaxation function that tells its lengths [m] at a load and an inclination.
type relaxing interface {
	lengths(fz, gamma dual) [2]dual
}

// proportionalGrip is that of functions that do not tell theirs: stiffnesses and largest forces by the load.
type proportionalGrip struct{ stiffness, friction float64 }

func (g proportionalGrip) grip(fz, _, mu dual) (stiffness, most [2]dual) {
	k, d := fz.by(g.stiffness), fz.times(mu).by(g.friction)
	return [2]dual{k, k}, [2]dual{d, d}
}

// nominal is a function that knows the nominal load [N] of its tire.
type nominal interface{ nominalLoad() float64 }

// unlimited is the slip at which a function saturates that never does.
const unlimited = 1000

func (t *fialaTire) grip(fz, _, mu dual) (stiffness, most [2]dual) {
	d := fz.times(mu).by(t.mu0)
	return [2]dual{{v: t.cs}, {v: t.calpha}}, [2]dual{d, d}
}

func (t *brushTire) grip(fz, _, mu dual) (stiffness, most [2]dual) {
	stiffness = [2]dual{{v: t.ck}, {v: t.ca}}
	if t.mu0 == 0 {
		return stiffness, [2]dual{{v: unlimited * t.ck}, {v: unlimited * t.ca}}
	}
	d := fz.times(mu).by(t.mu0)
	return stiffness, [2]dual{d, d}
}

// grip is that of (10.1) and (10.2) of the tire specification.
func (t *pacejka02Tire) grip(fz, gamma, mu dual) (stiffness, most [2]dual) {
	fz = fz.atMost(t.maxFz)
	gamma = gamma.atMost(t.maxGamma).atLeast(t.minGamma)
	mu = mu.atLeast(slippery)
	df := fz.line(-1, t.invFn)
	kx := fz.times(df.line(t.PKx1, t.PKx2).asMuchAs(t.leastKx)).times(df.by(t.PKx3).exp()).by(t.LKx)
	load := fz.by(t.invPeak)
	ky := load.over(load.square(1, 0, 1)).times(gamma.abs().line(1, -t.PKy3*math.Abs(t.Lgammay)).atLeast(leastShare)).
		by(2 * t.ky)
	dx := df.line(t.PDx1, t.PDx2).asMuchAs(t.leastX).
		times(gamma.square(1, 0, -t.PDx3*t.Lgammax*t.Lgammax).atLeast(leastShare)).times(fz).times(mu).by(t.Lmux)
	dy := df.line(t.PDy1, t.PDy2).asMuchAs(t.leastY).
		times(gamma.square(1, 0, -t.PDy3*t.Lgammay*t.Lgammay).atLeast(leastShare)).times(fz).times(mu).by(t.Lmuy)
	return [2]dual{kx.abs(), ky.abs()}, [2]dual{dx.abs(), dy.abs()}
}

func (t *pacejka02Tire) nominalLoad() float64 { return t.fn }

// grip is that of (4.E13), (4.E15), (4.E23) and (4.E25), without spin.
func (t *mf6Tire) grip(fz, gamma, mu dual) (stiffness, most [2]dual) {
	fz = fz.atMost(t.maxFz)
	gamma = gamma.atMost(t.maxGamma).atLeast(t.minGamma)
	mu = mu.atLeast(slippery)
	lean := gamma.sin()
	lean2 := lean.times(lean)
	df := fz.line(-1, t.invFn)
	kx := slipStiffness(fz, df, t.PKx1, t.PKx2, t.PKx3, t.leastKx).by(t.stiffX)
	ky := corneringStiffness(fz.by(t.invFn), lean, t.PKy2*t.peakY, t.PKy5*t.peakY, t.PKy4, t.stiffY, t.PKy3, t.leastPeak)
	dx := df.line(t.PDx1, t.PDx2).asMuchAs(t.leastX).times(gamma.square(1, 0, -t.PDx3).atLeast(leastShare)).times(fz).
		times(mu).by(t.Lmux * t.gripX)
	dy := df.line(t.PDy1, t.PDy2).asMuchAs(t.leastY).times(lean2.line(1, -t.PDy3).atLeast(leastShare)).times(fz).
		times(mu).by(t.Lmuy * t.gripY)
	return [2]dual{kx.abs(), ky.abs()}, [2]dual{dx.abs(), dy.abs()}
}

func (t *mf6Tire) nominalLoad() float64 { return 1 / t.invFn }

func (t *tmeasyTire) grip(fz, _, mu dual) (stiffness, most [2]dual) {
	load, mu := fz.atMost(heaviest*t.payload).by(1/t.payload), mu.atLeast(slippery)
	return [2]dual{degressive(load, t.riseX1, t.riseX2), degressive(load, t.riseY1, t.riseY2)},
		[2]dual{degressive(load, t.mostX1, t.mostX2).times(mu), degressive(load, t.mostY1, t.mostY2).times(mu)}
}

func (t *tmeasyTire) nominalLoad() float64 { return t.payload }

func (t *calspanTire) grip(fz, _, mu dual) (stiffness, most [2]dual) {
	d := fz.times(mu.atLeast(slippery)).by(t.mu0)
	load := fz.atMost(t.a2)
	return [2]dual{fz.by(t.longitudinal), load.square(t.a0, t.a1, -t.a1/t.a2)}, [2]dual{d, d}
}

// grip of forces from outside: they follow no slip.
func (inputsFunction) grip(_, _, _ dual) (stiffness, most [2]dual) {
	return [2]dual{{v: 1}, {v: 1}}, [2]dual{{v: unlimited}, {v: unlimited}}
}

// lengths are those of (3.27) and (3.28).
func (t *stringTire) lengths(fz, gamma dual) [2]dual {
	long, longFz, lat, latFz, latGamma := t.lengthsWithSlopes(min(fz.v, heaviest*t.fz0), gamma.v)
	if fz.v > heaviest*t.fz0 {
		longFz, latFz = 0, 0
	}
	return [2]dual{{long, longFz * fz.d}, {lat, latFz*fz.d + latGamma*sign(gamma.v)*gamma.d}}
}

func (t *stringTire) nominalLoad() float64 { return t.fz0 }

func (t *constantLengths) lengths(_, _ dual) [2]dual { return [2]dual{{v: t.long}, {v: t.lat}} }

func (t *brushLengths) lengths(_, _ dual) [2]dual { return [2]dual{{v: t.sigma}, {v: t.sigma}} }

func (t *mfLengths) lengths(fz, gamma dual) [2]dual {
	long, lat := t.lengthsOf(fz.atMost(heaviest*t.fn), gamma)
	return [2]dual{long, lat}
}

func (t *mfLengths) nominalLoad() float64 { return t.fn }

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
	probeSlip  = 1e-4 // of which the stiffness is the slope
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

// probedInput is what a function is given for an input.
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

func (p *probe) grip(fz, _, mu dual) (stiffness, most [2]dual) {
	for side := range 2 {
		stiffness[side] = p.at(fz, &p.stiffness[side])
		most[side] = p.at(fz, &p.most[side]).times(mu)
	}
	return stiffness, most
}

// at is a value at a load: proportional below the first load, then linear between neighbours, and beyond the last.
func (p *probe) at(fz dual, values *[5]float64) dual {
	if fz.v <= p.loads[0] {
		return fz.by(values[0] / p.loads[0])
	}
	k := 1
	for k < len(p.loads)-1 && fz.v > p.loads[k] {
		k++
	}
	slope := (values[k] - values[k-1]) / (p.loads[k] - p.loads[k-1])
	return fz.line(values[k-1]-slope*p.loads[k-1], slope).atLeast(values[0] * 1e-3)
}
