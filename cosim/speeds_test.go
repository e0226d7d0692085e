package cosim_test

import (
	"strings"
	"testing"

	"skidpad/cosim"
	"skidpad/harness/tests/testrun"
)

// A vehicle that starts faster than vehicles of its kind drive is reported in km/h, with the limit of its speed. The 95
// kW of the passenger car suffice up to 60 m/s: (1.225/2 1.87 0.37 v^2 + 0.005 1230 9.81) v; with a drag coefficient of
// 0.77 up to 47.
func TestStartsFasterThanVehiclesDrive(t *testing.T) {
	testrun.Slow(t)
	for _, c := range []struct {
		model, change, name string
		speed               float64
		want                string // "" for none
	}{
		{"generic4w", "", "body.vx", 69, ""},
		{"generic4w", "", "body.vx", 72, "warning: body: at the start it travels at 72 m/s, which is 259 km/h, faster than " +
			"cars drive, 250 km/h; a speed without a unit is in m/s: write the unit"},
		{"generic4w", "", "body.vy", -70, "at 72.8 m/s, which is 262 km/h"},
		{"passenger_car", "", "body.vx", 64, ""},
		{"passenger_car", "", "body.vx", 68, "its engine of 95 kW drives it against the air, 216 km/h"},
		{"passenger_car", "[component.air]\ndrag = 0\n", "body.vx", 69, ""}, // nothing limits the speed of the engine
		{"passenger_car", "[component.air]\ndrag = 0\n", "body.vx", 72, "faster than cars drive"},
		{"passenger_car", "[component.air]\ndrag_curve = [[-1, 0.4], [1, 0.4]]\n", "body.vx", 53,
			"against the air, 170 km/h"},
		{"passenger_car", `[component.push]
type = "torque-driver"
from = "body"
to = "tire_FL"
axis = "y"
`,
			"body.vx", 68, ""},
		{"truck3", "", "body.vx", 44, ""},
		{"truck3", "", "body.vx", 50, "which is 180 km/h, faster than trucks drive, 160 km/h"},
		{"tractor_semitrailer", "", "tractor.vx", 50, "tractor: at the start"},
		{"bluebike", "", "speed", 90, ""},
		{"car_trailer", "", "body.vx", 60, ""},
	} {
		r := fromText(t, "base = \""+c.model+`.toml"
name = "Changed"
title = "Changed"
`+c.change, "")
		r.set(c.name, c.speed)
		r.start(noInput)
		var list []string
		for _, w := range r.in.Warnings() {
			if strings.HasPrefix(w, cosim.WarningPrefix) && strings.Contains(w, "km/h") {
				list = append(list, w)
			}
		}
		if text := strings.Join(list, "\n"); len(list) > 1 || !strings.Contains(text, c.want) || c.want == "" && text != "" {
			t.Errorf("%s at %s = %g: %q, want %q", c.model, c.name, c.speed, text, c.want)
		}
		r.in.Close()
	}
}
