package keys

import (
	"bytes"
	"cmp"
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

// CurveFile is the file of a curve or surface. Name consists of the component and the key, as in "susp_FL.toe".
type CurveFile struct{ Name, File string }

// curveFile reads a CSV with the points of a curve or surface, whose header has names and units. Columns are the names
// of the wanted columns, the value last; units are the SI units that they must have.
type curveFile struct {
	*Fields
	file           string
	rows           *bounded.Rows
	columns, units []string
	most           int
	points         *points
	lines          []int // of points
}

// pointsOfFile reads two or three columns, "travel [mm], toe [deg]", or a matrix.
func (f *Fields) pointsOfFile(columns, units []string) *points {
	named := CurveFile{strings.TrimPrefix(f.Path, "component."), f.Text("file")}
	if !slices.Contains(f.Reader.CurveFiles, named) {
		f.Reader.CurveFiles = append(f.Reader.CurveFiles, named)
	}
	c := &curveFile{Fields: f, file: cmp.Or(f.Reader.Instead[named.Name], named.File), columns: columns, units: units,
		most: curve.Most, points: &points{surface: len(columns) == 3}}
	if c.points.surface {
		c.most = curve.MostOfSurface
	}
	data, err := f.Reader.Open(bounded.Curves, c.file)
	if err != nil {
		f.Reader.AtEach(f.Node("file"), f.PathOf("file"), err)
		return nil
	}
	c.rows = bounded.NewRows(bytes.NewReader(data))
	c.rows.Comment = '#'
	header, err := c.rows.Next()
	if err != nil {
		if errors.Is(err, io.EOF) {
			err = errors.New("is empty; it needs a header such as travel [m], toe [rad] and two rows of numbers")
		}
		f.Fault("file", "%s: %s: %v", f.PathOf("file"), c.file, err)
		return nil
	}
	read := c.readColumns
	if strings.Contains(header[0], `\`) {
		read = c.readMatrix
	}
	if !read(header) {
		return nil
	}
	c.points.report = c.report
	return c.points
}

// at records an error of a field in the latest row.
func (c *curveFile) at(field int, format string, args ...any) {
	line, column := c.rows.Place(field)
	c.Reader.Place(Position{File: c.file, Line: line, Column: column}, format, args...)
}

// report notes why the points make no curve, at the line of one of them, or at the header.
func (c *curveFile) report(fault *curve.FormError) {
	line := 1
	if fault.Point >= 0 {
		line = c.lines[fault.Point]
	}
	last := len(c.columns) - 1
	c.Reader.Place(Position{File: c.file, Line: line, Column: 1}, "%s, %s over %s, %s", c.Path, c.columns[last],
		strings.Join(c.columns[:last], " and "), fault.Problem)
}

// choose finds the wanted columns in a header, and their units.
func (c *curveFile) choose(header []string) (index []int, scale []unit.Unit, ok bool) {
	for i, name := range c.columns {
		found, named, problem := FindColumn(header, name, c.units[i])
		switch {
		case problem != "" && found >= 0:
			c.at(found, "%s", problem)
			return nil, nil, false
		case problem != "" && i == len(c.columns)-1:
			c.Fault("column", "%s: %s %s", c.PathOf("column"), c.file, problem)
			return nil, nil, false
		case problem != "":
			c.Fault("over", "%s: %s %s", c.PathOf("over"), c.file, problem)
			return nil, nil, false
		}
		index, scale = append(index, found), append(scale, named)
	}
	return index, scale, true
}

// next reads a row, nil at the end of the file.
func (c *curveFile) next() (row []string, ok bool) {
	row, err := c.rows.Next()
	if err != nil && !errors.Is(err, io.EOF) {
		c.Fault("file", "%s: %s: %v", c.PathOf("file"), c.file, err)
		return nil, false
	}
	return row, true
}

// number reads a field, which is of a column or row with a name.
func (c *curveFile) number(row []string, field int, named string) (x float64, ok bool) {
	text := strings.TrimSpace(row[field])
	x, err := strconv.ParseFloat(text, 64)
	if err != nil || math.IsNaN(x-x) {
		c.at(field, "%q is not a finite number; write one in each row of %s", text, named)
		return 0, false
	}
	return x, true
}

// add adds a point of the row that was read last.
func (c *curveFile) add(field int, point [3]float64) bool {
	if len(c.lines) == c.most {
		c.at(field, "is point %d; there may be %d", c.most+1, c.most)
		return false
	}
	line, _ := c.rows.Place(field)
	c.points.list, c.lines = append(c.points.list, point), append(c.lines, line)
	return true
}

// readColumns reads a point from each row.
func (c *curveFile) readColumns(header []string) bool {
	index, scale, ok := c.choose(header)
	if !ok {
		return false
	}
	for {
		row, ok := c.next()
		if !ok || row == nil {
			return ok
		}
		var point [3]float64
		for i, field := range index {
			x, ok := c.number(row, field, c.columns[i])
			if !ok {
				return false
			}
			point[i] = scale[i].Of(x)
		}
		if !c.add(0, point) {
			return false
		}
	}
}

// readMatrix reads a surface whose first column and row have the arguments. The corner names them and the value,
// "travel [mm]\rack [mm]\toe [deg]": what goes down, what goes to the right, and what is inside.
func (c *curveFile) readMatrix(header []string) bool {
	names := strings.Split(header[0], `\`)
	if !c.points.surface || len(names) != 3 {
		c.at(0, "is the corner of a matrix; it must be %s, for a surface over two variables",
			`down [unit]\right [unit]\value [unit]`)
		return false
	}
	index, scale, ok := c.choose(names)
	if !ok {
		return false
	}
	if index[2] != 2 {
		c.at(0, "names %s where the value of the matrix is; it must be the last of the three names",
			strings.TrimSpace(names[2]))
		return false
	}
	down, right := index[0], index[1] // which of the two arguments goes there
	var across []float64
	for field := 1; field < len(header); field++ {
		x, ok := c.increasing(header, field, names[1], scale[right], across)
		if !ok {
			return false
		}
		across = append(across, x)
	}
	var along []float64
	for {
		row, ok := c.next()
		if !ok || row == nil {
			return ok
		}
		x, ok := c.increasing(row, 0, names[0], scale[down], along)
		if !ok {
			return false
		}
		along = append(along, x)
		for i, y := range across {
			z, ok := c.number(row, i+1, c.columns[2])
			var point [3]float64
			point[down], point[right], point[2] = x, y, scale[2].Of(z)
			if !ok || !c.add(i+1, point) {
				return false
			}
		}
	}
}

// increasing reads an argument of a matrix, which must be above the earlier ones.
func (c *curveFile) increasing(row []string, field int, named string, of unit.Unit, before []float64) (float64, bool) {
	x, ok := c.number(row, field, strings.TrimSpace(named))
	if !ok {
		return 0, false
	}
	x = of.Of(x)
	if n := len(before); n > 0 && x <= before[n-1] {
		c.at(field, "%s is not above the one before it; %s must increase", strings.TrimSpace(row[field]),
			strings.TrimSpace(named))
		return 0, false
	}
	return x, true
}

// FindColumn finds a column by its name, and its unit, which must have the dimension of wanted, or any with AnyUnit. A
// problem belongs to the field found, or to the whole header if no field was found.
func FindColumn(header []string, name, wanted string) (field int, of unit.Unit, problem string) {
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
		if wanted == AnyUnit {
			wanted = "m/s"
		}
		return field, of, fmt.Sprintf("column %s lacks its unit; write %s [%s]", name, name, wanted)
	}
	var err error
	if wanted == AnyUnit {
		of, err = unit.Parse(unitName)
	} else {
		of, err = unit.Fit(unitName, wanted)
	}
	if err != nil {
		return field, of, fmt.Sprintf("column %s: %v", name, err)
	}
	return field, of, ""
}
