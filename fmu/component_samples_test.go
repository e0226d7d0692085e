package fmu_test

import (
	"math"
	"testing"

	"skidpad/cosim"
	"skidpad/fmu"
	"skidpad/model/bounded"
	"skidpad/model/vehicle"
)

// held is a mass with a controller that acts each 10 ms, the first time after 3 ms.
const held = `name = "Held"
gravity = [0, 0, 0]
solver = { method = "rk4", step = 0.001 }
[component]
block = { type = "point-mass", mass = 2, start = { position = [0.3, 0, 0], velocity = [-0.2, 0, 0] } }
push = { type = "force-driver", from = "ground", to = "block", axis = "x" }
[component.hold]
type = "sampled-equations"
sample = 0.01
phase = 0.003
inputs = [{ name = "x", unit = "m", from = "block.x" }, { name = "extra", unit = "N" }]
states = [{ name = "sum", unit = "m.s", next = "sum + sample*x" }]
outputs = [{ name = "force", unit = "N", start = 0.7, value = "extra - 80*x - 900*sum", to = ["push.force"] }]
`

func instantiateText(t testing.TB, text string, s fmu.Settings) *importer {
	t.Helper()
	m, err := vehicle.Parse([]byte(text), "test.toml", bounded.Kind.Read)
	if err != nil {
		t.Fatal(err)
	}
	system, err := cosim.New(m, cosim.Options{})
	if err != nil {
		t.Fatal(err)
	}
	l := loaded{system, fmu.Describe(system)}
	window := make([]float64, system.First(cosim.Text))
	c, err := fmu.NewComponent(l.system, l.table, s, window)
	if err != nil {
		t.Fatal(err)
	}
	return &importer{TB: t, Component: c, loaded: l, window: window}
}

// Model exchange with time events has the results of co-simulation, and both of co-simulation that handles events and
// returns early.
func TestSamplesOfImportersAreThoseOfTheEngine(t *testing.T) {
	const h, steps = 0.001, 60
	cs := instantiateText(t, held, cs2)
	cs.initialise(0)
	if v := cs.table.Variables[cs.ref("hold.force")]; v.Variability != fmu.Discrete {
		t.Error("a held output is not discrete")
	}
	var want [][2]float64
	for k := range steps {
		cs.set("hold.extra", float64(k%7))
		_, status := cs.DoStep(float64(k)*h, h)
		cs.ok(status)
		want = append(want, [2]float64{cs.get("block.x"), cs.get("hold.force")})
	}
	for _, s := range []fmu.Settings{me2, me3} {
		me := instantiateText(t, held, s)
		me.initialise(0)
		me.ok(me.UpdateDiscreteStates())
		me.ok(me.EnterContinuousTimeMode())
		n := len(me.table.Derivatives)
		x, dx := make([]float64, n), make([]float64, n)
		next := me.NextSample()
		if math.Abs(next-0.003) > 1e-15 {
			t.Errorf("the first event is at %g s", next)
		}
		for k := range steps {
			at := float64(k) * h
			me.set("hold.extra", float64(k%7))
			if at >= next-1e-9 {
				me.ok(me.EnterEventMode())
				me.set("hold.extra", float64(k%7))
				me.ok(me.UpdateDiscreteStates())
				if next = me.NextSample(); next <= at {
					t.Fatalf("at %g s the next event is at %g s", at, next)
				}
				me.ok(me.EnterContinuousTimeMode())
			}
			me.ok(me.GetContinuousStates(x))
			me.ok(me.GetDerivatives(dx)) // the acceleration is constant
			for i, d := range me.table.Derivatives {
				switch me.table.Variables[me.table.Variables[d.Reference].State].Name {
				case "block.x":
					x[i] += h*dx[i] + h*h/2*(me.get("hold.force")/2)
				case "block.vx":
					x[i] += h * dx[i]
				}
			}
			me.ok(me.SetTime(at + h))
			me.ok(me.SetContinuousStates(x))
			if got := [2]float64{me.get("block.x"), me.get("hold.force")}; math.Abs(got[0]-want[k][0]) > 1e-13 ||
				math.Abs(got[1]-want[k][1]) > 1e-10 {
				t.Fatalf("FMI %d, step %d: %v, want %v", s.Version, k, got, want[k])
			}
		}
	}
}

// A step ends early at a sample for importers that handle events and allow it; they take the sample, and the next step
// does not take it again.
func TestStepsEndEarlyAtSamples(t *testing.T) {
	s := cs3
	s.EventMode, s.EarlyReturn = true, true
	m, plain := instantiateText(t, held, s), instantiateText(t, held, cs3)
	m.initialise(0)
	plain.initialise(0)
	m.ok(m.UpdateDiscreteStates())
	m.ok(m.EnterStepMode())
	at, events := 0.0, 0
	for at < 0.05-1e-12 {
		result, status := m.DoStep(at, 0.05-at)
		m.ok(status)
		at = result.Last
		before := m.get("hold.force")
		if !result.EventNeeded {
			continue
		}
		if w := 0.003 + 0.01*float64(events); math.Abs(at-w) > 1e-12 {
			t.Errorf("event %d at %g s, want %g", events, at, w)
		}
		m.ok(m.EnterEventMode())
		m.ok(m.UpdateDiscreteStates())
		m.ok(m.EnterStepMode())
		if events++; m.get("hold.force") == before {
			t.Error("the event changes nothing")
		}
	}
	if events != 5 {
		t.Errorf("%d events, want 5", events)
	}
	_, status := plain.DoStep(0, 0.05)
	plain.ok(status)
	for _, name := range []string{"block.x", "block.vx", "hold.force", "hold.sum"} {
		if a, b := m.get(name), plain.get(name); math.Abs(a-b) > 1e-12 {
			t.Errorf("%s is %.15g with events, %.15g without", name, a, b)
		}
	}
}
