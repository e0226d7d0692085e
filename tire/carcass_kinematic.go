package tire

// Constants of kinematic slip at standstill (standstill specification, section 2.2).
const (
	standingLength = 0.05 // m, relaxation length
	carcassOnly    = 0.5  // m/s, speed or speed of the spin below which the deflection makes the slip
	kinematicOnly  = 1.0  // m/s, from which on the velocities do
	usualStiffness = 20   // slip stiffness by the load, of functions that take no slip
	followed       = 0.5  // step times the frequency of a wheel on its carcass [rad], at most
)

// standingLengthOf is the relaxation length of a tire with kinematic slip [m], which has a carcass to stand on: long
// enough for steps to follow a wheel that is free to turn.
func standingLengthOf(x *[lawInputs]dual) dual {
	length := dual{v: standingLength}
	if x[atAxial].v > 0 { // h sqrt(c R^2/J) is at most followed
		turns := x[atStep].times(x[atReff]).by(1 / followed)
		length = length.greater(x[atStiffness].greater(x[atFz].by(leastStiff)).times(turns.squared()).over(x[atAxial]))
	}
	return length
}

// kinematicShare is that of the velocities in the slip, which alone make it at speed.
func kinematicShare(speed dual) dual {
	const width = kinematicOnly - carcassOnly
	return speed.line(-carcassOnly/width, 1/width).hermite()
}

// between is the mean of two by the share of the second one, which it is at the share 1.
func (a dual) between(from, to dual) dual {
	if a.v >= 1 {
		return to
	}
	return a.line(1, -1).times(from).plus(a.times(to))
}
