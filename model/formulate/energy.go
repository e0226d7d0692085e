package formulate

import (
	"fmt"
	"strings"

	"skidpad/model/component"
	"skidpad/model/expr"
	"skidpad/model/graph"
	"skidpad/model/program"
)

// again formulates the model a second time, with a pool of its own. Sums are ordered by the creation of their terms:
// expressions made in this pool for the ledger would change the last bits of later expressions, of Jacobians.
func (f *Formulation) again() *Formulation {
	other, err := New(f.Model, f.options)
	if err != nil {
		panic(fmt.Sprintf("formulate: model %s, formulated already: %v", f.Model.Name, err))
	}
	return other
}

// energies are the values of the ledger, and behind them the powers of tires and the loads of motion drivers, in terms
// of this formulation. Kinetic and potential energy of masses belong to their components, the work of prescribed
// motions to the components with the inputs.
func (f *Formulation) energies() *program.SourceSide {
	l := &ledger{Formulation: f, places: map[string]int{}}
	for i := range f.allBodies() {
		b := &f.bodies[i]
		l.add(b.name, component.Energy{Kinetic: f.kinetic(b), Potential: f.weightEnergy(b)})
	}
	each(f, func(c component.Energetic, b component.Builder) { l.add(c.Head().Name, c.Energy(b)) })
	for _, m := range f.Motions {
		rate := &f.Inputs[m[1]]
		l.add(rate.Name[:strings.LastIndexByte(rate.Name, '.')], component.Energy{Supplied: f.motionPower(rate.Symbol)})
	}
	for _, m := range f.moved {
		l.add(m.component, component.Energy{Supplied: f.motionPower(m.rate)})
	}
	each(f, func(c component.Transmitting, b component.Builder) {
		for _, power := range c.Powers(b) {
			l.values = append(l.values, power)
		}
	})
	for _, d := range f.driveLoads() {
		l.values = append(l.values, d.Value)
	}
	return &program.SourceSide{Of: f.Source(), Given: f.returned(), Values: l.values, Ledger: l.entries}
}

// ledger collects the values of energies.
type ledger struct {
	*Formulation
	places  map[string]int // of components among the entries
	entries []program.LedgerEntry
	values  []*expr.Expr
}

// add adds the energy that a component stores, supplies and dissipates.
func (l *ledger) add(name string, e component.Energy) {
	parts := [program.EnergyParts]*expr.Expr{
		program.KineticEnergy: e.Kinetic, program.PotentialEnergy: e.Potential,
		program.ElectricalEnergy: e.Electrical, program.HydraulicEnergy: e.Hydraulic,
		program.SuppliedPower: e.Supplied, program.DissipatedPower: e.Dissipated,
	}
	for part, value := range parts {
		if value == nil || value.IsZero() {
			continue
		}
		at, known := l.places[name]
		if !known {
			at = len(l.entries)
			l.places[name] = at
			l.entries = append(l.entries, program.LedgerEntry{Component: name})
		}
		l.entries[at].Values[part] = append(l.entries[at].Values[part], len(l.values))
		l.values = append(l.values, value)
	}
}

var half = expr.Fraction(1, 2)

// kinetic returns the kinetic energy of a body.
func (f *Formulation) kinetic(b *body) *expr.Expr {
	p := f.Pool
	v := f.points[b.node].velocity
	if b.along != nil {
		v = f.resolve(v, f.classes[0].frame)
	}
	twice := p.Dot(v, f.inertialForce(b, v))
	if b.inertia != nil {
		w := f.resolve(f.classes[f.classOf[b.node]].omega, b.frame)
		twice = p.Add(twice, p.Dot(w, f.momentum(b, w)))
	}
	return p.Scale(half, twice)
}

// weightEnergy is the potential energy of a body's weight, 0 in the origin of ground.
func (f *Formulation) weightEnergy(b *body) *expr.Expr {
	p := f.Pool
	place := f.Across(graph.Ground, b.node, Position, f.classes[0].frame)
	return p.Neg(p.Mul(b.mass, p.Dot(f.gravity(), place)))
}

// motionPower is the power of a prescribed motion. The powers of the reactions in all branches and constraints cancel
// along the speeds, but not along the velocities v that the motion adds by itself,
//
//	sum of (m a - F).v + (J alpha + w x J w - M).w  +  f e
//
// with F and M all loads on nodes and frames, including weight, f the multipliers of constraints and e the contribution
// of the motion to their rates. Loads along lengths add their power in the same way.
func (f *Formulation) motionPower(rate *expr.Expr) *expr.Expr {
	p := f.Pool
	brought := p.NewDerivative(rate.Name(), map[*expr.Expr]*expr.Expr{rate: rate})
	of := func(v expr.Vector) expr.Vector {
		for i := range v.X {
			v.X[i] = brought.Of(v.X[i])
		}
		return v
	}
	moved := func(node int) expr.Vector { return of(f.points[node].velocity) }
	turned := func(class int) expr.Vector { return of(f.classes[class].omega) }
	var terms []*expr.Expr
	add := func(load, along expr.Vector) {
		if !along.IsZero() {
			terms = append(terms, p.Dot(f.resolve(load, along.Frame), along))
		}
	}
	bodies := f.allBodies()
	for i := range bodies {
		b := &bodies[i]
		if v := moved(b.node); !v.IsZero() {
			acceleration := f.acceleration(graph.Ground, b.node, f.classes[0].frame)
			add(p.SubV(f.inertialForce(b, acceleration), p.ScaleV(b.mass, f.gravity())), v)
		}
		if b.inertia == nil {
			continue
		}
		if class := f.classOf[b.node]; !turned(class).IsZero() {
			w := f.resolve(f.classes[class].omega, b.frame)
			alpha := f.angularAcceleration(class, b.frame)
			add(p.AddV(f.momentum(b, alpha), p.Cross(w, f.momentum(b, w))), turned(class))
		}
	}
	for _, l := range f.pushed {
		add(p.NegV(l.Vector), moved(l.at))
	}
	for _, l := range f.twisted {
		add(p.NegV(l.Vector), turned(f.classOf[l.at]))
	}
	for _, l := range f.led {
		if share := brought.Of(l.on.Rate); !share.IsZero() {
			terms = append(terms, p.Neg(p.Mul(l.load, share)))
		}
	}
	for i := range f.Constraints {
		if f.Constraints[i].ofNetwork { // among the loads
			continue
		}
		if e := brought.Of(f.Constraints[i].Velocity); !e.IsZero() {
			terms = append(terms, p.Mul(f.Solution[len(f.Speeds)+i], e))
		}
	}
	return p.Add(terms...)
}

// angularAcceleration is the angular acceleration of a class, including the terms in pdot.
func (f *Formulation) angularAcceleration(class int, frame expr.Frame) expr.Vector {
	p := f.Pool
	a := f.resolve(f.classes[class].alpha, frame)
	for _, k := range f.classes[class].moved {
		a = p.AddV(a, p.ScaleV(f.Speeds[k].Rate, f.resolve(f.speedAxis(k, class), frame)))
	}
	return a
}
