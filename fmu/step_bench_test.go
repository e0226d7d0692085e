package fmu_test

import "testing"

// BenchmarkDoStep measures a step of 1 ms as an importer requests it, without and with an input that
// changes.
func BenchmarkDoStep(b *testing.B) {
	quiet := cs3
	quiet.Logging = false
	for _, inputs := range []bool{false, true} {
		m := instantiate(b, "generic4w", quiet)
		m.ok(m.SetString([]uint32{m.ref("solver.method")}, []string{"euler"}))
		m.initialise(0)
		torque, t := m.ref("brake_FL.torque"), 0.0
		which := m.only(torque)
		b.Run(map[bool]string{false: "step", true: "input and step"}[inputs], func(b *testing.B) {
			for b.Loop() {
				if inputs {
					m.window[torque] += 1e-9
					m.TakeInputs(which, false)
				}
				r, s := m.DoStep(t, 0.001)
				t = r.Last
				m.ok(s)
			}
		})
	}
}
