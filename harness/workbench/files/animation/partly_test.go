package animation

import (
	"math"
	"slices"
	"testing"

	"skidpad/model/vehicle"
)

// With the motion of the body alone, a wheel with coordinates of its own keeps its place in the body, and turns about
// itself where its angle is known. Frames on the body follow once, and those on the ground stay.
func TestPartlyKnownValuesCarryTheRest(t *testing.T) {
	m, err := vehicle.Parse([]byte(drawnModel+`[component.wheel]
type = "rigid-body"
mass = 20
inertia = { xx = 1, yy = 1, zz = 1 }
`), "drawn.toml", nil)
	if err != nil {
		t.Fatal(err)
	}
	names := []string{"body.x", "body.y", "body.z", "body.yaw", "body.pitch", "body.roll", "wheel.x", "wheel.y", "wheel.z",
		"wheel.yaw", "wheel.pitch", "wheel.roll", "rack.position"}
	start := []float64{2, 0, 1, 0, 0, 0, 3, 0.8, 0.3, 0, 0, 0, 0.1}
	p, err := NewPoser(m, names, start, 10)
	if err != nil {
		t.Fatal(err)
	}
	place := func(values map[string]float64) {
		row := make([]float64, len(names))
		for i, name := range names {
			row[i] = math.NaN()
			if x, known := values[name]; known {
				row[i] = x
			}
		}
		p.PlacePartly(row)
	}
	check := func(frame string, want pose) {
		t.Helper()
		got := p.Poses[slices.Index(p.Names, frame)]
		for k, x := range append(want.r[:], want.q[:]...) {
			if math.Abs(got[k]-x) > 1e-12 {
				t.Errorf("%s is at %.4f, want %.4f", frame, got, want)
				return
			}
		}
	}
	left := turn([3]float64{0, 0, 1}, math.Pi/2)
	spun := left.times(turn([3]float64{0, 1, 0}, 0.4))
	for range 2 { // a second time, from other poses
		place(map[string]float64{"body.x": 12, "body.yaw": math.Pi / 2, "wheel.pitch": 0.4})
		check("body", pose{vector{12, 0, 1}, left})
		check("wheel", pose{vector{11.2, 1, 0.3}, spun})
		check("point_a", pose{vector{12, 1, 1}, left})
		check("low", pose{vector{1, 0, 0}, unturned})
		place(map[string]float64{"body.yaw": math.Pi / 2})
		check("wheel", pose{vector{1.2, 1, 0.3}, left})
		check("rack", pose{vector{1.9, 0, 1}, left})
		place(map[string]float64{"body.x": 12, "wheel.x": 5})
		check("body", pose{vector{12, 0, 1}, unturned})
		check("wheel", pose{vector{5, 0.8, 0.3}, unturned})
		place(nil)
		check("wheel", pose{vector{3, 0.8, 0.3}, unturned})
		check("body", pose{vector{2, 0, 1}, unturned})
	}
}
