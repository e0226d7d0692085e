package equations

import (
	_ "embed"
	"fmt"
	"io"
	"strconv"
	"strings"

	"skidpad/model/expr"
	"skidpad/model/formulate"
)

//go:embed export_sympy.py
var sympyHelpers string

//go:embed export_casadi.py
var casadiHelpers string

//go:embed export_common.py
var commonHelpers string

// python writes a file for SymPy, which is for numbers as well, or for CasADi.
func (e *export) python(w io.Writer, language string) error {
	f, n := e.Formulation, e.pythonNotation()
	var b strings.Builder
	line := func(format string, args ...any) { fmt.Fprintf(&b, format+"\n", args...) }
	line("# %s: %s, tree %s", oneLine(e.Model.Name), oneLine(e.Model.Title), oneLine(e.Tree))
	line("# %s", strings.ReplaceAll(e.form("CT", "p'", "q'", "Phi'"), "\n", "\n# "))
	line("# written by: %s", e.command)
	helpers := sympyHelpers
	if language == "casadi" {
		helpers = casadiHelpers
	}
	b.WriteString(helpers + commonHelpers)
	line("\n\n# name: (value, unit)\nparameters = {")
	for _, p := range e.parameters {
		line("    %q: (%s, %q),%s", p.Name, pythonNumber(p.Value), p.Unit, remark(p.Text))
	}
	line("}\n\n# name: (start value, unit), in the order of the state vector: speeds, coordinates, states of components")
	line("states = {")
	starts := e.starts()
	for i, s := range f.States() {
		line("    %q: (%s, %q),%s", s.Name, pythonNumber(starts[i]), s.Unit, remark(s.Text))
	}
	line("}\n\n# name: (value, unit)\ninputs = {")
	for _, in := range e.inputs {
		line("    %q: (%s, %q),%s", in.Name, pythonNumber(in.Start), in.Unit, remark(in.Text))
	}
	line("}\n\nspeeds = %s\ncoordinates = %s\nconstraints = %s", pythonList(namesOf(f.Speeds)),
		pythonList(namesOf(f.Coordinates)), pythonList(e.constraints()))
	functions := e.functions()
	e.pythonCalls(&b, functions)
	for k, t := range e.tables.list {
		if k == 0 {
			line("")
		}
		line("%s = [%s]", e.tables.name[t], numbersOf(t))
	}
	for i := range functions {
		e.pythonFunction(&b, n, &functions[i])
	}
	e.pythonRates(&b)
	_, err := io.WriteString(w, b.String())
	return err
}

// pythonCalls writes the table of external functions.
func (e *export) pythonCalls(b *strings.Builder, functions []function) {
	fmt.Fprint(b, "\n# external functions, to be set: arguments, and the sequence that is returned\ncalls = {")
	for i, c := range e.used(functions) {
		if i == 0 {
			fmt.Fprintln(b)
		}
		fmt.Fprintf(b, "    # %s(%s)\n    #   -> %s\n    %q: None,\n", c.Function, strings.Join(c.Inputs, ", "),
			strings.Join(c.Outputs, ", "), c.Name)
	}
	fmt.Fprint(b, "}\n")
}

// used are the external calls of some functions.
func (e *export) used(functions []function) []formulate.Call {
	names := map[string]bool{}
	for _, g := range functions {
		for _, c := range g.calls {
			names[c.Name] = true
		}
	}
	var list []formulate.Call
	for _, c := range e.Formulation.Calls {
		if names[c.Name] {
			list = append(list, c)
		}
	}
	return list
}

// pythonFunction writes a function; those that only the file itself needs begin with _.
func (e *export) pythonFunction(b *strings.Builder, n *expr.Notation, g *function) {
	line := func(format string, args ...any) { fmt.Fprintf(b, format+"\n", args...) }
	arguments, name := "x=None, u=None, p=None, calls=None", g.name
	if private[g.name] {
		name = "_" + name
	}
	if g.name == "internal" {
		arguments += ", solution=None"
	}
	line("\n\ndef %s(%s):", name, arguments)
	line("    \"\"\"%s.\"\"\"", strings.ToUpper(g.text[:1])+g.text[1:])
	line("    x, u, p, m = _given(x, u, p)")
	e.unpack(g, func(symbol *expr.Expr, table, key string) {
		line("    %s = %s[%q]", e.names.Of(symbol), table, key)
	}, func(d *expr.Expr, s solved) {
		c := s.factor.Mul(d.Value())
		line("    %s = %s", e.names.Of(d), times(c, fmt.Sprintf("solution[%d]", s.at)))
	})
	called := false
	for _, d := range g.definitions {
		if d.Depends()&expr.Returned != 0 && !called {
			called = true
			e.pythonCallsOf(b, n, g)
		}
		line("    %s = %s", e.names.Of(d), n.Subterm(d))
	}
	if !called {
		e.pythonCallsOf(b, n, g)
	}
	begin, end, entry := "matrix([", fmt.Sprintf("], %d, %d)", len(g.rows), g.columns), "[%s],"
	if g.vector {
		begin, end, entry = "vector([", "])", "%s,"
	}
	line("    return m.%s", begin)
	for _, row := range g.rows {
		var entries []string
		for _, x := range row {
			entries = append(entries, n.Write(x))
		}
		line("        "+entry, strings.Join(entries, ", "))
	}
	line("    %s", end)
}

// private are the functions that files need for themselves.
var private = map[string]bool{"slack": true, "internal": true, "weighted": true}

// unpack lists the arguments of a function: variables with table and key, and numbers of the solution.
func (e *export) unpack(
	g *function, variable func(symbol *expr.Expr, table, key string), number func(*expr.Expr, solved),
) {
	f := e.Formulation
	for _, s := range f.States() {
		if g.symbols[s.Symbol] {
			variable(s.Symbol, "x", s.Name)
		}
	}
	for _, in := range e.inputs {
		if g.symbols[in.Symbol] {
			variable(in.Symbol, "u", in.Name)
		}
	}
	for _, p := range e.parameters {
		if g.symbols[p.Symbol] {
			variable(p.Symbol, "p", p.Name)
		}
	}
	for _, s := range f.Solution {
		_, d := f.Pool.Content(s)
		if g.symbols[d] && d.Kind() == expr.Definition {
			number(d, e.solved[d])
		}
	}
}

func (e *export) pythonCallsOf(b *strings.Builder, n *expr.Notation, g *function) {
	for i := range g.calls {
		c := &g.calls[i]
		var arguments []string
		for _, a := range c.Arguments {
			arguments = append(arguments, n.Write(a))
		}
		load := "None"
		if c.Load != nil {
			load = arguments[indexOf(c.Inputs, "Fz")]
		}
		fmt.Fprintf(b, "    %s = _call(m, calls, %q, %s, [\n        %s], %s)\n",
			strings.Join(append(returnedNames(c, e.names), ""), ", "), c.Name,
			pythonList(returnedNames(c, e.names)), strings.Join(arguments, ", "), load)
	}
}

func indexOf(list []string, word string) int {
	for i, x := range list {
		if x == word {
			return i
		}
	}
	return -1
}

// pythonRates writes the functions that solve the equations.
func (e *export) pythonRates(b *strings.Builder) {
	solution := "_solve(_given(x, u, p)[3], *(part(x, u, p, calls) for part in (M, CT, b, e, _slack)))"
	if e.Formulation.Weighted() {
		solution = "_listed(_weighted(x, u, p, calls))"
	}
	n := len(e.Formulation.Speeds)
	fmt.Fprintf(b, `

def _solution(x, u, p, calls):
    """Accelerations p' and reactions f."""
    return %s


def rates(x=None, u=None, p=None, calls=None):
    """Rates of the states: p' of the equations, q', and rates of component states."""
    solution = _solution(x, u, p, calls)
    others = _listed(h(x, u, p, calls)) + _listed(_internal(x, u, p, calls, solution))
    return _given(x, u, p)[3].vector(solution[:%d] + others)


def reactions(x=None, u=None, p=None, calls=None):
    """Forces f of the constraints."""
    return _given(x, u, p)[3].vector(_solution(x, u, p, calls)[%d:])
`, solution, n, n)
}

// pythonNotation returns the notation of Python, with functions of a module m.
func (e *export) pythonNotation() *expr.Notation {
	return &expr.Notation{
		Name:   e.names.Of,
		Number: pythonNumber,
		Function: func(x *expr.Expr, args []string) string {
			if t := x.Table(); t != nil {
				look := "number"
				if isGrid(t) {
					look = "piece"
				}
				return fmt.Sprintf("m.%s(%s, %s)", look, e.tables.name[t], args[0])
			}
			name := x.Fn().String()
			if name == "ln" {
				name = "log"
			}
			return "m." + name + "(" + strings.Join(args, ", ") + ")"
		},
		Power: func(base string, n int) string { return base + "**" + strconv.Itoa(n) },
		Times: "*",
		Group: func(inner string) string { return "(" + inner + ")" },
	}
}

// times writes a factor in front of a text.
func times(c expr.Rational, text string) string {
	switch {
	case c.IsOne():
		return text
	case c.Neg().IsOne():
		return "-" + text
	}
	return expr.ShortNumber(c.Float()) + "*" + text
}

// pythonNumber is a number as Python reads it.
func pythonNumber(x float64) string {
	switch text := expr.ShortNumber(x); text {
	case "+Inf":
		return `float("inf")`
	case "-Inf":
		return `float("-inf")`
	case "NaN":
		return `float("nan")`
	default:
		return text
	}
}

func pythonList(names []string) string {
	var list []string
	for _, name := range names {
		list = append(list, strconv.Quote(name))
	}
	return "[" + strings.Join(list, ", ") + "]"
}

// remark writes a comment behind a line.
func remark(text string) string {
	if text == "" {
		return ""
	}
	return "  # " + oneLine(text)
}
