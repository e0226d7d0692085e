package component

import (
	"skidpad/model/graph"
	"skidpad/model/keys"
)

var pressureSourceType = Type{
	Word: "pressure-source",
	Text: "pressure between two nodes: a number, a formula over parameters and time, or an input",
	Keys: []keys.Key{fromNodeKey, toNodeKey,
		courseKey("pressure", "Pa", "pressure of `to` less pressure of `from`, without flow"),
		nonnegative("resistance", resistanceUnit, "0", "laminar resistance in series")},
	Read: func(h keys.Header, f *keys.Fields) Component {
		return &PressureSource{PotentialSource{Header: h, Ends: readEnds(f), Domain: graph.Hydraulic,
			Value: readTimeCourse(f, "pressure", "Pa"), Resistance: f.Scalar("resistance")}}
	},
}

// PressureSource is a pump with a relief valve, a pedal or a tank under pressure.
type PressureSource struct{ PotentialSource }

// Energy implements Energetic.
func (c *PressureSource) Energy(b Builder) Energy { return c.energy(b) }
