package figures

import (
	"math"

	"gonum.org/v1/gonum/stat"
)

// articulatedSine is after ISO 14791: one period of a sine of the steering wheel, then straight ahead.
var articulatedSine = Kind{
	Plots:     overTime(YawRate, Lateral),
	Name:      "articulated-sine",
	Text:      "rearward amplification, after ISO 14791",
	New:       noOptions,
	Answer:    []string{"yaw_rate_amplification", "a_y_amplification", "articulation_max"},
	Phases:    []string{"sine", "after"},
	Following: true,
	Run: func(r *Record, _ Options) []Figure {
		first, _ := r.phase("sine")
		begin, last := r.phase("after")
		const wheel = "largest angle of the steering wheel"
		if first > last || begin > last {
			return []Figure{figure("delta_H", wheel, "rad", math.NaN()).or("the run did not reach the end of the sine")}
		}
		list := []Figure{figure("delta_H", wheel, "rad", math.Abs(r.Steer[Peak(r.Steer, first, last)]))}
		for _, s := range []struct {
			id, what, unit   string
			leads, following []float64
		}{{"a_y", "lateral acceleration", "m/s2", r.Lateral, r.Following.Lateral},
			{"yaw_rate", "yaw rate", "rad/s", r.YawRate, r.Following.YawRate}} {
			one := r.magnitude(s.id+"_first", s.what+" of the first unit: largest magnitude", s.unit, s.leads, first, last)
			two := r.magnitude(s.id+"_following", s.what+" of the following unit: largest magnitude", s.unit, s.following,
				first, last)
			list = append(list, one, two,
				figure(s.id+"_amplification", "rearward amplification: largest magnitude of the following unit "+
					"divided by the largest of the first",
					"1", two.Value/one.Value).or(stillGrows))
		}
		return append(list,
			r.magnitude("articulation_max", "largest magnitude of the angle between the units", "rad", r.articulation(),
				first, last),
			offTracked(r, first, last, "largest distance of the following point from the path of the first", 0))
	},
}

// articulatedTurn is a turn at low speed, along a path of the first unit's point.
var articulatedTurn = Kind{
	Name:      "articulated-turn",
	Text:      "off-tracking in a turn at low speed",
	New:       noOptions,
	Answer:    []string{"off_tracking"},
	Phases:    []string{"turn"},
	Following: true,
	Run: func(r *Record, _ Options) []Figure {
		first, last := r.phase("turn")
		const turns = "angle through which the first unit has turned"
		if first > last {
			return []Figure{figure("turned", turns, "rad", math.NaN()).or(notReached)}
		}
		turned := math.Remainder(r.Yaw[last]-r.Yaw[first], 2*math.Pi)
		wheel := r.magnitude("delta_H", "largest angle of the steering wheel", "rad", r.Steer, first, last)
		wheel.Time = math.NaN()
		return []Figure{
			figure("turned", turns, "rad", turned).whole(r, "turn"),
			wheel,
			r.magnitude("articulation_max", "largest magnitude of the angle between the units", "rad", r.articulation(),
				first, last),
			offTracked(r, first, last, "largest corner cutting: distance of the following point from the path of "+
				"the first unit, to the inside of the turn", math.Copysign(1, turned)),
		}
	},
}

// articulatedOptions are the options of braking in a bend.
type articulatedOptions struct {
	locked float64
}

func (o *articulatedOptions) Numbers() []Option {
	return []Option{
		share(&o.locked, "locked", "least magnitude of the slip of a locked wheel"),
	}
}

// articulatedBraking is braking in a bend: on a steady circle the brakes are applied in the phase "disturbed", while
// the steering is held.
var articulatedBraking = Kind{
	Plots:     overTime(YawRate),
	Name:      "articulated-braking",
	Text:      "braking of an articulated vehicle in a turn",
	New:       func() Options { return new(articulatedOptions) },
	Answer:    []string{"articulation_max", "deceleration", "locked"},
	Phases:    []string{"disturbed"},
	Following: true,
	Run: with(func(r *Record, o *articulatedOptions) []Figure {
		first, last := r.phase("disturbed")
		const what = "magnitude of the angle between the units when the brakes are applied"
		if first > last {
			return []Figure{figure("articulation", what, "rad", math.NaN()).or(notReached)}
		}
		joint := r.articulation()
		yawing := r.largest("yaw_rate_max", "largest yaw rate of the first unit divided by its yaw rate when the "+
			"brakes are applied", "1", r.YawRate, first, last)
		yawing.Value, yawing.Time = math.Abs(yawing.Value/r.YawRate[first]), math.NaN()
		deceleration := (r.Speed[first] - r.Speed[last]) / (r.Time[last] - r.Time[first])
		return []Figure{
			read("speed", "speed when the brakes are applied", "m/s", r.Speed[first], r.Time[first]),
			figure("a_y", "lateral acceleration when the brakes are applied", "m/s2", r.Lateral[first]),
			figure("deceleration", "mean deceleration from the application of the brakes to the end", "m/s2",
				deceleration).whole(r, "disturbed"),
			figure("articulation", what, "rad", math.Abs(joint[first])),
			r.magnitude("articulation_max", "jack-knife angle: largest magnitude of the angle between the units", "rad",
				joint, first, last),
			yawing.checked(),
			firstLocked(r, first, last, o.locked),
		}
	}),
}

// snakingOptions are the options of snaking.
type snakingOptions struct {
	share, readAt float64
}

func (o *snakingOptions) Numbers() []Option {
	return []Option{
		share(&o.share, "share", "least difference between extremes that count, as a share of the largest angle"),
		number(&o.readAt, "read_at", "m/s", "speed where damping_read is read"),
	}
}

// snaking is after ISO 9815: straight ahead, a pulse of the steering wheel makes the trailer swing, which decays in the
// phase "free".
var snaking = Kind{
	Plots:     overTime(YawRate),
	Name:      "snaking",
	Text:      "snaking of a trailer, after ISO 9815",
	New:       func() Options { return new(snakingOptions) },
	Answer:    []string{"damping_read", "zero_damping_speed"},
	Phases:    []string{"free"},
	Following: true,
	Run: with(func(r *Record, o *snakingOptions) []Figure {
		first, last := r.phase("free")
		if first > last {
			return []Figure{figure("damping", swinging, "1", math.NaN()).or(notReached)}
		}
		joint := r.articulation()
		widest := Peak(joint, first, last)
		frequency, damping := decaying(r.Time, joint, first, last, o.share*math.Abs(joint[widest]))
		return []Figure{
			figure("speed", "mean speed", "m/s", stat.Mean(r.Speed[first:last+1], nil)),
			r.magnitude("articulation_max", "largest magnitude of the angle between the units", "rad", joint, first, last),
			figure("frequency", "frequency of the angle between the units, from the times of its extremes", "Hz",
				frequency).or("it has less than two extremes"),
			figure("damping", swinging, "1", damping).or("it has less than three extremes"),
		}
	}),
	All: with(func(runs []*Record, o *snakingOptions) []Figure {
		var speeds, dampings []float64
		for _, r := range runs {
			first, last := r.phase("free")
			if first > last {
				continue
			}
			joint := r.articulation()
			if _, d := decaying(r.Time, joint, first, last,
				o.share*math.Abs(joint[Peak(joint, first, last)])); !math.IsNaN(d) {
				speeds, dampings = append(speeds, stat.Mean(r.Speed[first:last+1], nil)), append(dampings, d)
			}
		}
		slope, offset := Regression(speeds, dampings)
		const few = "fewer than two runs have a damping"
		zero := figure("zero_damping_speed", "speed where the line fitted to the damping over the speed is 0", "m/s",
			-offset/slope).or(few)
		if slope >= 0 {
			zero = figure(zero.ID, zero.Definition, zero.Unit,
				math.NaN()).or("the damping does not fall with the speed")
		}
		return []Figure{figure("damping_read", "damping on that line at the speed read_at", "1",
			offset+slope*o.readAt).or(few), zero}
	}),
}

const swinging = "damping ratio of the angle between the units, from the differences between its extremes"

// articulation is the heading of the following unit less that of the first, whole turns taken off [rad].
func (r *Record) articulation() []float64 {
	joint := make([]float64, len(r.Time))
	for i := range joint {
		joint[i] = math.Remainder(r.Following.Yaw[i]-r.Yaw[i], 2*math.Pi)
	}
	return joint
}

// magnitude is the largest magnitude of x from row first to row last.
func (r *Record) magnitude(id, definition, unit string, x []float64, first, last int) Figure {
	f := r.largest(id, definition, unit, x, first, last)
	f.Value = math.Abs(f.Value)
	return f
}

// offTracked is the off-tracking, to the inside of a turn to a side, or its magnitude for the side 0.
func offTracked(r *Record, first, last int, definition string, side float64) Figure {
	off, at := offTracking(r, first, last)
	value := side * off
	if side == 0 {
		value = math.Abs(off)
	}
	f := read("off_tracking", definition, "m", value, at)
	if r.cut(r.row(at)) {
		return f.without(stillGrows)
	}
	return f
}

// offTracking is the largest distance of the following point to the left of the path of the first one [m], seen along
// that path, and when it is there. The path begins at row 0, and the search for its nearest piece only goes forward.
func offTracking(r *Record, first, last int) (off, time float64) {
	piece := 0
	for i := first; i <= last; i++ {
		x, y := r.Following.X[i], r.Following.Y[i]
		away := func(k int) float64 { return math.Hypot(x-r.X[k], y-r.Y[k]) }
		for piece < i && away(piece+1) <= away(piece) {
			piece++
		}
		dx, dy := r.X[min(piece+1, last)]-r.X[max(piece-1, 0)], r.Y[min(piece+1, last)]-r.Y[max(piece-1, 0)]
		if d := (dx*(y-r.Y[piece]) - dy*(x-r.X[piece])) / math.Hypot(dx, dy); math.Abs(d) > math.Abs(off) {
			off, time = d, r.Time[i]
		}
	}
	return off, time
}
