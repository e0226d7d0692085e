package solver

import (
	"cmp"
	"flag"
	"fmt"
	"math"
	"os"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"
)

// testProblem is x' = f(t, x) with a Jacobian that may be wrong.
type testProblem struct {
	f   func(t float64, x, dx []float64)
	jac func(t float64, x, j []float64)
	w   *mat.Dense // I - c J
}

func problemOf(f func(t float64, x, dx []float64), jac func(t float64, x, j []float64)) *testProblem {
	return &testProblem{f: f, jac: jac}
}

func (p *testProblem) Rates(t float64, x, dx []float64) { p.f(t, x, dx) }

func (p *testProblem) Linearise(t float64, x, k []float64, c float64) {
	p.f(t, x, k)
	n := len(x)
	p.w = mat.NewDense(n, n, nil)
	p.jac(t, x, p.w.RawMatrix().Data)
	p.w.Scale(-c, p.w)
	for i := range n {
		p.w.Set(i, i, 1+p.w.At(i, i))
	}
	p.Solve(k)
}

func (p *testProblem) Solve(r []float64) {
	var k mat.VecDense
	if err := k.SolveVec(p.w, mat.NewVecDense(len(r), r)); err != nil {
		panic(err)
	}
	copy(r, k.RawVector().Data)
}

// Pendulum with a driven pivot: nonlinear and dependent on time.
func driven(t float64, x, dx []float64) {
	dx[0] = x[1]
	dx[1] = -9.81*math.Sin(x[0]) - 0.3*x[1] + 2*math.Cos(3*t)
}

func drivenJacobian(_ float64, x, j []float64) {
	j[0], j[1], j[2], j[3] = 0, 1, -9.81*math.Cos(x[0]), -0.3
}

func integrate(s Solver, p Problem, x []float64, to, h float64) []float64 {
	x = append([]float64(nil), x...)
	n := int(math.Round(to / h))
	for i := range n {
		s.Step(p, float64(i)*h, h, x)
	}
	return x
}

// Every method has the order that it is listed with; the linearly implicit one with any Jacobian.
func TestSolversHaveTheirOrder(t *testing.T) {
	good := problemOf(driven, drivenJacobian)
	none := problemOf(driven, func(_ float64, _, j []float64) { clear(j) })
	wrong := problemOf(driven, func(_ float64, _, j []float64) { copy(j, []float64{0.3, -1, 2, -4}) })
	start := []float64{1, 0}
	exact := integrate(newRK4(2), good, start, 1, 1e-4)
	check := func(name string, m Method, p Problem) {
		errorAt := func(h float64) float64 {
			x := integrate(m.New(2), p, start, 1, h)
			return math.Hypot(x[0]-exact[0], x[1]-exact[1])
		}
		coarse, fine := errorAt(1.0/100), errorAt(1.0/200)
		if order := math.Log2(coarse / fine); !(math.Abs(order-m.Order) <= 0.15) {
			t.Errorf("%s: order %.2f, want %g", name, order, m.Order)
		}
	}
	checked := 0
	for _, m := range Methods() {
		if m.Constraints {
			continue // their problems have constraints
		}
		check(m.Name, m, good)
		checked++
		if m.Implicit {
			check(m.Name+", no Jacobian", m, none)
			check(m.Name+", wrong Jacobian", m, wrong)
		}
	}
	if checked < 5 {
		t.Errorf("%d methods were looked at", checked)
	}
}

// Rates are evaluated as often as the list says.
func TestSolversEvaluateAsListed(t *testing.T) {
	for _, m := range Methods() {
		if m.Constraints {
			continue
		}
		count := 0
		p := problemOf(func(at float64, x, dx []float64) { count++; driven(at, x, dx) }, drivenJacobian)
		s, x := m.New(2), []float64{1, 0}
		s.Step(p, 0, 0.01, x) // the first step of a method of several steps is another one
		count = 0
		s.Step(p, 0.01, 0.01, x)
		if float64(count) != m.Evaluations {
			t.Errorf("%s: %d evaluations, want %g", m.Name, count, m.Evaluations)
		}
	}
}

// The order holds for steps of changing length.
func TestMultistepMethodsTakeStepsOfAnyLength(t *testing.T) {
	good := problemOf(driven, drivenJacobian)
	exact := integrate(newRK4(2), good, []float64{1, 0}, 1, 1e-4)
	errorAt := func(n int) float64 {
		s, x, at := newAdamsBashforth(2), []float64{1, 0}, 0.0
		for i := range n { // long and short ones in turn
			h := 1.5 / float64(n)
			if i%2 == 1 {
				h = 0.5 / float64(n)
			}
			s.Step(good, at, h, x)
			at += h
		}
		return math.Hypot(x[0]-exact[0], x[1]-exact[1])
	}
	if order := math.Log2(errorAt(100) / errorAt(200)); !(math.Abs(order-2) <= 0.15) {
		t.Errorf("order %.2f with steps of changing length, want 2", order)
	}
}

// A method that is registered with the place of another one is a mistake that no program starts with.
func TestPlacesOfMethodsAreUnique(t *testing.T) {
	defer func() {
		if r, _ := recover().(string); !strings.Contains(r, "rk4 and other have place 2") {
			t.Errorf("a place is taken twice: %v", r)
		}
	}()
	register(2, Method{Name: "other"})
}

// A mode of 1e6 1/s must die in one step of 1 s, not oscillate, while explicit
// Euler multiplies it by a million.
func TestLinearlyImplicitDampsStiffModes(t *testing.T) {
	const rate = 1e6
	p := problemOf(
		func(_ float64, x, dx []float64) { dx[0] = -rate * (x[0] - x[1]); dx[1] = -x[1] },
		func(_ float64, _, j []float64) { j[0], j[1], j[2], j[3] = -rate, rate, 0, -1 },
	)
	x := integrate(newLinearlyImplicit(2), p, []float64{5, 1}, 1, 0.01)
	if want := math.Exp(-1); !(math.Abs(x[1]-want) <= 1e-4 && math.Abs(x[0]-want) <= 1e-3) {
		t.Errorf("x = %v, want both near %g", x, want)
	}
	// L-stability: the amplification vanishes as h rate grows
	for _, z := range []float64{1e3, 1e6, 1e9} {
		single := problemOf(
			func(_ float64, x, dx []float64) { dx[0] = -z * x[0] },
			func(_ float64, _, j []float64) { j[0] = -z },
		)
		y := integrate(newLinearlyImplicit(1), single, []float64{1}, 1, 1)
		if !(math.Abs(y[0]) <= 10/z) {
			t.Errorf("h rate = %g: amplification %g", z, y[0])
		}
	}
}

var update = flag.Bool("update", false, "write the table of methods into docs/solvers.md")

// The table of methods of the documentation is made from the methods: go test ./model/solver -run Documented -update.
func TestMethodsAreDocumented(t *testing.T) {
	const page, begin, end = "../../docs/solvers.md", "<!-- begin methods -->\n", "<!-- end methods -->"
	data, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	yes := map[bool]string{true: "yes"}
	want := "| `solver.method` | order | evaluations | stable for $h |\\lambda|$ below | constraints | " +
		"in C | in lanes | use |\n" +
		"| --- | --- | --- | --- | --- | --- | --- | --- |\n"
	for _, m := range Methods() {
		limit := "any"
		if m.Limit > 0 {
			limit = fmt.Sprintf("%.3g", m.Limit)
		}
		want += fmt.Sprintf("| `%s` | %g | %g | %s | %s | %s | %s | %s |\n", m.Name, m.Order, m.Evaluations, limit,
			cmp.Or(m.Handling, "Baumgarte"), yes[m.InC], yes[m.InLanes()], m.Use)
	}
	before, rest, begins := strings.Cut(string(data), begin)
	table, after, ends := strings.Cut(rest, end)
	if !begins || !ends {
		t.Fatalf("%s has no part between %q and %q", page, begin, end)
	}
	if table == want {
		return
	}
	if !*update {
		t.Fatalf("%s: the table of methods is\n%s\nand the methods are\n%s\nrun: go test ./model/solver -run Documented "+
			"-update", page, table, want)
	}
	if err := os.WriteFile(page, []byte(before+begin+want+end+after), 0o644); err != nil {
		t.Fatal(err)
	}
}
