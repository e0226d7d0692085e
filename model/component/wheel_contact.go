package component

import (
	"fmt"
	"slices"

	"skidpad/model/expr"
	"skidpad/model/graph"
	"skidpad/model/keys"
	"skidpad/model/program"
)

var wheelContactType = Type{
	Word: "wheel-contact",
	Text: "point of a wheel that rolls on a terrain, bounces off it or flies",
	Keys: []keys.Key{
		frame("contact", "point mass that touches the terrain"),
		frame("rim", "point mass at the centre of the wheel"),
		{Name: "terrain", Shape: keys.TextShape, Names: keys.Components, Text: "terrain component"},
		fraction("e_vert", "0.9", "share of the normal speed that remains after an impact"),
		fraction("e_hor", "0.9", "share of the tangential speed that remains after an impact"),
		nonnegative("friction", "N.s/m", "0", "cw, rolling resistance per speed, on the rim"),
		fraction("rolling_velocity", "0",
			"0: a rolling contact mass has the velocity of the rim; 1: only the tangential part of it"),
		scalar("initial_mode", "1", "-1",
			"0: in the air, 1: rolling, -1: rolling where the mass starts on the terrain"),
		reactionsKey,
	},
	Read: func(h keys.Header, f *keys.Fields) Component {
		return &WheelContact{h, f.Text("contact"), f.Text("rim"), f.Text("terrain"), f.Scalar("e_vert"),
			f.Scalar("e_hor"), f.Scalar("friction"), f.Scalar("rolling_velocity"), f.Scalar("initial_mode")}
	},
}

// WheelContact lets a point mass touch a terrain (van Iwaarden 2003, section 1.5).
type WheelContact struct {
	keys.Header
	Contact, Rim, Terrain string
	EVert, EHor           keys.Scalar // 1
	Friction              keys.Scalar // N s/m
	RollingVelocity       keys.Scalar // 0: the rim's, 1: only the rim's tangential part
	InitialMode           keys.Scalar // 0, 1, or -1: by the height at the start
}

func (c *WheelContact) Frames() Frames {
	return Frames{Uses: []string{c.Contact, c.Rim}}
}

func (c *WheelContact) Edges(*Scope) []graph.Edge {
	return law("T1", graph.Translation, graph.GroundFrame, c.Rim)
}

// Check: it changes the state of one point mass by that of another.
func (c *WheelContact) Check(s *Scope, r *keys.Reader) {
	for _, end := range []struct{ key, frame string }{{"contact", c.Contact}, {"rim", c.Rim}} {
		masses := 0
		for _, other := range s.list {
			if f := other.Frames(); f.Point && f.Joins[1] == end.frame {
				masses++
			}
		}
		if masses != 1 {
			r.Place(r.Naming(c.Head(), end.frame,
				end.key), "wheel-contact %s needs a point mass as %s; the frame %q has %d",
				c.Name, end.key, end.frame, masses)
		}
	}
	if _, is := Named[Uneven](s, c.Terrain); !is {
		at := r.Naming(c.Head(), c.Terrain, "terrain")
		if s.Find(c.Terrain) == nil {
			r.Place(at, "wheel-contact %s names the terrain %q, which does not exist%s", c.Name, c.Terrain,
				s.Nearest(c.Terrain))
		} else {
			r.Place(at, "wheel-contact %s names %q as its terrain, which is something else", c.Name, c.Terrain)
		}
	}
	if m := c.InitialMode; m.Value != 0 && m.Value != 1 && m.Value != -1 {
		r.Place(m.Pos, "%s.initial_mode is %s; it must be 0, 1 or -1", c.Name, m.Text)
	}
}

// OnPlane: there is no such thing.
func (c *WheelContact) OnPlane() (Component, error) {
	return nil, fmt.Errorf("%s: wheel contacts act between steps and cannot be linearised", c.Name)
}

// Law applies the friction of a rolling wheel to its rim,
//
//	F = -cw (v - (v.n) n),  v the velocity of the rim,
//
// (van Iwaarden 2003, 4.3.4; partial-vehicle specification, 5.3, 5.6) and describes the rest. The indices of controls
// are counted among the controls.
func (c *WheelContact) Law(b Builder) {
	w := program.WheelContact{Name: c.Name, Terrain: b.TerrainIndex(c.Terrain)}
	axes, ok := c.states(b, &w)
	if !ok {
		return
	}
	constant := func(key, text string, s keys.Scalar) int { return b.EngineConstant(b.Settable(key, "1", text, s)) }
	w.EVert = constant("e_vert", "share of the normal speed that remains after an impact", c.EVert)
	w.EHor = constant("e_hor", "share of the tangential speed that remains after an impact", c.EHor)
	w.RollingVelocity = constant("rolling_velocity", "velocity of a rolling contact mass; 0: that of the rim, 1: the "+
		"tangential part of it",
		c.RollingVelocity)
	w.InitialMode = constant("initial_mode", "mode at the start; 0: in the air, 1: rolling, -1: by the height at the "+
		"start", c.InitialMode)
	b.Input("terrain_z", "m", "height that is added to the terrain under this wheel", 0)
	w.Height = b.InputIndex("terrain_z")

	p := b.Pool()
	var mode *expr.Expr
	mode, w.Mode = b.Control("mode", "1", 0)
	ground := b.Axes(graph.GroundFrame)
	normal := expr.Vector{Frame: ground}
	for k := range 3 {
		start := 0.0
		if k == 2 {
			start = 1
		}
		normal.X[k], w.Normal[k] = b.Control("normal_"+string("xyz"[k]), "1", start)
		if !slices.Contains(axes, k) {
			normal.X[k] = p.Int(0)
		}
	}
	friction := b.Settable("friction", "N.s/m", "rolling resistance per speed, on the rim", c.Friction)
	// 1 while rolling, which is mode 1; 0 in the air and after an impact, 0 and 2
	rolling := b.Define("rolling", p.Mul(mode, p.Sub(p.Int(2), mode)))
	v := b.Velocity(graph.GroundFrame, c.Rim, ground)
	tangential := p.SubV(v, p.ScaleV(p.Dot(v, normal), normal))
	resistance := b.DefineV("friction", p.NegV(p.ScaleV(p.Mul(friction, rolling), tangential)))
	b.Force(c.Rim, resistance)
	keepVector(b, "friction", resistance)

	publishPosition(b, graph.GroundFrame, c.Contact, ground, "of the contact mass in ground")
	if c.Reactions != "" {
		c.impulses(b, &w)
	}
	b.Publish("mode", "1", "0: in the air, 1: rolling, 2: impact in the latest solver step", mode)
	b.Contact(w)
}

// impulses makes controls for the impulses of the terrain between steps. They are no forces and belong to no reaction.
func (c *WheelContact) impulses(b Builder, w *program.WheelContact) {
	w.Impulsive = true
	mass, _ := First(b.Scope(), func(h Heavy) bool { return h.Lump().Frame == c.Contact })
	lump, of := mass.Lump(), b.For(mass)
	for k := range 3 {
		axis := string("xyz"[k])
		inertia := of.Scalar("mass", "kg", lump.Mass)
		if lump.Along != nil {
			inertia = of.Scalar("inertial_mass_"+axis, "kg", lump.Along[k])
		}
		w.Inertia[k] = b.EngineConstant(inertia)
		var impulse *expr.Expr
		impulse, w.Impulse[k] = b.Control("impulse_"+axis, "N.s", 0)
		b.Publish("impulse_"+axis, "N.s", "impulse of the terrain on the contact mass in the latest solver step, "+axis+
			" component in ground", impulse)
	}
}

// states finds the states of the contact mass and the rim, and the axes that both move along.
func (c *WheelContact) states(b Builder, w *program.WheelContact) (axes []int, ok bool) {
	axes, w.Contact, w.ContactSpeed = b.FreePoint(c.Contact)
	if axes == nil {
		b.Reject(c.Pos, "wheel-contact %s acts on the state of %q, which something else carries in this tree; "+
			"leave the point mass free", c.Name, c.Contact)
		return nil, false
	}
	for k := range w.Fixed {
		w.Fixed[k] = b.EngineConstant(b.Held(c.Contact, k))
		if slices.Contains(axes, k) {
			w.Fixed[k] = b.EngineConstant(b.Pool().Int(0))
		}
	}
	var above []int
	above, w.Rim, w.RimSpeed = b.FreePoint(c.Rim)
	if above == nil {
		b.Reject(c.Pos, "wheel-contact %s reads the state of %q, which something else carries in this tree; "+
			"leave the point mass free", c.Name, c.Rim)
		return nil, false
	}
	if !slices.Equal(axes, above) || !slices.Contains(axes, 2) {
		b.Reject(c.Pos, "wheel-contact %s: %q and %q must stay in the same plane, which must not be xy",
			c.Name, c.Contact, c.Rim)
		return nil, false
	}
	return axes, true
}

// Holds: the rolling resistance acts on the rim.
func (c *WheelContact) Holds() (tail, head string) { return graph.GroundFrame, c.Rim }

// IgnoresTurn: the component depends on origins only, which are on the axis of the rotation.
func (c *WheelContact) IgnoresTurn(Turn) bool { return true }

// Energy is the power dissipated by the rolling resistance. The engine makes impacts and knows their energy loss.
func (c *WheelContact) Energy(b Builder) Energy {
	p, ground := b.Pool(), b.Axes(graph.GroundFrame)
	friction := keptVector(b, "friction", ground)
	return Energy{Dissipated: p.Neg(p.Dot(friction, b.Velocity(graph.GroundFrame, c.Rim, ground)))}
}
