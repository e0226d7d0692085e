// Package validation compares a simulated test with measured runs of the same test, as public summaries describe
// ISO 19364, ISO 19365 and ISO 22140: boundary curves about the simulation, measured points with their scatter, and a
// verdict for each curve and each characteristic value. It claims compliance with no standard.
//
//	spec.go       tolerances: those that are shipped, and those of a user
//	record.go     simulated and measured runs as records of the same quantities
//	match.go      which simulated run a measured one repeats, and why it is refused
//	points.go     measured points with their scatter
//	validation.go curves and characteristic values with their verdicts
//	output.go     table, JSON and page
package validation

import (
	"bytes"
	"cmp"
	"embed"
	"fmt"
	"slices"
	"strings"

	"skidpad/harness/workbench/results/compare"
	"skidpad/model/bounded"
	"skidpad/model/document"
	"skidpad/model/keys"
)

//go:embed iso19364.toml iso19365.toml iso22140.toml
var shipped embed.FS

// standards are the standards, with the kinds of characteristic values of their tests.
var standards = []struct {
	number string
	kinds  []string
}{
	{"19364", []string{"steady-circle-speed", "steady-circle-radius", "slowly-increasing-steer"}},
	{"19365", []string{"sine-with-dwell"}},
	{"22140", []string{"step-steer", "sine-steer", "frequency-response"}},
}

// Numbers are the numbers of the standards.
func Numbers() (list []string) {
	for _, s := range standards {
		list = append(list, s.number)
	}
	return list
}

// Spec has the tolerances of a validation.
type Spec struct {
	compare.Spec
	Number string
	test   test
	own    []string // characteristic values for which only a user gives tolerances
}

// test says how alike a measured and a simulated test must be.
type test struct {
	speed   float64 // difference of the speeds [m/s]
	radius  float64 // difference of the radii, as a share
	lateral float64 // least largest lateral acceleration [m/s2]
	rate    float64 // largest rise of the lateral acceleration [m/s3]
	input   float64 // difference of the angles of the steering wheel, as a share of their root mean square
	every   float64 // distance of points, in SI units of x
}

// FileKeys are the keys of files with tolerances of a validation.
var FileKeys = append(slices.Clone(compare.FileKeys), keys.Key{Name: "test", Shape: keys.TableShape, Optional: true,
	Text: "how alike a measured and a simulated test must be", Keys: []keys.Key{
		{Name: "speed", Unit: "m/s", Positive: true, Optional: true, Text: "largest difference of the speeds"},
		{Name: "radius", Unit: "1", Positive: true, Optional: true, Text: "largest difference of the radii, as a share"},
		{Name: "lateral", Unit: "m/s2", Positive: true, Optional: true,
			Text: "lateral acceleration that a steady circle must reach"},
		{Name: "rate", Unit: "m/s3", Positive: true, Optional: true,
			Text: "largest mean rise of the lateral acceleration of a steady circle"},
		{Name: "input", Unit: "1", Positive: true, Optional: true, Text: "largest root mean square of the difference " +
			"of the steering-wheel angles, as a share of that of the simulated angle"},
		{Name: "every", Positive: true, Optional: true,
			Text: "distance of the points at which measured runs are compared, in the SI unit of x"},
	}})

// Shipped is the shipped file of tolerances of a standard.
func Shipped(number string) ([]byte, error) {
	data, err := shipped.ReadFile("iso" + number + ".toml")
	if err != nil {
		return nil, fmt.Errorf("--iso %s: there are %s", number, strings.Join(Numbers(), ", "))
	}
	return data, nil
}

// ReadSpec reads the shipped tolerances of a standard, and over them a file of a user, "" for none. Each corridor,
// tolerance and number of [test] of this file replaces the shipped one of the same name.
func ReadSpec(number, file string) (*Spec, error) {
	data, err := Shipped(number)
	if err != nil {
		return nil, err
	}
	s, err := parse("iso"+number+".toml", data, test{})
	if err != nil || file == "" {
		return s.of(number), err
	}
	if data, err = bounded.Comparison.Read(file); err != nil {
		return nil, err
	}
	user, err := parse(file, data, s.test)
	if err != nil {
		return nil, err
	}
	return s.with(user).of(number), nil
}

func (s *Spec) of(number string) *Spec {
	if s != nil {
		s.Number = number
	}
	return s
}

// parse reads a file of tolerances. It takes numbers of [test] that the file lacks from otherwise.
func parse(file string, data []byte, otherwise test) (*Spec, error) {
	root, err := document.Parse(bytes.TrimPrefix(data, []byte("\ufeff")), file)
	if err != nil {
		return nil, err
	}
	r := keys.NewReader(file, root, nil)
	f := r.Fields(root, "the file of tolerances", FileKeys)
	s := &Spec{Spec: *compare.SpecOf(f), test: otherwise}
	if f.Given("title") {
		s.Title = f.Text("title")
	}
	t := f.Sub("test")
	for name, to := range map[string]*float64{"speed": &s.test.speed, "radius": &s.test.radius,
		"lateral": &s.test.lateral, "rate": &s.test.rate, "input": &s.test.input, "every": &s.test.every} {
		if t.Given(name) {
			*to = t.Number(name)
		}
	}
	for i, c := range f.NonEmptyList("corridor") {
		if x, y := s.Corridors[i].X, s.Corridors[i].Y; !isCurve(x, y) {
			c.Fault("y", "%s over %s is no curve of a validation; x is one of a_y, time and frequency; y is one of %s, over "+
				"frequency with _gain or _phase behind it", y, x, strings.Join(names(), ", "))
		}
	}
	for i, c := range f.NonEmptyList("figure") {
		if name := s.Figures[i].Figure; needs(name) == nil {
			c.Fault("figure", "%s is not computed from measured runs; the names of those that are begin with %s", name,
				strings.Join(prefixes(), ", "))
		}
	}
	if s.Align != "" || s.Shift != 0 {
		f.FaultOfTable("shift and align: a validation takes times from the steering; leave them out")
	}
	return s, r.Err()
}

// isCurve reports whether a validation has a curve y over x.
func isCurve(x, y string) bool {
	if x == "frequency" {
		of, part := cutLast(y)
		return quantityOf(of) != nil && (part == "gain" || part == "phase")
	}
	return (x == "a_y" || x == "time") && quantityOf(y) != nil
}

// cutLast cuts a name at its last underscore.
func cutLast(name string) (before, after string) {
	i := strings.LastIndex(name, "_")
	return name[:max(i, 0)], name[i+1:]
}

// with are the tolerances with those of a user, which replace shipped ones of the same name.
func (s *Spec) with(user *Spec) *Spec {
	out := *s
	out.test, out.Map = user.test, user.Map
	if user.Title != "Comparison" {
		out.Title = user.Title
	}
	for _, c := range user.Corridors {
		out.Corridors = slices.DeleteFunc(out.Corridors, func(o compare.Corridor) bool { return o.X == c.X && o.Y == c.Y })
		out.Corridors = append(out.Corridors, c)
	}
	for _, t := range user.Figures {
		if !slices.ContainsFunc(s.Figures, func(o compare.FigureTolerance) bool { return o.Figure == t.Figure }) {
			out.own = append(out.own, t.Figure)
		}
		out.Figures = slices.DeleteFunc(out.Figures, func(o compare.FigureTolerance) bool { return o.Figure == t.Figure })
		out.Figures = append(out.Figures, t)
	}
	slices.SortStableFunc(out.Corridors, func(a, b compare.Corridor) int {
		return cmp.Compare(place(a.Y), place(b.Y))
	})
	return &out
}

// place is the place of a curve in the order of quantities.
func place(y string) int {
	if q := quantityOf(y); q == nil {
		y, _ = cutLast(y)
	}
	return slices.Index(names(), y)
}
