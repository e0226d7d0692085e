package trace

import (
	"bytes"
	"encoding/csv"
	"slices"
	"testing"

	"skidpad/harness/tests/fuzzinputs"
)

// FuzzReadCSV: what is read is a table of finite numbers and is written again alike.
func FuzzReadCSV(f *testing.F) {
	fuzzinputs.Add(f, []byte("time,body.x\n0,1\n0.05,2.5e-3\n"))
	fuzzinputs.Add(f, []byte("time\n0\n"))
	fuzzinputs.Add(f, []byte("time,a,a\n0,1\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		trace, err := ReadCSV(bytes.NewReader(data))
		if err != nil {
			return
		}
		for i, column := range trace.Values {
			if len(column) != len(trace.Time) {
				t.Fatalf("column %d has %d of %d values", i, len(column), len(trace.Time))
			}
		}
		var text bytes.Buffer
		if err := trace.WriteCSV(&text); err != nil {
			t.Fatal(err)
		}
	})
}

// TestARecordIsOneTableWhateverItsVariablesAreCalled: names of foreign FMUs may hold commas, quotes and line ends.
func TestARecordIsOneTableWhateverItsVariablesAreCalled(t *testing.T) {
	names := []string{"a[1,2]", `say "x"`, "two\nlines", "plain.name"}
	trace := New(Named(names...), 2)
	trace.Append(0, []float64{1, 2, 3, 4})
	trace.Append(1, []float64{5, 6, 7, 8})
	var text bytes.Buffer
	if err := trace.WriteCSV(&text); err != nil {
		t.Fatal(err)
	}
	rows, err := csv.NewReader(&text).ReadAll()
	if err != nil || len(rows) != 3 || !slices.Equal(rows[0][1:], names) || rows[2][4] != "8" {
		t.Errorf("%q, %v", rows, err)
	}
}

// Reports show the chassis, whatever comes first, and without roles the first body with a yaw rate.
func TestTheBodyOfReports(t *testing.T) {
	chassis := []Channel{{Name: "engine.wz"}, {Name: "hull.vx", Role: "@chassis.vx"}, {Name: "trailer.wz"}}
	for want, channels := range map[string][]Channel{
		"hull":   chassis,
		"engine": Named("wheel.wy", "engine.wz", "hull.wz"),
		"":       Named("mass.x", "mass.vx"),
	} {
		if got := New(channels, 0).Body(); got != want {
			t.Errorf("of %v reports show %q, want %q", channels, got, want)
		}
	}
}

// Wheels stand axle by axle from the left, with more than nine axles and twins, too.
func TestWheelsInTheirOrder(t *testing.T) {
	var channels []Channel
	for _, index := range []string{"10R", "2L", "1R2", "1R1", "10L", "1L1", "1L2", "2R"} {
		channels = append(channels, Channel{Name: "tire_" + index + ".Fz", Role: "@wheel[" + index + "].Fz"},
			Channel{Name: "tire_" + index + ".Fy", Role: "@wheel[" + index + "].Fy"})
	}
	channels = append(channels, Channel{Name: "body.Fz", Role: "@chassis.Fz"}, Channel{Name: "x.Fz", Role: "].Fz"})
	var got []string
	for _, w := range New(channels, 0).Wheels("Fz") {
		if got = append(got, w.Index); w.Variable != "tire_"+w.Index+".Fz" {
			t.Errorf("the wheel %s has %s", w.Index, w.Variable)
		}
	}
	if want := []string{"1L1", "1L2", "1R1", "1R2", "2L", "2R", "10L", "10R"}; !slices.Equal(got, want) {
		t.Errorf("the wheels are %q, want %q", got, want)
	}
}

// A trace beside another one has the channels of both, each name once, and leaves both as they were.
func TestTracesBesideEachOther(t *testing.T) {
	outputs := Of(Named("a", "b"), [][]float64{{0, 1}, {10, 11}, {20, 21}})
	inputs := Of([]Channel{{Name: "b", Unit: "m"}, {Name: "c", Unit: "s"}}, [][]float64{{0, 1}, {30, 31}, {40, 41}})
	both := outputs.Beside(inputs)
	if want := []Channel{{Name: "a"}, {Name: "b"}, {Name: "c", Unit: "s"}}; !slices.Equal(both.Channels, want) {
		t.Errorf("the channels are %v, want %v", both.Channels, want)
	}
	if both.Column("b")[1] != 21 || both.Column("c")[1] != 41 || both.Time[1] != 1 {
		t.Errorf("b is %v, c is %v", both.Column("b"), both.Column("c"))
	}
	if len(outputs.Channels) != 2 || outputs.Has("c") || len(inputs.Channels) != 2 {
		t.Errorf("the traces have %v and %v afterwards", outputs.Channels, inputs.Channels)
	}
}
