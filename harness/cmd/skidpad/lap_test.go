package main

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"skidpad/harness/tests/built"
	"skidpad/harness/tests/testrun"
	"skidpad/harness/workbench/runs/laps"
)

// ring writes a closed track, a circle with a radius.
func ring(t *testing.T, radius float64) string {
	t.Helper()
	var text strings.Builder
	text.WriteString("x [m],y [m],width [m]\n")
	const count = 180
	for i := range count {
		sine, cosine := math.Sincos(2 * math.Pi * float64(i) / count)
		fmt.Fprintf(&text, "%.6f,%.6f,8\n", radius*cosine, radius*sine)
	}
	return writeText(t, "ring.csv", text.String())
}

// writeText writes a file of a test.
func writeText(t *testing.T, name, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// What is wrong with a lap is said before the car is measured.
func TestLapsThatAreRefused(t *testing.T) {
	t.Parallel()
	circle := ring(t, 60)
	for _, c := range []struct {
		args   []string
		status int
		want   string
	}{
		{[]string{"lap", "passenger_car"}, wrongUsage, "one TRACK"},
		{[]string{"lap", "passenger_cra", circle}, wrongUsage, "passenger_cra"},
		{[]string{"lap", "passenger_car", "missing.csv"}, failed, "missing.csv"},
		{[]string{"lap", "passenger_car", "ovall"}, wrongUsage,
			`there is no file and no track "ovall"; did you mean "oval"?`},
		{[]string{"lap", "passenger_car", writeText(t, "road.crg", "x\n")}, failed,
			"road.crg: the file has no block of a CRG file"},
		{[]string{"lap", "passenger_car", "winding", "--sectors", "100"}, wrongUsage, "the end of the track at 39.9"},
		{[]string{"lap", "passenger_car", circle, "--start-speed", "3"}, wrongUsage, "--start-speed is for open tracks"},
		{[]string{"lap", "passenger_car", circle, "--sectors", "500"}, wrongUsage, "--sectors: a sector ends at 500 m"},
		{[]string{"lap", "passenger_car", circle, "--drive", "--gears", "3.7,1"}, wrongUsage,
			"--drive stays in one gear; give one number to --gears"},
		{[]string{"lap", "passenger_car", "winding", "--drive"}, wrongUsage, "give --start-speed, from 3 m/s on"},
		{[]string{"lap", "passenger_car", circle, "--line", "race"}, wrongUsage,
			`--line "race"; it is centre or least-curvature`},
		{[]string{"lap", "passenger_car", "winding", "--drive", "--start-speed", "2.9"}, wrongUsage, "from 3 m/s on"},
		{[]string{"lap", "passenger_car", circle, "--drive", "--margin", "1"}, wrongUsage, "--margin belongs to the line of"},
		{[]string{"lap", "passenger_car", circle, "--drive", "--body-width", "-1"}, wrongUsage,
			"--body-width is -1 m; it must be above 0"},
		{[]string{"lap", "tractor_semitrailer", circle, "--drive", "--car", writeText(t, "car.toml",
			"[roles]\nchassis = \"tractor\"\naxles = [[\"tire_FL\", \"tire_FR\"], [\"tire_RL\", \"tire_RR\"]]\n")}, failed,
			"a quasi-steady lap needs the roles throttle, brake and steering; 'skidpad car' names what the vehicle lacks"},
		{[]string{"lap", "passenger_car", circle, "--margin", "1"}, wrongUsage, "add --line least-curvature"},
		{[]string{"lap", "passenger_car", circle, "--body-width", "1"}, wrongUsage, "add --line least-curvature"},
		{[]string{"lap", "passenger_car", circle, "--line", "least-curvature", "--margin", "-1"}, wrongUsage,
			"--margin is -1 m; it must be 0 or more"},
		{[]string{"lap", "passenger_car", circle, "--line", "least-curvature", "--body-width", "0"}, wrongUsage,
			"--body-width is 0 m; it must be above 0"},
		{[]string{"lap", "passenger_car", circle, "--line", "least-curvature", "--body-width", "9"}, failed,
			"a car of 9 m with a margin of 0.3 m on both sides does not fit into the 8 m"},
		{[]string{"lap", "passenger_car", circle, "--line", "least-curvature", "--margin", "3.2"}, failed,
			"a car of 1.645 m with a margin of 3.2 m"},
		{[]string{"lap", "tractor_semitrailer", circle, "--line", "least-curvature", "--car", writeText(t, "car.toml",
			"[roles]\nchassis = \"tractor\"\naxles = [[\"tire_FL\", \"tire_FR\"], [\"tire_RL\", \"tire_RR\"]]\n")}, failed,
			"the width of the car is not known; give it by --body-width, or by the role outline"},
		{[]string{"lap", "passenger_car", writeText(t, "bare.csv", "x [m],y [m]\n"), "--line", "least-curvature"}, failed,
			"the columns of the width are missing; a track has width [m]"},
		{[]string{"lap", "passenger_car", writeText(t, "track.csv", "x,y\n")}, failed, "track.csv"},
	} {
		status, stdout, stderr := try(c.args...)
		if status != c.status || !strings.Contains(stderr, c.want) || stdout != "" {
			t.Errorf("%v: status %d, %s%s; want %d, %q", c.args, status, stdout, stderr, c.status, c.want)
		}
	}
}

// On a circle of 60 m the car drives at its lateral limit of 8.2 m/s2 (skidpad driver adapt). Its lap is printed,
// written, and compared with that of a heavier car, which is slower.
func TestALapOfTheCommand(t *testing.T) {
	testrun.OnlyAll(t)
	t.Parallel()
	circle, folder := ring(t, 60), t.TempDir()
	light, heavy := filepath.Join(folder, "light"), filepath.Join(folder, "heavy")
	library := []string{"--library", built.Library(t), "--gears", "1"}
	var result laps.Result
	args := func(more ...string) []string {
		return append(append([]string{"lap", "passenger_car", circle}, more...), library...)
	}
	decodeJSON(t, good, &result, args("--json", "--out", light)...)
	want := 2 * math.Pi * 60 / math.Sqrt(8.2*60)
	if math.Abs(result.Time-want) > 0.02*want || result.Track != "ring" || !result.Closed || len(result.Sectors) != 3 {
		t.Errorf("a lap time of %g s, want %g s; %+v", result.Time, want, result)
	}
	// along the outer border of the ring, which is 8 m wide
	var outer laps.Result
	decodeJSON(t, good, &outer, args("--json", "--line", "least-curvature", "--body-width", "2", "--margin", "0.5")...)
	if far := math.Sqrt(62.5 / 60); math.Abs(outer.Length-2*math.Pi*62.5) > 0.1 ||
		math.Abs(outer.Time-far*result.Time) > 0.005*want || outer.Line.BodyWidth != 2 || outer.Line.Margin != 0.5 {
		t.Errorf("%g s over %g m on the line %+v, and %g s on the reference line", outer.Time, outer.Length, outer.Line,
			result.Time)
	}
	status, stdout, stderr := try(args("--set", "sprung=1.4 t", "--sectors", "100", "--out", heavy)...)
	if status != good || !strings.Contains(stdout, "PassengerCar, ring, 37") ||
		!strings.Contains(stdout, "lap time  0:1") {
		t.Fatalf("status %d, %s%s", status, stdout, stderr)
	}
	page := filepath.Join(folder, "laps.html")
	if status, stdout, stderr := try("report", light, heavy, "--out", page); status != good {
		t.Fatalf("status %d, %s%s", status, stdout, stderr)
	}
	text, err := os.ReadFile(page)
	for _, want := range []string{"Laps on ring", "sprung=1400", "Time difference"} {
		if err != nil || !strings.Contains(string(text), want) {
			t.Errorf("the page lacks %q: %v", want, err)
		}
	}
	list, _, err := laps.Read([]string{light, heavy}, nil)
	if err != nil || !(list[1].Time > list[0].Time) || list[1].Sectors[0].To != 100 {
		t.Errorf("laps of %v: %v", list, err)
	}
}
