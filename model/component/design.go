package component

import (
	"skidpad/model/graph"
	"skidpad/model/keys"
)

// designKey and designInKey are the keys of bodies with a place in the design position, in which every body is
// unrotated.
var (
	designKey = keys.Key{Name: "design", Shape: keys.VectorShape, Unit: "m", Optional: true, Mirror: keys.Polar,
		Text: "place in the design position, in the axes of the design frame. BODY@POINT, for any frame, is the frame of " +
			"BODY with its origin at a point. Without a start the body begins there, at rest in the frame"}
	designInKey = keys.Key{Name: "design_in", Shape: keys.FrameShape, Optional: true,
		Text: "design frame; default: the first frame of a subsystem file, and the chassis of the roles, or ground, of " +
			"a model"}
	relativeKey = keys.Key{Name: "relative", Shape: keys.TruthShape, Default: "false",
		Text: "true: all start values are differences from the design position: the position in axes of the design frame, " +
			"angles, and speeds relative to rest in the frame. `skidpad trim` writes such starts"}
)

// Design is the place of a body in the design position.
type Design struct {
	In       string      // frame
	Place    keys.Vector // m, in axes of In
	Relative bool        // start values are differences
}

func readDesign(f, start *keys.Fields) *Design {
	relative := start.Truth(relativeKey.Name)
	switch {
	case f.Given("design"):
		return &Design{f.Frame("design_in", graph.GroundFrame), f.Vector("design"), relative}
	case relative:
		f.Reader.At(start.Node(relativeKey.Name), "%s needs the key design of the body; give the place, or start values in "+
			"ground", start.PathOf(relativeKey.Name))
	case f.Given("design_in"):
		f.Reader.At(f.Node("design_in"), "%s lacks design beside it; give the place, or leave design_in out",
			f.PathOf("design_in"))
	}
	return nil
}

// place is where a free body starts.
func (d *Design) place() *graph.Place {
	if d == nil {
		return nil
	}
	return &graph.Place{In: d.In, Offset: d.Place, Relative: d.Relative}
}
