package drive_test

import (
	"slices"
	"strings"
	"testing"

	"skidpad/harness/library"
	"skidpad/harness/tests/built"
	"skidpad/harness/tests/testrun"
	"skidpad/harness/workbench/runs/drive"
	"skidpad/harness/workbench/runs/manoeuvre"
	"skidpad/model/roles"
)

// A pattern sets all that match, and a name with * at its end multiplies the present value: with the same bits as the
// numbers themselves. Texts come first, and settings of the manoeuvre before those of the user.
func TestPatternsSetSeveralParameters(t *testing.T) {
	testrun.Slow(t)
	library, err := library.Open(built.Library(t))
	if err != nil {
		t.Fatal(err)
	}
	var done []manoeuvre.Setting
	last := func(pairs ...string) ([]float64, error) {
		vehicle, err := library.Load(built.Model("generic4w"), "")
		if err != nil {
			t.Fatal(err)
		}
		defer vehicle.Close()
		m, err := manoeuvre.Read(built.Manoeuvre("generic4w_sine"))
		if err != nil {
			t.Fatal(err)
		}
		var settings []manoeuvre.Setting
		for _, pair := range pairs {
			at := strings.LastIndex(pair, "=")
			setting, err := manoeuvre.ParseSetting("--set", pair[:at], pair[at+1:])
			if err != nil {
				t.Fatal(err)
			}
			settings = append(settings, setting)
		}
		m.Roles = &roles.Roles{Chassis: "body", Axles: []roles.Axle{{Left: []roles.Wheel{{Tire: "tire_FL"}},
			Right: []roles.Wheel{{Tire: "tire_FR"}}}}}
		result, err := drive.Simulate(vehicle, drive.Plan{Manoeuvre: m, Duration: 2, Settings: settings})
		if err != nil {
			return nil, err
		}
		done = result.Settings
		var row []float64
		for _, values := range result.Trace.Values {
			row = append(row, values[len(values)-1])
		}
		return row, nil
	}
	same := func(what string, one, other []string, equal bool) {
		a, err := last(one...)
		if err != nil {
			t.Fatal(what, err)
		}
		b, err := last(other...)
		if err != nil {
			t.Fatal(what, err)
		}
		if slices.Equal(a, b) != equal {
			t.Errorf("%s: %v and %v; equal should be %v", what, one, other, equal)
		}
	}
	four := []string{"tire_FL.LMUY=0.8", "tire_FR.LMUY=0.8", "tire_RL.LMUY=0.8", "tire_RR.LMUY=0.8"}
	same("a pattern", []string{"tire_*.LMUY=0.8"}, four, true)
	same("of two", []string{"tire_F?.LMUY=0.8"}, four[:2], true)
	same("and not of four", []string{"tire_F?.LMUY=0.8"}, four, false)
	same("twice 0.5 of 1.6", []string{"tire_*.LMUY=1.6", "tire_*.LMUY*=0.5"}, four, true)
	same("roles", []string{"@wheel[*].LMUY=0.4", "@wheel[1L].LMUY*=2", "@wheel[1R].LMUY*=2"}, four[:2], true)
	same("a role", []string{"@chassis.mass=2000"}, []string{"body.mass=2000"}, true)
	same("a factor in percent", []string{"body.mass*=150 %"}, []string{"body.mass=3115.5"}, true)
	same("a unit", []string{"body.mass=2.3 t"}, []string{"body.mass=2300"}, true)
	same("of a role", []string{"@chassis.mass=2.3 t"}, []string{"body.mass=2300"}, true)
	same("of a pattern", []string{"tire_*.LMUY=80 %"}, four, true)
	same("a factor of the start", []string{"body.mass*=1.5"}, []string{"body.mass=3115.5"}, true)
	fiala := func(prefix string) (list []string) {
		return []string{prefix + ".model=Fiala", prefix + ".file=../tires/fiala_generic4w.toml"}
	}
	one := slices.Concat(fiala("tire_FL"), fiala("tire_FR"), fiala("tire_RL"), fiala("tire_RR"))
	same("texts", fiala("tire_*"), one, true)
	same("texts of roles", fiala("@wheel[1L]"), one[:2], true)
	same("texts of two", fiala("tire_F?"), one, false)
	// what was set is known by the names of variables
	if _, err := last("tire_?L.LMUY=1.6", "@wheel[1L].LMUY*=0.5", "tire_FL.model=Pacejka02",
		"body.mass=2.3 t"); err != nil {
		t.Fatal(err)
	}
	var list []string
	for _, s := range done {
		list = append(list, s.Name+"="+s.Value)
	}
	if got := strings.Join(list, " "); got != "tire_FL.model=Pacejka02 "+
		"tire_FL.LMUY=1.6 tire_RL.LMUY=1.6 tire_FL.LMUY=0.8 "+
		"body.mass=2300" {
		t.Errorf("settings %s", got)
	}
	for setting, says := range map[string]string{
		"tire_*.LMUX2=1": `no parameter matches "tire_*.LMUX2"; tire_* has tire_FL.`, "body.mass*=heavy": "a number " +
			"without a unit",
		"tire_*.fil=a.toml":   `no text matches "tire_*.fil"; tire_* has tire_FL.model, tire_FL.file, tire_FR.model, `,
		"tire_*.LMUY=low":     `no text matches "tire_*.LMUY"; tire_* has tire_FL.model, `,
		"tire_*.model*=x":     "multiplies what tire_*.model is; it takes a number",
		"spring_*.stifness=1": `no parameter matches "spring_*.stifness"; spring_* has spring_FL.stiffness, `,
		"coil_*.stiffness=1":  `no parameter matches "coil_*.stiffness"; stiffness stands in spring_FL.stiffness, `,
		"*.LMUX2=1":           `no parameter matches "*.LMUX2"; an FMU has the coefficients of tires that its model `,
		"body.mass=2 N":       `--set: "body.mass" is "2 N": N is not a unit for what must be in kg`,
		"tire_*.LMUY=1 m":     "m is not a unit for what must be in 1", "body.mass*=2 kg": "a number without a unit",
		"@chassis.mass=1 m":  "m is not a unit for what must be in kg",
		"@trailer[1].mass=2": `needs the role "trailer"`, "@chasis.mass=1": "did you mean @chassis?",
		"tire_[.LMUY*?=1": "syntax error", "body.mas*=2": `no variable "body.mas"; did you mean "body.mass"?`,
	} {
		if _, err := last(setting); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%s: %v; want %s", setting, err, says)
		}
	}
}
