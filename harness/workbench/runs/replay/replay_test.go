package replay

import (
	"archive/zip"
	"bytes"
	"context"
	"encoding/json"
	"io"
	"math"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"skidpad/harness/library"
	"skidpad/harness/tests/built"
	"skidpad/harness/tests/testrun"
	"skidpad/harness/workbench/files/modelfile"
	"skidpad/harness/workbench/runs/drive"
	"skidpad/harness/workbench/runs/live"
	"skidpad/harness/workbench/runs/manoeuvre"
)

// recorded drives a shipped vehicle in lockstep, through segments of all kinds, and returns the file.
func recorded(t *testing.T) string {
	t.Helper()
	lib, err := library.Open(built.Library(t))
	if err != nil {
		t.Fatal(err)
	}
	model := built.Model("passenger_car")
	v, err := lib.Load(model, "")
	if err != nil {
		t.Fatal(err)
	}
	defer v.Close()
	target, err := modelfile.Target(model, "")
	if err != nil {
		t.Fatal(err)
	}
	car, err := manoeuvre.ReadDrivenCar(target, 12)
	if err != nil {
		t.Fatal(err)
	}
	prepare := func() error {
		plan := &drive.Plan{Manoeuvre: &manoeuvre.Manoeuvre{Name: "drive", Start: car.Start, Roles: car.Roles}}
		_, err := plan.Prepare(v, 1e-3)
		return err
	}
	if err := prepare(); err != nil {
		t.Fatal(err)
	}
	l, err := live.New(v, car, live.Options{Step: 1e-3, Outputs: []string{"body.wz"}, Recorded: true,
		Restart: func() error {
			if err := v.Reset(); err != nil {
				return err
			}
			return prepare()
		}})
	if err != nil {
		t.Fatal(err)
	}
	files, err := v.ModelFiles()
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "drives", "drive.zip")
	w, err := NewWriter(path, Facts{Version: "1", Vehicle: "PassengerCar", Step: 1e-3, Inputs: l.Inputs()}, files)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	var all sync.WaitGroup
	all.Go(func() {
		if err := l.Run(ctx); err != nil {
			t.Error(err)
		}
	})
	all.Go(func() { copyTo(t, w, l) })
	do := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	steer := func(c live.Command, slices int) {
		t.Helper()
		l.Drive(c)
		do(l.Advance(ctx, slices))
	}
	steer(live.Command{Keys: live.KeyThrottle | live.KeyLeft}, 2300)
	do(l.Keep(ctx, 1))
	steer(live.Command{Keys: live.KeyRight | live.KeyBrake}, 1200)
	do(l.Rewind(ctx, 1))
	steer(live.Command{Device: live.Program, Steering: 0.4, Throttle: 0.2}, 1100)
	do(l.Return(ctx, 1))
	do(l.Set(ctx, "air.wind_y", 3))
	steer(live.Command{Device: live.Wheel, Steering: -0.4, Throttle: 0.2}, 2000)
	do(l.Reset(ctx))
	steer(live.Command{Keys: live.KeyLeft}, 1500)
	cancel()
	all.Wait()
	if err := w.End(); err != nil {
		t.Fatal(err)
	}
	if left, err := os.ReadDir(filepath.Dir(path)); err != nil || len(left) != 1 {
		t.Errorf("%v remain beside the drive, %v", left, err)
	}
	return path
}

// copyTo records a loop until it ends.
func copyTo(t *testing.T, w *Writer, l *live.Loop) {
	t.Helper()
	for {
		select {
		case e, open := <-l.Events:
			if !open {
				return
			}
			w.Event(&e)
		case <-l.Rows():
		}
		for r := l.Take(); r != nil && len(l.Events) == 0; r = l.Take() {
			if err := w.Row(r); err != nil {
				t.Error(err)
			}
			l.Taken()
		}
	}
}

// repeated repeats a drive with the files that it has, and returns its rows of yaw rates.
func repeated(t *testing.T, path string, segment int) (result Result, rates []float64, err error) {
	t.Helper()
	d, err := Open(path)
	if err != nil {
		return result, nil, err
	}
	defer d.Close()
	model, err := d.Unpack(t.TempDir())
	if err != nil {
		return result, nil, err
	}
	lib, err := library.Open(built.Library(t))
	if err != nil {
		return result, nil, err
	}
	v, err := lib.Load(model, d.Tree)
	if err != nil {
		return result, nil, err
	}
	defer v.Close()
	result, err = d.Repeat(v, segment, []string{"body.wz"}, true, func(_, _ int, row []float64) error {
		rates = append(rates, row[0])
		return nil
	})
	return result, rates, err
}

// changed copies a drive with other content of an entry.
func changed(t *testing.T, path, name string, change func([]byte) []byte) string {
	t.Helper()
	from, err := zip.OpenReader(path)
	if err != nil {
		t.Fatal(err)
	}
	defer from.Close()
	var b bytes.Buffer
	to := zip.NewWriter(&b)
	for _, f := range from.File {
		r, err := f.Open()
		if err != nil {
			t.Fatal(err)
		}
		data, err := io.ReadAll(r)
		if err != nil {
			t.Fatal(err)
		}
		if f.Name == name {
			if data = change(data); data == nil {
				continue
			}
		}
		w, err := to.Create(f.Name)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := w.Write(data); err != nil {
			t.Fatal(err)
		}
	}
	if err := to.Close(); err != nil {
		t.Fatal(err)
	}
	other := filepath.Join(t.TempDir(), "other.zip")
	if err := os.WriteFile(other, b.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	return other
}

// A drive with resets, earlier states and changed settings is repeated bit by bit, as a whole and by segments. Another
// bit is an error that names the second.
func TestDrivesAreRepeatedBitByBit(t *testing.T) {
	testrun.Slow(t)
	path := recorded(t)
	d, err := Open(path)
	if err != nil {
		t.Fatal(err)
	}
	d.Close()
	var slices []int
	for _, s := range d.Segments {
		slices = append(slices, s.Slices)
	}
	if want := []int{3500, 1100, 2000, 1500}; len(slices) != 4 || slices[0] != want[0] || slices[1] != want[1] ||
		slices[2] != want[2] || slices[3] != want[3] {
		t.Errorf("the segments have %d slices, want %d", slices, want)
	}
	result, rates, err := repeated(t, path, 0)
	if err != nil || result.Equal != 7 || result.Compared != 7 || len(rates) != 8100+4 {
		t.Errorf("%+v, %d rows, %v", result, len(rates), err)
	}
	if result, rates, err = repeated(t, path, 3); err != nil || result.Equal != 2 || len(rates) != 2001 {
		t.Errorf("segment 3: %+v, %d rows, %v", result, len(rates), err)
	}
	if _, _, err = repeated(t, path, 5); err == nil {
		t.Error("a drive of 4 segments has a segment 5")
	}
	flipped := changed(t, path, "inputs_1.f64", func(data []byte) []byte {
		data[8*len(d.Inputs)*2500] ^= 1
		return data
	})
	if _, _, err = repeated(t, flipped, 0); err == nil || !strings.Contains(err.Error(), "segment 1 differs") ||
		!strings.Contains(err.Error(), "before 3 s") {
		t.Errorf("another bit: %v", err)
	}
}

// Drives that no recording has made are refused with a reason.
func TestFaultyDrivesAreRefused(t *testing.T) {
	testrun.Slow(t)
	path := recorded(t)
	facts := func(change func(f *Facts)) func([]byte) []byte {
		return func(data []byte) []byte {
			var f Facts
			if err := json.Unmarshal(data, &f); err != nil {
				t.Fatal(err)
			}
			change(&f)
			data, err := json.Marshal(f)
			if err != nil {
				t.Fatal(err)
			}
			return data
		}
	}
	for want, file := range map[string]string{
		"the format 9":              changed(t, path, "drive.json", facts(func(f *Facts) { f.Format = 9 })),
		"a slice of -1 s":           changed(t, path, "drive.json", facts(func(f *Facts) { f.Step = -1 })),
		"0 inputs":                  changed(t, path, "drive.json", facts(func(f *Facts) { f.Inputs = nil })),
		`"vehicle/../x" is missing`: changed(t, path, "drive.json", facts(func(f *Facts) { f.Model = "../x" })),
		"2000 slices of":            changed(t, path, "drive.json", facts(func(f *Facts) { f.Segments[0].Slices = 2000 })),
		"drive.json":                changed(t, path, "drive.json", func([]byte) []byte { return []byte("{") }),
		"has no drive.json":         changed(t, path, "drive.json", func([]byte) []byte { return nil }),
		"state_1.bin":               changed(t, path, "state_1.bin", func([]byte) []byte { return nil }),
		"not a zip":                 built.Model("skidder"),
	} {
		if _, _, err := repeated(t, file, 0); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v; want %q", err, want)
		}
	}
}

// What was recorded stays where the drive cannot be written.
func TestAnUnfinishedDriveIsKept(t *testing.T) {
	folder := t.TempDir()
	path := filepath.Join(folder, "drive.zip")
	v := &bytes.Buffer{}
	z := zip.NewWriter(v)
	if _, err := z.Create("car.toml"); err != nil {
		t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	w, err := NewWriter(path, Facts{Step: 1, Inputs: []string{"a"}}, v.Bytes())
	if err != nil {
		t.Fatal(err)
	}
	w.Event(&live.Event{Kind: "begin", Segment: 1, State: []byte("state")})
	for n := 1; n <= 7200; n++ {
		if err := w.Row(&live.Row{Segment: 1, Slice: n, Inputs: []float64{1}}); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Row(&live.Row{Segment: 1, Slice: 7201, Inputs: []float64{1}}); err == nil {
		t.Error("a drive of more than two hours is recorded")
	}
	if err := w.End(); err == nil || !strings.Contains(err.Error(), path+".part") {
		t.Errorf("the end says %v", err)
	}
	if _, err := os.Stat(filepath.Join(path+".part", "inputs_1.f64")); err != nil {
		t.Error(err)
	}
}

// A segment of a drive is a manoeuvre with nearly the same motion: from the start of the car, and from an earlier state
// with another wind.
func TestASegmentIsAManoeuvre(t *testing.T) {
	testrun.OnlyAll(t)
	path := recorded(t)
	d, err := Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	lib, err := library.Open(built.Library(t))
	if err != nil {
		t.Fatal(err)
	}
	load := func() *library.Vehicle {
		v, err := lib.Load(built.Model("passenger_car"), "")
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { v.Close() })
		return v
	}
	for segment := 1; segment <= len(d.Segments); segment++ {
		text, err := d.Manoeuvre(load(), segment, "driven")
		if err != nil {
			t.Fatal(err)
		}
		m, err := manoeuvre.Parse("driven.toml", text)
		if err != nil {
			t.Fatal(err)
		}
		run, err := drive.Simulate(load(), drive.Plan{Manoeuvre: m, Held: true, Record: []string{"body.wz"}})
		if err != nil {
			t.Fatal(err)
		}
		_, want, err := repeated(t, path, segment)
		if err != nil {
			t.Fatal(err)
		}
		got := run.Trace.Column("body.wz")
		if len(got) != len(want) {
			t.Fatalf("segment %d: %d rows, want %d", segment, len(got), len(want))
		}
		most, off := 0.0, 0.0
		for i := range want {
			most, off = max(most, math.Abs(want[i])), max(off, math.Abs(got[i]-want[i]))
		}
		share := 0.003
		if d.Segments[segment-1].Time > 0 { // tires begin without the deflections that they had
			share = 0.02
		}
		if off > share*most || most < 0.05 {
			t.Errorf("segment %d: the yaw rate differs by %.2g of %.2g rad/s", segment, off, most)
		}
	}
	if _, err := d.Manoeuvre(load(), len(d.Segments)+1, "driven"); err == nil || !strings.Contains(err.Error(), "1 to") {
		t.Errorf("a segment that is not there: %v", err)
	}
}
