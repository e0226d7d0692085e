package fmu_test

import (
	"math"
	"strings"
	"testing"

	"skidpad/fmu"
)

// unixTime is a start time of hosts that count seconds since 1970; its unit in the last place is 2.4e-7 s.
const unixTime = 1.7e9

// Rounding of large times does not change the communication point. The times of hosts, their sums and differences are
// wrong by a few units in the last place, i.e. 1/400 of a step of 0.1 ms.
func TestCommunicationPointsInUnixTime(t *testing.T) {
	for _, settings := range []fmu.Settings{cs2, cs3} {
		for _, model := range []string{"skidder", "motorcycle2d"} { // the latter with wheel contacts and steps of its own
			for _, h := range []float64{1e-3, 1e-4, 1e-5} {
				if model == "motorcycle2d" && h < 1e-3 {
					continue
				}
				grid := func(k int) float64 { return unixTime + float64(k)*h }
				sum := unixTime
				for host, point := range map[string]func(k int) (at, length float64){
					"a product":     func(k int) (float64, float64) { return grid(k), h },
					"a difference":  func(k int) (float64, float64) { return grid(k), grid(k+1) - grid(k) },
					"a sum":         func(int) (float64, float64) { at := sum; sum += h; return at, h },
					"units too far": func(k int) (float64, float64) { return grid(k) + float64(k%3-1)*0x1p-21, h },
				} {
					if model == "motorcycle2d" && host == "a sum" {
						continue
					}
					sum = unixTime
					m := instantiate(t, model, settings)
					m.initialise(unixTime)
					m.Messages = nil
					for k := range 50 {
						if _, s := m.DoStep(point(k)); s != fmu.OK {
							t.Fatalf("FMI %d, %s, steps of %g s, times by %s: status %d at %d: %v", settings.Version, model, h,
								host, s, k, m.Messages[max(0, len(m.Messages)-1):])
						}
					}
					at, _ := point(50)
					for _, x := range m.Messages {
						if x.Category == fmu.LogStatusWarning {
							t.Errorf("%s: %v", host, x)
						}
					}
					if got := m.get("time"); !(math.Abs(got-at) <= 4*0x1p-22) {
						t.Errorf("%s: the time is %.17g, want %.17g", host, got, at)
					}
				}
			}
		}
	}
}

// In Unix time, too, a step that begins half a step beside the time reached is refused, and one that is made twice.
func TestWrongCommunicationPointsInUnixTime(t *testing.T) {
	for _, h := range []float64{1e-3, 1e-4, 1e-5, 1e-6} {
		for _, wrong := range []float64{-1, -0.51, 0.51, 1} {
			m := instantiate(t, "skidder", cs2)
			m.initialise(unixTime)
			_, s := m.DoStep(unixTime, h)
			m.ok(s)
			at := m.get("time")
			if wrong *= h; math.Abs(math.Abs(wrong)-h/2) < 0x1p-21 && h < 1e-5 {
				continue // there is no such time
			}
			if _, s := m.DoStep(at+wrong, h); s != fmu.Error {
				t.Errorf("a step of %g s that begins %g s beside the time reached has status %d", h, wrong, s)
			}
		}
	}
}

// A host whose times are off by more than rounding gets one warning in a run and a count at the end. Without logging it
// gets no message.
func TestWarningsOfEveryStepAreCounted(t *testing.T) {
	causes := map[string]struct {
		text, count string
		settings    []fmu.Settings
		step        func(m *importer, k int) fmu.Status
	}{
		"time": {"the step begins at", "20 steps have begun at another time", []fmu.Settings{cs2, cs3},
			func(m *importer, k int) fmu.Status {
				_, s := m.DoStep(float64(k)*0.01+float64(k%2)*1e-6, 0.01)
				return s
			}},
		"order": {"derivative of order 2", "20 derivatives of inputs, of orders up to 2", []fmu.Settings{cs2},
			func(m *importer, k int) fmu.Status {
				brake := []uint32{m.ref("brake_FL.torque")}
				if k == 0 {
					return fmu.OK
				}
				return m.SetInputDerivatives(brake, []int32{2}, []float64{1})
			}},
	}
	for what, cause := range causes {
		for _, settings := range cause.settings {
			for _, logging := range []bool{true, false} {
				settings.Logging = logging
				m := instantiate(t, "skidder", settings)
				for range 2 { // a run, and one after Reset
					m.initialise(0)
					m.Messages = nil
					warnings := 0
					for k := range 21 {
						switch s := cause.step(m, k); s {
						case fmu.Warning:
							warnings++
						default:
							m.ok(s)
						}
					}
					m.ok(m.Terminate())
					m.ok(m.Reset())
					var texts []string
					for _, x := range m.Messages {
						texts = append(texts, x.Text)
					}
					said := strings.Join(texts, "\n")
					switch {
					case !logging && (warnings != 0 || len(texts) != 0):
						t.Errorf("%s, FMI %d: %d warnings without logging: %s", what, settings.Version, warnings, said)
					case logging && (warnings != 1 || len(texts) != 2 || !strings.HasPrefix(texts[0], cause.text) ||
						!strings.HasPrefix(texts[1], cause.count)):
						t.Errorf("%s, FMI %d: %d warnings: %s", what, settings.Version, warnings, said)
					}
				}
			}
		}
	}
}
