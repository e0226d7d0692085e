package tire

import (
	"math"

	"skidpad/tire/formula"
)

const (
	// creeping [m/s] is the speed epsilon_V, which keeps spin finite at standstill (4.E6a). Up to this speed the trail
	// and the residual torque turn with the direction of rolling.
	creeping = 0.1
	// decay is A_mu of the digressive friction factor of the vertical shifts (4.E8).
	decay = 10
	// feather is a share of the nominal load. Below this load the rolling resistance is proportional to the load:
	// powers below 1 are infinitely steep at lift-off.
	feather = 0.01
	// calm is the share of the largest turn-slip torque that keeps the quotient of (4.104) from
	// jumping where there is no spin.
	calm = 1e-3
)

// mf6Text is the law of mf61 and mf62: Fx, Fy [N], Mx, My, Mz [N m] in ISO tire axes of Fz [N], S, alpha [rad], gamma
// [rad], Omega [rad/s], VCx [m/s], wn [rad/s] and mu. It follows the equations (4.E9) to (4.E78) of Pacejka (2012),
// with the inflation pressure, the trail and the couples of Besselink, Schmeitz and Pacejka (2010), appendix A; files
// hold coefficients for these equations. alpha* = tan alpha, gamma* = sin gamma; sgn(0) = +1. mu scales Lmux and Lmuy.
type mf6Text struct{ turning bool }

// mf6Law are the coefficients as formulas have them.
type mf6Law = mf6Coefficients[formula.Number]

func (mf6Text) shape() lawShape { return shapeOf[mf6Coefficients[float64]](8) }

func (text mf6Text) write(in, coefficients []formula.Number) (bounded, results []formula.Number) {
	t, turning := named[mf6Law](coefficients), text.turning
	c := in[0].Constant
	bounded = []formula.Number{
		in[0].NotAbove(t.maxFz), in[1].Bounded(t.minS, t.maxS), in[2].Bounded(t.minAlpha, t.maxAlpha),
		in[3].Bounded(t.minGamma, t.maxGamma), in[4].Within(extreme), in[5].Within(extreme), in[6].Within(extreme),
		in[7].Bounded(c(slippery), c(extreme)),
	}
	fz, lifted := onGround(bounded[0], airborne)
	kappa, angle, gamma := bounded[1], bounded[2].Times(t.side), bounded[3].Times(t.side)
	omega, vcx, wn, surface := bounded[4], bounded[5], bounded[6].Times(t.side), bounded[7]
	least := fz.Value().By(tiny)

	alpha, lean := angle.Tan(), gamma.Sin()
	lean2, tilt := lean.Times(lean), lean.Abs()
	df := fz.Line(c(-1), t.invFn)
	forward := vcx.By(1 / creeping).SmoothSign()
	lmux, lmuy := surface.Times(t.Lmux), surface.Times(t.Lmuy)
	shiftX, shiftY := fz.Times(lmux.Digressive(decay)), fz.Times(lmuy.Digressive(decay))

	// pure stiffnesses: (4.E15), (4.E25) without inclination, (4.E30)
	kx := slipStiffness(fz, df, t.PKx1, t.PKx2, t.PKx3, t.leastKx).Times(t.stiffX)
	ky := fz.Times(t.invPeak).Atan().Times(t.PKy4).AtMost(c(math.Pi - leastShare)).Sin().Times(t.stiffY)
	kyGamma := fz.Times(df.Line(t.PKy6, t.PKy7)).Times(t.stiffGamma)
	// friction: (4.E13), (4.E23)
	mux := df.Line(t.PDx1, t.PDx2).AsMuchAs(t.leastX).
		Times(gamma.Square(c(1), c(0), t.PDx3.Neg()).AtLeast(c(leastShare))).Times(lmux).Times(t.gripX)
	upright := df.Line(t.PDy1, t.PDy2).AsMuchAs(t.leastY).Times(lmuy).Times(t.gripY)
	muy := upright.Times(lean2.Line(c(1), t.PDy3.Neg()).AtLeast(c(leastShare)))
	// (4.E19), (4.E25), (4.E28)
	kyLean := corneringStiffness(fz.Times(t.invFn), lean, t.PKy2.Times(t.peakY), t.PKy5.Times(t.peakY), t.PKy4, t.stiffY,
		t.PKy3, t.leastPeak)
	svyGamma := shiftY.Times(df.Line(t.PVy3, t.PVy4)).Times(lean).Times(t.LKyc)

	// spin: phi = (yaw rate of the wheel plane + (1 - epsilon_gamma) Omega sin gamma)/V (4.76), and what it
	// reduces (4.77 to 4.106)
	z1, z2, z3, z5, z6 := c(1), c(1), c(1), c(1), c(1)
	shiftTurn := c(0)
	spin := c(0)
	if turning {
		speed := vcx.Abs().And(creeping)
		gain := df.Line(t.PECp1, t.PECp1.Times(t.PECp2))
		spin = wn.Minus(gain.Times(omega).Times(lean)).Over(speed).Times(t.R0)
		z1 = spin.Times(df.Line(t.PDxp1, t.PDxp1.Times(t.PDxp2))).Times(kappa.Times(t.PDxp3).CosAtan()).CosAtan()
		z2 = spin.SquaredSumWithRoot(t.PDyp4).
			Times(df.Line(t.PDyp1, t.PDyp1.Times(t.PDyp2)).Times(alpha.Times(t.PDyp3).CosAtan()).Squared()).InverseSqrt1p()
		z3 = spin.Times(spin).Times(t.PKyp1).CosAtan()
		z5, z6 = spin.Times(t.QDtp1).CosAtan(), spin.Times(t.QBrp1).CosAtan()
		top := df.Line(t.PHyp2, t.PHyp3).AwayFromZero(c(tiny))
		stiff := kyGamma.Over(gain.Line(c(1), c(-1)).AwayFromZero(c(tiny))).
			Over(top.Times(ky.Times(z3).AwayFromZero(least)).Times(t.PHyp1))
		shiftTurn = top.Times(stiff.Times(spin).MFCurvature(t.PHyp4).Atan().Times(t.PHyp1).Sin()).Times(forward)
	}

	// (4.E9) to (4.E18) longitudinal force, pure slip
	sx := kappa.Plus(df.Line(t.PHx1, t.PHx2).Times(t.LHx))
	dx := mux.Times(fz).Times(z1)
	ex := df.Square(t.PEx1, t.PEx2, t.PEx3).Times(t.LEx.Times(sx.SignUp().Line(c(1), t.PEx4.Neg())))
	svx := shiftX.Times(df.Line(t.PVx1, t.PVx2)).Times(z1).Times(t.LVx)
	bx := kx.Over(dx.Times(t.cx).AwayFromZero(least))
	fx0 := bx.Times(sx).MFCurvature(ex).Atan().Times(t.cx).Sin().Times(dx).Plus(svx)

	// (4.E19) to (4.E30) lateral force, pure slip
	kyLean = kyLean.Times(z3).AwayFromZero(least)
	svyGamma = svyGamma.Times(z2)
	straight := shiftY.Times(df.Line(t.PVy1, t.PVy2)).Times(t.LVy)
	svy := straight.Times(z2).Plus(svyGamma)
	ply := df.Line(t.PHy1, t.PHy2).Times(t.LHy)
	shy := ply.Minus(svyGamma.Over(kyLean)).Plus(shiftTurn)
	if !turning {
		shy = shy.Plus(kyGamma.Times(lean).Over(kyLean))
	}
	ay := alpha.Plus(shy)
	dy := muy.Times(fz).Times(z2)
	ey := df.Line(t.PEy1, t.PEy2).Times(t.LEy).
		Times(lean2.Line(c(1), t.PEy5).Minus(lean.Line(t.PEy3, t.PEy4).Times(ay.SignUp())))
	by := kyLean.Over(dy.Times(t.cy).AwayFromZero(least))
	fy0 := by.Times(ay).MFCurvature(ey).Atan().Times(t.cy).Sin().Times(dy).Plus(svy)
	// the same without inclination and spin, for the trail
	ay0, dy0, ky0 := alpha.Plus(ply), upright.Times(fz), ky.AwayFromZero(least)
	ey0 := df.Line(t.PEy1, t.PEy2).Times(t.LEy.Times(ay0.SignUp().Line(c(1), t.PEy3.Neg())))
	fy00 := ky0.Over(dy0.Times(t.cy).AwayFromZero(least)).Times(ay0).MFCurvature(ey0).Atan().Times(t.cy).Sin().Times(
		dy0).Plus(straight)

	// (4.E50) to (4.E57) longitudinal force, combined slip
	bxa := kappa.Times(t.RBx2).CosAtan().Times(lean2.Line(t.RBx1, t.RBx3)).Times(t.LXalpha)
	exa := df.Line(t.REx1, t.REx2)
	fx := mfWeight(bxa.Times(alpha.Plus(t.RHx1)), bxa.Times(t.RHx1), exa, t.RCx1).Times(fx0)

	// (4.E58) to (4.E67) lateral force, combined slip
	byk := alpha.Line(t.RBy2.Neg().Times(t.RBy3), t.RBy2).CosAtan().Times(lean2.Line(t.RBy1, t.RBy4)).Times(t.LYkappa)
	shyk := df.Line(t.RHy1, t.RHy2)
	gyk := mfWeight(byk.Times(kappa.Plus(shyk)), byk.Times(shyk), df.Line(t.REy1, t.REy2), t.RCy1)
	dvyk := dy.Times(df.Line(t.RVy1, t.RVy2).Plus(lean.Times(t.RVy3))).Times(alpha.Times(t.RVy4).CosAtan())
	svyk := dvyk.Times(kappa.Times(t.RVy6).Atan().Times(t.RVy5).Sin()).Times(t.LVykappa)
	fy := gyk.Times(fy0).Plus(svyk)

	// (4.E31) to (4.E49), (4.E71) to (4.E78) aligning moment; Bt and Dt by the paper's (A58), (A60)
	along := angle.Cos().Times(forward)
	at := alpha.Plus(df.Line(t.QHz1, t.QHz2)).Plus(df.Line(t.QHz3, t.QHz4).Times(lean))
	ar := alpha.Plus(shy).Plus(svy.Over(kyLean))
	stiff := t.LKy.Over(lmuy)
	bt := df.Square(t.QBz1, t.QBz2, t.QBz3).Times(gamma.Line(c(1), t.QBz4).Plus(gamma.Abs().Times(t.QBz5))).Times(stiff)
	dt := fz.Times(df.Line(t.QDz1, t.QDz2)).Times(gamma.Square(c(1), t.QDz3, t.QDz4)).Times(z5).Times(t.trail)
	et := df.Square(t.QEz1, t.QEz2,
		t.QEz3).Times(lean.Line(t.QEz4, t.QEz5).Times(bt.Times(at).Times(t.QCz1).Atan()).Line(c(1), c(2/math.Pi)))
	slip := kx.Over(kyLean).Times(kappa).Times(t.combined)
	trail := bt.Times(at.Together(slip)).MFCurvature(et).Atan().Times(t.QCz1).Cos().Times(dt).Times(along)
	br := stiff.Times(t.QBz9).Plus(by.Times(t.QBz10.Times(t.cy))).Times(z6)
	dr := df.Line(t.QDz6, t.QDz7).Times(t.Lres).Times(z2)
	// torque by inclination: a part of its own, or of spin
	couple := df.Line(t.QDz8, t.QDz9).Times(t.residual).Plus(df.Line(t.QDz10, t.QDz11).Times(tilt)).Times(t.LKzc)
	cr, turn := c(1), c(0)
	if turning {
		yaw := wn.Minus(omega.Times(lean)).Over(vcx.Abs().And(creeping)).Times(t.R0)
		largest := muy.Abs().Times(fz).Times(fz.Times(t.invFn).Sqrt()).Times(t.QCrp1.Times(t.R0).Times(t.LMP))
		most := largest.Times(t.steepest).AwayFromZero(least)
		curve := df.Line(t.PECp1, t.PECp1.Times(t.PECp2)).Line(c(1), c(-1))
		stiffness := fz.Times(couple).Times(t.R0).Over(most.Times(curve).Times(t.QDrp1).AwayFromZero(least))
		turn = stiffness.Times(spin).MFCurvature(t.QDrp2).Atan().Times(t.QDrp1).Sin().Times(most)
		across := largest.Times(yaw.Times(t.QCrp2).Abs().Atan()).Times(gyk).By(2 / math.Pi)
		cr = across.Over(turn.Abs().Plus(largest.Abs().By(calm)).AwayFromZero(least)).NormalisedArccos()
	} else {
		dr = dr.Plus(couple.Times(lean))
	}
	dr = fz.Times(dr).Times(lmuy).Times(along).Times(t.R0).Plus(turn)
	residual := cr.Times(br.Times(ar.Together(slip)).Atan()).Cos().Times(dr)
	arm := df.Line(t.SSz3, t.SSz4).Times(lean).Plus(fy.Line(t.SSz1, t.SSz2.Times(t.invFn))).Times(t.R0.Times(t.LS))
	mz := residual.Minus(trail.Times(gyk.Times(fy00))).Plus(arm.Times(fx))

	// overturning couple ((49) of the paper's revision), rolling resistance (A48)
	load, aside := fz.Times(t.invFz0), fy.Times(t.invFz0)
	crown := load.Times(load).Times(t.QSx6.Squared()).Atan().Times(t.QSx5).Cos().Times(
		gamma.Times(t.QSx7).Plus(aside.Times(t.QSx9).Atan().Times(t.QSx8)).Sin()).Times(t.QSx4)
	over := gamma.Times(t.QSx2.Neg().Times(t.pressureX)).Minus(gamma.Times(gamma.Abs()).Times(t.QSx12)).Plus(
		aside.Times(t.QSx3)).Plus(crown).
		Plus(load.Times(t.QSx11).Atan().Times(gamma).Times(t.QSx10)).Plus(t.QSx1.Times(t.LVMx))
	mx := fz.Times(over).Plus(fy.Times(gamma.Abs().Line(t.QSx13, t.QSx14))).Times(t.R0.Times(t.LMx))
	v := vcx.Times(t.invV0)
	v2 := v.Times(v)
	bySpeed, byFourth := v.Abs().Times(t.QSy3), v2.Times(v2).Times(t.QSy4)
	byLean := load.Line(t.QSy5, t.QSy6).Times(gamma).Times(gamma)
	drag := fx.Line(t.QSy1, t.QSy2.Times(t.invFz0)).Plus(bySpeed).Plus(byFourth).Plus(byLean)
	// Without the term in Fx, which stands for a power of that force, it never drives.
	rest := t.QSy1.Plus(bySpeed).Plus(byFourth).Plus(byLean)
	drag = drag.Minus(rest.AtMost(c(0)))
	my := drag.Times(load.Power(t.QSy7, feather)).Times(t.drag.Neg().Times(omega.SignUp()))

	return bounded, unlessLifted(lifted, fx, fy.Times(t.side), mx.Times(t.side), my, mz.Times(t.side))
}

// slipStiffness is (4.E15) without scale factors and pressure, with coefficients of the load and the least sum of the
// first two.
func slipStiffness(fz, df, k1, k2, k3, least formula.Number) formula.Number {
	return fz.Times(df.Line(k1, k2).AsMuchAs(least)).Times(df.Times(k3).Exp())
}

// corneringStiffness is the cornering stiffness (4.E25) [N/rad]. load is in nominal loads, lean is the sine of the
// inclination. peak is the load of the largest stiffness upright, peakLean its slope over lean squared, and least its
// lower bound. shape is the shape factor. largest is the largest stiffness [N/rad], fall its relative decrease with
// lean. Beyond the peak the stiffness does not fall to 0.
func corneringStiffness(load, lean, peak, peakLean, shape, largest, fall, least formula.Number) formula.Number {
	c := load.Constant
	at := lean.Times(lean).Line(peak, peakLean).AsMuchAs(least).AwayFromZero(c(tiny))
	leaning := lean.Abs().Line(largest, fall.Neg().Times(largest)).AsMuchAs(largest.By(leastShare))
	return load.Over(at).Atan().Times(shape).AtMost(c(math.Pi - leastShare)).Sin().Times(leaning)
}

// mfWeight is the factor cos(C arctan(x - E (x - arctan x))) of combined slip, by its value at shift.
func mfWeight(x, shift, e, c formula.Number) formula.Number {
	return x.MFCurvature(e).Atan().Times(c).Cos().
		Over(shift.MFCurvature(e).Atan().Times(c).Cos().AwayFromZero(x.Constant(tiny)))
}

// grip implements gripText: (4.E13), (4.E15), (4.E23) and (4.E25), without spin.
func (mf6Text) grip(in, coefficients []formula.Number) (stiffness, most [2]formula.Number) {
	t := named[mf6Law](coefficients)
	c := in[0].Constant
	fz, gamma, mu := in[0].AtMost(t.maxFz), in[1].AtMost(t.maxGamma).AtLeast(t.minGamma), in[2].AtLeast(c(slippery))
	lean := gamma.Sin()
	lean2 := lean.Times(lean)
	df := fz.Line(c(-1), t.invFn)
	kx := slipStiffness(fz, df, t.PKx1, t.PKx2, t.PKx3, t.leastKx).Times(t.stiffX)
	ky := corneringStiffness(fz.Times(t.invFn), lean, t.PKy2.Times(t.peakY), t.PKy5.Times(t.peakY), t.PKy4, t.stiffY,
		t.PKy3, t.leastPeak)
	dx := df.Line(t.PDx1, t.PDx2).AsMuchAs(t.leastX).Times(gamma.Square(c(1), c(0), t.PDx3.Neg()).AtLeast(c(leastShare))).
		Times(fz).Times(mu).Times(t.Lmux.Times(t.gripX))
	dy := df.Line(t.PDy1, t.PDy2).AsMuchAs(t.leastY).Times(lean2.Line(c(1), t.PDy3.Neg()).AtLeast(c(leastShare))).
		Times(fz).Times(mu).Times(t.Lmuy.Times(t.gripY))
	return [2]formula.Number{kx.Abs(), ky.Abs()}, [2]formula.Number{dx.Abs(), dy.Abs()}
}

func (t *mf6Tire) nominalLoad() float64 { return 1 / t.invFn }
