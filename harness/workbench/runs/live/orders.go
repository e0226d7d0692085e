package live

import (
	"context"
	"errors"
	"fmt"
	"math"
	"time"

	"skidpad/harness/workbench/runs/manoeuvre"
)

// order does something between slices, and waits for it.
func (l *Loop) order(ctx context.Context, do func(*Loop) error) error {
	done := make(chan error, 1)
	select {
	case l.orders <- func(l *Loop) error { err := do(l); done <- err; return err }:
	case <-ctx.Done():
		return ctx.Err()
	}
	select {
	case err := <-done:
		return err
	case <-ctx.Done():
		return ctx.Err()
	}
}

// Pause pauses the vehicle, for a reason that events give.
func (l *Loop) Pause(ctx context.Context, reason string) error {
	return l.order(ctx, func(l *Loop) error { l.pause(reason); return nil })
}

// Resume lets a paused vehicle go on.
func (l *Loop) Resume(ctx context.Context) error {
	return l.order(ctx, func(l *Loop) error {
		if l.options.Pace == 0 {
			return errors.New("the vehicle is in lockstep: advance it")
		}
		if err := l.mayGo(); err != nil {
			return err
		}
		if l.paused {
			l.paused = false
			l.again()
			l.tell("running", "")
		}
		return nil
	})
}

// mayGo is the reason why the vehicle cannot go on; nil without.
func (l *Loop) mayGo() error {
	if l.piloted || l.drivable {
		return nil
	}
	return errors.New("the manoeuvre is over, and nobody can drive this vehicle: reset it")
}

// Advance makes a number of slices of a paused vehicle, or of one in lockstep.
func (l *Loop) Advance(ctx context.Context, slices int) error {
	if slices < 1 || slices > mostAdvance {
		return fmt.Errorf("%d slices; 1 to %d are possible", slices, mostAdvance)
	}
	return l.order(ctx, func(l *Loop) error {
		if !l.paused {
			return errors.New("the vehicle is running: pause it first")
		}
		if err := l.mayGo(); err != nil {
			return err
		}
		for range slices {
			for l.ring.next() == nil { // the reader is behind
				select {
				case <-ctx.Done():
					return ctx.Err()
				case <-time.After(time.Millisecond):
				}
			}
			if err := l.step(); err != nil {
				return err
			}
		}
		return nil
	})
}

// SetPace changes the vehicle time by real time.
func (l *Loop) SetPace(ctx context.Context, pace float64) error {
	if !(pace >= leastPace && pace <= mostPace) {
		return fmt.Errorf("a pace of %g; %g to %g is possible", pace, leastPace, mostPace)
	}
	return l.order(ctx, func(l *Loop) error {
		if l.options.Pace == 0 {
			return errors.New("the vehicle is in lockstep")
		}
		l.pace = pace
		l.again()
		return nil
	})
}

// Set sets a number of the vehicle, which must be one that can change between two steps.
func (l *Loop) Set(ctx context.Context, name string, value float64) error {
	if math.IsNaN(value - value) {
		return fmt.Errorf("%s = %g; give a finite number", name, value)
	}
	return l.order(ctx, func(l *Loop) error {
		if err := l.vehicle.SetNamed(name, value); err != nil {
			return err
		}
		return l.start()
	})
}

// TakeOver lets the driver drive in place of the manoeuvre, or lets the manoeuvre go on.
func (l *Loop) TakeOver(ctx context.Context, driver bool) error {
	return l.order(ctx, func(l *Loop) error {
		pilot := l.options.Pilot
		switch {
		case pilot == nil:
			return errors.New("no manoeuvre drives; --manoeuvre of 'skidpad view' chooses one")
		case driver && !l.drivable:
			return errors.New("the roles of the vehicle name nothing that a driver could set; the manoeuvre drives it")
		case !driver && pilot.driver.Done:
			return errors.New("the manoeuvre is over: reset it")
		case driver != l.piloted:
			return nil
		}
		if l.piloted = !driver; l.piloted {
			pilot.begin(l.controls, &l.driver, l.time)
		}
		l.tell("driver", map[bool]string{true: "the driver drives", false: "the manoeuvre drives"}[driver])
		return nil
	})
}

// standing is an error where the vehicle moves, or where it cannot be told.
func (l *Loop) standing() error {
	switch speed := l.last(l.speed); {
	case l.speed < 0 || l.piloted:
		return errMoves
	case math.Abs(speed) < standsBelow:
		return nil
	}
	return errMoves
}

var errMoves = errors.New("the vehicle moves; what has been changed acts when it stands, or after a reset")

// Moves reports whether an error says that the vehicle moves.
func Moves(err error) bool { return errors.Is(err, errMoves) }

// Snapshot reads the state of a vehicle that stands, for one with the settings that wait. These no longer wait.
func (l *Loop) Snapshot(ctx context.Context) (snapshot *Snapshot, err error) {
	err = l.order(ctx, func(l *Loop) error {
		if err := l.standing(); err != nil {
			return err
		}
		v, s := l.vehicle.(Subject), l.options.Settings
		if err := s.read(v); err != nil {
			return err
		}
		references, err := v.References(l.options.States...)
		if err != nil {
			return err
		}
		values := make([]float64, len(references))
		if err := v.Get(references, values); err != nil {
			return err
		}
		snapshot = s.take()
		for i, name := range l.options.States {
			snapshot.Values = append(snapshot.Values, manoeuvre.StartValue{Variable: name, Value: values[i]})
		}
		return nil
	})
	return snapshot, err
}

// Replace gives a vehicle that stands the state of one with other settings. Its time begins again at 0.
func (l *Loop) Replace(ctx context.Context, state []byte) error {
	return l.order(ctx, func(l *Loop) error {
		if err := l.standing(); err != nil {
			return err
		}
		if err := l.vehicle.Restore(state); err != nil {
			return err
		}
		return l.restart()
	})
}

// Reset brings the vehicle back to its start.
func (l *Loop) Reset(ctx context.Context) error {
	return l.order(ctx, func(l *Loop) error {
		if err := l.options.Restart(); err != nil {
			return err
		}
		if err := l.takeInputs(); err != nil {
			return err
		}
		l.driver = driver{car: l.driver.car, most: l.driver.most}
		l.controls.taken(&l.driver)
		if l.options.Pilot != nil {
			l.piloted = true
			l.options.Pilot.atStart()
		}
		return l.restart()
	})
}

// Rewind returns to the latest kept state that is at least a number of seconds old, or to the oldest. Within the last
// second there are states each 10 ms, except in lockstep.
func (l *Loop) Rewind(ctx context.Context, seconds float64) error {
	return l.order(ctx, func(l *Loop) error {
		if len(l.kept) == 0 {
			return errors.New("no earlier state is kept yet")
		}
		limit := l.time - seconds + l.options.Step/2 // times are sums, with rounding
		before := func(list []checkpoint) []checkpoint {
			n := len(list)
			for n > 0 && list[n-1].time > limit {
				n--
			}
			return list[:n]
		}
		l.recent = before(l.recent)
		l.kept = l.kept[:max(1, len(before(l.kept)))]
		to := l.kept[len(l.kept)-1]
		if n := len(l.recent); n > 0 && l.recent[n-1].time > to.time {
			to = l.recent[n-1]
		}
		return l.goTo(&to)
	})
}

// Keep keeps the present state in a slot, 1 to 9.
func (l *Loop) Keep(ctx context.Context, slot int) error {
	if slot < 1 || slot > mostSlots {
		return fmt.Errorf("slot %d; there are the slots 1 to %d", slot, mostSlots)
	}
	return l.order(ctx, func(l *Loop) error {
		c, err := l.checkpoint()
		if err == nil {
			l.slots[slot-1] = c
		}
		return err
	})
}

// Return returns to the state of a slot.
func (l *Loop) Return(ctx context.Context, slot int) error {
	if slot < 1 || slot > mostSlots {
		return fmt.Errorf("slot %d; there are the slots 1 to %d", slot, mostSlots)
	}
	return l.order(ctx, func(l *Loop) error {
		if l.slots[slot-1] == nil {
			return fmt.Errorf("slot %d is empty", slot)
		}
		l.recent = l.recent[:0] // they lead to another state
		return l.goTo(l.slots[slot-1])
	})
}

func (l *Loop) goTo(c *checkpoint) error {
	if err := l.vehicle.Restore(c.state); err != nil {
		return err
	}
	if err := l.vehicle.Get(l.controls.references, l.controls.values); err != nil {
		return err
	}
	l.driver, l.controls.gearbox, l.piloted, l.origin, l.passed = c.driver, c.gearbox, c.piloted, c.origin, c.passed
	l.options.Pilot.goBack(c.pilot)
	return l.start()
}
