package figures

import "math"

// rolloverOptions are the options of roll-over tests.
type rolloverOptions struct {
	lift float64
}

func (o *rolloverOptions) Numbers() []Option {
	return []Option{
		number(&o.lift, "lift", "m", "height of both wheels of a side that is a two-wheel lift"),
	}
}

// rollover is for manoeuvres that steer as hard as they can, after NHTSA's fishhook and J-turn: the phase "steer"
// begins with the steering. A two-wheel lift: both wheels of one side are off the ground by at least the height lift at
// the same time.
var rollover = Kind{
	Plots:  overTime(Roll),
	Name:   "rollover",
	Text:   "fishhook and J-turn, after NHTSA",
	New:    func() Options { return new(rolloverOptions) },
	Answer: []string{"lift_speed", "lift_max", "two_wheel_lift", "roll_max"},
	Phases: []string{"steer"},
	Run:    with(rolloverRun),
	All: with(func(runs []*Record, o *rolloverOptions) []Figure {
		least := math.Inf(1)
		for _, r := range runs {
			var speed float64
			for _, f := range rolloverRun(r, o) {
				switch f.ID {
				case "entry_speed":
					speed = f.Value
				case "two_wheel_lift":
					if f.Value == 1 {
						least = min(least, speed)
					}
				}
			}
		}
		if math.IsInf(least, 1) {
			least = math.NaN()
		}
		return []Figure{figure("lift_speed", "least entry speed of the runs with a two-wheel lift", "m/s",
			least).or("no run has one")}
	}),
}

func rolloverRun(r *Record, o *rolloverOptions) []Figure {
	first, _ := r.phase("steer")
	last := len(r.Time) - 1
	const lifts = "1 if both wheels of one side are off the ground by the height lift at the same time; else 0"
	if first > last || len(r.Front) != 2 || len(r.Rear) != 2 {
		return []Figure{figure("two_wheel_lift", lifts, "1",
			math.NaN()).or(notReached + ", or the axles have not two tires each")}
	}
	height, least := math.Inf(-1), math.Inf(1)
	highest, lightest, lifted := first, first, -1
	for i := first; i <= last; i++ {
		for side := range 2 {
			front, rear := &r.Front[side], &r.Rear[side]
			if h := min(front.Height[i], rear.Height[i]); h > height {
				height, highest = h, i
			}
			if load := front.Load[i] + rear.Load[i]; load < least {
				least, lightest = load, i
			}
		}
		if lifted < 0 && height >= o.lift {
			lifted = i
		}
	}
	list := []Figure{read("entry_speed", "speed when the steering begins", "m/s", r.Speed[first], r.Time[first])}
	if lifted >= 0 {
		list = append(list, read("two_wheel_lift", lifts, "1", 1, r.Time[lifted]))
	} else {
		none := figure("two_wheel_lift", lifts, "1", 0)
		if r.Verdict != "" {
			none = none.without("the run ended before its end, without one")
		}
		list = append(list, none)
	}
	// in a run that rolls over, these are the largest values up to its end: the manoeuvre searches for them
	rate := derivative(r.Roll, r.step())
	roll, turn, lateral := Peak(r.Roll, first, last), Peak(rate, first, last), Peak(r.Lateral, first, last)
	steer := Peak(r.Steer, first, last)
	return append(list,
		read("lift_max",
			"largest height of the lower wheel of a side above the ground, negative where it is pressed on it", "m",
			height, r.Time[highest]),
		read("side_load_min", "least load of both wheels of one side", "N", least, r.Time[lightest]),
		read("roll_max", "largest roll angle", "rad", r.Roll[roll], r.Time[roll]),
		read("roll_rate_max", "largest rate of the roll angle", "rad/s", rate[turn], r.Time[turn]),
		read("a_y_max", "largest lateral acceleration", "m/s2", r.Lateral[lateral], r.Time[lateral]),
		read("delta_H_max", "largest steering-wheel angle", "rad", r.Steer[steer], r.Time[steer]),
	)
}

// derivative is the derivative of x by central differences, for rows step apart; one-sided differences at the ends.
func derivative(x []float64, step float64) []float64 {
	out := make([]float64, len(x))
	for i := range x {
		before, after := max(i-1, 0), min(i+1, len(x)-1)
		if after > before {
			out[i] = (x[after] - x[before]) / (float64(after-before) * step)
		}
	}
	return out
}
