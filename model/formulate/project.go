package formulate

import (
	"slices"

	"skidpad/model/expr"
	"skidpad/model/graph"
)

// loads collects through variables: forces on nodes and moments on classes of
// parallel frames. Vectors of one node are summed frame by frame and resolved
// only where two frames meet.
type loads struct {
	force  [][]expr.Vector // by node
	moment [][]expr.Vector // by class
}

func (f *Formulation) newLoads() loads {
	return loads{make([][]expr.Vector, len(f.points)), make([][]expr.Vector, len(f.classes))}
}

func (f *Formulation) addForce(l loads, node int, v expr.Vector) {
	if !v.IsZero() && f.moves(node) {
		l.force[node] = f.addOffset(l.force[node], v)
	}
}

// moves reports whether some speed moves a node.
func (f *Formulation) moves(node int) bool {
	if f.withoutMass {
		return len(f.points[node].moved) > 0
	}
	return len(f.points[node].partials) > 0
}

func (f *Formulation) addMoment(l loads, class int, v expr.Vector) {
	class = f.moving(class)
	if !v.IsZero() && len(f.classes[class].moved) > 0 {
		l.moment[class] = f.addOffset(l.moment[class], v)
	}
}

// project returns the generalised load of every speed: the projected cutset equations (Morency 2007, 2.33). Through
// variables are summed over the cutset of each branch, from the leaves to the ground, and projected on the branch's
// across space. A force on a carried branch adds its moment to the frame that carries the branch. Only speeds with a
// true want are evaluated; other entries are nil.
func (f *Formulation) project(l loads, name string, want func(k int) bool) []*expr.Expr {
	result := make([]*expr.Expr, len(f.Speeds))
	add := func(k int, e *expr.Expr) {
		if want(k) {
			if result[k] == nil {
				result[k] = f.Pool.Int(0)
			}
			result[k] = f.Pool.Add(result[k], e)
		}
	}
	f.projectForces(l, name, add)
	f.projectMoments(l, name, add)
	return result
}

// projectForces adds the effects of forces on the speeds of translations, and on the moments of the carriers of their
// points.
func (f *Formulation) projectForces(l loads, name string, add func(k int, e *expr.Expr)) {
	p, g := f.Pool, f.Forest.Graph
	for _, n := range f.outermostFirst(graph.Translation) {
		groups := l.force[n]
		if len(groups) == 0 {
			continue
		}
		edge, forward := f.Forest.Step(graph.Translation, n)
		e := &g.Edges[edge]
		if free := e.Space.Free; e.Flies() {
			frame := f.points[n].velocity.Frame
			total := f.total(groups, frame, "F_"+name+g.Nodes[n])
			for j, k := range f.speedIndex[edge] {
				add(k, total.X[free.Axes[j]])
			}
			continue
		}
		parent := f.Forest.Parent(graph.Translation, n)
		c := f.carry(edge)
		if c.offset.IsZero() && c.rigid() {
			for _, v := range groups {
				l.force[parent] = f.addOffset(l.force[parent], v)
			}
			continue
		}
		total := f.total(groups, c.frame, "F_"+name+g.Nodes[n])
		onto := total
		if !forward {
			onto = p.NegV(total)
		}
		for j, k := range f.speedIndex[edge] {
			add(k, p.Dot(c.slides[j].axis, onto))
		}
		f.addMoment(l, max(f.classOf[e.Tail], 0), p.Cross(c.lever, onto))
		f.addForce(l, parent, total)
	}
}

// projectMoments adds the effects of moments on the speeds of rotations.
func (f *Formulation) projectMoments(l loads, name string, add func(k int, e *expr.Expr)) {
	p := f.Pool
	for i := len(f.classes) - 1; i >= 0; i-- {
		groups := l.moment[i]
		c := &f.classes[i]
		if len(groups) == 0 || c.parent < 0 {
			continue
		}
		own := "M_" + name + string(c.frame)
		if f.withoutMass { // the groups of a long chain would be as many as its links
			groups = []expr.Vector{f.total(groups, f.resolvingFrame(i), own)}
		}
		speeds, directions := f.speedsOf(i)
		if len(speeds) > 1 && f.Forest.Graph.Edges[c.joints[0].edge].Space.Free != nil {
			groups = []expr.Vector{f.total(groups, directions[0].Frame, own)}
		}
		for j, k := range speeds {
			for _, v := range groups {
				v = p.DefineV(own, v)
				add(k, p.Dot(f.speedDirection(k, directions[j], v.Frame), v))
			}
		}
		for _, v := range groups {
			f.addMoment(l, c.parent, p.DefineV(own, v))
		}
	}
}

// total resolves and adds vectors of several frames.
func (f *Formulation) total(groups []expr.Vector, frame expr.Frame, name string) expr.Vector {
	sum := f.Pool.ZeroVector(frame)
	for _, v := range groups {
		if v.Frame != frame {
			v = f.resolveAs(name, f.Pool.DefineV(name, v), frame)
		}
		sum = f.Pool.AddV(sum, v)
	}
	return f.Pool.DefineV(name, sum)
}

// outermostFirst lists the nodes of a domain, but the ground, leaves first.
func (f *Formulation) outermostFirst(d graph.Domain) []int {
	var nodes []int
	for n := range f.points {
		if n != graph.Ground {
			nodes = append(nodes, n)
		}
	}
	slices.SortStableFunc(nodes, func(a, b int) int { return f.Forest.Depth(d, b) - f.Forest.Depth(d, a) })
	return nodes
}
