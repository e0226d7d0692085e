package component

import (
	"cmp"

	"skidpad/model/graph"
	"skidpad/model/keys"
)

var rigidBodyType = Type{
	Word: "rigid-body",
	Text: "rigid body with its frame at the centre of mass",
	Keys: []keys.Key{
		{Name: "frame", Shape: keys.FrameShape, Optional: true,
			Text: "frame at the centre of mass; default: the component's name"},
		nonnegative("mass", "kg", "", "mass"),
		{Name: "inertia", Shape: keys.TableShape, Text: "inertia about the centre of mass, in the frame",
			Keys: []keys.Key{
				{Name: "xx", Unit: "kg.m2", Optional: true, Nonnegative: true, Text: "moment of inertia about x"},
				{Name: "yy", Unit: "kg.m2", Optional: true, Nonnegative: true, Text: "moment of inertia about y"},
				{Name: "zz", Unit: "kg.m2", Optional: true, Nonnegative: true, Text: "moment of inertia about z"},
				asymmetric(keys.Opposite, scalar("xy", "kg.m2", "0", "product of inertia")),
				scalar("xz", "kg.m2", "0", "product of inertia"),
				asymmetric(keys.Opposite, scalar("yz", "kg.m2", "0", "product of inertia")),
				{Name: "offdiagonal", Shape: keys.WordShape, Default: "products",
					Choices: []string{"products", "matrix"},
					Text: "xy, xz, yz are products of inertia (integral of x y dm, entering the matrix with a minus " +
						"sign) or elements of the matrix"},
				{Name: "axial", Unit: "kg.m2", Optional: true, Nonnegative: true,
					Text: "moment of inertia about the axis of symmetry, instead of xx, yy, zz"},
				{Name: "transverse", Unit: "kg.m2", Optional: true, Nonnegative: true,
					Text: "moment of inertia about any axis normal to the axis of symmetry"},
				{Name: "axis", Shape: keys.WordShape, Default: "y", Choices: []string{"x", "y", "z"},
					Text: "axis of symmetry of axial and transverse"},
				allowUnphysical,
			}},
		nonnegative("angular_damping", "N.m.s/rad", "0",
			"moment against the angular velocity, per angular velocity"),
		sequence("321"), speedsKey("body"), designKey, designInKey,
		{Name: "start", Shape: keys.TableShape, Optional: true,
			Text: "initial motion, if the body's edges are tree branches", Keys: []keys.Key{
				vector(keys.Polar, "position", "m", "position of the centre of mass in ground"),
				vector(keys.EulerAngles, "angles", "rad", "angles, in the order of the sequence"),
				vector(keys.Polar, "velocity", "m/s", "velocity of the centre of mass, body frame"),
				vector(keys.Axial, "angular_velocity", "rad/s", "angular velocity, body frame"),
				keepKey, relativeKey,
			}},
	},
	Read: readRigidBody,
}

// RigidBody: frame at the centre of mass (Morency 2007, ch. 2; linear-graph T1, R1).
type RigidBody struct {
	keys.Header
	Frame    string
	Mass     keys.Scalar // kg
	Inertia  Inertia
	Damping  keys.Scalar // N m s/rad, of the angular velocity
	Sequence string      // rotation sequence of its level-0 across variable: "321", "312", "313"
	Speeds   string      // word of the key, "" for the default
	Start    FreeStart
	Design   *Design // nil for none
}

func readRigidBody(h keys.Header, f *keys.Fields) Component {
	b := &RigidBody{Header: h, Frame: f.Frame("frame", h.Name), Mass: f.Scalar("mass"),
		Damping: f.Scalar("angular_damping"), Sequence: f.Text("sequence"), Speeds: f.Text("speeds")}
	b.Inertia = inertia(f, f.Sub("inertia"))
	s := f.Sub("start")
	b.Kept = s.Truth(keepKey.Name)
	b.Start = FreeStart{s.Table != nil, s.Vector("position"), s.Vector("angles"), s.Vector("velocity"),
		s.Vector("angular_velocity")}
	b.Design = readDesign(f, s)
	return b
}

func (c *RigidBody) Frames() Frames {
	f := Frames{Joins: onGround(c.Frame), Carries: true}
	if c.Design != nil {
		f.Uses = []string{c.Design.In}
	}
	return f
}

// Edges: frame B at the centre of mass.
//
//	T1 Ground -> B  free: position in ground, speeds in B, unless others are chosen
//	R1 Ground -> B  free: angles of the sequence, speeds in B, unless others are chosen
func (c *RigidBody) Edges(s *Scope) []graph.Edge {
	// yaw, pitch and roll are published as 3-2-1 angles only
	angles := [3]string{"angle1", "angle2", "angle3"}
	if c.Sequence == "321" {
		angles = [3]string{"yaw", "pitch", "roll"}
	}
	velocity := graph.Speeds{Along: graph.OfHead,
		Of: graph.Coordinates(c.Name, [3]string{"vx", "vy", "vz"}, "m/s", c.Start.Velocity)}
	turning := angularVelocity(c.Name, c.Start.AngularVelocity)
	return []graph.Edge{
		{Name: "T1", Domain: graph.Translation, From: graph.GroundFrame, To: c.Frame,
			Space: graph.Space{Free: &graph.Free{
				Axes:        all,
				Coordinates: graph.Coordinates(c.Name, [3]string{"x", "y", "z"}, "m", c.Start.Position),
				Design:      c.Design.place(),
				Speeds:      velocities(c.Speeds, c.Name, graph.GroundFrame, velocity),
				Starts:      velocity,
			}}},
		{Name: "R1", Domain: graph.Rotation, From: graph.GroundFrame, To: c.Frame, Space: graph.Space{Free: &graph.Free{
			Axes:        all,
			Sequence:    c.Sequence,
			Coordinates: graph.Coordinates(c.Name, angles, "rad", c.Start.Angles),
			Design:      c.Design.place(),
			Speeds:      turnRates(c.Speeds, c.Name, angles, turning),
			Starts:      turning,
		}}},
	}
}

// Check: the inertia is one that a body can have; a body without mass has none.
func (c *RigidBody) Check(_ *Scope, r *keys.Reader) {
	c.Inertia.check(r, c.Name)
	if c.Mass.Value == 0 && principal(c.Inertia.Matrix())[2] > 0 {
		r.Place(c.Inertia.at, "%s has inertia but no mass", c.Name)
	}
}

// Lump is the whole of it.
func (c *RigidBody) Lump() Lump {
	return Lump{Frame: c.Frame, Mass: c.Mass, Inertia: &c.Inertia, Rigid: true}
}

// Law is the moment of the damping against the angular velocity.
func (c *RigidBody) Law(b Builder) {
	if damping := b.Scalar("angular_damping", "N.m.s/rad", c.Damping); !damping.IsZero() {
		p := b.Pool()
		b.Moment(c.Frame, p.NegV(p.ScaleV(damping, b.AngularVelocity(graph.GroundFrame, c.Frame, b.Axes(c.Frame)))))
	}
}

// Observed are place, angles, velocities and acceleration.
func (c *RigidBody) Observed(b Builder) {
	const ground = graph.GroundFrame
	own := b.OwnAxes(c.Frame)
	publishPosition(b, ground, c.Frame, b.Axes(ground), "of the centre of mass in ground")
	publishAngles(b, ground, c.Frame)
	publishVector(b, [3]string{"vx", "vy", "vz"}, "m/s", "velocity of the centre of mass, body frame",
		b.Velocity(ground, c.Frame, own))
	w := b.Resolve(b.AngularVelocity(ground, c.Frame, b.Axes(c.Frame)), own)
	publishVector(b, [3]string{"wx", "wy", "wz"}, "rad/s", "angular velocity, body frame", w)
	publishVector(b, [3]string{"ax", "ay", "az"}, "m/s2", "inertial acceleration of the centre of mass, body frame",
		b.FullAcceleration(ground, c.Frame, own))
}

// IgnoresTurn: it is symmetric about the axis, and no speeds are components in its axes.
func (c *RigidBody) IgnoresTurn(t Turn) bool {
	return c.Inertia.Axisymmetric && c.Inertia.Axis == t.Axis && !(t.Branch && cmp.Or(c.Speeds, bodySpeeds) == bodySpeeds)
}

// Energy is the power that the damping of the angular velocity dissipates.
func (c *RigidBody) Energy(b Builder) Energy {
	damping := b.Scalar("angular_damping", "N.m.s/rad", c.Damping)
	if damping.IsZero() {
		return Energy{}
	}
	w := b.AngularVelocity(graph.GroundFrame, c.Frame, b.Axes(c.Frame))
	return Energy{Dissipated: b.Pool().Mul(damping, b.Pool().Dot(w, w))}
}
