package figures

import (
	"math"

	"gonum.org/v1/gonum/stat"

	"skidpad/harness/workbench/results/display"
)

// weaveOptions are the options of a weave.
type weaveOptions struct {
	period, periods, share float64
}

func (o *weaveOptions) Numbers() []Option {
	return []Option{
		above0(&o.period, "period", "s", "period of the steering"),
		above0(&o.periods, "periods", "1", "how many of the last ones are evaluated"),
		share(&o.share, "share", "share of the amplitude within which slopes are fitted"),
	}
}

// weave is after ISO 13674-1: the steering wheel oscillates about its centre. The figures describe the loops of the
// last periods of the phase "weave".
var weave = Kind{
	Plots:  overSteeringWheel,
	Name:   "weave",
	Text:   "weave, after ISO 13674-1",
	New:    func() Options { return new(weaveOptions) },
	Answer: []string{"a_y_gain", "delta_H_width", "a_y_width", "yaw_gain", "M_H_stiffness"},
	Phases: []string{"weave"},
	Run: with(func(r *Record, o *weaveOptions) []Figure {
		first, last := r.phase("weave")
		rows := int(math.Round(o.periods * o.period / max(r.step(), 1e-9)))
		const what = "slope of the lateral acceleration over the steering-wheel angle, as long as that is within the " +
			"share of its amplitude"
		if first > last {
			return []Figure{figure("a_y_gain", what, "m/s2", math.NaN()).or(notReached)}
		}
		if rows < 1 || last-rows < first {
			return []Figure{figure("a_y_gain", what, "m/s2", math.NaN()).or("the run is shorter than the periods")}
		}
		first = last - rows
		steer := r.Steer[first : last+1]
		lateral, yaw := r.Lateral[first:last+1], r.YawRate[first:last+1]
		amplitude := math.Abs(steer[Peak(steer, 0, len(steer)-1)])
		slope := func(x []float64) float64 { return middle(steer, x, o.share) }
		area := 0.0
		for i := 1; i < len(steer); i++ {
			area += (lateral[i-1] + lateral[i]) / 2 * (steer[i] - steer[i-1]) / o.periods
		}
		const few = "less than two rows of both directions are within the share"
		const oneWay = "it does not pass 0 in both directions"
		list := []Figure{
			figure("delta_H", "largest steering-wheel angle", "rad", amplitude),
			figure("a_y", "largest lateral acceleration", "m/s2", math.Abs(lateral[Peak(lateral, 0, len(lateral)-1)])),
			figure("a_y_gain", what, "m/s2", slope(lateral)).or(few),
			figure("a_y_width",
				"lateral acceleration that is left when the steering wheel is in the middle: difference between both "+
					"directions", "m/s2", gap(steer, lateral)).or(oneWay),
			figure("delta_H_width", "steering-wheel angle at no lateral acceleration: difference between both directions",
				"rad", gap(lateral, steer)).or(oneWay),
			figure("a_y_area", "area of the loop of the lateral acceleration over the steering-wheel angle", "rad.m/s2",
				math.Abs(area)),
			figure("yaw_gain",
				"slope of the yaw rate over the steering-wheel angle, as long as that is within the share of its amplitude",
				"1/s", slope(yaw)).or(few),
			figure("yaw_width",
				"yaw rate that is left when the steering wheel is in the middle: difference between both directions",
				"rad/s", gap(steer, yaw)).or(oneWay),
		}
		if r.Hands == nil {
			return list
		}
		hands := r.Hands[first : last+1]
		return append(list,
			figure("M_H_stiffness",
				"slope of the torque of the driver over the steering-wheel angle, as long as that is within the share of "+
					"its amplitude", "N.m/rad", slope(hands)).or(few),
			figure("M_H_gain",
				"slope of that torque over the lateral acceleration, as long as that is within the share of its "+
					"largest", "N.m/(m/s2)", middle(lateral, hands, o.share)).or(few),
			figure("M_H_width",
				"torque that is left when the lateral acceleration is 0: difference between both directions", "N.m",
				gap(lateral, hands)).or(oneWay),
			figure("a_y_return", "lateral acceleration at no torque: difference between both directions", "m/s2",
				gap(hands, lateral)).or(oneWay),
		)
	}),
}

// overSteeringWheel draws the loops of lateral acceleration and of the torque of the driver over the angle of the
// steering wheel.
func overSteeringWheel(runs []*Record, _ Options) []Plot {
	hands := Signal{display.Quantity{Title: "Torque of the driver", SI: "N.m"},
		func(r *Record) []float64 { return r.Hands }}
	return []Plot{
		Overlaid("Loops of the lateral acceleration by steering wheel", runs, SteeringWheel, Lateral),
		Overlaid("Loops of the torque by steering wheel", runs, SteeringWheel, hands),
	}
}

// middle is the slope of y over u where u is within a share of its largest magnitude: the mean of the slopes with
// rising and with falling u. A single regression over a wide loop would tilt with one more row on one side.
func middle(u, y []float64, share float64) float64 {
	bound := share * math.Abs(u[Peak(u, 0, len(u)-1)])
	var us, ys [2][]float64
	for i := 1; i < len(u); i++ {
		if math.Abs(u[i]) <= bound {
			way := 0
			if u[i] < u[i-1] {
				way = 1
			}
			us[way], ys[way] = append(us[way], u[i]), append(ys[way], y[i])
		}
	}
	rising, _ := Regression(us[0], ys[0])
	falling, _ := Regression(us[1], ys[1])
	return (rising + falling) / 2
}

// gap is the difference between the means of y where u rises and where it falls through 0.
func gap(u, y []float64) float64 {
	var up, down []float64
	for i := 1; i < len(u); i++ {
		if a, b := u[i-1], u[i]; a != 0 && a*b <= 0 {
			value := y[i-1] + (y[i]-y[i-1])*a/(a-b)
			if b > a {
				up = append(up, value)
			} else {
				down = append(down, value)
			}
		}
	}
	return math.Abs(stat.Mean(up, nil) - stat.Mean(down, nil))
}

// runningOptions are the options of straight running.
type runningOptions struct {
	distance float64
}

func (o *runningOptions) Numbers() []Option {
	return []Option{
		above0(&o.distance, "distance", "m", "way along the line after which values are read"),
	}
}

// straightRunning is how far a car leaves a straight line with the steering wheel held, in the phase "run".
var straightRunning = Kind{
	Name:   "straight-running",
	Text:   "straight running with the steering wheel held",
	New:    func() Options { return new(runningOptions) },
	Answer: []string{"drift", "heading"},
	Phases: []string{"run"},
	Run: with(func(r *Record, o *runningOptions) []Figure {
		first, last := r.phase("run")
		const what = "way to the left of the line along which the body stood at the beginning, after the distance " +
			"along it"
		if first > last {
			return []Figure{figure("drift", what, "m", math.NaN()).or(notReached)}
		}
		x, y, yaw := r.Local(first)
		t := Crossing(r.Time, x, o.distance, first, last)
		return []Figure{
			read("drift", what, "m", At(r.Time, y, t), t).or("the run is shorter"),
			r.largest("drift_max", "largest distance from the line, to the left", "m", y, first, last),
			read("heading", "change of the yaw angle after that distance", "rad", At(r.Time, yaw, t),
				t).or("the run is shorter"),
			read("curvature", "yaw rate by the speed there", "1/m", At(r.Time, r.YawRate, t)/At(r.Time, r.Speed, t),
				t).or("the run is shorter"),
			read("a_y", "lateral acceleration there", "m/s2", At(r.Time, r.Lateral, t), t).or("the run is shorter"),
		}
	}),
}

// windOptions are the options of crosswind.
type windOptions struct {
	readAt float64
}

func (o *windOptions) Numbers() []Option {
	return []Option{
		from0(&o.readAt, "read_at", "s", "time after the beginning of the wind when values are read"),
	}
}

// crosswind is after ISO 12021: with the steering wheel held a car comes into wind from the side when the phase "wind"
// begins.
var crosswind = Kind{
	Plots:  overTime(YawRate),
	Name:   "crosswind",
	Text:   "crosswind with the steering wheel held, after ISO 12021",
	New:    func() Options { return new(windOptions) },
	Answer: []string{"deviation", "heading", "yaw_rate_max"},
	Phases: []string{"wind"},
	Run: with(func(r *Record, o *windOptions) []Figure {
		first, _ := r.phase("wind")
		last := len(r.Time) - 1
		const what = "way of the centre of mass to the left of the line along which the body stood when the wind " +
			"began, read_at after it"
		if first > last {
			return []Figure{figure("deviation", what, "m", math.NaN()).or(notReached)}
		}
		_, y, yaw := r.Local(first)
		at := r.Time[first] + o.readAt
		return []Figure{
			read("deviation", what, "m", At(r.Time, y, at), at).or("the run ends before"),
			read("heading", "change of the yaw angle, read_at after the wind began", "rad",
				At(r.Time, yaw, at), at).or("the run ends before"),
			r.largest("yaw_rate_max", "largest yaw rate", "rad/s", r.YawRate, first, last),
			r.largest("a_y_max", "largest lateral acceleration", "m/s2", r.Lateral, first, last),
			r.largest("roll_max", "largest roll angle", "rad", r.Roll, first, last),
		}
	}),
}
