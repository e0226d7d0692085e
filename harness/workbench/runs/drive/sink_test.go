package drive_test

import (
	"errors"
	"math"
	"reflect"
	"slices"
	"testing"

	"skidpad/harness/library"
	"skidpad/harness/tests/built"
	"skidpad/harness/workbench/results/trace"
	"skidpad/harness/workbench/runs/drive"
	"skidpad/harness/workbench/runs/manoeuvre"
	"skidpad/model/roles"
)

// rows is a sink that keeps rows up to a limit and rejects the next row.
type rows struct {
	*trace.Trace
	begun int
	full  int // rows that it takes; 0 for all
}

var errFull = errors.New("the disk is full")

func (r *rows) Begin(channels []trace.Channel) error {
	r.begun++
	r.Trace = trace.New(slices.Clone(channels), 0)
	for _, c := range channels {
		if c.Unit == "" || c.Text == "" {
			return errors.New("nothing is known of " + c.Name)
		}
	}
	return nil
}

func (r *rows) Row(t float64, values []float64) error {
	if r.full > 0 && len(r.Time) == r.full {
		return errFull
	}
	r.Append(t, values)
	return nil
}

// Sinks take the rows that a run keeps without them, and the run keeps none; the ledger is the same. A sink that fails
// ends the run with its error, and a sink is not begun for a run that is refused.
func TestSinksTakeWhatARunRecords(t *testing.T) {
	native, err := library.Open(built.Library(t))
	if err != nil {
		t.Fatal(err)
	}
	m, err := manoeuvre.Read(built.Manoeuvre("generic4w_sine"))
	if err != nil {
		t.Fatal(err)
	}
	m.Roles = &roles.Roles{Chassis: "body", Steering: &roles.Steering{Drivers: []string{"steer_FL"}, Wheel: true}}
	run := func(plan drive.Plan) (*drive.Result, error) {
		t.Helper()
		vehicle, err := native.Load(built.Model("generic4w"), "")
		if err != nil {
			t.Fatal(err)
		}
		defer vehicle.Close()
		plan.Manoeuvre, plan.Duration, plan.Energy = m, 0.2, true
		return drive.Simulate(vehicle, plan)
	}
	kept, err := run(drive.Plan{})
	if err != nil {
		t.Fatal(err)
	}
	outputs, inputs := &rows{}, &rows{}
	result, err := run(drive.Plan{Outputs: outputs, Inputs: inputs})
	if err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(outputs.Trace, kept.Trace) || !reflect.DeepEqual(inputs.Trace, kept.Inputs) {
		t.Errorf("%d rows of outputs and %d of inputs, kept are %d", len(outputs.Time), len(inputs.Time),
			len(kept.Trace.Time))
	}
	if len(result.Trace.Time)+len(result.Inputs.Time) > 0 || !reflect.DeepEqual(result.Energy, kept.Energy) {
		t.Errorf("the run keeps %d rows; energy %+v, want %+v", len(result.Trace.Time), result.Energy, kept.Energy)
	}
	speed, steering := trace.Channel{Name: "body.vx", Unit: "m/s", Role: "@chassis.vx"},
		trace.Channel{Name: "steer_FL.angle", Unit: "rad", Role: "@steering.angle"}
	for want, channels := range map[trace.Channel][]trace.Channel{speed: kept.Trace.Channels,
		steering: kept.Inputs.Channels} {
		i := slices.IndexFunc(channels, func(c trace.Channel) bool { return c.Name == want.Name })
		if i < 0 {
			t.Fatalf("%s is not among %v", want.Name, channels)
		}
		if want.Text = channels[i].Text; channels[i] != want {
			t.Errorf("a channel is %+v, want %+v", channels[i], want)
		}
	}
	ledger := func(of string) []float64 { return kept.Trace.Column("energy." + of) }
	varied := func(x []float64) float64 { return slices.Max(x) - slices.Min(x) }
	last := len(kept.Trace.Time) - 1
	exchanged := math.Abs(ledger("supplied")[last]) + math.Abs(ledger("dissipated")[last]) + varied(ledger("kinetic")) +
		varied(ledger("potential"))
	if e := kept.Energy; e.Exchanged != exchanged || e.Balance != ledger("balance")[last] ||
		e.Kinetic != [2]float64{ledger("kinetic")[0], ledger("kinetic")[last]} {
		t.Errorf("energy %+v, exchanged are %g J", e, exchanged)
	}
	full := &rows{full: 7}
	if result, err = run(drive.Plan{Outputs: full}); !errors.Is(err, errFull) || result == nil || len(full.Time) != 7 {
		t.Errorf("%v after %d rows", err, len(full.Time))
	}
	refused := &rows{}
	if _, err = run(drive.Plan{Outputs: refused, Record: []string{"nothing"}}); err == nil || refused.begun > 0 {
		t.Errorf("%v, begun %d times", err, refused.begun)
	}
}
