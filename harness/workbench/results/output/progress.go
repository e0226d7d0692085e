package output

import (
	"fmt"
	"io"
	"os"
	"strings"
	"sync"
	"time"
)

// Progress is told how far a run is.
type Progress interface {
	// At says that the run called name has come to t of end, in the unit of the progress.
	At(name string, t, end float64)
}

// NewProgress shows a line that is redrawn on a terminal, and nothing elsewhere. It counts seconds.
func NewProgress(to io.Writer) Progress { return NewProgressOf(to, "s") }

// NewProgressOf is NewProgress in another unit.
func NewProgressOf(to io.Writer, unit string) Progress {
	if v, ok := to.(*Visible); ok {
		to = v.to // for its carriage returns
	}
	p := &progress{to: to, unit: unit, next: time.Now().Add(time.Second)}
	if f, ok := to.(*os.File); ok {
		info, err := f.Stat()
		p.terminal = err == nil && info.Mode()&os.ModeCharDevice != 0
	}
	return p
}

type progress struct {
	to       io.Writer
	unit     string
	terminal bool
	next     time.Time
	drawn    bool
}

const barWidth = 30

// At implements Progress.
func (p *progress) At(name string, t, end float64) {
	name = visible.String(name)
	done := t >= end*(1-1e-12)
	if done && p.drawn {
		fmt.Fprintf(p.to, "\r%s\r", strings.Repeat(" ", len(name)+barWidth+23+len(p.unit)))
		p.drawn = false
	}
	if now := time.Now(); p.terminal && !done && now.After(p.next) {
		full := int(barWidth * t / end)
		fmt.Fprintf(p.to, "\r%s [%s%s] %.1f of %.4g %s", name, strings.Repeat("=", full),
			strings.Repeat(" ", barWidth-full), t, end, p.unit)
		p.next, p.drawn = now.Add(100*time.Millisecond), true
	}
}

// SideBySide adds up the progress of runs that are made at the same time; nil stays nil.
func SideBySide(p Progress, runs int) func(run int) Progress {
	if p == nil {
		return func(int) Progress { return nil }
	}
	all := &together{Progress: p, done: make([]float64, runs)}
	return func(run int) Progress { return oneOf{all, run} }
}

type together struct {
	Progress
	mutex sync.Mutex
	done  []float64 // by run: its share
}

type oneOf struct {
	*together
	run int
}

// At implements Progress.
func (o oneOf) At(name string, t, end float64) {
	o.mutex.Lock()
	defer o.mutex.Unlock()
	o.done[o.run] = t / end
	sum := 0.0
	for _, share := range o.done {
		sum += share
	}
	o.Progress.At(name, sum*end, float64(len(o.done))*end)
}
