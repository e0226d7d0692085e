package library

import (
	"math"
	"strings"
)

// clock is an input clock with a constant interval, which the importer ticks.
type clock struct {
	reference       uint32
	interval, shift float64 // s
}

// xmlClock holds the attributes of clocks.
type xmlClock struct {
	Interval string `xml:"intervalDecimal,attr"`
	Shift    string `xml:"shiftDecimal,attr"`
}

// addClocks finds the clocks among the variables of an FMU with events between communication steps.
func (d *Description) addClocks(list []xmlVariable) {
	for i := range list {
		v := &list[i]
		if v.XMLName.Local != "Clock" {
			continue
		}
		d.handlesEvents = true
		if strings.TrimSpace(v.Causality) != "input" {
			continue
		}
		c := clock{reference: uint32(number(v.Reference)), interval: number(v.Interval), shift: number(v.Shift)}
		if c.interval > 0 && !math.IsInf(c.interval, 0) && c.shift >= 0 && !math.IsInf(c.shift, 0) {
			d.clocks = append(d.clocks, c)
		} else {
			d.unticked = append(d.unticked, v.Name)
		}
	}
}

// untickedNote names the input clocks that never tick; "" without one.
func (d *Description) untickedNote() string {
	if len(d.unticked) == 0 {
		return ""
	}
	return "input clocks without a constant interval do not tick: " + strings.Join(d.unticked, ", ")
}

// events handles the events of an instance of co-simulation: ticks of periodic input clocks, and events that the FMU
// asks for or announces.
type events struct {
	instance *Instance
	ticks    []float64 // of each clock, how many it has had
	timed    float64   // s, of the next event that the FMU has announced; infinity without one
}

// coincident is the part of an interval within which a tick belongs to the end of a step.
const coincident = 1e-6

// begin handles the event at the start.
func (e *events) begin() error {
	e.ticks = make([]float64, len(e.instance.fmu.clocks))
	return e.settle(0, e.due(0))
}

// seek finds the next ticks after a time with all events handled.
func (e *events) seek(t float64) {
	e.timed = math.Inf(1)
	for i, c := range e.instance.fmu.clocks {
		e.ticks[i] = max(0, math.Floor((t-c.shift)/c.interval+coincident)+1)
	}
}

// next is the time of the next tick or announced event [s].
func (e *events) next() float64 {
	t := e.timed
	for i, c := range e.instance.fmu.clocks {
		t = min(t, c.shift+e.ticks[i]*c.interval)
	}
	return t
}

// due are the clocks that tick at a time, whose ticks are counted.
func (e *events) due(t float64) (references []uint32) {
	for i, c := range e.instance.fmu.clocks {
		if c.shift+e.ticks[i]*c.interval <= t+coincident*c.interval {
			references = append(references, c.reference)
			e.ticks[i]++
		}
	}
	return references
}

// advance makes a communication step, in parts between which events are handled.
func (e *events) advance(end float64) error {
	c := e.instance
	from := c.time
	for {
		t := min(e.next(), end)
		if end-t < coincident*(end-c.time) {
			t = end
		}
		if t > from {
			if err := c.step3(from, t, t-from); err != nil {
				return err
			}
			from = t
		}
		switch {
		case c.over && t < end:
			return &Ended{t, c.last}
		case c.over:
			return nil
		}
		ticking := e.due(t)
		if len(ticking) > 0 || e.timed <= t {
			if err := e.handle(t, ticking); err != nil {
				return err
			}
		} else if t == end {
			return nil
		}
	}
}

// handle handles an event between steps, with the given ticking clocks.
func (e *events) handle(t float64, ticking []uint32) error {
	if err := e.instance.check(e.instance.fmu.common.enterEventMode(e.instance.handle)); err != nil {
		return err
	}
	return e.settle(t, ticking)
}

// settle lets clocks tick in event mode, settles the discrete states, and goes on to steps.
func (e *events) settle(t float64, ticking []uint32) (err error) {
	c := e.instance
	if n := len(ticking); n > 0 {
		on := make([]bool, n)
		for i := range on {
			on[i] = true
		}
		if err := c.check(c.fmu.three.setClocks(c.handle, &ticking[0], uint64(n), &on[0])); err != nil {
			return err
		}
	}
	if e.timed, err = c.settle(t); err != nil {
		return err
	}
	if e.timed <= t {
		e.timed = math.Inf(1) // handled just now
	}
	return c.check(c.fmu.three.enterStepMode(c.handle))
}
