package figures

import (
	"math"
	"testing"
)

// follower is a following unit without signals.
func follower(time []float64) *Unit {
	zero := func() []float64 { return make([]float64, len(time)) }
	return &Unit{Lateral: zero(), YawRate: zero(), X: zero(), Y: zero(), Yaw: zero()}
}

// A trailer has 1.3 times the lateral acceleration and 1.1 times the yaw rate of its tractor, 0.4 s later. It swings
// 0.3 m beside the straight path of the tractor and opens the joint by 0.05 rad. The articulation is the difference of
// the headings without whole turns.
func TestAmplificationOfAFollowingUnit(t *testing.T) {
	time := times(8)
	sine := func(size, delay float64) []float64 {
		return of(time, func(t float64) float64 {
			if x := t - 1 - delay; x > 0 && x < 2.5 {
				return size * math.Sin(2*math.Pi*x/2.5)
			}
			return 0
		})
	}
	r := record(time, Phase{"wait", 0, 1}, Phase{"sine", 1, 3.5}, Phase{"after", 3.5, 8})
	r.Steer, r.Lateral, r.YawRate = sine(-0.5, 0), sine(2, 0.1), sine(0.1, 0.05)
	r.X, r.Yaw = scaled(time, 20), of(time, func(float64) float64 { return 3.14 })
	r.Following = follower(time)
	r.Following.Lateral, r.Following.YawRate = sine(-2.6, 0.5), sine(0.11, 0.5)
	r.Following.X, r.Following.Y = of(time, func(t float64) float64 { return 20*t - 10 }), sine(0.3, 1)
	r.Following.Yaw = of(time, func(t float64) float64 { return 3.14 - 2*math.Pi + 0.05*math.Exp(-(t-3)*(t-3)) })
	list := articulatedSine.Run(r, nil)
	for id, want := range map[string]float64{
		"delta_H": 0.5, "a_y_first": 2, "a_y_following": 2.6, "a_y_amplification": 1.3, "yaw_rate_amplification": 1.1,
		"articulation_max": 0.05, "off_tracking": 0.3,
	} {
		near(t, id, pick(t, list, id).Value, want, 1e-5)
	}
	near(t, "time of the off-tracking", math.Mod(pick(t, list, "off_tracking").Time, 1.25), math.Mod(1+1+0.625, 1.25),
		1e-2)
}

// The first unit drives a circle of 12 m. A following point on a circle of 9 m cuts the corner by 3 m, to the left and
// to the right. A following point on a circle of 14 m swings out by 2 m.
func TestOffTrackingOnCircles(t *testing.T) {
	time := times(10)
	for _, side := range []float64{1, -1} {
		for radius, want := range map[float64]float64{9: 3, 14: -2} {
			r := record(time, Phase{"turn", 3, 10})
			r.Following = follower(time)
			for i, now := range time {
				angle := 0.2 * now
				r.Yaw[i] = side * angle
				s, c := math.Sincos(angle)
				r.X[i], r.Y[i] = 12*s, side*12*(1-c)
				s, c = math.Sincos(angle - 0.5)
				r.Following.X[i], r.Following.Y[i], r.Following.Yaw[i] = radius*s, side*(12-radius*c), side*(angle-0.5)
			}
			list := articulatedTurn.Run(r, nil)
			if want > 0 {
				near(t, "off-tracking", pick(t, list, "off_tracking").Value, want, 1e-5)
			} else if got := pick(t, list, "off_tracking").Value; !(got <= want*(1-1e-5)) {
				t.Errorf("a point outside of the path is %g m inside", got)
			}
			near(t, "articulation", pick(t, list, "articulation_max").Value, 0.5, 1e-12)
			near(t, "turned", pick(t, list, "turned").Value, side*1.4, 1e-12)
		}
	}
}

// The search finds the piece of the path nearest to the following point while the first unit stands, while it drives
// slowly, and around a corner. Before the corner the following point is still on the first leg.
func TestOffTrackingFromTheNearestPiece(t *testing.T) {
	time := times(20)
	way := func(t float64) float64 { return min(5*t, 25) + max(0, 5*(t-9)) } // rests from 5 to 9 s
	r := record(time, Phase{"turn", 0, 20})
	r.Following = follower(time)
	const corner, behind, beside = 40.0, 10.0, 0.7
	point := func(s float64) (x, y float64) {
		if s < corner {
			return s, 0
		}
		return corner, s - corner
	}
	for i, now := range time {
		r.X[i], r.Y[i] = point(way(now))
		r.Following.X[i], r.Following.Y[i] = point(way(now) - behind)
		if beyond := way(now) - behind - corner - 5; beyond > 0 {
			r.Following.X[i] -= beside * (1 - math.Exp(-beyond))
		}
		r.Yaw[i] = math.Pi / 2 * min(1, max(0, way(now)-corner))
	}
	off, at := offTracking(r, 0, len(time)-1)
	near(t, "off-tracking", off, beside*(1-math.Exp(-(way(20)-behind-corner-5))), 1e-9)
	near(t, "its time", at, 20, 1e-12)
	// a point far behind the first row of the path is beside its line
	for i := range time {
		r.Following.X[i], r.Following.Y[i] = -30, 0.25
	}
	off, _ = offTracking(r, 0, len(time)-1)
	near(t, "behind the path", off, 0.25, 1e-9)
}

// The damping of the test depends on the speed: 0.4 at standstill, less by 0.01 for each m/s, none at 40 m/s.
func TestSnakingOfAKnownDamping(t *testing.T) {
	const w = 6.0
	time := times(12)
	o := &snakingOptions{share: 0.01, readAt: 30}
	var runs []*Record
	for _, speed := range []float64{10, 20, 25} {
		d := 0.4 - 0.01*speed
		r := record(time, Phase{"pulse", 0, 1}, Phase{"free", 1, 12})
		r.Speed, r.Following = of(time, func(float64) float64 { return speed }), follower(time)
		r.Following.Yaw = of(time, func(t float64) float64 {
			u := max(t-1, 0)
			return 2*math.Pi + 0.003 + 0.02*math.Exp(-d*w*u)*math.Sin(w*math.Sqrt(1-d*d)*u)
		})
		list := snaking.Run(r, o)
		near(t, "speed", pick(t, list, "speed").Value, speed, 1e-12)
		near(t, "frequency", pick(t, list, "frequency").Value, w*math.Sqrt(1-d*d)/(2*math.Pi), 1e-3)
		near(t, "damping", pick(t, list, "damping").Value, d, 1e-3)
		runs = append(runs, r)
	}
	list := snaking.All(runs, o)
	near(t, "damping at 30 m/s", pick(t, list, "damping_read").Value, 0.1, 1e-2)
	near(t, "speed without damping", pick(t, list, "zero_damping_speed").Value, 40, 1e-2)
	if got := pick(t, snaking.All(runs[:1], o), "zero_damping_speed"); got.Missing == "" {
		t.Error("one run has a speed without damping")
	}
}

// A tractor on a circle of 1.5 m/s2 opens its joint from 0.05 to -0.3 rad while it stops with 4 m/s2, and turns twice
// as fast in between.
func TestBrakingInABendOfAKnownJoint(t *testing.T) {
	time := times(5)
	r := record(time, Phase{"circle", 0, 1}, Phase{"disturbed", 1, 5})
	after := func(t float64) float64 { return max(t-1, 0) }
	r.Speed = of(time, func(t float64) float64 { return 17 - 4*after(t) })
	r.Lateral = of(time, func(t float64) float64 { return 1.5 - after(t) })
	r.YawRate = of(time, func(t float64) float64 { return 0.1 * (1 + math.Exp(-math.Pow(t-3, 2)/0.01)) })
	r.Following = follower(time)
	r.Following.Yaw = of(time,
		func(t float64) float64 { return 0.05 - 0.35*math.Exp(-math.Pow(t-4, 2)/0.01) + 0.1*max(t-4.5, 0) })
	slip := func(at float64) []float64 { return of(time, func(t float64) float64 { return -max(0, t-at) }) }
	r.Front, r.Rear = []Tire{{Name: "front", Slip: slip(3)}}, []Tire{{Name: "rear", Slip: slip(2)}}
	list := articulatedBraking.Run(r, &articulatedOptions{locked: 0.9})
	for id, want := range map[string]float64{
		"speed": 17, "a_y": 1.5, "deceleration": 4, "articulation": 0.05, "articulation_max": 0.3, "yaw_rate_max": 2,
		"locked": 1.9,
	} {
		near(t, id, pick(t, list, id).Value, want, 1e-9)
	}
	near(t, "time of the jack-knife angle", pick(t, list, "articulation_max").Time, 4, 1e-9)
}
