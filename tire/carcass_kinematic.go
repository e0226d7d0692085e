package tire

import "skidpad/tire/formula"

// Constants of kinematic slip at standstill (standstill specification, section 2.2).
const (
	standingLength = 0.05 // m, relaxation length
	carcassOnly    = 0.5  // m/s, speed or speed of the spin below which the deflection makes the slip
	kinematicOnly  = 1.0  // m/s, speed above which the velocities make the slip
	usualStiffness = 20   // slip stiffness by the load, of functions that take no slip
	followed       = 0.5  // step times the frequency of a wheel on its carcass [rad], at most
)

// standingLengthOf is the relaxation length [m] of a tire with kinematic slip, which has a carcass at standstill. The
// length is large enough for steps to follow a freely turning wheel.
func standingLengthOf(x []formula.Number) formula.Number {
	length := x[0].Constant(standingLength)
	turns := x[atStep].Times(x[atReff]).By(1 / followed) // h sqrt(c R^2/J) is at most followed
	long := length.Greater(x[atStiffness].Greater(x[atFz].By(leastStiff)).Times(turns.Squared()).Over(x[atAxial]))
	return x[atAxial].IsAbove(0).Choose(long, length)
}

// kinematicShare is the share of the velocities in the slip: 1 at speed.
func kinematicShare(speed formula.Number) formula.Number {
	const width = kinematicOnly - carcassOnly
	return speed.Line(speed.Constant(-carcassOnly/width), speed.Constant(1/width)).Hermite()
}

// blend is the mean of two by the share of the second one, which it is at the share 1.
func blend(share, from, to formula.Number) formula.Number {
	c := share.Constant
	return share.IsBelow(1).Choose(share.Line(c(1), c(-1)).Times(from).Plus(share.Times(to)), to)
}
