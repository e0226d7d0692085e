package keys

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"skidpad/model/curve"
	"skidpad/model/document"
	"skidpad/model/unit"
)

var (
	pointsKey = Key{Name: "points", Shape: CurveShape, Optional: true, Text: "the points, in place of a file"}
	fileKey   = Key{Name: "file", Shape: TextShape, Optional: true, Text: "CSV file, relative to the folder of this file"}
	columnKey = Key{Name: "column", Shape: TextShape, Optional: true, Text: "column of the file that has y"}
	overKey   = Key{Name: "over", Shape: TextShape, Optional: true,
		Text: "column of the file that has x, or a list of two, for a surface"}
	smoothKey = Key{Name: "smooth", Shape: WordShape, Optional: true,
		Choices: []string{"monotone", "spline", "linear"},
		Text:    "how the curve runs between the points; default: spline for kinematics, else monotone"}
	mirroredKey = Key{Name: "mirrored", Shape: WordShape, Default: "no", Choices: []string{"no", "yes"},
		Text: "yes: the mirror image -f(-x) of the curve f of the file"}
	outsideKey = Key{Name: "outside", Shape: WordShape, Default: "tangent", Choices: []string{"tangent", "hold", "error"},
		Text: "how it goes on beyond the ends; error: a step that ends there fails"}
)

// CurveKeys are the keys of a curve as a table.
var CurveKeys = []Key{pointsKey, fileKey, columnKey, overKey, mirroredKey, smoothKey, outsideKey}

// rules are how curves run between their points, by the words of smoothKey.
var rules = map[string]curve.Rule{"monotone": curve.Monotone, "spline": curve.Smooth, "linear": curve.Linear}

// Curve returns a curve, nil where it is not given or wrong.
func (f *Fields) Curve(name string) *curve.Curve {
	c, _ := f.CurveOrSurface(name)
	return c
}

// CurveOrSurface returns a curve, or a surface for a key that allows a second variable; nil if the key is not given, or
// wrong.
func (f *Fields) CurveOrSurface(name string) (*curve.Curve, *curve.Surface) {
	k, n := f.get(name)
	if n == nil {
		return nil, nil
	}
	word, outside := "monotone", "tangent"
	if k.Smooth {
		word = "spline"
	}
	var p *points
	switch n.Kind {
	case document.List:
		p = f.pointsOf(n, f.PathOf(name), k.units(f.Turning))
	case document.Table:
		t := f.Reader.Fields(n, f.PathOf(name), CurveKeys)
		if t.Given("smooth") {
			word = t.Text("smooth")
		}
		outside = t.Text("outside")
		if p = t.curvePoints(k.units(f.Turning)); p != nil && t.Text("mirrored") == "yes" {
			p.mirror(k.Mirror)
		}
	default:
		f.reportInvalid(n, k)
	}
	if p == nil {
		return nil, nil
	}
	c, s, err := p.through(rules[word], outside == "hold")
	if fault := (*curve.FormError)(nil); errors.As(err, &fault) {
		p.report(fault)
	}
	if units := k.units(f.Turning); outside == "error" && c != nil {
		c.Limit = &curve.Limit{Key: f.PathOf(name), Units: units.curve[:1]}
	} else if outside == "error" && s != nil {
		s.Limit = &curve.Limit{Key: f.PathOf(name), Units: units.surface[:2]}
	}
	return c, s
}

// through makes a curve from points with two numbers, and a surface from points with three.
func (p *points) through(rule curve.Rule, hold bool) (*curve.Curve, *curve.Surface, error) {
	if p.surface {
		var list []curve.PointOfSurface
		for _, n := range p.list {
			list = append(list, curve.PointOfSurface{X: n[0], Y: n[1], Z: n[2]})
		}
		s, err := curve.NewSurface(list, rule, hold)
		return nil, s, err
	}
	var x, y []float64
	for _, n := range p.list {
		x, y = append(x, n[0]), append(y, n[1])
	}
	c, err := rule(x, y)
	if err == nil && hold {
		c = c.Hold()
	}
	return c, nil, err
}

// mirror makes -f(-x) of a curve, and of a surface -f(-x, -y), -f(-x, y), or f(x, -y) over a steering.
func (p *points) mirror(how Mirror) {
	if p.surface && how == OverSteering {
		for i := range p.list {
			p.list[i][1] = -p.list[i][1]
		}
		return
	}
	last := 1
	if p.surface {
		last = 2
	}
	for i := range p.list {
		x := &p.list[i]
		x[0], x[last] = -x[0], -x[last]
		if p.surface && how != FirstLaw {
			x[1] = -x[1]
		}
	}
	slices.Reverse(p.list)
	report, n := p.report, len(p.list)
	p.report = func(fault *curve.FormError) {
		turned := *fault
		if turned.Point >= 0 {
			turned.Point = n - 1 - turned.Point
		}
		report(&turned)
	}
}

// curveUnits are the units of the variables and of the value, for a curve or for a surface.
type curveUnits struct{ curve, surface []string }

func (k *Key) units(turning bool) (of curveUnits) {
	both := k.Unit
	if turning && k.Turning != "" {
		both = k.Turning
	}
	of.curve = strings.Split(both, ", ")
	if k.Second != "" {
		second := k.Second
		if turning && k.TurningSecond != "" {
			second = k.TurningSecond
		}
		of.surface = []string{of.curve[0], second, of.curve[1]}
	}
	return of
}

// points are the points of a curve, of two numbers each, or of a surface, of three numbers each. report reports their
// errors.
type points struct {
	list    [][3]float64
	surface bool
	report  func(*curve.FormError)
}

// curvePoints reads the table form of a curve or surface.
func (f *Fields) curvePoints(units curveUnits) *points {
	list := f.Node("points")
	switch {
	case list == nil && f.Given("file") && f.Given("column") && f.Given("over"):
		over := []string{}
		if n := f.Node("over"); n.Kind == document.List {
			over = f.Texts("over")
		} else {
			over = append(over, f.Text("over"))
		}
		switch len(over) {
		case 1:
			return f.pointsOfFile(append(over, f.Text("column")), units.curve)
		case 2:
			if units.surface != nil {
				return f.pointsOfFile(append(over, f.Text("column")), units.surface)
			}
			f.Fault("over", "%s names two columns; this key is a curve over one", f.PathOf("over"))
		default:
			f.Fault("over", "%s names %d columns; it must name one, or two for a surface", f.PathOf("over"), len(over))
		}
		return nil
	case list == nil || f.Given("file") || f.Given("column") || f.Given("over"):
		f.FaultOfTable("%s needs either points or all of file, column and over", f.Path)
	case list.Kind != document.List:
		f.Reader.At(list, "%s is %s; it must be a list of points [x, y]", f.PathOf("points"), list)
	default:
		return f.pointsOf(list, f.PathOf("points"), units)
	}
	return nil
}

// pointsOf reads a list of points, whose numbers may have units.
func (f *Fields) pointsOf(n *document.Node, path string, units curveUnits) *points {
	p := &points{report: func(fault *curve.FormError) {
		if i := fault.Point; i >= 0 {
			f.Reader.At(n.Items[i].Items[0], "%s[%d] %s", path, i, fault.Problem)
		} else {
			f.Reader.At(n, "%s %s", path, fault.Problem)
		}
	}}
	of, must := units.curve, "a point [x, y], two numbers"
	if units.surface != nil && len(n.Items) > 0 && len(n.Items[0].Items) == 3 {
		of, must, p.surface = units.surface, "a point [x, y, z], three numbers", true
	}
	for i, point := range n.Items {
		if point.Kind != document.List || len(point.Items) != len(of) {
			f.Reader.At(point, "%s[%d] is %s; it must be %s", path, i, point, must)
			return nil
		}
		var x [3]float64
		for k, item := range point.Items {
			number, isNumber, err := unit.ParseNumber(item.Text)
			switch {
			case item.Kind == document.Number:
				x[k] = item.Number
				continue
			case item.Kind != document.Text || !isNumber && err == nil:
				f.Reader.At(point, "%s[%d] is %s, with %s; it must be %s", path, i, point, item, must)
				return nil
			}
			s := Scalar{}
			f.Reader.measure(&s, number, item, fmt.Sprintf("%s[%d][%d]", path, i, k), &Key{Unit: of[k]}, err)
			if s.wrong {
				return nil
			}
			x[k] = s.Value
		}
		p.list = append(p.list, x)
	}
	return p
}
