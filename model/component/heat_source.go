package component

import (
	"skidpad/model/graph"
	"skidpad/model/keys"
)

var heatSourceType = Type{
	Word: "heat-source",
	Text: "flow of heat into a node: a number, a formula over parameters and time, or an input",
	Keys: []keys.Key{fromNodeKey, toNodeKey, courseKey("heat", "W", "flow of heat into `to`")},
	Read: func(h keys.Header, f *keys.Fields) Component {
		return &FlowSource{Header: h, Ends: readEnds(f), Domain: graph.Thermal, Value: readTimeCourse(f, "heat", "W")}
	},
}
