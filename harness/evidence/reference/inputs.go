package reference

import (
	"fmt"
	"slices"
	"strings"
)

// Signal is a function of time with its first two derivatives, in SI units.
type Signal interface {
	At(t float64) (value, rate, acceleration float64)
}

// Inputs say what drives a model; inputs that are not named keep their default: 1 for the
// friction scale of a road, 0 for all others.
type Inputs struct {
	Variables map[string]Signal // "brake_FL.torque": takes the signal's value
	Drivers   map[string]Signal // "steer_FL": takes value, rate and acceleration
}

// inputs are a model's inputs at one time, and where they come from.
type inputs struct {
	names  map[string]int
	values []float64
	drives []drive
	follow []func(values []float64) // set values that follow others
}

// drive is a signal and the first of the inputs that it sets: one, or three.
type drive struct {
	signal Signal
	first  int
	given  int // 1: the value; 2: and its rate; 3: and its acceleration
}

// connect takes the signals.
func (in *inputs) connect(from Inputs) error {
	in.drives = in.drives[:0]
	var unknown []string
	for name, signal := range from.Variables {
		k, ok := in.names[name]
		if !ok {
			unknown = append(unknown, name)
		}
		in.drives = append(in.drives, drive{signal, k, 1})
	}
	for name, signal := range from.Drivers {
		given := 3
		k, ok := in.names[name+".angle"]
		if !ok {
			k, ok = in.names[name+".position"]
		}
		if !ok {
			given = 2 // a road
			if k, ok = in.names[name+".z"]; ok {
				_, ok = in.names[name+".z_dot"]
			}
		}
		if !ok {
			unknown = append(unknown, name)
		}
		in.drives = append(in.drives, drive{signal, k, given})
	}
	if len(unknown) > 0 {
		var known []string
		for name := range in.names {
			known = append(known, name)
		}
		slices.Sort(known)
		slices.Sort(unknown)
		return fmt.Errorf("no inputs or drivers %s; inputs are %s", strings.Join(unknown, ", "), strings.Join(known, ", "))
	}
	return nil
}

// at sets the values at time t.
func (in *inputs) at(t float64) {
	for _, d := range in.drives {
		value, rate, acceleration := d.signal.At(t)
		all := [...]float64{value, rate, acceleration}
		copy(in.values[d.first:], all[:d.given])
	}
	for _, f := range in.follow {
		f(in.values)
	}
}
