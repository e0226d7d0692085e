package component

import (
	"math"
	"slices"

	"skidpad/model/expr"
	"skidpad/model/graph"
	"skidpad/model/keys"
	"skidpad/tire"
)

var tireType = Type{
	Word: "tire",
	Text: "wheel and tire as one body on a plane road or a terrain",
	Keys: []keys.Key{
		{Name: "frame", Shape: keys.FrameShape, Optional: true,
			Text: "wheel frame at the wheel centre, y axis to the left; default: the component's name"},
		frame("road", "frame of the road or terrain"),
		nonnegative("mass", "kg", "", "mass of wheel and tire; 0 if another component on the frame has it"),
		{Name: "inertia", Shape: keys.TableShape, Text: "inertia about the wheel centre", Keys: []keys.Key{
			nonnegative("axial", "kg.m2", "", "moment of inertia about the spin axis"),
			nonnegative("transverse", "kg.m2", "", "moment of inertia about a diameter"),
		}},
		sequence("312"),
		{Name: "side", Shape: keys.WordShape, Optional: true, Choices: []string{"left", "right"},
			Text: "side on which the tire is mounted; a property file for the other side is mirrored; default: the side of " +
				"the file"},
		positive("unloaded_radius", "m", "Ru, free radius of the vertical spring"),
		positive("vertical_stiffness", "N/m", "kz"),
		nonnegative("vertical_damping", "N.s/m", "0", "cz"),
		{Name: "contact", Shape: keys.TableShape, Optional: true, Text: "contact point", Keys: []keys.Key{
			{Name: "method", Shape: keys.WordShape, Default: "loaded", Choices: []string{"loaded", "undeformed"},
				Text: "loaded: on the road, at the loaded radius; undeformed: the lowest point of the undeformed tire, at the " +
					"free radius, which is then also the effective radius"},
			nonnegative("crown_radius", "m", "0",
				"radius of the cross-section of a torus, undeformed only; 0: a thin disc"),
		}},
		{Name: "rolling_radius", Shape: keys.TableShape, Optional: true,
			Text: "effective rolling radius; not with an undeformed contact", Keys: []keys.Key{
				{Name: "method", Shape: keys.WordShape, Choices: []string{"loaded", "unloaded", "load-dependent"},
					Text: "Reff = Rl, Reff = Ru, or Ru - rhoN (D arctan(B rho/rhoN) + F rho/rhoN)"},
				{Name: "Fz0", Unit: "N", Optional: true, Positive: true,
					Text: "nominal load of load-dependent; rhoN = Fz0/kz"},
				{Name: "B", Unit: "1", Optional: true, Text: "coefficient of load-dependent"},
				{Name: "D", Unit: "1", Optional: true, Text: "coefficient of load-dependent"},
				{Name: "F", Unit: "1", Optional: true, Text: "coefficient of load-dependent"},
			}},
		{Name: "slip", Shape: keys.TableShape, Text: "slip", Keys: []keys.Key{
			{Name: "method", Shape: keys.WordShape, Choices: []string{"kinematic", "delayed"},
				Text: "kinematic: steady-state slip from the contact velocities; delayed: transient slip with the relaxation " +
					"states q1, q2"},
			{Name: "minimum_speed", Unit: "m/s", Default: "0.005", Positive: true,
				Text: "speed from which kinematic slip divides by the speed itself"},
			{Name: "low_speed", Unit: "m/s", Default: "1", Positive: true,
				Text: "speed below which delayed slip is damped"},
			nonnegative("low_speed_damping", "s/m", "0.2",
				"damping slip per sliding speed at standstill; 0: no damping"),
			{Name: "relaxation", Shape: keys.TableShape, Optional: true,
				Text: "relaxation function of delayed slip", Keys: functionKey},
			scalar("q1", "1", "0", "start value of the delayed longitudinal slip"),
			scalar("q2", "1", "0", "start value of the tangent of the delayed slip angle"),
			scalar("q3", "rad/m", "0", "start value of the delayed turn slip, if the relaxation function has it"),
		}},
		forceKey,
		{Name: "enveloping", Shape: keys.TableShape, Optional: true,
			Text: "contact patch grid: the contact plane is the mean plane under the contact patch, instead of the tangent " +
				"plane below the wheel centre; on terrain only", Keys: []keys.Key{
				positive("length", "m", "length of the contact patch, in the direction of the wheel"),
				positive("width", "m", "width of the contact patch"),
				scalar("points", "", "3", "number of rows of points, along and across"),
			}},
	},
	Read: readTire,
}

// Tire: wheel and tire as one body at frame Frame, on the plane or terrain of frame Road
// (Morency 2007, ch. 3 and 4; tire-component specification).
type Tire struct {
	keys.Header
	Frame, Road       string
	Mass              keys.Scalar
	Inertia           Inertia     // axisymmetric about Axis
	Axis              int         // index of the spin axis in Frame, pointing left: 1
	Sequence          string      // of the R1 edge when it is a branch, default "312"
	UnloadedRadius    keys.Scalar // Ru, m
	VerticalStiffness keys.Scalar // kz, N/m
	VerticalDamping   keys.Scalar // cz, N s/m
	Undeformed        bool        // the contact point is that of the undeformed tire
	CrownRadius       keys.Scalar // m, of a torus; Undeformed only
	RollingRadius     RollingRadius
	Slip              Slip
	Force             TireFunction
	Enveloping        *Enveloping // nil: none
}

// Enveloping is the footprint of a tire, under which the plane on which it stands is the mean one.
type Enveloping struct {
	Length, Width keys.Scalar // m
	Points        int         // rows of points, along and across
}

// RollingRadius selects Reff (equations 3.12, 3.13).
type RollingRadius struct {
	Method       string      // "loaded", "unloaded", "load-dependent"
	Fz0, B, D, F keys.Scalar // load-dependent only
}

// Slip selects kinematic or delayed slip.
type Slip struct {
	Delayed         bool
	MinimumSpeed    keys.Scalar  // m/s, from which on kinematic slip divides by the speed itself
	LowSpeed        keys.Scalar  // m/s, under which delayed slip is damped
	LowSpeedDamping keys.Scalar  // s/m, at standstill
	Relaxation      TireFunction // delayed only; returns q1dot, q2dot, and q3dot with TurnSlip
	TurnSlip        bool         // there is a delayed turn slip
	Q1, Q2, Q3      keys.Scalar  // start values of the delayed slips
}

func readTire(h keys.Header, f *keys.Fields) Component {
	t := &Tire{
		Header: h, Frame: f.Frame("frame", h.Name), Road: f.Text("road"),
		Mass: f.Scalar("mass"), Axis: 1, Sequence: f.Text("sequence"),
		UnloadedRadius:    f.Scalar("unloaded_radius"),
		VerticalStiffness: f.Scalar("vertical_stiffness"),
		VerticalDamping:   f.Scalar("vertical_damping"),
	}
	j := f.Sub("inertia")
	t.Inertia = Inertia{Axisymmetric: true, Axis: t.Axis, Axial: j.Scalar("axial"), Transverse: j.Scalar("transverse")}
	t.readContact(f)
	t.readRollingRadius(f)
	t.readSlip(f)
	t.readEnveloping(f)
	if force := f.Sub("force"); force.Table != nil {
		t.Force = tireFunction(force, f.Text("side"), force.Text("allow_downgrade") == "yes", "Fx", "Fy", "Mx", "My",
			"Mz")
	}
	return t
}

func (t *Tire) readContact(f *keys.Fields) {
	contact := f.Sub("contact")
	t.Undeformed, t.CrownRadius = contact.Text("method") == "undeformed", contact.Scalar("crown_radius")
	if contact.Table == nil {
		t.CrownRadius = keys.Zero()
	}
	switch crown := t.CrownRadius; {
	case contact.Table == nil:
	case !t.Undeformed && contact.Given("crown_radius"):
		contact.Fault("crown_radius", "%s.contact.crown_radius goes with the method undeformed only", t.Name)
	case crown.Value >= t.UnloadedRadius.Value:
		f.FaultAt(crown.Pos, "%s.contact.crown_radius is %s; it must be below the unloaded radius %s", t.Name,
			crown.Text, t.UnloadedRadius.Text)
	}
	switch given := f.Given("rolling_radius"); {
	case given && t.Undeformed:
		f.Fault("rolling_radius",
			"%s.rolling_radius does not go with an undeformed contact, whose radius is the free one", t.Name)
	case !given && !t.Undeformed:
		f.FaultOfTable("%s lacks the key \"rolling_radius\" (or an undeformed contact)", t.Name)
	}
}

func (t *Tire) readRollingRadius(f *keys.Fields) {
	r := f.Sub("rolling_radius")
	t.RollingRadius = RollingRadius{r.Text("method"), r.Scalar("Fz0"), r.Scalar("B"), r.Scalar("D"), r.Scalar("F")}
	for _, name := range []string{"Fz0", "B", "D", "F"} {
		if r.Table != nil && r.Given(name) != (t.RollingRadius.Method == "load-dependent") {
			r.FaultOfTable("%s.rolling_radius: Fz0, B, D and F go with the method load-dependent, all of them and "+
				"there only (%s)", t.Name, name)
			break
		}
	}
}

func (t *Tire) readSlip(f *keys.Fields) {
	s := f.Sub("slip")
	t.Slip = Slip{Delayed: s.Text("method") == "delayed", MinimumSpeed: s.Scalar("minimum_speed"),
		LowSpeed: s.Scalar("low_speed"), LowSpeedDamping: s.Scalar("low_speed_damping"), Q1: s.Scalar("q1"),
		Q2: s.Scalar("q2"), Q3: s.Scalar("q3")}
	switch {
	case s.Table == nil:
	case t.Slip.Delayed && !s.Given("relaxation"):
		s.FaultOfTable("%s.slip is delayed and lacks the key \"relaxation\" (function with file or parameters)", t.Name)
	case t.Slip.Delayed:
		t.Slip.Relaxation = tireFunction(s.Sub("relaxation"), f.Text("side"), false, "q1dot", "q2dot")
		kind, err := tire.Lookup(t.Slip.Relaxation.Name)
		t.Slip.TurnSlip = err == nil && slices.Contains(kind.Outputs, "q3dot")
	case s.Given("relaxation"):
		s.Fault("relaxation", "%s.slip.relaxation goes with the method delayed only", t.Name)
	}
}

func (t *Tire) readEnveloping(f *keys.Fields) {
	if e := f.Sub("enveloping"); e.Table != nil {
		points := e.Scalar("points")
		if n := points.Value; n != math.Trunc(n) || n < 2 || n > mostPoints {
			f.FaultAt(points.Pos, "%s.enveloping.points is %s; it must be a whole number from 2 to %d", t.Name,
				points.Text, mostPoints)
		}
		t.Enveloping = &Enveloping{e.Scalar("length"), e.Scalar("width"), int(points.Value)}
	}
}

// mostPoints bounds the rows of points of a footprint.
const mostPoints = 20

func (c *Tire) Frames() Frames {
	return Frames{Joins: onGround(c.Frame), Carries: true, Uses: []string{c.Road}, Axes: []string{c.Road}, Alike: true}
}

// Edges: wheel frame C, road frame Q (tire-component specification, section 2).
//
//	T1 Ground -> C  inertia and weight; as a branch: position and speeds in ground
//	T2 Ground -> Q  observer
//	T3 Q -> C       force of the road
//	R1 Ground -> C  rotary inertia; as a branch: angles of the sequence, speeds in C
//	R2 Ground -> Q  moment of the reaction about the road's origin
//	R3 Q -> C       moment of the road
func (c *Tire) Edges(s *Scope) []graph.Edge {
	return []graph.Edge{
		{Name: "T1", Domain: graph.Translation, From: graph.GroundFrame, To: c.Frame, Late: true,
			Space: graph.Space{Free: &graph.Free{
				Axes:        all,
				Coordinates: graph.Coordinates(c.Name, [3]string{"x", "y", "z"}, "m", keys.Vector{}),
				Speeds:      graph.Coordinates(c.Name, [3]string{"x_dot", "y_dot", "z_dot"}, "m/s", keys.Vector{}),
			}}},
		{Name: "T2", Domain: graph.Translation, From: graph.GroundFrame, To: c.Road, Observer: true,
			Space: graph.Space{FullLaw: true}},
		graph.Law("T3", graph.Translation, c.Road, c.Frame),
		{Name: "R1", Domain: graph.Rotation, From: graph.GroundFrame, To: c.Frame, Late: true,
			Space: graph.Space{Free: &graph.Free{
				Axes:        all,
				Sequence:    c.Sequence,
				HeadSpeeds:  true,
				Coordinates: graph.Coordinates(c.Name, [3]string{"yaw", "tilt", "spin"}, "rad", keys.Vector{}),
				Speeds:      graph.Coordinates(c.Name, [3]string{"wx", "wy", "wz"}, "rad/s", keys.Vector{}),
			}}},
		graph.Law("R2", graph.Rotation, graph.GroundFrame, c.Road),
		graph.Law("R3", graph.Rotation, c.Road, c.Frame),
	}
}

// Check: the inertia is one that a body can have, and a footprint lies on uneven ground.
func (c *Tire) Check(s *Scope, r *keys.Reader) {
	if axial, transverse := c.Inertia.Axial, c.Inertia.Transverse; axial.Value > 2*transverse.Value {
		r.Place(axial.Pos, "%s.inertia: axial %s is above twice the transverse %s, which no body has",
			c.Name, axial.Text, transverse.Text)
	}
	if c.Enveloping != nil && !onUneven(s, c.Road) {
		r.Place(c.Enveloping.Length.Pos, "%s.enveloping goes with a terrain only; %q is a plane", c.Name, c.Road)
	}
}

// Lump is wheel and tire.
func (c *Tire) Lump() Lump { return Lump{Frame: c.Frame, Mass: c.Mass, Inertia: &c.Inertia} }

// Wheel is the whole of it.
func (c *Tire) Wheel() Wheel {
	return Wheel{Frame: c.Frame, Axis: c.Axis, Radius: c.UnloadedRadius, Tire: true}
}

// OnPlane: a footprint makes no difference.
func (c *Tire) OnPlane() (Component, error) {
	flat := *c
	flat.Enveloping = nil
	return &flat, nil
}

// Terminal holds what goes on between tire and road.
func (c *Tire) Terminal() Terminal {
	return Terminal{
		Kind: "org.skidpad.tire", Text: "forces of the road on the tire, their inputs, and externally computed forces",
		Variables: []string{"Fx", "Fy", "Fz", "Mx", "My", "Mz", "kappa", "alpha", "gamma", "R_l", "R_eff", "contact",
			"Fx_input", "Fy_input", "Mx_input", "My_input", "Mz_input"},
	}
}

// tireRows are the intermediates of a tire by the rows of the tire-component specification, section 5: what its
// functions can ask for, by name, and what else the rows need.
type tireRows struct {
	values  map[string]*expr.Expr
	b       Builder
	plane   expr.Frame    // of the road
	axes    expr.Frame    // ISO tire axes ux, uy, uz
	terrain *Plane        // nil on a road
	place   expr.Vector   // of the wheel relative to the plane
	moving  expr.Vector   // velocity of the wheel against the road, in tire axes
	w       [3]*expr.Expr // angular velocity likewise
	sine    *expr.Expr    // of the inclination
	cosine  *expr.Expr
	secant  *expr.Expr
	radius  *expr.Expr // unloaded
	kz      *expr.Expr
	loaded  *expr.Expr
	depth   *expr.Expr // of the contact point below the centre, which is at (0, side, -depth)
	side    *expr.Expr
	along   *expr.Expr // slip velocity on the effective radius, and without the spin
	ahead   *expr.Expr
	across  *expr.Expr // velocity of the contact point to the left
	heading *expr.Expr // its velocity along the heading without the spin
}

func (v *tireRows) set(name string, e *expr.Expr) *expr.Expr {
	e = v.b.Intermediate(name, e)
	v.values[name] = e
	return e
}

// Law makes the intermediates of the tire, its external calls and the contact forces they return
// (Morency 2007, chapters 3 and 4).
//
// All vectors are resolved in the ISO tire axes ux, uy, uz, where
// uSym = (0, cos gamma, sin gamma); that turns the table's formulas into
//
//	Omega = w.uy/cos gamma                                        (row 11)
//	VPx = VCx - Rl (sin gamma w.uz + cos gamma w.uy)              (row 14)
//	VPy = VCy + Rl cos gamma w.ux                                 (row 15)
func (c *Tire) Law(b Builder) {
	v := &tireRows{b: b, values: map[string]*expr.Expr{}, axes: expr.Frame(c.Name + " axes")}
	c.place(v)
	c.motion(v)
	c.normalForce(v)
	c.slipVelocities(v)
	if c.Slip.Delayed {
		c.delayedSlip(v)
	} else {
		c.kinematicSlip(v)
	}
	c.friction(v)
	force, ok := b.Call(ExternalCall{
		Role: "force", Function: c.Force, Values: v.values, Offered: c.offered(v), Binds: contactForces[:],
		Pose: c.pose(b),
	})
	if !ok || c.Slip.Delayed && !c.relax(v) {
		return
	}
	c.apply(v, force)
	c.publish(v, force)
}

// place finds the road under the wheel and the tire axes, which stand on it.
func (c *Tire) place(v *tireRows) {
	b, p := v.b, v.b.Pool()
	v.plane = b.Axes(c.Road)
	if t, found := c.terrain(b); found {
		plane := t.Under(b.For(t), b, Standing{c.Frame, c.Axis, c.Enveloping})
		v.terrain, v.plane, v.place = &plane, plane.Axes, plane.Place
	}
	own := b.Unit(b.Axes(c.Frame), c.Axis)
	symmetry := b.Resolve(own, v.plane)

	// rows 2 to 5: uSym x uz has the length cos gamma, and (uy x uSym).ux = uSym.uz
	v.sine = symmetry.X[2]
	v.cosine = v.set("cos_gamma", p.Call(expr.Sqrt, p.Add(p.Pow(symmetry.X[0], 2), p.Pow(symmetry.X[1], 2))))
	v.secant = v.set("secant", p.Pow(v.cosine, -1))
	cx, cy := v.set("ux_x", p.Mul(symmetry.X[1], v.secant)), v.set("uy_x", p.Mul(symmetry.X[0], v.secant))
	v.set("gamma", p.Call(expr.Asin, v.sine))
	zero, one := p.Int(0), p.Int(1)
	b.AddAxes(v.axes, v.plane, [3][3]*expr.Expr{{cx, cy, zero}, {p.Neg(cy), cx, zero}, {zero, zero, one}})
	inTireAxes := expr.Vector{Frame: v.axes, X: [3]*expr.Expr{zero, v.cosine, v.sine}}
	b.Know(symmetry, inTireAxes)
	b.Know(own, inTireAxes)
}

// terrain is that on which the tire stands, if it does.
func (c *Tire) terrain(b Builder) (Uneven, bool) {
	return First(b.Scope(), func(t Uneven) bool { return t.Carries(c.Road) })
}

// motion is that of the wheel relative to the road surface (section 4).
func (c *Tire) motion(v *tireRows) {
	b, p := v.b, v.b.Pool()
	if v.terrain == nil {
		v.place = b.Position(c.Road, c.Frame, v.plane)
	}
	v.set("height", v.place.X[2])
	velocity := b.Velocity(c.Road, c.Frame, v.plane)
	if v.terrain != nil {
		velocity = p.SubV(velocity, v.terrain.Rising)
	}
	if turning := b.AngularVelocity(graph.GroundFrame, c.Road, v.plane); !turning.IsZero() {
		velocity = p.SubV(velocity, p.Cross(turning, v.place))
	}
	v.moving = b.Resolve(b.DefineV("v", velocity), v.axes)
	w := b.AngularVelocity(c.Road, c.Frame, v.axes)
	for i, name := range [...]string{"wx", "wy", "wz"} {
		v.w[i] = v.set(name, w.X[i])
	}
}

// normalForce is that of spring and damper, rows 6 to 8. The contact point is at (0, Rl sin gamma, -Rl cos gamma), and
// Rl cos gamma is the height of the wheel centre: loaded, it is on the road; undeformed, it is the lowest of the free
// tire, a disc or a torus of the crown radius (two-wheeler specification, section 2).
func (c *Tire) normalForce(v *tireRows) {
	b, p := v.b, v.b.Pool()
	v.radius = b.Scalar("unloaded_radius", "m", c.UnloadedRadius)
	v.kz = b.Scalar("vertical_stiffness", "N/m", c.VerticalStiffness)
	cz := b.Scalar("vertical_damping", "N.s/m", c.VerticalDamping)
	height := v.values["height"]
	rounded := p.Mul(v.radius, v.cosine) // depth of the undeformed tire
	if c.Undeformed {
		crown := b.Scalar("crown_radius", "m", c.CrownRadius)
		centre := p.Sub(v.radius, crown)
		rounded = v.set("rounded", p.Add(p.Mul(centre, v.cosine), crown))
		v.loaded, v.depth, v.side = v.set("Rl", v.radius), v.set("depth", rounded), v.set("Rs", p.Mul(centre, v.sine))
	} else {
		v.loaded = v.set("Rl", p.Mul(height, v.secant))
		v.depth, v.side = v.set("depth", height), v.set("Rs", p.Mul(v.loaded, v.sine))
	}
	penetration := p.Sub(rounded, height)
	approach := v.moving.X[2]
	if c.Undeformed {
		approach = p.Add(approach, p.Mul(v.w[0], v.side)) // of the contact point, not of the centre
	}
	signed := v.set("Fz_signed", p.Sub(p.Mul(v.kz, penetration), p.Mul(cz, approach)))
	if c.Undeformed { // a damper does not push across a gap
		signed = v.set("Fz_signed", p.Call(expr.Min, signed, p.Mul(p.Num(expr.FromFloat(steep)), v.kz, penetration)))
	}
	v.set("Fz", p.Call(expr.Max, signed, p.Int(0)))
	b.Indicator("Fz_signed", "N", "normal force as if the road could pull; below 0 the tire is in the air", signed)
}

// steep bounds the force of a tire by that many times its spring's: the damper of an undeformed
// contact does not push where there is no penetration.
const steep = 1e6

// slipVelocities are rows 9 to 18.
func (c *Tire) slipVelocities(v *tireRows) {
	p := v.b.Pool()
	effective := v.radius
	if !c.Undeformed {
		effective = c.rollingRadius(v)
	}
	effective = v.set("Reff", effective)
	vcx := v.set("VCx", v.moving.X[0])
	vcy := v.set("VCy", v.moving.X[1])
	v.set("sinking", p.Neg(v.moving.X[2]))
	wx, wy, wz := v.w[0], v.w[1], v.w[2]
	spin := v.set("Omega", p.Mul(wy, v.secant))
	rim := v.set("rim", p.Add(p.Mul(v.sine, wz), p.Mul(v.cosine, wy)))
	var vpx *expr.Expr
	turning := p.Sub(wz, p.Mul(wy, v.sine, v.secant)) // yaw rate of the wheel plane, without spin
	if c.Undeformed {
		// v + w x (0, Rs, -depth), and with the turn of the wheel plane only
		vpx = v.set("VPx", p.Sub(vcx, p.Add(p.Mul(v.depth, wy), p.Mul(v.side, wz))))
		v.heading = v.set("VPxs", p.Sub(vcx, p.Mul(v.side, turning)))
	} else {
		vpx = v.set("VPx", p.Sub(vcx, p.Mul(v.loaded, rim)))
		v.heading = v.set("VPxs", p.Add(vpx, p.Mul(spin, v.loaded)))
	}
	v.across = v.set("VPy", p.Add(vcy, p.Mul(v.depth, wx)))
	v.along, v.ahead = vpx, v.heading
	if !c.Undeformed {
		v.along = p.Sub(vcx, p.Mul(effective, rim))
		v.ahead = p.Add(v.set("VEx", v.along), p.Mul(spin, effective))
	}
	v.along, v.ahead = v.set("VEx", v.along), v.set("VExs", v.ahead)
	v.values["wn"] = wz
}

// friction is that of the road relative to nominal.
func (c *Tire) friction(v *tireRows) {
	mu := v.b.Pool().Int(1)
	if v.terrain != nil {
		mu = v.terrain.Friction()
	}
	if road, found := First(v.b.Scope(), func(r paved) bool { return r.Paves(c.Road) }); found {
		mu = road.Friction(v.b.For(road), "friction scale of the road")
	}
	v.values["mu"] = mu
}

// rollingRadius returns Reff (section 6; equations 3.12, 3.13):
// Ru - rhoN (D arctan(B rho/rhoN) + F rho/rhoN), rho = Ru - Rl, rhoN = Fz0/kz.
func (c *Tire) rollingRadius(v *tireRows) *expr.Expr {
	b, p := v.b, v.b.Pool()
	switch c.RollingRadius.Method {
	case "loaded":
		return v.loaded
	case "unloaded":
		return v.radius
	}
	parameter := func(name, unit string, s keys.Scalar) *expr.Expr {
		return b.Scalar("rolling_radius_"+name, unit, s)
	}
	nominal := b.Define("rhoN", p.Div(parameter("Fz0", "N", c.RollingRadius.Fz0), v.kz))
	ratio := b.Define("rho", p.Div(p.Sub(v.radius, v.loaded), nominal))
	bend, peak := parameter("B", "1", c.RollingRadius.B), parameter("D", "1", c.RollingRadius.D)
	term := p.Add(p.Mul(peak, p.Call(expr.Atan, p.Mul(bend, ratio))),
		p.Mul(parameter("F", "1", c.RollingRadius.F), ratio))
	return p.Sub(v.radius, p.Mul(nominal, term))
}

// apply applies (4.2), (4.3): on C the force and the moment M_P + r_P/C x F_P; on Q the
// opposite of both, moved to Q's origin (edges T3, R2, R3).
func (c *Tire) apply(v *tireRows, force map[string]*expr.Expr) {
	b, p := v.b, v.b.Pool()
	arm := expr.Vector{Frame: v.axes, X: [3]*expr.Expr{p.Int(0), v.side, p.Neg(v.depth)}}
	onWheel := expr.Vector{Frame: v.axes, X: [3]*expr.Expr{force["Fx"], force["Fy"], force["Fz"]}}
	moment := expr.Vector{Frame: v.axes, X: [3]*expr.Expr{force["Mx"], force["My"], force["Mz"]}}
	atCentre := b.DefineV("M", p.AddV(moment, p.Cross(arm, onWheel)))
	b.Force(c.Frame, onWheel)
	b.Moment(c.Frame, atCentre)
	b.Force(c.Road, p.NegV(onWheel))
	if b.Turns(c.Road) {
		frame := b.Axes(c.Road)
		r := b.Position(c.Road, c.Frame, frame)
		b.Moment(c.Road, p.NegV(p.AddV(b.Resolve(atCentre, frame), p.Cross(r, b.Resolve(onWheel, frame)))))
	}
	if !c.Slip.Delayed {
		s, alpha := v.values["S"], v.values["alpha"]
		b.Sliding(Sliding{force["Fx"], "Fx", [2]string{"S", "alpha"}, [2]*expr.Expr{s, alpha}, 1})
		b.Sliding(Sliding{force["Fy"], "Fy", [2]string{"alpha", "S"}, [2]*expr.Expr{alpha, s}, -1})
	}
}

func (c *Tire) publish(v *tireRows, force map[string]*expr.Expr) {
	b := v.b
	publishForces(b, force)
	b.Publish("kappa", "1", "longitudinal slip, input of the tire function", v.values["S"])
	b.Publish("alpha", "rad", "slip angle, input of the tire function", v.values["alpha"])
	b.Publish("gamma", "rad", "inclination", v.values["gamma"])
	b.Publish("R_l", "m", "loaded radius", v.values["Rl"])
	b.Publish("R_eff", "m", "effective rolling radius", v.values["Reff"])
	if c.Slip.Delayed {
		b.Publish("q1", "1", "delayed longitudinal slip", v.values["q1"])
		b.Publish("q2", "1", "tangent of the delayed slip angle", v.values["q2"])
		if c.Slip.TurnSlip {
			b.Publish("q3", "rad/m", "delayed turn slip", v.values["q3"])
		}
	}
}

// pose is the wheel's centre, its heading and the road's normal, in the axes of the road, on terrain of the ground.
func (c *Tire) pose(b Builder) func() [3]expr.Vector {
	return func() [3]expr.Vector {
		frame := b.Axes(c.Road)
		centre := b.Position(c.Road, c.Frame, frame)
		if _, terrain := c.terrain(b); terrain {
			frame = b.Axes(graph.GroundFrame)
			centre = b.Position(graph.GroundFrame, c.Frame, frame)
		}
		axes := expr.Frame(c.Name + " axes")
		pose := [3]expr.Vector{centre, b.Unit(axes, 0), b.Unit(axes, 2)}
		for i := range pose {
			pose[i] = b.Resolve(pose[i], frame)
		}
		return pose
	}
}

// IgnoresTurn: it is a body of revolution, unless it is the road that turns.
func (c *Tire) IgnoresTurn(t Turn) bool { return c.Axis == t.Axis && !t.Holds(c.Road) }
