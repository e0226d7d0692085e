package drive

import (
	"math"
	"testing"

	"skidpad/harness/workbench/runs/manoeuvre"
	"skidpad/harness/workbench/runs/signal"
)

// A body on a path with a hairpin needs no steering on the second leg. The nearest piece continues from its last
// position, at the body and at the preview point, and does not return to the first leg beside it.
func TestTheDriverGoesOnAlongThePath(t *testing.T) {
	const leg, radius, step = 60.0, 3.0, 0.1
	path := &manoeuvre.Path{}
	point := func(s float64) (x, y, yaw float64) {
		switch bend := math.Pi * radius; {
		case s < leg:
			return s, 0, 0
		case s < leg+bend:
			sin, cos := math.Sincos((s - leg) / radius)
			return leg + radius*sin, radius * (1 - cos), (s - leg) / radius
		default:
			return 2*leg + bend - s, 2 * radius, math.Pi
		}
	}
	const length = 2*leg + math.Pi*radius - 10
	for s := 0.0; s < length; s += step {
		x, y, _ := point(s)
		path.X, path.Y = append(path.X, x), append(path.Y, y)
	}
	s := toy()
	d, err := newInputDriver(s, &manoeuvre.Manoeuvre{Steering: &manoeuvre.Steering{Drivers: []string{"steer"}, Ratio: 1},
		PathFollower: &manoeuvre.PathFollower{Body: "body", Preview: 0.2, Proportional: 1, Integral: 1, Lag: 0.1, Rate: 100,
			Limit: 9}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	for at := 0.0; at < length-5; at += step {
		s.values["body.x"], s.values["body.y"], s.values["body.yaw"] = point(at)
		s.values["body.vx"] = 10
		if beyond, err := d.path.steer(d, path, step/10); err != nil || beyond {
			t.Fatal(beyond, err)
		}
		here := d.path.place.piece
		if want := int(at / step); math.Abs(float64(here-want)) > 2 || math.Abs(float64(d.path.ahead-want-20)) > 15 {
			t.Fatalf("at %g m the nearest piece is %d, that ahead %d; want %d and about %d", at, here, d.path.ahead, want,
				want+20)
		}
		if straight := at < leg-5 || at > leg+math.Pi*radius+20; straight && math.Abs(d.path.angle) > 0.05 {
			t.Fatalf("at %g m the steering wheel is at %g rad", at, d.path.angle)
		}
	}
}

// A speed over the distance is held where the body is along the path, also in its second lap.
func TestSpeedOverTheDistance(t *testing.T) {
	s := toy()
	path := &manoeuvre.Path{X: []float64{0, 100, 100, 0, 0}, Y: []float64{0, 0, 100, 100, 0}, Closed: true, Lap: 400}
	d, err := newInputDriver(s, &manoeuvre.Manoeuvre{Steering: &manoeuvre.Steering{Drivers: []string{"steer"}, Ratio: 1},
		SpeedControl: &manoeuvre.SpeedControl{Variable: "body.vx", Torques: []string{"a.torque"}, Proportional: 10,
			Least: -1e3, Limit: 1e3},
		PathFollower: &manoeuvre.PathFollower{Body: "body", Preview: 0.2, Proportional: 1, Integral: 1, Lag: 0.1, Rate: 100,
			Limit: 9}, Phases: []manoeuvre.Phase{{Name: "lap", Duration: 100, Path: path, ByDistance: true,
			Speed: signal.PiecewiseLinear{Time: []float64{0, 400}, Value: []float64{10, 50}}}}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	s.values["body.vx"] = 7
	for _, c := range []struct{ x, y, want float64 }{{0, 0, 10}, {50, 1, 15}, {100, 50, 25}, {50, 100, 35}, {0, 50, 45},
		{30, 0, 13}} {
		s.values["body.x"], s.values["body.y"] = c.x, c.y
		if err := d.control(3, 1e-3); err != nil {
			t.Fatal(err)
		}
		if got := d.values[d.speed.torques[0]]; math.Abs(got-10*(c.want-7)) > 1e-9 {
			t.Errorf("at (%g, %g): torque %g, want that of %g m/s", c.x, c.y, got, c.want)
		}
	}
}
