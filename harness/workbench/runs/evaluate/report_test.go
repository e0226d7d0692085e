package evaluate

import (
	"errors"
	"math"
	"regexp"
	"strings"
	"testing"

	"skidpad/harness/library"
	"skidpad/harness/tests/built"
	"skidpad/harness/tests/testrun"
	"skidpad/harness/workbench/runs/manoeuvre"
)

// A report names the vehicle, has another caption for each figure, and judges nothing that no bound is given for.
func TestReportsNameTheVehicleAndEveryFigure(t *testing.T) {
	testrun.Slow(t)
	library, err := library.Open(built.Library(t))
	if err != nil {
		t.Fatal(err)
	}
	e := evaluator(library, genericModel)
	e.Replaced = []manoeuvre.ConstantValue{{Name: "side", Value: 1}}
	e.Mass = func(set []manoeuvre.Setting) float64 { return float64(-len(set)) } // none is known
	result, err := e.Evaluate(built.Manoeuvre("circle_speed"))
	if err != nil {
		t.Fatal(err)
	}
	var page strings.Builder
	if err := result.WriteReport(&page); err != nil {
		t.Fatal(err)
	}
	text := page.String()
	if !strings.Contains(text, "<dt>Vehicle</dt><dd>GenericVehicle</dd>") ||
		strings.Contains(text, "<small>hold</small>") {
		t.Errorf("the heading is\n%.3000s", text[strings.Index(text, "<body>"):])
	}
	hash, err := digest(genericModel)
	if err != nil || len(hash) != 64 {
		t.Fatal(hash, err)
	}
	for _, fact := range []string{"<dt>Model file</dt><dd>generic4w.toml, SHA-256 " + hash[:12] + "</dd>",
		"<dt>Manoeuvre</dt><dd>circle_speed</dd>",
		"<dt>Tires</dt><dd>Pacejka02, pacejka2002.toml (tire_FL tire_FR tire_RL tire_RR)</dd>"} {
		if !strings.Contains(text, fact) {
			t.Errorf("the heading lacks %s", fact)
		}
	}
	const mass = 2077 + 4*38.0 // of body and wheels; nothing lifts the vehicle
	if got := result.carried(); math.Abs(got-mass) > 0.002*mass {
		t.Errorf("the wheels carry %g kg, not %g", got, mass)
	}
	if !strings.Contains(text, "<dt>Mass that the wheels carry in the first second</dt>") {
		t.Error("the heading has no mass")
	}
	result.Mass = 2500 // where a file tells it, with what was set
	page.Reset()
	var data strings.Builder
	if err := errors.Join(result.WriteReport(&page), result.WriteJSON(&data)); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(page.String(), "<dt>Mass</dt><dd>2500 kg</dd>") || !strings.Contains(data.String(),
		`"mass": 2500`) || !strings.Contains(data.String(), `"carried_mass": 22`) {
		t.Errorf("the mass of the vehicle is not in its results: %.600s", data.String())
	}
	captions := map[string]string{}
	for _, c := range regexp.MustCompile(`<b>Figure (\d+)\. ([^<]*)\.</b>`).FindAllStringSubmatch(text, -1) {
		if captions[c[2]] != "" {
			t.Errorf("figures %s and %s are both called %q", captions[c[2]], c[1], c[2])
		}
		captions[c[2]] = c[1]
	}
	if len(captions) < 14 {
		t.Errorf("%d figures", len(captions))
	}
}
