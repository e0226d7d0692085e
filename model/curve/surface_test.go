package curve_test

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"skidpad/model/curve"
)

var rules = map[string]curve.Rule{"monotone": curve.Monotone, "spline": curve.Smooth, "linear": curve.Linear}

// sampled are the points of a function on a grid, in random order.
func sampled(r *rand.Rand, x, y []float64, f func(x, y float64) float64) (list []curve.PointOfSurface) {
	for _, x := range x {
		for _, y := range y {
			list = append(list, curve.PointOfSurface{X: x, Y: y, Z: f(x, y)})
		}
	}
	r.Shuffle(len(list), func(i, j int) { list[i], list[j] = list[j], list[i] })
	return list
}

func surfaceOf(t *testing.T, points []curve.PointOfSurface, rule curve.Rule, hold bool) *curve.Surface {
	t.Helper()
	s, err := curve.NewSurface(points, rule, hold)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func axis(r *rand.Rand, n int) []float64 { x, _ := points(r, n); return x }

// Every rule reproduces a function that is linear in each variable, inside and beyond the ends.
func TestSurfacesHaveBilinearFunctions(t *testing.T) {
	r := rand.New(rand.NewPCG(21, 1))
	f := func(x, y float64) float64 { return 1 + 2*x - 3*y + 0.5*x*y }
	for name, rule := range rules {
		if name == "monotone" { // its end slopes fit a parabola, its inner slopes do not for unequal lengths
			f = func(x, y float64) float64 { return 1 + 2*x - 3*y }
		}
		for range 20 {
			x, y := axis(r, 2+r.IntN(8)), axis(r, 2+r.IntN(8))
			s := surfaceOf(t, sampled(r, x, y, f), rule, false)
			for range 50 {
				a, b := x[0]+3*r.NormFloat64(), y[0]+3*r.NormFloat64()
				z, dx, dy := s.At(a, b)
				h := 1e-3
				if size := 1 + math.Abs(a*b); !(math.Abs(z-f(a, b)) < 1e-10*size) ||
					!(math.Abs(dx-(f(a+h, b)-f(a, b))/h) < 1e-9*size) || !(math.Abs(dy-(f(a, b+h)-f(a, b))/h) < 1e-9*size) {
					t.Fatalf("%s, %d by %d at (%g, %g): %g, %g, %g, want %g", name, len(x), len(y), a, b, z, dx, dy, f(a, b))
				}
			}
		}
		f = func(x, y float64) float64 { return 1 + 2*x - 3*y + 0.5*x*y }
	}
}

// A surface that does not depend on one variable equals the curve over the other variable, to the last bit. On the
// lines of its grid any surface equals the curve through the points of the line.
func TestSurfacesAreCurvesAlongTheirLines(t *testing.T) {
	r := rand.New(rand.NewPCG(21, 2))
	for name, rule := range rules {
		for range 20 {
			x, z := points(r, 2+r.IntN(12))
			along := map[float64]float64{}
			for i := range x {
				along[x[i]] = z[i]
			}
			c, err := rule(x, z)
			if err != nil {
				t.Fatal(err)
			}
			y := axis(r, 2+r.IntN(6))
			first := surfaceOf(t, sampled(r, x, y, func(x, _ float64) float64 { return along[x] }), rule, false)
			second := surfaceOf(t, sampled(r, y, x, func(_, x float64) float64 { return along[x] }), rule, false)
			rough := map[[2]float64]float64{}
			random := sampled(r, x, y, func(a, b float64) float64 {
				rough[[2]float64{a, b}] = r.NormFloat64()
				return rough[[2]float64{a, b}]
			})
			any := surfaceOf(t, random, rule, false)
			line := y[r.IntN(len(y))]
			var on []float64
			for i := range x {
				on = append(on, rough[[2]float64{x[i], line}])
			}
			l, err := rule(x, on)
			if err != nil {
				t.Fatal(err)
			}
			for range 50 {
				a, b := x[0]+(x[len(x)-1]-x[0])*(1.4*r.Float64()-0.2), y[0]+2*r.NormFloat64()
				want, slope, _ := c.At(a)
				if got, dx, dy := first.At(a, b); got != want || dx != slope || dy != 0 {
					t.Fatalf("%s at %g: %.17g, %.17g, %g, the curve has %.17g, %.17g", name, a, got, dx, dy, want, slope)
				}
				if got, dy, dx := second.At(b, a); got != want || dx != slope || dy != 0 {
					t.Fatalf("%s at %g, turned: %.17g, %.17g, %g, the curve has %.17g, %.17g", name, a, got, dx, dy, want, slope)
				}
				want, slope, _ = l.At(a)
				size := 1e-12 * (1 + math.Abs(want) + math.Abs(slope))
				if got, dx, _ := any.At(a, line); !(math.Abs(got-want) < size) || !(math.Abs(dx-slope) < 100*size) {
					t.Fatalf("%s at (%g, %g): %.17g, %.17g, the curve has %.17g, %.17g", name, a, line, got, dx, want, slope)
				}
			}
		}
	}
}

// Values, and slopes except the slopes of straight lines, are continuous across the borders of cells, for x and for y.
func TestSurfacesAreSmoothAcrossCells(t *testing.T) {
	r := rand.New(rand.NewPCG(21, 3))
	for name, rule := range rules {
		for range 510 {
			x, y := axis(r, 2+r.IntN(8)), axis(r, 2+r.IntN(8))
			z := map[[2]float64]float64{}
			list := sampled(r, x, y, func(a, b float64) float64 {
				z[[2]float64{a, b}] = r.NormFloat64()
				return z[[2]float64{a, b}]
			})
			s := surfaceOf(t, list, rule, false)
			turned := surfaceOf(t, sampled(r, y, x, func(b, a float64) float64 { return z[[2]float64{a, b}] }), rule, false)
			for range 1000 { // 10^6 borders of cells in all
				a, b := x[0]+(x[len(x)-1]-x[0])*(1.4*r.Float64()-0.2), y[0]+(y[len(y)-1]-y[0])*(1.4*r.Float64()-0.2)
				switch r.IntN(3) {
				case 0:
					a = x[r.IntN(len(x))]
				case 1:
					b = y[r.IntN(len(y))]
				}
				least := func(v float64) float64 { return math.Nextafter(v, math.Inf(-1)) }
				v, dx, dy := s.At(a, b)
				w, ex, ey := s.At(least(a), least(b))
				size := 1e-10 * (1 + math.Abs(v) + math.Abs(dx) + math.Abs(dy))
				if !(math.Abs(v-w) < size) {
					t.Fatalf("%s at (%g, %g): %g, right before %g", name, a, b, v, w)
				}
				if name != "linear" && (!(math.Abs(dx-ex) < 100*size) || !(math.Abs(dy-ey) < 100*size)) {
					t.Fatalf("%s at (%g, %g): slopes %g, %g, right before %g, %g", name, a, b, dx, dy, ex, ey)
				}
				u, fy, fx := turned.At(b, a)
				if !(math.Abs(v-u) < size) || name != "linear" && (!(math.Abs(dx-fx) < 100*size) || !(math.Abs(dy-fy) < 100*size)) {
					t.Fatalf("%s at (%g, %g): %g, %g, %g; turned %g, %g, %g", name, a, b, v, dx, dy, u, fx, fy)
				}
			}
		}
	}
}

// Errors fall with the distance h of the points: h^4 for splines, inside; at least h^2 for the others.
func TestSurfacesConverge(t *testing.T) {
	f := func(x, y float64) float64 { return math.Sin(3*x) * math.Exp(y-x*y) }
	for name, order := range map[string]float64{"spline": 4, "monotone": 2, "linear": 2} {
		var errors []float64
		for _, n := range []int{20, 40, 80} {
			var line []float64
			for i := range n + 1 {
				line = append(line, float64(i)/float64(n))
			}
			s := surfaceOf(t, sampled(rand.New(rand.NewPCG(1, 1)), line, line, f), rules[name], false)
			worst := 0.0
			for i := range 500 {
				x, y := 0.3+0.4*math.Mod(0.618034*float64(i), 1), 0.3+0.4*math.Mod(0.754878*float64(i), 1)
				z, _, _ := s.At(x, y)
				worst = max(worst, math.Abs(z-f(x, y)))
			}
			errors = append(errors, worst)
		}
		for k := 1; k < len(errors); k++ {
			if found := math.Log2(errors[k-1] / errors[k]); !(found > order-0.3) {
				t.Errorf("%s: errors %v, order %.2f, want %g", name, errors, found, order)
			}
		}
	}
}

// Slopes are the derivatives of the values, also where the surface is held beyond its ends.
func TestSlopesOfSurfaces(t *testing.T) {
	r := rand.New(rand.NewPCG(21, 4))
	for name, rule := range rules {
		for _, hold := range []bool{false, true} {
			x, y := axis(r, 5), axis(r, 4)
			s := surfaceOf(t, sampled(r, x, y, func(_, _ float64) float64 { return r.NormFloat64() }), rule, hold)
			for range 200 {
				a, b := x[0]+(x[4]-x[0])*(2*r.Float64()-0.5), y[0]+(y[3]-y[0])*(2*r.Float64()-0.5)
				const h = 1e-6
				_, dx, dy := s.At(a, b)
				before, _, _ := s.At(a-h, b)
				behind, _, _ := s.At(a+h, b)
				below, _, _ := s.At(a, b-h)
				above, _, _ := s.At(a, b+h)
				size := 1e-4 * (1 + math.Abs(dx) + math.Abs(dy))
				if !(math.Abs((behind-before)/2/h-dx) < size) || !(math.Abs((above-below)/2/h-dy) < size) {
					t.Fatalf("%s, held %v at (%g, %g): slopes %g, %g, values have %g, %g", name, hold, a, b, dx, dy,
						(behind-before)/2/h, (above-below)/2/h)
				}
				if in := min(max(a, x[0]), x[4]); hold && (a < x[0] || a > x[4]) {
					want, _, _ := s.At(in, b)
					if got, slope, _ := s.At(a, b); math.Abs(got-want) > 1e-12*(1+math.Abs(want)) || slope != 0 {
						t.Fatalf("%s held at (%g, %g): %g with slope %g, at the end %g", name, a, b, got, slope, want)
					}
				}
			}
		}
	}
}

// A surface has as many points as it may have, and as many different arguments.
func TestTheLargestSurfaces(t *testing.T) {
	for _, size := range [][2]int{{200, curve.MostOfSurface / 200}, {curve.MostOfSurface / curve.Most, curve.Most},
		{curve.Most, curve.MostOfSurface / curve.Most}, {2, 2}} {
		var points []curve.PointOfSurface
		for i := range size[0] {
			for j := range size[1] {
				points = append(points, curve.PointOfSurface{X: float64(i), Y: float64(j), Z: float64(i - 2*j)})
			}
		}
		s, err := curve.NewSurface(points, curve.Monotone, false)
		if err != nil {
			t.Errorf("%d by %d points: %v", size[0], size[1], err)
			continue
		}
		if z, _, _ := s.At(0.5, 0.5); !(math.Abs(z+0.5) <= 1e-12) {
			t.Errorf("%d by %d points: %g at (0.5, 0.5), want -0.5", size[0], size[1], z)
		}
	}
}

func TestInvalidPointsOfSurfaces(t *testing.T) {
	type p = curve.PointOfSurface
	square := []p{{0, 0, 1}, {0, 1, 2}, {1, 0, 3}, {1, 1, 4}}
	var line, large []p
	for i := range 5 {
		line = append(line, p{float64(i), 0, 1})
	}
	for i := range curve.MostOfSurface + 1 {
		large = append(large, p{float64(i % 2), float64(i), 1})
	}
	for _, c := range []struct {
		points []p
		want   string
		at     int
	}{
		{square[:3], "has 3 points; a surface has 4 to 40000", -1},
		{large, "has 40001 points", -1},
		{large[:20000], "has 2 and 20000 different arguments; a surface has 2 to 10000 of each", -1},
		{append(square[:3:3], p{1, math.NaN(), 1}), "all must be finite", 3},
		{append(square[:4:4], p{1, 1, 5}), "is (1, 1) once more", 4},
		{append(square[:3:3], p{1, 2, 4}), "has no point at (0, 2); give one for each pair of the 2 by 3", -1},
		{line, "has 5 and 1 different arguments", -1},
		{[]p{{0, 0, -1e308}, {0, 1, 1e308}, {1, 0, 3}, {1, 1, 4}}, "is too steep", -1},
	} {
		s, err := curve.NewSurface(c.points, curve.Monotone, false)
		fault, is := err.(*curve.FormError)
		if s != nil || !is || !strings.Contains(err.Error(), c.want) || fault.Point != c.at {
			t.Errorf("want %q at %d, got %v", c.want, c.at, err)
		}
	}
	var diagonal []p
	for i := range 300 {
		diagonal = append(diagonal, p{float64(i), float64(i), 1})
	}
	_, err := curve.NewSurface(diagonal, curve.Monotone, false)
	if err == nil || !strings.Contains(err.Error(), "of 300 by 300") {
		t.Errorf("300 points of 300 by 300 arguments: %v", err)
	}
}
