package figures

import (
	"math"
	"testing"
)

// v' = -(a0 + a2 v^2) has v = sqrt(a0/a2) tan(c - sqrt(a0 a2) t).
func TestCoastDownFindsResistanceAndDrag(t *testing.T) {
	const a0, a2, v0 = 0.12, 4e-4, 35.0
	time := times(120)
	root := math.Sqrt(a0 * a2)
	c := math.Atan(v0 * math.Sqrt(a2/a0))
	r := record(time, Phase{"coast", 0, 120})
	r.Speed = of(time, func(t float64) float64 { return math.Sqrt(a0/a2) * math.Tan(c-root*t) })
	list := coastDown.Run(r, &coastOptions{from: 33, to: 10, window: 1})
	near(t, "a0", pick(t, list, "a0").Value, a0, 1e-3)
	near(t, "a2", pick(t, list, "a2").Value, a2, 1e-3)
	took := (math.Atan(33*math.Sqrt(a2/a0)) - math.Atan(10*math.Sqrt(a2/a0))) / root
	near(t, "time", pick(t, list, "time").Value, took, 1e-6)
	if f := pick(t, coastDown.Run(r, &coastOptions{from: 40, to: 10, window: 1}), "a0"); f.Missing == "" {
		t.Errorf("a speed that the car never had: %+v", f)
	}
}

// At constant acceleration a, the time is v/a and the distance v^2/(2 a).
func TestAccelerationOfAConstantForce(t *testing.T) {
	const a, begin = 2.5, 1.0
	time := times(21)
	r := record(time, Phase{"stand", 0, begin}, Phase{"accelerate", begin, 21})
	r.Speed = of(time, func(t float64) float64 { return a * max(0, t-begin) })
	r.X = of(time, func(t float64) float64 { return 7 - a*math.Pow(max(0, t-begin), 2)/2 })
	o := &accelerationOptions{from: 0, to: 30}
	list := acceleration.Run(r, o)
	near(t, "time", pick(t, list, "time").Value, 12, 1e-9)
	near(t, "distance", pick(t, list, "distance").Value, 180, 1e-6)
	near(t, "largest speed", pick(t, list, "speed_max").Value, 50, 1e-9)
	o.from = 20
	near(t, "time from 20 m/s", pick(t, acceleration.Run(r, o), "time").Value, 4, 1e-9)
	o.to = 60
	if f := pick(t, acceleration.Run(r, o), "time"); f.Missing == "" {
		t.Errorf("a speed that the car never had: %+v", f)
	}
}

// From rest the time counts from the beginning of the phase, through all that follow, and ways on any heading.
func TestAccelerationFromRestOfAConstantForce(t *testing.T) {
	const a, begin = 2.5, 3.0
	time := times(31)
	r := record(time, Phase{"stand", 0, begin}, Phase{"accelerate", begin, 5}, Phase{"second", 5, 31})
	r.Speed = of(time, func(t float64) float64 { return a * max(0, t-begin) })
	for axis, share := range map[*[]float64]float64{&r.X: 0.6, &r.Y: -0.8} {
		*axis = of(time, func(t float64) float64 { return 7 + share*a*math.Pow(max(0, t-begin), 2)/2 })
	}
	list := accelerationFromRest.Run(r, &restOptions{to: 30, near: 400, far: 1000})
	near(t, "time", pick(t, list, "time").Value, 12, 1e-9)
	near(t, "distance", pick(t, list, "distance").Value, 180, 1e-6)
	near(t, "time over 400 m", pick(t, list, "time_400").Value, math.Sqrt(2*400/a), 1e-6)
	near(t, "speed at 400 m", pick(t, list, "speed_400").Value, math.Sqrt(2*400*a), 1e-6)
	line := accelerationFromRest.Run(r, &restOptions{to: 30, begin: 5, near: 20, far: 75})
	after := math.Sqrt(2 * 5 / a)
	near(t, "time from a line", pick(t, line, "time").Value, 12-after, 1e-6)
	near(t, "distance from a line", pick(t, line, "distance").Value, 180-5, 1e-6)
	near(t, "time over 75 m", pick(t, line, "time_75").Value, math.Sqrt(2*80/a)-after, 1e-6)
	near(t, "speed at 20 m", pick(t, line, "speed_20").Value, math.Sqrt(2*25*a), 1e-6)
	if f := pick(t, list, "time_1000"); f.Missing == "" {
		t.Errorf("a way that the car never had: %+v", f)
	}
	if f := pick(t, accelerationFromRest.Run(r, &restOptions{to: 80, near: 400, far: 1000}), "time"); f.Missing == "" {
		t.Errorf("a speed that the car never had: %+v", f)
	}
}

// A car that rocks a little and drifts: the speed in both directions, and the way from where the window began.
func TestStandingFiguresOfADrift(t *testing.T) {
	const v, slip, turn = 1e-4, 0.3, 1e-6
	time := times(60)
	r := record(time, Phase{"stand", 0, 60})
	at := func(x float64) []float64 {
		return of(time, func(t float64) float64 {
			if t < 30 {
				return 1
			}
			return x
		})
	}
	r.Speed, r.SideSlip = at(v), at(slip)
	r.X, r.Y, r.Yaw = of(time, func(t float64) float64 { return 3 * v * t }),
		of(time, func(t float64) float64 { return 4 * v * t }), of(time, func(t float64) float64 { return turn * t })
	list := standing.Run(r, &standingOptions{window: 30})
	near(t, "speed", pick(t, list, "speed_rms").Value, v/math.Cos(slip), 1e-9)
	near(t, "drift", pick(t, list, "drift").Value, 5*v*30, 1e-6)
	near(t, "turn", pick(t, list, "turn").Value, turn*30, 1e-6)
	if f := pick(t, standing.Run(r, &standingOptions{window: 61}), "speed_rms"); f.Missing == "" {
		t.Errorf("%+v", f)
	}
}
