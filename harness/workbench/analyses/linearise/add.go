package linearise

import (
	"fmt"
	"strconv"

	"skidpad/harness/workbench/results/output"
	"skidpad/harness/workbench/runs/manoeuvre"
	"skidpad/model/linear"
)

// Add adds the linear equations about the steady motion of a value; car is nil where no handling is wanted.
func (l *Result) Add(vehicle *linear.Model, car *Car, value float64) error {
	l.Unit = vehicle.Unit(l.Varied.Name)
	if err := l.Varied.Written.Fits(l.Unit); err != nil {
		return err
	}
	system, err := about(vehicle, l.Varied.Name, value)
	if err != nil {
		return err
	}
	modes, err := system.Modes()
	if err != nil {
		return err
	}
	l.Modes, l.Systems = append(l.Modes, modes), append(l.Systems, system)
	if l.Forces {
		reactions, err := vehicle.Reactions(system)
		if err != nil {
			return err
		}
		l.Reactions = append(l.Reactions, reactions)
	}
	if l.To != "" {
		t, err := system.Transfer(l.From, l.To)
		if err != nil {
			return err
		}
		l.Transfers = append(l.Transfers, t)
	}
	if car != nil {
		h, err := car.handling(vehicle, system)
		if err != nil {
			return err
		}
		l.Handling = append(l.Handling, h)
	}
	if l.Output == "" {
		return nil
	}
	response, err := system.Response(l.Input, l.Output, l.Frequencies)
	l.Responses = append(l.Responses, response)
	return err
}

// AddAll adds the linear equations about the steady motion of every value. Where it is interrupted, the result has the
// values before, the first at least, and the error is output.ErrInterrupted.
func (l *Result) AddAll(vehicle *linear.Model, car *Car, interrupt <-chan struct{}) error {
	for i, value := range l.Varied.Values {
		if i > 0 && output.Interrupted(interrupt) {
			l.Varied.Values = l.Varied.Values[:i]
			return fmt.Errorf("before %s = %g: %w", l.Varied.Name, value, output.ErrInterrupted)
		}
		if err := l.Add(vehicle, car, value); err != nil {
			return err
		}
	}
	return nil
}

// about linearises with a value.
func about(vehicle *linear.Model, name string, value float64) (*linear.System, error) {
	if err := vehicle.Set(name, value); err != nil {
		return nil, err
	}
	system, err := vehicle.At()
	if err != nil {
		return nil, fmt.Errorf("%s = %g: %w", name, value, err)
	}
	return system, nil
}

// Set sets parameters, start values, inputs, and texts where a value is not a number.
func Set(vehicle *linear.Model, settings []manoeuvre.Setting) error {
	for _, s := range manoeuvre.TextsFirst(settings) {
		if err := s.Written.Fits(vehicle.Unit(s.Name)); err != nil {
			return err
		}
		v, err := strconv.ParseFloat(s.Value, 64)
		if err != nil {
			err = vehicle.SetText(s.Name, s.Value)
		} else {
			err = vehicle.Set(s.Name, v)
		}
		if err != nil {
			return fmt.Errorf("%s=%s: %w", s.Name, s.Value, err)
		}
	}
	return nil
}
