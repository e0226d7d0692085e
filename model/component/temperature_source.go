package component

import (
	"skidpad/model/graph"
	"skidpad/model/keys"
)

var temperatureSourceType = Type{
	Word: "temperature-source",
	Text: "temperature of a node: a number, a formula over parameters and time, or an input",
	Keys: []keys.Key{fromNodeKey, toNodeKey,
		courseKey("temperature", "K", "temperature of `to` less temperature of `from`; the ground is at 0 K"),
		nonnegative("resistance", "K/W", "0", "thermal resistance in series")},
	Read: func(h keys.Header, f *keys.Fields) Component {
		return &PotentialSource{Header: h, Ends: readEnds(f), Domain: graph.Thermal,
			Value: readTimeCourse(f, "temperature", "K"), Resistance: f.Scalar("resistance")}
	},
}
