// Package carried finds the free bodies that move with a chassis, such as wheel carriers on rods, and the rates of
// their places on the chassis. In a steady motion these rates vanish.
package carried

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"skidpad/model/component"
	"skidpad/model/graph"
	"skidpad/model/vehicle"
)

// Bodies are the free bodies that are joined to a chassis: by joints, rods, springs or bushings, also over other
// bodies, but not over the ground. Wheels, which spin, are not among them.
type Bodies struct {
	chassis body
	of      []body
}

// body is a free body whose coordinates relative to ground are states: all, only the angles of a body that joints move,
// or only the position of a point mass.
type body struct {
	name              string
	node              int
	moves, turns      bool   // has a position, has angles
	position, angles  [3]int // states
	velocity, turning [3]int // states
	sequence          string // of the angles
	inBody            bool   // velocity is in axes of the body, else of ground
	own               bool   // turning is in axes of the body
}

// Find finds the bodies that move with the chassis of the roles, or without one with the first free body that is no
// wheel; nil if there are none.
func Find(m *vehicle.Model, states []string) *Bodies {
	g := m.Graph()
	all := free(g, states)
	fixed := fixed(g)
	joined := joined(g, fixed)
	wheels := map[int]bool{}
	for _, w := range component.All[component.Wheeled](m.Scope()) {
		wheels[fixed[g.Node(w.Wheel().Frame)]] = true
	}
	at := slices.IndexFunc(all, func(b body) bool {
		named := m.Roles == nil || m.Roles.Chassis == "" || b.name == m.Roles.Chassis
		return named && b.moves && b.turns && !wheels[fixed[b.node]]
	})
	if at < 0 {
		return nil
	}
	b := &Bodies{chassis: all[at]}
	for i, one := range all {
		if i != at && joined[one.node] == joined[b.chassis.node] && !wheels[fixed[one.node]] {
			b.of = append(b.of, one)
		}
	}
	if len(b.of) == 0 {
		return nil
	}
	return b
}

// free lists the free bodies whose coordinates are states, in the order of the graph.
func free(g *graph.Graph, states []string) (list []body) {
	index := func(of [3]graph.Coordinate) (at [3]int, all bool) {
		all = true
		for k := range of {
			at[k] = slices.Index(states, of[k].Name)
			all = all && at[k] >= 0
		}
		return at, all
	}
	for i := range g.Edges {
		e := &g.Edges[i]
		if !e.Flies() {
			continue
		}
		f := e.Space.Free
		coordinates, known := index(f.Coordinates)
		speeds, moves := index(f.Speeds.Of)
		if !known || !moves {
			continue
		}
		k := slices.IndexFunc(list, func(b body) bool { return b.node == e.Head })
		if k < 0 {
			k = len(list)
			list = append(list, body{name: e.Owner.Name, node: e.Head})
		}
		of, inBody := &list[k], f.Speeds.Along == graph.OfHead
		if e.Domain == graph.Translation {
			of.moves, of.position, of.velocity, of.inBody = true, coordinates, speeds, inBody
		} else {
			of.turns, of.angles, of.turning, of.own, of.sequence = true, coordinates, speeds, inBody, f.Sequence
		}
	}
	return list
}

// fixed numbers the nodes: equal numbers do not move against each other.
func fixed(g *graph.Graph) []int {
	class := make([]int, len(g.Nodes))
	for i := range class {
		class[i] = i
	}
	for i := range g.Edges {
		if e := &g.Edges[i]; e.Rigid {
			join(class, e)
		}
	}
	return class
}

// joined numbers the nodes: equal numbers are joined by edges, except over the ground.
func joined(g *graph.Graph, fixed []int) []int {
	class := slices.Clone(fixed)
	for i := range g.Edges {
		e := &g.Edges[i]
		if !e.Observer && fixed[e.Head] != fixed[graph.Ground] && fixed[e.Tail] != fixed[graph.Ground] {
			join(class, e)
		}
	}
	return class
}

// join gives the nodes of an edge, and those with the same number, one number.
func join(class []int, e *graph.Edge) {
	from, to := class[e.Head], class[e.Tail]
	for k := range class {
		if class[k] == from {
			class[k] = to
		}
	}
}

// Rates is the number of values of Relative.
func (b *Bodies) Rates() (n int) {
	for i := range b.of {
		n += b.of[i].rates()
	}
	return n
}

func (b *body) rates() (n int) {
	if b.moves {
		n += 3
	}
	if b.turns {
		n += 3
	}
	return n
}

// Name is the body of a value of Relative.
func (b *Bodies) Name(rate int) string {
	for i := range b.of {
		if rate -= b.of[i].rates(); rate < 0 {
			return b.of[i].name
		}
	}
	return ""
}

// Relative writes the velocity of each body, as an observer on the chassis sees it [m/s], and its angular velocity
// relative to the chassis [rad/s], in axes of the chassis. x are the states, dx their rates.
func (b *Bodies) Relative(x, dx, to []float64) {
	axes := b.chassis.orientation(x)
	spin, velocity := b.chassis.spin(x, dx), vector(dx, b.chassis.position)
	for i := range b.of {
		of := &b.of[i]
		if of.moves {
			moves := difference(vector(dx, of.position), velocity)
			seen := axes.into(difference(moves, cross(spin, b.arm(of, x))))
			to = to[copy(to, seen[:]):]
		}
		if of.turns {
			seen := axes.into(difference(of.spin(x, dx), spin))
			to = to[copy(to, seen[:]):]
		}
	}
}

// arm leads from the chassis to a body.
func (b *Bodies) arm(of *body, x []float64) [3]float64 {
	return difference(vector(x, of.position), vector(x, b.chassis.position))
}

// Carry replaces the rates of the coordinates of the bodies by those of a motion with the chassis, as if fixed to it. x
// are the states, dx their rates.
func (b *Bodies) Carry(x, dx []float64) {
	spin, velocity := b.chassis.spin(x, dx), vector(dx, b.chassis.position)
	for i := range b.of {
		of := &b.of[i]
		if of.moves {
			put(dx, of.position, sum(velocity, cross(spin, b.arm(of, x))))
		}
		if of.turns { // turns about three axes make up the spin
			axis := of.turnAxes(x)
			volume := dot(axis[0], cross(axis[1], axis[2]))
			for k, state := range of.angles {
				dx[state] = dot(spin, cross(axis[(k+1)%3], axis[(k+2)%3])) / volume
			}
		}
	}
}

// Move brings the bodies along with the chassis, from states to other states. In between the chassis has travelled, and
// turned about the first axis of its angles.
func (b *Bodies) Move(from, to []float64) {
	before, after := b.chassis.orientation(from), b.chassis.orientation(to)
	change := make([]float64, len(from))
	for _, state := range b.chassis.angles {
		change[state] = to[state] - from[state]
	}
	b.Carry(from, change)
	for i := range b.of {
		of := &b.of[i]
		if of.moves {
			arm := after.outOf(before.into(b.arm(of, from)))
			put(to, of.position, sum(vector(to, b.chassis.position), arm))
		}
		if of.turns {
			for _, state := range of.angles {
				to[state] = from[state] + change[state]
			}
		}
	}
}

// Return moves the chassis of x with its bodies to the place on the ground and the heading of other states.
func (b *Bodies) Return(x, place []float64) {
	to := slices.Clone(x)
	for _, state := range []int{b.chassis.position[0], b.chassis.position[1], b.chassis.angles[0]} {
		to[state] = place[state]
	}
	b.Move(x, to)
	copy(x, to)
}

// Frame is the matrix J of deviations z = J z' of the states. Coordinates of the bodies in z' are deviations from
// places that are fixed to the chassis: lengths along its axes, and angles. All other states are in z as in z'.
func (b *Bodies) Frame(x []float64) *mat.Dense {
	n := len(x)
	j := mat.NewDense(n, n, nil)
	for i := range n {
		j.Set(i, i, 1)
	}
	dx := make([]float64, n)
	for _, state := range append(b.chassis.position[:], b.chassis.angles[:]...) {
		clear(dx)
		dx[state] = 1
		b.Carry(x, dx)
		j.SetCol(state, dx)
	}
	axes := b.chassis.orientation(x)
	for i := range b.of {
		of := &b.of[i]
		for row, state := range of.position {
			for column, other := range of.position {
				if of.moves {
					j.Set(state, other, axes[row][column])
				}
			}
		}
	}
	return j
}

// Turns reports whether an angle of the chassis changes faster than a bound, by the rates of the states.
func (b *Bodies) Turns(dx []float64, bound float64) bool {
	return slices.ContainsFunc(b.chassis.angles[:], func(i int) bool { return math.Abs(dx[i]) > bound })
}

// Has reports whether a state is a coordinate of one of the bodies.
func (b *Bodies) Has(state int) bool {
	return slices.ContainsFunc(b.of, func(of body) bool {
		return of.moves && slices.Contains(of.position[:], state) || of.turns && slices.Contains(of.angles[:], state)
	})
}

// relativeStep is the difference for derivatives of Relative, which is smooth and of the size of speeds.
const relativeStep = 1e-6

// Differentiate finds the derivatives of Relative by the states, row by row, from the derivatives of dx.
func (b *Bodies) Differentiate(x, dx []float64, rates mat.Matrix) *mat.Dense {
	n := len(x)
	of := mat.NewDense(b.Rates(), n, nil)
	ways := [2][]float64{make([]float64, b.Rates()), make([]float64, b.Rates())}
	at, moving := make([]float64, n), make([]float64, n)
	for column := range n {
		for way, h := range []float64{relativeStep, -relativeStep} {
			copy(at, x)
			at[column] += h
			for i := range moving {
				moving[i] = dx[i] + h*rates.At(i, column)
			}
			b.Relative(at, moving, ways[way])
		}
		for i := range ways[0] {
			of.Set(i, column, (ways[0][i]-ways[1][i])/(2*relativeStep))
		}
	}
	return of
}

// Follow changes the speeds of the bodies so that they move with the chassis, as if fixed to it. x are the states. With
// other speeds than velocities and angular velocities in axes of each body, nothing changes.
func (b *Bodies) Follow(x []float64) {
	if !b.chassis.inBody || !b.chassis.own {
		return
	}
	axes := b.chassis.orientation(x)
	spin, velocity := axes.outOf(vector(x, b.chassis.turning)), axes.outOf(vector(x, b.chassis.velocity))
	for i := range b.of {
		of := &b.of[i]
		own := of.orientation(x)
		if of.moves {
			v := sum(velocity, cross(spin, b.arm(of, x)))
			if of.inBody {
				v = own.into(v)
			}
			put(x, of.velocity, v)
		}
		if of.turns && of.own {
			put(x, of.turning, own.into(spin))
		}
	}
}

func put(x []float64, at [3]int, v [3]float64) {
	for k, i := range at {
		x[i] = v[k]
	}
}

// Accelerate adds the rates of the speeds of bodies that move with the chassis. rates are the rates of states of the
// chassis: the speed of travel in axes of the chassis or of ground.
func (b *Bodies) Accelerate(x []float64, rates map[int]float64, to []float64) {
	var own [3]float64
	for k, i := range b.chassis.velocity {
		own[k] = rates[i]
	}
	if b.chassis.inBody {
		axes := b.chassis.orientation(x)
		own = axes.outOf(own)
	}
	for i := range b.of {
		of, a := &b.of[i], own
		if !of.moves {
			continue
		}
		if of.inBody {
			axes := of.orientation(x)
			a = axes.into(own)
		}
		for k, state := range of.velocity {
			to[state] += a[k]
		}
	}
}

// Moves reports whether a state is a speed of one of the bodies.
func (b *Bodies) Moves(state int) bool {
	return slices.ContainsFunc(b.of, func(of body) bool {
		return of.moves && slices.Contains(of.velocity[:], state) || of.turns && slices.Contains(of.turning[:], state)
	})
}

// rotation has the axes of a body in axes of ground, as columns.
type rotation [3][3]float64

func (r *rotation) outOf(v [3]float64) (out [3]float64) {
	for i := range 3 {
		out[i] = r[i][0]*v[0] + r[i][1]*v[1] + r[i][2]*v[2]
	}
	return out
}

func (r *rotation) into(v [3]float64) (out [3]float64) {
	for i := range 3 {
		out[i] = r[0][i]*v[0] + r[1][i]*v[1] + r[2][i]*v[2]
	}
	return out
}

// orientation is the rotation of a body; the identity for one that does not turn.
func (b *body) orientation(x []float64) rotation {
	r, _ := b.turned(x)
	return r
}

// turnAxes are the axes about which the angles turn, in axes of ground.
func (b *body) turnAxes(x []float64) [3][3]float64 {
	_, axes := b.turned(x)
	return axes
}

// turned turns by each angle about an axis that the preceding angles have turned.
func (b *body) turned(x []float64) (r rotation, axes [3][3]float64) {
	r = rotation{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}
	if !b.turns {
		return r, axes
	}
	for k, state := range b.angles {
		axis := int(b.sequence[k] - '1')
		j, l := (axis+1)%3, (axis+2)%3
		sin, cos := math.Sincos(x[state])
		for i := range 3 {
			axes[k][i] = r[i][axis]
			r[i][j], r[i][l] = cos*r[i][j]+sin*r[i][l], cos*r[i][l]-sin*r[i][j]
		}
	}
	return r, axes
}

// spin is the angular velocity of a body in axes of ground, from the rates of its angles.
func (b *body) spin(x, dx []float64) (spin [3]float64) {
	axes := b.turnAxes(x)
	for k, state := range b.angles {
		for i := range 3 {
			spin[i] += axes[k][i] * dx[state]
		}
	}
	return spin
}

func vector(x []float64, at [3]int) (v [3]float64) {
	for k, i := range at {
		v[k] = x[i]
	}
	return v
}

func difference(a, b [3]float64) [3]float64 { return [3]float64{a[0] - b[0], a[1] - b[1], a[2] - b[2]} }

func sum(a, b [3]float64) [3]float64 { return [3]float64{a[0] + b[0], a[1] + b[1], a[2] + b[2]} }

func dot(a, b [3]float64) float64 { return a[0]*b[0] + a[1]*b[1] + a[2]*b[2] }

func cross(a, b [3]float64) [3]float64 {
	return [3]float64{a[1]*b[2] - a[2]*b[1], a[2]*b[0] - a[0]*b[2], a[0]*b[1] - a[1]*b[0]}
}
