package optimise

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"skidpad/harness/tests/built"
	"skidpad/harness/tests/fuzzinputs"
	"skidpad/harness/tests/testrun"
	"skidpad/harness/workbench/results/output"
	"skidpad/model/linear"
	"skidpad/model/vehicle"
)

// tilting is the shipped study.
func tilting(t *testing.T) *Study {
	t.Helper()
	s, err := ReadStudy(built.Path("resources", "sweeps", "tilting_search.toml"))
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func made(t *testing.T, s *Study) *objective {
	t.Helper()
	m, err := vehicle.Read(s.Model)
	if err != nil {
		t.Fatal(err)
	}
	l, err := linear.New(m, "")
	if err != nil {
		t.Fatal(err)
	}
	v, err := newObjective(l, s)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// The cost with and without mask, and the shares, equal the results of an independent program.
func TestCostsOfTheThreeWheeler(t *testing.T) {
	testrun.Slow(t)
	s := tilting(t)
	v := made(t, s)
	for _, c := range []struct{ spring, damper, steering, all, third, half float64 }{
		{0, 0, 0, 1.487083659, 1.487083659, 1.487083659},
		{1500, 0, 0, 1.071411900, 1.071411900, 0.391292810},
		{2500, 100, 0, -0.272464668, -0.272464668, -1.827110294},
		{1500, 100, 2, -0.477167098, -0.477167098, -1.246033413},
	} {
		for share, want := range map[float64]float64{0.3: c.third, 0.5: c.half} {
			s.Share = share
			e, err := v.evaluate([]float64{c.spring, c.damper, c.steering, 0.1})
			if err != nil || !e.Steady || math.Abs(e.Masked-want) > 1e-6 || math.Abs(e.All-c.all) > 1e-6 {
				t.Errorf("%+v, share %g: %+v, %v", c, share, e, err)
			}
		}
	}
	s.Share = 0.3
	if err := v.set([]float64{1500, 0, 0, 0.1}); err != nil {
		t.Fatal(err)
	}
	modes, err := v.modes(slices.Index(s.At.Values, 10))
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []float64{0.752034, 0.752034, 0.611306, 0.226449} {
		if math.Abs(modes[i].Share-want) > 1e-6 || modes[i].Counts != (i < 3) {
			t.Errorf("mode %v: share %.6f, counts %v; share %g wanted", modes[i].Value, modes[i].Share, modes[i].Counts,
				want)
		}
	}
}

// 48 evaluations are enough for -2.5 1/s, which the specification allows 1000: with each of five seeds 31 were enough.
// Fewer evaluations with another number of threads are the same to the last bit, and the best values make the vehicle
// stable up to the end of the range.
func TestSearchStabilisesTheThreeWheeler(t *testing.T) {
	testrun.OnlyAll(t)
	s := tilting(t)
	s.Evaluations = 48
	s.Range.Values = s.Range.Values[:20]
	r, err := Run(s, Options{Threads: 3})
	if err != nil {
		t.Fatal(err)
	}
	best := r.History[r.Best]
	if len(r.History) != 48 || best.Masked > -2.5 {
		t.Errorf("%d evaluations, the best is %+v", len(r.History), best)
	}
	worst := math.Inf(-1)
	for _, modes := range r.Modes {
		for _, m := range modes {
			if m.Counts {
				worst = max(worst, real(m.Value))
			}
		}
	}
	if worst != best.Masked || len(r.Modes) != len(s.At.Values) {
		t.Errorf("the largest real part of the best modes is %g, and was %g", worst, best.Masked)
	}
	if len(r.Stable) != 1 || r.Stable[0].OpenFrom || !r.Stable[0].OpenTo ||
		math.Abs(r.Stable[0].From-2) > 0.2 || r.Stable[0].To != s.Range.Values[19] {
		t.Errorf("stable: %+v", r.Stable)
	}
	few := *s
	few.Evaluations = 26
	again, err := Run(&few, Options{Threads: 1})
	if err != nil {
		t.Fatal(err)
	}
	for i, e := range again.History {
		if o := r.History[i]; !slices.Equal(e.Values, o.Values) || e.Masked != o.Masked || e.All != o.All {
			t.Fatalf("evaluation %d is %+v with one thread and %+v with three", i+1, e, o)
		}
	}
}

// blocks is a model of two masses on dampers, and springs that carry them, and a study of it.
func blocks(t *testing.T, changes ...string) *Study {
	t.Helper()
	folder := t.TempDir()
	var text strings.Builder
	text.WriteString("name = \"Blocks\"\n")
	for _, name := range []string{"one", "two"} {
		fmt.Fprintf(&text, `[component.%s]
type = "prismatic"
from = "ground"
to = "block_%[1]s"
axis = "z"
[component.block_%[1]s]
type = "rigid-body"
mass = 2
inertia = { xx = 1, yy = 1, zz = 1 }
[component.spring_%[1]s]
type = "spring-damper"
joint = "%[1]s"
stiffness = 800
damping = 8
`, name)
	}
	if err := os.WriteFile(filepath.Join(folder, "blocks.toml"), []byte(text.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	study := strings.NewReplacer(changes...).Replace(blockStudy)
	path := filepath.Join(folder, "study.toml")
	if err := os.WriteFile(path, []byte(study), 0o600); err != nil {
		t.Fatal(err)
	}
	s, err := ReadStudy(path)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

const blockStudy = `name = "blocks"
title = "Blocks"
model = "blocks.toml"
mask = ["one.s"]
seed = 3
evaluations = 200

[constants]
half = 0.5

[at]
variable = "spring_two.stiffness"
values = [800, 1800]

[range]
from = 700
to = 900
step = 100

[[outputs]]
variable = "one.s"

[[outputs]]
variable = "two.s"
scale = "half*spring_two.stiffness/100"

[[vary]]
variables = ["spring_one.damping"]
from = 0
to = 300
`

// A mass m on a spring k moves back fastest with the damping 2 sqrt(k m), at the rate sqrt(k/m). The mask leaves out
// the other mass; its slower mode, -2 1/s, does not change. With a mask of both masses this mode limits the search. If
// the mask requires a share that no mode has, no mode counts.
func TestSearchFindsCriticalDamping(t *testing.T) {
	s := blocks(t)
	if want := []float64{4, 9}; !slices.Equal(s.Outputs[1].Scales, want) || s.Share != 0.3 {
		t.Errorf("scales %v, share %g; want %v and, by default, 0.3", s.Outputs[1].Scales, s.Share, want)
	}
	r, err := Run(s, Options{})
	if err != nil {
		t.Fatal(err)
	}
	best := r.History[r.Best]
	if math.Abs(best.Values[0]-80) > 0.1 || math.Abs(best.Masked+20) > 0.05 || math.Abs(best.All+2) > 1e-9 {
		t.Errorf("best %+v; damping 80, -20 1/s and, of all modes, -2 1/s wanted", best)
	}
	if want := []Interval{{700, 900, true, true}}; !slices.Equal(r.Stable, want) {
		t.Errorf("stable %+v, want %+v", r.Stable, want)
	}
	var text bytes.Buffer
	r.Print(&text)
	for _, says := range []string{"200 evaluations", "the mask hides", "from 700 to 900, the whole range", "no"} {
		if !strings.Contains(text.String(), says) {
			t.Errorf("%q is missing in\n%s", says, &text)
		}
	}
	history := r.HistoryTable()
	least := math.Inf(1)
	for i, row := range history.Rows {
		least = min(least, r.History[i].Masked)
		if want := []float64{float64(i + 1), r.History[i].Values[0], r.History[i].Masked, r.History[i].All,
			least}; !slices.Equal(row, want) {
			t.Errorf("history %v, want %v", row, want)
		}
	}
	eigen := r.EigenTable()
	if len(eigen.Rows) != 8 {
		t.Errorf("%d eigenvalues, want 4 at each of 2 values", len(eigen.Rows))
	}
	for _, row := range eigen.Rows {
		if other := math.Abs(row[1]+2) < 1e-9; (row[4] == 1) == other || math.Abs(row[3]-row[4]) > 1e-9 {
			t.Errorf("eigenvalue %v", row)
		}
	}
	none := blocks(t, `mask = ["one.s"]`, "mask = [\"one.s\"]\nshare = 1", "scale = ", "scale = 1 # ",
		`variable = "two.s"`, `variable = "one.s_dot"`, "evaluations = 200", "evaluations = 3")
	if r, err = Run(none, Options{}); err != nil || r.History[0].Masked != 1e9 || !r.History[0].Steady || r.Best != 0 {
		t.Fatalf("%+v, %v", r, err)
	}
	for _, m := range r.Modes[0] {
		if unseen := math.Abs(real(m.Value)+2) < 1e-9; m.Counts || unseen != (m.Share == 0) {
			t.Errorf("mode %v has the share %g; of the other mass no output sees anything", m.Value, m.Share)
		}
	}
	text.Reset()
	if r.Print(&text); !strings.Contains(text.String(), "no mode counts") {
		t.Errorf("%s", &text)
	}
	every := blocks(t, `mask = ["one.s"]`, `mask = ["one.s", "two.s"]`, "evaluations = 200", "evaluations = 12")
	if r, err = Run(every, Options{}); err != nil || math.Abs(r.History[r.Best].Masked+2) > 1e-9 {
		t.Errorf("without a mask the best is %+v, %v", r.History[r.Best], err)
	}
}

// Where there is no steady motion, a point costs as much as one without modes that count: a mass without a spring
// falls.
func TestPointsWithoutSteadyMotion(t *testing.T) {
	s := blocks(t, "spring_one.damping", "spring_one.stiffness", "evaluations = 200", "evaluations = 4")
	v := made(t, s)
	e, err := v.evaluate([]float64{0})
	if err != nil || e.Steady || e.Masked != 1e9 || e.All != 1e9 {
		t.Errorf("%+v, %v", e, err)
	}
	if e, err = v.evaluate([]float64{800}); err != nil || !e.Steady || math.Abs(e.Masked+2) > 1e-9 {
		t.Errorf("%+v, %v", e, err)
	}
	s = blocks(t, "values = [800, 1800]", "values = [800, 0]", "scale = ", "scale = 1 # ")
	if e, err = made(t, s).evaluate([]float64{20}); err != nil || e.Steady || e.Masked != 1e9 || e.All != 1e9 {
		t.Errorf("steady at the first value only: %+v, %v", e, err)
	}
	s = blocks(t, "spring_one.damping", "spring_one.stiffness", "to = 300", "to = 1e-300", "evaluations = 200",
		"evaluations = 4")
	r, err := Run(s, Options{})
	if err != nil || r.Modes != nil || r.Stable != nil {
		t.Fatalf("%+v, %v", r, err)
	}
	var text bytes.Buffer
	if err := r.WriteJSON(&text); err != nil || !strings.Contains(text.String(), `"masked": null`) ||
		!strings.Contains(text.String(), `"modes": []`) {
		t.Errorf("%v: %s", err, &text)
	}
}

// If the model lacks a name of the study, or a value is impossible, the search is rejected before it begins.
func TestStudiesOfOtherModels(t *testing.T) {
	for _, c := range []struct{ old, new, says string }{
		{`variable = "two.s"`, `variable = "three.s"`, `no output "three.s"`},
		{`["spring_one.damping"]`, `["spring_one.dumping"]`, `did you mean "spring_one.damping"`},
		{"from = 0\n", "from = -1\n", "spring_one.damping = -1"},
		{"variable = \"spring_two.stiffness\"\nvalues", "variable = \"none\"\nvalues", "at: there is no"},
	} {
		s := blocks(t, c.old, c.new, `scale = "half*spring_two.stiffness/100"`, "")
		if r, err := Run(s, Options{}); r != nil || err == nil || !strings.Contains(err.Error(), c.says) ||
			!strings.Contains(err.Error(), "study blocks") {
			t.Errorf("%s: %v, %v; want %s", c.new, r, err, c.says)
		}
	}
}

// stopping closes a channel at an evaluation.
type stopping struct {
	at   float64
	stop chan struct{}
}

func (s *stopping) At(_ string, t, _ float64) {
	if t >= s.at && s.stop != nil && !output.Interrupted(s.stop) {
		close(s.stop)
	}
}

// An interrupt keeps the evaluations that were made, and the best of them; before the first one there is no result.
func TestInterruptedSearch(t *testing.T) {
	s := blocks(t)
	whole, err := Run(s, Options{Threads: 1})
	if err != nil {
		t.Fatal(err)
	}
	p := &stopping{20, make(chan struct{})}
	r, err := Run(s, Options{Threads: 1, Interrupt: p.stop, Progress: p})
	if !errors.Is(err, output.ErrInterrupted) || r == nil || len(r.History) != 20 {
		t.Fatalf("%+v, %v", r, err)
	}
	for i, e := range r.History {
		if !slices.Equal(e.Values, whole.History[i].Values) || e.Masked < r.History[r.Best].Masked {
			t.Errorf("evaluation %d: %+v", i+1, e)
		}
	}
	if len(r.Modes) != 2 {
		t.Error("the modes of the best values are missing")
	}
	stopped := make(chan struct{})
	close(stopped)
	if r, err := Run(s, Options{Interrupt: stopped}); r != nil || !errors.Is(err, output.ErrInterrupted) {
		t.Errorf("%+v, %v", r, err)
	}
}

// Every error of a study has its position, the value found, and the allowed values.
func TestStudyFaults(t *testing.T) {
	for _, c := range []struct{ old, new, want string }{
		{"seed = 3", "seed = 0.5", `5:8: seed is 0.5; it must be an integer from 0`},
		{"seed = 3\n", "", `lacks the key "seed"`},
		{"seed = 3", "seeds = 3", `unknown key "seeds"`},
		{"evaluations = 200", "evaluations = 0", `6:15: evaluations is 0; it must be an integer from 1 to 1000000`},
		{`mask = ["one.s"]`, `mask = ["one.phi"]`,
			`4:9: "one.phi" in "mask" is none of the outputs; they are ["one.s" "two.s"]`},
		{`mask = ["one.s"]`, "mask = []", "mask is empty; it needs at least one element"},
		{"seed = 3", "seed = 3\nshare = 30", `share is 30; it must not be above 1`},
		{"to = 300", "to = 0", `vary[0].to is 0; it must be above "from"`},
		{"step = 100", "step = 0", `range.step is 0; it must be above 0`},
		{"step = 100", "step = 1e-9", "choose a longer step"},
		{"to = 900", "to = 600", `"to" must be above "from"`},
		{"half*spring_two.stiffness", "double*spring_two.stiffness", `uses "double"`},
		{"half*spring_two.stiffness", "-half*spring_two.stiffness", "above 0 at all values"},
		{"half*spring_two.stiffness/100", "half*", "must be a number, or a formula"},
		{`scale = "half*spring_two.stiffness/100"`, "scale = 0", "must be finite and above 0"},
		{`scale = "half*spring_two.stiffness/100"`, "scale = true", `outputs[1].scale is true`},
		{"values = [800, 1800]", "values = []", "at.values is empty; it needs at least one number"},
	} {
		text := strings.Replace(blockStudy, c.old, c.new, 1)
		if text == blockStudy {
			t.Fatalf("%q is not in the study", c.old)
		}
		if _, err := ParseStudy("s.toml", []byte(text)); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v; want %s", c.new, err, c.want)
		}
	}
}

// Numbers of a study can have units, matching the unit of the variable: constants, values, ranges and bounds.
func TestUnitsOfStudies(t *testing.T) {
	units := []string{"[800, 1800]", `["0.8 N/mm", 1800]`, "from = 700", `from = "0.7 N/mm"`, "to = 900", `to = ` +
		`"0.9 kN/m"`,
		"step = 100", `step = "0.1 N/mm"`, "to = 300", `to = "0.3 N.s/mm"`, "half = 0.5", `half = "50 %"`}
	s := blocks(t, units...)
	plain := blocks(t)
	if !slices.Equal(s.At.Values, plain.At.Values) || !slices.Equal(s.Range.Values, plain.Range.Values) ||
		s.Vary[0].To != 300 || !slices.Equal(s.Outputs[1].Scales, plain.Outputs[1].Scales) {
		t.Errorf("%+v\nwithout units %+v", s, plain)
	}
	made(t, s)
	for _, c := range [][3]string{
		{"[800, 1800]", `["0.8 N/mm", "1800 N"]`, `13:23: at.values is "1800 N": N is not a unit for what must be in N/m`},
		{"to = 300", `to = "300 N.s/mn"`, `vary[0].to is "300 N.s/mn": unit "N.s/mn" is not known`},
		{"step = 100", `step = "100 m"`, ""},
		{"to = 900", `to = "900 deg"`, ""},
	} {
		if _, err := ParseStudy("s.toml", []byte(strings.Replace(blockStudy, c[0], c[1], 1))); c[2] != "" &&
			(err == nil || !strings.Contains(err.Error(), c[2])) {
			t.Errorf("%s: %v", c[1], err)
		}
	}
	for _, c := range [][3]string{
		{"step = 100", `step = "100 m"`, `"range" is "100 m": m is not a unit for what must be in N/m`},
		{"to = 900", `to = "top"`, `"range" is "top": kg is not a unit for what must be in N/m`},
		{"[800, 1800]", `["800 kg", 1800]`, `"at.values" is "800 kg": kg is not a unit`},
		{"to = 300", `to = "300 N/m"`, `"from, to" is "300 N/m": N/m is not a unit for what must be in N.s/m`},
	} {
		s := blocks(t, c[0], c[1], "half = 0.5", "half = 0.5\ntop = \"900 kg\"")
		m, err := vehicle.Read(s.Model)
		if err != nil {
			t.Fatal(err)
		}
		l, err := linear.New(m, "")
		if err != nil {
			t.Fatal(err)
		}
		if _, err := newObjective(l, s); err == nil || !strings.Contains(err.Error(), c[2]) {
			t.Errorf("%s: %v; want %s", c[1], err, c[2])
		}
	}
}

func FuzzStudy(f *testing.F) {
	fuzzinputs.Add(f, blockStudy)
	fuzzinputs.Add(f, `name = "s"
[at]
variable = "v"
values = [1]
[[outputs]]
scale = "v"
`)
	f.Fuzz(func(t *testing.T, text string) {
		s, err := ParseStudy("s.toml", []byte(text))
		if err == nil && (len(s.Vary) == 0 || len(s.Outputs) == 0 || len(s.At.Values) == 0 || len(s.Range.Values) < 2 ||
			s.Evaluations < 1) {
			t.Errorf("accepted: %+v", s)
		}
	})
}
