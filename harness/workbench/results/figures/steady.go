package figures

import (
	"math"

	"gonum.org/v1/gonum/stat"

	"skidpad/harness/workbench/results/display"
)

// overLateral shows what is steady over the lateral acceleration.
func overLateral(runs []*Record, _ Options) []Plot {
	over := Signal{display.Quantity{Title: "a_y", SI: "m/s2"}, Lateral.Of}
	return []Plot{
		Overlaid("Steering wheel by lateral acceleration", runs, over, SteeringWheel),
		Overlaid("Side-slip angle by lateral acceleration", runs, over, SideSlipAngle),
		Overlaid("Roll angle by lateral acceleration", runs, over, Roll),
	}
}

// fitRange are the lateral accelerations between which lines are fitted.
type fitRange struct{ regressionFrom, regressionTo float64 }

func (o *fitRange) Numbers() []Option {
	return []Option{
		number(&o.regressionFrom, "regression_from", "m/s2", "lateral acceleration where the regression begins"),
		number(&o.regressionTo, "regression_to", "m/s2", "lateral acceleration where the regression ends"),
	}
}

// steerOptions are the options of slowly increasing steer.
type steerOptions struct {
	fitRange
	readAt, departure float64
}

func (o *steerOptions) Numbers() []Option {
	return append(o.fitRange.Numbers(),
		number(&o.readAt, "read_at", "m/s2", "lateral acceleration where A is read"),
		from0(&o.departure, "departure", "1",
			"departure of the angle from the line at the end of the linear range, as a share of the line"))
}

// slowlyIncreasingSteer is after FMVSS 126: A is the angle of the steering wheel at a given lateral acceleration.
var slowlyIncreasingSteer = Kind{
	Plots:  overLateral,
	Name:   "slowly-increasing-steer",
	Text:   "slowly increasing steer, after FMVSS 126",
	New:    func() Options { return new(steerOptions) },
	Answer: []string{"A", "steering_gradient", "linear_range", "a_y_max"},
	Phases: []string{"ramp"},
	Run: with(func(r *Record, o *steerOptions) []Figure {
		ramp := newRamp(r, "ramp")
		slope, offset := ramp.line(ramp.steer, o.fitRange)
		return []Figure{
			figure("A_run",
				"steering-wheel angle at the lateral acceleration read_at, on the line fitted from regression_from to "+
					"regression_to", "rad", slope*o.readAt+offset).or(noRange),
			figure("steering_gradient", "slope of that line", "rad/(m/s2)", slope).or(noRange),
			ramp.departure(slope, offset, o.regressionTo, o.departure),
			ramp.most(),
		}
	}),
	All: with(func(runs []*Record, o *steerOptions) []Figure {
		var angles []float64
		for _, r := range runs {
			ramp := newRamp(r, "ramp")
			slope, offset := ramp.line(ramp.steer, o.fitRange)
			angles = append(angles, slope*o.readAt+offset)
		}
		const tenth = math.Pi / 1800 // 0.1 deg
		return []Figure{figure("A", "mean of A_run over the runs, rounded to 0.1 deg", "rad",
			math.Round(stat.Mean(angles, nil)/tenth)*tenth).or(noRange)}
	}),
}

const noRange = "the lateral acceleration does not pass from regression_from to regression_to, or the ratio of the " +
	"steering is not known: state it in [roles]"

// circleOptions are the options of steady circles.
type circleOptions struct {
	fitRange
	wheelbase, local, readAt float64
}

func (o *circleOptions) Numbers() []Option {
	return append(o.fitRange.Numbers(),
		above0(&o.wheelbase, "wheelbase", "m", "wheelbase of the vehicle"),
		above0(&o.local, "local", "m/s2", "width of the regressions that look for the doubled gradient"),
		number(&o.readAt, "read_at", "m/s2", "lateral acceleration where delta_H is read"))
}

var circleAnswer = []string{"K_u_mean", "characteristic_speed", "critical_speed", "delta_H_mean", "side_slip_gradient",
	"roll_gradient", "a_y_max"}

// steadyCircleSpeed and steadyCircleRadius are after ISO 4138, at constant speed or constant radius.
var (
	steadyCircleSpeed = Kind{
		Plots:  overLateral,
		Name:   "steady-circle-speed",
		Text:   "steady circle at constant speed, after ISO 4138",
		New:    func() Options { return new(circleOptions) },
		Answer: circleAnswer,
		Phases: []string{"ramp"},
		Run:    with(func(r *Record, o *circleOptions) []Figure { return newRamp(r, "ramp").circle(r, o) }),
		All:    with(bothSides),
	}
	steadyCircleRadius = Kind{
		Plots:  overLateral,
		Name:   "steady-circle-radius",
		Text:   "steady circle of constant radius, after ISO 4138",
		New:    func() Options { return new(circleOptions) },
		Answer: circleAnswer,
		Phases: []string{"ramp"},
		Run: with(func(r *Record, o *circleOptions) []Figure {
			first, last := r.phase("ramp")
			const id, what = "tangent_speed", "speed with the side-slip angle 0"
			tangent := figure(id, what, "m/s", math.NaN()).or(notReached)
			if first <= last {
				for first < last && r.SideSlip[first] == 0 { // a car at rest has none
					first++
				}
				t := Crossing(r.Time, r.SideSlip, 0, first, last)
				tangent = read(id, what, "m/s", At(r.Time, r.Speed, t), t).or("the side-slip angle keeps its sign")
			}
			return append(newRamp(r, "ramp").circle(r, o), tangent)
		}),
		All: with(bothSides),
	}
)

func bothSides(runs []*Record, o *circleOptions) []Figure {
	var gradients, angles []float64
	for _, r := range runs {
		ramp := newRamp(r, "ramp")
		gradients = append(gradients, ramp.gradient(r.Ratio, o))
		angles = append(angles, ramp.angle(o.readAt).Value)
	}
	k := stat.Mean(gradients, nil)
	return append([]Figure{
		figure("delta_H_mean", "mean of delta_H over the runs", "rad",
			stat.Mean(angles, nil)).or("a run does not reach read_at"),
		figure("K_u_mean", "mean of K_u over the runs", "rad/(m/s2)", k).or(noRange),
	}, speeds(k, o.wheelbase)...)
}

// ramp has the rows of a quasi-static run up to its largest lateral acceleration, to the left.
type ramp struct {
	time, steer, lateral, slip, roll, curvature []float64
	hands                                       []float64 // nil where the steering wheel is not free
	rises                                       bool      // until the phase ends, which is all that ends it
}

func newRamp(r *Record, phase string) *ramp {
	first, last := r.phase(phase)
	end := Peak(r.Lateral, first, last)
	if end < 0 {
		return &ramp{}
	}
	side := math.Copysign(1, r.Lateral[end])
	part := func(x []float64) []float64 { return scaled(x[first:end+1], side) }
	p := &ramp{time: r.Time[first : end+1], steer: part(r.Steer), lateral: part(r.Lateral), slip: part(r.SideSlip),
		roll: part(r.Roll)}
	if r.Hands != nil {
		p.hands = part(r.Hands)
	}
	for i, a := range p.lateral {
		v := r.Speed[first+i]
		p.curvature = append(p.curvature, a/(v*v))
	}
	// At its limit a vehicle no longer answers to the steering, or to the speed, as in the run before. In a slow or short
	// run, whose last tenth is less than 1 % anyway, the mean slope tells.
	before := r.row(r.Time[last] - (r.Time[last]-r.Time[first])/10)
	rise, all := side*(r.Lateral[last]-r.Lateral[before]), side*(r.Lateral[last]-r.Lateral[first])
	const share = 0.2 / 10 // of the mean slope, over a tenth
	p.rises = end >= before && rise > min(0.01*math.Abs(r.Lateral[end]), share*all)
	return p
}

// covers reports whether the lateral acceleration passes through the range of the regression.
func (p *ramp) covers(o fitRange) bool {
	n := len(p.lateral)
	return n > 0 && p.lateral[0] <= o.regressionFrom && p.lateral[n-1] >= o.regressionTo
}

// line fits y over the lateral acceleration in the range of the regression; NaN where the run does not pass through it.
func (p *ramp) line(y []float64, o fitRange) (slope, offset float64) {
	if !p.covers(o) {
		return math.NaN(), math.NaN()
	}
	return p.regression(y, o.regressionFrom, o.regressionTo)
}

// gradient is K_u in the range of the regression; NaN where the run does not pass through it.
func (p *ramp) gradient(ratio float64, o *circleOptions) float64 {
	if !p.covers(o.fitRange) {
		return math.NaN()
	}
	return p.understeer(ratio, o.wheelbase, o.regressionFrom, o.regressionTo)
}

// regression fits y over the lateral acceleration between two of its values.
func (p *ramp) regression(y []float64, from, to float64) (slope, offset float64) {
	var xs, ys []float64
	for i, a := range p.lateral {
		if a >= from && a <= to {
			xs, ys = append(xs, a), append(ys, y[i])
		}
	}
	return Regression(xs, ys)
}

// understeer is K_u = (1/i_S) d(delta_H)/d(a_y) - l d(1/R)/d(a_y), with 1/R = a_y/v^2.
func (p *ramp) understeer(ratio, wheelbase, from, to float64) float64 {
	steer, _ := p.regression(p.steer, from, to)
	curvature, _ := p.regression(p.curvature, from, to)
	return steer/ratio - wheelbase*curvature
}

func (p *ramp) circle(r *Record, o *circleOptions) []Figure {
	slope := func(y []float64) float64 { s, _ := p.line(y, o.fitRange); return s }
	k := p.gradient(r.Ratio, o)
	list := []Figure{
		figure("steering_gradient", "slope of the steering-wheel angle over a_y, from regression_from to regression_to",
			"rad/(m/s2)", slope(p.steer)).or(noRange),
		figure("K_u", "understeer gradient: steering_gradient/ratio - wheelbase d(1/R)/d(a_y)", "rad/(m/s2)",
			k).or(noRange),
		figure("side_slip_gradient", "slope of the side-slip angle over a_y", "rad/(m/s2)", slope(p.slip)).or(noRange),
		figure("roll_gradient", "slope of the roll angle over a_y", "rad/(m/s2)", slope(p.roll)).or(noRange),
	}
	if p.hands != nil {
		list = append(list, figure("steering_torque_gradient",
			"slope of the torque of the driver on the steering wheel over a_y", "N.m/(m/s2)", slope(p.hands)).or(noRange))
	}
	list = append(list, speeds(k, o.wheelbase)...)
	return append(list, p.angle(o.readAt), p.doubled(k, r.Ratio, o), p.most())
}

// angle is the steering-wheel angle at a lateral acceleration.
func (p *ramp) angle(lateral float64) Figure {
	const id, what = "delta_H", "steering-wheel angle, to the side of the circle, at the lateral acceleration read_at"
	t := Crossing(p.time, p.lateral, lateral, 0, len(p.time)-1)
	if math.IsNaN(t) {
		return figure(id, what, "rad", t).or("the lateral acceleration does not reach read_at")
	}
	return read(id, what, "rad", At(p.time, p.steer, t), t)
}

// speeds are the characteristic speed of an understeering vehicle and the critical one of an oversteering one.
func speeds(k, wheelbase float64) []Figure {
	characteristic := figure("characteristic_speed", "sqrt(wheelbase/K_u)", "m/s", math.Sqrt(wheelbase/k))
	critical := figure("critical_speed", "sqrt(-wheelbase/K_u)", "m/s", math.Sqrt(-wheelbase/k))
	if k > 0 {
		critical = critical.or("the vehicle understeers")
	} else if k < 0 {
		characteristic = characteristic.or("the vehicle oversteers")
	} else if k == 0 {
		characteristic, critical = characteristic.or("infinite: the vehicle is neutral"),
			critical.or("infinite: the vehicle is neutral")
	} else {
		characteristic, critical = characteristic.or(noRange), critical.or(noRange)
	}
	return []Figure{characteristic, critical}
}

// most is the largest lateral acceleration, if the vehicle limits it.
func (p *ramp) most() Figure {
	const id, what = "a_y_max", "largest lateral acceleration of the vehicle: over the last tenth of the phase it rises " +
		"by less than 1 % of that, and with less than a fifth of the mean slope"
	switch {
	case len(p.lateral) == 0:
		return figure(id, what, "m/s2", math.NaN()).or(notReached)
	case p.rises:
		return figure(id, what, "m/s2", math.NaN()).or("it still rises when the phase ends, before the limit of the vehicle")
	}
	end := len(p.lateral) - 1
	return read(id, what, "m/s2", p.lateral[end], p.time[end])
}

// departure is the first lateral acceleration above from where the steering-wheel angle departs from a line by more
// than a share of the line.
func (p *ramp) departure(slope, offset, from, share float64) Figure {
	const id, what = "linear_range",
		"first lateral acceleration where the steering-wheel angle departs from the line by the share departure of the line"
	if math.IsNaN(slope) {
		return figure(id, what, "m/s2", slope).or(noRange)
	}
	for i := 1; i < len(p.lateral); i++ {
		away := func(i int) float64 {
			line := slope*p.lateral[i] + offset
			return math.Abs(p.steer[i]-line) - share*math.Abs(line)
		}
		if p.lateral[i] > from && away(i) > 0 {
			t := p.time[i]
			if before := away(i - 1); before < 0 {
				t -= (p.time[i] - p.time[i-1]) * away(i) / (away(i) - before)
			}
			return read(id, what, "m/s2", At(p.time, p.lateral, t), t)
		}
	}
	return figure(id, what, "m/s2", math.NaN()).or("the steering-wheel angle does not depart as far from the line")
}

// doubled finds the lateral acceleration where K_u has doubled; K_u comes from a regression over the width local.
func (p *ramp) doubled(k, ratio float64, o *circleOptions) Figure {
	const id, what = "a_y_2K_u",
		"lateral acceleration where K_u, by regression over the width local about it, is twice the K_u of the range"
	const step = 0.05 // m/s2
	half := o.local / 2
	if math.IsNaN(k) {
		return figure(id, what, "m/s2", k).or(noRange)
	}
	if len(p.lateral) > 0 && k > 0 {
		before := math.NaN()
		const most = 10_000 // places; accelerations of 500 m/s2 are none of a vehicle
		if places := (p.lateral[len(p.lateral)-1] - half - (o.regressionFrom+
			o.regressionTo)/2) / step; places > most {
			return figure(id, what, "m/s2",
				math.NaN()).or("there are more than %d places from the middle of the regression to the last lateral "+
				"acceleration", most)
		}
		for a := (o.regressionFrom + o.regressionTo) / 2; a+half <= p.lateral[len(p.lateral)-1]; a += step {
			excess := p.understeer(ratio, o.wheelbase, a-half, a+half) - 2*k
			if excess >= 0 && before < 0 {
				a -= step * excess / (excess - before)
				return read(id, what, "m/s2", a, Crossing(p.time, p.lateral, a, 0, len(p.time)-1))
			}
			before = excess
		}
	}
	return figure(id, what, "m/s2", math.NaN()).or("K_u does not double up to the largest lateral acceleration of the run")
}
