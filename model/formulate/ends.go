package formulate

import (
	"cmp"
	"math"
	"slices"

	"skidpad/model/component"
	"skidpad/model/expr"
	"skidpad/model/program"
)

// end is a condition that ends runs. It holds where its margin is above 0.
type end struct {
	program.End
	margin *expr.Expr
}

// A body of the vehicle is a rigid body with at least this share of the model's mass that is not a body of revolution.
// Hubs, forks and wheels are no such bodies; tractor and trailer are two.
const bodyShare = 0.1

// mostOfSingleTrack is how many wheels a vehicle has at most that falls over instead of rolling over.
const mostOfSingleTrack = 2

// Where a vehicle is beyond what it is driven for.
var (
	mostLean = expr.FromFloat(math.Sin(1.5))                // sine of the angle of a body's y axis to the road
	mostRoll = expr.FromFloat(math.Cos(80 * math.Pi / 180)) // cosine of the angle of its z axis to the road's normal
)

// findEnds finds the conditions that end runs, by name and in the order of the components. The road is the road of the
// first wheel. Conditions that no state can meet are left out.
func (f *Formulation) findEnds() {
	wheels := component.All[component.Wheeled](f.scope)
	if len(wheels) == 0 {
		return
	}
	p, bodies := f.Pool, f.vehicleBodies()
	ground := wheels[0].Wheel().Road
	toGround := func(c component.Heavy, axis int) *expr.Expr {
		return f.builder(c).Orientation(c.Lump().Frame, ground).M[2][axis]
	}
	add := func(name string, c component.Component, margin *expr.Expr, byDefault bool) {
		if margin.Kind() != expr.Number {
			f.ends = append(f.ends, end{program.End{Name: name, Component: c.Head().Name, Default: byDefault}, margin})
		}
	}
	leaning := func(c component.Component, sine *expr.Expr) {
		margin := p.Sub(p.Call(expr.Abs, sine), p.Num(mostLean))
		add(program.Fallen, c, margin, len(wheels) <= mostOfSingleTrack)
	}
	switch {
	case len(wheels) > mostOfSingleTrack: // it rolls over
	case len(bodies) > 0:
		heaviest := slices.MaxFunc(bodies, func(a, b component.Heavy) int {
			return cmp.Compare(a.Lump().Mass.Value, b.Lump().Mass.Value)
		})
		leaning(heaviest, toGround(heaviest, 1))
	default:
		for _, c := range wheels {
			b, w := f.builder(c), c.Wheel()
			leaning(c, b.Resolve(b.Unit(b.Axes(w.Frame), w.Axis), b.Axes(w.Road)).X[2])
		}
	}
	byDefault := false
	var ofTires []func(name string)
	each(f, func(c component.Ending, b component.Builder) {
		list := c.Ends(b)
		byDefault = byDefault || slices.ContainsFunc(list, func(e component.End) bool { return e.Default })
		ofTires = append(ofTires, func(name string) {
			for _, e := range list {
				if e.Name == name {
					add(name, c, e.Margin, e.Default)
				}
			}
		})
	})
	for _, c := range bodies {
		add(program.RolledOver, c, p.Sub(p.Num(mostRoll), toGround(c, 2)), byDefault)
	}
	for _, name := range []string{program.BelowRoad, program.Crushed} {
		for _, tire := range ofTires {
			tire(name)
		}
	}
}

// vehicleBodies are the bodies that can fall or roll over.
func (f *Formulation) vehicleBodies() []component.Heavy {
	all := component.All[component.Heavy](f.scope)
	total := 0.0
	for _, c := range all {
		total += c.Lump().Mass.Value
	}
	return slices.DeleteFunc(all, func(c component.Heavy) bool {
		l := c.Lump()
		return !l.Rigid || l.Inertia.Axisymmetric || l.Mass.Value < bodyShare*total || !f.builder(c).HasAxes(l.Frame)
	})
}

// endMargins are the margins of the end conditions of runs, and of the tables that runs must not leave.
func (f *Formulation) endMargins() *program.SourceSide {
	s := &program.SourceSide{}
	for _, e := range f.ends {
		s.Values = append(s.Values, e.margin)
	}
	for i := range f.ranges {
		s.Values = append(s.Values, f.beyond(&f.ranges[i]))
	}
	return s
}
