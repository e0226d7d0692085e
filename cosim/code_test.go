package cosim_test

import (
	"math"
	"slices"
	"strings"
	"testing"

	"skidpad/cosim"
)

// TestCodeDoesNotChangeResults: machine code and portable code are bit-identical with every solver, and a saved state
// moves between them.
func TestCodeDoesNotChangeResults(t *testing.T) {
	for _, model := range []string{"generic4w", "truck3", "double_pendulum", "halfcar", "redbike_gyroscope_controlled"} {
		sys := load(t, model, "")
		for _, method := range []string{"euler", "heun", "rk4", "linearly-implicit"} {
			drive := func(code string, from []byte) (saved, end []byte, in *cosim.Instance) {
				in, err := sys.Instantiate()
				if err != nil {
					t.Fatal(err)
				}
				for name, value := range map[string]string{"solver.method": method, "solver.code": code} {
					if err := in.SetText(name, value); err != nil {
						t.Fatal(err)
					}
				}
				if err := in.Initialise(); err != nil {
					t.Fatal(err)
				}
				if from != nil {
					if err := in.Restore(from); err != nil {
						t.Fatal(err)
					}
				}
				for n := range 200 {
					if n == 100 {
						saved = make([]byte, in.StateSize())
						if err := in.Save(saved); err != nil {
							t.Fatal(err)
						}
					}
					if err := in.Step(0.001); err != nil {
						t.Fatal(err)
					}
				}
				values := make([]float64, len(sys.Variables()))
				if err := in.Values(values); err != nil {
					t.Fatal(err)
				}
				for _, v := range values {
					bits := math.Float64bits(v)
					end = append(end, byte(bits), byte(bits>>8), byte(bits>>16), byte(bits>>24), byte(bits>>32),
						byte(bits>>40), byte(bits>>48), byte(bits>>56))
				}
				return saved, end, in
			}
			saved, native, _ := drive("native", nil)
			_, portable, in := drive("portable", nil)
			if !slices.Equal(native, portable) {
				t.Errorf("%s, %s: native and portable code differ", model, method)
			}
			_, one, _ := drive("native", saved)
			_, other, _ := drive("portable", saved)
			if !slices.Equal(one, other) {
				t.Errorf("%s, %s: they differ after a saved state was taken over", model, method)
			}
			if err := in.Restore(saved); err != nil {
				t.Fatal(err)
			}
			if code, _ := in.Text("solver.code"); code != "native" {
				t.Errorf("the text of the saved state is %q", code)
			}
		}
	}
	in, err := load(t, "pendulum", "").Instantiate()
	if err != nil {
		t.Fatal(err)
	}
	if err := in.SetText("solver.code", "fast"); err == nil || !strings.Contains(err.Error(), "portable") {
		t.Errorf("error %v does not say what is allowed", err)
	}
}
