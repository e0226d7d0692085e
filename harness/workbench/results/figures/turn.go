package figures

import "math"

// turnOptions are the options of a disturbed turn.
type turnOptions struct {
	radius, firstTime, secondTime, early, locked float64
}

func (o *turnOptions) Numbers() []Option {
	return []Option{
		number(&o.radius, "radius", "m", "radius of the circle"),
		from0(&o.firstTime, "first_time", "s", "time of the first reading"),
		from0(&o.secondTime, "second_time", "s", "time of the second reading"),
		above0(&o.early, "early", "s", "time over which the yaw acceleration is fitted"),
		share(&o.locked, "locked", "least magnitude of the slip of a locked wheel"),
	}
}

// disturbedTurn is after ISO 9816 (power-off) and ISO 7975 (braking). The vehicle drives a steady circle of the given
// radius with held steering; the phase "disturbed" takes the driving torque away or brakes. Times count from its
// beginning.
var disturbedTurn = Kind{
	Plots:  overTime(YawRate, SideSlipAngle),
	Name:   "disturbed-turn",
	Text:   "power-off and braking in a turn, after ISO 9816 and ISO 7975",
	New:    func() Options { return new(turnOptions) },
	Answer: []string{"yaw_ratio_extreme_1", "yaw_ratio_extreme_2", "deviation_1", "deceleration"},
	Phases: []string{"disturbed"},
	Run: with(func(r *Record, o *turnOptions) []Figure {
		first, last := r.phase("disturbed")
		if first > last {
			return []Figure{figure("yaw_ratio_1", yawRatio+"first_time", "1",
				math.NaN()).or(notReached)}
		}
		begin := r.Time[first]
		turn := yawing(r)
		side := math.Copysign(1, turn[first])
		radius := side * math.Abs(o.radius)
		yaw, lateral := make([]float64, len(r.Time)), make([]float64, len(r.Time))
		slip, away := make([]float64, len(r.Time)), make([]float64, len(r.Time))
		// the circle passes through the centre of mass, tangential to its velocity
		sin, cos := math.Sincos(r.Yaw[first] + r.SideSlip[first])
		x, y := r.X[first]-sin*radius, r.Y[first]+cos*radius
		for i := range r.Time {
			v := r.Speed[i] / math.Cos(r.SideSlip[i])
			yaw[i] = turn[i] / (v / radius)
			lateral[i] = r.Lateral[i] / (v * v / radius)
			slip[i] = side * (r.SideSlip[i] - r.SideSlip[first])
			away[i] = math.Hypot(r.X[i]-x, r.Y[i]-y) - math.Abs(radius)
		}
		list := []Figure{
			read("speed", "speed when it begins", "m/s", r.Speed[first], begin),
			read("a_y", "lateral acceleration when it begins", "m/s2", r.Lateral[first], begin),
			read("yaw_ratio_0", yawRatio+"the beginning", "1", yaw[first], begin),
		}
		const short = "the run ends before"
		for n, at := range []float64{o.firstTime, o.secondTime} {
			id, when := []string{"_1", "_2"}[n], []string{"first_time", "second_time"}[n]
			end := r.row(begin + at)
			worst := Peak(mapped(yaw, func(v float64) float64 { return v - 1 }), first, min(end, last))
			extreme := read("yaw_ratio_extreme"+id, "rate of the yaw angle by v/R up to "+when+": the value "+
				"farthest from 1", "1", yaw[worst],
				r.Time[worst])
			if math.IsNaN(At(r.Time, yaw, begin+at)) {
				extreme = extreme.without(short)
			}
			list = append(list,
				read("yaw_ratio"+id, yawRatio+when, "1", At(r.Time, yaw, begin+at), begin+at).or(short),
				extreme,
				read("a_y_ratio"+id, "lateral acceleration by v^2/R at "+when, "1", At(r.Time, lateral, begin+at),
					begin+at).or(short),
				read("side_slip_change"+id, "change of the side-slip angle up to "+when+
					", negative where the vehicle turns its front into the circle", "rad", At(r.Time, slip, begin+at),
					begin+at).or(short),
				read("deviation"+id, "distance of the centre of mass from the circle at "+when+", inwards negative",
					"m", At(r.Time, away, begin+at), begin+at).or(short),
			)
		}
		// the first row's rate is half that of the circle
		from, to := min(first+1, last), min(r.row(begin+o.early), last)+1
		rate, _ := Regression(r.Time[from:to], scaled(turn[from:to], side))
		if !(begin+o.early <= r.Time[last]+r.step()/2) {
			rate = math.NaN()
		}
		one, two := begin+o.firstTime, begin+o.secondTime
		return append(list,
			figure("yaw_acceleration",
				"slope of the rate of the yaw angle over the time early, into the circle positive", "rad/s2",
				rate).or(short),
			figure("deceleration", "mean deceleration between first_time and second_time", "m/s2",
				(At(r.Time, r.Speed, one)-At(r.Time, r.Speed, two))/(two-one)).or(short),
			firstLocked(r, first, last, o.locked),
		)
	}),
}

const yawRatio = "rate of the yaw angle by v/R at "

// yawing is the rate of the yaw angle, v/R on a circle. The rate about the vertical axis of the body is smaller by the
// factor cos(roll angle).
func yawing(r *Record) []float64 {
	rate := make([]float64, len(r.Yaw))
	for i := range rate {
		before, after := max(i-1, 0), min(i+1, len(rate)-1)
		if after > before {
			rate[i] = math.Remainder(r.Yaw[after]-r.Yaw[before], 2*math.Pi) / (r.Time[after] - r.Time[before])
		}
	}
	return rate
}
