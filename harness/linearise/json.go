package linearise

import (
	"encoding/json"
	"io"

	"gonum.org/v1/gonum/mat"
)

// linearJSON is a file linear.json: the minimal form, with rows of matrices as lists.
type linearJSON struct {
	Title     string         `json:"title"`
	Parameter string         `json:"parameter"` // what varies
	States    []namedJSON    `json:"states"`
	Inputs    []namedJSON    `json:"inputs"`
	Outputs   []namedJSON    `json:"outputs"`
	Systems   []matricesJSON `json:"systems"`
}

// namedJSON is a variable, of states with their participation.
type namedJSON struct {
	Name  string `json:"name"`
	Unit  string `json:"unit"`
	Group string `json:"group,omitempty"`
}

// matricesJSON are the linear equations at a value, and the steady motion.
type matricesJSON struct {
	Value float64     `json:"value"`
	A     [][]float64 `json:"A"`
	B     [][]float64 `json:"B"`
	C     [][]float64 `json:"C"`
	D     [][]float64 `json:"D"`
	X     []float64   `json:"x"`
	Rates []float64   `json:"x_rate"`
	U     []float64   `json:"u"`
	Y     []float64   `json:"y"`
}

// WriteJSON writes the linear equations in independent states, with names and units.
func (l *Result) WriteJSON(to io.Writer) error {
	minimal, err := l.Minimal()
	if err != nil {
		return err
	}
	named := func(names, units, groups []string) []namedJSON {
		list := make([]namedJSON, len(names))
		for i := range names {
			list[i] = namedJSON{Name: names[i], Unit: units[i]}
			if groups != nil {
				list[i].Group = groups[i]
			}
		}
		return list
	}
	first := minimal[0]
	file := linearJSON{
		Title: l.Title, Parameter: l.Varied.Name,
		States: named(first.States, first.StateUnits, first.Groups), Inputs: named(first.Inputs, first.InputUnits, nil),
		Outputs: named(first.Outputs, first.OutputUnits, nil),
	}
	for i, s := range minimal {
		file.Systems = append(file.Systems, matricesJSON{
			Value: l.Varied.Values[i], A: rowsOf(s.A, len(s.States)), B: rowsOf(s.B, len(s.States)),
			C: rowsOf(s.C, len(s.Outputs)), D: rowsOf(s.D, len(s.Outputs)),
			X: s.X, Rates: s.Rates, U: append([]float64{}, s.U...), Y: append([]float64{}, s.Y...),
		})
	}
	return json.NewEncoder(to).Encode(file)
}

// rowsOf are the rows of a matrix, which are empty without columns.
func rowsOf(m *mat.Dense, rows int) [][]float64 {
	list := make([][]float64, rows)
	for i := range list {
		list[i] = []float64{}
		if !m.IsEmpty() {
			list[i] = m.RawRowView(i)
		}
	}
	return list
}
