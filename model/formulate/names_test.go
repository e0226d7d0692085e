package formulate_test

import (
	"regexp"
	"strings"
	"testing"

	"skidpad/harness/tests/built"
	"skidpad/model/expr"
	"skidpad/model/formulate"
	"skidpad/model/vehicle"
)

// Names of definitions consist of quantity, frame or edge, and axis. No two are alike, and none hides a sign or factor.
func TestNamesOfDefinitions(t *testing.T) {
	valid := regexp.MustCompile(`^[A-Za-z][A-Za-z0-9_]*$`)
	for model, expected := range map[string][]string{
		"generic4w":     {"v_upright_FL_x", "F_tire_FL_z", "R_body_13", "a_corner_FL_y", "F_tire_FL_in_ground_x", "s_body_x"},
		"passenger_car": {"v_carrier_FL_x", "F_tire_FL_z", "R_body_13", "dot_body_vx", "axis_susp_FL_R2_in_kingpin_FL_x"},
		"bicycle":       {"v_head_in_fork_x", "gravity_in_rear_frame_z", "M_rear_frame_x", "b_steer_omega"},
	} {
		m, err := vehicle.Read(built.Path("resources", "models", model+".toml"))
		if err != nil {
			t.Fatal(err)
		}
		f, err := formulate.New(m, formulate.Options{})
		if err != nil {
			t.Fatal(err)
		}
		names, seen := f.Names(), map[string]bool{}
		var roots []*expr.Expr
		for _, s := range f.States() {
			roots = append(roots, s.Rate)
		}
		for i := range f.Calls {
			roots = append(roots, f.Calls[i].Arguments...)
		}
		for _, d := range formulate.Statements(roots) {
			name := names.Of(d)
			if !valid.MatchString(name) || seen[name] || strings.Contains(name, "minus") || strings.Contains(name, "part_of") {
				t.Errorf("%s: a definition is called %s", model, name)
			}
			seen[name] = true
		}
		for _, name := range expected {
			if !seen[name] {
				t.Errorf("%s: no definition is called %s", model, name)
			}
		}
	}
}
