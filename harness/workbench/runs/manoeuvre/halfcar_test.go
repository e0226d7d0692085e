package manoeuvre

import (
	"os"
	"strings"
	"testing"
)

// Characteristic values of a half-car need two wheels and three inputs that the manoeuvre sets, and neither phases nor
// steering; what lacks is named with its place.
func TestFiguresOfAHalfCarNameItsWheelsAndInputs(t *testing.T) {
	const path = "../../../../resources/manoeuvres/halfcar_550.toml"
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	m, err := Parse(path, data)
	if err != nil || m.KeyFigures.Inputs["drive"] != "motor.torque" || m.KeyFigures.Rear[1] != "contact_R" {
		t.Fatalf("%v: %+v", err, m)
	}
	for _, c := range []struct{ was, is, says string }{
		{`front = ["disc_F", "contact_F"]`, `front = ["disc_F"]`,
			`:25:1: characteristic values of kind "half-car" need "front": the names of the body of the wheel`},
		{`rear = ["disc_R", "contact_R"]`, ``, `:22:2: characteristic values of kind "half-car" need "rear"`},
		{`drive = "motor.torque"`, `drive = "engine.torque"`, `:27:9: no [[input]] of the manoeuvre sets "engine.torque"`},
		{`friction = "road.mu"`, ``, `figures lacks the key "friction"`},
		{`until = 20.0`, ``, `figures lacks the key "until"`},
		{`until = 20.0`, "until = 20.0\nfollowing = \"trailer\"", `unknown key "following" in figures`},
	} {
		text := strings.Replace(string(data), c.was, c.is, 1)
		if _, err := Parse("half.toml", []byte(text)); err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%q for %q: error %v, want %q", c.is, c.was, err, c.says)
		}
	}
}
