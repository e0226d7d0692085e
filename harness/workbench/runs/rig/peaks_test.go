package rig

import (
	"fmt"
	"math"
	"testing"

	"skidpad/harness/tests/testrun"
)

// The peak variables of a tire name a slip and a force. A wheel on the stand with this slip has this force, and no
// other slip gives more. The stand knows forces alone: it moves the wheel and reads them.
func TestPeaksOfTheLibraryEqualTheStand(t *testing.T) {
	testrun.Slow(t)
	for _, tire := range []Tire{
		{Model: "Pacejka02", File: shipped("pacejka2002.toml"), Radius: 0.355, Stiffness: 3.04e5},
		{Model: "MF61", File: shipped("mf61_205_60R15.tir"), Radius: 0.3135, Stiffness: 208000},
		{Model: "MF62", File: shipped("mf62_205_60R15.tir"), Radius: 0.3135, Stiffness: 208000},
		{Model: "TMeasy", File: shipped("tmeasy_215_55R18.toml"), Radius: 0.3469, Stiffness: 2e5},
		{Model: "Calspan", File: shipped("calspan_155SR13.toml"), Radius: 0.3, Stiffness: 2e5},
		{Model: "Fiala", File: shipped("fiala_generic4w.toml"), Radius: 0.355, Stiffness: 3.04e5},
		{Model: "Brush", File: shipped("brush_generic4w.toml"), Radius: 0.355, Stiffness: 3.04e5},
	} {
		r := open(t, tire)
		references, err := r.vehicle.References("tire.mu_x_peak", "tire.kappa_peak", "tire.mu_y_peak", "tire.alpha_peak",
			"tire.kappa_peak_found", "tire.alpha_peak_found")
		if err != nil {
			t.Fatal(err)
		}
		measure := func(s State) Forces {
			f, err := r.Measure(s)
			if err != nil {
				t.Fatal(err)
			}
			return f
		}
		gamma := 0.03
		if tire.Model == "MF62" { // the turn slip of an inclined wheel follows its spin, which differs along the curve
			gamma = 0
		}
		for _, load := range []float64{2500, 5000} {
			for _, side := range []float64{1, -1} {
				s := State{Load: load, Speed: 16.7, Gamma: gamma, Kappa: 0.005 * side, Alpha: 0.004 * side}
				measure(s)
				var peaks [6]float64
				if err := r.vehicle.Get(references, peaks[:]); err != nil {
					t.Fatal(err)
				}
				along := func(slip float64) float64 {
					return side * measure(State{Load: load, Speed: 16.7, Gamma: gamma, Kappa: slip}).Fx / load
				}
				across := func(slip float64) float64 {
					return -side * measure(State{Load: load, Speed: 16.7, Gamma: gamma, Alpha: slip}).Fy / load
				}
				for axis, of := range []func(slip float64) float64{along, across} {
					what := fmt.Sprintf("%s, %g N, side %g, axis %d", tire.Model, load, side, axis)
					mu, slip := peaks[2*axis], peaks[2*axis+1]
					if peaks[4+axis] != 1 || slip*side <= 0 {
						t.Errorf("%s: no peak, the slip %g", what, slip)
					}
					near(t, what, of(slip), mu, 1e-9)
					points := testrun.Either(12, 200)
					for i := range points {
						at := side * 0.99 * math.Pow(float64(i)/float64(points), 2)
						if x := of(at); x > mu*(1+1e-9) {
							t.Errorf("%s: %.12g at the slip %g, the peak is %.12g at %g", what, x, at, mu, slip)
						}
					}
				}
			}
		}
	}
}
