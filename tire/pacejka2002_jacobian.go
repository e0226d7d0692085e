package tire

import (
	"math"

	"skidpad/tire/elementary"
)

// Jacobian of Eval, by Fz, S, alpha, gamma and mu in turn: first the values of
// Eval's equations with their slopes by whatever precedes them, then, input by
// input, the differential of each equation. xFz stands for dx/dFz, and so on.
func (t *pacejka02Tire) Jacobian(in, jac []float64) {
	clear(jac[:45])
	var b [9]float64
	t.bounded(in, &b)
	fz, s, alpha, omega, gamma, vcx, surface := b[0], b[1], t.side*b[2], b[3], t.side*b[4], b[6], b[7]
	if fz <= airborne {
		return
	}
	least := fz * tiny
	lmux, lmuy := t.Lmux*surface, t.Lmuy*surface
	df := (fz - t.fn) * t.invFn
	load := fz * t.invFn

	// 10.1 longitudinal force, pure slip
	sx := s + (t.PHx1+t.PHx2*df)*t.LHx
	sxFz := t.PHx2 * t.LHx * t.invFn
	gx := gamma * t.Lgammax
	grip, gripFree := asMuchAsFree(t.PDx1+t.PDx2*df, t.leastX)
	camber, camberFree := asMuchAsFree(1-t.PDx3*gx*gx, leastShare)
	dx := grip * camber * lmux * fz
	dxFz := (grip + gripFree*t.PDx2*load) * camber * lmux
	dxGamma := -2 * camberFree * grip * t.PDx3 * gx * t.Lgammax * lmux * fz
	dxMu := grip * camber * t.Lmux * fz
	side := (1 - t.PEx4*sgn(sx)) * t.LEx
	ex, exFree := atMost1((t.PEx1 + df*(t.PEx2+t.PEx3*df)) * side)
	exFz := exFree * (t.PEx2 + 2*t.PEx3*df) * side * t.invFn
	stiff, stiffFree := asMuchAsFree(t.PKx1+t.PKx2*df, t.leastKx)
	growth := elementary.Exp(t.PKx3*df) * t.LKx
	kx := fz * stiff * growth
	kxFz := growth * (stiff + load*(stiffFree*t.PKx2+t.PKx3*stiff))
	shift := (t.PVx1 + t.PVx2*df) * t.LVx
	svx := fz * shift * lmux
	svxFz := (shift + load*t.PVx2*t.LVx) * lmux
	svxMu := fz * shift * t.Lmux
	cdx, cdxFree := awayFromZeroFree(t.cx*dx, least)
	bx := kx / cdx
	mx := inner(bx*sx, ex, t.cx)

	// 10.2 lateral force, pure slip
	gy := gamma * t.Lgammay
	shy := (t.PHy1+t.PHy2*df)*t.LHy + t.PHy3*gy
	shyFz, shyGamma := t.PHy2*t.LHy*t.invFn, t.PHy3*t.Lgammay
	ay := alpha + shy
	grip, gripFree = asMuchAsFree(t.PDy1+t.PDy2*df, t.leastY)
	camber, camberFree = asMuchAsFree(1-t.PDy3*gy*gy, leastShare)
	dy := grip * camber * lmuy * fz
	dyFz := (grip + gripFree*t.PDy2*load) * camber * lmuy
	dyGamma := -2 * camberFree * grip * t.PDy3 * gy * t.Lgammay * lmuy * fz
	dyMu := grip * camber * t.Lmuy * fz
	curve := (t.PEy1 + t.PEy2*df) * t.LEy
	side = 1 - (t.PEy3+t.PEy4*gy)*sgn(ay)
	ey, eyFree := atMost1(curve * side)
	eyFz := eyFree * t.PEy2 * t.LEy * side * t.invFn
	eyGamma := -eyFree * curve * t.PEy4 * t.Lgammay * sgn(ay)
	x := fz * t.invPeak
	q := 1 + x*x
	camber, camberFree = asMuchAsFree(1-t.PKy3*math.Abs(gy), leastShare)
	ky, kyFree := awayFromZeroFree(2*t.ky*x/q*camber, least)
	kyFz := kyFree * 2 * t.ky * (1 - x*x) / (q * q) * t.invPeak * camber
	kyGamma := -kyFree * camberFree * 2 * t.ky * x / q * t.PKy3 * sgn(gy) * t.Lgammay
	shift = (t.PVy1+t.PVy2*df)*t.LVy + (t.PVy3+t.PVy4*df)*gy
	svy := fz * shift * lmuy
	svyFz := (shift + load*(t.PVy2*t.LVy+t.PVy4*gy)) * lmuy
	svyGamma := fz * (t.PVy3 + t.PVy4*df) * t.Lgammay * lmuy
	svyMu := fz * shift * t.Lmuy
	cdy, cdyFree := awayFromZeroFree(t.cy*dy, least)
	by := ky / cdy
	my := inner(by*ay, ey, t.cy)

	// 10.3 longitudinal force, combined slip
	r := t.RBx2 * s
	w := 1 / math.Sqrt(1+r*r)
	bxa := t.bxa * w
	bxaS := -bxa * w * w * r * t.RBx2
	exa, exaFree := atMost1(t.REx1 + t.REx2*df)
	exaFz := exaFree * t.REx2 * t.invFn
	xa, xa0 := inner(bxa*(alpha+t.RHx1), exa, t.RCx1), inner(bxa*t.RHx1, exa, t.RCx1)

	// 10.4 lateral force, combined slip
	r = t.RBy2 * (alpha - t.RBy3)
	w = 1 / math.Sqrt(1+r*r)
	byk := t.byk * w
	bykAlpha := -byk * w * w * r * t.RBy2
	eyk, eykFree := atMost1(t.REy1 + t.REy2*df)
	eykFz := eykFree * t.REy2 * t.invFn
	shyk := t.RHy1 + t.RHy2*df
	shykFz := t.RHy2 * t.invFn
	yk, yk0 := inner(byk*(s+shyk), eyk, t.RCy1), inner(byk*shyk, eyk, t.RCy1)
	r = t.RVy4 * alpha
	w = 1 / math.Sqrt(1+r*r)
	reach := (t.RVy1 + t.RVy2*df + t.RVy3*gamma) * w * t.LVykappa
	reachFz, reachGamma := t.RVy2*t.invFn*w*t.LVykappa, t.RVy3*w*t.LVykappa
	reachAlpha := -reach * w * w * r * t.RVy4
	// 10.7 aligning moment
	gz := gamma * t.Lgammaz
	at := alpha + t.QHz1 + t.QHz2*df + (t.QHz3+t.QHz4*df)*gz
	atFz, atGamma := (t.QHz2+t.QHz4*gz)*t.invFn, (t.QHz3+t.QHz4*df)*t.Lgammaz
	ar := alpha + shy + svy/ky
	turn := t.LKy / lmuy
	curve, camber = t.QBz1+df*(t.QBz2+t.QBz3*df), (1+t.QBz4*gz+t.QBz5*math.Abs(gz))*turn
	bt := curve * camber
	btFz := (t.QBz2 + 2*t.QBz3*df) * t.invFn * camber
	btGamma := curve * (t.QBz4 + t.QBz5*sgn(gz)) * t.Lgammaz * turn
	btMu := -bt / surface
	ct := t.QCz1
	curve, camber = (t.QDz1+t.QDz2*df)*t.trail, 1+gz*(t.QDz3+t.QDz4*gz)
	dt := fz * curve * camber
	dtFz := (curve + load*t.QDz2*t.trail) * camber
	dtGamma := fz * curve * (t.QDz3 + 2*t.QDz4*gz) * t.Lgammaz
	curve, side = t.QEz1+df*(t.QEz2+t.QEz3*df), (t.QEz4+t.QEz5*gz)*(2/math.Pi)
	z := bt * ct * at
	slip := t.combined * kx / ky * s
	shift = (t.QDz6+t.QDz7*df)*t.Lres + (t.QDz8+t.QDz9*df)*gz
	dr := fz * shift * t.R0 * lmuy
	drFz := (shift + load*(t.QDz7*t.Lres+t.QDz9*gz)) * t.R0 * lmuy
	drGamma := fz * (t.QDz8 + t.QDz9*df) * t.Lgammaz * t.R0 * lmuy
	drMu := fz * shift * t.R0 * t.Lmuy
	br := t.QBz9*turn + t.QBz10*by*t.cy

	// Functions that do not wait for each other stand together, as in Eval.
	tanT, tanR := elementary.Tan(at), elementary.Tan(ar)
	sinAlpha, cosAlpha := elementary.Sincos(alpha)
	atanZ := elementary.Atan(z)
	reachR := t.RVy6 * s
	vyk := t.RVy5 * elementary.Atan(reachR)
	ateq, ateqBy, ateqSlip := equivalent(at, tanT, slip)
	areq, areqBy, areqSlip := equivalent(ar, tanR, slip)
	et, etFree := atMost1(curve * (1 + side*atanZ))
	etFz := etFree * (t.QEz2 + 2*t.QEz3*df) * t.invFn * (1 + side*atanZ)
	etGamma := etFree * curve * t.QEz5 * t.Lgammaz * (2 / math.Pi) * atanZ
	etZ := etFree * curve * side / (1 + z*z)
	mt := inner(bt*ateq, et, ct)
	mx, my, xa, xa0, yk, yk0, mt = mx.outer(), my.outer(), xa.outer(), xa0.outer(), yk.outer(), yk0.outer(), mt.outer()
	mx, my, xa, xa0, yk, yk0, mt = mx.ends(), my.ends(), xa.ends(), xa0.ends(), yk.ends(), yk0.ends(), mt.ends()
	sin, cos := elementary.Sincos(vyk)

	// 10.1 to 10.4 forces
	fx0, fy0 := dx*mx.sin+svx, dy*my.sin+svy
	weight, free := awayFromZeroFree(xa0.cos, tiny)
	gxa := xa.cos / weight
	lean := free * gxa * xa0.sin
	gxaFz := (lean*xa0.byE - xa.sin*xa.byE) * exaFz / weight
	gxaS := (lean*xa0.byX*t.RHx1 - xa.sin*xa.byX*(alpha+t.RHx1)) * bxaS / weight
	gxaAlpha := -xa.sin * xa.byX * bxa / weight
	fx := gxa * fx0
	weight, free = awayFromZeroFree(yk0.cos, tiny)
	gyk := yk.cos / weight
	lean = free * gyk * yk0.sin
	gykFz := (lean*(yk0.byX*byk*shykFz+yk0.byE*eykFz) - yk.sin*(yk.byX*byk*shykFz+yk.byE*eykFz)) / weight
	gykS := -yk.sin * yk.byX * byk / weight
	gykAlpha := (lean*yk0.byX*shyk - yk.sin*yk.byX*(s+shyk)) * bykAlpha / weight
	sinS := cos * t.RVy5 * t.RVy6 / (1 + reachR*reachR)
	svyk := dy * reach * sin
	fy := gyk*fy0 + svyk

	// 10.5, 10.6 overturning moment and rolling resistance
	v := vcx * t.invV0
	tilt := t.QSx1*t.LVMx - t.QSx2*gamma + t.QSx3*fy*t.invFn
	byFx := t.QSy2 * fx * t.invFn
	drag, dragV := t.QSy1+byFx+t.QSy3*math.Abs(v)+t.QSy4*v*v*v*v, t.QSy3*sgn(v)+4*t.QSy4*v*v*v
	if t.QSy1+t.QSy3*math.Abs(v)+t.QSy4*v*v*v*v < 0 {
		drag, dragV = byFx, 0
	}
	over, roll := t.side*t.R0*t.LMx, -rollingSign(omega)*t.R0*t.LMy

	// 10.7 aligning moment
	trail := dt * mt.cos * cosAlpha
	r = br * areq
	w = 1 / math.Sqrt(1+r*r)
	arm := t.R0 * (t.SSz1 + t.SSz2*fy*t.invFn + (t.SSz3+t.SSz4*df)*gamma) * t.LS

	for k, column := range [...]int{0, 1, 2, 4, 7} {
		var one [5]float64
		one[k] = 1
		dFz, dS, dAlpha, dGamma, dMu := one[0], one[1], t.side*one[2], t.side*one[3], one[4]

		dDx := dxFz*dFz + dxGamma*dGamma + dxMu*dMu
		dBx := (kxFz*dFz - bx*cdxFree*t.cx*dDx) / cdx
		dFx0 := mx.sin*dDx + dx*mx.cos*(mx.byX*(dBx*sx+bx*(dS+sxFz*dFz))+mx.byE*exFz*dFz) + svxFz*dFz + svxMu*dMu
		dFx := gxa*dFx0 + fx0*(gxaFz*dFz+gxaS*dS+gxaAlpha*dAlpha)

		dDy := dyFz*dFz + dyGamma*dGamma + dyMu*dMu
		dKy := kyFz*dFz + kyGamma*dGamma
		dBy := (dKy - by*cdyFree*t.cy*dDy) / cdy
		dAy := dAlpha + shyFz*dFz + shyGamma*dGamma
		dSVy := svyFz*dFz + svyGamma*dGamma + svyMu*dMu
		dFy0 := my.sin*dDy + dy*my.cos*(my.byX*(dBy*ay+by*dAy)+my.byE*(eyFz*dFz+eyGamma*dGamma)) + dSVy
		dSVyk := (dDy*reach+dy*(reachFz*dFz+reachGamma*dGamma+reachAlpha*dAlpha))*sin + dy*reach*sinS*dS
		dFy := gyk*dFy0 + fy0*(gykFz*dFz+gykS*dS+gykAlpha*dAlpha) + dSVyk

		dAt := dAlpha + atFz*dFz + atGamma*dGamma
		dAr := dAy + (dSVy-svy/ky*dKy)/ky
		dSlip := kx/ky*dS + s*(kxFz*dFz-kx/ky*dKy)/ky
		dAteq, dAreq := ateqBy*dAt+ateqSlip*dSlip, areqBy*dAr+areqSlip*dSlip
		dBt := btFz*dFz + btGamma*dGamma + btMu*dMu
		dEt := etFz*dFz + etGamma*dGamma + etZ*ct*(dBt*at+bt*dAt)
		dTrail := (dtFz*dFz+dtGamma*dGamma)*mt.cos*cosAlpha -
			dt*(mt.sin*(mt.byX*(dBt*ateq+bt*dAteq)+mt.byE*dEt)*cosAlpha+mt.cos*sinAlpha*dAlpha)
		dBr := -t.QBz9*turn/surface*dMu + t.QBz10*t.cy*dBy
		dDr := drFz*dFz + drGamma*dGamma + drMu*dMu
		dResidual := (dDr-dr*w*w*r*(dBr*areq+br*dAreq))*w*cosAlpha - dr*w*sinAlpha*dAlpha
		dArm := t.R0 * t.LS * (t.SSz2*t.invFn*dFy + t.SSz4*gamma*t.invFn*dFz + (t.SSz3+t.SSz4*df)*dGamma)

		jac[column] = dFx
		jac[9+column] = t.side * dFy
		jac[18+column] = over * (tilt*dFz + fz*(t.QSx3*t.invFn*dFy-t.QSx2*dGamma))
		jac[27+column] = roll * (drag*dFz + fz*t.QSy2*t.invFn*dFx)
		jac[36+column] = t.side * ((dTrail*(svyk-fy)+trail*(dSVyk-dFy)+dResidual)*b[8] + dArm*fx + arm*dFx)
	}
	jac[36+8] = t.side * (dr*w*cosAlpha - trail*(fy-svyk))
	jac[27+6] = roll * fz * dragV * t.invV0
	zeroClampedColumns(jac[:45], in[:9], b[:])
}

// phase is the angle C arctan(x - E (x - arctan x)) of the Magic Formula: its
// sine, its cosine, and its slopes by x and E. It is made in three stages.
type phase struct{ x, e, c, lag, u, angle, sin, cos, byX, byE float64 }

// inner begins with u = x - E (x - arctan x).
func inner(x, e, c float64) phase {
	lag := x - elementary.Atan(x)
	return phase{x: x, e: e, c: c, lag: lag, u: x - e*lag}
}

// outer goes on with the angle and its slopes.
func (p phase) outer() phase {
	p.angle = p.c * elementary.Atan(p.u)
	slope := p.c / (1 + p.u*p.u)
	p.byX, p.byE = slope*(1-p.e+p.e/(1+p.x*p.x)), -slope*p.lag
	return p
}

// ends adds the sine and the cosine.
func (p phase) ends() phase {
	p.sin, p.cos = elementary.Sincos(p.angle)
	return p
}

// atMost1 limits e to 1; free is 0 when it does, else 1.
func atMost1(e float64) (limited, free float64) {
	if e >= 1 {
		return 1, 0
	}
	return e, 1
}

// awayFromZeroFree is awayFromZero; free is 0 when it moves x, else 1.
func awayFromZeroFree(x, least float64) (moved, free float64) {
	if math.Abs(x) < least {
		return math.Copysign(least, x), 0
	}
	return x, 1
}

// asMuchAsFree is asMuchAs; free is 0 when it moves x, else 1.
func asMuchAsFree(x, least float64) (limited, free float64) {
	if limited = asMuchAs(x, least); limited != x {
		return limited, 0
	}
	return x, 1
}

// equivalent is sgn(x) arctan(sqrt(tan^2 x + slip^2)) with its slopes by x and
// slip. The square root has no slope where both vanish; zero stands for it.
func equivalent(x, tan, slip float64) (angle, byX, bySlip float64) {
	square := tan*tan + slip*slip
	if square == 0 {
		return 0, 0, 0
	}
	root := math.Sqrt(square)
	slope := sgn(x) / ((1 + square) * root)
	return sgn(x) * elementary.Atan(root), slope * tan * (1 + tan*tan), slope * slip
}
