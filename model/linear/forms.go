package linear

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"sync"

	"gonum.org/v1/gonum/mat"
)

// tie is the relative margin for preferring a state that moves more to an earlier one.
const tie = 1e-6

// cancelled is the share of the terms of a sum below which the remainder counts as 0.
const cancelled = 1e-13

// Independent chooses states that determine all other states by the constraints, one for each degree of freedom, and
// the same ones for all systems. It takes coordinates while any can move, then speeds and slips. The method is a
// pivoted QR decomposition of the bases of the tangent spaces. Each pivot is the state that moves most in all systems
// while the earlier pivots rest, the first one on ties. These states can fail to determine the dependent states in one
// of the systems, for example at rest. Then each pivot is the state whose smallest motion in any system is largest. The
// systems have the same states.
func Independent(systems ...*System) ([]string, error) {
	first := systems[0]
	if first.constraints == nil {
		return first.States, nil
	}
	n, dof := len(first.States), 0
	var moving mat.Dense // transposed bases, one below the other
	var bases []mat.Matrix
	for i, s := range systems {
		basis, err := null(s.constraints, 0)
		if err != nil || basis == nil {
			return nil, errSolve
		}
		_, m := basis.Dims()
		if i > 0 && m != dof {
			return nil, fmt.Errorf("the constraints leave %d degrees of freedom in one steady state and %d in another, "+
				"which need different states; export them one by one", dof, m)
		}
		dof = m
		bases = append(bases, basis.T())
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
	chosen := pivots([]mat.Matrix{&moving}, dof, coordinates, others)
	if !determine(bases, chosen, dof) {
		chosen = pivots(bases, dof, coordinates, others)
	}
	if !determine(bases, chosen, dof) {
		return nil, errors.New("no states are independent in all of the steady states; export them one by one")
	}
	var states []string
	for _, i := range chosen {
		states = append(states, first.States[i])
	}
	return states, nil
}

// determine reports whether states determine all others in the spaces of bases, which are the rows of matrices.
func determine(bases []mat.Matrix, states []int, dof int) bool {
	for _, basis := range bases {
		if len(pivots([]mat.Matrix{basis}, dof, states)) < dof {
			return false
		}
	}
	return true
}

// pivots are up to count columns in ascending order, by pivoted QR. Each pivot is the column with the largest residual
// orthogonal to the earlier pivots, the first one on ties. Each group of columns is used until its residuals vanish.
// With several matrices, the smallest residual of a column counts.
func pivots(matrices []mat.Matrix, count int, groups ...[]int) []int {
	var rests []*mat.Dense
	least := 0.0
	for _, m := range matrices {
		rests = append(rests, mat.DenseCopyOf(m))
		least = max(least, rankTolerance*mat.Norm(m, 2))
	}
	size := func(k int) float64 {
		smallest := math.Inf(1)
		for _, rest := range rests {
			smallest = min(smallest, mat.Norm(rest.ColView(k), 2))
		}
		return smallest
	}
	var chosen []int
	for _, group := range groups {
		for len(chosen) < count {
			best, most := -1, least
			for _, k := range group {
				if s := size(k); s > (1+tie)*most {
					best, most = k, s
				}
			}
			if best < 0 {
				break
			}
			chosen = append(chosen, best)
			for _, rest := range rests {
				rows, columns := rest.Dims()
				var direction mat.VecDense
				direction.ScaleVec(1/mat.Norm(rest.ColView(best), 2), rest.ColView(best))
				for k := range columns {
					along := mat.Dot(&direction, rest.ColView(k))
					for i := range rows {
						rest.Set(i, k, rest.At(i, k)-along*direction.AtVec(i))
					}
				}
			}
		}
	}
	slices.Sort(chosen)
	return chosen
}

// split returns the independent states, the dependent states, and the rows of the constraints that determine the
// dependent ones. states are the names of independent states, nil for Independent.
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
		bound = len(pivots([]mat.Matrix{s.constraints.T()}, n, count(all)))
		if len(dependent) > 0 {
			rows = pivots([]mat.Matrix{part(s.constraints, nil, dependent).T()}, len(dependent), count(all))
		}
	}
	if len(dependent) != bound || len(rows) < bound {
		return nil, nil, nil,
			fmt.Errorf("the states %s do not determine the %d others by the constraints; %d independent ones are needed",
				strings.Join(states, ", "), len(dependent), len(s.States)-bound)
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

// Minimal is the system in independent states only; these are states of the vehicle and keep their names. H and G are
// the derivatives of the constraints and of their rates by states and inputs, H z + G u = 0. The dependent states z_d
// follow from the independent states z_i and the inputs, z = S z_i + P u, and
//
//	z_i' = A_i S z_i + (B_i + A_i P) u,  y = C S z_i + (D + C P) u
//
// with the rows A_i, B_i of the independent states. P differs from 0 where inputs prescribe motions that enter
// constraints. Position, rate and acceleration of such a motion must be consistent. The system keeps all outputs of the
// vehicle, including its states. states are the names of independent states, nil for Independent.
func (s *System) Minimal(states []string) (*System, error) {
	independent, dependent, rows, err := s.split(states)
	if err != nil {
		return nil, err
	}
	m := &System{
		Inputs: s.Inputs, InputUnits: s.InputUnits, U: s.U,
		Outputs: s.Outputs, OutputUnits: s.OutputUnits, Y: s.Y,
		A: part(s.A, independent, independent), B: s.B, C: s.C, D: s.D,
		motions: s.motions, networks: s.networks, Lean: s.Lean, Steer: s.Steer,
	}
	if s.neighbour != nil {
		m.neighbour = sync.OnceValue(func() *System {
			n, err := s.neighbour(), error(nil)
			if n == nil {
				return nil
			}
			if n, err = n.Minimal(m.States); err != nil {
				return nil // other states are independent there
			}
			return n
		})
	}
	for _, i := range independent {
		m.States, m.StateUnits = append(m.States, s.States[i]), append(m.StateUnits, s.StateUnits[i])
		m.Groups = append(m.Groups, s.Groups[i])
		m.X, m.Rates = append(m.X, s.X[i]), append(m.Rates, s.Rates[i])
	}
	if len(dependent) == 0 {
		return m, nil
	}
	var inverse mat.Dense
	if err := inverse.Inverse(part(s.constraints, rows, dependent)); err != nil {
		return nil, errSolve
	}
	nothing := cancelled * largest(&inverse)
	inverse.Apply(func(_, _ int, v float64) float64 {
		if math.Abs(v) < nothing {
			return 0
		}
		return -v
	}, &inverse)
	follow := plus(nil, &inverse, part(s.constraints, rows, independent)) // of the independent states
	m.A = plus(m.A, part(s.A, independent, dependent), follow)
	m.C = plus(part(s.C, nil, independent), part(s.C, nil, dependent), follow)
	if !s.B.IsEmpty() {
		follow := plus(nil, &inverse, part(s.driven, rows, nil)) // of the inputs
		m.B = plus(part(s.B, independent, nil), part(s.A, independent, dependent), follow)
		m.D = plus(s.D, part(s.C, nil, dependent), follow)
	}
	return m, nil
}

// largest returns the largest magnitude of the elements of a matrix.
func largest(m *mat.Dense) float64 { return max(mat.Max(m), -mat.Min(m)) }

// plus is to + a b, where to = nil means zeros. Results within rounding become 0, so that independent quantities stay
// independent.
func plus(to, a, b *mat.Dense) *mat.Dense {
	rows, inner := a.Dims()
	_, columns := b.Dims()
	sum := mat.NewDense(rows, columns, nil)
	for i := range rows {
		for k := range columns {
			v, size := 0.0, 0.0
			if to != nil {
				v = to.At(i, k)
				size = math.Abs(v)
			}
			for j := range inner {
				term := a.At(i, j) * b.At(j, k)
				v += term
				size += math.Abs(term)
			}
			if math.Abs(v) > cancelled*size {
				sum.Set(i, k, v)
			}
		}
	}
	return sum
}

// Descriptor is a system with its constraints as equations:
//
//	E z' = A z + B u,  y = C z + D u
type Descriptor struct {
	States, Inputs, Outputs []string
	E, A, B, C, D           *mat.Dense
}

// Descriptor keeps all states. The rows of independent states are the equations of their rates. The rows of dependent
// states are 0 in E; they determine the dependent states by the constraints and their rates, 0 = H z + G u. The
// descriptor form has index 1, and its finite eigenvalues equal the eigenvalues of Minimal. states are the names of
// independent states, nil for Independent.
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
