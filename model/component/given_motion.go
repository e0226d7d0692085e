package component

import (
	"skidpad/model/graph"
	"skidpad/model/keys"
)

// motionKey tells how a joint moves.
var motionKey = keys.Key{Name: "motion", Shape: keys.WordShape, Default: "free", Choices: []string{"free", "input"},
	Text: "input: position, rate and acceleration of the joint are inputs, as of a motion-driver, and what the motion " +
		"takes is computed"}

// readMotion reports whether the motion of a joint is input; then it has none of some other keys.
func readMotion(h keys.Header, f *keys.Fields, excluded ...string) bool {
	if f.Text(motionKey.Name) != "input" {
		return false
	}
	for _, key := range excluded {
		if f.Given(key) {
			f.Fault(key, "%s.%s goes with a free motion; leave it out where motion is \"input\"", h.Name, key)
		}
	}
	return true
}

// givenMotion is a motion along or about an axis by the inputs <name>.position or .angle, .rate and .acceleration.
func givenMotion(name string, d graph.Domain, axis [3]float64) *graph.Motion {
	position, unit := ".angle", "rad"
	if d == graph.Translation {
		position, unit = ".position", "m"
	}
	return &graph.Motion{
		Axis:         axis,
		Prescribed:   true,
		Coordinate:   graph.Coordinate{Name: name + position, Unit: unit},
		Speed:        graph.Coordinate{Name: name + ".rate", Unit: unit + "/s"},
		Acceleration: name + ".acceleration",
		Text:         "prescribed motion",
	}
}
