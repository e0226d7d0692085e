package measured

import (
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"skidpad/harness/tests/fuzzinputs"
)

// whole is a table with all that bounce needs, in foreign units, and a test by its own columns over and at.
const whole = `# rig 7
test,over,at [SI],travel_left [mm],toe_left [deg],camber_left [deg],x_left [mm],y_left [mm],Fz_left [kN],rack [SI]
bounce,travel [m],0,20,0.1,-0.4,1001,700,3.5,0
bounce,travel [m],0,10,0.05,-0.2,1000.5,700,3.25,0
bounce,travel [m],0,0,0,0,1000,700,3,0
bounce,travel [m],0,-10,-0.05,0.2,999.5,700,2.75,0
bounce,travel [m],0,-20,-0.1,0.4,999,700,2.5,0
braking,load [N],-2000,0,0.2,0,,,3.2,0
braking,load [N],-1000,0,0.1,0,,,3.1,0
braking,load [N],0,0,0,0,,,3,0
braking,load [N],1000,0,-0.1,0,,,2.9,0
braking,load [N],2000,0,-0.2,0,,,2.8,0
`

const rolls = `roll,travel [m],0,-20,0,0,0,0,2.5,0
roll,travel [m],0,-10,0,0,0,0,2.7,0
roll,travel [m],0,0,0,0,0,0,3,0
roll,travel [m],0,10,0,0,0,0,3.2,0
roll,travel [m],0,20,0,0,0,0,3.4,0
`

func read(text string, names *Names) (*Axle, error) {
	a := &Axle{Tests: map[string]*Test{}}
	return a, a.parse([]byte(text), "kc.csv", "", names)
}

// Numbers are in SI units, rows rise, and columns without a use are told.
func TestTablesAreRead(t *testing.T) {
	a, err := read(whole, nil)
	if err != nil {
		t.Fatal(err)
	}
	b := a.Tests["bounce"]
	near := func(what string, got, want float64) {
		t.Helper()
		if math.Abs(got-want) > 1e-12*math.Max(1, math.Abs(want)) {
			t.Errorf("%s: %g, want %g", what, got, want)
		}
	}
	near("travel", b.Sides[0]["travel"][0], -0.02)
	near("at", b.At[4], 0.02)
	near("toe", b.Sides[0]["toe"][4], 0.1*math.Pi/180)
	near("x", b.Sides[0]["x"][4], 1.001)
	near("Fz", b.Sides[0]["Fz"][4], 3500)
	brake := a.Tests["braking"]
	near("load", brake.At[0], -2000)
	if _, err := read(strings.ReplaceAll(whole, "braking,load [N]", "roll,travel [m]"), nil); err == nil {
		t.Error("a roll without travel is read")
	}
	roll, err := read(whole+rolls, nil)
	if err != nil {
		t.Fatal(err)
	}
	near("roll with the right wheel up", roll.Tests["roll"].At[4], 0.02)
	near("travel of the left wheel there", roll.Tests["roll"].Sides[0]["travel"][4], -0.02)
	near("Fz", brake.Sides[0]["Fz"][0], 3200)
	if brake.Unit != "N" || brake.Sides[0]["x"] != nil || len(b.Sides[1]) != 0 {
		t.Errorf("unit %q, x %v, right side %v", brake.Unit, brake.Sides[0]["x"], b.Sides[1])
	}
	if len(a.Ignored) != 1 || !strings.Contains(a.Ignored[0], "rack") {
		t.Errorf("ignored: %v", a.Ignored)
	}
}

// Names and signs of other programs become those of kc.csv, from one file or from a file for each test.
func TestForeignNamesAndSigns(t *testing.T) {
	folder := t.TempDir()
	file := func(name, text string) string {
		path := filepath.Join(folder, name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	names, err := ReadNames(file("names.toml", "[names]\n\"Toe L\" = \"-toe_left\"\n\"Moment [N.m]\" = \"-at\"\nwhat = "+
		"\"test\"\n"+
		"[tests]\n\"Vertical\" = \"bounce\"\n"))
	if err != nil {
		t.Fatal(err)
	}
	foreign := strings.NewReplacer("toe_left", "Toe L", "test,over", "what,over", "bounce,", "Vertical,").Replace(whole)
	a, err := Read(file("foreign.csv", foreign), names)
	if err != nil {
		t.Fatal(err)
	}
	if toe := a.Tests["bounce"].Sides[0]["toe"][4]; math.Abs(toe+0.1*math.Pi/180) > 1e-15 {
		t.Errorf("toe is %g", toe)
	}
	head := "travel_left [mm],Toe L [deg],camber_left [deg],x_left [mm],y_left [mm],Fz_left [N]"
	file("bounce.csv", head+"\n-2,0,0,0,0,1\n-1,0,0,0,0,2\n0,0,0,0,0,3\n1,0,0,0,0,4\n2,-1,0,0,0,5\n")
	file("aligning_parallel.csv", "Moment [N.m],travel_left [m],Toe L [rad],camber_left [rad]\n"+
		"-20,0,-2,0\n-10,0,-1,0\n0,0,0,0\n10,0,1,0\n20,0,2,0\n")
	file("steer.csv", "at [deg],travel_left [m],Toe L [rad],camber_left [rad],x_left [m],y_left [m]\n"+
		"-20,0,-2,0,0,0\n-10,0,-1,0,0,0\n0,0,0,0,0,0\n10,0,1,0,0,0\n20,0,2,0,0,0\n")
	if a, err = Read(folder, names); err != nil {
		t.Fatal(err)
	}
	if len(a.Files) != 3 || a.Tests["steer"].Unit != "rad" || math.Abs(a.Tests["steer"].At[4]-math.Pi/9) > 1e-15 ||
		a.Tests["aligning_parallel"].Sides[0]["toe"][4] != 2 {
		t.Errorf("%v, %+v, %+v", a.Files, a.Tests["steer"], a.Tests["aligning_parallel"])
	}
}

// Every fault has one message with its place and a remedy.
func TestFaultsOfTables(t *testing.T) {
	replaced := func(pairs ...string) string { return strings.NewReplacer(pairs...).Replace(whole) }
	for name, test := range map[string]struct{ text, want string }{
		"empty": {"", "the file is empty; it needs a header"},
		"no unit": {replaced("toe_left [deg]", "toe_left"),
			`the column "toe_left" lacks its unit; write toe_left [rad]`},
		"wrong unit": {replaced("toe_left [deg]", "toe_left [mm]"), "mm is not a unit for what must be in rad"},
		"no test":    {replaced("test,over", "what,over"), "the column test is missing"},
		"no travel": {replaced("travel_left", "travel_right"), "the column travel_left is missing; the left wheel " +
			"is needed"},
		"a column twice": {replaced("x_left [mm]", "toe_left [mrad]"),
			`the columns "toe_left [deg]" and "toe_left [mrad]" are both toe_left`},
		"a column is absent": {replaced("Fz_left [kN]", "Force"), "the test bounce has no column Fz_left, which it needs"},
		"not a number": {replaced("bounce,travel [m],0,10,0.05", "bounce,travel [m],0,10,none"),
			`line 4: column "toe_left [deg]": "none" is not a finite number`},
		"NaN": {replaced("bounce,travel [m],0,10,0.05", "bounce,travel [m],0,10,NaN"),
			`line 4: column "toe_left [deg]": "NaN" is not a finite number`},
		"too large": {replaced("braking,load [N],2000", "braking,load [N],1e99"),
			`line 12: column "at [SI]": "1e99" is not a finite number of at most 1e9`},
		"an empty cell": {replaced("0,10,0.05,", "0,10,,"), "line 4: the test bounce has no number in the column " +
			"toe_left; fill the cell"},
		"back and forth": {replaced("0,10,0.05", "0,-15,0.05"), "line 4: the test bounce goes back from 0 to -0.015 m; " +
			"its rows must rise or fall steadily"},
		"one side of 0": {replaced("0,-10,", "0,5,", "0,-20,", "0,2,", "0,0,0,0,1000", "0,7,0,0,1000"), "line 7: the " +
			"test bounce goes from 0.002 to 0.02 m; it must have rows on both sides of 0"},
		"one side and 0": {replaced("m],0,20,", "m],0,40,", "m],0,10,", "m],0,30,", "0,0,0,0,1000", "0,20,0,0,1000",
			"0,-10,", "0,10,", "0,-20,", "0,0,"),
			"the test bounce goes from 0 to 0.04 m; it must have rows on both sides of 0"},
		"a length and an angle": {whole + "steer,rack [mm],-5,0,0,0,0,0,3,0\nsteer,angle [deg],5,0,0,0,0,0,3,0\n",
			"line 14: the test steer varies a length and an angle; keep one"},
		"few rows": {replaced("bounce,travel [m],0,10,0.05,-0.2,1000.5,700,3.25,0\n", ""), "line 3: the test " +
			"bounce has 4 rows; it needs 5"},
		"a load in mm": {replaced("braking,load [N]", "braking,load [mm]"), "the column at of the test braking has no " +
			"unit of its own; write at [N]"},
		"fields":     {replaced("1000.5,700,3.25,0", "1000.5,700,3.25"), "line 4 has 9 fields, the first row has 10"},
		"semicolons": {strings.ReplaceAll(whole, ",", ";"), "the values are separated by semicolons"},
	} {
		_, err := read(test.text, nil)
		if err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: %v; want %q", name, err, test.want)
		}
		if err != nil && strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: more than one line: %v", name, err)
		}
	}
}

// Files are bounded, and a folder without tables is told.
func TestFaultsOfFolders(t *testing.T) {
	folder := t.TempDir()
	file := func(name, text string) string {
		path := filepath.Join(folder, name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	fails := func(path, want string) {
		t.Helper()
		if _, err := Read(path, nil); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v; want %q", err, want)
		}
	}
	fails(folder, "has neither kc.csv with all tests nor a file of a test")
	fails(filepath.Join(folder, "none.csv"), "none.csv")
	many := strings.Repeat("bounce,travel [m],0,10,0.05,-0.2,1000.5,700,3.25,0\n", mostRows+1)
	fails(file("many.csv", whole+many), "the test bounce has more than 2000 rows")
	fails(file("large.csv", whole+strings.Repeat("#"+strings.Repeat(" ", 1<<16)+"\n", 300)), "has more than 16 MiB")
	fails(file("brake.csv", strings.ReplaceAll(whole, "bounce", "jounce")), "the test bounce is missing")
	for text, want := range map[string]string{
		"[name]\n":                          "key name is unknown; the file has the tables [names] and [tests]",
		"names = 3\n":                       "names: it must be a table",
		"[names]\na = \"toe\"\n":            "a: it must be one of test, over, at, travel_left",
		"[tests]\na = \"-bounce\"\n":        "a: it must be one of bounce, roll",
		"[names]\na = { b = \"toe_left\" }": "a: it must be one of",
	} {
		path := file("names.toml", text)
		if _, err := ReadNames(path); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v; want %q", text, err, want)
		}
	}
}

// No text makes the reader panic or gives numbers that are not finite.
func FuzzParse(f *testing.F) {
	fuzzinputs.Add(f, []byte(whole))
	f.Fuzz(func(t *testing.T, text []byte) {
		a, err := read(string(text), nil)
		if err != nil {
			return
		}
		for _, of := range a.Tests {
			for i, x := range of.At {
				if math.IsNaN(x-x) || i > 0 && x <= of.At[i-1] {
					t.Errorf("%s at %v", of.Name, of.At)
				}
			}
			for _, columns := range of.Sides {
				for key, values := range columns {
					for _, x := range values {
						if math.IsNaN(x-x) || len(values) != len(of.At) {
							t.Errorf("%s, %s: %v", of.Name, key, values)
						}
					}
				}
			}
		}
	})
}
