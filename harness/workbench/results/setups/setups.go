// Package setups lays the results of a manoeuvre with several set-ups of a vehicle over each other.
package setups

import (
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"skidpad/harness/workbench/results/display"
	"skidpad/harness/workbench/results/recording"
	"skidpad/harness/workbench/results/report"
	"skidpad/harness/workbench/results/trace"
	"skidpad/model/bounded"
)

// Setup is one set-up, read from a result folder of a manoeuvre.
type Setup struct {
	Name   string
	result result
	first  *trace.Trace // the first run
}

// result holds the fields of a file figures.json for a report.
type result struct {
	Vehicle, Car, Manoeuvre, Title, Version string
	Model                                   struct{ File string }
	Tires                                   []string
	Mass, Ratio                             float64
	Carried                                 float64 `json:"carried_mass"`
	Files                                   map[string]string
	Constants                               map[string]float64
	Origins                                 map[string]string
	Parameters                              map[string]float64 // of the model file, SI
	Runs                                    []struct {
		Parameters map[string]string
		Verdict    string
		Figures    []figure
	}
	Figures []figure
}

type figure struct {
	Figure, Definition, Unit string
	Value                    *float64
}

// Names are the names of set-ups in folders. Without names the set-ups are called like their folders.
func Names(folders, names []string) ([]string, error) {
	switch {
	case len(folders) < 2:
		return nil, fmt.Errorf("%d folder; a report needs two or more, the reference first", len(folders))
	case len(names) != 0 && len(names) != len(folders):
		return nil, fmt.Errorf("%d names for %d folders; give one name for each", len(names), len(folders))
	}
	var called []string
	for i, folder := range folders {
		name := filepath.Base(filepath.Clean(folder))
		if len(names) > 0 {
			name = strings.TrimSpace(names[i])
		}
		if name == "" || slices.Contains(called, name) {
			return nil, fmt.Errorf("%s: the name %q is empty or taken; give a different one for each folder with --names",
				folder, name)
		}
		called = append(called, name)
	}
	return called, nil
}

// Read reads the folders that `skidpad manoeuvre --out` has written. The first is the reference. Without names the
// set-ups are called like their folders. It refuses folders of different manoeuvres.
func Read(folders, names []string) ([]Setup, error) {
	called, err := Names(folders, names)
	if err != nil {
		return nil, err
	}
	var list []Setup
	for i, folder := range folders {
		s := Setup{Name: called[i]}
		if err := s.read(folder); err != nil {
			return nil, err
		}
		if i > 0 && s.result.Manoeuvre != list[0].result.Manoeuvre {
			return nil, fmt.Errorf("%s is of the manoeuvre %q, %s of %q; give folders of one manoeuvre", folder,
				s.result.Manoeuvre, folders[0], list[0].result.Manoeuvre)
		}
		list = append(list, s)
	}
	return list, nil
}

// read reads the files of a folder.
func (s *Setup) read(folder string) error {
	path := filepath.Join(folder, "figures.json")
	text, err := bounded.Table.Read(path)
	if err != nil {
		return fmt.Errorf("%w; give a folder that 'skidpad manoeuvre --out' has written", err)
	}
	if err := json.Unmarshal(text, &s.result); err != nil {
		return fmt.Errorf("%s: %w; run the manoeuvre again", path, err)
	}
	if s.result.Manoeuvre == "" || len(s.result.Runs) == 0 {
		return fmt.Errorf("%s: no manoeuvre or no runs; run the manoeuvre again", path)
	}
	path = filepath.Join(folder, "run_1.parquet")
	if _, err := os.Stat(path); err != nil {
		path = filepath.Join(folder, "run_1.csv") // of --full
	}
	s.first, err = recording.Read(path)
	return err
}

// Report is a page: the vehicles, the differences between the set-ups, and the characteristic values with their
// differences from the first set-up. The first runs are drawn over each other, in display units.
func Report(list []Setup, units *display.Units) *report.Page {
	r := list[0].result
	page := &report.Page{Title: r.Title, Subtitle: "Set-ups compared with " + list[0].Name,
		Facts: []report.Fact{{Name: "Manoeuvre", Value: r.Manoeuvre}, {Name: "Reference", Value: list[0].Name}},
		Sections: []report.Section{
			{Title: "Set-ups", Blocks: []report.Block{vehicles(list, units)}},
			{Title: "Differences between the set-ups", Blocks: []report.Block{differences(list)}},
			{Title: "Characteristic values", Blocks: []report.Block{values(list, units)}},
		}}
	for _, s := range list {
		for i, run := range s.result.Runs {
			if run.Verdict != "" {
				page.Sections[2].Text += fmt.Sprintf("Run %d of %s ended early: %s. ", i+1, s.Name, run.Verdict)
			}
		}
	}
	if plots := overlaid(list, units); len(plots) > 0 {
		page.Sections = append(page.Sections,
			report.Section{Title: "First runs", Blocks: []report.Block{&report.Grid{Plots: plots}}})
	}
	return page
}

// vehicles is a table of the vehicles: a row for each property in a result.
func vehicles(list []Setup, units *display.Units) *report.Table {
	table := &report.Table{Columns: []report.Column{{Name: "What"}}}
	unit, scale := units.Of("kg")
	number := func(x float64) string {
		if x == 0 {
			return ""
		}
		return fmt.Sprintf("%.5g", x/scale)
	}
	rows := []struct {
		name string
		of   func(r *result) string
	}{
		{"vehicle", func(r *result) string { return r.Vehicle }},
		{"model file", func(r *result) string { return r.Model.File }},
		{"SHA-256", func(r *result) string { return short(r.Files[r.Model.File]) }},
		{"car file", func(r *result) string { return r.Car }},
		{"tires", func(r *result) string { return strings.Join(r.Tires, "; ") }},
		{"mass, " + unit, func(r *result) string { return number(r.Mass) }},
		{"mass that the wheels carry in the first second, " + unit, func(r *result) string {
			if r.Mass > 0 {
				return ""
			}
			return number(r.Carried)
		}},
		{"version", func(r *result) string { return r.Version }},
	}
	for _, s := range list {
		table.Columns = append(table.Columns, report.Column{Name: s.Name})
	}
	for _, row := range rows {
		cells, any := []string{row.name}, false
		for i := range list {
			text := row.of(&list[i].result)
			any = any || text != ""
			cells = append(cells, text)
		}
		if any {
			table.Rows = append(table.Rows, cells)
		}
	}
	return table
}

// short is the begin of a hash.
func short(hash string) string {
	const digits = 12
	return hash[:min(digits, len(hash))]
}

// differences is a table of what the set-ups do not have in common: files by their hashes, constants, parameters.
func differences(list []Setup) *report.Table {
	table := &report.Table{Columns: []report.Column{{Name: "What"}}}
	all := make([]map[string]string, len(list))
	keys := map[string]bool{}
	for i, s := range list {
		table.Columns = append(table.Columns, report.Column{Name: s.Name})
		all[i] = s.result.properties()
		for key := range all[i] {
			keys[key] = true
		}
	}
	for _, key := range slices.Sorted(maps.Keys(keys)) {
		row, differs := []string{key}, false
		for i := range list {
			value, has := all[i][key]
			if !has {
				value = list[i].result.ofFile(key, all)
			}
			row = append(row, value)
			differs = differs || value != row[1]
		}
		if differs {
			table.Rows = append(table.Rows, row)
		}
	}
	if table.Rows = append(table.Rows, parametersDiffer(list)...); len(table.Rows) == 0 {
		table.Note = "Files, constants and parameters are the same."
	}
	return table
}

// parametersDiffer adds rows for parameters of model files that differ between set-ups. Components missing in a set-up
// get one row instead of their parameters.
func parametersDiffer(list []Setup) (rows [][]string) {
	names, components := map[string]bool{}, make([]map[string]bool, len(list))
	for i, s := range list {
		if s.result.Parameters == nil { // of a result without parameters nothing is known
			return nil
		}
		components[i] = map[string]bool{}
		for name := range s.result.Parameters {
			names[name] = true
			components[i][component(name)] = true
		}
	}
	told := map[string]bool{}
	for _, name := range slices.Sorted(maps.Keys(names)) {
		part := component(name)
		lacks := func(has map[string]bool) bool { return !has[part] }
		row, differs := []string{"parameter " + name}, false
		if slices.ContainsFunc(components, lacks) {
			if told[part] {
				continue
			}
			told[part] = true
			row = []string{"component or parameter " + part}
			for i := range list {
				row = append(row, map[bool]string{true: "present", false: "none"}[components[i][part]])
			}
			rows = append(rows, row)
			continue
		}
		first, has := list[0].result.Parameters[name]
		for _, s := range list {
			x, also := s.result.Parameters[name]
			differs = differs || also != has || x != first
			if !also {
				row = append(row, "none")
				continue
			}
			row = append(row, fmt.Sprintf("%.6g", x))
		}
		if differs {
			rows = append(rows, row)
		}
	}
	return rows
}

// component is the part of a vehicle that a name belongs to.
func component(name string) string {
	part, _, _ := strings.Cut(name, ".")
	return part
}

// ofFile is the value of a key that a set-up does not set: for a parameter the value of its file, written as in other
// set-ups if it is the same number; "none" where it has nothing.
func (r *result) ofFile(key string, all []map[string]string) string {
	_, name, _ := strings.Cut(key, ", parameter ")
	x, known := r.Parameters[name]
	if !known {
		return "none"
	}
	for _, o := range all {
		if y, err := strconv.ParseFloat(o[key], 64); err == nil && y == x {
			return o[key]
		}
	}
	return fmt.Sprintf("%.6g, from the file", x)
}

// properties are the inputs of a result.
func (r *result) properties() map[string]string {
	list := map[string]string{"version": r.Version, "number of runs": strconv.Itoa(len(r.Runs))}
	if r.Ratio != 0 { // which is 0 where it is not known
		list["steering wheel to road wheels"] = fmt.Sprintf("%g to 1", r.Ratio)
	}
	for name, hash := range r.Files {
		list["file "+name+", SHA-256"] = short(hash)
	}
	for name, value := range r.Constants {
		list["constant "+name] = fmt.Sprintf("%.6g", value)
		if origin := r.Origins[name]; origin != "" && origin != "file" {
			list["constant "+name] += ", from " + strings.Replace(origin, "run", "the run", 1)
		}
	}
	for i, run := range r.Runs {
		for name, value := range run.Parameters {
			list[fmt.Sprintf("run %d, parameter %s", i+1, name)] = value
		}
	}
	return list
}

// key tells figures apart.
type key struct{ run, figure string }

// values is a table of the figures of all set-ups with differences from the first.
func values(list []Setup, units *display.Units) *report.Table {
	table := &report.Table{Columns: []report.Column{{Name: "Run"}, {Name: "Figure"}, {Name: "Unit"},
		{Name: list[0].Name, Kind: report.Number}},
		Note: "Differences are value minus reference, with sign, and this by the magnitude of the reference: from -40 to " +
			"-38 is +2, +5 %."}
	for _, s := range list[1:] {
		table.Columns = append(table.Columns, report.Column{Name: s.Name, Kind: report.Number},
			report.Column{Name: "difference", Kind: report.Number}, report.Column{Name: "% of magnitude", Kind: report.Number})
	}
	table.Columns = append(table.Columns, report.Column{Name: "Definition"})
	var order []key
	all := make([]map[key]figure, len(list))
	for i, s := range list {
		all[i] = map[key]figure{}
		add := func(run string, figures []figure) {
			for _, f := range figures {
				k := key{run, f.Figure}
				if !slices.Contains(order, k) {
					order = append(order, k)
				}
				all[i][k] = f
			}
		}
		for n, run := range s.result.Runs {
			add(strconv.Itoa(n+1), run.Figures)
		}
		add("all", s.result.Figures)
	}
	for _, k := range order {
		var known figure
		for i := range list {
			if f, has := all[i][k]; has {
				known = f
				break
			}
		}
		unit, scale := units.Of(known.Unit)
		reference := number(all[0][k]) / scale
		row := []string{k.run, k.figure, unit, text(reference)}
		for i := range list[1:] {
			value := number(all[i+1][k]) / scale
			row = append(row, text(value), signed(value-reference), signed((value-reference)/math.Abs(reference)*100))
		}
		table.Rows = append(table.Rows, append(row, known.Definition))
	}
	return table
}

// number is a figure's value, NaN for one that is missing.
func number(f figure) float64 {
	if f.Value == nil {
		return math.NaN()
	}
	return *f.Value
}

func text(x float64) string {
	if math.IsNaN(x) {
		return "missing"
	}
	return fmt.Sprintf("%.5g", x)
}

// signed is a difference; "" where there is none that means something.
func signed(x float64) string {
	if math.IsNaN(x) || math.IsInf(x, 0) {
		return ""
	}
	return fmt.Sprintf("%+.3g", x)
}

// overlaid are the first runs, over time and as paths.
func overlaid(list []Setup, units *display.Units) []*report.Plot {
	const most = 2000
	var plots []*report.Plot
	for _, q := range []display.Quantity{display.Speed, display.YawRate, display.Lateral, display.Roll, display.Y} {
		label, scale := q.Label(units)
		plot := &report.Plot{Title: q.Title, X: report.Axis{Label: "time, s"}, Y: report.Axis{Label: label, Span: 1e-3},
			Note: strings.TrimPrefix(list[0].result.Vehicle+", "+list[0].result.Title, ", ") + ", first runs."}
		path := q == display.Y
		across := 1.0
		if path {
			plot.Title, plot.EqualScales = "Path", true
			plot.X.Label, across = display.X.Label(units)
		}
		for _, s := range list {
			body := s.first.Body()
			if !s.first.Has(q.Of(body)) || path && !s.first.Has(display.X.Of(body)) {
				continue
			}
			x := s.first.Time
			if path {
				x = s.first.Column(display.X.Of(body))
			}
			c, y := report.Curve{Label: s.Name}, s.first.Column(q.Of(body))
			for k := 0; k < len(x); k += len(x)/most + 1 {
				c.X, c.Y = append(c.X, x[k]/across), append(c.Y, y[k]/scale)
			}
			if len(c.X) > 1 {
				plot.Curves = append(plot.Curves, c)
			}
		}
		if len(plot.Curves) > 0 {
			plots = append(plots, plot)
		}
	}
	return plots
}
