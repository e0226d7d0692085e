package standalone

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"skidpad/cosim"
	"skidpad/fmu"
	"skidpad/harness/tests/built"
	"skidpad/harness/tests/testrun"
)

// sensitivities requests derivatives of some values by some variables, and of outputs by time. Before the end of the
// initialisation, states at the start have derivatives, and variables with start values replace states.
func (s *script) sensitivities(table *fmu.Table, of *cosim.System, version int, r *rand.Rand, before bool) {
	some := func(wanted func(v *fmu.Variable) bool) (list []uint32) {
		all := numbersOf(table, of, wanted)
		for range min(5, len(all)) {
			list = append(list, all[r.IntN(len(all))])
		}
		return list
	}
	seeded := func(list []uint32) string {
		text := fmt.Sprint(len(list))
		for _, k := range list {
			text += fmt.Sprintf(" %d %s", k, bits(r.NormFloat64()))
		}
		return text
	}
	knowns := some(func(v *fmu.Variable) bool {
		return v.Causality == fmu.Input || v.IsState() && (v.HasStart() || !before) || v.Causality == fmu.Parameter ||
			v.Kind == cosim.Time
	})
	outputs := some(func(v *fmu.Variable) bool { return v.Causality == fmu.Output })
	unknowns := append(some(func(v *fmu.Variable) bool {
		return v.Derivative || before && v.Kind == cosim.State
	}), outputs...)
	s.add("along %s %d %s", seeded(knowns), len(unknowns), joined(unknowns))
	if version == 3 {
		s.add("against %d %s %s", len(knowns), joined(knowns), seeded(unknowns))
	}
	text := fmt.Sprint(len(outputs))
	for _, k := range outputs {
		text += fmt.Sprintf(" %d %d", k, 1+r.IntN(2))
	}
	s.add("rates %s", text)
}

// oddSensitivities requests derivatives that may not exist, with seeds that may be NaN.
func (s *script) oddSensitivities(table *fmu.Table, version int, r *rand.Rand, reference func() uint32,
	number func() float64) {
	known, unknown := func() uint32 { return uint32(r.IntN(len(table.Variables))) }, reference
	if r.IntN(3) > 0 { // mostly variables with derivatives
		unknown = func() uint32 { return table.Outputs[r.IntN(len(table.Outputs))].Reference }
		known = func() uint32 {
			for {
				if k := reference(); int(k) < len(table.Variables) && table.Variables[k].Causality <= fmu.Input {
					return k
				}
			}
		}
	}
	list := func(of func() uint32, seeded bool) string {
		n := r.IntN(3)
		text := fmt.Sprint(n)
		for range n {
			text += fmt.Sprintf(" %d", of())
			if seeded {
				text += " " + bits(number())
			}
		}
		return text
	}
	if version == 3 && r.IntN(2) == 0 {
		s.add("against %s %s", list(known, false), list(unknown, true))
	} else {
		s.add("along %s %s", list(known, true), list(unknown, false))
	}
}

// byEachParameter requests the derivatives of all rates by each parameter, and of their sum by all parameters.
func (s *script) byEachParameter(table *fmu.Table, of *cosim.System, version int) {
	rates := numbersOf(table, of, func(v *fmu.Variable) bool { return v.Derivative })
	parameters := numbersOf(table, of, func(v *fmu.Variable) bool { return v.Causality == fmu.Parameter })
	for _, k := range parameters {
		s.add("along 1 %d %s %d %s", k, bits(1), len(rates), joined(rates))
	}
	if version == 3 {
		s.add("against %d %s %d %s", len(parameters), joined(parameters), len(rates),
			strings.ReplaceAll(joined(rates), " ", " "+bits(1)+" ")+" "+bits(1))
	}
}

// derivativeRun returns a run with a method that requests derivatives at random times.
func derivativeRun(table *fmu.Table, s *cosim.System, version int, seed uint64, method string) *script {
	r, calls := rand.New(rand.NewPCG(seed, 5)), &script{}
	change := func(wanted func(v *fmu.Variable) bool, by float64) {
		var b strings.Builder
		n := 0
		for _, k := range numbersOf(table, s, wanted) {
			v := &table.Variables[k]
			x := v.Start + by*r.Float64()*max(0.1, v.Start)
			if r.IntN(3) == 0 && !(v.AtMostOne && x > 1) && !strings.Contains(v.Name, "friction_") {
				fmt.Fprintf(&b, " %d %s", k, bits(x))
				n++
			}
		}
		calls.add("set %d%s", n, b.String())
	}
	ask := func(before bool) {
		for range 3 {
			calls.sensitivities(table, s, version, r, before)
		}
	}
	t := float64(r.IntN(2))
	calls.add("instantiate %d 1 %s", seed%2, table.Token)
	chosen, _ := table.Find(cosim.MethodVariable)
	calls.add("text %d %s", chosen, method)
	calls.add("enter %s 0 0", bits(t))
	ask(true)
	if seed == 0 {
		calls.byEachParameter(table, s, version)
	}
	change(func(v *fmu.Variable) bool { return v.Causality == fmu.Parameter && strings.Contains(v.Name, "_F.") }, 0.02)
	change(func(v *fmu.Variable) bool { return v.Causality == fmu.Input }, 0.02)
	ask(true)
	calls.add("call exit")
	ask(false)
	if seed%2 == 0 {
		return calls // an importer that integrates itself
	}
	for range 4 {
		change(func(v *fmu.Variable) bool { return v.Causality == fmu.Input }, 0.05)
		calls.add("step %s %s", bits(t), bits(0.01))
		t += 0.01
		ask(false)
	}
	return calls
}

// variantOf writes a variant on terrain of generic4w, or of a model with the base generic4w.
func variantOf(t *testing.T, model, terrain string) string {
	base := filepath.Join(filepath.Dir(built.Terrain(t, "generic4w")), model+".toml")
	file := filepath.Join(filepath.Dir(base), "variant.toml")
	text := fmt.Sprintf("name = \"Variant\"\ntitle = \"variant\"\nbase = %q\n[component.road]\n%s", base, terrain)
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}

// clock is a model with the time in its equations.
const clock = `name = "Clock"
[parameters]
k = { value = 3.0, unit = "1", text = "factor" }
x0 = { value = 0.7, unit = "1", text = "start" }
[component.clock]
type = "equations"
inputs = [{ name = "u", unit = "1", value = 0.25 }]
states = [{ name = "x", unit = "1", value = "k*x0", rate = "sin(k*time)*u - x" }]
outputs = [{ name = "y", unit = "1", value = "x*x + cos(time)*u" }, { name = "t", unit = "s", value = "time" }]
`

// Derivatives of sources are bit-identical to the FMU of the library. Cases: from the start on, with each packed
// method (euler damps carcasses in another way), on terrain, with the time in the equations, and without start
// values.
func TestDerivativesOfSourcesAreBitIdenticalToFMU(t *testing.T) {
	testrun.OnlyAll(t)
	timed := filepath.Join(t.TempDir(), "clock.toml")
	if err := os.WriteFile(timed, []byte(clock), 0o600); err != nil {
		t.Fatal(err)
	}
	all := []string{"rk4", "euler", "heun"}
	parts := []struct {
		name, file string
		methods    []string
	}{
		{"time", timed, all},
		{"time again", timed, all}, // with the other version
		{"carcasses", "skidder_carcass", all},
		{"carcasses of tires", "generic4w_carcass", all},
		{"moving terrain", "", all},
		{"carcasses on terrain", "", []string{"euler", "rk4"}},
		{"carcasses on level terrain", "", []string{"rk4"}},
		{"implicit", "generic4w_carcass", []string{"linearly-implicit", "euler"}},
		{"constraints", "passenger_car", []string{"rk4", "euler"}},
		{"a tire alone", "tire_pacejka2002", []string{"euler"}},
	}
	for i, p := range parts[:testrun.Either(3, len(parts))] {
		t.Run(p.name, func(t *testing.T) {
			switch p.name {
			case "moving terrain":
				p.file = variantOf(t, "generic4w", "kind = \"formula\"\n"+
					"formula = \"0.02*sin(x)*cos(0.5*y) + 0.003*sin(20*t + 1)\"\n")
			case "carcasses on level terrain":
				p.file = variantOf(t, "generic4w_carcass", "kind = \"flat\"\n")
			case "carcasses on terrain":
				p.file = variantOf(t, "generic4w_carcass", "kind = \"plane\"\nslope_x = 0.03\nslope_y = -0.02\nheight = 0.1\n")
			}
			version := 3 - i%2
			folder, s, table := sourcesOf(t, p.file, version, p.methods...)
			program := compiledSources(t, folder, version, "gcc -O0")
			for seed := range uint64(testrun.Either(3, 12)) {
				for _, method := range p.methods {
					calls := derivativeRun(table, s, version, seed, method)
					compare(t, calls, table, changed(answersOfSources(t, program, calls)),
						changed(answersOfGo(s, table, version, calls)))
				}
			}
		})
	}
}
