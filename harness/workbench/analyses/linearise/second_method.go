package linearise

import (
	"cmp"
	"math"
	"math/cmplx"
	"slices"

	"skidpad/model/linear"
)

// LinearAgreement is the largest difference of the two, relative to the largest eigenvalue, or to the
// largest response of an output, that counts as agreement.
const LinearAgreement = 1e-9

// Disagreement is the largest difference between two lists of eigenvalues, relative to the largest eigenvalue. Each
// eigenvalue is paired with the nearest remaining one of the other list. Lists of different length give +Inf.
func Disagreement(a, b []complex128) float64 {
	if len(a) != len(b) {
		return math.Inf(1)
	}
	size, most := 0.0, 0.0
	for i, other := range Paired(a, b) {
		size = max(size, cmplx.Abs(a[i]))
		most = max(most, cmplx.Abs(a[i]-other))
	}
	if most == 0 {
		return 0
	}
	return most / size
}

// Paired lists b in the order of what is nearest in a; NaN where nothing is left.
func Paired(a, b []complex128) []complex128 {
	rest := slices.Clone(b)
	list := make([]complex128, len(a))
	for i, x := range a {
		if len(rest) == 0 {
			list[i] = cmplx.NaN()
			continue
		}
		best := 0
		for k := range rest {
			if cmplx.Abs(rest[k]-x) < cmplx.Abs(rest[best]-x) {
				best = k
			}
		}
		list[i] = rest[best]
		rest = slices.Delete(rest, best, best+1)
	}
	return list
}

// Eigenvalues of modes.
func Eigenvalues(modes []linear.Mode) []complex128 {
	var list []complex128
	for _, m := range modes {
		list = append(list, m.Value)
	}
	return list
}

// PrescribedResponse is the response to a sine of an input; a prescribed motion, named by its angle or
// position, moves with its rate and acceleration.
func PrescribedResponse(s *linear.System, input, output string, omega []float64) ([]complex128, error) {
	return s.Response(cmp.Or(s.Motion(input), input), output, omega)
}

// SecondEigenvalues are the eigenvalues by tangent stiffness, for comparison with a list of the given length. Tangent
// stiffness omits zeros by their size, and so also a mode that is 0 at the border of stability. Omitted values count as
// 0 again, up to the length of the list.
func SecondEigenvalues(s Linearised, length int) ([]complex128, error) {
	values, zeros, err := s.Eigenvalues()
	for ; len(values) < length && zeros > 0; zeros-- {
		values = append(values, 0)
	}
	return values, err
}
