package animation

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"
)

// Names cover neither names nor points, however close the points are. A name beside its point has no line.
func TestNamesDoNotOverlap(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for range 20 {
		var texts []string
		var points [][2]float64
		for range 60 {
			texts = append(texts, strings.Repeat("a", 3+random.IntN(20)))
			points = append(points, [2]float64{100 * random.Float64(), 60 * random.Float64()})
		}
		list := labelled(texts, points, rectangle{20, -5, 60, 10})
		if len(list) != len(texts) {
			t.Fatal(len(list))
		}
		for i, a := range list {
			if a.area.overlaps(rectangle{20, -5, 60, 10}) {
				t.Errorf("%+v covers the area that is taken", a)
			}
			end := a.end()
			distance := math.Hypot(end[0]-a.point[0], end[1]-a.point[1])
			if distance > 8 && !a.line || distance == 0 {
				t.Errorf("the name of %v is %g away without a line", a.point, distance)
			}
			if want := nameWidth * float64(len(a.text)); a.area.right-a.area.left < want {
				t.Errorf("%d letters in %v", len(a.text), a.area)
			}
			for k, b := range list {
				if k != i && a.area.overlaps(b.area) {
					t.Fatalf("%+v covers %+v", a, b)
				}
				if p := b.point; p[0] > a.area.left && p[0] < a.area.right && p[1] > a.area.top && p[1] < a.area.bottom {
					t.Fatalf("%+v covers the point %v", a, p)
				}
			}
		}
	}
	if list := labelled([]string{"alone"}, [][2]float64{{5, 5}}, rectangle{}); list[0].line {
		t.Error("a line leads to a name beside its point")
	}
}

// Points of both sides that coincide in a view have one name; others keep theirs.
func TestNamesOfBothSides(t *testing.T) {
	list := labelled([]string{"tie_outer_FL", "tie_outer_FR", "tie_inner_FL", "rack", "tie_outer_RL"},
		[][2]float64{{10, 10}, {10.5, 10}, {10, 10}, {10, 10}, {200, 10}}, rectangle{})
	var texts []string
	for _, l := range list {
		texts = append(texts, l.text)
	}
	if got := strings.Join(texts, "; "); got != "tie_outer_FL, FR; tie_inner_FL; rack; tie_outer_RL" {
		t.Error(got)
	}
}

// Frames at one place have the name of their point, but not only the name of a side.
func TestNamesOfPlaces(t *testing.T) {
	s := &Scene{Names: []string{"carrier_tie_outer_FL", "rod_tie_outer_FL", "hub_FL", "tire_FL", "front",
		"hinge_FL_tail", "arm_front_FL"}}
	for _, x := range []float64{1, 1, 2, 2, 3, 4, 4} {
		s.Poses = append(s.Poses, [7]float64{x, 0, 0, 1})
	}
	var texts []string
	for _, p := range s.places() {
		texts = append(texts, p.text)
	}
	if got := strings.Join(texts, "; "); got != "tie_outer_FL; hub_FL; front; arm_front_FL" {
		t.Error(got)
	}
}
