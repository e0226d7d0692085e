package manoeuvre

import (
	"slices"
	"strings"
	"testing"
)

// A manoeuvre selects the recorded variables of any vehicle by roles, and so can a manoeuvre of one vehicle.
func TestManoeuvresSelectRecordedVariables(t *testing.T) {
	text := strings.Replace(forAnyCar, "[constants]", "record = [\"@chassis.*\", \"-@chassis.z\"]\n[constants]", 1)
	m, err := ReadFor(Target{Model: "Toy"}, toyCars(t, text, toyCarFile))
	if err != nil {
		t.Fatal(err)
	}
	if notes := m.CarNotes(); len(notes) != 1 || !strings.Contains(notes[0], "toy.toml, which lists Toy") {
		t.Errorf("the note of a car file that is found by the name of the model: %q", notes)
	}
	if !slices.Equal(m.Record, []string{"@chassis.*", "-@chassis.z"}) || m.Roles.Chassis != "body" {
		t.Errorf("record %q, roles %+v", m.Record, m.Roles)
	}
}
