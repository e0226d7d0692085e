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
			stiffness, most := f.(saturating).grip(dual{v: load}, dual{}, dual{v: 1})
			for side := range 2 {
				what := fmt.Sprintf("%s, %g N, direction %d", g.name, load, side)
				if got := stiffness[side].v / p.stiffness[side][k]; math.Abs(got-1) > 0.01 {
					t.Errorf("%s: stiffness %g, measured %g", what, stiffness[side].v, p.stiffness[side][k])
				}
				// forces of Fiala's tire along and of Calspan's come close to it, but do not reach it
				if got := most[side].v / p.most[side][k]; got < 0.99 || got > 1.11 {
					t.Errorf("%s: largest force %g, measured %g", what, most[side].v, p.most[side][k])
				}
			}
		}
	}
}

// Their derivatives are those of differences.
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
			one, up, down := [3]dual{}, [3]dual{}, [3]dual{}
			step := h * at[k]
			for i, v := range at {
				one[i], up[i], down[i] = dual{v: v}, dual{v: v}, dual{v: v}
			}
			one[k].d, up[k].v, down[k].v = 1, at[k]+step, at[k]-step
			check := func(of func(x [3]dual) [4]dual) {
				exact, above, below := of(one), of(up), of(down)
				for i := range exact {
					want := (above[i].v - below[i].v) / (2 * step)
					if math.Abs(exact[i].d-want) > 1e-6*math.Max(math.Abs(want), math.Abs(exact[i].v/at[k])) {
						t.Errorf("%s: number %d by argument %d: %g, by differences %g", g.name, i, k, exact[i].d, want)
					}
				}
			}
			check(func(x [3]dual) [4]dual {
				k, d := f.(saturating).grip(x[0], x[1], x[2])
				return [4]dual{k[0], k[1], d[0], d[1]}
			})
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
		_, most := p.grip(dual{v: load}, dual{}, dual{v: 0.5})
		if want := 0.9 * 0.5 * load; math.Abs(most[0].v-want) > 1e-9*load || math.Abs(most[1].v-want) > 1e-9*load {
			t.Errorf("%g N: largest forces %g and %g, want %g", load, most[0].v, most[1].v, want)
		}
	}
	if k, _ := p.grip(dual{v: 6000}, dual{}, dual{v: 1}); math.Abs(k[0].v-(p.stiffness[0][2]+p.stiffness[0][3])/2) > 1e-6 {
		t.Errorf("between loads the stiffness is %g", k[0].v)
	}
}

// A tire that lies slides on its side with its largest force against the motion, whether its wheel turns or not.
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
