package tire_test

import (
	"math"
	"math/rand/v2"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"skidpad/tire"
	"skidpad/tire/tiretest"
)

// pure is a shipped property file without coefficients of combined slip.
func pure(t *testing.T, name string) []byte {
	t.Helper()
	data, err := os.ReadFile(tires + "/" + name)
	if err != nil {
		t.Fatal(err)
	}
	return regexp.MustCompile(`(?m)^R[BCEHV][XY]\d.*\n`).ReplaceAll(data, nil)
}

// A file without coefficients of combined slip is warned of with what both forces together reach, unless an ellipse is
// asked for; shipped files have them.
func TestFilesWithoutCombinedSlipAreWarnedOf(t *testing.T) {
	for _, name := range []string{"mf61_205_60R15.tir", "mf62_205_60R15.tir", "pacejka2002.tir"} {
		about := func(data []byte, by string) bool {
			p, err := tire.ReadFile(data, name, tire.ReadOptions{Combined: by})
			if err != nil {
				t.Fatal(err)
			}
			return slices.ContainsFunc(p.Warnings, func(w string) bool {
				return strings.HasPrefix(w, name+
					":1:1: the coefficients of combined slip RBX1 and RCX1, RBY1 and RCY1 are 0 or absent") &&
					strings.Contains(w, `combined = "ellipse"`)
			})
		}
		shipped, err := os.ReadFile(tires + "/" + name)
		if err != nil {
			t.Fatal(err)
		}
		if !about(pure(t, name), "") || about(pure(t, name), tire.CombinedByEllipse) || about(shipped, "") {
			t.Errorf("%s: without coefficients %v, with an ellipse %v, as shipped %v", name, about(pure(t, name), ""),
				about(pure(t, name), tire.CombinedByEllipse), about(shipped, ""))
		}
	}
	table, err := os.ReadFile(tires + "/pacejka2002.toml")
	if err != nil {
		t.Fatal(err)
	}
	table = regexp.MustCompile(`(?m)^(R[BC][xy]1) = .*$`).ReplaceAll(table, []byte("$1 = 0.0"))
	if p, err := tire.ParseFile(table, "t.toml"); err != nil || len(p.Warnings) != 1 {
		t.Errorf("a table without combined slip: %v, %v", p, err)
	}
}

// With an ellipse, both forces together never exceed it; without, they do. A force alone does not change. Derivatives
// agree with differences of the values.
func TestTheEllipseCombinesSlips(t *testing.T) {
	random := rand.New(rand.NewPCG(42, 11))
	for _, name := range []string{"mf61_205_60R15.tir", "pacejka2002.tir"} {
		p, err := tire.ReadFile(pure(t, name), name, tire.ReadOptions{Combined: tire.CombinedByEllipse})
		if err != nil {
			t.Fatal(err)
		}
		k := tiretest.Lookup(t, p.Function)
		for i, info := range k.Parameters { // shifts are no friction
			if strings.HasPrefix(info.Name, "PV") || strings.HasPrefix(info.Name, "PH") {
				p.Values[i] = 0
			}
		}
		f, err := k.Make(p.Values, tire.CombinedByEllipse)
		if err != nil {
			t.Fatal(err)
		}
		alone := made(t, k.Name, p.Values...)
		most, worst := [2]float64{}, 0.0
		for slip := 0.0; slip < 1; slip += 1e-3 {
			most[0] = max(most[0], at(k, alone, 4000, slip, 0, 0, 50, 16)[0])
			most[1] = max(most[1], at(k, alone, 4000, 0, -slip, 0, 50, 16)[1])
		}
		for range 2000 {
			s, alpha := random.NormFloat64()*0.3, random.NormFloat64()*0.3
			both, separate := at(k, f, 4000, s, alpha, 0, 50, 16), at(k, alone, 4000, s, alpha, 0, 50, 16)
			use := math.Hypot(both[0]/most[0], both[1]/most[1])
			if !(use <= 1.001 && both[0]*s >= 0 && both[1]*alpha <= 0) {
				t.Fatalf("%s at %g, %g: %g, %g N, %.4g of the ellipse", name, s, alpha, both[0], both[1], use)
			}
			worst = max(worst, math.Hypot(separate[0]/most[0], separate[1]/most[1]))
			for i, want := range at(k, alone, 4000, s, 0, 0, 50, 16)[:5] {
				if got := at(k, f, 4000, s, 0, 0, 50, 16)[i]; math.Abs(got-want) > 1e-9*4000 {
					t.Fatalf("%s at slip %g alone: result %d is %g, not %g", name, s, i, got, want)
				}
			}
			for i, want := range at(k, alone, 4000, 0, alpha, 0, 50, 16)[:5] {
				if got := at(k, f, 4000, 0, alpha, 0, 50, 16)[i]; math.Abs(got-want) > 1e-9*4000 {
					t.Fatalf("%s at %g rad alone: result %d is %g, not %g", name, alpha, i, got, want)
				}
			}
		}
		if worst < 1.3 {
			t.Errorf("%s: without the ellipse %.3g of it", name, worst)
		}
		// without slip the stiffnesses equal the function's stiffnesses
		n := len(k.Inputs)
		in, jac, want := make([]float64, n), make([]float64, 5*n), make([]float64, 5*n)
		for i, input := range k.Inputs {
			in[i] = map[string]float64{"Fz": 4000, "Omega": 50, "VCx": 16, "mu": 1, "direction": 1, "Reff": 0.3}[input]
		}
		f.(tire.Differentiable).Jacobian(in, jac)
		alone.(tire.Differentiable).Jacobian(in, want)
		for i := range 2 * n {
			if math.Abs(jac[i]-want[i]) > 1e-4*math.Abs(want[i])+1e-3 {
				t.Errorf("%s: derivative %d is %g, not %g", name, i, jac[i], want[i])
			}
		}
		if f, ok := f.(tire.Ranged); !ok || !f.Limited() {
			t.Errorf("%s: the ranges of the file are lost", name)
		}
	}
}

// The slip angle takes nothing of the rolling resistance, which follows the longitudinal force.
func TestTheSlipAngleLeavesTheRollingResistance(t *testing.T) {
	name := "mf61_205_60R15.tir"
	p, err := tire.ReadFile(pure(t, name), name, tire.ReadOptions{Combined: tire.CombinedByEllipse})
	if err != nil {
		t.Fatal(err)
	}
	k := tiretest.Lookup(t, p.Function)
	for i, info := range k.Parameters { // a longitudinal force without slip, which the slip angle would weaken
		switch info.Name {
		case "PVx1", "QSy2", "RCx1":
			p.Values[i] = 0.5
		case "RBx1":
			p.Values[i] = 10
		}
	}
	f, err := k.Make(p.Values, tire.CombinedByEllipse)
	if err != nil {
		t.Fatal(err)
	}
	straight := at(k, f, 4000, 0, 0, 0, 50, 16)[3]
	if turned := at(k, f, 4000, 0, 0.2, 0, 50, 16)[3]; math.Abs(turned-straight) > 1e-9 {
		t.Errorf("My is %g N m straight ahead and %g N m at a slip angle", straight, turned)
	}
}
