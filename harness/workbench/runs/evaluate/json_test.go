package evaluate

import (
	"bytes"
	"math"
	"strings"
	"testing"

	"skidpad/harness/workbench/results/figures"
	"skidpad/harness/workbench/runs/drive"
	"skidpad/harness/workbench/runs/manoeuvre"
)

// A steering by a rack has no ratio if no role states one and no figure needs it.
func TestResultsWithoutASteeringRatio(t *testing.T) {
	for want, ratio := range map[string]float64{"null": math.NaN(), "16": 16} {
		e := &Result{Manoeuvre: &manoeuvre.Manoeuvre{Steering: &manoeuvre.Steering{}},
			Runs: []Run{{Record: &figures.Record{Ratio: ratio}, Result: &drive.Result{}}}}
		var data, table bytes.Buffer
		if err := e.WriteJSON(&data); err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(data.String(), `"ratio": `+want+",") {
			t.Errorf("ratio %v: %s", ratio, data.String())
		}
		if err := e.WriteTable(&table); err != nil {
			t.Fatal(err)
		}
		if strings.Contains(table.String(), "NaN") || strings.Contains(table.String(), "16 to 1") != (want == "16") {
			t.Errorf("ratio %v: %s", ratio, table.String())
		}
	}
}
