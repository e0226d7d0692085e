package tire

import (
	"math"

	"skidpad/tire/elementary"
)

// tiny keeps the divisors C D, Ky (both over Fz), G(SHx) and G(SHy) from zero,
// which they reach at inclinations and with parameters of no real tire.
const tiny = 1e-9

// bounded are the inputs limited to what the model has meaning for and to the ranges of its
// parameters.
func (t *pacejka02Tire) bounded(in []float64, b *[9]float64) {
	b[0] = min(in[0], t.maxFz)
	b[1] = max(t.minS, min(t.maxS, in[1]))
	b[2] = max(t.minAlpha, min(t.maxAlpha, in[2]))
	b[3] = in[3]
	b[4] = max(t.minGamma, min(t.maxGamma, in[4]))
	b[5] = in[5]
	b[6] = clampAbs(in[6], extreme)
	b[7] = max(slippery, min(in[7], extreme))
	b[8] = clampAbs(in[8], 1)
}

// Eval maps Fz [N], S, alpha [rad], Omega [rad/s], gamma [rad], Reff [m], VCx
// [m/s], mu and the direction of travel to Fx, Fy [N], Mx, My, Mz [N m] in ISO tire axes, by the equations
// of section 10 of the tire specification (PAC2002), in the order of operations of
// Jacobian, so that both share what they can; sgn(0) = +1. mu scales Lmux
// and Lmuy; in reverse trail and residual torque turn their sign, the arm s does not. Reff is not used
// by this form of the rolling resistance.
func (t *pacejka02Tire) Eval(in, out []float64) {
	var b [9]float64
	t.bounded(in, &b)
	fz, s, alpha, omega, gamma, vcx, surface := b[0], b[1], t.side*b[2], b[3], t.side*b[4], b[6], b[7]
	if fz <= airborne {
		clear(out[:5])
		return
	}
	least := fz * tiny
	lmux, lmuy := t.Lmux*surface, t.Lmuy*surface
	df := (fz - t.fn) * t.invFn

	// 10.1 longitudinal force, pure slip
	sx := s + (t.PHx1+t.PHx2*df)*t.LHx
	gx := gamma * t.Lgammax
	mux := asMuchAs(t.PDx1+t.PDx2*df, t.leastX) * notBelow(1-t.PDx3*gx*gx, leastShare) * lmux
	dx := mux * fz
	ex := min((t.PEx1+df*(t.PEx2+t.PEx3*df))*((1-t.PEx4*sgn(sx))*t.LEx), 1)
	kx := fz * asMuchAs(t.PKx1+t.PKx2*df, t.leastKx) * (elementary.Exp(t.PKx3*df) * t.LKx)
	svx := fz * ((t.PVx1 + t.PVx2*df) * t.LVx) * lmux
	x := kx / awayFromZero(t.cx*dx, least) * sx

	// 10.2 lateral force, pure slip
	gy := gamma * t.Lgammay
	shy := (t.PHy1+t.PHy2*df)*t.LHy + t.PHy3*gy
	ay := alpha + shy
	muy := asMuchAs(t.PDy1+t.PDy2*df, t.leastY) * notBelow(1-t.PDy3*gy*gy, leastShare) * lmuy
	dy := muy * fz
	ey := min((t.PEy1+t.PEy2*df)*t.LEy*(1-(t.PEy3+t.PEy4*gy)*sgn(ay)), 1)
	load := fz * t.invPeak
	ky := awayFromZero(2*t.ky*load/(1+load*load)*notBelow(1-t.PKy3*math.Abs(gy), leastShare), least)
	by := ky / awayFromZero(t.cy*dy, least)
	svy := fz * ((t.PVy1+t.PVy2*df)*t.LVy + (t.PVy3+t.PVy4*df)*gy) * lmuy
	y := by * ay

	// 10.3 longitudinal force, combined slip
	r := t.RBx2 * s
	bxa := t.bxa * (1 / math.Sqrt(1+r*r))
	exa := min(t.REx1+t.REx2*df, 1)
	xa, xa0 := bxa*(alpha+t.RHx1), bxa*t.RHx1

	// 10.4 lateral force, combined slip
	r = t.RBy2 * (alpha - t.RBy3)
	byk := t.byk * (1 / math.Sqrt(1+r*r))
	eyk := min(t.REy1+t.REy2*df, 1)
	shyk := t.RHy1 + t.RHy2*df
	yk, yk0 := byk*(s+shyk), byk*shyk
	r = t.RVy4 * alpha
	reach := (t.RVy1 + t.RVy2*df + t.RVy3*gamma) * (1 / math.Sqrt(1+r*r)) * t.LVykappa

	// 10.7 aligning moment
	gz := gamma * t.Lgammaz
	at := alpha + t.QHz1 + t.QHz2*df + (t.QHz3+t.QHz4*df)*gz
	ar := alpha + shy + svy/ky
	stiff := t.LKy / lmuy
	bt := (t.QBz1 + df*(t.QBz2+t.QBz3*df)) * ((1 + t.QBz4*gz + t.QBz5*math.Abs(gz)) * stiff)
	ct := t.QCz1
	dt := fz * ((t.QDz1 + t.QDz2*df) * t.trail) * (1 + gz*(t.QDz3+t.QDz4*gz))
	br := t.QBz9*stiff + t.QBz10*by*t.cy
	dr := fz * ((t.QDz6+t.QDz7*df)*t.Lres + (t.QDz8+t.QDz9*df)*gz) * t.R0 * lmuy
	slip := t.combined * kx / ky * s
	slip *= slip

	// Functions that do not wait for each other stand together: processors compute them
	// side by side.
	tanT, tanR := elementary.Tan(at), elementary.Tan(ar)
	cos := elementary.Cos(alpha)
	et := min((t.QEz1+df*(t.QEz2+t.QEz3*df))*(1+(t.QEz4+t.QEz5*gz)*(2/math.Pi)*elementary.Atan(bt*ct*at)), 1)
	ateq := sgn(at) * elementary.Atan(math.Sqrt(tanT*tanT+slip))
	areq := sgn(ar) * elementary.Atan(math.Sqrt(tanR*tanR+slip))
	x, y = bend(x, ex), bend(y, ey)
	xa, xa0 = bend(xa, exa), bend(xa0, exa)
	yk, yk0 = bend(yk, eyk), bend(yk0, eyk)
	zt := bend(bt*ateq, et)
	r = br * areq
	residual := dr * (1 / math.Sqrt(1+r*r)) * cos
	x, y = t.cx*elementary.Atan(x), t.cy*elementary.Atan(y)
	xa, xa0 = t.RCx1*elementary.Atan(xa), t.RCx1*elementary.Atan(xa0)
	yk, yk0 = t.RCy1*elementary.Atan(yk), t.RCy1*elementary.Atan(yk0)
	vyk := t.RVy5 * elementary.Atan(t.RVy6*s)
	zt = ct * elementary.Atan(zt)
	fx0, fy0 := dx*elementary.Sin(x)+svx, dy*elementary.Sin(y)+svy
	gxa := elementary.Cos(xa) / awayFromZero(elementary.Cos(xa0), tiny)
	gyk := elementary.Cos(yk) / awayFromZero(elementary.Cos(yk0), tiny)
	svyk := dy * reach * elementary.Sin(vyk)
	trail := dt * elementary.Cos(zt) * cos
	fx, fy := gxa*fx0, gyk*fy0+svyk

	// 10.5, 10.6 overturning moment and rolling resistance
	out[2] = t.side * t.R0 * fz * (t.QSx1*t.LVMx - t.QSx2*gamma + t.QSx3*fy*t.invFn) * t.LMx
	v := vcx * t.invV0
	out[3] = -rollingSign(omega) * t.R0 * fz * (t.QSy1 + t.QSy2*fx*t.invFn + t.QSy3*math.Abs(v) +
		t.QSy4*v*v*v*v - notAbove(t.QSy1+t.QSy3*math.Abs(v)+t.QSy4*v*v*v*v, 0)) * t.LMy

	// 10.7 aligning moment
	arm := t.R0 * (t.SSz1 + t.SSz2*fy*t.invFn + (t.SSz3+t.SSz4*df)*gamma) * t.LS
	out[0], out[1] = fx, t.side*fy
	out[4] = t.side * ((residual-trail*(fy-svyk))*b[8] + arm*fx)
}

// bend is the argument of the Magic Formula's outer arctan, x - E (x - arctan x).
func bend(x, e float64) float64 { return x - e*(x-elementary.Atan(x)) }
