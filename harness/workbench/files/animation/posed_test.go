package animation

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"skidpad/model/vehicle"
)

// The quaternion of axes turns unit vectors to them, also for half turns.
func TestQuaternionOfAxes(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	turns := []quaternion{{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}, {0, 0, 0, 1}, {0, math.Sqrt(0.5), -math.Sqrt(0.5), 0}}
	for range 200 {
		var q quaternion
		size := 0.0
		for i := range q {
			q[i] = random.NormFloat64()
			size = math.Hypot(size, q[i])
		}
		for i := range q {
			q[i] /= size
		}
		turns = append(turns, q)
	}
	for _, q := range turns {
		var axes [3][3]float64
		for i := range 3 {
			var unit vector
			unit[i] = 1
			axes[i] = q.rotate(unit)
		}
		got := quaternionOf(axes)
		for i := range 3 {
			var unit vector
			unit[i] = 1
			for k, x := range got.rotate(unit) {
				if math.Abs(x-axes[i][k]) > 1e-12 {
					t.Fatalf("%v becomes %v", q, got)
				}
			}
		}
	}
}

// Components at wanted frames are drawn, with the names of their frames; a body with points has no box.
func TestPosedScenes(t *testing.T) {
	m, err := vehicle.Parse([]byte(drawnModel), "drawn.toml", nil)
	if err != nil {
		t.Fatal(err)
	}
	straight := [3][3]float64{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}
	frames := map[string]Frame{"ground": {Axes: straight}, "body": {Axes: straight}, "rack": {Axes: straight},
		"point_a": {Place: [3]float64{1, 2, 3}, Axes: straight, Wanted: true}, "point_b": {Axes: straight},
		"point_c": {Axes: straight}, "low": {Place: [3]float64{4, 5, 6}, Axes: straight}}
	s := Posed(m, frames)
	var names []string
	for i := range s.Shapes {
		names = append(names, s.Shapes[i].Kind+" "+s.Shapes[i].Name)
	}
	if got := strings.Join(names, ", "); got != "line a, rod tie" {
		t.Error(got)
	}
	points := s.Points()
	if !slices.Contains(points, Point{"point_a", [3]float64{1, 2, 3}}) ||
		!slices.Contains(points, Point{"low", [3]float64{4, 5, 6}}) {
		t.Errorf("%v", points)
	}
	for name, f := range frames {
		f.Wanted = true
		frames[name] = f
	}
	if s := Posed(m, frames); slices.ContainsFunc(s.Shapes, func(of Shape) bool { return of.Kind == "box" }) ||
		len(s.Shapes) < 9 {
		t.Errorf("%+v", s.Shapes)
	}
}
