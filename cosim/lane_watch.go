package cosim

import (
	"math"
	"slices"

	"skidpad/model/program"
)

// laneWatch watches the instances of a lane group, whose quantities are the same.
type laneWatch struct {
	places []program.LanePlace // by quantity
	gates  []laneGate
	stale  bool // the gates have to be made
	due    bool // the next evaluation of rates is checked
	out    bool // a row of some instance may be outside of its limits
}

// laneGate is a gate for all lanes, within the limits of each of them.
type laneGate struct {
	place  program.LanePlace
	middle float64
	half   int64
}

// open finds the quantities.
func (w *laneWatch) open(t *laneGroup) {
	for _, q := range t.instances[0].watch.of.quantities {
		w.places = append(w.places, q.findIn(t.lanes))
	}
	w.stale = true
}

// begin begins a communication step, with other gates if limits have changed.
func (w *laneWatch) begin(t *laneGroup) {
	w.out = false
	for _, in := range t.instances {
		w.out = w.out || in.watch.out[0] != 0
	}
	if !w.stale {
		return
	}
	w.gates, w.stale = slices.Grow(w.gates[:0], len(w.places)), false
	for k, place := range w.places {
		low, high := math.Inf(-1), math.Inf(1)
		for _, in := range t.instances {
			l, h := in.watch.narrowest(k)
			low, high = max(low, l), min(high, h)
		}
		if middle, half, any := gateOf(low, high); any && place >= 0 && !slices.Contains(w.places[:k], place) {
			w.gates = append(w.gates, laneGate{place, middle, half})
		}
	}
}

// look is Instance.look for all lanes.
func (t *laneGroup) look(since float64) {
	t.watch.due = false
	v := t.lanes.Evaluated()
	if v == nil {
		for lane, in := range t.instances {
			if t.steps[lane] {
				in.watch.lookAtAll(in.timeAfter(since))
				t.watch.out = t.watch.out || in.watch.out[0] != 0
			}
		}
		return
	}
	var first, second, third, fourth int64 // lanes do not wait for each other
	for i := range t.watch.gates {
		g := &t.watch.gates[i]
		x := (*[program.Width]float64)(v[g.place:])
		first |= g.half - int64(math.Float64bits(x[0]-g.middle)&^signBit)
		second |= g.half - int64(math.Float64bits(x[1]-g.middle)&^signBit)
		third |= g.half - int64(math.Float64bits(x[2]-g.middle)&^signBit)
		fourth |= g.half - int64(math.Float64bits(x[3]-g.middle)&^signBit)
	}
	if first|second|third|fourth >= 0 && !t.watch.out {
		return
	}
	for lane, in := range t.instances {
		if t.steps[lane] {
			t.lookAtLane(lane, v, in.timeAfter(since))
			t.watch.out = t.watch.out || in.watch.out[0] != 0
		}
	}
}

// lookAtLane checks the numbers of one lane.
func (t *laneGroup) lookAtLane(lane int, v []float64, at float64) {
	w := &t.instances[lane].watch
	for k, place := range t.watch.places {
		if w.values[k] = *w.at[k]; place >= 0 {
			w.values[k] = v[int(place)+lane]
		}
	}
	w.note(at)
}
