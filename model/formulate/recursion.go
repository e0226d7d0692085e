package formulate

import (
	"slices"

	"skidpad/model/component"
	"skidpad/model/expr"
	"skidpad/model/graph"
	"skidpad/model/program"
)

// recursion solves M pdot = b without M, for long chains: the effort grows linearly with the
// number of bodies (articulated bodies, Featherstone 1983). The Gauss function
//
//	sum over bodies of (m a.a + alpha.J alpha)/2 - b.pdot
//
// is a quadratic form of the accelerations of points and frames, as far as they are linear in pdot. From the outermost
// bodies inwards, each body's accelerations are replaced by its carrier's accelerations and the speeds of the branch
// between. Each new speed is eliminated at once, or with the second of two branches that share it, because nothing
// further out depends on it. Few unknowns are coupled at a time.
//
// Unknowns are numbered: the speeds, three for each node, three for each class.
type recursion struct {
	*Formulation
	form    []map[int]*expr.Expr // rows of the quadratic form, symmetric
	linear  []*expr.Expr
	follows []*linearDependence // by unknown: how it follows from others, once it is replaced or eliminated
	moves   []int               // by speed: how many branches that have it are still to be replaced
	values  []*expr.Expr
}

// linearDependence is an unknown as a constant plus multiples of other unknowns.
type linearDependence struct {
	constant *expr.Expr
	terms    []term
}

type term struct {
	unknown int
	factor  *expr.Expr
}

// Up to fewEntries of M a speed its factors are cheaper than the recursion, from manyEntries on they are dearer.
// Between the two both are formulated and counted.
const fewEntries, manyEntries = 4, 8

// solves says how the equations are to be solved.
type solves int

const (
	byCount     solves = iota // as is cheaper
	byMatrix                  // by the factors of M
	byRecursion               // by recursion where the tree allows it
)

// decide chooses between M and the recursion by the number of entries of M. Between fewEntries and manyEntries this
// number does not settle the choice: f is then undecided.
func (f *Formulation) decide(how solves) {
	entries := f.entries()
	switch {
	case entries == 0 || how == byMatrix:
	case how == byRecursion:
		f.withoutMass = true
	default:
		f.withoutMass = entries >= manyEntries
		f.undecided = entries > fewEntries && entries < manyEntries
	}
}

// cheaper returns the recursion if it saves a tenth of the operations of the rates. Otherwise it is M, which also
// serves linearisation and implicit methods.
func cheaper(matrix, recursion *Formulation) (*Formulation, error) {
	var costs [2]int
	for i, f := range []*Formulation{matrix, recursion} {
		p, err := program.Build(f.Source())
		if err != nil {
			return nil, err
		}
		costs[i] = p.RateCost.Total()
	}
	if 10*costs[1] <= 9*costs[0] {
		return recursion, nil
	}
	return matrix, nil
}

// entries is how many of M there are for each speed, or 0 where the recursion cannot solve the equations: there are
// constraints, or components that couple speeds.
func (f *Formulation) entries() float64 {
	g := f.Forest.Graph
	speeds, entries := 0, 0
	for d := graph.Translation; d <= graph.Rotation; d++ {
		for _, i := range f.Forest.Chords(d) {
			if e := &g.Edges[i]; e.ThroughDimension() > 0 && e.Space.Free == nil {
				return 0
			}
		}
		below := make([]int, len(g.Nodes)) // speeds between a node and the ground
		for _, n := range f.innermostFirst(d) {
			edge, _ := f.Forest.Step(d, n)
			if n == graph.Ground || edge < 0 {
				continue
			}
			below[n] = below[f.Forest.Parent(d, n)]
			if own := len(f.speedIndex[edge]); own > 0 {
				speeds += own
				below[n] += own
				entries += own * below[n]
			}
		}
	}
	coupled := false
	each(f, func(c component.Coupling, _ component.Builder) { coupled = coupled || c.Couples() })
	if coupled || speeds == 0 || f.constrainsSpeeds() || f.movesOil() {
		return 0
	}
	return float64(entries) / float64(speeds)
}

// innermostFirst lists the nodes of a domain, the ground first.
func (f *Formulation) innermostFirst(d graph.Domain) []int {
	nodes := make([]int, len(f.Forest.Graph.Nodes))
	for n := range nodes {
		nodes[n] = n
	}
	slices.SortStableFunc(nodes, func(a, b int) int { return f.Forest.Depth(d, a) - f.Forest.Depth(d, b) })
	return nodes
}

// recur defines pdot.
func (f *Formulation) recur() {
	size := len(f.Speeds) + 3*len(f.points) + 3*len(f.classes)
	r := &recursion{
		Formulation: f, form: make([]map[int]*expr.Expr, size), linear: make([]*expr.Expr, size),
		follows: make([]*linearDependence, size), moves: make([]int, len(f.Speeds)), values: make([]*expr.Expr, size),
	}
	for _, edge := range f.Forest.Branch[graph.Translation] {
		for _, k := range f.speedIndex[edge] {
			r.moves[k]++
		}
	}
	for i := range f.classes {
		speeds, _ := f.speedsOf(i)
		for _, k := range speeds {
			r.moves[k]++
		}
	}
	for k := range r.form {
		r.form[k], r.linear[k] = map[int]*expr.Expr{}, f.Pool.Int(0)
	}
	for k := range f.Speeds {
		f.Load[k] = f.equation(f.Load[k])
		r.linear[k] = f.Load[k]
	}
	r.bodies()
	for _, c := range f.leavesFirst(false) {
		if c.class {
			r.replaceClass(c.index)
		} else {
			r.replaceNode(c.index)
		}
		if f.err != nil {
			return
		}
	}
	f.accelerated = r
	f.Solution = make([]*expr.Expr, len(f.Speeds))
	for k := range f.Speeds {
		if r.follows[k] == nil {
			f.rejectPivot(k)
			return
		}
		f.Solution[k] = r.value(k)
		f.Speeds[k].Rate = f.Solution[k]
	}
}

func (r *recursion) node(n int) int  { return len(r.Speeds) + 3*n }
func (r *recursion) class(c int) int { return len(r.Speeds) + 3*len(r.points) + 3*c }

// label names an unknown.
func (r *recursion) label(i int) string {
	if i < len(r.Speeds) {
		return r.Speeds[i].Name
	}
	i -= len(r.Speeds)
	if n := i / 3; n < len(r.points) {
		return "acceleration_" + r.Forest.Graph.Nodes[n] + "_" + axisNames[i%3]
	}
	return "turning_" + string(r.classes[i/3-len(r.points)].frame) + "_" + axisNames[i%3]
}

// couple adds e to the coefficient of two unknowns.
func (r *recursion) couple(i, j int, e *expr.Expr) {
	sum := e
	if old := r.form[i][j]; old != nil {
		sum = r.Pool.Add(old, e)
	}
	if sum.IsZero() {
		delete(r.form[i], j)
		delete(r.form[j], i)
		return
	}
	r.form[i][j], r.form[j][i] = sum, sum
}

// bodies begins the form.
func (r *recursion) bodies() {
	for i := range r.Formulation.bodies {
		b := &r.Formulation.bodies[i]
		for k := range 3 {
			r.couple(r.node(b.node)+k, r.node(b.node)+k, b.mass)
			if b.inertia == nil {
				continue
			}
			c := r.class(r.moving(r.classOf[b.node]))
			for j := range 3 {
				if e := b.inertia[k][j]; !e.IsZero() && j >= k {
					r.couple(c+k, c+j, e)
				}
			}
		}
	}
}

// carrier is a node or a class.
type carrier struct {
	class bool
	index int
}

// leavesFirst lists nodes and classes, each after all that it carries, and classes as early as possible where they come
// first.
func (f *Formulation) leavesFirst(classesFirst bool) []carrier {
	g := f.Forest.Graph
	waiting := map[carrier]int{}
	carried := map[carrier][]carrier{} // by the carried part
	add := func(what carrier, by carrier) {
		carried[what] = append(carried[what], by)
		waiting[by]++
	}
	for n := range f.points {
		edge, _ := f.Forest.Step(graph.Translation, n)
		if n == graph.Ground || edge < 0 {
			continue
		}
		add(carrier{false, n}, carrier{false, f.Forest.Parent(graph.Translation, n)})
		if !g.Edges[edge].Flies() {
			add(carrier{false, n}, carrier{true, f.carrying(&g.Edges[edge])})
		}
	}
	for c := range f.classes {
		if parent := f.classes[c].parent; parent >= 0 {
			add(carrier{true, c}, carrier{true, parent})
		}
	}
	var list, ready []carrier
	for n := range f.points {
		ready = append(ready, carrier{false, n})
	}
	for c := range f.classes {
		ready = append(ready, carrier{true, c})
	}
	ready = slices.DeleteFunc(ready, func(c carrier) bool { return waiting[c] > 0 })
	for len(ready) > 0 {
		last := len(ready) - 1
		for classesFirst && !ready[last].class && last > 0 {
			last--
		}
		c := ready[last]
		ready = slices.Delete(ready, last, last+1)
		list = append(list, c)
		for _, by := range carried[c] {
			if waiting[by]--; waiting[by] == 0 {
				ready = append(ready, by)
			}
		}
	}
	return list
}

// replaceNode expresses the acceleration of a node by its parent's acceleration, by the angular acceleration of the
// carrying class and by the speeds of the node's branch.
func (r *recursion) replaceNode(n int) {
	if n == graph.Ground {
		return
	}
	f, p := r.Formulation, r.Pool
	edge, forward := f.Forest.Step(graph.Translation, n)
	e := &f.Forest.Graph.Edges[edge]
	frame := f.points[n].velocity.Frame
	var terms [3][]term
	add := func(unknown int, v expr.Vector) {
		for k, x := range v.X {
			if !x.IsZero() {
				terms[k] = append(terms[k], term{unknown, x})
			}
		}
	}
	if e.Flies() {
		for k, s := range f.speedIndex[edge] {
			add(s, f.unit(frame, e.Space.Free.Axes[k]))
		}
		r.replace(r.node(n), terms, f.speedIndex[edge])
		return
	}
	c, sign := f.carry(edge), p.Int(1)
	if !forward {
		sign = p.Int(-1)
	}
	if parent := f.Forest.Parent(graph.Translation, n); len(f.points[parent].moved) > 0 {
		from := f.points[parent].velocity.Frame
		for k := range 3 {
			add(r.node(parent)+k, f.resolve(f.unit(from, k), frame))
		}
	}
	if class := f.carrying(e); len(f.classes[class].moved) > 0 && !c.lever.IsZero() {
		for k := range 3 {
			axis := f.resolve(f.unit(f.resolvingFrame(class), k), frame)
			add(r.class(class)+k, p.ScaleV(sign, p.Cross(axis, f.resolve(c.lever, frame))))
		}
	}
	for j, s := range f.speedIndex[edge] {
		add(s, p.ScaleV(sign, f.resolve(c.slides[j].axis, frame)))
	}
	r.replace(r.node(n), terms, f.speedIndex[edge])
}

// replaceClass expresses the angular acceleration of a class by its parent's and by the speeds
// of its branch.
func (r *recursion) replaceClass(i int) {
	f, c := r.Formulation, &r.classes[i]
	if len(c.joints) == 0 {
		return // the ground, the axes of a tire, or a class fixed to another class
	}
	own := f.resolvingFrame(i)
	var terms [3][]term
	add := func(unknown int, v expr.Vector) {
		for k, x := range v.X {
			if !x.IsZero() {
				terms[k] = append(terms[k], term{unknown, x})
			}
		}
	}
	if len(f.classes[c.parent].moved) > 0 {
		for k := range 3 {
			add(r.class(c.parent)+k, f.resolve(f.unit(f.resolvingFrame(c.parent), k), own))
		}
	}
	speeds, directions := f.speedsOf(i)
	for j, s := range speeds {
		add(s, f.resolve(directions[j], own))
	}
	r.replace(r.class(i), terms, speeds)
}

// replace puts terms in the place of three unknowns, and eliminates the speeds among them.
func (r *recursion) replace(first int, terms [3][]term, speeds []int) {
	p := r.Pool
	for k, list := range terms {
		unknown := first + k
		r.follows[unknown] = &linearDependence{p.Int(0), list}
		row := r.form[unknown]
		for _, other := range ordered(row) {
			e := row[other]
			if other == unknown {
				for i, a := range list {
					for _, b := range list[i:] {
						r.couple(a.unknown, b.unknown, p.Mul(e, a.factor, b.factor))
					}
				}
				continue
			}
			delete(r.form[other], unknown)
			for _, a := range list {
				product := p.Mul(e, a.factor)
				if a.unknown == other {
					product = p.Scale(expr.Integer(2), product)
				}
				r.couple(a.unknown, other, product)
			}
		}
		clear(row)
		if !r.linear[unknown].IsZero() {
			for _, a := range list {
				r.linear[a.unknown] = p.Add(r.linear[a.unknown], p.Mul(r.linear[unknown], a.factor))
			}
		}
	}
	r.name(terms)
	for _, s := range speeds {
		if r.moves[s]--; r.moves[s] == 0 {
			r.eliminate(s)
		}
	}
}

// name turns the changed expressions into atoms.
func (r *recursion) name(terms [3][]term) {
	var touched []int
	for _, list := range terms {
		for _, a := range list {
			touched = append(touched, a.unknown)
		}
	}
	slices.Sort(touched)
	for _, i := range slices.Compact(touched) {
		r.linear[i] = r.define("g_"+r.label(i), r.linear[i])
		for _, j := range ordered(r.form[i]) {
			e := r.define("G_"+r.label(i)+"_"+r.label(j), r.form[i][j])
			r.form[i][j], r.form[j][i] = e, e
		}
	}
}

// eliminate finds a speed's part in the minimum.
func (r *recursion) eliminate(k int) {
	p, row := r.Pool, r.form[k]
	if row[k] == nil {
		r.rejectPivot(k)
		return
	}
	own := r.label(k)
	inverse := r.define("inverse_pivot_"+own, p.Pow(r.define("pivot_"+own, row[k]), -1))
	delete(row, k)
	near := ordered(row)
	y := r.define("y_"+own, p.Mul(r.linear[k], inverse))
	r.follows[k] = &linearDependence{constant: y}
	for n, i := range near {
		u := row[i]
		l := r.define("l_"+r.label(i)+"_"+own, p.Mul(u, inverse))
		r.follows[k].terms = append(r.follows[k].terms, term{i, p.Neg(l)})
		delete(r.form[i], k)
		r.linear[i] = r.define("g_"+r.label(i), p.Sub(r.linear[i], p.Mul(u, y)))
		for _, j := range near[n:] {
			r.couple(i, j, p.Neg(p.Mul(l, row[j])))
			if e := r.form[i][j]; e != nil {
				e = r.define("G_"+r.label(i)+"_"+r.label(j), e)
				r.form[i][j], r.form[j][i] = e, e
			}
		}
	}
	clear(row)
}

// value is an unknown at the minimum.
func (r *recursion) value(i int) *expr.Expr {
	if r.values[i] != nil {
		return r.values[i]
	}
	p, name := r.Pool, r.label(i)
	if i < len(r.Speeds) {
		name = "dot_" + name
	}
	sum := p.Int(0)
	if r.follows[i] != nil {
		sum = r.follows[i].constant
		for _, t := range r.follows[i].terms {
			sum = p.Add(sum, p.Mul(t.factor, r.value(t.unknown)))
		}
	}
	r.values[i] = r.define(name, sum)
	return r.values[i]
}

// acceleration of a node, as far as it is linear in pdot.
func (r *recursion) acceleration(n int) expr.Vector {
	v := expr.Vector{Frame: r.points[n].velocity.Frame}
	for k := range v.X {
		v.X[k] = r.value(r.node(n) + k)
	}
	return v
}

// ordered lists the keys of a row, ascending.
func ordered[T any](row map[int]T) []int {
	list := make([]int, 0, len(row))
	for i := range row {
		list = append(list, i)
	}
	slices.Sort(list)
	return list
}

// constrainsSpeeds reports whether networks make constraints of speeds.
func (f *Formulation) constrainsSpeeds() bool {
	for _, n := range f.Forest.Networks {
		if len(n.Bound) > 0 || slices.ContainsFunc(n.Tree, func(i int) bool { return n.KindOf(i) == graph.Multiplier }) {
			return true
		}
	}
	return false
}
