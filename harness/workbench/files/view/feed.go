package view

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"sync"

	"skidpad/harness/workbench/runs/live"
	"skidpad/harness/workbench/runs/live/wire"
	"skidpad/model/document"
)

// Feed is a source of rows that a program sends. Nothing is stepped. A program binds a list of names once, and then
// sends a row of values for each moment. A time before that of the row before begins another segment.
type Feed struct {
	outputs []string
	events  chan live.Event // for the view
	happens chan live.Event // from programs
	woken   chan struct{}

	mutex sync.Mutex
	names []string // that are bound
	at    []int    // where their values go: outputs, and after them ofDriver
	next  live.Row // newest; values that nobody sends are NaN
	taken live.Row
	// numbers of the newest row, of the row in taken, and of the latest row that was given back
	written, held, done int
}

// ofDriver are the quantities of rows that programs may send beside outputs.
var ofDriver = []string{"steering", "throttle", "brake", "gear"}

// NewFeed makes a feed of outputs, which the View shows.
func NewFeed(outputs []string) *Feed {
	f := &Feed{outputs: outputs, events: make(chan live.Event, 16), happens: make(chan live.Event),
		woken: make(chan struct{}, 1), taken: live.Row{Outputs: make([]float64, len(outputs))}}
	f.next, f.written = f.empty(1), 1 // the vehicle at its start
	f.wake()
	return f
}

// Names are the names that programs may bind.
func (f *Feed) Names() []string { return slices.Concat(f.outputs, ofDriver) }

// Run hands events on until the context ends.
func (f *Feed) Run(ctx context.Context) error {
	defer close(f.events)
	for {
		select {
		case <-ctx.Done():
			return nil
		case e := <-f.happens:
			f.events <- e
			f.wake()
		}
	}
}

// Rows is signalled when there is a row.
func (f *Feed) Rows() <-chan struct{} { return f.woken }

func (f *Feed) wake() {
	select {
	case f.woken <- struct{}{}:
	default:
	}
}

// Take is the newest row, nil if it has been given back. It is valid until the next call.
func (f *Feed) Take() *live.Row {
	f.mutex.Lock()
	defer f.mutex.Unlock()
	if f.written == f.done {
		return nil
	}
	f.held = f.written
	outputs := f.taken.Outputs
	copy(outputs, f.next.Outputs)
	f.taken = f.next
	f.taken.Outputs = outputs
	return &f.taken
}

// Taken gives a row back.
func (f *Feed) Taken() {
	f.mutex.Lock()
	defer f.mutex.Unlock()
	f.done = max(f.done, f.held) // names may have been bound since
}

// tell hands an event over.
func (f *Feed) tell(ctx context.Context, e live.Event) error {
	f.mutex.Lock()
	e.Segment, e.Time = f.next.Segment, f.next.Time
	f.mutex.Unlock()
	select {
	case f.happens <- e:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// obey carries out an order of the program that feeds.
func (f *Feed) obey(ctx context.Context, o *wire.Order) error {
	if o.Type != "feed" {
		return fmt.Errorf("a program feeds this view, and nothing is stepped: there is no order %q; 'skidpad view' without "+
			"--feed steps a vehicle", o.Type)
	}
	if err := f.bind(o.Names); err != nil {
		return err
	}
	return f.tell(ctx, live.Event{Kind: "running"})
}

// leave says that the program has gone.
func (f *Feed) leave(ctx context.Context) {
	_ = f.tell(ctx, live.Event{Kind: "paused", Text: "the program has gone"}) // fails at the end of the view only
}

// bind says which values rows have, in their order.
func (f *Feed) bind(names []string) error {
	known := f.Names()
	if len(names) == 0 {
		return errors.New(`"feed" names no values; give "names", such as ["body.x", "body.y", "body.yaw"]`)
	}
	var at []int
	for _, name := range names {
		i := slices.Index(known, name)
		switch {
		case i < 0:
			return f.unknown(name)
		case slices.Contains(at, i):
			return fmt.Errorf("%s is named twice", name)
		}
		at = append(at, i)
	}
	f.mutex.Lock()
	defer f.mutex.Unlock()
	f.names, f.at = slices.Clone(names), at
	f.next, f.done = f.empty(f.next.Segment+1), f.written
	return nil
}

// empty is a row in which nothing is known.
func (f *Feed) empty(segment int) live.Row {
	none := math.NaN()
	return live.Row{Segment: segment, Steering: none, Throttle: none, Brake: none, Gear: none,
		Outputs: slices.Repeat([]float64{none}, len(f.outputs))}
}

// unknown is the error of a name that is not shown.
func (f *Feed) unknown(name string) error {
	const few = 5
	near := document.Nearest(name, f.Names())
	if near != "" {
		return fmt.Errorf("the page shows no %.80q; did you mean %s?", name, near)
	}
	some := f.outputs[:min(few, len(f.outputs))]
	return fmt.Errorf("the page shows no %.80q; it shows %d values, such as %q", name, len(f.Names()), some)
}

// input takes a row.
func (f *Feed) input(data []byte) error {
	row, err := wire.ParseRow(data)
	if err != nil {
		return err
	}
	f.mutex.Lock()
	defer f.mutex.Unlock()
	if len(row.Values) != len(f.at) {
		return fmt.Errorf("a row has %d values; the order \"feed\" has named %d", len(row.Values), len(f.at))
	}
	for i, x := range row.Values {
		if math.IsNaN(x - x) {
			return fmt.Errorf("%s = %g in a row; give finite numbers", f.names[i], x)
		}
	}
	r := &f.next
	if row.Time < r.Time {
		r.Segment++
	}
	r.Slice, r.Time, r.Number = r.Slice+1, row.Time, row.Number
	driver := []*float64{&r.Steering, &r.Throttle, &r.Brake, &r.Gear}
	for i, x := range row.Values {
		if at := f.at[i]; at < len(f.outputs) {
			r.Outputs[at] = x
		} else {
			*driver[at-len(f.outputs)] = x
		}
	}
	f.written++
	f.wake()
	return nil
}
