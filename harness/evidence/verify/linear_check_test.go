package verify

import (
	"math"
	"slices"
	"testing"

	"skidpad/harness/tests/built"
	"skidpad/harness/tests/testrun"
	"skidpad/harness/workbench/analyses/linearise"
	"skidpad/model/linear"
	"skidpad/model/vehicle"
)

// Eigenvalues that were published are found in both ways. That those of the bicycle with trailer are,
// whose symbolic equations take seconds, is part of the verification of everything.
func TestLinearEquationsHaveTheKnownEigenvalues(t *testing.T) {
	testrun.Slow(t)
	var list []LinearComparison
	for _, model := range []string{"bicycle_rolling", "truck_trailer", "wheel_rolling", "tilting_three_wheeler"} {
		own, err := CompareLinear(resources, model)
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, own...)
	}
	models := map[string]int{}
	for i := range list {
		if c := &list[i]; !c.Pass() {
			t.Errorf("%s, %v: off by %.3g 1/s from %v, both ways by %.3g from each other", c.Model, c.Set, c.Known(),
				c.Values(), c.Apart)
		}
		models[list[i].Model]++
	}
	for model, cases := range map[string]int{
		"bicycle_rolling": 11, "truck_trailer": 3, "wheel_rolling": 5, "tilting_three_wheeler": 4,
	} {
		if models[model] != cases {
			t.Errorf("%d cases of %s, want %d", models[model], model, cases)
		}
	}
	for _, s := range linearStatements(list) {
		if !s.Pass {
			t.Errorf("%s: %s", s.Run, s.Measured)
		}
	}
	wrong := slices.Clone(list[:1])
	wrong[0].Tangent = slices.Clone(wrong[0].Tangent)
	wrong[0].Tangent[2] += 1e-8i
	if s := linearStatements(wrong); len(s) != 1 || s[0].Pass || wrong[0].Pass() {
		t.Error("an eigenvalue that is 1e-8 off passes")
	}
}

func TestDisagreementOfEigenvalues(t *testing.T) {
	a := []complex128{-1, 2 + 3i, 2 - 3i}
	for _, c := range []struct {
		b    []complex128
		want float64
	}{
		{[]complex128{2 - 3i, -1, 2 + 3i}, 0}, {[]complex128{2 - 3i, -1.5, 2 + 3i}, 0.5 / math.Sqrt(13)},
		{a[:2], math.Inf(1)},
		{[]complex128{2 - 3i, -1, 2 - 3i}, 6 / math.Sqrt(13)},
	} {
		if got := linearise.Disagreement(a, c.b); math.Abs(got-c.want) > 1e-15 && got != c.want {
			t.Errorf("%v and %v are %v apart, want %v", a, c.b, got, c.want)
		}
	}
}

// Where the bicycle begins to capsize, which halving finds, a mode is 0 in both ways, and both agree about all four.
func TestBothWaysAgreeAtTheBorderOfStability(t *testing.T) {
	testrun.Slow(t)
	m, err := vehicle.Read(built.Model("bicycle_rolling"))
	if err != nil {
		t.Fatal(err)
	}
	vehicle, err := linear.New(m, "")
	if err != nil {
		t.Fatal(err)
	}
	low, high := 6.02, 6.03
	for range 45 {
		speed := (low + high) / 2
		c, err := compareLinear(KnownModes{Set: map[string]float64{"speed": speed}}, m, vehicle)
		if err != nil {
			t.Fatal(err)
		}
		if c.Apart > linearise.LinearAgreement {
			t.Errorf("%.15g m/s: both ways are %g apart", speed, c.Apart)
		}
		s, err := vehicle.At()
		if err != nil {
			t.Fatal(err)
		}
		modes, err := s.Modes()
		if err != nil || len(modes) != 4 {
			t.Fatalf("%.15g m/s: %v, modes %v", speed, err, modes)
		}
		if real(modes[0].Value) > 0 {
			high = speed
		} else {
			low = speed
		}
	}
}
