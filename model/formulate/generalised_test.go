package formulate_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"skidpad/model/formulate"
	"skidpad/model/program"
	"skidpad/model/vehicle"
)

// pseudoInverse is the Moore-Penrose inverse.
func pseudoInverse(m *mat.Dense) *mat.Dense {
	var svd mat.SVD
	svd.Factorize(m, mat.SVDThin)
	values := svd.Values(nil)
	var u, v, inverse mat.Dense
	svd.UTo(&u)
	svd.VTo(&v)
	for i, s := range values {
		for k := range v.RawMatrix().Rows {
			if s > 1e-12*values[0] {
				v.Set(k, i, v.At(k, i)/s)
			} else {
				v.Set(k, i, 0)
			}
		}
	}
	inverse.Mul(&v, u.T())
	return &inverse
}

// root is the square root of a symmetric matrix, or its inverse.
func root(m *mat.SymDense, power float64) *mat.Dense {
	var e mat.EigenSym
	e.Factorize(m, true)
	var v, scaled, r mat.Dense
	e.VectorsTo(&v)
	scaled.Apply(func(_, k int, x float64) float64 { return x * math.Pow(e.Values(nil)[k], power) }, &v)
	r.Mul(&scaled, v.T())
	return &r
}

// The accelerations follow the printed formula, with matrix roots and pseudo-inverses (Ikoki 2022, (8), (9); half-car
// specification, 3.2), for any weights: q” = a + X (b - A a) + (I - X A) M^-1 C with X = M^-1/2 ((D^1/2)^+ A M^-1/2)^+
// D^1/2.
func TestRelaxedConstraintsAfterThePrintedFormula(t *testing.T) {
	m := read(t, "halfcar")
	p, k := machine(t, m, formulate.Options{})
	f, err := formulate.New(m, formulate.Options{})
	if err != nil {
		t.Fatal(err)
	}
	r := rand.New(rand.NewPCG(81, 82))
	x, u, dx, y := make([]float64, 14), make([]float64, len(p.Inputs)), make([]float64, 14),
		make([]float64, len(p.Outputs))
	relaxed := 0
	for range 50 {
		for i, v := range p.Inputs {
			u[i] = v.Start
			switch v.Name {
			case "motor.torque":
				u[i] = 400 * r.NormFloat64()
			case "brake_F.torque", "brake_R.torque":
				u[i] = 400 * r.Float64()
			case "road.mu":
				u[i] = 0.3 + r.Float64()
			}
		}
		for i := range 7 {
			x[i], x[7+i] = 0.3*r.NormFloat64(), 0.02*r.NormFloat64()
		}
		x[0], x[4], x[5], x[8] = 10+x[0], 40+15*x[4], 40+150*x[5], 0.25+x[8]
		k.Derivatives(0, x, u, dx)
		k.Outputs(y)
		if min(y[output(p, "contact_F.stiction")], y[output(p, "contact_R.stiction")]) < 1e-3 {
			continue // towards 0 the printed pseudo-inverse jumps
		}
		at := symbolValues(f, p, x, u)
		mass, rows := mat.NewSymDense(7, nil), mat.NewDense(4, 7, nil)
		load, slides, asked := mat.NewVecDense(7, nil), mat.NewVecDense(7, nil), mat.NewVecDense(4, nil)
		weight, without := mat.NewDiagDense(4, nil), mat.NewDiagDense(4, nil) // D^1/2 and its inverse
		for i := range 7 {
			load.SetVec(i, at.Value(f.Load[i]))
			for j := range i + 1 {
				mass.SetSym(i, j, at.Value(f.Mass[i][j]))
			}
		}
		for i, c := range f.Constraints {
			for j := range 7 {
				rows.Set(i, j, at.Value(c.Row[j]))
			}
			asked.SetVec(i, -at.Value(c.Bias)-at.Value(c.Stabilising))
			weight.SetDiag(i, 1)
			if wheel, ok := strings.CutSuffix(c.Name, "_rolling"); ok {
				weight.SetDiag(i, y[output(p, wheel+".stiction")])
				for j := range 7 {
					slides.SetVec(j, slides.AtVec(j)+rows.At(i, j)*y[output(p, wheel+".sliding")])
				}
			}
			without.SetDiag(i, 1/weight.At(i, i))
			if s := weight.At(i, i); s < 0.9 && s > 0.05 {
				relaxed++
			}
		}
		half := root(mass, -0.5)
		var inner, x1, b, want mat.Dense
		b.Mul(rows, half)
		inner.Mul(without, &b)
		x1.Mul(half, pseudoInverse(&inner))
		x1.Mul(&x1, weight)
		var free, slid, rest mat.VecDense
		if free.SolveVec(mass, load) != nil || slid.SolveVec(mass, slides) != nil {
			t.Fatal("the mass matrix is singular")
		}
		rest.MulVec(rows, &free)
		rest.SubVec(asked, &rest)
		var caught mat.VecDense
		caught.MulVec(rows, &slid)
		rest.SubVec(&rest, &caught)
		want.Mul(&x1, &rest)
		for i := range 7 {
			w := free.AtVec(i) + slid.AtVec(i) + want.At(i, 0)
			if !(math.Abs(dx[i]-w) <= 1e-9*max(1, math.Abs(w))) {
				t.Errorf("%s: %.15g, by the printed formula %.15g", p.States[i].Name, dx[i], w)
			}
		}
	}
	if relaxed < 20 {
		t.Errorf("only %d weights were between 0 and 1", relaxed)
	}
}

// Where all constraints are independent and hold, both formulations are the same, for all models.
func TestGeneralisedInverseAgreesWithMultipliers(t *testing.T) {
	files, err := filepath.Glob("../../resources/models/*.toml")
	if err != nil {
		t.Fatal(err)
	}
	r := rand.New(rand.NewPCG(83, 84))
	compared := 0
	for _, file := range files {
		m, err := vehicle.Read(file)
		if err != nil {
			t.Fatal(err)
		}
		for i := range m.Trees {
			tree := &m.Trees[i]
			if tree.Formulation != vehicle.Formulations[0] {
				continue
			}
			f, err := formulate.New(m, formulate.Options{Tree: tree.Name})
			if err != nil {
				t.Fatal(err)
			}
			if len(f.Constraints) == 0 {
				continue
			}
			p1, m1 := machine(t, m, formulate.Options{Tree: tree.Name})
			tree.Formulation = vehicle.UdwadiaKalaba
			p2, m2 := machine(t, m, formulate.Options{Tree: tree.Name})
			tree.Formulation = vehicle.Formulations[0]
			bind(t, p1, m1)
			bind(t, p2, m2)
			u := make([]float64, len(p1.Inputs))
			for i, v := range p1.Inputs {
				u[i] = v.Start
			}
			values := map[string]float64{}
			for _, v := range p1.Parameters {
				if v.StartValue {
					values[v.Name] = v.Start + 0.02*r.NormFloat64()
				}
			}
			x := start(t, p1, m1, values, u)
			dx1, dx2 := make([]float64, len(x)), make([]float64, len(x))
			m1.Derivatives(0, x, u, dx1)
			m2.Derivatives(0, x, u, dx2)
			y1, y2 := make([]float64, len(p1.Outputs)), make([]float64, len(p2.Outputs))
			m1.Outputs(y1)
			m2.Outputs(y2)
			size, worst := 0.0, 0.0
			for i := range dx1 {
				size, worst = max(size, math.Abs(dx1[i])), max(worst, math.Abs(dx1[i]-dx2[i]))
			}
			for i := range y1 { // reactions, too
				if d := math.Abs(y1[i] - y2[i]); !(d <= 1e-9*max(size, math.Abs(y1[i]))) {
					t.Errorf("%s, tree %s: %s = %.15g with multipliers, %.15g with the generalised inverse", m.Name, tree.Name,
						p1.Outputs[i].Name, y1[i], y2[i])
				}
			}
			if !(worst <= 1e-10*max(1, size)) {
				t.Errorf("%s, tree %s: rates differ by %.2g of %.3g", m.Name, tree.Name, worst, size)
			}
			compared++
		}
	}
	if compared < 10 {
		t.Errorf("only %d trees with constraints", compared)
	}
}

// A weight on a rod: with the rod doubled and tripled it moves as before, and the rods share the
// force evenly, which is the least that they can do.
func TestRedundantConstraints(t *testing.T) {
	const text = `name = "Weight"

[[tree]]
name = "default"
formulation = "udwadia-kalaba"

[component.weight]
type = "point-mass"
mass = 2
start = { position = [0.6, 0, -0.8], velocity = [0.8, 0.3, 0.6] }
`
	const rod = `
[component.rod_%]
type = "rod"
from = "ground"
to = "weight"
length = 1
`
	// the rod holds m (g_r + v^2/L); the weight keeps g across the rod and falls along it with v^2/L
	tension := 2 * (9.81*0.8 + 0.8*0.8 + 0.3*0.3 + 0.6*0.6)
	for count := 1; count <= 3; count++ {
		with := text
		for i := range count {
			with += strings.ReplaceAll(rod, "%", string(rune('1'+i)))
		}
		m, err := vehicle.Parse([]byte(with), "weight.toml", nil)
		if err != nil {
			t.Fatal(err)
		}
		p, k := machine(t, m, formulate.Options{})
		f, err := formulate.New(m, formulate.Options{})
		if err != nil {
			t.Fatal(err)
		}
		u := make([]float64, len(p.Inputs))
		for i, v := range p.Inputs {
			u[i] = v.Start
		}
		x, dx := start(t, p, k, nil, u), make([]float64, len(p.States))
		k.Derivatives(0, x, u, dx)
		for i, want := range []float64{-tension / 2 * 0.6, 0, tension/2*0.8 - 9.81} {
			if !(math.Abs(dx[i]-want) <= 1e-13) {
				t.Errorf("%d rods: %s = %.15g, expected %.15g", count, p.States[i].Name, dx[i], want)
			}
		}
		at := symbolValues(f, p, x, u)
		for i := range count {
			// rounding over the share that counts as singular
			if got := at.Value(f.Solution[3+i]); !(math.Abs(got-tension/float64(count)) <= 1e-5) {
				t.Errorf("%d rods: one of them holds %.15g N, expected %.15g", count, got, tension/float64(count))
			}
		}
	}
}

// rodsOfWeight is a weight at (0.6, 0, -0.8) on rods of given lengths. The rods lead to points on a ring of radius 1
// about the weight, at angles from its rod to the origin in the vertical plane [rad].
func rodsOfWeight(t *testing.T, lengths, angles []float64) (*program.Program, program.Machine, *formulate.Formulation) {
	t.Helper()
	var text strings.Builder
	text.WriteString(`name = "Weight"

[[tree]]
name = "default"
formulation = "udwadia-kalaba"

[component.weight]
type = "point-mass"
mass = 2
start = { position = [0.6, 0, -0.8], velocity = [0.8, 0.3, 0.6] }
`)
	for i, angle := range angles {
		sin, cos := math.Sincos(angle)
		fmt.Fprintf(&text, `[component.arm_%[1]d]
type = "rigid-arm"
from = "ground"
to = "hook_%[1]d"
translation = [%.17[2]g, 0, %.17[3]g]
`, i, 0.6-(0.6*cos+0.8*sin), -0.8-(0.6*sin-0.8*cos))
		fmt.Fprintf(&text, `[component.rod_%[1]d]
type = "rod"
from = "hook_%[1]d"
to = "weight"
length = %.17[2]g
`, i, lengths[i])
	}
	m, err := vehicle.Parse([]byte(text.String()), "weight.toml", nil)
	if err != nil {
		t.Fatal(err)
	}
	p, k := machine(t, m, formulate.Options{})
	f, err := formulate.New(m, formulate.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return p, k, f
}

// Rods contradict each other because one is too long. The weight takes the mean of their demands, and the rest of the
// demands causes no force. The demands along the rod are -(2 alpha L' + beta^2 (L - L0)), with L' = 0, beta = 20 1/s.
func TestContradictingConstraints(t *testing.T) {
	const long, weight = 1e-3, 2 * (9.81*0.8 + 0.8*0.8 + 0.3*0.3 + 0.6*0.6) // with 1 and 1 m
	p, k, f := rodsOfWeight(t, []float64{1, 1 + long}, []float64{0, 0})
	u := make([]float64, len(p.Inputs))
	for i, v := range p.Inputs {
		u[i] = v.Start
	}
	x, dx := start(t, p, k, nil, u), make([]float64, len(p.States))
	k.Derivatives(0, x, u, dx)
	const asked = 400 * long / 2 // outwards
	const tension = weight - 2*asked
	for i, want := range []float64{-tension / 2 * 0.6, 0, tension/2*0.8 - 9.81} {
		if !(math.Abs(dx[i]-want) <= 1e-9) {
			t.Errorf("%s = %.15g, expected %.15g", p.States[i].Name, dx[i], want)
		}
	}
	at := symbolValues(f, p, x, u)
	for i := range 2 {
		if got := at.Value(f.Solution[3+i]); !(math.Abs(got-tension/2) <= 1e-5) {
			t.Errorf("rod %d holds %.15g N, expected %.15g", i, got, tension/2)
		}
	}
}

// Rods that are nearly parallel are independent constraints still: the weight can move along the normal of their plane
// only, and gravity does nothing in the plane. With the directions e of the rods, e.a = -v^2/L for both. The threshold
// of singularity shows in the sixth digit at an angle of 1e-3.
func TestNearlyRedundantConstraints(t *testing.T) {
	p, k, _ := rodsOfWeight(t, []float64{1, 1}, []float64{0, 1e-3})
	u := make([]float64, len(p.Inputs))
	for i, v := range p.Inputs {
		u[i] = v.Start
	}
	x, dx := start(t, p, k, nil, u), make([]float64, len(p.States))
	x[0], x[1], x[2] = 0, 0.3, 0 // the motion that both constraints allow
	k.Derivatives(0, x, u, dx)
	sin, cos := math.Sincos(0.5e-3)
	along := -0.3 * 0.3 / cos // in the middle between the rods
	for i, want := range []float64{along * (0.6*cos + 0.8*sin), 0, along * (0.6*sin - 0.8*cos)} {
		if !(math.Abs(dx[i]-want) <= 1e-6) {
			t.Errorf("%s = %.12g, expected %.12g", p.States[i].Name, dx[i], want)
		}
	}
}
