package cosim

import "slices"

// part is a list of numbers of the state of an instance, with the rules for saving and restoring it.
type part struct {
	numbers []float64
	run     bool // saved only if the instance is initialised
	steps   bool // changes within communication steps; a failed step restores it
	// limits defines the allowed finite numbers; nil: all are allowed
	limits interface{ allows(numbers []float64) bool }
	// count returns the length of the list with other tire functions and texts; nil: the present length
	count func(in *Instance, b *bindings, texts []string) int
}

// state lists the numbers of an instance's state. The time, texts and coefficients of tires are kept elsewhere.
type state struct {
	parts        []part
	parametersAt int         // index of the first parameter among all numbers
	changing     [][]float64 // lists that change within communication steps
	before       []float64   // copies of them, made by keep
}

// listState makes the list of the state, in the order of saved states. Saving, restoring, counting and the rollback of
// communication steps walk this list. The modes of wheel contacts, and the normals that friction needs, are among the
// inputs.
func (in *Instance) listState() {
	s := &in.state
	s.parts = s.parts[:0]
	add := func(p part) { s.parts = append(s.parts, p) }
	acts := func(changes bool) {
		for _, a := range in.acts {
			if a.changes == changes {
				add(part{numbers: a.saved(), steps: true, limits: a.act})
			}
		}
	}
	add(part{numbers: in.settings[:], limits: positive{}})
	acts(false)
	s.parametersAt = s.length(false)
	add(part{numbers: in.p})
	add(part{numbers: in.u, steps: true})
	add(part{numbers: in.rate, steps: true})
	acts(true)
	add(part{numbers: in.along, run: true, steps: true})
	add(part{numbers: in.x, run: true, steps: true, count: (*Instance).statesWith})
	add(part{numbers: in.ledger.start, run: true, count: (*Instance).entriesWith})
	add(part{numbers: in.history(), run: true, steps: true, count: (*Instance).historyWith})
	add(part{numbers: in.watch.numbers, run: true, count: (*Instance).watchedWith})
	s.changing = s.changing[:0]
	n := 0
	for i := range s.parts {
		if p := &s.parts[i]; p.steps && len(p.numbers) > 0 {
			s.changing = append(s.changing, p.numbers)
			n += len(p.numbers)
		}
	}
	s.before = slices.Grow(s.before[:0], n)[:n]
}

// length returns the number of saved values: of an initialised instance if run is true, else of another instance.
func (s *state) length(run bool) (n int) {
	for i := range s.parts {
		if p := &s.parts[i]; run || !p.run {
			n += len(p.numbers)
		}
	}
	return n
}

// lengthWith returns the number of values of an initialised instance with other tire functions and texts.
func (s *state) lengthWith(in *Instance, b *bindings, texts []string) (n int) {
	for i := range s.parts {
		if p := &s.parts[i]; p.count != nil {
			n += p.count(in, b, texts)
		} else {
			n += len(p.numbers)
		}
	}
	return n
}

// allows reports whether a saved state can begin with these values.
func (s *state) allows(numbers []float64) bool {
	for i := range s.parts {
		p := &s.parts[i]
		if p.run {
			break
		}
		if p.limits != nil && !p.limits.allows(numbers[:len(p.numbers)]) {
			return false
		}
		numbers = numbers[len(p.numbers):]
	}
	return true
}

// take replaces the values by saved values: of an initialised instance if run is true, else of another instance.
func (s *state) take(numbers []float64, run bool) {
	for i := range s.parts {
		if p := &s.parts[i]; run || !p.run {
			numbers = numbers[copy(p.numbers, numbers):]
		}
	}
}

// keep copies the values that change within a communication step.
func (s *state) keep() {
	before := s.before
	for _, numbers := range s.changing {
		before = before[copy(before, numbers):]
	}
}

// putBack replaces the values by the copies that keep has made.
func (s *state) putBack() {
	before := s.before
	for _, numbers := range s.changing {
		before = before[copy(numbers, before):]
	}
}

// positive are numbers above 0.
type positive struct{}

func (positive) allows(numbers []float64) bool {
	return !slices.ContainsFunc(numbers, func(v float64) bool { return v <= 0 })
}
