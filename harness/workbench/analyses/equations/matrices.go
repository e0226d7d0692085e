package equations

import (
	"fmt"
	"slices"

	"skidpad/model/expr"
	"skidpad/model/formulate"
	"skidpad/model/vehicle"
)

// Matrices holds the equations of motion of a model, entry by entry (Morency 2007, (2.35) to (2.38)), with the
// definitions, external calls and tables that the entries use.
type Matrices struct {
	Model       *vehicle.Model
	Formulation *formulate.Formulation
	Tree        string
	Parts       []Part
	Definitions []*expr.Expr
	Calls       []formulate.Call

	names   *expr.Names
	tables  tables
	written map[*expr.Expr]bool // definitions that are written out in place of their names
}

// Part is a matrix or vector, without the entries that are 0.
type Part struct {
	Symbol    string // M, CT, b, e, Phi, Phi_dot or h
	Text      string
	Symmetric bool // has the entries of the upper triangle alone
	Matrix    bool
	Entries   []Entry
}

// Entry is one number of a part, by the names of its row and, in a matrix, its column.
type Entry struct {
	Row, Column string
	Value       *expr.Expr
}

// PartNames lists the parts that can be chosen.
var PartNames = []string{"M", "C", "b", "Phi", "h", "e"}

// mostTerms bounds the number of terms when definitions are written out.
const mostTerms = 2e6

// MatricesOf formulates the equations of a model with one of its trees, "" for the first. Only chooses among PartNames;
// nil chooses all. Definitions with at most inline uses are written out at the place of use.
func MatricesOf(m *vehicle.Model, tree string, only []string, inline int) (*Matrices, error) {
	f, err := formulate.New(m, formulate.Options{Tree: tree, Mass: true})
	if err != nil {
		return nil, err
	}
	if tree == "" {
		tree = m.Trees[0].Name
	}
	x := &Matrices{Model: m, Formulation: f, Tree: tree, names: f.Names()}
	x.Parts = x.parts(only)
	x.collect()
	return x, x.writeOut(inline)
}

// parts lists the chosen parts.
func (x *Matrices) parts(only []string) []Part {
	f, m := x.Formulation, x.Formulation.Matrices()
	speeds, coordinates, constraints := namesOf(f.Speeds), namesOf(f.Coordinates), x.constraints()
	var list []Part
	add := func(name string, p Part) {
		if len(only) == 0 || slices.Contains(only, name) {
			list = append(list, p)
		}
	}
	mass := Part{Symbol: "M", Text: "mass matrix", Matrix: true, Symmetric: true}
	transposed := Part{Symbol: "CT", Text: "directions of the reactions", Matrix: true}
	for i, row := range speeds {
		for j := i; j < len(speeds); j++ {
			mass.add(row, speeds[j], m.M[i][j])
		}
		for j, column := range constraints {
			transposed.add(row, column, m.C[j][i])
		}
	}
	forces := Part{Symbol: "b", Text: "generalised forces"}
	for i, row := range speeds {
		forces.add(row, "", m.B[i])
	}
	addStorages(f, &mass, &forces)
	add("M", mass)
	if len(constraints) > 0 {
		add("C", transposed)
	}
	vector := func(name, symbol, text string, rows []string, values []*expr.Expr) {
		p := Part{Symbol: symbol, Text: text}
		for i, row := range rows {
			p.add(row, "", values[i])
		}
		add(name, p)
	}
	add("b", forces)
	if len(constraints) > 0 {
		vector("e", "e", "what constraints ask of p'", constraints, m.E)
		vector("Phi", "Phi", "constraints", constraints, m.Phi)
		vector("Phi", "Phi_dot", "their rates", constraints, m.PhiDot)
	}
	vector("h", "h", "rates of the coordinates", coordinates, m.H)
	return list
}

func (p *Part) add(row, column string, value *expr.Expr) {
	if !value.IsZero() {
		p.Entries = append(p.Entries, Entry{row, column, value})
	}
}

func namesOf(states []formulate.State) []string {
	var list []string
	for _, s := range states {
		list = append(list, s.Name)
	}
	return list
}

// collect finds the definitions and calls that the entries use.
func (x *Matrices) collect() {
	var roots []*expr.Expr
	for _, p := range x.Parts {
		for _, e := range p.Entries {
			roots = append(roots, e.Value)
		}
	}
	x.Definitions, x.Calls = below(x.Formulation, roots, nothing)
	for i := range x.Calls {
		roots = append(roots, x.Calls[i].Arguments...)
	}
	x.tables = tablesOf(roots, x.names)
}

func nothing(*expr.Expr) bool { return false }

// below lists the definitions and external calls that expressions use, in an order of computation: the arguments of
// calls come first. Known expressions are not entered.
func below(
	f *formulate.Formulation, roots []*expr.Expr, known func(*expr.Expr) bool,
) (definitions []*expr.Expr, calls []formulate.Call) {
	used := reach(roots, known)
	var arguments []*expr.Expr
	for _, c := range f.Calls {
		if used[c.Load] || slices.ContainsFunc(c.Returned, func(r *expr.Expr) bool { return used[r] }) {
			calls = append(calls, c)
			arguments = append(arguments, c.Arguments...)
		}
	}
	used = reach(append(arguments, roots...), known)
	for _, d := range formulate.Statements(append(arguments, roots...)) {
		if used[d] {
			definitions = append(definitions, d)
		}
	}
	return definitions, calls
}

// reach finds all subexpressions of roots. Known expressions are not entered.
func reach(roots []*expr.Expr, known func(*expr.Expr) bool) map[*expr.Expr]bool {
	used := map[*expr.Expr]bool{}
	var visit func(e *expr.Expr)
	visit = func(e *expr.Expr) {
		if used[e] || known(e) {
			return
		}
		used[e] = true
		for _, a := range e.Args() {
			visit(a)
		}
	}
	for _, r := range roots {
		visit(r)
	}
	return used
}

// writeOut chooses the definitions that are written out: definitions with an entry as their only user, and definitions
// with at most inline uses.
func (x *Matrices) writeOut(inline int) error {
	uses, terms := map[*expr.Expr]int{}, map[*expr.Expr]float64{}
	count := func(e *expr.Expr) {
		_, body := x.Formulation.Pool.Content(e)
		countUses(body, uses)
	}
	x.written = map[*expr.Expr]bool{}
	var entries []*expr.Expr
	for _, p := range x.Parts {
		for _, e := range p.Entries {
			count(e.Value)
			_, body := x.Formulation.Pool.Content(e.Value)
			entries = append(entries, body)
		}
	}
	for _, c := range x.Calls {
		for _, a := range c.Arguments {
			count(a)
		}
	}
	for _, d := range x.Definitions {
		countUses(d.Args()[0], uses)
	}
	for _, e := range entries {
		x.written[e] = e.Kind() == expr.Definition && uses[e] == 1
	}
	total := 0.0
	for _, d := range x.Definitions {
		x.written[d] = x.written[d] || uses[d] <= inline
		n := 0.0
		below := map[*expr.Expr]int{}
		countUses(d.Args()[0], below)
		for used, times := range below {
			n++
			if x.written[used] {
				n += float64(times) * terms[used]
			}
		}
		terms[d] = n
		total += n
	}
	if total > mostTerms {
		return fmt.Errorf("--inline %d writes out %.2g terms, more than %.2g; give a smaller number", inline, total,
			mostTerms)
	}
	x.Definitions = slices.DeleteFunc(x.Definitions, func(d *expr.Expr) bool { return x.written[d] })
	return nil
}

// countUses counts how often the names of definitions are written in an expression.
func countUses(e *expr.Expr, uses map[*expr.Expr]int) {
	if e.Kind() == expr.Definition {
		uses[e]++
		return
	}
	for _, a := range e.Args() {
		countUses(a, uses)
	}
}
