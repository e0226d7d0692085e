package component

import (
	"skidpad/model/graph"
	"skidpad/model/keys"
)

var wheelContactType = Type{
	Word: "wheel-contact",
	Text: "point of a wheel that rolls on a terrain, bounces off it or flies",
	Keys: []keys.Key{
		frame("contact", "point mass that touches the terrain"),
		frame("rim", "point mass at the centre of the wheel"),
		{Name: "terrain", Shape: keys.TextShape, Text: "terrain component"},
		fraction("e_vert", "0.9", "share of the normal speed that an impact leaves"),
		fraction("e_hor", "0.9", "share of the tangential speed that an impact leaves"),
		nonnegative("friction", "N.s/m", "0", "cw, resistance to rolling for a speed, on the rim"),
		fraction("rolling_velocity", "0", "0: a rolling contact mass has the velocity of the rim; 1: only what is tangential of it"),
		scalar("initial_mode", "1", "-1", "0: in the air, 1: rolling, -1: rolling where the mass starts on the terrain"),
	},
	Read: func(h keys.Header, f *keys.Fields) Component {
		return &WheelContact{h, f.Text("contact"), f.Text("rim"), f.Text("terrain"), f.Scalar("e_vert"), f.Scalar("e_hor"), f.Scalar("friction"), f.Scalar("rolling_velocity"), f.Scalar("initial_mode")}
	},
}

// WheelContact lets a point mass touch a terrain (van Iwaarden 2003, section 1.5).
type WheelContact struct {
	keys.Header
	Contact, Rim, Terrain string
	EVert, EHor           keys.Scalar // 1
	Friction              keys.Scalar // N s/m
	RollingVelocity       keys.Scalar // 0: that of the rim, 1: what is tangential of it
	InitialMode           keys.Scalar // 0, 1, or -1: by the height at the start
}

func (c *WheelContact) Frames() Frames {
	return Frames{Uses: []string{c.Contact, c.Rim}}
}

func (c *WheelContact) Edges(*Scope) []graph.Edge {
	return law("T1", graph.Translation, graph.GroundFrame, c.Rim)
}
