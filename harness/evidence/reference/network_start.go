package reference

import (
	"errors"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"
)

// startNetworks gives the storages their states at the start: those of the file; where there is none, what the others
// imply, or 0.
func (s *System) startNetworks(y []float64, g *givens) {
	order := slices.Clone(s.scalars)
	slices.SortStableFunc(order, func(a, b *scalarEdge) int {
		rank := func(e *scalarEdge) int {
			if _, own := g.values[e.state]; own || e.start != nil {
				return 0
			}
			return 1
		}
		return rank(a) - rank(b)
	})
	known := &relations{size: s.size}
	for _, n := range s.nodes {
		row := make([]float64, s.size)
		for _, e := range s.scalars {
			for _, end := range e.ends() {
				if s.nodes[end.node].potential == n.potential {
					row[e.flow] += end.sign
				}
			}
		}
		known.add(row, 0)
	}
	for _, e := range s.scalars {
		if e.exact {
			known.add(s.gradient(e, y))
		}
	}
	for _, e := range order {
		if !e.stores() {
			continue
		}
		value := 0.0
		if e.start != nil {
			value = e.start.Value
		}
		if own, is := g.values[e.state]; is {
			value, g.used[e.state] = own, true
		}
		row, size := make([]float64, s.size), e.domain.flow
		if e.inductance != nil {
			row[e.flow] = 1
		} else {
			size = e.domain.potential
			for _, end := range e.ends() {
				row[s.nodes[end.node].potential] = end.sign
			}
		}
		y[e.stored] = known.add(row, value/size)
	}
	for _, state := range s.states {
		y[state.unknown] = g.get(state.name, state.start)
	}
}

// gradient is an exact law as a row of a linear system: row . z = right.
func (s *System) gradient(e *scalarEdge, y []float64) (row []float64, right float64) {
	row = make([]float64, s.size)
	at := slices.Clone(y)
	clear(at[s.algebraic:s.lambda])
	right = -e.law(at)
	for k := s.algebraic; k < s.lambda; k++ {
		at[k] = 1
		row[k] = e.law(at) + right
		at[k] = 0
	}
	return row, right
}

// relations are independent rows of a linear system, made orthonormal.
type relations struct {
	size   int
	rows   [][]float64
	rights []float64
}

// add adds a row that is independent of the rows before, and returns its right-hand side. The rows before decide the
// right-hand side of a dependent row.
func (r *relations) add(row []float64, right float64) float64 {
	norm, implied := 0.0, 0.0
	for _, v := range row {
		norm += v * v
	}
	rest := slices.Clone(row)
	for range 2 { // once more against rounding errors
		for k, other := range r.rows {
			share := 0.0
			for i, v := range other {
				share += v * rest[i]
			}
			for i, v := range other {
				rest[i] -= share * v
			}
			implied += share * r.rights[k]
		}
	}
	left := 0.0
	for _, v := range rest {
		left += v * v
	}
	if left <= 1e-20*norm {
		return implied
	}
	scale := 1 / math.Sqrt(left)
	for i := range rest {
		rest[i] *= scale
	}
	r.rows, r.rights = append(r.rows, rest), append(r.rights, scale*(right-implied))
	return right
}

var errNetwork = errors.New("the equations of the networks are singular, or their states contradict each other")

// settle finds the potentials and flows that belong to the states of the storages and the motions of the parts. The
// equations and their derivatives by time are solved together, because the flows in a loop of capacities and the drops
// in a cutset of inductances follow from the derivatives alone.
//
// Loads with a given power take none at first, which gives them a potential to begin with.
func (s *System) settle(t float64, y []float64) error {
	if s.drawing {
		s.idle = true
		err := s.settled(t, y)
		s.idle = false
		if err != nil {
			return err
		}
	}
	return s.settled(t, y)
}

func (s *System) settled(t float64, y []float64) error {
	n, first := s.lambda-s.storages, s.storages
	if n == 0 {
		return nil
	}
	algebraic := s.lambda - s.algebraic
	dy, f, g := make([]float64, s.size), make([]float64, s.size), make([]float64, s.size)
	at := func(t float64, y, dy, f []float64) {
		s.inputs.at(t)
		s.networkResidual(y, dy, f)
	}
	const h = 1e-6 // of differences by time
	// unknowns: changes of potentials and flows; rates of states, of potentials and flows; second rates of states
	columns := algebraic + n + (n - algebraic)
	for range 20 {
		s.updateMotions(t, y)
		at(t, y, dy, f)
		m, right := mat.NewDense(2*n, columns, nil), mat.NewVecDense(2*n, nil)
		for row := range n {
			right.SetVec(row, -f[first+row])
		}
		for k := range n { // derivatives by states, then potentials and flows
			c, old := first+k, y[first+k]
			y[c] += step(old)
			at(t, y, dy, g)
			for row := range n {
				slope := (g[first+row] - f[first+row]) / (y[c] - old)
				if k >= n-algebraic {
					m.Set(row, k-(n-algebraic), slope)
				}
				m.Set(n+row, algebraic+k, slope)
			}
			y[c] = old
		}
		for k := range n - algebraic { // by rates of states, which are linear
			c, old := first+k, dy[first+k]
			dy[c]++
			at(t, y, dy, g)
			for row := range n {
				slope := g[first+row] - f[first+row]
				m.Set(row, algebraic+k, slope)
				m.Set(n+row, algebraic+n+k, slope)
			}
			dy[c] = old
		}
		// the first block has changes of the rates
		for row := range n {
			sum := 0.0
			for k := range n - algebraic {
				sum += m.At(row, algebraic+k) * dy[first+k]
			}
			right.SetVec(row, right.AtVec(row)+sum)
		}
		at(t+h, y, dy, f)
		at(t, y, dy, g)
		for row := range n {
			right.SetVec(n+row, -(f[first+row]-g[first+row])/h)
		}
		change, err := leastSquares(m, right)
		if err != nil {
			return err
		}
		largest := 0.0
		for k := range algebraic {
			c := s.algebraic + k
			y[c] += change[k]
			largest = max(largest, math.Abs(change[k])/(1+math.Abs(y[c])))
		}
		for k := range n - algebraic {
			dy[first+k] = change[algebraic+k]
		}
		if largest < 1e-13 {
			break
		}
	}
	at(t, y, dy, f)
	return nil
}

// leastSquares solves rows of very different size by singular values: rows and columns are scaled to 1.
func leastSquares(m *mat.Dense, right *mat.VecDense) ([]float64, error) {
	rows, columns := m.Dims()
	scale := make([]float64, columns)
	for range 3 {
		for i := range rows {
			largest := mat.Norm(m.RowView(i), math.Inf(1))
			if largest == 0 {
				continue
			}
			for j := range columns {
				m.Set(i, j, m.At(i, j)/largest)
			}
			right.SetVec(i, right.AtVec(i)/largest)
		}
		for j := range columns {
			largest := mat.Norm(m.ColView(j), math.Inf(1))
			if scale[j] == 0 {
				scale[j] = 1
			}
			if largest == 0 {
				continue
			}
			scale[j] /= largest
			for i := range rows {
				m.Set(i, j, m.At(i, j)/largest)
			}
		}
	}
	var svd mat.SVD
	if !svd.Factorize(m, mat.SVDThin) {
		return nil, errNetwork
	}
	values := svd.Values(nil)
	rank := 0
	for rank < len(values) && values[rank] > 1e-11*values[0] {
		rank++
	}
	var x, rest mat.VecDense
	svd.SolveVecTo(&x, right, rank)
	rest.MulVec(m, &x)
	rest.SubVec(&rest, right)
	if !(mat.Norm(&rest, math.Inf(1)) <= 1e-6*(1+mat.Norm(right, math.Inf(1)))) {
		return nil, errNetwork
	}
	list := make([]float64, columns)
	for j := range list {
		list[j] = x.AtVec(j) * scale[j]
	}
	return list, nil
}
