package fmu_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"skidpad/fmu/check"
	"skidpad/fmu/fmutest"
)

// A torque that equations drive is local. FMI 3.0, 2.4.9.2, keeps local variables out of terminals and wants members of
// a plug to have different names, also where two torques act on one hub.
func TestTerminalsHaveTheVariablesOfConnections(t *testing.T) {
	file := filepath.Join(t.TempDir(), "driven.toml")
	if err := os.WriteFile(file, []byte(`base = "generic4w"
name = "Driven"
title = "Vehicle with driven torques"
[component]
motor_FR = { type = "torque-driver", from = "knuckle_FR", to = "tire_FR", axis = "y" }
[component.law]
type = "equations"
inputs = [{ name = "wanted", unit = "N.m", value = 10 }]
outputs = [{ name = "torque", unit = "N.m", value = "wanted", to = ["drive_RL.torque"] }]
`), 0o600); err != nil {
		t.Fatal(err)
	}
	files, archive := fmutest.Pack(t, file, 3)
	packed := filepath.Join(t.TempDir(), "driven.fmu")
	if err := os.WriteFile(packed, archive, 0o600); err != nil {
		t.Fatal(err)
	}
	if findings, err := check.FMU(packed); err != nil || len(findings) > 0 {
		t.Errorf("%v %v", findings, err)
	}
	text := string(files["terminalsAndIcons/terminalsAndIcons.xml"])
	for part, want := range map[string]bool{
		`variableName="drive_RL.torque"`:                        false,
		`variableName="wheel_RL.omega" memberName="omega"`:      true,
		`variableName="drive_RR.torque" memberName="torque"`:    true,
		`variableName="drive_FR.torque" memberName="torque"`:    true,
		`variableName="motor_FR.torque" memberName="motor_FR_t`: true,
	} {
		if strings.Contains(text, part) != want {
			t.Errorf("terminals with %s: want %v in\n%s", part, want, text)
		}
	}
}
