package laps

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"skidpad/harness/workbench/results/report"
	"skidpad/harness/workbench/runs/drivenlap"
)

// A driven lap of 11 s, 10 % above its quasi-steady lap, is in the printed text, the report, the facts and its own
// table. A body beyond a border leaves the track.
func TestADrivenLapInTheResult(t *testing.T) {
	gear := 3.0
	r := lapOf(t, 4)
	if names := fileNames(r); strings.Contains(names, drivenFile) {
		t.Errorf("files without a driven lap: %s", names)
	}
	inside := &drivenlap.Borders{BodyWidth: 1.6, Room: 0.25, At: 41}
	outside := &drivenlap.Borders{BodyWidth: 1.6, Room: -0.25, At: 41}
	for _, c := range []struct {
		gear    *float64
		borders *drivenlap.Borders
		want    string
	}{
		{&gear, inside, "in gear 3 for the whole lap, like the quasi-steady one; 10.0 % more than the quasi-steady lap on " +
			"a level road (10.000 s); at most 0.40 m beside the line, at 30 m; a body of 1.6 m keeps 0.25 m from the " +
			"borders, at s = 41 m; reserves: 0.980 of the lateral limit, 0.950 of the deceleration; runs: 2"},
		{nil, outside, "10.0 % more than the quasi-steady lap on a level road (10.000 s); at most 0.40 m beside the line, " +
			"at 30 m; a body of 1.6 m leaves the track at s = 41 m by 0.25 m; reserves"},
		{nil, nil, "10.0 % more than the quasi-steady lap on a level road (10.000 s); at most 0.40 m beside the line, at " +
			"30 m; distance from the borders unknown: give the width of the body by --body-width or the role outline; " +
			"reserves"},
	} {
		r.Driven = &drivenlap.Lap{Time: 11, Quasi: 10, Gear: c.gear, Off: 0.4, OffAt: 30, Borders: c.borders, Bend: 0.98,
			Brake: 0.95, Runs: 2, Table: drivenlap.Table{Distance: []float64{1, 2}, Time: []float64{3, 4},
				Speed: []float64{5, 6}, Wanted: []float64{7, 8}, Offset: []float64{9, 10}}}
		var out, page bytes.Buffer
		if err := r.Write(&out); err != nil {
			t.Fatal(err)
		}
		if want := "\ndriven lap  0:11.000 (11.000 s)\n" + c.want; !strings.Contains(out.String(), want) {
			t.Errorf("printed: %s; want %s", out.String(), want)
		}
		rows := r.Page().Answer.Rows
		if last := rows[len(rows)-1]; last.Name != "Driven lap" || last.Value != "0:11.000" ||
			!strings.HasPrefix(last.Words, c.want) {
			t.Errorf("answer of the report: %+v", last)
		}
		if err := r.Page().Write(&page); err != nil {
			t.Fatal(err)
		}
		speeds := r.Page().Sections[1].Blocks[0].(*report.Grid).Plots[0].Curves
		if d := speeds[len(speeds)-1]; d.Label != "driven" || !slices.Equal(d.X, []float64{1, 2}) ||
			!slices.Equal(d.Y, []float64{5 * kmh, 6 * kmh}) {
			t.Errorf("curve of the driven speed: %+v", d)
		}
	}
	r.Driven.Borders = outside
	text, err := json.Marshal(r)
	if want := `"borders":{"body_width":1.6,"least_room":-0.25,"least_room_at":41}`; err != nil ||
		!strings.Contains(string(text), want) {
		t.Errorf("%s lacks %s; %v", text, want, err)
	}
	found := false
	for _, f := range r.Files() {
		if f.Name != drivenFile {
			continue
		}
		found = true
		var table bytes.Buffer
		const want = "distance,time,speed,wanted_speed,offset\n1,3,5,7,9\n2,4,6,8,10\n"
		if err := f.Write(&table); err != nil || table.String() != want {
			t.Errorf("%s, %v", table.String(), err)
		}
	}
	if !found {
		t.Errorf("no table in %s", fileNames(r))
	}
}

func fileNames(r *Result) string {
	var names []string
	for _, f := range r.Files() {
		names = append(names, f.Name)
	}
	return strings.Join(names, " ")
}
