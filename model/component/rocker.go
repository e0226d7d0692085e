package component

import (
	"fmt"

	"skidpad/model/curve"
	"skidpad/model/expr"
	"skidpad/model/graph"
	"skidpad/model/keys"
)

var rockerType = Type{
	Word: "rocker",
	Text: "angle of a rocker, a lever or an arm that follows the travel of a suspension",
	Keys: []keys.Key{
		{Name: "joint", Shape: keys.TextShape, Names: keys.Components, Text: "suspension whose travel moves it"},
		asymmetric(keys.OverSteering, orSurface(keys.Key{Name: "angle", Shape: keys.CurveShape, Unit: "m, rad",
			Smooth: true, Mirror: keys.Stays, Text: "angle over the travel; as a surface over the second variable of the " +
				"suspension's surfaces, too"}, "m", "rad")),
		{Name: "also", Shape: keys.TablesShape, Optional: true, Text: "joints that turn it, too, such as joints that yield",
			Keys: []keys.Key{
				{Name: "joint", Shape: keys.TextShape, Names: keys.Components,
					Text: "prismatic or revolute joint, strut or suspension"},
				scalar("ratio", "", "", "angle per coordinate of the joint [rad/m, 1]"),
			}},
	},
	Read: func(h keys.Header, f *keys.Fields) Component {
		c := &Rocker{Header: h, Joint: f.Text("joint")}
		c.From, c.To = f.Reader.Ends(c.Joint)
		if word := f.Reader.TypeOf(c.Joint); word != suspensionType.Word && word != "" {
			f.Fault("joint", "%s.joint is %s, a %s; a rocker follows the travel of a suspension", h.Name, c.Joint, word)
		}
		c.Angle, c.Surface = overTravel(f, "angle", c.Joint)
		for _, a := range f.List("also") {
			c.Also = append(c.Also, RockedBy{a.Text("joint"), a.Scalar("ratio"), a.Position("joint")})
		}
		return c
	},
}

// Rocker is a coordinate without mass: an angle over the travel of a suspension and its second variable. Springs and
// anti-roll bars act on it as on a revolute joint.
type Rocker struct {
	keys.Header
	Joint    string         // suspension
	From, To string         // of it
	Angle    *curve.Curve   // rad over m
	Surface  *curve.Surface // in its place, over m and m or rad
	Also     []RockedBy
}

// RockedBy is a joint that turns a rocker.
type RockedBy struct {
	Joint string
	Ratio keys.Scalar // rad/m, 1
	Pos   keys.Position
}

// overTravel reads a curve over the travel of a suspension, or a surface over its second variable, too.
func overTravel(f *keys.Fields, key, suspension string) (*curve.Curve, *curve.Surface) {
	second, turns := f.Reader.Second(suspension)
	f.Turning = turns
	line, surface := f.CurveOrSurface(key)
	f.Turning = false
	if surface != nil && second == "" {
		f.Fault(key, "%s.%s is a surface, and %s has no second variable: give %s the key steer or other, with a "+
			"surface, or make %s a curve over the travel", f.Path, key, suspension, suspension, key)
	}
	return line, surface
}

func (*Rocker) Frames() Frames { return Frames{} }

// Edges: it moves no frame.
func (*Rocker) Edges(*Scope) []graph.Edge { return nil }

// Check makes sure of the suspension.
func (c *Rocker) Check(s *Scope, r *keys.Reader) {
	if _, is := Named[guiding](s, c.Joint); !is {
		r.Place(r.Naming(c.Head(), c.Joint, "joint"), "%s.joint is %q; it must be a suspension%s", c.Name, c.Joint,
			s.Nearest(c.Joint))
	}
	for _, by := range c.Also {
		if _, is := Named[Jointed](s, by.Joint); !is || r.TypeOf(by.Joint) == c.Type {
			r.Place(by.Pos, "%s.also names %q; it must be a prismatic or revolute joint, a strut or a suspension%s", c.Name,
				by.Joint, s.Nearest(by.Joint))
		}
	}
}

// Law: others act on it.
func (*Rocker) Law(Builder) {}

// Moves implements Jointed. The ends are those of the suspension.
func (c *Rocker) Moves() Movement {
	return Movement{Domain: graph.Rotation, From: c.From, To: c.To}
}

// Coordinate is the angle p(q, s) + sum r_i x_i over the travel q, the second variable s and further coordinates x_i:
// p' = p_q q' + p_s s' + sum r_i x_i'.
func (c *Rocker) Coordinate(b Builder) Coordinate {
	x := led(b, graph.Rotation, "angle", c.Joint, "", c.Angle, c.Surface)
	if len(c.Also) == 0 {
		return x
	}
	p, values, rates := b.Pool(), []*expr.Expr{x.Value}, []*expr.Expr{x.Rate}
	for i, by := range c.Also {
		on := coordinateOf(b, by.Joint)
		if on.Value == nil {
			return on
		}
		ratio := b.Number(fmt.Sprintf("ratio_%d", i+1), by.Ratio)
		values, rates = append(values, p.Mul(ratio, on.Value)), append(rates, p.Mul(ratio, on.Rate))
	}
	x.Value, x.Rate = b.Define("angle", p.Add(values...)), b.Define("angle_rate", p.Add(rates...))
	return x
}

// led is a value over the travel of a suspension and a second variable: the travel of another one, or else the second
// variable of its surfaces.
func led(b Builder, d graph.Domain, key, suspension, other string, line *curve.Curve,
	surface *curve.Surface) Coordinate {
	p, name := b.Pool(), key+"_"+b.Head().Name
	guide, _ := Named[guiding](b.Scope(), suspension)
	travel, ends := guide.Coordinate(b.For(guide)), guide.Moves()
	x := Coordinate{Domain: d, From: ends.From, To: ends.To, Speed: -1}
	if line != nil {
		l := b.Curve(name, line, travel.Value)
		x.Value, x.Rate = l.Value, b.Define("rate", p.Mul(l.Slope, travel.Rate))
		return x
	}
	var second Motion
	if of, is := Named[guiding](b.Scope(), other); is {
		y := of.Coordinate(b.For(of))
		second.Position, second.Rate = y.Value, y.Rate
	} else {
		second = guide.Following(b.For(guide))
	}
	x.Value = b.Surface(name, surface, travel.Value, second.Position)
	x.Rate = b.Define("rate", p.Add(p.Mul(b.Define("slope", p.Diff(x.Value, travel.Value)), travel.Rate),
		p.Mul(b.Define("second_slope", p.Diff(x.Value, second.Position)), second.Rate)))
	return x
}

// IgnoresTurn: it follows travels.
func (*Rocker) IgnoresTurn(Turn) bool { return true }

// Observed is the angle.
func (c *Rocker) Observed(b Builder) {
	b.Publish("angle", "rad", "angle", c.Coordinate(b).Value)
}
