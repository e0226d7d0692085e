package vehicle

import (
	"math"
	"slices"
	"strings"

	"skidpad/model/document"
	"skidpad/model/keys"
	"skidpad/model/subsystem"
	"skidpad/model/vectors"
)

// farthest is the largest plausible coordinate of a point of a vehicle [m]; numbers above it are often millimetres.
const farthest = 20

// coordinatesOf are the parameters of a vector; ok is false where a subsystem has no use for it.
func (r *reader) coordinatesOf(v *subsystem.Vector) (x [len(vectors.Axes)]keys.Scalar, unit string, ok bool) {
	for axis := range x {
		i := slices.IndexFunc(r.model.Parameters, func(p Parameter) bool {
			return p.Name == vectors.Coordinate(v.Name, axis)
		})
		if i < 0 {
			return x, "", false
		}
		x[axis], unit = r.model.Parameters[i].Value, r.model.Parameters[i].Unit
	}
	return x, unit, true
}

// ahead are ends of the names of points, the first ahead of the second.
var ahead = [][2]string{{"_front", "_rear"}, {"_fore_inner", "_aft_inner"}}

// checkOrder warns of front points behind rear ones.
func (r *reader) checkOrder() {
	type spot struct{ of, name string }
	along, nodes := map[spot]float64{}, map[spot]*document.Node{}
	var order []spot
	for i := range r.document.vectors {
		v := &r.document.vectors[i]
		if x, unit, ok := r.coordinatesOf(v); ok && unit == "m" && v.Point {
			at := spot{v.Of, v.Own}
			along[at], nodes[at] = x[0].Value, v.Node
			order = append(order, at)
		}
	}
	for _, at := range order {
		for _, ends := range ahead {
			stem, is := strings.CutSuffix(at.name, ends[0])
			rear, given := along[spot{at.of, stem + ends[1]}]
			if is && given && along[at] < rear {
				r.doubts.At(nodes[at], "%s lies behind %s%s (%s): x is %.4g and %.4g m, and x points forward; \"skidpad "+
					"hardpoints --axes\" reads points in other axes", at.name, stem, ends[1], at.of, along[at], rear)
			}
		}
	}
}

// checkPoints warns of points that are far away, and of points of a left side on the right.
func (r *reader) checkPoints() {
	type side struct{ left, right []string }
	sides, first := map[string]*side{}, map[string]*document.Node{}
	var order []string
	for i := range r.document.vectors {
		v := &r.document.vectors[i]
		x, unit, ok := r.coordinatesOf(v)
		if !ok || unit != "m" {
			continue
		}
		for axis := range x {
			if math.Abs(x[axis].Value) > farthest && x[axis].Unit == "" {
				r.doubts.At(v.Node, "%s is %.4g m away (%s); write unit = \"mm\" if these are millimetres", v.Own,
					math.Abs(x[axis].Value), vectors.Axes[axis])
				break
			}
		}
		y := x[1].Value
		if v.Right {
			y = -y
		}
		if !v.Point || y == 0 {
			continue
		}
		if sides[v.Of] == nil {
			sides[v.Of] = &side{}
			order = append(order, v.Of)
		}
		s := sides[v.Of]
		if y > 0 {
			s.left = append(s.left, v.Own)
			continue
		}
		if s.right = append(s.right, v.Own); len(s.right) == 1 {
			first[v.Of] = v.Node
		}
	}
	for _, of := range order {
		if s := sides[of]; len(s.right) > 0 {
			left := "; all"
			if len(s.left) > 0 {
				left = "; on the left: " + strings.Join(s.left, ", ") + "; all"
			}
			r.doubts.At(first[of], "points of a left side have y < 0 (%s): %s%s stand on the left in a file with "+
				"sides = \"left\"; what is no point takes kind = \"direction\"", of, strings.Join(s.right, ", "), left)
		}
	}
}
