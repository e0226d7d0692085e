package rig

import (
	"fmt"
	"io"
	"maps"
	"path/filepath"
	"slices"

	"skidpad/harness"
	"skidpad/harness/workbench/results/output"
	"skidpad/harness/workbench/results/report"
)

// Named is the measurement of a tire with its name among several tires.
type Named struct {
	Name string
	*Measured
}

// Several are tires that were measured by the same plan; each plot has the curves of all.
type Several []Named

// Plots are the diagrams of all tires, with the names of the tires in the legends.
func (s Several) Plots() map[string]*report.Plot {
	list := map[string]*report.Plot{}
	for _, tire := range s {
		for name, p := range tire.Plots() {
			for i := range p.Curves {
				p.Curves[i].Label = tire.Name + ", " + p.Curves[i].Label
			}
			if all := list[name]; all == nil {
				list[name] = p
			} else {
				all.Curves, all.Lines = append(all.Curves, p.Curves...), append(all.Lines, p.Lines...)
			}
		}
	}
	return list
}

// WriteTable prints the table of each tire below its name.
func (s Several) WriteTable(to io.Writer) error {
	for i, tire := range s {
		if i > 0 {
			fmt.Fprintln(to)
		}
		fmt.Fprintf(to, "%s\n", tire.Name)
		if err := tire.WriteTable(to); err != nil {
			return err
		}
	}
	return nil
}

// WriteJSON writes what WriteJSON of each tire writes, as a list.
func (s Several) WriteJSON(to io.Writer) error {
	var list []any
	for _, tire := range s {
		list = append(list, tire.json())
	}
	return output.WriteJSON(to, list)
}

// WriteReport writes a page with the table of each tire and the plots of all.
func (s Several) WriteReport(to io.Writer) error {
	page := report.Page{Title: "Tire test rig", Facts: []report.Fact{
		{Name: "Speed", Value: fmt.Sprintf("%g m/s", s[0].Plan.Speed)}, {Name: "Version", Value: harness.Version}}}
	for _, tire := range s {
		page.Sections = append(page.Sections, report.Section{Title: tire.Name, Blocks: []report.Block{tire.table()}})
	}
	page.Sections = append(page.Sections,
		report.Section{Title: "Curves", Blocks: []report.Block{gridOf(s.Plots())}})
	return page.Write(to)
}

// WriteFolder writes points_<tire>.csv of each tire, report.html and a file for each plot.
func (s Several) WriteFolder(folder string) error {
	for _, tire := range s {
		if err := output.WriteFile(filepath.Join(folder, "points_"+tire.Name+".csv"), tire.WriteCSV); err != nil {
			return err
		}
	}
	if err := output.WriteFile(filepath.Join(folder, "report.html"), s.WriteReport); err != nil {
		return err
	}
	plots := s.Plots()
	for _, name := range slices.Sorted(maps.Keys(plots)) {
		if err := output.WriteFile(filepath.Join(folder, name+".svg"), plots[name].WriteFigure); err != nil {
			return err
		}
	}
	return nil
}
