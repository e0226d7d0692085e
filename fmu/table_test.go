package fmu_test

import (
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"skidpad/cosim"
	"skidpad/fmu"
	"skidpad/model/unit"
)

func describe(t *testing.T, model string) *fmu.Table {
	t.Helper()
	s, err := cosim.Load("../resources/models/"+model+".toml", cosim.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return fmu.Describe(s)
}

func reference(t *testing.T, table *fmu.Table, name string) uint32 {
	t.Helper()
	r, ok := table.Find(name)
	if !ok {
		t.Fatalf("no variable %s", name)
	}
	return r
}

func TestEveryVariableHasItsOwnReferenceAndMeaning(t *testing.T) {
	table := describe(t, "skidder")
	for i, v := range table.Variables {
		if _, err := unit.ParseSI(v.Unit); v.Unit != "" && err != nil {
			t.Errorf("%s: %v", v.Name, err)
		}
		if r, ok := table.Find(v.Name); !ok || int(r) != i || v.Reference != r {
			t.Errorf("%s has reference %d, entry %d, found as %d", v.Name, v.Reference, i, r)
		}
	}
	for _, want := range []struct {
		name        string
		kind        fmu.Type
		causality   fmu.Causality
		variability fmu.Variability
		initial     fmu.Initial
		unit        string
		start       float64
		text        string
	}{
		{"front.mass", fmu.Real, fmu.Parameter, fmu.Fixed, fmu.Exact, "kg", 7280, ""},
		{"articulation.angle", fmu.Real, fmu.Input, fmu.Continuous, fmu.None, "rad", 0, ""},
		{"road.mu", fmu.Real, fmu.Input, fmu.Continuous, fmu.None, "1", 1, ""},
		{"tire_FL.Fy_input", fmu.Real, fmu.Input, fmu.Continuous, fmu.None, "N", 0, ""},
		{"front.vx", fmu.Real, fmu.Output, fmu.Continuous, fmu.Exact, "m/s", 10, ""},
		{"tire_FL.Fz", fmu.Real, fmu.Output, fmu.Continuous, fmu.Calculated, "N", 0, ""},
		{"front.ax", fmu.Real, fmu.Output, fmu.Continuous, fmu.Calculated, "m/s2", 0, ""},
		{"tire_FL.contact", fmu.Boolean, fmu.Output, fmu.Discrete, fmu.Calculated, "1", 0, ""},
		{"der(front.vx)", fmu.Real, fmu.Local, fmu.Continuous, fmu.Calculated, "m/s2", 0, ""},
		{"tire_FL.Fz_signed", fmu.Real, fmu.Local, fmu.Continuous, fmu.Calculated, "N", 0, ""},
		{"time", fmu.Real, fmu.Independent, fmu.Continuous, fmu.None, "s", 0, ""},
		{"solver.method", fmu.String, fmu.Parameter, fmu.Fixed, fmu.Exact, "", 0, "rk4"},
		{"tire_FL.model", fmu.String, fmu.Parameter, fmu.Fixed, fmu.Exact, "", 0, "Fiala"},
		{"tire_FL.file", fmu.String, fmu.Parameter, fmu.Fixed, fmu.Exact, "", 0, "../tires/fiala_skidder_front.toml"},
	} {
		v := table.Variables[reference(t, table, want.name)]
		if v.Type != want.kind || v.Causality != want.causality || v.Variability != want.variability ||
			v.Initial != want.initial ||
			v.Unit != want.unit || v.Start != want.start || v.StartText != want.text {
			t.Errorf("%s is %+v, want %+v", want.name, v, want)
		}
	}
}

// Outputs, derivatives and initial unknowns are exactly the sets that the standard
// asks for, in its order.
func TestTheStructureHoldsTheStandardsSets(t *testing.T) {
	table := describe(t, "generic4w")
	var outputs, derivatives, initial []uint32
	states := map[uint32]bool{}
	for _, v := range table.Variables {
		if v.Derivative {
			states[v.State] = true
		}
	}
	for _, v := range table.Variables {
		if v.Causality == fmu.Output {
			outputs = append(outputs, v.Reference)
		}
		if v.Derivative {
			derivatives = append(derivatives, v.Reference)
			if "der("+table.Variables[v.State].Name+")" != v.Name {
				t.Errorf("%s is the derivative of %s", v.Name, table.Variables[v.State].Name)
			}
		}
		if v.Initial == fmu.Calculated && (v.Causality == fmu.Output || v.Derivative || states[v.Reference]) {
			initial = append(initial, v.Reference)
		}
	}
	for _, set := range []struct {
		name string
		got  []fmu.Unknown
		want []uint32
	}{{"outputs", table.Outputs, outputs}, {"derivatives", table.Derivatives, derivatives},
		{"initial unknowns", table.Initial, initial}} {
		var got []uint32
		for _, u := range set.got {
			got = append(got, u.Reference)
			if !slices.IsSorted(u.Dependencies) {
				t.Errorf("dependencies of %d are not sorted", u.Reference)
			}
		}
		if !slices.Equal(got, set.want) {
			t.Errorf("%s: %d entries, want %d", set.name, len(got), len(set.want))
		}
	}
	if len(derivatives) != 36 || len(table.Indicators) != 4 {
		t.Errorf("%d derivatives and %d event indicators, want 36 and 4", len(derivatives), len(table.Indicators))
	}
}

// The load of a tire depends on no input but the motion of its own steering and of the road: steering inclines the
// wheel and moves the contact, from which a function may compute the load. The position of the body depends on itself
// only. The lateral force follows the states and the road's friction.
func TestDependenciesComeFromTheEquations(t *testing.T) {
	table := describe(t, "generic4w")
	on := func(list []fmu.Unknown, name string) []string {
		for _, u := range list {
			if u.Reference == reference(t, table, name) {
				names := []string{}
				for _, d := range u.Dependencies {
					names = append(names, table.Variables[d].Name)
				}
				return names
			}
		}
		t.Fatalf("%s has no entry", name)
		return nil
	}
	if got := on(table.Outputs, "body.x"); !reflect.DeepEqual(got, []string{"body.x"}) {
		t.Errorf("body.x depends on %q", got)
	}
	for _, name := range on(table.Outputs, "tire_FL.Fz") {
		if v := table.Variables[reference(t, table, name)]; v.Causality == fmu.Input &&
			!strings.HasPrefix(name, "road.") && !strings.HasPrefix(name, "steer_FL.") {
			t.Errorf("tire_FL.Fz depends on the input %s", name)
		}
	}
	if got := on(table.Outputs, "tire_FL.Fy"); !slices.Contains(got, "road.mu") ||
		!slices.Contains(got, "tire_FL.q2") || slices.Contains(got, "brake_RR.torque") {
		t.Errorf("tire_FL.Fy depends on %q", got)
	}
	if got := on(table.Derivatives, "der(body.vx)"); !slices.Contains(got, "brake_FL.torque") ||
		slices.Contains(got, "body.x") || slices.Contains(got, "body.mass") {
		t.Errorf("der(body.vx) depends on %q", got)
	}
	if got := on(table.Initial, "tire_FL.Fz"); !slices.Contains(got, "tire_FL.vertical_stiffness") ||
		!slices.Contains(got, "body.z") || slices.Contains(got, "spring_RR.stiffness") {
		t.Errorf("at the start tire_FL.Fz depends on %q", got)
	}
}

func TestTerminalsGroupWhatExists(t *testing.T) {
	table := describe(t, "generic4w")
	var names []string
	seen := map[string]string{}
	for _, terminal := range table.Terminals {
		names = append(names, terminal.Name)
		for _, m := range terminal.Members {
			reference(t, table, m.Variable)
			if other, twice := seen[m.Variable]; twice {
				t.Errorf("%s is a member of %s and %s", m.Variable, other, terminal.Name)
			}
			seen[m.Variable] = terminal.Name
		}
	}
	want := []string{"wheel_FL", "wheel_FR", "wheel_RL", "wheel_RR", "tire_FL", "tire_FR", "tire_RL",
		"tire_RR", "driver"}
	if !slices.Equal(names, want) {
		t.Errorf("terminals %q, want %q", names, want)
	}
	for variable, terminal := range map[string]string{
		"wheel_FL.omega": "wheel_FL", "drive_FL.torque": "wheel_FL", "brake_FL.torque": "driver",
		"steer_FR.angle":   "driver",
		"tire_RL.Fx_input": "tire_RL", "tire_RL.contact": "tire_RL",
	} {
		if seen[variable] != terminal {
			t.Errorf("%s is in terminal %q, want %q", variable, seen[variable], terminal)
		}
	}
}

func TestReferencesOutliveTheSystem(t *testing.T) {
	a, b := describe(t, "generic4w"), describe(t, "generic4w")
	for i, v := range a.Variables {
		if b.Variables[i] != v {
			t.Errorf("entry %d is %+v, then %+v", i, v, b.Variables[i])
		}
	}
	if _, ok := a.Find("body.nothing"); ok {
		t.Error("a variable that does not exist was found")
	}
	if n := testing.AllocsPerRun(100, func() { a.Find("tire_RR.Fz") }); n != 0 {
		t.Errorf("finding a variable allocates %g times", n)
	}
}

// A value that the model computes is refused by its own name.
func TestAComputedValueIsRefusedByItsName(t *testing.T) {
	for _, version := range []fmu.Settings{cs2, cs3} {
		m := instantiate(t, "skidder", version)
		m.SetReal([]uint32{m.ref("tire_FL.Fz")}, []float64{1})
		if n := len(m.Messages); n == 0 ||
			!strings.Contains(m.Messages[n-1].Text, "tire_FL.Fz is computed by the model and cannot be set") {
			t.Errorf("messages %v", m.Messages)
		}
	}
}

// A step over the time limit is logged as a warning; without a limit nothing is.
func TestAStepOverTheTimeLimitIsLogged(t *testing.T) {
	for _, settings := range []fmu.Settings{cs2, cs3} {
		for limit, want := range map[time.Duration]bool{time.Nanosecond: true, time.Hour: false, 0: false} {
			settings.TimeLimit = limit
			m := instantiate(t, "skidder", settings)
			m.initialise(0)
			if _, s := m.DoStep(0, 0.01); s != fmu.OK {
				t.Fatalf("status %d", s)
			}
			logged := slices.ContainsFunc(m.Messages, func(message fmu.Message) bool {
				return message.Category == fmu.LogStatusWarning &&
					strings.Contains(message.Text,
						"longer than the limit of 1e-09 s: no function in a library was called")
			})
			if logged != want {
				t.Errorf("limit %v: messages %v", limit, m.Messages)
			}
		}
	}
}
