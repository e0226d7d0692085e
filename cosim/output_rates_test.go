package cosim_test

import (
	"math"
	"testing"

	"skidpad/cosim"
	"skidpad/model/vehicle"
)

// A platform that a driver moves by the position s(t), which turns on it by the angle a(t), and a post r on it: the
// rate of its place is its velocity, and that of its velocity its acceleration, in which the accelerations of the
// drivers count as well as the rates that they are continued with.
func TestRatesOfOutputsKnowAccelerations(t *testing.T) {
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
