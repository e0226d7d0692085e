package hardpoints

import (
	"fmt"
	"math"
	"slices"
)

// side is the left or the right side of the vehicle.
type side int

const (
	left  side = iota // also of points that stand for both sides
	right             // of points that the file gives for the right side
)

// equal is the largest distance [m] of points that count as mirror images of each other.
const equal = 1e-4

func mirror(points []Point) {
	for i := range points {
		points[i].Place[1] = -points[i].Place[1] + 0
	}
}

// pair compares the sides. Right points become mirror images, so that both sides can be given to a subsystem, which
// mirrors its right instance. Sides that are equal become one.
func (in *Import) pair(symmetric bool) error {
	if len(in.Right) == 0 {
		return nil
	}
	mirror(in.Right)
	largest, where, differ := 0.0, "", 0
	for i, r := range in.Right {
		k := slices.IndexFunc(in.Left, func(l Point) bool { return l.Name == r.Name })
		if k < 0 {
			return fmt.Errorf("%s is given for the right side and not for the left one", r.From)
		}
		d := distance(in.Left[k].Place, r.Place)
		if d > largest {
			largest, where = d, r.Name
		}
		if d > equal {
			differ++
		}
		if symmetric {
			for n := range r.Place {
				in.Left[k].Place[n] = (in.Left[k].Place[n] + r.Place[n]) / 2
			}
		}
		in.Right[i].Place = r.Place
	}
	switch {
	case symmetric:
		in.Notes = append(in.Notes,
			fmt.Sprintf("left and right are averaged; they differ by up to %.4g mm (%s)", largest*1e3, where))
		in.Right = nil
	case differ == 0:
		if largest > 1e-9 {
			in.Notes = append(in.Notes, fmt.Sprintf("left and right differ by up to %.3g mm (%s): the left points are "+
				"taken; --symmetric takes the average", largest*1e3, where))
		}
		in.Right = nil
	default:
		for _, l := range in.Left {
			if !slices.ContainsFunc(in.Right, func(r Point) bool { return r.Name == l.Name }) {
				in.Right = append(in.Right, l)
			}
		}
		in.Notes = append(in.Notes, fmt.Sprintf("left and right differ in %d points, by up to %.4g mm (%s): two sets, "+
			"both written for the left side; --symmetric takes the average", differ, largest*1e3, where))
	}
	return nil
}

func distance(a, b [3]float64) float64 {
	return math.Hypot(math.Hypot(a[0]-b[0], a[1]-b[1]), a[2]-b[2])
}
