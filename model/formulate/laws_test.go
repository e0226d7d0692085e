package formulate_test

import (
	"math"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"skidpad/model/component"
	"skidpad/model/curve"
	"skidpad/model/expr"
	"skidpad/model/formulate"
	"skidpad/model/program"
	"skidpad/model/vehicle"
)

// law is a part of the check values on a component's page: a small model at one state, and the expected results of its
// equations there, computed by hand. Gravity is 10 m/s^2 downwards; states and inputs that are not listed keep their
// start values.
type law struct {
	title string
	text  string
	given map[string]values // by the kind of a row: state, input, rate, output
}

type values = map[string]float64

var (
	tomlBlock = regexp.MustCompile("(?ms)^```toml\n(.*?)^```$")
	valueRow  = regexp.MustCompile("^\\| (state|input|with|rate|output) \\| `([^`]+)` \\| `([^`]+)` \\|$")
)

// lawsOf reads the check values of a component; text before their first heading belongs to all of them.
func lawsOf(t *testing.T, word string) (list []law) {
	t.Helper()
	page, err := os.ReadFile(filepath.Join("../component", word+".md"))
	if err != nil {
		t.Fatal(err)
	}
	_, section, found := strings.Cut(string(page), "\n## Check values\n")
	if !found {
		return nil
	}
	section, _, _ = strings.Cut(section, "\n## ")
	parts := strings.Split(section, "\n### ")
	shared := tomlOf(parts[0])
	for i, part := range parts {
		l := law{text: shared, given: rowsOf(t, word, part)}
		if i == 0 && len(l.given) == 0 {
			continue
		}
		if i > 0 {
			l.title, _, _ = strings.Cut(part, "\n")
			l.text += tomlOf(part)
		}
		if len(l.given["rate"])+len(l.given["output"]) == 0 {
			t.Errorf("%s: %q gives no rate and no output", word, l.title)
		}
		list = append(list, l)
	}
	return list
}

// tomlOf joins the blocks of TOML in a text.
func tomlOf(text string) string {
	var b strings.Builder
	for _, block := range tomlBlock.FindAllStringSubmatch(text, -1) {
		b.WriteString(block[1] + "\n")
	}
	return b.String()
}

// rowsOf reads the table of a text. A row of the kind with is a name for a formula of the rows behind it.
func rowsOf(t *testing.T, word, text string) map[string]values {
	t.Helper()
	given := map[string]values{}
	pool, names := expr.NewPool(), map[string]*expr.Expr{}
	for line := range strings.Lines(text) {
		line = strings.TrimSuffix(line, "\n")
		if !strings.HasPrefix(line, "|") || line == "| kind | name | value |" || line == "| --- | --- | --- |" {
			continue
		}
		row := valueRow.FindStringSubmatch(line)
		if row == nil {
			t.Fatalf("%s: the row %s is none of check values", word, line)
		}
		kind, name := row[1], row[2]
		e, err := pool.Parse(row[3], func(name string) *expr.Expr { return names[name] })
		if err != nil {
			t.Fatalf("%s: %s: %v", word, line, err)
		}
		if kind == "with" {
			names[name] = e
			continue
		}
		if given[kind] == nil {
			given[kind] = values{}
		}
		given[kind][name] = expr.NewEvaluator(nil).Value(e)
	}
	return given
}

// lawOf names the tests of laws that need more than a line: each must stand in this package.
var lawOf = map[string]string{
	"suspension":        "TestGuidesObeyLagrangesEquation",
	"relaxed-wheel":     "TestRelaxedWheelInClosedForm",
	"linear-equations":  "TestLinearEquationsEqualTheirMatrices",
	"equations":         "TestEquationsEqualTheirFormulas",
	"sampled-equations": "TestSampledEquationsEqualTheirFormulas",
	"controller":        "TestControllersHaveTheArgumentsOfTheirFunctions",
	"tire-forces":       "TestTireForcesEqualThoseOfTheFunction",
	"tire":              "TestTirePosesOnMovingRoads",
}

// Every type of component has a law, which is checked here by hand or by a test of its own.
func TestEveryComponentObeysItsLaw(t *testing.T) {
	var tests strings.Builder
	files, err := filepath.Glob("*_test.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		tests.Write(text)
	}
	for _, kind := range component.Types {
		if name := lawOf[kind.Word]; name != "" {
			if !regexp.MustCompile(`(?m)^func ` + name + `\(t \*testing.T\)`).MatchString(tests.String()) {
				t.Errorf("%s: there is no test %s", kind.Word, name)
			}
		}
		laws := lawsOf(t, kind.Word)
		if lawOf[kind.Word] == "" && len(laws) == 0 {
			t.Errorf("%s has no law that is checked", kind.Word)
		}
		for _, l := range laws {
			t.Run(kind.Word+" "+l.title, func(t *testing.T) { l.check(t) })
		}
	}
}

func (l *law) check(t *testing.T) {
	m, err := vehicle.Parse([]byte(`name = "Law"
gravity = [0, 0, -10]
`+l.text), "law.toml", nil)
	if err != nil {
		t.Fatal(err)
	}
	p, machine := machine(t, m, formulate.Options{})
	x, u, dx, y := make([]float64, len(p.States)), make([]float64, len(p.Inputs)), make([]float64, len(p.States)),
		make([]float64, len(p.Outputs))
	for i, v := range p.Inputs {
		u[i] = v.Start
	}
	machine.Start(u, x)
	put(t, p.States, x, l.given["state"])
	put(t, p.Inputs, u, l.given["input"])
	machine.Derivatives(0, x, u, dx)
	machine.Outputs(y)
	agree(t, "rate of ", p.States, dx, l.given["rate"])
	agree(t, "", p.Outputs, y, l.given["output"])
}

func put(t *testing.T, list []program.Variable, to []float64, given values) {
	t.Helper()
	for name, v := range given {
		to[place(t, list, name)] = v
	}
}

func agree(t *testing.T, what string, list []program.Variable, got []float64, want values) {
	t.Helper()
	for name, v := range want {
		if x := got[place(t, list, name)]; !(math.Abs(x-v) <= 1e-12*(1+math.Abs(v))) {
			t.Errorf("%s%s is %.15g, by hand %.15g", what, name, x, v)
		}
	}
}

func place(t *testing.T, list []program.Variable, name string) int {
	t.Helper()
	for i, v := range list {
		if v.Name == name {
			return i
		}
	}
	t.Fatalf("there is no %s", name)
	return -1
}

// A body on a suspension has one degree of freedom q. Its energy is J(q) q'^2/2 with J = m |r_q|^2 + a.I a, where a is
// the angular velocity for a unit rate. Thus J q” + J_q q'^2/2 = -m g z_q. The turns are about z, the new x and the new
// y; J and its slope are differences here.
func TestGuidesObeyLagrangesEquation(t *testing.T) {
	const mass = 20.0
	inertia := [3]float64{2, 3, 5}
	text := `name = "Law"
gravity = [0, 0, -10]
[component.guide]
type = "suspension"
from = "ground"
to = "carrier"
x = [[-1, 0.3], [0, 0], [1, 0.2]]
y = [[-1, -0.4], [0, 0], [1, 0.1]]
z = [[-1, -1.1], [0, 0], [1, 0.9]]
toe = [[-1, 0.3], [0, 0], [1, 0.5]]
camber = [[-1, -0.5], [0, 0], [1, 0.3]]
castor = [[-1, 0.6], [0, 0], [1, 0.2]]
[component.carrier]
type = "rigid-body"
mass = 20
inertia = { xx = 2, yy = 3, zz = 5 }
`
	m, err := vehicle.Parse([]byte(text), "law.toml", nil)
	if err != nil {
		t.Fatal(err)
	}
	curves := map[string]*curve.Curve{}
	for name, y := range map[string][]float64{"x": {0.3, 0, 0.2}, "y": {-0.4, 0, 0.1}, "z": {-1.1, 0, 0.9},
		"toe": {0.3, 0, 0.5}, "camber": {-0.5, 0, 0.3}, "castor": {0.6, 0, 0.2}} {
		if curves[name], err = curve.Smooth([]float64{-1, 0, 1}, y); err != nil {
			t.Fatal(err)
		}
	}
	at := func(name string, q float64) float64 { v, _, _ := curves[name].At(q); return v }
	slope := func(name string, q float64) float64 { _, s, _ := curves[name].At(q); return s }
	energy := func(q float64) float64 { // J
		// angular velocity in the carrier's axes, turned back step by step: left side, so that all turns are negative
		phi, theta := -at("camber", q), -at("castor", q)
		psiq, phiq, thetaq := -slope("toe", q), -slope("camber", q), -slope("castor", q)
		sp, cp := math.Sincos(phi)
		st, ct := math.Sincos(theta)
		a := [3]float64{phiq*ct - psiq*cp*st, thetaq + psiq*sp, phiq*st + psiq*cp*ct}
		j := 0.0
		for k, name := range []string{"x", "y", "z"} {
			j += mass*math.Pow(slope(name, q), 2) + inertia[k]*a[k]*a[k]
		}
		return j
	}
	p, machine := machine(t, m, formulate.Options{})
	for _, q := range []float64{-0.6, 0.2, 0.7} {
		const rate, h = 1.7, 1e-5
		x, dx := make([]float64, len(p.States)), make([]float64, len(p.States))
		put(t, p.States, x, values{"guide.travel": q, "guide.travel_dot": rate})
		machine.Derivatives(0, x, nil, dx)
		want := -((energy(q+h)-energy(q-h))/(2*h)/2*rate*rate + mass*10*slope("z", q)) / energy(q)
		if got := dx[place(t, p.States, "guide.travel_dot")]; !(math.Abs(got-want) <= 1e-8*(1+math.Abs(want))) {
			t.Errorf("travel %g: acceleration %.12g, by Lagrange %.12g", q, got, want)
		}
	}
}
