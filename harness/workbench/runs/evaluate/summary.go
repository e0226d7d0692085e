package evaluate

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"

	"skidpad/harness/workbench/results/figures"
	"skidpad/harness/workbench/runs/constants"
	"skidpad/harness/workbench/runs/manoeuvre"
)

// answer is a figure that the test is made for, of all runs together.
type answer struct{ id, value, unit, words string }

// answers are the figures of all runs together, and of each run the figures that the kind names. The figure that the
// test is named after comes first, missing figures come last. The runs of a search only lead to its figure. Behind them
// stand the interventions of controllers.
func (e *Result) answers() (list []answer) {
	named := figures.Find(e.Manoeuvre.KeyFigures.Kind).Answer
	searched := e.Manoeuvre.Search != nil && len(e.Figures) > 0
	rank := func(id string) int {
		if i := slices.Index(named, id); i >= 0 {
			return i
		}
		if searched {
			return -1
		}
		return len(named)
	}
	for _, f := range e.Figures {
		value, unit := shown(f)
		list = append(list, answer{f.ID, value, unit, cmp.Or(f.Missing, f.Definition)})
	}
	for _, id := range named {
		isThere := slices.ContainsFunc(list, func(a answer) bool { return a.id == id })
		if a, has := e.overRuns(id); has && !isThere && !searched {
			list = append(list, a)
		}
	}
	slices.SortStableFunc(list, func(a, b answer) int {
		if lacks := [2]bool{a.value == missing, b.value == missing}; lacks[0] != lacks[1] {
			if lacks[0] {
				return 1
			}
			return -1
		}
		return cmp.Compare(rank(a.id), rank(b.id))
	})
	var controllers []figures.Controller
	if r := e.Runs[0].Record; r != nil {
		controllers = r.Controllers
	}
	for _, c := range controllers {
		for _, id := range c.Figures() {
			if a, has := e.overRuns(id); has {
				list = append(list, a)
			}
		}
	}
	return list
}

// overRuns is a figure over the runs: its value if all runs have the same, otherwise the range from the least to the
// largest.
func (e *Result) overRuns(id string) (a answer, has bool) {
	var least, most figures.Figure
	with, lacks := 0, ""
	for _, run := range e.Runs {
		k := slices.IndexFunc(run.Figures, func(f figures.Figure) bool { return f.ID == id })
		if k < 0 {
			continue
		}
		f := run.Figures[k]
		_, unit := shown(f)
		a, has = answer{id, missing, unit, f.Definition}, true
		if f.Missing != "" {
			lacks = cmp.Or(lacks, f.Missing)
			continue
		}
		if with++; with == 1 || f.Value < least.Value {
			least = f
		}
		if with == 1 || f.Value > most.Value {
			most = f
		}
	}
	if with == 0 {
		a.words = lacks
		return a, has
	}
	low, _ := shown(least)
	high, _ := shown(most)
	if a.value = low; low != high {
		a.value += " to " + high
	}
	if with < len(e.Runs) {
		a.words = fmt.Sprintf("in %d of %d runs: %s", with, len(e.Runs), a.words)
	}
	return a, has
}

// verdictOfAll says in one line how the runs ended.
func (e *Result) verdictOfAll() string {
	early, first := 0, ""
	for i, run := range e.Runs {
		if run.Result.Verdict == "" {
			continue
		}
		if early++; early == 1 {
			first = fmt.Sprintf("run %d ended early: %s", i+1, run.Result.Verdict)
		}
	}
	all := counted(len(e.Runs), "run")
	switch early {
	case 0:
		return all + ", complete"
	case 1:
		return all + "; " + first
	}
	return fmt.Sprintf("%s; %d ended early; %s", all, early, first)
}

// warningCount says how many warnings there are of each rule.
func (e *Result) warningCount() string {
	var rules []string
	count := map[string]int{}
	for _, w := range e.noticed() {
		if count[w.Rule]++; count[w.Rule] == 1 {
			rules = append(rules, w.Rule)
		}
	}
	if rules == nil {
		return "no warnings"
	}
	total := 0
	for i, rule := range rules {
		total += count[rule]
		rules[i] = fmt.Sprintf("%d %s", count[rule], rule)
	}
	return counted(total, "warning") + ": " + strings.Join(rules, ", ")
}

// counted is a number of things.
func counted(n int, thing string) string {
	if n != 1 {
		thing += "s"
	}
	return fmt.Sprintf("%d %s", n, thing)
}

// change is a constant or a parameter that differs from its file.
type change struct{ name, value, origin string }

// changes are the constants whose values are not those of the manoeuvre file, and what is set of the vehicle.
func (e *Result) changes() (list []change) {
	for _, c := range e.Constants {
		if c.Origin != "file" {
			list = append(list, change{c.Name, c.Written.Show(c.Value), c.Origin})
		}
	}
	for _, s := range e.Set {
		c := change{s.Name, s.Value, "--set"}
		x, err := strconv.ParseFloat(s.Value, 64)
		if err == nil {
			c.value = s.Written.Show(x)
		}
		if was, known := e.Runs[0].file[s.Name]; known {
			c.origin += ", in the model file " + s.Written.Show(was)
		}
		list = append(list, c)
	}
	return list
}

// before says in one line what the run before has given; "" without one.
func (e *Result) before() string {
	if e.Prerun == nil {
		return ""
	}
	var list []string
	for _, c := range e.Constants {
		if strings.HasPrefix(c.Origin, ranBefore) {
			list = append(list, c.Name+" = "+c.Written.Show(c.Value))
		}
	}
	return fmt.Sprintf("run before: %s gives %s", e.Prerun.Manoeuvre.Name, strings.Join(list, ", "))
}

// WriteSummary prints the answer: the figures of all runs together, verdict and number of warnings; then a table with a
// column for each run.
func (e *Result) WriteSummary(to io.Writer) error {
	fmt.Fprintf(to, "%s (%s), %s\n\n", e.Manoeuvre.Title, e.Manoeuvre.Name, e.Vehicle)
	w := tabwriter.NewWriter(to, 0, 0, 2, ' ', 0)
	for _, a := range e.answers() {
		fmt.Fprintf(w, "%s\t%s\t%s\t%s\n", a.id, a.value, a.unit, a.words)
	}
	if err := w.Flush(); err != nil {
		return err
	}
	fmt.Fprintf(to, "\n%s; %s\n", e.verdictOfAll(), e.warningCount())
	if before := e.before(); before != "" {
		fmt.Fprintln(to, before)
	}
	if facts := e.controllerFacts(); facts != nil {
		fmt.Fprintln(to, "controllers:", strings.Join(facts, "; "))
	}
	var changed []string
	for _, c := range e.changes() {
		if !strings.HasPrefix(c.origin, ranBefore) {
			changed = append(changed, fmt.Sprintf("%s = %s (%s)", c.name, c.value, c.origin))
		}
	}
	if changed != nil {
		fmt.Fprintln(to, "changed:", strings.Join(changed, ", "))
	}
	if err := e.writeRuns(to); err != nil {
		return err
	}
	fmt.Fprintln(to, "\n--verbose prints definitions and times of all figures.")
	return e.writeEnergy(to)
}

// writeRuns prints the figures of the runs with a column for each, and below why some are missing.
func (e *Result) writeRuns(to io.Writer) error {
	table := e.runsAsColumns()
	if len(table) < 2 {
		return nil
	}
	if err := writeColumns(to, table, 2); err != nil {
		return err
	}
	return e.writeReasons(to)
}

// writeColumns prints a table behind an empty line. The first columns are names, to the left. Where the other columns
// are wider than a terminal, the last of them follow in another table, behind the same names.
func writeColumns(to io.Writer, table [][]string, names int) error {
	const terminal, gap = 120, 2
	width := make([]int, len(table[0]))
	for _, row := range table {
		for i, text := range row {
			width[i] = max(width[i], len([]rune(text)))
		}
	}
	for from := names; from < len(width); {
		end, wide := from, 0
		for _, w := range width[:names] {
			wide += w + gap
		}
		for end < len(width) && (end == from || wide+width[end] <= terminal) {
			wide += width[end] + gap
			end++
		}
		fmt.Fprintln(to)
		for _, row := range table {
			line := ""
			for i := range names {
				line += fmt.Sprintf("%-*s  ", width[i], row[i])
			}
			for i := from; i < end; i++ {
				line += fmt.Sprintf("%*s  ", width[i], row[i])
			}
			if _, err := fmt.Fprintln(to, strings.TrimRight(line, " ")); err != nil {
				return err
			}
		}
		from = end
	}
	return nil
}

// runsAsColumns is a table of the figures: a head with the numbers of the runs, a row for each constant that varies and
// for each figure.
func (e *Result) runsAsColumns() (rows [][]string) {
	row := func(name, unit string, cell func(i int) string) {
		cells := []string{name, unit}
		for i := range e.Runs {
			cells = append(cells, cell(i))
		}
		rows = append(rows, cells)
	}
	row("run", "", func(i int) string { return strconv.Itoa(i + 1) })
	for k, c := range e.Runs[0].Varied {
		row(c.Name, "", func(i int) string { return e.unitOf(c).Show(e.Runs[i].Varied[k].Value) })
	}
	for _, f := range e.figuresOfRuns() {
		_, unit := shown(f)
		row(f.ID, unit, func(i int) string {
			of := e.Runs[i].Figures
			if k := slices.IndexFunc(of, func(a figures.Figure) bool { return a.ID == f.ID }); k >= 0 {
				if of[k].Missing != "" {
					return "-"
				}
				value, _ := shown(of[k])
				return value
			}
			return ""
		})
	}
	return rows
}

// unitOf is the unit of a constant that varies: its own or that of the file.
func (e *Result) unitOf(c manoeuvre.ConstantValue) constants.Written {
	of := func(o Constant) bool { return o.Name == c.Name }
	if i := slices.IndexFunc(e.Constants, of); i >= 0 && c.Written.SI() == "" {
		return e.Constants[i].Written
	}
	return c.Written
}

// writeReasons prints why figures of runs are missing, with the runs.
func (e *Result) writeReasons(to io.Writer) error {
	var lacks []string
	runs := map[string][]string{}
	for i, run := range e.Runs {
		for _, f := range run.Figures {
			if f.Missing == "" {
				continue
			}
			lack := f.ID + ": " + f.Missing
			if runs[lack] == nil {
				lacks = append(lacks, lack)
			}
			runs[lack] = append(runs[lack], strconv.Itoa(i+1))
		}
	}
	if lacks != nil {
		fmt.Fprintln(to)
	}
	for _, lack := range lacks {
		const most = 5
		list, of := runs[lack], "all runs"
		if len(list) < len(e.Runs) {
			of = "runs " + strings.Join(list[:min(most, len(list))], ", ")
			if n := len(list) - most; n > 0 {
				of += fmt.Sprintf(" and %d more", n)
			}
		}
		if _, err := fmt.Fprintf(to, "- %s (%s)\n", lack, of); err != nil {
			return err
		}
	}
	return nil
}
