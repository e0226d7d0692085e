package manoeuvre

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

const ofFile = `name = "cycle"
title = "cycle"
models = ["Car"]
step = 0.01
[speed_control]
variable = "body.vx"
torques = ["motor.torque"]
proportional = 1
integral = 0
limit = 1
[[phase]]
name = "cycle"
duration = 4
speed = { kind = "file", file = "cycle.csv", column = "speed" }
[[phase.input]]
variables = ["pump.pressure"]
signal = { kind = "file", file = "cycle.csv", column = "pressure" }
`

// readWith reads the manoeuvre with the text of its table.
func readWith(t *testing.T, manoeuvre, table string) (*Manoeuvre, error) {
	t.Helper()
	folder := t.TempDir()
	for name, text := range map[string]string{"cycle.toml": manoeuvre, "cycle.csv": table} {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return Read(filepath.Join(folder, "cycle.toml"))
}

// Signals of files are straight lines in SI units, constant beyond their ends. A column for an input keeps its unit for
// the comparison with the vehicle.
func TestSignalsOfFiles(t *testing.T) {
	m, err := readWith(t, ofFile,
		"# a comment\nspeed [km/h], time [ms], pressure [bar], note [1]\n36, 0, 1, 7\n72, 2000, 3, 7\n")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ time, speed, rate, pressure float64 }{
		{0, 10, 5, 1e5}, {0.5, 12.5, 5, 1.5e5}, {2, 20, 0, 3e5}, {3, 20, 0, 3e5}} {
		speed, rate, _ := m.Phases[0].Speed.At(c.time)
		pressure, _, _ := m.Phases[0].Inputs[0].Signal.At(c.time)
		if speed != c.speed || rate != c.rate || pressure != c.pressure {
			t.Errorf("at %g s: %g m/s, %g m/s2, %g Pa", c.time, speed, rate, pressure)
		}
	}
	if err := m.Phases[0].Inputs[0].Written.Fits("Pa"); err != nil {
		t.Error(err)
	}
	if err := m.Phases[0].Inputs[0].Written.Fits("N.m"); err == nil || !strings.Contains(err.Error(), "cycle.csv:2:25") {
		t.Error(err)
	}
}

// Each fault of a file has one message with its place.
func TestFaultsOfSignalsOfFiles(t *testing.T) {
	const head = "time [s], speed [km/h], pressure [Pa]\n"
	for _, c := range []struct{ table, want string }{
		{"", `the file is empty; it needs a header such as time [s], speed [m/s] and two rows of numbers`},
		{head, `cycle.csv has 0 rows of numbers; a signal needs two`},
		{head + "0, 1, 2\n", `cycle.csv has 1 rows of numbers; a signal needs two`},
		{head + "0,1,2\n1,NaN,2\n", `cycle.csv:3:3: "NaN" is not a finite number`},
		{head + "0,1,2\n1,Inf,2\n", `cycle.csv:3:3: "Inf" is not a finite number`},
		{head + "0,1,2\n1,1,2,3\n", `line 3 has 4 fields, the first row has 3`},
		{head + "0,1,2\n1,,2\n", `cycle.csv:3:3: "" is not a finite number`},
		{head + "0,1,2\n0,1,2\n", `cycle.csv:3:1: time 0 s after 0 s; times must increase`},
		{head + "1,1,2\n0,1,2\n", `cycle.csv:3:1: time 0 s after 1 s; times must increase`},
		{"time [s], speed, pressure [Pa]\n0,1,2\n1,1,2\n",
			`cycle.csv:1:10: column speed lacks its unit; write speed [m/s]`},
		{"time [s], speed [kg], pressure [Pa]\n0,1,2\n1,1,2\n",
			`cycle.csv:1:10: column speed: kg is not a unit for what must be in m/s`},
		{"time [m], speed [m/s], pressure [Pa]\n0,1,2\n",
			`cycle.csv:1:1: column time: m is not a unit for what must be in s`},
		{"t [s], speed [m/s], pressure [Pa]\n0,1,2\n1,1,2\n", `cycle.csv has no column "time"`},
		{"time [s], v [m/s], pressure [Pa]\n0,1,2\n1,1,2\n", `cycle.csv has no column "speed"`},
		{"time [s]; speed [m/s]\n0;1\n1;1\n", `separated by semicolons`},
		{"PAR1", `the file is a Parquet file`},
		{"time [s], speed [m/s], pressure [Pa]\n" + longTable(), `is point 100001; there may be 100000`},
	} {
		_, err := readWith(t, strings.Split(ofFile, "[[phase.input]]")[0], c.table)
		if err == nil || !strings.Contains(err.Error(), c.want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%.60q: %v; expected %q", c.table, err, c.want)
		}
	}
	other := strings.Replace(ofFile, `"cycle.csv", column = "speed"`, `"none.csv", column = "speed"`, 1)
	_, err := readWith(t, other, head+"0,1,2\n1,1,2\n")
	if err == nil || !strings.Contains(err.Error(), "none.csv") {
		t.Error(err)
	}
	_, err = readWith(t, ofFile, "time [s], speed [m/s], pressure\n0,1,2\n1,1,2\n")
	if err == nil || !strings.Contains(err.Error(), "column pressure lacks its unit") {
		t.Error(err)
	}
}

// longTable has a row more than a signal may have.
func longTable() string {
	var b strings.Builder
	for i := range mostPoints + 1 {
		b.WriteString(strconv.Itoa(i) + ",1,2\n")
	}
	return b.String()
}
