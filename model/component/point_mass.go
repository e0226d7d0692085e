package component

import (
	"slices"
	"strings"

	"skidpad/model/graph"
	"skidpad/model/keys"
)

var pointMassType = Type{
	Word: "point-mass",
	Text: "mass without extension",
	Keys: []keys.Key{
		{Name: "frame", Shape: keys.FrameShape, Optional: true, Text: "frame; default: the component's name"},
		positive("mass", "kg", "mass"),
		{Name: "inertial_mass", Shape: keys.VectorShape, Unit: "kg", Optional: true, Nonnegative: true,
			Mirror: keys.Stays,
			Text:   "inertial mass along x, y and z of ground, if it differs from the mass; the weight follows from the mass"},
		{Name: "plane", Shape: keys.WordShape, Default: "none", Choices: []string{"none", "xz", "xy", "yz"},
			Text: "coordinate plane to which the motion stays parallel"},
		{Name: "start", Shape: keys.TableShape, Optional: true, Text: "initial motion", Keys: []keys.Key{
			vector(keys.Polar, "position", "m", "in ground"),
			vector(keys.Polar, "velocity", "m/s", "in ground"),
			keepKey,
		}},
	},
	Read: readPointMass,
}

// PointMass has translation only.
type PointMass struct {
	keys.Header
	Frame string
	Mass  keys.Scalar
	// InertialMass resists acceleration along the axes of ground, where Anisotropic.
	Anisotropic  bool
	InertialMass keys.Vector
	Axes         []int     // indices of the axes of ground along which it moves
	Start        FreeStart // keys.Position, Velocity
}

func readPointMass(h keys.Header, f *keys.Fields) Component {
	s := f.Sub("start")
	h.Kept = s.Truth(keepKey.Name)
	m := &PointMass{
		Header: h, Frame: f.Frame("frame", h.Name), Mass: f.Scalar("mass"), Anisotropic: f.Given("inertial_mass"),
		InertialMass: f.Vector("inertial_mass"),
		Axes:         []int{0, 1, 2}, Start: FreeStart{Given: s.Table != nil, Position: s.Vector("position"),
			Velocity: s.Vector("velocity")},
	}
	if plane := f.Text("plane"); plane != "none" {
		m.Axes = []int{strings.IndexByte("xyz", plane[0]), strings.IndexByte("xyz", plane[1])}
		for i, v := range m.Start.Velocity {
			if !slices.Contains(m.Axes, i) && v.Value != 0 {
				f.FaultAt(v.Pos, "%s.start.velocity[%d] leads out of the plane %s", h.Name, i, plane)
			}
		}
	}
	return m
}

func (c *PointMass) Frames() Frames {
	return Frames{Joins: onGround(c.Frame), Carries: true, Point: true}
}

// Edges: frame P at the mass.
//
//	T1 Ground -> P  free, or in a plane: position and speeds in ground
func (c *PointMass) Edges(s *Scope) []graph.Edge {
	velocity := graph.Speeds{Of: graph.Coordinates(c.Name, [3]string{"vx", "vy", "vz"}, "m/s", c.Start.Velocity)}
	return []graph.Edge{{Name: "T1", Domain: graph.Translation, From: graph.GroundFrame, To: c.Frame,
		Space: graph.Space{Free: &graph.Free{
			Axes:        c.Axes,
			Coordinates: graph.Coordinates(c.Name, [3]string{"x", "y", "z"}, "m", c.Start.Position),
			Speeds:      velocity, Starts: velocity,
		}}}}
}

// Check has nothing to add to the keys.
func (*PointMass) Check(*Scope, *keys.Reader) {}

// Lump is a point.
func (c *PointMass) Lump() Lump {
	l := Lump{Frame: c.Frame, Mass: c.Mass}
	if c.Anisotropic {
		l.Along = &c.InertialMass
	}
	return l
}

// Law: its inertia is all.
func (*PointMass) Law(Builder) {}

// Couples: the recursion knows one mass of a body.
func (c *PointMass) Couples() bool { return c.Anisotropic }

// Observed are place, velocity and acceleration.
func (c *PointMass) Observed(b Builder) {
	const ground = graph.GroundFrame
	in := b.Axes(ground)
	publishPosition(b, ground, c.Frame, in, "in ground")
	publishVector(b, [3]string{"vx", "vy", "vz"}, "m/s", "velocity in ground", b.Velocity(ground, c.Frame, in))
	a := b.FullAcceleration(ground, c.Frame, in)
	publishVector(b, [3]string{"ax", "ay", "az"}, "m/s2", "acceleration in ground", a)
}

// IgnoresTurn: it is on the axis.
func (c *PointMass) IgnoresTurn(Turn) bool { return true }
