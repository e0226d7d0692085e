package figures

import (
	"fmt"
	"math"
)

// Limit is a value that nothing exceeds, with the reason where it is not known.
type Limit struct {
	Value   float64
	Missing string
}

// distanceOptions are the options of the brake distance.
type distanceOptions struct {
	nominal, fromShare, toShare, locked, lockedTime, lockedAbove float64
}

func (o *distanceOptions) Numbers() []Option {
	return []Option{
		above0(&o.nominal, "nominal", "m/s", "speed for which the distance is corrected"),
		share(&o.fromShare, "from_share", "upper end of the fully developed deceleration, as a share of the initial speed"),
		share(&o.toShare, "to_share", "lower end of the fully developed deceleration, as a share of the initial speed"),
		share(&o.locked, "locked", "least magnitude of the slip of a locked wheel"),
		from0(&o.lockedTime, "locked_time", "s", "longest time that a wheel may be locked"),
		from0(&o.lockedAbove, "locked_above", "m/s", "speed above which a locked wheel counts"),
	}
}

// brakeDistance is after ISO 21994: the distance from the application of the brakes, in the phase "brake", to its end.
var brakeDistance = Kind{
	Plots:   speedOverWay,
	Name:    "brake-distance",
	Text:    "brake distance without locked wheels, after ISO 21994",
	New:     func() Options { return new(distanceOptions) },
	Answer:  []string{"distance", "mean_deceleration", "braking_bound", "bound_share", "lock_time", "highest_pedal"},
	Phases:  []string{"brake"},
	Bounded: true,
	Run:     with(ofDistance),
	All:     with(shortest),
}

// ofDistance are the figures of a run.
func ofDistance(r *Record, o *distanceOptions) []Figure {
	const phase = "brake"
	first, last := r.phase(phase)
	if first > last {
		return []Figure{figure("distance", distanceText, "m", math.NaN()).or(notReached),
			figure("unlocked", unlockedText, "1", math.NaN()).or(notReached)}
	}
	speed, way := make([]float64, len(r.Time)), make([]float64, len(r.Time))
	for i := first; i <= last; i++ {
		speed[i] = math.Hypot(r.Speed[i], r.Speed[i]*math.Tan(r.SideSlip[i]))
		if i > first {
			way[i] = way[i-1] + math.Hypot(r.X[i]-r.X[i-1], r.Y[i]-r.Y[i-1])
		}
	}
	v := speed[first]
	high, low := o.fromShare*v, o.toShare*v
	begin, end := Crossing(r.Time, speed, high, first, last), Crossing(r.Time, speed, low, first, last)
	developed := (high*high - low*low) / (2 * (At(r.Time, way, end) - At(r.Time, way, begin)))
	distance := figure("distance", distanceText, "m", way[last]*o.nominal*o.nominal/(v*v)).whole(r, phase)
	longest, name := r.longestLock(speed, first, last, o)
	unlocked := 0.0
	if distance.Missing == "" && longest <= o.lockedTime {
		unlocked = 1
	}
	_, aside, yaw := r.Local(first)
	return []Figure{
		distance,
		figure("mean_deceleration", developedText, "m/s2", developed).or("the speed does not fall so far"),
		r.bound(),
		figure("bound_share", "mean_deceleration by braking_bound", "1", developed/r.Bound.Value).or("one of both is " +
			"missing"),
		figure("lock_time", lockText+name, "s", longest),
		figure("unlocked", unlockedText, "1", unlocked),
		read("speed", "speed at which the brakes are applied", "m/s", v, r.Time[first]),
		figure("time", "time from the application of the brakes to the end", "s",
			r.Time[last]-r.Time[first]).whole(r, phase),
		r.largest("deviation_max",
			"largest distance of the centre of mass from the line along which the body stood, to the left", "m", aside,
			first, last),
		r.largest("yaw_max", "largest change of the yaw angle", "rad", yaw, first, last),
		r.largest("delta_H_max", "largest steering-wheel angle", "rad", r.Steer, first, last),
	}
}

const (
	distanceText  = "way from the application of the brakes to the end, for the speed nominal: s (v_nominal/v)^2"
	developedText = "mean fully developed deceleration, between the shares from_share and to_share of the speed: " +
		"(v_b^2 - v_e^2)/(2 s)"
	boundText    = "deceleration with every wheel at the peak of its tire, at the load that it then has"
	lockText     = "longest time that a wheel is locked above the speed locked_above"
	unlockedText = "1 if no wheel is locked for longer than locked_time above the speed locked_above and the run comes " +
		"to its end; else 0"
)

// bound is the largest deceleration that the tires allow.
func (r *Record) bound() Figure {
	if r.Bound.Missing != "" {
		return figure("braking_bound", boundText, "m/s2", math.NaN()).or("%s", r.Bound.Missing)
	}
	return figure("braking_bound", boundText, "m/s2", r.Bound.Value)
}

// longestLock is the longest time [s] that a wheel is locked, and the end of a definition with its name.
func (r *Record) longestLock(speed []float64, first, last int, o *distanceOptions) (longest float64, name string) {
	for tire := range r.tires() {
		begin := -1
		for i := first; i <= last; i++ {
			if !(tire.Slip[i] <= -o.locked && speed[i] > o.lockedAbove) {
				begin = -1
				continue
			}
			if begin < 0 {
				begin = i
			}
			if took := r.Time[i] - r.Time[begin]; took > longest {
				longest, name = took, ": "+tire.Name
			}
		}
	}
	return longest, name
}

// shortest are the figures of the run with the shortest distance among several without locked wheels.
func shortest(runs []*Record, o *distanceOptions) []Figure {
	if len(runs) < 2 {
		return nil // its own figures say all
	}
	var best []Figure
	value := func(list []Figure, id string) float64 {
		for _, f := range list {
			if f.ID == id {
				return f.Value
			}
		}
		return math.NaN()
	}
	at := 0
	for i, r := range runs {
		list := ofDistance(r, o)
		if value(list, "unlocked") == 1 && (best == nil || value(list, "distance") < value(best, "distance")) {
			best, at = list, i
		}
	}
	if best == nil {
		return []Figure{figure("distance", distanceText, "m", math.NaN()).or("a wheel locks in every run")}
	}
	for i := range best {
		best[i].Definition += fmt.Sprintf(", of run %d, the shortest without locked wheels", at+1)
	}
	return best[:4]
}
