package tire_test

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"skidpad/tire"
)

// sample draws inputs of a function by name, away from lift-off and standstill.
func sample(r *rand.Rand, inputs []string) []float64 {
	in := make([]float64, len(inputs))
	for i, name := range inputs {
		switch name {
		case "Fz":
			in[i] = 1000 + 8000*r.Float64()
		case "S", "alpha", "q1", "q2":
			in[i] = 0.3 * (2*r.Float64() - 1)
		case "gamma":
			in[i] = 0.15 * (2*r.Float64() - 1)
		case "mu":
			in[i] = 0.4 + r.Float64()
		case "Reff":
			in[i] = 0.35
		case "Omega":
			if in[i] = 3 + 20*r.Float64(); r.IntN(2) == 0 { // every other one while the rolling resistance changes its sign
				in[i] = -1.2e-3 + 1.5e-3*r.Float64()
			}
		default: // speeds
			in[i] = 3 + 20*r.Float64()
			if r.IntN(2) == 0 {
				in[i] = -in[i]
			}
		}
	}
	return in
}

// parametersOf returns a lively parameter set of every function.
func parametersOf(t testing.TB) map[string][]float64 {
	_, pacejka := fromFile(t, "pacejka2002")
	_, fiala := fromFile(t, "fiala_generic4w")
	_, length := fromFile(t, "stretched_string")
	pacejka = append([]float64(nil), pacejka...)
	for i, p := range lookup(t, "Pacejka02").Parameters {
		switch p.Name { // zero in Table A.4 or next to it, so that every term is exercised
		case "QSx1", "QSx2", "QSx3", "QSy2", "QSy3", "QSy4", "QBz10", "QEz3", "PEx4", "PVx1", "PVx2", "RHy1", "RHy2":
			pacejka[i] = 0.02
		}
	}
	return map[string][]float64{
		"MFRelaxation": {4000, 2.2e5, 2.4e5, 1.05, 1.1, 0.9, 21.8, -0.12, 0.17, -0.36, 0.24, -19.6, 1.72, 0.34, 2, 0.15, -0.55, 0.92, 3e5, 0.1, 0.05, 0.2, 1.05e5, 0.14, -0.03, 0.3},
		"MF61":         property(t, "mf61_205_60R15").Values, "MF62": property(t, "mf62_205_60R15").Values,
		"Pacejka02": pacejka, "Fiala": fiala, "StretchedString": length,
		"StretchedStringLimited": append(append([]float64(nil), length...), 2.5, 1, 1),
		"ConstantLength":         {0.7, 0.4},
		"Brush":                  {2e4, 2.5e4, 0.3, 0.9, 0.01, 0.8},
		"BrushTurnSlip":          {2e4, 2.5e4, 0.3, 0.9, 0.01, 0.8},
		"BrushRelaxation":        {0.4},
	}
}

func lookup(t testing.TB, name string) *tire.Kind {
	t.Helper()
	k, err := tire.Lookup(name)
	if err != nil {
		t.Fatal(err)
	}
	return k
}

func TestJacobiansAgreeWithDifferences(t *testing.T) {
	r := rand.New(rand.NewPCG(31, 32))
	for _, name := range tire.Names() {
		k := lookup(t, name)
		f, err := k.New(parametersOf(t)[name])
		if err != nil {
			t.Fatal(err)
		}
		var d differences
		for range 300 {
			d.compare(t, k, f, sample(r, k.Inputs))
		}
		d.judge(t, name)
	}
}

// Every factor of Pacejka's parameters enters its derivatives, and so do large
// slips, where the limits E <= 1 act.
func TestPacejkaJacobianAgreesWithDifferencesFarFromTheOrigin(t *testing.T) {
	r := rand.New(rand.NewPCG(33, 34))
	k := lookup(t, "Pacejka02")
	var d differences
	for range 60 {
		p := append([]float64(nil), parametersOf(t)["Pacejka02"]...)
		for i, info := range k.Parameters {
			if strings.HasPrefix(info.Name, "L") {
				p[i] = 0.7 + 0.6*r.Float64()
			}
		}
		f, err := k.New(p)
		if err != nil {
			t.Fatal(err)
		}
		for range 10 {
			d.compare(t, k, f, []float64{
				100 + 12000*r.Float64(), 2 * (2*r.Float64() - 1), 1.4 * (2*r.Float64() - 1), 30, 0.4 * (2*r.Float64() - 1),
				0.35, 60 * (2*r.Float64() - 1), 0.2 + r.Float64(),
			})
		}
	}
	d.judge(t, k.Name)
}

// differences counts comparisons of Jacobians with differences of fourth order.
type differences struct{ compared, kinks int }

func (d *differences) compare(t *testing.T, k *tire.Kind, f tire.Function, in []float64) {
	t.Helper()
	known, ok := f.(tire.Differentiable)
	if !ok {
		t.Fatalf("%s has no Jacobian", k.Name)
	}
	n, m := len(k.Inputs), len(k.Outputs)
	jac := make([]float64, n*m)
	known.Jacobian(in, jac)
	for j := range in {
		old := in[j]
		h := 1e-5 * max(1e-1, math.Abs(old))
		if math.Abs(old) < 1e-3 && k.Inputs[j] == "Omega" {
			h = 1e-7
		}
		var y [5][]float64
		for a, step := range [...]float64{-2, -1, 0, 1, 2} {
			in[j] = old + step*h
			y[a] = make([]float64, m)
			f.Eval(in, y[a])
		}
		in[j] = old
		for i := range m {
			left, right := (y[2][i]-y[0][i])/(2*h), (y[4][i]-y[2][i])/(2*h)
			want := (y[0][i] - 8*y[1][i] + 8*y[3][i] - y[4][i]) / (12 * h)
			if math.Abs(left-right) > 1e-3*(math.Abs(left)+math.Abs(right)+1e-3) {
				d.kinks++ // of the model lies within the difference
				continue
			}
			d.compared++
			scale := max(1, math.Abs(want), 1e-9*math.Abs(y[2][i])/h)
			if got := jac[i*n+j]; !(math.Abs(got-want) <= 2e-6*scale) {
				t.Fatalf("%s: d(%s)/d(%s) = %.10g, by differences %.10g at %v", k.Name, k.Outputs[i], k.Inputs[j], got, want, in)
			}
		}
	}
}

func (d *differences) judge(t *testing.T, name string) {
	t.Helper()
	t.Logf("%s: %d derivatives compared, %d at kinks left out", name, d.compared, d.kinks)
	if 50*d.kinks > d.compared {
		t.Errorf("%s: %d kinks among %d derivatives; kinks must be rare", name, d.kinks, d.compared)
	}
}

func TestEvaluationAllocatesNothing(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, name := range tire.Names() {
		k := lookup(t, name)
		f, err := k.New(parametersOf(t)[name])
		if err != nil {
			t.Fatal(err)
		}
		in, out, jac := sample(r, k.Inputs), make([]float64, 5), make([]float64, 40)
		if n := testing.AllocsPerRun(100, func() { f.Eval(in, out); f.(tire.Differentiable).Jacobian(in, jac) }); n != 0 {
			t.Errorf("%s allocates %g times", name, n)
		}
	}
}

func BenchmarkEval(b *testing.B) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, name := range tire.Names() {
		k := lookup(b, name)
		f, err := k.New(parametersOf(b)[name])
		if err != nil {
			b.Fatal(err)
		}
		in, out, jac := sample(r, k.Inputs), make([]float64, 5), make([]float64, 40)
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				f.Eval(in, out)
			}
		})
		b.Run(name+"/jacobian", func(b *testing.B) {
			for b.Loop() {
				f.(tire.Differentiable).Jacobian(in, jac)
			}
		})
	}
}
