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

// Dependencies returns the dependencies of each quantity of a group, by its expression; all other derivatives are zero.
// A value returned by an external function depends on all possible inputs of the call, for any bound function. A plane
// of a terrain depends on all quantities from which the engine computes the plane.
func (p *Program) Dependencies(of Quantity) []Dependence {
	s := p.source
	given, err := tire.Lookup("inputs")
	if err != nil {
		panic(err) // the function inputs is built in
	}
	t := tracer{memo: map[*expr.Expr][]uint64{}, index: map[*expr.Expr]int{}, call: map[*expr.Expr]int{},
		calls: s.Calls, load: map[*expr.Expr]*SourceCall{}, given: given.Inputs, grounds: s.Grounds,
		held: map[*expr.Expr]*expr.Expr{}}
	for _, sampler := range p.Samplers {
		for _, v := range sampler.Values {
			t.held[s.Inputs[v.Control].Symbol] = s.Constants[v.Start]
		}
	}
	for i := range s.States {
		t.index[s.States[i].Symbol] = len(t.index)
	}
	inputs := s.Inputs[:len(s.Inputs)-s.Controls]
	for i := range inputs {
		t.index[inputs[i].Symbol] = len(t.index)
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
	add := func(of ...*expr.Expr) {
		var d Dependence
		for w, word := range t.below(of) {
			for ; word != 0; word &= word - 1 {
				switch k := 64*w + bits.TrailingZeros64(word); {
				case k < len(s.States):
					d.States = append(d.States, k)
				case k < len(s.States)+len(inputs):
					d.Inputs = append(d.Inputs, k-len(s.States))
				case k >= len(t.index):
					d.Calls = append(d.Calls, k-len(t.index))
				default:
					d.Parameters = append(d.Parameters, k-len(s.States)-len(inputs))
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
	case CallQuantity:
		for i := range s.Calls {
			add(slices.Concat(s.Calls[i].Arguments, s.Calls[i].Returned)...)
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
	memo    map[*expr.Expr][]uint64
	index   map[*expr.Expr]int
	call    map[*expr.Expr]int // index of the call that returns a symbol
	calls   []SourceCall
	load    map[*expr.Expr]*SourceCall
	given   []string                    // arguments of the function inputs, which omits the load
	grounds map[*expr.Expr][]*expr.Expr // Source.Grounds
	held    map[*expr.Expr]*expr.Expr   // by value that samplers hold: the value before the first sample
}

// below returns the union of the sets of some expressions.
func (t *tracer) below(list []*expr.Expr) []uint64 {
	set := make([]uint64, (len(t.index)+len(t.calls)+63)/64)
	for _, e := range list {
		for w, word := range t.trace(e) {
			set[w] |= word
		}
	}
	return set
}

func (t *tracer) trace(e *expr.Expr) []uint64 {
	if set, ok := t.memo[e]; ok {
		return set
	}
	set := t.below(e.Args())
	join := func(list ...*expr.Expr) {
		for w, word := range t.below(list) {
			set[w] |= word
		}
	}
	if e.Kind() == expr.Symbol {
		join(t.grounds[e]...)
		if start := t.held[e]; start != nil {
			join(start)
		}
		if k, ok := t.index[e]; ok {
			set[k/64] |= 1 << (k % 64)
		}
		if i, ok := t.call[e]; ok {
			k := len(t.index) + i
			set[k/64] |= 1 << (k % 64)
			if inside := t.calls[i].relaxation(func(name string) int {
				return slices.IndexFunc(t.calls, func(c SourceCall) bool { return c.Name == name })
			}); inside >= 0 {
				k := len(t.index) + inside
				set[k/64] |= 1 << (k % 64)
			}
			join(t.calls[i].Arguments...)
		}
		if c := t.load[e]; c != nil {
			for i, a := range c.Arguments {
				if !slices.Contains(t.given, c.Inputs[i]) {
					join(a)
				}
			}
		}
	}
	t.memo[e] = set
	return set
}
