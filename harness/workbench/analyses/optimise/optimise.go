// Package optimise searches for vehicle parameters that make the counted modes decay fastest. It looks into the engine.
package optimise

import (
	"errors"
	"fmt"
	"runtime"
	"sync"
	"sync/atomic"

	"skidpad/harness/workbench/analyses/linearise"
	"skidpad/harness/workbench/results/output"
	"skidpad/model/linear"
	"skidpad/model/reduction"
)

// Options of a search.
type Options struct {
	Threads   int // 0 for one for each processor
	Interrupt <-chan struct{}
	Progress  output.Progress // nil for silence
}

// Result of a search.
type Result struct {
	*Study
	History []Evaluation // in their order
	Best    int          // in History
	Modes   [][]CountedMode
	Stable  []Interval // in the study's range, with the best values
}

// Interval is an interval of the values of Study.Range without unstable modes. Its ends are limits of stability or,
// where Open, the ends of the range.
type Interval struct {
	From, To         float64
	OpenFrom, OpenTo bool
}

// Run searches. It makes the same evaluations with any number of threads. Where it is interrupted, the result has the
// evaluations so far, and the error is output.ErrInterrupted; it is nil if there are none.
func Run(s *Study, options Options) (*Result, error) {
	m, err := reduction.Read(s.Model)
	if err != nil {
		return nil, err
	}
	l, err := linear.New(m, "")
	if err != nil {
		return nil, err
	}
	first, err := newObjective(l, s)
	if err != nil {
		return nil, fmt.Errorf("study %s: %w", s.Name, err)
	}
	threads := options.Threads
	if threads == 0 {
		threads = runtime.GOMAXPROCS(0)
	}
	team := []*objective{first}
	for len(team) < threads {
		other, err := first.duplicate()
		if err != nil {
			return nil, err
		}
		team = append(team, other)
	}
	r := &Result{Study: s}
	method := search{evaluations: s.Evaluations, seed: s.Seed}
	for _, b := range s.Vary {
		method.low, method.high = append(method.low, b.From), append(method.high, b.To)
	}
	failure := method.run(func(points [][]float64) ([]float64, error) { return r.evaluate(team, points, options) })
	if failure != nil && !errors.Is(failure, output.ErrInterrupted) || len(r.History) == 0 {
		return nil, failure
	}
	return r, errors.Join(failure, r.finish(first))
}

// evaluate adds the evaluations of points to the history. If the run is interrupted, the history has the evaluations
// before the first missing one.
func (r *Result) evaluate(team []*objective, points [][]float64, options Options) ([]float64, error) {
	list, failures := make([]Evaluation, len(points)), make([]error, len(points))
	var next, done atomic.Int64
	var workers sync.WaitGroup
	before := len(r.History)
	for _, v := range team {
		workers.Go(func() {
			for i := int(next.Add(1)) - 1; i < len(points); i = int(next.Add(1)) - 1 {
				if output.Interrupted(options.Interrupt) {
					failures[i] = output.ErrInterrupted
					return
				}
				list[i], failures[i] = v.evaluate(points[i])
				done.Add(1)
				if v == team[0] && options.Progress != nil {
					options.Progress.At(r.Name, float64(before)+float64(done.Load()), float64(r.Evaluations))
				}
			}
		})
	}
	workers.Wait()
	var costs []float64
	for i, e := range list {
		if failures[i] != nil {
			return costs, fmt.Errorf("study %s, evaluation %d: %w", r.Name, len(r.History)+1, failures[i])
		}
		if e.Values == nil { // an interrupt has ended all that could have made it
			return costs, output.ErrInterrupted
		}
		r.History, costs = append(r.History, e), append(costs, e.Masked)
		if e.Masked < r.History[r.Best].Masked {
			r.Best = len(r.History) - 1
		}
	}
	if options.Progress != nil {
		options.Progress.At(r.Name, float64(len(r.History)), float64(r.Evaluations))
	}
	return costs, nil
}

// finish adds the modes of the best values, and where they make the vehicle stable.
func (r *Result) finish(v *objective) error {
	if best := r.History[r.Best]; !best.Steady {
		return nil
	}
	if err := v.set(r.History[r.Best].Values); err != nil {
		return err
	}
	for k := range r.At.Values {
		modes, err := v.modes(k)
		if err != nil {
			return err
		}
		r.Modes = append(r.Modes, modes)
	}
	l := &linearise.Result{Varied: r.Range}
	if err := l.AddAll(v.Model, nil, nil); err != nil {
		return fmt.Errorf("range: %w", err)
	}
	limits, err := l.StabilityLimits(v.Model)
	if err != nil {
		return fmt.Errorf("range: %w", err)
	}
	values := r.Range.Values
	from, to := Interval{From: values[0], OpenFrom: true}, values[len(values)-1]
	unstable := l.Unstable(0)
	for _, limit := range limits {
		if limit.Before == (linearise.Unstable{}) {
			from.To = limit.Value
			r.Stable = append(r.Stable, from)
		}
		from, unstable = Interval{From: limit.Value}, limit.From
	}
	if unstable == (linearise.Unstable{}) {
		from.To, from.OpenTo = to, true
		r.Stable = append(r.Stable, from)
	}
	return nil
}
