package reference

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/interp"
	"gonum.org/v1/gonum/spatial/r3"

	"skidpad/model/component"
	"skidpad/model/curve"
)

// spring is a spring and damper.
type spring struct {
	*component.SpringDamper
	on                  coordinate
	curved, damped      *table  // of the force over length - free and over the rate; nil for none
	length, rate, force float64 // at the latest evaluation
}

func init() {
	know("spring-damper", func(c *component.SpringDamper) element { return &spring{SpringDamper: c} })
}

func (l *spring) add(s *System) (err error) {
	l.on = coordinate{from: s.markers[l.From], to: s.markers[l.To]}
	if l.Joint != "" {
		l.on, err = s.coordinateOf(l.Name, l.Joint)
	}
	if l.SpringSurface != nil || l.DamperSurface != nil || l.LengthSurface != nil {
		return fmt.Errorf("%s has a surface, which the reference solver does not have; use curves", l.Name)
	}
	if l.Length != nil {
		l.on.over = through(l.Length.X, l.Length.Y, &interp.NaturalCubic{})
		if err := l.on.over.of(l.Name+".length", l.Length); err != nil {
			return err
		}
	}
	l.curved, l.damped = monotone(l.SpringForce), monotone(l.DamperForce)
	l.damped.resists()
	s.loads = append(s.loads, l)
	return err
}

// monotone is the curve of a force, nil for none.
func monotone(c *curve.Curve) *table {
	if c == nil {
		return nil
	}
	return through(c.X, c.Y, &interp.FritschButland{})
}

func (l *spring) apply(s *System, y []float64) {
	var u r3.Vec
	l.length, l.rate, u = l.on.measure(s, y)
	deflection := l.length - l.FreeLength.Value
	damping := l.Damping.Value + l.QuadraticDamping.Value*math.Abs(l.rate)
	l.force = l.Stiffness.Value*deflection + damping*l.rate + l.curved.at(deflection) + l.damped.at(l.rate)
	l.on.pull(s, r3.Scale(l.force, u))
}

func (l *spring) touches() []int { return []int{l.on.from.part, l.on.to.part} }

func (l *spring) quantities(*System) []quantity {
	tension, length := ".force", ".length"
	if l.on.rotates() {
		tension, length = ".torque", ".angle"
	}
	return []quantity{number(l.Name+tension, &l.force), number(l.Name+length, &l.length)}
}
