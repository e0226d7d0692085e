package hardpoints

import (
	"fmt"
	"slices"
	"strings"
)

// axesToISO are the signs that bring coordinates into ISO axes: x forward, y to the left, z up.
var axesToISO = map[string][3]float64{
	"iso":   {1, 1, 1},
	"adams": {-1, -1, 1}, // x rearward, y to the right, z up
	"sae":   {1, -1, -1}, // x forward, y to the right, z down
	"lotus": {-1, -1, 1}, // x rearward, z up; a listing has one corner, on either side
}

// axesNames in the order of help and errors.
var axesNames = []string{"iso", "adams", "sae", "lotus"}

// ordered lists pairs of points: the first point of a pair lies ahead of the second one, or above it.
var ordered = []struct {
	first, second string
	direction     int
	relation      string
}{
	{"lower_front", "lower_rear", 0, "ahead of"}, {"upper_front", "upper_rear", 0, "ahead of"},
	{"upper_outer", "lower_outer", 2, "above"}, {"strut_top", "lower_outer", 2, "above"},
	{"spring_top", "spring_bottom", 2, "above"}, {"upper_fore_outer", "lower_fore_outer", 2, "above"},
}

// turn brings the points into ISO axes and checks their directions. It refuses a form without axes, and tells how the
// points lie in all axes.
func (in *Import) turn(users string, f form) (err error) {
	if in.Axes, err = chosen("axes", users, f.axes); err != nil {
		return err
	}
	if in.Axes == "" && f.suggestedAxes != "" {
		in.Axes = f.suggestedAxes
		in.Notes = append(in.Notes,
			fmt.Sprintf("a %s names no axes: read in the axes %s; --axes reads other ones", f.title, in.Axes))
	}
	switch {
	case in.Axes == "":
		return fmt.Errorf("the file does not say its axes; add --axes. %s", in.readings())
	case !slices.Contains(axesNames, in.Axes):
		return fmt.Errorf("axes %q: they must be %s", in.Axes, strings.Join(axesNames, ", "))
	}
	if faults := in.directions(in.Axes); len(faults) > 0 {
		return fmt.Errorf("in the axes %s, %s; another value of --axes may fit. %s", in.Axes, strings.Join(faults, ", "),
			in.readings())
	}
	turnPoints(in.Left, in.Axes)
	turnPoints(in.Right, in.Axes)
	if in.Axes == "lotus" && len(in.Right) == 0 {
		in.mirrorRightCorner()
	}
	return nil
}

func turnPoints(points []Point, axes string) {
	for i := range points {
		for k, s := range axesToISO[axes] {
			points[i].Place[k] = s*points[i].Place[k] + 0
		}
	}
}

// mirrorRightCorner turns the only corner of a file into a left one.
func (in *Import) mirrorRightCorner() {
	sum := 0.0
	for _, p := range in.Left {
		sum += p.Place[1]
	}
	if sum < 0 {
		mirror(in.Left)
		in.Notes = append(in.Notes, "the file has the right corner: its points are mirrored to the left")
	}
}

// directions lists the points whose places contradict their names in these axes.
func (in *Import) directions(axes string) (faults []string) {
	signs := axesToISO[axes]
	for _, points := range [][]Point{in.Left, in.Right} {
		of := map[string][3]float64{}
		for _, p := range points {
			of[p.Name] = p.Place
		}
		for _, o := range ordered {
			a, first := of[o.first]
			b, second := of[o.second]
			if first && second && signs[o.direction]*(a[o.direction]-b[o.direction]) < 0 {
				faults = append(faults, fmt.Sprintf("%s is not %s %s", o.first, o.relation, o.second))
			}
		}
	}
	if axes == "lotus" {
		return faults
	}
	for k, points := range [][]Point{in.Left, in.Right} {
		toLeft := signs[1] * float64(1-2*k)
		for _, p := range points {
			if toLeft*p.Place[1] < 0 && !strings.HasPrefix(p.Name, "panhard") { // a Panhard rod crosses the axle
				faults = append(faults, fmt.Sprintf("%s of the %s side lies on the other side (y = %g m)", p.Name,
					[]string{"left", "right"}[k], p.Place[1]))
			}
		}
	}
	return faults
}

// readings tells for each kind of axes whether the points lie as their names say.
func (in *Import) readings() string {
	var texts []string
	for _, axes := range axesNames {
		reading := "the points lie as their names say"
		if faults := in.directions(axes); len(faults) > 0 {
			reading = faults[0]
			if more := len(faults) - 1; more > 0 {
				reading += fmt.Sprintf(" (and %d more)", more)
			}
		}
		texts = append(texts, axes+": "+reading)
	}
	return strings.Join(texts, "; ")
}
