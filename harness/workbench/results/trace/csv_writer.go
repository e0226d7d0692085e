package trace

import (
	"io"
	"runtime"
)

const (
	// blockNumbers is the size of a block: its text takes some tenths of a millisecond.
	blockNumbers = 2048

	// mostWaiting is the largest number of blocks that wait to be written. A run that dies loses no more than these
	// and the block that is being filled.
	mostWaiting = 3
)

// CSVWriter writes rows as lines of CSV, in the order of the rows. Blocks of rows become text on other processors while
// later rows are made. Only the calls of its methods write, and they write whole lines.
type CSVWriter struct {
	to      io.Writer
	columns int         // with the time
	block   *csvBlock   // receives the next rows
	waiting []*csvBlock // blocks that become text, the oldest first
	free    []*csvBlock
	most    int   // blocks in waiting
	err     error // of a write; nothing is written after it
}

// csvBlock is rows one behind the other, each with its time first, and their text.
type csvBlock struct {
	numbers []float64
	text    []byte
	done    chan struct{} // receives one value when the text is complete
}

// NewCSVWriter writes the header row, and then rows of these channels. A writer is used by one goroutine at a time.
func NewCSVWriter(to io.Writer, channels []Channel) *CSVWriter {
	w := &CSVWriter{to: to, columns: len(channels) + 1, block: newCSVBlock(),
		most: min(runtime.GOMAXPROCS(0)-1, mostWaiting)}
	w.write(CSVHeading(channels))
	return w
}

func newCSVBlock() *csvBlock { return &csvBlock{done: make(chan struct{}, 1)} }

// Row adds a row; values are ordered as the channels.
func (w *CSVWriter) Row(time float64, values []float64) error {
	w.block.numbers = append(append(w.block.numbers, time), values...)
	if len(w.block.numbers) >= blockNumbers {
		w.handOver()
	}
	return w.err
}

// Flush writes all rows.
func (w *CSVWriter) Flush() error {
	w.writeWaiting(0)
	w.block.format(w.columns)
	w.write(w.block.text)
	w.block.reset()
	return w.err
}

// handOver begins to make text of the block and takes another one for the next rows.
func (w *CSVWriter) handOver() {
	b := w.block
	go func() {
		b.format(w.columns)
		b.done <- struct{}{}
	}()
	w.waiting = append(w.waiting, b)
	w.writeWaiting(w.most)
	if last := len(w.free) - 1; last >= 0 {
		w.block, w.free = w.free[last], w.free[:last]
	} else {
		w.block = newCSVBlock()
	}
}

// writeWaiting writes blocks that are complete, in order, and waits for blocks until at most some wait.
func (w *CSVWriter) writeWaiting(most int) {
	for len(w.waiting) > 0 {
		b := w.waiting[0]
		if len(w.waiting) > most {
			<-b.done
		} else {
			select {
			case <-b.done:
			default:
				return
			}
		}
		w.write(b.text)
		b.reset()
		w.waiting = append(w.waiting[:0], w.waiting[1:]...)
		w.free = append(w.free, b)
	}
}

func (w *CSVWriter) write(text []byte) {
	if w.err == nil {
		_, w.err = w.to.Write(text)
	}
}

// format appends the lines of the rows.
func (b *csvBlock) format(columns int) {
	for row := b.numbers; len(row) > 0; row = row[columns:] {
		b.text = AppendCSV(b.text, row[0], row[1:columns])
	}
}

func (b *csvBlock) reset() { b.numbers, b.text = b.numbers[:0], b.text[:0] }
