package reference

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"skidpad/model/component"
	"skidpad/tire"
)

// wheel is a tire on its road: the contact geometry of a thin disc on a plane and the
// slips (Morency 2007, chapters 3 and 4), written with vectors in ground and without the
// shortcuts that hold in the tire's own axes.
type wheel struct {
	name            string
	component       *component.Tire
	centre, road    marker
	mu              int // input
	force           *call
	relaxation      *call
	slips           int // unknowns q1, q2, if there is a relaxation
	at              contact
	slipRate        [2]float64
	forceP, momentP [3]float64 // Fx Fy Fz and Mx My Mz in ISO tire axes
}

// contact are the intermediate variables of a tire by the names of its component
// (Morency 2007, Table 4.3).
type contact struct {
	Fz, FzSigned           float64
	S, alpha, gamma, Omega float64
	Rl, Reff               float64
	VCx, VCy               float64
	VPx, VPy, VEx, VEy     float64
	VPxs, VExs             float64
	wn                     float64 // of the angular velocity, along the normal of the road
	mu, q1, q2             float64 // friction scale of the road; delayed slips
}

// call is a tire function with its arguments and where they come from.
type call struct {
	function tire.Function
	from     []*float64
	in, out  []float64
}

func newCall(f component.TireFunction, at *contact) (*call, error) {
	kind, err := tire.Lookup(f.Name)
	if err != nil {
		return nil, err
	}
	if kind.New == nil {
		return nil, fmt.Errorf("the reference solver takes built-in tire functions only, not %s", f.Name)
	}
	c := &call{in: make([]float64, len(kind.Inputs)), out: make([]float64, len(kind.Outputs))}
	for _, name := range kind.Inputs {
		from := at.named(name)
		if from == nil {
			return nil, fmt.Errorf("the tire function %s asks for %s, which the reference solver does not have", f.Name, name)
		}
		c.from = append(c.from, from)
	}
	c.function, err = kind.New(f.Parameters)
	return c, err
}

func init() {
	know("tire", func(c *component.Tire) element { return &wheel{name: c.Name, component: c} })
}

func (w *wheel) body() (body, bool) {
	c := w.component
	return body{frame: c.Frame, mass: c.Mass.Value, inertia: tensor(c.Inertia)}, true
}

func (w *wheel) add(s *System) error {
	c := w.component
	if c.Undeformed || c.Slip.TurnSlip {
		return fmt.Errorf("%s: the reference solver does not know undeformed contacts and turn slip", c.Name)
	}
	w.centre, w.road = s.markers[c.Frame], s.markers[c.Road]
	var known bool
	if w.mu, known = s.inputs.names[s.parts[w.road.part].name+".mu"]; !known {
		return fmt.Errorf("%s: its road %s is not a road that stands before it", c.Name, c.Road)
	}
	var err error
	if w.force, err = newCall(c.Force, &w.at); err != nil {
		return fmt.Errorf("%s: %w", c.Name, err)
	}
	if c.Slip.Delayed {
		if w.relaxation, err = newCall(c.Slip.Relaxation, &w.at); err != nil {
			return fmt.Errorf("%s: %w", c.Name, err)
		}
	}
	s.tires = append(s.tires, w)
	s.loads = append(s.loads, w)
	return nil
}

func (w *wheel) touches() []int { return []int{w.centre.part, w.road.part} }

func (w *wheel) apply(s *System, y []float64) {
	c, q := s.at(&w.centre), s.at(&w.road)
	p, t := w.component, &w.at
	// relative to the surface of the road at the wheel centre
	r := r3.Sub(c.r, q.r)
	v := r3.Sub(r3.Sub(c.v, q.v), r3.Cross(q.w, r))
	spin := r3.Sub(c.w, q.w)
	sym, uz := c.axes[p.Axis], q.axes[2]
	ux := r3.Unit(r3.Cross(sym, uz))
	uy := r3.Cross(uz, ux)

	t.gamma = math.Asin(max(-1, min(1, r3.Dot(r3.Cross(uy, sym), ux))))
	sin, cos := math.Sincos(t.gamma)
	t.Rl = r3.Dot(r, uz) / cos
	t.FzSigned = p.VerticalStiffness.Value*(p.UnloadedRadius.Value-t.Rl)*cos - p.VerticalDamping.Value*r3.Dot(v, uz)
	t.Fz = max(t.FzSigned, 0)
	toP := r3.Sub(r3.Scale(t.Rl*sin, uy), r3.Scale(t.Rl*cos, uz))
	t.Reff = w.effectiveRadius()
	toE := r3.Scale(t.Reff/t.Rl, toP)
	t.Omega = (r3.Dot(spin, sym) - r3.Dot(spin, uz)*sin) / (cos * cos)
	atP, atE := r3.Add(v, r3.Cross(spin, toP)), r3.Add(v, r3.Cross(spin, toE))
	t.VCx, t.VCy = r3.Dot(v, ux), r3.Dot(v, uy)
	t.VPx, t.VPy = r3.Dot(atP, ux), r3.Dot(atP, uy)
	t.VEx, t.VEy = r3.Dot(atE, ux), r3.Dot(atE, uy)
	t.wn = r3.Dot(spin, uz)
	t.VPxs, t.VExs = t.VPx+t.Omega*t.Rl, t.VEx+t.Omega*t.Reff

	t.mu = s.inputs.values[w.mu]
	if w.relaxation != nil {
		t.q1, t.q2 = y[w.slips], y[w.slips+1]
		// beside the springs of a standing tire, a damper
		share := max(0, 1-t.VCx*t.VCx/(p.Slip.LowSpeed.Value*p.Slip.LowSpeed.Value))
		damping := p.Slip.LowSpeedDamping.Value * share * share
		t.S, t.alpha = t.q1-damping*t.VEx, math.Atan(t.q2+damping*t.VPy)
		copy(w.slipRate[:], w.relaxation.evaluate())
	} else {
		t.S = -t.VEx / w.divisor(t.VExs)
		t.alpha = math.Atan(t.VPy / w.divisor(t.VPxs))
	}
	out := w.force.evaluate()
	w.forceP = [3]float64{out[0], out[1], t.Fz}
	w.momentP = [3]float64{out[2], out[3], out[4]}

	isoAxes := axes{ux, uy, uz}
	f := isoAxes.out(r3.Vec{X: w.forceP[0], Y: w.forceP[1], Z: w.forceP[2]})
	m := isoAxes.out(r3.Vec{X: w.momentP[0], Y: w.momentP[1], Z: w.momentP[2]})
	s.push(w.centre.part, f, r3.Add(c.r, toP))
	s.turn(w.centre.part, m)
}

// divisor is the speed [m/s] by which kinematic slip divides: a parabola replaces the tip of
// the absolute value.
func (w *wheel) divisor(v float64) float64 {
	least := w.component.Slip.MinimumSpeed.Value
	if v = math.Abs(v); v < least {
		return v*v/(2*least) + least/2
	}
	return v
}

// effectiveRadius is Reff [m] (Morency 2007, equations 3.12 and 3.13).
func (w *wheel) effectiveRadius() float64 {
	p, rr := w.component, &w.component.RollingRadius
	switch rr.Method {
	case "loaded":
		return w.at.Rl
	case "unloaded":
		return p.UnloadedRadius.Value
	}
	nominal := rr.Fz0.Value / p.VerticalStiffness.Value
	rho := (p.UnloadedRadius.Value - w.at.Rl) / nominal
	return p.UnloadedRadius.Value - nominal*(rr.D.Value*math.Atan(rr.B.Value*rho)+rr.F.Value*rho)
}

// evaluate calls the function with the intermediates that it asks for.
func (c *call) evaluate() []float64 {
	for i, from := range c.from {
		c.in[i] = *from
	}
	c.function.Eval(c.in, c.out)
	return c.out
}

// named points to an intermediate by name; nil for a name that none has.
func (t *contact) named(name string) *float64 {
	return map[string]*float64{
		"Fz": &t.Fz, "S": &t.S, "alpha": &t.alpha, "Omega": &t.Omega, "gamma": &t.gamma, "Rl": &t.Rl, "Reff": &t.Reff,
		"VCx": &t.VCx, "VCy": &t.VCy, "VPx": &t.VPx, "VPy": &t.VPy, "VEx": &t.VEx, "VPxs": &t.VPxs, "VExs": &t.VExs,
		"wn": &t.wn, "mu": &t.mu, "q1": &t.q1, "q2": &t.q2,
	}[name]
}

func (w *wheel) quantities(*System) []quantity {
	number := func(name string, v *float64) quantity { return number(w.name+"."+name, v) }
	list := []quantity{
		number("Fx", &w.forceP[0]), number("Fy", &w.forceP[1]), number("Fz", &w.forceP[2]),
		number("Mx", &w.momentP[0]), number("My", &w.momentP[1]), number("Mz", &w.momentP[2]),
		number("kappa", &w.at.S), number("alpha", &w.at.alpha), number("gamma", &w.at.gamma),
		number("R_l", &w.at.Rl), number("R_eff", &w.at.Reff), number("Fz_signed", &w.at.FzSigned),
		{name: w.name + ".contact", value: func(*System, []float64) float64 {
			if w.at.FzSigned > 0 {
				return 1
			}
			return 0
		}},
	}
	if w.relaxation != nil {
		for i, name := range []string{"q1", "q2"} {
			list = append(list, quantity{
				w.name + "." + name,
				func(_ *System, y []float64) float64 { return y[w.slips+i] },
				func(*System, []float64) float64 { return w.slipRate[i] },
			})
		}
	}
	// the coordinates that a tire has as a branch of a tree
	at := w.centre
	list = append(list, three(w.name, positionNames, func(s *System, _ []float64) r3.Vec { return s.at(&at).r }, nil)...)
	list = append(list, three(w.name, [3]string{"x_dot", "y_dot", "z_dot"},
		func(s *System, _ []float64) r3.Vec { return s.at(&at).v }, nil)...)
	list = append(list, three(w.name, [3]string{"yaw", "tilt", "spin"}, func(s *System, _ []float64) r3.Vec {
		m := s.at(&at)
		return triple(m.turns(w.component.Sequence))
	}, nil)...)
	return append(list, three(w.name, spinNames, func(s *System, _ []float64) r3.Vec {
		m := s.at(&at)
		return m.in(m.w)
	}, nil)...)
}
