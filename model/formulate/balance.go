package formulate

import (
	"skidpad/model/component"
	"skidpad/model/expr"
	"skidpad/model/graph"
)

// balance has the through variables of all edges: forces on heads, at their origins, and moments on heads. Chords have
// the multipliers, y_C = f. Branches follow from the cutsets, y_B = -A y_C, with the inertial loads of the solved
// accelerations (Morency 2007, (2.33), (2.38)). Each node is balanced alone, although the equations of motion join
// nodes that are fixed to each other: arms and welds within one body have reactions, too.
type balance struct {
	*Formulation
	force, moment [][]expr.Vector // by node; sums include the nodes that it carries
	lawless       bool            // of constraints alone: components apply nothing
	multipliers   []*expr.Expr
	edges         map[int]expr.Vector
	wrenches      map[string][]component.Wrench // of constraints of components, not of edges
}

// newBalance is one without loads.
func (f *Formulation) newBalance() *balance {
	n := len(f.points)
	return &balance{
		Formulation: f, force: make([][]expr.Vector, n), moment: make([][]expr.Vector, n),
		edges: map[int]expr.Vector{}, wrenches: map[string][]component.Wrench{},
	}
}

// balanced is the balance of all loads and inertia with the multipliers of the solution, made once.
func (f *Formulation) balanced() *balance {
	if f.balance == nil {
		f.balance = f.balanceOf(f.leastNorm(f.Solution[len(f.Speeds):]))
	}
	return f.balance
}

func (f *Formulation) balanceOf(multipliers []*expr.Expr) *balance {
	b := f.newBalance()
	b.multipliers = multipliers
	b.applied("")
	b.inertia()
	b.restrain()
	b.sum()
	return b
}

func (b *balance) push(node int, v expr.Vector) {
	if !v.IsZero() {
		b.force[node] = b.addOffset(b.force[node], v)
	}
}

func (b *balance) twist(node int, v expr.Vector) {
	if !v.IsZero() {
		b.moment[node] = b.addOffset(b.moment[node], v)
	}
}

// applied adds the loads of laws. by is the only component whose loads count, or "" for all components; "" also adds
// the moments on roads that no speed turns, and the loads of rotors. A load on the travel of a suspension acts on no
// frame, but within its joint.
func (b *balance) applied(by string) {
	p := b.Pool
	counts := func(name string) bool { return by == "" || by == name }
	for _, l := range b.pushed {
		if counts(l.by) {
			b.push(l.at, l.Vector)
		}
	}
	for _, l := range b.twisted {
		if counts(l.by) {
			b.twist(l.at, l.Vector)
		}
	}
	for _, l := range b.paired {
		if counts(l.by) {
			b.pair(l.on, l.load)
		}
	}
	if by != "" {
		return
	}
	for _, c := range b.counters {
		b.twist(c.at, c.moment())
	}
	var rates []*expr.Expr
	for _, s := range b.Speeds {
		rates = append(rates, s.Rate)
	}
	each(b.Formulation, func(c component.Rotating, builder component.Builder) {
		r := c.Rotor(builder)
		if r == nil {
			return
		}
		node := b.node(c.Carrier())
		class := b.classOf[node]
		alpha := b.turningRate(class)
		alpha = p.AddV(alpha, b.resolve(b.classes[class].alpha, alpha.Frame))
		shaft, moment := r.Resistance(builder, rates, alpha)
		b.twist(node, moment)
		for _, g := range r.On() {
			b.pair(g.Coordinate, p.Mul(g.Ratio, shaft))
		}
	})
}

// pair adds a load on the head of a motion, and the opposite on its tail.
func (b *balance) pair(x component.Coordinate, load *expr.Expr) {
	if x.Axis.Frame == "" { // within a suspension
		return
	}
	v, add := b.Pool.ScaleV(load, x.Axis), b.push
	if x.Domain == graph.Rotation {
		add = b.twist
	}
	add(b.node(x.To), v)
	add(b.node(x.From), b.Pool.NegV(v))
}

// inertia adds the inertial loads of bodies, F = -m a and M = -(J alpha + w x J w), including weight.
func (b *balance) inertia() {
	p, bodies := b.Pool, b.allBodies()
	for i := range bodies {
		body := &bodies[i]
		ground := b.classes[0].frame
		a := b.points[body.node].specific
		a = p.AddV(a, b.resolve(b.movingRate(body.node), a.Frame))
		if body.along == nil {
			b.push(body.node, p.NegV(p.ScaleV(body.mass, a)))
		} else {
			weight := p.ScaleV(body.mass, b.gravity())
			a = p.AddV(b.resolve(a, ground), b.gravity())
			b.push(body.node, p.SubV(weight, b.inertialForce(body, a)))
		}
		if body.inertia == nil {
			continue
		}
		class := b.classOf[body.node]
		c := &b.classes[class]
		w := b.resolve(c.omega, body.frame)
		alpha := p.AddV(b.resolve(c.alpha, body.frame), b.resolve(b.turningRate(class), body.frame))
		b.twist(body.node, p.NegV(p.AddV(b.momentum(body, alpha), p.Cross(w, b.momentum(body, w)))))
	}
}

// restrain adds the loads of constraints, of edges and of components.
func (b *balance) restrain() {
	p, g := b.Pool, b.Forest.Graph
	for _, r := range b.Formulation.edges {
		v := p.ScaleV(p.Neg(b.multipliers[r.row]), r.axis)
		if old, ok := b.edges[r.edge]; ok {
			v = p.AddV(old, b.resolve(v, old.Frame))
		}
		b.edges[r.edge] = v
	}
	for i := range g.Edges {
		if v, ok := b.edges[i]; ok {
			b.join(&g.Edges[i], v)
		}
	}
	each(b.Formulation, func(c component.Restraining, builder component.Builder) {
		name := c.Head().Name
		list := c.Wrenches(builder, func(row string) *expr.Expr { return b.of(name + "." + row) })
		b.wrenches[name] = list
		for _, w := range list {
			b.wrench(w)
		}
	})
}

func (b *balance) wrench(w component.Wrench) {
	node := b.node(w.Frame)
	b.push(node, w.Force)
	if w.Moment.Frame != "" {
		b.twist(node, w.Moment)
	}
}

// of is the multiplier of a row of a component, nil for none.
func (b *balance) of(row string) *expr.Expr { return b.multiplier(row, b.multipliers) }

// multiplier returns the multiplier of a component's row, nil if it has none.
func (f *Formulation) multiplier(row string, multipliers []*expr.Expr) *expr.Expr {
	i, is := f.rowOf[row]
	if !is {
		return nil
	}
	return multipliers[i]
}

// join adds the force or moment v of an edge to its head, and -v to its tail. A force on the tail also adds its moment,
// because it acts at the head.
func (b *balance) join(e *graph.Edge, v expr.Vector) {
	p := b.Pool
	if e.Domain == graph.Rotation {
		b.twist(e.Head, v)
		b.twist(e.Tail, p.NegV(v))
		return
	}
	b.push(e.Head, v)
	b.push(e.Tail, p.NegV(v))
	b.twist(e.Tail, p.Cross(v, b.Across(e.Tail, e.Head, Position, v.Frame)))
}

// sum finds the through variables of the branches, from the leaves to the ground.
func (b *balance) sum() {
	p, g := b.Pool, b.Forest.Graph
	for _, n := range b.outermostFirst(graph.Translation) {
		edge, forward := b.Forest.Step(graph.Translation, n)
		e := &g.Edges[edge]
		frame := b.resolvingFrame(max(b.classOf[e.Tail], 0))
		total := b.total(b.force[n], frame, "F_"+e.Name)
		b.edges[edge] = total
		if forward {
			b.edges[edge] = p.NegV(total)
		}
		parent := b.Forest.Parent(graph.Translation, n)
		b.push(parent, total)
		if e.Space.Free == nil && !total.IsZero() {
			b.twist(e.Tail, p.Cross(b.edges[edge], b.carry(edge).offset))
		}
	}
	for _, n := range b.outermostFirst(graph.Rotation) {
		edge, forward := b.Forest.Step(graph.Rotation, n)
		if edge < 0 {
			continue
		}
		total := b.total(b.moment[n], b.resolvingFrame(b.classOf[n]), "M_"+g.Edges[edge].Name)
		b.edges[edge] = total
		if forward {
			b.edges[edge] = p.NegV(total)
		}
		b.twist(b.Forest.Parent(graph.Rotation, n), total)
	}
}

// reaction is the force and moment from the tail's side on the head of a component, at the origin of the head,
// including the loads of the component's own law.
func (b *balance) reaction(c component.Holding) (force, moment expr.Vector) {
	p, name := b.Pool, c.Head().Name
	_, head := c.Holds()
	own := b.newBalance()
	if !b.lawless {
		own.applied(name)
	}
	at := b.node(head)
	for _, w := range b.wrenches[name] {
		if w.Frame == head {
			own.wrench(w)
		}
	}
	for i := range b.Forest.Graph.Edges {
		e := &b.Forest.Graph.Edges[i]
		v, known := b.edges[i]
		switch {
		case e.Owner.Name != name || !known || e.Head != at:
		case e.Domain == graph.Translation:
			own.push(at, v)
		default:
			own.twist(at, v)
		}
	}
	frame := b.resolvingFrame(max(b.classOf[at], 0))
	force, moment = p.ZeroVector(frame), p.ZeroVector(frame)
	for _, v := range own.force[at] {
		force = p.AddV(force, b.resolve(v, frame))
	}
	for _, v := range own.moment[at] {
		moment = p.AddV(moment, b.resolve(v, frame))
	}
	return p.DefineV("F_"+name, force), p.DefineV("M_"+name, moment)
}

// rates has the parts of accelerations that are linear in pdot, of nodes and of classes. Each follows from the part of
// its carrier.
type rates struct {
	node, class map[int]expr.Vector
}

// movingRate returns the part of a node's acceleration that is linear in pdot.
func (b *balance) movingRate(n int) expr.Vector {
	f, p := b.Formulation, b.Pool
	pt := &f.points[n]
	if n == graph.Ground || len(pt.moved) == 0 {
		return p.ZeroVector(pt.velocity.Frame)
	}
	if f.withoutMass {
		return f.accelerated.acceleration(n)
	}
	if v, ok := f.accelerations.node[n]; ok {
		return v
	}
	edge, forward := f.Forest.Step(graph.Translation, n)
	e := &f.Forest.Graph.Edges[edge]
	v := p.ZeroVector(pt.velocity.Frame)
	if e.Flies() {
		for j, k := range f.speedIndex[edge] {
			v.X[e.Space.Free.Axes[j]] = f.Speeds[k].Rate
		}
	} else {
		c := f.carry(edge)
		relative := p.Cross(f.resolve(b.turningRate(f.carrying(e)), c.frame), c.lever)
		for j, k := range f.speedIndex[edge] {
			relative = p.AddV(relative, p.ScaleV(f.Speeds[k].Rate, c.slides[j].axis))
		}
		if !forward {
			relative = p.NegV(relative)
		}
		v = p.AddV(f.resolve(b.movingRate(f.Forest.Parent(graph.Translation, n)), c.frame), relative)
	}
	v = p.DefineV("pdot_"+f.Forest.Graph.Nodes[n], v)
	f.accelerations.node[n] = v
	return v
}

// turningRate returns the part of a class's angular acceleration that is linear in pdot.
func (b *balance) turningRate(i int) expr.Vector {
	f, p := b.Formulation, b.Pool
	i = f.moving(i)
	c := &f.classes[i]
	frame := f.resolvingFrame(i)
	if len(c.moved) == 0 {
		return p.ZeroVector(frame)
	}
	if v, ok := f.accelerations.class[i]; ok {
		return v
	}
	var v expr.Vector
	if f.withoutMass {
		v.Frame = frame
		for k := range v.X {
			v.X[k] = f.accelerated.value(f.accelerated.class(i) + k)
		}
	} else {
		v = f.resolve(b.turningRate(c.parent), frame)
		speeds, directions := f.speedsOf(i)
		for j, k := range speeds {
			v = p.AddV(v, p.ScaleV(f.Speeds[k].Rate, f.resolve(directions[j], frame)))
		}
		v = p.DefineV("pdot_"+string(c.frame), v)
	}
	f.accelerations.class[i] = v
	return v
}
