package trace

import (
	"io"
	"runtime"
	"sync/atomic"
)

// blockNumbers is how many numbers become text together: some tenths of a millisecond of work.
const blockNumbers = 8192

// CSVWriter writes rows as lines of CSV, always whole lines in the order of the rows. Blocks of rows become text on all
// processors while later rows are made.
type CSVWriter struct {
	to      io.Writer
	columns int       // with the time
	block   *csvBlock // for the next rows
	room    int       // blocks that can still be made
	free    chan *csvBlock
	written chan struct{}         // closed once all blocks that have been handed over are written; nil before the first
	failure atomic.Pointer[error] // of a write, after which nothing more is written
}

// csvBlock is rows one behind the other, each with its time first, and their text.
type csvBlock struct {
	numbers []float64
	text    []byte
}

// NewCSVWriter writes the heading, and then rows of these channels. The writer is used by one goroutine at a time.
func NewCSVWriter(to io.Writer, channels []Channel) *CSVWriter {
	workers := runtime.GOMAXPROCS(0)
	return &CSVWriter{to: to, columns: len(channels) + 1, room: workers, free: make(chan *csvBlock, workers+1),
		block: &csvBlock{text: CSVHeading(channels)}}
}

// Row adds a row; values are ordered as the channels.
func (w *CSVWriter) Row(time float64, values []float64) error {
	w.block.numbers = append(append(w.block.numbers, time), values...)
	if len(w.block.numbers) < blockNumbers {
		return nil
	}
	return w.HandOver()
}

// HandOver lets the rows so far be written, and does not wait for that.
func (w *CSVWriter) HandOver() error {
	b, before, written := w.block, w.written, make(chan struct{})
	go func() {
		b.format(w.columns)
		if before != nil {
			<-before
		}
		if w.failure.Load() == nil {
			if _, err := w.to.Write(b.text); err != nil {
				w.failure.Store(&err)
			}
		}
		b.numbers, b.text = b.numbers[:0], b.text[:0]
		w.free <- b
		close(written)
	}()
	w.written = written
	if w.room > 0 && len(w.free) == 0 {
		w.room--
		w.block = &csvBlock{}
	} else {
		w.block = <-w.free
	}
	return w.failed()
}

// Flush waits until all rows are written.
func (w *CSVWriter) Flush() error {
	err := w.HandOver()
	<-w.written
	if err != nil {
		return err
	}
	return w.failed()
}

func (w *CSVWriter) failed() error {
	if err := w.failure.Load(); err != nil {
		return *err
	}
	return nil
}

// format appends the lines of the rows.
func (b *csvBlock) format(columns int) {
	for row := b.numbers; len(row) > 0; row = row[columns:] {
		b.text = AppendCSV(b.text, row[0], row[1:columns])
	}
}
