package linearise

import (
	"io"

	"gonum.org/v1/gonum/mat"

	"skidpad/harness/workbench/results/matfile"
	"skidpad/model/linear"
)

// WriteMAT writes the linear equations as a MAT-file:
//
//	A, B, C, D     minimal form; of several values arrays with a third index, as ss takes them
//	states, inputs, outputs, state_units, input_units, output_units
//	x, x_rate, u, y  the steady motions, a column for each value
//	parameter, values  what varies
//	descriptor     with constraints: E, A, B, C, D of all states, states, x, x_rate
func (l *Result) WriteMAT(to io.Writer) error {
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
	variables := []matfile.Variable{
		{Name: "title", Array: matfile.Text(l.Title)},
		{Name: "parameter", Array: matfile.Text(l.Varied.Name)},
		{Name: "values", Array: matfile.Numbers(l.Varied.Values, 1, len(l.Varied.Values))},
		{Name: "A", Array: matPages(a, n, n)}, {Name: "B", Array: matPages(b, n, inputs)},
		{Name: "C", Array: matPages(c, outputs, n)}, {Name: "D", Array: matPages(d, outputs, inputs)},
		{Name: "states", Array: matfile.Texts(first.States)}, {Name: "inputs", Array: matfile.Texts(first.Inputs)},
		{Name: "outputs", Array: matfile.Texts(first.Outputs)},
		{Name: "state_units", Array: matfile.Texts(first.StateUnits)},
		{Name: "input_units", Array: matfile.Texts(first.InputUnits)},
		{Name: "output_units", Array: matfile.Texts(first.OutputUnits)},
		{Name: "x", Array: matColumns(x, n)}, {Name: "x_rate", Array: matColumns(rates, n)},
		{Name: "u", Array: matColumns(u, inputs)}, {Name: "y", Array: matColumns(y, outputs)},
	}
	if all := l.Systems[0]; len(all.States) > n {
		var e, a, b, c, d []*mat.Dense
		var x, rates [][]float64
		for _, s := range l.Systems {
			form, err := s.Descriptor(first.States)
			if err != nil {
				return err
			}
			e, a, b, c, d = append(e, form.E), append(a, form.A), append(b, form.B), append(c, form.C),
				append(d, form.D)
			x, rates = append(x, s.X), append(rates, s.Rates)
		}
		n := len(all.States)
		variables = append(variables, matfile.Variable{Name: "descriptor", Array: matfile.Struct(
			matfile.Variable{Name: "E", Array: matPages(e, n, n)},
			matfile.Variable{Name: "A", Array: matPages(a, n, n)},
			matfile.Variable{Name: "B", Array: matPages(b, n, inputs)},
			matfile.Variable{Name: "C", Array: matPages(c, outputs, n)},
			matfile.Variable{Name: "D", Array: matPages(d, outputs, inputs)},
			matfile.Variable{Name: "states", Array: matfile.Texts(all.States)},
			matfile.Variable{Name: "state_units", Array: matfile.Texts(all.StateUnits)},
			matfile.Variable{Name: "x", Array: matColumns(x, n)},
			matfile.Variable{Name: "x_rate", Array: matColumns(rates, n)},
		)})
	}
	return matfile.Write(to, "linear equations by Skidpad", variables)
}

// Minimal are the minimal forms of all systems, in the same states.
func (l *Result) Minimal() ([]*linear.System, error) {
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
func matPages(list []*mat.Dense, rows, columns int) matfile.Array {
	var values []float64
	for _, m := range list {
		for k := range columns {
			for i := range rows {
				values = append(values, m.At(i, k))
			}
		}
	}
	if len(list) == 1 {
		return matfile.Numbers(values, rows, columns)
	}
	return matfile.Numbers(values, rows, columns, len(list))
}

// matColumns is a matrix of columns.
func matColumns(list [][]float64, rows int) matfile.Array {
	var values []float64
	for _, column := range list {
		values = append(values, column...)
	}
	return matfile.Numbers(values, rows, len(list))
}
