package manoeuvre

import (
	"strings"
	"testing"
)

// A setting is a number in SI units, whatever unit it is given in, or a text; names of files are texts.
func TestSettingsHaveUnits(t *testing.T) {
	for _, c := range []struct{ name, text, value, unit string }{
		{"body.mass", "1100 kg", "1100", "kg"}, {"front_bar", "5.4 N/mm", "5400", "N/m"}, {"body.vx", "36 km/h", "10", "m/s"},
		{"body.mass", "1100", "1100", ""}, {"tire_FL.model", "Fiala", "Fiala", ""}, {"road.file", "3 roads.csv", "3 " +
			"roads.csv", ""},
		{"road.formula", "0.1*sin(x)", "0.1*sin(x)", ""},
	} {
		s, err := ParseSetting("--set", c.name, c.text)
		if err != nil || s.Name != c.name || s.Value != c.value || s.Written.SI() != c.unit {
			t.Errorf("%s=%s: %+v, %v", c.name, c.text, s, err)
		}
	}
	for text, want := range map[string]string{
		"1100 kgs": `--set: "body.mass" is "1100 kgs": unit "kgs" is not known; did you mean kg?`,
		"1100kg":   `write "1100 kg"`, "1,1 t": `write "1.1 t"`, "1e308 t": "it must be finite",
		"1e400": `--set: "body.mass" is "1e400": 1e400 is not a finite number`, "-inf kg": "-inf is not a finite number",
		"NaN": "NaN is not a finite number",
	} {
		if _, err := ParseSetting("--set", "body.mass", text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v; want %s", text, err, want)
		}
	}
}

// A constant that replaces one of the file can have the unit of the file's constant or the unit of its use.
func TestConstantsThatReplaceHaveUnits(t *testing.T) {
	given := func(name, text string) ConstantValue {
		setting, err := ParseSetting("--let", name, text)
		if err != nil {
			t.Fatal(err)
		}
		return ConstantValue{Name: name, Value: map[string]float64{"18 km/h": 5, "3 kg": 3, "1 rad": 1}[text],
			Written: setting.Written}
	}
	plain := strings.Replace(measured, `speed = "36 km/h"`, "speed = 10", 1)
	for _, text := range []string{measured, plain} {
		m, err := Parse("measured.toml", []byte(text), given("speed", "18 km/h"))
		if err != nil || m.Start[0].Value != 5 {
			t.Errorf("%v", err)
		}
	}
	for _, c := range []struct {
		text, name, value, want string
	}{
		{measured, "speed", "3 kg", `measured.toml:6:9: --let: "speed" is "3 kg": kg is not a unit for what must be in m/s`},
		{measured, "delta", "3 kg", `--let: "delta" is "3 kg": kg is not a unit for what must be in rad`},
		{plain, "speed", "1 rad", `phase[0].speed.value is "speed": rad is not a unit for what must be in m/s`},
	} {
		if _, err := Parse("measured.toml", []byte(c.text), given(c.name, c.value)); err == nil ||
			!strings.Contains(err.Error(), c.want) {
			t.Errorf("%s = %s: %v; want %s", c.name, c.value, err, c.want)
		}
	}
}
