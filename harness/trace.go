package harness

import (
	"bufio"
	"encoding/csv"
	"io"
	"sort"
	"strconv"
)

// Trace holds recorded variables: one row per communication point.
type Trace struct {
	Names  []string  // of the columns, without time
	Time   []float64 // s
	Values [][]float64

	column map[string]int
}

// NewTrace makes an empty trace of the variables called names, with room for
// rows rows.
func NewTrace(names []string, rows int) *Trace {
	t := &Trace{Names: names, Time: make([]float64, 0, rows), Values: make([][]float64, len(names)), column: map[string]int{}}
	for i, name := range names {
		t.Values[i] = make([]float64, 0, rows)
		t.column[name] = i
	}
	return t
}

// Append adds the row at time; values are ordered as Names.
func (t *Trace) Append(time float64, values []float64) {
	t.Time = append(t.Time, time)
	for i, value := range values {
		t.Values[i] = append(t.Values[i], value)
	}
}

// Column returns the recorded values of one variable. Asking for a variable
// that was not recorded is a programmer's error.
func (t *Trace) Column(name string) []float64 {
	i, recorded := t.column[name]
	if !recorded {
		panic("harness: variable " + name + " was not recorded")
	}
	return t.Values[i]
}

// At returns a variable at the recorded time nearest to time.
func (t *Trace) At(name string, time float64) float64 {
	return t.Column(name)[t.row(time)]
}

// row returns the index of the recorded time nearest to time.
func (t *Trace) row(time float64) int {
	after := sort.SearchFloat64s(t.Time, time)
	switch {
	case after == len(t.Time):
		return after - 1
	case after > 0 && time-t.Time[after-1] < t.Time[after]-time:
		return after - 1
	}
	return after
}

// Range returns the times and values of one variable for from <= t <= to.
func (t *Trace) Range(name string, from, to float64) (times, values []float64) {
	first, last := t.row(from), t.row(to)
	return t.Time[first : last+1], t.Column(name)[first : last+1]
}

// WriteCSV writes the trace with a heading line; the first column is time.
// Numbers are written so that reading them back is bit-identical.
func (t *Trace) WriteCSV(to io.Writer) error {
	w := bufio.NewWriter(to)
	heading := csv.NewWriter(w) // names of foreign FMUs may hold commas: a[1,2]
	heading.Write(append([]string{"time"}, t.Names...))
	heading.Flush()
	var number []byte
	for row, time := range t.Time {
		w.Write(strconv.AppendFloat(number[:0], time, 'g', -1, 64))
		for _, column := range t.Values {
			w.WriteByte(',')
			w.Write(strconv.AppendFloat(number[:0], column[row], 'g', -1, 64))
		}
		w.WriteByte('\n')
	}
	return w.Flush()
}
