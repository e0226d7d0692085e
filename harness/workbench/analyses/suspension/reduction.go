package suspension

import (
	"fmt"
	"io"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"text/tabwriter"

	"skidpad/harness/workbench/files/modelfile"
	"skidpad/model/document"
	"skidpad/model/reduction"
	"skidpad/model/rig"
)

// WriteCorner writes the subsystem file of a reduction, with names of files as from a folder.
func WriteCorner(r *reduction.Axle, to io.Writer, folder string) error {
	return r.Write(to, func(name string) (string, error) {
		return modelfile.FromFolder(folder, filepath.Dir(r.File), name)
	})
}

// WriteEnd is as WriteCorner, for a wheel of dependent wheels.
func WriteEnd(r *reduction.Axle, side int, to io.Writer, folder string) error {
	return r.WriteEnd(side, to, func(name string) (string, error) {
		return modelfile.FromFolder(folder, filepath.Dir(r.File), name)
	})
}

// EndFiles names the files of dependent wheels, beside the file of their axle, and returns them.
func EndFiles(r *reduction.Axle, axle string) (files []string) {
	if r.Dependent == nil {
		return nil
	}
	for side, end := range []string{"_L.toml", "_R.toml"} {
		files = append(files, strings.TrimSuffix(axle, filepath.Ext(axle))+end)
		r.Dependent.Files[side] = filepath.Base(files[side])
	}
	return files
}

// nothing is a figure of 0 with rounding errors, such as a compliance of ideal joints.
const nothing = 1e-12

// PrintReduction writes the errors of the tables, the parts of links, the figures with and without tables, and the use
// of the file.
func PrintReduction(r *reduction.Axle, to io.Writer) error {
	w := tabwriter.NewWriter(to, 0, 0, 2, ' ', 0)
	t := r.Tables
	fmt.Fprintf(w, "table\tlargest error midway between %d by %d lines\n", len(t.Travel), len(t.Steer))
	for i := range t.Columns {
		c := &t.Columns[i]
		name := c.Key
		switch {
		case c.Of == rig.OfRight:
			name += ", right wheel"
		case c.Of == rig.Angle:
			name = "angle of " + name
		case c.Of == rig.Length && (r.Still(c.Key) || slices.Contains(r.Straight, c.Key)):
			continue
		case c.Of == rig.Length:
			name = "length of " + name
		}
		fmt.Fprintf(w, "%s\t%.2g %s\n", name, c.Worst, c.Unit)
	}
	for _, l := range r.Links {
		fmt.Fprintf(w, "%s, %.4g kg\t%.4g kg on the carrier, %.4g kg on the chassis\n", l.Component, l.Mass, l.OnCarrier,
			l.Mass-l.OnCarrier)
	}
	for _, m := range r.Modes {
		motion, tables := fmt.Sprintf("hub yields at %.0f Hz", m.Frequency), "as it is"
		if math.IsInf(m.Frequency, 0) {
			motion = "hub does not yield"
		}
		if m.Softened {
			tables = fmt.Sprintf("softer in the tables, at %.0f Hz", reduction.Stiffest)
		}
		fmt.Fprintf(w, "%s\t%s\n", motion, tables)
	}
	for i := range r.Yields {
		y := &r.Yields[i]
		fmt.Fprintf(w, "%s\t%.3f deg, largest error %.4f deg\n", y.Text, y.Effect/degree, y.Error/degree)
	}
	if r.Reduced != nil {
		fmt.Fprint(w, "\nfigure of the left wheel or the axle\tfull\treduced\tunit\n")
		for i := range r.Full {
			f := &r.Full[i]
			of := r.WithTables(f.Key)
			if f.Missing == "" && of != nil && math.Abs(f.Left.V)+math.Abs(of.Left.V) > nothing {
				unit, si := Shown(f)
				fmt.Fprintf(w, "%s\t%s\t%s\t%s\n", Text(f.Key), Number(f.Left.V/si), Number(of.Left.V/si), unit)
			}
		}
	}
	if len(r.Dropped) > 0 {
		fmt.Fprintf(w, "\nnot in the file: %s\n", strings.Join(r.Dropped, ", "))
	}
	fmt.Fprintf(w, "\n[use.%s]\nfile = \"...\"\n", r.Use)
	if r.Dependent == nil {
		fmt.Fprint(w, "at = [\"L\", \"R\"]\n")
	}
	printGiven(w, "frames", r.Frames, r.Given)
	if len(r.Nodes) > 0 {
		printGiven(w, "nodes", r.Nodes, r.GivenNodes)
	}
	if err := w.Flush(); err != nil || len(r.Between.Keys) == 0 {
		return err
	}
	if _, err := fmt.Fprint(to, "\nbetween the wheels, in place of components with these names:\n"); err != nil {
		return err
	}
	listed := r.Listed(func(spring string) string { return "..." + spanFile("", spring) })
	return document.Write(to, listed, "component", func(string) string { return "" })
}

// printGiven prints a table of the names that a use gives.
func printGiven(w io.Writer, key string, names []string, given map[string]string) {
	var list []string
	for _, name := range names {
		list = append(list, fmt.Sprintf("%s = %q", name, given[name]))
	}
	fmt.Fprintf(w, "%s = { %s }\n", key, strings.Join(list, ", "))
}

// spanFile is the file of a spring between the wheels, beside the file of the corner.
func spanFile(corner, spring string) string {
	return strings.TrimSuffix(corner, filepath.Ext(corner)) + "_" + spring + ".csv"
}

// Spans are the springs between the wheels whose lengths have files, and these files beside the file of the corner.
func Spans(r *reduction.Axle, corner string) (springs, files []string) {
	if r.Spans == nil {
		return nil, nil
	}
	for _, c := range r.Spans.Columns {
		springs, files = append(springs, c.Key), append(files, spanFile(corner, c.Key))
	}
	return springs, files
}
