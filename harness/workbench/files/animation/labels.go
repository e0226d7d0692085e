package animation

import (
	"math"
	"slices"
	"strings"
)

// Letters of names, in pixels. The width is an upper estimate of a letter of the font.
const (
	nameSize  = 9
	nameWidth = 5.4
	nameGap   = 1 // around a name
)

// named is a place with its name.
type named struct {
	text string
	at   vector
}

// places are the places of drawn frames with one name each. Frames at one place share the end of their names, the name
// of a point: tie_outer_FL of carrier_tie_outer_FL and rod_tie_outer_FL.
func (s *Scene) places() (list []named) {
	for i, name := range s.Names {
		at := s.at(i).r
		same := slices.IndexFunc(list, func(l named) bool {
			return math.Abs(l.at[0]-at[0])+math.Abs(l.at[1]-at[1])+math.Abs(l.at[2]-at[2]) < 1e-6
		})
		if same < 0 {
			list = append(list, named{name, at})
			continue
		}
		const fewest = 2 // words, since one can be that of the side
		if turnedFrame(list[same].text) && !turnedFrame(name) {
			list[same].text = name
		}
		if common := commonEnd(list[same].text, name); len(common) >= fewest {
			list[same].text = strings.Join(common, "_")
		}
	}
	return list
}

// turnedFrame reports whether a frame has been made for the axes of a joint.
func turnedFrame(name string) bool {
	return strings.HasSuffix(name, "_tail") || strings.HasSuffix(name, "_head")
}

// commonEnd are the last words that two names have in common.
func commonEnd(a, b string) []string {
	x, y := strings.Split(a, "_"), strings.Split(b, "_")
	n := 0
	for n < min(len(x), len(y)) && x[len(x)-1-n] == y[len(y)-1-n] {
		n++
	}
	return x[len(x)-n:]
}

// rectangle is an area of a view, in pixels to the right and downward.
type rectangle struct{ left, top, right, bottom float64 }

func (a rectangle) overlaps(b rectangle) bool {
	return a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom
}

// include makes the area larger.
func (a *rectangle) include(b rectangle) {
	a.left, a.top = min(a.left, b.left), min(a.top, b.top)
	a.right, a.bottom = max(a.right, b.right), max(a.bottom, b.bottom)
}

// label is a name beside a point of a view.
type label struct {
	text  string
	point [2]float64
	area  rectangle
	line  bool // a line leads from the point to the name
}

// labelled places names beside points so that no name covers another name or a point. Points of both sides that
// coincide, such as tie_FL and tie_FR, have one name: tie_FL, FR. An area is taken already.
func labelled(texts []string, points [][2]float64, already rectangle) (list []label) {
	for i, text := range texts {
		head, side := "", text
		if k := strings.LastIndexByte(text, '_'); k >= 0 {
			head, side = text[:k+1], text[k+1:]
		}
		same := slices.IndexFunc(list, func(l label) bool {
			return head != "" && strings.HasPrefix(l.text, head) && !strings.Contains(l.text[len(head):], "_") &&
				math.Hypot(l.point[0]-points[i][0], l.point[1]-points[i][1]) < 1
		})
		if same >= 0 {
			list[same].text += ", " + side
			continue
		}
		list = append(list, label{text: text, point: points[i]})
	}
	var middle [2]float64
	for _, l := range list {
		for k := range middle {
			middle[k] += l.point[k] / float64(len(list))
		}
	}
	taken := []rectangle{already}
	for _, l := range list {
		const dot = 2.5
		taken = append(taken, rectangle{l.point[0] - dot, l.point[1] - dot, l.point[0] + dot, l.point[1] + dot})
	}
	for i := range list {
		list[i].place(middle, taken)
		taken = append(taken, list[i].area)
	}
	return list
}

// place takes the nearest free area, away from the middle of the view if there is a choice.
func (l *label) place(middle [2]float64, taken []rectangle) {
	const near, step, directions = 5, 5, 16
	outward := math.Atan2(l.point[1]-middle[1], l.point[0]-middle[0])
	for distance := float64(near); ; distance += step {
		for n := range directions {
			turn := float64((n+1)/2) * 2 * math.Pi / directions // to both sides in turn
			if n%2 == 0 {
				turn = -turn
			}
			l.area = l.beside(distance, outward+turn)
			if !slices.ContainsFunc(taken, l.area.overlaps) {
				l.line = distance > near
				return
			}
		}
	}
}

// beside is the area of the name in a direction from the point.
func (l *label) beside(distance, direction float64) rectangle {
	sine, cosine := math.Sincos(direction)
	width, height := nameWidth*float64(len([]rune(l.text)))+2*nameGap, float64(nameSize+2*nameGap)
	x, y := l.point[0]+distance*cosine-width/2, l.point[1]+distance*sine-height/2
	x, y = x+width/2*cosine, y+height/2*sine
	return rectangle{x, y, x + width, y + height}
}

// end is the point of the name's area that is nearest to the point.
func (l *label) end() [2]float64 {
	return [2]float64{min(max(l.point[0], l.area.left), l.area.right), min(max(l.point[1], l.area.top), l.area.bottom)}
}
