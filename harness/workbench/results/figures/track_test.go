package figures

import (
	"math"
	"testing"
)

// lane is a section from 10 to 20 m, 3 m wide, with its middle at y = 1.
var lane = Section{From: 10, To: 20, Right: -0.5, Left: 2.5, Aim: 1}

// The clearance of a body in the middle of a lane is half of the excess width of the lane; a body turned by an angle
// has the width l sin + w cos. Only the part of the outline within the lane counts; for a body half in the lane this
// includes the points where the ends of the lane cut its edges.
func TestClearanceIsComputedFromTheOutline(t *testing.T) {
	o := Outline{Front: 2, Rear: 1.5, Width: 1.8}
	near(t, "clearance in the middle", lane.clearance(o.Corners(15, 1, 0)), 0.6, 1e-12)
	near(t, "clearance to the left", lane.clearance(o.Corners(15, 1.5, 0)), 0.1, 1e-12)
	near(t, "clearance to the right", lane.clearance(o.Corners(15, 0.2, 0)), -0.2, 1e-12)
	const yaw = 0.3
	sin, cos := math.Sincos(yaw)
	near(t, "clearance of a turned body", lane.clearance(o.Corners(15, 1, yaw)), 1.5-2*sin-0.9*cos, 1e-12)
	near(t, "clearance of one turned to the right", lane.clearance(o.Corners(15, 1, -yaw)), 1.5-2*sin-0.9*cos, 1e-12)
	// the left edge passes through (9.8 - 0.9 sin, 1 + 0.9 cos) with the slope of the yaw angle, and is cut at x = 10
	front := Outline{Front: 0.5, Rear: 2, Width: 1.8}
	at := 1 + 0.9*cos + (10-9.8+0.9*sin)*sin/cos
	corner := 1 + 0.5*sin + 0.9*cos // of the front, which lies in the lane
	near(t, "clearance at the lane's beginning", lane.clearance(front.Corners(9.8, 1, yaw)), 2.5-math.Max(at, corner),
		1e-12)
	long := Outline{Front: 30, Rear: 30, Width: 1.8}
	near(t, "clearance of a body longer than the lane", lane.clearance(long.Corners(15, 1, 0.1)),
		1.5-0.9/math.Cos(0.1)-5*math.Tan(0.1), 1e-12)
	for _, x := range []float64{7.9, 21.6} {
		if c := lane.clearance(o.Corners(x, 40, 0)); !math.IsInf(c, 1) {
			t.Errorf("a body at %g m beside the lane has the clearance %g", x, c)
		}
	}
	if c := (&Section{From: 0, To: 5, Right: math.NaN(), Left: math.NaN()}).clearance(o.Corners(2, 40,
		0)); !math.IsInf(c, 1) {
		t.Errorf("a section without borders has the clearance %g", c)
	}
}

// change is a track of two lanes, the second 3 m to the left of the first.
var change = []Section{{From: 10, To: 30, Right: -1.5, Left: 1.5},
	{From: 30, To: 60, Right: math.NaN(), Left: math.NaN()}, {From: 60, To: 80, Right: 1, Left: 4, Aim: 3}}

// The line goes from aim to aim, antisymmetric about the middle between them, without jumps of itself, its slope and
// its curvature.
func TestLineIsSmooth(t *testing.T) {
	for _, into := range []float64{0, 6} {
		f := func(x float64) float64 { return Line(change, into, x) }
		for _, c := range [][2]float64{{-5, 0}, {30 - into, 0}, {45, 1.5}, {60 + into, 3}, {100, 3}} {
			near(t, "line", f(c[0]), c[1], 1e-12)
		}
		near(t, "line a third of the way", f(40)+f(50), 3, 1e-12)
		if f(29.9) == 0 != (into == 0) {
			t.Errorf("the line leaves the lane at its end: %g, %g before it", f(29.9), into)
		}
		const h = 0.01
		most := 10 / math.Sqrt(3) * 3 / math.Pow(30+2*into, 2) // largest second derivative of the polynomial
		for x := 0.0; x < 100; x += h {
			if second := (f(x+h) - 2*f(x) + f(x-h)) / (h * h); !(math.Abs(second) <= most*1.001) {
				t.Fatalf("second derivative %g at %g m, at most %g", second, x, most)
			}
		}
	}
}

// A body that goes along the line at constant speed without turning, from any place in any direction: times and speeds
// by hand, and the clearance that the lanes leave.
func TestLaneChangeFiguresOfAKnownPath(t *testing.T) {
	const v, begin, yaw = 20.0, 1.0, 0.7
	o := &LaneOptions{Outline{2, 3, 1.8}}
	time := times(6)
	sin, cos := math.Sincos(yaw)
	make := func(aside float64) *Record {
		r := record(time, Phase{"straight", 0, begin}, Phase{"track", begin, 6})
		r.Track = change
		x := of(time, func(t float64) float64 { return v * (t - begin) })
		for i := range x {
			y := Line(change, 0, x[i]) + aside*math.Max(0, time[i]-begin)
			r.X[i], r.Y[i] = 5+cos*x[i]-sin*y, -7+sin*x[i]+cos*y
			r.Yaw[i], r.Speed[i] = yaw, v-0.5*(time[i]-begin)
		}
		r.Steer = of(time, func(t float64) float64 { return 2 * math.Max(0, math.Min(t-2, 0.5)) })
		r.Roll = of(time, func(t float64) float64 { return -0.1 * math.Exp(-math.Pow(t-3, 2)) })
		r.YawRate = of(time, func(t float64) float64 { return 0.3 * math.Exp(-math.Pow(t-3.5, 2)) })
		r.SideSlip = of(time, func(t float64) float64 { return -0.04 * math.Exp(-math.Pow(t-2.5, 2)) })
		r.Lateral = of(time, func(t float64) float64 { return 6 * math.Exp(-math.Pow(t-2.2, 2)) })
		r.Front = []Tire{{Name: "left", Load: of(time, func(t float64) float64 { return 3000 + 100*math.Abs(t-4) })}}
		r.Rear = []Tire{{Name: "right", Load: of(time, func(t float64) float64 { return 2500 + 100*math.Abs(t-5) })}}
		return r
	}
	list := laneChange.Run(make(0), o)
	near(t, "pass", pick(t, list, "pass").Value, 1, 0)
	near(t, "entry speed", pick(t, list, "entry_speed").Value, v-0.5*8/v, 1e-9)
	near(t, "time", pick(t, list, "track_time").Value, (70+2+3)/v, 1e-9)
	near(t, "speed lost", pick(t, list, "speed_lost").Value, 0.5*75/v, 1e-9)
	near(t, "deviation from the middle of the second lane", pick(t, list, "deviation_max").Value, 0.5, 1e-9)
	// in the second lane the body is 0.5 m to the left of the middle
	near(t, "clearance", pick(t, list, "clearance").Value, 4-3-0.9, 1e-9)
	near(t, "largest steering", pick(t, list, "delta_H_max").Value, 1, 1e-9)
	near(t, "largest rate of steering", pick(t, list, "delta_H_rate_max").Value, 2, 1e-6)
	near(t, "effort", pick(t, list, "steering_effort").Value, 4*0.5, 1e-6)
	near(t, "roll", pick(t, list, "roll_max").Value, -0.1, 1e-9)
	near(t, "yaw rate", pick(t, list, "yaw_rate_max").Value, 0.3, 1e-9)
	near(t, "side-slip", pick(t, list, "side_slip_max").Value, -0.04, 1e-9)
	near(t, "lateral acceleration", pick(t, list, "a_y_max").Value, 6, 1e-9)
	load := pick(t, list, "load_min")
	near(t, "least load", load.Value, 2500, 1e-9)
	near(t, "time of the least load", load.Time, 5, 1e-9)
	if f := pick(t, list, "touched"); f.Missing == "" {
		t.Errorf("a section is touched: %+v", f)
	}

	list = laneChange.Run(make(0.05), o) // aside by 0.1 m at 50 m: where the rear has not left the second lane
	near(t, "pass when a border is touched", pick(t, list, "pass").Value, 0, 0)
	near(t, "section that is touched", pick(t, list, "touched").Value, 3, 0)
	r := make(0)
	r.Verdict = "spun"
	near(t, "pass of a run that ends early", pick(t, laneChange.Run(r, o), "pass").Value, 0, 0)
	r = make(0)
	last := len(time) - 2000 // before the end of the track
	for _, x := range []*[]float64{&r.Time, &r.X, &r.Y, &r.Yaw, &r.Speed} {
		*x = (*x)[:last]
	}
	near(t, "pass of a run that does not reach the end", pick(t, laneChange.Run(r, o), "pass").Value, 0, 0)
}

// A body exactly as wide as the lane fails, and one a hair narrower passes.
func TestABodyAsWideAsTheLaneFails(t *testing.T) {
	time := times(6)
	for _, c := range []struct{ width, pass float64 }{{3, 0}, {3 - 1e-9, 1}, {3 + 1e-9, 0}} {
		r := record(time, Phase{"track", 0, 6})
		r.X = of(time, func(t float64) float64 { return 20 * t })
		r.Track = []Section{{From: 10, To: 90, Right: -1.5, Left: 1.5}}
		o := &LaneOptions{Outline{2, 2, c.width}}
		near(t, "pass", pick(t, laneChange.Run(r, o), "pass").Value, c.pass, 0)
	}
}

// The clearance is read when it is least: in the middle of an excursion towards a border, on either side, and in the
// lane that it happens in.
func TestClearanceIsReadWhenItIsLeast(t *testing.T) {
	const middle = 3.2
	time := times(6)
	for _, side := range []float64{1, -1} {
		r := record(time, Phase{"straight", 0, 1}, Phase{"track", 1, 6})
		r.X = of(time, func(t float64) float64 { return 10 * (t - 1) })
		r.Y = of(time, func(t float64) float64 {
			if t < 1 {
				return 5 * side // before the track nothing counts
			}
			return side * 0.5 * math.Exp(-math.Pow((t-middle)/0.3, 2))
		})
		r.Track = []Section{{From: 0, To: 45, Right: -1.5, Left: 1.5}}
		f := pick(t, laneChange.Run(r, &LaneOptions{Outline{2, 2, 1.8}}),
			"clearance")
		near(t, "clearance", f.Value, 1.5-0.9-0.5, 1e-6)
		near(t, "its time", f.Time, middle, 2e-3)
	}
}

// Cones stand at both ends of lanes and between, outside of the borders; they are touched by a body that leaves the
// lane, also at its corners and when it is turned.
func TestConesStandOutsideOfLanes(t *testing.T) {
	const radius = 0.14
	cones := Cones([]Section{lane, {From: 20, To: 30, Right: math.NaN(), Left: math.NaN()}}, 4, radius)
	if len(cones) != 8 || cones[0] != [2]float64{10, -0.5 - radius} || cones[7] != [2]float64{20, 2.5 + radius} {
		t.Fatalf("cones %v", cones)
	}
	near(t, "distance of cones", cones[2][0]-cones[0][0], 10.0/3, 1e-12)
	o := Outline{2, 3, 1.8}
	sin, cos := math.Sincos(0.3)
	for _, c := range []struct {
		x, y, yaw float64
		touched   bool
	}{
		{20, 1.5, 0, false}, {20, 1.59, 0, false}, {20, 1.61, 0, true},
		{20 - 2 - 0.13, 2.6, 0, true}, {20 - 2 - 0.15, 2.6, 0, false},
		{20 + 3 + 0.13, 2.6, 0, true}, {20 + 3 + 0.15, 2.6, 0, false}, // corners
		{20 - 2*cos + 0.9*sin, 2.5 + radius - 2*sin - 0.9*cos, 0.3, true},
		{20 - 2*cos + 0.9*sin - 0.1, 2.5 + radius - 2*sin - 0.9*cos - 0.11, 0.3, false},
	} {
		if got := o.Touches(cones[7], radius, c.x, c.y, c.yaw); got != c.touched {
			t.Errorf("a body at %g, %g, turned by %g: touched %v", c.x, c.y, c.yaw, got)
		}
	}
}
