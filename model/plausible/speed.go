package plausible

import (
	"fmt"
	"math"

	"skidpad/model/component"
	"skidpad/model/curve"
)

// Speeds [m/s] and masses [kg] of vehicles.
const (
	mostOfCars   = 250 / 3.6 // where most fast cars are limited
	mostOfTrucks = 160 / 3.6 // speed limit of racing trucks
	leastOfTruck = 7500
	leastRolling = 0.005 // rolling resistance by the load, at least
	mostTailwind = 1.1   // factor of a speed beyond the engine's, by wind or a slope
)

// Reach is how fast a vehicle drives.
type Reach struct {
	Speed  float64 // above which it hardly drives [m/s]; infinite where nothing says so
	By     string  // reason of the limit
	Bodies []string
}

// ReachOf is the reach of a vehicle on three tires or more.
func ReachOf(s *component.Scope) Reach {
	if len(Carrying(s)) < 3 {
		return Reach{Speed: math.Inf(1)}
	}
	var r Reach
	mass := 0.0
	for _, h := range component.All[component.Heavy](s) {
		mass += h.Lump().Mass.Value
		r.Bodies = append(r.Bodies, h.Head().Name)
	}
	kind := "cars"
	if r.Speed = mostOfCars; mass > leastOfTruck {
		r.Speed, kind = mostOfTrucks, "trucks"
	}
	r.By = fmt.Sprintf("faster than %s drive, %.0f km/h", kind, 3.6*r.Speed)
	most, drag := enginePower(s), airDrag(s)
	if most > 0 && drag > 0 {
		// the root of a cubic that rises
		low, high := 0.0, 1000.0
		for range 60 {
			if v := (low + high) / 2; (drag*v*v+leastRolling*mass*9.81)*v < most {
				low = v
			} else {
				high = v
			}
		}
		r.Speed = mostTailwind * high
		r.By = fmt.Sprintf("faster than its engine of %.3g kW drives it against the air, %.0f km/h", most/1000, 3.6*high)
	}
	return r
}

// enginePower is the most that the engines of a vehicle give [W]; 0 where something else may drive it, too.
func enginePower(s *component.Scope) (sum float64) {
	for _, d := range component.All[*component.TorqueDriver](s) {
		if !d.Brake {
			return 0
		}
	}
	for _, e := range component.All[*component.Engine](s) {
		if e.FullLoad == nil {
			return 0
		}
		sum += mostPower(e.FullLoad)
	}
	return sum
}

// mostPower is the largest power of a torque over a speed.
func mostPower(torque *curve.Curve) (p float64) {
	const samples = 200
	x := torque.X
	for i := range samples + 1 {
		w := x[0] + (x[len(x)-1]-x[0])*float64(i)/samples
		t, _, _ := torque.At(w)
		p = max(p, t*w)
	}
	return p
}

// airDrag is the resistance of the air by the square of the speed, straight ahead [kg/m]; 0 where it depends on the
// height.
func airDrag(s *component.Scope) (sum float64) {
	for _, a := range component.All[*component.Aerodynamics](s) {
		if a.DragMap != nil {
			return 0
		}
		c := a.Drag.Value
		if a.DragCurve != nil {
			more, _, _ := a.DragCurve.At(0)
			c += more
		}
		sum += a.Density.Value / 2 * a.Area.Value * c
	}
	return sum
}
