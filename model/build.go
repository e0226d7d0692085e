package model

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"skidpad/model/bounded"
	"skidpad/model/document"
	"skidpad/model/road"
	"skidpad/tire"
)

func negated(s Scalar) Scalar {
	if s.Value == 0 && !s.Formula {
		return s
	}
	s.Value = -s.Value
	switch {
	case s.Formula:
		s.Text = "-(" + s.Text + ")"
	case strings.HasPrefix(s.Text, "-"):
		s.Text = s.Text[1:]
	default:
		s.Text = "-" + strings.TrimPrefix(s.Text, "+")
	}
	return s
}

func buildRigidBody(h Header, f *fields) Component {
	b := &RigidBody{Header: h, Frame: f.frame("frame", h.Name), Mass: f.scalar("mass"), Damping: f.scalar("angular_damping"), Sequence: f.text("sequence")}
	b.Inertia = f.inertia(f.table("inertia"))
	s := f.table("start")
	b.Start = FreeStart{s.node != nil, s.vector("position"), s.vector("angles"), s.vector("velocity"), s.vector("angular_velocity")}
	return b
}

// inertia reads either the full matrix or that of a body of revolution.
func (f *fields) inertia(i *fields) Inertia {
	var j Inertia
	full := i.given("xx") || i.given("yy") || i.given("zz")
	round := i.given("axial") || i.given("transverse")
	switch {
	case i.node == nil:
	case full == round:
		f.r.At(i.node, "%s.inertia must hold either xx, yy, zz or axial and transverse", f.path)
	case round:
		if !i.given("axial") || !i.given("transverse") {
			f.r.At(i.node, "%s.inertia must hold both axial and transverse", f.path)
		}
		j.Axisymmetric = true
		j.Axis = strings.Index("xyz", i.text("axis"))
		j.Axial, j.Transverse = i.scalar("axial"), i.scalar("transverse")
		for _, name := range []string{"xy", "xz", "yz", "offdiagonal"} {
			if i.given(name) {
				f.r.At(i.node.Field(name), "%s.inertia.%s does not go with axial and transverse", f.path, name)
			}
		}
	default:
		if !i.given("xx") || !i.given("yy") || !i.given("zz") {
			f.r.At(i.node, "%s.inertia must hold all of xx, yy and zz", f.path)
		}
		j.XX, j.YY, j.ZZ = i.scalar("xx"), i.scalar("yy"), i.scalar("zz")
		j.XY, j.XZ, j.YZ = i.scalar("xy"), i.scalar("xz"), i.scalar("yz")
		if i.text("offdiagonal") == "products" {
			j.XY, j.XZ, j.YZ = negated(j.XY), negated(j.XZ), negated(j.YZ)
		}
		if i.given("axis") {
			f.r.At(i.node.Field("axis"), "%s.inertia.axis goes with axial and transverse only", f.path)
		}
	}
	return j
}

func buildPointMass(h Header, f *fields) Component {
	s := f.table("start")
	m := &PointMass{
		Header: h, Frame: f.frame("frame", h.Name), Mass: f.scalar("mass"), Anisotropic: f.given("inertial_mass"), InertialMass: f.vector("inertial_mass"),
		Axes: []int{0, 1, 2}, Start: FreeStart{Given: s.node != nil, Position: s.vector("position"), Velocity: s.vector("velocity")},
	}
	if plane := f.text("plane"); plane != "none" {
		m.Axes = []int{strings.IndexByte("xyz", plane[0]), strings.IndexByte("xyz", plane[1])}
		for i, v := range m.Start.Velocity {
			if !slices.Contains(m.Axes, i) && v.Value != 0 {
				f.r.place(v.Pos, "%s.start.velocity[%d] leads out of the plane %s", h.Name, i, plane)
			}
		}
	}
	return m
}

func buildTerrain(h Header, f *fields) Component {
	t := &Terrain{
		Header: h, Frame: f.frame("frame", h.Name), Kind: f.text("kind"),
		Height: f.scalar("height"), SlopeX: f.scalar("slope_x"), SlopeY: f.scalar("slope_y"), Formula: f.text("formula"), File: f.text("file"),
		Centred: f.text("modifiers") == "centred", Class: f.text("class"), Seed: f.scalar("seed"),
	}
	f.surface(t.Shape())
	if seed := t.Seed; seed.Value != math.Trunc(seed.Value) || seed.Value > road.LargestSeed {
		f.r.place(seed.Pos, "%s.seed is %s; it must be a whole number from 0 to %d", h.Name, seed.Text, road.LargestSeed)
	}
	friction := f.table("friction")
	t.Friction = TerrainFriction{Left: one, Right: one, Kind: road.Flat}
	if friction.node != nil {
		t.Friction = TerrainFriction{friction.scalar("left"), friction.scalar("right"), friction.text("kind"), friction.text("formula"), friction.text("file")}
		friction.surface(t.Friction.Shape())
	}
	return t
}

// one is a number that is not given.
var one = Scalar{Text: "1", Value: 1}

// surface opens what the keys kind, formula and file say, and notes what is wrong with it.
func (f *fields) surface(shape road.Shape) {
	if _, err := shape.Open(f.r.open); err != nil {
		_, at := f.get("kind")
		for _, key := range []string{"formula", "file"} {
			if n := f.node.Field(key); n != nil && shape.Needs(key) {
				at = n
			}
		}
		if at == nil {
			at = f.node
		}
		f.each(at, f.path, err)
	}
}

func buildArm(h Header, f *fields) Component {
	zero := Scalar{Text: "0"}
	a := &RigidArm{Header: h, From: f.text("from"), To: f.text("to"), Sequence: "321", Translation: Vector{zero, zero, zero}, Angles: Vector{zero, zero, zero}}
	if h.Type == "rigid-arm" {
		a.Translation, a.Angles, a.Sequence = f.vector("translation"), f.vector("angles"), f.text("sequence")
	}
	return a
}

func buildSpringDamper(h Header, f *fields) Component {
	f.turning = f.r.isRevolute(f.text("joint"))
	s := &SpringDamper{
		h, f.text("from"), f.text("to"), f.text("joint"), f.scalar("stiffness"), f.scalar("damping"), f.scalar("free_length"), f.scalar("quadratic_damping"),
		f.curve("spring_force"), f.curve("damper_force"),
	}
	laws := []string{"stiffness", "damping", "quadratic_damping", "spring_force", "damper_force"}
	if !slices.ContainsFunc(laws, f.given) {
		f.r.At(f.node, "spring-damper %s has no law; give it at least one of %s", h.Name, strings.Join(laws, ", "))
	}
	var given []string
	for _, name := range []string{"from", "to", "joint"} {
		if f.given(name) {
			given = append(given, name)
		}
	}
	if !f.given("joint") { // a length, not the coordinate of a joint
		if s.FreeLength.Nonnegative = true; s.FreeLength.Value < 0 {
			f.r.place(s.FreeLength.Pos, "%s.free_length is %s; a length must not be negative", h.Name, s.FreeLength.Text)
		}
	}
	switch found := strings.Join(given, " "); found {
	case "joint", "from to":
	default:
		f.r.At(f.node, "spring-damper %s has %s; it needs either joint, or both from and to", h.Name, cmp.Or(found, "no ends"))
	}
	return s
}

func buildTire(h Header, f *fields) Component {
	t := &Tire{
		Header: h, Frame: f.frame("frame", h.Name), Road: f.text("road"),
		Mass: f.scalar("mass"), Axis: 1, Sequence: f.text("sequence"),
		UnloadedRadius:    f.scalar("unloaded_radius"),
		VerticalStiffness: f.scalar("vertical_stiffness"),
		VerticalDamping:   f.scalar("vertical_damping"),
	}
	j := f.table("inertia")
	t.Inertia = Inertia{Axisymmetric: true, Axis: t.Axis, Axial: j.scalar("axial"), Transverse: j.scalar("transverse")}

	contact := f.table("contact")
	t.Undeformed, t.CrownRadius = contact.text("method") == "undeformed", contact.scalar("crown_radius")
	if contact.node == nil {
		t.CrownRadius = Scalar{Text: "0"}
	}
	switch crown := t.CrownRadius; {
	case contact.node == nil:
	case !t.Undeformed && contact.given("crown_radius"):
		f.r.At(contact.node.Field("crown_radius"), "%s.contact.crown_radius goes with the method undeformed only", h.Name)
	case crown.Value >= t.UnloadedRadius.Value:
		f.r.place(crown.Pos, "%s.contact.crown_radius is %s; it must be below the unloaded radius %s", h.Name, crown.Text, t.UnloadedRadius.Text)
	}
	switch given := f.given("rolling_radius"); {
	case given && t.Undeformed:
		f.r.At(f.node.Field("rolling_radius"), "%s.rolling_radius does not go with an undeformed contact, whose radius is the free one", h.Name)
	case !given && !t.Undeformed:
		f.r.At(f.node, "%s lacks the key \"rolling_radius\" (or an undeformed contact)", h.Name)
	}

	r := f.table("rolling_radius")
	t.RollingRadius = RollingRadius{r.text("method"), r.scalar("Fz0"), r.scalar("B"), r.scalar("D"), r.scalar("F")}
	for _, name := range []string{"Fz0", "B", "D", "F"} {
		if r.node != nil && r.given(name) != (t.RollingRadius.Method == "load-dependent") {
			f.r.At(r.node, "%s.rolling_radius: Fz0, B, D and F go with the method load-dependent, all of them and there only (%s)", h.Name, name)
			break
		}
	}

	s := f.table("slip")
	t.Slip = Slip{Delayed: s.text("method") == "delayed", MinimumSpeed: s.scalar("minimum_speed"), LowSpeed: s.scalar("low_speed"), LowSpeedDamping: s.scalar("low_speed_damping"), Q1: s.scalar("q1"), Q2: s.scalar("q2"), Q3: s.scalar("q3")}
	switch {
	case s.node == nil:
	case t.Slip.Delayed && !s.given("relaxation"):
		f.r.At(s.node, "%s.slip is delayed and lacks the key \"relaxation\" (function with file or parameters)", h.Name)
	case t.Slip.Delayed:
		t.Slip.Relaxation = s.table("relaxation").function(f.text("side"), false, "q1dot", "q2dot")
		kind, err := tire.Lookup(t.Slip.Relaxation.Name)
		t.Slip.TurnSlip = err == nil && slices.Contains(kind.Outputs, "q3dot")
	case s.given("relaxation"):
		f.r.At(s.node.Field("relaxation"), "%s.slip.relaxation goes with the method delayed only", h.Name)
	}
	if e := f.table("enveloping"); e.node != nil {
		points := e.scalar("points")
		if n := points.Value; n != math.Trunc(n) || n < 2 || n > mostPoints {
			f.r.place(points.Pos, "%s.enveloping.points is %s; it must be a whole number from 2 to %d", h.Name, points.Text, mostPoints)
		}
		t.Enveloping = &Enveloping{e.scalar("length"), e.scalar("width"), int(points.Value)}
	}
	if force := f.table("force"); force.node != nil {
		t.Force = force.function(f.text("side"), force.text("allow_downgrade") == "yes", "Fx", "Fy", "Mx", "My", "Mz")
	}
	return t
}

// mostPoints bounds the rows of points of a footprint.
const mostPoints = 20

// function reads the name and the parameters of a tire function, mounted on a side, that returns
// the given values.
func (f *fields) function(side string, downgrade bool, returns ...string) TireFunction {
	fn := TireFunction{Name: f.text("function"), File: f.text("file"), Side: side, Downgrade: downgrade}
	_, n := f.get("function")
	if n == nil || n.Kind != document.Text {
		return fn
	}
	kind, err := tire.LookupForFile(fn.Name)
	if err != nil {
		f.r.At(n, "%s: %v", f.path, err)
		return fn
	}
	for _, want := range returns {
		if !slices.Contains(kind.Outputs, want) {
			f.r.At(n, "%s: function %s returns %s; here %s are needed", f.path, fn.Name, strings.Join(kind.Outputs, ", "), strings.Join(returns, ", "))
			return fn
		}
	}
	faults := f.r.Len()
	switch inline := f.node.Field("parameters"); {
	case inline != nil && f.given("file"):
		f.r.At(n, "%s has both file and parameters; it needs one of them", f.path)
	case kind.Open != nil || inline == nil && !f.given("file") && len(kind.Parameters) == 0:
	case inline == nil && !f.given("file"):
		f.r.At(n, "%s has neither file nor parameters; it needs one of them", f.path)
	case inline == nil && fn.File != "":
		fn.Parameters, fn.Warnings = f.fileParameters(fn)
	case inline != nil:
		fn.Parameters = f.inlineParameters(kind, inline)
	}
	if f.r.Len() == faults && kind.New != nil && (fn.Parameters != nil || len(kind.Parameters) == 0) {
		_, err := kind.New(fn.Parameters)
		f.each(n, f.path, err)
	}
	return fn
}

// each notes every fault of an error that holds one per line.
func (f *fields) each(n *document.Node, path string, err error) {
	if err == nil {
		return
	}
	for line := range strings.Lines(err.Error()) {
		f.r.At(n, "%s: %s", path, strings.TrimSuffix(line, "\n"))
	}
}

func (f *fields) fileParameters(fn TireFunction) (parameters []float64, warnings []string) {
	at := f.node.Field("file")
	data, err := f.r.open(bounded.Tire, fn.File)
	if err != nil {
		f.each(at, f.path+".file", err)
		return nil, nil
	}
	p, err := tire.ReadFile(data, fn.File, tire.ReadOptions{Function: fn.Name, Side: fn.Side, Downgrade: fn.Downgrade})
	if err != nil {
		f.each(at, f.path+".file", err)
		return nil, nil
	}
	return p.Values, p.Warnings
}

func (f *fields) inlineParameters(kind *tire.Kind, inline *document.Node) []float64 {
	if inline.Kind != document.Table {
		f.r.At(inline, "%s.parameters is %s; it must be a table", f.path, inline)
		return nil
	}
	values := map[string]float64{}
	number := Key{Name: "parameters"}
	for _, name := range inline.Keys {
		values[name] = f.r.scalar(inline.Field(name), fmt.Sprintf("%s.parameters.%s", f.path, printable(name)), &number).Value
	}
	ordered, missing, unknown := kind.OrderParameters(values)
	for _, name := range unknown {
		f.r.At(inline.Field(name), "%s.parameters: %s has no parameter %q", f.path, kind.Name, name)
	}
	if len(missing) > 0 {
		f.r.At(inline, "%s.parameters lacks %s of %s", f.path, strings.Join(missing, ", "), kind.Name)
	}
	return ordered
}
