package library

import (
	"math"
	"os"
	"path/filepath"
	"testing"
	"time"

	"skidpad/harness/tests/built"
)

// cruiseUnit is the cruise control of the example cruise.c in formulas.
const cruiseUnit = `type = "sampled-equations"
modes = [{ mode = "on", condition = "brake > 0", next = "off" }]
states = [{ name = "z", unit = "m", value = 13.31,
  next = "select(mode == off or demand < 0 or demand > 1, z, z + sample*lack)" }]
outputs = [
  { name = "lack", unit = "m/s", value = "wish - speed" },
  { name = "demand", unit = "1", value = "0.2*lack + 0.02*z" },
  { name = "throttle", unit = "1", start = 0.2662, to = ["@throttle"],
    value = "select(mode == off, 0, min(1, max(0, demand)))" },
]
`

// cruiseFunction is the same for the function of the example.
const cruiseFunction = `type = "controller"
states = [{ name = "off", unit = "1" }, { name = "z", unit = "m", value = 13.31 }]
outputs = [{ name = "throttle", unit = "1", start = 0.2662, to = ["@throttle"] }]
`

// BenchmarkSamples times steps of 1 ms of the passenger car in turn: without a controller, with a controller between
// two samples, and with a sample in every step, by formulas and by a function in C. The ratio compares steps between
// samples with steps without a controller. ns/sample and ns/call are the additional times of a step with a sample.
func BenchmarkSamples(b *testing.B) {
	l, err := Open(built.Library(b))
	if err != nil {
		b.Fatal(err)
	}
	function := "plugin:" + filepath.Join(built.Tires(b), "cruise.so") + "#skidpad_cruise"
	const far, often = "sample = 1000\nphase = 1000\n", "sample = 0.001\n"
	names := [...]string{"bare", "far", "formulas", "function"}
	for _, method := range []string{"euler", "rk4"} {
		b.Run(method, func(b *testing.B) {
			var cars [len(names)]*Vehicle
			for i, unit := range [...]string{"", far + cruiseUnit, often + cruiseUnit, often + cruiseFunction} {
				text := "base = \"passenger_car\"\nname = \"Bench\"\ntitle = \"Passenger car\"\n"
				if unit != "" {
					text += "[component.cruise]\ninputs = [{ name = \"speed\", unit = \"m/s\", from = \"@chassis.vx\" }, " +
						"{ name = \"wish\", unit = \"m/s\", value = 20 }, { name = \"brake\", unit = \"1\" }]\n" + unit
				}
				file := filepath.Join(b.TempDir(), names[i]+".toml")
				if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
					b.Fatal(err)
				}
				v, err := l.Load(file, "")
				if err != nil {
					b.Fatal(err)
				}
				defer v.Close()
				if err := v.SetText("solver.method", method); err != nil {
					b.Fatal(err)
				}
				if names[i] == "function" {
					err = v.SetText("cruise.function", function)
				}
				if err == nil {
					err = v.Initialise()
				}
				if err != nil {
					b.Fatal(err)
				}
				cars[i] = v
			}
			const steps = 200
			least := [len(names)]float64{math.Inf(1), math.Inf(1), math.Inf(1), math.Inf(1)}
			for b.Loop() {
				for i, v := range cars {
					begin := time.Now()
					for range steps {
						if err := v.Step(0.001); err != nil {
							b.Fatal(err)
						}
					}
					least[i] = min(least[i], float64(time.Since(begin).Nanoseconds())/steps)
				}
			}
			b.ReportMetric(least[0], "ns/step")
			b.ReportMetric(least[1]/least[0], "ratio")
			b.ReportMetric(least[2]-least[1], "ns/sample")
			b.ReportMetric(least[3]-least[1], "ns/call")
		})
	}
}
