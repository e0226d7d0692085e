// Command pictures makes the pictures of the documentation, in docs/pictures.
//
//	go run ./harness/site/pictures LIBRARY [NAME...]
//
// LIBRARY is the shared library of Skidpad, as ./build.sh library makes it. NAME may be a pattern, such as
// 'figure_morency_*'; without names all pictures are made, and files that are none of them are removed. It is run from
// the repository root; ./build.sh pictures does so. Equal sources give equal pictures. What they look like is in
// style.go. Exit status: 0 done, 1 a fault, 2 invalid command line.
package main

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"skidpad/harness/library"
	"skidpad/harness/workbench/results/report"
	"skidpad/model/graph"
)

// folder of the pictures.
const folder = "docs/pictures"

func main() {
	library.RunAsChild()
	if len(os.Args) < 2 {
		fmt.Fprintln(os.Stderr, "use: go run ./harness/site/pictures LIBRARY [NAME...]")
		os.Exit(2)
	}
	if err := makeAll(os.Args[1], os.Args[2:]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// workshop holds the library and data for making pictures.
type workshop struct {
	library   *library.Library
	resources string                  // folder
	halfCars  map[string]*report.Grid // plots of the reports that have been made, by manoeuvre
}

// picture is a file of docs/pictures.
type picture struct {
	name string
	// long ones take more than a second or two: tests leave them to ./build.sh pictures
	long bool
	draw func(w *workshop) ([]byte, error)
}

// isOneOf reports whether the name of a picture is one of the names, which may be patterns such as figure_morency_*.
func (p picture) isOneOf(names []string) bool {
	return slices.ContainsFunc(names, func(name string) bool {
		fits, err := filepath.Match(name, p.name)
		return err == nil && fits
	})
}

// pictures are all of them.
func pictures() (list []picture) {
	for _, v := range vehicles {
		list = append(list, picture{name: v.model + ".svg", draw: v.draw})
	}
	for _, m := range plain {
		list = append(list, picture{name: "manoeuvre_" + m.manoeuvre + ".svg",
			draw: func(w *workshop) ([]byte, error) { return drawKey(w, m.model, m.manoeuvre, m.key) }})
	}
	for _, m := range evaluated {
		list = append(list, picture{name: "manoeuvre_" + m.manoeuvre + ".svg", long: true,
			draw: func(w *workshop) ([]byte, error) {
				return drawEvaluated(w, cmp.Or(m.model, "passenger_car"), m.manoeuvre, m.plot)
			}})
	}
	for _, s := range works {
		list = append(list, picture{name: s.name + ".svg", long: true, draw: s.draw})
	}
	for _, d := range []graph.Domain{graph.Translation, graph.Rotation} {
		list = append(list, picture{name: "graph_" + d.String() + ".svg",
			draw: func(w *workshop) ([]byte, error) { return drawGraph(w, d) }})
	}
	list = append(list, picture{name: "graph_networks.svg", draw: drawNetworks})
	for _, s := range sources {
		list = append(list, s.figures...)
	}
	return append(list, picture{name: "reference.svg", draw: drawBeside},
		picture{name: "kc.svg", draw: drawSuspension},
		picture{name: "hydropneumatic_quarter_car.svg", draw: drawQuarterCar},
		picture{name: "lane_change.svg", long: true, draw: drawMotion},
		picture{name: "lane_change.html", long: true, draw: animate})
}

func makeAll(path string, names []string) error {
	l, err := library.Open(path)
	if err != nil {
		return err
	}
	w := &workshop{library: l, resources: "resources"}
	all := pictures()
	for _, name := range names {
		if !slices.ContainsFunc(all, func(p picture) bool { return p.isOneOf([]string{name}) }) {
			return fmt.Errorf("there is no picture %s; harness/site/pictures has the tables of all", name)
		}
	}
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return err
	}
	for _, p := range all {
		if len(names) > 0 && !p.isOneOf(names) {
			continue
		}
		data, err := p.draw(w)
		if err != nil {
			return fmt.Errorf("%s: %w", p.name, err)
		}
		if err := os.WriteFile(filepath.Join(folder, p.name), data, 0o644); err != nil {
			return err
		}
		fmt.Printf("%6.1f kB  %s\n", float64(len(data))/1e3, p.name)
	}
	if len(names) > 0 {
		return nil
	}
	return removeOthers(all)
}

// removeOthers removes files of pictures that are not made any more.
func removeOthers(all []picture) error {
	files, err := filepath.Glob(filepath.Join(folder, "*"))
	if err != nil {
		return err
	}
	for _, file := range files {
		name := filepath.Base(file)
		if strings.HasPrefix(name, ".") || slices.ContainsFunc(all, func(p picture) bool { return p.name == name }) {
			continue
		}
		if err := os.Remove(file); err != nil {
			return err
		}
	}
	return nil
}
