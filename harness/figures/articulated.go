package figures

import "math"

// Unit has the signals of a point of a following unit, such as a trailer.
type Unit struct {
	Lateral   []float64 // horizontal lateral acceleration [m/s2]
	YawRate   []float64 // rad/s
	X, Y, Yaw []float64 // in ground, m, m, rad
}

// articulatedSine is after ISO 14791: one period of a sine of the hand wheel, then straight on.
var articulatedSine = Kind{
	Name:      "articulated-sine",
	Phases:    []string{"sine", "after"},
	Following: true,
	Run: func(r *Record, o map[string]float64) []Figure {
		first, _ := r.phase("sine")
		_, last := r.phase("after")
		if first > last {
			return nil
		}
		list := []Figure{figure("delta_H", "largest angle of the hand wheel", "rad", math.Abs(r.Steer[Peak(r.Steer, first, last)]))}
		for _, s := range []struct {
			id, what, unit   string
			leads, following []float64
		}{{"a_y", "lateral acceleration", "m/s2", r.Lateral, r.Following.Lateral}, {"yaw_rate", "yaw rate", "rad/s", r.YawRate, r.Following.YawRate}} {
			one, two := Peak(s.leads, first, last), Peak(s.following, first, last)
			list = append(list,
				read(s.id+"_first", s.what+" of the first unit: largest magnitude", s.unit, math.Abs(s.leads[one]), r.Time[one]),
				read(s.id+"_following", s.what+" of the following unit: largest magnitude", s.unit, math.Abs(s.following[two]), r.Time[two]),
				figure(s.id+"_amplification", "rearward amplification: that of the following unit by that of the first", "1", math.Abs(s.following[two]/s.leads[one])),
			)
		}
		joint := r.articulation()
		widest := Peak(joint, first, last)
		off, at := offTracking(r, first, last)
		return append(list,
			read("articulation_max", "largest magnitude of the angle between the units", "rad", math.Abs(joint[widest]), r.Time[widest]),
			read("off_tracking", "largest distance of the following point from the path of the first", "m", math.Abs(off), at),
		)
	},
}

// articulatedTurn is a turn at low speed, along a path of the first unit's point.
var articulatedTurn = Kind{
	Name:      "articulated-turn",
	Phases:    []string{"turn"},
	Following: true,
	Run: func(r *Record, o map[string]float64) []Figure {
		first, last := r.phase("turn")
		if first > last {
			return nil
		}
		turned := math.Remainder(r.Yaw[last]-r.Yaw[first], 2*math.Pi)
		joint := r.articulation()
		widest := Peak(joint, first, last)
		off, at := offTracking(r, first, last)
		return []Figure{
			figure("turned", "angle through which the first unit has turned", "rad", turned),
			figure("delta_H", "largest angle of the hand wheel", "rad", math.Abs(r.Steer[Peak(r.Steer, first, last)])),
			read("articulation_max", "largest magnitude of the angle between the units", "rad", math.Abs(joint[widest]), r.Time[widest]),
			read("off_tracking", "largest distance by which the following point cuts the corner: from the path of the first to the inside", "m", math.Copysign(1, turned)*off, at),
		}
	},
}

// articulation is the heading of the following unit less that of the first, whole turns taken off [rad].
func (r *Record) articulation() []float64 {
	joint := make([]float64, len(r.Time))
	for i := range joint {
		joint[i] = math.Remainder(r.Following.Yaw[i]-r.Yaw[i], 2*math.Pi)
	}
	return joint
}

// offTracking is the largest distance of the following point to the left of the path of the first one [m], seen
// along that path, and when it is there. The path is that from row 0 on; the nearest piece of it only goes forward.
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
