package formulate

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"skidpad/model/component"
	"skidpad/model/expr"
	"skidpad/model/graph"
	"skidpad/model/keys"
	"skidpad/model/program"
)

// networks hold the laws and the solution of the scalar domains.
type networks struct {
	relations   []component.Relation // by scalar edge
	drops       []*expr.Expr         // by scalar edge; nil where not known yet
	multipliers []networkMultiplier
	flows       []*expr.Expr
	states      map[int]int // places in Internal, by scalar edge
	Blocks      []LinearBlock
	loose       []looseStart    // starts that other states decide
	Storages    []StorageMatrix // of the states, by domain: capacities, then inductances
}

// StorageMatrix are rows of M: C_B + A C_C A^T of potentials, or L_C + B L_B B^T of flows (core-claims specification,
// A.2).
type StorageMatrix struct {
	Names  []string // of the states
	Matrix [][]*expr.Expr
	Right  []*expr.Expr
}

// LinearBlock are affine laws that are solved together.
type LinearBlock struct {
	Domain   graph.Domain
	Edges    []string
	Unknowns int
	Loaded   bool // with power loads, by the closed form of a quadratic equation
}

// looseStart is a start in the file of an edge without a state of its own.
type looseStart struct {
	edge  int
	value *expr.Expr // of states and sources
}

// network solves one scalar domain.
type network struct {
	*Formulation
	*graph.Network
	circuits map[int]map[int]*expr.Expr // by edge and branch: factors of the branches' drops in the edge's drop
	chords   []int
	branch   map[int]bool
}

// networkEquations forms and solves the equations of the scalar domains: projected cutsets of capacities and projected
// circuits of inductances (core-claims specification, A.2), whose potentials and flows become states.
func (f *Formulation) networkEquations() {
	scalars := f.Forest.Graph.Scalars
	if len(scalars) == 0 {
		return
	}
	f.drops, f.flows = make([]*expr.Expr, len(scalars)), make([]*expr.Expr, len(scalars))
	f.states = map[int]int{}
	f.makeNetworkStates()
	each(f, func(c component.Networked, b component.Builder) { f.relations = append(f.relations, c.Relations(b)...) })
	f.relations = append(f.relations, make([]component.Relation, len(scalars)-len(f.relations))...) // of multipliers
	if f.err != nil {
		return
	}
	for _, n := range f.Forest.Networks {
		if len(n.Edges) > 0 && f.err == nil {
			f.solveNetwork(n)
		}
	}
	if f.err == nil {
		f.networkStarts()
	}
}

// makeNetworkStates makes the states: potentials of capacities that are branches, then flows of inductances that are
// chords, each in file order.
func (f *Formulation) makeNetworkStates() {
	scalars := f.Forest.Graph.Scalars
	branch := map[int]bool{}
	for _, n := range f.Forest.Networks {
		for _, i := range n.Tree {
			branch[i] = true
		}
	}
	add := func(i int, key, unit, text string) *expr.Expr {
		e := &scalars[i]
		name := e.Owner.Name + "." + cmp.Or(e.State, key)
		symbol := f.Pool.Sym(name, expr.State)
		start := keys.Scalar{}
		if e.Start != nil {
			start = *e.Start
		}
		f.states[i] = len(f.Internal)
		f.Internal = append(f.Internal, State{Name: name, Unit: unit, Symbol: symbol, start: start})
		return symbol
	}
	for i := range scalars {
		if scalars[i].Kind == graph.Capacity && branch[i] {
			key, unit := scalars[i].Domain.Potential()
			f.drops[i] = add(i, key, unit, "")
		}
	}
	for i := range scalars {
		if scalars[i].Kind == graph.Inductance && !branch[i] {
			key, unit := scalars[i].Domain.Flow()
			f.flows[i] = add(i, key, unit, "")
		}
	}
}

func (f *Formulation) solveNetwork(of *graph.Network) {
	n := &network{Formulation: f, Network: of, circuits: map[int]map[int]*expr.Expr{}, branch: map[int]bool{}}
	for _, i := range n.Tree {
		n.branch[i] = true
	}
	for _, i := range n.Edges {
		if n.kind(i) == graph.Port {
			continue
		}
		n.circuits[i] = map[int]*expr.Expr{}
		for _, s := range n.Circuit(i) {
			n.circuits[i][s.Branch] = n.factor(s.Factor)
		}
		if !n.branch[i] {
			n.chords = append(n.chords, i)
		}
	}
	for _, stage := range []func(){n.sources, n.checkChords, n.resistive, n.inductances, n.capacities, n.finishNetwork} {
		if stage(); f.err != nil {
			return
		}
	}
}

func (n *network) edge(i int) *graph.ScalarEdge { return n.edgeOf(i) }
func (n *network) kind(i int) graph.ScalarKind  { return n.KindOf(i) }

// factor is the expression of a factor in the ratios of converters.
func (n *network) factor(of graph.Factor) *expr.Expr {
	p, sum := n.Pool, []*expr.Expr{}
	for _, product := range of {
		list := []*expr.Expr{p.Int(product.Count)}
		for k, power := range product.Powers {
			if power != 0 {
				list = append(list, p.Pow(n.ratio(k), power))
			}
		}
		sum = append(sum, p.Mul(list...))
	}
	return p.Add(sum...)
}

// ratio is the ratio of a converter.
func (n *network) ratio(converter int) *expr.Expr { return n.relations[n.Ports[converter]].Ratio }

// share is the factor of a branch in the drop of an edge.
func (n *network) share(edge, branch int) *expr.Expr {
	if e := n.circuits[edge][branch]; e != nil {
		return e
	}
	return n.Pool.Int(0)
}

// sources are the known drops and flows of sources.
func (n *network) sources() {
	for _, i := range n.Edges {
		switch r := &n.relations[i]; n.kind(i) {
		case graph.PotentialSource:
			n.drops[i] = n.named("drop", i, r.Value)
			if slices.Contains(n.Bound, i) {
				n.flows[i] = n.multiplierOf(i)
			}
		case graph.Multiplier:
			n.drops[i], n.flows[i] = n.multiplierOf(i), n.Pool.Int(0)
		case graph.FlowSource:
			value := r.Value
			if r.Late != nil {
				value = r.Late()
			}
			n.flows[i] = n.named("flow", i, value)
		}
	}
}

// named defines a quantity of an edge.
func (n *network) named(what string, edge int, e *expr.Expr) *expr.Expr {
	return n.define(what+"_"+n.edgeName(edge), e)
}

// checkChords refuses laws without a drop: where the flow of an inductance has no way but through a law that does not
// give the drop for a flow.
func (n *network) checkChords() {
	for _, c := range n.chords {
		for _, b := range n.Tree {
			if n.kind(b) == graph.Inductance && n.circuits[c][b] != nil && n.kind(c) != graph.Inductance &&
				n.kind(c) != graph.FlowSource {
				n.rejectBlock([]int{c, b})
				return
			}
		}
	}
}

// sumOver adds factors of branches times their drops. unknown branches are left out where known is nil.
func (n *network) sumOver(edge int, drop func(branch int) *expr.Expr) *expr.Expr {
	p := n.Pool
	var terms []*expr.Expr
	for _, b := range n.Tree {
		if t := n.circuits[edge][b]; t != nil {
			if d := drop(b); d != nil {
				terms = append(terms, p.Mul(t, d))
			}
		}
	}
	return p.Add(terms...)
}

// cutset is the flow of a branch by the flows of the chords; chords without a flow are left out.
func (n *network) cutset(branch int, flow func(chord int) *expr.Expr) *expr.Expr {
	p := n.Pool
	var terms []*expr.Expr
	for _, c := range n.chords {
		if t := n.circuits[c][branch]; t != nil {
			if i := flow(c); i != nil {
				terms = append(terms, p.Neg(p.Mul(t, i)))
			}
		}
	}
	return p.Add(terms...)
}

func (n *network) dropOf(i int) *expr.Expr { return n.drops[i] }
func (n *network) flowOf(i int) *expr.Expr { return n.flows[i] }

// or is a value, 0 for nil.
func (n *network) or(e *expr.Expr) *expr.Expr {
	if e == nil {
		return n.Pool.Int(0)
	}
	return e
}

// affine is the drop of an affine law at a flow.
func (n *network) affine(i int, flow *expr.Expr) *expr.Expr {
	r := &n.relations[i]
	return n.Pool.Add(n.Pool.Mul(n.or(r.Resistance), flow), n.or(r.Offset))
}

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
				"supply, or from a capacity at the load; put an inductance in series with the load, which makes the current a state")
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
		Quantity: "power", Unit: "W", Above: true})
	n.limited = append(n.limited, power, largest)
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
	n.reject(n.edge(block[0]).Owner.Pos, "%s: the %s between them follows from nonlinear laws together, with no %s between them; "+
		"give node %q %s, or join the laws in one component", joined(names), what, strings.TrimPrefix(storage, "a "), node,
		storage)
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

// finishNetwork completes drops and flows: of branches by cutsets, of chords by circuits, and of converters.
func (n *network) finishNetwork() {
	p := n.Pool
	for _, b := range n.Tree {
		if n.flows[b] == nil {
			n.flows[b] = n.named("flow", b, n.cutset(b, n.flowOf))
		}
	}
	for _, c := range n.chords {
		if n.drops[c] == nil {
			n.drops[c] = n.named("drop", c, n.sumOver(c, n.dropOf))
		}
	}
	for k, load := range n.Ports {
		supply := load + 1
		n.loadFlow(k)
		n.flows[supply] = n.named("flow", supply, p.Neg(p.Mul(n.ratio(k), n.flows[load])))
		for _, i := range []int{load, supply} {
			var sum []*expr.Expr
			for _, s := range n.Circuit(i) {
				sum = append(sum, p.Mul(n.factor(s.Factor), n.drops[s.Branch]))
			}
			n.drops[i] = n.named("drop", i, p.Add(sum...))
		}
	}
}

// multiplierOf is the symbol of a drop or flow that a constraint of speeds decides.
func (n *network) multiplierOf(i int) *expr.Expr {
	symbol := n.Pool.Sym("multiplier_"+n.edge(i).Name, expr.Unknown)
	n.multipliers = append(n.multipliers, networkMultiplier{i, n.Network, symbol})
	return symbol
}

// networkMultiplier is a drop or flow that a constraint of speeds decides.
type networkMultiplier struct {
	edge   int
	of     *graph.Network
	symbol *expr.Expr
}

// networkConstraints are the constraints of speeds that networks and mechanics make together: the cutset of a node where
// only sources of flow meet, and the circuit of a source of potential that closes a loop of sources. Their reactions are
// the potential and the flow.
func (f *Formulation) networkConstraints() {
	p := f.Pool
	for _, m := range f.multipliers {
		n := &network{Formulation: f, Network: m.of}
		var terms []*expr.Expr
		if n.kind(m.edge) == graph.Multiplier {
			for _, c := range n.Edges {
				if n.kind(c) != graph.FlowSource {
					continue
				}
				for _, s := range n.Circuit(c) {
					if s.Branch == m.edge {
						terms = append(terms, p.Neg(p.Mul(n.factor(s.Factor), f.flows[c])))
					}
				}
			}
		} else {
			terms = append(terms, p.Neg(f.drops[m.edge]))
			for _, s := range n.Circuit(m.edge) {
				terms = append(terms, p.Mul(n.factor(s.Factor), f.drops[s.Branch]))
			}
		}
		velocity := p.Add(terms...)
		if velocity.Depends()&expr.Input != 0 && len(f.Motions) == 0 {
			f.reject(f.edgeOf(m.edge).Owner.Pos, "%s: an input alone would decide about a constraint of speeds, and its rate is not known; "+
				"give the node a capacity, or the source a resistance", f.edgeOf(m.edge).Owner.Name)
			return
		}
		f.nonholonomic(strings.ReplaceAll(n.edge(m.edge).Name, ".", "_"), p.Int(0), velocity)
	}
}

// multipliersFound gives the multipliers of networks their values.
func (f *Formulation) multipliersFound() {
	if len(f.multipliers) == 0 {
		return
	}
	var symbols, values []*expr.Expr
	for _, m := range f.multipliers {
		name := strings.ReplaceAll(f.edgeOf(m.edge).Name, ".", "_")
		i := slices.IndexFunc(f.Constraints, func(c Constraint) bool { return c.Name == name })
		symbols, values = append(symbols, m.symbol), append(values, f.Solution[len(f.Speeds)+i])
	}
	f.Pool.Become(symbols, values)
}

// withoutMultipliers is a load without the part of multipliers, which constraints bring in.
func (f *Formulation) withoutMultipliers(e *expr.Expr) *expr.Expr {
	if len(f.multipliers) == 0 {
		return e
	}
	zero := map[*expr.Expr]*expr.Expr{}
	for _, m := range f.multipliers {
		zero[m.symbol] = f.Pool.Int(0)
	}
	return substitute(f.Pool, e, zero, map[*expr.Expr]*expr.Expr{})
}

func (b *bound) WithoutMultipliers(e *expr.Expr) *expr.Expr { return b.f.withoutMultipliers(e) }

func (b *bound) Drop(edge string) *expr.Expr { return b.scalarEdge(edge, b.f.drops) }
func (b *bound) Flow(edge string) *expr.Expr { return b.scalarEdge(edge, b.f.flows) }

func (b *bound) scalarEdge(name string, of []*expr.Expr) *expr.Expr {
	i := slices.IndexFunc(b.f.Forest.Graph.Scalars, func(e graph.ScalarEdge) bool { return e.Name == b.head.Name+"."+name })
	return of[i]
}

func (b *bound) Potential(d graph.Domain, node string) *expr.Expr {
	f, p := b.f, b.f.Pool
	n := f.Forest.Networks[d-graph.Electrical]
	shares, _ := n.Between(node, graph.GroundFrame)
	var terms []*expr.Expr
	for _, s := range shares {
		drop := f.drops[s.Branch]
		if drop == nil || len(s.Factor) != 1 || len(s.Factor[0].Powers) > 0 {
			what, _ := d.Potential()
			b.Reject(b.head.Pos, "%s needs the %s of node %q, which no state gives; give the node a capacity of its own",
				b.head.Name, what, node)
			return p.Int(0)
		}
		terms = append(terms, p.Scale(expr.Integer(s.Factor[0].Count), drop))
	}
	return p.Add(terms...)
}

// rejectNetwork refuses a network for an edge.
func (n *network) rejectNetwork(edge int, format string, args ...any) {
	n.reject(n.edge(edge).Owner.Pos, "%s: %s", n.edge(edge).Owner.Name, fmt.Sprintf(format, args...))
}

// storesOfNetworks are the kinds of energy that networks store.
func (f *Formulation) storesOfNetworks() (stores [program.EnergyParts]bool) {
	for _, e := range f.Forest.Graph.Scalars {
		if e.Kind != graph.Capacity && e.Kind != graph.Inductance {
			continue
		}
		switch e.Domain {
		case graph.Electrical:
			stores[program.ElectricalEnergy] = true
		case graph.Hydraulic:
			stores[program.HydraulicEnergy] = true
		}
	}
	return stores
}

// statesOfNetworks lists the states of networks.
func (f *Formulation) statesOfNetworks() (list []program.NetworkState) {
	for i := range f.Forest.Graph.Scalars {
		place, is := f.states[i]
		if !is {
			continue
		}
		e := f.edgeOf(i)
		s := program.NetworkState{State: len(f.Speeds) + len(f.Coordinates) + place, Component: e.Owner.Name}
		if e.Kind == graph.Capacity {
			if s.Node = e.From; s.Node == graph.GroundFrame {
				s.Node = e.To
			}
		}
		list = append(list, s)
	}
	return list
}
