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
