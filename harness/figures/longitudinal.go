package figures

import "math"

// standing is how a vehicle stands in the phase "stand", over its last window.
var standing = Kind{
	Name:    "standing",
	Options: []string{"window"},
	Phases:  []string{"stand"},
	Run: func(r *Record, o map[string]float64) []Figure {
		first, last := r.phase("stand")
		if first > last || r.Time[last]-r.Time[first] < o["window"]*(1-1e-9) {
			return []Figure{figure("speed_rms", speedRMS, "m/s", math.NaN()).or("the vehicle does not stand so long")}
		}
		sum, most := 0.0, 0.0
		from := r.row(r.Time[last] - o["window"])
		for i := from; i <= last; i++ {
			vy := r.Speed[i] * math.Tan(r.SideSlip[i])
			if r.Speed[i] == 0 {
				vy = 0
			}
			sum += r.Speed[i]*r.Speed[i] + vy*vy
			most = max(most, math.Hypot(r.X[i]-r.X[from], r.Y[i]-r.Y[from]))
		}
		return []Figure{
			figure("speed_rms", speedRMS, "m/s", math.Sqrt(sum/float64(last+1-from))),
			figure("drift", "largest way of the centre of mass from where it was when the window began", "m", most),
			figure("turn", "change of the yaw angle in the window", "rad", r.Yaw[last]-r.Yaw[from]),
		}
	},
}

const speedRMS = "root mean square of the speed of the centre of mass in the ground plane, over the last window"

// acceleration is how fast a vehicle gets faster in the phase "accelerate".
var acceleration = Kind{
	Name:    "acceleration",
	Options: []string{"from", "to"},
	Phases:  []string{"accelerate"},
	Run: func(r *Record, o map[string]float64) []Figure {
		first, last := r.phase("accelerate")
		if first > last {
			return []Figure{figure("time", "time from the speed from to the speed to", "s", math.NaN()).or("the run did not come to the phase")}
		}
		x, y, _ := r.Local(first)
		way := make([]float64, len(x))
		for i := range way {
			way[i] = math.Hypot(x[i], y[i])
		}
		passed := func(speed float64) float64 {
			if speed <= r.Speed[first] {
				return r.Time[first]
			}
			return Crossing(r.Time, r.Speed, speed, first, last)
		}
		const slow = "the vehicle does not come to this speed"
		fastest := Peak(r.Speed, first, last)
		return []Figure{
			figure("time", "time from the speed from to the speed to", "s", passed(o["to"])-passed(o["from"])).or(slow),
			figure("distance", "way from the speed from to the speed to", "m", At(r.Time, way, passed(o["to"]))-At(r.Time, way, passed(o["from"]))).or(slow),
			read("speed_max", "largest speed", "m/s", r.Speed[fastest], r.Time[fastest]),
		}
	},
}

// coastDown is how a vehicle gets slower by itself in the phase "coast": its deceleration is fitted by a0 + a2 v^2, of
// rolling resistance and of drag.
var coastDown = Kind{
	Name:    "coast-down",
	Options: []string{"from", "to", "window"},
	Phases:  []string{"coast"},
	Run: func(r *Record, o map[string]float64) []Figure {
		first, last := r.phase("coast")
		const fit = "deceleration fitted by a0 + a2 v^2, from the speed from to the speed to, in differences over the window: "
		begin, end := Crossing(r.Time, r.Speed, o["from"], first, last), Crossing(r.Time, r.Speed, o["to"], first, last)
		if math.IsNaN(begin) || math.IsNaN(end) {
			return []Figure{figure("a0", fit+"a0", "m/s2", math.NaN()).or("the vehicle does not coast from one to the other speed")}
		}
		// the mean of v^2 over a difference of time is (v1^2 + v1 v2 + v2^2)/3, where the deceleration is even
		var squares, rates []float64
		for t := begin; t+o["window"] <= end*(1+1e-12); t += o["window"] {
			v1, v2 := At(r.Time, r.Speed, t), At(r.Time, r.Speed, t+o["window"])
			squares, rates = append(squares, (v1*v1+v1*v2+v2*v2)/3), append(rates, (v1-v2)/o["window"])
		}
		a2, a0 := Regression(squares, rates)
		return []Figure{
			figure("a0", fit+"a0", "m/s2", a0).or("the run has less than two windows"),
			figure("a2", fit+"a2", "1/m", a2).or("the run has less than two windows"),
			figure("time", "time from the speed from to the speed to", "s", end-begin),
		}
	},
}
