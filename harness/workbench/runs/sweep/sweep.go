// Package sweep drives a model through a manoeuvre for every combination of values, many vehicles at a time.
package sweep

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"skidpad/harness/library"
	"skidpad/harness/workbench/results/output"
	"skidpad/harness/workbench/results/recording"
	"skidpad/harness/workbench/results/trace"
	"skidpad/harness/workbench/runs/drive"
	"skidpad/harness/workbench/runs/manoeuvre"
)

// mostTogether is how many vehicles one call steps at most.
const mostTogether = 1 << 20

// Sweep drives a model through a manoeuvre once for every combination of values.
type Sweep struct {
	Library     *library.Library
	Model, Tree string
	// Run.Record: patterns of variables (recording.ChooseInOrder) recorded with their last, least and largest value; nil
	// for all outputs. rate(PATTERN) is the change between communication points divided by the time between them.
	Run        drive.Plan
	From       float64 // from when on the least and the largest count [s]
	Variations []manoeuvre.Variation
	Settle     *Settle         // nil for none
	Together   int             // vehicles in memory at a time; 0 for 256
	Threads    int             // 0 for one for each processor
	Progress   output.Progress // nil for silence
	Plotted    bool            // Plot will be called: more variables than it can show are refused before the runs

	Failures []Failure // of runs, once Do has returned
	// Warnings are the warnings of runs, about their starts and about events in them, by the numbers of the runs from 1.
	Warnings map[int][]library.Warning

	// descriptions of the variations and of the recorded variables, once Do has begun
	varied, recorded []recorded
}

// recorded is a variable with its last, least and largest value.
type recorded struct {
	trace.Channel // also of a rate, rate(NAME)
	reference     uint32
	rate          bool // the change of the variable by the time
}

// Failure is a run that has failed.
type Failure struct {
	Run    int // its number, from 1
	Reason error
}

// warningsColumn has how many quantities left their limits in a run.
const warningsColumn = "warnings"

// Do makes all runs. A run that fails ends early: its column "end" is the time of the failure, and its other results
// cover the time before. With an error the table has the rows of the batches completed before it, and is nil if no run
// was begun. An interrupted sweep also has the runs in progress, up to the interruption.
func (s *Sweep) Do() (_ *trace.Table, failure error) {
	defer func() { failure = drive.Located(failure, s.Run.Manoeuvre.Roles) }()
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
	if _, duration, _, err := s.Run.Steps(); err != nil {
		return nil, err
	} else if !(s.From >= 0 && s.From < duration) {
		return nil, fmt.Errorf("least and largest values count from %g s on; that must be from 0 to less than the %g s of "+
			"the run", s.From, duration)
	}
	first, err := s.Library.Load(s.Model, s.Tree)
	if err != nil {
		return nil, err
	}
	defer first.Close()
	if err := s.choose(first); err != nil {
		return nil, err
	}
	s.varied, s.Warnings = nil, map[int][]library.Warning{}
	var varied []string
	for _, v := range s.Variations {
		for name := range strings.SplitSeq(v.Name, "+") {
			if slices.Contains(varied, name) {
				return nil, fmt.Errorf("%s is varied twice; give all its values at once", name)
			}
			varied = append(varied, name)
		}
		if err := s.refuseConstants(first, v.Name); err != nil {
			return nil, err
		}
		name, _, _ := strings.Cut(v.Name, "+") // several have the unit of the first one, patterns have none
		unit, _ := find(first, name)
		s.varied = append(s.varied, unit)
	}
	t.Columns = append(t.Columns, "end")
	for _, name := range s.Run.Record {
		t.Columns = append(t.Columns, name+".last", name+".least", name+".largest")
	}
	t.Columns = append(t.Columns, warningsColumn)
	if values := float64(total) * float64(len(t.Columns)); values > drive.MostRecorded {
		return nil, fmt.Errorf("%d runs of %d columns would be %.3g numbers; at most %.3g are kept: record fewer "+
			"variables, or take fewer values", total, len(t.Columns), values, drive.MostRecorded)
	}
	together := s.Together
	if together == 0 {
		together = 256
	}
	fleet, err := first.Fleet(min(together, total), s.Threads)
	if err != nil {
		return nil, err
	}
	defer fleet.Close()
	for done := 0; done < total; done += len(fleet.Vehicles) {
		n := min(len(fleet.Vehicles), total-done)
		rows, err := s.batch(fleet, n, done, total)
		t.Rows = append(t.Rows, rows...)
		switch {
		case err != nil && len(t.Rows) == 0:
			return nil, err
		case err != nil:
			return t, err
		}
	}
	return t, nil
}

// refuseConstants is the error of a variation that names a constant of the manoeuvre instead of a variable of the
// model: vehicles stepped together drive the same manoeuvre.
func (s *Sweep) refuseConstants(vehicle *library.Vehicle, variation string) error {
	for name := range strings.SplitSeq(variation, "+") {
		if slices.ContainsFunc(s.Run.Manoeuvre.Constants, func(c manoeuvre.ConstantValue) bool { return c.Name == name }) {
			if _, err := vehicle.Find(name); err != nil {
				return fmt.Errorf("%s is a constant of the manoeuvre, which all runs of a sweep share; give it one value with "+
					"--let, or vary it by [sweep] of the manoeuvre file with skidpad manoeuvre", name)
			}
		}
	}
	return nil
}

// choose puts the names of what is recorded in place of patterns.
func (s *Sweep) choose(vehicle *library.Vehicle) (err error) {
	outputs := vehicle.Outputs()
	if s.Run.Record == nil {
		s.Run.Record = outputs
	} else {
		s.Run.Record, err = recording.ChooseInOrder(s.Run.Record, outputs, vehicle.Locals(), s.Run.Manoeuvre.Roles)
	}
	if n := len(s.Run.Record); s.Plotted && n > mostPanels {
		return fmt.Errorf("a plot has a panel for each recorded variable, %d here; at most %d are drawn: choose variables "+
			"with --record, or with record in a study", n, mostPanels)
	}
	if err != nil {
		return err
	}
	return s.bind(vehicle)
}

// bind finds what is recorded.
func (s *Sweep) bind(vehicle *library.Vehicle) error {
	s.recorded = make([]recorded, len(s.Run.Record))
	for i, name := range s.Run.Record {
		var err error
		if s.recorded[i], err = find(vehicle, name); err != nil {
			return err
		}
	}
	return nil
}

// find finds a variable, or with rate(NAME) the variable NAME; a rate has the unit per second.
func find(vehicle *library.Vehicle, name string) (recorded, error) {
	of, rate := strings.CutPrefix(name, "rate(")
	if rate = rate && strings.HasSuffix(of, ")"); rate {
		of = strings.TrimSuffix(of, ")")
	} else {
		of = name
	}
	v, err := vehicle.Find(of)
	if err != nil {
		return recorded{}, err
	}
	r := recorded{trace.Channel{Name: name, Unit: v.Unit, Text: v.Text}, v.Reference, rate}
	switch {
	case rate && v.Unit == "1":
		r.Unit = "1/s"
	case rate && strings.HasSuffix(v.Unit, "/s"):
		r.Unit += "2"
	case rate:
		r.Unit += "/s"
	}
	return r, nil
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

// batch are runs that are made together.
type batch struct {
	sweep *Sweep
	fleet *library.Fleet
	begin int // number of the first run, from 0
	h     float64

	before  [][]float64 // by run: what was recorded one step ago
	rows    [][]float64 // by run
	drivers []*drive.InputDriver
	common  *drive.InputDriver // of the runs whose inputs follow from the time alone, nil for none
	ends    bool               // vehicles say themselves whether their runs have ended, in the last number of their rows
	running []int              // runs that have not ended
	served  []int              // those of them whose driver is common
	which   []byte             // by vehicle: 1 for those that are meant
}

// newBatch prepares some runs from number begin on, with start values of their own.
func (s *Sweep) newBatch(fleet *library.Fleet, count, begin int, h float64, starts [][]manoeuvre.Setting) (b *batch,
	err error) {
	b = &batch{sweep: s, fleet: fleet, begin: begin, h: h, which: make([]byte, len(fleet.Vehicles))}
	for i, v := range fleet.Vehicles[:count] {
		if err := v.Reset(); err != nil {
			return nil, err
		}
		if i == 0 {
			if err := s.fit(v); err != nil {
				return nil, err
			}
		}
		values := s.combination(begin + i)
		run := s.Run
		run.Settings = append(s.of(begin+i), starts[i]...)
		if err := run.AdaptTo(v); err != nil {
			return nil, fmt.Errorf("run %d: %w", begin+i+1, err)
		}
		driver, err := run.PrepareLike(v, h, b.common)
		if err != nil {
			return nil, fmt.Errorf("run %d: %w", begin+i+1, err)
		}
		if i == 0 && driver.Common() {
			b.common = driver
		}
		b.drivers = append(b.drivers, driver)
		b.rows = append(b.rows, append(values, make([]float64, 1+3*len(s.recorded)+1)...))
		b.before = append(b.before, make([]float64, len(s.recorded)))
		b.running = append(b.running, i)
	}
	var references []uint32
	for _, r := range s.recorded {
		references = append(references, r.reference)
	}
	if b.common != nil {
		var ended uint32
		if ended, b.ends = b.common.EndedBy(); b.ends {
			references = append(references, ended)
		}
		b.common.Serve(served{fleet.Vehicles[0], b})
	}
	return b, fleet.Bind(references)
}

// served are the runs of a batch whose inputs one driver sets.
type served struct {
	*library.Vehicle // of the model
	*batch
}

// Set sets inputs of all.
func (s served) Set(references []uint32, values []float64) error {
	return s.fleet.Set(s.mean(s.batch.served), references, values)
}

// SetRates lets inputs of all change within the next step.
func (s served) SetRates(references []uint32, rates []float64) error {
	for _, i := range s.batch.served {
		if err := s.fleet.Vehicles[i].SetRates(references, rates); err != nil {
			return err
		}
	}
	return nil
}

// mean lists runs by vehicle.
func (b *batch) mean(runs []int) []byte {
	clear(b.which)
	for _, i := range runs {
		b.which[i] = 1
	}
	return b.which
}

// fit is the error of values with units that do not match their variable.
func (s *Sweep) fit(v *library.Vehicle) error {
	for _, variation := range s.Variations {
		for name := range strings.SplitSeq(variation.Name, "+") {
			if err := drive.Fits(v, name, variation.Written); err != nil {
				return err
			}
		}
	}
	if s.Settle != nil {
		for name, written := range s.Settle.written {
			if err := drive.Fits(v, name, written); err != nil {
				return err
			}
		}
	}
	return nil
}

// batch makes some runs from number begin on.
func (s *Sweep) batch(fleet *library.Fleet, count, begin, total int) ([][]float64, error) {
	h, duration, steps, err := s.Run.Steps()
	if err != nil {
		return nil, err
	}
	starts, err := s.settle(fleet, count, begin, total)
	if err != nil {
		return nil, err
	}
	b, err := s.newBatch(fleet, count, begin, h, starts)
	if err != nil {
		return nil, err
	}
	if s.Settle != nil {
		b.running = slices.DeleteFunc(b.running, func(i int) bool { return starts[i] == nil })
		for i, row := range b.rows {
			for k := len(s.Variations) + 1; starts[i] == nil && k < len(row); k++ {
				row[k] = math.NaN()
			}
		}
	}
	if err := b.readAll(); err != nil {
		return nil, err
	}
	name := fmt.Sprintf("runs %d to %d of %d", begin+1, begin+count, total)
	for n := 0; ; n++ {
		for _, i := range b.running {
			b.note(i, n)
		}
		if err := b.drive(float64(n) * h); err != nil {
			return nil, err
		}
		b.running = slices.DeleteFunc(b.running, b.over)
		if n == steps || len(b.running) == 0 {
			return b.rows, b.noteWarnings()
		}
		if output.Interrupted(s.Run.Interrupt) {
			return b.rows, errors.Join(b.noteWarnings(), fmt.Errorf("%s at %.6g s: %w", name, float64(n)*h,
				output.ErrInterrupted))
		}
		if err := b.step(); err != nil {
			return nil, err
		}
		if s.Progress != nil {
			s.Progress.At(name, float64(n+1)*h, duration)
		}
	}
}

// readAll reads the rows of the runs, as steps do later.
func (b *batch) readAll() error {
	for _, i := range b.running {
		if err := b.fleet.Read(i); err != nil {
			return fmt.Errorf("run %d at 0 s: %w", b.begin+i+1, err)
		}
	}
	return nil
}

// note notes what run i gives at communication point n.
func (b *batch) note(i, n int) {
	time := float64(n) * b.h
	results := b.rows[i][len(b.sweep.Variations):]
	results[0] = time
	before, starts := b.before[i], n == 0 || time < b.sweep.From-b.h/2
	for k, x := range b.fleet.Row(i)[:len(b.sweep.recorded)] {
		if b.sweep.recorded[k].rate {
			last := before[k]
			if before[k] = x; n == 0 {
				last = x
			}
			x = (x - last) / b.h
		}
		result := results[1+3*k:][:3]
		if result[0] = x; starts {
			result[1], result[2] = x, x
		}
		result[1], result[2] = min(result[1], x), max(result[2], x)
	}
}

// drive sets the inputs of the runs at a time.
func (b *batch) drive(time float64) error {
	b.served = b.served[:0]
	for _, i := range b.running {
		if b.drivers[i] == b.common {
			b.served = append(b.served, i)
		} else if err := b.drivers[i].At(time, b.h); err != nil {
			return fmt.Errorf("run %d at %.6g s: %w", b.begin+i+1, time, err)
		}
	}
	if len(b.served) == 0 {
		return nil
	}
	if err := b.common.At(time, b.h); err != nil {
		return fmt.Errorf("runs from %d on at %.6g s: %w", b.begin+b.served[0]+1, time, err)
	}
	return nil
}

// over reports whether run i has ended.
func (b *batch) over(i int) bool {
	if row := b.fleet.Row(i); b.ends && b.drivers[i] == b.common && row[len(row)-1] > 0 {
		return true
	}
	return b.drivers[i].Done
}

// noteWarnings takes over the tables of warnings of runs that were begun.
func (b *batch) noteWarnings() error {
	for i, row := range b.rows {
		last := len(row) - 1
		if math.IsNaN(row[last]) {
			continue
		}
		list, err := b.fleet.Vehicles[i].Warnings()
		if err != nil {
			return err
		}
		for _, w := range list {
			if w.OfRun() {
				row[last]++
			}
		}
		if list != nil {
			b.sweep.Warnings[b.begin+i+1] = list
		}
	}
	return nil
}

// step advances the runs that have not ended; those whose step fails end.
func (b *batch) step() error {
	failed, err := b.fleet.Step(b.mean(b.running), b.h)
	if err != nil {
		return err
	}
	b.running = slices.DeleteFunc(b.running, func(i int) bool {
		if failed[i] != nil {
			b.sweep.Failures = append(b.sweep.Failures, Failure{Run: b.begin + i + 1, Reason: failed[i]})
		}
		return failed[i] != nil
	})
	return nil
}
