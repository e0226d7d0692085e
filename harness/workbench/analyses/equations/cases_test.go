package equations

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"skidpad/harness/tests/testrun"
	"skidpad/model/expr"
	"skidpad/model/formulate"
	"skidpad/model/vehicle"
)

// onlyCase exports a model for Python and compares it with tapes, of the parts and of the running formulation.
func onlyCase(t *testing.T, m *vehicle.Model, change func(c *exported, parts, running *onTape)) {
	t.Helper()
	testrun.Requires(t, "python3")
	folder := t.TempDir()
	write(t, folder, "of_case.py", m, "", "sympy")
	parts, running := newTape(t, m, "", formulate.Options{Mass: true}), newTape(t, m, "", formulate.Options{})
	c := caseOf("of_case", parts, running, 2)
	if change != nil {
		change(&c, parts, running)
	}
	said(t, "python3", "testdata/compare.py", folder, save(t, folder, []exported{c}))
}

// chain is a row of hinged links.
func chain(links int) string {
	var b strings.Builder
	b.WriteString("name = \"Chain\"\n")
	at := "ground"
	for k := range links {
		fmt.Fprintf(&b, "[component.hinge_%d]\ntype = \"revolute\"\nfrom = %q\nto = \"joint_%d\"\naxis = %q\n", k, at, k,
			[]string{"y", "x"}[k%2])
		fmt.Fprintf(&b, "[component.link_%d]\ntype = \"rigid-body\"\nmass = 1\n"+
			"inertia = { axial = 0.01, transverse = 0.1, axis = \"z\" }\n", k)
		for _, arm := range []struct {
			name, to string
			length   float64
		}{{"half", "link", -0.5}, {"end", "place", -1}} {
			if arm.name == "end" && k == links-1 {
				continue
			}
			fmt.Fprintf(&b, "[component.%s_%d]\ntype = \"rigid-arm\"\nfrom = \"joint_%d\"\nto = \"%s_%d\"\n"+
				"translation = [0, 0, %g]\n", arm.name, k, k, arm.to, k, arm.length)
		}
		at = fmt.Sprintf("place_%d", k)
	}
	return b.String()
}

// A model that a recursion solves has M in exported files, and the rates of the recursion.
func TestChainsFormM(t *testing.T) {
	m := parse(t, chain(18))
	running, err := formulate.New(m, formulate.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if running.Mass != nil {
		t.Fatal("the chain is solved by M; make it longer")
	}
	onlyCase(t, m, nil)
}

// Rates of component states may follow from accelerations.
func TestRatesReadAccelerations(t *testing.T) {
	onlyCase(t, parse(t, `name = "Filter"
[component.rod]
type = "rigid-body"
mass = 2
inertia = { axial = 0.001, transverse = 0.375, axis = "z" }
[component.joint]
type = "revolute"
from = "ground"
to = "pivot"
axis = "y"
[component.arm]
type = "rigid-arm"
from = "pivot"
to = "rod"
translation = [0, 0, -0.75]
[component.filter]
type = "equations"
inputs = [ { name = "a", unit = "m/s2", from = "rod.ax" } ]
states = [ { name = "z", unit = "m/s2", rate = "10*(a - z)" } ]
`), nil)
}

// At the points of curves, pieces are those of the tape.
func TestPointsOfCurves(t *testing.T) {
	testrun.Slow(t)
	onlyCase(t, model(t, "passenger_car"), func(c *exported, parts, running *onTape) {
		points := map[*expr.Expr]string{}
		for x := range reach(parts.f.Matrices().B, nothing) {
			if table := x.Table(); table != nil && isGrid(table) && x.Args()[0].Kind() == expr.Symbol {
				points[x.Args()[0]] = strings.Split(numbersOf(table), ", ")[1]
			}
		}
		set := 0
		for i, s := range parts.f.States() {
			if text := points[s.Symbol]; text != "" {
				set++
				for k := range c.States {
					fmt.Sscan(text, &c.States[k].X[i])
				}
			}
		}
		if set < 4 {
			t.Fatalf("%d states are at points of curves", set)
		}
		for k := range c.States {
			c.States[k].evaluate(parts, running)
		}
	})
}

// An input that a signal drives is no input of exported equations.
func TestDrivenInputsAreNone(t *testing.T) {
	m := model(t, "bicycle_controlled")
	var text bytes.Buffer
	if err := Export(&text, m, "", "sympy", "-"); err != nil {
		t.Fatal(err)
	}
	_, rest, _ := strings.Cut(text.String(), "\ninputs = {")
	inputs, _, _ := strings.Cut(rest, "}\n")
	if strings.Contains(inputs, `"steer.torque"`) || !strings.Contains(inputs, `"lean_push.torque"`) {
		t.Errorf("the inputs are %s", inputs)
	}
}

// Functions of exported files have the values of the engine where they jump, and beyond the ends of tables.
func TestFunctionsOfNumbers(t *testing.T) {
	testrun.Requires(t, "python3")
	folder := t.TempDir()
	write(t, folder, "of_case.py", model(t, "pendulum"), "", "sympy")
	said(t, "python3", "-c", `import sys
sys.path.insert(0, sys.argv[1])
from of_case import _Numbers as m
assert [m.step(x) for x in (-1, 0, 1e-9)] == [0, 0, 1]
assert [m.where(c, 7) for c in (-1, 0, 1e-9)] == [0, 0, 7]
assert [m.sign(x) for x in (-2, 0, 3)] == [-1, 0, 1]
assert [m.clamp(x) for x in (-2, 0.5, 3)] == [-1, 0.5, 1]
assert [m.piece([0, 1, 2], x) for x in (-1, 0, 0.5, 1, 2, 3)] == [0, 1, 1, 2, 3, 3]
assert [m.number([5, 6, 7], x) for x in (-3, 0, 1, 2, 9)] == [5, 5, 6, 7, 7]
assert m.solve([[0, 2], [1, 1]], [4, 3]) == [1, 2]`, folder)
}

// Fractions of LaTeX have two groups, and roots and powers of functions theirs.
func TestLatexOfExpressions(t *testing.T) {
	p := expr.NewPool()
	x, y := p.Sym("body.vx", expr.State), p.Sym("m", expr.Parameter)
	notation := (&Matrices{names: expr.NewNames()}).latex()
	for _, c := range []struct {
		e    *expr.Expr
		want string
	}{
		{p.Div(p.Sub(x, y), p.Mul(y, p.Call(expr.Sqrt, x))),
			`\frac{\left(v_{x,\mathrm{body}} - m\right)}{m \sqrt{v_{x,\mathrm{body}}}}`},
		{p.Pow(p.Call(expr.Sin, y), 2), `\left(\sin\left(m\right)\right)^{2}`},
		{p.Scale(expr.FromFloat(1.5e-7), y), `1.5\cdot 10^{-7} m`},
	} {
		if got := notation.Write(c.e); got != c.want {
			t.Errorf("%s, want %s", got, c.want)
		}
	}
}
