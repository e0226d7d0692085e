package component

import (
	"skidpad/model/expr"
	"skidpad/model/graph"
	"skidpad/model/keys"
)

var tireForcesType = Type{
	Word: "tire-forces",
	Text: "force function of a tire alone; the inputs that it requests are inputs of the model",
	Keys: []keys.Key{
		{Name: "side", Shape: keys.WordShape, Optional: true, Choices: []string{"left", "right"},
			Mirror: keys.Side,
			Text: "side on which the tire is mounted; a property file for the other side is mirrored; default: the side of " +
				"the file"},
		forceKey,
	},
	Read: readTireForces,
}

// TireForces is the force function of a tire alone: its requested quantities are inputs.
type TireForces struct {
	keys.Header
	Force TireFunction
}

func readTireForces(h keys.Header, f *keys.Fields) Component {
	t := &TireForces{Header: h}
	if force := f.Sub("force"); force.Table != nil {
		t.Force = tireFunction(force, f.Text("side"), 0, "Fx", "Fy", "Mx", "My", "Mz")
	}
	return t
}

func (*TireForces) Frames() Frames { return Frames{} }

// Edges: they move no frame.
func (*TireForces) Edges(*Scope) []graph.Edge { return nil }

// Check has nothing to add to the keys.
func (*TireForces) Check(*Scope, *keys.Reader) {}

// askable are the intermediates that every function of a tire can ask for, whichever is in use: a
// function is exchanged without a new formulation. They have a name as variables, too.
var askable = []struct{ name, variable, unit, text string }{
	{"Fz", "Fz", "N", "normal force of the road on the tire, 0 in the air"},
	{"S", "kappa", "1", "longitudinal slip, positive when the wheel spins faster than in free rolling"},
	{"alpha", "alpha", "rad", "slip angle, positive when the contact point moves to the left"},
	{"Omega", "Omega", "rad/s", "spin, positive when rolling forward"},
	{"gamma", "gamma", "rad", "inclination, positive when leaning to the right"},
	{"Reff", "R_eff", "m", "effective rolling radius"},
	{"Rl", "R_l", "m", "loaded radius"},
	{"VCx", "VCx", "m/s", "velocity of the wheel centre, along the heading"},
	{"VCy", "VCy", "m/s", "velocity of the wheel centre, to the left"},
	{"VPx", "VPx", "m/s", "velocity of the contact point, along the heading"},
	{"VPy", "VPy", "m/s", "velocity of the contact point, to the left"},
	{"VEx", "VEx", "m/s", "slip velocity on the effective radius"},
	{"VPxs", "VPxs", "m/s", "VPx without the part of the spin"},
	{"VExs", "VExs", "m/s", "VEx without the part of the spin"},
	{"wn", "wn", "rad/s", "angular velocity of the wheel about the normal of the road"},
	{"mu", "mu", "1", "friction of the road relative to nominal"},
	{"direction", "direction", "1", "direction of travel, 1 forward, -1 in reverse, between them smooth"},
	{"Rs", "Rs", "m", "distance of the contact point to the left of the wheel centre"},
	{"depth", "depth", "m", "distance of the contact point below the wheel centre"},
	{"sinking", "sinking", "m/s", "velocity of the wheel centre towards the road"},
	{"wx", "wx", "rad/s", "angular velocity of the wheel about the heading"},
}

// askable lists the quantities that the functions of a tire can request.
func (c *Tire) askable(v *tireRows) []string {
	var names []string
	for _, a := range askable {
		if v.values[a.name] != nil { // the call of a carcass returns its slips
			names = append(names, a.name)
		}
	}
	if c.Slip.Delayed && !c.Slip.Carcass {
		names = append(names, "q1", "q2")
	}
	if c.Slip.TurnSlip {
		names = append(names, "q3")
	}
	return names
}

// offered lists the quantities that a tire's force function can request. offered also makes the inputs through which an
// importer replaces the force function.
func (c *Tire) offered(v *tireRows) []string {
	names := c.askable(v)
	for _, a := range askable {
		if v.values[a.name] != nil {
			v.b.Offer(a.variable, v.values[a.name])
		}
	}
	for _, o := range []struct{ name, unit, text string }{
		{"Fx_input", "N", "longitudinal force"}, {"Fy_input", "N", "lateral force"},
		{"Mx_input", "N.m", "overturning moment"}, {"My_input", "N.m", "rolling resistance moment"},
		{"Mz_input", "N.m", "aligning moment"},
	} {
		text := o.text + " of the road on the tire, if the tire's function is inputs"
		v.values[o.name] = v.b.Input(o.name, o.unit, text, 0)
		names = append(names, o.name)
	}
	return names
}

// contactForces are the results of every force function.
var contactForces = [...]string{"Fx", "Fy", "Mx", "My", "Mz"}

// Law is the call of the force function, whose arguments are inputs of the model.
func (c *TireForces) Law(b Builder) {
	values := map[string]*expr.Expr{}
	var offered []string
	for _, a := range askable {
		start := 0.0
		if a.name == "mu" || a.name == "direction" {
			start = 1
		}
		values[a.name] = b.Input(a.variable, a.unit, a.text, start)
		offered = append(offered, a.name)
	}
	force, _ := b.Call(ExternalCall{
		Role: "force", Function: c.Force, Values: values, Offered: offered, Binds: contactForces[:],
	})
	publishForces(b, force)
}

// publishForces publishes the results of a force function.
func publishForces(b Builder, force map[string]*expr.Expr) {
	for _, o := range []struct{ name, unit, text string }{
		{"Fx", "N", "longitudinal force of the road on the tire"},
		{"Fy", "N", "lateral force of the road on the tire"},
		{"Fz", "N", "normal force of the road on the tire"},
		{"Mx", "N.m", "overturning moment of the road on the tire about the contact point"},
		{"My", "N.m", "rolling resistance moment of the road on the tire"},
		{"Mz", "N.m", "aligning moment of the road on the tire"},
	} {
		if e := force[o.name]; e != nil {
			b.Publish(o.name, o.unit, o.text, e)
		}
	}
}
