package keys

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"
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
	overKey   = Key{Name: "over", Shape: TextShape, Optional: true, Text: "column of the file that has x"}
	smoothKey = Key{Name: "smooth", Shape: WordShape, Default: "monotone",
		Choices: []string{"monotone", "spline", "linear"}, Text: "how the curve runs between the points"}
	outsideKey = Key{Name: "outside", Shape: WordShape, Default: "tangent", Choices: []string{"tangent", "hold"},
		Text: "how it goes on beyond the ends"}
)

// Curve returns a curve, nil where it is not given or wrong.
func (f *Fields) Curve(name string) *curve.Curve {
	k, n := f.get(name)
	if n == nil {
		return nil
	}
	through, hold := curve.Monotone, false
	if k.Smooth {
		through = curve.Smooth
	}
	var points *points
	switch n.Kind {
	case document.List:
		points = f.pointsOf(n, f.PathOf(name))
	case document.Table:
		form := []Key{pointsKey, fileKey, columnKey, overKey}
		if !k.Smooth { // kinematics need a continuous second derivative, also at the ends
			form = append(form, smoothKey, outsideKey)
		}
		t := f.Reader.Fields(n, f.PathOf(name), form)
		if !k.Smooth {
			through = map[string]func(x, y []float64) (*curve.Curve, error){
				"monotone": curve.Monotone, "spline": curve.Smooth, "linear": curve.Linear}[t.Text("smooth")]
			hold = t.Text("outside") == "hold"
		}
		points = t.curvePoints(k.units(f.Turning))
	default:
		f.reportInvalid(n, k)
	}
	if points == nil {
		return nil
	}
	c, err := through(points.x, points.y)
	if fault := (*curve.FormError)(nil); errors.As(err, &fault) {
		points.report(fault)
		return nil
	}
	if hold {
		c = c.Hold()
	}
	return c
}

// units are those of x and y.
func (k *Key) units(turning bool) (units [2]string) {
	both := k.Unit
	if turning && k.Turning != "" {
		both = k.Turning
	}
	units[0], units[1], _ = strings.Cut(both, ", ")
	return units
}

// points are those of a curve, with what reports that they are wrong.
type points struct {
	x, y   []float64
	report func(*curve.FormError)
}

// curvePoints reads the table form of a curve.
func (f *Fields) curvePoints(units [2]string) *points {
	list := f.Node("points")
	switch {
	case list == nil && f.Given("file") && f.Given("column") && f.Given("over"):
		return f.pointsOfFile(f.Text("file"), [2]string{f.Text("over"), f.Text("column")}, units)
	case list == nil || f.Given("file") || f.Given("column") || f.Given("over"):
		f.FaultOfTable("%s needs either points or all of file, column and over", f.Path)
	case list.Kind != document.List:
		f.Reader.At(list, "%s is %s; it must be a list of points [x, y]", f.PathOf("points"), list)
	default:
		return f.pointsOf(list, f.PathOf("points"))
	}
	return nil
}

// pointsOf reads a list of points.
func (f *Fields) pointsOf(n *document.Node, path string) *points {
	p := &points{report: func(fault *curve.FormError) {
		if i := fault.Point; i >= 0 {
			f.Reader.At(n.Items[i].Items[0], "%s[%d] %s", path, i, fault.Problem)
		} else {
			f.Reader.At(n, "%s %s", path, fault.Problem)
		}
	}}
	for i, point := range n.Items {
		if point.Kind != document.List || len(point.Items) != 2 || point.Items[0].Kind != document.Number ||
			point.Items[1].Kind != document.Number {
			f.Reader.At(point, "%s[%d] is %s; it must be a point [x, y], two numbers", path, i, point)
			return nil
		}
		p.x, p.y = append(p.x, point.Items[0].Number), append(p.y, point.Items[1].Number)
	}
	return p
}

// pointsOfFile reads two columns of a CSV, x and y, whose header gives names and units: "travel [mm], toe [deg]".
func (f *Fields) pointsOfFile(file string, columns, units [2]string) *points {
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
	var index [2]int
	var scale [2]unit.Unit
	for i, key := range [2]string{"over", "column"} {
		found, named, problem := findColumn(header, columns[i], units[i])
		if problem != "" && found >= 0 {
			at(found, "%s", problem)
			return nil
		} else if problem != "" {
			f.Fault(key, "%s: %s %s", f.PathOf(key), file, problem)
			return nil
		}
		index[i], scale[i] = found, named
	}
	p := &points{}
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
		if len(lines) == curve.Most {
			at(0, "is point %d; a curve has 2 to %d", curve.Most+1, curve.Most)
			return nil
		}
		var point [2]float64
		for i, field := range index {
			text := strings.TrimSpace(row[field])
			x, err := strconv.ParseFloat(text, 64)
			if err != nil || math.IsNaN(x-x) {
				at(field, "%q is no finite number; write one in each row of %s", text, columns[i])
				return nil
			}
			point[i] = x*scale[i].Factor + scale[i].Offset
		}
		line, _ := rows.Place(0)
		p.x, p.y, lines = append(p.x, point[0]), append(p.y, point[1]), append(lines, line)
	}
	p.report = func(fault *curve.FormError) {
		line := 1
		if fault.Point >= 0 {
			line = lines[fault.Point]
		}
		f.Reader.Place(Position{File: file, Line: line, Column: 1}, "%s, %s over %s, %s", f.Path, columns[1], columns[0],
			fault.Problem)
	}
	return p
}

// findColumn finds a column by its name, and its unit, which must have the dimension of wanted. A problem is that of the
// field that was found, or of the whole header where none was.
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
	of, err := unit.Parse(unitName)
	if err != nil {
		return field, of, fmt.Sprintf("column %s: %v", name, err)
	}
	target, err := unit.Parse(wanted)
	if err != nil {
		panic(err) // units of keys are tested
	}
	if dimensionOf(of.Exponents) != dimensionOf(target.Exponents) {
		return field, of, fmt.Sprintf("column %s is in %s, which is no unit for what must be in %s", name, unitName, wanted)
	}
	return field, of, ""
}
