package animation

import (
	"math"
	"slices"

	"skidpad/model/component"
	"skidpad/model/vehicle"
)

// Frame is a frame at one moment.
type Frame struct {
	Place  [3]float64    // m
	Axes   [3][3]float64 // unit vectors of its axes
	Wanted bool          // components at this frame are drawn
}

// Posed makes a scene of one moment from the places of all frames. It has the components at wanted frames, and bodies
// with points are drawn by their points only.
func Posed(m *vehicle.Model, frames map[string]Frame) *Scene {
	s := &Scene{Title: m.Title, Times: []float64{0}}
	if s.Title == "" {
		s.Title = m.Name
	}
	known := map[string]pose{}
	for name, f := range frames {
		known[name] = pose{f.Place, quaternionOf(f.Axes)}
	}
	numbers := s.compose(m, known, func(frame string) bool { return frames[frame].Wanted })
	s.Poses = make([][7]float64, len(numbers))
	for name, i := range numbers {
		s.Poses[i] = rowOf(known[name])
	}
	pointed := map[string]bool{} // frames of bodies with points
	for _, c := range m.Components {
		if arm, is := c.(*component.RigidArm); is {
			pointed[arm.From] = true
		}
	}
	s.Shapes = slices.DeleteFunc(s.Shapes, func(of Shape) bool {
		return of.Kind == "box" && pointed[s.Names[of.Frames[0]]]
	})
	return s
}

// quaternionOf is the rotation to axes. Its largest part comes from the diagonal, the others from sums and differences.
func quaternionOf(axes [3][3]float64) quaternion {
	squares := [4]float64{1 + axes[0][0] + axes[1][1] + axes[2][2]} // four times those of the parts
	for i := range 3 {
		squares[i+1] = 2*(1+axes[i][i]) - squares[0]
	}
	most := 0
	for i, x := range squares {
		if x > squares[most] {
			most = i
		}
	}
	product := func(a, b int) float64 { // four times that of two parts
		if a > b {
			a, b = b, a
		}
		if a == b {
			return squares[a]
		}
		if a == 0 {
			j, k := b%3, (b+1)%3
			return axes[j][k] - axes[k][j]
		}
		return axes[a-1][b-1] + axes[b-1][a-1]
	}
	var q quaternion
	for i := range q {
		q[i] = product(most, i) / (2 * math.Sqrt(squares[most]))
	}
	return q
}

// Point is a place with a name.
type Point struct {
	Name  string
	Place [3]float64 // m
}

// Points are the places of the first moment, with the names of the drawing.
func (s *Scene) Points() (list []Point) {
	for _, p := range s.places() {
		list = append(list, Point{p.text, p.at})
	}
	return list
}
