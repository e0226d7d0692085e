package cosim

import (
	"fmt"
	"math"
	"slices"

	"skidpad/model/graph"
	"skidpad/model/program"
)

// trimTurning is the fastest change of a velocity across its own direction [m/s2] that counts as straight driving.
const trimTurning = 1e-6

// rejectTurning refuses a turn of a body whose speeds are components in axes of ground. Such speeds change in a steady
// turn, but the trim searches for constant speeds.
func (t *trim) rejectTurning() error {
	edges := t.in.sys.model.Graph().Edges
	for i := range edges {
		e := &edges[i]
		free := e.Space.Free
		if e.Domain != graph.Translation || free == nil || !free.Chosen() || free.Speeds.Along == graph.OfHead {
			continue
		}
		first := slices.IndexFunc(t.in.sys.program.States, func(v program.Variable) bool {
			return v.Name == free.Speeds.Of[0].Name
		})
		if first < 0 { // the edge is a chord
			continue
		}
		v, a := t.in.x[first:first+3], t.in.dx[first:first+3]
		across := math.Hypot(v[1]*a[2]-v[2]*a[1], math.Hypot(v[2]*a[0]-v[0]*a[2], v[0]*a[1]-v[1]*a[0]))
		if speed := math.Hypot(v[0], math.Hypot(v[1], v[2])); across > trimTurning*speed {
			owner := e.Owner.Name
			return fmt.Errorf("no steady state found: the velocity of %s turns, but with the key %s.speeds of the file only "+
				"driving along x or y of ground is steady; trim without the key %s.speeds: the start values keep their meaning",
				owner, owner, owner)
		}
	}
	return nil
}
