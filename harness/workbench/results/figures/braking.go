package figures

import (
	"math"

	"skidpad/harness/workbench/results/display"
)

// brakingOptions are the options of straight braking.
type brakingOptions struct {
	fromShare, toShare, locked, readAt, creepWindow float64
}

func (o *brakingOptions) Numbers() []Option {
	return []Option{
		share(&o.fromShare, "from_share", "upper end of the fully developed deceleration, as a share of the initial speed"),
		share(&o.toShare, "to_share", "lower end of the fully developed deceleration, as a share of the initial speed"),
		share(&o.locked, "locked", "least magnitude of the slip of a locked wheel"),
		from0(&o.readAt, "read_at", "s", "time after the application of the brakes when the yaw rate is read"),
		above0(&o.creepWindow, "creep_window", "s", "end of the phase rest over which the creep is read"),
	}
}

// straightBraking is after ISO 21994. The braking lasts from the application of the brakes to the end of the phase
// "brake"; the motion in a later phase "rest" is the creep.
var straightBraking = Kind{
	Plots:  speedOverWay,
	Name:   "straight-braking",
	Text:   "straight-line braking, after ISO 21994",
	New:    func() Options { return new(brakingOptions) },
	Answer: []string{"distance", "mean_deceleration", "time", "speed", "deviation_max"},
	Phases: []string{"brake"},
	Run: with(func(r *Record, o *brakingOptions) []Figure {
		const phase = "brake"
		first, last := r.phase(phase)
		const applied = "speed at which the brakes are applied"
		if first > last {
			return []Figure{figure("speed", applied, "m/s", math.NaN()).or(notReached)}
		}
		way := make([]float64, len(r.Time))
		for i := first + 1; i <= last; i++ {
			way[i] = way[i-1] + math.Hypot(r.X[i]-r.X[i-1], r.Y[i]-r.Y[i-1])
		}
		v := r.Speed[first]
		high, low := o.fromShare*v, o.toShare*v
		begin, end := Crossing(r.Time, r.Speed, high, first, last), Crossing(r.Time, r.Speed, low, first, last)
		developed := (high*high - low*low) / (2 * (At(r.Time, way, end) - At(r.Time, way, begin)))
		list := []Figure{
			read("speed", applied, "m/s", v, r.Time[first]),
			read("end_speed", "speed at the end", "m/s", r.Speed[last], r.Time[last]).whole(r, phase),
			figure("distance", "way from the application of the brakes to the end", "m", way[last]).whole(r, phase),
			figure("time", "time from the application of the brakes to the end", "s",
				r.Time[last]-r.Time[first]).whole(r, phase),
			figure("mean_deceleration", developedText, "m/s2", developed).or("the speed does not fall so far"),
			dive(r, first, last),
		}
		if len(r.Front) > 0 {
			change := make([]float64, len(r.Time))
			for _, tire := range r.Front {
				for i, load := range tire.Load {
					change[i] += load - tire.Load[first]
				}
			}
			list = append(list, r.largest("load_transfer", "largest change of the front axle's load", "N", change, first,
				last))
		}
		at := r.Time[first] + o.readAt
		x, y, yaw := r.Local(first)
		yawRate := read("yaw_rate", "yaw rate read_at after the brakes are applied", "rad/s", At(r.Time, r.YawRate, at), at)
		if !(at <= r.Time[last]) {
			yawRate = yawRate.without("the braking ends before")
		}
		list = append(list, firstLocked(r, first, last, o.locked),
			yawRate.or("the braking ends before"),
			r.largest("deviation_max",
				"largest distance of the centre of mass from the line along which the body stood, to the left", "m", y, first,
				last),
			r.largest("yaw_max", "largest change of the yaw angle", "rad", yaw, first, last),
			r.largest("delta_H_max", "largest steering-wheel angle", "rad", r.Steer, first, last),
		)
		return append(list,
			figure("creep",
				"largest way of the centre of mass from its last place in the last creep_window of the phase rest", "m",
				creep(r, x, y, o.creepWindow)).or("the vehicle does not rest so long"))
	}),
}

// speedOverWay draws the speed over the way from where the brakes are applied.
func speedOverWay(runs []*Record, _ Options) []Plot {
	way := Signal{display.Quantity{Title: "way from the application of the brakes", SI: "m"}, func(r *Record) []float64 {
		if first, last := r.phase("brake"); first <= last {
			return r.way(first)[first : last+1]
		}
		return nil
	}}
	speed := Signal{Speed.Quantity, func(r *Record) []float64 {
		first, last := r.phase("brake")
		return r.Speed[min(first, last+1) : last+1]
	}}
	return []Plot{Overlaid("Speed over the way of braking", runs, way, speed)}
}

// dive is the largest pitch angle, front down, of a braked body. It is missing where the front is up, as on a
// slope, and where the angle is largest when the brakes are applied.
func dive(r *Record, first, last int) Figure {
	const id, what = "pitch_max", "largest pitch angle, front down"
	row := Peak(mapped(r.Pitch, func(v float64) float64 { return max(v, 0) }), first, last)
	f := read(id, what, "rad", r.Pitch[row], r.Time[row])
	switch {
	case !(r.Pitch[row] > 0):
		return f.without("the front does not go below the rear")
	case row == first:
		return f.without("it is largest when the brakes are applied")
	case r.cut(row):
		return f.without(stillGrows)
	}
	return f
}

// firstLocked is when the first wheel locks.
func firstLocked(r *Record, first, last int, slip float64) Figure {
	const id, what = "locked", "time from the start of braking until the first wheel has the slip -locked"
	earliest, name := math.Inf(1), ""
	for _, tires := range [][]Tire{r.Front, r.Rear} {
		for _, tire := range tires {
			if t := Crossing(r.Time, tire.Slip, -slip, first, last); t < earliest {
				earliest, name = t, tire.Name
			}
		}
	}
	if name == "" {
		return figure(id, what, "s", math.NaN()).or("no wheel locks")
	}
	return read(id, what+": "+name, "s", earliest-r.Time[first], earliest)
}

// creep is the largest distance from the last place in the last seconds of the phase "rest" [m].
func creep(r *Record, x, y []float64, window float64) float64 {
	first, last := r.phase("rest")
	if first > last || r.Time[last]-r.Time[first] < window*(1-1e-9) {
		return math.NaN()
	}
	most := 0.0
	for i := r.row(r.Time[last] - window); i <= last; i++ {
		most = max(most, math.Hypot(x[i]-x[last], y[i]-y[last]))
	}
	return most
}
