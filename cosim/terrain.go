package cosim

import (
	"fmt"
	"math"

	"skidpad/model/program"
	"skidpad/model/road"
)

// bottomless is how far below a wheel the plane lies where there is no ground [m]: farther than a
// tire reaches.
const bottomless = 10

// updateConstants gives terrains and contacts their constants, once parameters have been applied.
func (in *Instance) updateConstants() {
	p := in.sys.program
	in.machine.Constants(in.constants)
	for i, t := range p.Terrains {
		s := in.tires.surfaces[i]
		s.Height, s.SlopeX, s.SlopeY = in.constants[t.Height], in.constants[t.SlopeX], in.constants[t.SlopeY]
		s.Seed(uint64(in.constants[t.Seed]))
		s.Left, s.Right = in.constants[t.FrictionLeft], in.constants[t.FrictionRight]
	}
}

// updateLocalPlanes gives the tires on terrains their local planes at a state: the tangent plane above which
// the wheel's centre is nearest, which is looked for from the point below the centre in one step.
func (in *Instance) updateLocalPlanes(t float64, x []float64) {
	side := in.sides.wheels
	if side == nil || in.updateLevelPlanes() {
		return
	}
	side.Evaluate(x[:len(in.sys.program.States)], in.continued, nil)
	values := 0
	next := func() vector {
		values += 3
		return vector{side.Value(values - 3), side.Value(values - 2), side.Value(values - 1)}
	}
	contacts := len(in.sys.program.Contacts)
	for i := range in.sys.program.Uneven {
		u := &in.sys.program.Uneven[i]
		centre := next()
		var f *road.Footprint
		if u.Points > 0 {
			axle := next() // to the left
			level := math.Hypot(axle[0], axle[1])
			f = &road.Footprint{Length: in.constants[u.Length], Width: in.constants[u.Width], Points: u.Points,
				ForwardX: axle[1] / level, ForwardY: -axle[0] / level}
		}
		at := centre
		q := road.Query{T: t, Above: centre[2] - in.continued[u.Above], Near: in.along[contacts+i]}
		q.X, q.Y = at[0], at[1]
		p := in.groundUnder(u, f, q)
		for range 2 {
			if p.SlopeX == 0 && p.SlopeY == 0 {
				break // the foot is below the centre
			}
			// foot of the centre on the plane at that place
			above := centre[2] - p.Height - p.SlopeX*(centre[0]-at[0]) - p.SlopeY*(centre[1]-at[1])
			lean := above / (1 + p.SlopeX*p.SlopeX + p.SlopeY*p.SlopeY)
			at[0], at[1] = centre[0]+lean*p.SlopeX, centre[1]+lean*p.SlopeY
			q.X, q.Y = at[0], at[1]
			p = in.groundUnder(u, f, q)
		}
		if p.NoGround {
			p.Height = centre[2] - bottomless
		}
		in.reached[i] = p.U
		in.continued[u.SlopeX], in.continued[u.SlopeY], in.continued[u.Rate], in.continued[u.Friction] = p.SlopeX,
			p.SlopeY, p.Rate, p.Friction
		in.continued[u.Height] = p.Height - p.SlopeX*at[0] - p.SlopeY*at[1] + in.continued[u.Above]
	}
}

// updateLevelPlanes does the same where all terrains are level and have one friction. Their planes are those of any
// place, so that it does not matter where the tires are. It reports whether there are no others.
func (in *Instance) updateLevelPlanes() bool {
	for i := range in.sys.program.Uneven {
		u := &in.sys.program.Uneven[i]
		height, friction, level := in.tires.surfaces[u.Terrain].Level()
		if !level {
			return false
		}
		in.continued[u.SlopeX], in.continued[u.SlopeY], in.continued[u.Rate], in.continued[u.Friction] = 0, 0, 0, friction
		in.continued[u.Height] = height + in.continued[u.Above]
	}
	return true
}

// groundUnder returns the terrain at a place below a tire: the mean plane under its footprint, if it has one.
func (in *Instance) groundUnder(u *program.UnevenRoad, f *road.Footprint, q road.Query) road.Point {
	s := in.tires.surfaces[u.Terrain]
	if f == nil {
		return s.At(q)
	}
	return s.ContactPlane(f, q)
}

// commitRoadPlaces notes where on their roads the tires have been in the latest evaluation of a solver step.
func (in *Instance) commitRoadPlaces() { copy(in.along[len(in.sys.program.Contacts):], in.reached) }

// forgetRoadPlaces forgets where on their roads contacts and tires are.
func (in *Instance) forgetRoadPlaces() {
	for i := range in.along {
		in.along[i] = road.Unknown
	}
}

// onLevelGround reports whether all terrains are level and have one friction.
func (in *Instance) onLevelGround() bool {
	for i := range in.sys.program.Uneven {
		if _, _, level := in.tires.surfaces[in.sys.program.Uneven[i].Terrain].Level(); !level {
			return false
		}
	}
	return true
}

// standsOn reports whether the levels under the tires are still these.
func (in *Instance) standsOn(levels []Level) bool {
	for i, l := range levels {
		height, factor, level := in.tires.surfaces[in.sys.program.Uneven[i].Terrain].Level()
		if !level || height != l.Height || factor != l.Factor {
			return false
		}
	}
	return true
}

// checkTerrains refuses what no terrain can be.
func (in *Instance) checkTerrains() error {
	for _, t := range in.sys.program.Terrains {
		if seed := in.constants[t.Seed]; seed != math.Trunc(seed) || seed > road.LargestSeed {
			return fmt.Errorf("%s.seed = %v: it must be a whole number from 0 to %d", t.Name, seed, road.LargestSeed)
		}
	}
	return nil
}
