package program

import (
	"cmp"
	"math"
	"slices"
	"unsafe"

	"skidpad/tire"
)

// calls plans the external calls of a program, in calling order: first groups of functions, then single functions.
type calls struct {
	gather, scatter []move // arguments and results of groups
	spread, collect []wide // arguments and results of groups, all lanes at once
	groups          []tire.Group
	single          []single
	kept            [][]int32 // loads that functions do not change: from, to
}

// move copies a number from a slot of the memory to an address elsewhere, or back.
type move struct {
	slot int32
	at   *float64
}

// wide copies the numbers of all lanes.
type wide struct {
	slot int32
	at   *[Width]float64
}

// single is a function outside of groups.
type single struct {
	evaluate            func(in, out []float64)
	arguments, returned []int32
	in, out             []float64
}

// newCalls plans the calls of functions with the slots of their arguments, results and loads. Missing functions are
// nil.
func newCalls(functions []tire.Function, arguments, returned, loads [][]int32) calls {
	var c calls
	for i, f := range functions {
		if f != nil && f != tire.Function(silent{}) {
			c.call(f, arguments[i], returned[i], loads[i])
		}
	}
	return c
}

// call plans the call of one function.
func (c *calls) call(f tire.Function, arguments, returned, load []int32) {
	if len(load) > 0 {
		if _, own := f.(tire.NormalForceSource); own {
			returned = slices.Concat(returned, load[1:])
		} else {
			c.kept = append(c.kept, load)
		}
	}
	if member, ok := f.(tire.Grouped); ok {
		g, k := member.Member()
		c.member(g, k, arguments, returned)
	} else {
		c.alone(f.Eval, arguments, returned)
	}
}

// newSlopes plans the evaluation of functions with their derivatives. Results are the partial derivatives, row by row,
// and the returned values. Partial derivatives that nothing reads can be left out.
func newSlopes(functions []tire.Function, arguments, partials, returned, loads [][]int32,
	reads func(slot int32) bool,
) calls {
	var c calls
	read := map[tire.Group][]bool{} // by derivative
	for i, f := range functions {
		if member, ok := f.(tire.Grouped); ok {
			g, _ := member.Member()
			if read[g] == nil {
				read[g] = make([]bool, len(partials[i]))
			}
			for k, slot := range partials[i] {
				read[g][k] = read[g][k] || reads(slot)
			}
		}
	}
	for i, f := range functions {
		if f == tire.Function(silent{}) {
			continue
		}
		if member, ok := f.(tire.Grouped); ok {
			g, k := member.Member()
			if d, ok := g.(tire.DifferentiableGroup); ok {
				c.member(d.Slopes(read[g]), k, arguments[i], slices.Concat(partials[i], returned[i]))
				if len(loads[i]) > 0 {
					c.kept = append(c.kept, loads[i])
				}
				continue
			}
		}
		c.call(f, arguments[i], returned[i], loads[i])
		if d, ok := f.(tire.Differentiable); ok {
			c.alone(d.Jacobian, arguments[i], partials[i])
		} else {
			c.alone(centralDifferences(f, len(partials[i])/max(1, len(arguments[i])), len(returned[i])+len(loads[i])/2),
				arguments[i], partials[i])
		}
	}
	return c
}

// everything reads all slots.
func everything(int32) bool { return true }

func (c *calls) member(g tire.Group, k int, arguments, returned []int32) {
	if !slices.Contains(c.groups, g) {
		c.groups = append(c.groups, g)
	}
	for a, s := range arguments {
		c.gather = append(c.gather, move{s, g.Argument(k, a)})
	}
	for r, s := range returned {
		c.scatter = append(c.scatter, move{s, g.Result(k, r)})
	}
}

func (c *calls) alone(evaluate func(in, out []float64), arguments, returned []int32) {
	c.single = append(c.single, single{evaluate, arguments, returned, make([]float64, len(arguments)),
		make([]float64, len(returned))})
}

// make makes the calls on a memory.
func (c *calls) make(v []float64) {
	for _, m := range c.gather {
		*m.at = v[m.slot]
	}
	for _, m := range c.spread {
		moveLanes(m.at, (*[Width]float64)(v[m.slot:]))
	}
	for _, g := range c.groups {
		g.Eval()
	}
	for _, m := range c.collect {
		moveLanes((*[Width]float64)(v[m.slot:]), m.at)
	}
	for _, m := range c.scatter {
		v[m.slot] = *m.at
	}
	for _, m := range c.kept {
		v[m[1]] = v[m[0]]
	}
	for i := range c.single {
		s := &c.single[i]
		for k, a := range s.arguments {
			s.in[k] = v[a]
		}
		s.evaluate(s.in, s.out)
		for k, r := range s.returned {
			v[r] = s.out[k]
		}
	}
}

// allLanes holds the numbers of all lanes. In a struct they are copied by vector moves; for a plain array, Go calls a
// function that moves any number of bytes, which costs more.
type allLanes struct{ numbers [Width]float64 }

// moveLanes copies the numbers of all lanes.
func moveLanes(to, from *[Width]float64) {
	*(*allLanes)(unsafe.Pointer(to)) = *(*allLanes)(unsafe.Pointer(from))
}

// mergeLaneMoves joins moves of neighbouring lanes whose addresses are neighbours, too.
func (c *calls) mergeLaneMoves() {
	c.gather, c.spread = mergeMoves(c.gather)
	c.scatter, c.collect = mergeMoves(c.scatter)
}

func mergeMoves(moves []move) (narrow []move, joined []wide) {
	slices.SortFunc(moves, func(a, b move) int { return cmp.Compare(addressOf(a), addressOf(b)) }) // slots may recur
	for i := 0; i < len(moves); {
		n := 1
		for n < Width && i+n < len(moves) && moves[i+n].slot == moves[i].slot+int32(n) &&
			addressOf(moves[i+n]) == addressOf(moves[i])+8*uintptr(n) {
			n++
		}
		if n == Width && moves[i].slot%Width == 0 {
			joined = append(joined, wide{moves[i].slot, (*[Width]float64)(unsafe.Pointer(moves[i].at))})
			i += n
			continue
		}
		narrow = append(narrow, moves[i])
		i++
	}
	return narrow, joined
}

func addressOf(m move) uintptr { return uintptr(unsafe.Pointer(m.at)) }

// centralDifferences approximates the derivatives of the first outputs of a function with the given number of results.
func centralDifferences(f tire.Function, outputs, results int) func(in, part []float64) {
	up, down := make([]float64, results), make([]float64, results)
	return func(in, part []float64) {
		n := len(in)
		for a, x := range in {
			h := 1e-6 * max(1, math.Abs(x))
			in[a] = x + h
			f.Eval(in, up)
			in[a] = x - h
			f.Eval(in, down)
			in[a] = x
			for o := range outputs {
				part[o*n+a] = (up[o] - down[o]) / (2 * h)
			}
		}
	}
}
