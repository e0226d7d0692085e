package main

import (
	"slices"
	"strings"
	"testing"

	"skidpad/harness/workbench/files/resources"
	"skidpad/model/document"
)

// The constants of a manoeuvre are listed as its file has them, with units and the comments behind them.
func TestConstantsOfManoeuvresAreListed(t *testing.T) {
	text := "title = \"T\"\n[constants]\nspeed = \"5 km/h\" # of the car\nside = [1.0, -1.0]\ngain = 2.0   # times\n" +
		"[figures]\n"
	root, err := document.Parse([]byte(text), "x.toml")
	if err != nil {
		t.Fatal(err)
	}
	want := []listedConstant{{"speed", "5 km/h", "of the car"}, {"side", "[1.0, -1.0]", ""}, {"gain", "2.0", "times"}}
	if got := constantsOf(root, strings.Split(text, "\n")); !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	if got := constantsOf(root.Without("constants"), nil); len(got) != 0 {
		t.Errorf("of a file without constants: %q", got)
	}
	// a name of a model leads to its possible manoeuvres, any other name of a manoeuvre to its constants
	for _, model := range resources.Models.Names() {
		if slices.Contains(resources.Manoeuvres.Names(), model) {
			t.Errorf("%s is the name of a model and of a manoeuvre", model)
		}
	}
	status, out, _ := try("list", "manoeuvres", "circle_radius")
	for _, line := range []string{"circle_radius: Steady circle of constant radius, after ISO 4138", "--let NAME=VALUE"} {
		if !strings.Contains(out, line) || status != 0 {
			t.Errorf("status %d, no %q in\n%s", status, line, out)
		}
	}
}
