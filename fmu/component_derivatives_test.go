package fmu_test

import (
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"skidpad/cosim"
	"skidpad/fmu"
)

func TestModelExchangeAgreesWithCoSimulation(t *testing.T) {
	for model, inputs := range map[string]map[string]float64{
		"generic4w": {"brake_FL.torque": 500}, "skidder": {"brake_FL.torque": 500},
		"halfcar": {"motor.torque": 550, "road.mu": 0.3},
	} {
		cs, me := instantiate(t, model, cs2), instantiate(t, model, me2)
		cs.initialise(0)
		me.initialise(0)
		me.ok(me.EnterContinuousTimeMode())
		n := len(me.table.Derivatives)
		x, y, at := make([]float64, n), make([]float64, n), 0.0
		me.ok(me.GetContinuousStates(x))
		const h = 0.001
		for step := range 300 {
			if step == 100 {
				for _, m := range []*importer{cs, me} {
					for name, v := range inputs {
						m.set(name, v)
					}
				}
			}
			k := make([][]float64, 4)
			for stage, c := range []float64{0, 0.5, 0.5, 1} {
				for i := range x {
					y[i] = x[i]
					if stage > 0 {
						y[i] += c * h * k[stage-1][i]
					}
				}
				me.ok(me.SetTime(at + c*h))
				me.ok(me.SetContinuousStates(y))
				k[stage] = make([]float64, n)
				me.ok(me.GetDerivatives(k[stage]))
			}
			for i := range x {
				x[i] += h / 6 * (k[0][i] + 2*k[1][i] + 2*k[2][i] + k[3][i])
			}
			_, s := cs.DoStep(at, h)
			cs.ok(s)
			at += h
			me.ok(me.SetTime(at))
			me.ok(me.SetContinuousStates(x))
		}
		for i, d := range cs.table.Derivatives {
			name := cs.table.Variables[cs.table.Variables[d.Reference].State].Name
			if got, want := me.get(name), cs.get(name); !(math.Abs(got-want) <= 1e-10*max(1, math.Abs(want))) ||
				got != x[i] {
				t.Errorf("%s: %s is %.15g in model exchange, %.15g in co-simulation", model, name, got, want)
			}
		}
	}
}

func derivativePoint(m *importer, r *rand.Rand) (states, inputs []uint32) {
	for _, d := range m.table.Derivatives {
		states = append(states, m.table.Variables[d.Reference].State)
	}
	for _, v := range m.table.Variables {
		if v.Causality == fmu.Input {
			inputs = append(inputs, v.Reference)
			m.set(v.Name, v.Start+0.02*r.Float64())
		}
	}
	x := make([]float64, len(states))
	m.ok(m.GetContinuousStates(x))
	for i := range x {
		x[i] += 0.002 * r.NormFloat64()
	}
	m.ok(m.SetContinuousStates(x))
	return states, inputs
}

func TestDirectionalDerivativesAgreeWithDifferences(t *testing.T) {
	directionalDerivatives(instantiate(t, "skidder", me2), nil)
	car := instantiate(t, "halfcar", me2)
	for name, v := range map[string]float64{"forward.s_dot": 10, "wheel_F.omega": 40, "wheel_R.omega": 46} {
		car.set(name, v)
	}
	directionalDerivatives(car, map[string]float64{"motor.torque": 550, "road.mu": 0.5, "brake_F.torque": 30})
	if s := car.get("contact_R.stiction"); !(s > 0.1 && s < 0.9) {
		t.Errorf("the rear wheel of the half-car does not slide: stiction %g", s)
	}
}

// directionalDerivatives compares those at random states and inputs; around are inputs other than those of the start.
func directionalDerivatives(m *importer, around map[string]float64) {
	t := m.TB
	t.Helper()
	m.initialise(0)
	m.ok(m.EnterContinuousTimeMode())
	r := rand.New(rand.NewPCG(5, 6))
	for range 20 {
		states, inputs := derivativePoint(m, r)
		for name, v := range around {
			m.set(name, v+0.02*r.Float64())
		}
		var unknowns []uint32
		for _, u := range slices.Concat(m.table.Derivatives, m.table.Outputs) {
			if m.table.Variables[u.Reference].Type == fmu.Real {
				unknowns = append(unknowns, u.Reference)
			}
		}
		knowns := slices.Concat(states, inputs)
		seed := make([]float64, len(knowns))
		for i := range seed {
			seed[i] = r.NormFloat64()
		}
		got := make([]float64, len(unknowns))
		m.ok(m.DirectionalDerivative(unknowns, knowns, seed, got))
		at := make([]float64, len(knowns))
		m.ok(m.Get(fmu.Real, knowns, at))
		values := func(h float64) []float64 {
			moved := make([]float64, len(knowns))
			for i := range moved {
				moved[i] = at[i] + h*seed[i]
			}
			m.ok(m.SetContinuousStates(moved[:len(states)]))
			m.ok(m.SetReal(inputs, moved[len(states):]))
			y := make([]float64, len(unknowns))
			m.ok(m.Get(fmu.Real, unknowns, y))
			return y
		}
		const h = 2e-6
		up, up2, down, down2 := values(h), values(2*h), values(-h), values(-2*h)
		values(0)
		for i, u := range unknowns {
			want := (8*(up[i]-down[i]) - (up2[i] - down2[i])) / (12 * h)
			noise := 1e-14 * (math.Abs(up[i]) + 1e4) / h
			if !(math.Abs(got[i]-want) <= 1e-6*max(1, math.Abs(want))+noise) {
				t.Errorf("%s changes by %.9g, by differences %.9g", m.table.Variables[u].Name, got[i], want)
			}
		}
		// the adjoint is the same matrix: weights W, seeds S: W (J S) = (W J) S
		weights, adjoint := make([]float64, len(unknowns)), make([]float64, len(knowns))
		for i := range weights {
			weights[i] = r.NormFloat64()
		}
		m.ok(m.AdjointDerivative(unknowns, knowns, weights, adjoint))
		left, right, scale := 0.0, 0.0, 0.0
		for i := range weights {
			left += weights[i] * got[i]
			scale += math.Abs(weights[i] * got[i])
		}
		for j := range adjoint {
			right += adjoint[j] * seed[j]
		}
		if !(math.Abs(left-right) <= 1e-9*scale) {
			t.Errorf("directional derivatives give %.12g, adjoint ones %.12g", left, right)
		}
	}
}

func TestDerivativesOutsideOfTheDependenciesAreZero(t *testing.T) {
	m := instantiate(t, "generic4w", me3)
	m.initialise(0)
	m.ok(m.EnterContinuousTimeMode())
	states, inputs := derivativePoint(m, rand.New(rand.NewPCG(7, 8)))
	zeros, others := 0, 0
	for _, u := range slices.Concat(m.table.Derivatives, m.table.Outputs) {
		if m.table.Variables[u.Reference].Type != fmu.Real {
			continue
		}
		knowns := slices.Concat(states, inputs)
		row := make([]float64, len(knowns))
		m.ok(m.AdjointDerivative([]uint32{u.Reference}, knowns, []float64{1}, row))
		for j, known := range knowns {
			switch {
			case slices.Contains(u.Dependencies, known):
				if row[j] != 0 {
					others++
				}
			case row[j] != 0:
				t.Errorf("%s depends on %s by %g, which is not declared", m.table.Variables[u.Reference].Name,
					m.table.Variables[known].Name, row[j])
			default:
				zeros++
			}
		}
	}
	if zeros < 1000 || others < 1000 {
		t.Errorf("%d zeros and %d other derivatives", zeros, others)
	}
}

func TestDerivativesInInitializationModeAgreeWithDifferences(t *testing.T) {
	m := instantiate(t, "generic4w", cs3)
	m.ok(m.EnterInitializationMode(true, 0, false, 0))
	knowns := []uint32{m.ref("spring_FL.stiffness"), m.ref("body.mass"), m.ref("body.vx"), m.ref("body.z"),
		m.ref("brake_FL.torque"), m.ref("tire_FL.vertical_stiffness"), m.ref("solver.step")}
	unknowns := []uint32{m.ref("body.az"), m.ref("tire_FL.Fz"), m.ref("der(wheel_FL.omega)"), m.ref("spring_FL.force"),
		m.ref("body.ax")}
	for j, known := range knowns {
		got := make([]float64, len(unknowns))
		m.ok(m.DirectionalDerivative(unknowns, []uint32{known}, []float64{1}, got))
		name := m.table.Variables[known].Name
		at := m.get(name)
		h := 1e-4 * max(0.01, math.Abs(at))
		var y [2][]float64
		for k, d := range []float64{h, -h} {
			m.set(name, at+d)
			y[k] = make([]float64, len(unknowns))
			m.ok(m.Get(fmu.Real, unknowns, y[k]))
		}
		m.set(name, at)
		for i, u := range unknowns {
			want := (y[0][i] - y[1][i]) / (2 * h)
			if !(math.Abs(got[i]-want) <= 1e-5*math.Abs(want)+1e-12*(math.Abs(y[0][i])+1)/h) {
				t.Errorf("%d: %s by %s is %.9g, by differences %.9g", j, m.table.Variables[u].Name, name, got[i], want)
			}
		}
	}
}

func TestOutputDerivativesAreTheSlopeOfTheOutputs(t *testing.T) {
	m := instantiate(t, "generic4w", cs2)
	m.initialise(0)
	names := []string{"body.vx", "body.x", "body.z", "tire_FL.Fy", "wheel_FL.omega", "body.wz",
		"upright_FL.ax", "body.az"}
	var references []uint32
	for _, name := range names {
		references = append(references, m.ref(name))
	}
	run := func(t, h float64, n int) float64 {
		for range n {
			_, s := m.DoStep(t, h)
			m.ok(s)
			t += h
		}
		return t
	}
	m.set("steer_FL.angle", 0.01)
	m.set("brake_FL.torque", 400)
	at := run(0, 0.001, 200)
	m.set("steer_FL.rate", 0.2)
	m.ok(m.SetInputDerivatives([]uint32{m.ref("brake_FL.torque")}, []int32{1}, []float64{5000}))
	const h = 1e-5
	at = run(at, h, 1) // accelerations jump with the inputs
	before, slope, after := make([]float64, len(names)), make([]float64, len(names)), make([]float64, len(names))
	m.ok(m.Get(fmu.Real, references, before))
	at = run(at, h, 1)
	orders := slices.Repeat([]int32{1}, len(names))
	m.ok(m.GetOutputDerivatives(references, orders, slope))
	run(at, h, 1)
	m.ok(m.Get(fmu.Real, references, after))
	for i, name := range names {
		if want := (after[i] - before[i]) / (2 * h); !(math.Abs(slope[i]-want) <= 2e-3*math.Abs(want)+1e-6) {
			t.Errorf("slope of %s is %g, by differences %g", name, slope[i], want)
		}
	}
	m.ok(m.GetOutputDerivatives(references, slices.Repeat([]int32{2}, len(names)), slope))
	if slope[0] != 0 {
		t.Error("derivatives of the second order are not available and must be 0")
	}
}

// On a road that is not plane all forces of the tires depend on where the vehicle is.
func TestForcesOnTerrainDependOnThePlace(t *testing.T) {
	text, err := os.ReadFile("../resources/models/generic4w.toml")
	if err != nil {
		t.Fatal(err)
	}
	folder := t.TempDir()
	if err := os.CopyFS(filepath.Join(folder, "tires"), os.DirFS("../resources/tires")); err != nil {
		t.Fatal(err)
	}
	const plane = "[component.road]\ntype = \"road\"\n"
	for road, want := range map[string]bool{plane: false,
		`[component.road]
type = "terrain"
kind = "formula"
formula = "0.1*sin(x)"
`: true} {
		path := filepath.Join(folder, "car.toml")
		if err := os.WriteFile(path,
			[]byte(strings.NewReplacer("../tires", "tires", plane, road).Replace(string(text))), 0o600); err != nil {
			t.Fatal(err)
		}
		s, err := cosim.Load(path, cosim.Options{})
		if err != nil {
			t.Fatal(err)
		}
		table := fmu.Describe(s)
		reference, _ := table.Find("body.x")
		for _, unknowns := range [][]fmu.Unknown{table.Outputs, table.Derivatives} {
			found := false
			for _, u := range unknowns {
				name := table.Variables[u.Reference].Name
				if name == "tire_FL.Fz" || strings.HasSuffix(name, "body.vz)") {
					found = true
					if slices.Contains(u.Dependencies, reference) != want {
						t.Errorf("%s depends on body.x: %v, by the road it should be %v", name, !want, want)
					}
				}
			}
			if !found {
				t.Error("neither tire_FL.Fz nor der(body.vz)")
			}
		}
	}
}

// Setting an input resets the rate of this input, and keeps the rates of all others.
func TestSettingAnInputKeepsTheRatesOfOthers(t *testing.T) {
	quiet := cs2
	quiet.Logging = false
	m := instantiate(t, "generic4w", quiet)
	m.initialise(0)
	torque, other := m.ref("brake_FL.torque"), m.ref("brake_FR.torque")
	m.ok(m.SetInputDerivatives([]uint32{torque}, []int32{1}, []float64{5000}))
	for n, c := range []struct {
		written uint32
		want    float64 // N m
	}{{other, 50}, {other, 100}, {torque, 100}, {other, 100}} {
		m.TakeInputs(m.only(c.written), true)
		_, status := m.DoStep(0.01*float64(n), 0.01)
		m.ok(status)
		if got := m.get("brake_FL.torque"); math.Abs(got-c.want) > 1e-9 {
			t.Fatalf("the brake torque after step %d is %g N m, want %g", n+1, got, c.want)
		}
	}
}
