package identify

import (
	"fmt"
	"math"
	"slices"

	"skidpad/harness/workbench/files/measured"
	"skidpad/model/kc"
	"skidpad/model/rig"
)

// test is a test of the corner: the left wheel, or the mean of the left wheel and the mirror image of the right one.
type test struct {
	name  string
	unit  string // of at
	at    []float64
	of    map[string][]float64 // columns of the wheel
	given []rig.Given          // of the rows
}

// opposite are the tests whose row at x gives the right wheel the mirrored motion or load of the left wheel at -x. In
// other tests both wheels have mirrored motions and loads.
var opposite = []string{"roll", "steer", "lateral_parallel", "aligning_parallel"}

// loads are the loads of tests on the left wheel.
var loads = map[string]func(x float64) rig.Load{
	"lateral_parallel":  func(x float64) rig.Load { return rig.Load{Contact: [3]float64{1: x}} },
	"lateral_opposed":   func(x float64) rig.Load { return rig.Load{Contact: [3]float64{1: x}} },
	"aligning_parallel": func(x float64) rig.Load { return rig.Load{Moment: [3]float64{2: x}} },
	"aligning_opposed":  func(x float64) rig.Load { return rig.Load{Moment: [3]float64{2: x}} },
	"braking":           func(x float64) rig.Load { return rig.Load{Contact: [3]float64{x}} },
	"driving":           func(x float64) rig.Load { return rig.Load{Centre: [3]float64{x}} },
}

// Sides are the choices of the wheel that becomes the corner.
var Sides = []string{"mean", "left", "right"}

// corner makes the curves of the corner.
func corner(a *measured.Axle, side string) (tests map[string]*test, notes []string) {
	tests = map[string]*test{}
	for name, t := range a.Tests {
		c := &test{name: name, unit: t.Unit, at: t.At, of: map[string][]float64{}}
		partner := partners(t, slices.Contains(opposite, name))
		right := map[string][]float64{}
		for key, values := range t.Sides[1] {
			if partner == nil {
				continue
			}
			for _, j := range partner {
				right[key] = append(right[key], values[j])
			}
		}
		if partner == nil && len(t.Sides[1]) > 0 {
			notes = append(notes, fmt.Sprintf("%s: the places of the rows are not symmetric about 0, and the right wheel has "+
				"no "+
				"use there", name))
		}
		for key, left := range t.Sides[0] {
			values, other := slices.Clone(left), right[key]
			switch {
			case other == nil || side == "left":
			case side == "right":
				values = other
			default:
				most := 0.0
				for i := range values {
					most = max(most, math.Abs(values[i]-other[i]))
					values[i] = (values[i] + other[i]) / 2
				}
				if limit, unit, si := differs(key); most > limit {
					notes = append(notes, fmt.Sprintf("%s: %s of left and right differ by up to %.3g %s; the corner has the mean, "+
						"--side left or right takes one", name, key, most/si, unit))
				}
			}
			c.of[key] = values
		}
		c.give(partner, slices.Contains(opposite, name))
		tests[name] = c
	}
	slices.Sort(notes)
	return tests, notes
}

// differs is the difference of the sides that is told.
func differs(key string) (limit float64, unit string, si float64) {
	switch key {
	case "toe", "camber", "castor":
		return 0.05 * degree, "deg", degree
	case "Fz":
		return 50, "N", 1
	}
	return 1e-3, "mm", 1e-3
}

const degree = math.Pi / 180

// partners are the rows of the right wheel for the rows of the left wheel; nil where a row has no partner.
func partners(t *measured.Test, opposite bool) (rows []int) {
	n := len(t.At)
	near := 1e-3 * (t.At[n-1] - t.At[0]) / float64(n)
	for i, x := range t.At {
		j := i
		if opposite {
			j = slices.IndexFunc(t.At, func(y float64) bool { return math.Abs(x+y) < near })
		}
		if j < 0 {
			return nil
		}
		rows = append(rows, j)
	}
	return rows
}

// give sets the motions and loads of the rows. Where the travel was not measured, the heights are held; where the right
// wheel is unknown, it moves as in the test's definition.
func (c *test) give(partner []int, opposite bool) {
	for i, x := range c.at {
		var g rig.Given
		if travel := c.of["travel"]; travel != nil {
			g.Travel = [2]float64{travel[i], travel[i]}
			switch {
			case opposite && partner != nil:
				g.Travel[1] = travel[partner[i]]
			case c.name == "roll":
				g.Travel[1] = -travel[i]
			}
		}
		if c.name == "steer" {
			g.Rack = x
		}
		if load := loads[c.name]; load != nil {
			left := load(x)
			right := left
			if !opposite {
				right.Contact[1], right.Moment[2] = -right.Contact[1], -right.Moment[2]
			}
			g.Loads = [2]rig.Load{left, right}
		}
		c.given = append(c.given, g)
	}
}

// within are the rows of the straight lines of slopes, as docs/kc.md has them.
func (c *test) within() (rows []int) {
	most := map[string]float64{"m": 0.0101, "N": 501, "N.m": 50.1}[c.unit]
	if c.name == "steer" {
		most = 0.1 * c.at[len(c.at)-1]
	}
	for i, x := range c.at {
		if math.Abs(x) <= most {
			rows = append(rows, i)
		}
	}
	const least = 3
	if len(rows) < least {
		for rows = nil; len(rows) < len(c.at); {
			rows = append(rows, len(rows))
		}
	}
	return rows
}

// slope is the slope of values over at.
func (c *test) slope(values []float64) float64 {
	if values == nil {
		return 0
	}
	var x, y []kc.Number
	for _, i := range c.within() {
		x, y = append(x, kc.Of(c.at[i])), append(y, kc.Of(values[i]))
	}
	return kc.Slope(x, y).V
}

// by is the slope of a column.
func (c *test) by(key string) float64 {
	if c == nil {
		return 0
	}
	return c.slope(c.of[key])
}

// middle is a column at 0, between the rows on both sides of it.
func (c *test) middle(values []float64) float64 {
	i := slices.IndexFunc(c.at, func(x float64) bool { return x >= 0 })
	share := -c.at[i-1] / (c.at[i] - c.at[i-1])
	return values[i-1] + share*(values[i]-values[i-1])
}

// changes are the values less those at 0.
func (c *test) changes(values []float64) (list []float64) {
	if values == nil {
		return make([]float64, len(c.at))
	}
	middle := c.middle(values)
	for _, x := range values {
		list = append(list, x-middle)
	}
	return list
}
