package plausible

import (
	"fmt"
	"math"

	"skidpad/model/component"
	"skidpad/model/road"
)

// mostPressed is how far a tire may be pressed into the road, by its radius.
const mostPressed = 1.0 / 3

// otherSize is how far the radius of a tire of another size is from the radius of the file, by the latter.
const otherSize = 0.2

// heights: at the start the tires are on the road.
func (c *checker) heights(s *start) {
	var off []tire
	var gaps []float64
	on := 0
	for _, t := range c.tires {
		gap, known := c.gap(s, t)
		switch {
		case !known:
		case gap >= 0 || gap < -mostPressed*t.Radius.Value:
			off, gaps = append(off, t), append(gaps, gap)
		default:
			on++
		}
	}
	if len(off) == 0 {
		return
	}
	t, gap := off[0], gaps[0]
	remedy := "correct the height of its corner or axle, or the start value of its suspension"
	at := c.scope.Find(t.name).Head().Pos
	if k := t.by; k != nil {
		at = c.scope.Find(k.name).Head().Pos
	}
	if on == 0 { // the body is too high, or too low
		remedy = "correct the position of " + s.base.Head().Name + ", the heights of the corners or axles, or the radius"
		at = c.position(s.base, "start")
	}
	where := "into"
	if gap >= 0 {
		where = "above"
	}
	bears := ""
	if own, is := component.Named[*component.Tire](c.scope, t.name); is && own.VerticalStiffness.Value > 0 && gap >= 0 {
		bears = fmt.Sprintf(", and bears its share of the weight %.3g m lower",
			gap+c.weight/float64(c.wheels)/own.VerticalStiffness.Value)
	}
	size := ""
	if own, is := component.Named[*component.Tire](c.scope, t.name); is {
		if file := own.Force.Sizes["UNLOADED_RADIUS"]; file > 0 && math.Abs(file-t.Radius.Value) > otherSize*file {
			size = fmt.Sprintf(" (its file has %.4g m)", file)
		}
	}
	c.doubt(at, "at the start the tire %s is %.3g m %s the road, of a radius of %.3g m%s%s; %s; then \"skidpad trim\" "+
		"finds the exact start values", t.name, math.Abs(gap), where, t.Radius.Value, size, bears, remedy)
}

// gap is the height of an unloaded tire above its road, if the road is level and does not move on its own.
func (c *checker) gap(s *start, t tire) (gap float64, known bool) {
	centre := s.over(t.at)
	for _, uneven := range component.All[*component.Terrain](c.scope) {
		if uneven.Frame == t.Road {
			return centre[2] - t.Radius.Value, uneven.Kind == road.Flat
		}
	}
	for _, plane := range component.All[*component.Road](c.scope) {
		if plane.Frame != t.Road {
			continue
		}
		for i, a := range plane.Angles {
			if a.Value != 0 && plane.Sequence[i] != '3' {
				return 0, false
			}
		}
		return centre[2] - plane.Translation[2].Value - t.Radius.Value, true
	}
	return 0, false
}

// centre checks that the heaviest body is above the road of its wheels, and not higher than the vehicle is wide. The
// vehicle may have several axles that are near each other.
func (c *checker) centre(several bool, heaviest component.Component) {
	if len(c.tires) == 0 {
		return
	}
	height, left, right := 0.0, math.Inf(-1), math.Inf(1)
	front, rear := math.Inf(-1), math.Inf(1)
	for _, t := range c.tires {
		front, rear = max(front, t.at[0]), min(rear, t.at[0])
		height += (t.Radius.Value - t.at[2]) / float64(len(c.tires))
		left, right = max(left, t.at[1]), min(right, t.at[1])
	}
	if len(c.tires) == c.wheels && (several || front-rear > abreast) && (front < 0 || rear > 0) {
		c.doubt(heaviest.Head().Pos, "the centre of mass of %s is not between the axles: seen from it the wheels are "+
			"at x = %.3g "+
			"to %.3g m, and positive x is forward; look for a sign in the places of the axles", c.layout.root, rear, front)
	}
	where := fmt.Sprintf("%.3g m above the road, higher than the vehicle is wide (%.3g m)", height, left-right)
	if height < 0 {
		where = fmt.Sprintf("%.3g m below the road", -height)
	} else if height < left-right || left-right < middle {
		return
	}
	c.doubt(heaviest.Head().Pos, "the centre of mass of %s is %s on which its wheels stand: seen from it, their "+
		"centres are "+
		"at z = %.3g m, and positive z is up; correct the heights of the corners or axles", c.layout.root, where,
		c.tires[0].at[2])
}
