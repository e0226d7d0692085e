package bench

import (
	"bytes"
	"image/png"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"skidpad/harness/tests/testrun"
)

var resources = filepath.Join("..", "..", "..", "resources")

// Tires in C and in Go compute the same, and so do rates in generated C, as tape and as machine code. A comparison of
// code with different results is rejected.
func TestComparedCodeComputesTheSame(t *testing.T) {
	testrun.OnlyAll(t)
	testrun.RequiresOne(t, "gcc", "cc")
	s := &Suite{Resources: resources, Rounds: 1}
	sections, err := s.tires()
	if err != nil {
		t.Fatal(err)
	}
	b, err := newSubject(filepath.Join(resources, "models", "generic4w.toml"))
	if err != nil {
		t.Fatal(err)
	}
	section, err := s.rightHandSide(b)
	if err != nil {
		t.Fatal(err)
	}
	names := map[string]bool{}
	for _, m := range section.List {
		names[m.Name] = true
	}
	if !names[base] || !names["generated C with vectors, -march=native"] || !names["tape"] {
		t.Errorf("compared are %v", names)
	}
	good := plainC["Fiala"]
	plainC["Fiala"] = [2]string{"fiala", "constant_length_rates"}
	defer func() { plainC["Fiala"] = good }()
	if _, err := s.tire("Fiala"); err == nil {
		t.Error("another function counts as Fiala's in C")
	}
	r := &Report{Machine: "test", Sections: append(sections, *section)}
	var text, lines, picture bytes.Buffer
	r.Print(&text)
	if !strings.Contains(text.String(), "1.00 times "+base) {
		t.Errorf("the tables say %s", text.String())
	}
	if err := r.Benchmarks(&lines); err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(lines.String()) {
		fields := strings.Fields(line)
		if len(fields) != 4 || !strings.HasPrefix(fields[0], "Benchmark") || fields[1] != "1" || fields[3] != "ns" &&
			!strings.HasSuffix(fields[3], "/op") {
			t.Errorf("benchstat would not read %q", line)
		}
	}
	if err := r.Plot(&picture); err != nil {
		t.Fatal(err)
	}
	if _, err := png.Decode(&picture); err != nil {
		t.Error(err)
	}
}

func TestMedians(t *testing.T) {
	for want, values := range map[float64][]float64{0: nil, 3: {9, 3, 1}, 2: {3, 1}} {
		if got := (&Measurement{Values: values}).Median(); got != want {
			t.Errorf("the median of %v is %g", values, got)
		}
	}
	if got := power([]float64{1, 2, 4, 8}, []float64{99, 12, 48, 192}); got != "3 n^2.000" {
		t.Errorf("3 n^2 is fitted by %s", got)
	}
	m := single("x", []float64{100, 200, 3e5})
	if !strings.Contains(m.Remarks, "1 above 100 us") || !strings.Contains(m.Remarks, "worst 300 us") {
		t.Errorf("remarks: %s", m.Remarks)
	}
}

// Models without tires, and models whose tires have no plain C, are also measured. A thinned run has the first model
// only: the C of the other models takes longer to compile.
func TestEveryModelIsCompared(t *testing.T) {
	testrun.OnlyAll(t)
	testrun.RequiresOne(t, "gcc", "cc")
	s := &Suite{Resources: resources, Rounds: 1}
	for _, c := range []struct{ file, want string }{
		{"halfcar.toml", "Complete."}, {"skidder.toml", "with Fiala tires"}, {"passenger_car.toml", "with MF61 tires"},
	} {
		b, err := newSubject(filepath.Join(resources, "models", c.file))
		if err != nil {
			t.Fatal(err)
		}
		section, err := s.rightHandSide(b)
		if err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(section.Note, c.want) {
			t.Errorf("%s: %s; %s", c.file, section.Title, section.Note)
		}
		if len(section.List) < 4 || section.List[0].Name != section.Base ||
			!strings.Contains(section.List[1].Name, "-march=native") {
			t.Errorf("%s is not compared with C: %v", c.file, section.List)
		}
		single := slices.ContainsFunc(section.List, func(m Measurement) bool {
			return m.Name == "the same, tires one by one"
		})
		if native := len(section.List) > 4; native && single != (c.want != "Complete.") {
			t.Errorf("%s: tires one by one measured: %v, expected the opposite: %v", c.file, single, section.List)
		}
	}
}
