package linear

import (
	"hash/fnv"
	"slices"
	"sync"

	"gonum.org/v1/gonum/mat"
)

// neighbouring is by how much parameters of a neighbour are larger, at most, as a share of their values.
const neighbouring = 0.01

// neighbour finds, once it is asked for, the vehicle with other parameters about the steady motion that is nearest to its start: all
// parameters and start values of one unit are larger by the same share, so that it is as symmetric and fits together as
// well. Angles and numbers without a unit stay. It is nil where there is no steady motion.
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
		defer l.machine.SetParameters(l.parameters)
		twin.machine.SetParameters(twin.parameters)
		twin.machine.Start(twin.u, twin.x)
		if twin.settle() != nil {
			return nil
		}
		return twin.here()
	})
}

// enlarged is the factor of the parameters of a unit.
func enlarged(unit string) float64 {
	h := fnv.New32a()
	h.Write([]byte(unit))
	return 1 + neighbouring*(1+float64(h.Sum32()%1000)/1000)/2
}

// shared are those directions of an orthonormal basis that a neighbour has, too, by its basis: as many, and the nearest to it.
// nil where the neighbour has no fewer.
func shared(own, neighbours *mat.Dense) (*mat.Dense, error) {
	var along mat.Dense
	along.Mul(own.T(), neighbours)
	m, n := along.Dims()
	if m <= n {
		return nil, nil
	}
	for k := range n {
		size := mat.Norm(along.ColView(k), 2)
		for i := range m {
			along.Set(i, k, along.At(i, k)/size)
		}
	}
	var svd mat.SVD
	if !svd.Factorize(&along, mat.SVDThinU) {
		return nil, errSolve
	}
	var u mat.Dense
	svd.UTo(&u)
	return &u, nil
}
