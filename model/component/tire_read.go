package component

import (
	"math"
	"slices"
	"strings"

	"skidpad/model/keys"
	"skidpad/tire"
)

func readTire(h keys.Header, f *keys.Fields) Component {
	t := &Tire{
		Header: h, Frame: f.Frame("frame", h.Name), Road: f.Text("road"),
		Mass: f.Scalar("mass"), Axis: 1, Sequence: f.Text("sequence"), Speeds: f.Text("speeds"),
		UnloadedRadius:    f.Scalar("unloaded_radius"),
		VerticalStiffness: f.Scalar("vertical_stiffness"),
		VerticalDamping:   f.Scalar("vertical_damping"),
	}
	j := f.Sub("inertia")
	t.Inertia = Inertia{Axisymmetric: true, Axis: t.Axis, Axial: j.Scalar("axial"), Transverse: j.Scalar("transverse"),
		Unphysical: j.Text(allowUnphysical.Name) == "yes", at: f.Position("inertia")}
	if force := f.Sub("force"); force.Table != nil {
		t.Force = tireFunction(force, f.Text("side"), t.ownRadius(), "Fx", "Fy", "Mx", "My", "Mz")
	}
	t.readRollingRadius(f)
	t.readSizes(f)
	t.readContact(f)
	t.readSlip(f)
	t.readEnveloping(f)
	t.readBore(f)
	t.readExposed(f)
	t.readPower(f)
	return t
}

func (t *Tire) readRollingRadius(f *keys.Fields) {
	r := f.Sub("rolling_radius")
	t.RollingRadius = RollingRadius{r.Text("method"), r.Scalar("Fz0"), r.Scalar("B"), r.Scalar("D"), r.Scalar("F")}
	for _, name := range []string{"Fz0", "B", "D", "F"} {
		if r.Table != nil && r.Given(name) != (t.RollingRadius.Method == "load-dependent") {
			r.FaultOfTable("%s.rolling_radius: Fz0, B, D and F go with the method load-dependent, all of them and "+
				"there only (%s)", t.Name, name)
			break
		}
	}
}

func (t *Tire) readExposed(f *keys.Fields) {
	n := f.Node("expose")
	for i, name := range f.Texts("expose") {
		at := n.Items[i]
		t.Exposed = append(t.Exposed, Exposed{name, keys.Position{File: at.File, Line: at.Line, Column: at.Column}})
	}
}

func (t *Tire) readSlip(f *keys.Fields) {
	s := f.Sub("slip")
	method := s.Text("method")
	t.Slip = Slip{Delayed: method == "delayed" || method == "carcass",
		Carcass:      method == "carcass" || method == "kinematic" && !s.Given("minimum_speed"),
		MinimumSpeed: s.Scalar("minimum_speed"),
		LowSpeed:     s.Scalar("low_speed"), LowSpeedDamping: s.Scalar("low_speed_damping"), Q1: s.Scalar("q1"),
		Q2: s.Scalar("q2"), Q3: s.Scalar("q3"), Damping: s.Scalar("damping"), NominalLoad: s.Scalar("nominal_load"),
		Stiffness: s.Scalar("stiffness"), Friction: s.Scalar("friction")}
	if !s.Given("minimum_speed") {
		t.Slip.MinimumSpeed = keys.Scalar{Value: 0.005, Text: "0.005", Positive: true}
	}
	switch {
	case s.Table == nil:
	case t.Slip.Delayed && !s.Given("relaxation"):
		s.FaultOfTable("%s.slip is %s and lacks the key \"relaxation\" (function with file or parameters)", t.Name, method)
	case t.Slip.Delayed:
		t.Slip.Relaxation = tireFunction(s.Sub("relaxation"), f.Text("side"), t.ownRadius(), "q1dot", "q2dot")
		kind, err := tire.Lookup(t.Slip.Relaxation.Name)
		t.readStates(s, kind)
		if err == nil && t.Slip.Carcass {
			t.checkCarcass(s, kind)
		}
	default:
		for _, name := range []string{"relaxation", "states"} {
			if s.Given(name) {
				s.Fault(name, "%s.slip.%s goes with the methods delayed and carcass only", t.Name, name)
			}
		}
	}
	t.checkSlipKeys(s)
}

// readStates finds how many slips have a delay: as many as the relaxation function has rates, nil where it is unknown,
// or as the file says.
func (t *Tire) readStates(s *keys.Fields, relaxation *tire.Kind) {
	own := relaxation != nil && slices.Contains(relaxation.Outputs, "q3dot")
	states := s.Scalar("states")
	if t.Slip.TurnSlip = own; !s.Given("states") {
		return
	}
	switch {
	case states.Value != 2 && states.Value != 3:
		s.Fault("states", "%s.slip.states is %s; it must be 2 (q1, q2) or 3 (also q3, turn slip)", t.Name, states.Text)
	case own && states.Value == 2:
		s.Fault("states", "%s.slip.states is 2, and the relaxation function %s has three states: it returns %s; here %s are "+
			"needed. Leave states out, or take another function", t.Name, relaxation.Name,
			strings.Join(relaxation.Outputs, ", "), strings.Join(tire.SlipRates[:2], ", "))
	default:
		t.Slip.TurnSlip = states.Value == 3
	}
}

func (t *Tire) readEnveloping(f *keys.Fields) {
	if e := f.Sub("enveloping"); e.Table != nil {
		points := e.Scalar("points")
		if n := points.Value; n != math.Trunc(n) || n < 2 || n > mostPoints {
			f.FaultAt(points.Pos, "%s.enveloping.points is %s; it must be a whole number from 2 to %d", t.Name,
				points.Text, mostPoints)
		}
		t.Enveloping = &Enveloping{e.Scalar("length"), e.Scalar("width"), int(points.Value)}
	}
}

// mostPoints bounds the rows of points of a footprint.
const mostPoints = 20
