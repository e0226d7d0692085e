// Package sweep drives a model through a manoeuvre for every combination of values, many vehicles at a time.
package sweep

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"skidpad/harness/drive"
	"skidpad/harness/library"
	"skidpad/harness/manoeuvre"
	"skidpad/harness/output"
	"skidpad/harness/trace"
)

// mostTogether is how many vehicles one call steps at most.
const mostTogether = 1 << 20

// Sweep drives a model through a manoeuvre once for every combination of values.
type Sweep struct {
	Library     *library.Library
	Model, Tree string
	// Run.Record: of which the last, the least and the largest value are kept. rate(NAME) is the
	// change of a variable from one communication point to the next, by the time between them.
	Run        drive.Plan
	From       float64 // from when on the least and the largest count [s]
	Variations []manoeuvre.Variation
	Together   int             // vehicles in memory at a time; 0 for 256
	Threads    int             // 0 for one for each processor
	Progress   output.Progress // nil for silence
}

// Do makes all runs. A run that fails ends early: its column "end" says when, and its other
// results are those up to there. With an error the table has the rows of the batches that were complete before it, and is
// nil where no run was begun.
func (s *Sweep) Do() (*trace.Table, error) {
	total := 1
	t := &trace.Table{}
	for _, v := range s.Variations {
		t.Columns = append(t.Columns, v.Name)
		if total *= len(v.Values); total > manoeuvre.MostRuns {
			return nil, fmt.Errorf("these are more than %d runs", manoeuvre.MostRuns)
		}
	}
	if s.Together > mostTogether {
		return nil, fmt.Errorf("%d vehicles in memory at a time; at most %d are possible", s.Together, mostTogether)
	}
	first, err := s.Library.Load(s.Model, s.Tree)
	if err != nil {
		return nil, err
	}
	vehicles := []*library.Vehicle{first}
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
	if values := float64(total) * float64(len(t.Columns)); values > drive.MostRecorded {
		return nil, fmt.Errorf("%d runs of %d columns would be %.3g numbers; at most %.3g are kept: record fewer variables, or take fewer values", total, len(t.Columns), values, drive.MostRecorded)
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
func (s *Sweep) batch(vehicles []*library.Vehicle, begin, total int) ([][]float64, error) {
	h, duration, steps, err := s.Run.Steps()
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
	drives := make([]*drive.InputDriver, len(vehicles))
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
				run.Settings = append(run.Settings, manoeuvre.Setting{Name: name, Value: strconv.FormatFloat(values[k], 'g', -1, 64)})
			}
		}
		if drives[i], err = run.Prepare(v, h); err != nil {
			return nil, fmt.Errorf("run %d: %w", begin+i+1, err)
		}
		rows[i] = append(values, make([]float64, 1+3*len(recorded))...)
	}
	running := slices.Clone(vehicles)
	place := map[*library.Vehicle]int{}
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
			if err := drives[i].At(float64(n)*h, h); err != nil {
				return nil, fmt.Errorf("run %d at %.6g s: %w", begin+i+1, float64(n)*h, err)
			}
		}
		running = slices.DeleteFunc(running, func(v *library.Vehicle) bool { return drives[place[v]].Done })
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
