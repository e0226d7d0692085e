package suspension

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"skidpad/harness"
	"skidpad/harness/workbench/results/report"
	"skidpad/harness/workbench/results/setups"
	"skidpad/model/bounded"
	"skidpad/model/rig"
)

// Setup is one set-up of an axle, read from a folder of results.
type Setup struct {
	Name   string
	result setupResult
	curves []curve
}

// setupResult holds the fields of figures.json for an overlay.
type setupResult struct {
	Model   string
	Axle    int
	Tires   []string
	Figures []setupFigure
}

type setupFigure struct {
	Key, Unit, Missing string
	Left, Right, Value *float64
}

// sides are the values of both wheels; NaN for a missing figure.
func (f *setupFigure) sides() (x [2]float64) {
	for i, given := range []*float64{f.Left, f.Right} {
		x[i] = math.NaN()
		for _, v := range []*float64{given, f.Value} {
			if v != nil {
				x[i] = *v
			}
		}
	}
	return x
}

// kcTable is the file of a folder with the curves.
const kcTable = "kc.csv"

// IsFolder reports whether a folder has results of the rig.
func IsFolder(folder string) bool {
	_, err := os.Stat(filepath.Join(folder, kcTable))
	return err == nil
}

// ReadSetups reads folders of results. The first is the reference. Without names the set-ups are called like their
// folders.
func ReadSetups(folders, names []string) ([]Setup, error) {
	called, err := setups.Names(folders, names)
	if err != nil {
		return nil, err
	}
	var list []Setup
	for i, folder := range folders {
		s := Setup{Name: called[i]}
		if err := s.read(folder); err != nil {
			return nil, fmt.Errorf("%w; give a folder that 'skidpad kc --out' has written", err)
		}
		list = append(list, s)
	}
	return list, nil
}

func (s *Setup) read(folder string) error {
	path := filepath.Join(folder, "figures.json")
	text, err := bounded.Table.Read(path)
	if err != nil {
		return err
	}
	if err := json.Unmarshal(text, &s.result); err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	if s.result.Axle == 0 || len(s.result.Figures) == 0 {
		return fmt.Errorf("%s: no axle or no figures", path)
	}
	path = filepath.Join(folder, kcTable)
	if text, err = bounded.Table.Read(path); err != nil {
		return err
	}
	if s.curves, err = parseCurves(text); err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	for i := range s.curves {
		s.curves[i].name = s.Name
	}
	return nil
}

// parseCurves reads the table of WriteCSV.
func parseCurves(text []byte) (list []curve, err error) {
	rows := bounded.NewRows(bytes.NewReader(text))
	head, err := rows.Next()
	if err != nil {
		return nil, err
	}
	head = slices.Clone(head)
	index := func(name string) (int, error) {
		if i := slices.Index(head, name); i >= 0 {
			return i, nil
		}
		return 0, fmt.Errorf("there is no column %q", name)
	}
	var fixed [3]int
	for i, name := range []string{"test", "over", "at [SI]"} {
		if fixed[i], err = index(name); err != nil {
			return nil, err
		}
	}
	for {
		row, err := rows.Next()
		if errors.Is(err, io.EOF) {
			return list, nil
		}
		if err != nil {
			return nil, err
		}
		test := row[fixed[0]]
		if len(list) == 0 || list[len(list)-1].test != test {
			_, unit, _ := strings.Cut(strings.TrimSuffix(row[fixed[1]], "]"), "[")
			list = append(list, curve{test: test, unit: unit, values: map[string][2][]float64{}})
		}
		c := &list[len(list)-1]
		at, err := strconv.ParseFloat(row[fixed[2]], 64)
		if err != nil {
			line, column := rows.Place(fixed[2])
			return nil, fmt.Errorf("line %d, column %d: %q is not a number", line, column, row[fixed[2]])
		}
		c.at = append(c.at, at)
		for _, of := range columns {
			sides := c.values[of.key]
			for side := range rig.Sides {
				k, err := index(of.head(side))
				if err != nil {
					return nil, err
				}
				x, err := strconv.ParseFloat(row[k], 64)
				if err != nil {
					line, column := rows.Place(k)
					return nil, fmt.Errorf("line %d, column %d: %q is not a number", line, column, row[k])
				}
				sides[side] = append(sides[side], x)
			}
			c.values[of.key] = sides
		}
	}
}

// Overlay is a page with the figures of set-ups, their differences from the first set-up, and the curves over each
// other.
func Overlay(list []Setup) *report.Page {
	page := &report.Page{Title: "Kinematics and compliance", Subtitle: "Set-ups compared with " + list[0].Name,
		Facts: []report.Fact{{Name: "Reference", Value: list[0].Name}, {Name: "Skidpad", Value: harness.Version}}}
	vehicles := &report.Table{Columns: []report.Column{{Name: "Set-up"}, {Name: "Model"}, {Name: "Axle"},
		{Name: "Tires"}}}
	var curves []curve
	for _, s := range list {
		vehicles.Rows = append(vehicles.Rows, []string{s.Name, s.result.Model, strconv.Itoa(s.result.Axle),
			strings.Join(s.result.Tires, ", ")})
		curves = append(curves, s.curves...)
	}
	page.Sections = []report.Section{{Title: "Set-ups", Blocks: []report.Block{vehicles}},
		{Title: "Figures", Blocks: []report.Block{compared(list)}}}
	for _, s := range sections(curves) {
		page.Sections = append(page.Sections, s.Section)
	}
	return page
}

// compared is the table of the figures of all set-ups: one row for equal wheels, else one row for each wheel.
func compared(list []Setup) *report.Table {
	t := &report.Table{Columns: []report.Column{{Name: "Figure"}, {Name: "Side"}, {Name: "Unit"},
		{Name: list[0].Name, Kind: report.Number}}, Note: "Differences are value minus reference."}
	for _, s := range list[1:] {
		t.Columns = append(t.Columns, report.Column{Name: s.Name, Kind: report.Number},
			report.Column{Name: "difference", Kind: report.Number})
	}
	var keys []string
	for _, s := range list {
		for _, f := range s.result.Figures {
			if !slices.Contains(keys, f.Key) {
				keys = append(keys, f.Key)
			}
		}
	}
	for _, key := range keys {
		si, unit, same, any := 1.0, "", true, false
		values := make([][2]float64, len(list))
		for i, s := range list {
			values[i] = [2]float64{math.NaN(), math.NaN()}
			k := slices.IndexFunc(s.result.Figures, func(f setupFigure) bool { return f.Key == key })
			if k < 0 || s.result.Figures[k].Missing != "" {
				continue
			}
			f := &s.result.Figures[k]
			values[i], any = f.sides(), true
			unit, si = Shown(&rig.Figure{Key: key, Unit: f.Unit})
			same = same && alike(values[i])
		}
		if !any {
			continue
		}
		row := func(side int, name string) []string {
			of := func(i int) float64 { return values[i][side] / si }
			cells := []string{Text(key), name, unit, cell(of(0))}
			for i := range list[1:] {
				cells = append(cells, cell(of(i+1)), difference(of(i+1), of(0)))
			}
			return cells
		}
		if same {
			t.Rows = append(t.Rows, row(rig.Left, ""))
			continue
		}
		for side, name := range rig.Sides {
			t.Rows = append(t.Rows, row(side, name))
		}
	}
	return t
}

// alike reports whether both wheels have one value, up to rounding errors.
func alike(x [2]float64) bool {
	const rounding = 1e-9
	return math.Abs(x[0]-x[1]) <= rounding*max(1e-3, math.Abs(x[0]))
}

// cell is a number, "-" for a missing one.
func cell(x float64) string {
	if math.IsNaN(x) {
		return "-"
	}
	return Number(x)
}

// difference has a sign and three digits; "" where a value is missing, 0 for rounding errors.
func difference(x, reference float64) string {
	const rounding = 1e-6
	switch d := x - reference; {
	case math.IsNaN(d):
		return ""
	case math.Abs(d) <= rounding*max(rounding, math.Abs(reference)):
		return "0"
	default:
		return fmt.Sprintf("%+.3g", d)
	}
}
