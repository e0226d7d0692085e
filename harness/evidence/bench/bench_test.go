package bench

import (
	"bytes"
	"image/png"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"skidpad/harness/tests/testrun"
	"skidpad/tire"
)

var resources = filepath.Join("..", "..", "..", "resources")

// TestWhatIsComparedIsTheSame: tires in C and in Go, rates in C, as tape, generated Go and
// machine code; a comparison of things that differ is refused.
func TestWhatIsComparedIsTheSame(t *testing.T) {
	testrun.Slow(t)
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
	if !names["emitted C -O3"] || !names["generated Go"] || !names["tape"] {
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
	if !strings.Contains(text.String(), "1.00 times emitted C -O3") {
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

// Models of which there is no plain C of the tires, or which have none, are measured, too. A thinned run leaves out the
// passenger car, whose C compiles for longest: the skidder with held tires is of its kind.
func TestEveryModelIsCompared(t *testing.T) {
	testrun.Slow(t)
	testrun.RequiresOne(t, "gcc", "cc")
	s := &Suite{Resources: resources, Rounds: 1}
	const held = "Without tire functions"
	for _, c := range []struct {
		file, want string
		hold       bool // also tires of which there is plain C
	}{
		{"halfcar.toml", "Complete.", false}, {"passenger_car.toml", held, false},
		{"skidder.toml", "with Fiala tires", false}, {"skidder.toml", held, true},
	} {
		if c.file == "passenger_car.toml" && !testrun.All() {
			continue
		}
		file, want := c.file, c.want
		b, err := newSubject(filepath.Join(resources, "models", file))
		if err == nil && c.hold {
			err = b.hold()
		}
		if err != nil {
			t.Fatal(err)
		}
		section, err := s.rightHandSide(b)
		if err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(section.Note, want) || strings.Contains(section.Title, "held") != (want == held) {
			t.Errorf("%s: %s; %s", file, section.Title, section.Note)
		}
		if len(section.List) < 3 || section.List[0].Name != section.Base ||
			!strings.Contains(section.List[1].Name, "-march=native") {
			t.Errorf("%s is not compared with C: %v", file, section.List)
		}
		single := slices.ContainsFunc(section.List, func(m Measurement) bool {
			return m.Name == "the same, tires one by one"
		})
		if native := len(section.List) > 3; native && single != (want == "with Fiala tires") {
			t.Errorf("%s: tires one by one are measured, or are not, in %v", file, section.List)
		}
	}
}

// Held tires give what their functions give at the point at which rates are compared.
func TestHeldTiresAreThoseOfThePoint(t *testing.T) {
	b, err := newSubject(filepath.Join(resources, "models", "passenger_car.toml"))
	if err != nil {
		t.Fatal(err)
	}
	var functions []tire.Function
	for i, k := range b.kinds {
		f, err := k.New(b.program.Calls[i].Parameters)
		if err != nil {
			t.Fatal(err)
		}
		functions = append(functions, f)
		if _, is := b.functions[i].(held); !is {
			t.Errorf("%s is not held", b.program.Calls[i].Name)
		}
	}
	var rates [2][]float64
	for i, functions := range [][]tire.Function{b.functions, functions} {
		m, err := b.machine(b.program.Tape(), functions)
		if err != nil {
			t.Fatal(err)
		}
		rates[i] = b.rates(m)
	}
	if !near(rates[0], rates[1], 0) {
		t.Errorf("with held tires the rates are %g, with their functions %g", rates[0], rates[1])
	}
	out := make([]float64, len(b.kinds[0].Outputs))
	if b.functions[0].Eval(nil, out); !near(out, b.held.results[0], 0) || out[0] == 0 {
		t.Errorf("the first tire gives %g, held are %g", out, b.held.results[0])
	}
}
