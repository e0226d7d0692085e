package component

import (
	"math"
	"skidpad/model/curve"
	"skidpad/model/graph"
	"skidpad/model/keys"
)

var steeringType = Type{
	Word: "steering",
	Text: "hand wheel that turns motion drivers",
	Keys: []keys.Key{
		{Name: "ratio", Unit: "1", Default: "16", Positive: true, Text: "angle of the hand wheel for that of a wheel in the middle"},
		{Name: "wheelbase", Unit: "m", Optional: true, Positive: true, Text: "from the axle about which the vehicle turns, where wheels are lateral"},
		{Name: "wheels", Shape: keys.TablesShape, Text: "what it turns", Keys: []keys.Key{
			{Name: "driver", Shape: keys.TextShape, Text: "motion driver of a rotation"},
			scalar("lateral", "m", "0", "of the kingpin to the left of the middle, for the angle after Ackermann; 0: that of a wheel in the middle"),
			{Name: "angle_curve", Shape: keys.CurveShape, Unit: "rad, rad", Optional: true, Smooth: true, Text: "instead of that, over the angle of a wheel in the middle, which is the hand wheel's with the ratio 1"},
		}},
		{Name: "hand_wheel", Shape: keys.TableShape, Optional: true, Text: "makes the hand wheel a freedom, which torques move; default: its angle is an input", Keys: []keys.Key{
			positive("inertia", "kg.m2", "of the hand wheel and of what turns with it, about its axis"),
			nonnegative("damping", "N.m.s/rad", "0", "torque against its rate"),
			nonnegative("friction", "N.m", "0", "torque against its rate, however slow"),
			{Name: "sliding_speed", Unit: "rad/s", Default: "0.1", Positive: true, Text: "rate at which friction is tanh 1 of its full value"},
			nonnegative("hold_stiffness", "N.m/rad", "0", "torque with which hands or a steering robot hold it, for the angle that the input `angle` is ahead"),
			nonnegative("hold_damping", "N.m.s/rad", "0", "likewise for the rate that the input `rate` is ahead"),
			scalar("angle", "rad", "0", "at the start, to the left"),
			scalar("rate", "rad/s", "0", "at the start"),
		}},
	},
	Read: readSteering,
}

// Steering turns motion drivers by the inputs <name>.angle, .rate and .acceleration of the hand wheel.
type Steering struct {
	keys.Header
	Ratio     keys.Scalar // of the hand wheel's angle to that of a wheel in the middle
	Wheelbase keys.Scalar // m, where a wheel is lateral
	Wheels    []SteeredWheel
	HandWheel *HandWheel // nil where its angle is an input
}

// HandWheel is one that turns freely. The driver's torque on it is the input <name>.torque and, times
// the input <name>.hold, HoldStiffness and HoldDamping times what the inputs <name>.angle and
// <name>.rate are ahead of it.
type HandWheel struct {
	Inertia                    keys.Scalar // kg m^2, about its axis
	Damping                    keys.Scalar // N m s/rad
	Friction                   keys.Scalar // N m, times tanh(rate/SlidingSpeed)
	SlidingSpeed               keys.Scalar // rad/s
	HoldStiffness, HoldDamping keys.Scalar // N m/rad, N m s/rad
	Angle, Rate                keys.Scalar // start values, rad, rad/s
}

// SteeredWheel is a motion driver that a steering turns: as a wheel in the middle, after Ackermann
// where Lateral is not 0, or by a curve.
type SteeredWheel struct {
	Driver  string
	Lateral keys.Scalar  // m, of the kingpin to the left of the middle
	Angle   *curve.Curve // rad over rad of a wheel in the middle, nil for none
	Pos     keys.Position
}

func readSteering(h keys.Header, f *keys.Fields) Component {
	s := &Steering{Header: h, Ratio: f.Scalar("ratio"), Wheelbase: f.Scalar("wheelbase")}
	lateral := false
	base := f.Table.Field("wheelbase")
	for _, w := range f.NonEmptyList("wheels") {
		lateral = lateral || w.Given("lateral")
		if y := w.Scalar("lateral"); base != nil && math.Abs(y.Value) >= 2*s.Wheelbase.Value {
			f.FaultAt(y.Pos, "%s.lateral is %s; it must be less than twice the wheelbase %s to either side", w.Path, y.Text, s.Wheelbase.Text)
		}
		if w.Given("lateral") && w.Given("angle_curve") {
			w.Fault("angle_curve", "%s has both lateral and angle_curve; it turns by one of them", w.Path)
		}
		s.Wheels = append(s.Wheels, SteeredWheel{w.Text("driver"), w.Scalar("lateral"), w.Curve("angle_curve"), w.Position("driver")})
	}
	if f.Given("hand_wheel") {
		h := f.Sub("hand_wheel")
		s.HandWheel = &HandWheel{
			Inertia: h.Scalar("inertia"), Damping: h.Scalar("damping"), Friction: h.Scalar("friction"), SlidingSpeed: h.Scalar("sliding_speed"),
			HoldStiffness: h.Scalar("hold_stiffness"), HoldDamping: h.Scalar("hold_damping"), Angle: h.Scalar("angle"), Rate: h.Scalar("rate"),
		}
	}
	switch {
	case lateral && base == nil:
		f.FaultOfTable("%s has wheels that are lateral and lacks the key \"wheelbase\", with which they turn", h.Name)
	case !lateral && base != nil:
		f.Reader.At(base, "%s.wheelbase goes with wheels that are lateral only", h.Name)
	}
	return s
}

func (*Steering) Frames() Frames { return Frames{} }

// Edges: it gives motion drivers their inputs.
func (*Steering) Edges(*Scope) []graph.Edge { return nil }

// Leads returns the hand wheel that turns freely and what it leads. Its freedom belongs to the first of the drivers.
func (c *Steering) Leads() (lead *graph.Lead, drivers []string) {
	if c.HandWheel == nil {
		return nil, nil
	}
	for _, w := range c.Wheels {
		drivers = append(drivers, w.Driver)
	}
	return &graph.Lead{
		Coordinate: graph.Coordinate{Name: c.Name + ".wheel_angle", Unit: "rad", Start: c.HandWheel.Angle},
		Speed:      graph.Coordinate{Name: c.Name + ".wheel_rate", Unit: "rad/s", Start: c.HandWheel.Rate},
		Owner:      c.Wheels[0].Driver,
	}, drivers
}
