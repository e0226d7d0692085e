package trace

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"runtime"
	"strconv"
	"testing"
	"time"
)

// lines is CSV written number by number.
func lines(channels, rows int) string {
	var b bytes.Buffer
	b.WriteString("time")
	for i := range channels {
		fmt.Fprintf(&b, ",c%d", i)
	}
	for n := range rows {
		b.WriteString("\n" + strconv.FormatFloat(0.001*float64(n), 'g', -1, 64))
		for i := range channels {
			b.WriteString("," + strconv.FormatFloat(number(n, i), 'g', -1, 64))
		}
	}
	return b.String() + "\n"
}

// number is that of row n and channel i.
func number(n, i int) float64 { return math.Sin(float64(n*1000+i)) * math.Pow(10, float64(i%40-20)) }

// slow takes its time at every third write, and refuses to take more than most bytes.
type slow struct {
	bytes.Buffer
	calls, most int
	refused     bool
	after       int // writes after one was refused
}

var errFull = errors.New("full")

func (s *slow) Write(text []byte) (int, error) {
	if s.calls++; s.calls%3 == 0 {
		time.Sleep(time.Millisecond)
	}
	if s.refused {
		s.after++
	}
	if s.Len()+len(text) > s.most {
		s.refused = true
		return 0, errFull
	}
	return s.Buffer.Write(text)
}

func channelsOf(n int) (list []Channel) {
	for i := range n {
		list = append(list, Channel{Name: fmt.Sprintf("c%d", i)})
	}
	return list
}

// Lines are those that are written number by number, in their order, whatever the number of processors, of rows and of
// blocks is.
func TestRowsBecomeLinesInTheirOrder(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
	for _, processors := range []int{1, 3} {
		runtime.GOMAXPROCS(processors)
		for _, c := range []struct{ channels, rows, flush int }{
			{0, 0, 0}, {0, 3, 0}, {1, blockNumbers/2 - 1, 0}, {1, blockNumbers / 2, 0}, {1, blockNumbers/2 + 1, 0},
			{7, 20, 1}, {3, 5000, 700}, {269, 70, 0}, {2 * blockNumbers, 2, 0}, {5, 4*blockNumbers/6 + 1, 0},
		} {
			to, row := &slow{most: math.MaxInt}, make([]float64, c.channels)
			w := NewCSVWriter(to, channelsOf(c.channels))
			for n := range c.rows {
				for i := range row {
					row[i] = number(n, i)
				}
				if err := w.Row(0.001*float64(n), row); err != nil {
					t.Fatal(err)
				}
				if c.flush > 0 && n%c.flush == 0 {
					if err := w.Flush(); err != nil {
						t.Fatal(err)
					}
				}
			}
			for range 2 {
				if err := w.Flush(); err != nil {
					t.Fatal(err)
				}
			}
			if to.String() != lines(c.channels, c.rows) {
				t.Errorf("%d processors, %+v: other bytes", processors, c)
			}
			trace := New(channelsOf(c.channels), 0)
			for n := range c.rows {
				for i := range row {
					row[i] = number(n, i)
				}
				trace.Append(0.001*float64(n), row)
			}
			var whole bytes.Buffer
			if err := trace.WriteCSV(&whole); err != nil || whole.String() != to.String() {
				t.Errorf("%d processors, %+v: other bytes of the whole trace (%v)", processors, c, err)
			}
		}
	}
}

// The header row is written at once, and Flush leaves nothing behind, so that a file can be read while it grows.
func TestHeaderAndFlushedRowsAreWrittenAtOnce(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
	for _, processors := range []int{1, 3} {
		runtime.GOMAXPROCS(processors)
		var to bytes.Buffer
		w := NewCSVWriter(&to, channelsOf(2))
		if to.String() != lines(2, 0) {
			t.Errorf("%d processors: begins with %q", processors, to.String())
		}
		const rows = 10*blockNumbers/3 + 5
		for n := range rows {
			if err := w.Row(0.001*float64(n), []float64{number(n, 0), number(n, 1)}); err != nil {
				t.Fatal(err)
			}
			if text := to.Bytes(); text[len(text)-1] != '\n' {
				t.Fatalf("row %d: part of a line is written", n)
			}
			if behind := n + 1 - bytes.Count(to.Bytes(), []byte("\n")) + 1; behind > (mostWaiting+1)*blockNumbers/3 {
				t.Fatalf("%d processors: %d rows are not written after row %d", processors, behind, n)
			}
		}
		if err := w.Flush(); err != nil || to.String() != lines(2, rows) {
			t.Errorf("%d processors: %d bytes after Flush (%v)", processors, to.Len(), err)
		}
	}
}

// After a write that fails nothing more is written, rows soon say so, and the last call does.
func TestAWriteThatFailsEndsTheLines(t *testing.T) {
	to := &slow{most: 1 << 20}
	w := NewCSVWriter(to, channelsOf(3))
	var err error
	rows := 0
	for ; err == nil && rows < 1e6; rows++ {
		err = w.Row(0.001*float64(rows), []float64{number(rows, 1), number(rows, 2), number(rows, 3)})
	}
	if !errors.Is(err, errFull) || rows > 1e5 {
		t.Errorf("%v after %d rows", err, rows)
	}
	if err := w.Flush(); !errors.Is(err, errFull) {
		t.Error(err)
	}
	if to.after > 0 {
		t.Errorf("%d writes after the failure", to.after)
	}
	full := New(channelsOf(1), 0)
	full.Append(0, []float64{1})
	if err := full.WriteCSV(&slow{}); !errors.Is(err, errFull) {
		t.Errorf("a trace that cannot be written: %v", err)
	}
}

// Columns of a trace that grow beyond their room leave the others alone.
func TestColumnsGrowByThemselves(t *testing.T) {
	trace := New(channelsOf(3), 2)
	for n := range 5 {
		trace.Append(float64(n), []float64{number(n, 0), number(n, 1), number(n, 2)})
	}
	for i, column := range trace.Values {
		for n, x := range column {
			if x != number(n, i) || len(column) != 5 {
				t.Errorf("channel %d, row %d of %d: %g", i, n, len(column), x)
			}
		}
	}
}
