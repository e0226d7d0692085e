package live

import (
	"fmt"

	"skidpad/harness/library"
	"skidpad/harness/workbench/runs/manoeuvre"
)

// Finder finds the variables of a vehicle.
type Finder interface {
	Find(name string) (library.Variable, error)
}

// Vehicle advances by slices. Advance sets inputs, steps, and reads outputs.
type Vehicle interface {
	Finder
	References(names ...string) ([]uint32, error)
	Advance(h float64, in []uint32, inputs []float64, out []uint32, outputs []float64) error
	Get(references []uint32, values []float64) error
	SetNamed(name string, value float64) error
	Save() ([]byte, error)
	Restore(state []byte) error
	Time() (float64, error)
}

// add adds inputs, and returns where they are.
func (c *controls) add(v Finder, names ...string) (list []int, err error) {
	for _, name := range names {
		x, err := v.Find(name)
		if err != nil {
			return nil, err
		}
		if x.Causality == library.Output || x.Causality == library.Local {
			return nil, fmt.Errorf("%s is an output; name an input in [roles]", name)
		}
		list = append(list, len(c.names))
		c.names, c.references, c.values = append(c.names, name), append(c.references, x.Reference), append(c.values, x.Start)
	}
	return list, nil
}

// newControls finds the inputs of a car; without a car there are none.
func newControls(v Finder, car *manoeuvre.DrivenCar) (*controls, error) {
	c := &controls{gear: -1, turns: 1}
	if car == nil {
		return c, nil
	}
	return c, c.of(v, car)
}

// of finds the inputs of a car.
func (c *controls) of(v Finder, car *manoeuvre.DrivenCar) error {
	add := func(names ...string) ([]int, error) { return c.add(v, names...) }
	if s := car.Steering; s != nil {
		if s.Ratio != 0 {
			c.turns = s.Ratio
		}
		for _, name := range s.Drivers {
			position := name + ".angle"
			if _, err := v.Find(position); err != nil {
				position = name + ".position"
			}
			g, err := add(position, name+".rate", name+".acceleration")
			if err != nil {
				return err
			}
			c.steering = append(c.steering, [3]int(g))
		}
	}
	var err error
	if t := car.Roles.Throttle; t != nil {
		c.closed, c.open = t.Closed, t.Open
		if c.throttle, err = add(t.Inputs...); err != nil {
			return err
		}
	}
	for _, set := range car.Brakes {
		g, err := add(set.Inputs...)
		if err != nil {
			return err
		}
		c.brakes, c.parkingBy = append(c.brakes, brake{g, set.Factor}), max(c.parkingBy, set.Factor)
	}
	for _, optional := range []struct {
		role string
		to   *[]int
	}{{"parking", &c.parking}, {"hands", &c.hands}, {"clutch", &c.clutch}} {
		if *optional.to, err = add(car.Roles.Input(optional.role)...); err != nil {
			return err
		}
	}
	if g := car.Roles.Gear; g != nil && g.Input != "" {
		at, err := add(g.Input)
		if err != nil {
			return err
		}
		c.gear, c.gearbox = at[0], gearbox{now: g.Lowest, lowest: g.Lowest, backward: g.Backward, up: upShare * g.Shift,
			down: downShare * g.Shift}
	}
	return nil
}

// taken gives a driver the steering wheel and the pedals where the inputs have them.
func (c *controls) taken(d *driver) {
	for _, g := range c.steering {
		d.angle, d.rate, d.acceleration = c.values[g[0]]*c.turns, c.values[g[1]]*c.turns, c.values[g[2]]*c.turns
		d.wanted = d.angle
	}
	for _, at := range c.throttle {
		d.throttle = min(max((c.values[at]-c.closed)/(c.open-c.closed), 0), 1)
	}
	for i := range c.brakes {
		for _, at := range c.brakes[i].inputs {
			d.brake = max(0, c.values[at]/c.brakes[i].factor)
		}
	}
}

// engaged takes the gear that the input has.
func (c *controls) engaged() {
	if c.gear >= 0 {
		c.now = c.values[c.gear]
	}
}
