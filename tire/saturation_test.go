package tire

import (
	"fmt"
	"math"
	"testing"
)

// gripping are force functions with the files of the shipped tires.
var gripping = []struct{ name, file string }{
	{"Fiala", "fiala_generic4w.toml"}, {"Brush", "brush_generic4w.toml"}, {"Pacejka02", "pacejka2002.toml"},
	{"MF61", "mf61_205_60R15.tir"}, {"MF62", "mf62_205_60R15.tir"}, {"TMeasy", "tmeasy_215_55R18.toml"},
	{"Calspan", "calspan_155SR13.toml"},
}

// Stiffnesses and largest forces that functions tell are those that can be measured, at any load.
func TestFunctionsTellTheirGrip(t *testing.T) {
	for _, g := range gripping {
		kind, err := Lookup(g.name)
		if err != nil {
			t.Fatal(err)
		}
		values := parameters(t, g.name, "../resources/tires/"+g.file)
		if g.name == "Fiala" {
			values[5] = values[4] // its friction falls with slip from the first on
		}
		f, err := kind.New(values)
		if err != nil {
			t.Fatal(err)
		}
		p, err := newProbe(f, kind.Inputs, len(kind.Outputs), 4500, 0.33)
		if err != nil {
			t.Fatal(err)
		}
		for k, load := range p.loads {
			var told [gripResults]float64
			f.(saturating).grip().Eval([]float64{load, 0, 1}, told[:])
			stiffness, most := told[:2], told[2:]
			for side := range 2 {
				what := fmt.Sprintf("%s, %g N, direction %d", g.name, load, side)
				if got := stiffness[side] / p.stiffness[side][k]; math.Abs(got-1) > 0.01 {
					t.Errorf("%s: stiffness %g, measured %g", what, stiffness[side], p.stiffness[side][k])
				}
				// forces of Fiala's tire along and of Calspan's come close to it, but do not reach it
				if got := most[side] / p.most[side][k]; got < 0.99 || got > 1.11 {
					t.Errorf("%s: largest force %g, measured %g", what, most[side], p.most[side][k])
				}
			}
		}
	}
}

// The derivatives of the grip agree with difference quotients.
func TestGripHasExactSlopes(t *testing.T) {
	const h = 1e-5
	for _, g := range gripping {
		kind, _ := Lookup(g.name)
		f, err := kind.New(parameters(t, g.name, "../resources/tires/"+g.file))
		if err != nil {
			t.Fatal(err)
		}
		at := [3]float64{4200, 0.1, 0.7}
		for k := range at {
			step := h * at[k]
			grip := f.(saturating).grip()
			var exact [gripResults * gripInputs]float64
			var told, above, below [gripResults]float64
			grip.Jacobian(at[:], exact[:])
			grip.Eval(at[:], told[:])
			up, down := at, at
			up[k], down[k] = at[k]+step, at[k]-step
			grip.Eval(up[:], above[:])
			grip.Eval(down[:], below[:])
			for i := range told {
				want, got := (above[i]-below[i])/(2*step), exact[i*gripInputs+k]
				if math.Abs(got-want) > 1e-6*math.Max(math.Abs(want), math.Abs(told[i]/at[k])) {
					t.Errorf("%s: number %d by argument %d: %g, by differences %g", g.name, i, k, got, want)
				}
			}
		}
	}
}

// What is measured of a function is found again: at the loads themselves, in the middle as the mean, without load as
// nothing.
func TestProbesAreLinearBetweenLoads(t *testing.T) {
	p, err := newProbe(parabolicBrush{1.1e5, 0.9}, parabolicKind.Inputs, 5, 5000, 0.3)
	if err != nil {
		t.Fatal(err)
	}
	for _, load := range []float64{0, 300, 1000, 3000, 4000, 7000, 9000, 12000} {
		var told [gripResults]float64
		p.Eval([]float64{load, 0, 0.5}, told[:])
		if want := 0.9 * 0.5 * load; math.Abs(told[2]-want) > 1e-9*load || math.Abs(told[3]-want) > 1e-9*load {
			t.Errorf("%g N: largest forces %g and %g, want %g", load, told[2], told[3], want)
		}
	}
	var told [gripResults]float64
	if p.Eval([]float64{6000, 0, 1}, told[:]); math.Abs(told[0]-(p.stiffness[0][2]+p.stiffness[0][3])/2) > 1e-6 {
		t.Errorf("between loads the stiffness is %g", told[0])
	}
}

// A tire lying on its side slides with its largest force against the motion, whether its wheel turns or not.
func TestALyingTireSlides(t *testing.T) {
	r := parabolic(t)
	r.in[atUpright] = 0
	for _, spin := range []float64{0, 30} {
		r.in[atP1], r.in[atP2] = 0, 0
		r.in[atVEx], r.in[atVExs], r.in[atVPxs], r.in[atVPy] = 3, 3, 3, -4
		r.in[atOmega] = spin
		for range 3000 {
			r.step(1e-3, func() {})
		}
		r.Eval(r.in, r.out)
		d := r.in[atFz]
		if math.Abs(r.out[0]+0.6*d) > 1e-6*d || math.Abs(r.out[1]-0.8*d) > 1e-6*d {
			t.Errorf("forces %v of %g N", r.out[:5], d)
		}
	}
	// stopped, it stands by its deflection
	r.in[atVEx], r.in[atVExs], r.in[atVPxs], r.in[atVPy] = 0, 0, 0, 0
	for range 1000 {
		r.step(1e-3, func() {})
	}
	if r.Eval(r.in, r.out); math.Hypot(r.out[0], r.out[1]) < 0.9*r.in[atFz] {
		t.Errorf("stopped, forces are %v", r.out[:2])
	}
}
