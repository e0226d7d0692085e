package reference

import (
	"slices"
	"strings"

	"gonum.org/v1/gonum/spatial/r3"

	"skidpad/model/component"
)

// freeJoint publishes the motion of one frame relative to another.
type freeJoint struct{ *component.FreeJoint }

func init() { know("free", func(c *component.FreeJoint) element { return freeJoint{c} }) }

func (freeJoint) add(*System) error { return nil }

func (c freeJoint) quantities(s *System) []quantity {
	from, to := s.markers[c.From], s.markers[c.To]
	like := sensor{&component.Sensor{Header: c.Header, From: c.From, To: c.To, Resolve: c.From}}
	list := like.quantities(s)
	list = list[:len(list)-len(spinNames)] // the angular velocity is in the axes of the head
	if like.Resolve = c.Resolve(); like.Resolve != c.From {
		for i, q := range like.quantities(s) {
			if slices.Contains(slices.Concat(velocityNames[:], accelerations[:]), strings.TrimPrefix(q.name, c.Name+".")) {
				list[i] = q
			}
		}
	}
	if c.Sequence != "321" {
		list = append(list, three(c.Name, anyAngles, relativeAngles(from, to, c.Sequence), nil)...)
	}
	return append(list, three(c.Name, spinNames, func(s *System, _ []float64) r3.Vec {
		f, t := s.at(&from), s.at(&to)
		return t.in(r3.Sub(t.w, f.w))
	}, nil)...)
}
