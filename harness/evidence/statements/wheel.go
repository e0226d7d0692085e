package statements

import (
	"math"

	"skidpad/harness/workbench/results/trace"
)

// Statements of Afzal (2018), chapters 4 and 5, about the single wheel and the disc, with the numbers of the
// specifications: two-wheeler, 3.3, 7.2, 7.3, and the rest of the sources, 3.1.

// turnSlipRelaxation is the length sigma over which the moment of the wheel's tire follows its turn slip [m], from
// sigma dp/dt + V p = -w by least squares until 4 s. p = Mz/CM is the lagged turn slip, w the angular velocity of the
// wheel about the normal of the road, spin included, and V the speed of its contact point along its path.
func turnSlipRelaxation(t *trace.Trace, stiffness float64) float64 {
	const radius = 0.3 // m
	angle := func(k string) []float64 { return t.Column("wheel.angle" + k) }
	heading, lean, spin := angle("1"), angle("2"), angle("3")
	slip := trace.Mapped(t.Column("tire.Mz"), func(m float64) float64 { return m / stiffness })
	x, y := make([]float64, len(slip)), make([]float64, len(slip)) // of the contact point
	turning := make([]float64, len(slip))
	wx, wy, wz := t.Column("wheel.wx"), t.Column("wheel.wy"), t.Column("wheel.wz")
	wheelX, wheelY := t.Column("wheel.x"), t.Column("wheel.y")
	for i := range slip {
		sin, cos := math.Sincos(lean[i])
		x[i] = wheelX[i] - radius*sin*math.Sin(heading[i])
		y[i] = wheelY[i] + radius*sin*math.Cos(heading[i])
		turning[i] = -cos*math.Sin(spin[i])*wx[i] + sin*wy[i] + cos*math.Cos(spin[i])*wz[i]
	}
	var change, square float64
	for i := 1; i+1 < len(slip) && t.Time[i] <= 4; i++ {
		step := t.Time[i+1] - t.Time[i-1]
		rate := (slip[i+1] - slip[i-1]) / step
		speed := ((x[i+1]-x[i-1])*math.Cos(heading[i]) + (y[i+1]-y[i-1])*math.Sin(heading[i])) / step
		change += (-turning[i] - speed*slip[i]) * rate
		square += rate * rate
	}
	return change / square
}

// bearingFriction are the heading and the lean at 30 s of a wheel with friction in its bearings.
func bearingFriction(name string, heading float64) func(*trace.Trace) []Check {
	return func(t *trace.Trace) []Check {
		return []Check{NewCheck(name, "friction in the bearings slows the wheel down until it spins like a coin",
			near("heading at 30 s", t.At("wheel.angle1", 30), heading, 1e-3, 1, "rad"),
			near("lean at 30 s", t.At("wheel.angle2", 30), 70.6*degree, 0.1*degree, degree, "deg"))}
	}
}
