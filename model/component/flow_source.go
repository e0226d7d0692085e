package component

import (
	"skidpad/model/graph"
	"skidpad/model/keys"
)

var flowSourceType = Type{
	Word: "flow-source",
	Text: "flow of oil between two nodes: a number, a formula over parameters and time, or an input",
	Keys: []keys.Key{fromNodeKey, toNodeKey, courseKey("flow", flowUnit, "flow into `to`")},
	Read: func(h keys.Header, f *keys.Fields) Component {
		return &OilSource{FlowSource{Header: h, Ends: readEnds(f), Domain: graph.Hydraulic,
			Value: readTimeCourse(f, "flow", flowUnit)}}
	},
}

// OilSource is a given flow of oil.
type OilSource struct{ FlowSource }

// Energy implements Energetic.
func (c *OilSource) Energy(b Builder) Energy { return c.energy(b) }
