package fmu_test

import (
	"math"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"skidpad/cosim"
	"skidpad/fmu"
	"skidpad/harness/tests/testrun"
)

// independence compares the declarations of a model description with the effect of a change of one known.
type independence struct {
	*importer
	mode     string
	declared map[uint32][]uint32 // by unknown
	knowns   []uint32
	set      func(known uint32, value float64) fmu.Status
	saved    []byte
}

func (d *independence) values() []float64 {
	d.Helper()
	all := make([]float64, 0, len(d.declared))
	for _, u := range d.unknowns() {
		all = append(all, d.at(u))
	}
	return all
}

func (d *independence) at(r uint32) float64 {
	d.Helper()
	var v [1]float64
	if s := d.Get(d.table.Variables[r].Type, []uint32{r}, v[:]); s >= fmu.Discard {
		return math.NaN()
	}
	return v[0]
}

func (d *independence) unknowns() []uint32 {
	var list []uint32
	for u := range d.declared {
		list = append(list, u)
	}
	slices.Sort(list)
	return list
}

// check changes one known after the other and reports unknowns that follow although they are declared independent.
func (d *independence) check(r *rand.Rand) {
	d.Helper()
	faults := 0
	unknowns := d.unknowns()
	for _, known := range d.knowns {
		d.ok(d.Restore(d.saved))
		before, x := d.values(), d.at(known)
		d.Messages = nil
		if s := d.set(known, x+(1e-3+1e-2*math.Abs(x))*(1+r.Float64())); s != fmu.OK {
			continue // a value that is not allowed
		}
		for i, after := range d.values() {
			u := unknowns[i]
			if math.IsNaN(after) || math.IsNaN(before[i]) || after == before[i] || u == known ||
				slices.Contains(d.declared[u], known) {
				continue
			}
			if faults++; faults <= 10 {
				d.Errorf("%s: %s depends on %s, which is not declared: %.17g becomes %.17g", d.mode,
					d.table.Variables[u].Name, d.table.Variables[known].Name, before[i], after)
			}
		}
	}
	if faults > 10 {
		d.Errorf("%s: %d pairs", d.mode, faults)
	}
	d.ok(d.Restore(d.saved))
}

func declared(lists ...[]fmu.Unknown) map[uint32][]uint32 {
	m := map[uint32][]uint32{}
	for _, list := range lists {
		for _, u := range list {
			m[u.Reference] = u.Dependencies
		}
	}
	return m
}

// here saves the state of an instance; check returns to this state.
func (d *independence) here() {
	d.Helper()
	d.saved = make([]byte, d.StateSize())
	d.ok(d.Save(d.saved))
}

// scatter gives some knowns other values.
func (d *independence) scatter(r *rand.Rand) {
	d.Helper()
	for _, known := range d.knowns {
		if d.here(); r.IntN(3) > 0 {
			continue
		}
		x := d.at(known)
		s := d.set(known, x+(1e-3+1e-2*math.Abs(x))*r.NormFloat64())
		for _, v := range d.values() {
			if math.IsNaN(v) {
				s = fmu.Error
			}
		}
		if s != fmu.OK {
			d.ok(d.Restore(d.saved))
		}
	}
	d.here()
}

// What a model description declares independent is independent: unknowns keep their bits when a known changes, in all
// modes, on ground of all kinds.
func TestDeclaredIndependenceHolds(t *testing.T) {
	testrun.Slow(t)
	files, err := filepath.Glob("../resources/models/*.toml")
	if err != nil || len(files) < 30 {
		t.Fatal(err, len(files))
	}
	for i, file := range files {
		name := strings.TrimSuffix(filepath.Base(file), ".toml")
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for j, settings := range []fmu.Settings{cs2, me2, cs3, me3} {
				if !testrun.All() && i%4 != j {
					continue
				}
				if settings.Interface == fmu.ModelExchange && load(t, name).system.HasDiscreteContacts() {
					continue // co-simulation only
				}
				for _, ground := range []string{"", "0.05*sin(3*x) + 0.03*cos(2*y)"} {
					checkIndependence(t, instantiate(t, name, settings), settings, ground)
				}
				if i%4 == j && (testrun.All() || name == "car_trailer") {
					checkIndependence(t, withCoefficients(t, name, settings), settings, "")
				}
			}
		})
	}
}

// withCoefficients is an instance whose model description has the coefficients of tires, too.
func withCoefficients(t *testing.T, name string, settings fmu.Settings) *importer {
	t.Helper()
	l := load(t, name)
	l.table = fmu.DescribeWithCoefficients(l.system)
	window := make([]float64, l.system.First(cosim.Text))
	c, err := fmu.NewComponent(l.system, l.table, settings, window)
	if err != nil {
		t.Fatal(err)
	}
	return &importer{TB: t, Component: c, loaded: l, window: window}
}

func checkIndependence(t *testing.T, m *importer, settings fmu.Settings, ground string) {
	r := rand.New(rand.NewPCG(43, 44))
	if ground != "" {
		kinds := 0
		for i := range m.table.Variables {
			if v := &m.table.Variables[i]; strings.HasSuffix(v.Name, ".formula") && v.Type == fmu.String {
				m.ok(m.SetString([]uint32{v.Reference, m.ref(strings.TrimSuffix(v.Name, "formula") + "kind")},
					[]string{ground, "formula"}))
				kinds++
			}
		}
		if kinds == 0 {
			return
		}
	}
	m.ok(m.EnterInitializationMode(true, 0, false, 0))
	d := &independence{importer: m, mode: "Initialization Mode" + ground, declared: declared(m.table.Initial)}
	var states, inputs []uint32
	for _, u := range m.table.Derivatives {
		states = append(states, m.table.Variables[u.Reference].State)
	}
	for i := range m.table.Variables {
		v := &m.table.Variables[i]
		if v.Type != fmu.Real {
			continue
		}
		if v.Causality == fmu.Input {
			inputs = append(inputs, v.Reference)
		}
		if v.Causality == fmu.Parameter || v.Causality == fmu.Input || v.HasStart() {
			d.knowns = append(d.knowns, v.Reference)
		}
	}
	d.set = func(known uint32, value float64) fmu.Status { return m.SetReal([]uint32{known}, []float64{value}) }
	d.here()
	first := d.saved
	d.check(r)
	d.scatter(r)
	d.check(r)
	m.ok(m.Restore(first))
	m.ok(m.ExitInitializationMode())

	d.mode, d.declared, d.knowns = "Step Mode"+ground, declared(m.table.Outputs, m.table.Derivatives), inputs
	if settings.Interface == fmu.ModelExchange {
		d.mode = "Continuous-Time Mode" + ground
		m.ok(m.EnterContinuousTimeMode())
		d.knowns = append(d.knowns, states...)
		d.set = func(known uint32, value float64) fmu.Status {
			at := slices.Index(states, known)
			if at < 0 {
				return m.SetReal([]uint32{known}, []float64{value})
			}
			x := make([]float64, len(states))
			m.ok(m.GetContinuousStates(x))
			x[at] = value
			return m.SetContinuousStates(x)
		}
	} else {
		_, s := m.DoStep(0, 0.01)
		m.ok(s)
	}
	d.here()
	d.check(r)
	d.scatter(r)
	d.check(r)
}
