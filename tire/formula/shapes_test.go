package formula

import (
	"math"
	"testing"
)

// From 0.008, the knee of the master curve, to 1 the cube root equals math.Cbrt.
func TestCubeRoot(t *testing.T) {
	g := NewGraph(1)
	p := NewProgram([]Number{g.Input(0).cubeRoot()})
	g.Law(p)
	m := p.NewMemory(nil)
	const points = 100000
	var got [1]float64
	for k := range points + 1 {
		a := 0.008 + 0.992*float64(k)/points
		if m.Run([]float64{a}, got[:]); math.Abs(got[0]-math.Cbrt(a)) > 5e-16*math.Cbrt(a) {
			t.Fatalf("the cube root of %g is %g, want %g", a, got[0], math.Cbrt(a))
		}
	}
}
