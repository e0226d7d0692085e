package kc

import "math"

// Slope is the slope of the straight line of least squares.
func Slope(x, y []float64) float64 {
	meanX, meanY := mean(x), mean(y)
	above, below := 0.0, 0.0
	for i := range x {
		above += (x[i] - meanX) * (y[i] - meanY)
		below += (x[i] - meanX) * (x[i] - meanX)
	}
	return above / below
}

func mean(x []float64) float64 {
	sum := 0.0
	for _, v := range x {
		sum += v
	}
	return sum / float64(len(x))
}

// Axle are the two wheels of an axle, left and right, each with y outward, and the forces of their pads [N].
type Axle struct {
	Wheels [2]Wheel
	Pads   [2]float64
}

// Width is the lateral distance of the contacts [m].
func (a *Axle) Width() float64 { return a.Wheels[0].Contact()[1] + a.Wheels[1].Contact()[1] }

// Roll is the angle of the chassis against the line through the contacts, positive where its right side is down [rad].
func (a *Axle) Roll() float64 {
	return math.Atan2(a.Wheels[1].Contact()[2]-a.Wheels[0].Contact()[2], a.Width())
}

// RollMoment is the moment of the pads against the roll [N m].
func (a *Axle) RollMoment() float64 { return (a.Pads[1] - a.Pads[0]) * a.Width() / 2 }

// Steer is the mean steer angle of the wheels to the left [rad].
func (a *Axle) Steer() float64 { return (a.Wheels[1].Toe() - a.Wheels[0].Toe()) / 2 }

// Lateral is the mean place of the contacts to the left [m].
func (a *Axle) Lateral() float64 {
	return (a.Wheels[0].Contact()[1] - a.Wheels[1].Contact()[1]) / 2
}

// Ground is the mean height of the contacts [m].
func (a *Axle) Ground() float64 { return (a.Wheels[0].Contact()[2] + a.Wheels[1].Contact()[2]) / 2 }

// RollFigures are the figures of roll, from two states with opposite travel: one with the right wheel up, one with the
// left wheel up.
type RollFigures struct {
	Stiffness float64    // [N m/rad]
	Steer     float64    // to the left, per roll to the right
	Camber    [2]float64 // by side, relative to the chassis, per roll to the other side
	Centre    float64    // height of the kinematic roll centre above the ground [m]
}

// Roll finds the figures of roll.
func Roll(right, left *Axle) RollFigures {
	angle := right.Roll() - left.Roll()
	per := func(of func(a *Axle) float64) float64 { return (of(right) - of(left)) / angle }
	camber := func(side int) float64 { return per(func(a *Axle) float64 { return a.Wheels[side].Camber() }) }
	return RollFigures{Stiffness: per((*Axle).RollMoment), Steer: per((*Axle).Steer),
		Camber: [2]float64{camber(0), -camber(1)}, Centre: -per((*Axle).Lateral)}
}

// RollCentreByForce is the height of the roll centre above the ground by forces: the height at which the chassis bears
// lateral forces of the contacts. A force to the left acts on each contact of the loaded axle. The wheels have equal
// heights in both states [m].
func RollCentreByForce(loaded, free *Axle, force float64) float64 {
	change := func(side int) float64 { return loaded.Pads[side] - free.Pads[side] }
	return -free.Width() / 2 * (change(0) - change(1)) / (2 * force)
}

// RollCentreOfOneWheel is the roll centre of independent wheels by the path of one contact in bounce, y_c dy_c/dz_c,
// with the slope of least squares [m].
func RollCentreOfOneWheel(y, z []float64, design float64) float64 { return design * Slope(z, y) }

// Anti is anti-dive, anti-lift or anti-squat: the share of the load transfer of longitudinal forces that the suspension
// carries by itself [1]. Support is the change of the pad's force per force; share is the part of the force that acts
// on the axle.
func Anti(support, share, wheelbase, height float64) float64 {
	return share * wheelbase / height * support
}

// InSeries is the stiffness of two springs in series.
func InSeries(a, b float64) float64 { return 1 / (1/a + 1/b) }

// Ackermann is the difference between the angles of both wheels, divided by the difference in a turn about a point on
// the line of the other axle [1]. Width is the distance of the steering axes on the ground, base the wheelbase [m].
func Ackermann(inner, outer, width, base float64) float64 {
	ideal := math.Atan(1 / (1/math.Tan(inner) + width/base))
	return (inner - outer) / (inner - ideal)
}

// TurningCircle is the diameter of the circle of the outer wheel, about a point on the line of the other axle [m].
func TurningCircle(outer, base float64) float64 { return 2 * base / math.Sin(outer) }
