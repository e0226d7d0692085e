package setups

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"skidpad/harness/site/browser"
	"skidpad/harness/tests/testrun"
	"skidpad/harness/workbench/results/display"
)

// folder writes the results of a manoeuvre.
func folder(t *testing.T, name, figures, run string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.Mkdir(path, 0o755); err != nil {
		t.Fatal(err)
	}
	for file, text := range map[string]string{"figures.json": figures, "run_1.csv": run} {
		if err := os.WriteFile(filepath.Join(path, file), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return path
}

const run = "time,b.vx,b.wz,b.roll,b.x,b.y\n0,10,0,0,0,0\n1,20,0.5,0.1,15,1\n2,20,0.5,0.1,30,4\n"

// figures is a result with a gain, a roll angle [rad] and the hash of a model.
func figures(manoeuvre, gain, roll, hash, parameters string) string {
	return `{"manoeuvre": "` + manoeuvre + `", "title": "Step <steer>", "version": "1", "ratio": 16,
"vehicle": "Car", "model": {"file": "car.toml"}, "tires": ["MF61 (FL FR)", "Fiala (RL)"], "mass": 1000,
"origins": {"lateral": "run of circle.toml before"},
"files": {"car.toml": "` + hash + `", "step.toml": "5555555555555555"}, "constants": {"lateral": 4},
"runs": [{"parameters": {` + parameters + `}, "verdict": "", "figures": [
{"figure": "gain", "definition": "yaw rate by steering", "unit": "1/s", "value": ` + gain + `},
{"figure": "roll", "definition": "roll angle", "unit": "rad", "value": ` + roll + `}]}], "figures": []}`
}

func TestDifferencesOfSetups(t *testing.T) {
	a := folder(t, "soft", figures("step", "-0.20", "0.1", "aaaaaaaaaaaaaaaa", ``), run)
	b := folder(t, "stiff", figures("step", "-0.25", "0.05", "bbbbbbbbbbbbbbbb", `"spring.stiffness": "3e4"`), run)
	unknown := strings.Replace(figures("step", "null", "0.1", "aaaaaaaaaaaaaaaa", ``), `"ratio": 16`, `"ratio": null`, 1)
	c := folder(t, "broken", unknown, run)
	list, err := Read([]string{a, b, c}, nil)
	if err != nil {
		t.Fatal(err)
	}
	table := values(list, display.Default())
	for i, want := range []string{
		// -0.25 is 0.05 below -0.20: a quarter of its magnitude; 0.1 rad is 5.7296 deg
		"1 | gain | 1/s | -0.2 | -0.25 | -0.05 | -25 | missing |  |  | yaw rate by steering",
		"1 | roll | deg | 5.7296 | 2.8648 | -2.86 | -50 | 5.7296 | +0 | +0 | roll angle",
	} {
		if got := strings.Join(table.Rows[i], " | "); got != want {
			t.Errorf("row %d is\n%s; want\n%s", i+1, got, want)
		}
	}
	var rows []string
	for _, row := range differences(list).Rows {
		rows = append(rows, strings.Join(row, " | "))
	}
	if got, want := strings.Join(rows, "\n"), "file car.toml, SHA-256 | aaaaaaaaaaaa | bbbbbbbbbbbb | aaaaaaaaaaaa\n"+
		"run 1, parameter spring.stiffness | none | 3e4 | none\n"+
		"steering wheel to road wheels | 16 to 1 | 16 to 1 | none"; got != want {
		t.Errorf("differences are\n%s; want\n%s", got, want)
	}
	rows = nil
	for _, row := range vehicles(list[:2], display.Default()).Rows {
		rows = append(rows, strings.Join(row, " | "))
	}
	if got, want := strings.Join(rows, "\n"), "vehicle | Car | Car\nmodel file | car.toml | car.toml\n"+
		"SHA-256 | aaaaaaaaaaaa | bbbbbbbbbbbb\n"+
		"tires | MF61 (FL FR); Fiala (RL) | MF61 (FL FR); Fiala (RL)\nmass, kg | 1000 | 1000\nversion | 1 | 1"; got != want {
		t.Errorf("vehicles are\n%s; want\n%s", got, want)
	}
	// of an FMU only what its wheels carry is known
	list[1].result.Mass, list[0].result.Carried, list[1].result.Carried = 0, 990, 980
	if got := vehicles(list[:2], display.Default()).Rows; strings.Join(got[4], " | ") != "mass, kg | 1000 | " ||
		strings.Join(got[5], " | ") != "mass that the wheels carry in the first second, kg |  | 980" {
		t.Errorf("masses are %q", got[4:6])
	}
	if got := list[0].result.properties()["constant lateral"]; got != "4, from the run of circle.toml before" {
		t.Errorf("the constant is %q", got)
	}
	plots := overlaid(list, display.Default())
	if len(plots) != 4 || len(plots[0].Curves) != 3 {
		t.Fatalf("%d plots; want speed, yaw rate, roll angle and path of three set-ups", len(plots))
	}
	if v := plots[0].Curves[1].Y[1]; v != 72 {
		t.Errorf("20 m/s are shown as %g km/h", v)
	}
	if v := plots[1].Curves[0].Y[1]; v < 28.647 || v > 28.648 {
		t.Errorf("0.5 rad/s are shown as %g deg/s", v)
	}
	if path := plots[3]; !path.EqualScales || path.Curves[2].X[2] != 30 || path.Curves[2].Y[2] != 4 {
		t.Errorf("the path is %+v", path)
	}
	var page, again bytes.Buffer
	if err := Report(list, display.Default()).Write(&page); err != nil {
		t.Fatal(err)
	}
	if err := Report(list, display.Default()).Write(&again); err != nil || !bytes.Equal(page.Bytes(), again.Bytes()) {
		t.Errorf("equal set-ups give different pages, error %v", err)
	}
	for _, part := range []string{"Step &lt;steer&gt;", "Set-ups compared with soft", "Figure 4. Path."} {
		if !strings.Contains(page.String(), part) {
			t.Errorf("the page lacks %q", part)
		}
	}
}

// Parameters of model files are compared by value. A parameter set by one set-up is beside the value of the other's
// file. Values that differ between the files are listed, and a component missing in a file is one row.
func TestParametersOfFilesAreCompared(t *testing.T) {
	with := func(parameters string) func(string) string {
		return func(s string) string {
			return strings.Replace(s, `"runs":`, `"parameters": {`+parameters+`}, "runs":`, 1)
		}
	}
	a := folder(t, "a", with(`"spring.stiffness": 25000, "bar": 1200, "wing.area": 1, "wing.drag": 0.4, "body.mass": 900`)(
		figures("step", "1", "0.1", "aa", ``)), run)
	b := folder(t, "b", with(`"spring.stiffness": 25000, "bar": 5400, "body.mass": 900`)(
		figures("step", "1", "0.1", "aa", `"spring.stiffness": "3e4", "body.mass": "900.0"`)), run)
	list, err := Read([]string{a, b}, nil)
	if err != nil {
		t.Fatal(err)
	}
	var rows []string
	for _, row := range differences(list).Rows {
		rows = append(rows, strings.Join(row, " | "))
	}
	if got, want := strings.Join(rows, "\n"), "run 1, parameter spring.stiffness | 25000, from the file | 3e4\n"+
		"parameter bar | 1200 | 5400\ncomponent or parameter wing | present | none"; got != want {
		t.Errorf("differences are\n%s; want\n%s", got, want)
	}
}

// A browser draws all curves of the page.
func TestTheReportIsDrawnInChromium(t *testing.T) {
	testrun.OnlyAll(t)
	testrun.InStage(t, "browser")
	testrun.RequiresOne(t, browser.Names...)
	other := strings.NewReplacer("0.5,0.1,15,1", "0.3,0.2,14,0.5", "0.5,0.1,30,4", "0.3,0.2,28,2", "1,20", "1,15")
	a := folder(t, "soft", figures("step", "1", "0.1", "aa", ``), run)
	b := folder(t, "stiff", figures("step", "2", "0.05", "bb", ``), other.Replace(run))
	list, err := Read([]string{a, b}, nil)
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "report.html")
	file, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	wrote := Report(list, display.Default()).Write(file)
	if err := errors.Join(wrote, file.Close(), browser.CheckDrawn(path, 4)); err != nil {
		t.Error(err)
	}
}

// Runs that ended early, figures of all runs together, signals that a set-up does not record.
func TestIncompleteSetups(t *testing.T) {
	text := figures("step", "1", "0.1", "aa", ``)
	early := strings.Replace(text, `"verdict": ""`, `"verdict": "rolled over"`, 1)
	early = strings.Replace(early, `"figures": []}`, `"figures": [{"figure": "limit", "unit": "m/s", "value": 20}]}`, 1)
	short := "time,b.vx,b.wz,b.x,b.y\n0,10,0,0,0\n1,20,0.5,15,1\n2,20,0.5,30,4\n"
	list, err := Read([]string{folder(t, "a", text, run), folder(t, "b", early, short)}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if rows := values(list, display.Default()).Rows; len(rows) != 3 ||
		strings.Join(rows[2], " | ") != "all | limit | km/h | missing | 72 |  |  | " {
		t.Errorf("rows %q", rows)
	}
	plots := overlaid(list, display.Default())
	if n := len(plots[2].Curves); n != 1 {
		t.Errorf("%d curves of the roll angle, which one set-up records", n)
	}
	if n := len(plots[0].Curves); n != 2 {
		t.Errorf("%d curves of the speed", n)
	}
	var page bytes.Buffer
	if err := Report(list, display.Default()).Write(&page); err != nil ||
		!strings.Contains(page.String(), "Run 1 of b ended early: rolled over.") {
		t.Errorf("error %v, or the page does not name the run that ended early", err)
	}
}

func TestEqualSetupsDoNotDiffer(t *testing.T) {
	text := figures("step", "1", "0", "aa", ``)
	list, err := Read([]string{folder(t, "x", text, run), folder(t, "x", text, run)}, []string{"one", " two"})
	if err != nil {
		t.Fatal(err)
	}
	if table := differences(list); len(table.Rows) != 0 || table.Note == "" {
		t.Errorf("differences of equal set-ups: %v", table.Rows)
	}
	if row := values(list, display.Default()).Rows[1]; row[6] != "" { // 0 of 0
		t.Errorf("the difference from 0 is %q %%", row[6])
	}
}

func TestUnreportableFolders(t *testing.T) {
	text := figures("step", "1", "0", "aa", ``)
	good := folder(t, "good", text, run)
	for name, c := range map[string]struct {
		folders, names []string
		says           string
	}{
		"one":             {[]string{good}, nil, "two or more"},
		"names":           {[]string{good, good}, []string{"a"}, "one name for each"},
		"the same name":   {[]string{good, good}, nil, "--names"},
		"an empty name":   {[]string{good, good}, []string{"a", " "}, "--names"},
		"another":         {[]string{good, folder(t, "b", figures("circle", "1", "0", "", ``), run)}, nil, `"circle"`},
		"no folder":       {[]string{good, filepath.Join(good, "none")}, nil, "skidpad manoeuvre --out"},
		"no JSON":         {[]string{good, folder(t, "b", "[", run)}, nil, "figures.json"},
		"no runs":         {[]string{good, folder(t, "b", `{"manoeuvre": "step"}`, run)}, nil, "no runs"},
		"no recorded run": {[]string{good, folder(t, "b", text, "")}, nil, "run_1.csv"},
	} {
		if _, err := Read(c.folders, c.names); err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: %v; want %q", name, err, c.says)
		}
	}
}
