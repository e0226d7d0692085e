package manoeuvre

import (
	"skidpad/model/keys"
	"skidpad/model/roles"
)

var steeringKeys = []keys.Key{
	key("drivers", texts, "", "components that turn road wheels, or the steering of the vehicle"),
	{Name: "ratio", Unit: anyUnit, Optional: true, Positive: true,
		Text: "steering wheel to road wheels, or to the travel of a rack, such as \"131 rad/m\"; not for a steering that " +
			"has one"},
}

var speedControlKeys = []keys.Key{
	maybe("variable", text, "", "speed that is held [m/s]; the chassis's by default"),
	maybe("torques", texts, "", "inputs that all take one value; the throttle's by default"),
	key("proportional", number, anyUnit, "value for a lack of speed of 1 m/s"),
	key("integral", number, anyUnit, "value for a lack of speed of 1 m/s over 1 s"),
	{Name: "limit", Unit: anyUnit, Text: "largest value", Positive: true},
	maybe("least", number, anyUnit, "least value; -limit by default"),
}

var pathFollowerKeys = []keys.Key{
	maybe("body", text, "", "that is steered; the chassis by default"),
	above0("preview", "s", "time by whose way the driver looks ahead"),
	{Name: "proportional", Unit: "rad/m", Text: "steering-wheel angle for an offset ahead", Nonnegative: true},
	{Name: "integral", Unit: "rad/m/s", Text: "steering-wheel angle for an offset over time", Nonnegative: true},
	above0("lag", "s", "of the steering wheel"), above0("rate", "rad/s", "largest one of the steering wheel"),
	above0("limit", "rad", "largest angle of the steering wheel"),
}

var stopKeys = []keys.Key{
	key("verdict", text, "", "verdict of a run that ends by this stop"),
	{Name: "when", Shape: keys.TableShape, Text: "when the run ends", Keys: conditionKeys},
}

// steering reads the table [steering].
func (r *manoeuvreReader) steering(root *keys.Fields, m *Manoeuvre) {
	if root.Given("steering") {
		f := root.Sub("steering")
		m.Steering = &Steering{Drivers: f.Texts("drivers"), Ratio: f.Number("ratio")}
		if n := f.Node("ratio"); n != nil {
			var err error
			if m.Steering.Rack, err = roles.RatioOfRack(n); err != nil {
				f.Fault("ratio", "%s is %s: %v", f.PathOf("ratio"), n, err)
			}
		}
	}
}

// drivers reads the tables [speed_control], [path_follower] and [[stop]].
func (r *manoeuvreReader) drivers(root *keys.Fields, m *Manoeuvre) {
	if root.Given("speed_control") {
		f := root.Sub("speed_control")
		m.SpeedControl = &SpeedControl{Variable: r.chassis(f, "variable", ".vx"), Torques: r.torques(f),
			Proportional: f.Number("proportional"), Integral: f.Number("integral"), Limit: f.Number("limit")}
		if m.SpeedControl.Least = -m.SpeedControl.Limit; f.Given("least") {
			m.SpeedControl.Least = f.Number("least")
		}
		if m.SpeedControl.Least >= m.SpeedControl.Limit {
			f.FaultOfTable("the least torque, %g, is not below the limit, %g", m.SpeedControl.Least, m.SpeedControl.Limit)
		}
	}
	if root.Given("path_follower") {
		f := root.Sub("path_follower")
		m.PathFollower = &PathFollower{Body: r.chassis(f, "body", ""), Preview: f.Number("preview"),
			Proportional: f.Number("proportional"), Integral: f.Number("integral"), Lag: f.Number("lag"),
			Rate: f.Number("rate"), Limit: f.Number("limit")}
		if m.Steering == nil {
			f.FaultOfTable("a path follower needs a table [steering]")
		}
	}
	for _, f := range root.List("stop") {
		m.Stops = append(m.Stops, Stop{Verdict: f.Text("verdict"), When: r.condition(f.Sub("when"))})
	}
}

// chassis reads a text that may be missing in a manoeuvre for any car: the chassis then, and what follows it.
func (r *manoeuvreReader) chassis(f *keys.Fields, key, quantity string) string {
	if !f.Given(key) && r.car != nil {
		if r.car.roles.Chassis == "" {
			r.lack("chassis")
		}
		return r.car.roles.Chassis + quantity
	}
	f.Require(key)
	name := f.Text(key)
	if !roles.Mentions(name) {
		return name
	}
	return r.variable(f.Node(key), name)
}

// torques lists the torques of a speed control; the torques of the throttle, where a manoeuvre for any car names none.
func (r *manoeuvreReader) torques(f *keys.Fields) (inputs []string) {
	if !f.Given("torques") && r.car != nil {
		if r.car.roles.Throttle == nil {
			r.lack("throttle")
			return nil
		}
		return r.car.roles.Throttle.Inputs
	}
	f.Require("torques")
	for _, at := range names(f, "torques") {
		sets, err := r.vehicle().Sets(at.Text)
		if err != nil {
			r.fail(at, err)
		}
		for _, set := range sets {
			inputs = append(inputs, set.Inputs...)
		}
	}
	return inputs
}
