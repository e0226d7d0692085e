package evaluate

import (
	"math"
	"math/cmplx"
	"testing"

	"skidpad/harness/library"
	"skidpad/harness/tests/built"
	"skidpad/harness/tests/testrun"
	"skidpad/harness/workbench/runs/manoeuvre"
	"skidpad/model/linear"
	"skidpad/model/vehicle"
)

// The largest gains of heave, pitch and roll on four posts, and their frequencies, equal the results of the linear
// equations of the standing vehicle.
func TestFourPostFiguresEqualTheLinearModel(t *testing.T) {
	testrun.Slow(t)
	t.Parallel()
	library, err := library.Open(built.Library(t))
	if err != nil {
		t.Fatal(err)
	}
	file := built.Model("generic4w_fourpost")
	e := evaluator(library, file)
	e.Replaced = []manoeuvre.ConstantValue{{Name: "along", Value: 1}}
	result, err := e.Evaluate(built.Manoeuvre("four_post"))
	if err != nil {
		t.Fatal(err)
	}
	m, err := vehicle.Read(file)
	if err != nil {
		t.Fatal(err)
	}
	vehicle, err := linear.New(m, "")
	if err != nil {
		t.Fatal(err)
	}
	system, err := vehicle.At()
	if err != nil {
		t.Fatal(err)
	}
	var omega []float64
	for f := 0.5; f < 5; f += 0.025 {
		omega = append(omega, 2*math.Pi*f)
	}
	for run, signs := range [][4]float64{{1, 1, 1, 1}, {1, -1, 1, -1}} {
		outputs := []map[string]string{{"heave": "body.z", "pitch": "body.pitch"}, {"roll": "body.roll"}}[run]
		for id, output := range outputs {
			sum := make([]complex128, len(omega))
			for k, post := range []string{"post_FL", "post_FR", "post_RL", "post_RR"} {
				for input, power := range map[string]int{"z": 0, "z_dot": 1} {
					h, err := system.Response(post+"."+input, output, omega)
					if err != nil {
						t.Fatal(err)
					}
					for i, w := range omega {
						sum[i] += complex(signs[k], 0) * h[i] * cmplx.Pow(complex(0, w), complex(float64(power), 0))
					}
				}
			}
			top, peakFrequency := 0.0, 0.0
			for i, h := range sum {
				if g := cmplx.Abs(h); g > top {
					top, peakFrequency = g, omega[i]/(2*math.Pi)
				}
			}
			list := result.Runs[run].Figures
			gain, frequency := value(t, list, id+"_gain"), value(t, list, id+"_frequency")
			if math.Abs(gain-top) > 0.005*top || math.Abs(frequency-peakFrequency) > 0.026 { // a line of the spectrum
				t.Errorf("%s: %.4g at %.3g Hz, linear %.4g at %.3g Hz", id, gain, frequency, top, peakFrequency)
			}
		}
	}
}
