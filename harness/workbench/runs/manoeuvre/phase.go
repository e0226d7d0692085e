package manoeuvre

import (
	"maps"
	"regexp"

	"skidpad/harness/workbench/runs/constants"
	"skidpad/harness/workbench/runs/signal"
	"skidpad/model/document"
	"skidpad/model/keys"
)

// Phase is a part of a manoeuvre. The first phase begins at the start, each further phase at the communication point
// where the phase before ends. Inputs that a phase does not drive keep the values they had; motions stand still.
type Phase struct {
	Name     string
	Duration float64       // s; with Until the longest, after which the run ends with a verdict
	Until    *Condition    // nil for as long as Duration
	Inputs   []InputSignal // their time is that since the phase began
	Speed    signal.Signal // m/s, what SpeedControl holds; nil leaves the torques as they are
	// ByDistance: Speed is a function of the distance along Path [m] in the lap, not of time.
	ByDistance bool
	Path       *Path // what PathFollower or Driver steers along; nil without
}

// Condition holds when a formula over variables, and time [s] since the phase began, is above or below
// a bound, or has crossed it since then.
type Condition struct {
	Law   *signal.Law
	Kind  ConditionKind
	Bound float64
	// Variable is the variable that forms the whole formula, alone or as abs(); "" for other formulas.
	Variable string
	Written  constants.Written // the bound, where it has a unit and Variable is known
}

// isVariable matches formulas that have the unit of the only variable in them.
var isVariable = regexp.MustCompile(`^\s*(abs\s*\()?[^\s()+*/^-]+\)?\s*$`)

// ConditionKind says how a formula is compared with a bound.
type ConditionKind int

const (
	Above ConditionKind = iota
	Below
	Crosses
)

// conditionKinds are the kinds in files.
var conditionKinds = [...]string{Above: "above", Below: "below", Crosses: "crosses"}

// Stop ends a run when its continuation is meaningless.
type Stop struct {
	Verdict string // "rolled over"
	When    *Condition
}

// Steering turns angles of the steering wheel into angles of the road wheels, all alike; or it turns hand
// wheels, drivers of the vehicle that have a ratio themselves; or it shifts a rack.
type Steering struct {
	Drivers []string
	Ratio   float64 // steering wheel to road wheels; 0 where the vehicle has it
	Rack    bool    // the drivers slide, and Ratio is the steering-wheel angle by their travel [rad/m]
	Overall float64 // steering wheel to road wheels where the wheels follow a rack; 0 where it is not known
}

// SpeedControl holds a speed by torques, all alike, or by what makes torques: T = Proportional e + Integral int e dt
// for the lack of speed e, from Least to Limit; while it is limited, nothing is integrated.
type SpeedControl struct {
	Variable     string // of the speed [m/s]
	Torques      []string
	Proportional float64 // N.m/(m/s); negative for what drives backwards
	Integral     float64 // N.m/m
	Least, Limit float64 // N.m
}

// PathFollower steers a body along a path as a driver does. It looks ahead on the body's longitudinal axis
// by the way of the preview time, and wants the steering wheel at
//
//	delta = Gain(v) Proportional e(ahead) + Integral int Gain(v) e(here) dt
//
// where e is how far to the left of a point the path lies. The steering wheel follows with a lag, at most as fast and
// as far as its limits say; at its stop nothing is integrated.
type PathFollower struct {
	Body         string
	Preview      float64 // s
	Proportional float64 // rad/m
	Integral     float64 // rad/(m.s)
	Lag          float64 // s
	Rate, Limit  float64 // of the steering wheel, rad/s, rad
	// Below the speed Slow [m/s] both gains are larger by (Slow/v)^2, at most by the factor Growth; 0 for none.
	Slow, Growth float64
	Nearest      float64 // least distance of the point ahead [m]
}

// Ahead is the distance of the point ahead at a speed [m/s].
func (f *PathFollower) Ahead(speed float64) float64 {
	way := f.Preview * speed
	if speed >= 0 {
		way = max(way, f.Nearest)
	}
	return way
}

// Gain is the factor of both gains at a speed [m/s].
func (f *PathFollower) Gain(speed float64) float64 {
	now, slow := speed*speed, f.Slow*f.Slow
	switch {
	case f.Growth <= 1 || now >= slow:
		return 1
	case now*f.Growth <= slow:
		return f.Growth
	}
	return slow / now
}

var phaseKeys = []keys.Key{
	key("name", text, "", "of the phase"),
	{Name: "duration", Unit: "s", Text: "of the phase; or until with timeout", Optional: true, Positive: true},
	table("until", "condition that ends the phase", conditionKeys),
	{Name: "timeout", Unit: "s", Text: "after which the run ends with a verdict if until does not hold", Positive: true,
		Optional: true},
	{Name: "input", Shape: keys.TablesShape, Text: "inputs of this phase", Optional: true, Keys: inputKeys},
	signalOf("steering", "angle of the steering wheel [rad]", true),
	{Name: "speed", Shape: keys.TableShape, Text: "that the speed control holds [m/s]", Optional: true, Kinds: speedKinds},
	{Name: "path", Shape: keys.TableShape, Text: "that the driver steers along", Optional: true, Kinds: pathKinds},
}

// phases reads the tables [[phase]].
func (r *manoeuvreReader) phases(root *keys.Fields, m *Manoeuvre) {
	always := r.driven
	for _, f := range root.NonEmptyList("phase") {
		if f.Table == nil {
			continue
		}
		r.driven = maps.Clone(always)
		p := Phase{Name: f.Text("name")}
		if f.Given("until") {
			if f.Given("duration") {
				f.Fault("duration",
					`a phase has both "duration" and "until"; it ends by either, and one with "until" has a "timeout"`)
			}
			f.Require("timeout")
			p.Until, p.Duration = r.condition(f.Sub("until")), f.Number("timeout")
		} else {
			if f.Given("timeout") {
				f.Fault("timeout", `a "timeout" without "until"; a phase that just lasts has a "duration"`)
			}
			f.Require("duration")
			p.Duration = f.Number("duration")
		}
		p.Inputs = r.inputs(f)
		if n := r.driver(f, "steering", m.Steering != nil, "steering"); n != nil {
			p.Inputs = append(p.Inputs, InputSignal{Drivers: r.take(n, m.Steering.Drivers), HandWheel: true,
				Signal: r.signal(f, "steering", "rad")})
		}
		if n := r.driver(f, "speed", m.SpeedControl != nil, "speed_control"); n != nil {
			r.take(n, m.SpeedControl.Torques)
			if m.Pedals != nil {
				for _, set := range m.Pedals.Brakes {
					r.take(n, set.Inputs)
				}
			}
			p.Speed, p.ByDistance = r.speed(f)
		}
		if n := r.driver(f, "path", m.PathFollower != nil || m.Driver != nil, "path_follower"); n != nil {
			if m.Steering != nil {
				r.take(n, m.Steering.Drivers)
			}
			p.Path = r.path(f, "path", m)
		}
		if p.ByDistance && !f.Given("path") {
			f.Fault("speed", "a speed over the distance needs a path in its phase, such as { kind = \"continued\" }")
		}
		m.Duration += p.Duration
		m.Phases = append(m.Phases, p)
	}
}

// driver returns the table that a key of a phase holds, nil without; the driver that it is for must be
// there.
func (r *manoeuvreReader) driver(f *keys.Fields, key string, there bool, table string) *document.Node {
	value := f.Node(key)
	switch {
	case value == nil || there:
	case r.car != nil:
		r.lack(driverRoles[table])
		return nil
	default:
		r.At(value, "%s needs a table [%s]", f.PathOf(key), table)
		return nil
	}
	return value
}

// driverRoles are the roles that drivers of any car need.
var driverRoles = map[string]string{"steering": "steering", "speed_control": "throttle", "path_follower": "steering"}

// take notes that n drives inputs or drivers.
func (r *manoeuvreReader) take(n *document.Node, names []string) []string {
	for _, name := range names {
		if first := r.driven[name]; first != nil {
			r.At(n, "%q is driven twice at the same time, also by line %d; remove one of them", name, first.Line)
		}
		r.driven[name] = n
	}
	return names
}

var conditionKeys = []keys.Key{
	key("formula", text, "", "formula of variables, time [s] and constants"),
	maybe("above", number, anyUnit, "the condition holds while the formula is above it"),
	maybe("below", number, anyUnit, "the condition holds while the formula is below it"),
	maybe("crosses", number, anyUnit, "the condition holds when the formula has crossed it"),
}

// condition reads a table { formula, above | below | crosses }.
func (r *manoeuvreReader) condition(f *keys.Fields) *Condition {
	c := &Condition{}
	if f.Text("formula") != "" {
		formula := f.Node("formula")
		if c.Law = r.law(formula); c.Law != nil && len(c.Law.Reads) == 1 && isVariable.MatchString(formula.Text) {
			c.Variable = c.Law.Reads[0]
		}
	}
	bounds := 0
	for kind, name := range conditionKinds {
		if f.Given(name) {
			c.Kind, c.Bound = ConditionKind(kind), f.Number(name)
			if c.Variable != "" {
				c.Written = r.Written(f.Node(name), name)
			}
			bounds++
		}
	}
	if bounds != 1 && f.Table != nil {
		f.FaultOfTable("a condition with %d bounds; it has one of %q", bounds, conditionKinds)
	}
	return c
}
