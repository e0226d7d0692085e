package animation

import (
	"math"
	"testing"

	"skidpad/model/vehicle"
)

// A recorded free joint places each of its frames by the other one: position in the axes of the first frame, 3-2-1
// angles.
func TestFreeJointsLeadFromFrameToFrame(t *testing.T) {
	m, err := vehicle.Parse([]byte(`name = "Trailer"
[component.car]
type = "rigid-body"
mass = 500
inertia = { xx = 100, yy = 300, zz = 320 }
[component.view]
type = "free"
from = "car"
to = "trailer"
sequence = "312"
[component.trailer]
type = "rigid-body"
mass = 200
inertia = { xx = 100, yy = 300, zz = 320 }
`), "trailer.toml", nil)
	if err != nil {
		t.Fatal(err)
	}
	const quarter = math.Pi / 2
	seen := map[string]float64{"view.x": -3, "view.y": 1, "view.z": 0.5, "view.yaw": quarter, "view.pitch": 0,
		"view.roll": quarter}
	for of, c := range map[string]struct {
		recorded           map[string]float64
		frame              string
		at, ahead, upwards vector
	}{
		"the trailer from the car": {map[string]float64{"car.x": 10, "car.y": 20, "car.z": 1, "car.yaw": quarter,
			"car.pitch": 0, "car.roll": 0}, "trailer", vector{9, 17, 1.5}, vector{-1, 0, 0}, vector{0, 1, 0}},
		"the car from the trailer": {map[string]float64{"trailer.x": 9, "trailer.y": 17, "trailer.z": 1.5,
			"trailer.yaw": math.Pi, "trailer.pitch": 0, "trailer.roll": quarter}, "car", vector{10, 20, 1}, vector{0, 1, 0},
			vector{0, 0, 1}},
	} {
		columns := map[string][]float64{}
		for _, values := range []map[string]float64{seen, c.recorded} {
			for name, v := range values {
				columns[name] = []float64{v, v}
			}
		}
		got, known := placedAt(m, run(columns), 1)[c.frame]
		if !known {
			t.Errorf("%s: it is nowhere", of)
			continue
		}
		near(t, of, got.r, c.at)
		near(t, of+", its x axis", got.q.rotate(vector{1, 0, 0}), c.ahead)
		near(t, of+", its z axis", got.q.rotate(vector{0, 0, 1}), c.upwards)
		delete(columns, "view.roll")
		if known := placedAt(m, run(columns), 1); len(known) != 2 { // ground and the recorded body
			t.Errorf("%s: frames at %v without a recorded angle", of, known)
		}
	}
}
