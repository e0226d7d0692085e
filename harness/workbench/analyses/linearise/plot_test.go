package linearise

import (
	"bytes"
	"regexp"
	"slices"
	"strings"
	"testing"

	"skidpad/harness/workbench/runs/manoeuvre"
	"skidpad/model/linear"
	"skidpad/model/vehicle"
)

// The axes of a Bode plot name frequencies and parts of a turn. The ends of the phase axis are ones, too.
func TestAxesOfBodePlots(t *testing.T) {
	m, err := vehicle.Read("../../../../resources/models/bicycle_rolling.toml")
	if err != nil {
		t.Fatal(err)
	}
	vehicle, err := linear.New(m, "")
	if err != nil {
		t.Fatal(err)
	}
	text := regexp.MustCompile(`(?s)<text[^>]*>([^<]*)</text>`)
	for _, values := range [][]float64{{5}, {5, 6, 7, 8, 9, 10}} {
		result := &Result{Title: "Bicycle", Varied: manoeuvre.Variation{Name: "speed", Values: values},
			Input: "steer.torque", Output: "rear_frame.wz", Frequencies: linear.LogSpace(0.01, 100, 60)}
		if err := result.AddAll(vehicle, nil, nil); err != nil {
			t.Fatal(err)
		}
		var file bytes.Buffer
		if err := result.PlotBode(&file, ".svg"); err != nil {
			t.Fatal(err)
		}
		var found []string
		for _, m := range text.FindAllStringSubmatch(file.String(), -1) {
			found = append(found, m[1])
		}
		want := []string{"0.01", "0.1", "1", "10", "100", "angular frequency [rad/s]", "-90", "0", "90", "180"}
		if len(values) > mostCurves { // a map, whose colours are labelled in its legend
			want = []string{"0.01", "0.1", "1", "10", "100", "angular frequency [rad/s]", "5", "10"}
			if !strings.Contains(file.String(), "<image") {
				t.Error("a plot of many values is no map")
			}
		}
		for _, w := range want {
			if !slices.Contains(found, w) {
				t.Errorf("%d values: the texts %q lack %q", len(values), found, w)
			}
		}
	}
}
