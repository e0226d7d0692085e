package main

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"io"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"skidpad/harness/tests/built"
	"skidpad/harness/tests/testrun"
)

// controlled runs the command with a program at the other end of --control-pipe, which sets the outputs of the law.
// runs are the beginnings of the runs, and ends their verdicts.
func controlled(t *testing.T, settings string, law func(row []float64) float64, args ...string) (runs, ends []string,
	stderr string) {
	t.Helper()
	c := exec.CommandContext(t.Context(), built.Command(t), slices.Concat(args, core(t), []string{"--control-pipe"})...)
	var said bytes.Buffer
	c.Stderr = &said
	to, err := c.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	from, err := c.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	send := func(kind uint32, data []byte) {
		frame := binary.LittleEndian.AppendUint32(nil, kind)
		frame = append(binary.LittleEndian.AppendUint32(frame, uint32(len(data))), data...)
		if _, err := to.Write(frame); err != nil {
			t.Error(err, said.String())
		}
	}
	send(1, []byte(settings))
	var head [8]byte
	for {
		if _, err := io.ReadFull(from, head[:]); err != nil {
			break // the command has ended
		}
		data := make([]byte, binary.LittleEndian.Uint32(head[4:]))
		if _, err := io.ReadFull(from, data); err != nil {
			t.Fatal(err)
		}
		switch binary.LittleEndian.Uint32(head[:]) {
		case 2:
			runs = append(runs, string(data))
		case 3:
			var row []float64
			for ; len(data) > 0; data = data[8:] {
				row = append(row, math.Float64frombits(binary.LittleEndian.Uint64(data)))
			}
			send(3, binary.LittleEndian.AppendUint64(nil, math.Float64bits(law(row))))
		case 4:
			ends = append(ends, string(data))
		}
	}
	if err := c.Wait(); err != nil {
		t.Errorf("%v: %s", err, said.String())
	}
	return runs, ends, said.String()
}

// A program on the pipe controls runs before the manoeuvre, and the runs of a search, with the results of the same law
// inside the vehicle. The program sees each run begin and end.
func TestProgramsControlSearchesAndRunsBefore(t *testing.T) {
	testrun.OnlyAll(t) // in the runs of a manoeuvre: harness/hosts/bindings/command_test.py
	folder := t.TempDir()
	for _, c := range []struct {
		manoeuvre, before, law, role, unit, start string
		let                                       []string
		function                                  func(row []float64) float64
		least                                     int // runs
	}{
		{"step_steer", "circle_speed", "0.9*demand", "@throttle", "1", "0.2662", nil, // the start of the throttle
			func(row []float64) float64 { return 0.9 * row[1] }, 3},
		{"brake_distance", "", "min(demand, 5000)", "@brake", "N.m", "0", []string{"--let", "speed=60 km/h"},
			func(row []float64) float64 { return min(row[1], 5000) }, 4},
	} {
		file, inside, outside := filepath.Join(folder, c.manoeuvre+"_law.toml"), filepath.Join(folder, c.manoeuvre+"_in"),
			filepath.Join(folder, c.manoeuvre+"_out")
		text := fmt.Sprintf("kind = \"subsystem\"\n[component.law]\ntype = \"sampled-equations\"\nsample = 0.01\n"+
			"inputs = [{ name = \"demand\", unit = %q, from = %q, value = %[4]s }]\n"+
			"outputs = [{ name = \"value\", unit = %[1]q, value = %[3]q, to = [%[2]q] }]\n", c.unit, c.role, c.law, c.start)
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		args := append([]string{"manoeuvre", "passenger_car", "--manoeuvre", c.manoeuvre}, c.let...)
		status, _, stderr := try(slices.Concat(args, core(t), []string{"--controller", file, "--out", inside})...)
		if status != 0 {
			t.Fatal(stderr)
		}
		settings := fmt.Sprintf(`{"protocol": 1, "sample": 0.01, "signals": [%q], "outputs": [%[1]q]}`, c.role)
		runs, ends, _ := controlled(t, settings, c.function, append(args, "--out", outside)...)
		if len(runs) < c.least || len(ends) != len(runs) || c.before != "" && !strings.Contains(runs[0], c.before) ||
			!strings.Contains(runs[len(runs)-1], fmt.Sprintf(`"%s","run":%d`, c.manoeuvre, len(runs))) {
			t.Errorf("%s: runs %q, ends %q", c.manoeuvre, runs, ends)
		}
		_, want := figuresIn(t, inside)
		_, got := figuresIn(t, outside)
		if len(want) < 5 || len(got) != len(want) {
			t.Errorf("%s: %d figures, and %d of the law inside", c.manoeuvre, len(got), len(want))
		}
		for name, x := range want {
			if got[name] != x {
				t.Errorf("%s: %s = %v; the law inside gives %v", c.manoeuvre, name, got[name], x)
			}
		}
	}
}

// simulate takes a program as manoeuvre does, and gives the recording of the law inside. Without a file for the
// outputs it is refused, because standard output has the protocol.
func TestSimulateWithAProgram(t *testing.T) {
	testrun.OnlyAll(t)
	folder := t.TempDir()
	soft := filepath.Join(folder, "soft.toml")
	if err := os.WriteFile(soft, []byte(softBrakes), 0o600); err != nil {
		t.Fatal(err)
	}
	args := func(out string) []string {
		return []string{"simulate", "passenger_car", "--manoeuvre", "brake", "--let", "speed=10", "--record", "body.*",
			"--out", filepath.Join(folder, out)}
	}
	status, _, stderr := try(slices.Concat(args("in.csv"), core(t), []string{"--controller", soft})...)
	if status != 0 {
		t.Fatal(stderr)
	}
	const settings = `{"protocol": 1, "sample": 0.01, "signals": ["@brake"], "outputs": ["@brake"]}`
	runs, _, _ := controlled(t, settings, func(row []float64) float64 { return min(row[1], 1000) }, args("out.csv")...)
	if !slices.Equal(runs, []string{`{"manoeuvre":"brake","run":1}`}) {
		t.Errorf("runs %q", runs)
	}
	inside, err := os.ReadFile(filepath.Join(folder, "in.csv"))
	if err != nil {
		t.Fatal(err)
	}
	outside, err := os.ReadFile(filepath.Join(folder, "out.csv"))
	if err != nil || !bytes.Equal(inside, outside) || len(inside) < 10_000 {
		t.Errorf("%d and %d bytes differ: %v", len(inside), len(outside), err)
	}
}

// The protocol needs standard output, so that results go to a file.
func TestProgramsNeedAFileForResults(t *testing.T) {
	for _, verb := range []string{"simulate", "manoeuvre"} {
		status, _, stderr := try(verb, "passenger_car", "--manoeuvre", "brake", "--control-pipe")
		if status != 2 || !strings.Contains(stderr, "--control-pipe: there is no --out") {
			t.Errorf("%s: status %d, %s", verb, status, stderr)
		}
	}
}
