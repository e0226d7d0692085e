package course

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
	"skidpad/model/document"
	"skidpad/model/unit"
)

// heading is the name of a column with its SI unit.
type heading struct{ name, unit string }

// ofTracks are the columns of a track.
var ofTracks = []heading{{"x", "m"}, {"y", "m"}, {"z", "m"}, {"latitude", "rad"}, {"longitude", "rad"}, {"width", "m"},
	{"left", "m"}, {"right", "m"}, {"bank", "rad"}}

// coneColumn is the column of the side of cones.
const coneColumn = "cone"

// Largest is the largest number of a track, in SI units or in the unit of its column.
const Largest = 1e9

// column is a column of a file.
type column struct {
	field int // of a row
	of    unit.Unit
}

// reader reads the rows of a file.
type reader struct {
	file    string
	is      string // "a track"
	known   []heading
	rows    *bounded.Rows
	columns map[string]column
	values  map[string][]float64
	lines   []int
	listed  bool  // it may be a list of cones
	cone    int   // field of the side of cones, -1 for a track by its line
	sides   []int // of cones
}

// fault is an error at a field of the latest row; a negative field is the whole row.
func (r *reader) fault(field int, format string, args ...any) error {
	line, column := r.rows.Place(max(field, 0))
	text := fmt.Sprintf(format, args...)
	if field < 0 {
		return fmt.Errorf("%s:%d: %s", r.file, line, text)
	}
	return fmt.Errorf("%s:%d:%d: %s", r.file, line, column, text)
}

// parse reads the points of a track.
func parse(file string, text []byte) (*Points, error) {
	r := &reader{file: file, is: "a track", known: ofTracks, listed: true, cone: -1}
	if err := r.read(text, r.complete); err != nil {
		return nil, err
	}
	if n := len(r.lines); n < LeastRows {
		return nil, fmt.Errorf("%s: %d rows of numbers; a track has at least %d", file, n, LeastRows)
	}
	if r.cone >= 0 {
		return r.lane(text)
	}
	return r.points(text)
}

// read reads the rows of a file, whose columns are checked by complete.
func (r *reader) read(text []byte, complete func() error) error {
	file := r.file
	r.rows, r.columns, r.values = bounded.NewRows(bytes.NewReader(text)), map[string]column{}, map[string][]float64{}
	r.rows.Comment = '#'
	header, err := r.rows.Next()
	if errors.Is(err, io.EOF) {
		var example []string
		for _, h := range r.known[:2] {
			example = append(example, h.name+" ["+h.unit+"]")
		}
		return fmt.Errorf("%s: the file is empty; %s has a header, such as %s, and rows of numbers", file, r.is,
			strings.Join(example, ","))
	}
	if err != nil {
		return fmt.Errorf("%s: %w", file, err)
	}
	if err := r.header(header); err != nil {
		return err
	}
	if err := complete(); err != nil {
		return err
	}
	for {
		row, err := r.rows.Next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return fmt.Errorf("%s: %w", file, err)
		}
		if len(r.lines) == mostRows {
			return r.fault(-1, "more than %d rows; thin them, 5 m apart are enough", mostRows)
		}
		if err := r.row(row); err != nil {
			return err
		}
	}
}

// header finds the columns.
func (r *reader) header(header []string) error {
	var known []string
	for _, c := range r.known {
		known = append(known, c.name)
	}
	for i, text := range header {
		text = strings.TrimSpace(text)
		if text == coneColumn && r.listed && r.cone < 0 {
			r.cone = i
			continue
		}
		title, rest, has := strings.Cut(text, "[")
		title = strings.TrimSpace(title)
		at := slices.Index(known, title)
		if at < 0 {
			hint := ""
			if near := document.Nearest(title, known); near != "" {
				hint = fmt.Sprintf("did you mean %q? ", near)
			}
			return r.fault(i, "column %s is not known; %scolumns of %s are %s; remove others", quoted(text), hint, r.is,
				strings.Join(known, ", "))
		}
		if _, twice := r.columns[title]; twice {
			return r.fault(i, "there are two columns %s; remove one", title)
		}
		name, ends := strings.CutSuffix(strings.TrimSpace(rest), "]")
		wanted := r.known[at].unit
		example := wanted
		if wanted == "rad" {
			example = "deg"
		}
		if !has || !ends {
			return r.fault(i, "column %s has no unit; write %s [%s] or another unit of this dimension", quoted(text), title,
				example)
		}
		of, err := unit.Fit(strings.TrimSpace(name), wanted)
		if err != nil {
			return r.fault(i, "column %s: %v", quoted(text), err)
		}
		r.columns[title] = column{i, of}
	}
	return nil
}

// complete refuses headers that lack a column or have two columns that exclude each other.
func (r *reader) complete() error {
	has := func(names ...string) bool {
		return !slices.ContainsFunc(names, func(name string) bool { _, is := r.columns[name]; return !is })
	}
	any := func(a, b string) bool { return has(a) || has(b) }
	switch {
	case r.cone >= 0 && (len(r.columns) != 2 || !has("x", "y")):
		return r.fault(r.cone, "a list of cones has the columns x [m], y [m] and %s; remove others", coneColumn)
	case r.cone >= 0:
	case any("x", "y") && any("latitude", "longitude"):
		return r.fault(-1, "the place is given twice, by x and y and by latitude and longitude; remove two of these columns")
	case !has("x", "y") && !has("latitude", "longitude"):
		return r.fault(-1, "the columns of the place are missing; a track has x [m] and y [m], or latitude [deg] and "+
			"longitude [deg]")
	case has("width") && any("left", "right"):
		return r.fault(-1, "the width is given twice; give width, or left and right")
	case !has("width") && !has("left", "right"):
		return r.fault(-1, "the columns of the width are missing; a track has width [m], or left [m] and right [m], the "+
			"distances from the line to the borders")
	}
	return nil
}

// row reads a row.
func (r *reader) row(row []string) error {
	for _, c := range r.known {
		of, has := r.columns[c.name]
		if !has {
			continue
		}
		text := strings.TrimSpace(row[of.field])
		x, err := strconv.ParseFloat(text, 64)
		if err != nil || math.IsNaN(x-x) || math.Abs(x) > Largest {
			return r.fault(of.field, "%s of column %s is not a finite number of at most %g", quoted(text), c.name, Largest)
		}
		x = of.of.Of(x)
		// beyond a quarter or two turns by rounding alone
		const rounding = 1e-12
		switch c.name {
		case "latitude":
			if math.Abs(x) > math.Pi/2+rounding {
				return r.fault(of.field, "latitude %s is out of range; it is from -90 to 90 degrees", text)
			}
		case "longitude":
			if math.Abs(x) > 2*math.Pi+rounding {
				return r.fault(of.field, "longitude %s is out of range; it is from -360 to 360 degrees", text)
			}
		case "width", "left", "right":
			if !(x > 0) {
				return r.fault(of.field, "%s %s is not above 0; the borders are on both sides of the line", c.name, text)
			}
		case "bank":
			if math.Abs(x) >= math.Pi/2 {
				return r.fault(of.field, "bank %s is a wall; it is between -90 and 90 degrees", text)
			}
		}
		r.values[c.name] = append(r.values[c.name], x)
	}
	if r.cone >= 0 {
		if err := r.side(r.cone, row[r.cone]); err != nil {
			return err
		}
	}
	line, _ := r.rows.Place(0)
	r.lines = append(r.lines, line)
	return nil
}

// points are the points of the rows.
func (r *reader) points(text []byte) (*Points, error) {
	v := r.values
	p := &Points{File: r.file, X: v["x"], Y: v["y"], Z: v["z"], Left: v["left"], Right: v["right"], Bank: v["bank"],
		Lines: r.lines, Counts: aLine, Opening: anOpenLine}
	if width := v["width"]; width != nil {
		for _, w := range width {
			p.Left, p.Right = append(p.Left, w/2), append(p.Right, w/2)
		}
	}
	if p.X == nil {
		var far int
		if p.X, p.Y, far = plane(v["latitude"], v["longitude"], v["z"]); far >= 0 {
			return nil, p.fault(far, "the point is more than %d km from the first one; a track is smaller", farthest/1000)
		}
	}
	p.comments(text)
	return p, nil
}

// comments takes the title and the ends from lines that begin with #.
func (p *Points) comments(text []byte) {
	text = bytes.TrimPrefix(text, []byte("\ufeff"))
	for line := range bytes.Lines(text) {
		comment, is := strings.CutPrefix(string(line), "#")
		if !is {
			continue
		}
		switch comment = strings.TrimSpace(comment); {
		case comment == "open":
			p.Ends = Open
		case comment == "closed":
			p.Ends = Closed
		case p.Title == "":
			p.Title = comment
		}
	}
}

// quoted is a string of the file in a message.
func quoted(text string) string {
	const most = 60
	if r := []rune(text); len(r) > most {
		text = string(r[:most]) + "..."
	}
	return strconv.Quote(text)
}
