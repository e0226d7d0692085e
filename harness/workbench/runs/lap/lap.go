// Package lap finds quasi-steady laps: the largest speed over the distance of a track. The vehicle is a point with the
// largest accelerations of its steady motions (g-g-v).
package lap

import (
	"errors"
	"fmt"
	"math"
)

// Gravity is the acceleration of gravity of laps [m/s2].
const Gravity = 9.81

// Vehicle has the limits of a vehicle at a speed [m/s] and a normal acceleration [m/s2]. The road supports the vehicle
// by the normal acceleration, without downforce; it is g on a level road. Lateral accelerations [m/s2] count alike to
// both sides.
type Vehicle interface {
	// Lateral is the largest lateral acceleration by the tires without longitudinal force.
	Lateral(speed, normal float64) float64
	// Longitudinal are the least (braking, negative) and the largest (driving) acceleration by the tires at a lateral
	// acceleration.
	Longitudinal(speed, lateral, normal float64) (least, most float64)
	// Drag is the deceleration by what does not depend on the pedals.
	Drag(speed float64) float64
	// Fastest is the largest speed that is considered.
	Fastest() float64
}

// Track is a line on a road over its length. All lists have one number for each point.
type Track struct {
	Name   string
	Closed bool      // the last point is the first one again
	S      []float64 // distance from the start, rising [m]
	// Curvature is positive to the left [1/m]
	Curvature []float64
	Bank      []float64 // positive where the left side is higher [rad]; nil for a level road
	Slope     []float64 // positive uphill [rad]; nil for a level road
}

// Point is a place of a lap.
type Point struct {
	S            float64 // m
	Time         float64 // s
	Speed        float64 // m/s
	Limit        float64 // largest speed of pure cornering [m/s]
	Longitudinal float64 // change of the speed [m/s2]
	Lateral      float64 // square of the speed by the curvature, positive to the left [m/s2]
	Tires        float64 // longitudinal acceleration by the tires [m/s2]: with drag and slope it is Longitudinal
	Curvature    float64 // 1/m
}

// Lap is a lap.
type Lap struct {
	Points []Point
	Energy Energy // by the mass, from the first point to the last [J/kg]
}

// Energy is the energy balance of a lap by the mass [J/kg]: Drive - Brake - Drag = Kinetic + Potential.
type Energy struct {
	Drive     float64 // work of driving tires
	Brake     float64 // work against braking tires
	Drag      float64 // work against the drag
	Kinetic   float64 // gain
	Potential float64 // gain
}

// Time is the lap time [s].
func (l *Lap) Time() float64 { return l.Points[len(l.Points)-1].Time }

// solver works on squares of speeds, w = v^2/2 [m2/s2], whose slope over the distance is the acceleration:
//
//	dw/ds = x - drag(v) - g sin(slope)
//
// with the largest x forwards and the least backwards. The trapezoidal rule, of second order and implicit, makes each
// step: near the limit of cornering x changes with an infinite slope, where explicit methods fail.
type solver struct {
	vehicle Vehicle
	track   *Track
	limit   []float64 // w of pure cornering
	rise    []float64 // change of the slope over the distance [1/m]
}

// Solve finds the lap of a vehicle. An open track begins with the start speed [m/s]. A closed track ignores it: its
// speed is the same at the end as at the beginning.
func Solve(v Vehicle, t *Track, start float64) (*Lap, error) {
	if err := t.check(); err != nil {
		return nil, err
	}
	if !t.Closed && !(start >= 0 && start <= v.Fastest()) {
		return nil, fmt.Errorf("the start speed is %.4g m/s; it must be from 0 to %.4g m/s", start, v.Fastest())
	}
	s := solver{vehicle: v, track: t}
	if err := s.limits(); err != nil {
		return nil, err
	}
	forward, err := s.pass(s.limit, start*start/2, 1)
	if err != nil {
		return nil, err
	}
	w, err := s.pass(forward, math.Inf(1), -1)
	if err != nil {
		return nil, err
	}
	if !t.Closed && w[0] < forward[0]*(1-1e-9) {
		return nil, fmt.Errorf("from a start speed of %.4g m/s the brakes do not reach the speed of the first bend; start "+
			"with at most %.4g m/s", start, math.Sqrt(2*w[0]))
	}
	return s.lap(w), nil
}

// check refuses a track on which nothing can be found.
func (t *Track) check() error {
	n := len(t.S)
	if n < 3 {
		return fmt.Errorf("the track has %d points; it needs 3 or more", n)
	}
	if len(t.Curvature) != n || t.Bank != nil && len(t.Bank) != n || t.Slope != nil && len(t.Slope) != n {
		return errors.New("the lists of the track have different lengths")
	}
	for i := range t.S {
		if i > 0 && !(t.S[i] > t.S[i-1]) {
			return fmt.Errorf("the distance of point %d is %.6g m; it must be above that of the point before, %.6g m", i,
				t.S[i], t.S[i-1])
		}
		if x := t.S[i] + t.Curvature[i] + t.bank(i) + t.slope(i); math.IsNaN(x) || math.IsInf(x, 0) {
			return fmt.Errorf("point %d of the track, at %.6g m, has a number that is not finite", i, t.S[i])
		}
	}
	return nil
}

func (t *Track) bank(i int) float64 {
	if t.Bank == nil {
		return 0
	}
	return t.Bank[i]
}

func (t *Track) slope(i int) float64 {
	if t.Slope == nil {
		return 0
	}
	return t.Slope[i]
}

// forces returns the lateral and the normal acceleration by the road at a point. The lateral one is along the road,
// positive to the left; the tires must give it. The acceleration towards the centre of the bend is
// horizontal. On a crest the road falls away below the vehicle.
func (s *solver) forces(i int, w float64) (lateral, normal float64) {
	sine, cosine := math.Sincos(s.track.bank(i))
	level := 2 * w * s.track.Curvature[i]
	down := Gravity*math.Cos(s.track.slope(i)) + 2*w*s.rise[i]
	return level*cosine + down*sine, down*cosine - level*sine
}

// holds reports whether the tires hold the vehicle at a point without longitudinal force.
func (s *solver) holds(i int, w float64) bool {
	lateral, normal := s.forces(i, w)
	return math.Abs(lateral) <= s.vehicle.Lateral(math.Sqrt(2*w), normal)
}

// limits finds the largest speed of pure cornering of each point. On a steep bank there is a least speed, too, below
// which the vehicle slides down; a lap is not checked for it.
func (s *solver) limits() error {
	t, n := s.track, len(s.track.S)
	s.rise, s.limit = make([]float64, n), make([]float64, n)
	for i := range t.S {
		before, after := max(i-1, 0), min(i+1, n-1)
		s.rise[i] = (t.slope(after) - t.slope(before)) / (t.S[after] - t.S[before])
	}
	const parts = 200
	fastest := s.vehicle.Fastest()
	most := fastest * fastest / 2
	for i := range s.limit {
		low, high, held := 0.0, most, false
		for k := range parts + 1 {
			v := fastest * float64(k) / parts
			w := v * v / 2
			if s.holds(i, w) {
				low, held = w, true
			} else if held {
				high = w
				break
			}
		}
		if !held {
			return fmt.Errorf("at %.6g m no speed up to %.4g m/s holds the vehicle on a road with a bank of %.3g deg and a "+
				"curvature of %.3g 1/m", t.S[i], fastest, t.bank(i)*180/math.Pi, t.Curvature[i])
		}
		for low < high && high-low > 1e-14*high {
			if middle := (low + high) / 2; s.holds(i, middle) {
				low = middle
			} else {
				high = middle
			}
		}
		s.limit[i] = low
	}
	if t.Closed {
		s.limit[0] = min(s.limit[0], s.limit[n-1])
		s.limit[n-1] = s.limit[0]
	}
	return nil
}

// slope is dw/ds at a point, with the tires at their limit: forwards they drive, backwards they brake.
func (s *solver) slope(i int, w float64, way int) float64 {
	v := math.Sqrt(2 * w)
	lateral, normal := s.forces(i, w)
	least, most := s.vehicle.Longitudinal(v, math.Abs(lateral), normal)
	x := most
	if way < 0 {
		x = least
	}
	return x - s.vehicle.Drag(v) - Gravity*math.Sin(s.track.slope(i))
}

// pass goes over the track forwards (way 1) or backwards (-1) and lowers w to what the tires reach. On a closed track
// it goes on until a lap changes nothing more.
func (s *solver) pass(limit []float64, begin float64, way int) ([]float64, error) {
	n := len(limit)
	w := append([]float64{}, limit...)
	first, last := 0, n-1
	if way < 0 {
		first, last = last, first
	}
	if !s.track.Closed {
		if w[first] < begin && way > 0 {
			return nil, fmt.Errorf("the start speed is %.4g m/s, and the first bend allows %.4g m/s", math.Sqrt(2*begin),
				math.Sqrt(2*w[first]))
		}
		w[first] = min(w[first], begin)
		return w, s.once(w, way)
	}
	const laps = 100
	for range laps {
		before := w[first]
		if err := s.once(w, way); err != nil {
			return nil, err
		}
		w[first] = w[last]
		if math.Abs(w[first]-before) <= 1e-12*before {
			return w, nil
		}
	}
	return nil, fmt.Errorf("the speed at the beginning of the lap still changes after %d laps", laps)
}

// once goes over the track, from the first value on.
func (s *solver) once(w []float64, way int) error {
	n := len(w)
	for k := 1; k < n; k++ {
		from, to := k-1, k
		if way < 0 {
			from, to = n-k, n-1-k
		}
		next, err := s.step(from, to, w[from], w[to], way)
		if err != nil {
			return err
		}
		w[to] = min(w[to], next)
	}
	return nil
}

// step is w at the next point, at most its limit.
func (s *solver) step(from, to int, w, limit float64, way int) (float64, error) {
	h := s.track.S[to] - s.track.S[from] // negative backwards
	begin := s.slope(from, w, way)
	lack := func(x float64) float64 { return x - w - h/2*(begin+s.slope(to, x, way)) }
	if lack(limit) <= 0 {
		return limit, nil
	}
	low, high := 0.0, limit
	if lack(low) > 0 {
		if way < 0 {
			return 0, fmt.Errorf("at %.6g m the brakes do not hold the vehicle", s.track.S[to])
		}
		return 0, fmt.Errorf("at %.6g m the vehicle stops: it does not climb the slope of %.3g %%", s.track.S[to],
			100*math.Tan(s.track.slope(to)))
	}
	for range 200 {
		middle := (low + high) / 2
		if middle == low || middle == high || high-low < 1e-15*limit {
			break
		}
		if lack(middle) > 0 {
			high = middle
		} else {
			low = middle
		}
	}
	return low, nil
}

// lap makes the points of squares of speeds. Between two points the acceleration is constant.
func (s *solver) lap(w []float64) *Lap {
	t, n := s.track, len(w)
	l := &Lap{Points: make([]Point, n)}
	cells := make([]float64, n-1)
	for i := range l.Points {
		p := &l.Points[i]
		p.S, p.Curvature, p.Speed, p.Limit = t.S[i]-t.S[0], t.Curvature[i], math.Sqrt(2*w[i]), math.Sqrt(2*s.limit[i])
		p.Lateral = 2 * w[i] * t.Curvature[i]
		if i == 0 {
			continue
		}
		before := &l.Points[i-1]
		h := t.S[i] - t.S[i-1]
		p.Time = before.Time + 2*h/(p.Speed+before.Speed)
		cells[i-1] = (w[i] - w[i-1]) / h
		e := &l.Energy
		drag := h / 2 * (s.vehicle.Drag(before.Speed) + s.vehicle.Drag(p.Speed))
		climb := Gravity * h / 2 * (math.Sin(t.slope(i-1)) + math.Sin(t.slope(i)))
		work := w[i] - w[i-1] + drag + climb
		e.Drive, e.Brake = e.Drive+max(work, 0), e.Brake-min(work, 0)
		e.Drag, e.Potential = e.Drag+drag, e.Potential+climb
	}
	l.Energy.Kinetic = w[n-1] - w[0]
	for i := range l.Points {
		p := &l.Points[i]
		switch before, after := max(i-1, 0), min(i, n-2); {
		case t.Closed && (i == 0 || i == n-1):
			p.Longitudinal = (cells[0] + cells[n-2]) / 2
		default:
			p.Longitudinal = (cells[before] + cells[after]) / 2
		}
		p.Tires = p.Longitudinal + s.vehicle.Drag(p.Speed) + Gravity*math.Sin(t.slope(i))
	}
	return l
}
