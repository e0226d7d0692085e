package plots

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"skidpad/harness/workbench/results/trace"
)

// A thinned curve keeps its ends, its peak and its corners, and has the same shape everywhere.
func TestThinnedCurvesLookTheSame(t *testing.T) {
	const rows = 20_001
	x, y := make([]float64, rows), make([]float64, rows)
	for i := range x {
		x[i] = float64(i) / 1000
		y[i] = math.Sin(3*x[i]) + 2*max(0, 1-math.Abs(x[i]-7.3512)/0.004) // a peak of 8 rows
	}
	thinX, thinY := Thinned(x, y, 500)
	if n := len(thinX); n > 500 || n != len(thinY) || thinX[0] != x[0] || thinX[n-1] != x[rows-1] {
		t.Fatalf("%d points, from %g to %g", n, thinX[0], thinX[n-1])
	}
	most, next := 0.0, 0
	for i := range x {
		for next < len(thinX)-2 && thinX[next+1] < x[i] {
			next++
		}
		line := thinY[next] + (thinY[next+1]-thinY[next])*(x[i]-thinX[next])/(thinX[next+1]-thinX[next])
		if x[i] < 7.3 || x[i] > 7.4 {
			most = max(most, math.Abs(line-y[i]))
		}
	}
	if most > 0.02 {
		t.Errorf("the thinned curve is %g away", most)
	}
	high := math.Inf(-1)
	for _, v := range thinY {
		high = max(high, v)
	}
	if want := y[7351]; math.Abs(high-want) > 1e-9 {
		t.Errorf("the peak is %g, not %g", high, want)
	}
	// a way to and fro along one line, and a circle driven twice
	for i := range x {
		angle := 4 * math.Pi * float64(i) / (rows - 1)
		x[i], y[i] = math.Cos(angle), math.Sin(angle)
	}
	thinX, thinY = Thinned(x, y, 300)
	for i := range thinX {
		if math.Abs(math.Hypot(thinX[i], thinY[i])-1) > 1e-9 {
			t.Fatalf("point %d is off the circle", i)
		}
		if i > 0 && math.Hypot(thinX[i]-thinX[i-1], thinY[i]-thinY[i-1]) > 0.15 {
			t.Fatalf("a gap at point %d of %d", i, len(thinX))
		}
	}
	for i := range x {
		x[i], y[i] = 0, math.Sin(2*math.Pi*float64(i)/(rows-1))
	}
	if _, thinY = Thinned(x, y, 50); len(thinY) < 4 || len(thinY) > 50 || math.Abs(span(thinY)-2) > 1e-6 {
		t.Errorf("of a way to and fro %v is left", thinY)
	}
	for _, most := range []int{40, 50} {
		if same, _ := Thinned(x[:40], y[:40], most); len(same) != 40 {
			t.Errorf("%d of 40 points where %d may stay", len(same), most)
		}
	}
	for i := range x { // an axis that is a thousand million times as long as the other
		x[i], y[i] = 1e6*float64(i), 1e-3*math.Sin(2*math.Pi*float64(i)/(rows-1))
	}
	if _, thinY = Thinned(x, y, 300); math.Abs(span(thinY)-2e-3) > 1e-6 {
		t.Errorf("a sine is %g high, not 0.002", span(thinY))
	}
}

// Plots of long runs, also of noisy ones, and of their paths stay below 300 kB.
func TestPlotsOfLongRunsAreSmall(t *testing.T) {
	channels := trace.Named("body.vx", "body.wz", "body.ay", "body.roll", "body.pitch", "body.x", "body.y",
		"steering.angle",
		"tire_FL.Fz", "tire_FR.Fz", "tire_RL.Fz", "tire_RR.Fz", "tire_FL.Fy", "tire_FR.Fy", "tire_RL.Fy", "tire_RR.Fy")
	random := rand.New(rand.NewPCG(1, 2))
	record := trace.New(channels, 0)
	row := make([]float64, len(channels))
	for k := range 20_000 {
		for i := range row {
			row[i] = random.NormFloat64()
		}
		angle := float64(k) / 500
		row[5], row[6] = 100*math.Cos(angle), 100*math.Sin(angle)
		record.Append(float64(k)/100, row)
	}
	f, err := Overview(record, "noise")
	if err != nil {
		t.Fatal(err)
	}
	var file strings.Builder
	if err := f.Write(&file, "x.svg", "screen"); err != nil {
		t.Fatal(err)
	}
	if n := file.Len(); n > 300_000 {
		t.Errorf("%d bytes", n)
	}
	for _, title := range []string{">Steering<", ">Lateral acceleration<", "angle, deg", "ay, m/s2"} {
		if !strings.Contains(file.String(), title) {
			t.Errorf("the plot of a steered run has no %s", title)
		}
	}
}
