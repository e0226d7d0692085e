package component

import (
	"skidpad/model/graph"
	"skidpad/model/keys"
)

// The words of the key speeds.
const (
	bodySpeeds   = "body"
	groundSpeeds = "ground"
	rateSpeeds   = "rates"
)

// speedsKey chooses the unit vectors of the speeds of a component that moves freely.
func speedsKey(def string) keys.Key {
	return keys.Key{Name: "speeds", Shape: keys.WordShape, Optional: true,
		Choices: []string{bodySpeeds, groundSpeeds, rateSpeeds},
		Text: "speeds that are states, where the edges are tree branches: components in axes of the component, components " +
			"in axes of ground, or rates of the coordinates; default: " + def}
}

// velocities returns the speeds of a free translation that the word of the key chooses; by default the start
// speeds. A tail that is not ground moves.
func velocities(word, component, tail string, starts graph.Speeds) graph.Speeds {
	of := func(along graph.UnitVectors, x, y, z string) graph.Speeds {
		return graph.Speeds{Along: along, Of: graph.Coordinates(component, [3]string{x, y, z}, "m/s", keys.Vector{})}
	}
	switch {
	case word == bodySpeeds && starts.Along != graph.OfHead:
		return of(graph.OfHead, "vx", "vy", "vz")
	case word == groundSpeeds && tail != graph.GroundFrame:
		return of(graph.OfGround, "vx_ground", "vy_ground", "vz_ground")
	case (word == groundSpeeds || word == rateSpeeds) && starts.Along != graph.OfCoordinates:
		return of(graph.OfCoordinates, "x_dot", "y_dot", "z_dot")
	}
	return starts
}

// turnRates returns the speeds of a free turn that the word of the key chooses; by default the start speeds. Rates
// are called like the angles.
func turnRates(word, component string, angles [3]string, starts graph.Speeds) graph.Speeds {
	of := func(along graph.UnitVectors, names [3]string) graph.Speeds {
		return graph.Speeds{Along: along, Of: graph.Coordinates(component, names, "rad/s", keys.Vector{})}
	}
	switch word {
	case groundSpeeds:
		return of(graph.OfGround, [3]string{"wx_ground", "wy_ground", "wz_ground"})
	case rateSpeeds:
		return of(graph.OfCoordinates, [3]string{angles[0] + "_dot", angles[1] + "_dot", angles[2] + "_dot"})
	}
	return starts
}

// angularVelocity has the components of an angular velocity in axes of the head.
func angularVelocity(component string, start keys.Vector) graph.Speeds {
	return graph.Speeds{Along: graph.OfHead,
		Of: graph.Coordinates(component, [3]string{"wx", "wy", "wz"}, "rad/s", start)}
}

// positionRates are the rates of a position.
func positionRates(component string, start keys.Vector) graph.Speeds {
	return graph.Speeds{Of: graph.Coordinates(component, [3]string{"x_dot", "y_dot", "z_dot"}, "m/s", start)}
}
