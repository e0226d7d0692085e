package standalone

import (
	"fmt"
	"slices"

	"skidpad/model/program"
)

// frozen holds numbers of memories that never change, because the parameters are frozen. The zero value has none.
type frozen struct {
	known    map[program.Place]float64
	memories map[int]bool    // memories of equations
	wanted   []program.Place // known numbers that are also in memory, for tables of offsets
}

func (f *frozen) number(p program.Place) (x float64, is bool) {
	x, is = f.known[p]
	return x, is
}

// read marks a number as read from memory.
func (f *frozen) read(p program.Place) {
	if _, is := f.known[p]; is {
		f.wanted = append(f.wanted, p)
	}
}

// freeze finds the constants and parameters of the equations, and numbers computed from them, if parameters are frozen.
func (w *writer) freeze() error {
	if !w.Frozen {
		return nil
	}
	w.frozen = frozen{known: map[program.Place]float64{}, memories: map[int]bool{}}
	parameters := len(w.in.System().Program().Parameters)
	for k := range w.plan.Memories {
		m := &w.plan.Memories[k]
		if m.Parameters < 0 { // memory of a tire function
			continue
		}
		w.frozen.memories[k] = true
		add := func(from, n int) {
			for at := from; at < from+n; at++ {
				w.frozen.known[program.Place{Memory: k, At: at}] = w.plan.Memory[k][at]
			}
		}
		add(m.From, m.To-m.From)
		add(m.Parameters, parameters)
		if m.Init == nil {
			continue
		}
		b, err := m.Init.Operations()
		if err != nil {
			return err
		}
		for _, slot := range b.Stored() {
			add(int(slot), 1)
		}
	}
	runs := w.runs()
	if d := w.plan.Derivatives; d != nil {
		runs = slices.Concat(runs, runsOf(d.At), []program.Run{d.Along, d.Against})
	}
	for _, r := range runs {
		b, err := r.Operations()
		if err != nil {
			return err
		}
		for _, slot := range b.Stored() {
			if _, is := w.frozen.number(program.Place{Memory: r.Memory, At: int(slot)}); is {
				return fmt.Errorf("number %d of memory %d follows from parameters, but changes", slot, r.Memory)
			}
		}
	}
	return nil
}

// runs lists all runs of steps, outputs and the start, without the runs of parameters.
func (w *writer) runs() []program.Run {
	list := []program.Run{w.plan.Start.Run}
	evaluations := []*program.Straight{w.plan.Rates, w.plan.Outputs, w.plan.Residuals, w.plan.Ends, w.plan.Samples,
		w.wheelsOf()}
	if l := w.plan.Linear; l != nil {
		evaluations = append(evaluations, l.At)
		list = append(list, l.Factors, l.Solves)
		if of := l.Correction; of != nil {
			evaluations, list = append(evaluations, of.Residuals), append(list, of.Run)
		}
	}
	for i := range w.plan.Surfaces {
		s := &w.plan.Surfaces[i]
		evaluations = append(evaluations, s.Heights.Rates, s.Heights.Outputs)
		if s.Friction != nil {
			evaluations = append(evaluations, s.Friction.Rates, s.Friction.Outputs)
		}
	}
	for _, c := range w.plan.Contacts {
		list = append(list, c.Law)
	}
	return append(list, runsOf(evaluations...)...)
}

// runsOf lists the runs of evaluations. Some evaluations may be nil.
func runsOf(evaluations ...*program.Straight) (list []program.Run) {
	for _, of := range evaluations {
		if of == nil {
			continue
		}
		for _, part := range of.Parts {
			list = append(list, part.Runs...)
		}
	}
	return list
}
