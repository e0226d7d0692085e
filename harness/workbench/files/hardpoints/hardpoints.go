// Package hardpoints reads hard points of suspensions from files of other programs, and writes them with the names and
// axes of Skidpad.
//
//	Read(text, options) -> Import -> CSV, Axle
//
// The files, by what they hold:
//
//	hardpoints          Import, Read
//	table, subsystem, listing, chrono    the four forms of files
//	inertia             moments of inertia of Chrono files
//	names, names_file   names of points in these forms, and of the user
//	axle                an axle of a shipped corner, as a model
//	axes                axes of these forms, and checks of directions
//	sides               left and right points
package hardpoints

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// Options tell what a file does not say.
type Options struct {
	Axes      string            // iso, adams, sae, lotus; "" for the axes of the form, if it has any
	Unit      string            // mm, m, in; "" for the unit of the file, or else of its form
	Names     map[string]string // names of points in Skidpad, by their names in the file
	Symmetric bool              // points of both sides that differ are averaged
}

// Point is a hard point of the left side.
type Point struct {
	Name  string     // in Skidpad
	From  string     // in the file
	Place [3]float64 // in ISO axes: x forward, y to the left, z up [m]
}

// Import is the content of a file.
type Import struct {
	Form        string  // kind of the file, in words
	Axes, Unit  string  // of the file
	Left, Right []Point // Right, as mirror images, only where the two sides differ
	Values      []Value
	Options     []Option
	Radius      float64   // of the tires [m], 0 where the file has none
	Printed     []Printed // figures that the file states
	Notes       []string
	Ignored     []string // names and other content without a place in Skidpad
}

// Value is a parameter of shipped corners.
type Value struct {
	Parameter string
	Value     float64
	Unit      string
	Direction [3]float64 // of a parameter that is a direction, in ISO axes, in place of Value; else 0
	From      string     // in the file
}

// Option is a choice of shipped corners.
type Option struct{ Name, Choice, From string }

// Printed is a figure that the file states, with the key and the sign of the figure of the rig.
type Printed struct {
	Figure string
	Value  float64 // [rad] or [m]
	From   string  // in the file
	Text   string  // the value as the file has it
}

// row is a point as a file has it.
type row struct {
	name  string
	side  side
	place [3]float64
	line  int    // 0 if the form has no lines
	from  string // in the file, where name is the name here; else ""
}

// form is a kind of file. read returns its points, in the axes and the unit of the file.
type form struct {
	title         string
	axes, unit    string // of the form; "" if they are not fixed
	suggestedAxes string // where the user names none; "" if the user must
	suggestedUnit string // where neither the file nor the user names one
	is            func(text []byte) bool
	read          func(text []byte) (content, error)
}

// content is a file in its own axes and unit.
type content struct {
	rows           []row
	unit           string   // where the file names one
	ignored, notes []string // other content
	values         []Value
	options        []Option
	radius         float64 // of the tires [m], 0 for none
	printed        []Printed
}

// forms are tried in this order; table takes any text.
var forms = []form{chrono, subsystemText, listing, table}

// Read reads a file. The error names the line or the point, and the remedy.
func Read(text []byte, o Options) (*Import, error) {
	text = bytes.TrimPrefix(text, []byte("\ufeff"))
	f := forms[slices.IndexFunc(forms, func(f form) bool { return f.is(text) })]
	c, err := f.read(text)
	if err != nil {
		return nil, err
	}
	for i := range c.rows {
		c.rows[i].name = control.ReplaceAllString(c.rows[i].name, " ")
	}
	for i := range c.ignored {
		c.ignored[i] = control.ReplaceAllString(c.ignored[i], " ")
	}
	if len(c.rows) == 0 {
		return nil, fmt.Errorf("no point is read from this %s; skidpad hardpoints --help shows the rows that it must have",
			f.title)
	}
	in := &Import{Form: f.title, Values: c.values, Options: c.options, Radius: c.radius, Printed: c.printed,
		Notes: c.notes, Ignored: c.ignored}
	if in.Unit, err = chosen("unit", o.Unit, c.unit, f.unit); err != nil {
		return nil, err
	}
	if in.Unit == "" {
		in.Unit = f.suggestedUnit
		in.Notes = append(in.Notes, fmt.Sprintf("the file names no unit: read in %s; --unit reads another one", in.Unit))
	}
	scale, ok := units[in.Unit]
	if !ok {
		return nil, fmt.Errorf("unit %q: it must be m, mm, cm or in", in.Unit)
	}
	for i := range c.rows {
		for k := range c.rows[i].place {
			c.rows[i].place[k] *= scale
		}
	}
	if err := plausible(c.rows, in.Unit); err != nil {
		return nil, err
	}
	if err := in.name(c.rows, o.Names); err != nil {
		return nil, err
	}
	if err := in.turn(o.Axes, f); err != nil {
		return nil, err
	}
	if err := in.pair(o.Symmetric); err != nil {
		return nil, err
	}
	return in, nil
}

// units are lengths [m].
var units = map[string]float64{"m": 1, "cm": 0.01, "mm": 0.001, "in": 0.0254}

// farthest and nearest bound the distance from the origin [m] of the farthest point of an axle.
const farthest, nearest = 30, 0.01

// plausible finds units that are not those of the file.
func plausible(rows []row, unit string) error {
	distances := make([]float64, len(rows))
	for i, r := range rows {
		distances[i] = distance(r.place, [3]float64{})
	}
	most := slices.Max(distances)
	point := rows[slices.Index(distances, most)].name
	switch {
	case most > farthest && unit == "m":
		return fmt.Errorf("%s is %.3g m from the origin; read the file with --unit mm", point, most)
	case most > farthest:
		return fmt.Errorf("%s is %.3g m from the origin; at most %d m are allowed", point, most, farthest)
	case most < nearest:
		return fmt.Errorf("the points lie all within %.3g mm of the origin; read the file with --unit m", 1e3*most)
	}
	return nil
}

// chosen is the value of the user, or else of the file or of its form, which must not differ.
func chosen(key, users string, stated ...string) (string, error) {
	for _, s := range stated {
		switch {
		case s == "":
		case users != "" && users != s:
			return "", fmt.Errorf("--%s %s contradicts the file, which has %s; leave it out", key, users, s)
		default:
			return s, nil
		}
	}
	return users, nil
}

// number reads a finite number.
func number(text string) (float64, error) {
	x, err := strconv.ParseFloat(strings.TrimSpace(text), 64)
	if err != nil || math.IsNaN(x) || math.IsInf(x, 0) {
		return 0, fmt.Errorf("%q is not a finite number", text)
	}
	return x, nil
}

// numbers reads three coordinates.
func numbers(fields []string) (place [3]float64, err error) {
	if len(fields) != 3 {
		return place, fmt.Errorf("%d coordinates; a point has three", len(fields))
	}
	for k, f := range fields {
		if place[k], err = number(f); err != nil {
			return place, err
		}
	}
	return place, nil
}

// control matches characters that would break a line or move the cursor of a terminal.
var control = regexp.MustCompile(`[^[:graph:] \p{L}]`)

// WriteCSV writes points as a table with the columns name, x [mm], y [mm], z [mm].
func WriteCSV(to io.Writer, points []Point) error {
	var b strings.Builder
	b.WriteString("name, x [mm], y [mm], z [mm]\n")
	for _, p := range points {
		fmt.Fprintf(&b, "%s, %s\n", p.Name, strings.Join(millimetres(p.Place), ", "))
	}
	_, err := io.WriteString(to, b.String())
	return err
}

// millimetres are coordinates without the rounding of the conversion.
func millimetres(place [3]float64) []string {
	var texts []string
	for _, x := range place {
		texts = append(texts, strconv.FormatFloat(math.Round(x*1e12)/1e9+0, 'g', -1, 64))
	}
	return texts
}

// atLine is an error of a line.
func atLine(line int, err error) error {
	return fmt.Errorf("line %d: %w", line, err)
}

var errTwice = errors.New("the point stands twice in the file")
