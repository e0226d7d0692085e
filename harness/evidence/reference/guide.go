package reference

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/interp"
	"gonum.org/v1/gonum/spatial/r3"

	"skidpad/model/component"
	"skidpad/model/curve"
)

// guide leads one frame along and about curves over the travel against another frame. The travel is not an unknown
// here: it follows from the height of the led frame in the axes of the first.
type guide struct {
	offsets [3]*table // forward, to the left, upward; upward nil: the travel itself
	turns   [3]*table // about z, then the new x, then the new y
}

func newGuide(c *component.Suspension) (*guide, error) {
	for _, x := range c.Courses() {
		switch {
		case x.Surface != nil:
			return nil, fmt.Errorf("%s has a surface, which the reference solver does not have; use curves", c.Name)
		case x.Curve == nil:
			continue
		}
		if err := through(x.Curve.X, x.Curve.Y, &interp.NaturalCubic{}).of(c.Name+"."+x.Key, x.Curve); err != nil {
			return nil, err
		}
	}
	along := func(c *curve.Curve, sign float64) *table {
		if c == nil {
			return nil
		}
		y := make([]float64, len(c.Y))
		for i := range y {
			y[i] = sign * c.Y[i]
		}
		return through(c.X, y, &interp.NaturalCubic{})
	}
	left := 1.0
	if c.Right {
		left = -1
	}
	g := &guide{[3]*table{along(c.X, 1), along(c.Y, left), along(c.Z, 1)},
		[3]*table{along(c.Toe, -left), along(c.Camber, -left), along(c.Castor, -1)}}
	if c.Z != nil {
		for i := range 1001 {
			n := len(c.Z.X) - 1
			if _, slope, _ := g.offsets[2].derivatives(c.Z.X[0] + (c.Z.X[n]-c.Z.X[0])*float64(i)/1000); slope <= 0 {
				return nil, fmt.Errorf("%s: its z does not rise with the travel; the reference solver finds the travel by z",
					c.Name)
			}
		}
	}
	return g, nil
}

// lifted is the height at a travel, with its derivatives.
func (g *guide) lifted(travel float64) (z, slope, curvature float64) {
	if g.offsets[2] == nil {
		return travel, 1, 0
	}
	return g.offsets[2].derivatives(travel)
}

// travel is the travel at a height, by Newton's method.
func (g *guide) travel(height float64) float64 {
	q := height
	for range 50 {
		z, slope, _ := g.lifted(q)
		change := (height - z) / slope
		if q += change; math.Abs(change) <= 1e-15 {
			break
		}
	}
	return q
}

// moved is the motion of the led frame at a travel with its derivatives; m is the motion of the first frame.
func (g *guide) moved(m *motion, travel, rate, second float64) motion {
	d := *m
	for i, t := range g.offsets {
		value, slope, curvature := t.derivatives(travel)
		if i == 2 {
			value, slope, curvature = g.lifted(travel)
		}
		d = d.shifted(identity[i], value, slope*rate, curvature*rate*rate+slope*second)
	}
	for i, axis := range []r3.Vec{identity[2], identity[0], identity[1]} {
		value, slope, curvature := g.turns[i].derivatives(travel)
		d = d.driven(axis, value, slope*rate, curvature*rate*rate+slope*second)
	}
	return d
}

// advance is the travel of one frame against another with its derivatives, and the gradient of its rate. The second
// derivative includes those accelerations of the motions that have been set.
type advance struct {
	travel, rate, second float64
	from, to             gradient
}

func (g *guide) advance(s *System, from, to *marker) advance {
	v := s.view(from, to)
	e := v.projected(identity[2])
	q := g.travel(e.value)
	_, slope, curvature := g.lifted(q)
	rate := e.rate / slope
	return advance{q, rate, (e.bias - curvature*rate*rate) / slope, e.from.scaled(1 / slope), e.to.scaled(1 / slope)}
}

func (g gradient) scaled(f float64) gradient { return gradient{r3.Scale(f, g.v), r3.Scale(f, g.w)} }

func (g gradient) plus(o gradient) gradient { return gradient{r3.Add(g.v, o.v), r3.Add(g.w, o.w)} }

// evaluateGuided finds the equations of a guided joint: projections on the axes x and y of its first frame, and
// parallel axes, against a frame that moves with the travel.
func (j *joint) evaluateGuided(s *System) {
	g := j.guide
	a := g.advance(s, &j.from, &j.to)
	v := s.view(&j.from, &j.to)
	led := g.moved(&v.f, a.travel, a.rate, a.second)
	faster := g.moved(&v.f, a.travel, a.rate+1, 0)
	turning := r3.Sub(faster.w, led.w) // angular velocity for a rate of travel
	for k := range j.conditions {
		c := &j.conditions[k]
		var e equation
		var share float64 // of the rate of travel in that of the condition
		switch c.kind {
		case projection:
			e = v.projected(c.a)
			for i, u := range components(c.a) { // c.a is x or y
				value, slope, curvature := g.offsets[i].derivatives(a.travel)
				e.value -= u * value
				e.rate -= u * slope * a.rate
				e.bias -= u * (curvature*a.rate*a.rate + slope*a.second)
				share -= u * slope
			}
		case square:
			e = squared(&led, &v.t, c)
			share = r3.Dot(r3.Cross(turning, led.out(c.a)), v.t.out(c.b))
		}
		e.from, e.to = e.from.plus(a.from.scaled(share)), e.to.plus(a.to.scaled(share))
		s.equations[j.first+k] = e
	}
}
