package kc

// Slope is the slope of the straight line of least squares.
func Slope(x, y []Number) Number {
	meanX, meanY := mean(x), mean(y)
	above, below := Of(0), Of(0)
	for i := range x {
		d := x[i].Minus(meanX)
		above, below = above.Plus(d.Times(y[i].Minus(meanY))), below.Plus(d.Times(d))
	}
	return above.By(below)
}

func mean(x []Number) Number {
	sum := Of(0)
	for _, v := range x {
		sum = sum.Plus(v)
	}
	return sum.Scaled(1 / float64(len(x)))
}

// Axle are the two wheels of an axle, left and right, each with y outward, and the forces of their pads [N].
type Axle struct {
	Wheels [2]Wheel
	Pads   [2]Number
}

// Width is the lateral distance of the contacts [m].
func (a *Axle) Width() Number { return a.Wheels[0].Contact()[1].Plus(a.Wheels[1].Contact()[1]) }

// Roll is the angle of the chassis against the line through the contacts, positive where its right side is down [rad].
func (a *Axle) Roll() Number {
	return atan2(a.Wheels[1].Contact()[2].Minus(a.Wheels[0].Contact()[2]), a.Width())
}

// RollMoment is the moment of the pads against the roll [N m].
func (a *Axle) RollMoment() Number { return a.Pads[1].Minus(a.Pads[0]).Times(a.Width()).Scaled(0.5) }

// Steer is the mean steer angle of the wheels to the left [rad].
func (a *Axle) Steer() Number { return a.Wheels[1].Toe().Minus(a.Wheels[0].Toe()).Scaled(0.5) }

// Lateral is the mean place of the contacts to the left [m].
func (a *Axle) Lateral() Number {
	return a.Wheels[0].Contact()[1].Minus(a.Wheels[1].Contact()[1]).Scaled(0.5)
}

// RollFigures are the figures of roll, from two states with opposite travel: one with the right wheel up, one with the
// left wheel up.
type RollFigures struct {
	Stiffness Number    // [N m/rad]
	Steer     Number    // to the left, per roll to the right
	Camber    [2]Number // by side, relative to the chassis, per roll to the other side
	Centre    Number    // height of the kinematic roll centre above the ground [m]
}

// Roll finds the figures of roll.
func Roll(right, left *Axle) RollFigures {
	angle := right.Roll().Minus(left.Roll())
	per := func(of func(a *Axle) Number) Number { return of(right).Minus(of(left)).By(angle) }
	camber := func(side int) Number { return per(func(a *Axle) Number { return a.Wheels[side].Camber() }) }
	return RollFigures{Stiffness: per((*Axle).RollMoment), Steer: per((*Axle).Steer),
		Camber: [2]Number{camber(0), camber(1).Negative()}, Centre: per((*Axle).Lateral).Negative()}
}

// RollCentreByForce is the height of the roll centre above the ground by forces: the height at which the chassis bears
// lateral forces of the contacts. A force to the left acts on each contact of the loaded axle. The wheels have equal
// heights in both states [m].
func RollCentreByForce(loaded, free *Axle, force float64) Number {
	change := func(side int) Number { return loaded.Pads[side].Minus(free.Pads[side]) }
	return free.Width().Times(change(0).Minus(change(1))).Scaled(-1 / (4 * force))
}

// RollCentreOfOneWheel is the roll centre of independent wheels by the path of one contact in bounce, y_c dy_c/dz_c,
// with the slope of least squares [m].
func RollCentreOfOneWheel(y, z []Number, design Number) Number { return design.Times(Slope(z, y)) }

// Anti is anti-dive, anti-lift or anti-squat: the share of the load transfer of longitudinal forces that the suspension
// carries by itself [1]. Support is the change of the pad's force per force; share is the part of the force that acts
// on the axle.
func Anti(support Number, share float64, wheelbase, height Number) Number {
	return support.Times(wheelbase).By(height).Scaled(share)
}

// InSeries is the stiffness of two springs in series.
func InSeries(a, b Number) Number { return a.Times(b).By(a.Plus(b)) }

// Ackermann is the difference between the angles of both wheels, divided by the difference in a turn about a point on
// the line of the other axle [1]. Width is the distance of the steering axes on the ground, base the wheelbase [m].
func Ackermann(inner, outer, width, base Number) Number {
	ideal := atan(Of(1).By(Of(1).By(tan(inner)).Plus(width.By(base))))
	return inner.Minus(outer).By(inner.Minus(ideal))
}

// TurningCircle is the diameter of the circle of the outer wheel, about a point on the line of the other axle [m].
func TurningCircle(outer, base Number) Number { return base.Scaled(2).By(sin(outer)) }
