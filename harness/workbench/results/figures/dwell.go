package figures

import (
	"math"

	"gonum.org/v1/gonum/stat"
)

// dwellOptions are the options of the sine with dwell.
type dwellOptions struct {
	steeringTime, bos, firstTime, firstLimit, secondTime, secondLimit, displacementTime       float64
	displacementLimit, displacementFrom, a, filterOrder, yawEdge, steerEdge, accelerationEdge float64
}

func (o *dwellOptions) Numbers() []Option {
	return []Option{
		above0(&o.steeringTime, "steering_time", "s", "from the beginning of the phase to the end of steering"),
		number(&o.bos, "bos", "rad", "steering-wheel angle at which steering begins"),
		number(&o.firstTime, "first_time", "s", "after the end of steering, of the first yaw ratio"),
		number(&o.firstLimit, "first_limit", "1", "largest first yaw ratio of a run that passes"),
		number(&o.secondTime, "second_time", "s", "after the end of steering, of the second yaw ratio"),
		number(&o.secondLimit, "second_limit", "1", "largest second yaw ratio of a run that passes"),
		number(&o.displacementTime, "displacement_time", "s", "after the beginning of steering, of the displacement"),
		number(&o.displacementLimit, "displacement_limit", "m", "least displacement of a run that passes"),
		number(&o.displacementFrom, "displacement_from", "1",
			"least amplitude, divided by A, where displacement_limit applies"),
		number(&o.a, "A", "rad", "steering-wheel angle of the vehicle at 0.3 g"),
		order(&o.filterOrder, "filter_order", "order of one pass of the filters, which is even"),
		above0(&o.yawEdge, "yaw_edge", "Hz", "cutoff frequency of the yaw rate"),
		above0(&o.steerEdge, "steer_edge", "Hz", "cutoff frequency of the steering-wheel angle"),
		above0(&o.accelerationEdge, "acceleration_edge", "Hz", "cutoff frequency of the lateral acceleration"),
	}
}

// sineWithDwell is after FMVSS 126 and UN R140. The phase "steer" begins with the sine with dwell, which
// ends after steering_time (COS); steering begins (BOS) when the steering wheel passes the angle bos.
var sineWithDwell = Kind{
	Plots:  overTime(YawRate),
	Name:   "sine-with-dwell",
	Text:   "sine with dwell, after FMVSS 126 and UN R140",
	New:    func() Options { return new(dwellOptions) },
	Answer: []string{"passed", "runs", "yaw_ratio_1", "yaw_ratio_2", "displacement"},
	Phases: []string{"steer", "after"},
	Run:    with(dwellRun),
	All: with(func(runs []*Record, o *dwellOptions) []Figure {
		passed := 0.0
		for _, r := range runs {
			for _, f := range dwellRun(r, o) {
				if f.ID == "pass" && f.Value == 1 {
					passed++
				}
			}
		}
		return []Figure{
			figure("runs", "number of runs", "1", float64(len(runs))),
			figure("passed",
				"number of runs that pass, for information: FMVSS 126 asks vehicles with stability control", "1",
				passed),
		}
	}),
}

func dwellRun(r *Record, o *dwellOptions) []Figure {
	first, complete := r.phase("steer")
	if first > complete {
		return []Figure{figure("pass", passes, "1", math.NaN()).or(notReached)}
	}
	last, step := len(r.Time)-1, r.step()
	order := int(o.filterOrder)
	steer := LowPass(r.Steer, step, o.steerEdge, order)
	yaw := LowPass(r.YawRate, step, o.yawEdge, order)
	lateral := LowPass(r.Lateral, step, o.accelerationEdge, order)
	side := math.Copysign(1, At(r.Time, r.Steer, r.Time[first]+0.25*(r.Time[complete]-r.Time[first])))
	// the filter begins to turn the wheel before the driver does
	before := max(first-int(math.Round(0.5/step)), 0)
	begin := Crossing(r.Time, scaled(steer, side), o.bos, before, complete)
	if math.IsNaN(begin) {
		return []Figure{figure("pass", passes, "1", math.NaN()).or("the steering wheel does not reach the angle bos")}
	}
	// the largest yaw rate to the other side, where the steering wheel goes there and the yaw rate follows
	top, topTime := math.NaN(), math.NaN()
	if back := Crossing(r.Time, scaled(steer, side), 0, min(r.row(begin)+1, complete), complete); !math.IsNaN(back) {
		peak := Peak(mapped(yaw, func(v float64) float64 { return max(-side*v, 0) }), r.row(back), last)
		if -side*yaw[peak] > 0 && !r.cut(peak) {
			top, topTime = yaw[peak], r.Time[peak]
		}
	}
	cos := r.Time[first] + o.steeringTime
	ratio := func(after float64) float64 { return At(r.Time, yaw, cos+after) / top }
	one, two := ratio(o.firstTime), ratio(o.secondTime)

	// straight ahead until steering begins: lateral place and speed there are 0
	from := r.row(begin)
	rest := stat.Mean(lateral[before:first+1], nil)
	away := make([]float64, len(lateral))
	for i := from; i <= last; i++ {
		away[i] = lateral[i] - rest
	}
	integrated := At(r.Time, Integral(Integral(away, step), step), begin+o.displacementTime)
	displacement := r.across(first, begin+o.displacementTime) - r.across(first, begin)

	amplitude := math.Abs(r.Steer[Peak(r.Steer, first, complete)])
	pass := 0.0
	if r.Verdict == "" && one <= o.firstLimit && two <= o.secondLimit && isDisplaced(amplitude, displacement, o) {
		pass = 1
	}
	const short = "the run ended before"
	const noTurn = "the steering wheel does not change its sign, or the yaw rate does not follow"
	atEnd := short
	if math.IsNaN(top) {
		atEnd = noTurn
	}
	return []Figure{
		figure("amplitude", "largest steering-wheel angle", "rad", amplitude).whole(r, "steer"),
		figure("amplitude_by_A", "the same by A", "1", amplitude/o.a).whole(r, "steer"),
		read("yaw_peak", "largest yaw rate after the steering wheel has changed its sign", "rad/s", top,
			topTime).or(noTurn),
		read("yaw_ratio_1", "yaw rate first_time after the end of steering, by that peak", "1", one,
			cos+o.firstTime).or("%s", atEnd),
		read("yaw_ratio_2", "yaw rate second_time after the end of steering, by that peak", "1", two,
			cos+o.secondTime).or("%s", atEnd),
		read("displacement",
			"lateral place of the centre of mass displacement_time after steering began, from where it was then", "m",
			displacement, begin+o.displacementTime).or(short),
		read("displacement_integrated", "the same by integrating the lateral acceleration twice", "m", integrated,
			begin+o.displacementTime).or(short),
		figure("displacement_difference", "displacement_integrated - displacement", "m", integrated-displacement).or(short),
		r.largest("side_slip_max", "largest side-slip angle", "rad", r.SideSlip, first, last),
		r.largest("yaw_rate_max", "largest yaw rate", "rad/s", r.YawRate, first, last),
		figure("pass", passes, "1", pass),
	}
}

const passes = "1 if both yaw ratios are within first_limit and second_limit and, from displacement_from A on, the " +
	"displacement reaches displacement_limit; else 0"

// across is the lateral place at a time, along the axis that the body has in row first [m].
func (r *Record) across(first int, time float64) float64 {
	sin, cos := math.Sincos(r.Yaw[first])
	return cos*At(r.Time, r.Y, time) - sin*At(r.Time, r.X, time)
}

// isDisplaced reports whether the lateral displacement is as large as it must be with the amplitude of the steering
// wheel.
func isDisplaced(amplitude, displacement float64, o *dwellOptions) bool {
	demanded := amplitude >= o.displacementFrom*o.a*(1-1e-9)
	return !demanded || math.Abs(displacement) >= o.displacementLimit
}
