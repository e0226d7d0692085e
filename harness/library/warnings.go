package library

import (
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
)

// Warning is a row of the table of warnings of a run, as skidpad.h describes the text "solver.warnings".
type Warning struct {
	Rule     string   `json:"rule"`
	Subject  string   `json:"subject,omitempty"`
	Quantity string   `json:"quantity,omitempty"`
	Unit     string   `json:"unit,omitempty"`
	Low      *float64 `json:"low,omitempty"`  // nil where there is none
	High     *float64 `json:"high,omitempty"` // likewise
	Count    int      `json:"count"`
	First    float64  `json:"first"` // s
	Worst    *float64 `json:"worst,omitempty"`
	When     float64  `json:"when"` // s
	Text     string   `json:"text"`
	Remedy   string   `json:"remedy,omitempty"`
}

// ofFiles are the rules about the parts of a vehicle, independent of a run.
var ofFiles = []string{"model", "parameters", "road", "ledger", "power", "carcass"}

// inRuns are the rules without a quantity about what happens in a run.
var inRuns = []string{"end", "function", "slow-step", "log"}

// OfRun reports whether a row is about what happened in a run, after its start.
func (w *Warning) OfRun() bool { return w.Quantity != "" || slices.Contains(inRuns, w.Rule) }

// String is the text with what to do.
func (w *Warning) String() string {
	if w.Remedy == "" {
		return w.Text
	}
	return w.Text + "; " + w.Remedy
}

// mostOfTable bounds the text of a table [bytes].
const mostOfTable = 1 << 20

// Warnings is the table of the run and its start, without what the files say of a vehicle.
func (v *Vehicle) Warnings() ([]Warning, error) {
	text, err := v.text("solver.warnings", mostOfTable)
	if err != nil {
		return nil, err
	}
	var list []Warning
	for line := range strings.Lines(text) {
		w, err := parseWarning(strings.TrimSuffix(line, "\n"))
		if err != nil {
			return nil, err
		}
		if !slices.Contains(ofFiles, w.Rule) {
			list = append(list, w)
		}
	}
	return list, nil
}

// parseWarning reads a line of the table.
func parseWarning(line string) (w Warning, err error) {
	const fields = 12
	f := strings.Split(line, "\t")
	if len(f) != fields {
		return w, fmt.Errorf("a row of the table of warnings has %d fields, not %d: %q", len(f), fields, line)
	}
	number := func(text string) float64 {
		x, wrong := strconv.ParseFloat(text, 64)
		err = errors.Join(err, wrong)
		return x
	}
	finite := func(text string) *float64 {
		if x := number(text); x-x == 0 {
			return &x
		}
		return nil
	}
	w = Warning{Rule: f[0], Subject: f[1], Quantity: f[2], Unit: f[3], Count: int(number(f[6])), First: number(f[7]),
		When: number(f[9]), Text: f[10], Remedy: f[11]}
	if w.Quantity != "" {
		w.Low, w.High, w.Worst = finite(f[4]), finite(f[5]), finite(f[8])
	}
	return w, err
}

// mostWarned bounds the texts of warnings of an FMU's run.
const mostWarned = 20

// Warnings are the warnings that the FMU has logged after its start: each text once, at most the first of them.
func (c *Instance) Warnings() (list []Warning, err error) {
	at, more := map[string]int{}, 0
	for _, text := range c.warned {
		k, known := at[text]
		switch {
		case strings.HasPrefix(text, WarningPrefix):
		case known:
			list[k].Count++
		case len(list) == mostWarned:
			more++
		default:
			at[text] = len(list)
			list = append(list, Warning{Rule: "log", Count: 1, Text: text})
		}
	}
	if more > 0 {
		list = append(list, Warning{Rule: "log", Count: more, Text: fmt.Sprintf("%d warnings more", more)})
	}
	return list, nil
}

// Noticed is a warning of several runs, from the run in which the quantity was farthest from its limits.
type Noticed struct {
	Warning
	Run, Runs int // the number of that run, from 1, and in how many runs there was one
}

// Notice gathers the warnings of runs, by their numbers from 1 on: each quantity once, and each text without one.
func Notice(runs map[int][]Warning) (list []Noticed) {
	places := map[[4]string]int{}
	for _, run := range slices.Sorted(maps.Keys(runs)) {
		for _, w := range runs[run] {
			key := [4]string{w.Rule, w.Subject, w.Quantity}
			if w.Quantity == "" {
				key[3] = w.Text
			}
			k, found := places[key]
			if !found {
				k, places[key] = len(list), len(list)
				list = append(list, Noticed{w, run, 0})
			}
			if list[k].Runs++; w.excess() > list[k].excess() {
				list[k].Warning, list[k].Run = w, run
			}
		}
	}
	return list
}

// excess is how far the farthest value was outside of the limits.
func (w *Warning) excess() float64 {
	if w.Worst == nil {
		return 0
	}
	far := math.Inf(-1)
	if w.High != nil {
		far = *w.Worst - *w.High
	}
	if w.Low != nil {
		far = max(far, *w.Low-*w.Worst)
	}
	return far
}

// Line is a line about it; runs is the number of all runs.
func (n *Noticed) Line(runs int) string {
	return n.LineIn(fmt.Sprintf("run %d", n.Run), fmt.Sprintf("%d runs", runs))
}

// LineIn is a line about the warning. run names the run, and all names the set of counted runs.
func (n *Noticed) LineIn(run, all string) string {
	line := fmt.Sprintf("%s: %s%s", run, WarningPrefix, n.Warning.String())
	if n.Runs > 1 {
		line += fmt.Sprintf("; in %d of %s", n.Runs, all)
	}
	return line
}
