package view

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"skidpad/harness/workbench/runs/live"
	"skidpad/harness/workbench/runs/live/wire"
)

// Changes are settings that pages change. Build makes the state of a vehicle with other settings, which then replaces
// the shown vehicle. It uses a spare vehicle, because the loop owns the shown one.
type Changes struct {
	*live.Settings
	Build func(now *live.Snapshot) (state []byte, err error)

	wanted chan struct{}
}

// trial is the time between two attempts to change a vehicle, which must stand.
const trial = 100 * time.Millisecond

// set sets a number: at the next slice where that is possible, else when the vehicle stands.
func (v *View) set(ctx context.Context, name string, value float64) error {
	if c := v.Changes; c != nil {
		at := slices.IndexFunc(c.List, func(s live.Setting) bool { return s.Name == name })
		if at >= 0 && !c.List[at].Now {
			return c.wait(c.Want(name, value))
		}
	}
	return v.Loop.Set(ctx, name, value)
}

// tire chooses the tires of all wheels, by the name of a tire in the list of pages.
func (v *View) tire(name string) error {
	if v.Changes == nil {
		return errors.New("this vehicle has no settings")
	}
	return v.Changes.wait(v.Changes.WantTire(name))
}

func (c *Changes) wait(err error) error {
	if err != nil {
		return err
	}
	select {
	case c.wanted <- struct{}{}:
	default:
	}
	return nil
}

// change changes a vehicle that stands, whenever something waits, until the context ends.
func (v *View) change(ctx context.Context) {
	for {
		select {
		case <-ctx.Done():
			return
		case <-v.Changes.wanted:
		}
		for v.Changes.Waiting() && ctx.Err() == nil {
			if err := v.changeNow(ctx); err != nil {
				v.tell(wire.Note{Type: "error", Order: "set", Text: err.Error()})
			}
			select {
			case <-ctx.Done():
			case <-time.After(trial):
			}
		}
	}
}

// changeNow changes the vehicle if it stands. An error is that of the settings, which are dropped.
func (v *View) changeNow(ctx context.Context) error {
	now, err := v.Loop.Snapshot(ctx)
	if err != nil {
		return nil // it moves: later
	}
	state, err := v.Changes.Build(now)
	if err != nil {
		return fmt.Errorf("the vehicle stays as it is: %w", err)
	}
	if err := v.Loop.Replace(ctx, state); live.Moves(err) {
		v.Changes.PutBack(now)
	}
	return nil
}

// shownValues is the message with the present settings.
type shownValues struct {
	Numbers []float64 `json:"numbers"`
	Tire    string    `json:"tire"`
}

// shownSettings are the settings and tires that pages choose from.
type shownSettings struct {
	List  []live.Setting `json:"list"`
	Tires []string       `json:"tires"`
}

func (c *Changes) shown() *shownSettings {
	if c == nil {
		return nil
	}
	s := &shownSettings{List: append([]live.Setting{}, c.List...), Tires: []string{}}
	if len(c.Tires) > 0 && len(c.Of) > 0 {
		s.Tires = append(s.Tires, live.ModelTires)
		for _, t := range c.Tires {
			s.Tires = append(s.Tires, t.Name)
		}
	}
	return s
}
