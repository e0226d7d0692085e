package formulate

import (
	"cmp"
	"slices"

	"skidpad/model/expr"
	"skidpad/model/graph"
)

// composite collects the inertia of all that a node or a class carries, from the leaves to the ground, and with it M
// (composite bodies, Featherstone 2008, section 6.2). It is the quadratic form of the accelerations a of nodes, alpha
// of classes and pdot, as far as they are linear in pdot,
//
//	Z = sum m a.a/2 + sum a.(alpha x s) + sum alpha.J alpha/2 + sum alpha.B alpha' + sum (a.P + alpha.H) pdot
//	    + pdot.M pdot/2
//
// The acceleration of a carried part is replaced by the acceleration of its carrier and the speeds between them. Terms
// that depend on parameters only, such as the inertia of bodies fixed to each other, are part of the init block.
type composite struct {
	*Formulation
	mass    []*expr.Expr            // m, by node
	first   []map[int][]expr.Vector // s, by node and class: first moments about the node, one vector per frame
	second  []map[int][]tensor      // J and B, by class and class: one for each frame; rows belong to the former
	linear  []map[int][]expr.Vector // P, by node and speed
	angular []map[int][]expr.Vector // H, by class and speed
}

// tensor maps vectors of one frame to vectors of the same.
type tensor struct {
	frame expr.Frame
	m     [3][3]*expr.Expr
	name  string // "" for none
}

// compositeMass fills in M of the bodies whose mass is the same in all directions.
func (f *Formulation) compositeMass() {
	nodes, classes := len(f.points), len(f.classes)
	c := &composite{
		Formulation: f, mass: make([]*expr.Expr, nodes), first: emptyMaps[[]expr.Vector](nodes),
		second: emptyMaps[[]tensor](classes), linear: emptyMaps[[]expr.Vector](nodes),
		angular: emptyMaps[[]expr.Vector](classes),
	}
	for n := range c.mass {
		c.mass[n] = f.Pool.Int(0)
	}
	for i := range f.bodies {
		b := &f.bodies[i]
		if b.along == nil {
			c.mass[b.node] = f.Pool.Add(c.mass[b.node], b.mass)
		}
		if b.inertia != nil {
			class := f.moving(f.classOf[b.node])
			c.addTensor(class, class, tensor{frame: b.frame, m: *b.inertia, name: "J_" + b.name})
		}
	}
	for _, x := range f.leavesFirst(true) {
		if x.class {
			c.replaceClass(x.index)
		} else {
			c.replaceNode(x.index)
		}
	}
}

func emptyMaps[T any](n int) []map[int]T {
	list := make([]map[int]T, n)
	for i := range list {
		list[i] = map[int]T{}
	}
	return list
}

// replaceNode replaces a = a_parent + alpha x r + u pdot.
func (c *composite) replaceNode(n int) {
	if n == graph.Ground || len(c.points[n].moved) == 0 {
		return
	}
	p := c.Pool
	edge, forward := c.Forest.Step(graph.Translation, n)
	e := &c.Forest.Graph.Edges[edge]
	if e.Flies() {
		for j, k := range c.speedIndex[edge] {
			u := c.unit(c.points[n].velocity.Frame, e.Space.Free.Axes[j])
			c.slide(n, k, u)
			c.addMass(k, k, c.mass[n])
		}
		return
	}
	along, parent, class := c.carry(edge), c.Forest.Parent(graph.Translation, n), c.carrying(e)
	r := along.lever
	if !forward {
		r = p.NegV(r)
	}
	if len(c.classes[class].moved) > 0 && !r.IsZero() {
		c.turnNode(n, class, r)
	}
	for j, k := range c.speedIndex[edge] {
		u := along.slides[j].axis
		if !forward {
			u = p.NegV(u)
		}
		c.slide(n, k, u)
		c.addMass(k, k, p.Mul(c.mass[n], p.Dot(u, u)))
		for i, l := range c.speedIndex[edge][:j] { // the signs of both cancel
			c.couple(k, l, p.Mul(c.mass[n], p.Dot(along.slides[i].axis, along.slides[j].axis)))
		}
		c.addLinear(parent, k, p.ScaleV(c.mass[n], u))
		if len(c.classes[class].moved) > 0 {
			c.addAngular(class, k, p.ScaleV(c.mass[n], p.Cross(r, u)))
		}
	}
	c.mass[parent] = p.Add(c.mass[parent], c.mass[n])
	for _, i := range ordered(c.first[n]) {
		for _, s := range c.first[n][i] {
			c.addFirst(parent, i, s)
		}
	}
	for _, k := range ordered(c.linear[n]) {
		for _, v := range c.linear[n][k] {
			c.addLinear(parent, k, v)
		}
	}
}

// turnNode replaces the term alpha x r of a node's acceleration.
func (c *composite) turnNode(n, class int, r expr.Vector) {
	p := c.Pool
	parent := c.Forest.Parent(graph.Translation, n)
	c.addTensor(class, class, c.dyadic(c.mass[n], r, r))
	for _, i := range ordered(c.first[n]) {
		s := c.total(c.first[n][i], r.Frame, "s_"+c.Forest.Graph.Nodes[n])
		b := c.dyadic(p.Int(1), r, s)
		c.addTensor(class, i, b)
		if i == class {
			c.addTensor(class, class, b.transposed())
		}
	}
	c.addFirst(parent, class, p.ScaleV(c.mass[n], r))
	for _, k := range ordered(c.linear[n]) {
		v := c.total(c.linear[n][k], r.Frame, "P_"+c.Speeds[k].Name)
		c.addAngular(class, k, p.Cross(r, v))
	}
}

// slide replaces the term u pdot in the acceleration of a node, except in the quadratic term of the mass, which its
// caller adds.
func (c *composite) slide(n, k int, u expr.Vector) {
	p := c.Pool
	for _, i := range ordered(c.first[n]) {
		s := c.total(c.first[n][i], u.Frame, "s_"+c.Forest.Graph.Nodes[n])
		c.addAngular(i, k, p.Cross(s, u))
	}
	for _, j := range ordered(c.linear[n]) {
		c.couple(k, j, p.Dot(u, c.total(c.linear[n][j], u.Frame, "P_"+c.Speeds[j].Name)))
	}
}

// dyadic is the tensor m ((r.s) 1 - s r^T) of the form m (alpha x r).(alpha' x s).
func (f *Formulation) dyadic(m *expr.Expr, r, s expr.Vector) tensor {
	p := f.Pool
	t := tensor{frame: r.Frame}
	for i := range 3 {
		for j := range 3 {
			t.m[i][j] = p.Neg(p.Mul(m, s.X[i], r.X[j]))
		}
	}
	for i := range 3 { // r.s less the product of the same axis
		j, k := (i+1)%3, (i+2)%3
		t.m[i][i] = p.Mul(m, p.Add(p.Mul(r.X[j], s.X[j]), p.Mul(r.X[k], s.X[k])))
	}
	return t
}

func (t tensor) transposed() tensor {
	for i := range 3 {
		for j := range i {
			t.m[i][j], t.m[j][i] = t.m[j][i], t.m[i][j]
		}
	}
	return t
}

// replaceClass replaces alpha = alpha_parent + sum w pdot.
func (c *composite) replaceClass(i int) {
	class := &c.classes[i]
	if len(class.joints) == 0 || len(class.moved) == 0 {
		return
	}
	p, f := c.Pool, c.Formulation
	frame := f.resolvingFrame(i)
	own := c.sum(c.second[i][i], frame, "J_"+string(class.frame))
	delete(c.second[i], i)
	speeds, directions := f.speedsOf(i)
	for j, k := range speeds {
		w := f.speedDirection(k, directions[j], frame)
		h := p.DefineV("H_"+f.Speeds[k].Name, f.timesTensor(own, w))
		for n, l := range speeds[:j+1] {
			m := p.Dot(f.speedDirection(l, directions[n], frame), h)
			if n == j {
				c.addMass(k, k, m)
			} else {
				c.couple(k, l, m)
			}
		}
		for _, l := range ordered(c.angular[i]) {
			v := c.total(c.angular[i][l], frame, "H_"+f.Speeds[l].Name)
			c.couple(k, l, p.Dot(w, v))
		}
		c.addAngular(class.parent, k, h)
		for n := range c.first {
			if list := c.first[n][i]; len(list) > 0 {
				s := c.total(list, frame, "s_"+f.Forest.Graph.Nodes[n])
				c.addLinear(n, k, p.Cross(w, s))
			}
		}
		for other := range c.second { // alpha.B alpha' with alpha' or alpha of this class
			if list := c.second[other][i]; len(list) > 0 {
				c.addAngular(other, k, f.timesTensor(c.sum(list, frame, "B"), w))
			}
		}
		for _, other := range ordered(c.second[i]) {
			c.addAngular(other, k, f.timesTensor(c.sum(c.second[i][other], frame, "B").transposed(), w))
		}
	}
	c.addTensor(class.parent, class.parent, own)
	for n := range c.first {
		for _, s := range c.first[n][i] {
			c.addFirst(n, class.parent, s)
		}
		delete(c.first[n], i)
	}
	for _, l := range ordered(c.angular[i]) {
		for _, v := range c.angular[i][l] {
			c.addAngular(class.parent, l, v)
		}
	}
	c.passOn(i, class.parent)
}

// passOn gives the products of the angular accelerations of a class and of the other classes to its parent.
func (c *composite) passOn(i, parent int) {
	for other := range c.second {
		for _, t := range c.second[other][i] {
			c.addProduct(other, parent, t)
		}
		delete(c.second[other], i)
	}
	for _, other := range ordered(c.second[i]) {
		for _, t := range c.second[i][other] {
			c.addProduct(parent, other, t)
		}
	}
	clear(c.second[i])
}

func (c *composite) addProduct(i, j int, t tensor) {
	c.addTensor(i, j, t)
	if i == j {
		c.addTensor(i, j, t.transposed())
	}
}

// sum resolves and adds tensors of several frames.
func (c *composite) sum(list []tensor, frame expr.Frame, name string) tensor {
	p, zero := c.Pool, c.Pool.Int(0)
	sum := tensor{frame: frame, m: [3][3]*expr.Expr{{zero, zero, zero}, {zero, zero, zero}, {zero, zero, zero}}}
	for _, t := range list {
		t = c.turned(t, frame)
		for i := range 3 {
			for j := range 3 {
				sum.m[i][j] = p.Add(sum.m[i][j], t.m[i][j])
			}
		}
	}
	return c.nameTensor(sum, name)
}

// elements names the elements of a tensor.
var elements = [3][3]string{{"xx", "xy", "xz"}, {"yx", "yy", "yz"}, {"zx", "zy", "zz"}}

func (f *Formulation) nameTensor(t tensor, name string) tensor {
	t.name = name
	for i := range 3 {
		for j := range 3 {
			t.m[i][j] = f.define(name+"_"+elements[i][j], t.m[i][j])
		}
	}
	return t
}

// turned resolves a tensor in another frame, turn by turn along the tree of classes.
func (f *Formulation) turned(t tensor, to expr.Frame) tensor {
	if t.frame == to {
		return t
	}
	a, b := f.classWith(t.frame), f.classWith(to)
	if f.classDepth(a) >= f.classDepth(b) {
		for _, r := range f.classes[a].turns {
			t = f.turnedBy(r, t)
		}
		t.frame = f.classes[f.classes[a].parent].frame
		return f.turned(t, to)
	}
	t = f.turned(t, f.classes[f.classes[b].parent].frame)
	for _, r := range slices.Backward(f.classes[b].turns) {
		t = f.turnedBy(r.Inverse(), t)
	}
	t.frame = to
	return t
}

// turnedBy is R T R^T. About a coordinate axis, by the angle with cosine c and sine s, with the elements of the other
// two axes
//
//	w = s (T_xx - T_yy) + 2 c T_xy,  T'_xx = T_xx - s w,  T'_yy = T_yy + s w,  T'_xy = c w - T_xy
//
// if T is symmetric.
func (f *Formulation) turnedBy(r expr.Rotation, t tensor) tensor {
	p := f.Pool
	axis := slices.IndexFunc([]int{0, 1, 2}, func(i int) bool { return r.M[i][i].IsOne() })
	x, y := (axis+1)%3, (axis+2)%3
	if axis < 0 || !t.symmetric() || r.M[x][y] != p.Neg(r.M[y][x]) {
		for range 2 { // first the columns, then the rows
			for j := range 3 {
				column := p.Resolve(r, expr.Vector{Frame: r.From, X: [3]*expr.Expr{t.m[0][j], t.m[1][j], t.m[2][j]}})
				column = f.named(expr.Vector{}, column)
				t.m[0][j], t.m[1][j], t.m[2][j] = column.X[0], column.X[1], column.X[2]
			}
			t = t.transposed()
		}
		t.frame = r.To
		return t
	}
	cos, sin, name := r.M[x][x], r.M[y][x], resolvedName(cmp.Or(t.name, "J"), r.To)
	xx, yy, xy, xz, yz := t.m[x][x], t.m[y][y], t.m[x][y], t.m[x][axis], t.m[y][axis]
	w := f.define(name+"_turn", p.Add(p.Mul(sin, p.Sub(xx, yy)), p.Scale(expr.Integer(2), p.Mul(cos, xy))))
	set := func(i, j int, e *expr.Expr) {
		e = f.define(name+"_"+elements[i][j], e)
		t.m[i][j], t.m[j][i] = e, e
	}
	sw := f.define(name+"_turn_sin", p.Mul(sin, w))
	set(x, x, p.Sub(xx, sw))
	set(y, y, p.Add(yy, sw))
	set(x, y, p.Sub(p.Mul(cos, w), xy))
	set(x, axis, p.Sub(p.Mul(cos, xz), p.Mul(sin, yz)))
	set(y, axis, p.Add(p.Mul(sin, xz), p.Mul(cos, yz)))
	t.frame, t.name = r.To, name
	return t
}

func (t *tensor) symmetric() bool {
	return t.m[0][1] == t.m[1][0] && t.m[0][2] == t.m[2][0] && t.m[1][2] == t.m[2][1]
}

// timesTensor is T v.
func (f *Formulation) timesTensor(t tensor, v expr.Vector) expr.Vector {
	return f.Pool.Resolve(expr.Rotation{From: v.Frame, To: t.frame, M: t.m}, v)
}

func (c *composite) addFirst(n, class int, s expr.Vector) {
	if !s.IsZero() && len(c.classes[class].moved) > 0 && len(c.points[n].moved) > 0 {
		c.first[n][class] = c.addOffset(c.first[n][class], s)
	}
}

func (c *composite) addLinear(n, k int, v expr.Vector) {
	if !v.IsZero() && len(c.points[n].moved) > 0 {
		c.linear[n][k] = c.addOffset(c.linear[n][k], v)
	}
}

func (c *composite) addAngular(class, k int, v expr.Vector) {
	if !v.IsZero() && len(c.classes[class].moved) > 0 {
		c.angular[class][k] = c.addOffset(c.angular[class][k], v)
	}
}

func (c *composite) addTensor(i, j int, t tensor) {
	if len(c.classes[i].moved) == 0 || len(c.classes[j].moved) == 0 {
		return
	}
	list := c.second[i][j]
	at := slices.IndexFunc(list, func(o tensor) bool { return o.frame == t.frame })
	if at < 0 {
		c.second[i][j] = append(list, t)
		return
	}
	for k := range 3 {
		for l := range 3 {
			list[at].m[k][l] = c.Pool.Add(list[at].m[k][l], t.m[k][l])
		}
	}
}

// couple adds the term e pdot_j pdot_k.
func (c *composite) couple(j, k int, e *expr.Expr) {
	if j == k {
		e = c.Pool.Scale(expr.Integer(2), e)
	}
	c.addMass(j, k, e)
}

// addMass adds to an element of M and to that beyond the diagonal.
func (f *Formulation) addMass(j, k int, e *expr.Expr) {
	sum := f.define("M_"+f.Speeds[j].Name+"_"+f.Speeds[k].Name, f.Pool.Add(f.Mass[j][k], e))
	f.Mass[j][k], f.Mass[k][j] = sum, sum
}
