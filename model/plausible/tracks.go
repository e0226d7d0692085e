package plausible

import (
	"fmt"
	"math"
)

// Limits of tracks. Track divided by wheel radius is 4 to 5.5 for cars, 4 to 5.2 for vans and trucks, 5.2 to 6.5 for
// cars of Formula Student, and 8 to 9 for karts, whose tracks are as long as their wheelbases.
const (
	mostByRadius  = 7.0  // tracks that are too wide for their wheels
	mostOnRoads   = 2.6  // m: vehicles that roads bear are no wider in all
	mostByBase    = 0.95 // of the wheelbase
	leastBase     = 1.2  // m: karts, and trailers on tandem axles alone, have a shorter one
	mostByOther   = 1.6  // of the narrowest other axle's
	otherByRadius = 5.5  // above this ratio a track much wider than another is too wide
)

// pair is the outermost wheels of an axle.
type pair struct {
	left, right tire
}

func (p *pair) track() float64 { return p.left.at[1] - p.right.at[1] }

// tracks: an axle is not twice as wide as its wheels, its wheelbase and the other axles let expect.
func (c *checker) tracks() {
	var axles []pair
	front, rear := math.Inf(-1), math.Inf(1)
	for _, t := range c.tires {
		front, rear = max(front, t.at[0]), min(rear, t.at[0])
		k := 0
		for k < len(axles) && math.Abs(axles[k].left.at[0]-t.at[0]) > abreast {
			k++
		}
		if k == len(axles) {
			axles = append(axles, pair{t, t})
			continue
		}
		if t.at[1] > axles[k].left.at[1] {
			axles[k].left = t
		}
		if t.at[1] < axles[k].right.at[1] {
			axles[k].right = t
		}
	}
	base := front - rear
	for i := range axles {
		p := &axles[i]
		track, radius := p.track(), max(p.left.Radius.Value, p.right.Radius.Value)
		narrowest := math.Inf(1)
		for k := range axles {
			if other := axles[k].track(); k != i && other > middle {
				narrowest = min(narrowest, other)
			}
		}
		wide := base > leastBase && track > mostByRadius*radius && (track > mostOnRoads || track > mostByBase*base)
		uneven := track > otherByRadius*radius && track > mostByOther*narrowest
		if !wide && !uneven || track > mostTrack {
			continue
		}
		compared := ""
		if uneven {
			compared = fmt.Sprintf(", and another axle has a track of %.3g m", narrowest)
		}
		c.doubt(c.scope.Find(p.left.name).Head().Pos, "%s and %s are %.3g m apart, with wheels of a radius of %.3g m and a "+
			"wheelbase of %.3g m%s; a half_track is half of the track, from the middle of the vehicle to the wheel: halve it "+
			"if %.3g m is the track", p.left.name, p.right.name, track, radius, base, compared, track/2)
		return
	}
}
