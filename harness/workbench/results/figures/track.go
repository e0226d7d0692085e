package figures

import "math"

// Section is a part of a track, which leads along x. Between From and To a vehicle must stay between Right
// and Left; where they are NaN there are no borders.
type Section struct {
	From, To    float64 // m
	Right, Left float64 // y of the borders [m]
	Aim         float64 // y of the driver's target line [m]
}

// Lane reports whether the section has borders.
func (s *Section) Lane() bool { return !math.IsNaN(s.Left - s.Right) }

// Outline is the rectangle of a body seen from above, from its centre of mass [m].
type Outline struct{ Front, Rear, Width float64 }

// Corners are the corners of the outline of a body at x, y with a yaw angle, front left first, counterclockwise.
func (o *Outline) Corners(x, y, yaw float64) (corners [4][2]float64) {
	sin, cos := math.Sincos(yaw)
	for i, c := range [4][2]float64{{o.Front, o.Width / 2}, {-o.Rear, o.Width / 2}, {-o.Rear, -o.Width / 2},
		{o.Front, -o.Width / 2}} {
		corners[i] = [2]float64{x + cos*c[0] - sin*c[1], y + sin*c[0] + cos*c[1]}
	}
	return corners
}

// clearance is the least distance in y between what of a rectangle lies within the section and its borders, negative
// beyond them; +Inf where nothing lies there.
func (s *Section) clearance(corners [4][2]float64) float64 {
	least := math.Inf(1)
	if !s.Lane() {
		return least
	}
	point := func(y float64) { least = min(least, s.Left-y, y-s.Right) }
	for i, a := range corners {
		if a[0] >= s.From && a[0] <= s.To {
			point(a[1])
		}
		b := corners[(i+1)%4]
		for _, x := range [2]float64{s.From, s.To} {
			if (a[0]-x)*(b[0]-x) < 0 {
				point(a[1] + (b[1]-a[1])*(x-a[0])/(b[0]-a[0]))
			}
		}
	}
	return least
}

// Cones are the places of the cones along lanes: at both ends, and between them at most spacing metres apart. Their
// feet, with a radius, touch the borders from outside.
func Cones(track []Section, spacing, radius float64) (list [][2]float64) {
	for _, s := range track {
		if !s.Lane() {
			continue
		}
		n := max(1, math.Ceil((s.To-s.From)/spacing))
		for i := range int(n) + 1 {
			x := s.From + (s.To-s.From)*float64(i)/n
			list = append(list, [2]float64{x, s.Right - radius}, [2]float64{x, s.Left + radius})
		}
	}
	return list
}

// Touches reports whether a cone with a radius at a place touches the outline of a body at x, y with a yaw angle.
func (o *Outline) Touches(cone [2]float64, radius, x, y, yaw float64) bool {
	sin, cos := math.Sincos(yaw)
	dx, dy := cone[0]-x, cone[1]-y
	ahead, aside := cos*dx+sin*dy, cos*dy-sin*dx
	out := math.Hypot(max(0, ahead-o.Front, -o.Rear-ahead), max(0, math.Abs(aside)-o.Width/2))
	return out < radius
}

// Length is the length of the whole track.
func Length(track []Section) float64 { return track[len(track)-1].To - track[0].From }

// Line is the y of the driver's target line. It follows the aim of every lane; between lanes it is a polynomial of
// fifth degree without slope and curvature at its ends. The polynomial begins into metres before the end of a lane and
// ends as far behind the beginning of the next lane. Before the first lane and after the last it continues straight.
func Line(track []Section, into, x float64) float64 {
	from, to := math.Inf(-1), math.Inf(1) // where the straight pieces before and after x end and begin
	var before, after float64
	for i := range track {
		s := &track[i]
		switch {
		case !s.Lane():
		case math.IsInf(from, -1) || x >= s.From+into:
			from, before = s.To-into, s.Aim
		case math.IsInf(to, 1):
			to, after = s.From+into, s.Aim
		}
	}
	if x <= from || math.IsInf(to, 1) {
		return before
	}
	u := (x - from) / (to - from)
	return before + (after-before)*u*u*u*(10+u*(6*u-15))
}

// LaneOptions are the options of lane changes.
type LaneOptions struct{ Outline }

func (o *LaneOptions) Numbers() []Option { return o.numbers() }

func (o *Outline) numbers() []Option {
	return []Option{
		number(&o.Front, "body_front", "m", "front of the body ahead of the centre of mass"),
		number(&o.Rear, "body_rear", "m", "rear of the body behind the centre of mass"),
		above0(&o.Width, "body_width", "m", "width of the body"),
	}
}

// laneChange is after ISO 3888: a driver follows a track. The axes of the track are the axes of the body at the
// beginning of the phase "track"; the run ends with the track.
var laneChange = Kind{
	Name:   "lane-change",
	Text:   "lane changes on a track, after ISO 3888",
	New:    func() Options { return new(LaneOptions) },
	Answer: []string{"pass", "entry_speed", "clearance"},
	Phases: []string{"track"},
	Run: with(func(r *Record, o *LaneOptions) []Figure {
		first, _ := r.phase("track")
		last := len(r.Time) - 1
		if first > last || len(r.Track) == 0 {
			return []Figure{figure("pass", laneChangePass, "1", 0)}
		}
		begin, end := r.Track[0].From, r.Track[len(r.Track)-1].To
		x, y, yaw := r.Local(first)
		front, rear := make([]float64, len(x)), make([]float64, len(x))
		clearance, deviation := make([]float64, len(x)), make([]float64, len(x))
		touched, where, inLane := -1, 0, false
		least := first
		for i := range x {
			cos := math.Cos(yaw[i])
			front[i], rear[i] = x[i]+cos*o.Front, x[i]-cos*o.Rear
			corners := o.Corners(x[i], y[i], yaw[i])
			clearance[i] = math.Inf(1)
			if i < first {
				continue
			}
			for k := range r.Track {
				s := &r.Track[k]
				if c := s.clearance(corners); c < clearance[i] {
					if clearance[i] = c; c <= 0 && touched < 0 {
						touched, where = i, k
					}
				}
				if s.Lane() && x[i] >= s.From && x[i] <= s.To {
					inLane = true
					deviation[i] = y[i] - (s.Left+s.Right)/2
				}
			}
			if clearance[i] < clearance[least] {
				least = i
			}
		}
		entered, left := Crossing(r.Time, front, begin, first, last), Crossing(r.Time, rear, end, first, last)
		step := r.step()
		rate := make([]float64, len(x))
		effort := 0.0
		for i := first + 1; i <= last; i++ {
			rate[i] = (r.Steer[i] - r.Steer[i-1]) / step
			effort += rate[i] * rate[i] * step
		}
		pass := 0.0
		if r.Verdict == "" && touched < 0 && !math.IsNaN(left) {
			pass = 1
		}
		const short = "the vehicle does not reach the end of the track"
		entry, exit := At(r.Time, r.Speed, entered), At(r.Time, r.Speed, left)
		list := []Figure{
			figure("pass", laneChangePass, "1", pass),
			read("entry_speed", "speed when the front of the body comes to the track", "m/s", entry,
				entered).or("the vehicle does not reach the track"),
			read("speed_lost", "that speed less the one when the rear of the body leaves the track", "m/s", entry-exit,
				left).or(short),
			figure("track_time", "time between the two", "s", left-entered).or(short),
			read("clearance",
				"least distance between the outline of the body and a border, across the track, negative beyond it",
				"m", clearance[least], r.Time[least]).or("the vehicle does not reach a lane"),
		}
		if touched < 0 {
			list = append(list, figure("touched", touchedText, "1", math.NaN()).or("none is touched"))
		} else {
			list = append(list, read("touched", touchedText, "1", float64(where+1), r.Time[touched]))
		}
		for _, p := range []struct {
			id, what, unit string
			x              []float64
		}{
			{"delta_H_max", "largest steering-wheel angle", "rad", r.Steer},
			{"delta_H_rate_max", "largest rate of the steering-wheel angle", "rad/s", rate},
			{"yaw_rate_max", "largest yaw rate", "rad/s", r.YawRate},
			{"a_y_max", "largest lateral acceleration", "m/s2", r.Lateral},
			{"side_slip_max", "largest side-slip angle", "rad", r.SideSlip},
			{"roll_max", "largest roll angle", "rad", r.Roll},
			{"deviation_max", "largest distance of the centre of mass from the middle of a lane, to the left", "m",
				deviation},
		} {
			f := r.largest(p.id, p.what, p.unit, p.x, first, last)
			if p.id == "deviation_max" && !inLane {
				f = f.without("the vehicle does not reach a lane")
			}
			list = append(list, f)
		}
		steering := figure("steering_effort", "integral of the squared rate of the steering-wheel angle, up to the end of "+
			"the track", "rad2/s", effort)
		if math.IsNaN(left) {
			steering = steering.without(short)
		}
		return append(list, r.leastLoad(first, last), steering)
	}),
}

const (
	laneChangePass = "1 if the outline of the body touches no border of the track and the run comes to its end; else 0"
	touchedText    = "section of the track, counted from 1, whose border is touched first"
)

// Local returns the trajectory in the axes of the body in the given row.
func (r *Record) Local(row int) (x, y, yaw []float64) {
	sin, cos := math.Sincos(r.Yaw[row])
	x, y, yaw = make([]float64, len(r.X)), make([]float64, len(r.X)), make([]float64, len(r.X))
	for i := range r.X {
		dx, dy := r.X[i]-r.X[row], r.Y[i]-r.Y[row]
		x[i], y[i], yaw[i] = cos*dx+sin*dy, cos*dy-sin*dx, r.Yaw[i]-r.Yaw[row]
	}
	return x, y, yaw
}

// leastLoad is the least load of all tires.
func (r *Record) leastLoad(first, last int) Figure {
	const id, what = "load_min", "least vertical force of a tire"
	least, at, name := math.Inf(1), math.NaN(), ""
	for _, tires := range [][]Tire{r.Front, r.Rear} {
		for _, tire := range tires {
			for i := first; i <= last; i++ {
				if tire.Load[i] < least {
					least, at, name = tire.Load[i], r.Time[i], tire.Name
				}
			}
		}
	}
	if name == "" {
		return figure(id, what, "N", math.NaN()).or("no tires are named")
	}
	f := read(id, what+": "+name, "N", least, at)
	if r.cut(r.row(at)) {
		return f.without(stillFalls)
	}
	return f
}
