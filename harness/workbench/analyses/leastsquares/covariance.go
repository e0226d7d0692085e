package leastsquares

import (
	"fmt"
	"math"
	"strings"

	"gonum.org/v1/gonum/mat"
)

// Covariance is the covariance of the parameters at a minimum, without parameters at a bound and parameters without
// effect.
type Covariance struct {
	Variance   float64     // of a residual
	Deviations []float64   // of the parameters; 0 at a bound, infinite where nothing responds
	Matrix     [][]float64 // covariances
	// Combinations are the directions of the scaled parameters, most certain first, with their deviations in units of
	// the parameters' sizes.
	Combinations []Combination
}

// Combination is a direction of the parameters, each by its size.
type Combination struct {
	Weights   []float64 // unit vector
	Deviation float64   // of the combination, by the size of the parameters
}

// Covariance estimates the covariance by the Jacobian. With a variance of 0 that of the residuals is estimated from
// them.
func (r *Result) Covariance(variance float64) (*Covariance, error) {
	m, all := r.Jacobian.Dims()
	c := &Covariance{Variance: variance, Deviations: make([]float64, all), Matrix: make([][]float64, all)}
	for j := range c.Matrix {
		c.Matrix[j] = make([]float64, all)
	}
	var free []int
	size := make([]float64, all)
	for j := range all {
		norm := 0.0
		for i := range m {
			norm = math.Hypot(norm, r.Jacobian.At(i, j))
		}
		size[j] = math.Abs(r.Parameters[j])
		if size[j] == 0 {
			size[j] = 1
		}
		switch {
		case r.AtBound[j]:
		case norm == 0:
			c.Deviations[j] = math.Inf(1)
		default:
			free = append(free, j)
		}
	}
	n := len(free)
	if c.Variance == 0 {
		if m <= n {
			return nil, fmt.Errorf("%d residuals of %d parameters tell no variance", m, n)
		}
		c.Variance = r.Sum / float64(m-n)
	}
	if n == 0 {
		return c, nil
	}
	scaled := mat.NewDense(m, n, nil)
	for i := range m {
		for k, j := range free {
			scaled.Set(i, k, r.Jacobian.At(i, j)*size[j])
		}
	}
	var svd mat.SVD
	if !svd.Factorize(scaled, mat.SVDThin) {
		return nil, fmt.Errorf("the singular values of the derivatives cannot be found")
	}
	var v mat.Dense
	svd.VTo(&v)
	for q, s := range svd.Values(nil) {
		combination := Combination{Weights: make([]float64, all), Deviation: math.Sqrt(c.Variance) / s}
		for k, j := range free {
			combination.Weights[j] = v.At(k, q)
		}
		c.Combinations = append(c.Combinations, combination)
		for k, i := range free {
			for l, j := range free {
				c.Matrix[i][j] += c.Variance * v.At(k, q) * v.At(l, q) / (s * s) * size[i] * size[j]
			}
		}
	}
	for _, j := range free {
		c.Deviations[j] = math.Sqrt(c.Matrix[j][j])
	}
	return c, nil
}

// Correlation is the correlation of two parameters.
func (c *Covariance) Correlation(i, j int) float64 {
	return c.Matrix[i][j] / math.Sqrt(c.Matrix[i][i]*c.Matrix[j][j])
}

// Undetermined lists parameters without effect, pairs with a correlation above most, and combinations whose relative
// deviation is above share.
func (c *Covariance) Undetermined(names []string, most, share float64) (list []string) {
	for j, d := range c.Deviations {
		if math.IsInf(d, 1) {
			list = append(list, "nothing responds to "+names[j])
		}
	}
	for i := range names {
		for j := range i {
			if x := c.Correlation(j, i); math.Abs(x) > most {
				list = append(list, fmt.Sprintf("%s and %s have a correlation of %.4f", names[j], names[i], x))
			}
		}
	}
	for _, combination := range c.Combinations {
		if !(combination.Deviation > share) {
			continue
		}
		var parts []string
		for j, w := range combination.Weights {
			if math.Abs(w) > 0.1 {
				parts = append(parts, fmt.Sprintf("%s^%.2f", names[j], w))
			}
		}
		what := "the product " + strings.Join(parts, " ")
		if len(parts) == 1 {
			what, _, _ = strings.Cut(parts[0], "^")
		}
		list = append(list, fmt.Sprintf("%s is known to %.3g %% only", what, 100*combination.Deviation))
	}
	return list
}
