package component

import (
	"math"
	"strings"

	"skidpad/model/expr"
	"skidpad/model/keys"
)

// stiffnessUnit is the unit of a load of one coordinate over another, and loadUnit of a load.
func stiffnessUnit(load, coordinate bool) string {
	switch {
	case load && coordinate:
		return "N.m/rad"
	case coordinate:
		return "N/rad"
	case load:
		return "N"
	}
	return "N/m"
}

func loadUnit(turns bool) string {
	if turns {
		return "N.m"
	}
	return "N"
}

// lossLag is loss/(2 pi f): by how long the damping of a stiffness leads.
func lossLag(b Builder, loss, frequency keys.Scalar) *expr.Expr {
	p, of := b.Pool(), b.Scalar("loss", "1", loss)
	if of.IsZero() {
		return of
	}
	return b.Define("lag", p.Div(of, p.Mul(p.Num(expr.FromFloat(2*math.Pi)),
		b.Scalar("frequency", "Hz", frequency))))
}

// checkStiffness reports a matrix over coordinates that is not symmetric or not semidefinite. A matrix is semidefinite
// if no pivot of its factors LDL^T is negative, after scaling to ones on the diagonal.
func checkStiffness(f *keys.Fields, matrix [][]keys.Scalar, coordinates []string) {
	if matrix == nil {
		return
	}
	path := f.PathOf("matrix")
	const small = 1e-9
	size := make([]float64, len(matrix))
	for i, row := range matrix {
		if size[i] = math.Sqrt(row[i].Value); row[i].Value < 0 {
			f.FaultAt(row[i].Pos, "%s[%d][%d] is %s; a stiffness must not be negative", path, i, i, row[i].Text)
			return
		}
	}
	a := make([][]float64, len(matrix))
	for i := range a {
		a[i] = make([]float64, len(matrix))
	}
	for i, row := range matrix {
		for j, s := range row {
			other := matrix[j][i]
			switch scale := size[i] * size[j]; {
			case j < i && math.Abs(s.Value-other.Value) > small*max(math.Abs(s.Value), math.Abs(other.Value)):
				f.FaultAt(s.Pos, "%s[%d][%d] is %s, and [%d][%d] is %s; the matrix must be symmetric", path, i, j,
					s.Text, j, i, other.Text)
				return
			case scale > 0:
				a[i][j] = s.Value / scale
			case s.Value != 0:
				f.FaultAt(s.Pos, "%s[%d][%d] is %s, but the stiffness of %s or %s is 0; the matrix must be positive "+
					"semidefinite", path, i, j, s.Text, coordinates[i], coordinates[j])
				return
			}
		}
	}
	for k := range a {
		last, negative := k, a[k][k] < -small
		for i := k + 1; i < len(a) && !negative; i++ {
			if a[k][k] > small {
				for j := k + 1; j < len(a); j++ {
					a[i][j] -= a[i][k] * a[k][j] / a[k][k]
				}
			} else if math.Abs(a[i][k]) > math.Sqrt(small) { // beside a stiffness of 0
				last, negative = i, true
			}
		}
		if negative {
			f.Fault("matrix", "%s gives energy in some motion of %s; it must be positive semidefinite: reduce the "+
				"elements off the diagonal", path, strings.Join(coordinates[:last+1], ", "))
			return
		}
	}
}
