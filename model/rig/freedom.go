package rig

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/gonum/mat"

	"skidpad/model/formulate"
)

const (
	singular = 1e-10 // share of the largest singular value, or of the largest effect of an unknown, that counts as 0
	moving   = 1e-6  // motion of a wheel by a motion of coordinates that counts as none
	largely  = 0.3   // part in a motion above which a coordinate is named
)

// examine finds two faults of the design position: a wheel that can move although the constraints depend on each
// other, and a wheel that cannot move up or down. Components that nothing holds are kept in Loose.
func (r *Rig) examine() error {
	if r.examined {
		return nil
	}
	r.examined = true
	s := &statics{Rig: r}
	x := s.inDesign()
	s.put(x)
	all := mat.NewDense(len(x), len(x), nil)
	s.Differentiate(x, all)
	r.Loose = r.movers(s, freeMotions(all, len(s.coordinates)))
	rows := mat.NewDense(len(s.constraints)+2, len(s.coordinates), nil)
	var named []string
	for i := range len(s.constraints) + 2 {
		row := len(s.coordinates) + i
		rows.SetRow(i, all.RawRowView(row)[:len(s.coordinates)])
		if i < len(s.constraints) {
			named = append(named, s.equations.Constraints[s.constraints[i]].Name)
		} else {
			named = append(named, "the height of the "+Sides[i-len(s.constraints)]+" wheel")
		}
	}
	var list [][]float64
	for i := range rows.RawMatrix().Rows {
		list = append(list, rows.RawRowView(i))
	}
	dependent := formulate.DependentRows(list)
	if dependent == nil {
		return nil
	}
	var names []string
	for _, i := range dependent {
		if !slices.Contains(names, named[i]) {
			names = append(names, named[i])
		}
	}
	if dependent[len(dependent)-1] >= len(s.constraints) {
		return fmt.Errorf("axle %d of model %s: in the design position the wheel cannot move up or down, because these "+
			"depend on each other: %s; the three points of an arm must not lie on one line", r.options.Axle, r.Model.Name,
			strings.Join(names, ", "))
	}
	free := freeMotions(rows, len(s.coordinates))
	for side := range 2 {
		for _, motion := range free {
			if r.wheelMotion(s, side, motion) > moving {
				return fmt.Errorf("axle %d of model %s: in the design position %s depend on each other, so that the %s wheel "+
					"is free to move with %s; no two links may lie on one line, nor may all links of a carrier meet one line",
					r.options.Axle, r.Model.Name, strings.Join(names, ", "), Sides[side], strings.Join(r.movers(s, free), ", "))
			}
		}
	}
	return nil
}

// freeMotions are changes of the first unknowns, with largest parts of 1, that have no effect on equations. Forces that
// redundant constraints share do not count.
func freeMotions(equations *mat.Dense, unknowns int) (list [][]float64) {
	n, m := equations.Dims()
	j := mat.NewDense(n, m, nil)
	for i := range n {
		if size := mat.Norm(equations.RowView(i), 2); size > 0 {
			for k := range m {
				j.Set(i, k, equations.At(i, k)/size)
			}
		}
	}
	sizes := make([]float64, m)
	for k := range sizes {
		sizes[k] = mat.Norm(j.ColView(k), 2)
	}
	var kept []int // unknowns with an effect
	most := slices.Max(sizes)
	for k, size := range sizes {
		switch {
		case size > singular*most:
			kept = append(kept, k)
		case k < unknowns:
			alone := make([]float64, unknowns)
			alone[k] = 1
			list = append(list, alone)
		}
	}
	scaled := mat.NewDense(max(n, len(kept)), len(kept), nil)
	for to, k := range kept {
		for i := range n {
			scaled.Set(i, to, j.At(i, k)/sizes[k])
		}
	}
	var svd mat.SVD
	if !svd.Factorize(scaled, mat.SVDThin) {
		return list
	}
	values := svd.Values(nil)
	var v mat.Dense
	svd.VTo(&v)
	for i, value := range values {
		motion, part, largest := make([]float64, unknowns), 0.0, 0.0
		for from, k := range kept {
			if k < unknowns {
				motion[k] = v.At(from, i) / sizes[k]
				part, largest = math.Hypot(part, v.At(from, i)), max(largest, math.Abs(motion[k]))
			}
		}
		if value > singular*values[0] || part < largely {
			continue
		}
		for k := range motion {
			motion[k] /= largest
		}
		list = append(list, motion)
	}
	return list
}

// movers names the components with large parts in motions.
func (r *Rig) movers(s *statics, motions [][]float64) (names []string) {
	for _, motion := range motions {
		for k, of := range s.coordinates {
			owner, _, _ := strings.Cut(r.equations.Coordinates[of].Name, ".")
			if math.Abs(motion[k]) > largely && !slices.Contains(names, owner) {
				names = append(names, owner)
			}
		}
	}
	slices.Sort(names)
	return names
}

// wheelMotion is the largest motion of a wheel by a motion of coordinates [m, rad]. Differentiate has left its
// derivatives.
func (r *Rig) wheelMotion(s *statics, side int, motion []float64) (largest float64) {
	w := &r.equations.Wheels[side]
	for i := range 3 {
		for _, output := range []int{w.Centre + i, w.Spin + i} {
			total := 0.0
			for k, of := range s.coordinates {
				total += r.j[output*len(r.u)+r.equations.Coordinates[of].Input] * motion[k]
			}
			largest = max(largest, math.Abs(total))
		}
	}
	return largest
}
