package fmu_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"skidpad/fmu/check"
	"skidpad/fmu/fmutest"
)

// terminalsOf packs a model for FMI 3.0, checks the FMU, and returns its terminals.
func terminalsOf(t *testing.T, model string) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "model.toml")
	if err := os.WriteFile(file, []byte(model), 0o600); err != nil {
		t.Fatal(err)
	}
	files, archive := fmutest.Pack(t, file, 3)
	packed := filepath.Join(t.TempDir(), "model.fmu")
	if err := os.WriteFile(packed, archive, 0o600); err != nil {
		t.Fatal(err)
	}
	if findings, err := check.FMU(packed); err != nil || len(findings) > 0 {
		t.Errorf("%v %v", findings, err)
	}
	return string(files["terminalsAndIcons/terminalsAndIcons.xml"])
}

// expectParts compares which parts a text has.
func expectParts(t *testing.T, text string, parts map[string]bool) {
	t.Helper()
	for part, want := range parts {
		if strings.Contains(text, part) != want {
			t.Errorf("terminals with %s: want %v in\n%s", part, want, text)
		}
	}
}

// A torque that equations drive is local. FMI 3.0, 2.4.9.2, keeps local variables out of terminals and wants members of
// a plug to have different names, also where two torques act on one hub.
func TestTerminalsHaveTheVariablesOfConnections(t *testing.T) {
	text := terminalsOf(t, `base = "generic4w"
name = "Driven"
title = "Vehicle with driven torques"
[component]
motor_FR = { type = "torque-driver", from = "knuckle_FR", to = "tire_FR", axis = "y" }
[component.law]
type = "equations"
inputs = [{ name = "wanted", unit = "N.m", value = 10 }]
outputs = [{ name = "torque", unit = "N.m", value = "wanted", to = ["drive_RL.torque"] }]
`)
	expectParts(t, text, map[string]bool{
		`variableName="drive_RL.torque"`:                        false,
		`variableName="wheel_RL.omega" memberName="omega"`:      true,
		`variableName="drive_RR.torque" memberName="torque"`:    true,
		`variableName="drive_FR.torque" memberName="torque"`:    true,
		`variableName="motor_FR.torque" memberName="motor_FR_t`: true,
		`"inflow"`: false,
	})
}

// A source with an input is a plug: the input and its partner. A positive flow enters the FMU (FMI 3.0, 2.4.9.2). A
// source has no plug if the model gives or drives its value.
func TestSourcesWithInputsArePlugs(t *testing.T) {
	const signal, inflow = `" variableKind="signal"/>`, `" variableKind="inflow"/>`
	text := terminalsOf(t, `name = "Plugs"
[component]
feed = { type = "voltage-source", to = "box", voltage = "input" }
weak = { type = "voltage-source", to = "far", voltage = "input", resistance = 0.1 }
consumer = { type = "current-source", from = "box", to = "far", current = "input" }
given = { type = "voltage-source", to = "lamp", voltage = 12 }
course = { type = "current-source", to = "lamp", current = "3*sin(time)" }
lamp = { type = "resistor", from = "lamp", resistance = 2 }
pedal = { type = "pressure-source", to = "master", pressure = "input" }
driven = { type = "flow-source", from = "master", flow = "input" }
supply = { type = "flow-source", to = "master", flow = "input" }
leak = { type = "valve", from = "master", k = 1e-9, opening = "input" }
air = { type = "temperature-source", to = "oil", temperature = "input", resistance = 0.2 }
stove = { type = "heat-source", to = "oil", heat = "input" }
oil = { type = "heat-capacity", from = "oil", capacity = 900, start = { temperature = 300 } }
[component.law]
type = "equations"
outputs = [{ name = "flow", unit = "m3/s", value = "wanted", to = ["driven.flow"] }]
inputs = [{ name = "wanted", unit = "m3/s", value = 1e-5 }]
`)
	expectParts(t, text, map[string]bool{
		`name="feed" matchingRule="plug" terminalKind="org.skidpad.electrical"`: true,
		`variableName="feed.voltage" memberName="voltage` + signal:              true,
		`variableName="feed.current" memberName="current` + inflow:              true,
		`variableName="weak.voltage" memberName="voltage` + signal:              true,
		`variableName="weak.current" memberName="current` + inflow:              true,
		`variableName="consumer.voltage" memberName="voltage` + signal:          true,
		`variableName="consumer.current" memberName="current` + inflow:          true,
		`name="pedal" matchingRule="plug" terminalKind="org.skidpad.hydraulic"`: true,
		`variableName="pedal.pressure" memberName="pressure` + signal:           true,
		`variableName="pedal.flow" memberName="flow` + inflow:                   true,
		`variableName="supply.pressure" memberName="pressure` + signal:          true,
		`variableName="supply.flow" memberName="flow` + inflow:                  true,
		`name="air" matchingRule="plug" terminalKind="org.skidpad.thermal"`:     true,
		`variableName="air.temperature" memberName="temperature` + signal:       true,
		`variableName="air.heat" memberName="heat` + inflow:                     true,
		`variableName="stove.temperature" memberName="temperature` + signal:     true,
		`variableName="stove.heat" memberName="heat` + inflow:                   true,
		`"given"`: false, `"course"`: false, `"driven"`: false, `"leak"`: false, `"driver"`: false,
	})
}
