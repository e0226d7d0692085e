package evaluate

import (
	"crypto/sha256"
	"encoding/csv"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"

	"skidpad/harness"
	"skidpad/harness/drive"
	"skidpad/harness/figures"
	"skidpad/harness/manoeuvre"
	"skidpad/model/bounded"
)

const degree = math.Pi / 180

// figureRow is a figure with the run that it is of.
type figureRow struct {
	run    string // number; "all" for all together
	varied string
	figures.Figure
}

func (e *Result) rows() []figureRow {
	var rows []figureRow
	for i, run := range e.Runs {
		for _, f := range run.Figures {
			rows = append(rows, figureRow{strconv.Itoa(i + 1), texts(run.Varied), f})
		}
	}
	for _, f := range e.Figures {
		rows = append(rows, figureRow{"all", "", f})
	}
	return rows
}

// texts writes constants as NAME=VALUE.
func texts(constants []manoeuvre.ConstantValue) string {
	var list []string
	for _, c := range constants {
		list = append(list, fmt.Sprintf("%s=%.6g", c.Name, c.Value))
	}
	return strings.Join(list, " ")
}

// shown is a figure's value with five digits, angles in degrees, with its unit; what is nothing but rounding is 0.
func shown(f figures.Figure) (value, unit string) {
	x, unit := f.Value, f.Unit
	if rest, angle := strings.CutPrefix(unit, "rad"); angle {
		x, unit = x/degree, "deg"+rest
	}
	if math.IsNaN(x) {
		return "missing", unit
	}
	if math.Abs(x) < 1e-9 {
		x = 0
	}
	return strconv.FormatFloat(x, 'g', 5, 64), unit
}

// WriteTable prints the figures of every run and of all together, angles in degrees, then what they mean.
func (e *Result) WriteTable(to io.Writer) error {
	w := tabwriter.NewWriter(to, 0, 0, 2, ' ', 0)
	if e.Prerun != nil {
		if err := e.Prerun.WriteTable(to); err != nil {
			return err
		}
		fmt.Fprintln(to)
	}
	fmt.Fprintf(to, "%s (%s); hand wheel to road wheels %g to 1\n", e.Manoeuvre.Title, e.Manoeuvre.Name, e.Runs[0].Record.Ratio)
	if driver := driverText(e.Manoeuvre); driver != "" {
		fmt.Fprintln(to, "the driver, with the constants of the file,", driver)
	}
	for i, run := range e.Runs {
		if run.Result.Verdict != "" {
			fmt.Fprintf(to, "run %d ended early: %s\n", i+1, run.Result.Verdict)
		}
	}
	fmt.Fprintln(w, "run\tvaried\tfigure\tvalue\tunit\tat, s\t")
	definitions := map[string]string{}
	var order []string
	for _, row := range e.rows() {
		value, unit := shown(row.Figure)
		at := ""
		if !math.IsNaN(row.Time) {
			at = fmt.Sprintf("%.3f", row.Time)
		}
		if row.Missing != "" {
			at = row.Missing
		}
		fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%s\t%s\t\n", row.run, row.varied, row.ID, value, unit, at)
		if definitions[row.ID] == "" {
			definitions[row.ID] = row.Definition
			order = append(order, row.ID)
		}
	}
	if err := w.Flush(); err != nil {
		return err
	}
	fmt.Fprintln(to)
	for _, id := range order {
		fmt.Fprintf(w, "%s\t%s\n", id, definitions[id])
	}
	return w.Flush()
}

// WriteCSV writes the figures in SI units; a figure that is missing has no value, but a reason.
func (e *Result) WriteCSV(to io.Writer) error {
	w := csv.NewWriter(to)
	w.Write([]string{"run", "varied", "figure", "value", "unit", "time", "missing", "definition"})
	number := func(x float64) string {
		if math.IsNaN(x) {
			return ""
		}
		return strconv.FormatFloat(x, 'g', -1, 64)
	}
	for _, r := range e.rows() {
		w.Write([]string{r.run, r.varied, r.ID, number(r.Value), r.Unit, number(r.Time), r.Missing, r.Definition})
	}
	w.Flush()
	return w.Error()
}

// WriteJSON writes constants, what was set before each run, phases, verdicts and figures in SI units, with the version of the library and hashes
// (SHA-256) of files: those that the figures depend on.
func (e *Result) WriteJSON(to io.Writer, files ...string) error {
	type number *float64
	type figure struct {
		Figure     string `json:"figure"`
		Definition string `json:"definition"`
		Unit       string `json:"unit"`
		Value      number `json:"value"`
		Time       number `json:"time,omitempty"`
		Missing    string `json:"missing,omitempty"`
	}
	type run struct {
		Varied     map[string]float64    `json:"varied"`
		Parameters map[string]string     `json:"parameters"`
		Start      map[string]float64    `json:"start"`
		Verdict    string                `json:"verdict"`
		Phases     []drive.PhaseInterval `json:"phases"`
		Figures    []figure              `json:"figures"`
	}
	finite := func(x float64) number {
		if math.IsNaN(x) {
			return nil
		}
		return &x
	}
	values := func(list []manoeuvre.ConstantValue) map[string]float64 {
		m := map[string]float64{}
		for _, c := range list {
			m[c.Name] = c.Value
		}
		return m
	}
	list := func(from []figures.Figure) []figure {
		out := []figure{}
		for _, f := range from {
			out = append(out, figure{f.ID, f.Definition, f.Unit, finite(f.Value), finite(f.Time), f.Missing})
		}
		return out
	}
	data := struct {
		Manoeuvre string             `json:"manoeuvre"`
		Title     string             `json:"title"`
		Version   string             `json:"version"`
		Ratio     float64            `json:"ratio"`
		Files     map[string]string  `json:"files"`
		Constants map[string]float64 `json:"constants"`
		Runs      []run              `json:"runs"`
		Figures   []figure           `json:"figures"`
	}{e.Manoeuvre.Name, e.Manoeuvre.Title, harness.Version, e.Runs[0].Record.Ratio, map[string]string{}, values(e.Manoeuvre.Constants), nil, list(e.Figures)}
	note := func(name, file string) error {
		content, err := bounded.FMU.Open(file) // a model, a manoeuvre, a car or an FMU: all have been read before
		if err != nil {
			return err
		}
		defer content.Close()
		hash := sha256.New()
		if _, err := io.Copy(hash, content); err != nil {
			return err
		}
		data.Files[name] = hex.EncodeToString(hash.Sum(nil))
		return nil
	}
	for _, file := range files {
		name := filepath.Base(file)
		if data.Files[name] != "" { // a model may be called like its base
			name = filepath.ToSlash(file)
		}
		if err := note(name, file); err != nil {
			return err
		}
	}
	if car := e.Manoeuvre.Car; car != "" { // which may be called like its model
		if err := note("cars/"+filepath.Base(car), car); err != nil {
			return err
		}
	}
	for _, r := range e.Runs {
		parameters, start := map[string]string{}, map[string]float64{}
		for _, s := range r.Settings {
			parameters[s.Name] = s.Value
		}
		for _, s := range r.Start {
			start[s.Variable] = s.Value
		}
		data.Runs = append(data.Runs, run{values(r.Varied), parameters, start, r.Result.Verdict, r.Result.Phases, list(r.Figures)})
	}
	encoder := json.NewEncoder(to)
	encoder.SetIndent("", "  ")
	return encoder.Encode(data)
}

// WriteMarkdown writes the figures as a table: of few runs a line for each figure, of many a line for each run; angles in
// degrees. Where a run has no such figure the cell is empty.
func (e *Result) WriteMarkdown(to io.Writer) error {
	const few = 3
	line := func(cells []string) { fmt.Fprintf(to, "| %s |\n", strings.Join(cells, " | ")) }
	table := func(head []string, rows [][]string) {
		line(head)
		line(slices.Repeat([]string{"---"}, len(head)))
		for _, row := range rows {
			line(row)
		}
	}
	cell := func(f figures.Figure) string {
		if f.Missing != "" {
			return f.Missing
		}
		text, _ := shown(f)
		return text
	}
	named := func(f figures.Figure) string {
		_, unit := shown(f)
		if unit == "1" {
			return f.ID
		}
		return f.ID + ", " + unit
	}
	var all []figures.Figure // one of each
	for _, run := range e.Runs {
		for _, f := range run.Figures {
			if !slices.ContainsFunc(all, func(a figures.Figure) bool { return a.ID == f.ID }) {
				all = append(all, f)
			}
		}
	}
	head, rows := []string{"run"}, [][]string(nil)
	for _, f := range all {
		head = append(head, named(f))
	}
	for i, run := range e.Runs {
		row := []string{strings.TrimSpace(fmt.Sprintf("%d %s", i+1, texts(run.Varied)))}
		for _, f := range all {
			text := ""
			if k := slices.IndexFunc(run.Figures, func(a figures.Figure) bool { return a.ID == f.ID }); k >= 0 {
				text = cell(run.Figures[k])
			}
			row = append(row, text)
		}
		rows = append(rows, row)
	}
	if len(e.Runs) <= few {
		turned := make([][]string, len(head))
		for k := range head {
			turned[k] = []string{head[k]}
			for _, row := range rows {
				turned[k] = append(turned[k], row[k])
			}
		}
		head, rows = turned[0], turned[1:]
	}
	table(head, rows)
	if len(e.Figures) > 0 {
		fmt.Fprintln(to)
		rows = nil
		for _, f := range e.Figures {
			rows = append(rows, []string{named(f), cell(f)})
		}
		table([]string{"all runs", "value"}, rows)
	}
	return nil
}
