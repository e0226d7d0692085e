package figures

import (
	"math"
	"testing"
)

// If a sine follows another sine by a phase p, the loop has the slope B/A cos p at its middle. Its widths there are 2 A
// sin p and 2 B sin p, and its area is pi A B sin p.
func TestLoopsOfADelayedSine(t *testing.T) {
	const a, b, c, p, q, f = 0.2, 2.0, 0.08, 0.3, -0.1, 0.2
	time := times(22)
	r := record(time, Phase{"straight", 0, 2}, Phase{"weave", 2, 22})
	wave := func(amplitude, phase float64) []float64 {
		return of(time, func(t float64) float64 {
			if t < 6 { // what comes before the last periods does not count
				return 5 * amplitude
			}
			return amplitude * math.Sin(2*math.Pi*f*(t-2)-phase)
		})
	}
	r.Steer, r.Lateral, r.YawRate = wave(a, 0), wave(b, p), wave(c, q)
	list := weave.Run(r, &weaveOptions{period: 1 / f, periods: 2, share: 0.2})
	near(t, "amplitude", pick(t, list, "delta_H").Value, a, 1e-9)
	near(t, "lateral acceleration", pick(t, list, "a_y").Value, b, 1e-6)
	near(t, "gain", pick(t, list, "a_y_gain").Value, b/a*math.Cos(p), 1e-3)
	near(t, "width", pick(t, list, "a_y_width").Value, 2*b*math.Sin(p), 1e-4)
	near(t, "width of the steering wheel", pick(t, list, "delta_H_width").Value, 2*a*math.Sin(p), 1e-4)
	near(t, "area", pick(t, list, "a_y_area").Value, math.Pi*a*b*math.Sin(p), 1e-5)
	near(t, "gain of the yaw rate", pick(t, list, "yaw_gain").Value, c/a*math.Cos(q), 1e-3)
	near(t, "width of the yaw rate", pick(t, list, "yaw_width").Value, 2*c*math.Sin(-q), 1e-4)
	const torque, lead = 3.0, 0.4 // of the torque before the steering wheel
	r.Hands = wave(torque, -lead)
	list = weave.Run(r, &weaveOptions{period: 1 / f, periods: 2, share: 0.2})
	near(t, "stiffness", pick(t, list, "M_H_stiffness").Value, torque/a*math.Cos(lead), 1e-3)
	near(t, "torque by lateral acceleration", pick(t, list, "M_H_gain").Value, torque/b*math.Cos(lead+p), 1e-3)
	near(t, "width of the torque", pick(t, list, "M_H_width").Value, 2*torque*math.Sin(lead+p), 1e-4)
	near(t, "lateral acceleration without torque", pick(t, list, "a_y_return").Value, 2*b*math.Sin(lead+p), 1e-4)
}

// A car that runs on a parabola y = k x^2/2 is k d^2/2 beside its line after the way d, and has turned by atan(k d).
func TestStraightRunningOfAParabola(t *testing.T) {
	const k, d, v, yaw = -5e-5, 1000.0, 25.0, 2.0
	time := times(45)
	r := record(time, Phase{"run", 2, 45})
	sin, cos := math.Sincos(yaw)
	for i, at := range time {
		x := v * (at - 2)
		y := k * x * x / 2
		turned := math.Atan(k * x)
		r.X[i], r.Y[i], r.Yaw[i] = 3+cos*x-sin*y, 4+sin*x+cos*y, yaw+turned
		r.Speed[i], r.YawRate[i], r.Lateral[i] = v, k*v, k*v*v
	}
	list := straightRunning.Run(r, &runningOptions{distance: d})
	near(t, "drift", pick(t, list, "drift").Value, k*d*d/2, 1e-9)
	near(t, "heading", pick(t, list, "heading").Value, math.Atan(k*d), 1e-9)
	near(t, "curvature", pick(t, list, "curvature").Value, k, 1e-9)
	near(t, "lateral acceleration", pick(t, list, "a_y").Value, k*v*v, 1e-9)
	near(t, "largest drift", pick(t, list, "drift_max").Value, k*math.Pow(v*43, 2)/2, 1e-9)
	if f := pick(t, straightRunning.Run(r, &runningOptions{distance: 2000}), "drift"); f.Missing == "" {
		t.Errorf("a run of 1075 m drifts %g m after 2000 m", f.Value)
	}
}

// A car that is blown to the right on a parabola from when the wind begins.
func TestCrosswindFiguresOfAParabola(t *testing.T) {
	const a, v, yaw, begin = -0.5, 30.0, -1.2, 2.0
	time := times(6)
	r := record(time, Phase{"straight", 0, begin}, Phase{"wind", begin, 6})
	sin, cos := math.Sincos(yaw)
	for i, at := range time {
		s := max(0, at-begin)
		x, y := v*(at-begin), a*s*s/2
		r.X[i], r.Y[i], r.Yaw[i] = cos*x-sin*y, sin*x+cos*y, yaw-0.01*s
		r.YawRate[i], r.Lateral[i], r.Roll[i] = -0.1*math.Exp(-s), a*math.Exp(-s), 0.02*math.Exp(-s)
		if at < begin {
			r.YawRate[i], r.Lateral[i], r.Roll[i] = 9, 9, 9
		}
	}
	list := crosswind.Run(r, &windOptions{readAt: 2})
	near(t, "deviation", pick(t, list, "deviation").Value, a*2, 1e-9)
	near(t, "heading", pick(t, list, "heading").Value, -0.02, 1e-9)
	near(t, "yaw rate", pick(t, list, "yaw_rate_max").Value, -0.1, 1e-9)
	near(t, "lateral acceleration", pick(t, list, "a_y_max").Value, a, 1e-9)
	near(t, "roll", pick(t, list, "roll_max").Value, 0.02, 1e-9)
}
