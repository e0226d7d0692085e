package linear

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"gonum.org/v1/gonum/mat"
)

// tie is the share by which a state must move more than another one to be preferred to it.
const tie = 1e-6

// worstCondition is the largest condition number of the equations that give the dependent states.
const worstCondition = 1e10

// Independent chooses states that determine all others by the constraints, as many as there are
// freedoms, and the same for all systems: coordinates as long as there are some that can move, then
// speeds and slips; of them one after the other the state that moves most in all systems while those
// chosen before it rest (QR decomposition, with pivots, of the bases of their tangent spaces), of
// equals the first. The systems have the same states.
func Independent(systems ...*System) ([]string, error) {
	first := systems[0]
	if first.constraints == nil {
		return first.States, nil
	}
	n, freedoms := len(first.States), 0
	var moving mat.Dense // transposed bases, one below the other
	for i, s := range systems {
		basis, err := null(s.constraints)
		if err != nil || basis == nil {
			return nil, errSolve
		}
		_, m := basis.Dims()
		if i > 0 && m != freedoms {
			return nil, fmt.Errorf("the constraints leave %d freedoms in one steady motion and %d in another, which need different states; export them one by one", freedoms, m)
		}
		freedoms = m
		if i == 0 {
			moving.CloneFrom(basis.T())
			continue
		}
		var stacked mat.Dense
		stacked.Stack(&moving, basis.T())
		moving = stacked
	}
	var coordinates, others []int
	for i := range n {
		if i >= first.speeds && i < 2*first.speeds {
			coordinates = append(coordinates, i)
		} else {
			others = append(others, i)
		}
	}
	chosen := pivots(&moving, freedoms, coordinates, others)
	if len(chosen) < freedoms {
		return nil, errSolve
	}
	var states []string
	for _, i := range chosen {
		states = append(states, first.States[i])
	}
	return states, nil
}

// pivots are up to count columns of m in ascending order: one after the other the one with the
// largest part that is normal to those before it, of equals the first, from each group of columns
// until nothing is left of its columns.
func pivots(m mat.Matrix, count int, groups ...[]int) []int {
	rest := mat.DenseCopyOf(m)
	rows, columns := rest.Dims()
	least := rankTolerance * mat.Norm(rest, 2)
	var chosen []int
	for _, group := range groups {
		for len(chosen) < count {
			best, most := -1, least
			for _, k := range group {
				if size := mat.Norm(rest.ColView(k), 2); size > (1+tie)*most {
					best, most = k, size
				}
			}
			if best < 0 {
				break
			}
			chosen = append(chosen, best)
			var direction mat.VecDense
			direction.ScaleVec(1/most, rest.ColView(best))
			for k := range columns {
				along := mat.Dot(&direction, rest.ColView(k))
				for i := range rows {
					rest.Set(i, k, rest.At(i, k)-along*direction.AtVec(i))
				}
			}
		}
	}
	slices.Sort(chosen)
	return chosen
}

// split tells which states are independent and which depend on them, and which of the rows of the
// constraints determine these. states are the names of the independent ones, nil for Independent.
func (s *System) split(states []string) (independent, dependent, rows []int, err error) {
	if states == nil {
		if states, err = Independent(s); err != nil {
			return nil, nil, nil, err
		}
	}
	for _, name := range states {
		if _, err := find(s.States, name, "state"); err != nil {
			return nil, nil, nil, err
		}
	}
	for i, name := range s.States {
		if slices.Contains(states, name) {
			independent = append(independent, i)
		} else {
			dependent = append(dependent, i)
		}
	}
	bound := 0
	if s.constraints != nil {
		all, n := s.constraints.Dims()
		bound = len(pivots(s.constraints.T(), n, count(all)))
		if len(dependent) > 0 {
			rows = pivots(part(s.constraints, nil, dependent).T(), len(dependent), count(all))
		}
	}
	if len(dependent) != bound || len(rows) < bound {
		return nil, nil, nil, fmt.Errorf("the states %s do not determine the %d others by the constraints; %d independent ones are needed", strings.Join(states, ", "), len(dependent), len(s.States)-bound)
	}
	return independent, dependent, rows, nil
}

// part is a matrix of some rows and columns of m; nil stands for all.
func part(m *mat.Dense, rows, columns []int) *mat.Dense {
	r, c := m.Dims()
	if rows == nil {
		rows = count(r)
	}
	if columns == nil {
		columns = count(c)
	}
	if len(rows) == 0 || len(columns) == 0 {
		return &mat.Dense{}
	}
	out := mat.NewDense(len(rows), len(columns), nil)
	for i, row := range rows {
		for k, column := range columns {
			out.Set(i, k, m.At(row, column))
		}
	}
	return out
}

// count is 0 to n-1.
func count(n int) []int {
	list := make([]int, n)
	for i := range list {
		list[i] = i
	}
	return list
}

// Minimal is the system in independent states only, which are states of the vehicle under their
// own names. With H z + G u = 0, the derivatives of the constraints and of their rates by states and
// inputs, the dependent states z_d follow from the independent ones z_i and the inputs, z = S z_i + P u,
// and
//
//	z_i' = A_i S z_i + (B_i + A_i P) u,  y = C S z_i + (D + C P) u
//
// with the rows A_i, B_i of the independent states. P differs from 0 where inputs prescribe motions
// that constraints see; position, rate and acceleration of such a motion must fit each other.
// The outputs are those of the vehicle, with its states, so that nothing is lost. states are the
// names of the independent ones; nil stands for Independent.
func (s *System) Minimal(states []string) (*System, error) {
	independent, dependent, rows, err := s.split(states)
	if err != nil {
		return nil, err
	}
	m := &System{
		Inputs: s.Inputs, InputUnits: s.InputUnits, U: s.U,
		Outputs: s.Outputs, OutputUnits: s.OutputUnits, Y: s.Y,
		A: part(s.A, independent, independent), B: s.B, C: s.C, D: s.D,
	}
	for _, i := range independent {
		m.States, m.StateUnits = append(m.States, s.States[i]), append(m.StateUnits, s.StateUnits[i])
		m.X, m.Rates = append(m.X, s.X[i]), append(m.Rates, s.Rates[i])
	}
	if len(dependent) == 0 {
		return m, nil
	}
	var lu mat.LU
	lu.Factorize(part(s.constraints, rows, dependent))
	if lu.Cond() > worstCondition {
		return nil, fmt.Errorf("the states %s hardly determine the others by the constraints; choose others", strings.Join(m.States, ", "))
	}
	// what by does to the dependent states is added to a matrix by way of its columns for them
	add := func(to, columns, by *mat.Dense) (*mat.Dense, error) {
		var moved, sum mat.Dense
		if err := lu.SolveTo(&moved, false, by); err != nil {
			return nil, errSolve
		}
		sum.Mul(columns, &moved)
		sum.Sub(to, &sum)
		return &sum, nil
	}
	fromStates := part(s.constraints, rows, independent)
	var faults [4]error
	m.A, faults[0] = add(m.A, part(s.A, independent, dependent), fromStates)
	m.C, faults[1] = add(part(s.C, nil, independent), part(s.C, nil, dependent), fromStates)
	if !s.B.IsEmpty() {
		fromInputs := part(s.driven, rows, nil)
		m.B, faults[2] = add(part(s.B, independent, nil), part(s.A, independent, dependent), fromInputs)
		m.D, faults[3] = add(s.D, part(s.C, nil, dependent), fromInputs)
	}
	return m, errors.Join(faults[:]...)
}

// Descriptor is a system with its constraints as equations:
//
//	E z' = A z + B u,  y = C z + D u
type Descriptor struct {
	States, Inputs, Outputs []string
	E, A, B, C, D           *mat.Dense
}

// Descriptor keeps all states. The rows of independent states are those of their rates; the rows of
// the others, which are 0 in E, say by the constraints and their rates what these states are,
// 0 = H z + G u. The descriptor form has index 1, and its finite eigenvalues are those of Minimal.
// states are the names of the independent ones; nil stands for Independent.
func (s *System) Descriptor(states []string) (*Descriptor, error) {
	independent, dependent, rows, err := s.split(states)
	if err != nil {
		return nil, err
	}
	n := len(s.States)
	d := &Descriptor{
		States: s.States, Inputs: s.Inputs, Outputs: s.Outputs,
		E: mat.NewDense(n, n, nil), A: mat.DenseCopyOf(s.A), B: mat.DenseCopyOf(s.B), C: s.C, D: s.D,
	}
	for _, i := range independent {
		d.E.Set(i, i, 1)
	}
	for k, i := range dependent {
		d.A.SetRow(i, s.constraints.RawRowView(rows[k]))
		if !s.B.IsEmpty() {
			d.B.SetRow(i, s.driven.RawRowView(rows[k]))
		}
	}
	return d, nil
}
