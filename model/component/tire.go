package component

import (
	"slices"

	"skidpad/model/document"
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
			Text: "coefficients of the force function, such as LMUX, and peaks of its force curves, such as utilisation: " +
				"parameters and local variables of every FMU of the model"},
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
		boreKey,
		heatKey,
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
	Bore              *Bore       // nil: none
	Exposed           []Exposed   // coefficients and peaks that are variables of FMUs
}

// Exposing is a component with coefficients and peaks that are variables of every FMU.
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

// Exposed is a coefficient of the force function, or a peak of its curves, that is a variable of every FMU.
type Exposed struct {
	Name string
	Pos  keys.Position
}

// Enveloping is the contact patch grid of a tire; its mean plane is the contact plane of the tire.
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
	MinimumSpeed    keys.Scalar  // m/s, above this speed kinematic slip divides by the speed itself
	LowSpeed        keys.Scalar  // m/s, below this speed delayed slip is damped
	LowSpeedDamping keys.Scalar  // s/m, at standstill
	Relaxation      TireFunction // delayed only; returns the rates, that of the turn slip or not
	TurnSlip        bool         // there is a delayed turn slip
	Q1, Q2, Q3      keys.Scalar  // start values of the delayed slips
	Damping         keys.Scalar  // 1, Carcass only, as all below
	NominalLoad     keys.Scalar  // N, 0: that of the functions
	Stiffness       keys.Scalar  // N, for force functions that do not tell it; 0: it is measured
	Friction        keys.Scalar
}

// rates names the results that a relaxation function needs to serve this tire.
func (s *Slip) rates() []string {
	if s.TurnSlip {
		return tire.SlipRates
	}
	return tire.SlipRates[:2]
}

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

// checkExposed: the force function has the coefficients and the peaks.
func (c *Tire) checkExposed(r *keys.Reader) {
	kind, err := tire.Lookup(c.Force.Name)
	if err != nil {
		return // reported with the function
	}
	var names []string
	for _, k := range kind.Coefficients() {
		names = append(names, k.Name)
	}
	coefficients := len(names)
	for _, p := range tire.PeakVariables {
		names = append(names, p.Name)
	}
	for _, e := range c.Exposed {
		if at := slices.Index(names, e.Name); at >= coefficients {
			if err := kind.FollowsSlip(); err != nil {
				r.Place(e.Pos, "%s.expose names %q: %v", c.Name, e.Name, err)
			}
			continue
		} else if at >= 0 {
			continue
		}
		hint := ""
		if near := document.Nearest(e.Name, names); near != "" {
			hint = "; did you mean \"" + near + "\"?"
		}
		r.Place(e.Pos, "%s.expose names %q, which is neither a coefficient nor a peak of %s%s", c.Name, e.Name, c.Force.Name,
			hint)
	}
}

// Lump is wheel and tire.
func (c *Tire) Lump() Lump { return Lump{Frame: c.Frame, Mass: c.Mass, Inertia: &c.Inertia} }

// Side returns the side on which the tire is mounted.
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

// Terminal holds the variables of the contact between tire and road.
func (c *Tire) Terminal() Terminal {
	return Terminal{
		Kind: "org.skidpad.tire", Text: "forces of the road on the tire, their inputs, and externally computed forces",
		Variables: []string{"Fx", "Fy", "Fz", "Mx", "My", "Mz", "kappa", "alpha", "gamma", "R_l", "R_eff", "contact",
			"Fx_input", "Fy_input", "Mx_input", "My_input", "Mz_input"},
	}
}
