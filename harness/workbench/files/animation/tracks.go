package animation

import (
	"cmp"
	"math"
	"slices"

	"skidpad/harness/workbench/results/web"
)

// precision of coded poses: of positions [m] and of the parts of quaternions.
const precision = 3e-6

// track is the motion of a frame relative to a carrier, an earlier frame. Columns are x, y, z and the quaternion w, x,
// y, z.
type track struct {
	Carrier int           `json:"carrier"` // -1 for ground
	Columns [7]web.Column `json:"columns"`
}

// course codes times and motions of all frames of a scene. Frames that move with another frame have constants only.
func (s *Scene) course(to *web.Numbers) course {
	c := course{Moments: len(s.Times), Tracks: make([]track, s.Frames)}
	to.Doubles(s.Times)
	// spinning frames last: the carrier of a wheel, its hub, comes before the wheel
	turned := make([]float64, s.Frames)
	if s.Chassis >= 0 {
		turned[s.Chassis] = -1
	}
	for f := range s.Frames {
		c.Order = append(c.Order, f)
		for at := 1; at < len(s.Times) && f != s.Chassis; at++ {
			before, now := s.relative(at-1, f, s.Chassis), s.relative(at, f, s.Chassis)
			turned[f] += 1 - math.Abs(before[3]*now[3]+before[4]*now[4]+before[5]*now[5]+before[6]*now[6])
		}
	}
	slices.SortStableFunc(c.Order, func(a, b int) int {
		return cmp.Compare(turned[a], turned[b])
	})
	var moving []int
	fixed := make([]bool, s.Frames)
	for _, f := range c.Order {
		if c.Tracks[f].Carrier, fixed[f] = s.carrier(f, moving); !fixed[f] {
			moving = append(moving, f)
		}
	}
	values := make([]float64, len(s.Times))
	for f := range s.Frames {
		for k := range 7 {
			for at := range values {
				values[at] = s.relative(at, f, c.Tracks[f].Carrier)[k]
			}
			if fixed[f] {
				c.Tracks[f].Columns[k] = web.Column{Low: values[0]}
			} else {
				c.Tracks[f].Columns[k] = code(to, values)
			}
		}
	}
	return c
}

// carrier finds the carrier of a frame. The frame is fixed to the carrier, or turns about a point of the carrier like a
// wheel. Other frames get the chassis.
func (s *Scene) carrier(f int, moving []int) (carrier int, fixed bool) {
	turns := -1
	for _, c := range append([]int{-1}, moving...) {
		place, all := s.stays(f, c, max(1, len(s.Times)/24)) // most candidates fail at few moments
		if place {
			place, all = s.stays(f, c, 1)
		}
		if all {
			return c, true
		}
		if place && turns < 0 && c >= 0 {
			turns = c
		}
	}
	if turns < 0 && len(moving) > 0 {
		turns = moving[0]
	}
	return turns, false
}

// stays reports whether the origin of a frame, and whether the frame stays where it is in the frame of a carrier, at
// every moment of a stride.
func (s *Scene) stays(f, carrier, stride int) (place, all bool) {
	first := s.relative(0, f, carrier)
	place, all = true, true
	for at := 0; at < len(s.Times) && place; at += stride {
		p := s.relative(at, f, carrier)
		for k := range 7 {
			if math.Abs(p[k]-first[k]) > precision/2 {
				all = false
				place = place && k > 2
			}
		}
	}
	return place, all && place
}

// relative is the pose of a frame against another at a moment. The first part of the quaternion is positive.
func (s *Scene) relative(at, f, carrier int) [7]float64 {
	p := s.pose(at, f)
	if carrier >= 0 {
		p = s.pose(at, carrier).inverse().then(p)
	}
	if p.q[0] < 0 {
		for k := range p.q {
			p.q[k] = -p.q[k]
		}
	}
	return [7]float64{p.r[0], p.r[1], p.r[2], p.q[0], p.q[1], p.q[2], p.q[3]}
}

func (s *Scene) pose(at, f int) pose {
	p := s.Poses[at*s.Frames+f]
	return pose{vector(p[:3]), quaternion(p[3:])}
}

// code adds a column with the precision of poses.
func code(to *web.Numbers, values []float64) web.Column {
	low, high := slices.Min(values), slices.Max(values)
	switch {
	case high-low < precision/2:
		return web.Column{Low: low}
	case web.StepOfCodes(low, high) < 2*precision:
		return to.Codes(values, web.StepOfCodes(low, high))
	}
	const coarse = 8 // up to there 32 bits are precise
	if max(-low, high) < coarse {
		return to.Singles(values)
	}
	return to.Doubles(values)
}
