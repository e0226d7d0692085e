package machinecode

import (
	"slices"
	"testing"
)

// pruned is one round of pruning as its definition says, with everything counted again. It reports whether a pair was
// dissolved.
func (l *pairing) pruned() bool {
	alone := make([]bool, len(l.b.code)) // wanted by itself
	moves := map[[2]Value]float64{}      // how many want two values side by side that are no pair
	for k := range l.b.code {
		i := &l.b.code[k]
		switch {
		case !l.live[k] || i.op == opSign || i.op == opStore && l.width == 1 || i.op == opGuard || l.second[k]:
		case l.partner[k] == none && l.hash[k] > leaf:
			for _, x := range l.terms[k][:l.arity[k]] {
				alone[x.of] = true
			}
		case l.partner[k] == none:
			for _, v := range needed(i) {
				base, _ := l.strip(v)
				alone[base] = true
			}
		default:
			a, b := l.paired(Value(k))
			for n := range a {
				x, y := a[n].of, b[n].of
				if l.isPair(x, y) || l.beforehand(x, y) {
					continue
				}
				moves[[2]Value{x, y}]++
				alone[x], alone[y] = true, true
			}
		}
	}
	changed := false
	for k := range l.b.code {
		x := Value(k)
		if l.partner[x] == none || l.second[x] {
			continue
		}
		cost := 0.0
		a, b := l.paired(x)
		sum := l.isSum(x)
		for n := range a {
			if m := moves[[2]Value{a[n].of, b[n].of}]; m > 0 {
				cost += 1 / m
			}
			if s := a[n].signs | b[n].signs<<l.width; s != 0 && !sum {
				cost++
			}
		}
		if sum && l.turns(a, b) {
			cost++
		}
		if alone[l.partner[x]] {
			cost++
		}
		if cost > worthIt {
			y := l.partner[x]
			l.partner[x], l.partner[y], l.second[y], changed = none, none, false, true
		}
	}
	return changed
}

// Pruning that looks only at what has changed dissolves the pairs that rounds over everything dissolve.
func TestIncrementalPruningEqualsFullRounds(t *testing.T) {
	dissolved := 0
	for seed := range uint64(80) {
		v := newVehicle(seed)
		first := int32(v.limbs) * v.fixed
		wide := signed(v.b)
		for width := uint8(1); width < full; width *= 2 {
			some, all := newPairing(wide, width, func(slot int32) bool { return slot < first }),
				newPairing(wide, width, func(slot int32) bool { return slot < first })
			some.matchAll()
			all.matchAll()
			before := all.count()
			newPruning(some).run()
			for all.pruned() {
			}
			if !slices.Equal(some.partner, all.partner) || !slices.Equal(some.second, all.second) {
				t.Fatalf("seed %d, width %d: %d pairs are left, not %d", seed, width, some.count(), all.count())
			}
			dissolved += before - all.count()
			wide = all.rewrite()
		}
	}
	if dissolved < 500 {
		t.Errorf("%d pairs were dissolved; the programs try little", dissolved)
	}
}
