package drivenlap

import (
	"math"

	"skidpad/harness/workbench/runs/course"
	"skidpad/harness/workbench/runs/envelope"
	"skidpad/harness/workbench/runs/lap"
)

// How near the limits of the car the driver begins, and by how much he goes back where he left the line.
const (
	firstBend  = 0.98 // share of the lateral limit
	firstBrake = 0.95 // share of the largest deceleration
	combining  = 1.3  // exponent of braking in a bend, where it is larger for the car
	backBend   = 0.97
	backBrake  = 0.95
	before     = 3.0  // time before the point of departure with tighter bends [s]
	behind     = 1.0  // time behind that point with tighter bends [s]
	braking    = -1.0 // largest longitudinal acceleration of braking [m/s2]
)

// reserves are the shares of the limits of a car that a driver uses.
type reserves struct {
	bends []float64 // share of the lateral limit, for each point of a course
	brake float64   // share of the largest deceleration
}

func firstReserves(c *course.Course) *reserves {
	r := &reserves{bends: make([]float64, len(c.S)), brake: firstBrake}
	for i := range r.bends {
		r.bends[i] = firstBend
	}
	return r
}

// careful is a car with a reserve for braking.
type careful struct {
	*envelope.Envelope
	brake float64
}

func (c careful) Longitudinal(speed, lateral, normal float64) (least, most float64) {
	_, most = c.Envelope.Longitudinal(speed, lateral, normal)
	combined := *c.Envelope
	combined.Exponent = min(combined.Exponent, combining)
	least, _ = combined.Longitudinal(speed, lateral, normal)
	return min(c.brake*least, most), most
}

// level is a course as the track of laps on a level road.
func level(c *course.Course) *lap.Track {
	return &lap.Track{Name: c.Name, Closed: c.Closed, S: c.S, Curvature: c.Curvature}
}

// wanted is the lap with the reserves. A share of the lateral limit acts as a tighter bend.
func (r *reserves) wanted(e *envelope.Envelope, c *course.Course, start float64) (*lap.Lap, error) {
	track := level(c)
	track.Curvature = make([]float64, len(c.S))
	for i, k := range c.Curvature {
		track.Curvature[i] = k / r.bends[i]
	}
	return lap.Solve(careful{e, r.brake}, track, start)
}

// goBack lowers the shares about the point of departure from the line, a distance [m].
func (r *reserves) goBack(l *lap.Lap, left float64) {
	last := len(l.Points) - 1
	period := math.Inf(1) // time of a closed lap
	if l.Points[0].Speed == l.Points[last].Speed {
		period = l.Time()
	}
	at := 0
	for at < last && l.Points[at].S < left {
		at++
	}
	brakes := false
	for i, p := range l.Points {
		ahead := l.Points[at].Time - p.Time
		if ahead < -behind {
			ahead += period
		} else if ahead > before && ahead-period >= -behind {
			ahead -= period
		}
		if ahead < -behind || ahead > before {
			continue
		}
		r.bends[i] *= backBend
		brakes = brakes || ahead >= 0 && ahead <= 1 && p.Longitudinal < braking
	}
	if brakes {
		r.brake *= backBrake
	}
}
