package sweep

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"skidpad/harness/library"
	"skidpad/harness/workbench/results/output"
	"skidpad/harness/workbench/runs/constants"
	"skidpad/harness/workbench/runs/manoeuvre"
	"skidpad/harness/workbench/runs/signal"
)

// Settle is a run before each run of a sweep, of the same manoeuvre and the same values, from another start. What the
// vehicle has come to at its end is the start of the run.
type Settle struct {
	Duration float64                      // s
	Keep     []string                     // start values that are taken from its end
	Start    map[string]*signal.Law       // its own start values, formulas of numbers that the manoeuvre and the study set
	written  map[string]constants.Written // those with a unit
}

// settings are the start values of the run that settles; run is what is set for it.
func (s *Settle) settings(run []manoeuvre.Setting) ([]manoeuvre.Setting, error) {
	set := map[string]float64{}
	for _, v := range run {
		if x, err := strconv.ParseFloat(v.Value, 64); err == nil {
			set[v.Name] = x
		}
	}
	var list []manoeuvre.Setting
	for _, name := range slices.Sorted(maps.Keys(s.Start)) {
		law := s.Start[name]
		values := make([]float64, len(law.Reads))
		for i, of := range law.Reads {
			x, ok := set[of]
			if !ok {
				return nil, fmt.Errorf("settle.start: %s follows from %s, which neither the manoeuvre nor the study "+
					"sets; give it in [parameters] of the manoeuvre", name, of)
			}
			values[i] = x
		}
		list = append(list, number(name, law.Value(values)))
	}
	return list, nil
}

func number(name string, x float64) manoeuvre.Setting {
	return manoeuvre.Setting{Name: name, Value: strconv.FormatFloat(x, 'g', -1, 64)}
}

// of returns what is set for run k beside the manoeuvre's.
func (s *Sweep) of(k int) []manoeuvre.Setting {
	settings := slices.Clone(s.Run.Settings)
	values := s.combination(k)
	for i, variation := range s.Variations {
		for name := range strings.SplitSeq(variation.Name, "+") {
			settings = append(settings, number(name, values[i]))
		}
	}
	return settings
}

// settle makes the runs before some runs from number begin on, and returns by run the start values that are kept; nil
// for a run that has failed.
func (s *Sweep) settle(fleet *library.Fleet, count, begin, total int) ([][]manoeuvre.Setting, error) {
	if s.Settle == nil {
		return make([][]manoeuvre.Setting, count), nil
	}
	own := *s
	own.Run.Duration, own.Run.Record, own.From = s.Settle.Duration, s.Settle.Keep, 0
	h, duration, steps, err := own.Run.Steps()
	if err != nil {
		return nil, fmt.Errorf("settle: %w", err)
	}
	starts := make([][]manoeuvre.Setting, count)
	for i := range starts {
		run := manoeuvre.Plain(s.Run.Manoeuvre.Settings)
		if starts[i], err = s.Settle.settings(append(run, s.of(begin+i)...)); err != nil {
			return nil, err
		}
	}
	if err := own.bind(fleet.Vehicles[0]); err != nil {
		return nil, fmt.Errorf("settle: %w", err)
	}
	b, err := own.newBatch(fleet, count, begin, h, starts)
	if err != nil {
		return nil, fmt.Errorf("settle: %w", err)
	}
	if err := b.readAll(); err != nil {
		return nil, fmt.Errorf("settling of %w", err)
	}
	name := fmt.Sprintf("settling of runs %d to %d of %d", begin+1, begin+count, total)
	for n := 0; n < steps && len(b.running) > 0; n++ {
		if err := b.drive(float64(n) * h); err != nil {
			return nil, fmt.Errorf("settling of %w", err)
		}
		if output.Interrupted(s.Run.Interrupt) {
			return nil, fmt.Errorf("%s at %.6g s: %w", name, float64(n)*h, output.ErrInterrupted)
		}
		if err := b.step(); err != nil {
			return nil, err
		}
		if s.Progress != nil {
			s.Progress.At(name, float64(n+1)*h, duration)
		}
	}
	for _, f := range own.Failures[len(s.Failures):] {
		s.Failures = append(s.Failures, Failure{Run: f.Run, Reason: fmt.Errorf("settling: %w", f.Reason)})
	}
	kept := make([][]manoeuvre.Setting, count)
	for _, i := range b.running {
		kept[i] = []manoeuvre.Setting{}
		for k, name := range s.Settle.Keep {
			kept[i] = append(kept[i], number(name, fleet.Row(i)[k]))
		}
	}
	return kept, nil
}
