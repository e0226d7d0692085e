package figures

import (
	"math"
	"strings"
	"testing"
)

// emptyRecord has all signals that a kind can ask for, which are 0.
func emptyRecord(time []float64, phases ...Phase) *Record {
	r := record(time, phases...)
	zero := func() []float64 { return make([]float64, len(time)) }
	tire := func(name string) Tire {
		return Tire{Name: name, Load: zero(), Slip: zero(), Height: zero(), Angle: zero(), Fx: zero(), Fy: zero()}
	}
	r.Front, r.Rear = []Tire{tire("FL"), tire("FR")}, []Tire{tire("RL"), tire("RR")}
	r.Following = &Unit{Lateral: zero(), YawRate: zero(), X: zero(), Y: zero(), Yaw: zero()}
	r.Hands = zero()
	return r
}

// missing fails if any of the figures has a value, or if its reason does not contain the string reason.
func missing(t *testing.T, what string, list []Figure, reason string, ids ...string) {
	t.Helper()
	for _, id := range ids {
		if f := pick(t, list, id); !math.IsNaN(f.Value) || !math.IsNaN(f.Time) || !strings.Contains(f.Missing, reason) {
			t.Errorf("%s: %s is %g, missing for %q; want %q", what, id, f.Value, f.Missing, reason)
		}
	}
}

// every returns options of a kind with the same value for all numbers.
func every(k *Kind, x float64) Options {
	o := k.New()
	for _, n := range o.Numbers() {
		*n.Value = x
	}
	return o
}

// A run that ended before the phase of a kind has no figures of this kind. The reason is that the phase, or a part of
// it, was not reached, with the verdict of the run.
func TestFiguresOfAnUnreachedPhaseAreMissing(t *testing.T) {
	for i := range kinds {
		k := &kinds[i]
		if len(k.Phases) == 0 {
			continue
		}
		o := every(k, 1)
		r := emptyRecord(times(3), Phase{"before", 0, 3})
		r.Verdict = "spun at 3 s"
		list := k.Of(r, o)
		if len(list) == 0 {
			t.Errorf("%s has no figures, and no reason", k.Name)
		}
		for _, f := range list {
			if (k.Name == "lane-change" || k.Name == "skidpad") && f.ID == "pass" && f.Value == 0 {
				continue // a track that is not reached is not passed
			}
			says := func(reason string) bool { return strings.Contains(f.Missing, reason) }
			if !math.IsNaN(f.Value) || !strings.HasSuffix(f.Missing, ": spun at 3 s") ||
				!says("not reach") && !says("does not pass") && !says("shorter") {
				t.Errorf("%s: %s is %g, missing for %q", k.Name, f.ID, f.Value, f.Missing)
			}
		}
	}
}

// A largest value in the last row of a run that ended early may still have grown, so the figure is missing. If the run
// did not end early, or the largest value is before the last row, the figure has a value.
func TestGrowingMaximumOfAnEndedRunIsMissing(t *testing.T) {
	time := times(2)
	for _, c := range []struct {
		kind, phase string
		signal      func(r *Record) *[]float64
		ids         []string
	}{
		{"straight-braking", "brake", func(r *Record) *[]float64 { return &r.Steer }, []string{"delta_H_max"}},
		{"straight-braking", "brake", func(r *Record) *[]float64 { return &r.Pitch }, []string{"pitch_max"}},
		{"straight-braking", "brake", func(r *Record) *[]float64 { return &r.Yaw }, []string{"yaw_max"}},
		{"straight-braking", "brake", func(r *Record) *[]float64 { return &r.Y }, []string{"deviation_max"}},
		{"straight-braking", "brake", func(r *Record) *[]float64 { return &r.Front[0].Load }, []string{"load_transfer"}},
		{"crosswind", "wind", func(r *Record) *[]float64 { return &r.YawRate }, []string{"yaw_rate_max"}},
		{"straight-running", "run", func(r *Record) *[]float64 { return &r.Y }, []string{"drift_max"}},
		{"obstacle", "obstacle", func(r *Record) *[]float64 { return &r.Up }, []string{"a_z_max"}},
		{"obstacle", "obstacle", func(r *Record) *[]float64 { return &r.Rear[1].Load }, []string{"load_max"}},
		{"articulated-turn", "turn", func(r *Record) *[]float64 { return &r.Following.Yaw }, []string{"articulation_max"}},
		{"articulated-turn", "turn", func(r *Record) *[]float64 { return &r.Steer }, []string{"delta_H"}},
		{"articulated-braking", "disturbed", func(r *Record) *[]float64 { return &r.Following.Yaw },
			[]string{"articulation_max"}},
		{"snaking", "free", func(r *Record) *[]float64 { return &r.Following.Yaw }, []string{"articulation_max"}},
	} {
		k := Find(c.kind)
		o := every(k, 0.5)
		for _, peak := range []float64{1, 3} { // within the run, and beyond its end
			r := emptyRecord(time, Phase{c.phase, 0, 2})
			r.X = of(time, func(t float64) float64 { return 20 * t })
			r.YawRate = of(time, func(float64) float64 { return 1e-3 })
			for _, tires := range [][]Tire{r.Front, r.Rear} {
				for i := range tires {
					tires[i].Load = of(time, func(float64) float64 { return 1e-3 })
				}
			}
			*c.signal(r) = of(time, func(t float64) float64 { return 0.1 * math.Exp(-(t-peak)*(t-peak)) })
			for _, verdict := range []string{"", "spun at 2 s"} {
				r.Verdict = verdict
				for _, id := range c.ids {
					f := pick(t, k.Of(r, o), id)
					if gone := verdict != "" && peak > 2; gone != math.IsNaN(f.Value) ||
						gone && !strings.Contains(f.Missing, "still grows when the run ends: spun") {
						t.Errorf("%s of %s, peak at %g s, verdict %q: %+v", id, c.kind, peak, verdict, f)
					}
				}
			}
		}
	}
}

// Figures of all of a phase are missing where the run ended within it.
func TestFiguresOfAWholePhase(t *testing.T) {
	for _, c := range []struct {
		kind, phase string
		ids         []string
	}{
		{"straight-braking", "brake", []string{"end_speed", "distance", "time"}},
		{"ride", "ride", []string{"air_time"}}, {"obstacle", "obstacle", []string{"air_time"}},
		{"articulated-turn", "turn", []string{"turned"}}, {"articulated-braking", "disturbed", []string{"deceleration"}},
		{"rollover", "steer", []string{"two_wheel_lift"}},
	} {
		k := Find(c.kind)
		o := every(k, 0.5)
		r := emptyRecord(times(2), Phase{c.phase, 0, 2})
		r.Front[0].Load[0] = 1
		r.X = of(r.Time, func(t float64) float64 { return 20 * t })
		for _, id := range c.ids {
			if f := pick(t, k.Of(r, o), id); math.IsNaN(f.Value) {
				t.Errorf("%s of %s: %+v", id, c.kind, f)
			}
		}
		r.Verdict = "left the ground at 2 s"
		missing(t, c.kind, k.Of(r, o), "ended", c.ids...)
	}
}

// Gradients need a run through the whole range of the regression, on both of its ends.
func TestGradientsNeedTheirRange(t *testing.T) {
	time := times(60)
	o := &circleOptions{fitRange: fitRange{1, 4}, wheelbase: 2.8, local: 1, readAt: 2}
	steer := &steerOptions{fitRange: fitRange{1, 4}, readAt: 2, departure: 0.1}
	for _, c := range []struct{ first, rate, last float64 }{{0.2, 0.1, 3.9}, {1.2, 0.1, 6}} {
		r := record(time, Phase{"ramp", 0, 60})
		r.Lateral = of(time, func(t float64) float64 { return min(c.first+c.rate*t, c.last) })
		r.Speed = of(time, func(float64) float64 { return 25 })
		r.Steer, r.SideSlip = scaled(r.Lateral, 0.1), scaled(r.Lateral, -0.01)
		r.Hands = scaled(r.Lateral, 1)
		all := []string{"steering_gradient", "K_u", "side_slip_gradient", "roll_gradient", "steering_torque_gradient",
			"characteristic_speed", "critical_speed", "a_y_2K_u"}
		const why = "does not pass from regression_from to regression_to"
		missing(t, "circle", steadyCircleSpeed.Run(r, o), why, all...)
		missing(t, "circle", steadyCircleRadius.Run(r, o), why, all...)
		missing(t, "both circles", bothSides([]*Record{r, r}, o), why, "K_u_mean", "characteristic_speed")
		missing(t, "steering", slowlyIncreasingSteer.Run(r, steer), why, "A_run", "steering_gradient", "linear_range")
		missing(t, "all steering", slowlyIncreasingSteer.All([]*Record{r}, steer), why, "A")
		near(t, "angle", pick(t, steadyCircleSpeed.Run(r, o), "delta_H").Value, 0.2, 1e-9) // is reached
	}
}

// The largest lateral acceleration is the vehicle's where it no longer rises with the steering, and missing where the
// test ends before.
func TestLargestLateralAccelerationNeedsALimit(t *testing.T) {
	time := times(60)
	o := &circleOptions{fitRange: fitRange{1, 4}, wheelbase: 2.8, local: 1, readAt: 2}
	steer := &steerOptions{fitRange: fitRange{1, 4}, readAt: 2, departure: 0.1}
	for _, side := range []float64{1, -1} {
		for _, c := range []struct {
			lateral func(t float64) float64
			largest float64 // NaN for none
		}{
			{func(t float64) float64 { return 0.1 * t }, math.NaN()},
			{func(t float64) float64 { return 8 * math.Tanh(t/80) }, math.NaN()},
			{func(t float64) float64 { return 8 * math.Tanh(t/27) }, math.NaN()}, // by 1.3 %
			// a tenth of a short part of a ramp is less than 1 % of where it ends
			{func(t float64) float64 { return 8 + 0.01*t }, math.NaN()},
			{func(t float64) float64 { return 8 + 0.6*math.Tanh(t/10) }, 8 + 0.6*math.Tanh(6)},
			{func(t float64) float64 { return 8 * math.Tanh(t/15) }, 8 * math.Tanh(4)},
			{func(t float64) float64 { return 8 - (t-40)*(t-40)/200 }, 8},
			{func(t float64) float64 { return 8 * math.Sin(math.Pi*min(t, 59)/110) }, 8},
		} {
			r := record(time, Phase{"ramp", 0, 60})
			r.Lateral = of(time, func(t float64) float64 { return side * c.lateral(t) })
			r.Speed = of(time, func(float64) float64 { return 25 })
			for _, list := range [][]Figure{steadyCircleSpeed.Run(r, o), slowlyIncreasingSteer.Run(r, steer)} {
				if math.IsNaN(c.largest) {
					missing(t, "a ramp", list, "still rises when the phase ends", "a_y_max")
				} else {
					near(t, "a_y_max", pick(t, list, "a_y_max").Value, c.largest, 1e-6)
				}
			}
		}
	}
}

// The time from a speed is missing where the phase begins above this speed, unless the vehicle passes the speed again.
func TestAccelerationFromAPassedSpeed(t *testing.T) {
	time := times(10)
	r := record(time, Phase{"accelerate", 0, 10})
	r.Speed = of(time, func(t float64) float64 { return 20 + 2*t })
	r.X = of(time, func(t float64) float64 { return 20*t + t*t })
	for _, from := range []float64{0, 19.9} {
		missing(t, "faster", acceleration.Run(r, &accelerationOptions{from: from, to: 30}),
			"faster than the speed from", "time", "distance")
	}
	missing(t, "slow", acceleration.Run(r, &accelerationOptions{from: 0, to: 50}), "does not reach", "time")
	missing(t, "backwards", acceleration.Run(r, &accelerationOptions{from: 35, to: 30}), "", "time", "distance")
	near(t, "from the first row", pick(t, acceleration.Run(r, &accelerationOptions{from: 20, to: 30}), "time").Value,
		5, 1e-9)
	// slower first, as when a gear changes
	r.Speed = of(time, func(t float64) float64 { return 20 + (t-2)*(t-2) })
	near(t, "from the last time", pick(t, acceleration.Run(r, &accelerationOptions{from: 21, to: 36}), "time").Value,
		3, 1e-4)

	rest := &restOptions{to: 30, near: 400, far: 1000}
	missing(t, "not at rest", accelerationFromRest.Run(r, rest), "does not stand", "time")
}

// A body that is front up, as on a slope, does not dive where its pitch angle is largest when the brakes are applied.
func TestLargestPitchIsCausedByBraking(t *testing.T) {
	time := times(4)
	o := &brakingOptions{fromShare: 0.8, toShare: 0.1, locked: 0.9, readAt: 0.5, creepWindow: 1}
	for _, c := range []struct {
		slope, begin, dive float64
		missing            string
	}{
		{0, 0, 0.03, ""}, {0.1, 0, 0.03, ""}, {-0.2, -0.01, 0.02, "front does not go below"},
		{0.1, 0, -0.03, "when the brakes are applied"}, {-0.01, 0, 0.03, ""},
	} {
		r := record(time, Phase{"drive", 0, 1}, Phase{"brake", 1, 3}, Phase{"rest", 3, 4})
		r.Speed = of(time, func(t float64) float64 { return max(0, 20-10*max(t-1, 0)) })
		r.Pitch = of(time, func(t float64) float64 {
			if t <= 1 {
				return c.slope + c.begin
			}
			return c.slope + c.dive*math.Sin(math.Pi/2*(t-1))
		})
		list := straightBraking.Run(r, o)
		if c.missing != "" {
			missing(t, "pitch", list, c.missing, "pitch_max")
		} else {
			near(t, "pitch", pick(t, list, "pitch_max").Value, c.slope+c.dive, 1e-9)
		}
		o.readAt = 2.5 // after the braking, while the car rests
		missing(t, "late", straightBraking.Run(r, o), "ends before", "yaw_rate")
		o.readAt = 0.5
	}
}

// Each truncated transient has missing figures: a step before its end, a sine before its second half, a release soon
// after the start, a turn, a dwell before the wheel is back, a lane change, and a half-car.
func TestConditionsOfTransients(t *testing.T) {
	time := times(4)
	step := &stepOptions{steadyWindow: 1, steadyShare: 0.02, responseShare: 0.9, settlingShare: 0.05}
	r := record(time, Phase{"step", 0, 4})
	r.Steer = of(time, func(t float64) float64 { return 0.1 * t })
	r.YawRate = of(time, func(float64) float64 { return 0.1 })
	missing(t, "a ramp", stepSteer.Run(r, step), "still turns", "delta_H", "yaw_rate_response_time", "yaw_gain")
	r.Steer = of(time, func(float64) float64 { return 0.1 })
	missing(t, "no step", stepSteer.Run(r, step), "half of its angle", "yaw_rate_response_time")
	r.Steer = of(time, func(t float64) float64 { return min(t, 0.1) })
	missing(t, "no response", stepSteer.Run(r, step), "never leaves", "yaw_rate_settling_time")

	r = record(time, Phase{"sine", 0, 2}, Phase{"after", 2, 4})
	r.Steer = of(time, func(t float64) float64 { return math.Sin(math.Pi * min(t, 2)) })
	r.YawRate = of(time, func(t float64) float64 { return math.Exp(-t) })
	missing(t, "one way", sineSteer.Run(r, nil), "back to the other side", "yaw_rate_lag_2", "yaw_rate_asymmetry")
	missing(t, "no way", sineSteer.Run(r, nil), "to the side of the steering", "a_y_peak", "a_y_lag_1", "a_y_gain")
	r.Verdict = "spun at 4 s"
	missing(t, "spun", sineSteer.Of(r, nil), "the run ended in the phase after: spun", "side_slip_left")

	r = record(time, Phase{"hold", 0, 1}, Phase{"release", 1, 4})
	r.Hands, r.YawRate = of(time, math.Cos), of(time, math.Cos)
	release := &releaseOptions{before: 1, readAt: 1, share: 0.1}
	near(t, "before", pick(t, steeringRelease.Run(r, release), "yaw_rate").Value, math.Sin(1), 1e-3)
	release.before = 1.5
	missing(t, "early", steeringRelease.Run(r, release), "less than the time before", "yaw_rate")

	r = record(time, Phase{"disturbed", 1, 4})
	r.Speed, r.X = of(time, func(float64) float64 { return 20 }), of(time, func(t float64) float64 { return 20 * t })
	r.Yaw = of(time, func(t float64) float64 { return 0.2 * t })
	turn := &turnOptions{radius: 100, firstTime: 1, secondTime: 5, early: 3.5, locked: 0.9}
	list := disturbedTurn.Run(r, turn)
	missing(t, "short", list, "the run ends before", "yaw_ratio_extreme_2", "yaw_ratio_2", "yaw_acceleration")
	if f := pick(t, list, "yaw_ratio_extreme_1"); math.IsNaN(f.Value) {
		t.Errorf("%+v", f)
	}

	dwell := &dwellOptions{steeringTime: 1, bos: 0.05, firstTime: 0.5, firstLimit: 0.35, secondTime: 1,
		secondLimit: 0.2, displacementTime: 1, displacementLimit: 1, displacementFrom: 5, a: 0.5, filterOrder: 6,
		yawEdge: 6, steerEdge: 10, accelerationEdge: 6}
	r = record(time, Phase{"steer", 1, 2}, Phase{"after", 2, 4})
	r.Steer = of(time, func(t float64) float64 { return math.Sin(math.Pi / 2 * min(max(t-1, 0), 1)) })
	r.YawRate = of(time, func(t float64) float64 { return -math.Exp(-t) })
	missing(t, "one way", dwellRun(r, dwell), "does not change its sign", "yaw_peak", "yaw_ratio_1", "yaw_ratio_2")

	r = record(time, Phase{"track", 0, 4})
	r.Track = []Section{{0, 100, math.NaN(), math.NaN(), 0}, {100, 120, -2, 2, 0}}
	r.X = of(time, func(t float64) float64 { return 10 * t })
	list = laneChange.Run(r, &LaneOptions{Outline{2, 2, 1.8}})
	missing(t, "no lane", list, "does not reach a lane", "deviation_max", "clearance")
	missing(t, "no end", list, "does not reach the end of the track", "steering_effort", "track_time")

	wheel := func() Relaxed {
		one := of(time, func(float64) float64 { return 1 })
		return Relaxed{Spin: one, Traction: one, Stabilisation: one, Sliding: one, Grip: one}
	}
	r = record(time)
	r.HalfCar = &HalfCar{Front: wheel(), Rear: wheel()}
	missing(t, "half-car", halfCar.Run(r, &halfCarOptions{until: 5}), "before the time until", "reaction_front_share")
	r.Verdict = "interrupted"
	missing(t, "half-car", halfCar.Of(r, &halfCarOptions{until: 3}), "the run ended before", "v_end")

	r = emptyRecord(time, Phase{"shake", 0, 4})
	posts := &postOptions{from: 1, crossover: 2, to: 3, segment: 1, coherence: 0.9}
	missing(t, "no road", fourPost.Run(r, posts), "no road moves", "heave_gain", "load_FL_frequency")
	r.Post, posts.segment = of(time, math.Sin), 3
	missing(t, "short", fourPost.Run(r, posts), "shorter than two segments", "heave_gain")
	posts.segment, posts.from, posts.crossover = 1, 1.2, 1.4
	missing(t, "no lines", fourPost.Run(r, posts), "no line", "heave_gain")
}
