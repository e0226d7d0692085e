package subsystem

import (
	"bytes"
	"errors"
	"io"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"skidpad/model/bounded"
	"skidpad/model/document"
	"skidpad/model/keys"
	"skidpad/model/unit"
	"skidpad/model/vectors"
)

// PointsKeys are the keys of the points of a use.
var PointsKeys = []keys.Key{
	{Name: "file", Shape: keys.TextShape, Text: "CSV with the header name, x [mm], y [mm], z [mm] and a row for each " +
		"point"},
}

// Table is a file of values that a use names.
type Table struct {
	Name *document.Node // its name in the use, from the folder of the model
	Data []byte
}

// givePoints adds the points of a file to the parameters of a use. A point among the parameters comes first.
func (x *expander) givePoints(u *use, n *document.Node) {
	path := "use " + u.name + ".points"
	f := x.Fields(n, path, PointsKeys)
	if f.Table == nil || f.Text("file") == "" {
		return
	}
	file := f.Node("file")
	data, err := x.Open(bounded.HardPoints, file.Text)
	if err != nil {
		x.AtEach(file, path+".file", err)
		return
	}
	if !slices.ContainsFunc(x.result.Tables, func(t Table) bool { return t.Name == file }) {
		x.result.Tables = append(x.result.Tables, Table{file, data})
	}
	before := x.Len()
	points := x.readPoints(file, path, data)
	if x.Len() > before {
		return
	}
	own := u.file.root.Field("parameters")
	if x.checkPointNames(u, path, points); x.Len() > before {
		return
	}
	var missing []string
	given := &document.Node{Kind: document.Table, File: n.File, Line: n.Line, Column: n.Column,
		Fields: map[string]*document.Node{}}
	if u.parameters != nil {
		given.Keys, given.Fields = slices.Clone(u.parameters.Keys), maps.Clone(u.parameters.Fields)
	}
	for _, name := range tableKeys(own) {
		p := own.Field(name)
		switch {
		case !IsVector(p) || given.Field(name) != nil:
		case points.Field(name) != nil:
			given.Keys, given.Fields[name] = append(given.Keys, name), points.Field(name)
		case p.Field("kind") == nil || p.Field("kind").Text == position:
			missing = append(missing, name)
		}
	}
	if len(missing) > 0 {
		x.At(file, "%s.file: %s lacks the points %s of %s; add a row for each, or give it in [use.%s.parameters]", path,
			file.Text, strings.Join(missing, ", "), u.file.Name, u.name)
	}
	u.parameters = given
}

// checkPointNames: every point of the file is a vector of the subsystem, also one that its options remove.
func (x *expander) checkPointNames(u *use, path string, points *document.Node) {
	own := u.file.source.root.Field("parameters")
	var vectors []string
	for _, name := range tableKeys(own) {
		if IsVector(own.Field(name)) {
			vectors = append(vectors, name)
		}
	}
	for _, name := range points.Keys {
		if slices.Contains(vectors, name) {
			continue
		}
		hint := ""
		if near := document.Nearest(name, vectors); near != "" {
			hint = "; did you mean \"" + near + "\"?"
		}
		x.At(points.Field(name), "%s has %q, which is no point of %s%s its points: %s", path, keys.Printable(name),
			u.file.Name, keys.HintOrSemicolon(hint), orNothing(vectors))
	}
}

// mostPoints bounds the rows of a file of points; an axle has some 30.
const mostPoints = 1000

var unitOfColumn = regexp.MustCompile(`^([xyz])\s*\[\s*([^\]]+?)\s*\]$`)

// readPoints reads a CSV of points: a table of vectors whose coordinates have units.
func (x *expander) readPoints(file *document.Node, path string, data []byte) *document.Node {
	points := &document.Node{Kind: document.Table, Fields: map[string]*document.Node{}}
	rows := bounded.NewRows(bytes.NewReader(data))
	rows.Comment = '#'
	node := func(field int) *document.Node {
		line, column := rows.Place(field)
		return &document.Node{Kind: document.Text, File: bounded.Beside(x.model, file.Text), Line: line, Column: column}
	}
	var units []string
	for {
		row, err := rows.Next()
		switch {
		case errors.Is(err, io.EOF):
			if len(points.Keys) == 0 {
				x.At(file, "%s.file: %s has no point; it needs the header name, x [mm], y [mm], z [mm] and a row for each point",
					path, file.Text)
			}
			return points
		case err != nil:
			x.At(file, "%s.file: %s: %v", path, file.Text, err)
			return points
		case units == nil:
			if units = unitsOfHeader(row); units == nil {
				x.At(node(0), "%s has the header %s; it must be name, x [mm], y [mm], z [mm], or have another unit of length",
					path, keys.Printable(strings.Join(row, ",")))
				return points
			}
			continue
		case len(points.Keys) == mostPoints:
			x.At(node(0), "%s has more than %d points, the most that are read", path, mostPoints)
			return points
		}
		name, vector := strings.TrimSpace(row[0]), node(0)
		if first := points.Field(name); first != nil {
			x.At(vector, "%s has the point %s twice, first in line %d; remove one row", path, keys.Printable(name), first.Line)
			continue
		}
		vector.Kind = document.List
		for axis := range vectors.Axes {
			item := node(axis + 1)
			item.Text = strings.TrimSpace(row[axis+1])
			if value, err := strconv.ParseFloat(item.Text, 64); err != nil || value-value != 0 {
				x.At(item, "%s: %s of %s is %q; it must be a finite number", path, vectors.Axes[axis], keys.Printable(name),
					keys.Printable(item.Text))
			}
			item.Text += " " + units[axis]
			vector.Items = append(vector.Items, item)
		}
		points.Keys, points.Fields[name] = append(points.Keys, name), vector
	}
}

// unitsOfHeader are the units of the columns x, y and z, nil for another header.
func unitsOfHeader(row []string) (units []string) {
	if len(row) != 1+len(vectors.Axes) || strings.TrimSpace(row[0]) != "name" {
		return nil
	}
	for axis, name := range vectors.Axes {
		m := unitOfColumn.FindStringSubmatch(strings.TrimSpace(row[axis+1]))
		if m == nil || m[1] != name {
			return nil
		}
		if _, err := unit.Fit(m[2], "m"); err != nil {
			return nil
		}
		units = append(units, m[2])
	}
	return units
}
