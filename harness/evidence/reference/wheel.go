package reference

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"skidpad/model/component"
	"skidpad/tire"
)

// wheel is a tire on its road: the contact geometry of a thin disc on a plane and the slips (Morency 2007, chapters 3
// and 4). Vectors are in ground; no shortcut of the tire's own axes is used.
type wheel struct {
	name            string
	component       *component.Tire
	centre, road    marker
	mu              int // input
	force           *call
	relaxation      *call
	carcass         *carcass
	slips           int // unknowns q1, q2, if there is a relaxation, or p1, p2 of a carcass
	at              contact
	slipRate        [2]float64
	forceP, momentP [3]float64 // Fx Fy Fz and Mx My Mz in ISO tire axes
	across          r3.Vec     // uy
	braked          r3.Vec     // moment that brakes apply, and what they hold
}

// contact are the intermediate variables of a tire by the names of its component
// (Morency 2007, Table 4.3).
type contact struct {
	Fz, FzSigned           float64
	S, alpha, gamma, Omega float64 // gamma as functions get it
	Rl, Reff               float64
	VCx, VCy               float64
	VPx, VPy, VEx          float64
	VPxs, VExs             float64
	wn                     float64 // of the angular velocity, along the normal of the road
	mu, q1, q2             float64 // friction scale of the road; delayed slips
	direction              float64 // of travel
	inclination            float64
	upright                float64 // share of the moments, 0 of a tire that lies
	deflection             float64 // of a tire with a conservative contact
	missing                float64 // of the arm of Fx about the spin axis
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
	c.function, err = kind.Make(f.Parameters, f.Combined)
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
	if c.Contact.Method == component.ContactUndeformed || c.Slip.TurnSlip {
		return fmt.Errorf("%s: the reference solver does not know undeformed contacts and turn slip", c.Name)
	}
	w.centre, w.road = s.markers[c.Frame], s.markers[c.Road]
	var known bool
	if w.mu, known = s.inputs.names[s.parts[w.road.part].name+".mu"]; !known {
		return fmt.Errorf("%s: the model has no road %q before this component", c.Name, c.Road)
	}
	var err error
	if w.force, err = newCall(c.Force, &w.at); err != nil {
		return fmt.Errorf("%s: %w", c.Name, err)
	}
	switch {
	case c.Slip.Carcass:
		if w.carcass, err = newCarcass(c, w.force, s.model.Solver.Step); err != nil {
			return fmt.Errorf("%s: %w", c.Name, err)
		}
	case c.Slip.Delayed:
		if w.relaxation, err = newCall(c.Slip.Relaxation, &w.at); err != nil {
			return fmt.Errorf("%s: %w", c.Name, err)
		}
	}
	s.tires = append(s.tires, w)
	s.loads = append(s.loads, w, atRest{w})
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
	w.across, w.braked = uy, r3.Vec{}

	iso := axes{ux, uy, uz}
	toP, toE := w.touch(standing{r, v, spin, sym, iso})
	atP, atE := r3.Add(v, r3.Cross(spin, toP)), r3.Add(v, r3.Cross(spin, toE))
	t.VCx, t.VCy = r3.Dot(v, ux), r3.Dot(v, uy)
	t.VPx, t.VPy = r3.Dot(atP, ux), r3.Dot(atP, uy)
	t.VEx = r3.Dot(atE, ux)
	t.wn = r3.Dot(spin, uz)
	t.VPxs, t.VExs = t.VPx+t.Omega*t.Rl, t.VEx+t.Omega*t.Reff

	t.direction = against(t.VCx / 0.1)
	t.mu = s.inputs.values[w.mu]
	switch {
	case w.carcass != nil:
		w.carcass.inertia = s.inertiaAbout(&w.centre, sym)
		w.slipRate = w.carcass.deflect(t, [2]float64(y[w.slips:]))
		t.q1, t.q2 = w.carcass.q[0], w.carcass.q[1]
	case w.relaxation != nil:
		t.q1, t.q2 = y[w.slips], y[w.slips+1]
		// beside the springs of a standing tire, a damper
		share := max(0, 1-t.VCx*t.VCx/(p.Slip.LowSpeed.Value*p.Slip.LowSpeed.Value))
		damping := p.Slip.LowSpeedDamping.Value * share * share
		t.S, t.alpha = t.q1-damping*t.VEx, math.Atan(t.q2+damping*t.VPy)
		copy(w.slipRate[:], w.relaxation.evaluate())
	default:
		least := p.Slip.MinimumSpeed.Value
		t.S = -t.VEx / divisor(t.VExs, least)
		t.alpha = math.Atan(t.VPy / divisor(t.VPxs, least))
	}
	out := w.force.evaluate()
	w.forceP = [3]float64{out[0], out[1], t.Fz}
	if w.carcass != nil {
		w.forceP[0] = t.upright*out[0] + w.carcass.lying[0]
		w.forceP[1] = t.upright*out[1] + w.carcass.lying[1]
	}
	for i := range w.momentP {
		w.momentP[i] = t.upright * out[2+i]
	}
	f := iso.out(r3.Vec{X: w.forceP[0], Y: w.forceP[1], Z: w.forceP[2]})
	m := iso.out(r3.Vec{X: w.momentP[0], Y: w.momentP[1], Z: w.momentP[2]})
	s.push(w.centre.part, f, r3.Add(c.r, toP))
	s.turn(w.centre.part, r3.Add(m, r3.Scale(-w.forceP[0]*t.missing, sym)))
}

// hasSlips reports whether the tire has unknowns of its own.
func (w *wheel) hasSlips() bool { return w.relaxation != nil || w.carcass != nil }

// divisor is the divisor [m/s] of kinematic slip: a parabola replaces the tip of the absolute value.
func divisor(v, least float64) float64 {
	if v = math.Abs(v); v < least {
		return v*v/(2*least) + least/2
	}
	return v
}

// effectiveRadius is Reff [m] of a tire with a free radius and a loaded one (Morency 2007, equations 3.12 and 3.13).
func (w *wheel) effectiveRadius(free, loaded, deflection float64) float64 {
	p, rr := w.component, &w.component.RollingRadius
	switch rr.Method {
	case "loaded":
		return loaded
	case "unloaded":
		return free
	}
	nominal := rr.Fz0.Value / p.VerticalStiffness.Value
	rho := deflection / nominal
	return free - nominal*(rr.D.Value*math.Atan(rr.B.Value*rho)+rr.F.Value*rho)
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
		"direction": &t.direction,
	}[name]
}

func (w *wheel) quantities(*System) []quantity {
	number := func(name string, v *float64) quantity { return number(w.name+"."+name, v) }
	list := []quantity{
		number("Fx", &w.forceP[0]), number("Fy", &w.forceP[1]), number("Fz", &w.forceP[2]),
		number("Mx", &w.momentP[0]), number("My", &w.momentP[1]), number("Mz", &w.momentP[2]),
		number("kappa", &w.at.S), number("alpha", &w.at.alpha), number("gamma", &w.at.inclination),
		number("R_l", &w.at.Rl), number("R_eff", &w.at.Reff), number("Fz_signed", &w.at.FzSigned),
		{name: w.name + ".contact", value: func(*System, []float64) float64 {
			if w.at.FzSigned > 0 {
				return 1
			}
			return 0
		}},
	}
	if w.component.Contact.Method == component.ContactConservative {
		list = append(list, number("deflection", &w.at.deflection))
	}
	if k := w.carcass; k != nil {
		list = append(list, number("u1", &k.u[0]), number("u2", &k.u[1]), number("q1", &k.q[0]), number("q2", &k.q[1]))
	}
	if w.hasSlips() {
		names := []string{"q1", "q2"}
		if w.carcass != nil {
			names = []string{"p1", "p2"}
		}
		for i, name := range names {
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
