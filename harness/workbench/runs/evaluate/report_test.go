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
	"skidpad/harness/workbench/results/figures"
	"skidpad/harness/workbench/runs/constants"
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
		`"mass": 2500`) || !strings.Contains(data.String(), `"carried_mass": 22`) ||
		!strings.Contains(data.String(), `"kind": "steady-circle-speed"`) ||
		!strings.Contains(data.String(), `"regression_to": 4`) ||
		!strings.Contains(data.String(), `"steering_factor": 16`) {
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

// A report begins with the answer; then follow the plots of the test, the changes against the files, and the folded
// sections, in this order.
func TestReportsBeginWithTheAnswer(t *testing.T) {
	testrun.Slow(t)
	library, err := library.Open(built.Library(t))
	if err != nil {
		t.Fatal(err)
	}
	e := evaluator(library, genericModel, manoeuvre.Setting{Name: "body.mass", Value: "2100"})
	e.Replaced = []manoeuvre.ConstantValue{{Name: "deceleration", Value: 4}}
	result, err := e.Evaluate(built.Manoeuvre("brake"))
	if err != nil {
		t.Fatal(err)
	}
	var page strings.Builder
	if err := result.WriteReport(&page); err != nil {
		t.Fatal(err)
	}
	distance, _ := shown(result.Runs[0].Figures[2])
	text := page.String()
	at := strings.Index(text, "<body>")
	for _, part := range []string{`<div class="answer">`, "<b>distance</b>", ">" + distance + " <small>m</small>",
		"1 run, complete; no warnings", "<h2>What the test is about</h2>", "Speed over the way of braking",
		"<td class=\"\">deceleration</td><td class=\"\">4 m/s2</td><td class=\"\">--let</td>",
		"<td class=\"\">body.mass</td><td class=\"\">2100</td><td class=\"\">--set, in the model file 2077</td>",
		"<details><summary><h2>Values of the runs</h2>", "<details><summary><h2>Other plots</h2>",
		"<details><summary><h2>Constants</h2>"} {
		next := strings.Index(text[at:], part)
		if next < 0 {
			t.Fatalf("the page lacks %s behind what comes before it", part)
		}
		at += next
	}
	if rest := text[at:]; !strings.Contains(rest,
		"<td class=\"\">speed</td><td class=\"\">100 km/h</td><td class=\"\">file</td>") {
		t.Errorf("the constants are not in the units of their file: %.2000s", rest)
	}
}

// A figure is drawn over the constant that varies last, in display units, with a curve for each value of the other
// constants. Fewer than three values give no plot, and neither do the runs of a search.
func TestFiguresAreDrawnOverTheLastVariedConstant(t *testing.T) {
	result := &Result{Manoeuvre: &manoeuvre.Manoeuvre{KeyFigures: &manoeuvre.KeyFigures{Kind: "crosswind"}}}
	result.Constants = []Constant{{manoeuvre.ConstantValue{Name: "angle", Written: constants.InUnit("rad")}, "file"}}
	for _, side := range []float64{1, -1} {
		for _, angle := range []float64{0.1, 0.2, 0.3} {
			run := Run{Varied: []manoeuvre.ConstantValue{{Name: "side", Value: side}, {Name: "angle", Value: angle}}}
			run.Figures = []figures.Figure{{ID: "deviation", Unit: "m", Value: 3 * side * angle}}
			result.Runs = append(result.Runs, run)
		}
	}
	p := result.overVaried()
	if p == nil || len(p.Curves) != 2 || p.X.Label != "angle, deg" || p.Y.Label != "deviation, m" ||
		p.Curves[1].Label != "side=-1" {
		t.Fatalf("%+v", p)
	}
	for k, angle := range []float64{0.1, 0.2, 0.3} {
		if x, y := p.Curves[1].X[k], p.Curves[1].Y[k]; math.Abs(x-angle*180/math.Pi) > 1e-12 || y != -3*angle {
			t.Errorf("point %d is %g, %g", k, x, y)
		}
	}
	few := *result
	few.Runs = result.Runs[1:3]
	if few.overVaried() != nil {
		t.Error("two values are drawn as a curve")
	}
	result.Manoeuvre.Search = &manoeuvre.Search{}
	if result.overVaried() != nil {
		t.Error("the runs of a search are drawn")
	}
}
