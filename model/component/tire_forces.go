package component

import (
	"skidpad/model/graph"
	"skidpad/model/keys"
)

var tireForcesType = Type{
	Word: "tire-forces",
	Text: "force function of a tire alone: what it asks for are inputs",
	Keys: []keys.Key{
		{Name: "side", Shape: keys.WordShape, Optional: true, Choices: []string{"left", "right"}, Text: "side on which the tire is mounted; where a property file is of the other one, the tire is mirrored; default: as the file"},
		forceKey,
	},
	Read: readTireForces,
}

// TireForces is the force function of a tire alone: what it asks for are inputs.
type TireForces struct {
	keys.Header
	Force TireFunction
}

func readTireForces(h keys.Header, f *keys.Fields) Component {
	t := &TireForces{Header: h}
	if force := f.Sub("force"); force.Table != nil {
		t.Force = tireFunction(force, f.Text("side"), force.Text("allow_downgrade") == "yes", "Fx", "Fy", "Mx", "My", "Mz")
	}
	return t
}

func (*TireForces) Frames() Frames { return Frames{} }

// Edges: they move no frame.
func (*TireForces) Edges(*Scope) []graph.Edge { return nil }
