package reference

import (
	"fmt"

	"gonum.org/v1/gonum/spatial/r3"

	"skidpad/model/component"
)

// rigidBody is a body with its frame at the centre of mass.
type rigidBody struct{ *component.RigidBody }

func init() { know("rigid-body", func(c *component.RigidBody) element { return rigidBody{c} }) }

func (c rigidBody) add(*System) error {
	if c.Damping.Value != 0 {
		return fmt.Errorf("%s: the reference solver does not know angular damping", c.Name)
	}
	return nil
}

func (c rigidBody) body() (body, bool) {
	return body{frame: c.Frame, mass: c.Mass.Value, inertia: tensor(c.Inertia)}, true
}

func (c rigidBody) start(g *givens) (frame string, m motion) {
	names := angles
	if c.Sequence != "321" {
		names = anyAngles
	}
	m.axes = sequence(c.Sequence, g.vector(c.Name, names, c.Start.Angles))
	m.r = triple(g.vector(c.Name, positionNames, c.Start.Position))
	m.v = m.out(triple(g.vector(c.Name, velocityNames, c.Start.Velocity)))
	m.w = m.out(triple(g.vector(c.Name, spinNames, c.Start.AngularVelocity)))
	return c.Frame, m
}

func (c rigidBody) quantities(s *System) []quantity {
	at := s.markers[c.Frame]
	own := func(pick func(m *motion) r3.Vec) func(s *System, y []float64) r3.Vec {
		return func(s *System, _ []float64) r3.Vec { m := s.at(&at); return m.in(pick(&m)) }
	}
	list := three(c.Name, positionNames, func(s *System, _ []float64) r3.Vec { return s.at(&at).r },
		func(s *System, _ []float64) r3.Vec { return s.at(&at).v })
	turned := func(sequence string) func(s *System, y []float64) r3.Vec {
		return func(s *System, _ []float64) r3.Vec { m := s.at(&at); return triple(m.turns(sequence)) }
	}
	list = append(list, three(c.Name, angles, turned("321"), nil)...)
	if c.Sequence != "321" {
		list = append(list, three(c.Name, anyAngles, turned(c.Sequence), nil)...)
	}
	list = append(list, three(c.Name, velocityNames, own(func(m *motion) r3.Vec { return m.v }),
		own(func(m *motion) r3.Vec { return r3.Sub(m.a, r3.Cross(m.w, m.v)) }))...) // of the components in body axes
	list = append(list, three(c.Name, spinNames, own(func(m *motion) r3.Vec { return m.w }),
		own(func(m *motion) r3.Vec { return m.dw }))...)
	return append(list, three(c.Name, accelerations, own(func(m *motion) r3.Vec { return m.a }), nil)...)
}

// tensor returns the columns of an inertia matrix in body axes.
func tensor(i component.Inertia) axes {
	if i.Axisymmetric {
		var a axes
		for k, e := range identity {
			a[k] = r3.Scale(i.Transverse.Value, e)
		}
		a[i.Axis] = r3.Scale(i.Axial.Value, identity[i.Axis])
		return a
	}
	xy, xz, yz := i.XY.Value, i.XZ.Value, i.YZ.Value
	return axes{{X: i.XX.Value, Y: xy, Z: xz}, {X: xy, Y: i.YY.Value, Z: yz}, {X: xz, Y: yz, Z: i.ZZ.Value}}
}
