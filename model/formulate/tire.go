package formulate

import (
	"slices"
	"strings"

	"skidpad/model"
	"skidpad/model/expr"
	"skidpad/model/graph"
	"skidpad/tire"
)

// intermediates are the variables that a tire function may ask for, by name
// (tire-component specification, section 5).
type intermediates map[string]*expr.Expr

// tire adds one tire: its intermediates, its external calls and the contact
// forces they return (Morency 2007, chapters 3 and 4).
//
// All vectors are resolved in the ISO tire axes ux, uy, uz, where
// uSym = (0, cos gamma, sin gamma); that turns the table's formulas into
//
//	Omega = w.uy/cos gamma                                        (row 11)
//	VPx = VCx - Rl (sin gamma w.uz + cos gamma w.uy)              (row 14)
//	VPy = VCy + Rl cos gamma w.ux                                 (row 15)
func (f *Formulation) tire(c *model.Tire) {
	p := f.Pool
	wheel, road := f.node(c.Frame), f.node(c.Road)
	v := f.tireKinematics(c, wheel, road)
	force := f.call(c.Head(), "force", c.Force, v, f.offered(c, v), forces[:])
	load := f.Pool.Sym("Fz_acting_"+c.Name, expr.Returned)
	f.Calls[len(f.Calls)-1].Load = load
	if c.Slip.Delayed {
		slips := []string{"q1dot", "q2dot"}
		if c.Slip.TurnSlip {
			slips = append(slips, "q3dot")
		}
		rates := f.call(c.Head(), "relaxation", c.Slip.Relaxation, v, nil, slips)
		if f.err != nil {
			return
		}
		f.Internal = append(f.Internal,
			State{Name: c.Name + ".q1", Unit: "1", Symbol: v["q1"], Rate: p.Sub(rates["q1dot"], f.excessSlipDecay(v, v["q1"])), start: c.Slip.Q1},
			State{Name: c.Name + ".q2", Unit: "1", Symbol: v["q2"], Rate: p.Sub(rates["q2dot"], f.excessSlipDecay(v, v["q2"])), start: c.Slip.Q2})
		if c.Slip.TurnSlip {
			f.Internal = append(f.Internal, State{Name: c.Name + ".q3", Unit: "rad/m", Symbol: v["q3"], Rate: rates["q3dot"], start: c.Slip.Q3})
		}
	}
	if f.err != nil {
		return
	}
	// (4.2), (4.3): on C the force and the moment M_P + r_P/C x F_P; on Q the
	// opposite of both, moved to Q's origin (edges T3, R2, R3).
	axes := tireAxes(c.Name)
	arm := expr.Vector{Frame: axes, X: [3]*expr.Expr{p.Int(0), v["Rs"], p.Neg(v["depth"])}}
	onWheel := expr.Vector{Frame: axes, X: [3]*expr.Expr{force["Fx"], force["Fy"], load}}
	moment := expr.Vector{Frame: axes, X: [3]*expr.Expr{force["Mx"], force["My"], force["Mz"]}}
	atCentre := p.DefineV("M_"+c.Name, p.AddV(moment, p.Cross(arm, onWheel)))
	f.addForce(f.forces, wheel, onWheel)
	f.addMoment(f.forces, f.classOf[wheel], atCentre)
	f.addForce(f.forces, road, p.NegV(onWheel))
	if len(f.classes[f.classOf[road]].moved) > 0 {
		frame := f.resolvedIn(road)
		r := f.Across(road, wheel, Position, frame)
		f.addMoment(f.forces, f.classOf[road], p.NegV(p.AddV(f.resolve(atCentre, frame), p.Cross(r, f.resolve(onWheel, frame)))))
	}
	if !c.Slip.Delayed {
		f.sliding = append(f.sliding,
			slidingForce{len(f.Calls) - 1, "Fx", force["Fx"], [2]string{"S", "alpha"}, [2]*expr.Expr{v["S"], v["alpha"]}, 1},
			slidingForce{len(f.Calls) - 1, "Fy", force["Fy"], [2]string{"alpha", "S"}, [2]*expr.Expr{v["alpha"], v["S"]}, -1})
	}
	force["Fz"] = load
	f.publishForces(c.Name, force)
	f.publish(c.Name+".kappa", "1", "longitudinal slip handed to the tire function", v["S"])
	f.publish(c.Name+".alpha", "rad", "slip angle handed to the tire function", v["alpha"])
	f.publish(c.Name+".gamma", "rad", "inclination", v["gamma"])
	f.publish(c.Name+".R_l", "m", "loaded radius", v["Rl"])
	f.publish(c.Name+".R_eff", "m", "effective rolling radius", v["Reff"])
	if c.Slip.Delayed {
		f.publish(c.Name+".q1", "1", "delayed longitudinal slip", v["q1"])
		f.publish(c.Name+".q2", "1", "tangent of the delayed slip angle", v["q2"])
		if c.Slip.TurnSlip {
			f.publish(c.Name+".q3", "rad/m", "delayed turn slip", v["q3"])
		}
	}
}

func tireAxes(name string) expr.Frame { return expr.Frame(name + " axes") }

// tireKinematics returns the intermediates of section 5, row by row.
func (f *Formulation) tireKinematics(c *model.Tire, wheel, road int) intermediates {
	p := f.Pool
	v := intermediates{}
	set := func(name string, e *expr.Expr) *expr.Expr {
		e = f.intermediate(name+"_"+c.Name, e)
		v[name] = e
		return e
	}
	one := p.Int(1)
	plane := f.resolvedIn(road)
	var r, rising expr.Vector // of the wheel, and of a plane that rises
	friction := one           // of a place on terrain
	uneven, terrain := f.terrainOf(c.Road)
	if terrain {
		plane, r, rising, friction = f.unevenRoad(c, uneven, wheel)
	}
	symmetry := f.resolve(f.unit(f.resolvingFrame(f.classOf[wheel]), c.Axis), plane)

	// rows 2 to 5: uSym x uz has the length cos gamma, and (uy x uSym).ux = uSym.uz
	sine := symmetry.X[2]
	cosine := set("cos_gamma", p.Call(expr.Sqrt, p.Add(p.Pow(symmetry.X[0], 2), p.Pow(symmetry.X[1], 2))))
	secant := set("secant", p.Pow(cosine, -1))
	cx, cy := set("ux_x", p.Mul(symmetry.X[1], secant)), set("uy_x", p.Mul(symmetry.X[0], secant))
	set("gamma", p.Call(expr.Asin, sine))
	axes := tireAxes(c.Name)
	zero := p.Int(0)
	f.addClass(class{
		frame: axes, parent: f.classWith(plane), edge: -1,
		turn: expr.Rotation{From: axes, To: plane, M: [3][3]*expr.Expr{{cx, cy, zero}, {p.Neg(cy), cx, zero}, {zero, zero, one}}},
	})
	f.forces.moment = append(f.forces.moment, nil)
	f.known[resolution{symmetry.X, plane, axes}] = expr.Vector{Frame: axes, X: [3]*expr.Expr{zero, cosine, sine}}
	own := f.unit(f.resolvingFrame(f.classOf[wheel]), c.Axis)
	f.known[resolution{own.X, own.Frame, axes}] = expr.Vector{Frame: axes, X: [3]*expr.Expr{zero, cosine, sine}}

	// section 4: motion of the wheel relative to the road surface
	if !terrain {
		r = f.Across(road, wheel, Position, plane)
	}
	height := set("height", r.X[2])
	velocity := f.Across(road, wheel, Velocity, plane)
	if terrain {
		velocity = p.SubV(velocity, rising)
	}
	if turning := f.AcrossRotation(graph.Ground, road, Velocity, plane); !turning.IsZero() {
		velocity = p.SubV(velocity, p.Cross(turning, r))
	}
	velocity = f.resolve(p.DefineV("v_"+c.Name, velocity), axes)
	w := f.AcrossRotation(road, wheel, Velocity, axes)
	wx, wy, wz := set("wx", w.X[0]), set("wy", w.X[1]), set("wz", w.X[2])

	// rows 6 to 8; the contact point is at (0, Rl sin gamma, -Rl cos gamma) and
	// Rl cos gamma is the height of the wheel centre
	radius := f.scalar(c.Name+".unloaded_radius", "m", c.UnloadedRadius)
	kz := f.scalar(c.Name+".vertical_stiffness", "N/m", c.VerticalStiffness)
	cz := f.scalar(c.Name+".vertical_damping", "N.s/m", c.VerticalDamping)
	// the contact point is at (0, Rs, -depth); loaded: on the road, undeformed: the lowest of the
	// free tire, a disc or a torus of the crown radius (two-wheeler specification, section 2)
	rounded := p.Mul(radius, cosine) // depth of the undeformed tire
	var loaded, depth, side *expr.Expr
	if c.Undeformed {
		crown := f.scalar(c.Name+".crown_radius", "m", c.CrownRadius)
		centre := p.Sub(radius, crown)
		rounded = set("rounded", p.Add(p.Mul(centre, cosine), crown))
		loaded, depth, side = set("Rl", radius), set("depth", rounded), set("Rs", p.Mul(centre, sine))
	} else {
		loaded = set("Rl", p.Mul(height, secant))
		depth, side = set("depth", height), set("Rs", p.Mul(loaded, sine))
	}
	penetration := p.Sub(rounded, height)
	approach := velocity.X[2]
	if c.Undeformed {
		approach = p.Add(approach, p.Mul(wx, side)) // of the contact point, not of the centre
	}
	signed := set("Fz_signed", p.Sub(p.Mul(kz, penetration), p.Mul(cz, approach)))
	if c.Undeformed { // a damper does not push across a gap
		signed = set("Fz_signed", p.Call(expr.Min, signed, p.Mul(p.Num(expr.FromFloat(steep)), kz, penetration)))
	}
	set("Fz", p.Call(expr.Max, signed, zero))
	f.indicators = append(f.indicators, Output{c.Name + ".Fz_signed", "N", "normal force as if the road could pull; below 0 the tire is in the air", signed})

	// rows 9 to 18
	effective := radius
	if !c.Undeformed {
		effective = f.rollingRadius(c, radius, kz, loaded)
	}
	effective = set("Reff", effective)
	set("VCx", velocity.X[0])
	set("VCy", velocity.X[1])
	set("sinking", p.Neg(velocity.X[2]))
	spin := set("Omega", p.Mul(wy, secant))
	rim := set("rim", p.Add(p.Mul(sine, wz), p.Mul(cosine, wy)))
	var vpx, vpxs *expr.Expr
	heading := p.Sub(wz, p.Mul(wy, sine, secant)) // yaw rate of the wheel plane, without spin
	if c.Undeformed {                             // v + w x (0, Rs, -depth), and with the turn of the wheel plane only
		vpx = set("VPx", p.Sub(v["VCx"], p.Add(p.Mul(depth, wy), p.Mul(side, wz))))
		vpxs = set("VPxs", p.Sub(v["VCx"], p.Mul(side, heading)))
	} else {
		vpx = set("VPx", p.Sub(v["VCx"], p.Mul(loaded, rim)))
		vpxs = set("VPxs", p.Add(vpx, p.Mul(spin, loaded)))
	}
	vpy := set("VPy", p.Add(v["VCy"], p.Mul(depth, wx)))
	vex, vexs := vpx, vpxs
	if !c.Undeformed {
		vex = p.Sub(v["VCx"], p.Mul(effective, rim))
		vexs = p.Add(set("VEx", vex), p.Mul(spin, effective))
	}
	vex, vexs = set("VEx", vex), set("VExs", vexs)
	v["wn"] = wz

	// rows 19, 20: (3.20), (3.21) or (3.24), (3.25)
	if c.Slip.Delayed {
		v["q1"], v["q2"] = p.Sym(c.Name+".q1", expr.State), p.Sym(c.Name+".q2", expr.State)
		if c.Slip.TurnSlip {
			v["q3"] = p.Sym(c.Name+".q3", expr.State)
		}
		damping := f.lowSpeed(c, v)
		set("S", p.Sub(v["q1"], p.Mul(damping, vex)))
		set("alpha", p.Call(expr.Atan, p.Add(v["q2"], p.Mul(damping, vpy))))
	} else {
		least := f.scalar(c.Name+".minimum_speed", "m/s", c.Slip.MinimumSpeed)
		along, across := set("along", f.divisor(vexs, least)), set("across", f.divisor(vpxs, least))
		set("S", p.Neg(p.Div(vex, along)))
		set("alpha", p.Call(expr.Atan, p.Div(vpy, across)))
		one := p.Int(1)
		// arctan r, of which the secant is r/sqrt(1 + r^2/2) to 5 %
		ratio := p.Div(vpy, across)
		turn := p.Pow(p.Call(expr.Sqrt, p.Add(one, p.Scale(expr.Fraction(1, 2), p.Pow(ratio, 2)))), -1)
		f.secants = append(f.secants,
			secantSlope{value: v["S"], argument: vex, slope: p.Neg(p.Div(one, along))},
			secantSlope{value: v["alpha"], argument: vpy, slope: p.Div(turn, across)})
	}
	v["mu"] = one
	if terrain {
		v["mu"] = p.Mul(f.friction(uneven.Name, "friction scale of the terrain"), friction)
	}
	if surface, ok := f.roadOf(c.Road); ok {
		v["mu"] = f.friction(surface.Name, "friction scale of the road")
	}
	return v
}

// divisor is the speed |v| by which kinematic slip divides. Below least, which is no speed that
// matters, it is (v^2/least + least)/2, which continues it smoothly to least/2.
func (f *Formulation) divisor(v, least *expr.Expr) *expr.Expr {
	p := f.Pool
	magnitude := p.Call(expr.Abs, v)
	low := p.Call(expr.Min, magnitude, least)
	smooth := p.Scale(expr.Fraction(1, 2), p.Add(p.Div(p.Pow(low, 2), least), least))
	return p.Add(p.Sub(magnitude, low), smooth)
}

// steep bounds the force of a tire by that many times its spring's: the damper of an undeformed
// contact does not push where there is no penetration.
const steep = 1e6

// What a standing tire with delayed slip holds on to, and how fast it lets go of more.
const (
	heldSlip    = 10 // 1/slip
	releaseRate = 50 // 1/s
)

// lowSpeed is the slip [s/m] that is added to the delayed slip for a sliding speed. A
// standing tire with delayed slip is a spring without a damper: its relaxation damps by the
// distance rolled. As in Pacejka's treatment of starting from standstill (Tire and Vehicle
// Dynamics, section 8.6) a damper stands beside it, which vanishes, with its slope, towards
// the low speed: (1 - VCx^2/Vlow^2)^2 times its share at standstill.
func (f *Formulation) lowSpeed(c *model.Tire, v intermediates) *expr.Expr {
	p := f.Pool
	standing := f.scalar(c.Name+".low_speed_damping", "s/m", c.Slip.LowSpeedDamping)
	if standing.IsZero() {
		v["standing"] = standing
		return standing
	}
	low := f.scalar(c.Name+".low_speed", "m/s", c.Slip.LowSpeed)
	share := p.Call(expr.Min, p.Mul(p.Pow(v["VCx"], 2), p.Pow(low, -2)), p.Int(1))
	v["standing"] = f.define("standing_"+c.Name, p.Pow(p.Sub(p.Int(1), share), 2))
	return f.define("damping_"+c.Name, p.Mul(standing, v["standing"]))
}

// excessSlipDecay is the rate at which a standing tire gives up what exceeds the slip of its largest
// force. Locked wheels slide with a slip of 1; a relaxation by the distance rolled would keep
// that deflection at standstill and draw the vehicle back.
func (f *Formulation) excessSlipDecay(v intermediates, q *expr.Expr) *expr.Expr {
	p := f.Pool
	held := p.Scale(expr.Fraction(1, heldSlip), p.Call(expr.Clamp, p.Scale(expr.Integer(heldSlip), q)))
	return p.Scale(expr.Integer(releaseRate), p.Mul(v["standing"], p.Sub(q, held)))
}

// slidingForce is a force of a tire with kinematic slip. It has the sign of a slip, or the
// opposite; the other slip takes part of it.
type slidingForce struct {
	call   int
	output string
	force  *expr.Expr
	inputs [2]string
	slips  [2]*expr.Expr
	sign   int64
}

// leastSlip is the least slip of which a secant is taken.
const leastSlip = 50 // 1/slip

// secantDerivative is the derivative of a sliding force for implicit steps: by its own slip with the
// secant, where that is steeper than the tangent, and without the other slip. (See implicit.)
func (f *Formulation) secantDerivative(s slidingForce, d *expr.Derivative, partials [][]*expr.Expr, wanted [][]int) *expr.Expr {
	p, c := f.Pool, &f.Calls[s.call]
	result := d.Of(s.force)
	for a, k := range wanted[s.call] {
		tangent := partials[s.call][slices.Index(c.Outputs, s.output)*len(wanted[s.call])+a]
		switch c.Inputs[k] {
		case s.inputs[0]:
			magnitude := p.Call(expr.Max, p.Call(expr.Abs, s.slips[0]), p.Num(expr.Fraction(1, leastSlip)))
			secant := f.define("secant_"+s.force.Name(), p.Div(p.Call(expr.Abs, s.force), magnitude))
			missing := f.define("missing_"+s.force.Name(), p.Call(expr.Max, p.Int(0), p.Sub(secant, p.Scale(expr.Integer(s.sign), tangent))))
			result = p.Add(result, p.Scale(expr.Integer(overshoot*s.sign), p.Mul(missing, d.Of(s.slips[0]))))
		case s.inputs[1]:
			result = p.Sub(result, p.Mul(tangent, d.Of(s.slips[1])))
		}
	}
	return result
}

// intermediate names a row of the table. With a simplification pass on
// intermediates, across variables are first substituted in terms of the states,
// as in the source; other intermediates stay names (linear-graph specification,
// section 9, computational sequences).
func (f *Formulation) intermediate(name string, e *expr.Expr) *expr.Expr {
	if f.options.Intermediates > Unchanged {
		e = f.pass(f.options.Intermediates, f.substituteAcross(e))
	}
	e = f.define(name, e)
	_, body := f.Pool.Content(e)
	f.rows[body] = true
	return e
}

func (f *Formulation) substituteAcross(e *expr.Expr) *expr.Expr {
	return f.Pool.Map(e, func(x *expr.Expr) *expr.Expr {
		if x.Kind() != expr.Definition || f.rows[x] || x.Constant() {
			return nil
		}
		return f.substituteAcross(x.Args()[0])
	})
}

func (f *Formulation) roadOf(frame string) (*model.Road, bool) {
	for _, c := range f.Model.Components {
		if r, ok := c.(*model.Road); ok && r.Frame == frame {
			return r, true
		}
	}
	return nil, false
}

// rollingRadius returns Reff (section 6; equations 3.12, 3.13):
// Ru - rhoN (D arctan(B rho/rhoN) + F rho/rhoN), rho = Ru - Rl, rhoN = Fz0/kz.
func (f *Formulation) rollingRadius(c *model.Tire, radius, kz, loaded *expr.Expr) *expr.Expr {
	p := f.Pool
	switch c.RollingRadius.Method {
	case "loaded":
		return loaded
	case "unloaded":
		return radius
	}
	parameter := func(name, unit string, s model.Scalar) *expr.Expr {
		return f.scalar(c.Name+".rolling_radius_"+name, unit, s)
	}
	nominal := f.define("rhoN_"+c.Name, p.Div(parameter("Fz0", "N", c.RollingRadius.Fz0), kz))
	ratio := f.define("rho_"+c.Name, p.Div(p.Sub(radius, loaded), nominal))
	b, d := parameter("B", "1", c.RollingRadius.B), parameter("D", "1", c.RollingRadius.D)
	term := p.Add(p.Mul(d, p.Call(expr.Atan, p.Mul(b, ratio))), p.Mul(parameter("F", "1", c.RollingRadius.F), ratio))
	return p.Sub(radius, p.Mul(nominal, term))
}

// askable are the intermediates that every force function can ask for, whichever is in use: a
// function is exchanged without a new formulation. They have a name as variables, too.
var askable = []struct{ name, variable, unit, text string }{
	{"Fz", "Fz", "N", "normal force of the road on the tire, 0 in the air"},
	{"S", "kappa", "1", "longitudinal slip, above 0 spins faster than free rolling"},
	{"alpha", "alpha", "rad", "slip angle, above 0 moves to the left"},
	{"Omega", "Omega", "rad/s", "spin, above 0 rolls forward"},
	{"gamma", "gamma", "rad", "inclination, above 0 leans to the right"},
	{"Reff", "R_eff", "m", "effective rolling radius"},
	{"Rl", "R_l", "m", "loaded radius"},
	{"VCx", "VCx", "m/s", "velocity of the wheel centre, along the heading"},
	{"VCy", "VCy", "m/s", "velocity of the wheel centre, to the left"},
	{"VPx", "VPx", "m/s", "velocity of the contact point, along the heading"},
	{"VPy", "VPy", "m/s", "velocity of the contact point, to the left"},
	{"VEx", "VEx", "m/s", "slip velocity on the effective radius"},
	{"VPxs", "VPxs", "m/s", "VPx without the spin"},
	{"VExs", "VExs", "m/s", "VEx without the spin"},
	{"wn", "wn", "rad/s", "angular velocity of the wheel about the normal of the road"},
	{"mu", "mu", "1", "friction of the road relative to nominal"},
	{"Rs", "Rs", "m", "distance of the contact point to the left of the wheel centre"},
	{"depth", "depth", "m", "distance of the contact point below the wheel centre"},
	{"sinking", "sinking", "m/s", "velocity of the wheel centre towards the road"},
	{"wx", "wx", "rad/s", "angular velocity of the wheel about the heading"},
}

// offered lists what a tire's force function can ask for, and makes the inputs by
// which a master can be the force function itself.
func (f *Formulation) offered(c *model.Tire, v intermediates) []string {
	var names []string
	for _, a := range askable {
		names = append(names, a.name)
		f.askedFor[c.Name+"."+a.variable] = v[a.name]
	}
	if c.Slip.Delayed {
		names = append(names, "q1", "q2")
		if c.Slip.TurnSlip {
			names = append(names, "q3")
		}
	}
	for _, o := range []struct{ name, unit, text string }{
		{"Fx_input", "N", "longitudinal force"}, {"Fy_input", "N", "lateral force"},
		{"Mx_input", "N.m", "overturning moment"}, {"My_input", "N.m", "rolling resistance moment"}, {"Mz_input", "N.m", "aligning moment"},
	} {
		v[o.name] = f.input(c.Name+"."+o.name, o.unit, o.text+" of the road on the tire, where the tire's function is inputs", 0)
		names = append(names, o.name)
	}
	return names
}

// forces are what every force function returns.
var forces = [...]string{"Fx", "Fy", "Mx", "My", "Mz"}

// tireForces makes the force function of a tire whose inputs are those of the model.
func (f *Formulation) tireForces(c *model.TireForces) {
	v := intermediates{}
	var offered []string
	for _, a := range askable {
		start := 0.0
		if a.name == "mu" {
			start = 1
		}
		v[a.name] = f.input(c.Name+"."+a.variable, a.unit, a.text, start)
		offered = append(offered, a.name)
	}
	force := f.call(c.Head(), "force", c.Force, v, offered, forces[:])
	f.publishForces(c.Name, force)
}

// publishForces publishes what a force function returns.
func (f *Formulation) publishForces(name string, force map[string]*expr.Expr) {
	for _, o := range []struct{ name, unit, text string }{
		{"Fx", "N", "longitudinal force of the road on the tire"},
		{"Fy", "N", "lateral force of the road on the tire"},
		{"Fz", "N", "normal force of the road on the tire"},
		{"Mx", "N.m", "overturning moment of the road on the tire about the contact point"},
		{"My", "N.m", "rolling resistance moment of the road on the tire"},
		{"Mz", "N.m", "aligning moment of the road on the tire"},
	} {
		if e := force[o.name]; e != nil {
			f.publish(name+"."+o.name, o.unit, o.text, e)
		}
	}
}

// call makes an external call and returns the symbols bound to its values. offered
// names what the function can ask for, nil for what the one in use asks for.
func (f *Formulation) call(c *model.Header, role string, fn model.TireFunction, v intermediates, offered, bind []string) map[string]*expr.Expr {
	kind, err := tire.Lookup(fn.Name)
	if err != nil {
		f.reject(c.Pos, "tire %s: %v", c.Name, err)
		return nil
	}
	if offered == nil {
		offered = kind.Inputs
	}
	call := Call{Name: c.Name + "." + role, Function: fn.Name, Inputs: offered, Outputs: kind.Outputs, File: fn.File, Side: fn.Side, Downgrade: fn.Downgrade, Parameters: fn.Parameters, Warnings: fn.Warnings}
	for _, name := range kind.Inputs {
		if v[name] == nil || !slices.Contains(offered, name) {
			f.reject(c.Pos, "tire %s: function %s asks for %q, which is not to be had here; there are %s", c.Name, fn.Name, name, strings.Join(offered, " "))
			return nil
		}
	}
	for _, name := range offered {
		call.Arguments = append(call.Arguments, v[name])
	}
	bound := map[string]*expr.Expr{}
	for _, name := range kind.Outputs {
		s := f.Pool.Sym(name+"_"+c.Name, expr.Returned)
		call.Returned = append(call.Returned, s)
		bound[name] = s
	}
	for _, name := range bind {
		if bound[name] == nil {
			f.reject(c.Pos, "tire %s: function %s returns %s; as %s function it must return %s", c.Name, fn.Name, strings.Join(kind.Outputs, " "), role, strings.Join(bind, " "))
			return nil
		}
	}
	f.Calls = append(f.Calls, call)
	return bound
}
