package tire_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"skidpad/tire"
	"skidpad/tire/tiretest"
)

// A wheel that rolls backwards is the mirror image, in the plane across, of a wheel that rolls forward. With speed and
// slip velocity along, spin and rotation reversed, Fx, My and Mz are reversed, and Fy and Mx are not. (Mirror symmetry
// excludes offsets, parameters that distinguish driving from braking, and the share of the drive in the rolling
// resistance.)
func TestReverseIsTheMirrorImageOfForward(t *testing.T) {
	const none = "PEx4 PHx1 PHx2 PVx1 PVx2 PHy1 PHy2 PVy1 PVy2 RHx1 RHy1 RHy2 RVy1 RVy2 RVy3 RVy4 RVy5 RVy6 REx1 REx2 " +
		"SSz1 SSz2 SSz3 SSz4 QSy2 QHz1 QHz2 QDz6 QDz7"
	offsets := map[string]bool{}
	for _, name := range strings.Fields(none) {
		offsets[name] = true
	}
	r := rand.New(rand.NewPCG(63, 64))
	for name, parameters := range tiretest.Parameters(t, tires) {
		k := tiretest.Lookup(t, name)
		if len(k.Outputs) != 5 || slices.Contains(k.Inputs, "q3") {
			continue
		}
		for i, p := range k.Parameters {
			if offsets[p.Name] {
				parameters[i] = 0
			}
		}
		f := made(t, name, parameters...)
		worst := 0.0
		for range 200 {
			in := tiretest.Sample(r, k.Inputs)
			forward, back := make([]float64, 5), make([]float64, 5)
			travel(k, in, 1)
			f.Eval(in, forward)
			travel(k, in, -1)
			f.Eval(in, back)
			scale := 0.0
			for _, v := range forward {
				scale = max(scale, math.Abs(v))
			}
			for i, sign := range [...]float64{-1, 1, 1, -1, -1} {
				worst = max(worst, math.Abs(back[i]-sign*forward[i])/scale)
			}
		}
		if !(worst <= 1e-12) {
			t.Errorf("%s: reverse differs from the mirror image of forward by %g of the largest force", name, worst)
		}
	}
}

// travel turns inputs into those of a wheel that rolls forward (1) or backwards (-1).
func travel(k *tire.Kind, in []float64, way float64) {
	for i, name := range k.Inputs {
		switch name {
		case "VCx", "VPxs", "Omega":
			in[i] = way * math.Abs(in[i])
		case "S", "wn":
			if way < 0 {
				in[i] = -in[i]
			}
		case "direction":
			in[i] = way
		}
	}
}
