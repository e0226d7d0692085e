package linear

import (
	"hash/fnv"
	"slices"
	"sync"

	"gonum.org/v1/gonum/mat"
)

// neighbouring is by how much parameters of a neighbour are larger, at most, as a share of their values.
const neighbouring = 0.02

// unsettled is the factor by which the zero threshold of a neighbour exceeds rounding. Its steady state is only as
// accurate as the search, and the remaining rates appear as small eigenvalues.
const unsettled = 100

// neighbour finds, on demand, the steady state nearest to the start of a vehicle with other parameters. All parameters
// and start values of one unit are larger by the same share, so that symmetry and dimensions remain consistent. Angles
// and numbers without a unit stay. It is nil without a steady state.
func (l *Model) neighbour() func() *System {
	parameters, start := slices.Clone(l.parameters), slices.Clone(l.start)
	for i, v := range l.program.Parameters {
		if v.Unit != "rad" && v.Unit != "1" && v.Unit != "" {
			parameters[i] *= enlarged(v.Unit)
		}
	}
	return sync.OnceValue(func() *System {
		twin := *l
		twin.parameters, twin.start, twin.x, twin.u = parameters, start, slices.Clone(l.x), slices.Clone(start)
		twin.enough = 0
		defer l.machine.SetParameters(l.parameters)
		twin.machine.SetParameters(twin.parameters)
		twin.machine.Start(twin.u, twin.x)
		if twin.findSteadyState() != nil {
			return nil
		}
		return twin.lineariseAtState()
	})
}

// enlarged is the factor of the parameters of a unit.
func enlarged(unit string) float64 {
	h := fnv.New32a()
	h.Write([]byte(unit))
	return 1 + neighbouring*(1+float64(h.Sum32()%1000)/1000)/2
}

// leftOut is an orthonormal basis of all cyclic directions of a neighbour that outputs do not include. It is in the
// neighbour's states, scaled like the states of the system; nil without neighbour.
func leftOut(n *System, outputs []int) (*mat.Dense, error) {
	if n == nil {
		return nil, nil
	}
	r, err := n.confined()
	if err != nil {
		return nil, err
	}
	r.size *= unsettled
	all := &mat.Dense{}
	for {
		cyclic, err := r.cyclic(outputs)
		if err != nil {
			return nil, err
		}
		if cyclic == nil {
			break
		}
		var directions mat.Dense
		directions.Mul(r.out(), cyclic)
		if all.IsEmpty() {
			all = &directions
		} else {
			var both mat.Dense
			both.Augment(all, &directions)
			all = &both
		}
		if end, err := r.leave(cyclic); err != nil || end {
			break
		}
	}
	if all.IsEmpty() {
		return mat.NewDense(len(n.States), 1, nil), nil
	}
	var svd mat.SVD
	if !svd.Factorize(all, mat.SVDThinU) {
		return nil, errSolve
	}
	var u mat.Dense
	svd.UTo(&u)
	return &u, nil
}

// aligned is the cosine of the angle within which a direction is one of a neighbour's.
const aligned = 0.5

// shared are the cyclic directions that a neighbour also has, computed from their orthonormal bases; nil if none.
func (r *reduced) shared(cyclic, neighbours *mat.Dense) (*mat.Dense, error) {
	var along mat.Dense
	along.Product(cyclic.T(), r.out().T(), neighbours)
	var svd mat.SVD
	if !svd.Factorize(&along, mat.SVDThinU) {
		return nil, errSolve
	}
	n := 0
	for _, v := range svd.Values(nil) {
		if v > aligned {
			n++
		}
	}
	rows, _ := along.Dims()
	switch n {
	case 0:
		return nil, nil
	case rows:
		return cyclic, nil
	}
	var u, kept mat.Dense
	svd.UTo(&u)
	kept.Mul(cyclic, u.Slice(0, rows, 0, n))
	return &kept, nil
}
