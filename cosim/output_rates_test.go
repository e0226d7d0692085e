package cosim_test

import (
	"math"
	"testing"

	"skidpad/cosim"
	"skidpad/model/vehicle"
)

// One driver moves a platform to the position s(t), another driver turns it by the angle a(t), and a post stands on the
// platform at r. The rate of the post's position is its velocity, and the rate of its velocity is its acceleration.
// Both the accelerations of the drivers and the rates that continue their inputs count.
func TestOutputRatesIncludeDriverAccelerations(t *testing.T) {
	m, err := vehicle.Parse([]byte(`name = "Platform"
[component.push]
type = "motion-driver"
from = "ground"
to = "sledge"
axis = "x"
kind = "translation"
[component.turn]
type = "motion-driver"
from = "sledge"
to = "table"
axis = "z"
[component.arm]
type = "rigid-arm"
from = "table"
to = "post"
translation = [0.5, 0, 0]
[component.load]
type = "point-mass"
frame = "post"
mass = 2
[component.loose]
type = "point-mass"
mass = 1
[component.probe]
type = "sensor"
to = "post"
`), "platform.toml", nil)
	if err != nil {
		t.Fatal(err)
	}
	system, err := cosim.New(m, cosim.Options{})
	if err != nil {
		t.Fatal(err)
	}
	r := instance(t, system, "rk4", 0.001)
	set := map[string]float64{"push.position": 0.2, "push.rate": 1.5, "push.acceleration": -0.7, "turn.angle": 0.6,
		"turn.rate": 0.9, "turn.acceleration": 2.3}
	for name, v := range set {
		r.set(name, v)
	}
	r.start(noInput)
	sin, cos := math.Sincos(set["turn.angle"])
	w, a := set["turn.rate"], set["turn.acceleration"]
	want := map[string]float64{
		"probe.x": set["push.rate"] - 0.5*w*sin, "probe.y": 0.5 * w * cos,
		"probe.vx": set["push.acceleration"] - 0.5*(a*sin+w*w*cos), "probe.vy": 0.5 * (a*cos - w*w*sin),
	}
	for name, v := range want {
		got := make([]float64, 1)
		i, _ := system.Find(name)
		if err := r.in.OutputRates([]int{i}, got); err != nil || !(math.Abs(got[0]-v) <= 1e-13) {
			t.Errorf("rate of %s is %g, %v; want %g", name, got[0], err, v)
		}
	}
}
