package model

import (
	"slices"
)

// checkDriveline: what a component acts on exists, is of the right type, and nothing else acts on it.
func (r *reader) checkDriveline() {
	taken := map[string]string{}
	there := func(at Position, by *Header, name, needs string, fits func(Component) bool) bool {
		c := r.scope.Find(name)
		switch {
		case c == nil:
			r.Place(at, "%s %s names %q, which does not exist%s", by.Type, by.Name, name, r.nearestComponent(name))
		case !fits(c):
			r.Place(at, "%s %s names %q, which is a %s; it needs %s", by.Type, by.Name, name, c.Head().Type, needs)
		}
		return c != nil && fits(c)
	}
	take := func(at Position, by *Header, name, needs string, fits func(Component) bool) {
		switch {
		case !there(at, by, name, needs, fits):
		case taken[name] == by.Name:
			r.Place(at, "%s %s names %q twice", by.Type, by.Name, name)
		case taken[name] != "":
			r.Place(at, "%s %s names %q, on which %s acts already", by.Type, by.Name, name, taken[name])
		default:
			taken[name] = by.Name
		}
	}
	turns := func(c Component) bool { d, ok := c.(*MotionDriver); return ok && !d.Translation }
	brakes := func(c Component) bool { d, ok := c.(*TorqueDriver); return ok && d.Brake }
	hinge := func(c Component) bool { _, ok := c.(*Revolute); return ok }
	shaft := func(c Component) bool { _, ok := c.(*Differential); return ok || hinge(c) }
	for _, c := range r.model.Components {
		switch c := c.(type) {
		case *Steering:
			for _, w := range c.Wheels {
				take(w.Pos, c.Head(), w.Driver, "a motion-driver of a rotation", turns)
			}
		case *BrakeDistribution:
			for _, a := range c.Axles {
				for _, name := range a.Brakes {
					take(a.Pos, c.Head(), name, "brakes", brakes)
				}
			}
		case *Differential:
			at := r.Root.Field("component").Field(c.Name).Field("outputs")
			for i, name := range c.Outputs {
				take(r.Position(at.Items[i]), c.Head(), name, "revolute joints or differentials", shaft)
			}
		case *Engine:
			take(r.key(c.Head(), c.Drives, "drives"), c.Head(), c.Drives, "a revolute joint or a differential", shaft)
			r.checkRotor(c)
		case *Gearbox:
			at := r.key(c.Head(), c.Drives, "drives")
			there(r.key(c.Head(), c.Input, "input"), c.Head(), c.Input, "a revolute joint", hinge)
			take(at, c.Head(), c.Drives, "a revolute joint or a differential", shaft)
			if c.Input == c.Drives {
				r.Place(at, "gearbox %s drives its own input; let it drive another shaft", c.Name)
			}
		}
	}
	r.checkDifferentials()
}

// checkRotor: what turns with an engine is a part of the body that carries it.
func (r *reader) checkRotor(e *Engine) {
	for _, c := range r.model.Components {
		b, ok := c.(*RigidBody)
		if !ok || b.Frame != e.Frame {
			continue
		}
		about, j := 0.0, b.Inertia.Matrix()
		for i := range 3 {
			for k := range 3 {
				about += e.Axis[i] * j[i][k] * e.Axis[k]
			}
		}
		if e.Inertia.Value > about {
			r.Place(e.Inertia.Pos, "%s.inertia is %s; it is a part of %s, which has %.6g kg m2 about that axis", e.Name,
				e.Inertia.Text, b.Name, about)
		}
	}
}

// checkDifferentials refuses one that drives itself through others.
func (r *reader) checkDifferentials() {
	for _, c := range r.model.Components {
		d, ok := c.(*Differential)
		if !ok {
			continue
		}
		seen := map[string]bool{}
		var reaches func(from *Differential) bool
		reaches = func(from *Differential) bool {
			if seen[from.Name] {
				return false
			}
			seen[from.Name] = true
			return slices.ContainsFunc(from.Outputs[:], func(name string) bool {
				next, ok := r.scope.Find(name).(*Differential)
				return ok && (next == d || reaches(next))
			})
		}
		if reaches(d) {
			r.Place(d.Pos, "differential %s drives itself; let something else drive it", d.Name)
		}
	}
}

// Driver returns the engine, gearbox or differential that drives a joint or differential, nil for none.
func (m *Model) Driver(name string) Component {
	for _, c := range m.Components {
		switch c := c.(type) {
		case *Differential:
			if slices.Contains(c.Outputs[:], name) {
				return c
			}
		case *Engine:
			if c.Drives == name {
				return c
			}
		case *Gearbox:
			if c.Drives == name {
				return c
			}
		}
	}
	return nil
}
