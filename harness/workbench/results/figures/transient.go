package figures

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/stat"
)

// stepOptions are the options of step steer.
type stepOptions struct {
	steadyWindow, steadyShare, responseShare, settlingShare float64
}

func (o *stepOptions) Numbers() []Option {
	return []Option{
		above0(&o.steadyWindow, "steady_window", "s", "end of the phase over which values are steady"),
		share(&o.steadyShare, "steady_share", "largest variation of a steady value in the window, as a share of the value"),
		share(&o.responseShare, "response_share", "end of the response time, as a share of the steady value"),
		share(&o.settlingShare, "settling_share", "share of the steady value within which a response has settled"),
	}
}

// stepSteer is after ISO 7401: the steering wheel goes fast to an angle and stays there. Times count from when it
// passes half of it.
var stepSteer = Kind{
	Plots:  overTime(YawRate, Lateral),
	Name:   "step-steer",
	Text:   "step of the steering wheel, after ISO 7401",
	New:    func() Options { return new(stepOptions) },
	Answer: []string{"yaw_rate_response_time", "a_y_response_time", "yaw_rate_overshoot", "yaw_gain", "TB"},
	Phases: []string{"step"},
	Run: with(func(r *Record, o *stepOptions) []Figure {
		first, last := r.phase("step")
		const angle = "final angle of the steering wheel"
		if first > last {
			return []Figure{figure("delta_H", angle, "rad", math.NaN()).or(notReached)}
		}
		steady := func(x []float64) float64 {
			return Steady(r.Time, x, first, last, o.steadyWindow, o.steadyShare)
		}
		notSteady := fmt.Sprintf("not steady: it changes by more than %.3g %% in the last %.3g s of the phase",
			100*o.steadyShare, o.steadyWindow)
		final := r.Steer[last]
		if math.IsNaN(steady(r.Steer)) {
			final = math.NaN()
		}
		zero := Crossing(r.Time, r.Steer, final/2, first, last)
		// why there is no time up to what a steady value defines
		unless := func(level float64, otherwise string) string {
			switch {
			case math.IsNaN(final):
				return "the steering wheel still turns in the window at the end"
			case math.IsNaN(level):
				return notSteady
			case math.IsNaN(zero):
				return "the steering wheel does not pass half of its angle"
			}
			return otherwise
		}
		list := []Figure{figure("delta_H", angle, "rad", final).or("%s", unless(0, ""))}
		for _, s := range []struct {
			id, what, unit string
			x              []float64
		}{{"yaw_rate", "yaw rate", "rad/s", r.YawRate}, {"a_y", "lateral acceleration", "m/s2", r.Lateral},
			{"side_slip", "side-slip angle", "rad", r.SideSlip}, {"roll", "roll angle", "rad", r.Roll}} {
			level := steady(s.x)
			away := mapped(s.x, func(v float64) float64 { return math.Abs(v - level) })
			bound := o.settlingShare * math.Abs(level)
			settled := math.NaN()
			for i := last - 1; i >= first; i-- {
				if away[i] > bound {
					settled = Crossing(r.Time, away, bound, i, i+1) - zero
					break
				}
			}
			peak, overshoot := stepPeak(r.Time, s.x, level, first, last, o.steadyWindow)
			list = append(list,
				figure(s.id+"_steady", s.what+": steady value", s.unit, level).or("%s", notSteady),
				figure(s.id+"_response_time", s.what+": time to the share response_share of the steady value", "s",
					Crossing(r.Time, s.x, o.responseShare*level, first, last)-zero).or("%s",
					unless(level, "it does not reach that share")),
				figure(s.id+"_peak_time", s.what+": time to the peak", "s", peak-zero).or("%s",
					unless(level, "no overshoot")),
				figure(s.id+"_overshoot", s.what+": (peak - steady value)/steady value; 0 without a peak", "1",
					overshoot).or("%s", notSteady),
				figure(s.id+"_settling_time",
					s.what+": time after which it stays within the share settling_share of the steady value", "s",
					settled).or("%s", unless(level, "it never leaves that share")),
			)
		}
		yaw, slip := steady(r.YawRate), steady(r.SideSlip)
		peak, _ := stepPeak(r.Time, r.YawRate, yaw, first, last, o.steadyWindow)
		return append(list,
			figure("yaw_gain", "steady yaw rate by the angle of the steering wheel", "1/s", yaw/final).or("%s",
				unless(yaw, "")),
			figure("TB", "TB factor: peak time of the yaw rate times the magnitude of the steady side-slip angle", "rad.s",
				(peak-zero)*math.Abs(slip)).or("%s", unless(yaw+slip, "no overshoot")),
		)
	}),
}

// stepPeak returns the time of the peak on the side of the steady value, and its overshoot as a share of the steady
// value. A maximum within the final window, where the steady value is taken, is not a peak: the time is NaN then, the
// overshoot 0. Both are NaN where the steady value is.
func stepPeak(time, x []float64, level float64, first, last int, window float64) (at, overshoot float64) {
	if math.IsNaN(level) {
		return level, level
	}
	side := math.Copysign(1, level)
	row := Peak(mapped(x, func(v float64) float64 { return max(side*v, 0) }), first, last)
	if time[row] >= time[last]-window || side*(x[row]-level) <= 0 {
		return math.NaN(), 0
	}
	return peakTime(time, x, row), x[row]/level - 1
}

// sineSteer is after ISO 7401: one period of a sine, then straight ahead.
var sineSteer = Kind{
	Plots:  overTime(YawRate, Lateral),
	Name:   "sine-steer",
	Text:   "one period of a sine of the steering wheel, after ISO 7401",
	New:    noOptions,
	Answer: []string{"yaw_rate_lag_1", "a_y_lag_1", "yaw_rate_gain", "a_y_gain"},
	Phases: []string{"sine", "after"},
	Run: func(r *Record, _ Options) []Figure {
		first, last := r.phase("sine")
		begin, end := r.phase("after")
		if first > last || begin > end {
			return []Figure{figure("delta_H", "first peak of the steering-wheel angle", "rad",
				math.NaN()).or("the run did not reach the end of the sine")}
		}
		// the first peak is the largest value during the sine on the side of the first steering; the second peak is the
		// largest later value on the other side
		side := math.Copysign(1, At(r.Time, r.Steer, (3*r.Time[first]+r.Time[last])/4))
		peaks := func(x []float64) (one, two int) {
			one = Peak(mapped(x, func(v float64) float64 { return max(side*v, 0) }), first, last)
			return one, Peak(mapped(x, func(v float64) float64 { return max(-side*v, 0) }), one, end)
		}
		steer1, steer2 := peaks(r.Steer)
		t1, t2 := peakTime(r.Time, r.Steer, steer1), peakTime(r.Time, r.Steer, steer2)
		// a peak is to its side, and over before a run that ends early does
		height := func(x []float64, row int, side float64) float64 {
			if !(side*x[row] > 0) || r.cut(row) {
				return math.NaN()
			}
			return x[row]
		}
		const no, back = "no peak to the side of the steering", "no peak back to the other side"
		steered := height(r.Steer, steer1, side)
		list := []Figure{read("delta_H", "first peak of the steering-wheel angle", "rad", steered, t1).or(no)}
		for _, s := range []struct {
			id, what, unit, gain string
			x                    []float64
		}{{"yaw_rate", "yaw rate", "rad/s", "1/s", r.YawRate},
			{"a_y", "lateral acceleration", "m/s2", "m/s2", r.Lateral}} {
			one, two := peaks(s.x)
			a, b := peakTime(r.Time, s.x, one), peakTime(r.Time, s.x, two)
			high, low := height(s.x, one, side), height(s.x, two, -side)
			list = append(list,
				read(s.id+"_peak", s.what+": first peak", s.unit, high, a).or(no),
				figure(s.id+"_lag_1", s.what+": first peak after that of the steering wheel", "s",
					a-t1+0*high+0*steered).or(no),
				figure(s.id+"_lag_2", s.what+": second peak after that of the steering wheel", "s",
					b-t2+0*low+0*height(r.Steer, steer2, -side)).or(back),
				figure(s.id+"_gain", s.what+": first peak by that of the steering wheel", s.gain, high/steered).or(no),
				figure(s.id+"_asymmetry", s.what+": magnitude of the second peak by that of the first", "1",
					math.Abs(low/high)).or(back),
			)
		}
		return append(list, read("side_slip_left", "side-slip angle that is left at the end", "rad", r.SideSlip[end],
			r.Time[end]).whole(r, "after"))
	},
}

// peakTime is the time of a peak: the vertex of the parabola through its row and the two neighbouring rows.
func peakTime(time, x []float64, row int) float64 {
	if row < 0 {
		return math.NaN()
	}
	if row == 0 || row == len(x)-1 {
		return time[row]
	}
	a, b, c := x[row-1], x[row], x[row+1]
	if a-2*b+c == 0 || (b-a)*(c-b) > 0 {
		return time[row]
	}
	return time[row] + (time[row+1]-time[row])*(a-c)/(a-2*b+c)/2
}

func mapped(x []float64, f func(float64) float64) []float64 {
	out := make([]float64, len(x))
	for i, v := range x {
		out[i] = f(v)
	}
	return out
}

// releaseOptions are the options of a release of the steering wheel.
type releaseOptions struct {
	before, readAt, share float64
}

func (o *releaseOptions) Numbers() []Option {
	return []Option{
		above0(&o.before, "before", "s", "time before the release over which values are averaged"),
		from0(&o.readAt, "read_at", "s", "time after the release when the residual values are read"),
		share(&o.share, "share",
			"least difference between extremes that count, as a share of the yaw rate before the release"),
	}
}

// steeringRelease is after ISO 17288-1: from a steady circle the driver lets the steering wheel go when the phase
// "release" begins.
var steeringRelease = Kind{
	Plots:  overTime(YawRate, SteeringWheel),
	Name:   "steering-release",
	Text:   "release of the steering wheel, after ISO 17288-1",
	New:    func() Options { return new(releaseOptions) },
	Answer: []string{"yaw_rate_half", "delta_H_half", "yaw_rate_overshoot"},
	Phases: []string{"release"},
	Run: with(func(r *Record, o *releaseOptions) []Figure {
		first, last := r.phase("release")
		missing := figure("yaw_rate", "yaw rate before the release", "rad/s", math.NaN())
		switch {
		case r.Hands == nil:
			return []Figure{missing.or("the steering wheel of the vehicle is not free")}
		case first > last:
			return []Figure{missing.or(notReached)}
		case !(r.Time[first]-o.before >= r.Time[0]-r.step()/2):
			return []Figure{missing.or("the run has less than the time before ahead of the release")}
		}
		begin := r.row(r.Time[first] - o.before)
		ahead := func(x []float64) float64 { return stat.Mean(x[begin:first], nil) }
		yaw, steer, at := ahead(r.YawRate), ahead(r.Steer), r.Time[first]+o.readAt
		side := Peak(mapped(r.YawRate, func(v float64) float64 { return max(-v*yaw, 0) }), first, last)
		overshoot := read("yaw_rate_overshoot", "largest yaw rate to the other side, by that before", "1",
			max(-r.YawRate[side]/yaw, 0), r.Time[side])
		if r.cut(side) {
			overshoot = overshoot.without(stillGrows)
		}
		list := []Figure{
			figure("a_y", "lateral acceleration, mean over the time before the release", "m/s2", ahead(r.Lateral)),
			figure("yaw_rate", "yaw rate, mean over the time before the release", "rad/s", yaw),
			figure("delta_H", "steering-wheel angle, mean over the time before the release", "rad", steer),
			figure("M_H", "torque of the driver on the steering wheel, mean over the time before the release", "N.m",
				ahead(r.Hands)),
			figure("delta_H_half", "time until the steering wheel is back at half of its angle", "s",
				Crossing(r.Time, r.Steer, steer/2, first, last)-r.Time[first]).or("it does not go back so far"),
			figure("yaw_rate_half", "time until the yaw rate has fallen to half", "s",
				Crossing(r.Time, r.YawRate, yaw/2, first, last)-r.Time[first]).or("it does not fall so far"),
			overshoot,
			read("yaw_rate_left", "yaw rate that is left read_at after the release, by that before", "1",
				At(r.Time, r.YawRate, at)/yaw, at).or("the run ends before"),
			read("delta_H_left", "steering-wheel angle that is left there, by that before", "1",
				At(r.Time, r.Steer, at)/steer, at).or("the run ends before"),
		}
		frequency, damping := decaying(r.Time, r.YawRate, first, last, o.share*math.Abs(yaw))
		return append(list,
			figure("yaw_frequency", "frequency of the yaw rate, from the times of its extremes", "Hz",
				frequency).or("the yaw rate has less than two extremes"),
			figure("yaw_damping", "damping ratio of the yaw rate, from the differences between its extremes", "1",
				damping).or("the yaw rate has less than three extremes"))
	}),
}

// decaying is the frequency [Hz] and the damping ratio D of an oscillation that decays, from its extremes, as long as
// they differ by more than least. Differences d of successive extremes fall by exp(-pi D/sqrt(1 - D^2)), whatever level
// the oscillation decays to.
func decaying(time, x []float64, first, last int, least float64) (frequency, damping float64) {
	var times, levels []float64
	row, side := first, 0.0 // the latest extreme and its side: 1 maximum, -1 minimum, 0 before the first motion
	for i := first; i <= last; i++ {
		switch back := x[row] - x[i]; {
		case side == 0 && math.Abs(back) >= least:
			row, side = i, math.Copysign(1, -back)
		case side*back < 0:
			row = i
		case side*back >= least && side != 0:
			times, levels = append(times, peakTime(time, x, row)), append(levels, x[row])
			row, side = i, -side
		}
	}
	n := len(levels)
	if n < 2 {
		return math.NaN(), math.NaN()
	}
	frequency, damping = float64(n-1)/(times[n-1]-times[0])/2, math.NaN()
	if n > 2 {
		decrement := math.Log(math.Abs((levels[1]-levels[0])/(levels[n-1]-levels[n-2]))) / float64(n-2)
		damping = decrement / math.Hypot(math.Pi, decrement)
	}
	return frequency, damping
}
