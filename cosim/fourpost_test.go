package cosim

import (
	"fmt"
	"math"
	"math/cmplx"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"skidpad/harness/tests/testrun"
	"skidpad/model/linear"
	"skidpad/model/vehicle"
)

var posts = []string{"FL", "FR", "RL", "RR"}

// settled is the number of steps of 1 ms after which the vehicle is at rest.
const settled = 10000

// rig is the vehicle on its four posts, at rest.
type rig struct{ *ride }

func newRig(t *testing.T) rig {
	t.Helper()
	r := rig{loaded(t, "generic4w_fourpost", "", nil, nil)}
	r.step(settled, func(float64) [4][3]float64 { return [4][3]float64{} })
	return r
}

// clone returns another rig in the same state.
func (r rig) clone() rig {
	r.t.Helper()
	state := make([]byte, r.StateSize())
	if err := r.Save(state); err != nil {
		r.t.Fatal(err)
	}
	other := rig{loaded(r.t, "generic4w_fourpost", "", nil, nil)}
	if err := other.Restore(state); err != nil {
		r.t.Fatal(err)
	}
	return other
}

// step takes a number of steps of 1 ms. motion returns the height, its rate and its acceleration of each post.
func (r rig) step(count int, motion func(time float64) [4][3]float64) {
	r.t.Helper()
	for range count {
		for k, m := range motion(r.Time()) {
			r.set("post_"+posts[k]+".z", m[0])
			r.set("post_"+posts[k]+".z_dot", m[1])
			i, _ := r.sys.Find("post_" + posts[k] + ".z_dot")
			if err := r.SetRate(i, m[2]); err != nil {
				r.t.Fatal(err)
			}
		}
		if err := r.Step(0.001); err != nil {
			r.t.Fatal(err)
		}
	}
}

// linearised returns the linear equations of the vehicle in its present state.
func (r rig) linearised() *linear.System {
	t := r.t
	t.Helper()
	m, err := vehicle.Read("../resources/models/generic4w_fourpost.toml")
	if err != nil {
		t.Fatal(err)
	}
	l, err := linear.New(m, "")
	if err != nil {
		t.Fatal(err)
	}
	for i := range r.x {
		name := r.stateName(i)
		if !strings.HasSuffix(name, ".q1") && !strings.HasSuffix(name, ".q2") {
			continue // follows from the set ones: standing tires keep their deflection
		}
		if err := l.Set(name, r.x[i]); err != nil {
			t.Fatal(err)
		}
	}
	s, err := l.At()
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// Four posts excite heave, pitch, roll and warp. Body and wheels follow the linear equations in amplitude and phase.
// The frequencies range from below the body modes to above the wheel modes.
func TestFourPostRigShowsTheResponseOfTheLinearModel(t *testing.T) {
	testrun.Slow(t)
	t.Parallel()
	rest := newRig(t)
	s := rest.linearised()
	for _, c := range []struct {
		name    string
		signs   [4]float64
		outputs []string
	}{
		{"heave", [4]float64{1, 1, 1, 1}, []string{"body.z", "susp_FL.s", "tire_RL.Fz"}},
		{"pitch", [4]float64{1, 1, -1, -1}, []string{"body.pitch", "susp_FR.s", "tire_RR.Fz"}},
		{"roll", [4]float64{1, -1, 1, -1}, []string{"body.roll", "susp_RL.s", "tire_FL.Fz"}},
		{"warp", [4]float64{1, -1, -1, 1}, []string{"susp_RR.s", "tire_FR.Fz"}},
	} {
		for _, period := range testrun.Either([]int{800, 200, 80}, []int{2000, 1250, 800, 500, 200, 100, 80, 50}) { // ms
			hertz := 1000 / float64(period)
			omega := 2 * math.Pi * hertz
			const size = 1e-4
			r := rest.clone()
			sine := func(time float64) (list [4][3]float64) {
				sin, cos := math.Sincos(omega * (time - settled*1e-3))
				for k, sign := range c.signs {
					list[k] = [3]float64{size * sign * sin, size * sign * omega * cos,
						-size * sign * omega * omega * sin}
				}
				return list
			}
			settle := (6000 + period - 1) / period * period
			r.step(settle, sine)
			sums := make([]complex128, len(c.outputs))
			for range period {
				for i, name := range c.outputs {
					sums[i] += complex(r.get(name), 0) * cmplx.Rect(2/(size*float64(period)),
						-omega*(r.Time()-settled*1e-3))
				}
				r.step(1, sine)
			}
			for i, name := range c.outputs {
				var want complex128
				for k, sign := range c.signs {
					for input, rate := range map[string]complex128{"z": 1, "z_dot": complex(0, omega)} {
						h, err := s.Response("post_"+posts[k]+"."+input, name, []float64{omega})
						if err != nil {
							t.Fatal(err)
						}
						want += complex(sign, 0) * rate * h[0]
					}
				}
				got := sums[i] * 1i // the posts move as a sine, not as a cosine
				if !(cmplx.Abs(got-want) <= 5e-3*cmplx.Abs(want)) {
					t.Errorf("%s, %s at %g Hz: %.5g, linear %.5g", c.name, name, hertz, got, want)
				}
			}
		}
	}
}

// After a push of the posts the vehicle swings with the frequencies and the damping of the linear equations: about 1 Hz
// for the body and about 15 Hz for the wheels. The eigensystem realisation algorithm (Juang, Pappa 1985) splits the
// free motion into its modes from samples alone.
func TestFourPostRigShowsTheFrequenciesOfTheLinearModel(t *testing.T) {
	testrun.Slow(t)
	r := newRig(t)
	equations := r.linearised()
	outputs := []string{"body.z", "body.pitch", "body.roll", "susp_FL.s", "susp_FR.s", "susp_RL.s", "susp_RR.s"}
	rest := make([]float64, len(outputs))
	for i, name := range outputs {
		rest[i] = r.get(name)
	}
	// different pushes within 50 ms
	r.step(50, func(time float64) (list [4][3]float64) {
		for k, size := range []float64{1, 0.3, -0.5, 0.8} {
			w := 2 * math.Pi / 0.05
			sin, cos := math.Sincos(w * (time - settled*1e-3))
			list[k] = [3]float64{1e-4 * size * (1 - cos), 1e-4 * size * w * sin, 1e-4 * size * w * w * cos}
		}
		return list
	})
	const rows, columns, every = 100, 300, 4 // of the Hankel matrices; steps from sample to sample
	samples := make([][]float64, rows+columns+1)
	for k := range samples {
		for i, name := range outputs {
			samples[k] = append(samples[k], r.get(name)-rest[i])
		}
		r.step(every, func(float64) [4][3]float64 { return [4][3]float64{} })
	}
	n := len(outputs)
	hankel := func(shift int) *mat.Dense {
		h := mat.NewDense(rows*n, columns, nil)
		for i := range rows {
			for j := range columns {
				for k := range n {
					h.Set(i*n+k, j, samples[i+j+shift][k])
				}
			}
		}
		return h
	}
	var svd mat.SVD
	if !svd.Factorize(hankel(0), mat.SVDThin) {
		t.Fatal("no singular values")
	}
	values := svd.Values(nil)
	order := 0
	for order < len(values) && values[order] > 1e-8*values[0] {
		order++
	}
	var u, v, a, left mat.Dense
	svd.UTo(&u)
	svd.VTo(&v)
	left.Mul(u.Slice(0, rows*n, 0, order).T(), hankel(1))
	a.Mul(&left, v.Slice(0, columns, 0, order))
	for i := range order {
		for j := range order {
			a.Set(i, j, a.At(i, j)/math.Sqrt(values[i]*values[j]))
		}
	}
	var eigen mat.Eigen
	if !eigen.Factorize(&a, mat.EigenNone) {
		t.Fatal("no eigenvalues")
	}
	modes, err := equations.Modes()
	if err != nil {
		t.Fatal(err)
	}
	body, wheels := 0, 0
	for _, m := range modes {
		if imag(m.Value) <= 0 {
			continue
		}
		nearest := cmplx.Inf()
		for _, e := range eigen.Values(nil) {
			if p := cmplx.Log(e) / (every * 1e-3); cmplx.Abs(p-m.Value) < cmplx.Abs(nearest-m.Value) {
				nearest = p
			}
		}
		what := fmt.Sprintf("%.4g Hz, damping %.3g", m.Frequency()/(2*math.Pi), m.Damping())
		if !(cmplx.Abs(nearest-m.Value) <= 5e-4*cmplx.Abs(m.Value)) {
			t.Errorf("the mode of %s (%.5g 1/s) is not in the free motion; the nearest mode is %.5g 1/s", what, m.Value, nearest)
		}
		switch hertz := m.Frequency() / (2 * math.Pi); {
		case hertz > 0.8 && hertz < 2:
			body++
		case hertz > 10 && hertz < 16:
			wheels++
		default:
			t.Errorf("unexpected mode of %s", what)
		}
	}
	if body != 3 || wheels != 4 {
		t.Errorf("%d modes of the body and %d of the wheels, want 3 and 4", body, wheels)
	}
}
