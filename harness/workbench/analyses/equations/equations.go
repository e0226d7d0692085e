// Package equations shows what the engine makes of a model: its trees, states, equations and their cost.
package equations

import (
	"fmt"
	"io"
	"strings"
	"time"

	"skidpad/model/expr"
	"skidpad/model/formulate"
	"skidpad/model/graph"
	"skidpad/model/program"
	"skidpad/model/vehicle"
)

// Equations holds the results of the engine for a model.
type Equations struct {
	Model       *vehicle.Model
	Formulation *formulate.Formulation
	Program     *program.Program
	Passes      []Pass // of ComparePasses

	tree                  string
	formulated, optimised time.Duration
}

// Pass is the cost of the rates after simplification passes on equations and intermediates.
type Pass struct {
	Equations, Intermediates string
	Cost                     expr.Cost
}

// New formulates a model with one of its trees, "" for the first.
func New(m *vehicle.Model, tree string) (*Equations, error) {
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
	return &Equations{Model: m, Formulation: f, Program: p, tree: tree, formulated: formulated,
		optimised: time.Since(begin) - formulated}, nil
}

// Print prints trees, states, how many equations there are, and what they cost.
func (e *Equations) Print(w io.Writer) {
	m, f := e.Model, e.Formulation
	fmt.Fprintf(w, "%s: %s\ntrees of the model: %s\n", m.Name, m.Title, strings.Join(formulate.TreeNames(m), ", "))
	for _, d := range []graph.Domain{graph.Translation, graph.Rotation} {
		fmt.Fprintf(w, "%s tree: %s\n", d, strings.Join(f.Branches(d), " "))
	}
	e.printNetworks(w)
	n := f.Count()
	fmt.Fprintf(w, "\n%d dynamic + %d constraint + %d kinematic + %d component equations, %d states\n",
		n.Dynamic, n.Constraints, n.Kinematic, n.Component, len(f.States()))
	var names []string
	for i, s := range f.States() {
		names = append(names, fmt.Sprintf("%d %s", i+1, s.Name))
	}
	fmt.Fprintf(w, "states: %s\n", strings.Join(names, ", "))
	fmt.Fprintf(w, "formulated in %.1f ms, optimised in %.1f ms\n\n", e.formulated.Seconds()*1e3,
		e.optimised.Seconds()*1e3)
	costTable(w, f, e.Program)
	if e.Passes == nil {
		return
	}
	fmt.Fprintln(w)
	head(w, "optimised cost of the rates")
	for _, p := range e.Passes {
		row(w, fmt.Sprintf("equations %s, intermediates %s", p.Equations, p.Intermediates), p.Cost)
	}
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

// ComparePasses finds the optimised cost with the passes on intermediates and on dynamic equations (Morency 2007,
// Table 5.1: no pass on intermediates is cheapest).
func (e *Equations) ComparePasses(progress io.Writer) error {
	for _, o := range []formulate.Options{
		{Equations: formulate.Unchanged, Intermediates: formulate.Unchanged},
		{Equations: formulate.Simplified, Intermediates: formulate.Unchanged},
		{Equations: formulate.Combined, Intermediates: formulate.Unchanged},
		{Equations: formulate.Simplified, Intermediates: formulate.Simplified},
		{Equations: formulate.Simplified, Intermediates: formulate.Combined},
	} {
		o.Tree = e.tree
		pass := Pass{Equations: o.Equations.String(), Intermediates: o.Intermediates.String()}
		fmt.Fprintf(progress, "formulating with %s equations, %s intermediates ...\n", pass.Equations,
			pass.Intermediates)
		p, err := formulate.Program(e.Model, o)
		if err != nil {
			return err
		}
		pass.Cost = p.RateCost
		e.Passes = append(e.Passes, pass)
	}
	return nil
}

// PrintText prints all definitions and the equations that stand on them,
// each with its own cost.
func (e *Equations) PrintText(w io.Writer) {
	f := e.Formulation
	names := f.Names()
	var roots []*expr.Expr
	for _, s := range f.States() {
		roots = append(roots, s.Rate)
	}
	for _, c := range f.Calls {
		roots = append(roots, c.Arguments...)
	}
	t := tablesOf(roots, names)
	n := readable(names, &t)
	fmt.Fprintln(w, "\ndefinitions, with additions/multiplications/divisions/functions as written:")
	for _, d := range formulate.Statements(roots) {
		c := d.Args()[0].Cost()
		fmt.Fprintf(w, "  %s = %s    # %d/%d/%d/%d\n", names.Of(d), n.Subterm(d), c.Additions, c.Multiplications, c.Divisions,
			c.Functions)
	}
	fmt.Fprintln(w, "\nexternal calls:")
	for _, c := range f.Calls {
		fmt.Fprintf(w, "  %s = %s(%s)\n", strings.Join(returnedNames(&c, names), ", "), c.Function,
			strings.Join(argumentsOf(&c, n), ", "))
	}
	fmt.Fprintln(w, "\nconstraints:")
	for _, c := range f.Constraints {
		fmt.Fprintf(w, "  %s: 0 = %s\n", c.Name, n.Write(c.Position))
	}
	fmt.Fprintln(w, "\nrates:")
	for _, s := range f.States() {
		fmt.Fprintf(w, "  d(%s)/dt = %s\n", s.Name, n.Write(s.Rate))
	}
	t.print(w)
}
