package figures

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// The weighting factors at the nominal frequencies of third octaves, as ISO 2631-1 prints them (Table 3), in
// thousandths.
func TestWeightingsEqualThePublishedTable(t *testing.T) {
	for _, c := range []struct{ f, wk, wd float64 }{
		{0.1, 31.2, 62.4}, {0.2, 121, 243}, {0.315, 263, 530}, {0.5, 418, 853}, {1, 482, 1011}, {2, 531, 890},
		{3.15, 804, 642}, {4, 967, 512},
		{5, 1039, 409}, {6.3, 1054, 323}, {8, 1036, 253}, {16, 768, 125}, {31.5, 405, 63.2}, {63, 186, 29.5},
	} {
		near(t, "Wk", 1e3*Wk.Gain(c.f), c.wk, 4e-3)
		near(t, "Wd", 1e3*Wd.Gain(c.f), c.wd, 4e-3)
	}
}

// The sum over a density is the variance. The density of a sine is at its frequency, and the weighted variance is the
// variance times the squared gain there. The density of white noise is flat.
func TestDensitiesHoldTheVariance(t *testing.T) {
	const a, f, step = 1.3, 5.0, 1e-3
	time := times(60)
	sine := of(time, func(t float64) float64 { return 7 + a*math.Sin(2*math.Pi*f*t) })
	frequency, density := Density(sine, step, 4)
	sum, at := 0.0, 0
	for k, d := range density {
		sum += d * frequency[1]
		if d > density[at] {
			at = k
		}
	}
	near(t, "variance", sum, a*a/2, 1e-3)
	near(t, "frequency", frequency[at], f, 1e-9)
	near(t, "weighted", Wk.Weighted(frequency, density), a/math.Sqrt2*Wk.Gain(f), 2e-3)
	random := rand.New(rand.NewPCG(1, 2))
	noise := of(time, func(float64) float64 { return random.NormFloat64() })
	frequency, density = Density(noise, step, 1)
	part := 0.0
	for k, f := range frequency {
		if f >= 100 && f < 200 {
			part += density[k] * frequency[1]
		}
	}
	near(t, "share of 100 of 500 Hz", part, 0.2, 0.03)
	if _, d := Density(noise[:500], step, 1); d != nil {
		t.Error("half a segment has a density")
	}
}

// The line at half the sampling rate is not doubled in a one-sided density. So an alternating signal in segments with
// an even number of rows has its variance once. Segments with an odd number of rows have no such line, so their last
// line is doubled.
func TestDensitiesHoldTheVarianceUpToTheLastLine(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	for _, rows := range []int{16, 17, 100, 101} {
		alternating, noise := make([]float64, 40*rows), make([]float64, 40*rows)
		for i := range alternating {
			alternating[i], noise[i] = 1-2*float64(i%2), random.NormFloat64()
		}
		for name, x := range map[string][]float64{"alternating": alternating, "noise": noise} {
			const step = 0.01
			frequency, density := Density(x, step, float64(rows)*step)
			sum := 0.0
			for _, d := range density {
				sum += d * frequency[1]
			}
			// Parseval: the variance is the mean square of the windowed segments divided by the mean square of the window
			squares, weights, segments := 0.0, 0.0, 0.0
			for begin := 0; begin+rows <= len(x); begin += rows / 2 {
				mean := 0.0
				for _, v := range x[begin : begin+rows] {
					mean += v / float64(rows)
				}
				for i, v := range x[begin : begin+rows] {
					w := (1 - math.Cos(2*math.Pi*float64(i)/float64(rows))) / 2
					squares, weights = squares+w*w*(v-mean)*(v-mean), weights+w*w
				}
				segments++
			}
			near(t, name, sum, squares/weights, 1e-9)
		}
	}
}

// A ride on sines: weighted values by hand, wheel loads, and wheels in the air.
func TestRideFiguresOfSines(t *testing.T) {
	time := times(70)
	r := record(time, Phase{"settle", 0, 10}, Phase{"ride", 10, 70})
	wave := func(a, f float64) []float64 {
		return of(time, func(t float64) float64 {
			if t < 10 {
				return 50
			}
			return a * math.Sin(2*math.Pi*f*t)
		})
	}
	r.Up, r.Ahead, r.Aside = wave(2, 8), wave(0.5, 1), wave(0.3, 2)
	load := of(time, func(t float64) float64 { return 4000 + 1000*math.Sin(2*math.Pi*t) })
	r.Front = []Tire{{Name: "left", Load: load}}
	r.Rear = []Tire{{Name: "right", Load: of(time, func(t float64) float64 {
		return max(0, 500+1000*math.Sin(2*math.Pi*t))
	})}}
	r.Corners = []Corner{
		{Name: "soft", Travel: of(time, func(t float64) float64 { return 0.01 + 0.05*math.Sin(2*math.Pi*t) }),
			Rebound: -0.05, Bump: 0.035, Up: wave(6, 12)},
		{Name: "hard", Travel: wave(0.001, 3), Rebound: math.Inf(-1), Bump: math.Inf(1), Up: wave(3, 10)},
	}
	list := ride.Run(r, &rideOptions{segment: 5})
	near(t, "travel", pick(t, list, "travel_soft").Value, 0.05/math.Sqrt2, 1e-3)
	near(t, "acceleration of the unsprung mass", pick(t, list, "a_z_soft").Value, 6/math.Sqrt2, 1e-3)
	// sin > 1/2 for a third of the time, never below -0.06
	near(t, "share at the stops", pick(t, list, "stops_soft").Value, 1.0/3, 3e-3)
	if slices.ContainsFunc(list, func(f Figure) bool { return f.ID == "stops_hard" }) {
		t.Error("a suspension without stops is at them")
	}
	z, x, y := 2/math.Sqrt2*Wk.Gain(8), 0.5/math.Sqrt2*Wd.Gain(1), 0.3/math.Sqrt2*Wd.Gain(2)
	near(t, "vertical", pick(t, list, "a_wz").Value, z, 3e-3)
	// the window spreads the line over where the gain bends
	near(t, "longitudinal", pick(t, list, "a_wx").Value, x, 0.02)
	near(t, "lateral", pick(t, list, "a_wy").Value, y, 0.01)
	near(t, "total", pick(t, list, "a_v").Value, math.Sqrt(x*x+y*y+z*z), 3e-3)
	near(t, "without weighting", pick(t, list, "a_z").Value, math.Sqrt2, 1e-3)
	near(t, "wheel load coefficient", pick(t, list, "load_left").Value, 0.25/math.Sqrt2, 1e-3)
	near(t, "time in the air", pick(t, list, "air_time").Value, 20, 2e-3) // sin < -1/2 for a third of the time
}

// What a car does on an obstacle is read where it is largest.
func TestObstacleFiguresOfAKnownJolt(t *testing.T) {
	time := times(4)
	r := record(time, Phase{"approach", 0, 1}, Phase{"obstacle", 1, 4})
	bump := func(a, at float64) []float64 {
		return of(time, func(t float64) float64 {
			if t < 1 {
				return 1e5
			}
			return a * math.Exp(-math.Pow((t-at)/0.1, 2))
		})
	}
	r.Up, r.Ahead, r.Pitch = bump(8, 2), bump(-3, 2.2), bump(0.05, 2.4)
	r.Front = []Tire{{Name: "left", Load: of(time, func(t float64) float64 { return 4000 + bumpAt(t, 2, 9000) })}}
	r.Rear = []Tire{{Name: "right", Load: of(time, func(t float64) float64 { return max(0, 4000-bumpAt(t, 2.5, 8000)) })}}
	list := obstacle.Run(r, nil)
	near(t, "largest load", pick(t, list, "load_max").Value, 13000, 1e-9)
	near(t, "least load", pick(t, list, "load_min").Value, 0, 0)
	near(t, "vertical acceleration", pick(t, list, "a_z_max").Value, 8, 1e-9)
	near(t, "longitudinal acceleration", pick(t, list, "a_x_max").Value, -3, 1e-9)
	near(t, "pitch", pick(t, list, "pitch_max").Value, 0.05, 1e-9)
	near(t, "time in the air", pick(t, list, "air_time").Value, 0.2*math.Sqrt(math.Log(2)), 0.01)
}

// bumpAt is a bell of the half width 0.1 s.
func bumpAt(t, at, height float64) float64 { return height * math.Exp(-math.Pow((t-at)/0.1, 2)) }

// At a stop is where the travel has come to it: on the boundary, not just beyond it.
func TestTravelOnAStopIsAtIt(t *testing.T) {
	const rebound, bump = -0.05, 0.035
	time := times(20)
	for travel, want := range map[float64]float64{rebound: 1, bump: 1, math.Nextafter(rebound, 0): 0,
		math.Nextafter(bump, 0): 0, 2 * rebound: 1, 2 * bump: 1, 0: 0} {
		r := record(time, Phase{"ride", 0, 20})
		flat := of(time, func(float64) float64 { return 0 })
		r.Up, r.Ahead, r.Aside = flat, flat, flat
		r.Corners = []Corner{{Name: "FL", Travel: of(time, func(float64) float64 { return travel }), Rebound: rebound,
			Bump: bump, Up: flat}}
		near(t, "share at the stops", pick(t, ride.Run(r, &rideOptions{segment: 5}), "stops_FL").Value, want, 0)
	}
}
