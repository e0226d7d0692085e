package suspension

import (
	"fmt"
	"io"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"text/tabwriter"

	"skidpad/harness/workbench/results/display"
	"skidpad/harness/workbench/results/figures"
	"skidpad/harness/workbench/runs/evaluate"
	"skidpad/harness/workbench/runs/manoeuvre"
	"skidpad/model/reduction"
	"skidpad/model/shelf"
)

var inDegrees = display.Degrees()

// Drive is a manoeuvre with constants, that a vehicle makes with and without tables of an axle.
type Drive struct {
	Manoeuvre string // name of a shipped one
	Constants []manoeuvre.ConstantValue
	Full      *evaluate.Result
	Tables    *evaluate.Result
}

// Drives are the manoeuvres that compare a vehicle with and without tables.
func Drives() []Drive {
	set := func(name string, value float64) manoeuvre.ConstantValue {
		return manoeuvre.ConstantValue{Name: name, Value: value}
	}
	return []Drive{
		{Manoeuvre: "step_steer", Constants: []manoeuvre.ConstantValue{set("lateral", 7), set("side", 1)}},
		{Manoeuvre: "brake_in_turn", Constants: []manoeuvre.ConstantValue{set("lateral", 4), set("deceleration", 3)}},
	}
}

// Make makes the manoeuvre in a file with both vehicles.
func (d *Drive) Make(path string, full, tables evaluate.Evaluator) (err error) {
	for _, run := range []struct {
		e  evaluate.Evaluator
		to **evaluate.Result
	}{{full, &d.Full}, {tables, &d.Tables}} {
		run.e.Replaced = d.Constants
		if *run.to, err = run.e.Evaluate(path); err != nil {
			return err
		}
		if err = (*run.to).Failures(); err != nil {
			return fmt.Errorf("%s: %w", d.Manoeuvre, err)
		}
	}
	return nil
}

// Variant writes the model with tables of an axle, as a variant of the file of the model.
func Variant(r *reduction.Axle, to io.Writer) error {
	file := r.File
	if !shelf.Holds(file) {
		path, err := filepath.Abs(file)
		if err != nil {
			return err
		}
		file = filepath.ToSlash(path)
	}
	_, err := fmt.Fprintf(to, "base = %q\nname = \"Tables\"\ntitle = \"With tables\"\n[use.%s]\n"+
		"suspension = \"tabulated\"\n", file, r.Use)
	return err
}

// PrintDrives writes the characteristic values of the manoeuvres with and without tables, and their differences: of
// times in ms, of overshoots in points, else in percent.
func PrintDrives(drives []Drive, to io.Writer) error {
	w := tabwriter.NewWriter(to, 0, 0, 2, ' ', 0)
	for i := range drives {
		d := &drives[i]
		var constants []string
		for _, c := range d.Constants {
			constants = append(constants, c.Name+" = "+Number(c.Value))
		}
		fmt.Fprintf(w, "\n%s, %s\tfull\treduced\tdifference\tunit\n", d.Manoeuvre, strings.Join(constants, ", "))
		for _, p := range d.Pairs() {
			unit, factor := inDegrees.Of(p.Full.Unit)
			value := func(f figures.Figure) string {
				if f.Missing != "" {
					return "-"
				}
				return Number(f.Value / factor)
			}
			fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%s\n", p.Full.ID, value(p.Full), value(p.Tables), p.difference(), unit)
		}
	}
	return w.Flush()
}

// Pair is a characteristic value without and with tables.
type Pair struct{ Full, Tables figures.Figure }

// Pairs are the characteristic values that at least one of the vehicles has.
func (d *Drive) Pairs() (list []Pair) {
	of := func(r *evaluate.Result) (all []figures.Figure) {
		for i := range r.Runs {
			all = append(all, r.Runs[i].Figures...)
		}
		return append(all, r.Figures...)
	}
	other := of(d.Tables)
	for _, f := range of(d.Full) {
		k := slices.IndexFunc(other, func(x figures.Figure) bool { return x.ID == f.ID })
		if k >= 0 && (f.Missing == "" || other[k].Missing == "") {
			list = append(list, Pair{f, other[k]})
			other = slices.Delete(other, k, k+1)
		}
	}
	return list
}

// difference is the difference by the tables.
func (p *Pair) difference() string {
	change := p.Tables.Value - p.Full.Value
	signed := func(x, digit float64, unit string) string {
		digits := int(math.Round(-math.Log10(digit)))
		return fmt.Sprintf("%+.*f %s", digits, math.Round(x/digit)*digit+0, unit)
	}
	switch {
	case p.Full.Missing != "" || p.Tables.Missing != "" || p.Full.Value == 0:
		return "-"
	case p.Full.Unit == "s":
		return signed(1000*change, 0.1, "ms")
	case strings.HasSuffix(p.Full.ID, "overshoot"):
		return signed(100*change, 0.01, "points")
	}
	return signed(100*change/math.Abs(p.Full.Value), 0.01, "%")
}
