package harness

import (
	"io"

	"gonum.org/v1/gonum/mat"

	"skidpad/model/linear"
)

// WriteMAT writes the linear equations as a MAT-file:
//
//	A, B, C, D     minimal form; of several values arrays with a third index, as ss takes them
//	states, inputs, outputs, state_units, input_units, output_units
//	x, x_rate, u, y  the steady motions, a column for each value
//	parameter, values  what varies
//	descriptor     with constraints: E, A, B, C, D of all states, states, x, x_rate
func (l *Linearised) WriteMAT(to io.Writer) error {
	minimal, err := l.Minimal()
	if err != nil {
		return err
	}
	first := minimal[0]
	var a, b, c, d []*mat.Dense
	var x, rates, u, y [][]float64
	for _, s := range minimal {
		a, b, c, d = append(a, s.A), append(b, s.B), append(c, s.C), append(d, s.D)
		x, rates, u, y = append(x, s.X), append(rates, s.Rates), append(u, s.U), append(y, s.Y)
	}
	n, inputs, outputs := len(first.States), len(first.Inputs), len(first.Outputs)
	variables := []matVariable{
		{"title", matText(l.Title)},
		{"parameter", matText(l.Varied.Name)}, {"values", matNumbers(l.Varied.Values, 1, len(l.Varied.Values))},
		{"A", matPages(a, n, n)}, {"B", matPages(b, n, inputs)}, {"C", matPages(c, outputs, n)}, {"D", matPages(d, outputs, inputs)},
		{"states", matTexts(first.States)}, {"inputs", matTexts(first.Inputs)}, {"outputs", matTexts(first.Outputs)},
		{"state_units", matTexts(first.StateUnits)}, {"input_units", matTexts(first.InputUnits)}, {"output_units", matTexts(first.OutputUnits)},
		{"x", matColumns(x, n)}, {"x_rate", matColumns(rates, n)}, {"u", matColumns(u, inputs)}, {"y", matColumns(y, outputs)},
	}
	if all := l.Systems[0]; len(all.States) > n {
		var e, a, b, c, d []*mat.Dense
		var x, rates [][]float64
		for _, s := range l.Systems {
			form, err := s.Descriptor(first.States)
			if err != nil {
				return err
			}
			e, a, b, c, d = append(e, form.E), append(a, form.A), append(b, form.B), append(c, form.C), append(d, form.D)
			x, rates = append(x, s.X), append(rates, s.Rates)
		}
		n := len(all.States)
		variables = append(variables, matVariable{"descriptor", matStruct(
			matVariable{"E", matPages(e, n, n)}, matVariable{"A", matPages(a, n, n)}, matVariable{"B", matPages(b, n, inputs)}, matVariable{"C", matPages(c, outputs, n)}, matVariable{"D", matPages(d, outputs, inputs)},
			matVariable{"states", matTexts(all.States)}, matVariable{"state_units", matTexts(all.StateUnits)}, matVariable{"x", matColumns(x, n)}, matVariable{"x_rate", matColumns(rates, n)},
		)})
	}
	return writeMAT(to, "linear equations by Skidpad", variables)
}

// Minimal are the minimal forms of all systems, in the same states.
func (l *Linearised) Minimal() ([]*linear.System, error) {
	states, err := linear.Independent(l.Systems...)
	if err != nil {
		return nil, err
	}
	var list []*linear.System
	for _, s := range l.Systems {
		m, err := s.Minimal(states)
		if err != nil {
			return nil, err
		}
		list = append(list, m)
	}
	return list, nil
}

// matPages is a matrix for each value, one behind the other if there are several.
func matPages(list []*mat.Dense, rows, columns int) matArray {
	var values []float64
	for _, m := range list {
		for k := range columns {
			for i := range rows {
				values = append(values, m.At(i, k))
			}
		}
	}
	if len(list) == 1 {
		return matNumbers(values, rows, columns)
	}
	return matNumbers(values, rows, columns, len(list))
}

// matColumns is a matrix of columns.
func matColumns(list [][]float64, rows int) matArray {
	var values []float64
	for _, column := range list {
		values = append(values, column...)
	}
	return matNumbers(values, rows, len(list))
}
