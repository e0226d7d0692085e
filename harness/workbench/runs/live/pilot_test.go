package live

import (
	"context"
	"math"
	"slices"
	"strings"
	"sync"
	"testing"

	"skidpad/harness/library"
	"skidpad/harness/tests/built"
	"skidpad/harness/tests/testrun"
	"skidpad/harness/workbench/files/modelfile"
	"skidpad/harness/workbench/runs/drive"
	"skidpad/harness/workbench/runs/manoeuvre"
)

// piloted is a loop of a shipped vehicle that a manoeuvre drives in lockstep, with the rows that it makes.
type piloted struct {
	*Loop
	vehicle *library.Vehicle
	start   *Start
	events  []Event
	rows    map[int][][]float64 // by segment: inputs, then outputs
	ctx     context.Context
	end     func()
	mutex   sync.Mutex
}

// prepared is a vehicle for a manoeuvre, before its start.
func prepared(t *testing.T, model, name string) (*library.Vehicle, *Start, manoeuvre.Target) {
	t.Helper()
	lib, err := library.Open(built.Library(t))
	if err != nil {
		t.Fatal(err)
	}
	path := built.Model(model)
	target, err := modelfile.Target(path, "")
	if err != nil {
		t.Fatal(err)
	}
	m, err := manoeuvre.ReadFor(target, built.Manoeuvre(name))
	if err != nil {
		t.Fatal(err)
	}
	v, err := lib.Load(path, "")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { v.Close() })
	return v, &Start{Vehicle: v, Plan: drive.Plan{Manoeuvre: m}, Step: slice, Pilot: &Pilot{}}, target
}

func startPiloted(t *testing.T, model, name string, outputs ...string) *piloted {
	t.Helper()
	v, start, target := prepared(t, model, name)
	car, err := manoeuvre.ReadDrivenCar(target, math.NaN())
	if err != nil {
		car = nil
	}
	return run(t, v, car, start, outputs...)
}

// run runs the loop of a vehicle that has just been loaded.
func run(t *testing.T, v *library.Vehicle, car *manoeuvre.DrivenCar, start *Start, outputs ...string) *piloted {
	t.Helper()
	if err := start.Prepare(); err != nil {
		t.Fatal(err)
	}
	o := Options{Step: slice, Outputs: outputs, Restart: start.Again, Pilot: start.Pilot, Settings: start.Settings}
	if start.Settings != nil {
		spare, err := v.Copy()
		if err == nil {
			err = spare.Reset()
		}
		if err != nil {
			t.Fatal(err)
		}
		o.States = States(spare, spare.Variables)
		if err := spare.Close(); err != nil {
			t.Fatal(err)
		}
	}
	l, err := New(v, car, o)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	p := &piloted{Loop: l, vehicle: v, start: start, rows: map[int][][]float64{}, ctx: ctx}
	var all sync.WaitGroup
	all.Go(func() {
		if err := l.Run(ctx); err != nil {
			t.Error(err)
		}
	})
	all.Go(func() {
		for {
			select {
			case e, open := <-l.Events:
				if !open {
					return
				}
				p.mutex.Lock()
				p.events = append(p.events, e)
				p.mutex.Unlock()
			case <-l.Rows():
			}
			for r := l.Take(); r != nil; r = l.Take() {
				p.mutex.Lock()
				p.rows[r.Segment] = append(p.rows[r.Segment], slices.Concat(r.Inputs, r.Outputs))
				p.mutex.Unlock()
				l.Taken()
			}
		}
	})
	p.end = sync.OnceFunc(func() { cancel(); all.Wait() })
	t.Cleanup(p.end)
	return p
}

func (p *piloted) do(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// at are the inputs and outputs of a variable, by slice of a segment.
func (p *piloted) at(segment int, name string) (list []float64) {
	at := slices.Index(p.Inputs(), name)
	if at < 0 {
		at = len(p.Inputs()) + slices.Index(p.options.Outputs, name)
	}
	for _, row := range p.rows[segment] {
		list = append(list, row[at])
	}
	return list
}

// A manoeuvre that is watched is the run of 'simulate' with inputs that stay for a step, to the last bit, also after a
// return to an earlier moment, and after a reset.
func TestAWatchedManoeuvreIsTheSimulatedOne(t *testing.T) {
	for _, c := range []struct{ model, name string }{{"passenger_car", "double_lane_change"},
		{"generic4w", "generic4w_sine"}, {"bicycle_controlled", "bicycle_weave"}} {
		if c.model != "passenger_car" {
			testrun.OnlyAll(t)
		}
		v, start, _ := prepared(t, c.model, c.name)
		const slices = 3500
		outputs := v.Outputs()[:10]
		want, err := drive.Simulate(v, drive.Plan{Manoeuvre: start.Plan.Manoeuvre, Step: slice, Duration: slices * slice,
			Held: true, Record: outputs})
		if err != nil {
			t.Fatal(err)
		}
		p := startPiloted(t, c.model, c.name, outputs...)
		p.do(t, p.Advance(p.ctx, 1200))
		p.do(t, p.Keep(p.ctx, 1))
		p.do(t, p.Advance(p.ctx, 1000))
		p.do(t, p.Return(p.ctx, 1))
		p.do(t, p.Advance(p.ctx, slices-1200))
		p.do(t, p.Reset(p.ctx))
		p.do(t, p.Advance(p.ctx, 700))
		p.end()
		for _, name := range outputs {
			for _, segment := range []struct{ number, from int }{{1, 0}, {2, 1200}, {3, 0}} {
				got := p.at(segment.number, name)
				for k, x := range got {
					if y := want.Trace.Column(name)[segment.from+k]; x != y {
						t.Fatalf("%s, segment %d, slice %d: %s is %g, simulated %g", c.name, segment.number, k, name, x, y)
					}
				}
				if len(got) < 701 {
					t.Errorf("segment %d has %d rows", segment.number, len(got))
				}
			}
		}
	}
}

// A driver takes over where the steering wheel and the pedals are, and the manoeuvre takes over from there. Angle, rate
// and acceleration always belong together.
func TestDriversTakeOver(t *testing.T) {
	p := startPiloted(t, "passenger_car", "double_lane_change", "body.y", "body.vx")
	p.do(t, p.Advance(p.ctx, 3500))
	p.do(t, p.Keep(p.ctx, 2))
	p.do(t, p.Advance(p.ctx, 100))
	p.do(t, p.TakeOver(p.ctx, true))
	p.Drive(Command{Keys: KeyLeft})
	p.do(t, p.Advance(p.ctx, 300))
	p.Drive(Command{})
	p.do(t, p.Advance(p.ctx, 80))
	p.do(t, p.TakeOver(p.ctx, false)) // while the steering wheel returns
	p.do(t, p.Advance(p.ctx, 300))
	p.do(t, p.Keep(p.ctx, 1))
	p.do(t, p.Advance(p.ctx, 1920))
	p.do(t, p.Return(p.ctx, 1))
	p.do(t, p.Advance(p.ctx, 400))
	p.do(t, p.Return(p.ctx, 2))
	p.do(t, p.Advance(p.ctx, 100))
	p.do(t, p.Reset(p.ctx))
	p.do(t, p.Advance(p.ctx, 3000))
	p.end()
	angle, rate, acceleration := p.at(1, "steering.angle"), p.at(1, "steering.rate"), p.at(1, "steering.acceleration")
	if math.Abs(angle[3600]) < 0.05 {
		t.Errorf("the manoeuvre steers by %g rad", angle[3600])
	}
	for k := 3500; k < len(angle)-1; k++ {
		predicted := angle[k] + slice*(rate[k]+slice/2*acceleration[k])
		if math.Abs(angle[k+1]-predicted) > 3e-5 {
			t.Fatalf("slice %d: the angle is %g, and %g follows from the slice before", k, angle[k+1], predicted)
		}
	}
	const handed = 3980
	if r := rate[handed]; math.Abs(r) < 0.2 || math.Abs(rate[handed+1]-r) > 0.1*math.Abs(r) {
		t.Errorf("the steering wheel turns by %g rad/s, and by %g rad/s when the manoeuvre drives", r, rate[handed+1])
	}
	throttle := p.at(1, "engine.throttle")
	if full := throttle[6100]; throttle[handed] != 0 || throttle[3500] == 0 || full == 0 ||
		!(throttle[handed+300] > 0 && throttle[handed+300] < full) {
		t.Errorf("the throttle is %g, %g, %g, %g", throttle[3500], throttle[handed], throttle[handed+300], full)
	}
	if again := p.at(2, "steering.angle"); !slices.Equal(again[1:401], angle[handed+301:handed+701]) {
		t.Error("after a return the manoeuvre joins in otherwise")
	}
	if first := p.at(3, "steering.angle"); !slices.Equal(first[1:101], angle[3501:3601]) {
		t.Error("after a return the manoeuvre joins in where nobody has driven")
	}
	drivers, paths := 0, 0
	for _, e := range p.events {
		if e.Kind == "driver" {
			drivers++
		}
		if e.Kind == "path" {
			paths++
		}
		if e.Kind == "path" && (e.Path.X < 30 || e.Path.X > 60 || e.Path.Path == nil) {
			t.Errorf("the path begins at %g m", e.Path.X)
		}
	}
	if drivers != 2 || paths != 2 {
		t.Errorf("%d drivers, and %d begins of the path", drivers, paths)
	}
}

// A manoeuvre that is over pauses the vehicle. Where nobody can drive, it does not run on.
func TestManoeuvresEnd(t *testing.T) {
	p := startPiloted(t, "disc", "disc_roll")
	p.do(t, p.TakeOver(p.ctx, false))
	if err := p.TakeOver(p.ctx, true); err == nil {
		t.Error("somebody drives a disc")
	}
	if err := p.Advance(p.ctx, 60_000); err == nil || err.Error() != "the manoeuvre is over" {
		t.Errorf("more slices than the manoeuvre has: %v", err)
	}
	if err := p.Advance(p.ctx, 1); err == nil || !strings.Contains(err.Error(), "reset") {
		t.Errorf("a slice after the manoeuvre: %v", err)
	}
	p.end()
	over := 0
	for _, e := range p.events {
		if e.Kind == "over" {
			over++
		}
	}
	want := int(math.Round(p.start.Plan.Manoeuvre.Duration / slice))
	if rows := len(p.rows[1]); rows != want+1 || over != 1 {
		t.Errorf("%d rows, want %d; over %d times", rows, want+1, over)
	}
}

// In lockstep, an order for slices ends with the condition that ends the run of the vehicle.
func TestAnEndStopsAnOrder(t *testing.T) {
	testrun.Slow(t)
	v, start, target := prepared(t, "generic4w", "generic4w_sine")
	car, err := manoeuvre.ReadDrivenCar(target, math.NaN())
	if err != nil {
		t.Fatal(err)
	}
	start.Pilot = nil
	start.Plan.Settings = []manoeuvre.Setting{{Name: "body.vx", Value: "25"}, {Name: "body.wz", Value: "2.5"}}
	p := run(t, v, car, start, "body.roll")
	if err := p.Advance(p.ctx, 4000); err == nil || err.Error() != "rolled-over body" {
		t.Errorf("4 s: %v", err)
	}
	p.do(t, p.Rewind(p.ctx, 1))
	p.do(t, p.Advance(p.ctx, 100))
	p.end()
	roll := p.at(1, "body.roll")
	if lean := math.Abs(roll[len(roll)-1]); !(len(roll) < 4000 && lean > 1) {
		t.Errorf("%d slices, then the body leans by %g rad", len(roll), lean)
	}
}

// A law of the manoeuvre reads the inputs of the same slice, as in the simulation.
func TestLawsOfAWatchedManoeuvre(t *testing.T) {
	const text = `name = "law"
title = "Law"
models = ["PassengerCar"]
duration = 1
step = 0.001
[[input]]
drivers = ["steering"]
signal = { kind = "sine", amplitude = 0.5, period = 1.0 }
[[input]]
variables = ["air.wind_y"]
signal = { kind = "constant", value = 5.0 }
[[feedback]]
variables = ["engine.throttle"]
law = "abs(steering.angle)"
`
	m, err := manoeuvre.Parse("law.toml", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	v, start, target := prepared(t, "passenger_car", "double_lane_change")
	start.Plan.Manoeuvre = m
	car, err := manoeuvre.ReadDrivenCar(target, math.NaN())
	if err != nil {
		t.Fatal(err)
	}
	p := run(t, v, car, start, "engine.throttle")
	p.do(t, p.Advance(p.ctx, 500))
	p.end()
	angle, throttle := p.at(1, "steering.angle"), p.at(1, "engine.throttle")
	for k := 1; k < len(angle); k++ {
		if throttle[k] != math.Abs(angle[k]) {
			t.Fatalf("slice %d: the throttle is %g, the angle %g", k, throttle[k], angle[k])
		}
	}
	// without a pilot, nothing of the manoeuvre acts but its start
	v, start, _ = prepared(t, "passenger_car", "double_lane_change")
	start.Plan.Manoeuvre, start.Pilot = m, nil
	p = run(t, v, car, start, "air.wind_y")
	p.do(t, p.Advance(p.ctx, 2))
	p.end()
	if wind := p.at(1, "air.wind_y"); wind[2] != 0 {
		t.Errorf("the wind of a manoeuvre that does not drive is %g m/s", wind[2])
	}
}
