package component

import (
	"math"
	"skidpad/model/graph"
	"skidpad/model/keys"
	"skidpad/tire"
	"slices"
)

var tireType = Type{
	Word: "tire",
	Text: "wheel and tire as one body on a plane road or a terrain",
	Keys: []keys.Key{
		{Name: "frame", Shape: keys.FrameShape, Optional: true, Text: "wheel frame at the wheel centre, y axis to the left; default: the component's name"},
		frame("road", "frame of the road or terrain"),
		nonnegative("mass", "kg", "", "mass of wheel and tire; 0 where another component on the frame has it"),
		{Name: "inertia", Shape: keys.TableShape, Text: "inertia about the wheel centre", Keys: []keys.Key{
			nonnegative("axial", "kg.m2", "", "about the spin axis"), nonnegative("transverse", "kg.m2", "", "about a diameter"),
		}},
		sequence("312"),
		{Name: "side", Shape: keys.WordShape, Optional: true, Choices: []string{"left", "right"}, Text: "side on which the tire is mounted; where a property file is of the other one, the tire is mirrored; default: as the file"},
		positive("unloaded_radius", "m", "Ru, free radius of the vertical spring"),
		positive("vertical_stiffness", "N/m", "kz"),
		nonnegative("vertical_damping", "N.s/m", "0", "cz"),
		{Name: "contact", Shape: keys.TableShape, Optional: true, Text: "contact point", Keys: []keys.Key{
			{Name: "method", Shape: keys.WordShape, Default: "loaded", Choices: []string{"loaded", "undeformed"}, Text: "loaded: on the road, at the loaded radius; undeformed: where the undeformed tire is lowest, at the free radius, which is then the effective one, too"},
			nonnegative("crown_radius", "m", "0", "radius of the cross-section of a torus, undeformed only; 0: a thin disc"),
		}},
		{Name: "rolling_radius", Shape: keys.TableShape, Optional: true, Text: "effective rolling radius; not with an undeformed contact", Keys: []keys.Key{
			{Name: "method", Shape: keys.WordShape, Choices: []string{"loaded", "unloaded", "load-dependent"}, Text: "Reff = Rl, Reff = Ru, or Ru - rhoN (D arctan(B rho/rhoN) + F rho/rhoN)"},
			{Name: "Fz0", Unit: "N", Optional: true, Positive: true, Text: "nominal load of load-dependent; rhoN = Fz0/kz"},
			{Name: "B", Unit: "1", Optional: true, Text: "of load-dependent"},
			{Name: "D", Unit: "1", Optional: true, Text: "of load-dependent"},
			{Name: "F", Unit: "1", Optional: true, Text: "of load-dependent"},
		}},
		{Name: "slip", Shape: keys.TableShape, Text: "slip", Keys: []keys.Key{
			{Name: "method", Shape: keys.WordShape, Choices: []string{"kinematic", "delayed"}, Text: "from the contact velocities, or by relaxation states q1, q2"},
			{Name: "minimum_speed", Unit: "m/s", Default: "0.005", Positive: true, Text: "speed from which on kinematic slip divides by the speed itself"},
			{Name: "low_speed", Unit: "m/s", Default: "1", Positive: true, Text: "speed under which delayed slip is damped"},
			nonnegative("low_speed_damping", "s/m", "0.2", "slip by which it is damped, for a sliding speed, at standstill; 0: none"),
			{Name: "relaxation", Shape: keys.TableShape, Optional: true, Text: "relaxation function of delayed slip", Keys: functionKey},
			scalar("q1", "1", "0", "start value of the delayed longitudinal slip"),
			scalar("q2", "1", "0", "start value of the tangent of the delayed slip angle"),
			scalar("q3", "rad/m", "0", "start value of the delayed turn slip, where the relaxation function has it"),
		}},
		forceKey,
		{Name: "enveloping", Shape: keys.TableShape, Optional: true, Text: "the plane on which the tire stands is the mean one under its footprint, instead of the tangent plane below the wheel's centre; on terrain only", Keys: []keys.Key{
			positive("length", "m", "of the footprint, in the direction of the wheel"),
			positive("width", "m", "of the footprint"),
			scalar("points", "", "3", "rows of points, along and across"),
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

	contact := f.Sub("contact")
	t.Undeformed, t.CrownRadius = contact.Text("method") == "undeformed", contact.Scalar("crown_radius")
	if contact.Table == nil {
		t.CrownRadius = keys.Zero()
	}
	switch crown := t.CrownRadius; {
	case contact.Table == nil:
	case !t.Undeformed && contact.Given("crown_radius"):
		contact.Fault("crown_radius", "%s.contact.crown_radius goes with the method undeformed only", h.Name)
	case crown.Value >= t.UnloadedRadius.Value:
		f.FaultAt(crown.Pos, "%s.contact.crown_radius is %s; it must be below the unloaded radius %s", h.Name, crown.Text, t.UnloadedRadius.Text)
	}
	switch given := f.Given("rolling_radius"); {
	case given && t.Undeformed:
		f.Fault("rolling_radius", "%s.rolling_radius does not go with an undeformed contact, whose radius is the free one", h.Name)
	case !given && !t.Undeformed:
		f.FaultOfTable("%s lacks the key \"rolling_radius\" (or an undeformed contact)", h.Name)
	}

	r := f.Sub("rolling_radius")
	t.RollingRadius = RollingRadius{r.Text("method"), r.Scalar("Fz0"), r.Scalar("B"), r.Scalar("D"), r.Scalar("F")}
	for _, name := range []string{"Fz0", "B", "D", "F"} {
		if r.Table != nil && r.Given(name) != (t.RollingRadius.Method == "load-dependent") {
			r.FaultOfTable("%s.rolling_radius: Fz0, B, D and F go with the method load-dependent, all of them and there only (%s)", h.Name, name)
			break
		}
	}

	s := f.Sub("slip")
	t.Slip = Slip{Delayed: s.Text("method") == "delayed", MinimumSpeed: s.Scalar("minimum_speed"), LowSpeed: s.Scalar("low_speed"), LowSpeedDamping: s.Scalar("low_speed_damping"), Q1: s.Scalar("q1"), Q2: s.Scalar("q2"), Q3: s.Scalar("q3")}
	switch {
	case s.Table == nil:
	case t.Slip.Delayed && !s.Given("relaxation"):
		s.FaultOfTable("%s.slip is delayed and lacks the key \"relaxation\" (function with file or parameters)", h.Name)
	case t.Slip.Delayed:
		t.Slip.Relaxation = tireFunction(s.Sub("relaxation"), f.Text("side"), false, "q1dot", "q2dot")
		kind, err := tire.Lookup(t.Slip.Relaxation.Name)
		t.Slip.TurnSlip = err == nil && slices.Contains(kind.Outputs, "q3dot")
	case s.Given("relaxation"):
		s.Fault("relaxation", "%s.slip.relaxation goes with the method delayed only", h.Name)
	}
	if e := f.Sub("enveloping"); e.Table != nil {
		points := e.Scalar("points")
		if n := points.Value; n != math.Trunc(n) || n < 2 || n > mostPoints {
			f.FaultAt(points.Pos, "%s.enveloping.points is %s; it must be a whole number from 2 to %d", h.Name, points.Text, mostPoints)
		}
		t.Enveloping = &Enveloping{e.Scalar("length"), e.Scalar("width"), int(points.Value)}
	}
	if force := f.Sub("force"); force.Table != nil {
		t.Force = tireFunction(force, f.Text("side"), force.Text("allow_downgrade") == "yes", "Fx", "Fy", "Mx", "My", "Mz")
	}
	return t
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
		{Name: "T1", Domain: graph.Translation, From: graph.GroundFrame, To: c.Frame, Late: true, Space: graph.Space{Free: &graph.Free{
			Axes:        all,
			Coordinates: graph.Coordinates(c.Name, [3]string{"x", "y", "z"}, "m", keys.Vector{}),
			Speeds:      graph.Coordinates(c.Name, [3]string{"x_dot", "y_dot", "z_dot"}, "m/s", keys.Vector{}),
		}}},
		{Name: "T2", Domain: graph.Translation, From: graph.GroundFrame, To: c.Road, Observer: true, Space: graph.Space{FullLaw: true}},
		graph.Law("T3", graph.Translation, c.Road, c.Frame),
		{Name: "R1", Domain: graph.Rotation, From: graph.GroundFrame, To: c.Frame, Late: true, Space: graph.Space{Free: &graph.Free{
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
