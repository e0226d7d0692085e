package animation

import (
	"math"
	"slices"
)

// partial places a vehicle of which only some values are known.
type partial struct {
	poses [][7]float64 // at the start
	known []bool       // values that were known when carried was made
	// carried are the frames that no known value places: they keep their place in the chassis
	carried []bool
}

// PlacePartly places all frames by the values that are not NaN; others are as at the start. A frame that no known value
// places keeps its place in the chassis, unless nothing moves it at all.
func (p *Poser) PlacePartly(values []float64) {
	if p.partial == nil {
		p.partial = &partial{poses: slices.Clone(p.Poses)}
	}
	now, known := slices.Clone(p.start), make([]bool, len(values))
	for i, x := range values {
		if known[i] = !math.IsNaN(x); known[i] {
			now[i] = x
		}
	}
	if !slices.Equal(known, p.partial.known) {
		p.partial.known, p.partial.carried = known, p.findCarried(known)
	}
	p.Place(now)
	from, to := poseOf(p.partial.poses[p.Chassis]), poseOf(p.Poses[p.Chassis])
	for f, is := range p.partial.carried {
		if is {
			at := to.then(from.inverse()).then(poseOf(p.Poses[f]))
			p.Poses[f] = rowOf(at)
		}
	}
}

// findCarried finds the frames that move, but that no known value shifts, and that do not follow the chassis by
// themselves. It looks at each value a unit away from the start.
func (p *Poser) findCarried(known []bool) []bool {
	start, poses := p.start, p.partial.poses
	carried := make([]bool, len(poses))
	placed := make([]bool, len(poses))
	for i := range start {
		values := slices.Clone(start)
		values[i]++
		p.Place(values)
		chassis := p.Poses[p.Chassis] != poses[p.Chassis]
		for f := range poses {
			moved := p.Poses[f] != poses[f]
			shifted := [3]float64(p.Poses[f][:3]) != [3]float64(poses[f][:3])
			carried[f] = carried[f] || moved
			placed[f] = placed[f] || known[i] && (shifted || moved && chassis)
		}
	}
	for f := range carried {
		carried[f] = carried[f] && !placed[f]
	}
	return carried
}

func poseOf(p [7]float64) pose { return pose{vector(p[:3]), quaternion(p[3:])} }
