package cosim

import (
	"math"
	"testing"

	"skidpad/model/vehicle"
)

// A loop follows a jump of the rate v of a given motion by stabilisation: the gap e of a slider on a rod begins with
// e' = -v, and e” + 2 alpha e' + alpha^2 e = 0. The default alpha closes it in some milliseconds.
func TestLoopsFollowJumpsOfDrivers(t *testing.T) {
	t.Parallel()
	const slider = `name = "Slider"
gravity = 0
solver = { method = "rk4", step = 0.0005 }
[component.push]
type = "motion-driver"
kind = "translation"
from = "ground"
to = "pusher"
axis = "x"
[component.block]
type = "rigid-body"
mass = 1
inertia = { xx = 1, yy = 1, zz = 1 }
[component.slide]
type = "prismatic"
from = "ground"
to = "block"
axis = "x"
start = { s = 1 }
[component.rod]
type = "rod"
from = "pusher"
to = "block"
length = 1
`
	for _, c := range []struct {
		more  string
		alpha float64
	}{
		{"", 300},
		{"[[tree]]\nname = \"slow\"\nbaumgarte = { alpha = 20, beta = 20 }\n", 20},
	} {
		m, err := vehicle.Parse([]byte(slider+c.more), "slider.toml", nil)
		if err != nil {
			t.Fatal(err)
		}
		s, err := New(m, Options{})
		if err != nil {
			t.Fatal(err)
		}
		in, err := s.Instantiate()
		if err != nil {
			t.Fatal(err)
		}
		r := &ride{in, t}
		if err := in.Initialise(); err != nil {
			t.Fatal(err)
		}
		r.set("push.rate", 0.1)
		for _, end := range []float64{0.005, 0.02} {
			if err := in.Step(end - in.Time()); err != nil {
				t.Fatal(err)
			}
			want := 1 - (1-c.alpha*end)*math.Exp(-c.alpha*end)
			if share := r.get("slide.s_dot") / 0.1; !(math.Abs(share-want) < 1e-3) {
				t.Errorf("%q after %g s: the slider has %.4g of the speed of the driver; want %.4g", c.more, end, share, want)
			}
		}
	}
}
