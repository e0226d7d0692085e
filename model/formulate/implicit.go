package formulate

import (
	"skidpad/model/expr"
	"skidpad/model/program"
)

// implicit returns the implicit system with one of the matrices.
func (f *Formulation) implicit(of program.Matrix, wanted [][]int) *program.Implicit {
	s := f.newImplicit(wanted)
	if of == program.Exact {
		s.exact()
	} else {
		s.tangent()
	}
	return s.result
}

// implicitSystem is an implicit system while it is made. In the rows of speeds and constraints, A z = r are the
// equations of accelerations and reactions z, unless these are explicit. In other rows, A is one.
//
// Brakes and tires with kinematic slip have forces that rise within a fraction of a step's change, and hardly change
// beyond. Their derivatives are replaced by slopes of secants through zero, which know of the rise from afar: steps
// keep their order, and dry friction comes to rest. The excess of a secant over the tangent counts overshoot times.
type implicitSystem struct {
	*Formulation
	states   []State
	wanted   [][]int
	explicit bool // accelerations are explicit: of a recursion or of the generalised inverse
	c        *expr.Expr
	known    func(call, input int) bool // whether the matrix knows a slope
	matrix   []map[int]*expr.Expr       // rows of W
	result   *program.Implicit
}

// newImplicit begins a system with its matrix A.
func (f *Formulation) newImplicit(wanted [][]int) *implicitSystem {
	_, general := f.equationsOfMotion.(*bordered)
	s := &implicitSystem{Formulation: f, states: f.States(), wanted: wanted, explicit: f.withoutMass || general,
		c: f.Pool.Sym("c of the implicit step", expr.Returned), known: allSlopes}
	states, n, m := len(s.states), len(f.Speeds), len(f.Constraints)
	if s.explicit {
		n, m = 0, 0
	}
	s.result = &program.Implicit{Unknowns: states + m, C: s.c, Partials: f.partials(wanted)}
	s.matrix = make([]map[int]*expr.Expr, states+m)
	for i := range s.matrix {
		s.matrix[i] = map[int]*expr.Expr{}
	}
	for i := range n {
		for k := range n {
			s.addMass(i, k, f.Mass[i][k])
		}
	}
	s.first()
	for l := range m {
		for k, e := range f.Constraints[l].Row {
			s.addMass(states+l, k, e)
			s.addMass(k, states+l, e)
		}
		s.addMass(states+l, states+l, f.Pool.Neg(f.slack(&f.Constraints[l])))
	}
	return s
}

func (s *implicitSystem) addMass(i, j int, e *expr.Expr) {
	if !e.IsZero() {
		s.result.Mass = append(s.result.Mass, program.Entry{Row: i, Column: j, Value: e})
		s.matrix[i][j] = e
	}
}

// one makes rows without a mass rows of I.
func (s *implicitSystem) one(rows ...int) {
	for _, i := range rows {
		if len(s.matrix[i]) == 0 {
			s.matrix[i][i] = s.Pool.Int(1)
		}
	}
}

// subtract takes c e from an entry of the matrix.
func (s *implicitSystem) subtract(i, j int, e *expr.Expr) {
	if e.IsZero() {
		return
	}
	before := s.matrix[i][j]
	if before == nil {
		before = s.Pool.Int(0)
	}
	s.matrix[i][j] = s.Pool.Sub(before, s.Pool.Mul(s.c, e))
}

// first are the right-hand sides for the rates: loads, what is left of the rows of constraints, and rates.
func (s *implicitSystem) first() {
	for i, x := range s.states {
		e := x.Rate
		if !s.explicit && i < len(s.Speeds) {
			e = s.Load[i]
		}
		s.result.First = append(s.result.First, e)
	}
	for l := len(s.states); l < s.result.Unknowns; l++ {
		s.result.First = append(s.result.First, s.Pool.Neg(s.Constraints[l-len(s.states)].Bias))
	}
}

// finish hands the matrix over.
func (s *implicitSystem) finish() {
	for i, row := range s.matrix {
		for _, j := range ordered(row) {
			if e := row[j]; !e.IsZero() {
				s.result.Matrix = append(s.result.Matrix, program.Entry{Row: i, Column: j, Value: e})
			}
		}
	}
}

// exact makes the matrix A - c R. In the rows of speeds and constraints, R is the derivative of r - A z at constant z,
// in other rows that of the rates.
func (s *implicitSystem) exact() {
	f, n := s.Formulation, len(s.Speeds)
	if s.explicit {
		n = 0
	}
	for i := n; i < len(s.states); i++ {
		s.one(i)
	}
	atoms := f.returnedSymbols()
	for _, x := range s.states {
		atoms = append(atoms, x.Symbol)
	}
	reach := f.Pool.NewReach(atoms...)
	for j, x := range s.states {
		d := reach.NewDerivative(x.Symbol)
		s.returns(d)
		if s.explicit {
			f.solved(d, x.Name)
		} else {
			for i, e := range f.residualDerivative(d) {
				row := i
				if i >= n {
					row = len(s.states) + i - n
				}
				s.subtract(row, j, e)
			}
		}
		for i := n; i < len(s.states); i++ {
			s.subtract(i, j, d.Of(s.states[i].Rate))
		}
	}
	s.finish()
}

// returns continues a derivative to the results of functions, and to values with slopes of secants.
func (s *implicitSystem) returns(d *expr.Derivative) {
	for _, x := range s.secants {
		d.Set(x.value, s.Pool.Mul(x.slope, d.Of(x.argument)))
	}
	s.setReturned(d, s.result.Partials, s.wanted, s.known)
	for _, x := range s.sliding {
		d.Set(x.Force, s.secantDerivative(x, d, s.result.Partials, s.wanted))
	}
}

// overshoot is about 2/gamma, gamma = 1 - 1/sqrt 2 of the linearly implicit method. With it, a step of any length takes
// a speed v under a constant friction to v (1 - 2/(gamma overshoot)), nearly 0. With the secant itself the speed
// would go to v (1 - 1/gamma) = -2.4 v, and back.
const overshoot = 7
