package plausible

import (
	"math"
	"slices"

	"skidpad/model/component"
	"skidpad/model/roles"
)

// stated checks outline, wheelbase, rolling radii and steering ratio of the roles against the vehicle.
func (c *checker) stated(r *roles.Roles) {
	if r == nil {
		return
	}
	for _, d := range r.Contradictions(c.found(r)) {
		c.doubts.At(d.At, "%s", d.Text)
	}
}

// found are the sizes of a vehicle that its layout holds, as harness/workbench/runs/cardraft finds them by runs.
func (c *checker) found(r *roles.Roles) (of roles.Sizes) {
	mean := func(list []tire, i int) (sum float64) {
		for _, t := range list {
			sum += t.at[i] / float64(len(list))
		}
		return sum
	}
	known, rest, front := len(r.Axles) > 1, 0.0, 0.0
	for i := range r.Axles {
		left, right := c.places(r.Axles[i].Left), c.places(r.Axles[i].Right)
		both := slices.Concat(left, right)
		known = known && len(both) == len(r.Axles[i].Wheels())
		if len(left) > 0 && len(right) > 0 {
			of.Track = max(of.Track, mean(left, 1)-mean(right, 1))
		}
		radius := 0.0
		for _, t := range both {
			radius += t.Radius.Value / float64(len(both))
		}
		of.Radii = append(of.Radii, radius)
		if x := mean(both, 0); i == 0 {
			front = x
		} else {
			rest += x / float64(len(r.Axles)-1)
		}
	}
	if known {
		of.Wheelbase = front - rest
	}
	of.Ratio = c.ratio(r)
	return of
}

// ratio returns the ratio of a steering whose drivers all turn wheels about upright axes; 0 if there is none.
func (c *checker) ratio(r *roles.Roles) float64 {
	if r.Steering == nil || !r.Steering.Wheel {
		return 0
	}
	s, is := component.Named[*component.Steering](c.scope, r.Steering.Drivers[0])
	if !is || s.Rack != nil {
		return 0
	}
	sum := 0.0
	for _, w := range s.Wheels {
		if _, turns := c.steeredBy(w.Driver); !turns {
			return 0
		}
		slope := 1.0
		if w.Angle != nil {
			_, slope, _ = w.Angle.At(0)
		}
		sum += math.Abs(slope) / float64(len(s.Wheels))
	}
	return s.Ratio.Value / sum
}
