// Package equations shows what the engine makes of a model: its trees, states, equations and their cost.
package equations

import (
	"fmt"
	"io"
	"strings"
	"time"

	"skidpad/model"
	"skidpad/model/expr"
	"skidpad/model/formulate"
	"skidpad/model/graph"
	"skidpad/model/program"
)

// Print formulates a model and prints its trees, its states, how many equations it has and what they cost.
func Print(w io.Writer, m *model.Model, tree string) (*formulate.Formulation, error) {
	begin := time.Now()
	f, err := formulate.New(m, formulate.Options{Tree: tree})
	if err != nil {
		return nil, err
	}
	formulated := time.Since(begin)
	p, err := program.Build(f.Source())
	if err != nil {
		return nil, err
	}
	total := time.Since(begin)
	fmt.Fprintf(w, "%s: %s\ntrees of the model: %s\n", m.Name, m.Title, strings.Join(formulate.TreeNames(m), ", "))
	for _, d := range []graph.Domain{graph.Translation, graph.Rotation} {
		fmt.Fprintf(w, "%s tree: %s\n", d, strings.Join(f.Branches(d), " "))
	}
	n := f.Count()
	fmt.Fprintf(w, "\n%d dynamic + %d constraint + %d kinematic + %d component equations, %d states\n",
		n.Dynamic, n.Constraints, n.Kinematic, n.Component, len(f.States()))
	var names []string
	for i, s := range f.States() {
		names = append(names, fmt.Sprintf("%d %s", i+1, s.Name))
	}
	fmt.Fprintf(w, "states: %s\n", strings.Join(names, ", "))
	fmt.Fprintf(w, "formulated in %.1f ms, optimised in %.1f ms\n\n", formulated.Seconds()*1e3,
		(total-formulated).Seconds()*1e3)
	costTable(w, f, p)
	return f, nil
}

func row(w io.Writer, name string, c expr.Cost) {
	fmt.Fprintf(w, "%-44s %7d %7d %7d %7d %7d\n", name, c.Additions, c.Multiplications, c.Divisions, c.Functions,
		c.Assignments)
}

func head(w io.Writer, title string) {
	fmt.Fprintf(w, "%-44s %7s %7s %7s %7s %7s\n", title, "+", "x", "div", "f", ":=")
}

// costTable prints the cost of the program, external functions excluded.
func costTable(w io.Writer, f *formulate.Formulation, p *program.Program) {
	head(w, "cost of one evaluation")
	row(w, "rates as formulated", f.Before())
	row(w, "rates optimised", p.RateCost)
	row(w, "outputs on top, when they are asked for", p.OutputCost)
	row(w, "once per change of parameters", p.InitCost)
	for _, c := range p.Calls {
		fmt.Fprintf(w, "external call %s: %s(%s)\n", c.Name, c.Function, strings.Join(c.Inputs, ", "))
	}
}

// PrintPasses compares the optimised cost with the passes on intermediates and on
// dynamic equations (Morency 2007, Table 5.1: no pass on intermediates is cheapest).
func PrintPasses(w, progress io.Writer, m *model.Model, tree string) error {
	fmt.Fprintln(w)
	head(w, "optimised cost of the rates")
	words := [...]string{"", "unchanged", "simplify", "combine"}
	for _, o := range []formulate.Options{
		{Equations: formulate.Unchanged, Intermediates: formulate.Unchanged},
		{Equations: formulate.Simplified, Intermediates: formulate.Unchanged},
		{Equations: formulate.Combined, Intermediates: formulate.Unchanged},
		{Equations: formulate.Simplified, Intermediates: formulate.Simplified},
		{Equations: formulate.Simplified, Intermediates: formulate.Combined},
	} {
		o.Tree = tree
		fmt.Fprintf(progress, "formulating with %s equations, %s intermediates ...\n", words[o.Equations],
			words[o.Intermediates])
		p, err := formulate.Program(m, o)
		if err != nil {
			return err
		}
		row(w, fmt.Sprintf("equations %s, intermediates %s", words[o.Equations], words[o.Intermediates]), p.RateCost)
	}
	return nil
}

// PrintText prints all definitions and the equations that stand on them,
// each with its own cost.
func PrintText(w io.Writer, f *formulate.Formulation) {
	var roots []*expr.Expr
	for _, s := range f.States() {
		roots = append(roots, s.Rate)
	}
	for _, c := range f.Calls {
		roots = append(roots, c.Arguments...)
	}
	fmt.Fprintln(w, "\ndefinitions, with additions/multiplications/divisions/functions as written:")
	for _, d := range formulate.Statements(roots) {
		c := d.Args()[0].Cost()
		fmt.Fprintf(w, "  %s    # %d/%d/%d/%d\n", d.Statement(), c.Additions, c.Multiplications, c.Divisions,
			c.Functions)
	}
	fmt.Fprintln(w, "\nexternal calls:")
	for _, c := range f.Calls {
		var values, arguments []string
		for _, r := range c.Returned {
			values = append(values, r.Name())
		}
		for _, a := range c.Arguments {
			arguments = append(arguments, a.String())
		}
		fmt.Fprintf(w, "  %s = %s(%s)\n", strings.Join(values, ", "), c.Function, strings.Join(arguments, ", "))
	}
	fmt.Fprintln(w, "\nconstraints:")
	for _, c := range f.Constraints {
		fmt.Fprintf(w, "  %s: 0 = %s\n", c.Name, c.Position)
	}
	fmt.Fprintln(w, "\nrates:")
	for _, s := range f.States() {
		fmt.Fprintf(w, "  d(%s)/dt = %s\n", s.Name, s.Rate)
	}
}
