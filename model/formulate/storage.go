package formulate

import (
	"fmt"
	"slices"

	"skidpad/model/expr"
	"skidpad/model/graph"
)

// rateIn makes the rate of an edge's given value for a loop; loop says which.
func (n *network) rateIn(i int, loop string) *expr.Expr {
	r := &n.relations[i]
	switch {
	case r.Rate != nil:
		return r.Rate()
	case n.edge(i).Coupled && n.kind(i) == graph.FlowSource:
		return n.rateOfSpeeds(r.Value)
	}
	if r.Value != nil && !r.Value.Constant() {
		remedy := "give it, or a component beside it in the loop, a resistance"
		if n.kind(i) == graph.FlowSource {
			remedy = "give the node between them a capacity, or a resistance to ground"
		}
		n.rejectNetwork(i, "it is in a %s, which needs the rate of its value; %s, or make the value a number, a formula "+
			"over parameters and time, or an input", loop, remedy)
	}
	return n.Pool.Int(0)
}

// factorRate is the rate of a factor.
func (n *network) factorRate(of graph.Factor, loop string) *expr.Expr {
	p := n.Pool
	var terms []*expr.Expr
	for _, product := range of {
		for k, power := range product.Powers {
			if power == 0 || n.ratio(k).Constant() {
				continue
			}
			load := n.Ports[k]
			if n.relations[load].Rate == nil {
				n.rejectNetwork(load, "the rate of its ratio is needed, because it is in a %s; the ratio must be a number, a "+
					"formula over parameters and time, or an input", loop)
				return p.Int(0)
			}
			list := []*expr.Expr{p.Int(product.Count * int64(power)), n.relations[load].Rate()}
			for j, other := range product.Powers {
				if j == k {
					other--
				}
				if other != 0 {
					list = append(list, p.Pow(n.ratio(j), other))
				}
			}
			terms = append(terms, p.Mul(list...))
		}
	}
	return p.Add(terms...)
}

// capacities are the projected cutsets of capacities,
//
//	(C_B + A_C C_C A_C^T) x_B' = A_r y_r
//
// A capacity that is a chord has no state: its drop is a sum of drops of capacities and sources.
func (n *network) capacities() {
	const loop = "loop of capacities and sources"
	p := n.Pool
	var own, chords []int
	for _, b := range n.Tree {
		if n.kind(b) == graph.Capacity {
			own = append(own, b)
		}
	}
	bias := map[int]*expr.Expr{} // rate of the drop of a chord without the rates of the states
	for _, c := range n.chords {
		if n.kind(c) != graph.Capacity {
			continue
		}
		chords = append(chords, c)
		var terms []*expr.Expr
		for _, s := range n.Circuit(c) {
			if n.kind(s.Branch) == graph.PotentialSource {
				terms = append(terms, p.Mul(n.circuits[c][s.Branch], n.rateIn(s.Branch, loop)))
			}
			terms = append(terms, p.Mul(n.factorRate(s.Factor, loop), n.drops[s.Branch]))
		}
		bias[c] = n.named("bias", c, p.Add(terms...))
		n.drops[c] = n.named("drop", c, n.sumOver(c, n.dropOf))
		if n.edge(c).Start != nil {
			n.loose = append(n.loose, looseStart{c, n.drops[c]})
		}
	}
	factor := func(b, c int) *expr.Expr { return n.share(c, b) }
	matrix, right := n.storage(own, chords, factor)
	for k, b := range own {
		right[k] = n.cutset(b, n.flowOf)
		for _, c := range chords {
			right[k] = p.Sub(right[k], p.Mul(n.share(c, b), n.relations[c].Storage, bias[c]))
		}
	}
	rates := n.storageRates(own, matrix, right, n.bordered(own, chords, factor))
	for _, c := range chords {
		drop := n.sumOver(c, func(b int) *expr.Expr { return rates[b] })
		n.flows[c] = n.named("flow", c, p.Mul(n.relations[c].Storage, p.Add(drop, bias[c])))
	}
}

// inductances are the projected circuits of inductances,
//
//	(L_C + B_L L_B B_L^T) y_C' = B_r x_r
//
// An inductance that is a branch has no state: its flow is a sum of flows of inductances and sources, which can be
// speeds.
func (n *network) inductances() {
	const cut = "cutset of inductances and sources of flow"
	p := n.Pool
	var own, branches []int
	for _, c := range n.chords {
		if n.kind(c) == graph.Inductance {
			own = append(own, c)
		}
	}
	bias := map[int]*expr.Expr{} // rate of the flow of a branch without the rates of the states
	for _, b := range n.Tree {
		if n.kind(b) != graph.Inductance {
			continue
		}
		branches = append(branches, b)
		n.flows[b] = n.named("flow", b, n.cutset(b, n.flowOf))
		if n.edge(b).Start != nil {
			n.loose = append(n.loose, looseStart{b, n.flows[b]})
		}
		var terms []*expr.Expr
		for _, c := range n.chords {
			if n.circuits[c][b] == nil {
				continue
			}
			if n.kind(c) == graph.FlowSource {
				terms = append(terms, p.Neg(p.Mul(n.circuits[c][b], n.rateIn(c, cut))))
			}
			for _, s := range n.Circuit(c) {
				if s.Branch == b {
					terms = append(terms, p.Neg(p.Mul(n.factorRate(s.Factor, cut), n.flows[c])))
				}
			}
		}
		bias[b] = n.named("bias", b, p.Add(terms...))
	}
	// the drop of a branch without the rates of the states
	rest := func(b int) *expr.Expr {
		if n.kind(b) != graph.Inductance {
			return n.drops[b]
		}
		return p.Add(n.affine(b, n.flows[b]), p.Mul(n.relations[b].Storage, bias[b]))
	}
	matrix, right := n.storage(own, branches, n.share)
	for k, c := range own {
		right[k] = p.Sub(n.sumOver(c, rest), n.affine(c, n.flows[c]))
	}
	rates := n.storageRates(own, matrix, right, n.bordered(own, branches, n.share))
	for _, b := range branches {
		rate := n.cutset(b, func(c int) *expr.Expr { return rates[c] })
		n.drops[b] = n.named("drop", b, p.Add(rest(b), p.Mul(n.relations[b].Storage, rate)))
	}
}

// storage is the matrix of storages: of the states' own edges, and of the others by their factors.
func (n *network) storage(own, others []int, factor func(own, other int) *expr.Expr) (matrix [][]*expr.Expr,
	right []*expr.Expr) {
	p := n.Pool
	for _, i := range own {
		var row []*expr.Expr
		for _, j := range own {
			entry := p.Int(0)
			if i == j {
				entry = n.relations[i].Storage
			}
			for _, k := range others {
				entry = p.Add(entry, p.Mul(factor(i, k), n.relations[k].Storage, factor(j, k)))
			}
			row = append(row, entry)
		}
		matrix, right = append(matrix, row), append(right, p.Int(0))
	}
	return matrix, right
}

// bordered is the matrix of storages before the others are eliminated: of the rates of the states, and of what each
// other storage contributes,
//
//	diag(own) rates + factors contributions = right,  factors^T rates - contributions/other = 0
//
// Its factors exist in every order: the first block is positive, the second one negative.
func (n *network) bordered(own, others []int, factor func(own, other int) *expr.Expr) [][]*expr.Expr {
	p, size := n.Pool, len(own)+len(others)
	matrix := make([][]*expr.Expr, size)
	for i := range matrix {
		matrix[i] = make([]*expr.Expr, size)
		for j := range matrix[i] {
			matrix[i][j] = p.Int(0)
		}
	}
	for i, o := range own {
		matrix[i][i] = n.relations[o].Storage
		for k, c := range others {
			matrix[i][len(own)+k] = factor(o, c)
			matrix[len(own)+k][i] = factor(o, c)
		}
	}
	for k, c := range others {
		matrix[len(own)+k][len(own)+k] = p.Neg(p.Pow(n.relations[c].Storage, -1))
	}
	return matrix
}

// entries counts the entries of the factors of a symmetric matrix below the diagonal.
func entries(a [][]*expr.Expr, order []int) (count int) {
	n := len(a)
	set := make([][]bool, n)
	for i := range set {
		set[i] = make([]bool, n)
		for j := range set[i] {
			set[i][j] = !a[order[i]][order[j]].IsZero()
		}
	}
	for k := range n {
		for i := k + 1; i < n; i++ {
			if !set[i][k] {
				continue
			}
			count++
			for j := k + 1; j < n; j++ {
				set[i][j] = set[i][j] || set[j][k]
			}
		}
	}
	return count
}

// storageRates solves for the rates of states, by the matrix of storages, or by the bordered one where its factors have
// fewer entries: a loop of many capacities fills the matrix of storages.
func (n *network) storageRates(own []int, matrix [][]*expr.Expr, right []*expr.Expr,
	bordered [][]*expr.Expr) map[int]*expr.Expr {
	rates := map[int]*expr.Expr{}
	if len(own) == 0 {
		return rates
	}
	names := func(k int) string {
		if k < len(own) {
			return n.edgeName(own[k])
		}
		return fmt.Sprintf("border_%d", k-len(own)+1)
	}
	solved, order := matrix, n.eliminationOrder(matrix, len(matrix))
	if wide := n.eliminationOrder(bordered, len(bordered)); entries(bordered, wide) < entries(matrix, order) {
		solved, order = bordered, wide
	}
	factors := n.factorise(solved, order, names)
	if n.err != nil {
		return rates
	}
	known := slices.Clone(right)
	for range len(solved) - len(own) {
		known = append(known, n.Pool.Int(0))
	}
	s := StorageMatrix{Matrix: matrix, Right: right}
	for k, e := range factors.solve(n.Formulation, known, func(k int) string { return "dot_" + names(k) })[:len(own)] {
		x := &n.Internal[n.states[own[k]]]
		x.Rate, rates[own[k]] = e, e
		s.Names = append(s.Names, x.Name)
	}
	n.Storages = append(n.Storages, s)
	return rates
}
