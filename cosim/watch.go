package cosim

import (
	"fmt"
	"math"
	"slices"

	"skidpad/model/program"
)

// watch holds the watched quantities of an instance in a run.
type watch struct {
	of      *watched
	limits  [][2]float64 // by row
	at      []*float64   // by quantity: its number after rates
	gates   []gate
	values  []float64 // by quantity: the value to check
	numbers []float64 // by row, rowNumbers each: part of the state
	news    []float64 // by row, newsNumbers each
	due     bool      // the next evaluation of rates is checked
	out     []float64 // one number: not 0 while a row is outside of its limits
	kept    bool      // before holds the numbers and the news from before the communication step
	before  []float64
}

// gate is a quick check of a quantity: the quantity is certainly within all of its limits if |value - middle| is at
// most half. The bits of nonnegative numbers are in the order of the numbers.
type gate struct {
	at     *float64
	middle float64
	half   int64 // bits
}

// signBit is the sign bit of a floating-point number.
const signBit = 1 << 63

// open adopts the rows of bound functions.
func (w *watch) open(of *watched) {
	if n := len(of.rows) * rowNumbers; len(w.numbers) != n {
		w.numbers = make([]float64, n)
		w.news = make([]float64, len(of.rows)*newsNumbers)
		w.before = make([]float64, n+len(w.news))
	}
	w.of = of
	w.limits = slices.Grow(w.limits[:0], len(of.rows))[:len(of.rows)]
	w.values = slices.Grow(w.values[:0], len(of.quantities))[:len(of.quantities)]
	w.forget()
}

// watchedWith returns the length of watch.numbers with other tire functions.
func (in *Instance) watchedWith(b *bindings, _ []string) int { return len(b.watched.rows) * rowNumbers }

// forget starts to watch a run.
func (w *watch) forget() {
	clear(w.numbers)
	clear(w.news)
	w.due, w.kept, w.out[0] = false, false, 0
}

// setLimits finds the numbers of the quantities, and adopts the limits that depend on the present parameters.
func (w *watch) setLimits(m program.Machine) {
	w.at = w.at[:0]
	for _, q := range w.of.quantities {
		w.at = append(w.at, q.find(m))
	}
	for i := range w.of.rows {
		r := &w.of.rows[i]
		w.limits[i] = [2]float64{r.low, r.high}
		if r.lowAt >= 0 {
			w.limits[i][0] = r.scale * *m.Watched(r.lowAt)
		}
		if r.highAt >= 0 {
			w.limits[i][1] = r.scale * *m.Watched(r.highAt)
		}
	}
	w.gates = w.gates[:0]
	for k, at := range w.at {
		middle, half, any := gateOf(w.narrowest(k))
		if !any || slices.Contains(w.at[:k], at) { // the gate of the earlier quantity has the limits of both
			continue
		}
		w.gates = append(w.gates, gate{at, middle, half})
	}
}

// gateOf returns the gate of a quantity with limits; any is false for a quantity without limits.
func gateOf(low, high float64) (middle float64, half int64, any bool) {
	if math.IsInf(low, -1) && math.IsInf(high, 1) {
		return 0, 0, false
	}
	const far = 1e6 // distance of a missing limit from the other limit
	if math.IsInf(low, -1) {
		low = high - far
	} else if math.IsInf(high, 1) {
		high = low + far
	}
	width := max(0, (high-low)/2*(1-1e-9))
	return low + (high-low)/2, int64(math.Float64bits(width)), true
}

// narrowest returns the intersection of the limits of all rows that watch the same number as a quantity.
func (w *watch) narrowest(quantity int) (low, high float64) {
	low, high = math.Inf(-1), math.Inf(1)
	for i := range w.of.rows {
		if w.at[w.of.rows[i].of] == w.at[quantity] {
			low, high = max(low, w.limits[i][0]), min(high, w.limits[i][1])
		}
	}
	return low, high
}

// isOut returns a number that is not 0 while a row is outside of its limits.
func (w *watch) isOut() (out float64) {
	for i := rowSide; i < len(w.numbers); i += rowNumbers {
		out = max(out, w.numbers[i], -w.numbers[i])
	}
	return out
}

// look checks the quantities after an evaluation of the rates at time t.
func (w *watch) look(t float64) {
	w.due = false
	beyond := int64(0)
	for i := range w.gates {
		g := &w.gates[i]
		beyond |= g.half - int64(math.Float64bits(*g.at-g.middle)&^signBit)
	}
	if beyond < 0 || w.out[0] != 0 {
		w.lookAtAll(t)
	}
}

// lookAtAll checks row by row.
func (w *watch) lookAtAll(t float64) {
	for k, at := range w.at {
		w.values[k] = *at
	}
	w.note(t)
}

// note updates the rows with the values of quantities at a time.
func (w *watch) note(t float64) {
	out := 0.0
	for i := range w.of.rows {
		r := &w.of.rows[i]
		x := w.values[r.of]
		side := 0.0
		switch low, high := w.limits[i][0], w.limits[i][1]; {
		case x > high:
			side = 1
		case x < low:
			side = -1
		}
		n := w.numbers[i*rowNumbers:][:rowNumbers]
		switch {
		case side != 0 && r.touching >= 0 && !(w.values[r.touching] > 0): // the limits do not apply in the air
			side = n[rowSide]
		case side == 0 && n[rowSide] != 0 && r.back < 1 && w.hardlyBack(i, x):
			side = n[rowSide]
		case side != 0:
			w.keep()
			w.leave(i, x, t)
		}
		if side != n[rowSide] {
			w.keep()
			n[rowSide] = side
		}
		out = max(out, side, -side)
	}
	w.out[0] = out
}

// hardlyBack reports whether a quantity is within its limits, but not well within.
func (w *watch) hardlyBack(row int, x float64) bool {
	back := w.of.rows[row].back
	return x > back*w.limits[row][1] || x < back*w.limits[row][0]
}

// leave notes a value outside of the limits of a row.
func (w *watch) leave(row int, x, t float64) {
	n, news := w.numbers[row*rowNumbers:][:rowNumbers], w.news[row*newsNumbers:][:newsNumbers]
	if n[rowSide] == 0 {
		if n[rowCount]++; news[newsPending] == 0 && (n[rowCount] == 1 || !w.of.rows[row].rule.once) {
			news[newsPending], news[newsTime], news[newsValue] = 1, t, x
		}
		if n[rowCount] == 1 {
			n[rowFirst], n[rowWorst], n[rowWhen] = t, x, t
		}
	}
	if w.excess(row, x) > w.excess(row, n[rowWorst]) {
		n[rowWorst], n[rowWhen] = x, t
	}
}

// excess returns the distance of a value beyond the limits of a row.
func (w *watch) excess(row int, x float64) float64 {
	return max(x-w.limits[row][1], w.limits[row][0]-x)
}

// keep copies the numbers from before the communication step, at their first change in this step.
func (w *watch) keep() {
	if !w.kept {
		copy(w.before[copy(w.before, w.numbers):], w.news)
		w.kept = true
	}
}

// rollBack returns to the numbers before the communication step.
func (w *watch) rollBack() {
	w.due = false
	if w.kept {
		copy(w.news, w.before[copy(w.numbers, w.before):])
		w.kept, w.out[0] = false, w.isOut()
	}
}

// restored starts with the numbers of a saved state. Nothing in them is news.
func (w *watch) restored() {
	clear(w.news)
	w.due, w.kept, w.out[0] = false, false, w.isOut()
}

// rangeNews returns the rows that have left their limits since the last call, each once.
func (w *watch) rangeNews() (list []string) {
	for i := range w.of.rows {
		news := w.news[i*newsNumbers:][:newsNumbers]
		if news[newsPending] == 0 {
			continue
		}
		news[newsPending] = 0
		r := &w.of.rows[i]
		x := news[newsValue]
		list = append(list, fillIn(r.news(x > w.limits[i][1]), news[newsTime], x, w.limits[i]))
	}
	return list
}

// summaries returns the rows that have left their limits in a run.
func (w *watch) summaries() (list []Warning) {
	for i := range w.of.rows {
		n := w.numbers[i*rowNumbers:][:rowNumbers]
		if n[rowCount] == 0 {
			continue
		}
		r := &w.of.rows[i]
		x := Warning{
			Rule: r.rule.name, Subject: r.subject, Quantity: r.quantity, Unit: r.unit, Count: int(n[rowCount]),
			Low: w.limits[i][0], High: w.limits[i][1], First: n[rowFirst], Worst: n[rowWorst], When: n[rowWhen],
		}
		limit := fmt.Sprintf("above %.6g %s", x.High, r.unit)
		if x.Worst < x.Low {
			limit = fmt.Sprintf("below %.6g %s", x.Low, r.unit)
		}
		times := ""
		if x.Count > 1 {
			times = fmt.Sprintf(", %d times in all", x.Count)
		}
		x.Text = fmt.Sprintf("%s: %s of %.5g %s at %.6g s, %s, %s; first at %.6g s%s", r.subject, r.quantity, x.Worst,
			r.unit, x.When, limit, r.rule.limit, x.First, times)
		if r.about != "" {
			x.Text += ": " + r.about
		}
		x.Remedy = r.rule.remedy
		list = append(list, x)
	}
	return list
}
