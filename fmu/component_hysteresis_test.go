package fmu_test

import (
	"math"
	"slices"
	"testing"

	"skidpad/fmu"
)

// A tire on the road lifts off when its force, computed as if the road could pull, falls below -1 mN. A tire in the air
// touches down above 1 mN, so a load of zero does not chatter. The event indicator changes its sign at these thresholds
// only.
func TestContactsHaveAHysteresis(t *testing.T) {
	for _, settings := range []fmu.Settings{me2, me3} {
		m := instantiate(t, "generic4w", settings)
		m.set("body.vx", 0)
		for _, wheel := range []string{"FL", "FR", "RL", "RR"} {
			m.set("wheel_"+wheel+".omega", 0)
		}
		m.initialise(0)
		m.ok(m.EnterContinuousTimeMode())
		n := len(m.table.Derivatives)
		x := make([]float64, n)
		m.ok(m.GetContinuousStates(x))
		height := slices.IndexFunc(m.table.Derivatives, func(d fmu.Unknown) bool {
			return m.table.Variables[d.Reference].State == m.ref("body.z")
		})
		at := func(z float64) float64 {
			x[height] = z
			m.ok(m.SetContinuousStates(x))
			return m.get("tire_FL.Fz")
		}
		low, high := x[height]-1e-3, x[height]-1e-3+1e-6
		load := at(low)
		stiffness := (load - at(high)) / (high - low)
		if !(load > 100 && stiffness > 1e4) {
			t.Fatalf("load %g N, stiffness %g N/m", load, stiffness)
		}
		zero := low + load/stiffness
		for range 3 { // to the last digits
			zero += at(zero-1e-6)/stiffness - 1e-6
		}
		indicator := slices.Index(m.table.Indicators, m.ref("tire_FL.Fz_signed"))
		for _, c := range []struct {
			force float64 // mN
			event bool    // the sign of the indicator has changed
		}{
			{3, false}, {0.6, false}, {-0.6, false}, {0.6, false}, {-0.6, false}, {-3, true}, {-0.6, false}, {0.6, false},
			{-0.6, false}, {3, true}, {-0.6, false}, {-3, true}, {3, true},
		} {
			touching := m.get("tire_FL.contact")
			at(zero - c.force*1e-3/stiffness)
			z := make([]float64, len(m.table.Indicators))
			m.ok(m.GetEventIndicators(z))
			if event := (z[indicator] > 0) != (touching != 0); event != c.event {
				t.Errorf("FMI %d, %g mN, contact %g: the indicator is %g, event %v", settings.Version, c.force, touching,
					z[indicator], event)
			}
			if side := 2*touching - 1; math.Abs(z[indicator]-(c.force+side)*1e-3) > 2e-4 {
				t.Errorf("FMI %d, %g mN, contact %g: the indicator is %g N", settings.Version, c.force, touching, z[indicator])
			}
			m.ok(m.EnterEventMode())
			m.ok(m.UpdateDiscreteStates())
			m.ok(m.EnterContinuousTimeMode())
			if after := m.get("tire_FL.contact"); (after != touching) != c.event {
				t.Errorf("FMI %d, %g mN: contact %g becomes %g", settings.Version, c.force, touching, after)
			}
		}
	}
}
