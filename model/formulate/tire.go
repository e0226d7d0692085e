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
	force := f.call(c, "force", c.Force, v, f.offered(c, v), []string{"Fx", "Fy", "Mx", "My", "Mz"})
	if c.Slip.Delayed {
		rates := f.call(c, "relaxation", c.Slip.Relaxation, v, nil, []string{"q1dot", "q2dot"})
		f.Internal = append(f.Internal,
			State{Name: c.Name + ".q1", Unit: "1", Symbol: v["q1"], Rate: rates["q1dot"], start: c.Slip.Q1},
			State{Name: c.Name + ".q2", Unit: "1", Symbol: v["q2"], Rate: rates["q2dot"], start: c.Slip.Q2})
	}
	if f.err != nil {
		return
	}
	// (4.2), (4.3): on C the force and the moment M_P + r_P/C x F_P; on Q the
	// opposite of both, moved to Q's origin (edges T3, R2, R3).
	axes := tireAxes(c.Name)
	arm := expr.Vector{Frame: axes, X: [3]*expr.Expr{p.Int(0), v["Rs"], p.Neg(v["height"])}}
	onWheel := expr.Vector{Frame: axes, X: [3]*expr.Expr{force["Fx"], force["Fy"], v["Fz"]}}
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
	for _, o := range []struct{ name, unit, text string }{
		{"Fx", "N", "longitudinal force of the road on the tire"},
		{"Fy", "N", "lateral force of the road on the tire"},
		{"Fz", "N", "normal force of the road on the tire"},
		{"Mx", "N.m", "overturning moment of the road on the tire about the contact point"},
		{"My", "N.m", "rolling resistance moment of the road on the tire"},
		{"Mz", "N.m", "aligning moment of the road on the tire"},
	} {
		e := force[o.name]
		if o.name == "Fz" {
			e = v["Fz"]
		}
		f.publish(c.Name+"."+o.name, o.unit, o.text, e)
	}
	f.publish(c.Name+".kappa", "1", "longitudinal slip handed to the tire function", v["S"])
	f.publish(c.Name+".alpha", "rad", "slip angle handed to the tire function", v["alpha"])
	f.publish(c.Name+".gamma", "rad", "inclination", v["gamma"])
	f.publish(c.Name+".R_l", "m", "loaded radius", v["Rl"])
	f.publish(c.Name+".R_eff", "m", "effective rolling radius", v["Reff"])
	if c.Slip.Delayed {
		f.publish(c.Name+".q1", "1", "delayed longitudinal slip", v["q1"])
		f.publish(c.Name+".q2", "1", "tangent of the delayed slip angle", v["q2"])
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
	symmetry := f.resolve(f.unit(f.fr(f.classOf[wheel]), c.Axis), plane)

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
	own := f.unit(f.fr(f.classOf[wheel]), c.Axis)
	f.known[resolution{own.X, own.Frame, axes}] = expr.Vector{Frame: axes, X: [3]*expr.Expr{zero, cosine, sine}}

	// section 4: motion of the wheel relative to the road surface
	r := f.Across(road, wheel, Position, plane)
	height := set("height", r.X[2])
	velocity := f.Across(road, wheel, Velocity, plane)
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
	loaded := set("Rl", p.Mul(height, secant))
	penetration := p.Sub(p.Mul(radius, cosine), height)
	signed := set("Fz_signed", p.Sub(p.Mul(kz, penetration), p.Mul(cz, velocity.X[2])))
	set("Fz", p.Call(expr.Max, signed, zero))
	f.indicators = append(f.indicators, Output{c.Name + ".Fz_signed", "N", "normal force as if the road could pull; below 0 the tire is in the air", signed})
	set("Rs", p.Mul(loaded, sine))

	// rows 9 to 18
	effective := set("Reff", f.rollingRadius(c, radius, kz, loaded))
	set("VCx", velocity.X[0])
	set("VCy", velocity.X[1])
	spin := set("Omega", p.Mul(wy, secant))
	rim := set("rim", p.Add(p.Mul(sine, wz), p.Mul(cosine, wy)))
	vpx := set("VPx", p.Sub(v["VCx"], p.Mul(loaded, rim)))
	vpy := set("VPy", p.Add(v["VCy"], p.Mul(height, wx)))
	vex := set("VEx", p.Sub(v["VCx"], p.Mul(effective, rim)))
	vpxs := set("VPxs", p.Add(vpx, p.Mul(spin, loaded)))
	vexs := set("VExs", p.Add(vex, p.Mul(spin, effective)))

	// rows 19, 20: (3.20), (3.21) or (3.24), (3.25)
	if c.Slip.Delayed {
		v["q1"], v["q2"] = p.Sym(c.Name+".q1", expr.State), p.Sym(c.Name+".q2", expr.State)
		v["S"] = v["q1"]
		set("alpha", p.Call(expr.Atan, v["q2"]))
	} else {
		floor := f.scalar(c.Name+".minimum_speed", "m/s", c.Slip.MinimumSpeed)
		speed := func(e *expr.Expr) *expr.Expr { return p.Call(expr.Max, p.Call(expr.Abs, e), floor) }
		set("S", p.Neg(p.Div(vex, speed(vexs))))
		set("alpha", p.Call(expr.Atan, p.Div(vpy, speed(vpxs))))
	}
	v["mu"] = one
	if surface, ok := f.roadOf(c.Road); ok {
		v["mu"] = f.input(surface.Name+".mu", "1", "friction scale of the road", 1)
	}
	return v
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

// scalars are the intermediates that every force function can ask for, whichever
// is in use: a function is exchanged without a new formulation.
var scalars = []string{"Fz", "S", "alpha", "Omega", "gamma", "Reff", "Rl", "VCx", "VCy", "VPx", "VPy", "VEx", "VPxs", "VExs", "mu"}

// offered lists what a tire's force function can ask for, and makes the inputs by
// which a master can be the force function itself.
func (f *Formulation) offered(c *model.Tire, v intermediates) []string {
	names := slices.Clone(scalars)
	if c.Slip.Delayed {
		names = append(names, "q1", "q2")
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

// call makes an external call and returns the symbols bound to its values. offered
// names what the function can ask for, nil for what the one in use asks for.
func (f *Formulation) call(c *model.Tire, role string, fn model.TireFunction, v intermediates, offered, bind []string) map[string]*expr.Expr {
	kind, err := tire.Lookup(fn.Name)
	if err != nil {
		f.reject(c.Pos, "tire %s: %v", c.Name, err)
		return nil
	}
	if offered == nil {
		offered = kind.Inputs
	}
	call := Call{Name: c.Name + "." + role, Function: fn.Name, Inputs: offered, Outputs: kind.Outputs, File: fn.File, Parameters: fn.Parameters}
	for _, name := range kind.Inputs {
		if v[name] == nil || !slices.Contains(offered, name) {
			f.reject(c.Pos, "tire %s: function %s asks for %q, which this tire does not have (slip %s)", c.Name, fn.Name, name, map[bool]string{true: "delayed", false: "kinematic"}[c.Slip.Delayed])
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
