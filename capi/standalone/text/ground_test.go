package text_test

import (
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"skidpad/capi/standalone/text"
	"skidpad/harness/tests/built"
	"skidpad/model/bounded"
	"skidpad/model/road"
)

// Heights, slopes and friction of tables and grids are bit-identical to those of package road: at nodes, between them
// and beyond the border.
func TestTheTextLooksUpWhatPackageRoadDoes(t *testing.T) {
	folder := t.TempDir()
	source, err := os.ReadFile("testdata/surface.c")
	if err != nil {
		t.Fatal(err)
	}
	for name, content := range map[string]string{"surface.c": string(source), "step_tables.h": text.StepTables,
		"step_ground.h": text.StepGround} {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	program := built.Compiled(t, "surface", "gcc", "-std=c99", "-O1", "-ffp-contract=off", "-Wall", "-Wextra",
		"-Wpedantic", "-Wshadow", "-Wconversion", "-Wdouble-promotion", "-Wstrict-prototypes", "-Werror",
		filepath.Join(folder, "surface.c"))
	for _, c := range []struct {
		kind, file string
		arguments  []string
		numbers    string
	}{
		{road.Table, "x,z\n-1,0.25\n0.5,0.4\n2,0.1\n2,-0.3\n7,0.2\n", []string{"1", "5", "0", "0", "0", "0"},
			"-1 0.5 2 2 7 0.25 0.4 0.1 -0.3 0.2"},
		{road.Grid, "ncols 4\nnrows 3\nxllcenter -1\nyllcenter 0.5\ncellsize 1.5\n" +
			"0.1 -0.2 0.3 0.4\n0.5 0.6 -0.7 0.8\n0.9 1.0 1.1 1.2\n", []string{"0", "4", "3", "-1", "0.5", "1.5"},
			"0.9 1.0 1.1 1.2 0.5 0.6 -0.7 0.8 0.1 -0.2 0.3 0.4"},
	} {
		surface, err := road.Open(road.Shape{Kind: c.kind, File: "f"}, road.Shape{Kind: c.kind, File: "f"},
			func(bounded.Kind, string) ([]byte, error) { return []byte(c.file), nil })
		if err != nil {
			t.Fatal(err)
		}
		surface.Height, surface.Left, surface.Right = 0.5, 0.75, 1.5
		var places [][2]float64
		input := c.numbers
		for _, x := range []float64{-20, -1, -0.3, 0, 0.5, 1.1, 2, 2.0000001, 3.5, 5, 7, 7.5, 1e9} {
			for _, y := range []float64{-5, math.Copysign(0, -1), 0, 0.5, 1.2, 2, 3.4, 3.5, 40} {
				places = append(places, [2]float64{x, y})
				input += fmt.Sprintf("\n%x %x", x, y)
			}
		}
		run := exec.Command(program, c.arguments...)
		run.Stdin = strings.NewReader(input)
		said, err := run.Output()
		if err != nil {
			t.Fatal(err)
		}
		lines := strings.Split(strings.TrimSuffix(string(said), "\n"), "\n")
		if len(lines) != len(places) {
			t.Fatalf("%s: %d places of %d", c.kind, len(lines), len(places))
		}
		for k, at := range places {
			p := surface.At(road.Query{X: at[0], Y: at[1], Above: math.Inf(1), Near: road.Unknown})
			want := ""
			for _, x := range []float64{p.Height, p.SlopeX, p.SlopeY, p.Friction} {
				want += fmt.Sprintf("%016x ", math.Float64bits(x))
			}
			if lines[k] != want {
				t.Errorf("%s at %v:\n%s, want\n%s", c.kind, at, lines[k], want)
			}
		}
	}
}
