package drive

import (
	"math"
	"testing"

	"skidpad/harness/workbench/runs/manoeuvre"
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
		if want := int(at / step); math.Abs(float64(d.path.here-want)) > 2 || math.Abs(float64(d.path.ahead-want-20)) > 15 {
			t.Fatalf("at %g m the nearest piece is %d, that ahead %d; want %d and about %d", at, d.path.here, d.path.ahead,
				want, want+20)
		}
		if straight := at < leg-5 || at > leg+math.Pi*radius+20; straight && math.Abs(d.path.angle) > 0.05 {
			t.Fatalf("at %g m the steering wheel is at %g rad", at, d.path.angle)
		}
	}
}
