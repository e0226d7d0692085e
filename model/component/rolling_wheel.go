package component

import (
	"skidpad/model/expr"
	"skidpad/model/graph"
	"skidpad/model/keys"
)

var rollingWheelType = Type{
	Word: "rolling-wheel",
	Text: "wheel that rolls without slip on a plane road, instead of a tire",
	Keys: []keys.Key{
		frame("frame", "frame of the wheel at its centre, y axis to the left"),
		frame("road", "frame of the road"),
		positive("radius", "m", "radius"),
		nonnegative("crown_radius", "m", "0", "radius of the cross-section of a torus; 0: a thin disc"),
		reactionsKey,
	},
	Read: func(h keys.Header, f *keys.Fields) Component {
		return &RollingWheel{h, f.Text("frame"), f.Text("road"), f.Scalar("radius"), f.Scalar("crown_radius")}
	},
}

// RollingWheel lets a wheel roll on the plane of a road without slip. The y axis of the wheel's frame points to the
// left. The wheel is a disc, or a torus with the crown radius.
type RollingWheel struct {
	keys.Header
	Frame, Road         string
	Radius, CrownRadius keys.Scalar // m
}

func (c *RollingWheel) Frames() Frames {
	return Frames{Uses: []string{c.Frame, c.Road}, Axes: []string{c.Frame, c.Road}}
}

func (c *RollingWheel) Edges(*Scope) []graph.Edge {
	return law("T1", graph.Translation, c.Road, c.Frame)
}

// Check: a torus has a hole, and the road is a plane.
func (c *RollingWheel) Check(s *Scope, r *keys.Reader) {
	if c.CrownRadius.Value >= c.Radius.Value {
		r.Place(c.CrownRadius.Pos, "%s.crown_radius is %s; it must be below the radius %s",
			c.Name, c.CrownRadius.Text, c.Radius.Text)
	}
	checkPlane(s, r, c.Head(), c.Road)
}

// Wheel spins about y.
func (c *RollingWheel) Wheel() Wheel {
	return Wheel{Frame: c.Frame, Axis: 1, Radius: c.Radius, Road: c.Road}
}

// Law: constraints are all.
func (*RollingWheel) Law(Builder) {}

// Restrain lets the wheel roll on a plane without slip. Let u be the axis of the wheel, n the normal of the road, c =
// |u x n|, t = u x n/c along the path and s = n x t to the left. The lowest point of a disc of radius R, or of a torus
// with crown radius p, is at
//
//	a = (R - p) (u x t) - p n
//
// from the centre. Its height vanishes, and so does the velocity v + w x a of the wheel's
// material there: a holonomic constraint along n and two nonholonomic ones, along t and s.
func (c *RollingWheel) Restrain(b Builder) {
	p := b.Pool()
	plane := b.Axes(c.Road)
	u := b.Resolve(b.Unit(b.Axes(c.Frame), 1), plane)
	zero := p.Int(0)
	secant := b.Define("secant", p.Pow(p.Call(expr.Sqrt, p.Add(p.Pow(u.X[0], 2), p.Pow(u.X[1], 2))), -1))
	along := expr.Vector{Frame: plane, X: [3]*expr.Expr{p.Mul(u.X[1], secant), p.Neg(p.Mul(u.X[0], secant)), zero}}
	across := expr.Vector{Frame: plane, X: [3]*expr.Expr{p.Mul(u.X[0], secant), p.Mul(u.X[1], secant), zero}}
	along, across = b.DefineV("along", along), b.DefineV("across", across)

	radius, crown := b.Scalar("radius", "m", c.Radius), b.Scalar("crown_radius", "m", c.CrownRadius)
	arm := p.ScaleV(p.Sub(radius, crown), p.Cross(u, along))
	arm.X[2] = p.Sub(arm.X[2], crown)
	arm = b.DefineV("arm", arm)
	keepVector(b, "along", along)
	keepVector(b, "across", across)
	keepVector(b, "arm", arm)

	r := b.Position(c.Road, c.Frame, plane)
	velocity := relativeVelocity(b, c.Road, c.Frame, r)
	velocity = b.DefineV("slip", p.AddV(velocity, p.Cross(b.AngularVelocity(c.Road, c.Frame, plane), arm)))

	b.Rate("1", zero, p.Dot(along, velocity))
	b.Rate("2", zero, p.Dot(across, velocity))
	height := p.Add(r.X[2], arm.X[2])
	b.Rate("3", height, velocity.X[2])
	b.Publish("value", "m", "height of the contact point, which must be 0", height)
}

// relativeVelocity is the velocity of the origin of frame `to` relative to frame `from`; r is the position of the
// origin in `from`.
func relativeVelocity(b Builder, from, to string, r expr.Vector) expr.Vector {
	p := b.Pool()
	velocity := b.Velocity(from, to, r.Frame)
	if turning := b.AngularVelocity(graph.GroundFrame, from, r.Frame); !turning.IsZero() {
		velocity = p.SubV(velocity, p.Cross(turning, r))
	}
	return velocity
}

// Couples: its constraints do.
func (c *RollingWheel) Couples() bool { return true }

// Observed are the forces of the road on the wheel: the reactions of its constraints.
func (c *RollingWheel) Observed(b Builder) {
	for _, o := range []struct{ row, key, text string }{
		{"1", "Fx", "longitudinal"}, {"2", "Fy", "lateral"}, {"3", "Fz", "normal"},
	} {
		b.Publish(o.key, "N", o.text+" force of the road on the wheel", b.Pool().Neg(b.Reaction(o.row)))
	}
}

// Holds: the road is the tail.
func (c *RollingWheel) Holds() (tail, head string) { return c.Road, c.Frame }

// Wrenches are the force of the road at the contact, and the opposite on the road.
func (c *RollingWheel) Wrenches(b Builder, multiplier func(row string) *expr.Expr) []Wrench {
	p := b.Pool()
	plane := b.Axes(c.Road)
	force := p.AddV(p.ScaleV(multiplier("1"), keptVector(b, "along", plane)),
		p.ScaleV(multiplier("2"), keptVector(b, "across", plane)), p.ScaleV(multiplier("3"), b.Unit(plane, 2)))
	return atContact(b, c.Road, c.Frame, keptVector(b, "arm", plane), b.DefineV("of_road", p.NegV(force)))
}

// atContact are a force on a wheel at an arm from its centre, and the opposite on the road.
func atContact(b Builder, road, wheel string, arm, force expr.Vector) []Wrench {
	p := b.Pool()
	opposite, place := p.NegV(force), p.AddV(b.Position(road, wheel, force.Frame), arm)
	return []Wrench{{wheel, force, p.Cross(arm, force)}, {road, opposite, p.Cross(place, opposite)}}
}

// IgnoresTurn: its axle is y.
func (c *RollingWheel) IgnoresTurn(t Turn) bool { return t.Axis == 1 && !t.Tail }
