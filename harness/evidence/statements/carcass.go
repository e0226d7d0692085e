package statements

import (
	"math"

	"skidpad/harness/workbench/results/trace"
)

// This file compares two versions of the vehicles of Morency (2007): as published, and with carcasses and conservative
// contacts. Two laws differ. First, with conservative contacts the longitudinal force acts at the radius at which slip
// is measured. Free wheels then roll with a slip that the published vehicles do not have, and wheel speeds and vehicle
// speeds differ by this slip. Second, a carcass relaxes by the slope of its master curve, whereas the stretched string
// of the publication relaxes by a constant. The specification of standstill, section 2.1, states a difference of 0.3 to
// 1.2 % of the largest force for such slips at five times the frequency.

// CarcassSine compares two sine-steer runs of a vehicle: as published, and with carcasses.
func CarcassSine(body string, published, carcass *trace.Trace) Check {
	relative := func(name string) float64 {
		_, peak := trace.Peak(published.Time, published.Column(name))
		return distance(published, carcass, name) / math.Abs(peak)
	}
	return NewCheck("C1", "with carcasses the vehicle steers as published",
		Below("largest d yaw rate", relative(body+".wz"), 0.01, 0.01, "%"),
		Below("largest d roll", relative(body+".roll"), 0.01, 0.01, "%"),
		Below("largest d y", relative(body+".y"), 0.01, 0.01, "%"),
		Below("largest d Fy_FL", relative("tire_FL.Fy"), 0.03, 0.01, "%"))
}

// CarcassBraking compares two braking runs of a vehicle: as published, and with carcasses. A brake torque T slows the
// published vehicle by the force T/R_l, and the vehicle with carcasses by T/R_eff, because its force acts at the radius
// at which slip is measured.
func CarcassBraking(body string, published, carcass *trace.Trace) Check {
	const brakes, released = 2, 5 // s
	speedLost := func(t *trace.Trace) float64 { return t.At(body+".vx", brakes) - t.At(body+".vx", released) }
	loaded, effective := 0.0, 0.0 // sums of 1/R_l and of 1/R_eff over the wheels, which have equal brake torques
	for _, tire := range []string{"tire_FL", "tire_FR", "tire_RL", "tire_RR"} {
		loaded += 1 / carcass.At(tire+".R_l", 3.5)
		effective += 1 / carcass.At(tire+".R_eff", 3.5)
	}
	forces := loaded / effective // braking force as published, divided by the force with carcasses
	_, pitch1 := trace.Maximum(published.Time, published.Column(body+".pitch"))
	_, pitch2 := trace.Maximum(carcass.Time, carcass.Column(body+".pitch"))
	ratio := speedLost(published) / speedLost(carcass)
	return NewCheck("C2", "with carcasses the vehicle brakes as published, by R_l/R_eff",
		inRange("speed lost, published by carcass", ratio, 0.997*forces, 1.003*forces, 1, ""),
		Below("|d max pitch|", math.Abs(pitch1-pitch2), 0.1*degree, degree, "deg"))
}
