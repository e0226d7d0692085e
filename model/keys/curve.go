package keys

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"skidpad/model/bounded"
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
	smoothKey = Key{Name: "smooth", Shape: WordShape, Default: "monotone",
		Choices: []string{"monotone", "spline", "linear"}, Text: "how the curve runs between the points"}
	mirroredKey = Key{Name: "mirrored", Shape: WordShape, Default: "no", Choices: []string{"no", "yes"},
		Text: "yes: the mirror image -f(-x) of the curve f of the file"}
	outsideKey = Key{Name: "outside", Shape: WordShape, Default: "tangent", Choices: []string{"tangent", "hold"},
		Text: "how it goes on beyond the ends"}
)

// Curve returns a curve, nil where it is not given or wrong.
func (f *Fields) Curve(name string) *curve.Curve {
	c, _ := f.CurveOrSurface(name)
	return c
}

// CurveOrSurface returns a curve, or a surface of a key that may have a second variable; nil for what is not given or
// wrong.
func (f *Fields) CurveOrSurface(name string) (*curve.Curve, *curve.Surface) {
	k, n := f.get(name)
	if n == nil {
		return nil, nil
	}
	rule, hold := curve.Rule(curve.Monotone), false
	if k.Smooth {
		rule = curve.Smooth
	}
	var p *points
	switch n.Kind {
	case document.List:
		p = f.pointsOf(n, f.PathOf(name), k.units(f.Turning))
	case document.Table:
		form := []Key{pointsKey, fileKey, columnKey, overKey, mirroredKey}
		if !k.Smooth { // kinematics need a continuous second derivative, also at the ends
			form = append(form, smoothKey, outsideKey)
		}
		t := f.Reader.Fields(n, f.PathOf(name), form)
		if !k.Smooth {
			rule = map[string]curve.Rule{"monotone": curve.Monotone, "spline": curve.Smooth,
				"linear": curve.Linear}[t.Text("smooth")]
			hold = t.Text("outside") == "hold"
		}
		if p = t.curvePoints(k.units(f.Turning)); p != nil && t.Text("mirrored") == "yes" {
			p.mirror(k.Mirror != FirstLaw)
		}
	default:
		f.reportInvalid(n, k)
	}
	if p == nil {
		return nil, nil
	}
	c, s, err := p.through(rule, hold)
	if fault := (*curve.FormError)(nil); errors.As(err, &fault) {
		p.report(fault)
	}
	return c, s
}

// through makes a curve of points with two numbers, and a surface of those with three.
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

// mirror makes -f(-x) of a curve, and of a surface -f(-x, -y), or -f(-x, y).
func (p *points) mirror(both bool) {
	last := 1
	if p.surface {
		last = 2
	}
	for i := range p.list {
		x := &p.list[i]
		x[0], x[last] = -x[0], -x[last]
		if p.surface && both {
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

// curveUnits are those of the variables and of the value, for a curve, or for a surface.
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

// points are those of a curve, of two numbers each, or of a surface, of three, with what reports that they are wrong.
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
			return f.pointsOfFile(f.Text("file"), append(over, f.Text("column")), units.curve)
		case 2:
			if units.surface != nil {
				return f.pointsOfFile(f.Text("file"), append(over, f.Text("column")), units.surface)
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

// pointsOfFile reads two or three columns of a CSV, the value last, whose header gives names and units: "travel [mm],
// toe [deg]".
func (f *Fields) pointsOfFile(file string, columns, units []string) *points {
	data, err := f.Reader.Open(bounded.Curves, file)
	if err != nil {
		f.Reader.AtEach(f.Node("file"), f.PathOf("file"), err)
		return nil
	}
	rows := bounded.NewRows(bytes.NewReader(data))
	rows.Comment = '#'
	header, err := rows.Next()
	if err != nil {
		if errors.Is(err, io.EOF) {
			err = errors.New("is empty; it needs a header such as travel [m], toe [rad] and two rows of numbers")
		}
		f.Fault("file", "%s: %s: %v", f.PathOf("file"), file, err)
		return nil
	}
	at := func(field int, format string, args ...any) {
		line, column := rows.Place(field)
		f.Reader.Place(Position{File: file, Line: line, Column: column}, format, args...)
	}
	var index []int
	var scale []unit.Unit
	for i := range columns {
		found, named, problem := findColumn(header, columns[i], units[i])
		switch {
		case problem != "" && found >= 0:
			at(found, "%s", problem)
			return nil
		case problem != "" && i == len(columns)-1:
			f.Fault("column", "%s: %s %s", f.PathOf("column"), file, problem)
			return nil
		case problem != "":
			f.Fault("over", "%s: %s %s", f.PathOf("over"), file, problem)
			return nil
		}
		index, scale = append(index, found), append(scale, named)
	}
	p := &points{surface: len(columns) == 3}
	most := curve.Most
	if p.surface {
		most = curve.MostOfSurface
	}
	var lines []int
	for {
		row, err := rows.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			f.Fault("file", "%s: %s: %v", f.PathOf("file"), file, err)
			return nil
		}
		if len(lines) == most {
			at(0, "is point %d; there may be %d", most+1, most)
			return nil
		}
		var point [3]float64
		for i, field := range index {
			text := strings.TrimSpace(row[field])
			x, err := strconv.ParseFloat(text, 64)
			if err != nil || math.IsNaN(x-x) {
				at(field, "%q is not a finite number; write one in each row of %s", text, columns[i])
				return nil
			}
			point[i] = scale[i].Of(x)
		}
		line, _ := rows.Place(0)
		p.list, lines = append(p.list, point), append(lines, line)
	}
	p.report = func(fault *curve.FormError) {
		line := 1
		if fault.Point >= 0 {
			line = lines[fault.Point]
		}
		last := len(columns) - 1
		f.Reader.Place(Position{File: file, Line: line, Column: 1}, "%s, %s over %s, %s", f.Path, columns[last],
			strings.Join(columns[:last], " and "), fault.Problem)
	}
	return p
}

// findColumn finds a column by its name, and its unit, which must have the dimension of wanted. A problem is that of
// the field that was found, or of the whole header where none was.
func findColumn(header []string, name, wanted string) (field int, of unit.Unit, problem string) {
	field = -1
	var names []string
	unitName, given := "", false
	for i, text := range header {
		title, rest, has := strings.Cut(strings.TrimSpace(text), "[")
		title = strings.TrimSpace(title)
		names = append(names, Printable(title))
		switch {
		case title != name:
		case field >= 0:
			return i, of, fmt.Sprintf("is a second column %s; rename one", name)
		default:
			field, given = i, has && strings.HasSuffix(rest, "]")
			unitName = strings.TrimSpace(strings.TrimSuffix(rest, "]"))
		}
	}
	if field < 0 {
		hint := ""
		if near := document.Nearest(name, names); near != "" {
			hint = fmt.Sprintf("; did you mean %q?", near)
		}
		return field, of, fmt.Sprintf("has no column %q%s its columns: %s", name, HintOrSemicolon(hint),
			strings.Join(names, ", "))
	}
	if !given {
		return field, of, fmt.Sprintf("column %s lacks its unit; write %s [%s]", name, name, wanted)
	}
	of, err := unit.Fit(unitName, wanted)
	if err != nil {
		return field, of, fmt.Sprintf("column %s: %v", name, err)
	}
	return field, of, ""
}
