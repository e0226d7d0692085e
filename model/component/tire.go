package component

import (
	"math"
	"slices"
	"strings"

	"skidpad/model/document"
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
			allowUnphysical,
		}},
		sequence("312"), speedsKey("`x_dot y_dot z_dot` of ground and `wx wy wz` of the wheel"),
		{Name: "expose", Shape: keys.TextsShape, Optional: true,
			Text: "coefficients of the force function, such as LMUX, that are parameters of every FMU of the model"},
		{Name: "side", Shape: keys.WordShape, Optional: true, Choices: []string{"left", "right"},
			Mirror: keys.Side,
			Text: "side on which the tire is mounted; a property file for the other side is mirrored; default: the side of " +
				"the file"},
		fromFile("UNLOADED_RADIUS", positive("unloaded_radius", "m", "Ru, free radius of the vertical spring")),
		fromFile("VERTICAL_STIFFNESS", positive("vertical_stiffness", "N/m", "kz")),
		fromFile("VERTICAL_DAMPING", nonnegative("vertical_damping", "N.s/m", "0", "cz")),
		contactKey,
		{Name: "rolling_radius", Shape: keys.TableShape, Optional: true,
			Text: "effective rolling radius; not with an undeformed contact", Keys: []keys.Key{
				{Name: "method", Shape: keys.WordShape, Choices: []string{"loaded", "unloaded", "load-dependent"},
					Text: "Reff = Rl, Reff = Ru, or Ru - rhoN (D arctan(B rho/rhoN) + F rho/rhoN)"},
				{Name: "Fz0", Unit: "N", Optional: true, Positive: true, FromFile: "FNOMIN",
					Text: "nominal load of load-dependent; rhoN = Fz0/kz"},
				{Name: "B", Unit: "1", Optional: true, Mirror: keys.Stays, FromFile: "BREFF",
					Text: "coefficient of load-dependent"},
				{Name: "D", Unit: "1", Optional: true, Mirror: keys.Stays, FromFile: "DREFF",
					Text: "coefficient of load-dependent"},
				{Name: "F", Unit: "1", Optional: true, Mirror: keys.Stays, FromFile: "FREFF",
					Text: "coefficient of load-dependent"},
			}},
		{Name: "slip", Shape: keys.TableShape, Text: "slip", Keys: []keys.Key{
			{Name: "method", Shape: keys.WordShape, Choices: []string{"kinematic", "delayed", "carcass"},
				Text: "kinematic: steady-state slip from the contact velocities; delayed: transient slip with the relaxation " +
					"states q1, q2; carcass: transient slip by the deflection of the carcass, which stands and gives back no " +
					"more energy than it took"},
			{Name: "minimum_speed", Unit: "m/s", Optional: true, Positive: true,
				Text: "kinematic slip without states, which creeps at standstill: speed from which it divides by the speed " +
					"itself; default: below 1 m/s the carcass deflects, and the tire stands"},
			{Name: "low_speed", Unit: "m/s", Default: "1", Positive: true,
				Text: "speed below which delayed slip is damped"},
			nonnegative("low_speed_damping", "s/m", "0.2",
				"damping slip per sliding speed at standstill, of delayed slip; 0: no damping"),
			nonnegative("damping", "1", "0.2", "share of critical damping of the carcass at standstill, with the mass of the "+
				"nominal load; of the method carcass"),
			{Name: "nominal_load", Unit: "N", Optional: true, Positive: true,
				Text: "nominal load of the carcass; default: that of the force function or of the relaxation function; with " +
					"kinematic slip, where they have none, the load that deflects the tire by a twentieth of its radius"},
			{Name: "stiffness", Unit: "N", Optional: true, Positive: true, Text: "slip stiffness at the nominal load that the " +
				"carcass takes for library force functions; default: it is measured at the start"},
			{Name: "friction", Unit: "1", Optional: true, Positive: true,
				Text: "largest force by the load, with stiffness"},
			{Name: "relaxation", Shape: keys.TableShape, Optional: true,
				Text: "relaxation function of delayed slip and of the carcass", Keys: functionKey},
			{Name: "states", Optional: true, Mirror: keys.Stays, Text: "number of delayed slips: 2, or 3 for a turn slip q3, " +
				"too, which a relaxation function that is set at load time can use; default: as many as the relaxation " +
				"function of this file has. A function of two leaves q3 as it starts"},
			scalar("q1", "1", "0", "start value of the delayed longitudinal slip"),
			asymmetric(keys.Opposite, scalar("q2", "1", "0", "start value of the tangent of the delayed slip angle")),
			asymmetric(keys.Opposite,
				scalar("q3", "rad/m", "0", "start value of the delayed turn slip, if the relaxation function has it")),
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
	Speeds            string      // word of the key, "" for the default
	UnloadedRadius    keys.Scalar // Ru, m
	VerticalStiffness keys.Scalar // kz, N/m
	VerticalDamping   keys.Scalar // cz, N s/m
	Contact           TireContact
	RollingRadius     RollingRadius
	Slip              Slip
	Force             TireFunction
	Enveloping        *Enveloping // nil: none
	Exposed           []Exposed   // coefficients that are parameters of FMUs
}

// Exposing is a component with coefficients that are parameters of every FMU.
type Exposing interface {
	ExposedNames() []string // of the variables
}

// ExposedNames implements Exposing.
func (t *Tire) ExposedNames() []string {
	var names []string
	for _, e := range t.Exposed {
		names = append(names, t.Name+"."+e.Name)
	}
	return names
}

// Exposed is a coefficient of the force function that is a parameter of every FMU.
type Exposed struct {
	Name string
	Pos  keys.Position
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
	Delayed         bool         // there is a relaxation
	Carcass         bool         // its states are the deflections of the carcass; with and without a relaxation
	MinimumSpeed    keys.Scalar  // m/s, from which on kinematic slip divides by the speed itself
	LowSpeed        keys.Scalar  // m/s, under which delayed slip is damped
	LowSpeedDamping keys.Scalar  // s/m, at standstill
	Relaxation      TireFunction // delayed only; returns the rates, that of the turn slip or not
	TurnSlip        bool         // there is a delayed turn slip
	Q1, Q2, Q3      keys.Scalar  // start values of the delayed slips
	Damping         keys.Scalar  // 1, Carcass only, as all below
	NominalLoad     keys.Scalar  // N, 0: that of the functions
	Stiffness       keys.Scalar  // N, for force functions that do not tell it; 0: it is measured
	Friction        keys.Scalar
}

// rates are what the relaxation function of another tire has to return here.
func (s *Slip) rates() []string {
	if s.TurnSlip {
		return tire.SlipRates
	}
	return tire.SlipRates[:2]
}

func readTire(h keys.Header, f *keys.Fields) Component {
	t := &Tire{
		Header: h, Frame: f.Frame("frame", h.Name), Road: f.Text("road"),
		Mass: f.Scalar("mass"), Axis: 1, Sequence: f.Text("sequence"), Speeds: f.Text("speeds"),
		UnloadedRadius:    f.Scalar("unloaded_radius"),
		VerticalStiffness: f.Scalar("vertical_stiffness"),
		VerticalDamping:   f.Scalar("vertical_damping"),
	}
	j := f.Sub("inertia")
	t.Inertia = Inertia{Axisymmetric: true, Axis: t.Axis, Axial: j.Scalar("axial"), Transverse: j.Scalar("transverse"),
		Unphysical: j.Text(allowUnphysical.Name) == "yes", at: f.Position("inertia")}
	if force := f.Sub("force"); force.Table != nil {
		t.Force = tireFunction(force, f.Text("side"), t.ownRadius(), "Fx", "Fy", "Mx", "My", "Mz")
	}
	t.readRollingRadius(f)
	t.readSizes(f)
	t.readContact(f)
	t.readSlip(f)
	t.readEnveloping(f)
	t.readExposed(f)
	t.readPower(f)
	return t
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

func (t *Tire) readExposed(f *keys.Fields) {
	n := f.Node("expose")
	for i, name := range f.Texts("expose") {
		at := n.Items[i]
		t.Exposed = append(t.Exposed, Exposed{name, keys.Position{File: at.File, Line: at.Line, Column: at.Column}})
	}
}

func (t *Tire) readSlip(f *keys.Fields) {
	s := f.Sub("slip")
	method := s.Text("method")
	t.Slip = Slip{Delayed: method == "delayed" || method == "carcass",
		Carcass:      method == "carcass" || method == "kinematic" && !s.Given("minimum_speed"),
		MinimumSpeed: s.Scalar("minimum_speed"),
		LowSpeed:     s.Scalar("low_speed"), LowSpeedDamping: s.Scalar("low_speed_damping"), Q1: s.Scalar("q1"),
		Q2: s.Scalar("q2"), Q3: s.Scalar("q3"), Damping: s.Scalar("damping"), NominalLoad: s.Scalar("nominal_load"),
		Stiffness: s.Scalar("stiffness"), Friction: s.Scalar("friction")}
	if !s.Given("minimum_speed") {
		t.Slip.MinimumSpeed = keys.Scalar{Value: 0.005, Text: "0.005", Positive: true}
	}
	switch {
	case s.Table == nil:
	case t.Slip.Delayed && !s.Given("relaxation"):
		s.FaultOfTable("%s.slip is %s and lacks the key \"relaxation\" (function with file or parameters)", t.Name, method)
	case t.Slip.Delayed:
		t.Slip.Relaxation = tireFunction(s.Sub("relaxation"), f.Text("side"), t.ownRadius(), "q1dot", "q2dot")
		kind, err := tire.Lookup(t.Slip.Relaxation.Name)
		t.readStates(s, kind)
		if err == nil && t.Slip.Carcass {
			t.checkCarcass(s, kind)
		}
	default:
		for _, name := range []string{"relaxation", "states"} {
			if s.Given(name) {
				s.Fault(name, "%s.slip.%s goes with the methods delayed and carcass only", t.Name, name)
			}
		}
	}
	t.checkSlipKeys(s)
}

// readStates finds how many slips have a delay: as many as the relaxation function has rates, nil where it is unknown,
// or as the file says.
func (t *Tire) readStates(s *keys.Fields, relaxation *tire.Kind) {
	own := relaxation != nil && slices.Contains(relaxation.Outputs, "q3dot")
	states := s.Scalar("states")
	if t.Slip.TurnSlip = own; !s.Given("states") {
		return
	}
	switch {
	case states.Value != 2 && states.Value != 3:
		s.Fault("states", "%s.slip.states is %s; it must be 2 (q1, q2) or 3 (also q3, turn slip)", t.Name, states.Text)
	case own && states.Value == 2:
		s.Fault("states", "%s.slip.states is 2, and the relaxation function %s has three states: it returns %s; here %s are "+
			"needed. Leave states out, or take another function", t.Name, relaxation.Name,
			strings.Join(relaxation.Outputs, ", "), strings.Join(tire.SlipRates[:2], ", "))
	default:
		t.Slip.TurnSlip = states.Value == 3
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
//	T1 Ground -> C  inertia and weight; as a branch: position and speeds in ground, unless others are chosen
//	T2 Ground -> Q  observer
//	T3 Q -> C       force of the road
//	R1 Ground -> C  rotary inertia; as a branch: angles of the sequence, speeds in C, unless others are chosen
//	R2 Ground -> Q  moment of the reaction about the road's origin
//	R3 Q -> C       moment of the road
func (c *Tire) Edges(s *Scope) []graph.Edge {
	velocity, turning := positionRates(c.Name, keys.Vector{}), angularVelocity(c.Name, keys.Vector{})
	angles := [3]string{"yaw", "tilt", "spin"}
	return []graph.Edge{
		{Name: "T1", Domain: graph.Translation, From: graph.GroundFrame, To: c.Frame, Late: true,
			Space: graph.Space{Free: &graph.Free{
				Axes:        all,
				Coordinates: graph.Coordinates(c.Name, [3]string{"x", "y", "z"}, "m", keys.Vector{}),
				Speeds:      velocities(c.Speeds, c.Name, graph.GroundFrame, velocity),
				Starts:      velocity,
			}}},
		{Name: "T2", Domain: graph.Translation, From: graph.GroundFrame, To: c.Road, Observer: true,
			Space: graph.Space{FullLaw: true}},
		graph.Law("T3", graph.Translation, c.Road, c.Frame),
		{Name: "R1", Domain: graph.Rotation, From: graph.GroundFrame, To: c.Frame, Late: true,
			Space: graph.Space{Free: &graph.Free{
				Axes:        all,
				Sequence:    c.Sequence,
				Coordinates: graph.Coordinates(c.Name, angles, "rad", keys.Vector{}),
				Speeds:      turnRates(c.Speeds, c.Name, angles, turning),
				Starts:      turning,
			}}},
		graph.Law("R2", graph.Rotation, graph.GroundFrame, c.Road),
		graph.Law("R3", graph.Rotation, c.Road, c.Frame),
	}
}

// Check: the inertia is one that a body can have, and a footprint lies on uneven ground.
func (c *Tire) Check(s *Scope, r *keys.Reader) {
	c.Inertia.check(r, c.Name)
	c.checkExposed(r)
	checkSpin(s, r, c)
	if c.Enveloping != nil && !onUneven(s, c.Road) {
		r.Place(c.Enveloping.Length.Pos, "%s.enveloping goes with a terrain only; %q is a plane", c.Name, c.Road)
	}
}

// checkExposed: the force function has the coefficients.
func (c *Tire) checkExposed(r *keys.Reader) {
	kind, err := tire.Lookup(c.Force.Name)
	if err != nil {
		return // reported with the function
	}
	var names []string
	for _, k := range kind.Coefficients() {
		names = append(names, k.Name)
	}
	for _, e := range c.Exposed {
		if slices.Contains(names, e.Name) {
			continue
		}
		hint := ""
		if near := document.Nearest(e.Name, names); near != "" {
			hint = "; did you mean \"" + near + "\"?"
		}
		r.Place(e.Pos, "%s.expose names %q, which is not a coefficient of %s%s", c.Name, e.Name, c.Force.Name, hint)
	}
}

// Lump is wheel and tire.
func (c *Tire) Lump() Lump { return Lump{Frame: c.Frame, Mass: c.Mass, Inertia: &c.Inertia} }

// Side is that on which the tire is mounted.
func (c *Tire) Side() (frame, side string) { return c.Frame, c.Force.Side }

// Wheel is the whole of it.
func (c *Tire) Wheel() Wheel {
	return Wheel{Frame: c.Frame, Axis: c.Axis, Radius: c.UnloadedRadius, Road: c.Road, Tire: true}
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
	values     map[string]*expr.Expr
	b          Builder
	plane      expr.Frame    // of the road
	axes       expr.Frame    // ISO tire axes ux, uy, uz
	terrain    *Plane        // nil on a road
	place      expr.Vector   // of the wheel relative to the plane
	moving     expr.Vector   // velocity of the wheel against the road, in tire axes
	w          [3]*expr.Expr // angular velocity likewise
	gamma      *expr.Expr    // inclination
	sine       *expr.Expr    // of it
	cosine     *expr.Expr
	radius     *expr.Expr // unloaded
	kz, cz     *expr.Expr
	deflection *expr.Expr // of the spring, along the normal of the road; below 0 in the air
	approach   *expr.Expr // speed against the road along its normal by which the damper goes
	loaded     *expr.Expr // radius
	depth      *expr.Expr // of the contact point below the centre, which is at (0, side, -depth)
	side       *expr.Expr
	atCentre   expr.Vector // moment of the road about the centre
	effective  *expr.Expr  // rolling radius
	along      *expr.Expr  // slip velocity on the effective radius, and without the spin
	ahead      *expr.Expr
	across     *expr.Expr // velocity of the contact point to the left
	heading    *expr.Expr // its velocity along the heading without the spin
}

func (v *tireRows) set(name string, e *expr.Expr) *expr.Expr {
	e = v.b.Intermediate(name, e)
	v.values[name] = e
	return e
}

// Law makes the intermediates of the tire, its external calls and the contact forces they return
// (Morency 2007, chapters 3 and 4). All vectors are resolved in the ISO tire axes ux, uy, uz, where the axis of
// symmetry is uSym = (0, cos gamma, sin gamma).
func (c *Tire) Law(b Builder) {
	v := &tireRows{b: b, values: map[string]*expr.Expr{}, axes: expr.Frame(c.Name + " axes")}
	contact := c.contact()
	c.place(v, contact)
	c.motion(v)
	c.normalForce(v, contact)
	c.slipVelocities(v, contact)
	call := ExternalCall{Role: "force", Function: c.Force, Binds: contactForces[:], Pose: c.pose(b)}
	switch {
	case c.Slip.Carcass:
		c.carcassSlip(v, &call)
	case c.Slip.Delayed:
		c.delayedSlip(v)
	default:
		c.slidingSlip(v)
	}
	c.friction(v)
	call.Values, call.Offered = v.values, append(call.Offered, c.offered(v)...)
	force, ok := b.Call(call)
	switch {
	case !ok, c.Slip.Carcass && !c.deflect(v, force), c.Slip.Delayed && !c.Slip.Carcass && !c.relax(v):
		return
	}
	c.apply(v, contact, force)
	c.keep(v, force)
	c.publish(v, force)
	contact.publish(v)
	c.watch(v, contact)
}

// place finds the road under the wheel and the tire axes, which stand on it.
func (c *Tire) place(v *tireRows, contact contactMethod) {
	b, p := v.b, v.b.Pool()
	v.plane = b.Axes(c.Road)
	if t, found := c.terrain(b); found {
		plane := t.Under(b.For(t), b, Standing{c.Frame, c.Axis, c.Enveloping})
		v.terrain, v.plane, v.place = &plane, plane.Axes, plane.Place
	}
	own := b.Unit(b.Axes(c.Frame), c.Axis)
	symmetry := b.Resolve(own, v.plane)

	cx, cy := contact.incline(v, symmetry)
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

// normalForce is that of spring and damper, rows 6 to 8. A negative one would be a road that pulls.
func (c *Tire) normalForce(v *tireRows, contact contactMethod) {
	b, p := v.b, v.b.Pool()
	v.radius = b.Scalar("unloaded_radius", "m", c.UnloadedRadius)
	v.kz = b.Scalar("vertical_stiffness", "N/m", c.VerticalStiffness)
	v.cz = b.Scalar("vertical_damping", "N.s/m", c.VerticalDamping)
	signed := contact.stand(v)
	b.Keep(penetrationKey, v.deflection)
	b.Keep(heightKey, v.values["height"])
	b.Keep(radiusKey, v.radius)
	v.set("Fz", p.Call(expr.Max, signed, p.Int(0)))
	b.Indicator("Fz_signed", "N", "normal force as if the road could pull; below 0 the tire is in the air", signed)
}

// slipVelocities are rows 9 to 18.
func (c *Tire) slipVelocities(v *tireRows, contact contactMethod) {
	v.effective = v.set("Reff", contact.rollingRadius(v))
	v.set("VCx", v.moving.X[0])
	v.set("VCy", v.moving.X[1])
	v.set("sinking", v.b.Pool().Neg(v.moving.X[2]))
	contact.slide(v)
	v.set("direction", direction(v.b.Pool(), v.values["VCx"]))
	v.values["wn"] = v.w[2]
}

// creeping [m/s] is the speed up to which the trail turns with the direction of travel.
var creeping = expr.Fraction(1, 10)

// direction is the sign of a speed V with two continuous derivatives, 1 forward: x (15 - 10 x^2 + 3 x^4)/8 with
// x = V/creeping from -1 to 1.
func direction(p *expr.Pool, speed *expr.Expr) *expr.Expr {
	x := p.Call(expr.Clamp, p.Div(speed, p.Num(creeping)))
	square := p.Pow(x, 2)
	return p.Scale(expr.Fraction(1, 8), p.Mul(x, p.Add(p.Int(15),
		p.Mul(square, p.Sub(p.Scale(expr.Integer(3), square), p.Int(10))))))
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

// apply applies (4.2), (4.3): on C the force and the moment M_P + r_P/C x F_P; on Q the
// opposite of both, moved to Q's origin (edges T3, R2, R3).
func (c *Tire) apply(v *tireRows, contact contactMethod, force map[string]*expr.Expr) {
	b, p := v.b, v.b.Pool()
	arm := expr.Vector{Frame: v.axes, X: [3]*expr.Expr{p.Int(0), v.side, p.Neg(v.depth)}}
	onWheel := expr.Vector{Frame: v.axes, X: [3]*expr.Expr{force["Fx"], force["Fy"], force["Fz"]}}
	v.atCentre = b.DefineV("M_at_centre", p.AddV(contact.moment(v, force), p.Cross(arm, onWheel)))
	b.Force(c.Frame, onWheel)
	b.Moment(c.Frame, v.atCentre)
	b.Force(c.Road, p.NegV(onWheel))
	b.Counter(c.Road, func() expr.Vector {
		frame := b.Axes(c.Road)
		r := b.Position(c.Road, c.Frame, frame)
		return p.NegV(p.AddV(b.Resolve(v.atCentre, frame), p.Cross(r, b.Resolve(onWheel, frame))))
	})
	b.Resist(RollingResistance{Wheel: c.Frame, Road: c.Road, Axle: b.Unit(b.Axes(c.Frame), c.Axis),
		Axis: b.Unit(v.axes, 1), Moment: force["My"], Spin: v.values["Omega"]})
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
	b.Publish("gamma", "rad", "inclination", v.gamma)
	b.Publish("R_l", "m", "loaded radius", v.values["Rl"])
	b.Publish("R_eff", "m", "effective rolling radius", v.values["Reff"])
	if c.Slip.Carcass {
		b.Publish("u1", "m", "deflection of the carcass along the heading", v.values["u1"])
		b.Publish("u2", "m", "deflection of the carcass to the left", v.values["u2"])
	}
	if c.Slip.Delayed || c.Slip.Carcass {
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
func (c *Tire) IgnoresTurn(t Turn) bool {
	return c.Axis == t.Axis && !t.Holds(c.Road) && !(t.Branch && c.Speeds == bodySpeeds)
}
