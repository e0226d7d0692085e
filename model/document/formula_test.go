package document

import "testing"

func TestHints(t *testing.T) {
	formulas := []Formula{
		NewFormula("body.inertia.xx", "2*k + m*k", []string{"k", "m", "k"}), NewFormula("arm.translation[2]", "1/3", nil),
	}
	names := []string{"body.vx", "body.yaw"}
	for name, want := range map[string]string{
		"body.vy": `; did you mean "body.vx"?`, "wheel.omega": "",
		"body.inertia_xx": `: the model file has the formula "2*k + m*k" there; set k or m`,
		"arm.translation": `; did you mean "arm.translation_z"? It cannot be set: the model file has the formula "1/3" ` +
			"there; write a number in its place",
	} {
		if got := Hint(name, names, formulas); got != want {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
}
