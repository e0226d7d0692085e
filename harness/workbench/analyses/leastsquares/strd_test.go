package leastsquares

import (
	"fmt"
	"math"
	"math/cmplx"
	"os"
	"strconv"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"
)

// regression is a problem of the Statistical Reference Datasets of the National Institute of Standards and Technology
// (StRD, nonlinear regression, 1997), with two starts, certified parameters, their deviations and the sum of squares.
type regression struct {
	name       string
	start      [2][]float64
	certified  []float64
	deviations []float64
	sum        float64
	y          []float64
	x          [][]float64
}

func regressions(t *testing.T) (list []*regression) {
	t.Helper()
	text, err := os.ReadFile("testdata/strd.txt")
	if err != nil {
		t.Fatal(err)
	}
	var p *regression
	data := false
	for line := range strings.Lines(string(text)) {
		fields := strings.Fields(line)
		if fields[0][0] >= 'A' && fields[0][0] <= 'Z' {
			p, data = &regression{name: fields[0]}, false
			list = append(list, p)
			fields = fields[1:]
		} else if fields[0] == "data" {
			data = true
			continue
		}
		var x []float64
		for _, f := range fields {
			v, err := strconv.ParseFloat(f, 64)
			if err != nil {
				t.Fatal(err)
			}
			x = append(x, v)
		}
		switch {
		case len(x) == 1:
			p.sum = x[0]
		case data:
			p.y, p.x = append(p.y, x[0]), append(p.x, x[1:])
		default:
			p.start[0], p.start[1] = append(p.start[0], x[0]), append(p.start[1], x[1])
			p.certified, p.deviations = append(p.certified, x[2]), append(p.deviations, x[3])
		}
	}
	return list
}

// models are the formulas of the problems, by name or by its beginning.
var models = map[string]func(b []complex128, x []float64) complex128{
	"Bennett5": func(b []complex128, x []float64) complex128 { return b[0] * cmplx.Pow(b[1]+c(x[0]), -1/b[2]) },
	"BoxBOD":   saturating, "Misra1a": saturating,
	"Chwirut": func(b []complex128, x []float64) complex128 { return cmplx.Exp(-b[0]*c(x[0])) / (b[1] + b[2]*c(x[0])) },
	"DanWood": func(b []complex128, x []float64) complex128 { return b[0] * cmplx.Pow(c(x[0]), b[1]) },
	"ENSO": func(b []complex128, x []float64) complex128 {
		w := c(2 * math.Pi * x[0])
		return b[0] + b[1]*cmplx.Cos(w/12) + b[2]*cmplx.Sin(w/12) + b[4]*cmplx.Cos(w/b[3]) + b[5]*cmplx.Sin(w/b[3]) +
			b[7]*cmplx.Cos(w/b[6]) + b[8]*cmplx.Sin(w/b[6])
	},
	"Eckerle4": func(b []complex128, x []float64) complex128 {
		z := (c(x[0]) - b[2]) / b[1]
		return b[0] / b[1] * cmplx.Exp(-0.5*z*z)
	},
	"Gauss": func(b []complex128, x []float64) complex128 {
		u, v := (c(x[0])-b[3])/b[4], (c(x[0])-b[6])/b[7]
		return b[0]*cmplx.Exp(-b[1]*c(x[0])) + b[2]*cmplx.Exp(-u*u) + b[5]*cmplx.Exp(-v*v)
	},
	"Hahn1": cubic, "Thurber": cubic,
	"Kirby2": func(b []complex128, x []float64) complex128 {
		z := c(x[0])
		return (b[0] + z*(b[1]+z*b[2])) / (1 + z*(b[3]+z*b[4]))
	},
	"Lanczos": func(b []complex128, x []float64) complex128 {
		return b[0]*cmplx.Exp(-b[1]*c(x[0])) + b[2]*cmplx.Exp(-b[3]*c(x[0])) + b[4]*cmplx.Exp(-b[5]*c(x[0]))
	},
	"MGH09": func(b []complex128, x []float64) complex128 {
		z := c(x[0])
		return b[0] * z * (z + b[1]) / (z*(z+b[2]) + b[3])
	},
	"MGH10": func(b []complex128, x []float64) complex128 { return b[0] * cmplx.Exp(b[1]/(c(x[0])+b[2])) },
	"MGH17": func(b []complex128, x []float64) complex128 {
		return b[0] + b[1]*cmplx.Exp(-b[3]*c(x[0])) + b[2]*cmplx.Exp(-b[4]*c(x[0]))
	},
	"Misra1b": func(b []complex128, x []float64) complex128 { return b[0] * (1 - cmplx.Pow(1+b[1]*c(x[0]/2), -2)) },
	"Misra1c": func(b []complex128, x []float64) complex128 { return b[0] * (1 - cmplx.Pow(1+b[1]*c(2*x[0]), -0.5)) },
	"Misra1d": func(b []complex128, x []float64) complex128 { return b[0] * b[1] * c(x[0]) / (1 + b[1]*c(x[0])) },
	"Nelson":  func(b []complex128, x []float64) complex128 { return b[0] - b[1]*c(x[0])*cmplx.Exp(-b[2]*c(x[1])) },
	"Rat42":   func(b []complex128, x []float64) complex128 { return b[0] / (1 + cmplx.Exp(b[1]-b[2]*c(x[0]))) },
	"Rat43": func(b []complex128, x []float64) complex128 {
		return b[0] / cmplx.Pow(1+cmplx.Exp(b[1]-b[2]*c(x[0])), 1/b[3])
	},
	"Roszman1": func(b []complex128, x []float64) complex128 {
		return b[0] - b[1]*c(x[0]) - atan(b[2]/(c(x[0])-b[3]))/math.Pi
	},
}

// atan keeps tiny imaginary parts, which cmplx.Atan loses.
func atan(z complex128) complex128 { return complex(math.Atan(real(z)), imag(z)/(1+real(z)*real(z))) }

func c(x float64) complex128 { return complex(x, 0) }

func saturating(b []complex128, x []float64) complex128 { return b[0] * (1 - cmplx.Exp(-b[1]*c(x[0]))) }

func cubic(b []complex128, x []float64) complex128 {
	z := c(x[0])
	return (b[0] + z*(b[1]+z*(b[2]+z*b[3]))) / (1 + z*(b[4]+z*(b[5]+z*b[6])))
}

// problem is the regression from a start. Derivatives are by the imaginary part of a complex change.
func (g *regression) problem(start []float64) *Problem {
	var model func(b []complex128, x []float64) complex128
	for name, f := range models {
		if strings.HasPrefix(g.name, name) {
			model = f
		}
	}
	return &Problem{Start: start, Residuals: len(g.y),
		Evaluate: func(p, residuals []float64, jacobian *mat.Dense) error {
			b := make([]complex128, len(p))
			for j, v := range p {
				b[j] = c(v)
			}
			for i, y := range g.y {
				if g.name == "Nelson" {
					y = math.Log(y)
				}
				if residuals[i] = real(model(b, g.x[i])) - y; math.IsNaN(residuals[i]) || math.IsInf(residuals[i], 0) {
					return fmt.Errorf("no value at %g", g.x[i])
				}
				for j := 0; jacobian != nil && j < len(b); j++ {
					const h = 1e-30
					real := b[j]
					b[j] += complex(0, h)
					jacobian.Set(i, j, imag(model(b, g.x[i]))/h)
					b[j] = real
				}
			}
			return nil
		}}
}

// All 27 problems are solved from the second start: parameters to 1e-6, deviations to 1e-4 of the certified ones.
func TestCertifiedRegressions(t *testing.T) {
	list := regressions(t)
	if len(list) != 27 {
		t.Fatalf("%d problems", len(list))
	}
	for _, g := range list {
		r, err := Solve(g.problem(g.start[1]))
		if err != nil {
			t.Errorf("%s: %v", g.name, err)
			continue
		}
		worst := 0.0
		for j, want := range g.certified {
			worst = max(worst, math.Abs(r.Parameters[j]/want-1))
		}
		cov, err := r.Covariance(0)
		if err != nil {
			t.Fatal(err)
		}
		deviation := 0.0
		for j, want := range g.deviations {
			deviation = max(deviation, math.Abs(cov.Deviations[j]/want-1))
		}
		t.Logf("%s: %d steps, %s; parameters to %.1e, deviations to %.1e, sum %.10g, certified %.10g", g.name, r.Iterations,
			r.End, worst, deviation, r.Sum, g.sum)
		if !(worst < 1e-6) {
			t.Errorf("%s: the parameters are %v, not %v", g.name, r.Parameters, g.certified)
		}
		if !(deviation < 1e-4) && g.name != "Lanczos1" { // its residuals are rounding
			t.Errorf("%s: the deviations are %v, not %v", g.name, cov.Deviations, g.deviations)
		}
	}
}
