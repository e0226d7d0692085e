package laps

import (
	"bytes"
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"skidpad/harness/workbench/results/output"
	"skidpad/harness/workbench/runs/course"
	"skidpad/harness/workbench/runs/envelope"
	"skidpad/harness/workbench/runs/lap"
)

func near(t *testing.T, what string, got, want, tolerance float64) {
	t.Helper()
	if !(math.Abs(got-want) <= tolerance) {
		t.Errorf("%s is %.9g; want %.9g within %.2g", what, got, want, tolerance)
	}
}

// straight is a straight course of 100 m, with a slope.
func straight(slope float64) *course.Course {
	c := &course.Course{Name: "straight"}
	for i := range 101 {
		c.S, c.X, c.Y = append(c.S, float64(i)), append(c.X, float64(i)), append(c.Y, 2)
		c.Curvature, c.Bank, c.Slope = append(c.Curvature, 0.01), append(c.Bank, -0.05), append(c.Slope, slope)
	}
	return c
}

// car has an acceleration of 4 m/s2 and a mass of 1000 kg.
func car(acceleration float64) *envelope.Envelope {
	at := []float64{10}
	return &envelope.Envelope{Vehicle: "Car", Mass: 1000, TopSpeed: 60, Exponent: 2,
		Driving:  envelope.Driving{Speed: at, Acceleration: []float64{acceleration}},
		Traction: envelope.Traction{Friction: 1}, Braking: envelope.Braking{Speed: at, Friction: []float64{1}},
		Cornering: envelope.Cornering{Speed: at, Steady: []float64{9}, Friction: []float64{1}, Square: []float64{0},
			Fourth: []float64{0}}}
}

// lapOf is the lap of a car on the straight course, without its bend.
func lapOf(t *testing.T, acceleration float64, marks ...float64) *Result {
	t.Helper()
	c := straight(0)
	for i := range c.Curvature {
		c.Curvature[i], c.Bank[i] = 0, 0
	}
	e := car(acceleration)
	l, err := lap.Solve(e, Track(c), 0)
	if err != nil {
		t.Fatal(err)
	}
	r, err := Of(e, c, l, marks)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// On a slope the road is longer than its plan, and bends less for its length: a spiral of the same radius.
func TestACourseAsATrack(t *testing.T) {
	for _, slope := range []float64{0, 0.3} {
		track := Track(straight(slope))
		near(t, "the length", track.S[100], 100/math.Cos(slope), 1e-9)
		near(t, "the curvature", track.Curvature[50], 0.01*math.Pow(math.Cos(slope), 2), 1e-12)
		near(t, "the bank", track.Bank[50], -0.05, 0)
		near(t, "the slope", track.Slope[50], slope, 0)
	}
}

// Sectors of an even acceleration: t = sqrt(2 s/a), at marks between points, too.
func TestSectors(t *testing.T) {
	r := lapOf(t, 4, 30.5, 70)
	if len(r.Sectors) != 3 {
		t.Fatalf("%d sectors", len(r.Sectors))
	}
	at := func(s float64) float64 { return math.Sqrt(2 * s / 4) }
	for i, want := range []float64{at(30.5), at(70) - at(30.5), at(100) - at(70)} {
		near(t, "the time of a sector", r.Sectors[i].Time, want, 1e-9)
	}
	near(t, "the least speed", r.Sectors[2].Least, math.Sqrt(2*4*70), 1e-9)
	near(t, "the largest speed", r.Sectors[2].Largest, math.Sqrt(2*4*100), 1e-9)
	near(t, "the energy", r.Energy.Drive, 1000*4*100, 1e-6)
	if r = lapOf(t, 4); len(r.Sectors) != 3 || math.Abs(r.Sectors[1].From-100.0/3) > 1e-9 {
		t.Errorf("sectors without marks: %+v", r.Sectors)
	}
	for _, marks := range [][]float64{{0}, {50, 50}, {50, 120}, {math.NaN()}} {
		if _, err := Of(car(4), straight(0), &lap.Lap{Points: make([]lap.Point, 101)}, marks); err == nil ||
			!strings.Contains(err.Error(), "a sector ends at") {
			t.Errorf("marks %v: %v", marks, err)
		}
	}
}

// The slower car is later by the difference of the closed forms.
func TestTheTimeDifference(t *testing.T) {
	fast, slow := lapOf(t, 4), lapOf(t, 2)
	lead := fast.Lead(slow)
	for _, s := range []int{0, 1, 37, 100} {
		near(t, "the time difference", lead[s], math.Sqrt(float64(s))-math.Sqrt(float64(s)/2), 1e-9)
	}
}

func TestTheClock(t *testing.T) {
	for seconds, want := range map[float64]string{59.9996: "1:00.000", 9.5: "0:09.500", 83.4567: "1:23.457"} {
		if got := Clock(seconds); got != want {
			t.Errorf("%g s are %s; want %s", seconds, got, want)
		}
	}
}

// write writes a lap into a folder.
func write(t *testing.T, r *Result, folder string) {
	t.Helper()
	if err := os.MkdirAll(folder, 0o700); err != nil {
		t.Fatal(err)
	}
	for _, f := range r.Files() {
		if err := output.WriteFile(filepath.Join(folder, f.Name), f.Write); err != nil {
			t.Fatal(err)
		}
	}
}

// Laps that were written are read again, and compared; pages show them.
func TestLapsOfFolders(t *testing.T) {
	folder := t.TempDir()
	first, second := filepath.Join(folder, "first"), filepath.Join(folder, "second")
	fast, slow := lapOf(t, 4, 40), lapOf(t, 2)
	slow.Settings = []string{"mass=2000"}
	write(t, fast, first)
	write(t, slow, second)
	if !IsFolder(first) || IsFolder(folder) {
		t.Error("folders of laps are not recognised")
	}
	list, names, err := Read([]string{first, second}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if names[1] != "second" || list[0].Time != fast.Time || len(list[0].Sectors) != 2 ||
		list[1].Settings[0] != "mass=2000" {
		t.Errorf("read: %v, %+v", names, list[1])
	}
	near(t, "the time difference", list[0].Lead(list[1])[100], slow.Time-fast.Time, 1e-9)
	rows := sectorTable(list, names).Rows
	if last := rows[len(rows)-1]; last[0] != "lap" || last[3] != "7.071" || last[5] != "10.000" || last[7] != "+2.929" {
		t.Errorf("the row of the lap: %q", last)
	}
	var page bytes.Buffer
	if err := Overlay(list, names).Write(&page); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"Laps on straight", "Compared with first", "2.929", "mass=2000", "Time difference"} {
		if !strings.Contains(page.String(), want) {
			t.Errorf("the page lacks %q", want)
		}
	}
	text, err := os.ReadFile(filepath.Join(first, "report.html"))
	for _, want := range []string{"Car on straight", "0:07.071", "g-g diagram", "sector 2", "400.0"} {
		if err != nil || !bytes.Contains(text, []byte(want)) {
			t.Errorf("the report lacks %q: %v", want, err)
		}
	}
	var printed bytes.Buffer
	if err := fast.Write(&printed); err != nil || !strings.Contains(printed.String(), "lap time  0:07.071 (7.071 s)") {
		t.Errorf("printed: %v\n%s", err, &printed)
	}
}

func TestFoldersThatAreRefused(t *testing.T) {
	folder := t.TempDir()
	good := filepath.Join(folder, "good")
	write(t, lapOf(t, 4), good)
	table, err := os.ReadFile(filepath.Join(good, "lap.csv"))
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.SplitAfter(string(table), "\n")
	for name, c := range map[string]struct {
		facts, table string
		want         string
	}{
		"text":    {"x", string(table), "lap.json: invalid character"},
		"columns": {"", strings.Replace(string(table), "speed", "pace", 1), "the columns are distance, time, pace"},
		"rows":    {"", lines[0] + lines[1], "two rows or more"},
		"back":    {"", lines[0] + lines[2] + lines[1], "row 2: the distance does not rise"},
		"number":  {"", lines[0] + strings.Replace(lines[1], "0", "x", 1), "is not a finite number"},
		"sector":  {`{"sectors": [{"from": 0, "to": 200}]}`, string(table), "a sector from 0 to 200 m is not on the lap"},
		"whole":   {`{}`, string(table), "the lap has no sectors"},
		"elsewhere": {`{"track": "other", "sectors": [{"from": 0, "to": 100}]}`, string(table),
			"is a lap of other over 100.000 m"},
	} {
		bad := filepath.Join(folder, name)
		write(t, lapOf(t, 4), bad)
		if c.facts != "" {
			if err := os.WriteFile(filepath.Join(bad, "lap.json"), []byte(c.facts), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		if err := os.WriteFile(filepath.Join(bad, "lap.csv"), []byte(c.table), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, _, err := Read([]string{good, bad}, nil); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v; want %q", name, err, c.want)
		}
	}
	if _, _, err := Read([]string{good, filepath.Join(folder, "none")}, nil); err == nil ||
		!strings.Contains(err.Error(), "give a folder that 'skidpad lap --out' has written") {
		t.Errorf("no folder: %v", err)
	}
}

// lap.json has the numbers of the lap under their names.
func TestTheFactsOfALap(t *testing.T) {
	var facts bytes.Buffer
	r := lapOf(t, 4)
	if err := r.Files()[0].Write(&facts); err != nil {
		t.Fatal(err)
	}
	var got map[string]any
	if err := json.Unmarshal(facts.Bytes(), &got); err != nil {
		t.Fatal(err)
	}
	if got["time"] != r.Time || got["length"] != 100.0 || got["largest_speed"] != r.Largest || got["vehicle"] != "Car" {
		t.Errorf("facts: %s", &facts)
	}
}
