package tire_test

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"skidpad/tire"
	"skidpad/tire/tiretest"
)

const tires = "../resources/tires"

func TestJacobiansAgreeWithDifferences(t *testing.T) {
	r := rand.New(rand.NewPCG(31, 32))
	for _, name := range tire.Names() {
		k := tiretest.Lookup(t, name)
		f, err := k.New(tiretest.Parameters(t, tires)[name])
		if err != nil {
			t.Fatal(err)
		}
		var d differences
		for range 300 {
			d.compare(t, k, f, tiretest.Sample(r, k.Inputs))
		}
		d.judge(t, name)
	}
}

// Every factor of Pacejka's parameters enters its derivatives, and so do large
// slips, where the limits E <= 1 act.
func TestPacejkaJacobianAgreesWithDifferencesFarFromTheOrigin(t *testing.T) {
	r := rand.New(rand.NewPCG(33, 34))
	k := tiretest.Lookup(t, "Pacejka02")
	var d differences
	for range 60 {
		p := append([]float64(nil), tiretest.Parameters(t, tires)["Pacejka02"]...)
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
				100 + 12000*r.Float64(), 2 * (2*r.Float64() - 1), 1.4 * (2*r.Float64() - 1), 30,
				0.4 * (2*r.Float64() - 1),
				0.35, 60 * (2*r.Float64() - 1), 0.2 + r.Float64(), 2*r.Float64() - 1,
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
		for i := range m {
			got := jac[i*n+j]
			want, size, smooth := difference(f, in, i, j, 1)
			if !smooth {
				d.kinks++ // of the model lies within the difference
				continue
			}
			d.compared++
			if agrees(got, want, size) {
				continue
			}
			// Sums of terms as large as the load round by more than the force shows. Four times
			// the step shrinks rounding, not a wrong derivative.
			if want, size, smooth = difference(f, in, i, j, 4); !smooth || !agrees(got, want, size) {
				t.Fatalf("%s: d(%s)/d(%s) = %.10g, by differences %.10g at %v", k.Name, k.Outputs[i],
					k.Inputs[j], got, want, in)
			}
		}
	}
}

// difference returns d(output i)/d(input j) by central differences of fourth order over a step with the factor wide.
// size is the scale below which rounding of the output hides errors. smooth reports whether the slopes of both sides
// agree.
func difference(f tire.Function, in []float64, i, j int, wide float64) (slope, size float64, smooth bool) {
	old := in[j]
	defer func() { in[j] = old }()
	h := wide * 1e-5 * max(1e-1, math.Abs(old))
	var y [5]float64
	out := make([]float64, 5)
	for a := range y {
		in[j] = old + float64(a-2)*h
		f.Eval(in, out)
		y[a] = out[i]
	}
	left, right := (y[2]-y[0])/(2*h), (y[4]-y[2])/(2*h)
	slope = (y[0] - 8*y[1] + 8*y[3] - y[4]) / (12 * h)
	return slope, max(1, math.Abs(slope), 1e-9*math.Abs(y[2])/h),
		math.Abs(left-right) <= 1e-3*(math.Abs(left)+math.Abs(right)+1e-3)
}

func agrees(got, want, size float64) bool { return math.Abs(got-want) <= 2e-6*size }

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
		k := tiretest.Lookup(t, name)
		f, err := k.New(tiretest.Parameters(t, tires)[name])
		if err != nil {
			t.Fatal(err)
		}
		in, out, jac := tiretest.Sample(r, k.Inputs), make([]float64, 5), make([]float64, 45)
		if n := testing.AllocsPerRun(100,
			func() { f.Eval(in, out); f.(tire.Differentiable).Jacobian(in, jac) }); n != 0 {
			t.Errorf("%s allocates %g times", name, n)
		}
	}
}

func BenchmarkEval(b *testing.B) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, name := range tire.Names() {
		k := tiretest.Lookup(b, name)
		f, err := k.New(tiretest.Parameters(b, tires)[name])
		if err != nil {
			b.Fatal(err)
		}
		in, out, jac := tiretest.Sample(r, k.Inputs), make([]float64, 5), make([]float64, 45)
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
