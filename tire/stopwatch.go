package tire

import "time"

// Stopwatch adds up the time of calls while it is on. Off, it reads no clock.
type Stopwatch struct {
	on    bool
	spent time.Duration
}

// SetTimed switches the watch on or off.
func (w *Stopwatch) SetTimed(on bool) { w.on, w.spent = on, 0 }

// Spent returns the time of all calls since it was called last.
func (w *Stopwatch) Spent() time.Duration {
	spent := w.spent
	w.spent = 0
	return spent
}

// Begin is called before a call; what it returns goes to End.
func (w *Stopwatch) Begin() (begin time.Time) {
	if w.on {
		begin = time.Now()
	}
	return begin
}

// End is called after a call.
func (w *Stopwatch) End(begin time.Time) {
	if w.on {
		w.spent += time.Since(begin)
	}
}
