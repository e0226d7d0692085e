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

// outOfReach bounds the coordinates of points [m]: squares of lengths are far from the largest numbers.
const outOfReach = 1e6

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

// spots are the points of a use, by their names in the subsystem.
type spots struct {
	use   string // as messages have it
	right bool
	names []string
	at    map[string][len(vectors.Axes)]float64
	nodes map[string]*document.Node
}

// spots lists the points by uses.
func (r *reader) spots() (all []*spots) {
	for i := range r.document.vectors {
		v := &r.document.vectors[i]
		x, unit, ok := r.coordinatesOf(v)
		if !ok || unit != "m" || !v.Point {
			continue
		}
		k := slices.IndexFunc(all, func(s *spots) bool { return s.use == v.Of })
		if k < 0 {
			k = len(all)
			all = append(all, &spots{use: v.Of, right: v.Right, at: map[string][len(vectors.Axes)]float64{},
				nodes: map[string]*document.Node{}})
		}
		s := all[k]
		s.names = append(s.names, v.Own)
		s.at[v.Own], s.nodes[v.Own] = [len(vectors.Axes)]float64{x[0].Value, x[1].Value, x[2].Value}, v.Node
	}
	return all
}

// checkOrder warns of front points behind rear ones, and of wheel centres inside the body. Arms without a plane and
// links without a length are errors.
func (r *reader) checkOrder() {
	sound := r.Len() == 0 // else hinges and rods have told of such points
	for _, s := range r.spots() {
		far := slices.ContainsFunc(s.names, func(name string) bool { // checkPoints has told of it
			at := s.at[name]
			return max(math.Abs(at[0]), math.Abs(at[1]), math.Abs(at[2])) > farthest
		})
		for _, name := range s.names {
			for _, ends := range ahead {
				stem, is := strings.CutSuffix(name, ends[0])
				rear, given := s.at[stem+ends[1]]
				if is && given && s.at[name][0] < rear[0] {
					r.doubts.At(s.nodes[name], "%s lies behind %s%s (%s): x is %.4g and %.4g m, and x points forward; \"skidpad "+
						"hardpoints --axes\" reads points in other axes", name, stem, ends[1], s.use, s.at[name][0], rear[0])
				}
			}
		}
		if sound && !far {
			r.checkArms(s)
			r.checkEnds(s)
		}
		r.checkWheel(s)
	}
}

// leastAngle is the angle between the lines from the outer point of an arm to both pivots below which the three points
// make no plane [rad].
const leastAngle = math.Pi / 180

// checkArms warns of arms whose three points lie on a line, or nearly so.
func (r *reader) checkArms(s *spots) {
	for _, name := range s.names {
		stem, is := strings.CutSuffix(name, "_outer")
		front, one := s.at[stem+"_front"]
		rear, two := s.at[stem+"_rear"]
		if !is || !one || !two {
			continue
		}
		outer := s.at[name]
		if angle := angleAt(outer, front, rear); angle < leastAngle || math.Pi-angle < leastAngle {
			r.At(s.nodes[name], "the arm of %s, %s_front and %s_rear has no plane (%s): seen from %s, the two pivots are "+
				"%.3g deg apart; at least 1 deg is needed, and less than 179 deg: move one of the points away from the line of "+
				"the others", name, stem, stem, s.use, name, angle*180/math.Pi)
		}
	}
}

// angleAt is the angle between the lines from a point to two others; 0 where one of them is no line.
func angleAt(at, one, two [len(vectors.Axes)]float64) float64 {
	var a, b, product float64
	for k := range at {
		u, v := one[k]-at[k], two[k]-at[k]
		a, b, product = a+u*u, b+v*v, product+u*v
	}
	if a == 0 || b == 0 {
		return 0
	}
	return math.Acos(max(-1, min(1, product/math.Sqrt(a*b))))
}

// linked are ends of the names of both points of a link, a spring or a strut.
var linked = [][2]string{{"_inner", "_outer"}, {"_top", "_bottom"}}

// shortest is the least length of a link [m].
const shortest = 1e-3

// checkEnds warns of links and springs whose ends are one point.
func (r *reader) checkEnds(s *spots) {
	for _, name := range s.names {
		for _, ends := range linked {
			stem, is := strings.CutSuffix(name, ends[0])
			other, given := s.at[stem+ends[1]]
			if !is || !given {
				continue
			}
			length := 0.0
			for k, x := range s.at[name] {
				length = math.Hypot(length, x-other[k])
			}
			if length < shortest {
				r.At(s.nodes[name], "%s and %s%s are %.3g mm apart (%s), and have no line between them; correct one of the "+
					"points", name, stem, ends[1], length*1e3, s.use)
			}
		}
	}
}

// onBody are ends of the names of points on the body.
var onBody = []string{"_front", "_inner", "_inner_pivot"}

// checkWheel warns of a wheel centre that is nearer to the middle of the vehicle than the pivots of the links.
func (r *reader) checkWheel(s *spots) {
	wheel, is := s.at["wheel_centre"]
	if !is {
		return
	}
	for _, name := range s.names {
		pivot := slices.ContainsFunc(onBody, func(end string) bool { return strings.HasSuffix(name, end) })
		if y := s.at[name][1]; pivot && math.Abs(wheel[1]) < math.Abs(y) {
			r.doubts.At(s.nodes["wheel_centre"], "wheel_centre is inside the body (%s): it is %.4g m from the middle of the "+
				"vehicle (y), %s on the body %.4g m; correct one of the points, or its unit", s.use, math.Abs(wheel[1]), name,
				math.Abs(y))
			return
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
			if v.Point && math.Abs(x[axis].Value) > outOfReach {
				r.At(v.Node, "%s is %.4g m away (%s); a point lies within %g m", v.Own, math.Abs(x[axis].Value), vectors.Axes[axis],
					outOfReach)
				break
			}
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
