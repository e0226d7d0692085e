package manoeuvre

import (
	"maps"
	"regexp"

	"skidpad/harness/workbench/runs/keys"
	"skidpad/harness/workbench/runs/signal"
	"skidpad/model/document"
	"skidpad/model/roles"
)

// Phase is a part of a manoeuvre. The first begins at the start, each other at the communication
// point at which the one before it ends. Inputs that a phase does not drive keep the values they had;
// motions stand still.
type Phase struct {
	Name     string
	Duration float64       // s; with Until the longest, after which the run ends with a verdict
	Until    *Condition    // nil for as long as Duration
	Inputs   []InputSignal // their time is that since the phase began
	Speed    signal.Signal // m/s, what SpeedControl holds; nil leaves the torques as they are
	Path     *Path         // what PathFollower steers along; nil without
}

// Condition holds when a formula over variables, and time [s] since the phase began, is above or below
// a bound, or has crossed it since then.
type Condition struct {
	Law   *signal.Law
	Kind  ConditionKind
	Bound float64
	// Variable is what the formula is, or whose magnitude it is; "" for other formulas.
	Variable string
	Written  keys.Written // the bound, where it has a unit and Variable is known
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

// Stop ends a run in which a vehicle does what makes the rest meaningless.
type Stop struct {
	Verdict string // "rolled over"
	When    *Condition
}

// Steering turns angles of the steering wheel into angles of the road wheels, all alike; or it turns hand
// wheels, drivers of the vehicle that have a ratio themselves.
type Steering struct {
	Drivers []string
	Ratio   float64 // steering wheel to road wheels; 0 where the vehicle has it
}

// Free names angle and torque of the steering wheel, which a vehicle has whose steering wheel is free.
func (s *Steering) Free() (angle, torque string) {
	return s.Drivers[0] + ".wheel_angle", s.Drivers[0] + ".wheel_torque"
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
//	delta = Proportional e(ahead) + Integral int e(here) dt
//
// where e is how far to the left of a point the path lies. The steering wheel follows with a lag, at most as
// fast and as far as its limits say; at its stop nothing is integrated.
type PathFollower struct {
	Body         string
	Preview      float64 // s
	Proportional float64 // rad/m
	Integral     float64 // rad/(m.s)
	Lag          float64 // s
	Rate, Limit  float64 // of the steering wheel, rad/s, rad
}

// drivers reads the tables [steering], [speed_control] and [path_follower].
func (r *manoeuvreReader) drivers(root *document.Node, m *Manoeuvre) {
	if n := root.Field("steering"); n != nil && r.Is(n, "steering", document.Table) {
		r.Table(n, steeringKeys)
		m.Steering = &Steering{Drivers: r.Texts(n, "drivers")}
		if n.Field("ratio") != nil {
			m.Steering.Ratio = r.Positive(n, "ratio")
		}
	}
	if n := root.Field("speed_control"); n != nil && r.Is(n, "speed_control", document.Table) {
		r.Table(n, speedControlKeys)
		m.SpeedControl = &SpeedControl{Variable: r.chassis(n, "variable", ".vx"), Torques: r.torques(n),
			Proportional: r.Number(n, "proportional"), Integral: r.Number(n, "integral"), Limit: r.Positive(n, "limit")}
		if m.SpeedControl.Least = -m.SpeedControl.Limit; n.Field("least") != nil {
			m.SpeedControl.Least = r.Number(n, "least")
		}
		if m.SpeedControl.Least >= m.SpeedControl.Limit {
			r.At(n, "the least torque, %g, is not below the limit, %g", m.SpeedControl.Least, m.SpeedControl.Limit)
		}
	}
	if n := root.Field("path_follower"); n != nil && r.Is(n, "path_follower", document.Table) {
		r.Table(n, pathFollowerKeys)
		m.PathFollower = &PathFollower{Body: r.chassis(n, "body", ""), Preview: r.Positive(n, "preview"),
			Proportional: r.NotNegative(n, "proportional"),
			Integral:     r.NotNegative(n, "integral"), Lag: r.Positive(n, "lag"), Rate: r.Positive(n, "rate"),
			Limit: r.Positive(n, "limit")}
		if m.Steering == nil {
			r.At(n, "a path follower needs a table [steering]")
		}
	}
	stops := root.Field("stop")
	if stops == nil || !r.Is(stops, "stop", document.List) {
		return
	}
	for _, n := range stops.Items {
		if r.Is(n, "stop", document.Table) {
			r.Table(n, stopKeys)
			m.Stops = append(m.Stops, Stop{Verdict: r.Text(n, "verdict"), When: r.condition(n, "when")})
		}
	}
}

// chassis reads a text that may be missing in a manoeuvre for any car: the chassis then, and what follows it.
func (r *manoeuvreReader) chassis(n *document.Node, key, quantity string) string {
	if n.Field(key) == nil && r.car != nil {
		if r.car.roles.Chassis == "" {
			r.lack("chassis")
		}
		return r.car.roles.Chassis + quantity
	}
	name := r.Text(n, key)
	if !roles.Mentions(name) {
		return name
	}
	return r.variable(n.Field(key), name)
}

// torques are those of a speed control: those of the throttle where a manoeuvre for any car names none.
func (r *manoeuvreReader) torques(n *document.Node) (names []string) {
	if n.Field("torques") == nil && r.car != nil {
		if r.car.roles.Throttle == nil {
			r.lack("throttle")
			return nil
		}
		return r.car.roles.Throttle.Inputs
	}
	for i, name := range r.Texts(n, "torques") {
		sets, err := r.vehicle().Sets(name)
		if err != nil {
			r.fail(n.Field("torques").Items[i], err)
		}
		for _, set := range sets {
			names = append(names, set.Inputs...)
		}
	}
	return names
}

// phases reads the tables [[phase]].
func (r *manoeuvreReader) phases(root *document.Node, m *Manoeuvre) {
	if root.Field("phase") == nil {
		return
	}
	always := r.driven
	for _, n := range r.List(root, "phase", document.Table) {
		r.driven = maps.Clone(always)
		r.Table(n, phaseKeys)
		p := Phase{Name: r.Text(n, "name")}
		if n.Field("until") != nil {
			if n.Field("duration") != nil {
				r.At(n.Place("duration"),
					`a phase has both "duration" and "until"; it ends by either, and one with "until" has a "timeout"`)
			}
			p.Until, p.Duration = r.condition(n, "until"), r.Positive(n, "timeout")
		} else {
			if n.Field("timeout") != nil {
				r.At(n.Place("timeout"), `a "timeout" without "until"; a phase that just lasts has a "duration"`)
			}
			p.Duration = r.Positive(n, "duration")
		}
		p.Inputs = r.inputs(n)
		if signal := r.driver(n, "steering", m.Steering != nil, "steering"); signal != nil {
			p.Inputs = append(p.Inputs, InputSignal{Drivers: r.take(signal, m.Steering.Drivers), HandWheel: true,
				Signal: r.signal(signal, "rad")})
		}
		if signal := r.driver(n, "speed", m.SpeedControl != nil, "speed_control"); signal != nil {
			r.take(signal, m.SpeedControl.Torques)
			p.Speed = r.signal(signal, "m/s")
		}
		if path := r.driver(n, "path", m.PathFollower != nil, "path_follower"); path != nil {
			if m.Steering != nil {
				r.take(path, m.Steering.Drivers)
			}
			p.Path = r.path(path, m)
		}
		m.Duration += p.Duration
		m.Phases = append(m.Phases, p)
	}
}

// driver returns the table that a key of a phase holds, nil without; the driver that it is for must be
// there.
func (r *manoeuvreReader) driver(n *document.Node, key string, there bool, table string) *document.Node {
	value := n.Field(key)
	if value == nil || !r.Is(value, key, document.Table) {
		return nil
	}
	if !there {
		if role := driverRoles[table]; r.car != nil {
			r.lack(role)
		} else {
			r.At(value, "%q needs a table [%s]", key, table)
		}
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

// condition reads a table { formula, above | below | crosses }; nil when it is faulty.
func (r *manoeuvreReader) condition(n *document.Node, key string) *Condition {
	value := r.Field(n, key, document.Table)
	if value == nil {
		return nil
	}
	return r.conditionOf(value)
}

// conditionOf reads the table of a condition.
func (r *manoeuvreReader) conditionOf(value *document.Node) *Condition {
	r.Table(value, conditionKeys)
	c := &Condition{}
	if r.Text(value, "formula") != "" {
		formula := value.Field("formula")
		if c.Law = r.law(formula); c.Law != nil && len(c.Law.Reads) == 1 && isVariable.MatchString(formula.Text) {
			c.Variable = c.Law.Reads[0]
		}
	}
	bounds := 0
	for kind, name := range conditionKinds {
		if value.Field(name) != nil {
			c.Kind, c.Bound = ConditionKind(kind), r.Number(value, name)
			if c.Variable != "" {
				c.Written = r.Written(value.Field(name), name)
			}
			bounds++
		}
	}
	if bounds != 1 {
		r.At(value, "a condition with %d bounds; it has one of %q", bounds, conditionKinds)
	}
	return c
}
