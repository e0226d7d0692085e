package live

import (
	"context"
	"fmt"
	"math"
	"slices"
	"testing"

	"skidpad/harness/library"
	"skidpad/harness/workbench/runs/manoeuvre"
	"skidpad/model/roles"
)

// lorry is a vehicle with a rack, an engine whose throttle begins at -0.2, gears, two brakes and a parking brake.
type lorry struct{ point }

var lorryInputs = []string{"rack.position", "rack.rate", "rack.acceleration", "engine.throttle", "front.torque",
	"rear.torque", "parking.torque", "steering.hold", "box.clutch", "box.gear"}

func (*lorry) Find(name string) (library.Variable, error) {
	if name == "engine.speed" {
		return library.Variable{Name: name, Causality: library.Output}, nil
	}
	if at := slices.Index(lorryInputs, name); at >= 0 {
		return library.Variable{Name: name, Reference: uint32(at), Causality: library.Input}, nil
	}
	return library.Variable{}, fmt.Errorf("no variable %q", name)
}

func (l *lorry) References(names ...string) (list []uint32, err error) {
	for _, name := range names {
		at := map[string]uint32{"body.vx": 100, "engine.speed": 101}[name]
		if at == 0 {
			x, err := l.Find(name)
			if err != nil {
				return nil, err
			}
			at = x.Reference
		}
		list = append(list, at)
	}
	return list, nil
}

func lorryCar() *manoeuvre.DrivenCar {
	return &manoeuvre.DrivenCar{Ratio: 18, Wheelbase: 4,
		Steering: &manoeuvre.Steering{Drivers: []string{"rack"}, Rack: true, Ratio: 50},
		Brakes: []roles.Set{{Inputs: []string{"front.torque"}, Factor: 300},
			{Inputs: []string{"rear.torque"}, Factor: 200}},
		Roles: &roles.Roles{Chassis: "body",
			Throttle: &roles.Throttle{Inputs: []string{"engine.throttle"}, Closed: -0.2, Open: 0.8},
			Gear:     &roles.Gear{Input: "box.gear", Normal: 4, Lowest: 1, Backward: -1, Shift: 400},
			Inputs: []roles.NamedSet{{Role: "clutch", Inputs: []string{"box.clutch"}},
				{Role: "hands", Inputs: []string{"steering.hold"}}, {Role: "parking", Inputs: []string{"parking.torque"}}}}}
}

// The driver sets all inputs, in the units of the vehicle.
func TestInputsOfADriver(t *testing.T) {
	c, err := newControls(&lorry{}, lorryCar())
	if err != nil {
		t.Fatal(err)
	}
	d := &driver{servo: servo{angle: 1, rate: 2, acceleration: 3}, pedals: pedals{throttle: 0.5, brake: 2, handBrake: 6}}
	get := func(name string) float64 { return c.values[slices.Index(c.names, name)] }
	check := func(want map[string]float64) {
		t.Helper()
		for name, x := range want {
			if math.Abs(get(name)-x) > 1e-12 {
				t.Errorf("%s is %g, want %g", name, get(name), x)
			}
		}
	}
	c.set(d, &Command{}, 10, 200, slice)
	check(map[string]float64{"rack.position": 0.02, "rack.rate": 0.04, "rack.acceleration": 0.06, "engine.throttle": 0.3,
		"front.torque": 600, "rear.torque": 400, "parking.torque": 1800, "steering.hold": 1, "box.clutch": 1, "box.gear": 1})
	c.set(d, &Command{Keys: KeyRelease}, 10, 75, slice)
	check(map[string]float64{"steering.hold": 0, "box.clutch": 0.5})
	c.set(d, &Command{Device: Wheel, Clutch: 0.25}, 10, 200, slice)
	check(map[string]float64{"box.clutch": 0.75})
	// gears follow the engine, one by one
	for range 700 {
		c.set(d, &Command{}, 10, 310, slice)
	}
	check(map[string]float64{"box.gear": 3})
	for range 1300 {
		c.set(d, &Command{}, 10, 100, slice)
	}
	check(map[string]float64{"box.gear": 1})
	c.set(d, &Command{Gear: -1}, 3, 100, slice) // not while it drives
	check(map[string]float64{"box.gear": 1})
	c.set(d, &Command{Gear: -1}, 0.1, 100, slice)
	check(map[string]float64{"box.gear": -1})
	c.set(d, &Command{}, 0.1, 390, slice)
	check(map[string]float64{"box.gear": -1})
	c.set(d, &Command{Gear: 1}, 0, 100, slice)
	check(map[string]float64{"box.gear": 1})
	car := lorryCar()
	car.Roles.Throttle.Inputs = []string{"engine.speed"}
	if _, err := newControls(&lorry{}, car); err == nil {
		t.Error("an output is accepted as an input")
	}
}

// The first input tells the position of the clutch.
func TestClutchOfRows(t *testing.T) {
	if x := (&controls{clutch: []int{1}, values: []float64{1, 0.25}}).clutchClosed(); x != 0.25 {
		t.Errorf("clutch %g", x)
	}
}

// A moving vehicle keeps its gear and its pedals at the start and after a reset. A standing vehicle starts in the
// lowest gear.
func TestGearsAtTheStart(t *testing.T) {
	for _, c := range []struct{ speed, gear, want float64 }{{20, 4, 4}, {0, 4, 1}, {0.2, 4, 1}, {-2, -1, -1}} {
		v := &lorry{point{v: c.speed, inputs: make([]float64, len(lorryInputs))}}
		v.inputs[3], v.inputs[9] = 0.3, c.gear
		start := slices.Clone(v.inputs)
		l, err := New(v, lorryCar(), Options{Step: slice, Pace: 1, Restart: func() error {
			v.v = c.speed
			copy(v.inputs, start)
			return nil
		}})
		if err != nil {
			t.Fatal(err)
		}
		if l.controls.now != c.want || math.Abs(l.driver.throttle-0.5) > 1e-12 {
			t.Errorf("%+v: gear %g, throttle %g", c, l.controls.now, l.driver.throttle)
		}
		l.controls.now, l.controls.wait, v.v, v.inputs[9] = 2, 0.5, 7, 3
		ctx, cancel := context.WithCancel(t.Context())
		done := make(chan error)
		go func() { done <- l.Run(ctx) }()
		if err := l.Reset(ctx); err != nil {
			t.Fatal(err)
		}
		cancel()
		if err := <-done; err != nil {
			t.Fatal(err)
		}
		if l.controls.now != c.want || l.controls.wait != 0 {
			t.Errorf("%+v: gear %g after a reset, %g s to wait", c, l.controls.now, l.controls.wait)
		}
	}
}
