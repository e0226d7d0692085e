package optimise

import (
	"fmt"
	"io"
	"strings"

	"skidpad/harness/workbench/results/output"
	"skidpad/harness/workbench/results/trace"
)

// HistoryTable has a row for each evaluation: its number and the values. Then follow the largest real part of the
// counted modes and of all modes, and the least so far for the counted modes [1/s].
func (r *Result) HistoryTable() *trace.Table {
	t := &trace.Table{Columns: []string{"evaluation"}}
	for _, b := range r.Vary {
		t.Columns = append(t.Columns, b.Name())
	}
	t.Columns = append(t.Columns, "masked", "all", "best")
	best := worstCost
	for i, e := range r.History {
		best = min(best, e.Masked)
		row := append([]float64{float64(i + 1)}, e.Values...)
		t.Rows = append(t.Rows, append(row, e.Masked, e.All, best))
	}
	return t
}

// EigenTable has a row for each eigenvalue with the best values. Its columns are the value of the steady motion, real
// and imaginary part [1/s], the share of the mask's outputs in the shape, and 1 for a counted mode.
func (r *Result) EigenTable() *trace.Table {
	t := &trace.Table{Columns: []string{r.At.Name, "real", "imaginary", "share", "counts"}}
	for k, modes := range r.Modes {
		for _, m := range modes {
			counts := 0.0
			if m.Counts {
				counts = 1
			}
			t.Rows = append(t.Rows, []float64{r.At.Values[k], real(m.Value), imag(m.Value), m.Share, counts})
		}
	}
	return t
}

// Files are the tables and the JSON object.
func (r *Result) Files() []output.File {
	return []output.File{
		{Name: "history.csv", Write: r.HistoryTable().WriteCSV}, {Name: "eigenvalues.csv", Write: r.EigenTable().WriteCSV},
		{Name: "optimum.json", Write: r.WriteJSON},
	}
}

// Print prints the best values with what they lead to.
func (r *Result) Print(to io.Writer) {
	fmt.Fprintf(to, "%s: %d evaluations, best: evaluation %d\n", r.Title, len(r.History), r.Best+1)
	best := r.History[r.Best]
	for i, b := range r.Vary {
		fmt.Fprintf(to, "%24s %14.7g   bounds %g to %g\n", b.Name(), best.Values[i], b.From, b.To)
	}
	if best.Masked == worstCost {
		fmt.Fprintf(to, "no mode counts at all values of %s: add outputs to the mask, or lower the share\n", r.At.Name)
	} else {
		fmt.Fprintf(to, "largest real part: %.6f 1/s of the modes that count, %.6f 1/s of all modes\n", best.Masked, best.All)
	}
	if best.All > best.Masked {
		fmt.Fprintln(to, "warning: the mask hides the mode with the largest real part")
	}
	fmt.Fprintf(to, "stable: %s\n", r.stable())
	fmt.Fprintf(to, "%12s %14s %14s %9s %7s\n", r.At.Name, "real 1/s", "imaginary 1/s", "share", "counts")
	for k, modes := range r.Modes {
		for _, m := range modes {
			if imag(m.Value) < 0 {
				continue
			}
			counts := "no"
			if m.Counts {
				counts = "yes"
			}
			fmt.Fprintf(to, "%12.6g %14.8f %14.8f %9.6f %7s\n", r.At.Values[k], real(m.Value), imag(m.Value), m.Share, counts)
		}
	}
}

// stable says where the vehicle is.
func (r *Result) stable() string {
	values := r.Range.Values
	var parts []string
	for _, i := range r.Stable {
		part := fmt.Sprintf("%s from %.7g to %.7g", r.At.Name, i.From, i.To)
		switch {
		case i.OpenFrom && i.OpenTo:
			part += ", the whole range"
		case i.OpenTo:
			part += ", the end of the range"
		case i.OpenFrom:
			part += ", from the beginning of the range"
		}
		parts = append(parts, part)
	}
	if parts == nil {
		return fmt.Sprintf("nowhere from %s = %g to %g", r.At.Name, values[0], values[len(values)-1])
	}
	return strings.Join(parts, "; ")
}

// resultJSON is the output of --json.
type resultJSON struct {
	Study       string         `json:"study"`
	Evaluations int            `json:"evaluations"`
	Best        int            `json:"best"`   // number of the evaluation, from 1
	Values      []valueJSON    `json:"values"` // of what varies
	Masked      *float64       `json:"masked"` // 1/s; null where no mode counts
	All         *float64       `json:"all"`    // 1/s; null without steady motions
	Stable      []intervalJSON `json:"stable"`
	Modes       []modeJSON     `json:"modes"`
}

type valueJSON struct {
	Name  string  `json:"name"`
	Value float64 `json:"value"`
	From  float64 `json:"from"`
	To    float64 `json:"to"`
}

// intervalJSON is an interval; an end is a limit of stability unless it is the end of the range.
type intervalJSON struct {
	From       float64 `json:"from"`
	To         float64 `json:"to"`
	LimitBelow bool    `json:"limit_below"`
	LimitAbove bool    `json:"limit_above"`
}

type modeJSON struct {
	At        float64 `json:"at"`
	Real      float64 `json:"real"`
	Imaginary float64 `json:"imaginary"`
	Share     float64 `json:"share"`
	Counts    bool    `json:"counts"`
}

// WriteJSON writes the result as one object.
func (r *Result) WriteJSON(to io.Writer) error {
	best := r.History[r.Best]
	file := resultJSON{Study: r.Name, Evaluations: len(r.History), Best: r.Best + 1, Stable: []intervalJSON{},
		Modes: []modeJSON{}}
	for i, b := range r.Vary {
		file.Values = append(file.Values, valueJSON{b.Name(), best.Values[i], b.From, b.To})
	}
	if best.Masked != worstCost {
		file.Masked = output.Number(best.Masked)
	}
	if best.Steady {
		file.All = output.Number(best.All)
	}
	for _, i := range r.Stable {
		file.Stable = append(file.Stable, intervalJSON{i.From, i.To, !i.OpenFrom, !i.OpenTo})
	}
	for k, modes := range r.Modes {
		for _, m := range modes {
			file.Modes = append(file.Modes, modeJSON{r.At.Values[k], real(m.Value), imag(m.Value), m.Share, m.Counts})
		}
	}
	return output.WriteJSON(to, file)
}
