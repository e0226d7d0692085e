package component

import (
	"math"
	"slices"
	"strings"

	"skidpad/model/curve"
	"skidpad/model/expr"
	"skidpad/model/graph"
	"skidpad/model/keys"
)

var steeringType = Type{
	Word:   "steering",
	Text:   "steering wheel that turns motion drivers or shifts a rack",
	Middle: true,
	Keys: []keys.Key{
		{Name: "ratio", Unit: "1", Default: "16", Positive: true,
			Text: "steering-wheel angle divided by the angle of a road wheel on the centreline"},
		{Name: "wheelbase", Unit: "m", Optional: true, Positive: true,
			Text: "distance to the axle about which the vehicle turns; required with lateral wheels"},
		{Name: "wheels", Shape: keys.TablesShape, Optional: true, Text: "motion drivers that it turns", Keys: []keys.Key{
			{Name: "driver", Shape: keys.TextShape, Names: keys.Components, Text: "motion driver of the kind rotation"},
			asymmetric(keys.Opposite, scalar("lateral", "m", "0",
				"lateral position of the kingpin, to the left of the centreline, for the Ackermann angle; 0: the angle of a "+
					"wheel on the centreline")),
			{Name: "angle_curve", Shape: keys.CurveShape, Unit: "rad, rad", Optional: true, Smooth: true,
				Mirror: keys.OddCurve,
				Text: "angle of the wheel, instead of `lateral`, over the angle of a wheel on the centreline, which is the " +
					"steering-wheel angle with the ratio 1"},
		}},
		{Name: "rack", Shape: keys.TableShape, Optional: true, Text: "rack that the pinion shifts", Keys: []keys.Key{
			{Name: "driver", Shape: keys.TextShape, Names: keys.Components,
				Text: "motion driver of the kind translation, or prismatic joint with motion = \"input\""},
			{Name: "travel_per_turn", Unit: "m/rad", Optional: true, Mirror: keys.Opposite,
				Text: "travel of the rack along the axis of its driver for a turn of the steering wheel to the left, such as " +
					"\"48 mm/rev\""},
			{Name: "travel", Shape: keys.CurveShape, Unit: "rad, m", Optional: true, Smooth: true, Mirror: keys.Reversed,
				Text: "travel of the rack over the angle of the pinion, positive to the left, in place of `travel_per_turn`"},
		}},
		{Name: "column", Shape: keys.TableShape, Optional: true,
			Text: "torsion bar between steering wheel and pinion; default: rigid", Keys: []keys.Key{
				positive("stiffness", "N.m/rad", "torque per angle of twist: steering wheel less pinion"),
				nonnegative("damping", "N.m.s/rad", "0", "torque per rate of twist"),
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

// Steering moves motion drivers by the inputs <name>.angle, .rate and .acceleration of the steering wheel.
type Steering struct {
	keys.Header
	Ratio     keys.Scalar // of the steering wheel's angle to that of a wheel in the middle
	Wheelbase keys.Scalar // m, where a wheel is lateral
	Wheels    []SteeredWheel
	Rack      *Rack      // nil for none
	Column    *Column    // nil where the pinion turns as the steering wheel does
	HandWheel *HandWheel // nil where its angle is an input
}

// Rack is a motion driver of a translation that the pinion shifts.
type Rack struct {
	Driver  string
	PerTurn keys.Scalar  // m/rad
	Travel  *curve.Curve // in its place, m over rad of the pinion; nil for none
	Pos     keys.Position
}

// Column is a torsion bar between steering wheel and pinion.
type Column struct{ Stiffness, Damping keys.Scalar } // N m/rad, N m s/rad

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
	if !f.Given("wheels") && !f.Given("rack") {
		f.FaultOfTable("steering %s moves nothing; give it wheels, a list of motion drivers of road wheels, or a rack",
			h.Name)
	}
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
	if f.Given("rack") {
		s.Rack = readRack(f.Sub("rack"))
		if n := f.Node("ratio"); n != nil && len(s.Wheels) == 0 {
			f.Reader.At(n, "%s.ratio goes with wheels; the rack has travel_per_turn or travel", h.Name)
		}
	}
	if f.Given("column") {
		c := f.Sub("column")
		s.Column = &Column{Stiffness: c.Scalar("stiffness"), Damping: c.Scalar("damping")}
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

func readRack(f *keys.Fields) *Rack {
	r := &Rack{f.Text("driver"), f.Scalar("travel_per_turn"), f.Curve("travel"), f.Position("driver")}
	switch perTurn, travel := f.Given("travel_per_turn"), f.Given("travel"); {
	case perTurn == travel:
		f.FaultOfTable("%s has %s travel_per_turn %s travel; give one of them", f.Path,
			map[bool]string{true: "both", false: "neither"}[travel], map[bool]string{true: "and", false: "nor"}[travel])
	case perTurn && r.PerTurn.Value == 0:
		f.Fault("travel_per_turn", "%s is 0, so that the rack does not move; give a travel, below 0 where the rack moves "+
			"against the axis of its driver", f.PathOf("travel_per_turn"))
	case perTurn && r.PerTurn.Unit != "" && !strings.Contains(r.PerTurn.Unit, "/"):
		f.Fault("travel_per_turn", "%s is %q, a travel without its angle; write \"%s/rev\" or \"%s/rad\"",
			f.PathOf("travel_per_turn"), f.Node("travel_per_turn").Text, f.Node("travel_per_turn").Text,
			f.Node("travel_per_turn").Text)
	case travel && r.Travel != nil && !strictlyMonotone(r.Travel.Y):
		f.Fault("travel", "%s turns back; it must rise or fall throughout", f.PathOf("travel"))
	}
	return r
}

// strictlyMonotone reports whether numbers rise or fall throughout.
func strictlyMonotone(y []float64) bool {
	for i := range y[1:] {
		if rise := (y[i+1] - y[i]) * (y[1] - y[0]); !(rise > 0) {
			return false
		}
	}
	return true
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
	if r := c.Rack; r != nil {
		list = append(list, Act{On: r.Driver, Part: Shifted, Pos: r.Pos,
			Needs: "a motion-driver of a translation, or a prismatic joint with motion = \"input\""})
	}
	return list
}

// Followed: suspensions can follow the steering wheel.
func (*Steering) Followed(*Scope) (can, travel bool) { return true, false }

// Leads returns the freely turning steering wheel, or the pinion behind a column, and the motion drivers that it leads.
// Its freedom belongs to the first of the drivers.
func (c *Steering) Leads() (lead *graph.Lead, drivers []string) {
	if c.HandWheel == nil && c.Column == nil {
		return nil, nil
	}
	for _, a := range c.Acts() {
		drivers = append(drivers, a.On)
	}
	lead = &graph.Lead{Owner: drivers[0]}
	angle, rate := c.freedomKeys()
	lead.Coordinate = graph.Coordinate{Name: c.Name + "." + angle, Unit: "rad"}
	lead.Speed = graph.Coordinate{Name: c.Name + "." + rate, Unit: "rad/s"}
	if h := c.HandWheel; h != nil {
		lead.Coordinate.Start, lead.Speed.Start = h.Angle, h.Rate
	}
	return lead, drivers
}

// Modes: a free steering wheel and a pinion behind a column are parts of the steering.
func (c *Steering) Modes() Modes {
	lead, _ := c.Leads()
	if lead == nil {
		return Modes{}
	}
	states := []string{lead.Coordinate.Name, lead.Speed.Name}
	if c.Column != nil && c.HandWheel != nil {
		states = append(states, c.Name+".wheel_angle", c.Name+".wheel_rate")
	}
	return Modes{HandWheel: states}
}

// Hand is the motion that leads the drivers: of the pinion behind a column, otherwise of the steering wheel.
func (c *Steering) Hand(b Builder) Motion {
	if c.HandWheel == nil && c.Column == nil {
		return c.prescribed(b)
	}
	x := c.freedom(b)
	return Motion{x.Value, x.Rate, nil}
}

func (c *Steering) prescribed(b Builder) Motion {
	return b.Prescribed("angle", "rad", "steering-wheel angle, positive to the left")
}

// freedom is the coordinate that leads the drivers.
func (c *Steering) freedom(b Builder) Coordinate {
	angle, rate := c.freedomKeys()
	return b.Freedom(angle, rate)
}

func (c *Steering) freedomKeys() (angle, rate string) {
	if c.Column != nil {
		return "pinion_angle", "pinion_rate"
	}
	return "wheel_angle", "wheel_rate"
}

// Course is the position of a driver over the angle of the pinion, which is the angle of the steering wheel without a
// column.
func (c *Steering) Course(b Builder, driver string, x *expr.Expr) Course {
	p := b.Pool()
	name, position := "angle_"+driver, c.travel(b, driver, x)
	if position != nil {
		name = "position_" + driver
	} else {
		position = c.wheelAngle(b, driver, x)
	}
	position = p.Define(name, position)
	slope := p.Define("slope_"+driver, p.Diff(position, x))
	return Course{position, slope, p.Diff(slope, x)}
}

// travel is the position of the rack, nil for another driver.
func (c *Steering) travel(b Builder, driver string, x *expr.Expr) *expr.Expr {
	switch r := c.Rack; {
	case r == nil || r.Driver != driver:
		return nil
	case r.Travel != nil:
		return b.Curve("curve_"+driver, r.Travel, x).Value
	}
	return b.Pool().Mul(b.Scalar("travel_per_turn", "m/rad", c.Rack.PerTurn), x)
}

// wheelAngle is the angle delta(D) of a driver over the angle D of the steering wheel. On the centreline delta is m = D
// divided by the ratio. Consider a wheel at y to the left of the centreline, with a wheelbase l to the axle behind. Its
// axis meets the axes of the other wheels on that axle (Ackermann). Then tan delta = l sin m/(l cos m - y sin m), or
// tan(delta - m) = y sin^2 m/(l - y sin m cos m), which has no pole.
func (c *Steering) wheelAngle(b Builder, driver string, x *expr.Expr) *expr.Expr {
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
	return angle
}

// Law publishes the positions of the drivers. A free steering wheel has the equation
//
//	I D" = T - c D' - F tanh(D'/s) + sum over the drivers of delta' M,
//	T = torque + hold (k (angle - D) + d (rate - D') + I acceleration)
//
// T is the driver's torque. M is the moment about the axis, or the force along the axis, of a driver: the load of all
// moved parts, by projection. A column has the torque C = k (D - P) + d (D' - P') between steering
// wheel and pinion P:
//
//	I D" = T - c D' - F tanh(D'/s) - C,   0 = C + sum over the drivers of delta' M
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
	if r := c.Rack; r != nil {
		position := b.Driven(r.Driver).Position
		b.Unnamed().Publish(r.Driver+".position", "m", "position of the rack set by the steering", position)
		hand := c.Hand(b).Position
		b.Publish("rack_ratio", "m/rad", "travel of the rack by the angle of the pinion", c.Course(b, r.Driver, hand).Slope)
	}
	h, p := c.HandWheel, b.Pool()
	if h == nil {
		if c.Column != nil {
			hand := c.prescribed(b)
			torque := c.twist(b, hand.Position, hand.Rate)
			b.Publish("wheel_torque", "N.m", "torque on the steering wheel, positive to the left", torque)
			b.Keep("torque", torque)
			b.Keep("rate", hand.Rate)
		}
		return
	}
	x := c.wheel(b)
	b.Keep("rate", x.Rate)
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
	b.Deflect(Motion{Position: x.Value, Rate: x.Rate})
	load := p.Sub(torque, p.Mul(b.Scalar("damping", "N.m.s/rad", h.Damping), x.Rate))
	if friction := b.Scalar("friction", "N.m", h.Friction); !friction.IsZero() {
		sliding := b.Scalar("sliding_speed", "rad/s", h.SlidingSpeed)
		load = p.Sub(load, p.Mul(friction, p.Call(expr.Tanh, p.Div(x.Rate, sliding))))
	}
	if c.Column == nil {
		b.OnSpeed(x.Speed, load)
		return
	}
	load = p.Sub(load, c.twist(b, x.Value, x.Rate))
	b.State(OwnState{Key: "wheel_angle", Unit: "rad", Text: "angle of the steering wheel", Symbol: x.Value, Rate: x.Rate,
		Start: h.Angle})
	b.State(OwnState{Key: "wheel_rate", Unit: "rad/s", Text: "rate of the steering wheel", Symbol: x.Rate,
		Rate: p.Div(load, inertia), Start: h.Rate})
}

// wheel is the motion of a free steering wheel. Behind it is a column, or what it leads.
func (c *Steering) wheel(b Builder) Coordinate {
	if c.Column == nil {
		return c.freedom(b)
	}
	p := b.Pool()
	return Coordinate{Value: p.Sym(c.Name+".wheel_angle", expr.State), Rate: p.Sym(c.Name+".wheel_rate", expr.State),
		Speed: -1}
}

// twist is the torque of the column on the pinion, whose opposite acts on the steering wheel.
func (c *Steering) twist(b Builder, angle, rate *expr.Expr) *expr.Expr {
	p, pinion := b.Pool(), c.freedom(b)
	twist, rate := b.Define("twist", p.Sub(angle, pinion.Value)), b.Define("twist_rate", p.Sub(rate, pinion.Rate))
	torque := b.Define("C", p.Add(p.Mul(b.Scalar("column_stiffness", "N.m/rad", c.Column.Stiffness), twist),
		p.Mul(b.Scalar("column_damping", "N.m.s/rad", c.Column.Damping), rate)))
	b.OnSpeed(pinion.Speed, torque)
	b.Deflect(Motion{Position: angle, Rate: rate})
	b.Deflect(Motion{Position: pinion.Value, Rate: pinion.Rate})
	b.Publish("column_torque", "N.m", "torque of the column on the pinion, positive to the left", torque)
	b.Keep("twist", twist)
	b.Keep("twist_rate", rate)
	return torque
}

// Couples: all that a free steering wheel or a pinion moves is coupled by it.
func (c *Steering) Couples() bool { return c.HandWheel != nil || c.Column != nil }

// OwnInertia is the inertia of a free steering wheel on the speed that leads the drivers; nil for none. A steering
// wheel on a column has another speed.
func (c *Steering) OwnInertia(b Builder) (speed int, inertia *expr.Expr) {
	if c.HandWheel == nil || c.Column != nil {
		return -1, nil
	}
	return c.freedom(b).Speed, b.Scalar("inertia", "kg.m2", c.HandWheel.Inertia)
}

// Energy of a free steering wheel: the torque on it supplies power; damping and friction dissipate power. A column
// stores the energy of its twist, and dissipates power by its damping.
func (c *Steering) Energy(b Builder) (e Energy) {
	p := b.Pool()
	if c.HandWheel == nil && c.Column == nil {
		return e
	}
	rate, lost := b.Kept("rate"), p.Int(0)
	e.Supplied = p.Mul(b.Kept("torque"), rate)
	if h := c.HandWheel; h != nil {
		lost = p.Mul(b.Scalar("damping", "N.m.s/rad", h.Damping), p.Pow(rate, 2))
		if friction := b.Scalar("friction", "N.m", h.Friction); !friction.IsZero() {
			sliding := b.Scalar("sliding_speed", "rad/s", h.SlidingSpeed)
			lost = p.Add(lost, p.Mul(friction, rate, p.Call(expr.Tanh, p.Div(rate, sliding))))
		}
		e.Kinetic = springEnergy(b, b.Scalar("inertia", "kg.m2", h.Inertia), rate)
	}
	if k := c.Column; k != nil {
		e.Potential = springEnergy(b, b.Scalar("column_stiffness", "N.m/rad", k.Stiffness), b.Kept("twist"))
		lost = p.Add(lost, p.Mul(b.Scalar("column_damping", "N.m.s/rad", k.Damping), p.Pow(b.Kept("twist_rate"), 2)))
	}
	e.Dissipated = lost
	return e
}
