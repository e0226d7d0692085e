package drive

import (
	"fmt"
	"strings"
	"testing"

	"skidpad/harness/library"
	"skidpad/model/document"
	"skidpad/model/roles"
)

// If the vehicle lacks a variable that a role names, or whose component a role names, Located prefixes the error with
// file, line and column of that name. Located returns other errors unchanged.
func TestMissingRoleVariablesAreLocated(t *testing.T) {
	root, err := document.Parse([]byte(`[roles]
chassis = "body"
axles = [["tire_LF"]]
`), "mine.toml")
	if err != nil {
		t.Fatal(err)
	}
	faults := document.Faults{File: "mine.toml"}
	vehicle := roles.Read(root.Field("roles"), &faults)
	if err := faults.Err(); err != nil {
		t.Fatal(err)
	}
	unknown := fmt.Errorf("prerun: %w", &library.UnknownVariable{Name: "tire_LF.Fz"})
	if err := Located(unknown, vehicle); err == nil || !strings.Contains(err.Error(),
		`mine.toml:3:11: roles.axles is "tire_LF": prerun: the model has no variable "tire_LF.Fz"`) {
		t.Error(err)
	}
	for _, err := range []error{nil, &library.UnknownVariable{Name: "tire_LFX.Fz"}, fmt.Errorf("tire_LF.Fz")} {
		if got := Located(err, vehicle); got != err {
			t.Errorf("Located(%v) = %v, want the same error", err, got)
		}
	}
	if got := Located(unknown, nil); got != unknown {
		t.Errorf("without roles: %v, want the same error", got)
	}
}
