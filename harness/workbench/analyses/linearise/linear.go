// Package linearise tabulates, draws and writes the linear equations that the engine makes of a vehicle about steady
// motions, and compares them with those by tangent stiffness. It looks into the engine.
package linearise

import (
	"encoding/csv"
	"io"
	"math"
	"math/cmplx"
	"slices"
	"strconv"

	"gonum.org/v1/gonum/mat"

	"skidpad/harness/workbench/results/trace"
	"skidpad/harness/workbench/runs/manoeuvre"
	"skidpad/model/linear"
)

// Result is a vehicle about steady motions, one for each value of what varies.
type Result struct {
	Title   string
	Varied  manoeuvre.Variation
	Unit    string           // of the values
	Systems []*linear.System // by value
	Modes   [][]linear.Mode  // by value

	// Input, Output, Frequencies [rad/s] and Responses, by value and frequency, of a Bode plot.
	Input, Output string
	Frequencies   []float64
	Responses     [][]complex128

	// Of a transfer function, by value.
	From, To  string
	Transfers []*linear.Transfer

	Followed [][]FollowedMode   // by value, of Follow
	Limits   []StabilityLimit   // between the values, where they are wanted
	Handling []*linear.Handling // by value

	Forces    bool                // reactions are wanted
	Reactions [][]linear.Reaction // by value, where they are wanted
}

// SteadyTable has a row for each value: it, all states and all inputs.
func (l *Result) SteadyTable() *trace.Table {
	t := &trace.Table{Columns: slices.Concat([]string{l.Varied.Name}, l.Systems[0].States, l.Systems[0].Inputs)}
	for i, s := range l.Systems {
		t.Rows = append(t.Rows, slices.Concat([]float64{l.Varied.Values[i]}, s.X, s.U))
	}
	return t
}

// EigenTable has a row for each eigenvalue: value, real and imaginary part [1/s], undamped
// frequency [rad/s], damping ratio.
func (l *Result) EigenTable() *trace.Table {
	t := &trace.Table{Columns: []string{l.Varied.Name, "real", "imaginary", "frequency", "damping"}}
	for i, modes := range l.Modes {
		for _, m := range modes {
			t.Rows = append(t.Rows, []float64{l.Varied.Values[i], real(m.Value), imag(m.Value), m.Frequency(),
				m.Damping()})
		}
	}
	return t
}

// decibel is 20 log10 |h|, degrees the phase, above -180 and up to 180.
func decibel(h complex128) float64 { return 20 * math.Log10(cmplx.Abs(h)) }
func degrees(h complex128) float64 { return cmplx.Phase(h) * 180 / math.Pi }

// BodeTable has a row for each value and frequency: magnitude [dB], phase [degrees].
func (l *Result) BodeTable() *trace.Table {
	t := &trace.Table{Columns: []string{l.Varied.Name, "omega", "magnitude_dB", "phase_deg"}}
	for i, response := range l.Responses {
		for k, h := range response {
			t.Rows = append(t.Rows, []float64{l.Varied.Values[i], l.Frequencies[k], decibel(h), degrees(h)})
		}
	}
	return t
}

// WriteMatrix writes a matrix of a linear system as CSV with the names of its rows and columns,
// SI units.
func WriteMatrix(to io.Writer, m *mat.Dense, rows, columns []string) error {
	w := csv.NewWriter(to)
	if err := w.Write(slices.Concat([]string{""}, columns)); err != nil {
		return err
	}
	for i, name := range rows {
		line := []string{name}
		for k := range columns {
			line = append(line, strconv.FormatFloat(m.At(i, k), 'g', -1, 64))
		}
		if err := w.Write(line); err != nil {
			return err
		}
	}
	w.Flush()
	return w.Error()
}
