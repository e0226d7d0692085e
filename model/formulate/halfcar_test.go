package formulate_test

import (
	"encoding/json"
	"math"
	"os"
	"testing"

	"skidpad/model/formulate"
	"skidpad/model/program"
	"skidpad/model/vehicle"
)

// halfcarPoint is the half-car at one moment (half-car specification, section 5), computed with the
// source's own formulas in another program.
type halfcarPoint struct {
	Tmax      float64 `json:"Tmax"`
	T         float64
	Q         []float64
	Qd        []float64
	Qdd       []float64
	Fz        []float64
	S         []float64
	Mu        float64
	H         []float64
	B         []float64 `json:"b_without_gamma"`
	A, M      [][]float64
	Traction  []float64
	Stab      []float64
	Sliding   []float64
	ContactFx []float64 `json:"contact_Fx"`
}

func TestHalfCarPoint(t *testing.T) {
	var all struct {
		Point halfcarPoint `json:"point_evaluation"`
	}
	data, err := os.ReadFile("testdata/halfcar_point.json")
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(data, &all); err != nil {
		t.Fatal(err)
	}
	want := all.Point
	m, err := vehicle.Read("../../resources/models/halfcar.toml")
	if err != nil {
		t.Fatal(err)
	}
	p, k := machine(t, m, formulate.Options{})
	x, u := make([]float64, 14), make([]float64, len(p.Inputs))
	for i, v := range p.Inputs {
		u[i] = v.Start
		switch v.Name {
		case "motor.torque":
			u[i] = want.Tmax * math.Tanh(2*want.T)
		case "road.mu":
			u[i] = want.Mu
		case "brake_F.torque", "brake_R.torque": // (35), as corrected; t_f = 30 s
			u[i] = 50.0 / 4 * (1 + math.Tanh(want.T-22.5)) * (1 - math.Tanh(want.T-22.5-30))
		}
	}
	copy(x, want.Qd)
	copy(x[7:], want.Q)
	dx, y := make([]float64, 14), make([]float64, len(p.Outputs))
	k.Derivatives(0, x, u, dx)
	k.Outputs(y)
	compare := func(what string, got, want, tolerance float64) {
		t.Helper()
		if !(math.Abs(got-want) <= tolerance*max(1, math.Abs(want))) {
			t.Errorf("%s = %.15g, expected %.15g", what, got, want)
		}
	}
	for i := range want.Qdd {
		compare("acceleration of "+p.States[i].Name, dx[i], want.Qdd[i], 1e-12)
	}
	for i, end := range []string{"F", "R"} {
		for name, list := range map[string][]float64{
			"wheel_" + end + ".Fz": want.Fz, "wheel_" + end + ".stiction": want.S, "traction_" + end + ".force": want.Traction,
			"sliding_" + end + ".force": want.Sliding, "stabilisation_" + end + ".force": want.Stab,
			"contact_" + end + ".force": want.ContactFx,
		} {
			compare(name, y[output(p, name)], list[i], 1e-12)
		}
		compare("slip", y[output(p, "wheel_"+end+".slip_speed")], -want.H[2*i], 1e-13)
	}
	// mass matrix, rows of the constraints and their demands, in the order of the publication
	f, err := formulate.New(m, formulate.Options{})
	if err != nil {
		t.Fatal(err)
	}
	at := symbolValues(f, p, x, u)
	for i := range 7 {
		for k := range 7 {
			compare("M", at.Value(f.Mass[i][k]), want.M[i][k], 1e-13)
		}
	}
	for i, name := range []string{"contact_F_rolling", "contact_F_normal", "contact_R_rolling", "contact_R_normal"} {
		for _, c := range f.Constraints {
			if c.Name != name {
				continue
			}
			compare("b of "+name, -at.Value(c.Bias), want.B[i], 1e-12)
			compare("h of "+name, at.Value(c.Velocity), want.H[i], 1e-13)
			for k := range 7 {
				compare("A of "+name, at.Value(c.Row[k]), want.A[i][k], 1e-13)
			}
		}
	}
}

func output(p *program.Program, name string) int {
	for i, v := range p.Outputs {
		if v.Name == name {
			return i
		}
	}
	return -1
}
