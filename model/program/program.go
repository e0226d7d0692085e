package program

import (
	"fmt"
	"slices"

	"skidpad/model/expr"
)

// StepParameter is the parameter that holds the longest solver step [s], in programs that depend on it.
const StepParameter = "solver.step"

// Program is the optimised simulation code of one model: immutable, shared by
// all its machines.
type Program struct {
	Name       string
	States     []Variable
	Inputs     []Variable
	Controls   int  // number of inputs set by the engine: the last inputs
	Timed      bool // the last of the controls is the time
	Parameters []Variable
	Outputs    []Variable
	Indicators int // number of event indicators: the last outputs
	Motions    []Motion
	Calls      []Call
	Contacts   []WheelContact
	Samplers   []Sampler
	Limits     []Limit
	Networks   []NetworkState // potentials of capacities and flows of inductances
	Tires      []Tire
	Terrains   []Terrain
	Uneven     []UnevenRoad
	Ends       []End      // conditions that end runs
	Powers     []Variable // of tires and motion drivers, after the ledger in the side Energies
	// Stores are the kinds of energy that the model stores in networks: electrical, hydraulic.
	Stores [EnergyParts]bool
	Shared []string     // components whose reactions may be undetermined by redundant constraints
	Ranges []TableRange // tables that runs must not leave
	Braked []int        // calls of the force functions of tires with a brake
	// Constraints is the number of scalar constraints between the states. Demands is the index of the input with the
	// first of their demands; damping and stiffness precede it. Speeds is the number of speeds; the first states are
	// the speeds, the next states the same number of coordinates.
	Constraints, Demands, Speeds int
	ConstraintNames              []string
	Redundant                    bool // constraints may depend on each other

	// Costs of an evaluation of the rates without external calls, of the additional evaluation of the outputs, and of
	// parameter-only work.
	RateCost, OutputCost, InitCost expr.Cost

	layout    layout
	init      block // parameters only
	before    block // 1: intermediates
	after     block // 3: rates
	output    block
	begin     block // initial state
	arguments [][]int32
	returned  [][]int32
	loads     [][]int32 // by call: slots of the argument Load and of the acting load, or empty
	rates     []int32
	outputs   []int32
	begins    []int32
	constants []int32 // slots of the constants, once begin has run
	watched   []int32 // slots of watched numbers, after block 1

	source     *Source
	jacobians  jacobians
	sweeps     sweeps
	lanes      laneCode
	outputCode outputCode
	sides      [sideKinds]*sideProgram
	copies     copies
}

// ConstantCount returns the number of values used by contacts and terrains.
func (p *Program) ConstantCount() int { return len(p.constants) }

// Build optimises a source.
func Build(s *Source) (*Program, error) {
	p := &Program{
		Name: s.Name, Motions: s.Motions, Indicators: s.Indicators, Controls: s.Controls, Timed: s.Timed,
		Contacts: s.Contacts, Samplers: s.Samplers, Limits: s.Limits, Networks: s.Networks,
		Tires: s.Tires, Terrains: s.Terrains,
		Uneven: s.Uneven, Ends: s.Ends,
		Ranges: s.Ranges, Powers: s.Powers, Stores: s.Stores, Shared: s.Shared,
		Braked:      s.Braked,
		Constraints: s.Constraints, Demands: s.Demands, Speeds: s.Speeds, source: s,
		ConstraintNames: s.ConstraintNames, Redundant: s.Redundant,
	}
	p.list(s)
	c := newCompiler(s, s.Pool.Len()/2)
	r, err := c.lowerSource()
	if err != nil {
		return nil, err
	}
	c.optimise(slices.Concat(r.rates, r.outputs, slices.Concat(r.arguments...), r.begins, r.constants),
		productForm, sumForm)

	e := c.emitter(&p.init)
	for i := range s.Calls {
		p.arguments = append(p.arguments, p.emitArguments(e, r.arguments, i))
		p.returned = append(p.returned, c.slots(s.Calls[i].Returned))
		p.loads = append(p.loads, c.load(e, &p.before, &s.Calls[i]))
	}
	// operations independent of external calls belong to block 1
	for _, rate := range r.rates {
		e.emitCallIndependent(&p.before, rate)
	}
	p.rates = e.roots(&p.after, r.rates)
	p.outputs = e.roots(&p.output, r.outputs)
	beginning := c.parameterEmitter(e)
	p.begins = beginning.roots(&p.begin, r.begins)
	p.constants = beginning.roots(&p.begin, r.constants)
	p.RateCost = p.before.cost().Plus(p.after.cost())
	p.InitCost = p.init.cost()
	for _, x := range s.Watched { // mostly numbers that the rates need anyway
		p.watched = append(p.watched, e.root(&p.before, c.g.lower(x)))
	}
	p.layout = c.layOutMemory(&p.init, &p.before, &p.after, &p.output, &p.begin)
	c.shift(p.rates, p.outputs, p.begins, p.constants, p.watched)
	c.shift(p.arguments...)
	c.shift(p.returned...)
	c.shift(p.loads...)
	p.OutputCost = p.output.cost()
	return p, nil
}

// list copies the names of the source.
func (p *Program) list(s *Source) {
	for i := range s.States {
		p.States = append(p.States, s.States[i].Variable)
	}
	for i := range s.Inputs {
		p.Inputs = append(p.Inputs, s.Inputs[i].Variable)
	}
	for i := range s.Parameters {
		p.Parameters = append(p.Parameters, s.Parameters[i].Variable)
	}
	for i := range s.Outputs {
		p.Outputs = append(p.Outputs, s.Outputs[i].Variable)
	}
	for i := range s.Calls {
		p.Calls = append(p.Calls, s.Calls[i].Call)
	}
}

// sourceRoots holds the values to compute, with the arguments of each call.
type sourceRoots struct {
	rates, begins, outputs, constants []ref
	arguments                         [][]ref
}

// lowerSource brings the expressions of the source into the graph.
func (c *compiler) lowerSource() (r sourceRoots, err error) {
	s := c.source
	r.arguments = make([][]ref, len(s.Calls))
	for i := range s.Calls {
		for k, a := range s.Calls[i].Arguments {
			if a.Depends()&expr.Returned != 0 {
				return r, fmt.Errorf("program %s: argument %s of %s depends on a value that an external function "+
					"returns; only one round of calls is possible", s.Name, s.Calls[i].Inputs[k], s.Calls[i].Name)
			}
			r.arguments[i] = append(r.arguments[i], c.g.lower(a))
		}
	}
	for i := range s.States {
		r.rates = append(r.rates, c.g.lower(s.States[i].Rate))
		r.begins = append(r.begins, c.g.lower(s.States[i].Begin))
	}
	for i := range s.Outputs {
		r.outputs = append(r.outputs, c.g.lower(s.Outputs[i].Value))
	}
	for _, x := range s.Constants {
		r.constants = append(r.constants, c.g.lower(x))
	}
	return r, nil
}

// compiler holds the common data of the stages of a build.
type compiler struct {
	source *Source
	g      *graph
	slotOf map[*expr.Expr]int32
	layout layout
	consts map[int32]int32
}

// newCompiler counts slots of symbols and temporaries from 0 while code is emitted. The number of constants is known
// last: instructions count them from -1 downwards, and layOutMemory moves them to the front of the memory. about is the
// approximate number of nodes.
func newCompiler(s *Source, about int) *compiler {
	c := &compiler{source: s, g: newGraph(s.Pool, about), slotOf: map[*expr.Expr]int32{}, consts: map[int32]int32{}}
	assign := func(symbol *expr.Expr) {
		c.slotOf[symbol] = c.layout.size
		c.layout.size++
	}
	c.layout.parameters = c.layout.size
	for i := range s.Parameters {
		assign(s.Parameters[i].Symbol)
	}
	c.layout.states = c.layout.size
	for i := range s.States {
		assign(s.States[i].Symbol)
	}
	c.layout.inputs = c.layout.size
	for i := range s.Inputs {
		assign(s.Inputs[i].Symbol)
	}
	c.layout.returned = c.layout.size
	for i := range s.Calls {
		for _, r := range s.Calls[i].Returned {
			assign(r)
		}
		if s.Calls[i].Load != nil {
			assign(s.Calls[i].Load)
		}
	}
	return c
}

// load emits the argument Load of a call and returns its slot and the slot of the acting load.
func (c *compiler) load(e *emitter, b *block, call *SourceCall) []int32 {
	if call.Load == nil {
		return nil
	}
	return []int32{e.root(b, c.g.lower(call.Arguments[slices.Index(call.Inputs, Load)])), c.slotOf[call.Load]}
}

func (c *compiler) slots(symbols []*expr.Expr) []int32 {
	list := make([]int32, len(symbols))
	for i, s := range symbols {
		list[i] = c.slotOf[s]
	}
	return list
}

// optimise shares pairs of products, then of sums, among the live nodes.
func (c *compiler) optimise(roots []ref, forms ...form) {
	for _, f := range forms {
		c.g.sharePairs(c.g.live(roots), f)
	}
}

// live lists the nodes below roots in ascending order.
func (g *graph) live(roots []ref) []int32 {
	seen := make([]bool, len(g.nodes))
	var visit func(int32)
	visit = func(i int32) {
		if seen[i] {
			return
		}
		seen[i] = true
		for _, o := range g.nodes[i].operands {
			visit(o.node)
		}
	}
	for _, r := range roots {
		visit(r.node)
	}
	var list []int32
	for i, s := range seen {
		if s {
			list = append(list, int32(i))
		}
	}
	return list
}

func (c *compiler) emitter(init *block) *emitter {
	return &emitter{g: c.g, layout: &c.layout, slotOf: c.slotOf, consts: c.consts, init: init}
}

// parameterEmitter returns an emitter with only the parameter-only nodes of e, because its code runs at another time.
func (c *compiler) parameterEmitter(e *emitter) *emitter {
	r := c.emitter(e.init)
	r.slot = append([]int32(nil), e.slot...)
	r.done = append([]bool(nil), e.done...)
	for i := range r.done {
		n := &c.g.nodes[i]
		r.done[i] = r.done[i] && (n.role&^expr.Parameter == 0 || n.form == leafForm)
	}
	return r
}

func (e *emitter) roots(b *block, list []ref) []int32 {
	slots := make([]int32, len(list))
	for i, r := range list {
		slots[i] = e.root(b, r)
	}
	return slots
}

// emitArguments emits the arguments of a call and returns their slots. Arguments used by the function are in the order
// of its inputs; other arguments can share slots with an earlier call.
func (p *Program) emitArguments(e *emitter, arguments [][]ref, call int) []int32 {
	c := &p.Calls[call]
	if c.Asked == nil {
		return e.roots(&p.before, arguments[call])
	}
	slots := make([]int32, len(c.Inputs))
	for _, name := range c.Asked {
		k := slices.Index(c.Inputs, name)
		slots[k] = e.root(&p.before, arguments[call][k])
	}
	for k, name := range c.Inputs {
		if slices.Contains(c.Asked, name) {
			continue
		}
		at := -1
		for earlier := range p.arguments {
			if at = slices.Index(arguments[earlier], arguments[call][k]); at >= 0 {
				slots[k] = p.arguments[earlier][at]
				break
			}
		}
		if at < 0 {
			slots[k] = e.root(&p.before, arguments[call][k])
		}
	}
	return slots
}

// emitCallIndependent emits the parts of r that do not depend on returned values.
func (e *emitter) emitCallIndependent(b *block, r ref) {
	seen := map[int32]bool{}
	var visit func(ref)
	visit = func(r ref) {
		if seen[r.node] {
			return
		}
		seen[r.node] = true
		n := &e.g.nodes[r.node]
		if n.role&expr.Returned == 0 {
			if n.form != constantForm {
				e.value(b, r)
			}
			return
		}
		for _, o := range n.operands {
			visit(o)
		}
	}
	visit(r)
}

// layOutMemory moves constants to the front of the memory and returns its layout.
func (c *compiler) layOutMemory(blocks ...*block) layout {
	n := int32(len(c.layout.constants))
	for _, b := range blocks {
		for i := range b.code {
			in := &b.code[i]
			in.dst += n
			in.a = moved(in.a, n)
			in.b = moved(in.b, n)
		}
	}
	l := c.layout
	l.parameters += n
	l.states += n
	l.inputs += n
	l.returned += n
	l.size += n
	return l
}

// moved maps a slot of an emitter to a slot of the final memory with n constants.
func moved(s, n int32) int32 {
	if s < 0 {
		return -1 - s
	}
	return s + n
}

func (c *compiler) shift(lists ...[]int32) {
	n := int32(len(c.layout.constants))
	for _, l := range lists {
		for i := range l {
			l[i] = moved(l[i], n)
		}
	}
}
