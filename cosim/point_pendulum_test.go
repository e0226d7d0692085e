package cosim

import (
	"errors"
	"math"
	"strings"
	"testing"
)

// swing returns positions of the pendulum from its angle, phi" = -g sin phi from the horizontal. The steps are so short
// that only rounding is left: the position at 1 s agrees with elliptic functions.
func swing(times []float64) (x, z []float64) {
	const h = 1e-5
	phi, w, n := math.Pi/2, 0.0, 0
	f := func(phi float64) float64 { return -9.81 * math.Sin(phi) }
	for _, end := range times {
		for ; n < int(math.Round(end/h)); n++ {
			a1, v1 := f(phi), w
			a2, v2 := f(phi+h/2*v1), w+h/2*a1
			a3, v3 := f(phi+h/2*v2), w+h/2*a2
			a4, v4 := f(phi+h*v3), w+h*a3
			phi += h / 6 * (v1 + 2*v2 + 2*v3 + v4)
			w += h / 6 * (a1 + 2*a2 + 2*a3 + a4)
		}
		x, z = append(x, math.Sin(phi)), append(z, -math.Cos(phi))
	}
	return x, z
}

// The statements of the specification, 6.1, about every method: the largest violation P over 1 s and over 10 s, and the
// largest error of a coordinate over 1 s.
func TestPendulumDriftAndOrder(t *testing.T) {
	var times []float64
	for k := 1; k <= 1000; k++ {
		times = append(times, float64(k)/1000)
	}
	x, z := swing(times)
	if d := math.Hypot(x[999]+0.98629175, z[999]+0.16501085); !(d <= 1e-8) {
		t.Fatalf("the reference itself is %g off", d)
	}
	type result struct{ p1, p10, distance float64 }
	run := func(method, multipliers string, h float64) (r result) {
		p := begin(t, "point_pendulum", map[string]string{"solver.method": method, "solver.multipliers": multipliers},
			map[string]float64{"solver.step": h})
		every := int(math.Round(h / 0.001))
		n := 0
		p.to(1, func() {
			n += every
			r.p1 = max(r.p1, math.Abs(p.get("rod.value")))
			r.distance = max(r.distance, math.Abs(p.get("mass_1.x")-x[n-1]), math.Abs(p.get("mass_1.z")-z[n-1]))
		})
		r.p10 = r.p1
		p.to(10, func() { r.p10 = max(r.p10, math.Abs(p.get("rod.value"))) })
		return r
	}
	almost := func(got, want float64) bool { return math.Abs(got-want) <= 0.04*want }
	for _, c := range []struct {
		method, multipliers string
		coarse, fine        result // at 0.01 s and 0.001 s; 0 where the specification has no value
	}{
		{"dlmm", "step", result{8.6e-10, 8.6e-10, 5.8e-8}, result{7.9e-15, 7.9e-15, 5.6e-12}},
		{"dlmm", "stage", result{6.5e-5, 6.5e-5, 0}, result{6.5e-7, 6.5e-7, 0}},
		{"clmm", "step", result{7.0e-7, 7.2e-5, 5.0e-7}, result{7.0e-11, 7.2e-9, 0}},
		{"dlmm-euler", "step", result{2.1e-3, 0, 0.113}, result{2.0e-5, 0, 0.0108}},
		{"stabilised-ode", "step", result{2.4e-7, 2.4e-7, 0}, result{}},
	} {
		coarse, fine := run(c.method, c.multipliers, 0.01), run(c.method, c.multipliers, 0.001)
		for _, v := range []struct {
			what      string
			got, want float64
		}{
			{"P over 1 s at 0.01 s", coarse.p1, c.coarse.p1}, {"P over 10 s at 0.01 s", coarse.p10, c.coarse.p10},
			{"distance at 0.01 s", coarse.distance, c.coarse.distance},
			{"P over 1 s at 0.001 s", fine.p1, c.fine.p1}, {"P over 10 s at 0.001 s", fine.p10, c.fine.p10},
			{"distance at 0.001 s", fine.distance, c.fine.distance},
		} {
			if v.want != 0 && !almost(v.got, v.want) && !(v.want < 1e-14 && v.got < 2e-14) {
				t.Errorf("%s, %s: %s is %.3g, not %.3g", c.method, c.multipliers, v.what, v.got, v.want)
			}
		}
		want := map[string]float64{"dlmm step": 4, "dlmm stage": 2, "clmm step": 4,
			"dlmm-euler step": 1}[c.method+" "+c.multipliers]
		if order := math.Log10(coarse.distance / fine.distance); want > 0 && !(math.Abs(order-want) <= 0.2) {
			t.Errorf("%s, %s: the order is %.2f, not %g", c.method, c.multipliers, order, want)
		}
	}
	for _, method := range []string{"post-stabilisation", "coordinate-projection"} {
		if r := run(method, "step", 0.01); !(r.p10 <= 1e-15 && r.distance <= 1e-6) {
			t.Errorf("%s leaves P = %g and a distance of %g", method, r.p10, r.distance)
		}
	}
}

// A start off the constraint is refused unless the tolerance allows it. The violation then persists with CLMM, vanishes
// after a step of DLMM, and shrinks to 0.375 in every step with the multipliers of stages.
func TestPendulumStartsOffTheConstraint(t *testing.T) {
	s, err := SharedModel("point_pendulum", "")
	if err != nil {
		t.Fatal(err)
	}
	in, err := s.Instantiate()
	if err != nil {
		t.Fatal(err)
	}
	x, _ := s.Find("mass_1.x")
	if err := errors.Join(in.Set(x, 1.25), in.SetText(AssembleVariable, "never")); err != nil {
		t.Fatal(err)
	}
	if err := in.Initialise(); err == nil || !strings.Contains(err.Error(), "violates constraints by 0.562,") {
		t.Fatal("a start that violates the constraint by 0.5625 m2 was taken")
	}
	for _, c := range []struct {
		method, multipliers string
		want                []float64
		tolerance           float64
	}{
		{"clmm", "step", []float64{0.5625, 0.5625, 0.5625, 0.5625}, 1e-6},
		{"dlmm", "step", []float64{-2.0e-5, -4.6e-13, 0, 0}, 1e-7},
		{"dlmm", "stage", []float64{0.2095, 0.0783, 0.0293}, 5e-5},
	} {
		r := begin(t, "point_pendulum", map[string]string{"solver.method": c.method,
			"solver.multipliers": c.multipliers}, map[string]float64{"mass_1.x": 1.25, ToleranceVariable: 1})
		r.near("P at the start", r.get("rod.value"), 0.5625, 1e-15)
		for i, want := range c.want {
			r.to(float64(i+1)*0.01, nil)
			r.near(c.method+" "+c.multipliers+" P", r.get("rod.value"), want, c.tolerance)
		}
		r.to(1, nil)
		if c.method == "clmm" {
			r.near("P at 1 s", r.get("rod.value"), 0.562499, 1e-6)
		} else {
			r.near("P at 1 s", r.get("rod.value"), 0, 7e-5)
		}
	}
}

// Projection iterates until only rounding is left, also at steps of a twentieth of a period.
func TestProjectionLeavesRounding(t *testing.T) {
	p := begin(t, "point_pendulum", map[string]string{"solver.method": "coordinate-projection"},
		map[string]float64{"solver.step": 0.1})
	p.to(10, func() { p.near("violation", p.get("rod.value"), 0, 1e-13) })
}

// Where an importer integrates the states, as in model exchange, a violation decays with every solver of the model.
func TestConstraintsAreStabilisedInModelExchange(t *testing.T) {
	s, err := SharedModel("point_pendulum", "")
	if err != nil {
		t.Fatal(err)
	}
	for _, method := range []string{"dlmm", "clmm", "stabilised-ode", "coordinate-projection", "rk4"} {
		in, err := s.Instantiate()
		if err != nil {
			t.Fatal(err)
		}
		r := &ride{in, t}
		r.SetExternalIntegration(true)
		if err := r.SetText(MethodVariable, method); err != nil {
			t.Fatal(err)
		}
		if err := r.Initialise(); err != nil {
			t.Fatal(err)
		}
		n, _ := r.StateCount()
		x := append([]float64(nil), r.x[:n]...)
		for i := range x {
			x[i] *= 1 + 1e-4 // a longer rod
		}
		const h = 0.001
		at := func(dx []float64, step float64, k []float64) {
			for i := range k {
				dx[i] = x[i] + step*k[i]
			}
		}
		var k [4][]float64
		for i := range k {
			k[i] = make([]float64, n)
		}
		shifted := make([]float64, n)
		rates := func(x, dx []float64) {
			if err := r.SetStates(x); err != nil {
				t.Fatal(err)
			}
			r.rates(0, r.x, dx)
		}
		for range 3000 {
			rates(x, k[0])
			at(shifted, h/2, k[0])
			rates(shifted, k[1])
			at(shifted, h/2, k[1])
			rates(shifted, k[2])
			at(shifted, h, k[2])
			rates(shifted, k[3])
			for i := range x {
				x[i] += h / 6 * (k[0][i] + 2*k[1][i] + 2*k[2][i] + k[3][i])
			}
		}
		rates(x, k[0])
		if v := math.Abs(r.get("rod.value")); !(v <= 1e-9) {
			t.Errorf("%s: a violation of 1e-4 m has become %.2g m", method, v)
		}
	}
}
