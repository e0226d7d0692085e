package curve_test

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"gonum.org/v1/gonum/interp"

	"skidpad/model/curve"
)

type maker func(x, y []float64) (*curve.Curve, error)

// other is an interpolator of another author.
type other interface {
	interp.DerivativePredictor
	Fit(xs, ys []float64) error
}

// points are random points with increasing x.
func points(r *rand.Rand, n int) (x, y []float64) {
	at := -1.0
	for range n {
		x, y = append(x, at), append(y, r.NormFloat64())
		at += 0.05 + r.Float64()
	}
	return x, y
}

func TestCurvesEqualThoseOfGonum(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for n := 2; n < 12; n++ {
		x, y := points(r, n)
		if n%3 == 0 { // points that rise, so that some slopes are not 0
			for i := 1; i < n; i++ {
				y[i] = y[i-1] + math.Abs(y[i])
			}
		}
		for _, kind := range []struct {
			make maker
			want other
		}{{curve.Monotone, &interp.FritschButland{}}, {curve.Smooth, &interp.NaturalCubic{}}} {
			c, err := kind.make(x, y)
			if err != nil {
				t.Fatal(err)
			}
			if err := kind.want.Fit(x, y); err != nil {
				t.Fatal(err)
			}
			for range 100 {
				at := x[0] + r.Float64()*(x[n-1]-x[0])
				value, slope, _ := c.At(at)
				if want := kind.want.Predict(at); math.Abs(value-want) > 1e-12*(1+math.Abs(want)) {
					t.Errorf("%d points, smooth %v: y(%g) = %g, gonum has %g", n, c.Smooth, at, value, want)
				}
				if want := kind.want.PredictDerivative(at); math.Abs(slope-want) > 1e-10*(1+math.Abs(want)) {
					t.Errorf("%d points, smooth %v: y'(%g) = %g, gonum has %g", n, c.Smooth, at, slope, want)
				}
			}
		}
	}
}

// A curve goes through its points with continuous slope, a smooth one with continuous curvature, and
// leaves them along straight lines.
func TestCurvesContinue(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for n := 2; n < 12; n++ {
		x, y := points(r, n)
		for _, through := range []maker{curve.Monotone, curve.Smooth} {
			c, err := through(x, y)
			if err != nil {
				t.Fatal(err)
			}
			for i, at := range x {
				value, slope, curvature := c.At(at)
				before, after, bend := c.At(math.Nextafter(at, math.Inf(-1)))
				size := math.Abs(slope) + 1
				if value != y[i] || math.Abs(before-y[i]) > 1e-13 || math.Abs(after-slope) > 1e-11*size || c.Smooth &&
					math.Abs(bend-curvature) > 1e-10*(1+math.Abs(curvature)) {
					t.Errorf("smooth %v at point %d: value %g after %g for %g, slope %g after %g, curvature %g "+
						"after %g", c.Smooth, i, value, before, y[i], slope, after, curvature, bend)
				}
			}
			for _, end := range []int{0, n - 1} {
				_, slope, _ := c.At(x[end])
				away := 7.0
				if end == 0 {
					away = -7
				}
				value, beyond, curvature := c.At(x[end] + away)
				if want := y[end] + away*slope; math.Abs(value-want) > 1e-11*(1+math.Abs(want)) ||
					math.Abs(beyond-slope) > 1e-11*(1+math.Abs(slope)) || curvature != 0 {
					t.Errorf("smooth %v, %g beyond point %d: %g, slope %g, curvature %g; want %g, %g, 0", c.Smooth,
						away, end, value, beyond, curvature, want, slope)
				}
			}
		}
	}
}

func TestMonotoneCurvesDoNotOvershoot(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for range 50 {
		x, y := points(r, 9)
		c, err := curve.Monotone(x, y)
		if err != nil {
			t.Fatal(err)
		}
		for i := range c.Pieces {
			low, high := min(y[i], y[i+1]), max(y[i], y[i+1])
			for k := range 20 {
				value, slope, _ := c.At(x[i] + (x[i+1]-x[i])*float64(k)/20)
				if value < low-1e-14 || value > high+1e-14 || slope*(y[i+1]-y[i]) < -1e-12 {
					t.Errorf("piece %d from %g to %g: value %g, slope %g", i, y[i], y[i+1], value, slope)
				}
			}
		}
	}
}

func TestStraightLinesStayStraight(t *testing.T) {
	x := []float64{-2, -1.5, 0, 0.1, 4}
	var y []float64
	for _, x := range x {
		y = append(y, 3-2*x)
	}
	for _, through := range []maker{curve.Monotone, curve.Smooth} {
		c, err := through(x, y)
		if err != nil {
			t.Fatal(err)
		}
		for at := -5.0; at < 7; at += 0.37 {
			if value, slope, curvature := c.At(at); math.Abs(value-(3-2*at)) > 1e-13 || math.Abs(slope+2) > 1e-13 ||
				math.Abs(curvature) > 1e-12 {
				t.Errorf("smooth %v at %g: %g, %g, %g", c.Smooth, at, value, slope, curvature)
			}
		}
	}
}

// Away from their ends splines approach a function with the fourth power of the distance of the points, their slopes
// with the third, and their curvatures with the second. Monotone curves approach it with the second power, and their
// slopes with the first at least.
func TestCurvesConverge(t *testing.T) {
	errors := func(through maker, n int) [3]float64 {
		var x, y []float64
		for i := range n + 1 {
			x = append(x, -3+6*float64(i)/float64(n))
			y = append(y, math.Sin(x[i]))
		}
		c, err := through(x, y)
		if err != nil {
			t.Fatal(err)
		}
		var worst [3]float64
		for at := -1.2; at < 1.2; at += 0.0137 { // without extremes and ends
			value, slope, curvature := c.At(at)
			for k, e := range []float64{value - math.Sin(at), slope - math.Cos(at), curvature + math.Sin(at)} {
				worst[k] = max(worst[k], math.Abs(e))
			}
		}
		return worst
	}
	for _, law := range []struct {
		through maker
		orders  []float64
	}{{curve.Smooth, []float64{4, 3, 2}}, {curve.Monotone, []float64{2, 1}}} {
		coarse, fine := errors(law.through, 60), errors(law.through, 120)
		for k, order := range law.orders {
			if got := math.Log2(coarse[k] / fine[k]); got < order-0.15 {
				t.Errorf("derivative %d: order %.2f, want %g", k, got, order)
			}
		}
	}
}

func TestInvalidPointsOfCurves(t *testing.T) {
	many := make([]float64, curve.Most+1)
	for i := range many {
		many[i] = float64(i)
	}
	for want, p := range map[string][2][]float64{
		"has 1 points":       {{0}, {1}},
		"has 10001 points":   {many, many},
		"has x = 1 after 1":  {{0, 1, 1}, {0, 1, 2}},
		"has x = -2 after 1": {{0, 1, -2}, {0, 1, 2}},
		"is (NaN, 1)":        {{0, math.NaN()}, {0, 1}},
		"is (1, +Inf)":       {{0, 1}, {0, math.Inf(1)}},
		"has an integral that no number can hold": {{0, 1e100}, {1e300, 1e300}},
		"too steep":                    {{0, 1e-309}, {0, 1}},
		"is (1, 1e+308) after (0, -1e": {{0, 1}, {-1e308, 1e308}},
	} {
		for _, through := range []maker{curve.Monotone, curve.Smooth} {
			if c, err := through(p[0], p[1]); c != nil || err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("want %q, got %v, %v", want, c, err)
			}
		}
	}
}
