package figures

import "math"

// skidpadOptions are the options of a figure of eight.
type skidpadOptions struct {
	Outline
	inner, outer, straight float64
}

func (o *skidpadOptions) Numbers() []Option {
	return append(o.Outline.numbers(),
		above0(&o.inner, "inner", "m", "radius of the border inside of each circle"),
		above0(&o.outer, "outer", "m", "radius of the border outside of each circle"),
		from0(&o.straight, "straight", "m", "from the beginning of the path to the line between both circles"),
	)
}

// skidpad is after the public rules of Formula Student: two circles to the right, then two to the left. The second ones
// are timed at the line between both circles. The axes of the figure of eight are the axes of the body at
// the beginning of the phase "eight", whose path is the middle between the borders.
var skidpad = Kind{
	Plots:  overTime(Lateral, SteeringWheel),
	Name:   "skidpad",
	Text:   "figure of eight, after the rules of Formula Student",
	New:    func() Options { return new(skidpadOptions) },
	Answer: []string{"best_time", "time", "clearance"},
	Phases: []string{"eight"},
	Run:    with(ofSkidpad),
	All: with(func(runs []*Record, o *skidpadOptions) []Figure {
		best := math.NaN()
		for _, r := range runs {
			list := ofSkidpad(r, o)
			time, pass := list[0].Value, list[len(list)-1].Value
			if pass == 1 && !(time > best) {
				best = time
			}
		}
		return []Figure{figure("best_time", "least "+skidpadTime+", of the runs between the borders", "s",
			best).or("no run stays between the borders")}
	}),
}

const skidpadTime = "mean time of the second circles to the right and to the left"

func ofSkidpad(r *Record, o *skidpadOptions) []Figure {
	first, _ := r.phase("eight")
	last := len(r.Time) - 1
	if first > last {
		return []Figure{figure("time", skidpadTime, "s", math.NaN()).or(notReached), figure("pass", skidpadPass, "1", 0)}
	}
	x, y, yaw := r.Local(first)
	radius := (o.inner + o.outer) / 2
	var passed []float64 // times at the line between both circles
	clearance, closest := math.Inf(1), first
	for i := first; i <= last && len(passed) < circlesTimed; i++ {
		if i > first && x[i-1] <= o.straight && x[i] > o.straight {
			passed = append(passed, Crossing(r.Time, x, o.straight, i-1, i))
		}
		if c := o.clearance(x[i], y[i], yaw[i], radius); c < clearance {
			clearance, closest = c, i
		}
	}
	const incomplete = "the vehicle does not pass the line between both circles five times"
	lap := func(n int) float64 {
		if len(passed) < circlesTimed {
			return math.NaN()
		}
		return passed[n+1] - passed[n]
	}
	right, left, pass := lap(1), lap(3), 0.0
	if len(passed) == circlesTimed && clearance >= 0 {
		pass = 1
	}
	return []Figure{
		figure("time", skidpadTime, "s", (right+left)/2).or(incomplete),
		figure("time_right", "time of the second circle to the right", "s", right).or(incomplete),
		figure("time_left", "time of the second circle to the left", "s", left).or(incomplete),
		figure("lateral_right", "mean lateral acceleration of this circle to the right, (2 pi/time)^2 times the mean radius",
			"m/s2", math.Pow(2*math.Pi/right, 2)*radius).or(incomplete),
		figure("lateral_left", "the same of the circle to the left", "m/s2",
			math.Pow(2*math.Pi/left, 2)*radius).or(incomplete),
		read("clearance", "least distance of the outline of the body from the borders of the circles, negative beyond",
			"m", clearance, r.Time[closest]),
		figure("pass", skidpadPass, "1", pass),
	}
}

const skidpadPass = "1 if the vehicle completes the figure of eight between its borders"

// circlesTimed is how often the vehicle passes the line between both circles: as it comes, and after each circle.
const circlesTimed = 5

// clearance is the least distance of the outline from the borders of both circles. The body is on one of them, or on
// the straight lane that leads between both, which is as wide as they are.
func (o *skidpadOptions) clearance(x, y, yaw, radius float64) float64 {
	corners := o.Corners(x, y, yaw)
	least := math.Inf(1)
	for _, side := range [2]float64{-1, 1} {
		for i, a := range corners { // no border inside of a circle is crossed by an edge
			b := corners[(i+1)%len(corners)]
			least = min(least, distance(o.straight, side*radius, a, b)-o.inner)
		}
	}
	for _, c := range corners {
		outside := (o.outer-o.inner)/2 - math.Abs(c[1]) // of the lane
		for _, side := range [2]float64{-1, 1} {
			outside = max(outside, o.outer-math.Hypot(c[0]-o.straight, c[1]-side*radius))
		}
		least = min(least, outside)
	}
	return least
}

// distance is from a point to a piece of a straight line.
func distance(x, y float64, a, b [2]float64) float64 {
	dx, dy := b[0]-a[0], b[1]-a[1]
	along := ((x-a[0])*dx + (y-a[1])*dy) / (dx*dx + dy*dy)
	along = min(max(along, 0), 1)
	return math.Hypot(x-a[0]-along*dx, y-a[1]-along*dy)
}
