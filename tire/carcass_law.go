package tire

import "math"

// Constants of the carcass (standstill specification, section 2).
const (
	carcassEps    = 1e-6 // m/s, keeps kinematic slip finite; as a root of squares it takes nothing of a slip at speed
	gateFrom      = 0.7  // share of the deflection for the slip, from where on what slides relaxes
	gateWidth     = 0.3  // from there to where it does so in full
	openFrom      = 0.9  // share of the largest deflection from which on a contact slides
	tellsNothing  = 1e-3 // share of the largest deflection below which its direction counts as that of the slip
	resolved      = 4.0  // inverse of the share of a step that loading and relaxing take at least
	shortestDecay = 1e-3 // s, in which a deflection beyond the largest decays
	masterKnee    = 2.4  // psi1: slip by the saturating one from which on sliding adds to what deflects
	slowSliding   = 0.1  // m/s, V_d, keeps that slip finite at standstill
	gravity       = 9.81 // m/s2
	leastGrip     = 1e-6 // of largest forces by the load, so that they divide
	leastStiff    = 1e-3 // of slip stiffnesses by the load, so that they divide
	longestRadii  = 10.0 // rolling radii: relaxation length of a carcass at most
	deepest       = 0.5  // rolling radii: deflection of a carcass at most
)

// fullKnee is phi(psi1).
const fullKnee = masterKnee * (1 - masterKnee/3 + masterKnee*masterKnee/27)

// hermite is x^2 (3 - 2x) from 0 to 1.
func (a dual) hermite() dual {
	switch {
	case a.v <= 0:
		return dual{}
	case a.v >= 1:
		return dual{v: 1}
	}
	return dual{a.v * a.v * (3 - 2*a.v), 6 * a.v * (1 - a.v) * a.d}
}

// masterShare is phi(s)/s of the master curve phi = s - s^2/3 + s^3/27, which is 1 from 3 on.
func (a dual) masterShare() dual {
	if a.v < 3 {
		return a.square(1, -1./3, 1./27)
	}
	return dual{v: 1}.over(a)
}

// inverseShare is s(f)/f of the inverse 3 (1 - cbrt(1 - f)) of the master curve, f up to fullKnee.
func (a dual) inverseShare() dual {
	x := cubeRoot(1 - a.v)
	below := 1 + x + x*x
	// d cbrt(1 - f) = -df/(3 x^2)
	return dual{3 / below, (1 + 2*x) / (x * x * below * below) * a.d}
}

// cubeRoot is that of a number from 1 - fullKnee to 1: an approximation within 2 %, and two steps of Halley's method,
// each of which leaves two thirds of the cube of the error.
func cubeRoot(a float64) float64 {
	x := (0.15151646 + a*(9.53073244+a*6.3449496)) / (1 + 14.7010881*a)
	for range 2 {
		cube := x * x * x
		x = x * (cube + 2*a) / (2*cube + a)
	}
	return x
}

// lesser is the smaller of two.
func (a dual) lesser(b dual) dual {
	if b.v < a.v {
		return b
	}
	return a
}

// greater is the larger of two.
func (a dual) greater(b dual) dual {
	if b.v > a.v {
		return b
	}
	return a
}

// The arguments of a carcass that its law needs, in the order of carcassInputs.
const (
	atFz = iota
	atGamma
	atMu
	atVEx
	atVExs
	atVPy
	atVPxs
	atOmega
	atReff
	atP1
	atP2
	atDamping
	atLowSpeed
	atStep
	atAxial
	atUpright    // share of rolling: 1, and 0 of a tire that lies on its side
	atKinematicS // kinematic slip only, as what is below
	atKinematicAlpha
	carcassArguments
)

var carcassInputs = [carcassArguments]string{"Fz", "gamma", "mu", "VEx", "VExs", "VPy", "VPxs", "Omega", "Reff", "p1",
	"p2", "slip_damping", "low_speed", "step", "axial", "upright", "kinematic_S", "kinematic_alpha"}

// What the law takes behind these arguments: what the functions of the tire hold on to, each along and across.
const (
	atStiffness = carcassArguments // of slip [N]
	atMost      = atStiffness + 2  // largest forces [N]
	atLength    = atMost + 2       // relaxation lengths [m], of no influence on kinematic slip
	lawInputs   = atLength + 2
)

// What the law returns. Those up to lawRolling are results of a carcass, in the order of carcassResults.
const (
	lawS       = iota
	lawAlpha                  // [rad]
	lawRates                  // of p, along and across [J^0.5/s]
	lawU       = lawRates + 2 // deflection [m]
	lawQ       = lawU + 2     // the same by relaxation length
	lawRolling = lawQ + 2     // share of a tire that does not lie
	lawSliding = lawRolling + 1
	lawResults = lawSliding + 2 // force of a lying tire that slides on its side, in the directions of the deflection [N]
)

// carcassLaw is section 2 of the standstill specification as a function of numbers.
type carcassLaw struct {
	nominal   float64 // load [N]
	euler     bool    // damps at all speeds by the slide of one step
	kinematic bool    // slip, which has a carcass to stand on
}

// bounded are the arguments limited to what a wheel can reach.
func (t *carcassLaw) bounded(in []float64, b *[lawInputs]float64) {
	b[atFz] = min(in[atFz], crushing)
	b[atGamma] = clampAbs(in[atGamma], math.Pi/2)
	b[atMu] = max(0, min(in[atMu], extreme))
	b[atVEx] = clampAbs(in[atVEx], extreme)
	b[atVExs] = clampAbs(in[atVExs], extreme)
	b[atVPy] = clampAbs(in[atVPy], extreme)
	b[atVPxs] = clampAbs(in[atVPxs], extreme)
	b[atOmega] = clampAbs(in[atOmega], extreme)
	b[atReff] = clampAbs(in[atReff], extreme)
	b[atP1] = clampAbs(in[atP1], crushing)
	b[atP2] = clampAbs(in[atP2], crushing)
	b[atDamping] = clampAbs(in[atDamping], extreme)
	b[atLowSpeed] = max(least, min(in[atLowSpeed], extreme))
	b[atStep] = max(least, min(in[atStep], extreme))
	b[atAxial] = clampAbs(in[atAxial], extreme)
	b[atUpright] = clampAbs(in[atUpright], extreme)
	b[atKinematicS] = clampAbs(in[atKinematicS], extreme)
	b[atKinematicAlpha] = clampAbs(in[atKinematicAlpha], extreme)
	b[atStiffness] = in[atStiffness]
	b[atStiffness+1] = in[atStiffness+1]
	b[atMost] = in[atMost]
	b[atMost+1] = in[atMost+1]
	b[atLength] = in[atLength]
	b[atLength+1] = in[atLength+1]
}

// Eval maps the arguments to the results above.
func (t *carcassLaw) Eval(in, out []float64) {
	var b [lawInputs]float64
	t.bounded(in, &b)
	var x [lawInputs]dual
	for i, v := range b {
		x[i].v = v
	}
	for i, r := range t.law(&x) {
		out[i] = r.v
	}
}

// Jacobian of Eval.
func (t *carcassLaw) Jacobian(in, jac []float64) {
	var b [lawInputs]float64
	t.bounded(in, &b)
	for k := range lawInputs {
		var x [lawInputs]dual
		for i, v := range b {
			x[i].v = v
		}
		if b[k] == in[k] {
			x[k].d = 1
		}
		for i, r := range t.law(&x) {
			jac[i*lawInputs+k] = r.d
		}
	}
}

// hold is what a carcass holds on to: slip stiffnesses [N], largest forces [N] and relaxation lengths [m].
type hold struct{ stiffness, most, length [2]dual }

// hold finds what the carcass holds on to among arguments. Loads are above 0. Functions that are extrapolated in the
// load give lengths of kilometres; those of a carcass are limited, and so is its deflection, length times largest force
// by stiffness.
func (t *carcassLaw) hold(x *[lawInputs]dual) (h hold) {
	for i := range 2 {
		h.stiffness[i] = x[atStiffness+i].greater(x[atFz].by(leastStiff))
		h.most[i] = x[atMost+i].greater(x[atFz].by(leastGrip))
		h.length[i] = x[atLength+i]
		if t.kinematic {
			h.length[i] = standingLengthOf(x)
		} else {
			deep := h.stiffness[i].over(h.most[i]).times(x[atReff].by(deepest))
			h.length[i] = h.length[i].lesser(x[atReff].by(longestRadii)).lesser(deep)
		}
		h.length[i] = h.length[i].atLeast(shortest)
	}
	return h
}

// law is section 2 of the standstill specification. The states are p = sqrt(c) u, so that all of it is written with
// p sqrt(c)/D, the share of the largest deflection, which needs no stiffness to divide by.
func (t *carcassLaw) law(x *[lawInputs]dual) [lawResults]dual {
	r := t.onGround(x)
	if !(x[atFz].v > liftedOff) {
		r = inAir(x)
	}
	return r
}

// onGround is the law of a tire that touches the ground.
func (t *carcassLaw) onGround(x *[lawInputs]dual) (r [lawResults]dual) {
	h := t.hold(x)
	p := [2]dual{x[atP1], x[atP2]}
	slide := [2]dual{x[atVEx].by(-1), x[atVPy]}
	travel := [2]dual{x[atVExs].abs(), x[atVPxs].abs()}
	step := x[atStep]
	upright := x[atUpright]
	rolled := x[atOmega].times(x[atReff]).abs().times(upright)
	var e, c, root, d, psis [2]dual
	for i := range 2 {
		e[i] = h.most[i].over(h.stiffness[i])
		c[i] = h.stiffness[i].over(h.length[i])
		root[i] = c[i].root()
		d[i] = p[i].times(root[i]).over(h.most[i])
		psis[i] = slide[i].over(travel[i].norm(dual{v: carcassEps})).over(e[i])
	}
	full, psi, speed := d[0].norm(d[1]), psis[0].norm(psis[1]), slide[0].norm(slide[1])
	share := psi.masterShare()
	reached := psi.times(share)
	cosine := dual{v: 1}
	if full.v >= tellsNothing && psi.v > 0 {
		cosine = d[0].times(psis[0]).plus(d[1].times(psis[1])).over(full.times(psi)).atLeast(0)
	}
	rolls := dual{v: 1}
	if sum := rolled.plus(speed); sum.v > 0 {
		rolls = rolled.over(sum)
	}
	gate := dual{v: 1}
	if reached.v > 0 {
		gate = full.over(reached).line(-gateFrom/gateWidth, 1/gateWidth).hermite()
	}
	gate = gate.times(cosine)
	relaxes := rolls.plus(rolls.line(1, -1).times(gate))
	most := dual{v: 1}.over(step.by(resolved))
	decay := step.by(2).atLeast(shortestDecay)
	beyond := dual{}
	if full.v > 1 {
		beyond = dual{v: 1}.minus(dual{v: 1}.over(full)).over(decay)
	}
	for i := range 2 {
		rate := travel[i].norm(dual{v: carcassEps}).over(h.length[i].times(share)) // r0
		loading := dual{v: 1}
		if rate.v > most.v && p[i].v*slide[i].v > 0 { // what unloads would give back more than it took
			loading = dual{v: 1}.minus(dual{v: 1}.minus(most.over(rate)).times(cosine))
		}
		r[lawRates+i] = loading.times(root[i]).times(slide[i]).
			minus(loading.times(rate).times(relaxes).lesser(most).times(p[i])).minus(beyond.times(p[i]))
	}

	n := t.damped(x, &h, &root, &slide, travel[0])
	length := n[0].norm(n[1])
	bent := length.atMost(fullKnee)
	slips := bent.inverseShare() // s by |n|, below the knee
	if length.v > fullKnee {
		slips = slips.times(bent).over(length)
	}
	if more := slidingSlip(&slide, &travel, &e, x[atLowSpeed]); more.v > masterKnee && psi.v > 0 {
		along := n[0].times(psis[0]).plus(n[1].times(psis[1])).over(length.times(psi))
		open := full.atMost(1).line(-openFrom/(1-openFrom), 1/((1-openFrom)*fullKnee)).hermite()
		if open.v > 0 && along.v > 0 {
			slips = slips.plus(more.and(-masterKnee).times(open).times(along).over(length))
		}
	}
	r[lawS] = e[0].times(slips).times(n[0])
	r[lawAlpha] = e[1].times(slips).times(n[1]).atan()
	if t.kinematic {
		share := kinematicShare(travel[0].greater(rolled))
		r[lawS] = share.between(r[lawS], x[atKinematicS])
		r[lawAlpha] = share.between(r[lawAlpha], x[atKinematicAlpha])
	}
	lies := slips.times(slips.times(length).masterShare()).times(upright.line(1, -1))
	r[lawRolling] = upright
	for i := range 2 {
		r[lawSliding+i] = h.most[i].times(lies).times(n[i])
		u := p[i].over(root[i])
		if full.v > 1 {
			u = u.over(full)
		}
		r[lawU+i], r[lawQ+i] = u, u.over(h.length[i])
	}
	return r
}

// standing is (1 - V^2/low^2)^2 below a low speed, by the square of the speed.
func standingShare(square, low dual) dual {
	return square.over(low.times(low)).atMost(1).line(1, -1).squared()
}

// damped is the deflection with that of the damper, by the largest: n = (u + t_d w)/U.
func (t *carcassLaw) damped(x *[lawInputs]dual, h *hold, root, slide *[2]dual, ahead dual) (n [2]dual) {
	still := standingShare(ahead.squared().plus(slide[1].squared()), x[atLowSpeed])
	damping := t.damping(x).times(still)
	for i := range 2 {
		delay := damping.over(root[i])
		if i == 0 && x[atAxial].v > 0 {
			delay = delay.lesser(followedDelay(x, h))
		}
		if t.euler {
			delay = delay.greater(x[atStep])
		}
		n[i] = x[atP1+i].plus(delay.times(root[i]).times(slide[i])).times(root[i]).over(h.most[i])
	}
	return n
}

// damping is the delay of the damper at standstill times the root of the stiffness of the carcass.
func (t *carcassLaw) damping(x *[lawInputs]dual) dual {
	return x[atDamping].by(2 * math.Sqrt(t.nominal/gravity))
}

// followedDelay is the longest delay of the damper [s] that the steps follow of a wheel on its carcass.
func followedDelay(x *[lawInputs]dual, h *hold) dual {
	c := h.stiffness[0].over(h.length[0])
	return x[atAxial].over(x[atStep].times(c).times(x[atReff].squared()).by(2))
}

// slidingSlip is psi_k: the kinematic slip by the saturating one, which stays finite at standstill.
func slidingSlip(slide, travel, e *[2]dual, low dual) dual {
	var psi [2]dual
	for i := range 2 {
		v := travel[i].squared()
		still := standingShare(v, low).by(slowSliding)
		speed := travel[i]
		if still.v > 0 {
			speed = v.plus(still.squared()).root()
		}
		psi[i] = slide[i].over(speed.norm(dual{v: carcassEps})).over(e[i])
	}
	return psi[0].norm(psi[1])
}

// inAir are the results in the air, where a deflection decays.
func inAir(x *[lawInputs]dual) (r [lawResults]dual) {
	decay := x[atStep].by(2).atLeast(shortestDecay)
	for i := range 2 {
		r[lawRates+i] = x[atP1+i].over(decay).by(-1)
	}
	r[lawRolling] = dual{v: 1}
	return r
}

// startEnergy is p = sqrt(c) B q of a delayed slip q at the start. It is corrected by a few units in the last place, if
// the law then gives back q exactly.
func (h *hold) startEnergy(i int, q float64) float64 {
	root := math.Sqrt(h.stiffness[i].v / h.length[i].v)
	p := math.Sqrt(h.stiffness[i].v*h.length[i].v) * q
	above, below := p, p
	for range 4 {
		for _, near := range [2]float64{above, below} {
			if near/root/h.length[i].v == q {
				return near
			}
		}
		above, below = math.Nextafter(above, math.Inf(1)), math.Nextafter(below, math.Inf(-1))
	}
	return p
}
