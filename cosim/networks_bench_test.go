package cosim_test

import (
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"skidpad/cosim"
	"skidpad/model/bounded"
	"skidpad/model/vehicle"
)

// electricDrives is the generic vehicle with a battery, four converters and four machines.
func electricDrives(t testing.TB) *cosim.System {
	t.Helper()
	var b strings.Builder
	b.WriteString(`base = "generic4w.toml"
name = "ElectricDrives"
title = "Generic vehicle with electric drives"
[component]
pack = { type = "battery", to = "dc", open_voltage = [[0, 300], [1, 390]], resistance = 0.1, charge = "60 A.h", start = { soc = 0.8 } }
`)
	for _, c := range corners {
		fmt.Fprintf(&b, `inverter_%[1]s = { type = "converter", supply = ["dc", "ground"], load = ["phase_%[1]s", "ground"], ratio = "input" }
machine_%[1]s = { type = "dc-machine", from = "phase_%[1]s", resistance = "50 mOhm", inductance = "0.4 mH", constant = 1.1, joint = "wheel_%[1]s" }
`, c)
	}
	m, err := vehicle.Parse([]byte(b.String()), "electric_drives.toml", func(_ bounded.Kind, name string) ([]byte, error) {
		return os.ReadFile("../resources/models/" + name)
	})
	if err != nil {
		t.Fatal(err)
	}
	s, err := cosim.New(m, cosim.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// costOfDrives is the share of operations of the rates by which battery, converters and machines exceed the vehicle
// without them.
func costOfDrives(t testing.TB) float64 {
	with, without := electricDrives(t).Program().RateCost, load(t, "generic4w", "").Program().RateCost
	return float64(with.Total())/float64(without.Total()) - 1
}

// Battery, converters and machines add at most 6 % to the operations of a step.
func TestElectricDrivesAddFewOperations(t *testing.T) {
	if more := costOfDrives(t); more > 0.06 {
		t.Errorf("%.2f %% more operations", 100*more)
	}
}

// BenchmarkElectricDrives times steps of 1 ms with and without drives in turn. The metrics are the ratio of the times,
// and the additional operations.
func BenchmarkElectricDrives(b *testing.B) {
	for _, method := range []string{"euler", "rk4", "linearly-implicit"} {
		b.Run(method, func(b *testing.B) {
			list := []*run{instance(b, load(b, "generic4w", ""), method, 0.001), instance(b, electricDrives(b), method, 0.001)}
			for _, c := range corners { // the voltage that the wheels induce
				list[1].set("inverter_"+c+".ratio", 1.1*57.45/372)
			}
			var times [2]time.Duration
			for _, r := range list {
				r.start(noInput)
				r.drive(noInput, 0.001, 0.1)
			}
			for b.Loop() {
				for k, r := range list {
					begin := time.Now()
					for range 100 {
						if err := r.in.Step(0.001); err != nil {
							b.Fatal(err)
						}
					}
					times[k] += time.Since(begin)
				}
			}
			b.ReportMetric(float64(times[1])/float64(times[0]), "ratio")
			b.ReportMetric(100*costOfDrives(b), "%-operations")
			b.ReportMetric(float64(times[0].Nanoseconds())/float64(100*b.N), "ns/step-without")
		})
	}
}
