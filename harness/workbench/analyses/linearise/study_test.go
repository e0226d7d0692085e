package linearise

import (
	"bytes"
	"errors"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"skidpad/harness/tests/built"
	"skidpad/harness/tests/fuzzinputs"
	"skidpad/harness/tests/testrun"
	"skidpad/harness/workbench/results/output"
	"skidpad/harness/workbench/runs/manoeuvre"
	"skidpad/model/linear"
	"skidpad/model/vehicle"
)

func shippedStudy(t *testing.T, name string) *Study {
	t.Helper()
	s, err := ReadStudy(built.Path("resources", "sweeps", name+".toml"))
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// The maps of the bicycle's frequency responses have the maxima of an independent program. At 0.01 rad/s the maximum is
// at 6.00 m/s, as the capsize eigenvalue is 0 at 6.02 m/s. From 0.9 to 9 rad/s it is at the speed and the frequency of
// the weave at its limit of stability. Above 10 rad/s there is only a strong decline, at any speed.
func TestMapsHaveTheirSummits(t *testing.T) {
	testrun.Slow(t)
	s := shippedStudy(t, "minaker_figure_2")
	list, err := s.Do(nil, nil)
	if err != nil || len(list) != 2 {
		t.Fatal(err)
	}
	for i, want := range []struct{ at6, at5, at8, falls, low, high float64 }{
		{31.394, 6.531, 2.799, 11.3, -49.8, -45.9}, {27.171, 0.688, 1.110, 5, -98.1, -94.2},
	} {
		r := list[i]
		if len(r.Responses) != 181 || len(r.Frequencies) != 201 {
			t.Fatalf("%s: %d by %d values", r.Title, len(r.Responses), len(r.Frequencies))
		}
		dB, speed, omega := r.Largest(0, 0.01*(1+1e-12))
		if math.Abs(dB-want.at6) > 5e-4 || math.Abs(speed-6) > 1e-9 || math.Abs(omega-0.01) > 1e-12 {
			t.Errorf("%s: %.3f dB at %g m/s, %g rad/s", r.Title, dB, speed, omega)
		}
		if _, speed, omega = r.Largest(0.9, 9); math.Abs(speed-4.3) > 0.05+1e-9 || math.Abs(omega-3.43) > 0.1 {
			t.Errorf("%s: the weave is largest at %g m/s, %g rad/s", r.Title, speed, omega)
		}
		for k, v := range r.Varied.Values {
			first, last := decibel(r.Responses[k][0]), decibel(r.Responses[k][200])
			if math.Abs(v-5) < 1e-9 && math.Abs(first-want.at5) > 5e-4 || math.Abs(v-8) < 1e-9 &&
				math.Abs(first-want.at8) > 5e-4 {
				t.Errorf("%s: %.3f dB at %g m/s", r.Title, first, v)
			}
			if last < want.low-0.05 || last > want.high+0.05 {
				t.Errorf("%s: %.2f dB at 100 rad/s, %g m/s", r.Title, last, v)
			}
			for j := 1; j < 201; j++ {
				if r.Frequencies[j-1] > want.falls && decibel(r.Responses[k][j]) >= decibel(r.Responses[k][j-1]) {
					t.Errorf("%s: rises at %g m/s, %g rad/s", r.Title, v, r.Frequencies[j])
				}
			}
		}
	}
	var image bytes.Buffer
	if err := PlotStudy(&image, ".png", list); err != nil || !bytes.HasPrefix(image.Bytes(), []byte("\x89PNG")) {
		t.Errorf("no picture: %v", err)
	}
}

const goodStudy = `name = "s"
title = "Wheels"

[[panel]]
name = "hoop"
title = "Hoop"
model = "wheel.toml"
at = { variable = "speed", from = 0.5, to = 2, step = 0.5 }
set = { alpha = 1 }

[[panel]]
name = "map"
title = "Map"
model = "wheel.toml"
at = { variable = "speed", values = [1.5, 2, 2.5, 3, 3.5] }
hold = ["axle.omega"]
free = ["lean.torque"]
bode = { input = "lean.torque", output = "lean.phi", from = 0.1, to = 10, count = 5 }
map = true
`

// wheels is goodStudy with the model of the shipped wheel.
func wheels(t *testing.T) *Study {
	t.Helper()
	s, err := ParseStudy("s.toml", []byte(goodStudy))
	if err != nil {
		t.Fatal(err)
	}
	for i := range s.Panels {
		s.Panels[i].Model = built.Model("wheel_rolling")
	}
	return s
}

// The tables of a panel equal the tables of a single linearisation with its settings, byte by byte.
func TestPanelsAreSingleRuns(t *testing.T) {
	s := wheels(t)
	list, err := s.Do(nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	files := map[string][]byte{}
	for _, f := range StudyFiles(list) {
		var text bytes.Buffer
		if err := f.Write(&text); err != nil {
			t.Fatal(err)
		}
		names, files[f.Name] = append(names, f.Name), text.Bytes()
	}
	if want := []string{"hoop/steady.csv", "hoop/eigenvalues.csv", "map/steady.csv", "map/eigenvalues.csv",
		"map/bode.csv"}; !slices.Equal(names, want) {
		t.Fatalf("files %q, want %q", names, want)
	}
	for folder, values := range map[string]string{"hoop": "speed=0.5:2:0.5", "map": "speed=1.5:3.5:0.5"} {
		vehicle := read(t, "wheel_rolling")
		single := &Result{}
		if single.Varied, err = ParseValues(values); err != nil {
			t.Fatal(err)
		}
		wanted := Wanted{Eigenvalues: true}
		if folder == "hoop" {
			err = Set(vehicle, []manoeuvre.Setting{{Name: "alpha", Value: "1"}})
		} else {
			wanted.Bode = true
			err = errors.Join(vehicle.Hold("axle.omega"), vehicle.Free("lean.torque"),
				single.ForBode("lean.torque:lean.phi", "0.1:10:5"))
		}
		if err := errors.Join(err, single.AddAll(vehicle, nil, nil)); err != nil {
			t.Fatal(err)
		}
		own, err := single.Files(wanted)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range own {
			var text bytes.Buffer
			if want, is := files[folder+"/"+f.Name]; !is {
				continue
			} else if err := f.Write(&text); err != nil || !bytes.Equal(text.Bytes(), want) {
				t.Errorf("%s/%s of the study and of a single run differ: %v", folder, f.Name, err)
			}
			delete(files, folder+"/"+f.Name)
		}
	}
	if len(files) > 0 {
		t.Errorf("%d files have not been compared", len(files))
	}
	var text bytes.Buffer
	for i := range list {
		list[i].Print(&text)
	}
	// a hoop is upright above sqrt(g r/4)
	for _, says := range []string{"hoop: Hoop\nspeed = 1.107362: unstable",
		"largest magnitude of lean.torque to lean.phi"} {
		if !strings.Contains(text.String(), says) {
			t.Errorf("%q is missing in\n%s", says, &text)
		}
	}
}

// panelCount closes a channel when a panel begins.
type panelCount struct {
	at   float64
	stop chan struct{}
}

func (p *panelCount) At(_ string, t, _ float64) {
	if t == p.at {
		close(p.stop)
	}
}

// An interrupt keeps the panels before the interrupted panel, and the first value of the interrupted one; an error
// names its panel.
func TestInterruptedStudy(t *testing.T) {
	s := wheels(t)
	p := &panelCount{1, make(chan struct{})}
	list, err := s.Do(p.stop, p)
	if !errors.Is(err, output.ErrInterrupted) || len(list) != 2 || len(list[0].Systems) != 4 ||
		len(list[1].Systems) != 1 || len(list[1].BodeTable().Rows) != 5 {
		t.Errorf("%d panels, %v", len(list), err)
	}
	for _, c := range []struct{ old, new, says string }{
		{"alpha = 1", "beta = 1", `panel hoop: set: beta=1: there is no`},
		{`"axle.omega"`, `"axle.phi2"`, "panel map: hold: there is no state"},
		{`["lean.torque"]`, `["lean.force"]`, "panel map: free: there is no input"},
		{`output = "lean.phi"`, `output = "lean"`, "panel map: there is no output"},
		{`variable = "speed", from`, `variable = "velocity", from`, "panel hoop: there is no"},
	} {
		s, err := ParseStudy("s.toml", []byte(strings.Replace(goodStudy, c.old, c.new, 1)))
		if err != nil {
			t.Fatal(err)
		}
		for i := range s.Panels {
			s.Panels[i].Model = built.Model("wheel_rolling")
		}
		if _, err := s.Do(nil, nil); err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: %v; want %s", c.new, err, c.says)
		}
	}
}

// Every error of a study has its position, the value found, and the allowed values.
func TestStudyFaults(t *testing.T) {
	for _, c := range []struct{ old, new, want string }{
		{`name = "map"`, `name = "hoop"`, `12:8: there are two panels "hoop"`},
		{`name = "map"`, `name = "../map"`, `12:8: "../map" cannot be the name of a folder`},
		{"title = \"Map\"\n", "", `lacks the key "title"`},
		{"map = true", "map = 1", `19:7: panel[1].map is 1`},
		{"bode = {", "bude = {", `unknown key "bude"`},
		{"bode = { input = \"lean.torque\", output = \"lean.phi\", from = 0.1, to = 10, count = 5 }\n", "",
			`18:7: a map is of a frequency response: give "bode"`},
		{"values = [1.5, 2, 2.5, 3, 3.5]", "values = [1]", `a map needs several values of "at"`},
		{"from = 0.1, to = 10", "from = 10, to = 0.1", "must be above 0 and rise"},
		{"from = 0.1, to = 10", "from = 0, to = 10", `panel[1].bode.from is 0; it must be above 0`},
		{"count = 5", "count = 1", `panel[1].bode.count is 1; it must be an integer from 2`},
		{"count = 5", "count = 2.5", "must be an integer"},
		{"step = 0.5", "step = 0.4", "8:6: steps of 0.4 do not lead from 0.5 to 2"},
		{", step = 0.5", "", `lacks the key "step"`},
		{"alpha = 1", "alpha = [1]", `panel[0].set.alpha is a list of 1`},
		{"alpha = 1", "alpha = inf", "which is not a finite number"},
	} {
		text := strings.Replace(goodStudy, c.old, c.new, 1)
		if text == goodStudy {
			t.Fatalf("%q is not in the study", c.old)
		}
		if _, err := ParseStudy("s.toml", []byte(text)); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v; want %s", c.new, err, c.want)
		}
	}
	s := shippedStudy(t, "minaker_figure_1")
	if len(s.Panels) != 4 || filepath.Base(s.Panels[0].Model) != "wheel_rolling.toml" {
		t.Errorf("%+v", s)
	}
}

// Numbers of a study and of --at can have units; a unit must match the unit of the variable.
func TestUnitsOfStudies(t *testing.T) {
	text := strings.NewReplacer("from = 0.5, to = 2, step = 0.5", `from = "1.8 km/h", to = 2, step = "500 mm/s"`,
		"[1.5, 2, 2.5, 3, 3.5]", `["5.4 km/h", 2]`, "to = 10", `to = "20 rev/s"`).Replace(goodStudy)
	s, err := ParseStudy("s.toml", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range [][]float64{{0.5, 1, 1.5, 2}, {1.5, 2}} {
		for k, v := range s.Panels[i].At.Values {
			if len(want) != len(s.Panels[i].At.Values) || math.Abs(v-want[k]) > 1e-12 {
				t.Errorf("values %v, want %v", s.Panels[i].At.Values, want)
				break
			}
		}
	}
	if f := s.Panels[1].Bode.Frequencies; math.Abs(f[len(f)-1]-40*math.Pi) > 1e-9 {
		t.Errorf("frequencies %v", f)
	}
	for _, c := range [][3]string{
		{"to = 10", `to = "10 Hz"`, "write rev/s"}, {"step = 0.5", `step = "0.5 kph"`, `unit "kph" is not known`},
		{"alpha = 1", `alpha = "1 lbs"`, `:9:17: "alpha" is "1 lbs": unit "lbs" is not known`},
		{"[1.5, 2,", `["1.5 m/s", "2 m",`, `panel[1].at.values is "2 m": m is not a unit for what must be in m/s`},
	} {
		changed := strings.Replace(goodStudy, c[0], c[1], 1)
		if _, err := ParseStudy("s.toml", []byte(changed)); err == nil || !strings.Contains(err.Error(), c[2]) {
			t.Errorf("%s: %v; want %s", c[1], err, c[2])
		}
	}
	for _, c := range [][3]string{
		{"to = 2, step", `to = "2 m", step`, `"speed" is "2 m": m is not a unit for what must be in m/s`},
		{"alpha = 1", `alpha = "1 kg"`, `"alpha" is "1 kg": kg is not a unit for what must be in 1`},
	} {
		s, err := ParseStudy("s.toml", []byte(strings.Replace(goodStudy, c[0], c[1], 1)))
		if err != nil {
			t.Fatal(err)
		}
		s.Panels[0].Model = built.Model("wheel_rolling")
		if _, err := s.Panels[0].do(nil); err == nil || !strings.Contains(err.Error(), c[2]) {
			t.Errorf("%s: %v; want %s", c[1], err, c[2])
		}
	}
	v, err := ParseValues("speed=18 km/h:10 m/s:2.5 m/s")
	if err != nil || !slices.Equal(v.Values, []float64{5, 7.5, 10}) || v.Written.Fits("m") == nil {
		t.Errorf("%+v, %v", v, err)
	}
	// Where there is no steady state either, the unit is what is wrong.
	m, err := vehicle.Read(built.Model("generic4w"))
	if err != nil {
		t.Fatal(err)
	}
	vehicle, err := linear.New(m, "")
	if err != nil {
		t.Fatal(err)
	}
	mass, err := ParseValues("body.vx=1900 kg")
	if err != nil {
		t.Fatal(err)
	}
	result := Result{Varied: mass}
	if err := result.AddAll(vehicle, nil, nil); err == nil || !strings.Contains(err.Error(), "kg is not a unit for") {
		t.Error(err)
	}
	for text, want := range map[string]string{"speed=1 m/s:2 m:1": `--at: "speed" is "2 m": m is not a unit`,
		"speed=18 km/h:10:2.5": "some values have a unit", "speed=1 kmh": "write km/h"} {
		if _, err := ParseValues(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", text, err)
		}
	}
}

func FuzzStudy(f *testing.F) {
	fuzzinputs.Add(f, goodStudy)
	f.Fuzz(func(t *testing.T, text string) {
		s, err := ParseStudy("s.toml", []byte(text))
		if err != nil {
			return
		}
		for _, p := range s.Panels {
			if len(p.At.Values) == 0 || p.Map && p.Bode.Input == "" || p.Bode.Input != "" && len(p.Bode.Frequencies) < 2 {
				t.Errorf("accepted: %+v", p)
			}
		}
	})
}

// Every key of a panel has its place.
func TestAPanelMeansWhatItSays(t *testing.T) {
	s, err := ParseStudy("s.toml", []byte(goodStudy))
	if err != nil {
		t.Fatal(err)
	}
	hoop, drawn := s.Panels[0], s.Panels[1]
	if s.Name != "s" || s.Title != "Wheels" || hoop.Name != "hoop" || hoop.Title != "Hoop" || hoop.Map ||
		hoop.At.Name != "speed" || len(hoop.At.Values) != 4 || hoop.Settings[0].Value != "1" ||
		!slices.Equal(drawn.Hold, []string{"axle.omega"}) || !slices.Equal(drawn.Free, []string{"lean.torque"}) ||
		!drawn.Map || drawn.Bode.Input != "lean.torque" || drawn.Bode.Output != "lean.phi" ||
		len(drawn.Bode.Frequencies) != 5 || drawn.Bode.Frequencies[0] != 0.1 || drawn.At.Values[4] != 3.5 {
		t.Errorf("%+v", s)
	}
}
