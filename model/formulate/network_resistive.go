package formulate

import (
	"slices"
	"strings"

	"skidpad/model/expr"
	"skidpad/model/graph"
	"skidpad/model/program"
)

// resistive solves for drops of resistive branches and flows of resistive chords, block by block. A block is connected
// by branches in the circuits of chords.
func (n *network) resistive() {
	unknown := func(i int) bool {
		switch n.kind(i) {
		case graph.Affine, graph.Invertible, graph.Conductance, graph.PowerLoad:
			return true
		}
		return false
	}
	place := map[int]int{} // block of an edge
	var blocks [][]int
	var visit func(i int)
	visit = func(i int) {
		if _, done := place[i]; done || !unknown(i) {
			return
		}
		k := len(blocks) - 1
		place[i], blocks[k] = k, append(blocks[k], i)
		if n.branch[i] {
			for _, c := range n.chords {
				if n.circuits[c][i] != nil {
					visit(c)
				}
			}
			return
		}
		for _, b := range n.Tree {
			if n.circuits[i][b] != nil {
				visit(b)
			}
		}
	}
	for _, i := range n.Edges {
		if _, done := place[i]; !done && unknown(i) {
			blocks = append(blocks, nil)
			visit(i)
		}
	}
	for _, block := range blocks {
		slices.Sort(block)
	}
	n.inOrder(blocks)
}

// inOrder solves blocks, those with loads whose power follows from other flows after these flows.
func (n *network) inOrder(blocks [][]int) {
	for len(blocks) > 0 {
		var waiting [][]int
		for _, block := range blocks {
			if !n.ready(block) {
				waiting = append(waiting, block)
			} else if n.block(block); n.err != nil {
				return
			}
		}
		if len(waiting) == len(blocks) {
			n.rejectWaiting(blocks[0])
			return
		}
		blocks = waiting
	}
}

// ready makes the powers of the loads in a block. It is false where one of them needs a flow that is not known.
func (n *network) ready(block []int) bool {
	for _, i := range block {
		for _, name := range n.relations[i].Needs {
			if !n.flowKnown(n.indexOf(n.edge(i).Owner.Name + "." + name)) {
				return false
			}
		}
	}
	for _, i := range block {
		if r := &n.relations[i]; r.LatePower != nil && r.Power == nil {
			r.Power = r.LatePower()
		}
	}
	return true
}

func (n *network) indexOf(name string) int {
	return slices.IndexFunc(n.Forest.Graph.Scalars, func(e graph.ScalarEdge) bool { return e.Name == name })
}

// flowKnown finds the flow of a branch or of the load of a converter, where all flows are known on which it depends.
func (n *network) flowKnown(edge int) bool {
	switch {
	case n.flows[edge] != nil:
		return true
	case n.kind(edge) == graph.Port:
		return n.loadFlow(slices.Index(n.Ports, edge))
	case !n.branch[edge]:
		return false
	}
	for _, c := range n.chords {
		if n.circuits[c][edge] != nil && n.flows[c] == nil {
			return false
		}
	}
	n.flows[edge] = n.named("flow", edge, n.cutset(edge, n.flowOf))
	return true
}

// loadFlow finds the flow of the load of a converter, where the flows of all chords are known on which it depends.
func (n *network) loadFlow(converter int) bool {
	p, load := n.Pool, n.Ports[converter]
	if n.flows[load] != nil {
		return true
	}
	var terms []*expr.Expr
	for _, c := range n.chords {
		reach := n.Reach(c, converter)
		if len(reach) == 0 {
			continue
		}
		if n.flows[c] == nil {
			return false
		}
		terms = append(terms, p.Neg(p.Mul(n.factor(reach), n.flows[c])))
	}
	n.flows[load] = n.named("flow", load, p.Add(terms...))
	return true
}

// rejectWaiting refuses a block whose loads wait for flows that they decide themselves.
func (n *network) rejectWaiting(block []int) {
	for _, i := range block {
		if len(n.relations[i].Needs) > 0 {
			n.rejectNetwork(i, "its power follows from the current of its load, and this current from the voltage of its "+
				"supply, or from a capacity at the load; put an inductance in series with the load, which makes the current a "+
				"state")
			return
		}
	}
}

// block solves one block.
func (n *network) block(block []int) {
	if len(block) == 1 {
		n.single(block[0])
		return
	}
	var linear, loads, others []int
	for _, i := range block {
		switch n.kind(i) {
		case graph.Affine:
			linear = append(linear, i)
		case graph.PowerLoad:
			loads = append(loads, i)
		default:
			others = append(others, i)
		}
	}
	if len(others) > 0 || len(loads) > 0 && !n.together(loads) {
		n.rejectBlock(block)
		return
	}
	l := n.newLinearBlock(linear, loads)
	report := LinearBlock{Domain: n.Domain, Unknowns: len(l.unknowns()), Loaded: len(loads) > 0}
	for _, i := range block {
		report.Edges = append(report.Edges, n.edge(i).Name)
	}
	n.Blocks = append(n.Blocks, report)
	if len(loads) > 0 {
		n.loaded(l, loads)
	}
	l.solve()
}

// single solves a block of one: a chord by its law, a branch by the inverse of its law.
func (n *network) single(i int) {
	p, r := n.Pool, &n.relations[i]
	if n.branch[i] {
		flow := n.named("flow", i, n.cutset(i, n.flowOf))
		n.flows[i] = flow
		if n.kind(i) == graph.Invertible {
			n.drops[i] = n.named("drop", i, r.Inverse(flow))
			return
		}
		n.drops[i] = n.named("drop", i, n.affine(i, flow))
		return
	}
	drop := n.named("drop", i, n.sumOver(i, n.dropOf))
	n.drops[i] = drop
	switch n.kind(i) {
	case graph.Affine:
		n.flows[i] = n.named("flow", i, p.Mul(p.Sub(drop, n.or(r.Offset)), p.Pow(r.Resistance, -1)))
	case graph.PowerLoad:
		n.flows[i] = n.named("flow", i, p.Mul(r.Power, p.Pow(drop, -1)))
	default:
		n.flows[i] = n.named("flow", i, r.Law(drop))
	}
}

// together reports whether loads have one drop.
func (n *network) together(loads []int) bool {
	p := n.Pool
	for _, i := range loads[1:] {
		same, opposite := true, true
		for _, b := range n.Tree {
			first, own := n.share(loads[0], b), n.share(i, b)
			same, opposite = same && p.Sub(first, own).IsZero(), opposite && p.Add(first, own).IsZero()
		}
		if !same && !opposite {
			return false
		}
	}
	return true
}

// loaded finds the flows of power loads on one drop: with the drop E of the open network and its resistance R,
//
//	u = (E + sqrt(E^2 - 4 R P))/2,  flow = P/u
//
// The power P is limited to E^2/(4 R), the largest that the network can supply.
func (n *network) loaded(l *linearBlock, loads []int) {
	p, first := n.Pool, loads[0]
	open := n.named("open_drop", first, l.dropAt(first, nil))
	short := map[int]*expr.Expr{first: p.Int(1)}
	resistance := n.named("inner_resistance", first, p.Sub(open, l.dropAt(first, short)))
	var powers []*expr.Expr
	for _, i := range loads {
		powers = append(powers, n.relations[i].Power)
	}
	power := n.named("power", first, p.Add(powers...))
	square := p.Pow(open, 2)
	largest := n.named("largest_power", first, p.Mul(square, p.Pow(p.Scale(expr.Integer(4), resistance), -1)))
	taken := n.named("taken_power", first, p.Call(expr.Min, power, largest))
	root := p.Call(expr.Sqrt, p.Call(expr.Max, p.Int(0),
		p.Sub(square, p.Mul(p.Int(4), resistance, taken))))
	drop := n.named("drop", first, p.Scale(half, p.Add(open, root)))
	missing := p.Sub(power, taken)
	for k, i := range loads {
		own := n.relations[i].Power
		if k == 0 {
			own = p.Sub(own, missing)
		}
		d := drop
		if opposite := n.opposite(first, i); opposite {
			d = p.Neg(drop)
		}
		n.drops[i] = d
		n.flows[i] = n.named("flow", i, p.Mul(own, p.Pow(d, -1)))
	}
	n.Limits = append(n.Limits, program.Limit{Of: program.SupplyLimit, Component: n.edge(first).Owner.Name,
		Quantity: "power", Unit: "W", Above: true, About: l.supplied()})
	n.limited = append(n.limited, power, largest)
}

// supplied names the components of the block whose drop does not vanish without a flow, such as batteries.
func (l *linearBlock) supplied() string {
	var names []string
	for _, i := range slices.Sorted(slices.Values(slices.Concat(l.branches, l.chords))) {
		if offset := l.relations[i].Offset; offset != nil && !offset.IsZero() {
			names = append(names, l.edge(i).Owner.Name)
		}
	}
	if len(names) == 0 {
		return ""
	}
	return "supplied by " + strings.Join(names, ", ")
}

// opposite reports whether the drops of two loads are opposite.
func (n *network) opposite(a, b int) bool {
	for _, branch := range n.Tree {
		if x := n.share(a, branch); !x.IsZero() {
			return !n.Pool.Sub(x, n.share(b, branch)).IsZero()
		}
	}
	return false
}

// rejectBlock refuses laws that would have to be solved together by iteration.
func (n *network) rejectBlock(block []int) {
	var names []string
	node := ""
	for _, i := range block {
		e := n.edge(i)
		if !slices.Contains(names, e.Owner.Name) {
			names = append(names, e.Owner.Name)
		}
	}
	node = n.between(block)
	storage := [...]string{"a capacity", "a volume", "a heat capacity"}[n.Domain-graph.Electrical]
	what, _ := n.Domain.Potential()
	n.reject(n.edge(block[0]).Owner.Pos, "%s: the %s between them follows from nonlinear laws together, with no %s "+
		"between them; give node %q %s, or join the laws in one component", joined(names), what,
		strings.TrimPrefix(storage, "a "), node, storage)
}

// between is a node that edges of a block share, which has no potential of its own.
func (n *network) between(block []int) string {
	count := map[string]int{}
	best := ""
	for _, i := range block {
		e := n.edge(i)
		for _, name := range []string{e.From, e.To} {
			if name == graph.GroundFrame {
				continue
			}
			count[name]++
			shares, _ := n.Between(name, graph.GroundFrame)
			known := !slices.ContainsFunc(shares, func(s graph.Share) bool { return n.drops[s.Branch] == nil })
			if !known && (best == "" || count[name] > count[best]) {
				best = name
			}
		}
	}
	return best
}

// joined lists names in a sentence.
func joined(names []string) string {
	if len(names) < 2 {
		return strings.Join(names, "")
	}
	return strings.Join(names[:len(names)-1], ", ") + " and " + names[len(names)-1]
}
