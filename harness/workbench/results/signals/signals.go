// Package signals draws recorded runs over each other: signals that a user names, their quotients, and one over
// another.
package signals

import (
	"errors"
	"fmt"
	"math"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"skidpad/harness/workbench/results/display"
	"skidpad/harness/workbench/results/recording"
	"skidpad/harness/workbench/results/report"
	"skidpad/harness/workbench/results/trace"
)

// Run is a recorded run.
type Run struct {
	Name string
	*trace.Trace
}

// mostRuns bounds the curves of a page.
const mostRuns = 100

// Read reads runs: files, or all runs of folders that `skidpad manoeuvre --out` has written. Names are those of the
// paths; without them the runs are called like their files.
func Read(paths, names []string) (runs []Run, err error) {
	if len(names) != 0 && len(names) != len(paths) {
		return nil, fmt.Errorf("%d names for %d runs; give one name for each", len(names), len(paths))
	}
	for i, file := range paths {
		name := file
		if len(names) > 0 {
			name = strings.TrimSpace(names[i])
		}
		files, labels := []string{file}, []string{name}
		if info, err := os.Stat(file); err == nil && info.IsDir() {
			if files, labels = runsOf(file, name); len(files) == 0 {
				return nil, fmt.Errorf("%s: no run_N.parquet and no run_N.csv; give a folder that 'skidpad manoeuvre --out' "+
					"has written, or a file", file)
			}
		}
		for k, of := range files {
			t, err := recording.Read(of)
			if err != nil {
				return nil, err
			}
			runs = append(runs, Run{labels[k], t})
		}
	}
	if len(runs) > mostRuns {
		return nil, fmt.Errorf("%d runs; at most %d are drawn", len(runs), mostRuns)
	}
	return runs, nil
}

// runsOf are the runs of a folder, by their numbers.
func runsOf(folder, name string) (files, labels []string) {
	for n := 1; ; n++ {
		number := strconv.Itoa(n)
		file := filepath.Join(folder, "run_"+number+".parquet")
		if _, err := os.Stat(file); err != nil {
			file = filepath.Join(folder, "run_"+number+".csv") // of --full
		}
		if _, err := os.Stat(file); err != nil {
			return files, labels
		}
		files, labels = append(files, file), append(labels, name+", run "+number)
	}
}

// Report is a page with a plot for each signal: NAME, which can be a pattern or a role, over time; NAME/NAME, a
// quotient; and X:Y, a signal or a quotient over another one.
func Report(runs []Run, list []string, units *display.Units) (*report.Page, error) {
	grid := &report.Grid{}
	var faults []error
	for _, text := range list {
		if text = strings.TrimSpace(text); text == "" {
			continue
		}
		p, err := drawn(runs, text, units)
		if err != nil {
			faults = append(faults, fmt.Errorf("%s: %w", text, err))
			continue
		}
		grid.Plots = append(grid.Plots, p)
	}
	if err := errors.Join(faults...); err != nil {
		return nil, err
	}
	if grid.Plots == nil {
		return nil, errors.New("no signal is named; give variables of the runs, separated by commas")
	}
	var names []string
	for _, r := range runs {
		names = append(names, r.Name)
	}
	return &report.Page{Title: "Signals", Facts: []report.Fact{{Name: "Runs", Value: strings.Join(names, "; ")}},
		Sections: []report.Section{{Title: "Plots", Blocks: []report.Block{grid}}}}, nil
}

// drawn is the plot of one signal. Variables of several units have them in the labels of their curves.
func drawn(runs []Run, text string, units *display.Units) (*report.Plot, error) {
	over, of, crossed := strings.Cut(text, ":")
	if !crossed {
		over, of = "time", text
	}
	p := &report.Plot{Title: text}
	for _, r := range runs {
		x, err := r.signals(over, units)
		if err != nil {
			return nil, err
		}
		ys, err := r.signals(of, units)
		switch {
		case err != nil:
			return nil, err
		case len(x) != 1:
			return nil, fmt.Errorf("%q fits %d variables; over a signal stands one alone", over, len(x))
		}
		p.X.Label, p.Y.Label = x[0].label(), ys[0].label()
		mixed := slices.ContainsFunc(ys, func(y signal) bool { return y.unit != ys[0].unit })
		switch {
		case mixed:
			p.Y.Label = of
		case len(ys) > 1:
			p.Y.Label = display.Label(of, ys[0].unit)
		}
		for _, y := range ys {
			var label []string
			switch {
			case mixed:
				label = append(label, y.label())
			case len(ys) > 1:
				label = append(label, y.name)
			}
			if len(runs) > 1 || label == nil {
				label = append(label, r.Name)
			}
			c := report.Curve{Label: strings.Join(label, ", ")}
			for i, v := range y.values {
				if at := x[0].values[i]; !math.IsNaN(at+v) && !math.IsInf(at+v, 0) {
					c.X, c.Y = append(c.X, at), append(c.Y, v)
				}
			}
			if len(c.X) > 1 {
				p.Curves = append(p.Curves, c)
			}
		}
	}
	if p.Curves == nil {
		return nil, errors.New("no run has two finite values of it")
	}
	return p, nil
}

// signal is what is drawn: numbers in a unit of readers.
type signal struct {
	name, unit string
	values     []float64
}

func (s signal) label() string { return display.Label(s.name, strings.TrimPrefix(s.unit, "1")) }

// smallestDivisor is what a divisor must have of its largest magnitude for its quotient to be drawn.
const smallestDivisor = 1e-3

// signals are the variables that a name or a pattern fits, or a quotient of two.
func (r Run) signals(text string, units *display.Units) ([]signal, error) {
	above, below, isQuotient := strings.Cut(text, "/")
	list, err := r.named(strings.TrimSpace(above), units)
	if err != nil || !isQuotient {
		return list, err
	}
	by, err := r.named(strings.TrimSpace(below), units)
	switch {
	case err != nil:
		return nil, err
	case len(by) != 1:
		return nil, fmt.Errorf("%q fits %d variables; a quotient has one below", below, len(by))
	}
	for k := range list {
		s := &list[k]
		s.name += "/" + by[0].name
		switch {
		case s.unit == by[0].unit:
			s.unit = "1"
		case by[0].unit != "1" && by[0].unit != "":
			s.unit = fmt.Sprintf("(%s)/(%s)", s.unit, by[0].unit)
		}
		least := 0.0
		for _, v := range by[0].values {
			least = max(least, smallestDivisor*math.Abs(v))
		}
		values := make([]float64, len(s.values))
		for i := range values {
			if values[i] = s.values[i] / by[0].values[i]; math.Abs(by[0].values[i]) < least {
				values[i] = math.NaN() // of noise, and so large that nothing else would be seen
			}
		}
		s.values = values
	}
	return list, nil
}

// named are the variables that a name, a role or a pattern fits.
func (r Run) named(name string, units *display.Units) (list []signal, err error) {
	if name == "time" {
		return []signal{{"time", "s", r.Time}}, nil
	}
	fits := func(pattern, name string) bool {
		if strings.HasPrefix(pattern, "@") { // brackets of roles are no sets of letters
			pattern = strings.NewReplacer("[", `\[`, "]", `\]`).Replace(pattern)
		}
		is, _ := path.Match(pattern, name)
		return is
	}
	for i, c := range r.Channels {
		if !fits(name, c.Name) && (c.Role == "" || !fits("@"+strings.TrimPrefix(name, "@"), c.Role)) {
			continue
		}
		unit, factor := units.Of(c.Unit)
		s := signal{c.Name, unit, make([]float64, len(r.Values[i]))}
		for k, v := range r.Values[i] {
			s.values[k] = v / factor
		}
		list = append(list, s)
	}
	if list == nil {
		const most = 8
		names := slices.Clone(r.Names())
		more := ""
		if n := len(names) - most; n > 0 {
			names, more = names[:most], fmt.Sprintf(" and %d more", n)
		}
		return nil, fmt.Errorf("%s has no variable that %q fits; it has %s%s", r.Name, name, strings.Join(names, ", "), more)
	}
	return list, nil
}
