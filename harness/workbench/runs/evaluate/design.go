package evaluate

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"

	"skidpad/harness/library"
	"skidpad/harness/workbench/results/output"
	"skidpad/harness/workbench/runs/constants"
	"skidpad/harness/workbench/runs/drive"
	"skidpad/harness/workbench/runs/manoeuvre"
	"skidpad/model/bounded"
)

// Design is a number of vehicles of one model: what is varied, and a row of values for each vehicle.
type Design struct {
	Names []string // parameters, start values, or patterns of them
	Rows  [][]manoeuvre.Setting

	columns []column
}

// column is the header of a column of a table: its position, and its name with 1 in the unit of the header.
type column struct {
	position, header string
	unit             manoeuvre.Setting
}

// inUnit is a name in a header with the unit of its column, body.mass [t]; a blank tells the unit from a wheel,
// @wheel[1L].
var inUnit = regexp.MustCompile(`^(.*\S)\s+\[([^\[\]]+)\]$`)

// ReadDesign reads a CSV table with the names in its header. Numbers are in SI units, in the unit that the header gives
// in brackets, or in their own.
func ReadDesign(path string) (*Design, error) {
	file, err := bounded.Table.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	rows := bounded.NewRows(file)
	d, units := &Design{}, []string(nil)
	for {
		fields, err := rows.Next()
		line, _ := rows.Place(0)
		switch {
		case errors.Is(err, io.EOF):
			if len(d.Rows) == 0 {
				return nil, fmt.Errorf("%s: no vehicle; give names in the first row and a row of numbers for each "+
					"vehicle", path)
			}
			return d, nil
		case err != nil:
			return nil, fmt.Errorf("%s: %w", path, err)
		case d.Names == nil:
			for i, header := range fields {
				_, at := rows.Place(i)
				at += len(header) - len(strings.TrimLeft(header, " \t"))
				c := column{position: fmt.Sprintf("%s:%d:%d", path, line, at), header: strings.TrimSpace(header)}
				name, of := c.header, ""
				if m := inUnit.FindStringSubmatch(name); m != nil {
					name, of = m[1], m[2]
				}
				if c.unit, err = designed(c.position, name, "1", of); err != nil {
					return nil, err
				}
				if slices.Contains(d.Names, name) {
					return nil, fmt.Errorf("%s: two columns are called %q", c.position, name)
				}
				d.Names, units, d.columns = append(d.Names, name), append(units, of), append(d.columns, c)
			}
			continue
		case len(fields) != len(d.Names):
			return nil, fmt.Errorf("%s:%d: %d values for %d names", path, line, len(fields), len(d.Names))
		}
		row := make([]manoeuvre.Setting, len(fields))
		for i, text := range fields {
			row[i], err = designed(fmt.Sprintf("%s:%d", path, line), d.Names[i], strings.TrimSpace(text), units[i])
			if err != nil {
				return nil, err
			}
		}
		d.Rows = append(d.Rows, row)
	}
}

// designed is a value of a design, in the unit of its column, "" for none.
func designed(position, name, text, of string) (manoeuvre.Setting, error) {
	x, err := strconv.ParseFloat(text, 64)
	switch plain := err == nil && !math.IsNaN(x) && !math.IsInf(x, 0); {
	case plain && of == "":
		return manoeuvre.Setting{Name: name, Value: strconv.FormatFloat(x, 'g', -1, 64)}, nil
	case plain:
		text += " " + of
	case of != "":
		return manoeuvre.Setting{}, fmt.Errorf("%s: %s is %q, which is not a finite number; its header gives the unit, %s",
			position, name, text, of)
	}
	x, written, is, err := constants.ParseWritten(position, name, text)
	if err == nil && !is {
		err = fmt.Errorf("%s: %s is %q, which is not a finite number, with a unit or without", position, name, text)
	}
	return manoeuvre.Setting{Name: name, Value: strconv.FormatFloat(x, 'g', -1, 64), Written: written}, err
}

// designLine is the output of one vehicle of a design.
type designLine struct {
	Row      int         `json:"row"` // from 0 on
	Failure  string      `json:"failure"`
	Verdicts []string    `json:"verdicts"`
	Warnings []string    `json:"warnings"` // of what happened in the runs
	Figures  []runFigure `json:"figures"`

	unwritten error             // files of the runs
	ofRuns    []library.Warning // what Warnings are made of
}

// runFigure is a figure of a run, or of all together.
type runFigure struct {
	Run int `json:"run"` // from 1 on, 0 of all
	figureJSON
}

// CheckDesign returns what is wrong for all vehicles of a design, without a run: in the manoeuvre, its constants, and
// the names and units in the header of the design.
func (e *Evaluator) CheckDesign(path string, d *Design) error {
	_, m, err := e.open(path)
	if err != nil {
		return err
	}
	s, done, err := e.Open()
	if err != nil {
		return err
	}
	defer done()
	for _, c := range d.columns {
		if err := drive.CheckSetting(s, m.Roles, c.unit); err != nil {
			return fmt.Errorf("%s: column %q: %w", c.position, c.header, err)
		}
	}
	return nil
}

// WriteDesign evaluates a manoeuvre for every vehicle of a design and writes a line of JSON for each, in their order.
func (e *Evaluator) WriteDesign(to io.Writer, path string, d *Design, folder string) error {
	encoder := json.NewEncoder(to)
	return e.evaluateDesign(path, d, folder, func(line designLine) error { return encoder.Encode(line) })
}

// evaluateDesign evaluates a manoeuvre for every vehicle of a design, side by side, and takes the results in their
// order. A vehicle that cannot be evaluated has a line with the reason; when all cannot, that is an error. With a
// folder, the runs of each vehicle are written as Parquet files in a folder there, which is named by its row.
// An interrupt, or a file that cannot be written, ends it after the vehicles in hand.
func (e *Evaluator) evaluateDesign(path string, d *Design, folder string, take func(designLine) error) error {
	if folder != "" {
		if err := removeRows(folder); err != nil {
			return err
		}
	}
	lines := make([]chan designLine, len(d.Rows))
	for i := range lines {
		lines[i] = make(chan designLine, 1)
	}
	slots := make(chan struct{}, runtime.GOMAXPROCS(0))
	var ended atomic.Bool
	var inHand sync.WaitGroup
	defer inHand.Wait() // they write files
	defer ended.Store(true)
	inHand.Go(func() {
		for i := range d.Rows {
			slots <- struct{}{}
			if ended.Load() {
				return
			}
			inHand.Go(func() {
				lines[i] <- e.ofRow(path, d, i, folder)
				<-slots
			})
		}
	})
	failed, failure := 0, ""
	for i := range lines {
		line := <-lines[i]
		if output.Interrupted(e.Interrupt) {
			return fmt.Errorf("%d of %d vehicles: %w", i, len(lines), output.ErrInterrupted)
		}
		if err := cmp.Or(line.unwritten, take(line)); err != nil {
			return err
		}
		if line.Failure != "" {
			failed, failure = failed+1, cmp.Or(failure, line.Failure)
		}
		if e.Progress != nil {
			e.Progress.At("vehicles", float64(i+1), float64(len(lines)))
		}
	}
	if failed == len(lines) {
		return fmt.Errorf("all %d vehicles have failed, the first for: %s", failed, failure)
	}
	return nil
}

// folderOfRow matches the names of the folders of rows.
var folderOfRow = regexp.MustCompile(`^[0-9]+$`)

// removeRows removes the runs of an earlier design, also if this design has fewer rows or one of its rows fails;
// otherwise they would pass for runs of this design. Folders with other files stay.
func removeRows(folder string) error {
	entries, err := os.ReadDir(folder)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	for _, entry := range entries {
		if !entry.IsDir() || !folderOfRow.MatchString(entry.Name()) {
			continue
		}
		row := filepath.Join(folder, entry.Name())
		if err = errors.Join(err, RemoveOldRuns(row, nil)); err == nil {
			os.Remove(row) // which other files prevent
		}
	}
	return err
}

// writeRuns writes what was recorded.
func writeRuns(result *Result, folder string) error {
	err := output.MakeFolder(folder)
	files := result.runFiles(false)
	for _, file := range files {
		err = cmp.Or(err, output.WriteFile(filepath.Join(folder, file.Name), file.Write))
	}
	return cmp.Or(err, RemoveOldRuns(folder, files))
}

// ofRow evaluates the manoeuvre for one vehicle.
func (e *Evaluator) ofRow(path string, d *Design, row int, folder string) designLine {
	line := designLine{Row: row, Verdicts: []string{}, Warnings: []string{}, Figures: []runFigure{}}
	if output.Interrupted(e.Interrupt) {
		return line
	}
	one := *e
	one.Progress = nil
	one.Settings = append([]manoeuvre.Setting{}, e.Settings...)
	one.Settings = append(one.Settings, d.Rows[row]...)
	result, err := one.Evaluate(path)
	if err != nil {
		line.Failure = err.Error()
		return line
	}
	if err := result.Failures(); err != nil {
		line.Failure = err.Error()
	}
	for _, w := range result.noticed() {
		line.Warnings, line.ofRuns = append(line.Warnings, w.Text), append(line.ofRuns, w.Warning)
	}
	if folder != "" {
		line.unwritten = writeRuns(result, filepath.Join(folder, strconv.Itoa(row)))
	}
	for i, run := range result.Runs {
		line.Verdicts = append(line.Verdicts, run.Result.Verdict)
		for _, f := range figuresOf(run.Figures) {
			line.Figures = append(line.Figures, runFigure{i + 1, f})
		}
	}
	for _, f := range figuresOf(result.Figures) {
		line.Figures = append(line.Figures, runFigure{0, f})
	}
	return line
}
