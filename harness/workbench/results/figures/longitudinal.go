package figures

import (
	"fmt"
	"math"
)

// standingOptions are the options of a vehicle that stands.
type standingOptions struct {
	window float64
}

func (o *standingOptions) Numbers() []Option {
	return []Option{
		above0(&o.window, "window", "s", "end of the phase that is evaluated"),
	}
}

// standing is how a vehicle stands in the phase "stand", over its last window.
var standing = Kind{
	Plots:  overTime(Speed),
	Name:   "standing",
	Text:   "a vehicle that stands",
	New:    func() Options { return new(standingOptions) },
	Answer: []string{"drift", "speed_rms"},
	Phases: []string{"stand"},
	Run: with(func(r *Record, o *standingOptions) []Figure {
		first, last := r.phase("stand")
		if first > last {
			return []Figure{figure("speed_rms", speedRMS, "m/s", math.NaN()).or(notReached)}
		}
		if r.Time[last]-r.Time[first] < o.window*(1-1e-9) {
			return []Figure{figure("speed_rms", speedRMS, "m/s", math.NaN()).or("the vehicle does not stand so long")}
		}
		sum, most := 0.0, 0.0
		from := r.row(r.Time[last] - o.window)
		for i := from; i <= last; i++ {
			vy := r.Speed[i] * math.Tan(r.SideSlip[i])
			if r.Speed[i] == 0 {
				vy = 0
			}
			sum += r.Speed[i]*r.Speed[i] + vy*vy
			most = max(most, math.Hypot(r.X[i]-r.X[from], r.Y[i]-r.Y[from]))
		}
		return []Figure{
			figure("speed_rms", speedRMS, "m/s", math.Sqrt(sum/float64(last+1-from))),
			figure("drift", "largest way of the centre of mass from where it was when the window began", "m", most),
			figure("turn", "change of the yaw angle in the window", "rad", r.Yaw[last]-r.Yaw[from]),
		}
	}),
}

const speedRMS = "root mean square of the speed of the centre of mass in the ground plane, over the last window"

// accelerationOptions are the options of an acceleration.
type accelerationOptions struct {
	from, to float64
}

func (o *accelerationOptions) Numbers() []Option {
	return []Option{
		number(&o.from, "from", "m/s", "speed where the time and the distance begin"),
		number(&o.to, "to", "m/s", "speed where the time and the distance end"),
	}
}

// acceleration is how fast a vehicle gets faster in the phase "accelerate".
var acceleration = Kind{
	Plots:  overTime(Speed),
	Name:   "acceleration",
	Text:   "acceleration between two speeds",
	New:    func() Options { return new(accelerationOptions) },
	Answer: []string{"time", "distance", "speed_max"},
	Phases: []string{"accelerate"},
	Run: with(func(r *Record, o *accelerationOptions) []Figure {
		first, last := r.phase("accelerate")
		if first > last {
			return []Figure{figure("time", "time from the speed from to the speed to", "s",
				math.NaN()).or(notReached)}
		}
		way := r.way(first)
		// begin is the last time before end when the vehicle becomes faster than the speed from
		begin, end := math.NaN(), rising(r.Time, r.Speed, o.to, first, last)
		why := "the vehicle does not reach the speed to"
		if !math.IsNaN(end) {
			why = "the vehicle is faster than the speed from at the beginning already; from standstill give a small one, such " +
				"as from=0.1"
			for i := r.row(end); i >= first && math.IsNaN(begin); i-- {
				if t := rising(r.Time, r.Speed, o.from, i, min(i+1, last)); t <= end {
					begin = t
				}
			}
		}
		fastest := Peak(r.Speed, first, last)
		return []Figure{
			figure("time", "time from the speed from to the speed to", "s", end-begin).or("%s", why),
			figure("distance", "way from the speed from to the speed to", "m",
				At(r.Time, way, end)-At(r.Time, way, begin)).or("%s", why),
			read("speed_max", "largest speed of the phase", "m/s", r.Speed[fastest], r.Time[fastest]),
		}
	}),
}

// rising is the first time from row first to row last when x reaches a level from below, interpolated linearly; NaN if
// it does not.
func rising(time, x []float64, level float64, first, last int) float64 {
	for i := first; i < last; i++ {
		if x[i] <= level && x[i+1] > level {
			return Crossing(time, x, level, i, i+1)
		}
	}
	return math.NaN()
}

// way is the distance from where the centre of mass is in a row.
func (r *Record) way(row int) []float64 {
	way := make([]float64, len(r.X))
	for i := range way {
		way[i] = math.Hypot(r.X[i]-r.X[row], r.Y[i]-r.Y[row])
	}
	return way
}

// restOptions are the options of an acceleration from rest.
type restOptions struct {
	to, begin, near, far float64
}

func (o *restOptions) Numbers() []Option {
	return []Option{
		number(&o.to, "to", "m/s", "speed where the time and the distance end"),
		from0(&o.begin, "begin", "m", "way from the start to the line where times and distances begin").or("0"),
		above0(&o.near, "near", "m", "distance whose time and speed are values").or("400"),
		above0(&o.far, "far", "m", "second distance whose time and speed are values").or("1000"),
	}
}

// accelerationFromRest is how fast a vehicle gets away, from the beginning of the phase "accelerate", or from a line
// ahead of it, to the end of the run.
var accelerationFromRest = Kind{
	Plots:  overTime(Speed),
	Name:   "acceleration-from-rest",
	Text:   "acceleration from standstill",
	New:    func() Options { return new(restOptions) },
	Answer: []string{"time", "time_400", "time_1000", "speed_1000", "time_75"},
	Phases: []string{"accelerate"},
	Run: with(func(r *Record, o *restOptions) []Figure {
		first, _ := r.phase("accelerate")
		from := "the beginning of the phase"
		if o.begin > 0 {
			from = "the line where times begin"
		}
		what := "time from " + from + " to the speed to"
		last := len(r.Time) - 1
		const standstill = 0.1 // m/s
		switch {
		case first > last:
			return []Figure{figure("time", what, "s", math.NaN()).or(notReached)}
		case !(math.Abs(r.Speed[first]) <= standstill):
			return []Figure{figure("time", what, "s", math.NaN()).or("the vehicle does not stand at the beginning of the "+
				"phase, where it moves at %.3g m/s", r.Speed[first])}
		}
		const slow, short = "the vehicle does not reach this speed", "the vehicle does not travel this far"
		way, begin := r.way(first), r.Time[first]
		if o.begin > 0 {
			begin = Crossing(r.Time, way, o.begin, first, last)
		}
		passed := Crossing(r.Time, r.Speed, o.to, first, last)
		list := []Figure{
			figure("time", what, "s", passed-begin).or(slow),
			figure("distance", "way from "+from+" to the speed to", "m", At(r.Time, way, passed)-o.begin).or(slow),
		}
		for _, mark := range []float64{o.near, o.far} {
			at := Crossing(r.Time, way, o.begin+mark, first, last)
			list = append(list,
				figure(fmt.Sprintf("time_%g", mark), fmt.Sprintf("time from %s over a way of %g m", from, mark), "s",
					at-begin).or(short),
				figure(fmt.Sprintf("speed_%g", mark), "speed there", "m/s", At(r.Time, r.Speed, at)).or(short))
		}
		return list
	}),
}

// coastOptions are the options of coasting.
type coastOptions struct {
	from, to, window float64
}

func (o *coastOptions) Numbers() []Option {
	return []Option{
		number(&o.from, "from", "m/s", "speed at which the evaluation begins"),
		number(&o.to, "to", "m/s", "speed at which the evaluation ends"),
		above0(&o.window, "window", "s", "over which decelerations are differences of speeds"),
	}
}

// coastDown is how a vehicle gets slower by itself in the phase "coast": its deceleration is fitted by a0 + a2 v^2, of
// rolling resistance and of drag.
var coastDown = Kind{
	Plots:  overTime(Speed),
	Name:   "coast-down",
	Text:   "coasting between two speeds",
	New:    func() Options { return new(coastOptions) },
	Answer: []string{"a0", "a2", "time"},
	Phases: []string{"coast"},
	Run: with(func(r *Record, o *coastOptions) []Figure {
		first, last := r.phase("coast")
		const fit = "deceleration fitted by a0 + a2 v^2, from the speed from to the speed to, in differences over " +
			"the window: "
		if first > last {
			return []Figure{figure("a0", fit+"a0", "m/s2", math.NaN()).or(notReached)}
		}
		begin, end := Crossing(r.Time, r.Speed, o.from, first, last), Crossing(r.Time, r.Speed, o.to, first, last)
		if math.IsNaN(begin) || math.IsNaN(end) {
			return []Figure{figure("a0", fit+"a0", "m/s2",
				math.NaN()).or("the vehicle does not coast from one to the other speed")}
		}
		// the mean of v^2 over a difference of time is (v1^2 + v1 v2 + v2^2)/3, where the deceleration is even
		var squares, rates []float64
		if !(o.window >= r.step()*(1-1e-9)) { // shorter windows hold no other differences
			return []Figure{figure("a0", fit+"a0", "m/s2",
				math.NaN()).or("the window of %g s is shorter than a step of the run", o.window)}
		}
		for t := begin; t+o.window <= end*(1+1e-12); t += o.window {
			v1, v2 := At(r.Time, r.Speed, t), At(r.Time, r.Speed, t+o.window)
			squares, rates = append(squares, (v1*v1+v1*v2+v2*v2)/3), append(rates, (v1-v2)/o.window)
		}
		a2, a0 := Regression(squares, rates)
		return []Figure{
			figure("a0", fit+"a0", "m/s2", a0).or("the run has less than two windows"),
			figure("a2", fit+"a2", "1/m", a2).or("the run has less than two windows"),
			figure("time", "time from the speed from to the speed to", "s", end-begin),
		}
	}),
}
