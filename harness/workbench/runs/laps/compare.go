package laps

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"skidpad/harness/workbench/results/report"
	"skidpad/harness/workbench/results/setups"
	"skidpad/harness/workbench/results/trace"
	files "skidpad/model/bounded"
)

// IsFolder reports whether a folder has a lap.
func IsFolder(folder string) bool {
	_, err := os.Stat(filepath.Join(folder, factsFile))
	return err == nil
}

// Read reads folders that 'skidpad lap --out' has written. The first is the reference. Without names the laps are
// called like their folders. It refuses laps on different tracks.
func Read(folders, names []string) (list []*Result, called []string, err error) {
	if called, err = setups.Names(folders, names); err != nil {
		return nil, nil, err
	}
	for _, folder := range folders {
		r, err := read(folder)
		if err != nil {
			return nil, nil, fmt.Errorf("%w; give a folder that 'skidpad lap --out' has written", err)
		}
		list = append(list, r)
		if first := list[0]; r.Track != first.Track || math.Abs(r.Length-first.Length) > 1e-6*first.Length {
			return nil, nil, fmt.Errorf("%s is a lap of %s over %.3f m, %s one of %s over %.3f m; give laps on one line of "+
				"one track", folder, r.Track, r.Length, folders[0], first.Track, first.Length)
		}
	}
	return list, called, nil
}

// read reads the lap of a folder.
func read(folder string) (*Result, error) {
	path := filepath.Join(folder, factsFile)
	text, err := files.Table.Read(path)
	if err != nil {
		return nil, err
	}
	r := &Result{}
	if err := json.Unmarshal(text, r); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	path = filepath.Join(folder, tableFile)
	file, err := files.Table.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	columns, values, err := trace.ReadColumns(file)
	if err == nil {
		err = r.take(columns, values)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return r, nil
}

// take takes the columns of a table.
func (r *Result) take(names []string, values [][]float64) error {
	if !slices.Equal(names, Columns[:]) {
		return fmt.Errorf("the columns are %s; those of a lap are %s", strings.Join(names, ", "),
			strings.Join(Columns[:], ", "))
	}
	if len(values[0]) < 2 {
		return errors.New("a lap has two rows or more")
	}
	for i := 1; i < len(values[distance]); i++ {
		if !(values[distance][i] > values[distance][i-1]) {
			return fmt.Errorf("row %d: the distance does not rise", i+1)
		}
	}
	copy(r.Table.Values[:], values)
	r.Length = values[distance][len(values[distance])-1]
	if len(r.Sectors) == 0 {
		return errors.New("the lap has no sectors")
	}
	for _, s := range r.Sectors {
		if !(s.From >= 0 && s.To > s.From && s.To <= r.Length*(1+1e-9)) {
			return fmt.Errorf("a sector from %g to %g m is not on the lap", s.From, s.To)
		}
	}
	return nil
}

// Overlay is a page with laps over each other. Its time difference is the time by which a lap is later than the first
// one at the same distance.
func Overlay(list []*Result, names []string) *report.Page {
	first := list[0]
	page := &report.Page{Title: "Laps on " + first.Track, Subtitle: "Compared with " + names[0],
		Facts: []report.Fact{{Name: "Track", Value: fmt.Sprintf("%s, %.1f m", first.Track, first.Length)},
			{Name: "Reference", Value: names[0]}}}
	cars := &report.Table{Columns: []report.Column{{Name: "Lap"}, {Name: "Vehicle"}, {Name: "Settings"},
		{Name: "Time", Kind: report.Number}, {Name: "Later by [s]", Kind: report.Number}}}
	over := report.Axis{Label: distanceLabel}
	v := &report.Plot{Title: "Speed", X: over, Y: report.Axis{Label: "speed [km/h]"}}
	d := &report.Plot{Title: "Time difference", Note: "How much later each lap is than " + names[0] + ".", X: over,
		Y: report.Axis{Label: "later by [s]"}}
	x := &report.Plot{Title: "Longitudinal acceleration", X: over, Y: report.Axis{Label: "acceleration [m/s2]"}}
	y := &report.Plot{Title: "Lateral acceleration", X: over, Y: report.Axis{Label: "acceleration [m/s2]"}}
	for i, r := range list {
		cars.Rows = append(cars.Rows, []string{names[i], r.Vehicle, strings.Join(r.Settings, ", "), Clock(r.Time),
			fmt.Sprintf("%+.3f", r.Time-first.Time)})
		values := r.Table.Values
		add := func(p *report.Plot, of []float64) {
			p.Curves = append(p.Curves, report.Curve{Label: names[i], X: values[distance], Y: of})
		}
		add(v, scaled(values[speed], kmh))
		add(x, values[longitudinal])
		add(y, values[lateral])
		d.Curves = append(d.Curves, report.Curve{Label: names[i], X: first.Table.Values[distance], Y: first.Lead(r)})
	}
	page.Sections = []report.Section{
		{Title: "Laps", Blocks: []report.Block{cars}},
		{Title: "Sectors", Blocks: []report.Block{sectorTable(list, names)}},
		{Title: "Over the distance",
			Blocks: []report.Block{&report.Grid{Plots: []*report.Plot{v, d, x, y, first.trackMap()}}}},
	}
	return page
}
