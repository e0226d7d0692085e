package component

import (
	"math"
	"slices"

	"skidpad/model/curve"
	"skidpad/model/expr"
	"skidpad/model/graph"
	"skidpad/model/keys"
)

var steeringType = Type{
	Word:   "steering",
	Text:   "steering wheel that turns motion drivers",
	Middle: true,
	Keys: []keys.Key{
		{Name: "ratio", Unit: "1", Default: "16", Positive: true,
			Text: "steering-wheel angle divided by the angle of a road wheel on the centreline"},
		{Name: "wheelbase", Unit: "m", Optional: true, Positive: true,
			Text: "distance to the axle about which the vehicle turns; required with lateral wheels"},
		{Name: "wheels", Shape: keys.TablesShape, Text: "motion drivers that it turns", Keys: []keys.Key{
			{Name: "driver", Shape: keys.TextShape, Names: keys.Components, Text: "motion driver of the kind rotation"},
			asymmetric(keys.Opposite, scalar("lateral", "m", "0",
				"lateral position of the kingpin, to the left of the centreline, for the Ackermann angle; 0: the angle of a "+
					"wheel on the centreline")),
			{Name: "angle_curve", Shape: keys.CurveShape, Unit: "rad, rad", Optional: true, Smooth: true,
				Mirror: keys.OddCurve,
				Text: "angle of the wheel, instead of `lateral`, over the angle of a wheel on the centreline, which is the " +
					"steering-wheel angle with the ratio 1"},
		}},
		{Name: "hand_wheel", Shape: keys.TableShape, Optional: true,
			Text: "makes the steering wheel a degree of freedom, moved by torques; default: its angle is an input",
			Keys: []keys.Key{
				positive("inertia", "kg.m2", "moment of inertia of the steering wheel and of the parts that rotate with it, "+
					"about its axis"),
				nonnegative("damping", "N.m.s/rad", "0", "damping torque per steering-wheel rate"),
				nonnegative("friction", "N.m", "0", "friction torque against the steering-wheel rate, independent of its "+
					"magnitude"),
				{Name: "sliding_speed", Unit: "rad/s", Default: "0.1", Positive: true,
					Text: "rate at which friction is tanh 1 of its full value"},
				nonnegative("hold_stiffness", "N.m/rad", "0",
					"holding torque of hands or of a steering robot, per angle by which the input `angle` is ahead of the "+
						"steering wheel"),
				nonnegative("hold_damping", "N.m.s/rad", "0", "holding torque per rate by which the input `rate` is ahead of "+
					"the steering wheel"),
				asymmetric(keys.Opposite,
					scalar("angle", "rad", "0", "steering-wheel angle at the start, positive to the left")),
				asymmetric(keys.Opposite,
					scalar("rate", "rad/s", "0", "steering-wheel rate at the start, positive to the left")),
			}},
	},
	Read: readSteering,
}

// Steering turns motion drivers by the inputs <name>.angle, .rate and .acceleration of the steering wheel.
type Steering struct {
	keys.Header
	Ratio     keys.Scalar // of the steering wheel's angle to that of a wheel in the middle
	Wheelbase keys.Scalar // m, where a wheel is lateral
	Wheels    []SteeredWheel
	HandWheel *HandWheel // nil where its angle is an input
}

// HandWheel is a steering wheel that turns freely. The driver's torque on it is the input <name>.torque, plus a holding
// torque times the input <name>.hold. The holding torque is HoldStiffness and HoldDamping times the lead of the inputs
// <name>.angle and <name>.rate over the steering wheel.
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
			f.FaultAt(y.Pos, "%s.lateral is %s; it must be less than twice the wheelbase %s to either side", w.Path,
				y.Text, s.Wheelbase.Text)
		}
		if w.Given("lateral") && w.Given("angle_curve") {
			w.Fault("angle_curve", "%s has both lateral and angle_curve; it turns by one of them", w.Path)
		}
		s.Wheels = append(s.Wheels, SteeredWheel{w.Text("driver"), w.Scalar("lateral"), w.Curve("angle_curve"),
			w.Position("driver")})
	}
	if f.Given("hand_wheel") {
		h := f.Sub("hand_wheel")
		s.HandWheel = &HandWheel{
			Inertia: h.Scalar("inertia"), Damping: h.Scalar("damping"), Friction: h.Scalar("friction"),
			SlidingSpeed:  h.Scalar("sliding_speed"),
			HoldStiffness: h.Scalar("hold_stiffness"), HoldDamping: h.Scalar("hold_damping"), Angle: h.Scalar("angle"),
			Rate: h.Scalar("rate"),
		}
	}
	switch {
	case lateral && base == nil:
		f.FaultOfTable("%s has wheels with \"lateral\", which require the key \"wheelbase\"", h.Name)
	case !lateral && base != nil:
		f.Reader.At(base, "%s.wheelbase goes with wheels that are lateral only", h.Name)
	}
	return s
}

func (*Steering) Frames() Frames { return Frames{} }

// Edges: it gives motion drivers their inputs.
func (*Steering) Edges(*Scope) []graph.Edge { return nil }

// Check has nothing to add to the keys and to Acts.
func (*Steering) Check(*Scope, *keys.Reader) {}

// Terminal returns the driver's terminal.
func (*Steering) Terminal() Terminal { return Terminal{} }

// Acts are the motions of the drivers.
func (c *Steering) Acts() []Act {
	var list []Act
	for _, w := range c.Wheels {
		list = append(list, Act{On: w.Driver, Part: Turned, Needs: "a motion-driver of a rotation", Pos: w.Pos})
	}
	return list
}

// Followed: suspensions can follow the steering wheel.
func (*Steering) Followed(*Scope) (can, travel bool) { return true, false }

// Leads returns the freely turning steering wheel and the motion drivers that it leads. Its freedom belongs to the
// first of the drivers.
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

// Modes: a free steering wheel is a part of the steering.
func (c *Steering) Modes() Modes {
	lead, _ := c.Leads()
	if lead == nil {
		return Modes{}
	}
	return Modes{HandWheel: []string{lead.Coordinate.Name, lead.Speed.Name}}
}

// Hand is the motion of the steering wheel: prescribed, or a coordinate of the model.
func (c *Steering) Hand(b Builder) Motion {
	if c.HandWheel == nil {
		return b.Prescribed("angle", "rad", "steering-wheel angle, positive to the left")
	}
	x := c.freedom(b)
	return Motion{x.Value, x.Rate, nil}
}

func (c *Steering) freedom(b Builder) Coordinate { return b.Freedom("wheel_angle", "wheel_rate") }

// Course is the angle delta(D) of a driver over the angle D of the steering wheel. On the centreline delta is m = D
// divided by the ratio. Consider a wheel at y to the left of the centreline, with a wheelbase l to the axle behind. Its
// axis meets the axes of the other wheels on that axle (Ackermann). Then tan delta = l sin m/(l cos m - y sin m), or
// tan(delta - m) = y sin^2 m/(l - y sin m cos m), which has no pole.
func (c *Steering) Course(b Builder, driver string, x *expr.Expr) Course {
	p := b.Pool()
	wheel := &c.Wheels[slices.IndexFunc(c.Wheels, func(w SteeredWheel) bool { return w.Driver == driver })]
	angle := p.Div(x, b.Scalar("ratio", "1", c.Ratio))
	lateral := b.Scalar(driver+"_lateral", "m", wheel.Lateral)
	switch {
	case wheel.Angle != nil:
		angle = b.Curve("curve_"+driver, wheel.Angle, b.Define("angle", angle)).Value
	case !lateral.IsZero():
		base := b.Scalar("wheelbase", "m", c.Wheelbase)
		middle := b.Define("angle", angle)
		sin, cos := p.Call(expr.Sin, middle), p.Call(expr.Cos, middle)
		angle = p.Add(middle, p.Call(expr.Atan, p.Div(p.Mul(lateral, p.Pow(sin, 2)),
			p.Sub(base, p.Mul(lateral, sin, cos)))))
	}
	angle = p.Define("angle_"+driver, angle)
	slope := p.Define("slope_"+driver, p.Diff(angle, x))
	return Course{angle, slope, p.Diff(slope, x)}
}

// Law publishes the angles of the wheels. A free steering wheel has the equation
//
//	I D" = T - c D' - F tanh(D'/s) + sum over the wheels of delta' M,
//	T = torque + hold (k (angle - D) + d (rate - D') + I acceleration)
//
// where T is the driver's torque and M are the moments about the axes of the drivers of all that they
// turn, which the projection finds.
func (c *Steering) Law(b Builder) {
	for i := range c.Wheels {
		driver := c.Wheels[i].Driver
		angle := b.Driven(driver).Position
		b.Unnamed().Publish(driver+".angle", "rad", "road-wheel angle set by the steering", angle)
	}
	if c.Ratio.Formula { // which is no parameter that could be read
		b.Publish("ratio", "1", "steering-wheel angle divided by the angle of a road wheel on the centreline",
			b.Scalar("ratio", "1", c.Ratio))
	}
	h := c.HandWheel
	if h == nil {
		return
	}
	p := b.Pool()
	x := c.freedom(b)
	wanted := b.Prescribed("angle", "rad", "angle to which hands hold the steering wheel, positive to the left")
	hold := b.Input("hold", "1", "1: the steering wheel is held, 0: it is released", 1)
	given := b.Input("torque", "N.m", "driver torque in addition to the holding torque, positive to the left", 0)
	inertia := b.Scalar("inertia", "kg.m2", h.Inertia)
	torque := b.Define("T", p.Add(given, p.Mul(hold, p.Add(
		p.Mul(b.Scalar("hold_stiffness", "N.m/rad", h.HoldStiffness), p.Sub(wanted.Position, x.Value)),
		p.Mul(b.Scalar("hold_damping", "N.m.s/rad", h.HoldDamping), p.Sub(wanted.Rate, x.Rate)),
		p.Mul(inertia, wanted.Acceleration)))))
	b.Publish("wheel_torque", "N.m", "driver torque on the steering wheel, positive to the left", torque)
	b.Keep("torque", torque)
	load := p.Sub(torque, p.Mul(b.Scalar("damping", "N.m.s/rad", h.Damping), x.Rate))
	if friction := b.Scalar("friction", "N.m", h.Friction); !friction.IsZero() {
		sliding := b.Scalar("sliding_speed", "rad/s", h.SlidingSpeed)
		load = p.Sub(load, p.Mul(friction, p.Call(expr.Tanh, p.Div(x.Rate, sliding))))
	}
	b.OnSpeed(x.Speed, load)
}

// Couples: all that a free steering wheel turns is coupled by it.
func (c *Steering) Couples() bool { return c.HandWheel != nil }

// OwnInertia is the inertia of a free steering wheel, on its speed; nil for none.
func (c *Steering) OwnInertia(b Builder) (speed int, inertia *expr.Expr) {
	if c.HandWheel == nil {
		return -1, nil
	}
	return c.freedom(b).Speed, b.Scalar("inertia", "kg.m2", c.HandWheel.Inertia)
}

// Energy of a free steering wheel: the driver's torque supplies power; damping and friction dissipate power.
func (c *Steering) Energy(b Builder) Energy {
	h := c.HandWheel
	if h == nil {
		return Energy{}
	}
	p, rate := b.Pool(), c.freedom(b).Rate
	lost := p.Mul(b.Scalar("damping", "N.m.s/rad", h.Damping), p.Pow(rate, 2))
	if friction := b.Scalar("friction", "N.m", h.Friction); !friction.IsZero() {
		sliding := b.Scalar("sliding_speed", "rad/s", h.SlidingSpeed)
		lost = p.Add(lost, p.Mul(friction, rate, p.Call(expr.Tanh, p.Div(rate, sliding))))
	}
	return Energy{
		Kinetic:  springEnergy(b, b.Scalar("inertia", "kg.m2", h.Inertia), rate),
		Supplied: p.Mul(b.Kept("torque"), rate), Dissipated: lost,
	}
}
