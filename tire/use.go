package tire

import (
	"errors"
	"fmt"
	"math"
)

// Optional parameters that are properties of the whole tire, not numbers that can be tuned.
const (
	sideParameter     = "side"     // how a tire is mounted
	combinedParameter = "combined" // whether slips act on each other's forces
)

// useParameters follow the parameters of the Magic Formulas, all of them or none: the mounting side, the ranges of
// validity, the combination of slips. Beyond the ranges, inputs count as their ends. A load below the range counts as
// it is: forces vanish with it.
var useParameters = []OptionalParameter{
	{ParameterInfo{sideParameter, "1", "1: as measured, -1: mirrored"}, 1},
	{ParameterInfo{"Smin", "1", "least longitudinal slip"}, -extreme},
	{ParameterInfo{"Smax", "1", "largest longitudinal slip"}, extreme},
	{ParameterInfo{"alphamin", "rad", "least slip angle, of the tire as measured"}, -math.Pi / 2},
	{ParameterInfo{"alphamax", "rad", "largest slip angle"}, math.Pi / 2},
	{ParameterInfo{"gammamin", "rad", "least inclination, of the tire as measured"}, -math.Pi / 2},
	{ParameterInfo{"gammamax", "rad", "largest inclination"}, math.Pi / 2},
	{ParameterInfo{"Fzmin", "N", "least load of the parameters"}, 0},
	{ParameterInfo{"Fzmax", "N", "largest load"}, crushing},
	{ParameterInfo{combinedParameter, "1", "1: forces of combined slip, 0: each force by its own slip"}, 1},
}

// rangeParameters is the number of useParameters up to the last range.
var rangeParameters = len(useParameters) - 1

// use is the side of a tire as mounted and its ranges of use, in its axes as mounted.
type use struct {
	side, minS, maxS, minAlpha, maxAlpha, minGamma, maxGamma, minFz, maxFz float64
	limited                                                                bool // by a range that was given
	combined                                                               float64
}

// useOf reads the values of useParameters, none of them for a tire as measured without ranges.
func useOf(name string, p []float64) (use, error) {
	if len(p) == 0 {
		p = nil // a vehicle's instances share the array behind it
		for _, o := range useParameters {
			p = append(p, o.Default)
		}
	}
	var faults []error
	if math.Abs(p[0]) != 1 {
		faults = append(faults, &parameterError{"side",
			fmt.Sprintf("parameter side of %s is %g; it must be 1 or -1", name, p[0])})
	}
	for i := 1; i < rangeParameters; i += 2 {
		if low, high := useParameters[i].Name, useParameters[i+1].Name; !(p[i] < p[i+1]) || i == 7 && p[i] < 0 {
			faults = append(faults, &parameterError{low, fmt.Sprintf("%s of %s is %g and %s is %g; the first must "+
				"be below the second%s", low, name, p[i], high, p[i+1],
				map[bool]string{i == 7: " and not negative"}[true])})
		}
	}
	if combined := p[rangeParameters]; combined != 0 && combined != 1 {
		faults = append(faults, &parameterError{combinedParameter,
			fmt.Sprintf("parameter %s of %s is %g; it must be 1 or 0", combinedParameter, name, combined)})
	}
	right := math.Pi / 2
	u := use{p[0], clampAbs(p[1], extreme), clampAbs(p[2], extreme), clampAbs(p[3], right), clampAbs(p[4], right),
		clampAbs(p[5], right), clampAbs(p[6], right), p[7], p[8], false, p[rangeParameters]}
	for i, o := range useParameters[:rangeParameters] {
		u.limited = u.limited || i > 0 && p[i] != o.Default
	}
	if u.side < 0 {
		u.minAlpha, u.maxAlpha = -u.maxAlpha, -u.minAlpha
		u.minGamma, u.maxGamma = -u.maxGamma, -u.minGamma
	}
	return u, errors.Join(faults...)
}

// withUse is the list of parameters that go with values: with or without those of use.
func withUse(list []ParameterInfo, values []float64) []ParameterInfo {
	if len(values) != len(list)+len(useParameters) {
		return list
	}
	for _, o := range useParameters {
		list = append(list[:len(list):len(list)], o.ParameterInfo)
	}
	return list
}

// Ranged is a Function whose parameters hold within ranges.
type Ranged interface {
	Function
	// Limited reports whether there are any.
	Limited() bool
	// Range tells the ends of the range of input i, infinite where it has none.
	Range(i int) (low, high float64)
}
