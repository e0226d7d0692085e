package compare

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"skidpad/harness/workbench/results/display"
	"skidpad/harness/workbench/results/signals"
	"skidpad/harness/workbench/results/trace"
)

// Two runs over a measurement with a gap: table, JSON and page have residuals in their units and the corridor; nothing
// is drawn or judged within the gap.
func TestRunsOverAMeasurement(t *testing.T) {
	var runs []signals.Run
	for k, scale := range []float64{1, 1.1} {
		run := trace.New([]trace.Channel{{Name: "body.wz", Unit: "rad/s"}, {Name: "body.vx", Unit: "m/s"}}, 0)
		for i := range 401 {
			at := float64(i) / 100
			x := scale * math.Exp(-(at-2)*(at-2)*3)
			if at > 2.9 && at < 3.1 {
				x = 9 // within the gap of the measurement
			}
			run.Append(at, []float64{x, 20})
		}
		runs = append(runs, signals.Run{Name: fmt.Sprintf("run %d", k+1), Trace: run})
	}
	var b strings.Builder
	b.WriteString("time;rate [deg/s]\n")
	for i := range 81 {
		at := float64(i) / 20
		cell := fmt.Sprint(math.Exp(-(at-2)*(at-2)*3) * 180 / math.Pi)
		if at > 2.85 && at < 3.15 {
			cell = ""
		}
		fmt.Fprintf(&b, "%g;%s\n", at+10, cell)
	}
	file := filepath.Join(t.TempDir(), "logger.csv")
	if err := os.WriteFile(file, []byte(b.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	by, err := ParseSpec("by.toml", []byte(`align = "body.wz"
[column]
"body.wz" = { name = "rate" }
[[corridor]]
x = "time"
y = "body.wz"
x_offset = 0.02
y_offset = 0.05
`))
	if err != nil {
		t.Fatal(err)
	}
	found, err := by.WithMeasurement(runs[:1], file, nil) // the pulse of 9, in the gap, does not count
	if err != nil || math.Abs(found.Runs[0].Shift+10) > 1e-4 || !strings.Contains(found.shifts()[0], "found by body.wz") {
		t.Fatal(err, found)
	}
	by.Align, by.Shift = "", -10
	r, err := by.WithMeasurement(runs, file, nil)
	if err != nil {
		t.Fatal(err)
	}
	if r.Pass() || !r.Runs[0].Within[0].Pass() || r.Runs[1].Within[0].Pass() || r.Runs[0].Within[0].Samples > 401-29 ||
		r.Runs[0].Within[0].Samples < 401-31 { // times are rounded at the edges of the gap
		t.Errorf("run 1 %+v, run 2 %+v", r.Runs[0].Within[0], r.Runs[1].Within[0])
	}
	second := r.Runs[1].Residuals[0]
	if math.Abs(second.Largest-0.1) > 1e-12 || math.Abs(second.At-2) > 1e-9 || len(second.Values) != 81-5 ||
		len(second.Measured.Starts()) != 2 {
		t.Errorf("%+v", second)
	}
	var text, raw bytes.Buffer
	if err := r.WriteTable(&text); err != nil {
		t.Fatal(err)
	}
	for _, part := range []string{"shifted by -10 s", "run 2  body.wz", " 5.73 ", "deg/s"} {
		if !strings.Contains(text.String(), part) {
			t.Errorf("no %q in\n%s", part, text.String())
		}
	}
	if err := r.WriteJSON(&raw); err != nil {
		t.Fatal(err)
	}
	var data resultJSON
	if err := json.Unmarshal(raw.Bytes(), &data); err != nil || len(data.Residuals) != 2 || data.Shift != -10 ||
		data.Residuals[1].Unit != "rad/s" || math.Abs(data.Residuals[1].Largest-0.1) > 1e-12 || data.Pass {
		t.Errorf("%v: %+v", err, data)
	}
	var page bytes.Buffer
	if err := r.Page(display.Default()).Write(&page); err != nil {
		t.Fatal(err)
	}
	for _, part := range []string{"corridor: body.wz ± 2.865 deg/s, time ± 0.02 s", "measured", "run 2"} {
		if !strings.Contains(page.String(), part) {
			t.Errorf("no %q in the page", part)
		}
	}
	p := r.overlay("body.wz", display.Default())
	if len(p.Curves) != 3 || len(p.Curves[0].Starts) != 2 || len(p.Below.Curves) != 2 ||
		len(p.Below.Curves[1].Starts) != 2 ||
		len(p.Lines) != 4 || p.Y.Label != "body.wz, deg/s" || p.Below.Y.Label != "residual, deg/s" {
		t.Errorf("%+v", p)
	}
	by.Corridors[0].From, by.Corridors[0].To = 1, 1.5
	by.Corridors = append(by.Corridors, Corridor{X: "time", Y: "body.vx", YOffset: 1, To: 9})
	lines := r.corridorLines(second, "deg/s", math.Pi/180)
	if len(lines) != 2 || lines[0].X[0] < 1 || lines[0].X[len(lines[0].X)-1] > 1.5 ||
		math.Abs(lines[0].Y[3]-lines[1].Y[3]-0.1*180/math.Pi) > 1e-12 {
		t.Errorf("corridor from 1 to 1.5 s: %+v", lines)
	}
	by.Corridors = by.Corridors[:1]
	by.Corridors[0].From, by.Corridors[0].To, by.Shift = 0, 4, -10.5 // measured until 3.5 s
	if r, err = by.WithMeasurement(runs, file, nil); err != nil || r.Runs[0].Within[0].Samples > 351 {
		t.Errorf("error %v; %d samples count within 3.5 s at 100 Hz", err, r.Runs[0].Within[0].Samples)
	}
	for _, c := range []struct {
		chosen []string
		says   string
	}{{[]string{"body.x"}, `no variable "body.x"`}, {[]string{"body.vx"}, `no column "body.vx"`}} {
		if _, err := by.WithMeasurement(runs, file, c.chosen); err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%v: error %v, want %q", c.chosen, err, c.says)
		}
	}
}
