// Package drivenlap drives laps of a track in the full model: a driver looks ahead, and pedals hold the speed of a
// quasi-steady lap with reserves. Where the car leaves the line the driver takes more reserve, and drives again.
//
//	limits of the car -> reserves -> quasi-steady lap -> run -> where it left the line -> reserves
package drivenlap

import (
	_ "embed"
	"errors"
	"fmt"
	"math"
	"slices"

	"skidpad/harness/workbench/runs/course"
	"skidpad/harness/workbench/runs/drive"
	"skidpad/harness/workbench/runs/envelope"
	"skidpad/harness/workbench/runs/lap"
	"skidpad/harness/workbench/runs/manoeuvre"
	"skidpad/harness/workbench/runs/signal"
)

//go:embed lap.toml
var text []byte

const (
	// LeastStart is the least speed at which a driven lap begins [m/s].
	LeastStart = 3.0
	// Beside is the largest distance of the chassis from the line [m].
	Beside = 1.0
	// Runs is how often the driver drives at most.
	Runs = 30

	slowest   = 5.0  // speed from which on the driver gets to know the car [m/s]
	reachable = 0.85 // share of the top speed up to which he does
	spread    = 1.5  // least ratio of the highest of these speeds to the lowest one
	longer    = 1.15 // duration of a run by the time that is wanted
	kept      = 20   // communication steps between rows of the table
)

// Options are facts of a driven lap.
type Options struct {
	Start float64 // speed at the start of an open track [m/s]
	Gear  float64 // in which the car stays; NaN for a car without gears
	Width float64 // of the body [m]; NaN where it is not known
}

// Lap is a driven lap. Distances are along the line of the track.
type Lap struct {
	Time    float64  `json:"time"`              // s
	Quasi   float64  `json:"quasi_steady_time"` // on a level road, too [s]
	Gear    *float64 `json:"gear,omitempty"`    // nil for a car without gears
	Off     float64  `json:"largest_offset"`    // of the chassis from the line [m]
	OffAt   float64  `json:"largest_offset_at"` // m
	Borders *Borders `json:"borders,omitempty"` // nil where the width of the body is not known
	Bend    float64  `json:"least_share_of_lateral_limit"`
	Brake   float64  `json:"share_of_deceleration"`
	Runs    int      `json:"runs"`
	Table   Table    `json:"-"`
}

// Borders is the place where a side of the body is nearest to its border of the track, or farthest beyond it. A side is
// half the width beside the chassis, along the normal of the line.
type Borders struct {
	BodyWidth float64 `json:"body_width"` // m
	Room      float64 `json:"least_room"` // from the side to the border, negative beyond the border [m]
	At        float64 `json:"least_room_at"`
}

// Table has a row each 20 ms.
type Table struct{ Distance, Time, Speed, Wanted, Offset []float64 }

// end is the place where a run ends before its lap.
type end struct {
	at            float64 // distance along the line of the track [m]
	beside        bool    // the chassis leaves the line
	speed, wanted float64 // m/s
}

// Drive drives a lap with a car whose limits are known. A closed track has a flying lap.
func Drive(car envelope.Car, e *envelope.Envelope, c *course.Course, o Options) (*Lap, error) {
	quasi, err := lap.Solve(e, level(c), o.Start)
	if err != nil {
		return nil, err
	}
	file, err := manoeuvre.OpenText(car.Target, "driven lap", text)
	if err != nil {
		return nil, err
	}
	s, closeIt, err := car.Open()
	if err != nil {
		return nil, err
	}
	defer closeIt()
	again, can := s.(interface{ Reset() error })
	if !can {
		return nil, errors.New("a driven lap needs a vehicle that can be reset")
	}
	run := drive.Plan{Method: car.Method, Settings: car.Settings, Progress: car.Progress, Interrupt: car.Interrupt}
	first := begin(c)
	l, err := practise(e, c, o.Start, func(wanted *lap.Lap) (*Lap, *end, error) {
		w, err := newWay(c, wanted, first, o.Width)
		if err != nil {
			return nil, nil, err
		}
		if err := w.plan(&run, file, e, wanted, o.Gear); err != nil {
			return nil, nil, err
		}
		if run.Driver == nil {
			if run.Driver, err = drive.Adapt(s, run); err != nil {
				return nil, nil, err
			}
			if run.Pedals, err = drive.AdaptPedals(s, run); err != nil {
				return nil, nil, err
			}
		}
		result, err := drive.Simulate(s, run)
		if err != nil {
			return nil, nil, err
		}
		l, left := w.read(result, run.Manoeuvre.Driver.Body)
		return l, left, again.Reset()
	})
	if err != nil {
		return nil, err
	}
	l.Quasi = quasi.Time()
	if !math.IsNaN(o.Gear) {
		l.Gear = &o.Gear
	}
	return l, nil
}

// practise drives with more and more reserve until the car stays on the line. The function once makes one run.
func practise(
	e *envelope.Envelope, c *course.Course, start float64, once func(wanted *lap.Lap) (*Lap, *end, error),
) (*Lap, error) {
	r := firstReserves(c)
	for count := 1; ; count++ {
		wanted, err := r.wanted(e, c, start)
		if err != nil {
			return nil, err
		}
		l, left, err := once(wanted)
		switch {
		case err != nil:
			return nil, err
		case left == nil:
			l.Runs, l.Brake, l.Bend = count, r.brake, slices.Min(r.bends)
			return l, nil
		case !left.beside:
			return nil, fmt.Errorf("the car is too slow: after %g times the wanted time it is at %.0f m, with %.1f m/s where "+
				"%.1f m/s are wanted; choose a gear in which it holds the speed of the quasi-steady lap", longer, left.at,
				left.speed, left.wanted)
		case count == Runs:
			return nil, fmt.Errorf("in %d runs the driver does not stay within %g m of the line; in the last one he leaves "+
				"it at %.0f m. Choose another line, or a car that brakes and steers steadily there", Runs, Beside, left.at)
		}
		r.goBack(wanted, left.at)
	}
}

// begin is the point of a course where the car begins: the first one of an open course. On a closed one the straightest
// 20 m of the last 400 m, and 50 m or more before the end, are the run-up.
func begin(c *course.Course) int {
	if !c.Closed {
		return 0
	}
	const most, least, straight = 400.0, 50.0, 20.0
	step, last := c.S[1], len(c.S)-1
	from, to := max(last/2, last-int(most/step)), max(last/2, last-int(least/step))
	best, bend := from, math.Inf(1)
	for i := from; i <= to; i++ {
		sum := 0.0
		for k := range int(straight/step) + 1 {
			sum += math.Abs(c.Curvature[min(i+k, last)])
		}
		if sum <= bend {
			best, bend = i, sum
		}
	}
	return best
}

// way is the path of a run with its speed.
type way struct {
	course  *course.Course
	path    *manoeuvre.Path
	lengths []float64
	speed   signal.PiecewiseLinear // over the distance along the path
	runUp   float64                // way to the line where the lap begins [m]
	first   int                    // point of the course where the path begins
	width   float64                // of the body [m]; NaN where it is not known
}

func newWay(c *course.Course, wanted *lap.Lap, first int, width float64) (*way, error) {
	w := &way{course: c, first: first, width: width, path: manoeuvre.Along(c, c.S[first], 0)}
	w.path.StraightAhead = !c.Closed
	w.lengths = w.path.Lengths()
	n := len(c.S) - 1
	if len(w.lengths) != n+1 {
		return nil, fmt.Errorf("a path of %d points along %d points", len(w.lengths), n+1)
	}
	for k, s := range w.lengths {
		at := first + k
		if at > n {
			at -= n
		}
		w.speed.Time, w.speed.Value = append(w.speed.Time, s), append(w.speed.Value, wanted.Points[at].Speed)
	}
	if c.Closed {
		w.runUp = w.lengths[n-first]
	}
	return w, nil
}

// plan makes the manoeuvre of a run.
func (w *way) plan(
	run *drive.Plan, file *manoeuvre.File, e *envelope.Envelope, wanted *lap.Lap, gear float64,
) error {
	low, high := math.Inf(1), 0.0
	for _, v := range w.speed.Value {
		low, high = min(low, v), max(high, v)
	}
	low = max(low, slowest)
	high = min(max(high, spread*low), reachable*e.TopSpeed)
	low = min(low, high/spread)
	duration := wanted.Time()
	if w.course.Closed {
		duration += wanted.Time() - wanted.Points[w.first].Time
	}
	let := map[string]float64{"speed": w.speed.Value[0], "slowest": low, "fastest": high, "duration": longer * duration}
	if !math.IsNaN(gear) {
		let["gear"] = gear
	}
	var constants []manoeuvre.ConstantValue
	for name, value := range let {
		constants = append(constants, manoeuvre.ConstantValue{Name: name, Value: value})
	}
	m, err := file.With(constants...)
	if err != nil {
		return err
	}
	p := &m.Phases[0]
	p.Path, p.Speed, p.ByDistance = w.path, w.speed, true
	run.Manoeuvre = m
	run.Record = []string{m.Driver.Body + ".x", m.Driver.Body + ".y", m.Driver.Body + ".yaw", m.Driver.Body + ".vx"}
	return nil
}

// read reads the lap of a run, or the place where the run ends before its lap.
func (w *way) read(result *drive.Result, body string) (*Lap, *end) {
	t := result.Trace
	x, y, yaw, v := t.Column(body+".x"), t.Column(body+".y"), t.Column(body+".yaw"), t.Column(body+".vx")
	sin, cos := math.Sincos(yaw[0])
	l := &Lap{}
	if !math.IsNaN(w.width) {
		l.Borders = &Borders{BodyWidth: w.width, Room: math.Inf(1)}
	}
	began := !w.course.Closed
	from, to := 0.0, w.runUp // time of the beginning, distance of the end along the path
	if began {
		to = w.lengths[len(w.lengths)-1]
	}
	piece, last := 0, 0.0
	for k := range t.Time {
		dx, dy := x[k]-x[0], y[k]-y[0]
		ahead, aside := cos*dx+sin*dy, cos*dy-sin*dx
		var off float64
		off, piece = w.path.Offset(ahead, aside, piece)
		distance := w.path.Distance(w.lengths, ahead, aside, piece)
		if math.Abs(off) > Beside {
			return nil, &end{at: w.along(distance), beside: true}
		}
		if k > 0 && last < to && distance >= to {
			at := t.Time[k-1] + (to-last)/(distance-last)*(t.Time[k]-t.Time[k-1])
			if began {
				l.Time = at - from
				return l, nil
			}
			began, from = true, at
		}
		last = distance
		if !began {
			continue
		}
		s := w.along(distance)
		if math.Abs(off) > l.Off {
			l.Off, l.OffAt = math.Abs(off), s
		}
		if l.Borders != nil {
			l.Borders.add(w.course, s, -off)
		}
		if k%kept == 0 {
			wanted, _, _ := w.speed.At(distance)
			rows := &l.Table
			rows.Distance, rows.Time = append(rows.Distance, s), append(rows.Time, t.Time[k]-from)
			rows.Speed, rows.Wanted = append(rows.Speed, v[k]), append(rows.Wanted, wanted)
			rows.Offset = append(rows.Offset, -off)
		}
	}
	wanted, _, _ := w.speed.At(last)
	return nil, &end{at: w.along(last), beside: result.Verdict != "", speed: v[len(v)-1], wanted: wanted}
}

// add adds a place of the chassis, a distance along the line and one to the left of it [m].
func (b *Borders) add(c *course.Course, s, left float64) {
	i := min(int(math.Round(s/c.S[1])), len(c.S)-1)
	if room := min(c.Left[i]-left, c.Right[i]+left) - b.BodyWidth/2; room < b.Room {
		b.Room, b.At = room, s
	}
}

// along is the distance along the course for one along the path.
func (w *way) along(distance float64) float64 {
	if w.course.Closed && distance >= w.runUp {
		return distance - w.runUp
	}
	return distance + w.course.S[w.first]
}
