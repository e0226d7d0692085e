package tire

import (
	"math"

	"skidpad/tire/elementary"
)

const (
	// creeping [m/s] is the speed epsilon_V that keeps spin finite at standstill (4.E6a), and up to
	// which the trail and the residual torque turn with the direction of rolling.
	creeping = 0.1
	// decay is A_mu of the digressive friction factor of the vertical shifts (4.E8).
	decay = 10
	// feather is the share of the nominal load under which the rolling resistance is proportional
	// to the load: powers below 1 are infinitely steep at lift-off.
	feather = 0.01
	// calm is the share of the largest turn-slip torque that keeps the quotient of (4.104) from
	// jumping where there is no spin.
	calm = 1e-3
)

// bounded are the inputs limited to what the model has meaning for and to the ranges of its
// parameters.
func (t *mf6Tire) bounded(in []float64, b *[8]float64) {
	b[0] = min(in[0], t.maxFz)
	b[1] = max(t.minS, min(t.maxS, in[1]))
	b[2] = max(t.minAlpha, min(t.maxAlpha, in[2]))
	b[3] = max(t.minGamma, min(t.maxGamma, in[3]))
	b[4] = clampAbs(in[4], extreme)
	b[5] = clampAbs(in[5], extreme)
	b[6] = clampAbs(in[6], extreme)
	b[7] = max(slippery, min(in[7], extreme))
}

// Eval maps Fz [N], S, alpha [rad], gamma [rad], Omega [rad/s], VCx [m/s], wn [rad/s], mu to Fx, Fy
// [N], Mx, My, Mz [N m] in ISO tire axes.
func (t *mf6Tire) Eval(in, out []float64) {
	var b [8]float64
	t.bounded(in, &b)
	if b[0] <= airborne {
		clear(out[:5])
		return
	}
	var still [8]float64
	f := t.forces(b, still)
	for i := range f {
		out[i] = f[i].v
	}
}

// Jacobian of Eval, input by input.
func (t *mf6Tire) Jacobian(in, jac []float64) {
	clear(jac[:40])
	var b [8]float64
	t.bounded(in, &b)
	if b[0] <= airborne {
		return
	}
	for k := range 8 {
		var one [8]float64
		one[k] = 1
		f := t.forces(b, one)
		for i := range f {
			jac[8*i+k] = f[i].d
		}
	}
	zeroClampedColumns(jac[:40], in[:8], b[:])
}

// forces maps inputs, and a direction in which they vary, to Eval's outputs and their derivatives
// in that direction: the equations (4.E9) to (4.E78) of Pacejka (2012), with the inflation pressure, the
// trail and the couples of Besselink, Schmeitz and Pacejka (2010), appendix A, which are what
// files hold coefficients for. alpha* = tan alpha, gamma* = sin gamma; sgn(0) = +1. mu scales Lmux and Lmuy.
func (t *mf6Tire) forces(b, direction [8]float64) [5]dual {
	fz, kappa := dual{b[0], direction[0]}, dual{b[1], direction[1]}
	angle, gamma := dual{t.side * b[2], t.side * direction[2]}, dual{t.side * b[3], t.side * direction[3]}
	omega, vcx := dual{b[4], direction[4]}, dual{b[5], direction[5]}
	wn, surface := dual{t.side * b[6], t.side * direction[6]}, dual{b[7], direction[7]}
	least := b[0] * tiny

	alpha, lean := angle.tan(), gamma.sin()
	lean2, tilt := lean.times(lean), lean.abs()
	df := fz.line(-1, t.invFn)
	forward := vcx.by(1 / creeping).smoothSign()
	lmux, lmuy := surface.by(t.Lmux), surface.by(t.Lmuy)
	shiftX, shiftY := fz.times(lmux.digressive()), fz.times(lmuy.digressive())

	// pure stiffnesses: (4.E15), (4.E25) without inclination, (4.E30)
	kx := slipStiffness(fz, df, t.PKx1, t.PKx2, t.PKx3, t.leastKx).by(t.stiffX)
	ky := fz.by(t.invPeak).atan().by(t.PKy4).atMost(math.Pi - leastShare).sin().by(t.stiffY)
	kyGamma := fz.times(df.line(t.PKy6, t.PKy7)).by(t.stiffGamma)
	// friction: (4.E13), (4.E23)
	mux := df.line(t.PDx1, t.PDx2).asMuchAs(t.leastX).times(gamma.square(1, 0, -t.PDx3).atLeast(leastShare)).times(lmux).
		by(t.gripX)
	upright := df.line(t.PDy1, t.PDy2).asMuchAs(t.leastY).times(lmuy).by(t.gripY)
	muy := upright.times(lean2.line(1, -t.PDy3).atLeast(leastShare))
	// (4.E19), (4.E25), (4.E28)
	kyLean := corneringStiffness(fz.by(t.invFn), lean, t.PKy2*t.peakY, t.PKy5*t.peakY, t.PKy4, t.stiffY, t.PKy3,
		t.leastPeak)
	svyGamma := shiftY.times(df.line(t.PVy3, t.PVy4)).times(lean).by(t.LKyc)

	// spin: phi = (yaw rate of the wheel plane + (1 - epsilon_gamma) Omega sin gamma)/V (4.76), and what it
	// reduces (4.77 to 4.106)
	z1, z2, z3, z5, z6 := dual{1, 0}, dual{1, 0}, dual{1, 0}, dual{1, 0}, dual{1, 0}
	var shiftTurn dual
	spin := dual{}
	turning := t.TurnSlip > 0
	if turning {
		speed := vcx.abs().and(creeping)
		gain := df.line(t.PECp1, t.PECp1*t.PECp2)
		spin = wn.minus(gain.times(omega).times(lean)).over(speed).by(t.R0)
		z1 = spin.times(df.line(t.PDxp1, t.PDxp1*t.PDxp2)).times(kappa.by(t.PDxp3).cosAtan()).cosAtan()
		z2 = spin.squaredSumWithRoot(t.PDyp4).times(df.line(t.PDyp1,
			t.PDyp1*t.PDyp2).times(alpha.by(t.PDyp3).cosAtan()).squared()).inverseSqrt1p()
		z3 = spin.times(spin).by(t.PKyp1).cosAtan()
		z5, z6 = spin.by(t.QDtp1).cosAtan(), spin.by(t.QBrp1).cosAtan()
		top := df.line(t.PHyp2, t.PHyp3).awayFromZero(tiny)
		stiff := kyGamma.over(gain.line(1,
			-1).awayFromZero(tiny)).over(top.times(ky.times(z3).awayFromZero(least)).by(t.PHyp1))
		shiftTurn = top.times(stiff.times(spin).mfCurvature(dual{t.PHyp4, 0}).atan().by(t.PHyp1).sin()).times(forward)
	}

	// (4.E9) to (4.E18) longitudinal force, pure slip
	sx := kappa.plus(df.line(t.PHx1, t.PHx2).by(t.LHx))
	dx := mux.times(fz).times(z1)
	ex := df.square(t.PEx1, t.PEx2, t.PEx3).by(t.LEx * (1 - t.PEx4*sgn(sx.v)))
	svx := shiftX.times(df.line(t.PVx1, t.PVx2)).times(z1).by(t.LVx)
	fx0 := kx.over(dx.by(t.cx).awayFromZero(least)).times(sx).mfCurvature(ex).atan().by(t.cx).sin().times(dx).plus(svx)

	// (4.E19) to (4.E30) lateral force, pure slip
	kyLean = kyLean.times(z3).awayFromZero(least)
	svyGamma = svyGamma.times(z2)
	straight := shiftY.times(df.line(t.PVy1, t.PVy2)).by(t.LVy)
	svy := straight.times(z2).plus(svyGamma)
	ply := df.line(t.PHy1, t.PHy2).by(t.LHy)
	shy := ply.minus(svyGamma.over(kyLean)).plus(shiftTurn)
	if !turning {
		shy = shy.plus(kyGamma.times(lean).over(kyLean))
	}
	ay := alpha.plus(shy)
	dy := muy.times(fz).times(z2)
	ey := df.line(t.PEy1, t.PEy2).by(t.LEy).times(lean2.line(1, t.PEy5).minus(lean.line(t.PEy3, t.PEy4).by(sgn(ay.v))))
	by := kyLean.over(dy.by(t.cy).awayFromZero(least))
	fy0 := by.times(ay).mfCurvature(ey).atan().by(t.cy).sin().times(dy).plus(svy)
	// the same without inclination and spin, for the trail
	ay0, dy0, ky0 := alpha.plus(ply), upright.times(fz), ky.awayFromZero(least)
	ey0 := df.line(t.PEy1, t.PEy2).by(t.LEy * (1 - t.PEy3*sgn(ay0.v)))
	fy00 := ky0.over(dy0.by(t.cy).awayFromZero(least)).times(ay0).mfCurvature(ey0).atan().by(t.cy).sin().times(
		dy0).plus(straight)

	// (4.E50) to (4.E57) longitudinal force, combined slip
	bxa := kappa.by(t.RBx2).cosAtan().times(lean2.line(t.RBx1, t.RBx3)).by(t.LXalpha)
	exa := df.line(t.REx1, t.REx2)
	fx := weight(bxa.times(alpha.and(t.RHx1)), bxa.by(t.RHx1), exa, t.RCx1).times(fx0)

	// (4.E58) to (4.E67) lateral force, combined slip
	byk := alpha.line(-t.RBy2*t.RBy3, t.RBy2).cosAtan().times(lean2.line(t.RBy1, t.RBy4)).by(t.LYkappa)
	shyk := df.line(t.RHy1, t.RHy2)
	gyk := weight(byk.times(kappa.plus(shyk)), byk.times(shyk), df.line(t.REy1, t.REy2), t.RCy1)
	dvyk := dy.times(df.line(t.RVy1, t.RVy2).plus(lean.by(t.RVy3))).times(alpha.by(t.RVy4).cosAtan())
	svyk := dvyk.times(kappa.by(t.RVy6).atan().by(t.RVy5).sin()).by(t.LVykappa)
	fy := gyk.times(fy0).plus(svyk)

	// (4.E31) to (4.E49), (4.E71) to (4.E78) aligning moment; Bt and Dt by the paper's (A58), (A60)
	along := angle.cos().times(forward)
	at := alpha.plus(df.line(t.QHz1, t.QHz2)).plus(df.line(t.QHz3, t.QHz4).times(lean))
	ar := alpha.plus(shy).plus(svy.over(kyLean))
	stiff := dual{t.LKy, 0}.over(lmuy)
	bt := df.square(t.QBz1, t.QBz2, t.QBz3).times(gamma.line(1, t.QBz4).plus(gamma.abs().by(t.QBz5))).times(stiff)
	dt := fz.times(df.line(t.QDz1, t.QDz2)).times(gamma.square(1, t.QDz3, t.QDz4)).times(z5).by(t.trail)
	et := df.square(t.QEz1, t.QEz2,
		t.QEz3).times(lean.line(t.QEz4, t.QEz5).times(bt.times(at).by(t.QCz1).atan()).line(1, 2/math.Pi))
	slip := kx.over(kyLean).times(kappa).by(t.combined)
	trail := bt.times(at.together(slip)).mfCurvature(et).atan().by(t.QCz1).cos().times(dt).times(along)
	br := stiff.by(t.QBz9).plus(by.by(t.QBz10 * t.cy)).times(z6)
	dr := df.line(t.QDz6, t.QDz7).by(t.Lres).times(z2)
	// torque by inclination: a part of its own, or of spin
	couple := df.line(t.QDz8, t.QDz9).by(t.residual).plus(df.line(t.QDz10, t.QDz11).times(tilt)).by(t.LKzc)
	cr, turn := dual{1, 0}, dual{}
	if turning {
		yaw := wn.minus(omega.times(lean)).over(vcx.abs().and(creeping)).by(t.R0)
		largest := muy.abs().times(fz).times(fz.by(t.invFn).root()).by(t.QCrp1 * t.R0 * t.LMP)
		most := largest.by(t.steepest).awayFromZero(least)
		curve := df.line(t.PECp1, t.PECp1*t.PECp2).line(1, -1)
		stiffness := fz.times(couple).by(t.R0).over(most.times(curve).by(t.QDrp1).awayFromZero(least))
		turn = stiffness.times(spin).mfCurvature(dual{t.QDrp2, 0}).atan().by(t.QDrp1).sin().times(most)
		across := largest.times(yaw.by(t.QCrp2).abs().atan()).times(gyk).by(2 / math.Pi)
		cr = across.over(turn.abs().plus(largest.abs().by(calm)).awayFromZero(least)).normalisedArccos()
	} else {
		dr = dr.plus(couple.times(lean))
	}
	dr = fz.times(dr).times(lmuy).times(along).by(t.R0).plus(turn)
	residual := cr.times(br.times(ar.together(slip)).atan()).cos().times(dr)
	arm := df.line(t.SSz3, t.SSz4).times(lean).plus(fy.line(t.SSz1, t.SSz2*t.invFn)).by(t.R0 * t.LS)
	mz := residual.minus(trail.times(gyk.times(fy00))).plus(arm.times(fx))

	// overturning couple ((49) of the paper's revision), rolling resistance (A48)
	load, aside := fz.by(t.invFz0), fy.by(t.invFz0)
	crown := load.times(load).by(t.QSx6 * t.QSx6).atan().by(t.QSx5).cos().times(
		gamma.by(t.QSx7).plus(aside.by(t.QSx9).atan().by(t.QSx8)).sin()).by(t.QSx4)
	over := gamma.by(-t.QSx2 * t.pressureX).minus(gamma.times(gamma.abs()).by(t.QSx12)).plus(
		aside.by(t.QSx3)).plus(crown).
		plus(load.by(t.QSx11).atan().times(gamma).by(t.QSx10)).and(t.QSx1 * t.LVMx)
	mx := fz.times(over).plus(fy.times(gamma.abs().line(t.QSx13, t.QSx14))).by(t.R0 * t.LMx)
	v := vcx.by(t.invV0)
	v2 := v.times(v)
	bySpeed, byFourth := v.abs().by(t.QSy3), v2.times(v2).by(t.QSy4)
	byLean := load.line(t.QSy5, t.QSy6).times(gamma).times(gamma)
	drag := fx.line(t.QSy1, t.QSy2*t.invFz0).plus(bySpeed).plus(byFourth).plus(byLean)
	// Without the term in Fx, which stands for a power of that force, it never drives.
	if rest := bySpeed.and(t.QSy1).plus(byFourth).plus(byLean); rest.v < 0 {
		drag = drag.minus(rest)
	}
	my := drag.times(load.power(t.QSy7)).by(-t.drag * rollingSign(omega.v))

	return [5]dual{fx, fy.by(t.side), mx.by(t.side), my, mz.by(t.side)}
}

// slipStiffness is (4.E15) without scale factors and pressure, with coefficients of the load and the least sum of the
// first two.
func slipStiffness(fz, df dual, k1, k2, k3, least float64) dual {
	return fz.times(df.line(k1, k2).asMuchAs(least)).times(df.by(k3).exp())
}

// corneringStiffness is the cornering stiffness (4.E25) [N/rad]. load is in nominal loads, lean is the sine of the
// inclination. peak is the load of the largest stiffness upright, peakLean its slope over lean squared, and least its
// least value. shape is the shape factor. largest is the largest stiffness [N/rad], fall its relative decrease with
// lean. Beyond the peak the stiffness does not fall to 0.
func corneringStiffness(load, lean dual, peak, peakLean, shape, largest, fall, least float64) dual {
	at := lean.times(lean).line(peak, peakLean).asMuchAs(least).awayFromZero(tiny)
	leaning := lean.abs().line(largest, -fall*largest).asMuchAs(leastShare * largest)
	return load.over(at).atan().by(shape).atMost(math.Pi - leastShare).sin().times(leaning)
}

// weight is the factor cos(C arctan(x - E (x - arctan x))) of combined slip, by its value at shift.
func weight(x, shift, e dual, c float64) dual {
	return x.mfCurvature(e).atan().by(c).cos().over(shift.mfCurvature(e).atan().by(c).cos().awayFromZero(tiny))
}

// together is sgn(a) sqrt(a^2 + slip^2): (4.E77), (4.E78). Where both vanish its slopes are zero.
func (a dual) together(slip dual) dual {
	root := math.Sqrt(a.v*a.v + slip.v*slip.v)
	slope := 0.0
	if root > 0 {
		slope = sgn(a.v) / root
	}
	return dual{sgn(a.v) * root, slope * (a.v*a.d + slip.v*slip.d)}
}

// squared is a^2.
func (a dual) squared() dual { return a.times(a) }

// inverseSqrt1p is 1/sqrt(1 + a), a >= 0.
func (a dual) inverseSqrt1p() dual {
	w := 1 / math.Sqrt(1+a.v)
	return dual{w, -0.5 * w * w * w * a.d}
}

// squaredSumWithRoot is (|a| + c sqrt|a|)^2, whose slope at 0 is finite on either side.
func (a dual) squaredSumWithRoot(c float64) dual {
	r := math.Abs(a.v)
	root := math.Sqrt(r)
	return dual{r * (r + c*(2*root+c)), sign(a.v) * (2*r + c*(3*root+c)) * a.d}
}

// root is the square root of a > 0.
func (a dual) root() dual {
	r := math.Sqrt(a.v)
	return dual{r, a.d / (2 * r)}
}

// digressive is lambda'_mu of lambda*_mu (4.E8).
func (a dual) digressive() dual {
	q := 1 + (decay-1)*a.v
	return dual{decay * a.v / q, decay / (q * q) * a.d}
}

// smoothSign is the sign of a with two continuous derivatives: a (15 - 10 a^2 + 3 a^4)/8 from -1 to 1.
func (a dual) smoothSign() dual {
	x := clampAbs(a.v, 1)
	s := x * x
	slope := 1 - s
	return dual{x * (15 + s*(3*s-10)) / 8, 1.875 * slope * slope * a.d}
}

// normalisedArccos is (2/pi) arccos a, with a limited to 1, from where on it does not change.
func (a dual) normalisedArccos() dual {
	x := clampAbs(a.v, 1)
	slope := 0.0
	if math.Abs(a.v) < 1 {
		slope = a.d / math.Sqrt(1-x*x)
	}
	return dual{1 - (2/math.Pi)*elementary.Asin(x), -(2 / math.Pi) * slope}
}

// power is a^q, a from 0 to 100, and proportional to a below feather. The logarithm is 16 times
// that of the 16th root, which is 2 artanh((r - 1)/(r + 1)).
func (a dual) power(q float64) dual {
	x := max(a.v, feather)
	r := math.Sqrt(math.Sqrt(math.Sqrt(math.Sqrt(x))))
	w := (r - 1) / (r + 1)
	z := w * w
	series := 1 + z*(1./3+z*(1./5+z*(1./7+z*(1./9+z*(1./11+z*(1./13+z*(1./15+z*(1./17+z/19))))))))
	p := elementary.Exp(q * 32 * w * series)
	if a.v < feather {
		return dual{p * a.v / feather, p * a.d / feather}
	}
	return dual{p, q * p / x * a.d}
}
