package component

import (
	"skidpad/model/expr"
	"skidpad/model/keys"
	"skidpad/tire"
)

// usualDeflection is the free radius by the deflection of the nominal load.
const usualDeflection = 20

// checkCarcass rejects keys that do not fit the slip method carcass.
func (t *Tire) checkCarcass(s *keys.Fields, relaxation *tire.Kind) {
	if err := tire.CarcassFits(relaxation); err != nil {
		s.Fault("relaxation", "%s.slip.relaxation: %v", t.Name, err)
	}
	if s.Given("low_speed_damping") {
		s.Fault("low_speed_damping", "%s.slip.low_speed_damping adds slip to a delayed one; a carcass has a damper of its "+
			"own: give %s.slip.damping, a share of critical damping", t.Name, t.Name)
	}
}

// checkSlipKeys refuses keys of the method carcass elsewhere.
func (t *Tire) checkSlipKeys(s *keys.Fields) {
	if s.Table == nil {
		return
	}
	for _, name := range []string{"damping", "nominal_load", "stiffness", "friction"} {
		if s.Given(name) && !t.Slip.Carcass {
			s.Fault(name, "%s.slip.%s goes with the method carcass, and with kinematic slip that has no minimum_speed",
				t.Name, name)
		}
	}
	if s.Given("stiffness") != s.Given("friction") {
		s.FaultOfTable("%s.slip: stiffness and friction go together", t.Name)
	}
}

// carcassSlip prepares the call of the force function with a carcass around it, which finds the slip (standstill
// specification, section 2).
func (c *Tire) carcassSlip(v *tireRows, call *ExternalCall) {
	b, p := v.b, v.b.Pool()
	v.values["p1"], v.values["p2"] = p.Sym(c.Name+".p1", expr.State), p.Sym(c.Name+".p2", expr.State)
	v.values["step"] = b.SolverStep()
	v.values["slip_damping"] = b.Settable("slip_damping", "1",
		"share of critical damping of the carcass at standstill", c.Slip.Damping)
	v.values["low_speed"] = b.Scalar("low_speed", "m/s", c.Slip.LowSpeed)
	v.values["axial"] = b.InertiaAbout(c.Frame, b.Unit(b.Axes(c.Frame), c.Axis))
	if v.values["upright"] == nil {
		v.values["upright"] = p.Int(1)
	}
	if c.Slip.TurnSlip {
		v.values["q3"] = p.Sym(c.Name+".q3", expr.State)
	}
	call.Offered = []string{"p1", "p2", "slip_damping", "low_speed", "step", "axial", "upright"}
	if !c.Slip.Delayed {
		s, alpha := c.kinematicSlip(v)
		v.set("kinematic_S", s)
		v.set("kinematic_alpha", alpha)
		call.Offered = append(call.Offered, "kinematic_S", "kinematic_alpha")
	}
	call.Carcass = &tire.CarcassSetting{
		Relaxation: c.Slip.Relaxation.Name, Nominal: c.Slip.NominalLoad.Value, Stiffness: c.Slip.Stiffness.Value,
		Friction: c.Slip.Friction.Value, Radius: c.UnloadedRadius.Value, Turn: c.Slip.TurnSlip,
		Usual: c.VerticalStiffness.Value * c.UnloadedRadius.Value / usualDeflection,
	}
}

// deflect makes the deflections states, with the rates that the call returns.
func (c *Tire) deflect(v *tireRows, returned map[string]*expr.Expr) bool {
	if c.Slip.Delayed {
		if _, ok := v.b.Call(ExternalCall{Role: "relaxation", Function: c.Slip.Relaxation, Inside: true,
			Binds: c.Slip.rates()}); !ok {
			return false
		}
	}
	for _, name := range []string{"S", "alpha", "q1", "q2", "u1", "u2"} {
		v.values[name] = returned[name]
	}
	for i, s := range []struct {
		state, rate, start string
		value              keys.Scalar
	}{{"p1", "p1dot", "q1", c.Slip.Q1}, {"p2", "p2dot", "q2", c.Slip.Q2}} {
		text := "root of twice the energy in the carcass along the heading, with the sign of the deflection"
		if i == 1 {
			text = "the same across the heading"
		}
		v.b.State(OwnState{Key: s.state, Unit: "J^0.5", Text: text, Symbol: v.values[s.state], Rate: returned[s.rate],
			Start: s.value, StartKey: s.start, StartUnit: "1"})
	}
	if c.Slip.TurnSlip {
		v.b.State(OwnState{Key: "q3", Unit: "rad/m", Symbol: v.values["q3"], Rate: returned["q3dot"], Start: c.Slip.Q3})
	}
	return true
}
