package evaluate

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"skidpad/harness/library"
	"skidpad/harness/workbench/results/figures"
	"skidpad/harness/workbench/results/trace"
	"skidpad/harness/workbench/runs/drive"
	"skidpad/harness/workbench/runs/manoeuvre"
)

// lacking is a vehicle without variables whose names contain a text.
type lacking struct {
	drive.Subject
	name string
}

func (l lacking) Find(name string) (library.Variable, error) {
	if strings.Contains(name, l.name) {
		return library.Variable{}, errors.New("there is no " + name)
	}
	return library.Variable{Name: name, Causality: library.Input}, nil
}

// Channels are found before the run, each once. A free steering wheel and the radius of a tire are optional, but the
// radius is required if the manoeuvre needs heights of tires. Afterwards signals come from the run, and so does its
// verdict.
func TestRecordsAreBoundToAVehicle(t *testing.T) {
	m := &manoeuvre.Manoeuvre{Steering: &manoeuvre.Steering{Drivers: []string{"steer"}},
		KeyFigures: &manoeuvre.KeyFigures{Kind: "ride", Body: "body", Front: []string{"tire_F"},
			Corners: []manoeuvre.Corner{{Travel: "left.travel", Unsprung: "axle"}, {Travel: "right.travel", Unsprung: "axle"}}}}
	for _, without := range []string{figures.FreeRadius, ".wheel_", "none"} {
		b, err := bind(m, lacking{name: without})
		if err != nil {
			t.Fatal(err)
		}
		names := b.names()
		if i := slices.Index(names, "axle.az"); i < 0 || slices.Contains(names[i+1:], "axle.az") {
			t.Errorf("the axle of two wheels is recorded as %q", names)
		}
		if slices.ContainsFunc(names, func(name string) bool { return strings.Contains(name, without) }) {
			t.Errorf("%q are recorded without %s", names, without)
		}
	}
	b, err := bind(m, lacking{name: ".wheel_"})
	if err != nil {
		t.Fatal(err)
	}
	row := make([]float64, len(b.names()))
	for i := range row {
		row[i] = float64(i)
	}
	result := &drive.Result{Trace: trace.New(trace.Named(b.names()...), 0), Verdict: "fallen", Ratio: 16, Turns: 2,
		Inputs: trace.New(trace.Named("post.z", "post.z_dot", "steer.angle"), 0)}
	result.Trace.Append(0, row)
	result.Inputs.Append(0, []float64{0.5, 0.6, 0.7})
	b.take(m, result)
	if b.Verdict != "fallen" || b.Ratio != 16 || b.Steer[0] != 1.4 || b.Post[0] != 0.5 || b.Speed[0] != 0 ||
		b.Corners[1].Up[0] != b.Corners[0].Up[0] || b.Corners[0].Name != "left" {
		t.Errorf("the record is %+v", b.Record)
	}
	m.KeyFigures.Kind = "rollover"
	if _, err := bind(m, lacking{name: figures.FreeRadius}); err == nil ||
		!strings.Contains(err.Error(), "tire_F.unloaded_radius") {
		t.Errorf("heights of tires without their radius: %v", err)
	}
}
