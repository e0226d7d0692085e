package graph

import "slices"

// Factor is an entry of the circuits of a network: a sum of products of ratios of converters. Without converters it is
// -1, 0 or 1. Terms are sorted by their powers; no two have the same powers, and no count is 0.
type Factor []Product

// Product is Count times a product of ratios with exponents, by converter. Trailing exponents are not 0.
type Product struct {
	Count  int64
	Powers []int
}

// one is the factor 1, or another number.
func one(count int64) Factor { return Factor{{Count: count}} }

// ratio is the ratio of a converter.
func ratio(converter int) Factor {
	powers := make([]int, converter+1)
	powers[converter] = 1
	return Factor{{1, powers}}
}

// plus adds.
func (f Factor) plus(g Factor) Factor {
	var sum Factor
	for len(f) > 0 || len(g) > 0 {
		order := 1
		switch {
		case len(g) == 0:
			order = -1
		case len(f) > 0:
			order = slices.Compare(f[0].Powers, g[0].Powers)
		}
		switch {
		case order < 0:
			sum, f = append(sum, f[0]), f[1:]
		case order > 0:
			sum, g = append(sum, g[0]), g[1:]
		default:
			if count := f[0].Count + g[0].Count; count != 0 {
				sum = append(sum, Product{count, f[0].Powers})
			}
			f, g = f[1:], g[1:]
		}
	}
	return sum
}

// times multiplies.
func (f Factor) times(g Factor) Factor {
	var product Factor
	for _, a := range f {
		for _, b := range g {
			product = product.plus(Factor{a.times(b)})
		}
	}
	return product
}

func (a Product) times(b Product) Product {
	powers := make([]int, max(len(a.Powers), len(b.Powers)))
	copy(powers, a.Powers)
	for i, k := range b.Powers {
		powers[i] += k
	}
	for len(powers) > 0 && powers[len(powers)-1] == 0 {
		powers = powers[:len(powers)-1]
	}
	return Product{a.Count * b.Count, powers}
}

// negative changes the sign.
func (f Factor) negative() Factor { return f.times(one(-1)) }

// reciprocal is the reciprocal of a factor of one product. It is false for sums, for counts but -1 and 1, and where it
// would divide by the ratio of a free converter.
func (f Factor) reciprocal(converters []*Converter) (Factor, bool) {
	if len(f) != 1 || f[0].Count != 1 && f[0].Count != -1 {
		return nil, false
	}
	inverse := Product{f[0].Count, slices.Clone(f[0].Powers)}
	for i, k := range inverse.Powers {
		if k > 0 && converters[i].Free {
			return nil, false
		}
		inverse.Powers[i] = -k
	}
	return Factor{inverse}, true
}
