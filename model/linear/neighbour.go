package linear

import (
	"hash/fnv"
	"slices"
	"sync"

	"gonum.org/v1/gonum/mat"
)

// largestIncrease is the largest increase of a neighbour's parameters, as a share of their values.
const largestIncrease = 0.02

// zeroFactor is the factor by which the zero threshold of a neighbour exceeds rounding. The steady state of a neighbour
// is only as accurate as the search for it, and the remaining rates appear as small eigenvalues.
const zeroFactor = 100

// neighbour returns a function that, on demand, linearises a vehicle with slightly larger parameters about the steady
// state nearest to its start. All parameters and start values of one unit are larger by the same share, so that
// symmetry and dimensions remain consistent. Angles and numbers without a unit keep their values. The function returns
// nil if it finds no steady state.
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
		twin.begin(twin.x)
		if twin.findSteadyState() != nil {
			return nil
		}
		s, err := twin.lineariseAtState()
		if err != nil {
			return nil
		}
		return s
	})
}

// enlarged is the factor of all parameters of a unit, from the unit's hash.
func enlarged(unit string) float64 {
	h := fnv.New32a()
	h.Write([]byte(unit))
	return 1 + largestIncrease*(1+float64(h.Sum32()%1000)/1000)/2
}

// allCyclic returns an orthonormal basis of all cyclic directions of a neighbour n that do not change the outputs. The
// basis is in the neighbour's states, which are scaled like the states of the system; it is nil if n is nil.
func allCyclic(n *System, outputs []int) (*mat.Dense, error) {
	if n == nil {
		return nil, nil
	}
	r, err := n.confined()
	if err != nil {
		return nil, err
	}
	r.size *= zeroFactor
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

// aligned is the cosine of the largest angle between a direction and the neighbour's directions at which the neighbour
// has this direction, too.
const aligned = 0.5

// shared returns the cyclic directions that the neighbour has, too, nil if there are none. The arguments are
// orthonormal bases: of the cyclic directions of r, and of those of the neighbour.
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
