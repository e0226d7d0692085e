package component

import (
	"skidpad/model/expr"
	"skidpad/model/graph"
	"skidpad/model/keys"
)

var parallelogramType = Type{
	Word: "parallelogram",
	Text: "four points that stay the corners of a parallelogram",
	Keys: []keys.Key{
		frame("corner", "first corner"),
		frame("from", "second corner"),
		frame("opposite", "third corner"),
		frame("to", "fourth corner"),
		activeKey, reactionsKey,
	},
	Read: func(h keys.Header, f *keys.Fields) Component {
		return &Parallelogram{h, [4]string{f.Text("corner"), f.Text("from"), f.Text("opposite"), f.Text("to")},
			f.Scalar("active")}
	},
}

// Parallelogram: Corners[0] + Corners[2] = Corners[1] + Corners[3].
type Parallelogram struct {
	keys.Header
	Corners [4]string
	Active  keys.Scalar
}

func (c *Parallelogram) Frames() Frames {
	return Frames{Uses: c.Corners[:]}
}

// Edges: a constraint between four nodes; its edges show the frames that it joins.
//
//	T1 A -> B, T2 B -> C, T3 C -> D
func (c *Parallelogram) Edges(*Scope) []graph.Edge {
	var list []graph.Edge
	for i, name := range []string{"T1", "T2", "T3"} {
		list = append(list, graph.Law(name, graph.Translation, c.Corners[i], c.Corners[i+1]))
	}
	return list
}

// Check has nothing to add to the keys.
func (*Parallelogram) Check(*Scope, *keys.Reader) {}

// Law: constraints are all.
func (*Parallelogram) Law(Builder) {}

// Restrain: Phi = (p_A - p_B) + (p_C - p_D), along the axes of ground that the points move along.
func (c *Parallelogram) Restrain(b Builder) {
	p := b.Pool()
	first, second := b.Leg(c.Corners[1], c.Corners[0]), b.Leg(c.Corners[3], c.Corners[2])
	position := p.AddV(first.Position, second.Position)
	velocity, bias := p.AddV(first.Velocity, second.Velocity), p.AddV(first.Acceleration, second.Acceleration)
	active := activity(b, c.Active)
	for i := range 3 {
		partials, moves := b.NoPartials(), false
		for _, leg := range []Leg{first, second} {
			for k := range partials {
				if v, ok := leg.Partials[k]; ok {
					partials[k] = p.Add(partials[k], v.X[i])
					moves = moves || !partials[k].IsZero()
				}
			}
		}
		if moves {
			axis := "_" + string("xyz"[i])
			b.Row(Row{
				Name: c.Name + axis, Position: position.X[i], Velocity: velocity.X[i], Partials: partials,
				Bias:   bias.X[i],
				Active: active,
			}, "value"+axis, "m")
		}
	}
}

// Holds: the opposite corner is the tail.
func (c *Parallelogram) Holds() (tail, head string) { return c.Corners[2], c.Corners[3] }

// Wrenches are the same force on two corners, and the opposite on the two others.
func (c *Parallelogram) Wrenches(b Builder, multiplier func(row string) *expr.Expr) []Wrench {
	p := b.Pool()
	force := p.ZeroVector(b.Axes(graph.GroundFrame))
	for i := range force.X {
		if f := multiplier("value_" + string("xyz"[i])); f != nil {
			force.X[i] = f
			if active := activity(b, c.Active); active != nil {
				force.X[i] = p.Mul(active, f)
			}
		}
	}
	force = b.DefineV("on_to", force)
	return []Wrench{
		{Frame: c.Corners[3], Force: force}, {Frame: c.Corners[2], Force: p.NegV(force)},
		{Frame: c.Corners[1], Force: force}, {Frame: c.Corners[0], Force: p.NegV(force)},
	}
}

// Couples: its constraints do.
func (c *Parallelogram) Couples() bool { return true }

// IgnoresTurn: the component depends on origins only, which are on the axis of the rotation.
func (c *Parallelogram) IgnoresTurn(Turn) bool { return true }
