package formulate

import (
	"cmp"
	"fmt"
	"slices"

	"skidpad/model/component"
	"skidpad/model/expr"
	"skidpad/model/graph"
	"skidpad/model/keys"
)

// networks hold the laws and the solution of the scalar domains.
type networks struct {
	relations   []component.Relation // by scalar edge
	drops       []*expr.Expr         // by scalar edge; nil where not known yet
	flows       []*expr.Expr         // likewise
	multipliers []networkMultiplier
	heats       []heat
	waiting     map[int]*expr.Expr // accelerations that networks use, by speed, until the equations are solved
	states      map[int]int        // places in Internal, by scalar edge
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

// looseStart is a start in the file of an edge without a state.
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
	f.states, f.waiting = map[int]int{}, map[int]*expr.Expr{}
	f.makeNetworkStates()
	for _, c := range f.Model.Components {
		f.relations = append(f.relations, f.relationsOf(c)...)
	}
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
		f.inertanceOnSpeeds()
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
		f.Internal = append(f.Internal, State{Name: name, Unit: unit, Symbol: symbol, start: start,
			held: e.Domain == graph.Thermal})
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
			n.flows[i] = n.named("flow", i, r.Value)
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

// rejectNetwork refuses a network for an edge.
func (n *network) rejectNetwork(edge int, format string, args ...any) {
	n.reject(n.edge(edge).Owner.Pos, "%s: %s", n.edge(edge).Owner.Name, fmt.Sprintf(format, args...))
}
