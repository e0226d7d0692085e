package tire

import (
	"math"

	"skidpad/tire/formula"
)

// Constants of the carcass (standstill specification, section 2).
const (
	carcassEps    = 1e-6 // m/s, keeps kinematic slip finite; as a root of squares it takes nothing of a slip at speed
	gateFrom      = 0.7  // share of the deflection for the slip, at which the relaxation of sliding begins
	gateWidth     = 0.3  // from gateFrom to the full relaxation
	openFrom      = 0.9  // share of the largest deflection, begin of sliding
	tellsNothing  = 1e-3 // share of the largest deflection; below it the deflection counts as parallel to the slip
	resolved      = 4.0  // inverse of the share of a step that loading and relaxing take at least
	shortestDecay = 1e-3 // s, time constant of a deflection beyond the largest
	masterKnee    = 2.4  // psi1: slip by the saturating slip, from here on sliding adds to the deflecting slip
	slowSliding   = 0.1  // m/s, V_d, keeps the slip psi finite at standstill
	gravity       = 9.81 // m/s2
	leastGrip     = 1e-6 // of largest forces by the load, so that they divide
	leastStiff    = 1e-3 // of slip stiffnesses by the load, so that they divide
	longestRadii  = 10.0 // rolling radii: relaxation length of a carcass at most
	deepest       = 0.5  // rolling radii: deflection of a carcass at most
)

// fullKnee is phi(psi1).
const fullKnee = masterKnee * (1 - masterKnee/3 + masterKnee*masterKnee/27)

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

// The arguments of the law behind these: the data of the tire's functions, each along and across.
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

// carcassLaw is section 2 of the standstill specification as a function.
type carcassLaw struct {
	nominal float64 // load [N]
	carcassText
	formulas
	holds *formulas // see carcassHold
}

// bind makes the formulas for a nominal load.
func (t *carcassLaw) bind(nominal float64) {
	t.nominal = nominal
	portable := t.portable
	t.formulas = newFormulas(t.carcassText, []float64{nominal})
	t.holds = t.part(carcassHold{t.carcassText})
	t.setPortable(portable)
}

func (t *carcassLaw) setPortable(on bool) {
	t.formulas.setPortable(on)
	t.holds.setPortable(on)
}

// carcassText is the law of a carcass. Its coefficient is the nominal load [N].
type carcassText struct {
	euler     bool // damps at all speeds by the slide of one step
	kinematic bool // slip, which has a carcass to stand on
}

func (carcassText) shape() lawShape { return lawShape{inputs: lawInputs, coefficients: 1} }

// bounded are the arguments limited to what a wheel can reach.
func (carcassText) bounded(in []formula.Number) []formula.Number {
	c := in[0].Constant
	b := allWithin(in, extreme)
	b[atFz] = in[atFz].NotAbove(c(crushing))
	b[atGamma] = in[atGamma].Within(math.Pi / 2)
	b[atMu] = in[atMu].Bounded(c(0), c(extreme))
	b[atP1], b[atP2] = in[atP1].Within(crushing), in[atP2].Within(crushing)
	b[atLowSpeed] = in[atLowSpeed].Bounded(c(least), c(extreme))
	b[atStep] = in[atStep].Bounded(c(least), c(extreme))
	copy(b[atStiffness:], in[atStiffness:])
	return b
}

// write is section 2 of the standstill specification. The states are p = sqrt(c) u. The law uses p sqrt(c)/D, the share
// of the largest deflection, and so needs no division by a stiffness.
func (text carcassText) write(in, coefficients []formula.Number) (bounded, results []formula.Number) {
	x := text.bounded(in)
	touches := x[atFz].IsAbove(liftedOff)
	ground, air := text.onGround(x, coefficients[0]), inAir(x)
	for i := range ground {
		results = append(results, touches.Choose(ground[i], air[i]))
	}
	return x, results
}

// carcassHold tells what a carcass holds on to at the arguments of its law. First come slip stiffnesses [N], largest
// forces [N] and relaxation lengths [m], each along and across. Then come two numbers of the damper: its delay at
// standstill times the root of the stiffness, and the longest delay that the steps follow [s].
type carcassHold struct{ carcassText }

const (
	holdStiffness = 2 * iota
	holdMost
	holdLength
	holdDamping
	holdFollowed = holdDamping + 1
	holdResults  = holdFollowed + 1
)

func (text carcassHold) write(in, coefficients []formula.Number) (bounded, results []formula.Number) {
	x := text.bounded(in)
	h := text.hold(x)
	return x, append(append(append(h.stiffness[:], h.most[:]...), h.length[:]...), damping(x, coefficients[0]),
		followedDelay(x, &h))
}

// hold is the data of a carcass: slip stiffnesses [N], largest forces [N] and relaxation lengths [m].
type hold struct{ stiffness, most, length [2]formula.Number }

// hold finds what the carcass holds on to among arguments. Loads are above 0. Functions that are extrapolated in the
// load give lengths of kilometres; those of a carcass are limited, and so is its deflection, length times largest force
// by stiffness.
func (text carcassText) hold(x []formula.Number) (h hold) {
	for i := range 2 {
		h.stiffness[i] = x[atStiffness+i].Greater(x[atFz].By(leastStiff))
		h.most[i] = x[atMost+i].Greater(x[atFz].By(leastGrip))
		h.length[i] = x[atLength+i]
		if text.kinematic {
			h.length[i] = standingLengthOf(x)
		} else {
			deep := h.stiffness[i].Over(h.most[i]).Times(x[atReff].By(deepest))
			h.length[i] = h.length[i].Lesser(x[atReff].By(longestRadii)).Lesser(deep)
		}
		h.length[i] = h.length[i].AtLeast(x[0].Constant(shortest))
	}
	return h
}

// onGround is the law of a tire that touches the ground.
func (text carcassText) onGround(x []formula.Number, nominal formula.Number) (r [lawResults]formula.Number) {
	c := x[0].Constant
	h := text.hold(x)
	p := [2]formula.Number{x[atP1], x[atP2]}
	slide := [2]formula.Number{x[atVEx].Neg(), x[atVPy]}
	travel := [2]formula.Number{x[atVExs].Abs(), x[atVPxs].Abs()}
	step := x[atStep]
	upright := x[atUpright]
	rolled := x[atOmega].Times(x[atReff]).Abs().Times(upright)
	var e, root, d, psis [2]formula.Number
	for i := range 2 {
		e[i] = h.most[i].Over(h.stiffness[i])
		root[i] = h.stiffness[i].Over(h.length[i]).Sqrt()
		d[i] = p[i].Times(root[i]).Over(h.most[i])
		psis[i] = slide[i].Over(travel[i].Norm(c(carcassEps))).Over(e[i])
	}
	full, psi, speed := d[0].Norm(d[1]), psis[0].Norm(psis[1]), slide[0].Norm(slide[1])
	share := psi.MasterShare()
	reached := psi.Times(share)
	slips := psi.IsAbove(0)
	cosine := slips.Except(full.IsBelow(tellsNothing)).Choose(
		d[0].Times(psis[0]).Plus(d[1].Times(psis[1])).Over(full.Times(psi)).AtLeast(c(0)), c(1))
	moved := rolled.Plus(speed)
	rolls := moved.IsAbove(0).Choose(rolled.Over(moved), c(1))
	gate := reached.IsAbove(0).Choose(full.Over(reached).Line(c(-gateFrom/gateWidth), c(1/gateWidth)).Hermite(), c(1)).
		Times(cosine)
	relaxes := rolls.Plus(rolls.Line(c(1), c(-1)).Times(gate))
	most := c(1).Over(step.By(resolved))
	decay := step.By(2).AtLeast(c(shortestDecay))
	over := full.IsAbove(1)
	beyond := over.Choose(c(1).Minus(c(1).Over(full)).Over(decay), c(0))
	for i := range 2 {
		rate := travel[i].Norm(c(carcassEps)).Over(h.length[i].Times(share)) // r0
		// what unloads would give back more than it took
		loads := rate.Above(most).And(p[i].Value().Times(slide[i].Value()).IsAbove(0))
		loading := loads.Choose(c(1).Minus(c(1).Minus(most.Over(rate)).Times(cosine)), c(1))
		r[lawRates+i] = loading.Times(root[i]).Times(slide[i]).
			Minus(loading.Times(rate).Times(relaxes).Lesser(most).Times(p[i])).Minus(beyond.Times(p[i]))
	}

	n := text.damped(x, &h, &root, &slide, travel[0], nominal)
	length := n[0].Norm(n[1])
	bent := length.AtMost(c(fullKnee))
	slip := bent.InverseShare() // by |n|, below the knee
	slip = length.IsAbove(fullKnee).Choose(slip.Times(bent).Over(length), slip)
	more := slidingSlip(&slide, &travel, &e, x[atLowSpeed])
	along := n[0].Times(psis[0]).Plus(n[1].Times(psis[1])).Over(length.Times(psi))
	open := full.AtMost(c(1)).Line(c(-openFrom/(1-openFrom)), c(1/((1-openFrom)*fullKnee))).Hermite()
	opens := more.IsAbove(masterKnee).And(slips).And(open.IsAbove(0)).And(along.IsAbove(0))
	slip = opens.Choose(slip.Plus(more.And(-masterKnee).Times(open).Times(along).Over(length)), slip)
	r[lawS] = e[0].Times(slip).Times(n[0])
	r[lawAlpha] = e[1].Times(slip).Times(n[1]).Atan()
	if text.kinematic {
		share := kinematicShare(travel[0].Greater(rolled))
		r[lawS] = blend(share, r[lawS], x[atKinematicS])
		r[lawAlpha] = blend(share, r[lawAlpha], x[atKinematicAlpha])
	}
	lies := slip.Times(slip.Times(length).MasterShare()).Times(upright.Line(c(1), c(-1)))
	r[lawRolling] = upright
	for i := range 2 {
		r[lawSliding+i] = h.most[i].Times(lies).Times(n[i])
		u := p[i].Over(root[i])
		u = over.Choose(u.Over(full), u)
		r[lawU+i], r[lawQ+i] = u, u.Over(h.length[i])
	}
	return r
}

// standingShare is (1 - V^2/low^2)^2 below a low speed, by the square of the speed.
func standingShare(square, low formula.Number) formula.Number {
	c := low.Constant
	return square.Over(low.Times(low)).AtMost(c(1)).Line(c(1), c(-1)).Squared()
}

// damped is the deflection with that of the damper, by the largest: n = (u + t_d w)/U.
func (text carcassText) damped(x []formula.Number, h *hold, root, slide *[2]formula.Number, ahead,
	nominal formula.Number) (n [2]formula.Number) {
	still := standingShare(ahead.Squared().Plus(slide[1].Squared()), x[atLowSpeed])
	damper := damping(x, nominal).Times(still)
	for i := range 2 {
		delay := damper.Over(root[i])
		if i == 0 {
			delay = x[atAxial].IsAbove(0).Choose(delay.Lesser(followedDelay(x, h)), delay)
		}
		if text.euler {
			delay = delay.Greater(x[atStep])
		}
		n[i] = x[atP1+i].Plus(delay.Times(root[i]).Times(slide[i])).Times(root[i]).Over(h.most[i])
	}
	return n
}

// damping is the delay of the damper at standstill times the root of the stiffness of the carcass.
func damping(x []formula.Number, nominal formula.Number) formula.Number {
	return x[atDamping].Times(nominal.Over(x[0].Constant(gravity)).Sqrt().By(2))
}

// followedDelay is the longest delay of the damper [s] that the steps follow of a wheel on its carcass.
func followedDelay(x []formula.Number, h *hold) formula.Number {
	k := h.stiffness[0].Over(h.length[0])
	return x[atAxial].Over(x[atStep].Times(k).Times(x[atReff].Squared()).By(2))
}

// slidingSlip is psi_k: the kinematic slip by the saturating one, which stays finite at standstill.
func slidingSlip(slide, travel, e *[2]formula.Number, low formula.Number) formula.Number {
	var psi [2]formula.Number
	for i := range 2 {
		v := travel[i].Squared()
		still := standingShare(v, low).By(slowSliding)
		speed := still.IsAbove(0).Choose(v.Plus(still.Squared()).Sqrt(), travel[i])
		psi[i] = slide[i].Over(speed.Norm(low.Constant(carcassEps))).Over(e[i])
	}
	return psi[0].Norm(psi[1])
}

// inAir are the results in the air, where a deflection decays.
func inAir(x []formula.Number) (r [lawResults]formula.Number) {
	c := x[0].Constant
	for i := range r {
		r[i] = c(0)
	}
	decay := x[atStep].By(2).AtLeast(c(shortestDecay))
	for i := range 2 {
		r[lawRates+i] = x[atP1+i].Over(decay).Neg()
	}
	r[lawRolling] = c(1)
	return r
}

// startEnergy is p = sqrt(c) B q of a delayed slip q at the start, for a stiffness of slip [N] and a length [m]. It is
// corrected by a few units in the last place, if the law then gives back q exactly.
func startEnergy(stiffness, length, q float64) float64 {
	root := math.Sqrt(stiffness / length)
	p := math.Sqrt(stiffness*length) * q
	above, below := p, p
	for range 4 {
		for _, near := range [2]float64{above, below} {
			if near/root/length == q {
				return near
			}
		}
		above, below = math.Nextafter(above, math.Inf(1)), math.Nextafter(below, math.Inf(-1))
	}
	return p
}
