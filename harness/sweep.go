package harness

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/parquet-go/parquet-go"
)

// Variation is a parameter or start value, or several that are alike, and the values they take
// in a sweep.
type Variation struct {
	Name   string // of several: with + between
	Values []float64
}

// ParseVariation reads NAME=FIRST:LAST:COUNT, evenly spaced, or NAME=VALUE,VALUE,... For
// several that take the same values NAME is NAME+NAME.
func ParseVariation(text string) (Variation, error) {
	name, list, ok := strings.Cut(text, "=")
	v := Variation{Name: name}
	if !ok || name == "" {
		return v, fmt.Errorf("%q is neither NAME=FIRST:LAST:COUNT nor a list NAME=VALUE,VALUE", text)
	}
	number := func(s string) (float64, error) {
		x, err := strconv.ParseFloat(strings.TrimSpace(s), 64)
		if err != nil || x-x != 0 {
			return 0, fmt.Errorf("%s: %q is not a finite number", text, s)
		}
		return x, nil
	}
	if parts := strings.Split(list, ":"); len(parts) == 3 {
		first, err1 := number(parts[0])
		last, err2 := number(parts[1])
		count, err3 := strconv.Atoi(strings.TrimSpace(parts[2]))
		if err3 != nil || count < 2 || count > mostRuns {
			err3 = fmt.Errorf("%s: the count %q is not a whole number from 2 to %d", text, parts[2], mostRuns)
		}
		if err := errors.Join(err1, err2, err3); err != nil {
			return v, err
		}
		for i := range count {
			v.Values = append(v.Values, first+(last-first)*float64(i)/float64(count-1))
		}
		return v, nil
	}
	for part := range strings.SplitSeq(list, ",") {
		x, err := number(part)
		if err != nil {
			return v, err
		}
		v.Values = append(v.Values, x)
	}
	return v, nil
}

// How many runs a sweep may have, and how many vehicles at a time, which is what one call steps.
const (
	mostRuns     = 10_000_000
	mostTogether = 1 << 20
)

// Sweep drives a model through a manoeuvre once for every combination of values.
type Sweep struct {
	Library     *Library
	Model, Tree string
	// Run.Record: of which the last, the least and the largest value are kept. rate(NAME) is the
	// change of a variable from one communication point to the next, by the time between them.
	Run        Run
	From       float64 // from when on the least and the largest count [s]
	Variations []Variation
	Together   int      // vehicles in memory at a time; 0 for 256
	Threads    int      // 0 for one for each processor
	Progress   Progress // nil for silence
}

// Table is the result of a sweep: a row for each combination, of which the last variation
// changes fastest.
type Table struct {
	Columns []string
	Rows    [][]float64
}

// Do makes all runs. A run that fails ends early: its column "end" says when, and its other
// results are those up to there. With an error the table has the rows of the batches that were complete before it, and is
// nil where no run was begun.
func (s *Sweep) Do() (*Table, error) {
	total := 1
	t := &Table{}
	for _, v := range s.Variations {
		t.Columns = append(t.Columns, v.Name)
		if total *= len(v.Values); total > mostRuns {
			return nil, fmt.Errorf("these are more than %d runs", mostRuns)
		}
	}
	if s.Together > mostTogether {
		return nil, fmt.Errorf("%d vehicles in memory at a time; at most %d are possible", s.Together, mostTogether)
	}
	first, err := s.Library.Load(s.Model, s.Tree)
	if err != nil {
		return nil, err
	}
	vehicles := []*Vehicle{first}
	defer func() {
		for _, v := range vehicles {
			v.Close()
		}
	}()
	if s.Run.Record == nil {
		s.Run.Record = first.Outputs()
	}
	t.Columns = append(t.Columns, "end")
	for _, name := range s.Run.Record {
		t.Columns = append(t.Columns, name+".last", name+".least", name+".largest")
	}
	if values := float64(total) * float64(len(t.Columns)); values > mostRecorded {
		return nil, fmt.Errorf("%d runs of %d columns would be %.3g numbers; at most %.3g are kept: record fewer variables, or take fewer values", total, len(t.Columns), values, mostRecorded)
	}
	together := s.Together
	if together == 0 {
		together = 256
	}
	for len(vehicles) < min(together, total) {
		v, err := first.Copy()
		if err != nil {
			return nil, err
		}
		vehicles = append(vehicles, v)
	}
	for done := 0; done < total; done += len(vehicles) {
		n := min(len(vehicles), total-done)
		rows, err := s.batch(vehicles[:n], done, total)
		if err != nil {
			return t, err
		}
		t.Rows = append(t.Rows, rows...)
	}
	return t, nil
}

// combination returns the values of run k.
func (s *Sweep) combination(k int) []float64 {
	values := make([]float64, len(s.Variations))
	for i := len(values) - 1; i >= 0; i-- {
		list := s.Variations[i].Values
		values[i] = list[k%len(list)]
		k /= len(list)
	}
	return values
}

// batch makes the runs from number begin on.
func (s *Sweep) batch(vehicles []*Vehicle, begin, total int) ([][]float64, error) {
	h, duration, steps, err := s.Run.steps()
	if err != nil {
		return nil, err
	}
	names, rates := make([]string, len(s.Run.Record)), make([]bool, len(s.Run.Record))
	for i, name := range s.Run.Record {
		names[i] = name
		if of, ok := strings.CutPrefix(name, "rate("); ok && strings.HasSuffix(of, ")") {
			names[i], rates[i] = strings.TrimSuffix(of, ")"), true
		}
	}
	recorded, err := vehicles[0].References(names...)
	if err != nil {
		return nil, err
	}
	drives := make([]*inputDriver, len(vehicles))
	rows := make([][]float64, len(vehicles))
	head := len(s.Variations) + 1
	for i, v := range vehicles {
		if err := v.Reset(); err != nil {
			return nil, err
		}
		values := s.combination(begin + i)
		run := s.Run
		run.Settings = slices.Clone(run.Settings)
		for k, variation := range s.Variations {
			for name := range strings.SplitSeq(variation.Name, "+") {
				run.Settings = append(run.Settings, Setting{name, strconv.FormatFloat(values[k], 'g', -1, 64)})
			}
		}
		if drives[i], err = run.prepare(v, h); err != nil {
			return nil, fmt.Errorf("run %d: %w", begin+i+1, err)
		}
		rows[i] = append(values, make([]float64, 1+3*len(recorded))...)
	}
	running := slices.Clone(vehicles)
	place := map[*Vehicle]int{}
	for i, v := range vehicles {
		place[v] = i
	}
	name := fmt.Sprintf("runs %d to %d of %d", begin+1, begin+len(vehicles), total)
	now := make([]float64, len(recorded))
	before := make([][]float64, len(vehicles)) // what is recorded, one step ago
	for i := range before {
		before[i] = make([]float64, len(recorded))
	}
	for n := 0; ; n++ {
		for _, v := range running {
			i := place[v]
			if err := v.Get(recorded, now); err != nil {
				return nil, fmt.Errorf("run %d at %.6g s: %w", begin+i+1, float64(n)*h, err)
			}
			row := rows[i]
			row[head-1] = float64(n) * h
			for k, x := range now {
				if rates[k] {
					last := before[i][k]
					if before[i][k] = x; n == 0 {
						last = x
					}
					x = (x - last) / h
				}
				at := row[head+3*k:]
				if at[0] = x; n == 0 || float64(n)*h < s.From-h/2 {
					at[1], at[2] = x, x
				}
				at[1], at[2] = min(at[1], x), max(at[2], x)
			}
			if err := drives[i].at(float64(n)*h, h); err != nil {
				return nil, fmt.Errorf("run %d at %.6g s: %w", begin+i+1, float64(n)*h, err)
			}
		}
		running = slices.DeleteFunc(running, func(v *Vehicle) bool { return drives[place[v]].done })
		if n == steps || len(running) == 0 {
			return rows, nil
		}
		failed, err := s.Library.StepAll(running, h, s.Threads)
		if err != nil {
			return nil, err
		}
		if slices.Contains(failed, true) {
			left := running[:0:0]
			for k, v := range running {
				if !failed[k] {
					left = append(left, v)
				}
			}
			running = left
		}
		if s.Progress != nil {
			s.Progress.At(name, float64(n+1)*h, duration)
		}
	}
}

// WriteCSV writes the table as text.
func (t *Table) WriteCSV(to io.Writer) error {
	w := csv.NewWriter(to)
	if err := w.Write(t.Columns); err != nil {
		return err
	}
	text := make([]string, len(t.Columns))
	for _, row := range t.Rows {
		for i, x := range row {
			text[i] = strconv.FormatFloat(x, 'g', -1, 64)
		}
		if err := w.Write(text); err != nil {
			return err
		}
	}
	w.Flush()
	return w.Error()
}

// WriteParquet writes the table as a Parquet file of double columns.
func (t *Table) WriteParquet(to io.Writer) error {
	group := parquet.Group{}
	for _, name := range t.Columns {
		group[name] = parquet.Leaf(parquet.DoubleType)
	}
	schema := parquet.NewSchema("sweep", group)
	column := map[string]int{}
	for i, path := range schema.Columns() {
		column[path[0]] = i
	}
	w := parquet.NewGenericWriter[any](to, schema, parquet.Compression(&parquet.Zstd))
	for _, row := range t.Rows {
		r := make(parquet.Row, len(row))
		for i, x := range row {
			k := column[t.Columns[i]]
			r[k] = parquet.DoubleValue(x).Level(0, 0, k)
		}
		if _, err := w.WriteRows([]parquet.Row{r}); err != nil {
			return err
		}
	}
	return w.Close()
}
