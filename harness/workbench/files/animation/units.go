package animation

import (
	"cmp"
	"math"
	"slices"

	"skidpad/model/component"
	"skidpad/model/vehicle"
)

// unit is a body on wheels: a vehicle without trailers, or one of the units of a combination.
type unit struct {
	frame   string
	back    pose // from ground to its frame, at the start
	wheels  []shellWheel
	hitch   vector // in its axes; of towed units
	hitched bool
	tows    bool
}

// If the roles name no chassis, a unit is a body with this share of the mass of the vehicle. Vehicles lighter than the
// mass [kg] are drawn by their frames.
const (
	shareOfUnit  = 0.1
	leastVehicle = 500
)

// units finds the units of a vehicle whose wheels are on both sides, the foremost one first, and reports whether it
// knows them by the roles.
func units(m *vehicle.Model, known map[string]pose) (list []*unit, named bool) {
	frames := unitFrames(m)
	named = m.Roles != nil && slices.Contains(frames, m.Roles.Chassis)
	joined := neighbours(m)
	for _, frame := range frames {
		at, is := known[frame]
		if !is {
			return nil, named
		}
		list = append(list, &unit{frame: frame, back: at.inverse()})
	}
	for _, c := range m.Components {
		e, is := elementOf(c).(rolling)
		w, wheeled := c.(component.Wheeled)
		if !is || !wheeled {
			continue
		}
		path := shortest(joined, e.wheel(), frames)
		at, placed := known[e.wheel()]
		radius := w.Wheel().Radius.Value
		if path == nil || !placed || radius == 0 {
			continue
		}
		u := list[slices.Index(frames, path[len(path)-1])]
		u.wheels = append(u.wheels, shellWheel{u.back.then(at).r, radius, widthOf(c)})
	}
	if len(list) == 0 {
		return nil, named
	}
	if !named { // the roles have the order
		first := list[0].back
		ahead := func(u *unit) float64 { return first.then(known[u.frame]).r[0] }
		slices.SortStableFunc(list, func(a, b *unit) int { return cmp.Compare(ahead(b), ahead(a)) })
	}
	list[0].tows = len(list) > 1
	for _, u := range list[1:] {
		others := slices.DeleteFunc(slices.Clone(frames), func(frame string) bool { return frame == u.frame })
		path := shortest(joined, u.frame, others)
		if len(path) < 3 {
			continue
		}
		if at, is := known[path[len(path)/2]]; is {
			u.hitch, u.hitched = u.back.then(at).r, true
		}
	}
	return list, named
}

// unitFrames are the frames of the units: by the roles, or of the heavy bodies.
func unitFrames(m *vehicle.Model) (frames []string) {
	if m.Roles != nil && m.Roles.Chassis != "" {
		return append([]string{m.Roles.Chassis}, m.Roles.Trailers...)
	}
	total := 0.0
	for _, c := range m.Components {
		if h, is := c.(component.Heavy); is {
			total += h.Lump().Mass.Value
		}
	}
	for _, c := range m.Components {
		b, is := c.(*component.RigidBody)
		if is && total >= leastVehicle && b.Mass.Value >= shareOfUnit*total {
			frames = append(frames, b.Frame)
		}
	}
	return frames
}

// neighbours are the frames that components join with each frame.
func neighbours(m *vehicle.Model) map[string][]string {
	joined := map[string][]string{}
	for _, c := range m.Components {
		of := c.Frames()
		pairs := [][]string{of.Joins[:]}
		if _, wheeled := c.(component.Wheeled); !wheeled {
			pairs = append(pairs, of.Uses) // such as the ends of a rod
		}
		for _, pair := range pairs {
			if len(pair) != 2 || slices.Contains(pair, "") || slices.Contains(pair, component.GroundFrame) {
				continue
			}
			a, b := pair[0], pair[1]
			joined[a], joined[b] = append(joined[a], b), append(joined[b], a)
		}
	}
	return joined
}

// shortest is the shortest way from a frame to the nearest of some frames; nil if there is none.
func shortest(joined map[string][]string, from string, to []string) []string {
	seen := map[string]bool{from: true}
	for ways := [][]string{{from}}; len(ways) > 0; ways = ways[1:] {
		way := ways[0]
		last := way[len(way)-1]
		if slices.Contains(to, last) {
			return way
		}
		for _, next := range joined[last] {
			if !seen[next] {
				seen[next] = true
				ways = append(ways, append(slices.Clone(way), next))
			}
		}
	}
	return nil
}

// sides reports whether a unit has wheels on both sides, and how far from its middle they reach [m].
func (u *unit) sides() (both bool, half float64) {
	left, right := false, false
	for _, w := range u.wheels {
		left, right = left || w.at[1] > w.width/2, right || w.at[1] < -w.width/2
		half = max(half, math.Abs(w.at[1])+w.width/2)
	}
	return left && right, half
}
