package program

import (
	"math/bits"
	"slices"

	"skidpad/model/expr"
	"skidpad/tire"
)

// Dependence lists what a quantity depends on, as ascending indices into the
// program's States, Inputs, Parameters and Calls.
type Dependence struct{ States, Inputs, Parameters, Calls []int }

// Dependencies returns, for each quantity of a group, what it depends on according
// to its expression: a derivative by anything else is zero. A value that an external
// function returns depends on all that a function can ask for, whichever is bound.
func (p *Program) Dependencies(of Quantity) []Dependence {
	s := p.source
	given, err := tire.Lookup("inputs")
	if err != nil {
		panic(err) // it is built in
	}
	t := tracer{memo: map[*expr.Expr][]uint64{}, index: map[*expr.Expr]int{}, call: map[*expr.Expr]int{},
		calls: s.Calls, load: map[*expr.Expr]*SourceCall{}, given: given.Inputs}
	for i := range s.States {
		t.index[s.States[i].Symbol] = len(t.index)
	}
	for i := range s.Inputs {
		t.index[s.Inputs[i].Symbol] = len(t.index)
	}
	for i := range s.Parameters {
		t.index[s.Parameters[i].Symbol] = len(t.index)
	}
	for i := range s.Calls {
		for _, r := range s.Calls[i].Returned {
			t.call[r] = i
		}
		if load := s.Calls[i].Load; load != nil {
			t.load[load] = &s.Calls[i]
		}
	}
	var list []Dependence
	add := func(e *expr.Expr) {
		var d Dependence
		for w, word := range t.trace(e) {
			for ; word != 0; word &= word - 1 {
				switch k := 64*w + bits.TrailingZeros64(word); {
				case k < len(s.States):
					d.States = append(d.States, k)
				case k < len(s.States)+len(s.Inputs):
					d.Inputs = append(d.Inputs, k-len(s.States))
				case k >= len(t.index):
					d.Calls = append(d.Calls, k-len(t.index))
				default:
					d.Parameters = append(d.Parameters, k-len(s.States)-len(s.Inputs))
				}
			}
		}
		list = append(list, d)
	}
	switch of {
	case StateQuantity:
		for i := range s.States {
			add(s.States[i].Rate)
		}
	case StartQuantity:
		for i := range s.States {
			add(s.States[i].Begin)
		}
	case OutputQuantity:
		for i := range s.Outputs {
			add(s.Outputs[i].Value)
		}
	}
	return list
}

// tracer collects the symbols below expressions and the calls that return them, as bit sets.
type tracer struct {
	memo  map[*expr.Expr][]uint64
	index map[*expr.Expr]int
	call  map[*expr.Expr]int // index of the call that returns a symbol
	calls []SourceCall
	load  map[*expr.Expr]*SourceCall
	given []string // arguments of the function inputs, which finds no load
}

func (t *tracer) trace(e *expr.Expr) []uint64 {
	if set, ok := t.memo[e]; ok {
		return set
	}
	set := make([]uint64, (len(t.index)+len(t.calls)+63)/64)
	join := func(below *expr.Expr) {
		for w, word := range t.trace(below) {
			set[w] |= word
		}
	}
	if e.Kind() == expr.Symbol {
		if k, ok := t.index[e]; ok {
			set[k/64] |= 1 << (k % 64)
		}
		if i, ok := t.call[e]; ok {
			k := len(t.index) + i
			set[k/64] |= 1 << (k % 64)
			for _, a := range t.calls[i].Arguments {
				join(a)
			}
		}
		if c := t.load[e]; c != nil {
			for i, a := range c.Arguments {
				if !slices.Contains(t.given, c.Inputs[i]) {
					join(a)
				}
			}
		}
	}
	for _, a := range e.Args() {
		join(a)
	}
	t.memo[e] = set
	return set
}
