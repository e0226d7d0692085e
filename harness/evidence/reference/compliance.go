package reference

import (
	"fmt"
	"math"
	"sort"

	"gonum.org/v1/gonum/spatial/r3"

	"skidpad/model/component"
)

// compliance is a coupled spring of several joints, over the travel of a suspension.
type compliance struct {
	*component.Compliance
	joints []coordinate
	travel coordinate
	lag    float64
	loads  []float64 // on the coordinates, at the latest evaluation
}

func init() {
	know("compliance", func(c *component.Compliance) element { return &compliance{Compliance: c} })
}

func (l *compliance) add(s *System) error {
	if l.Second {
		return fmt.Errorf("%s has a table over two variables, which the reference solver does not have", l.Name)
	}
	for _, joint := range l.Joints {
		on, err := s.coordinateOf(l.Name, joint)
		if err != nil {
			return err
		}
		l.joints = append(l.joints, on)
	}
	if l.Loss.Value > 0 {
		l.lag = l.Loss.Value / (2 * math.Pi * l.Frequency.Value)
	}
	l.loads = make([]float64, len(l.joints))
	s.loads = append(s.loads, l)
	var err error
	l.travel, err = s.coordinateOf(l.Name, l.Over)
	return err
}

// between is a number of the table at x and its slope: linear between the points, constant beyond them.
func between(of *component.ComplianceNumber, x float64) (value, slope float64) {
	if of == nil {
		return 0, 0
	}
	px, py := of.Curve.X, of.Curve.Y
	n := len(px) - 1
	switch {
	case x < px[0]:
		return py[0], 0
	case x >= px[n]:
		return py[n], 0
	}
	k := sort.Search(n, func(i int) bool { return px[i+1] > x })
	slope = (py[k+1] - py[k]) / (px[k+1] - px[k])
	return py[k] + slope*(x-px[k]), slope
}

// apply: the stored energy P x + x K x/2 falls with the coordinates and with the travel.
func (l *compliance) apply(s *System, y []float64) {
	travel, _, along := l.travel.measure(s, y)
	n := len(l.joints)
	x, v, u := make([]float64, n), make([]float64, n), make([]r3.Vec, n)
	for i := range l.joints {
		x[i], v[i], u[i] = l.joints[i].measure(s, y)
	}
	rise := 0.0
	for i := range n {
		load, slope := between(l.Preload[i], travel)
		rise += slope * x[i]
		for j := range n {
			k, slope := between(l.Matrix[min(i, j)][max(i, j)], travel)
			load += k * (x[j] + l.lag*v[j])
			rise += slope * x[i] * x[j] / 2
		}
		l.loads[i] = -load
		l.joints[i].pull(s, r3.Scale(load, u[i]))
	}
	l.travel.pull(s, r3.Scale(rise, along))
}

func (l *compliance) touches() (list []int) {
	for _, on := range append(l.joints, l.travel) {
		list = append(list, on.from.part, on.to.part)
	}
	return list
}

func (l *compliance) quantities(*System) (list []quantity) {
	for i := range l.joints {
		key := "force"
		if l.joints[i].kind == aboutAxis {
			key = "torque"
		}
		list = append(list, number(fmt.Sprintf("%s.%s_%d", l.Name, key, i+1), &l.loads[i]))
	}
	return list
}
