package model

import (
	"slices"
	"strings"

	"skidpad/model/document"
)

// buildLinearEquations reads variables and matrices, whose sizes the variables give.
func buildLinearEquations(h Header, f *fields) Component {
	e := &LinearEquations{Header: h}
	faults := f.r.Len()
	for _, s := range f.tables("states") {
		v := s.linearVariable()
		v.Rate = s.scalar("rate")
		e.States = append(e.States, v)
	}
	if n := f.node.Field("states"); n != nil && n.Kind == document.List && len(n.Items) == 0 {
		f.r.At(n, "%s.states is empty; it needs at least one state", f.path)
	}
	for _, u := range f.tables("inputs") {
		v := u.linearVariable()
		if of := u.text("rate_of"); of != "" {
			for i := range e.Inputs {
				if e.Inputs[i].Name == of {
					v.RateOf = i
				}
			}
			e.checkRate(u, &v, of)
		}
		e.Inputs = append(e.Inputs, v)
	}
	for _, y := range f.tables("outputs") {
		e.Outputs = append(e.Outputs, y.linearVariable())
	}
	if f.r.Len() > faults || len(e.States) == 0 {
		return e // the sizes of the matrices are not known
	}
	x, u, y := len(e.States), len(e.Inputs), len(e.Outputs)
	e.A, e.B, e.C, e.D = f.matrix("A", x, x), f.matrix("B", x, u), f.matrix("C", y, x), f.matrix("D", y, u)
	return e
}

func (f *fields) linearVariable() LinearVariable {
	v := LinearVariable{Name: f.text("name"), Unit: f.unit("unit"), Text: f.text("text"), Value: f.scalar("value"), Rate: Scalar{Text: "0"}, RateOf: -1}
	if f.node == nil {
		return v
	}
	at := f.node
	if n := f.node.Field("name"); n != nil {
		at = n
	}
	v.Pos = f.r.position(at)
	if component, quantity, structured := strings.Cut(v.Name, "."); v.Name != "" && (!identifier.MatchString(component) || structured && !identifier.MatchString(quantity)) {
		f.r.At(at, "%s.name is %q; it must be an identifier or two with a point between, such as body.vx", f.path, v.Name)
	}
	return v
}

// checkRate: a motion is a position, its rate and the rate of that.
func (e *LinearEquations) checkRate(f *fields, v *LinearVariable, of string) {
	at := f.node.Field("rate_of")
	if v.RateOf < 0 {
		f.r.At(at, "%s.rate_of names %q, which is no input before this one", f.path, of)
		return
	}
	if first := e.Inputs[v.RateOf].RateOf; first >= 0 && e.Inputs[first].RateOf >= 0 {
		f.r.At(at, "%s.rate_of names %q, which is an acceleration; position, rate and acceleration make a motion", f.path, of)
	}
	for i := range e.Inputs {
		if e.Inputs[i].RateOf == v.RateOf {
			f.r.At(at, "%s.rate_of names %q, whose rate is %s already", f.path, of, e.Inputs[i].Name)
		}
	}
}

// linearVariables are the names of the states and outputs of linear equations.
func (r *reader) linearVariables() map[string]bool {
	names := map[string]bool{}
	for _, c := range r.model.Components {
		if e, ok := c.(*LinearEquations); ok {
			for _, v := range e.States {
				names[v.Name] = true
			}
			for _, v := range e.Outputs {
				names[v.Name] = true
			}
		}
	}
	return names
}

// checkLinearNames: the names of the variables of linear equations are in no other use.
func (r *reader) checkLinearNames() {
	owner := map[string]string{}
	for _, c := range r.model.Components {
		e, ok := c.(*LinearEquations)
		if !ok {
			continue
		}
		for _, list := range [][]LinearVariable{e.States, e.Inputs, e.Outputs} {
			for i := range list {
				v := &list[i]
				component, _, _ := strings.Cut(v.Name, ".")
				_, parameter := r.parameters[component]
				switch other := r.component(component); {
				case owner[v.Name] != "":
					r.place(v.Pos, "%s has a variable %s, which %s has already; states are outputs by themselves", e.Name, v.Name, owner[v.Name])
				case other != nil && other != c:
					r.place(v.Pos, "%s has a variable %s, whose name begins with that of the component %s; rename the component", e.Name, v.Name, component)
				case parameter:
					r.place(v.Pos, "%s has a variable %s, whose name begins with that of the parameter %s; rename the parameter", e.Name, v.Name, component)
				case slices.ContainsFunc(r.model.Quantities, func(q Quantity) bool { return q.Name == v.Name }):
					r.place(v.Pos, "%s has a variable %s, which is a quantity of the model, too; rename the quantity", e.Name, v.Name)
				case slices.Contains(reserved, component):
					r.place(v.Pos, "%s has a variable %s, whose name is the engine's own", e.Name, v.Name)
				}
				owner[v.Name] = e.Name
			}
		}
	}
}
