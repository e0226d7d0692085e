package model

import (
	"slices"

	"skidpad/model/document"
	"skidpad/model/expr"
)

// buildEquations reads variables and checks that formulas know the names that they use.
func buildEquations(h Header, f *fields) Component {
	e := &Equations{Header: h}
	taken := map[string]bool{}
	for _, u := range f.tables("inputs") {
		e.Inputs = append(e.Inputs, u.equationVariable(taken, ""))
	}
	for _, x := range f.tables("states") {
		e.States = append(e.States, x.equationVariable(taken, "rate"))
	}
	for _, y := range f.tables("outputs") {
		e.Outputs = append(e.Outputs, y.equationVariable(taken, "value"))
	}
	if f.node != nil && len(e.States)+len(e.Outputs) == 0 && !f.given("states") && !f.given("outputs") {
		f.r.At(f.node, "%s has neither states nor outputs; equations need at least one of them", f.path)
	}
	known := map[string]bool{}
	for _, v := range slices.Concat(e.Inputs, e.States) {
		known[v.Name] = true
	}
	for i := range e.Outputs {
		f.r.checkFormula(&e.Outputs[i], known, "names are those of inputs, states, outputs before this one and [parameters]")
		known[e.Outputs[i].Name] = true
	}
	for i := range e.States {
		f.r.checkFormula(&e.States[i], known, "names are those of inputs, states, outputs and [parameters]")
	}
	return e
}

// equationVariable reads a variable; formula is the key of its formula, "" for none. taken are the
// names of those before it.
func (f *fields) equationVariable(taken map[string]bool, formula string) EquationVariable {
	v := EquationVariable{Name: f.text("name"), Unit: f.unit("unit"), Text: f.text("text")}
	if formula != "value" {
		v.Value = f.scalar("value")
	}
	if formula != "" {
		v.Formula = f.text(formula)
	}
	if f.node == nil {
		return v
	}
	at := f.node
	if n := f.node.Field("name"); n != nil && n.Kind == document.Text {
		at = n
		_, parameter := f.r.parameters[v.Name]
		switch {
		case !identifier.MatchString(v.Name):
			f.r.At(at, "%s.name is %q; it must be an identifier: a letter, then letters, digits and _", f.path, v.Name)
		case taken[v.Name]:
			f.r.At(at, "%s.name is %q, which another variable of these equations has already; give it another name", f.path, v.Name)
		case parameter || slices.Contains(reserved, v.Name):
			f.r.At(at, "%s.name is %q, which is a parameter of the model or a name of the engine's own; formulas could not tell them apart, give it another name", f.path, v.Name)
		}
		taken[v.Name] = true
	}
	if n := f.node.Field(formula); formula != "" && n != nil {
		at = n
	}
	v.Pos = f.r.position(at)
	return v
}

// checkFormula: a formula can be read, and its names are known.
func (r *reader) checkFormula(v *EquationVariable, known map[string]bool, rule string) {
	if v.Formula == "" {
		return
	}
	if len(v.Formula) > expr.MaxFormula {
		r.place(v.Pos, "the formula of %s has %d characters; at most %d are allowed, name parts of it as outputs", v.Name, len(v.Formula), expr.MaxFormula)
		return
	}
	_, err := r.pool.Parse(v.Formula, func(name string) *expr.Expr {
		if _, parameter := r.parameters[name]; parameter || known[name] {
			return r.pool.Sym(name, expr.Input)
		}
		return nil
	})
	if err != nil {
		r.place(v.Pos, "the formula of %s: %v; %s", v.Name, err, rule)
	}
}

func buildTireForces(h Header, f *fields) Component {
	t := &TireForces{Header: h}
	if force := f.table("force"); force.node != nil {
		t.Force = force.function(f.text("side"), force.text("allow_downgrade") == "yes", "Fx", "Fy", "Mx", "My", "Mz")
	}
	return t
}
