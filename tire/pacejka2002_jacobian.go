package tire

import "math"

// dual is a value with its derivatives by Fz, S, alpha, gamma and mu.
type dual struct {
	v float64
	d [5]float64
}

// variable returns the i-th of these.
func variable(v float64, i int) dual {
	x := dual{v: v}
	x.d[i] = 1
	return x
}

// chain returns f(x) with the value and slope of f.
func (x dual) chain(value, slope float64) dual {
	r := dual{v: value}
	for i := range r.d {
		r.d[i] = slope * x.d[i]
	}
	return r
}

func (x dual) plus(y dual) dual {
	x.v += y.v
	for i := range x.d {
		x.d[i] += y.d[i]
	}
	return x
}

func (x dual) times(y dual) dual {
	r := dual{v: x.v * y.v}
	for i := range r.d {
		r.d[i] = x.d[i]*y.v + x.v*y.d[i]
	}
	return r
}

func (x dual) minus(y dual) dual        { return x.plus(y.scale(-1)) }
func (x dual) over(y dual) dual         { return x.times(y.chain(1/y.v, -1/(y.v*y.v))) }
func (x dual) scale(c float64) dual     { return x.chain(c*x.v, c) }
func (x dual) add(c float64) dual       { x.v += c; return x }
func (x dual) linear(a, b float64) dual { return x.chain(a+b*x.v, b) } // a + b x
func (x dual) sin() dual                { return x.chain(math.Sin(x.v), math.Cos(x.v)) }
func (x dual) cos() dual                { return x.chain(math.Cos(x.v), -math.Sin(x.v)) }
func (x dual) atan() dual               { return x.chain(math.Atan(x.v), 1/(1+x.v*x.v)) }
func (x dual) tan() dual                { t := math.Tan(x.v); return x.chain(t, 1+t*t) }
func (x dual) exp() dual                { e := math.Exp(x.v); return x.chain(e, e) }
func (x dual) abs() dual                { return x.chain(math.Abs(x.v), sgn(x.v)) }

// cosAtan is cos(arctan x) = 1/sqrt(1 + x^2).
func (x dual) cosAtan() dual {
	r := 1 / math.Sqrt(1+x.v*x.v)
	return x.chain(r, -x.v*r*r*r)
}

// atMost limits x to 1.
func (x dual) atMost1() dual {
	if x.v >= 1 {
		return dual{v: 1}
	}
	return x
}

// apart is that of Eval.
func (x dual) apart(least float64) dual {
	if math.Abs(x.v) < least {
		return constant(math.Copysign(least, x.v))
	}
	return x
}

// bend and weight are those of Eval.
func (x dual) bend(e dual) dual      { return x.minus(e.times(x.minus(x.atan()))) }
func (x dual) weight(e, c dual) dual { return x.bend(e).atan().times(c).cos() }
func (x dual) magic(e, c dual) dual  { return x.bend(e).atan().times(c).sin() }
func constant(c float64) dual        { return dual{v: c} }

// Jacobian of Eval: the same equations with derivatives carried along.
func (t *pacejka02Tire) Jacobian(in, jac []float64) {
	clear(jac[:40])
	b := t.bounded(in)
	if b[0] <= airborne {
		return
	}
	omega, vcx, least := b[3], b[6], b[0]*tiny
	fz, s, alpha, gamma, surface := variable(b[0], 0), variable(b[1], 1), variable(b[2], 2), variable(b[4], 3), variable(b[7], 4)
	lmux, lmuy := surface.scale(t.Lmux), surface.scale(t.Lmuy)
	df := fz.linear(-1, t.invFn)

	sx := s.plus(df.linear(t.PHx1, t.PHx2).scale(t.LHx))
	gx := gamma.scale(t.Lgammax)
	cx := constant(t.PCx1 * t.LCx)
	mux := df.linear(t.PDx1, t.PDx2).times(gx.times(gx).linear(1, -t.PDx3)).times(lmux)
	dx := mux.times(fz)
	ex := df.times(df.linear(t.PEx2, t.PEx3)).add(t.PEx1).scale((1 - t.PEx4*sgn(sx.v)) * t.LEx).atMost1()
	kx := fz.times(df.linear(t.PKx1, t.PKx2)).times(df.scale(t.PKx3).exp()).scale(t.LKx)
	svx := fz.times(df.linear(t.PVx1, t.PVx2)).times(lmux).scale(t.LVx)
	fx0 := dx.times(kx.over(cx.times(dx).apart(least)).times(sx).magic(ex, cx)).plus(svx)

	gy := gamma.scale(t.Lgammay)
	shy := df.linear(t.PHy1, t.PHy2).scale(t.LHy).plus(gy.scale(t.PHy3))
	ay := alpha.plus(shy)
	cy := constant(t.PCy1 * t.LCy)
	muy := df.linear(t.PDy1, t.PDy2).times(gy.times(gy).linear(1, -t.PDy3)).times(lmuy)
	dy := muy.times(fz)
	ey := df.linear(t.PEy1, t.PEy2).times(gy.linear(t.PEy3, t.PEy4).linear(1, -sgn(ay.v))).scale(t.LEy).atMost1()
	load := fz.scale(1 / (t.PKy2 * t.fn))
	ky := load.over(load.times(load).add(1)).scale(2 * t.PKy1 * t.Fz0 * t.LFz0 * t.LKy).times(gy.abs().linear(1, -t.PKy3)).apart(least)
	by := ky.over(cy.times(dy).apart(least))
	svy := fz.times(df.linear(t.PVy1, t.PVy2).scale(t.LVy).plus(df.linear(t.PVy3, t.PVy4).times(gy))).times(lmuy)
	fy0 := dy.times(by.times(ay).magic(ey, cy)).plus(svy)

	bxa := s.scale(t.RBx2).cosAtan().scale(t.RBx1 * t.LXalpha)
	exa, cxa := df.linear(t.REx1, t.REx2).atMost1(), constant(t.RCx1)
	fx := fx0.times(bxa.times(alpha.add(t.RHx1)).weight(exa, cxa)).over(bxa.scale(t.RHx1).weight(exa, cxa).apart(tiny))

	byk := alpha.linear(-t.RBy2*t.RBy3, t.RBy2).cosAtan().scale(t.RBy1 * t.LYkappa)
	eyk, cyk := df.linear(t.REy1, t.REy2).atMost1(), constant(t.RCy1)
	shyk := df.linear(t.RHy1, t.RHy2)
	gyk := byk.times(s.plus(shyk)).weight(eyk, cyk).over(byk.times(shyk).weight(eyk, cyk).apart(tiny))
	dvyk := dy.times(df.linear(t.RVy1, t.RVy2).plus(gamma.scale(t.RVy3))).times(alpha.scale(t.RVy4).cosAtan())
	svyk := dvyk.times(s.scale(t.RVy6).atan().scale(t.RVy5).sin()).scale(t.LVykappa)
	fy := gyk.times(fy0).plus(svyk)

	mx := fz.times(gamma.linear(t.QSx1*t.LVMx, -t.QSx2).plus(fy.scale(t.QSx3 * t.invFn))).scale(t.R0 * t.LMx)
	v := vcx / t.V0
	rolling := fz.times(fx.linear(t.QSy1+t.QSy3*math.Abs(v)+t.QSy4*v*v*v*v, t.QSy2*t.invFn)).scale(-t.R0 * t.LMy)
	my := rolling.scale(rollingSign(omega))

	gz := gamma.scale(t.Lgammaz)
	at := alpha.plus(df.linear(t.QHz1, t.QHz2)).plus(df.linear(t.QHz3, t.QHz4).times(gz))
	ar := alpha.plus(shy).plus(svy.over(ky))
	bt := df.times(df.linear(t.QBz2, t.QBz3)).add(t.QBz1).times(gz.scale(t.QBz4).plus(gz.abs().scale(t.QBz5)).add(1)).over(lmuy).scale(t.LKy)
	ct := constant(t.QCz1)
	dt := fz.times(df.linear(t.QDz1, t.QDz2)).times(gz.times(gz.linear(t.QDz3, t.QDz4)).add(1)).scale(t.R0 * t.invFn * t.Ltrail)
	et := df.times(df.linear(t.QEz2, t.QEz3)).add(t.QEz1).times(gz.linear(t.QEz4, t.QEz5).times(bt.times(ct).times(at).atan()).linear(1, 2/math.Pi)).atMost1()
	br := constant(t.QBz9 * t.LKy).over(lmuy).plus(by.times(cy).scale(t.QBz10))
	dr := fz.times(df.linear(t.QDz6, t.QDz7).scale(t.Lres).plus(df.linear(t.QDz8, t.QDz9).times(gz))).times(lmuy).scale(t.R0)
	slip := kx.over(ky).times(s)
	slip = slip.times(slip)
	ateq, areq := at.equivalent(slip), ar.equivalent(slip)
	cos := alpha.cos()
	trail := dt.times(bt.times(ateq).weight(et, ct)).times(cos)
	residual := dr.times(br.times(areq).cosAtan()).times(cos)
	arm := fy.linear(t.SSz1, t.SSz2*t.invFn).plus(df.linear(t.SSz3, t.SSz4).times(gamma)).scale(t.R0 * t.LS)
	mz := trail.times(svyk.minus(fy)).plus(residual).plus(arm.times(fx))

	columns := [...]int{0, 1, 2, 4, 7} // of Fz, S, alpha, gamma, mu among the inputs
	for row, out := range [...]dual{fx, fy, mx, my, mz} {
		for k, column := range columns {
			jac[row*8+column] = out.d[k]
		}
	}
	jac[3*8+3] = rolling.v * rollingSignSlope(omega)
	jac[3*8+6] = -rollingSign(omega) * t.R0 * b[0] * t.LMy * (t.QSy3*sgn(v) + 4*t.QSy4*v*v*v) / t.V0
	flatten(jac[:40], in[:8], b[:])
}

// equivalent is sgn(x) arctan(sqrt(tan^2 x + slip)), whose square root has no
// slope where both vanish.
func (x dual) equivalent(slip dual) dual {
	tan := x.tan()
	square := tan.times(tan).plus(slip)
	root := math.Sqrt(square.v)
	if root == 0 {
		return dual{}
	}
	return square.chain(root, 1/(2*root)).atan().scale(sgn(x.v))
}
