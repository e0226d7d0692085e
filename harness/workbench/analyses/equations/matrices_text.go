package equations

import (
	"fmt"
	"io"
	"strings"

	"skidpad/model/expr"
	"skidpad/model/formulate"
)

// PrintText prints the equations as readable mathematics.
func (x *Matrices) PrintText(w io.Writer) {
	f, n := x.Formulation, x.readable()
	fmt.Fprintf(w, "%s: %s\ntree: %s\n%s\n\n", x.Model.Name, x.Model.Title, x.Tree, x.form("CT", "p'", "q'", "Phi'"))
	list(w, "p, speeds", f.Speeds)
	if networks := f.NetworkStates(); len(networks) > 0 {
		list(w, "p, potentials and flows", networks)
	}
	list(w, "q, coordinates", f.Coordinates)
	if len(f.Constraints) > 0 {
		fmt.Fprintf(w, "f, reactions of the constraints: %s\n", strings.Join(x.constraints(), ", "))
	}
	for _, p := range x.Parts {
		fmt.Fprintf(w, "\n%s, %s%s\n", p.Symbol, p.Text, x.size(&p))
		for _, e := range p.Entries {
			fmt.Fprintf(w, "  %s = %s\n", e.label(p.Symbol), n.Write(e.Value))
		}
	}
	if len(x.Definitions) > 0 {
		fmt.Fprintln(w, "\ndefinitions, in order")
	}
	for _, d := range x.Definitions {
		fmt.Fprintf(w, "  %s = %s\n", x.names.Of(d), n.Subterm(d))
	}
	if len(x.Calls) > 0 {
		fmt.Fprintln(w, "\nexternal calls")
	}
	for i := range x.Calls {
		c := &x.Calls[i]
		fmt.Fprintf(w, "  %s: %s = %s(%s)\n", c.Name, strings.Join(returnedNames(c, x.names), ", "), c.Function,
			strings.Join(argumentsOf(c, n), ", "))
	}
	x.tables.print(w)
}

// readable returns a notation with identifiers of definitions and names of variables.
func readable(names *expr.Names, t *tables) *expr.Notation {
	n := expr.Text
	n.Function = func(e *expr.Expr, args []string) string {
		if table := e.Table(); table != nil {
			return t.name[table] + "(" + args[0] + ")"
		}
		return expr.Text.Function(e, args)
	}
	n.Name = func(e *expr.Expr) string {
		if e.Kind() == expr.Definition || e.Role() == expr.Returned || strings.Contains(e.Name(), " ") {
			return names.Of(e)
		}
		return e.Name()
	}
	return &n
}

// constraints are the names of the constraints.
func (x *Matrices) constraints() []string {
	list := []string{}
	for i := range x.Formulation.Constraints {
		list = append(list, x.Formulation.Constraints[i].Name)
	}
	return list
}

// form writes the equations that consist of the parts.
func (x *Matrices) form(transposed, acceleration, rate, velocity string) string {
	if len(x.Formulation.Constraints) == 0 {
		return fmt.Sprintf("M %s = b,  %s = h", acceleration, rate)
	}
	text := fmt.Sprintf("M %s + %s f = b,  C %s = e,  Phi = 0,  %s = 0,  %s = h", acceleration, transposed, acceleration,
		velocity, rate)
	if x.Formulation.Weighted() {
		text += "\n(constraints have weights or are redundant: p' and f follow after Udwadia and Kalaba)"
	}
	return text
}

func list(w io.Writer, title string, states []formulate.State) {
	var names []string
	for _, s := range states {
		names = append(names, fmt.Sprintf("%s [%s]", s.Name, s.Unit))
	}
	fmt.Fprintf(w, "%s: %s\n", title, strings.Join(names, ", "))
}

// size describes the size of a matrix.
func (x *Matrices) size(p *Part) string {
	rows := len(x.Formulation.Speeds)
	all := rows + len(x.Formulation.NetworkStates())
	switch {
	case !p.Matrix:
		return ""
	case p.Symmetric:
		return fmt.Sprintf(": %d x %d, symmetric, each entry once; all others are 0", all, all)
	}
	return fmt.Sprintf(": %d x %d; entries that are not here are 0", rows, len(x.Formulation.Constraints))
}

// label is M[row, column], or b[row].
func (e *Entry) label(symbol string) string {
	if e.Column == "" {
		return symbol + "[" + e.Row + "]"
	}
	return symbol + "[" + e.Row + ", " + e.Column + "]"
}

// returnedNames names the values that a call returns, with the acting load last where there is one.
func returnedNames(c *formulate.Call, names *expr.Names) []string {
	var list []string
	for _, r := range c.Returned {
		list = append(list, names.Of(r))
	}
	if c.Load != nil {
		list = append(list, names.Of(c.Load))
	}
	return list
}

// argumentsOf writes the arguments of a call as name = value.
func argumentsOf(c *formulate.Call, n *expr.Notation) []string {
	var list []string
	for i, a := range c.Arguments {
		list = append(list, c.Inputs[i]+" = "+n.Write(a))
	}
	return list
}
