package tire

import (
	"math"

	"skidpad/tire/formula"
)

// tiny keeps the divisors C D, Ky (both over Fz), G(SHx) and G(SHy) from zero, which they reach at inclinations and
// with parameters of no real tire.
const tiny = 1e-9

// pacejka02Text is the law of pacejka02: Fx, Fy [N], Mx, My, Mz [N m] in ISO tire axes of Fz [N], S, alpha [rad], Omega
// [rad/s], gamma [rad], Reff [m], VCx [m/s], mu and the direction of travel. It follows the equations of section 10 of
// the tire specification (PAC2002); sgn(0) = +1. mu scales Lmux and Lmuy. In reverse, trail and residual torque change
// sign; the arm s does not. Reff is not used by this form of the rolling resistance.
type pacejka02Text struct{}

// pacejka02Law are the coefficients as formulas have them.
type pacejka02Law = pacejka02Coefficients[formula.Number]

func (pacejka02Text) shape() lawShape { return shapeOf[pacejka02Coefficients[float64]](9) }

func (pacejka02Text) write(in, coefficients []formula.Number) (bounded, results []formula.Number) {
	t := named[pacejka02Law](coefficients)
	c := in[0].Constant
	bounded = []formula.Number{
		in[0].NotAbove(t.maxFz), in[1].Bounded(t.minS, t.maxS), in[2].Bounded(t.minAlpha, t.maxAlpha), in[3],
		in[4].Bounded(t.minGamma, t.maxGamma), in[5], in[6].Within(extreme), in[7].Bounded(c(slippery), c(extreme)),
		in[8].Within(1),
	}
	fz, lifted := onGround(bounded[0], airborne)
	s, alpha, omega, gamma := bounded[1], t.side.Times(bounded[2]), bounded[3], t.side.Times(bounded[4])
	vcx, surface, direction := bounded[6], bounded[7], bounded[8]
	least := fz.Value().By(tiny)
	lmux, lmuy := t.Lmux.Times(surface), t.Lmuy.Times(surface)
	df := fz.Minus(t.fn).Times(t.invFn)

	// 10.1 longitudinal force, pure slip
	sx := s.Plus(df.Line(t.PHx1, t.PHx2).Times(t.LHx))
	gx := gamma.Times(t.Lgammax)
	mux := df.Line(t.PDx1, t.PDx2).AsMuchAs(t.leastX).
		Times(c(1).Minus(t.PDx3.Times(gx).Times(gx)).AtLeast(c(leastShare))).Times(lmux)
	dx := mux.Times(fz)
	ex := df.Square(t.PEx1, t.PEx2, t.PEx3).Times(sx.SignUp().Line(c(1), t.PEx4.Neg()).Times(t.LEx))
	kx := fz.Times(df.Line(t.PKx1, t.PKx2).AsMuchAs(t.leastKx)).Times(t.PKx3.Times(df).Exp().Times(t.LKx))
	svx := fz.Times(df.Line(t.PVx1, t.PVx2).Times(t.LVx)).Times(lmux)
	bx := kx.Over(t.cx.Times(dx).AwayFromZero(least))
	fx0 := dx.Times(bx.Times(sx).MFCurvature(ex).Atan().Times(t.cx).Sin()).Plus(svx)

	// 10.2 lateral force, pure slip
	gy := gamma.Times(t.Lgammay)
	shy := df.Line(t.PHy1, t.PHy2).Times(t.LHy).Plus(t.PHy3.Times(gy))
	ay := alpha.Plus(shy)
	muy := df.Line(t.PDy1, t.PDy2).AsMuchAs(t.leastY).
		Times(c(1).Minus(t.PDy3.Times(gy).Times(gy)).AtLeast(c(leastShare))).Times(lmuy)
	dy := muy.Times(fz)
	ey := df.Line(t.PEy1, t.PEy2).Times(t.LEy).Times(c(1).Minus(t.PEy3.Plus(t.PEy4.Times(gy)).Times(ay.SignUp())))
	load := fz.Times(t.invPeak)
	ky := t.ky.By(2).Times(load).Over(load.Times(load).And(1)).
		Times(c(1).Minus(t.PKy3.Times(gy.Abs())).AtLeast(c(leastShare))).AwayFromZero(least)
	by := ky.Over(t.cy.Times(dy).AwayFromZero(least))
	svy := fz.Times(df.Line(t.PVy1, t.PVy2).Times(t.LVy).Plus(df.Line(t.PVy3, t.PVy4).Times(gy))).Times(lmuy)
	fy0 := dy.Times(by.Times(ay).MFCurvature(ey).Atan().Times(t.cy).Sin()).Plus(svy)

	// 10.3 longitudinal force, combined slip
	bxa := t.bxa.Times(t.RBx2.Times(s).CosAtan())
	exa := df.Line(t.REx1, t.REx2)
	fx := mfWeight(bxa.Times(alpha.Plus(t.RHx1)), bxa.Times(t.RHx1), exa, t.RCx1).Times(fx0)

	// 10.4 lateral force, combined slip
	byk := t.byk.Times(t.RBy2.Times(alpha.Minus(t.RBy3)).CosAtan())
	eyk := df.Line(t.REy1, t.REy2)
	shyk := df.Line(t.RHy1, t.RHy2)
	gyk := mfWeight(byk.Times(s.Plus(shyk)), byk.Times(shyk), eyk, t.RCy1)
	reach := df.Line(t.RVy1, t.RVy2).Plus(t.RVy3.Times(gamma)).Times(t.RVy4.Times(alpha).CosAtan()).Times(t.LVykappa)
	svyk := dy.Times(reach).Times(t.RVy6.Times(s).Atan().Times(t.RVy5).Sin())
	fy := gyk.Times(fy0).Plus(svyk)

	// 10.7 aligning moment
	gz := gamma.Times(t.Lgammaz)
	at := alpha.Plus(t.QHz1).Plus(t.QHz2.Times(df)).Plus(df.Line(t.QHz3, t.QHz4).Times(gz))
	ar := alpha.Plus(shy).Plus(svy.Over(ky))
	stiff := t.LKy.Over(lmuy)
	bt := df.Square(t.QBz1, t.QBz2, t.QBz3).Times(gz.Line(c(1), t.QBz4).Plus(t.QBz5.Times(gz.Abs())).Times(stiff))
	ct := t.QCz1
	dt := fz.Times(df.Line(t.QDz1, t.QDz2).Times(t.trail)).Times(gz.Square(c(1), t.QDz3, t.QDz4))
	et := df.Square(t.QEz1, t.QEz2, t.QEz3).
		Times(gz.Line(t.QEz4, t.QEz5).By(2 / math.Pi).Times(bt.Times(ct).Times(at).Atan()).And(1))
	br := t.QBz9.Times(stiff).Plus(t.QBz10.Times(by).Times(t.cy))
	dr := fz.Times(df.Line(t.QDz6, t.QDz7).Times(t.Lres).Plus(df.Line(t.QDz8, t.QDz9).Times(gz))).Times(t.R0).Times(lmuy)
	slip := t.combined.Times(kx).Over(ky).Times(s)
	cos := alpha.Cos()
	trail := dt.Times(bt.Times(mfTogether(at, slip)).MFCurvature(et).Atan().Times(ct).Cos()).Times(cos)
	residual := dr.Times(br.Times(mfTogether(ar, slip)).CosAtan()).Times(cos)
	arm := t.R0.Times(t.SSz1.Plus(t.SSz2.Times(fy).Times(t.invFn)).Plus(df.Line(t.SSz3, t.SSz4).Times(gamma))).Times(t.LS)
	mz := residual.Minus(trail.Times(fy.Minus(svyk))).Times(direction).Plus(arm.Times(fx))

	// 10.5, 10.6 overturning moment and rolling resistance
	over := t.QSx1.Times(t.LVMx).Minus(t.QSx2.Times(gamma)).Plus(t.QSx3.Times(fy).Times(t.invFn))
	mx := t.side.Times(t.R0).Times(fz).Times(over).Times(t.LMx)
	v := vcx.Times(t.invV0)
	bySpeed, byFourth := t.QSy3.Times(v.Abs()), t.QSy4.Times(v).Times(v).Times(v).Times(v)
	drag := t.QSy1.Plus(t.QSy2.Times(fx).Times(t.invFn)).Plus(bySpeed).Plus(byFourth)
	// Without the term in Fx it never drives.
	drag = drag.Minus(t.QSy1.Plus(bySpeed).Plus(byFourth).AtMost(c(0)))
	my := omega.SignUp().Neg().Times(t.R0).Times(fz).Times(drag).Times(t.LMy)

	return bounded, unlessLifted(lifted, fx, t.side.Times(fy), mx, my, t.side.Times(mz))
}

// mfTogether is the equivalent slip angle sgn(x) arctan(sqrt(tan^2 x + slip^2)) of PAC2002. Where both vanish its
// slopes are zero.
func mfTogether(x, slip formula.Number) formula.Number {
	return x.SignUp().Times(x.Tan().Norm(slip).Atan())
}

// grip implements gripText: (10.1) and (10.2) of the tire specification.
func (pacejka02Text) grip(in, coefficients []formula.Number) (stiffness, most [2]formula.Number) {
	t := named[pacejka02Law](coefficients)
	c := in[0].Constant
	fz, gamma, mu := in[0].AtMost(t.maxFz), in[1].AtMost(t.maxGamma).AtLeast(t.minGamma), in[2].AtLeast(c(slippery))
	df := fz.Line(c(-1), t.invFn)
	kx := fz.Times(df.Line(t.PKx1, t.PKx2).AsMuchAs(t.leastKx)).Times(df.Times(t.PKx3).Exp()).Times(t.LKx)
	load := fz.Times(t.invPeak)
	ky := load.Over(load.Square(c(1), c(0), c(1))).
		Times(gamma.Abs().Line(c(1), t.PKy3.Neg().Times(t.Lgammay.Abs())).AtLeast(c(leastShare))).Times(t.ky.By(2))
	leans := func(p, l formula.Number) formula.Number {
		return gamma.Square(c(1), c(0), p.Neg().Times(l).Times(l)).AtLeast(c(leastShare))
	}
	dx := df.Line(t.PDx1, t.PDx2).AsMuchAs(t.leastX).Times(leans(t.PDx3, t.Lgammax)).Times(fz).Times(mu).Times(t.Lmux)
	dy := df.Line(t.PDy1, t.PDy2).AsMuchAs(t.leastY).Times(leans(t.PDy3, t.Lgammay)).Times(fz).Times(mu).Times(t.Lmuy)
	return [2]formula.Number{kx.Abs(), ky.Abs()}, [2]formula.Number{dx.Abs(), dy.Abs()}
}

func (t *pacejka02Tire) nominalLoad() float64 { return t.fn }
