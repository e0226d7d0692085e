package component

import (
	"skidpad/model/graph"
	"skidpad/model/keys"
)

var pressureSourceType = Type{
	Word: "pressure-source",
	Text: "pressure between two nodes: a number, a formula over parameters and time, or an input",
	Keys: []keys.Key{fromNodeKey, toNodeKey,
		optionalCourse("pressure", "Pa", "pressure of `to` less pressure of `from`, without flow; or else `booster`"),
		{Name: "booster", Shape: keys.CurveShape, Unit: "N, Pa", Optional: true, Mirror: keys.Stays,
			Text: "in place of `pressure`: pressure over `force`, which does not fall"},
		optionalCourse("force", "N", "force on the booster"),
		nonnegative("resistance", resistanceUnit, "0", "laminar resistance in series"), heatKey},
	Read: readPressureSource,
}

func readPressureSource(h keys.Header, f *keys.Fields) Component {
	c := &PressureSource{PotentialSource{Header: h, Ends: readEnds(f), Domain: graph.Hydraulic,
		Resistance: f.Scalar("resistance"), Booster: f.Curve("booster")}}
	switch {
	case f.Given("pressure") && f.Given("booster"):
		f.Fault("booster", "%s has both pressure and booster; leave one of them out", f.Path)
	case f.Given("booster"):
		f.Require("force")
		c.Value = readTimeCourse(f, "force", "N")
	case f.Given("force"):
		f.Fault("force", "%s has no effect without booster, the curve of the pressure over the force; leave it out",
			f.PathOf("force"))
	default:
		f.Require("pressure")
		c.Value = readTimeCourse(f, "pressure", "Pa")
	}
	if c.Booster != nil && smallestSlope(c.Booster) < 0 {
		f.Fault("booster", "%s falls somewhere, by %g Pa/N; a greater force gives no lower pressure", f.PathOf("booster"),
			-smallestSlope(c.Booster))
	}
	return c
}

// PressureSource is a pump with a relief valve, a pedal or a tank under pressure.
type PressureSource struct{ PotentialSource }

// Energy implements Energetic.
func (c *PressureSource) Energy(b Builder) Energy { return c.energy(b) }
