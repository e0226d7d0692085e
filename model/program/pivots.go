package program

import (
	"math"
	"slices"
)

// order finds the sequence of the pivots and the fill-in: the order creates few entries (Markowitz 1957), and a
// reaction comes after all speeds of its limb. Its pivot is then minus its constraint's own inverse mass in the limb,
// which is not zero for independent constraints, whichever coefficients of the constraint vanish.
func (p *eliminationPlan) order() {
	n, left := p.n, make([]bool, p.n)
	for _, x := range p.e.matrix {
		left[x.row] = true
	}
	limbs := p.limbs()
	for slices.Contains(left, true) {
		k := markowitz(p.at, left, func(k int) bool {
			return k < p.e.states || !containsLeft(limbs[k-p.e.states], left)
		})
		left[k] = false
		p.sequence = append(p.sequence, k)
		for i := range n {
			for j := range n {
				if left[i] && left[j] && p.at[i*n+k] >= 0 && p.at[k*n+j] >= 0 && p.at[i*n+j] < 0 {
					p.at[i*n+j] = p.slot()
				}
			}
		}
	}
}

func containsLeft(list []int, left []bool) bool {
	for _, i := range list {
		if left[i] {
			return true
		}
	}
	return false
}

// limbs returns the speeds of each reaction's limb. All reactions act on the speeds of the border, such as the
// speeds of a chassis. Masses and constraints connect the other speeds to parts; each part is a limb. If only one part
// has reactions, there is no border, and all speeds connected with a reaction are its limb.
func (p *eliminationPlan) limbs() [][]int {
	e := p.e
	n, reactions := e.unknowns, e.unknowns-e.states
	if reactions == 0 {
		return nil
	}
	near := make([][]int, n)
	acted := make([]int, n) // how many reactions act on a speed
	for _, x := range e.mass {
		if i, j := x.row, x.column; i != j {
			near[i] = append(near[i], j)
			if i >= e.states {
				acted[j]++
			}
		}
	}
	parts, several := e.parts(near, func(i int) bool { return i < e.states && acted[i] == reactions })
	if !several {
		parts, _ = e.parts(near, func(int) bool { return false })
	}
	limbs := make([][]int, reactions)
	for l := range limbs {
		for i := range e.states {
			if parts[i] == parts[e.states+l] {
				limbs[l] = append(limbs[l], i)
			}
		}
	}
	return limbs
}

// parts numbers the connected parts of unknowns, -1 for those left out, and reports whether at least two parts have
// reactions.
func (e *elimination) parts(near [][]int, leftOut func(i int) bool) (part []int, several bool) {
	part = make([]int, e.unknowns)
	for i := range part {
		part[i] = -1
	}
	for l := e.states; l < e.unknowns; l++ {
		if part[l] >= 0 {
			continue
		}
		several = l > e.states
		part[l] = l
		for waiting := []int{l}; len(waiting) > 0; {
			i := waiting[len(waiting)-1]
			waiting = waiting[:len(waiting)-1]
			for _, j := range near[i] {
				if part[j] < 0 && !leftOut(j) {
					part[j] = l
					waiting = append(waiting, j)
				}
			}
		}
	}
	return part, several
}

// markowitz chooses the next pivot: of the ready ones, the existing diagonal entry with the smallest possible fill-in.
func markowitz(at []int32, left []bool, ready func(k int) bool) int {
	n := len(left)
	best, least := -1, math.MaxInt
	for k := range n {
		if !left[k] || !ready(k) || at[k*n+k] < 0 && best >= 0 {
			continue
		}
		rows, columns := 0, 0
		for i := range n {
			if i != k && left[i] && at[i*n+k] >= 0 {
				rows++
			}
			if i != k && left[i] && at[k*n+i] >= 0 {
				columns++
			}
		}
		cost := rows * columns
		if at[k*n+k] < 0 {
			cost = math.MaxInt - 1
		}
		if cost < least {
			best, least = k, cost
		}
	}
	return best
}
