package model

import (
	"math"
	"slices"

	"skidpad/model/document"
)

func buildAerodynamics(h Header, f *fields) Component {
	return &Aerodynamics{
		Header: h, Frame: f.text("frame"), Area: f.scalar("area"), Length: f.scalar("length"), Density: f.scalar("density"),
		Drag: f.scalar("drag"), LiftFront: f.scalar("lift_front"), LiftRear: f.scalar("lift_rear"),
		Side: f.scalar("side_force"), Roll: f.scalar("roll_moment"), Yaw: f.scalar("yaw_moment"),
		DragCurve: f.curve("drag_curve"), LiftFrontCurve: f.curve("lift_front_curve"), LiftRearCurve: f.curve("lift_rear_curve"),
		SideCurve: f.curve("side_force_curve"), RollCurve: f.curve("roll_moment_curve"), YawCurve: f.curve("yaw_moment_curve"),
	}
}

func buildSteering(h Header, f *fields) Component {
	s := &Steering{Header: h, Ratio: f.scalar("ratio"), Wheelbase: f.scalar("wheelbase")}
	lateral := false
	base := f.node.Field("wheelbase")
	for _, w := range f.nonEmptyTables("wheels") {
		lateral = lateral || w.given("lateral")
		if y := w.scalar("lateral"); base != nil && math.Abs(y.Value) >= 2*s.Wheelbase.Value {
			f.r.place(y.Pos, "%s.lateral is %s; it must be less than twice the wheelbase %s to either side", w.path, y.Text, s.Wheelbase.Text)
		}
		if w.given("lateral") && w.given("angle_curve") {
			f.r.At(w.node.Field("angle_curve"), "%s has both lateral and angle_curve; it turns by one of them", w.path)
		}
		s.Wheels = append(s.Wheels, SteeredWheel{w.text("driver"), w.scalar("lateral"), w.curve("angle_curve"), w.place("driver")})
	}
	if f.given("hand_wheel") {
		h := f.table("hand_wheel")
		s.HandWheel = &HandWheel{
			Inertia: h.scalar("inertia"), Damping: h.scalar("damping"), Friction: h.scalar("friction"), SlidingSpeed: h.scalar("sliding_speed"),
			HoldStiffness: h.scalar("hold_stiffness"), HoldDamping: h.scalar("hold_damping"), Angle: h.scalar("angle"), Rate: h.scalar("rate"),
		}
	}
	switch {
	case lateral && base == nil:
		f.r.At(f.node, "%s has wheels that are lateral and lacks the key \"wheelbase\", with which they turn", h.Name)
	case !lateral && base != nil:
		f.r.At(base, "%s.wheelbase goes with wheels that are lateral only", h.Name)
	}
	return s
}

func buildBrakeDistribution(h Header, f *fields) Component {
	d := &BrakeDistribution{Header: h}
	sum := 0.0
	for _, a := range f.nonEmptyTables("axles") {
		axle := BrakedAxle{a.texts("brakes"), a.scalar("share"), a.place("brakes")}
		if n := a.node; n != nil && a.given("brakes") && len(axle.Brakes) == 0 {
			f.r.At(n.Field("brakes"), "%s.brakes is empty; it needs at least one brake", a.path)
		}
		sum += axle.Share.Value
		d.Axles = append(d.Axles, axle)
	}
	if math.Abs(sum-1) > 1e-9 && len(d.Axles) > 0 {
		f.r.At(f.node.Field("axles"), "%s.axles share %.6g of the torque; the shares must make 1", h.Name, sum)
	}
	return d
}

func buildDifferential(h Header, f *fields) Component {
	d := &Differential{
		Header: h, Housing: f.text("housing"), Ratio: f.scalar("ratio"), Share: f.scalar("share"), Preload: f.scalar("preload"),
		LockDrive: f.scalar("lock_drive"), LockCoast: f.scalar("lock_coast"), Viscosity: f.scalar("viscosity"), SlidingSpeed: f.scalar("sliding_speed"),
	}
	outputs := f.texts("outputs")
	if n := f.node.Field("outputs"); n != nil && n.Kind == document.List && len(n.Items) != 2 {
		f.r.At(n, "%s.outputs names %d; a differential has two", h.Name, len(n.Items))
	}
	copy(d.Outputs[:], outputs)
	return d
}

func buildEngine(h Header, f *fields) Component {
	e := &Engine{Header: h, Drives: f.text("drives"), Ratio: f.scalar("ratio"), FullLoad: f.curve("full_load"), Drag: f.curve("drag"), Inertia: f.scalar("inertia"), Frame: f.text("frame"), Axis: f.axis("axis")}
	for _, key := range []string{"frame", "axis"} {
		switch turns := f.given("inertia"); {
		case turns && !f.given(key):
			f.r.At(f.node, "%s has inertia and lacks the key %q, of what carries it", h.Name, key)
		case !turns && f.given(key):
			f.r.At(f.node.Field(key), "%s.%s goes with inertia only", h.Name, key)
		}
	}
	return e
}

func buildGearbox(h Header, f *fields) Component {
	return &Gearbox{
		Header: h, Input: f.text("input"), Drives: f.text("drives"), Ratios: f.scalars("ratios"),
		HasReverse: f.given("reverse"), Reverse: f.scalar("reverse"), Capacity: f.scalar("capacity"), SlidingSpeed: f.scalar("sliding_speed"),
	}
}

// nonEmptyTables returns what a list of tables holds, which must not be empty.
func (f *fields) nonEmptyTables(name string) []*fields {
	list := f.tables(name)
	if n := f.node.Field(name); n != nil && n.Kind == document.List && len(n.Items) == 0 {
		f.r.At(n, "%s is empty; it needs at least one table", f.name(name))
	}
	return list
}

// place is that of a key of a table, or of the table.
func (f *fields) place(name string) Position {
	switch {
	case f.node == nil:
		return Position{}
	case f.node.Field(name) != nil:
		return f.r.position(f.node.Field(name))
	}
	return f.r.position(f.node)
}

// checkDriveline: what a component acts on exists, is of the right type, and nothing else acts on it.
func (r *reader) checkDriveline() {
	taken := map[string]string{}
	there := func(at Position, by *Header, name, needs string, fits func(Component) bool) bool {
		c := r.component(name)
		switch {
		case c == nil:
			r.place(at, "%s %s names %q, which does not exist%s", by.Type, by.Name, name, r.nearestComponent(name))
		case !fits(c):
			r.place(at, "%s %s names %q, which is a %s; it needs %s", by.Type, by.Name, name, c.Head().Type, needs)
		}
		return c != nil && fits(c)
	}
	take := func(at Position, by *Header, name, needs string, fits func(Component) bool) {
		switch {
		case !there(at, by, name, needs, fits):
		case taken[name] == by.Name:
			r.place(at, "%s %s names %q twice", by.Type, by.Name, name)
		case taken[name] != "":
			r.place(at, "%s %s names %q, on which %s acts already", by.Type, by.Name, name, taken[name])
		default:
			taken[name] = by.Name
		}
	}
	turns := func(c Component) bool { d, ok := c.(*MotionDriver); return ok && !d.Translation }
	brakes := func(c Component) bool { d, ok := c.(*TorqueDriver); return ok && d.Brake }
	hinge := func(c Component) bool { _, ok := c.(*Revolute); return ok }
	shaft := func(c Component) bool { _, ok := c.(*Differential); return ok || hinge(c) }
	for _, c := range r.model.Components {
		switch c := c.(type) {
		case *Steering:
			for _, w := range c.Wheels {
				take(w.Pos, c.Head(), w.Driver, "a motion-driver of a rotation", turns)
			}
		case *BrakeDistribution:
			for _, a := range c.Axles {
				for _, name := range a.Brakes {
					take(a.Pos, c.Head(), name, "brakes", brakes)
				}
			}
		case *Differential:
			at := r.root.Field("component").Field(c.Name).Field("outputs")
			for i, name := range c.Outputs {
				take(r.position(at.Items[i]), c.Head(), name, "revolute joints or differentials", shaft)
			}
		case *Engine:
			take(r.key(c.Head(), c.Drives, "drives"), c.Head(), c.Drives, "a revolute joint or a differential", shaft)
			r.checkRotor(c)
		case *Gearbox:
			at := r.key(c.Head(), c.Drives, "drives")
			there(r.key(c.Head(), c.Input, "input"), c.Head(), c.Input, "a revolute joint", hinge)
			take(at, c.Head(), c.Drives, "a revolute joint or a differential", shaft)
			if c.Input == c.Drives {
				r.place(at, "gearbox %s drives its own input; let it drive another shaft", c.Name)
			}
		}
	}
	r.checkDifferentials()
}

// checkRotor: what turns with an engine is a part of the body that carries it.
func (r *reader) checkRotor(e *Engine) {
	for _, c := range r.model.Components {
		b, ok := c.(*RigidBody)
		if !ok || b.Frame != e.Frame {
			continue
		}
		about, j := 0.0, b.Inertia.matrix()
		for i := range 3 {
			for k := range 3 {
				about += e.Axis[i] * j[i][k] * e.Axis[k]
			}
		}
		if e.Inertia.Value > about {
			r.place(e.Inertia.Pos, "%s.inertia is %s; it is a part of %s, which has %.6g kg m2 about that axis", e.Name, e.Inertia.Text, b.Name, about)
		}
	}
}

// checkDifferentials refuses one that drives itself through others.
func (r *reader) checkDifferentials() {
	for _, c := range r.model.Components {
		d, ok := c.(*Differential)
		if !ok {
			continue
		}
		seen := map[string]bool{}
		var reaches func(from *Differential) bool
		reaches = func(from *Differential) bool {
			if seen[from.Name] {
				return false
			}
			seen[from.Name] = true
			return slices.ContainsFunc(from.Outputs[:], func(name string) bool {
				next, ok := r.component(name).(*Differential)
				return ok && (next == d || reaches(next))
			})
		}
		if reaches(d) {
			r.place(d.Pos, "differential %s drives itself; let something else drive it", d.Name)
		}
	}
}

// Driver returns the engine, gearbox or differential that drives a joint or differential, nil for none.
func (m *Model) Driver(name string) Component {
	for _, c := range m.Components {
		switch c := c.(type) {
		case *Differential:
			if slices.Contains(c.Outputs[:], name) {
				return c
			}
		case *Engine:
			if c.Drives == name {
				return c
			}
		case *Gearbox:
			if c.Drives == name {
				return c
			}
		}
	}
	return nil
}
