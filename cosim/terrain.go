package cosim

import (
	"fmt"
	"math"

	"skidpad/model/program"
	"skidpad/model/road"
)

// bottomless is the distance of the plane below a wheel where there is no ground [m], beyond the reach of a tire.
const bottomless = 10

// updateConstants gives terrains and contacts their constants, after parameters have been applied.
func (in *Instance) updateConstants() {
	p := in.sys.program
	in.machine.Constants(in.constants)
	for i, t := range p.Terrains {
		s := in.tires.surfaces[i]
		s.Height, s.SlopeX, s.SlopeY = in.constants[t.Height], in.constants[t.SlopeX], in.constants[t.SlopeY]
		s.Seed(uint64(in.constants[t.Seed]))
		s.Left, s.Right = in.constants[t.FrictionLeft], in.constants[t.FrictionRight]
	}
	for _, a := range in.acts {
		a.constants()
	}
}

// updateLocalPlanes gives the tires on terrains their local planes at a state. A local plane is the tangent plane with
// the least distance to the wheel's centre. The search starts at the point below the centre and makes at most two
// steps.
func (in *Instance) updateLocalPlanes(t float64, x []float64) {
	side := in.sides.wheels
	if side == nil || in.updateLevelPlanes() {
		return
	}
	side.Evaluate(x[:len(in.sys.program.States)], in.continued, nil)
	values := 0
	next := func() float64 {
		values++
		return side.Value(values - 1)
	}
	contacts := len(in.sys.program.Contacts)
	for i := range in.sys.program.Uneven {
		u := &in.sys.program.Uneven[i]
		centre := [3]float64{next(), next(), next()}
		var f *road.Footprint
		if u.Points > 0 {
			f = &road.Footprint{Length: in.constants[u.Length], Width: in.constants[u.Width], Points: u.Points,
				ForwardX: next(), ForwardY: next()}
		}
		at := centre
		q := road.Query{T: t, Above: centre[2] - in.continued[u.Above], Near: in.along[contacts+i]}
		q.X, q.Y = at[0], at[1]
		p := in.groundUnder(u, f, q)
		for range 2 {
			if p.SlopeX == 0 && p.SlopeY == 0 {
				break // the foot is below the centre
			}
			// foot of the centre on the plane at this point
			above := centre[2] - p.Height - float64(p.SlopeX*(centre[0]-at[0])) - float64(p.SlopeY*(centre[1]-at[1]))
			lean := above / (1 + float64(p.SlopeX*p.SlopeX) + float64(p.SlopeY*p.SlopeY))
			at[0], at[1] = centre[0]+float64(lean*p.SlopeX), centre[1]+float64(lean*p.SlopeY)
			q.X, q.Y = at[0], at[1]
			p = in.groundUnder(u, f, q)
		}
		if p.NoGround {
			p.Height = centre[2] - bottomless
		}
		if in.tires.surfaces[u.Terrain].HasLine() {
			in.reached[i] = p.U
		}
		in.continued[u.SlopeX], in.continued[u.SlopeY], in.continued[u.Rate], in.continued[u.Friction] = p.SlopeX,
			p.SlopeY, p.Rate, p.Friction
		in.continued[u.Height] = p.Height - float64(p.SlopeX*at[0]) - float64(p.SlopeY*at[1]) + in.continued[u.Above]
	}
}

// updateLevelPlanes does the same where all terrains are level and have one friction. The planes of such terrains are
// the same everywhere, so that the positions of the tires do not matter. It reports whether all terrains are of this
// kind.
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

// groundUnder returns the terrain at a point below a tire: the mean plane under its footprint, if it has one.
func (in *Instance) groundUnder(u *program.UnevenRoad, f *road.Footprint, q road.Query) road.Point {
	s := in.tires.surfaces[u.Terrain]
	if f == nil {
		return s.At(q)
	}
	return s.ContactPlane(f, q)
}

// commitRoadPlaces stores the positions of the tires on their roads in the latest evaluation of a solver step.
func (in *Instance) commitRoadPlaces() { copy(in.along[len(in.sys.program.Contacts):], in.reached) }

// forgetRoadPlaces clears the positions of contacts and tires on their roads.
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

// standsOn reports whether the surfaces and the footprints are still the same as in a plan.
func (in *Instance) standsOn(of *Plan) bool {
	for i, s := range in.tires.surfaces {
		if levelOf(s) != of.Levels[i] {
			return false
		}
	}
	for i := range in.sys.program.Uneven {
		if in.footprintOf(i) != of.Footprints[i] {
			return false
		}
	}
	return true
}

// footprintOf returns the footprint of a tire on terrain.
func (in *Instance) footprintOf(i int) (f Footprint) {
	if u := &in.sys.program.Uneven[i]; u.Points > 0 {
		f = Footprint{in.constants[u.Length], in.constants[u.Width]}
	}
	return f
}

func levelOf(s *road.Surface) Level { return Level{s.Height, s.SlopeX, s.SlopeY, s.Left, s.Right} }

// listTerrain lists the terrain under tires and contact masses, or names a part that exists in Go only.
func (in planner) listTerrain(l *Listing, to *program.Listed) (why string) {
	p := in.sys.program
	level := in.onLevelGround()
	for i, t := range p.Terrains {
		at := func(constant int) Place { return l.Start.Constants[constant] }
		surface := Surface{Height: at(t.Height), SlopeX: at(t.SlopeX), SlopeY: at(t.SlopeY), Left: at(t.FrictionLeft),
			Right: at(t.FrictionRight), Seed: at(t.Seed)}
		if !level || len(p.Contacts) > 0 {
			var ok bool
			if surface.Listed, ok = in.tires.surfaces[i].Listed(to); !ok {
				return "the terrain " + t.Name + " of the kind " + in.texts[in.sys.texts.terrains+terrainTexts*i+groundKind] +
					" is looked up in Go"
			}
		}
		l.Surfaces = append(l.Surfaces, surface)
	}
	for i := range p.Uneven {
		u := &p.Uneven[i]
		g := Ground{u.Terrain, u.Points, u.Above, u.Height, u.SlopeX, u.SlopeY, u.Rate, u.Friction,
			Place{Memory: Nowhere}, Place{Memory: Nowhere}}
		if u.Points > 0 {
			g.Length, g.Width = l.Start.Constants[u.Length], l.Start.Constants[u.Width]
		}
		l.Grounds = append(l.Grounds, g)
	}
	if !level {
		if l.Wheels = in.sides.wheels.Straight(to); l.Wheels == nil {
			return noCode
		}
	}
	return ""
}

// checkTerrains rejects invalid seeds of terrains.
func (in *Instance) checkTerrains() error {
	for _, t := range in.sys.program.Terrains {
		if seed := in.constants[t.Seed]; seed != math.Trunc(seed) || seed > road.LargestSeed {
			return fmt.Errorf("%s.seed = %v: it must be a whole number from 0 to %d", t.Name, seed, road.LargestSeed)
		}
	}
	return nil
}
