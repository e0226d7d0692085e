package program

import (
	"fmt"
	"slices"

	"skidpad/model/expr"
)

// Matrix is the matrix of an implicit system in place of the Jacobian of the rates.
type Matrix uint8

// The matrices.
const (
	Tangent Matrix = iota // stiffness and damping of loads, with geometry held
	Exact                 // the derivative of the rates
)

// Implicit is the symbolic implicit system (I - c J) k = b of the rates, made by the formulation. The unknowns are the
// states without the coordinates that follow, then l, the changes of reactions times c:
//
//	W (k, l) = A (b, 0) + c S G u,  k_q = b_q + c T k,  T u = b_q  of coordinates q that follow speeds
//
// For the rates b = f, the right-hand sides are known without accelerations: A (b, l_0) + c S G u is First, with the
// reactions l_0, which are then part of l.
//
// A contains the mass matrix and the rows of constraints, so that their inverses are not needed. The eliminated
// coordinates act by deflections: G are the partial derivatives of their rates by speeds, S of loads by deflections.
type Implicit struct {
	Unknowns int        // states and reactions
	C        *expr.Expr // symbol of c

	First       []*expr.Expr // by unknown; of coordinates that follow: b
	Matrix      []Entry      // W
	Mass        []Entry      // A; rows without entries are rows of I
	Follow      []Entry      // T: coordinate, speed
	Lead        []Entry      // u by rows in their order: speed, coordinate or earlier speed
	Strain      []Entry      // G: deflection, speed
	Stiffness   []Entry      // S: unknown, deflection
	Deflections int

	Partials [][]*expr.Expr // see Derivatives
}

// ImplicitProgram is the code of an implicit system.
type ImplicitProgram struct {
	*JacobianProgram
	elimination *elimination
}

// PrepareImplicit compiles the code of Machine.Linearisation for functions with these inputs, by call.
func (p *Program) PrepareImplicit(of Matrix, inputs [][]string) error {
	wanted := make([][]int, len(inputs))
	for i := range inputs {
		var err error
		if wanted[i], err = p.Calls[i].wanted(inputs[i]); err != nil {
			return err
		}
	}
	p.Implicit(of, wanted)
	return nil
}

// Implicit compiles the implicit system of a program, for functions that take the inputs wanted.
func (p *Program) Implicit(of Matrix, wanted [][]int) *ImplicitProgram {
	p.jacobians.Lock()
	defer p.jacobians.Unlock()
	key := fmt.Sprint(of, wanted)
	j := p.jacobians.implicit[key]
	if j == nil {
		j = p.implicit(p.source.Implicit(of, wanted), wanted)
		if p.jacobians.implicit == nil {
			p.jacobians.implicit = map[string]*ImplicitProgram{}
		}
		p.jacobians.implicit[key] = j
	}
	return j
}

func (p *Program) implicit(s *Implicit, wanted [][]int) *ImplicitProgram {
	values := slices.Clone(s.First)
	lists := [...][]Entry{s.Matrix, s.Mass, s.Follow, s.Lead, s.Strain, s.Stiffness}
	for _, list := range lists {
		for _, e := range list {
			values = append(values, e.Value)
		}
	}
	d := &Derivatives{Partials: s.Partials}
	j := &ImplicitProgram{JacobianProgram: p.differentiate(d, []*expr.Expr{s.C}, values, wanted)}
	slots := j.further[s.Unknowns:]
	of := system{unknowns: s.Unknowns, states: len(p.source.States), speeds: p.source.Speeds, deflections: s.Deflections,
		first: j.further[:s.Unknowns], step: j.given[0]}
	for i, to := range []*[]element{&of.matrix, &of.mass, &of.follow, &of.lead, &of.strain, &of.stiffness} {
		for _, e := range lists[i] {
			*to = append(*to, element{e.Row, e.Column, slots[0]})
			slots = slots[1:]
		}
	}
	j.elimination = newElimination(of, max(j.layout.size, int32(j.native.slots)))
	j.elimination.compile()
	return j
}

// laneParts returns the parts of an implicit system that lanes need.
func (j *ImplicitProgram) laneParts() *laneParts {
	parts := &laneParts{layout: &j.layout, init: &j.init, before: &j.before, after: &j.after, set: j.given,
		taken: slices.Concat(j.arguments, j.loads), wanted: [][]int32{j.further}}
	parts.call(j.program.Calls, j.returned, j.loads)
	parts.call(j.program.Calls, j.partials, nil)
	return parts
}
