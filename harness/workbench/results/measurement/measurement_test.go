package measurement

import (
	"bytes"
	"compress/zlib"
	"encoding/binary"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/parquet-go/parquet-go"

	"skidpad/harness/workbench/results/matfile"
	"skidpad/harness/workbench/results/recording"
	"skidpad/harness/workbench/results/trace"
	"skidpad/model/bounded"
	"skidpad/model/document"
	"skidpad/model/keys"
)

// written writes a file into a folder of the test.
func written(t testing.TB, name, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// mapOf reads a map as users write it.
func mapOf(t testing.TB, text string) (Map, error) {
	t.Helper()
	root, err := document.Parse([]byte(text), "by.toml")
	if err != nil {
		t.Fatal(err)
	}
	r := keys.NewReader("by.toml", root, nil)
	m := ReadMap(r.Fields(root, "the comparison", Keys))
	return m, r.Err()
}

// stepSteer is a run of a step steer: yaw rate, lateral acceleration and speed as systems of order 2 answer a step at 2
// s.
func stepSteer() *trace.Trace {
	step := func(t, frequency, damping float64) float64 {
		if t -= 2; t < 0 {
			return 0
		}
		w := frequency * math.Sqrt(1-damping*damping)
		return 1 - math.Exp(-damping*frequency*t)*(math.Cos(w*t)+damping*frequency/w*math.Sin(w*t))
	}
	r := trace.New([]trace.Channel{{Name: "body.wz", Unit: "rad/s"}, {Name: "body.ay", Unit: "m/s2"},
		{Name: "body.vx", Unit: "m/s"}}, 8001)
	for i := range 8001 {
		t := float64(i) / 1000
		r.Append(t, []float64{0.3 * step(t, 9, 0.5), 6 * step(t, 7, 0.6), 27.5 - 0.5*step(t, 1, 0.9)})
	}
	return r
}

const delay = 0.137 // s, of the logger's clock

// A logger writes a step steer in degrees, g and km/h, with decimal commas, a row of units, a preamble, gaps and noise.
// Its clock is late. The correlation finds its delay to a millisecond; the residual is the noise, and gaps stay empty.
func TestALoggerWithALateClock(t *testing.T) {
	run := stepSteer()
	noise := rand.New(rand.NewPCG(1, 2))
	const rate, sigma = 100, 0.2 // Hz; deg/s
	var b strings.Builder
	b.WriteString("\ufeffLogger;3000;Serial;17\r\nRate;100\r\nDriver: N. N.\r\n\r\n" +
		"Zeit;Gierrate;Ay;Speed;Marke;\r\ns;\xb0/s;g;km/h;;\r\n")
	comma := func(x float64) string { return strings.Replace(fmt.Sprintf("%.5f", x), ".", ",", 1) }
	for i := 50; i < 750; i++ {
		at := float64(i) / rate
		value := func(name string) float64 { x, _ := interpolated(run.Time, run.Column(name), at); return x }
		yaw := comma(value("body.wz")*180/math.Pi + sigma*noise.NormFloat64())
		if i >= 400 && i < 450 || i == 600 {
			yaw = ""
		}
		mark := ""
		if i == 300 {
			mark = "lap 2"
		}
		fmt.Fprintf(&b, "%s;%s;%s;%s;%s;\r\n", comma(at+delay), yaw, comma(value("body.ay")/9.80665),
			comma(3.6*value("body.vx")), mark)
	}
	m, err := mapOf(t, `align = "body.wz"
[column]
"body.wz" = { name = "Gierrate" }
"body.ay" = { name = "Ay" }
"body.vx" = { name = "Speed" }
`)
	if err != nil {
		t.Fatal(err)
	}
	r, err := Read(written(t, "logger.csv", b.String()), m)
	if err != nil {
		t.Fatal(err)
	}
	if err := r.Align(run); err != nil {
		t.Fatal(err)
	}
	if math.Abs(r.Shift+delay) > 1e-3 || r.Found.Coefficient < 0.99 {
		t.Errorf("shift %.5f s with the coefficient %.4f; want %g", r.Shift, r.Found.Coefficient, -delay)
	}
	if before := r.Shift; r.Align(run) != nil || r.Shift != before { // as for a second run
		t.Errorf("shift %g, then %g", before, r.Shift)
	}
	if _, err := r.Variables([]string{"body.wz"}); err == nil || !strings.Contains(err.Error(), "the run has no column") {
		t.Errorf("variables that the run lacks: error %v", err)
	}
	d, err := r.Residual(run, "body.wz")
	if err != nil {
		t.Fatal(err)
	}
	if got := d.RMS * 180 / math.Pi; math.Abs(got-sigma) > 0.1*sigma {
		t.Errorf("residual of the yaw rate %.4f deg/s; the noise is %g", got, sigma)
	}
	if len(d.Values) != 700-51 || len(d.Measured.Starts()) != 3 || d.Measured.Unit != "rad/s" || d.Explained < 0.99 {
		t.Errorf("%d samples, pieces from %d, unit %s, explained %.4f", len(d.Values), d.Measured.Starts(), d.Measured.Unit,
			d.Explained)
	}
	for _, c := range []struct {
		name, unit string
		within     float64
	}{{"body.ay", "m/s2", 0.02}, {"body.vx", "m/s", 0.002}} { // the shift is found to a millisecond
		d, err := r.Residual(run, c.name)
		if err != nil || d.RMS > c.within || d.Measured.Unit != c.unit {
			t.Errorf("%s: %v, residual %g, in %s", c.name, err, d.RMS, d.Measured.Unit)
		}
	}
	s, err := r.Series("body.wz", "")
	if err != nil {
		t.Fatal(err)
	}
	if s.Covers(4.2) || !s.Covers(3.9) || !s.Covers(4.6) || !s.Covers(100) {
		t.Error("a time within the gap is covered, or one outside is not")
	}
	if _, err := r.Residual(run, "body.x"); err == nil {
		t.Error("a variable that the file lacks was compared")
	}
}

// The residual is the run less the measurement. Its largest value has a time, and the explained share is
// 1 - mean square/variance.
func TestResidualsByHand(t *testing.T) {
	run := trace.Of([]trace.Channel{{Name: "v", Unit: "m/s"}}, [][]float64{{0, 1, 2, 3, 4}, {0, 1, 2, 3, 4}})
	r, err := Read(written(t, "a.csv", "time,v [km/h]\n-1,9\n0,0\n0.5,0\n1.5,5.4\n2,9\n9,1\n"), Map{})
	if err != nil {
		t.Fatal(err)
	}
	d, err := r.Residual(run, "v")
	if err != nil {
		t.Fatal(err)
	}
	near := func(a, b float64) bool { return math.Abs(a-b) < 1e-15 }
	if want := []float64{0, 0.5, 0, -0.5}; !slices.EqualFunc(d.Values, want, near) || d.Largest != 0.5 || d.At != 0.5 ||
		math.Abs(d.RMS-math.Sqrt(0.125)) > 1e-15 || math.Abs(d.Explained-(1-0.5/4.5)) > 1e-12 {
		t.Errorf("%+v", d)
	}
}

// Gain and offset apply in the unit of the column, which the map may correct; then comes SI.
func TestGainThenOffsetThenUnit(t *testing.T) {
	path := written(t, "a.csv", "t [ms],a [bar],b\n0,1,10\n500,2,20\n1000,3,30\n")
	m, err := mapOf(t, "shift = '0.25 s'\n[column]\n\"x.w\" = { name = \"b\", unit = \"deg/s\", gain = -2, offset = 5 }\n")
	if err != nil {
		t.Fatal(err)
	}
	r, err := Read(path, m)
	if err != nil {
		t.Fatal(err)
	}
	s, err := r.Series("x.w", "rad/s")
	if err != nil || !slices.Equal(s.Time, []float64{0.25, 0.75, 1.25}) {
		t.Fatal(s, err)
	}
	for i, deg := range []float64{-15, -35, -55} {
		if math.Abs(s.Values[i]-deg*math.Pi/180) > 1e-15 {
			t.Errorf("%g deg/s is %g rad/s", deg, s.Values[i])
		}
	}
	for _, c := range []struct{ by, name, wanted, says string }{
		{"", "b2", "", `has no column "b2"`},
		{"[column]\nx = { name = \"a\", unit = \"deg\" }\n", "x", "m/s", "is in deg, and x is in m/s"},
		{"[column]\nx = { name = \"aa\" }\n", "x", "", `no column "aa"`},
		{"shift = 1\nalign = \"x\"\n", "", "", "shift and align are both given"},
		{"[column]\nx = { unit = \"deg/sx\" }\n", "", "", "not known"},
		{"[column]\nx = { name = \"b\", filter = 1 }\n", "x", "", "a filter of 1 Hz for samples at 2 Hz"},
	} {
		m, err := mapOf(t, c.by)
		if err == nil {
			if r, err = Read(path, m); err == nil {
				_, err = r.Series(c.name, c.wanted)
			}
		}
		if err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s %s: error %v, want %q", c.by, c.name, err, c.says)
		}
	}
}

// A shift is rejected if the signals do not determine it.
func TestUndeterminedShifts(t *testing.T) {
	sine := func(from, to, frequency, phase float64) (time, values []float64) {
		for i := range int((to - from) * 100) {
			at := from + float64(i)/100
			time, values = append(time, at), append(values, math.Sin(frequency*at+phase))
		}
		return time, values
	}
	noise := rand.New(rand.NewPCG(3, 4))
	time, wave := sine(0, 10, 6, 0)
	random := trace.Mapped(wave, func(float64) float64 { return noise.NormFloat64() })
	constant := trace.Mapped(wave, func(float64) float64 { return 3.7 })
	single := trace.Mapped(time, func(at float64) float64 { return math.Exp(-(at - 5) * (at - 5)) })
	for name, c := range map[string]struct {
		values []float64
		says   string
	}{"several periods": {wave, "fit equally well"}, "noise": {random, "coefficient of correlation is"},
		"a constant": {constant, "constant"}, "a ramp": {time, "fit equally well"}, "a pulse": {single, ""}} {
		ours := wave
		if c.says == "" || name == "noise" {
			ours = single
		}
		if name == "a ramp" {
			ours = time
		}
		run := trace.Of(trace.Named("x"), [][]float64{time, ours})
		var b strings.Builder
		b.WriteString("time,x\n")
		for i, v := range c.values {
			fmt.Fprintf(&b, "%g,%g\n", time[i]+1000.0042, v)
		}
		r, err := Read(written(t, "a.csv", b.String()), Map{Align: "x"})
		if err != nil {
			t.Fatal(err)
		}
		err = r.Align(run)
		if (err == nil) != (c.says == "") || err != nil && !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: shift %g, error %v, want %q", name, r.Shift, err, c.says)
		}
		if err == nil && math.Abs(r.Shift+1000.0042) > 1e-4 {
			t.Errorf("%s: shift %g", name, r.Shift)
		}
	}
}

// The filter has no delay and halves the amplitude at its cut-off. Slow oscillations and straight lines pass it, fast
// oscillations do not.
func TestFilterHasNoDelay(t *testing.T) {
	const rate, cutOff = 200.0, 5.0
	for frequency, amplitude := range map[float64]float64{5: 0.5, 0.5: 1 / (1 + 1e-4), 20: 1.0 / 257} {
		s := Series{starts: []int{0}}
		for i := range 4001 {
			at := float64(i) / rate
			s.Time, s.Values = append(s.Time, at), append(s.Values, math.Cos(2*math.Pi*frequency*at))
		}
		if err := s.filter(cutOff); err != nil {
			t.Fatal(err)
		}
		var real, imaginary float64
		const periods = 8 // s, from 6 s on
		for i := range int(periods * rate) {
			at := s.Time[1200+i]
			real += 2 * s.Values[1200+i] * math.Cos(2*math.Pi*frequency*at) / (periods * rate)
			imaginary += 2 * s.Values[1200+i] * math.Sin(2*math.Pi*frequency*at) / (periods * rate)
		}
		// the frequencies above the cut-off are bent by the bilinear transformation
		if math.Abs(real-amplitude) > 0.004*amplitude+0.0005 || math.Abs(imaginary) > 1e-6 {
			t.Errorf("%g Hz: amplitude %g, out of phase %g; want %g", frequency, real, imaginary, amplitude)
		}
	}
	s := Series{starts: []int{0, 50}} // two pieces of one line
	for i := range 100 {
		at := float64(i) / rate
		if i >= 50 {
			at += 1
		}
		jump := float64(i / 50 * 7) // over the gap
		s.Time, s.Values = append(s.Time, at), append(s.Values, 3-2*at+jump)
	}
	line := slices.Clone(s.Values)
	if err := s.filter(cutOff); err != nil {
		t.Fatal(err)
	}
	for i, x := range s.Values {
		if math.Abs(x-line[i]) > 1e-3 {
			t.Fatalf("a line of %d samples, at %d: %g, want %g", len(line), i, x, line[i])
		}
	}
}

// Loggers write tables in many ways.
func TestTablesOfLoggers(t *testing.T) {
	nan := math.NaN()
	for name, c := range map[string]struct {
		text string
		want []channel
	}{
		"commas": {"time,v\n0,1\n1,2\n", []channel{{Name: "time", Values: []float64{0, 1}},
			{Name: "v", Values: []float64{1, 2}}}},
		"tabs and brackets": {"t [s]\tSpeed (km/h)\tFz (front)\n0\t1.5\t\n1\tNaN\t4\n", []channel{
			{Name: "t", Unit: "s", Values: []float64{0, 1}}, {Name: "Speed", Unit: "km/h", Values: []float64{1.5, nan}},
			{Name: "Fz (front)", Values: []float64{nan, 4}}}},
		"whole numbers first, then decimal commas": {"t;v\n0;1\n1;2,5\n", []channel{{Name: "t", Values: []float64{0, 1}},
			{Name: "v", Values: []float64{1, 2.5}}}},
		"quotes": {"\"t\",\"a, b\"\n\"0\",\"-1e3\"\n1,2\n\n", []channel{{Name: "t", Values: []float64{0, 1}},
			{Name: "a, b", Values: []float64{-1000, 2}}}},
		"units in brackets below": {"t,v\n[s],[m/s^2]\n0,1\n1,2\n", []channel{{Name: "t", Unit: "s", Values: []float64{0, 1}},
			{Name: "v", Unit: "m/s^2", Values: []float64{1, 2}}}},
		"decimal commas that could separate": {"t;v\n0,5;-1\n1,5;-1,23e-05\n", []channel{
			{Name: "t", Values: []float64{0.5, 1.5}}, {Name: "v", Values: []float64{-1, -1.23e-5}}}},
		"a text in each row": {"t,v,lap\n0,1,a\n1,2,b\n", []channel{{Name: "t", Values: []float64{0, 1}},
			{Name: "v", Values: []float64{1, 2}}, {Name: "lap", Values: []float64{nan, nan}}}},
		"decimal commas in quotes": {"t,v\n\"0,5\",1\n1,\"2,5\"\n", []channel{{Name: "t", Values: []float64{0.5, 1}},
			{Name: "v", Values: []float64{1, 2.5}}}},
		"elements of arrays": {"t,a[1]\n0,1\n1,2\n", []channel{{Name: "t", Values: []float64{0, 1}},
			{Name: "a[1]", Values: []float64{1, 2}}}},
		"a preamble of as many cells": {"a,b\nc,d\nt,v\n0,1\n1,2\n", []channel{{Name: "t", Values: []float64{0, 1}},
			{Name: "v", Values: []float64{1, 2}}}},
	} {
		got, err := parseLogger([]byte(c.text))
		if err != nil || len(got) != len(c.want) {
			t.Errorf("%s: %+v, %v", name, got, err)
			continue
		}
		for i, w := range c.want {
			if g := got[i]; g.Name != w.Name || g.Unit != w.Unit || (g.fault != nil) != (w.Name == "lap") ||
				!slices.EqualFunc(g.Values, w.Values, func(a, b float64) bool { return a == b || a != a && b != b }) {
				t.Errorf("%s: %+v, want %+v", name, g, w)
			}
		}
	}
	for text, says := range map[string]string{
		"":                    "no heading",
		"0,1\n1,2\n":          "write the names of the columns",
		"t;v\n0,5;1.5\n1;2\n": "",
		"t,v\n0,1\n1,2,3\n":   "line 3 has 3 cells, and the heading has 2",
		"t,v\n0,1\x00\n":      "zero bytes",
		strings.Repeat("x\n", 600) + "a,b\n0,1\n": "no heading with rows of numbers below it within the first 500 lines",
	} {
		_, err := parseLogger([]byte(text))
		if (err == nil) != (says == "") || err != nil && !strings.Contains(err.Error(), says) {
			t.Errorf("%.20q: error %v, want %q", text, err, says)
		}
	}
	// a cell that is not a number is a fault of its column only
	r, err := Read(written(t, "a.csv", "time;v;w\n0,5;1.5;1\n1;2,0;0x1p3\n2;1.7;0\n"), Map{})
	if err != nil {
		t.Fatal(err)
	}
	for name, says := range map[string]string{"v": `line 2, column v: "1.5" is not a finite number`,
		"w": `line 3, column w`} {
		if _, err := r.Series(name, ""); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("error %v, want %q", err, says)
		}
	}
}

// Files that scipy 1.16, pandas 3 and asammdf 8.8 have written, by
//
//	t, yaw, n = arange(6)*0.5, array([0, 1, -2.5, 3, 4, 5.25]), array([0, 1, 2, 300, -4, 5], int16)
//	scipy.io.savemat(NAME, {"time": t, "yaw": yaw[:, None], "single": yaw.astype(float32), "whole": n,
//	    "car": {"vx": yaw+20, "gear": n}, "note": "a text", "k": 1.0, "z": yaw*1j, "cells": array(["a", "bc"], object),
//	    "deep": {"a": {"b": t+1}}}, do_compression=NAME == "v7.mat")
//	frame = pandas.DataFrame({"TIME": t, "YAW": yaw, "n": n, "name": list("abcdef")}); frame.loc[2, "YAW"] = nan
//	frame["k"] = pandas.array([1, None, 3, 4, 5, 6], "Int32"); frame.to_parquet("pandas.parquet")
//	m = asammdf.MDF(version="4.10"); m.append([Signal(yaw, t, name="YAW", unit="deg/s"),
//	    Signal(n, t, name="n", unit="-")])
//	m.save("asammdf.mf4", compression=0); m.save("asammdf_zip.mf4", compression=2)
func TestFilesOfOtherPrograms(t *testing.T) {
	yaw, whole := []float64{0, 1, -2.5, 3, 4, 5.25}, []float64{0, 1, 2, 300, -4, 5}
	plus := func(list []float64, x float64) []float64 {
		return trace.Mapped(list, func(v float64) float64 { return v + x })
	}
	time := []float64{0, 0.5, 1, 1.5, 2, 2.5}
	for _, file := range []string{"v6.mat", "v7.mat"} {
		r, err := Read(filepath.Join("testdata", file), Map{})
		if err != nil {
			t.Fatal(err)
		}
		for name, want := range map[string][]float64{"yaw": yaw, "single": yaw, "whole": whole, "car.vx": plus(yaw, 20),
			"car.gear": whole, "deep.a.b": plus(time, 1)} {
			if s, err := r.Series(name, ""); err != nil || !slices.Equal(s.Values, want) || !slices.Equal(s.Time, time) {
				t.Errorf("%s, %s: %v, %v", file, name, s.Values, err)
			}
		}
		for _, name := range []string{"z", "note", "k", "cells"} {
			if r.Has(name) {
				t.Errorf("%s: %s is a channel", file, name)
			}
		}
	}
	r, err := Read(filepath.Join("testdata", "pandas.parquet"), Map{})
	if err != nil {
		t.Fatal(err)
	}
	for name, rows := range map[string][]int{"YAW": {0, 1, 3, 4, 5}, "k": {0, 2, 3, 4, 5}, "n": {0, 1, 2, 3, 4, 5}} {
		if s, err := r.Series(name, ""); err != nil || !slices.Equal(s.rows, rows) || s.Values[4] != map[string]float64{
			"YAW": 5.25, "k": 6, "n": -4}[name] {
			t.Errorf("%s: %+v, %v", name, s, err)
		}
	}
	for _, file := range []string{"asammdf.mf4", "asammdf_zip.mf4"} {
		if _, err := Read(filepath.Join("testdata", file), Map{}); err == nil ||
			!strings.Contains(err.Error(), "skidpad.measurement(file)") {
			t.Errorf("%s: error %v", file, err)
		}
	}
	for name, says := range map[string]string{"a.xlsx": "save it as .csv", "b.mat": "not a MAT-file"} {
		if _, err := Read(written(t, name, strings.Repeat("x", 200)), Map{}); err == nil ||
			!strings.Contains(err.Error(), says) {
			t.Errorf("%s: error %v, want %q", name, err, says)
		}
	}
	if _, err := Read(written(t, "c.mat", "MATLAB 7.3 MAT-file, Platform: GLNXA64"), Map{}); err == nil ||
		!strings.Contains(err.Error(), "'-v7'") {
		t.Error(err)
	}
}

// What the command writes can be read, with units, in every format, also in single precision.
func TestOwnRecordingsCanBeRead(t *testing.T) {
	run := stepSteer()
	for _, name := range []string{"run.csv", "run.csv.gz", "run.parquet", "run.mat", "run.mf4"} {
		var b bytes.Buffer
		single := strings.HasSuffix(name, "mf4") || strings.HasSuffix(name, "mat")
		if err := (&recording.Recording{Trace: run, Single: single}).Write(name, &b); err != nil {
			t.Fatal(err)
		}
		r, err := Read(written(t, name, b.String()), Map{})
		if err != nil {
			t.Error(err)
			continue
		}
		d, err := r.Residual(run, "body.ay")
		if err != nil || len(d.Values) != 8001 || d.RMS > 1e-6 || !single && d.RMS != 0 {
			t.Errorf("%s: %v, %+v", name, err, d)
			continue
		}
		if hasUnits := !strings.Contains(name, "csv"); hasUnits && d.Measured.Unit != "m/s2" {
			t.Errorf("%s: unit %q", name, d.Measured.Unit)
		}
	}
}

// Whatever bytes a file has: it is read, or an error says why not.
func FuzzMeasurement(f *testing.F) {
	for _, name := range []string{"v6.mat", "v7.mat", "asammdf.mf4", "pandas.parquet"} {
		data, err := bounded.Table.Read(filepath.Join("testdata", name))
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data, filepath.Ext(name))
	}
	short := trace.Of(trace.Named("a", "b"), [][]float64{{0, 1}, {2, 3}, {4, 5}})
	for _, name := range []string{"run.mat", "run.mf4"} {
		var b bytes.Buffer
		if err := (&recording.Recording{Trace: short}).Write(name, &b); err != nil {
			f.Fatal(err)
		}
		f.Add(b.Bytes(), filepath.Ext(name))
	}
	f.Add([]byte("Logger\nt;v [km/h]\ns;g\n0,5;1\n1;\n"), ".csv")
	path := f.TempDir()
	f.Fuzz(func(t *testing.T, data []byte, ending string) {
		switch ending {
		case ".csv", ".mat", ".mf4", ".parquet":
		default:
			ending = ".csv"
		}
		file := filepath.Join(path, "a"+ending)
		if err := os.WriteFile(file, data, 0o600); err != nil {
			t.Fatal(err)
		}
		r, err := Read(file, Map{})
		if err != nil {
			return
		}
		for _, c := range r.table.channels {
			s, err := r.Series(c.Name, "")
			if err == nil && (len(s.Time) != len(s.Values) || len(s.starts) == 0) {
				t.Fatalf("%s: %d times, %d values", c.Name, len(s.Time), len(s.Values))
			}
		}
	})
}

// Truncated files, and files whose headers claim more than the file has, are refused with the reason. Signed integers
// keep their sign.
func TestFilesWithExcessiveSizes(t *testing.T) {
	refused := func(name string, data []byte, says string) {
		t.Helper()
		if _, err := Read(written(t, name, string(data)), Map{}); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%s: error %v, want %q", name, err, says)
		}
	}
	var b bytes.Buffer
	run := trace.Of(trace.Named("a"), [][]float64{{0, 1, 2}, {2, 3, 4}})
	if err := (&recording.Recording{Trace: run}).Write("run.mf4", &b); err != nil {
		t.Fatal(err)
	}
	group := bytes.Index(b.Bytes(), []byte("##CG")) + 24 + 6*8 + 8
	more := slices.Clone(b.Bytes())
	more[group]++ // records
	refused("more.mf4", more, "4 records of 16 bytes are not in the file")
	channel := bytes.Index(b.Bytes(), []byte("##CN")) + 24 + 8*8
	whole := slices.Clone(b.Bytes())
	whole[channel+2] = 2 // signed, not floating-point
	refused("whole.mf4", whole, "not a floating-point number")
	for name, c := range map[string]struct {
		at   int
		data []byte
		says string
	}{
		"outside": {channel + 4, []byte{100}, "lies outside of its record"},
		"circle": {channel - 8*8, binary.LittleEndian.AppendUint64(nil, uint64(bytes.Index(b.Bytes(), []byte("##CN")))),
			"has no end"},
		"flags":   {group + 8, []byte{1}, "bits of validity"},
		"invalid": {group + 20, []byte{1}, "bits of validity"},
	} {
		data := slices.Clone(b.Bytes())
		copy(data[c.at:], c.data)
		refused(name+".mf4", data, c.says)
	}
	refused("cut.mf4", b.Bytes()[:b.Len()-8], "longer than the file")

	head := slices.Concat([]byte(fmt.Sprintf("%-124s", "MATLAB 5.0 MAT-file")), []byte{0, 1, 'I', 'M'})
	refused("cut.mat", slices.Concat(head, []byte{14, 0, 0, 0, 255, 255, 0, 0}, make([]byte, 80)), "longer than the file")
	var packed bytes.Buffer
	zip := zlib.NewWriter(&packed)
	zeros := make([]byte, 1<<20)
	for range 65 { // of 64 that are allowed
		zip.Write(zeros)
	}
	zip.Close()
	size := binary.LittleEndian.AppendUint32([]byte{15, 0, 0, 0}, uint32(packed.Len()))
	refused("bomb.mat", slices.Concat(head, size, packed.Bytes()), "expand to more than")

	deep := matfile.Struct(matfile.Variable{Name: "a", Array: matfile.Text("x")})
	for range 20 {
		deep = matfile.Struct(matfile.Variable{Name: "a", Array: deep})
	}
	var nested bytes.Buffer
	if err := matfile.Write(&nested, "nested", []matfile.Variable{{Name: "s", Array: deep}}); err != nil {
		t.Fatal(err)
	}
	refused("deep.mat", nested.Bytes(), "deeper within each other")

	// an array of the class int8: flags, dimensions, name, numbers
	vector := func(name byte, numbers ...byte) []byte {
		body := slices.Concat([]byte{6, 0, 0, 0, 8, 0, 0, 0, 8, 0, 0, 0, 0, 0, 0, 0},
			[]byte{5, 0, 0, 0, 8, 0, 0, 0, 4, 0, 0, 0, 1, 0, 0, 0}, []byte{1, 0, 1, 0, name, 0, 0, 0},
			[]byte{1, 0, 4, 0}, numbers)
		return slices.Concat([]byte{14, 0, 0, 0, byte(len(body)), 0, 0, 0}, body)
	}
	r, err := Read(written(t, "a.mat", string(slices.Concat(head, vector('t', 0, 1, 2, 3), vector('y', 0, 255, 1, 128)))),
		Map{})
	if err != nil {
		t.Fatal(err)
	}
	if s, err := r.Series("y", ""); err != nil || !slices.Equal(s.Values, []float64{0, -1, 1, -128}) {
		t.Error(s, err)
	}

	type row struct {
		Time float64 `parquet:"time"`
		Yaw  float64 `parquet:"yaw"`
	}
	var table bytes.Buffer
	if err := parquet.Write(&table, []row{{0, 1}, {1, math.Inf(1)}, {2, 3}}); err != nil {
		t.Fatal(err)
	}
	refused("endless.parquet", table.Bytes(), "row 2, column yaw: +Inf is not a finite number")
}
