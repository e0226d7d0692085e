package equations

import (
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"
	"unicode"

	"skidpad/model/expr"
	"skidpad/model/formulate"
	"skidpad/model/vehicle"
)

// Languages lists the languages of exported files.
var Languages = []string{"sympy", "casadi", "matlab"}

// Ending returns the ending of file names of a language.
func Ending(language string) string {
	if language == "matlab" {
		return ".m"
	}
	return ".py"
}

// export holds the content of an exported file of any language.
type export struct {
	*Matrices
	matrices   *formulate.Matrices
	inputs     []formulate.Input     // those that are used, and what the engine sets of them
	parameters []formulate.Parameter // but start values of states
	solved     map[*expr.Expr]solved // accelerations and reactions
	command    string                // makes the file
}

// solved says that a definition is a factor times a number of the solution.
type solved struct {
	at     int
	factor expr.Rational
}

// function is a function of a file, with its results row by row.
type function struct {
	name, text  string
	rows        [][]*expr.Expr
	vector      bool // rows have one number
	columns     int  // of a matrix
	definitions []*expr.Expr
	calls       []formulate.Call
	symbols     map[*expr.Expr]bool
}

// Export writes the equations of a model in one of the Languages. The file has functions for the parts, and rates that
// solve them, tables of parameters, states and inputs, and a handle for each external call. File is the file's name, or
// "-" for a stream; a function of m-code is named after the file.
func Export(w io.Writer, m *vehicle.Model, tree, language, file string) error {
	stem := strings.TrimSuffix(filepath.Base(file), ".py")
	if slices.Contains([]string{"sympy", "numpy", "casadi", "math", "bisect", "functools"}, stem) {
		return fmt.Errorf("--out %s: Python would import this file in place of its own %s; choose another name", file, stem)
	}
	x, err := MatricesOf(m, tree, nil, 0)
	if err != nil {
		return err
	}
	e := &export{Matrices: x, matrices: x.Formulation.Matrices(), solved: map[*expr.Expr]solved{},
		command: fmt.Sprintf("skidpad equations %s --tree %s --export %s", oneLine(filepath.Base(m.File)), oneLine(x.Tree),
			language)}
	f := x.Formulation
	if !f.Weighted() {
		for i, s := range f.Solution {
			factor, d := f.Pool.Content(s)
			if d.Kind() == expr.Definition {
				e.solved[d] = solved{i, factor.Inv()}
			}
		}
	}
	e.collectVariables()
	if language == "matlab" {
		return e.matlab(w, file)
	}
	return e.python(w, language)
}

// functions lists the functions of a file.
func (e *export) functions() []function {
	f, m := e.Formulation, e.matrices
	column := func(list []*expr.Expr) [][]*expr.Expr {
		rows := [][]*expr.Expr{}
		for _, x := range list {
			rows = append(rows, []*expr.Expr{x})
		}
		return rows
	}
	transposed := make([][]*expr.Expr, len(f.Speeds))
	slack := make([][]*expr.Expr, len(m.C))
	for i := range transposed {
		for _, row := range m.C {
			transposed[i] = append(transposed[i], row[i])
		}
	}
	for i := range slack {
		for j := range m.C {
			slack[i] = append(slack[i], f.Pool.Int(0))
			if i == j {
				slack[i][j] = m.Slack[i]
			}
		}
	}
	list := []function{
		{name: "M", text: "mass matrix: rows and columns are speeds", rows: m.M, columns: len(f.Speeds)},
		{name: "CT", text: "directions of the reactions: rows are speeds, columns constraints", rows: transposed,
			columns: len(m.C)},
		{name: "b", text: "generalised forces, by speed", rows: column(m.B), vector: true},
		{name: "e", text: "what constraints ask of p', with their stabilisation", rows: column(m.E), vector: true},
		{name: "Phi", text: "constraints: 0 where they are met", rows: column(m.Phi), vector: true},
		{name: "Phi_dot", text: "rates of the constraints", rows: column(m.PhiDot), vector: true},
		{name: "h", text: "rates of the coordinates", rows: column(m.H), vector: true},
		{name: "slack", text: "1 on the diagonal for a constraint that is not active", rows: slack, columns: len(m.C)},
		{name: "internal", text: "rates of the states of components", rows: column(rates(f.Internal)), vector: true},
	}
	if f.Weighted() {
		list = append(list, function{name: "weighted", rows: column(f.Solution), vector: true,
			text: "p' and f of constraints that have weights or follow from others, after Udwadia and Kalaba"})
	}
	for i := range list {
		e.complete(&list[i])
	}
	return list
}

func rates(states []formulate.State) []*expr.Expr {
	var list []*expr.Expr
	for _, s := range states {
		list = append(list, s.Rate)
	}
	return list
}

// complete finds what a function needs.
func (e *export) complete(g *function) {
	g.symbols = map[*expr.Expr]bool{}
	known := func(x *expr.Expr) bool {
		_, is := e.solved[x]
		if is {
			g.symbols[x] = true
		}
		return is
	}
	roots := slices.Concat(g.rows...)
	list, calls := below(e.Formulation, roots, known)
	for i := range calls {
		roots = append(roots, calls[i].Arguments...)
	}
	for x := range reach(roots, known) {
		if x.Kind() == expr.Symbol {
			g.symbols[x] = true
		}
	}
	g.calls = calls
	for _, late := range []bool{false, true} { // what external calls return is there after what does not wait for it
		for _, d := range list {
			if (d.Depends()&expr.Returned != 0) == late {
				g.definitions = append(g.definitions, d)
			}
		}
	}
}

// collectVariables finds the tables, inputs and parameters that are used.
func (e *export) collectVariables() {
	f := e.Formulation
	var roots []*expr.Expr
	for _, g := range e.functions() {
		roots = append(append(roots, slices.Concat(g.rows...)...), g.definitions...)
		for i := range g.calls {
			roots = append(roots, g.calls[i].Arguments...)
		}
	}
	e.tables = tablesOf(roots, e.names)
	used := reach(roots, nothing)
	e.inputs = slices.Clone(f.Inputs)
	for _, in := range f.Controls {
		if used[in.Symbol] {
			in.Text = "set by the engine"
			e.inputs = append(e.inputs, in)
		}
	}
	for _, p := range f.Parameters {
		if !p.StartValue || used[p.Symbol] {
			e.parameters = append(e.parameters, p)
		}
	}
}

// starts returns the start values of the states for the values of parameters and inputs in the model.
func (e *export) starts() []float64 {
	values := map[*expr.Expr]float64{}
	f := e.Formulation
	for _, p := range f.Parameters {
		values[p.Symbol] = p.Value
	}
	for _, in := range slices.Concat(f.Inputs, f.Controls) {
		values[in.Symbol] = in.Start
	}
	evaluator := expr.NewEvaluator(values)
	var list []float64
	for _, s := range f.States() {
		list = append(list, evaluator.Value(s.Start))
	}
	return list
}

// oneLine keeps a text within one line of a comment, without characters that act on terminals.
func oneLine(text string) string {
	return strings.Join(strings.FieldsFunc(text, func(r rune) bool {
		return unicode.IsSpace(r) || unicode.IsControl(r) || unicode.Is(unicode.Cf, r)
	}), " ")
}
