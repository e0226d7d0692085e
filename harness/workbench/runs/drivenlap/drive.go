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

	"skidpad/harness/workbench/results/output"
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
	longer    = 1.15 // duration of a run by the time that is wanted
	kept      = 20   // communication steps between rows of the table
)

// Lap is a driven lap. Distances are along the line of the track.
type Lap struct {
	Time   float64 `json:"time"`              // s
	Quasi  float64 `json:"quasi_steady_time"` // on a level road, too [s]
	Off    float64 `json:"largest_offset"`    // of the chassis from the line [m]
	OffAt  float64 `json:"largest_offset_at"` // m
	Bend   float64 `json:"least_share_of_lateral_limit"`
	Brake  float64 `json:"share_of_deceleration"`
	Runs   int     `json:"runs"`
	Table  Table   `json:"-"`
	failed float64 // point of departure from the line [m]; NaN for a whole lap
}

// Table has a row each 20 ms.
type Table struct{ Distance, Time, Speed, Wanted, Offset []float64 }

// Drive drives a lap with a car whose limits are known, in a gear; NaN is for a car without. A closed track has a
// flying lap; an open one begins with the start speed [m/s].
func Drive(car envelope.Car, e *envelope.Envelope, c *course.Course, start, gear float64) (*Lap, error) {
	quasi, err := lap.Solve(e, level(c), start)
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
	r := firstReserves(c)
	first := begin(c)
	for count := 1; ; count++ {
		wanted, err := r.wanted(e, c, start)
		if err != nil {
			return nil, err
		}
		w, err := newWay(c, wanted, first)
		if err != nil {
			return nil, err
		}
		if err := w.plan(&run, file, e, wanted, gear); err != nil {
			return nil, err
		}
		if run.Driver == nil {
			if run.Driver, err = drive.Adapt(s, run); err != nil {
				return nil, err
			}
			if run.Pedals, err = drive.AdaptPedals(s, run); err != nil {
				return nil, err
			}
		}
		result, err := drive.Simulate(s, run)
		if err != nil {
			return nil, err
		}
		l := w.read(result, run.Manoeuvre.Driver.Body)
		if math.IsNaN(l.failed) {
			l.Quasi, l.Runs, l.Brake, l.Bend = quasi.Time(), count, r.brake, 1
			for _, share := range r.bends {
				l.Bend = min(l.Bend, share)
			}
			return l, nil
		}
		if count == Runs {
			return nil, fmt.Errorf("in %d runs the driver does not stay within %g m of the line; in the last one he leaves "+
				"it at %.0f m. Choose another line, or a car that brakes and steers steadily there", Runs, Beside, l.failed)
		}
		if output.Interrupted(car.Interrupt) {
			return nil, output.ErrInterrupted
		}
		if err := again.Reset(); err != nil {
			return nil, err
		}
		r.goBack(wanted, l.failed)
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
}

func newWay(c *course.Course, wanted *lap.Lap, first int) (*way, error) {
	w := &way{course: c, first: first, path: manoeuvre.Along(c, c.S[first], 0)}
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
	low, high = max(low, slowest), min(high, reachable*e.TopSpeed)
	high = max(high, 1.5*low)
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

// read reads the lap of a run, up to where it left the line.
func (w *way) read(result *drive.Result, body string) *Lap {
	t := result.Trace
	x, y, yaw, v := t.Column(body+".x"), t.Column(body+".y"), t.Column(body+".yaw"), t.Column(body+".vx")
	sin, cos := math.Sincos(yaw[0])
	l := &Lap{failed: math.NaN()}
	began := !w.course.Closed
	from, end := 0.0, w.runUp // time of the beginning, distance of the end along the path
	if began {
		end = w.lengths[len(w.lengths)-1]
	}
	piece, last := 0, 0.0
	for k := range t.Time {
		dx, dy := x[k]-x[0], y[k]-y[0]
		ahead, aside := cos*dx+sin*dy, cos*dy-sin*dx
		var off float64
		off, piece = w.path.Offset(ahead, aside, piece)
		distance := w.path.Distance(w.lengths, ahead, aside, piece)
		if math.Abs(off) > Beside {
			l.failed = w.along(distance)
			return l
		}
		if k > 0 && last < end && distance >= end {
			at := t.Time[k-1] + (end-last)/(distance-last)*(t.Time[k]-t.Time[k-1])
			if began {
				l.Time = at - from
				return l
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
		if k%kept == 0 {
			wanted, _, _ := w.speed.At(distance)
			rows := &l.Table
			rows.Distance, rows.Time = append(rows.Distance, s), append(rows.Time, t.Time[k]-from)
			rows.Speed, rows.Wanted = append(rows.Speed, v[k]), append(rows.Wanted, wanted)
			rows.Offset = append(rows.Offset, -off)
		}
	}
	l.failed = w.along(last) // it spins, or stays behind
	return l
}

// along is the distance along the course for one along the path.
func (w *way) along(distance float64) float64 {
	if w.course.Closed && distance >= w.runUp {
		return distance - w.runUp
	}
	return distance + w.course.S[w.first]
}
