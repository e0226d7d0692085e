package main

import (
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"skidpad/model/roles"
)

// A road is a shipped one by its name, or a file. Its ground at the origin gets the height 0. Other words, and vehicles
// without the role, are refused.
func TestRoadsOfView(t *testing.T) {
	c := &cobra.Command{}
	vehicle := &roles.Roles{Road: "road"}
	if list, err := roadSettings(c, "", vehicle); err != nil || list != nil {
		t.Error(list, err)
	}
	step := filepath.Join(t.TempDir(), "step.csv")
	hole := filepath.Join(t.TempDir(), "hole.rdf")
	for file, text := range map[string]string{step: "x,z\n-1,0.25\n1,0.75\n", hole: "[UNITS]\nLENGTH = 'meters'\n" +
		"[MODEL]\nMETHOD = '3D'\n[NODES]\nNUMBER_OF_NODES = 3\n{ node x y z }\n1 1 1 0\n2 8 1 0\n3 1 8 0\n[ELEMENTS]\n" +
		"NUMBER_OF_ELEMENTS = 1\n{ n1 n2 n3 mu }\n1 2 3 1\n"} {
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for word, want := range map[string]struct {
		kind   string
		height float64
	}{"winding": {"crg", math.NaN()}, "pothole": {"rdf", 0}, "moguls": {"grid", math.NaN()}, step: {"table", -0.5}} {
		list, err := roadSettings(c, word, vehicle)
		if err != nil || len(list) != 3 || list[0].Name != "@road.kind" || list[0].Value != want.kind ||
			list[1].Name != "@road.file" || list[2].Name != "@road.height" {
			t.Errorf("%s: %v, %v", word, list, err)
			continue
		}
		height, err := strconv.ParseFloat(list[2].Value, 64)
		if err != nil || !math.IsNaN(want.height) && math.Abs(height-want.height) > 1e-9 {
			t.Errorf("%s: the height %v", word, list)
		}
	}
	for word, part := range map[string]string{"ramp": "2 roads", "wending": `"winding"`,
		"a/b.txt": ".crg, .rdf, .asc or .csv", "a/b.crg": "b.crg", hole: "no ground at x = 0"} {
		if _, err := roadSettings(c, word, vehicle); err == nil || !strings.Contains(err.Error(), part) {
			t.Errorf("%s: %v", word, err)
		}
	}
	if _, err := roadSettings(c, "winding", &roles.Roles{}); err == nil || !strings.Contains(err.Error(), `role "road"`) {
		t.Error(err)
	}
}
