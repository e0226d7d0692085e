package component

import (
	"cmp"
	"slices"
	"strings"

	"skidpad/model/curve"
	"skidpad/model/expr"
	"skidpad/model/graph"
	"skidpad/model/keys"
	"skidpad/model/program"
)

var springDamperType = Type{
	Word: "spring-damper",
	Text: "spring and damper between two frames or on a joint",
	Keys: []keys.Key{
		{Name: "from", Shape: keys.FrameShape, Optional: true, Text: "tail frame; with `to`, for a spring on a line"},
		{Name: "to", Shape: keys.FrameShape, Optional: true, Text: "head frame"},
		{Name: "joint", Shape: keys.TextShape, Optional: true, Names: keys.Components,
			Text: "prismatic or revolute joint, strut, suspension or rocker, instead of `from` and `to`"},
		asymmetric(keys.OverSteering, orSurface(smooth("length", "m, m",
			"length over the travel of the suspension `joint`; as a surface over `other` or the second variable of its "+
				"surfaces, too"), "m", "rad")),
		{Name: "other", Shape: keys.TextShape, Optional: true, Names: keys.Components,
			Text: "second variable of `length`: travel of another suspension [m], such as that of the other side"},
		onRevolute(nonnegative("stiffness", "N/m", "0", "stiffness; N.m/rad on a revolute joint"), "N.m/rad"),
		onRevolute(nonnegative("damping", "N.s/m", "0", "damping; N.m.s/rad on a revolute joint"), "N.m.s/rad"),
		onRevolute(nonnegative("quadratic_damping", "N.s2/m2", "0",
			"increase of the damping per speed; N.m.s2/rad2 on a revolute joint"), "N.m.s2/rad2"),
		{Name: "free_length", Shape: keys.AnyShape, Default: "0", Mirror: keys.OfCoordinate,
			Any: []keys.Key{{Unit: "m", Turning: "rad"}, {Shape: keys.TableShape, Keys: []keys.Key{
				{Name: "load", Unit: "N", Text: "compression in the design position"}}}},
			Text: "length, or angle, at which the spring force is 0; or its compression in the design position, as in " +
				"{ load = \"3800 N\" }, for a stiffness between ends BODY@POINT, on a strut or a prismatic joint"},
		lengthLimit(keys.LowerEnd, "length_min",
			"shortest length, or angle, that the spring may have; a violation is reported, no force acts"),
		lengthLimit(keys.UpperEnd, "length_max", "longest length, or angle; as `length_min`"),
		asymmetric(keys.MotionLaw, orSurface(monotoneOnRevolute("spring_force", "m, N", "rad, N.m",
			"added to the stiffness force, over the elongation (length minus free length); [rad, N.m] on a revolute joint; "+
				"as a surface over the rate of the length [m/s, rad/s], too"), "m/s", "rad/s")),
		asymmetric(keys.FirstLaw, orSurface(monotoneOnRevolute("damper_force", "m/s, N", "rad/s, N.m",
			"added to the damping force, over the rate of the length; [rad/s, N.m] on a revolute joint; as a surface over "+
				"the input `current` [A], too"), "A", "")),
		heatKey,
	},
	Read: readSpringDamper,
}

// SpringDamper acts along the line between two frames' origins. With Joint set, it acts on the coordinate of a
// prismatic or revolute joint, a strut or a suspension, or on a length over the travel of a suspension. Force in
// tension positive:
//
//	F = Stiffness (L - FreeLength) + SpringForce(L - FreeLength)
//	  + (Damping + QuadraticDamping |dL/dt|) dL/dt + DamperForce(dL/dt)
type SpringDamper struct {
	keys.Header
	From, To                       string       // empty when Joint is set
	Joint                          string       // name of the joint component
	Stiffness, Damping, FreeLength keys.Scalar  // N/m, N s/m, m (N m/rad, N m s/rad, rad on a revolute)
	QuadraticDamping               keys.Scalar  // N s^2/m^2 (N m s^2/rad^2)
	SpringForce, DamperForce       *curve.Curve // N over m and m/s (N m over rad and rad/s), nil for none
	// SpringSurface and DamperSurface are in their place: N over m and m/s (N m over rad and rad/s), N over m/s and A (N m
	// over rad/s and A); nil for none.
	SpringSurface, DamperSurface *curve.Surface
	LengthMin, LengthMax         *keys.Scalar // limits of the length that are watched, m (rad); nil for none
	// Length is the length over the travel of the suspension Joint, and LengthSurface over its second variable, too; nil
	// for none.
	Length        *curve.Curve   // m over m
	LengthSurface *curve.Surface // m over m and m or rad
	Other         string         // suspension whose travel is its second variable, "" for that of Joint's surfaces
}

// lengthLimit is a key of a limit, which does not exist where it is not given.
func lengthLimit(m keys.Mirror, name, text string) keys.Key {
	return keys.Key{Name: name, Unit: "m", Turning: "rad", Optional: true, Text: text, Mirror: m}
}

// optional is a number that may be missing; nil then.
func optional(f *keys.Fields, name string) *keys.Scalar {
	if !f.Given(name) {
		return nil
	}
	s := f.Scalar(name)
	return &s
}

func readSpringDamper(h keys.Header, f *keys.Fields) Component {
	f.Turning = f.Reader.Turns(f.Text("joint"))
	s := &SpringDamper{
		h, f.Text("from"), f.Text("to"), f.Text("joint"), f.Scalar("stiffness"), f.Scalar("damping"),
		f.Scalar("free_length"), f.Scalar("quadratic_damping"),
		nil, nil, nil, nil,
		optional(f, "length_min"), optional(f, "length_max"),
		nil, nil, "",
	}
	s.readLength(f)
	s.SpringForce, s.SpringSurface = f.CurveOrSurface("spring_force")
	s.DamperForce, s.DamperSurface = f.CurveOrSurface("damper_force")
	s.DamperForce = resisting(s.DamperForce)
	if low, high := s.LengthMin, s.LengthMax; low != nil && high != nil && low.Value >= high.Value {
		f.FaultAt(high.Pos, "%s.length_max is %s; it must be above length_min, which is %s", h.Name, high.Text, low.Text)
	}
	laws := []string{"stiffness", "damping", "quadratic_damping", "spring_force", "damper_force"}
	if !slices.ContainsFunc(laws, f.Given) {
		f.FaultOfTable("spring-damper %s has no law; give it at least one of %s", h.Name, strings.Join(laws, ", "))
	}
	var given []string
	for _, name := range []string{"from", "to", "joint"} {
		if f.Given(name) {
			given = append(given, name)
		}
	}
	if !f.Given("joint") || f.Given("length") { // a length, not the coordinate of a joint
		if s.FreeLength.Nonnegative = true; s.FreeLength.Value < 0 {
			f.FaultAt(s.FreeLength.Pos, "%s.free_length is %s; a length must not be negative", h.Name,
				s.FreeLength.Text)
		}
	}
	switch found := strings.Join(given, " "); found {
	case "joint", "from to":
	default:
		f.FaultOfTable("spring-damper %s has %s; it needs either joint, or both from and to", h.Name,
			cmp.Or(found, "no ends"))
	}
	return s
}

// readLength reads the length over the motion of a suspension.
func (c *SpringDamper) readLength(f *keys.Fields) {
	c.Other = f.Text("other")
	if !f.Given("length") {
		if c.Other != "" {
			f.Fault("other", "%s.other is the second variable of length, which is not given; add length, or leave other out",
				c.Name)
		}
		return
	}
	if word := f.Reader.TypeOf(c.Joint); word != "suspension" && (word != "" || c.Joint == "") {
		f.Fault("length", "%s.length goes over the travel of a suspension; name one as joint, or leave length out", c.Name)
		return
	}
	if c.Other == "" {
		c.Length, c.LengthSurface = overTravel(f, "length", c.Joint)
		return
	}
	if c.Length, c.LengthSurface = f.CurveOrSurface("length"); c.Length != nil {
		f.Fault("length", "%s.length is a curve, and other is a second variable; make length a surface, or leave other out",
			c.Name)
	}
}

func (c *SpringDamper) Frames() Frames {
	if c.Joint != "" {
		return Frames{}
	}
	return Frames{Uses: []string{c.From, c.To}}
}

// Edges: an explicit law along the line of two frames, or on the coordinate of a joint, whose frames it then shares.
//
//	T1 A -> B  on a line, a prismatic joint, a strut or a suspension
//	R1 A -> B  on a revolute joint
func (c *SpringDamper) Edges(s *Scope) []graph.Edge {
	if c.Joint != "" {
		return []graph.Edge{lawOn(s, c.Joint, "1")}
	}
	return law("T1", graph.Translation, c.From, c.To)
}

// Check: the target has a coordinate.
func (c *SpringDamper) Check(s *Scope, r *keys.Reader) {
	if c.Joint != "" {
		checkJoint(s, r, c.Head(), "joint", c.Joint)
	}
	if _, is := Named[guiding](s, c.Other); c.Other != "" && (!is || c.Other == c.Joint) {
		r.Place(r.Naming(c.Head(), c.Other, "other"), "%s.other is %q; it must be another suspension than %s%s", c.Name,
			c.Other, c.Joint, s.Nearest(c.Other))
	}
}

// Modes: the joint has a spring.
func (c *SpringDamper) Modes() Modes { return Modes{Sprung: c.Joint} }

// Sprung implements Sprung.
func (c *SpringDamper) Sprung() string { return c.Joint }

// Reach implements Sprung. A surface is taken at 0 of its second variable.
func (c *SpringDamper) Reach(x float64) (length, slope float64) {
	switch {
	case c.Length != nil:
		length, slope, _ = c.Length.At(x)
	case c.LengthSurface != nil:
		length, slope, _ = c.LengthSurface.At(x, 0)
	default:
		length, slope = x, 1
	}
	return length, slope
}

// Tension implements Sprung. A surface is taken at rest.
func (c *SpringDamper) Tension(x float64) (value, slope float64) {
	x -= c.FreeLength.Value
	value, slope = c.Stiffness.Value*x, c.Stiffness.Value
	if c.SpringForce != nil {
		y, dy, _ := c.SpringForce.At(x)
		value, slope = value+y, slope+dy
	}
	if c.SpringSurface != nil {
		y, dy, _ := c.SpringSurface.At(x, 0)
		value, slope = value+y, slope+dy
	}
	return value, slope
}

// Viscous implements Sprung.
func (c *SpringDamper) Viscous() float64 {
	damping := c.Damping.Value
	if c.DamperForce != nil {
		_, slope, _ := c.DamperForce.At(0)
		damping += slope
	}
	return damping
}

// Damps implements Sprung.
func (c *SpringDamper) Damps() bool {
	return c.Damping.Value > 0 || c.QuadraticDamping.Value > 0 || c.DamperForce != nil || c.DamperSurface != nil ||
		c.SpringSurface != nil
}

// Law is F = -(k (L - L0) + (c + d |dL/dt|) dL/dt) e on the head, plus curves over L - L0 and dL/dt. It acts on a line
// or on the coordinate of a joint (linear-graph specification, section 4).
func (c *SpringDamper) Law(b Builder) {
	p := b.Pool()
	x := c.motion(b)
	if x.Value == nil {
		return
	}
	u := unitsOf(x.Domain)
	stiffness, damping := b.Scalar("stiffness", u.stiffness, c.Stiffness), b.Scalar("damping", u.damping, c.Damping)
	free := b.Scalar("free_length", u.coordinate, c.FreeLength)
	tension := p.Add(p.Mul(stiffness, p.Sub(x.Value, free)), p.Mul(damping, x.Rate))
	if quadratic := b.Scalar("quadratic_damping", u.quadratic, c.QuadraticDamping); !quadratic.IsZero() {
		tension = p.Add(tension, p.Mul(quadratic, x.Rate, p.Call(expr.Abs, x.Rate)))
	}
	if c.SpringForce != nil {
		deflection := b.Define("deflection", p.Sub(x.Value, free))
		tension = p.Add(tension, b.Curve("spring_"+c.Name, c.SpringForce, deflection).Value)
	}
	if c.DamperForce != nil {
		tension = p.Add(tension, b.Curve("damper_"+c.Name, c.DamperForce, x.Rate).Value)
	}
	if c.SpringSurface != nil || c.DamperSurface != nil {
		surfaces := c.surfaces(b, x, free)
		b.Keep("surfaces", surfaces)
		tension = p.Add(tension, surfaces)
	}
	tension = b.Define("tension", tension)
	b.Apply(x, p.Neg(tension))
	if x.Domain == graph.Translation {
		b.Publish("force", "N", "force, tension positive", tension)
		b.Publish("length", "m", "current length", x.Value)
	} else {
		b.Publish("torque", "N.m", "torque, against the positive angle", tension)
		b.Publish("angle", "rad", "current angle", x.Value)
	}
	c.watch(b, x, u.coordinate)
}

// surfaces are the tension of surfaces; no part of it counts as stored energy.
func (c *SpringDamper) surfaces(b Builder, x Coordinate, free *expr.Expr) *expr.Expr {
	p := b.Pool()
	tension := p.Int(0)
	if c.SpringSurface != nil {
		deflection := b.Define("deflection", p.Sub(x.Value, free))
		tension = p.Add(tension, b.Surface("spring_"+c.Name, c.SpringSurface, deflection, x.Rate))
	}
	if c.DamperSurface != nil {
		current := b.Input("current", "A", "of the damper", 0)
		tension = p.Add(tension, b.Surface("damper_"+c.Name, c.DamperSurface, x.Rate, current))
	}
	return tension
}

// watch publishes whether the length is within, below or above its limits, if the file gives limits.
func (c *SpringDamper) watch(b Builder, x Coordinate, unit string) {
	p, outside, text := b.Pool(), []*expr.Expr{}, ""
	watched := []*expr.Expr{x.Value}
	if c.LengthMax != nil {
		high := b.Settable("length_max", unit, "", *c.LengthMax)
		outside, text = append(outside, p.Call(expr.Step, p.Sub(x.Value, high))), "1 above length_max"
		watched = append(watched, high)
	}
	if c.LengthMin != nil {
		low := b.Settable("length_min", unit, "", *c.LengthMin)
		outside = append(outside, p.Neg(p.Call(expr.Step, p.Sub(low, x.Value))))
		watched = slices.Insert(watched, 1, low)
		text = strings.TrimPrefix(text+", -1 below length_min", ", ")
	}
	if len(outside) == 0 {
		return
	}
	length := "length"
	if x.Domain == graph.Rotation {
		length = "angle"
	}
	b.Publish("outside", "1", text+", else 0", p.Add(outside...))
	b.Watch(program.Limit{Component: c.Name, Quantity: length, Unit: unit, Below: c.LengthMin != nil,
		Above: c.LengthMax != nil}, watched...)
}

func (c *SpringDamper) motion(b Builder) Coordinate {
	switch {
	case c.Joint == "":
		return b.Line(c.From, c.To)
	case c.Length != nil || c.LengthSurface != nil:
		return led(b, graph.Translation, "length", c.Joint, c.Other, c.Length, c.LengthSurface)
	}
	return coordinateOf(b, c.Joint)
}

// IgnoresTurn: the component depends on origins only, which are on the axis of the rotation; a spring on the joint has
// its angle.
func (c *SpringDamper) IgnoresTurn(Turn) bool { return true }

// coordinateOf is the coordinate of a joint, without a value where the tree has none.
func coordinateOf(b Builder, joint string) Coordinate {
	j, _ := Named[Jointed](b.Scope(), joint)
	x := j.Coordinate(b.For(j))
	if x.Value == nil {
		h := b.Head()
		b.Reject(h.Pos, "%s %s acts on the angle of %s, which is not a branch of this tree; prefer %s.R2 in the tree",
			h.Type, h.Name, joint, joint)
	}
	return x
}

// loadUnits are the units of a load on a coordinate.
type loadUnits struct{ stiffness, damping, quadratic, coordinate string }

func unitsOf(d graph.Domain) loadUnits {
	if d == graph.Rotation {
		return loadUnits{"N.m/rad", "N.m.s/rad", "N.m.s2/rad2", "rad"}
	}
	return loadUnits{"N/m", "N.s/m", "N.s2/m2", "m"}
}

// Energy: springs store energy over the deflection; dampers dissipate power.
func (c *SpringDamper) Energy(b Builder) Energy {
	p, x := b.Pool(), c.motion(b)
	u := unitsOf(x.Domain)
	deflection := b.Define("deflection", p.Sub(x.Value, b.Scalar("free_length", u.coordinate, c.FreeLength)))
	stored := springEnergy(b, b.Scalar("stiffness", u.stiffness, c.Stiffness), deflection)
	if c.SpringForce != nil {
		stored = p.Add(stored, b.CurveIntegral("spring_"+c.Name, c.SpringForce, deflection))
	}
	square := p.Pow(x.Rate, 2)
	lost := p.Add(p.Mul(b.Scalar("damping", u.damping, c.Damping), square),
		p.Mul(b.Scalar("quadratic_damping", u.quadratic, c.QuadraticDamping), square, p.Call(expr.Abs, x.Rate)))
	if c.DamperForce != nil {
		lost = p.Add(lost, p.Mul(b.Curve("damper_"+c.Name, c.DamperForce, x.Rate).Value, x.Rate))
	}
	if c.SpringSurface != nil || c.DamperSurface != nil {
		lost = p.Add(lost, p.Mul(b.Kept("surfaces"), x.Rate))
	}
	return Energy{Potential: stored, Dissipated: lost}
}
