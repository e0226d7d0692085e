package manoeuvre

import (
	"errors"
	"fmt"

	"skidpad/harness/workbench/runs/keys"
	"skidpad/model/document"
	"skidpad/model/roles"
)

// EndCondition ends a run: one that the vehicle has under a name, or a condition of the manoeuvre.
type EndCondition struct {
	Name string     // "rolled-over"; of a condition what it says, for the verdict
	When *Condition // nil for one of the vehicle
}

// endAt reads the list "end_at", nil where there is none: the vehicle's own conditions end the run then.
func (r *manoeuvreReader) endAt(root *document.Node) []EndCondition {
	n := root.Field("end_at")
	if n == nil || !r.Is(n, "end_at", document.List) {
		return nil
	}
	list := []EndCondition{}
	for _, item := range n.Items {
		list = append(list, r.endCondition(item))
	}
	return list
}

// endCondition reads a name or a table { formula, above | below }.
func (r *manoeuvreReader) endCondition(n *document.Node) EndCondition {
	if n.Kind == document.Text {
		if n.Text == "" {
			r.At(n, `an entry of "end_at" is empty; it is the name of a condition, or { formula, above | below }`)
		}
		return EndCondition{Name: n.Text}
	}
	if !r.Is(n, "an entry of end_at", document.Table) {
		return EndCondition{}
	}
	c := r.conditionOf(n)
	e := EndCondition{When: c}
	if formula := n.Field("formula"); formula != nil {
		e.Name = fmt.Sprintf("%s %s %.6g", formula.Text, conditionKinds[c.Kind], c.Bound)
	}
	return e
}

// ParseEndAt reads what a user gives for one entry of "end_at": a name, or { formula = "...", above | below = ... }.
// vehicle has the roles that it may name.
func ParseEndAt(text string, vehicle *roles.Roles) (EndCondition, error) {
	if len(text) == 0 || text[0] != '{' {
		if text == "" {
			return EndCondition{}, fmt.Errorf("the condition is empty; give a name, or { formula = \"...\", above = ... }")
		}
		return EndCondition{Name: text}, nil
	}
	root, err := document.Parse([]byte("end_at = ["+text+"]"), "--end-at")
	if err != nil {
		return EndCondition{}, err
	}
	r := &manoeuvreReader{driven: map[string]*document.Node{}, own: vehicle}
	r.Reader = keys.Reader{Faults: document.Faults{File: "--end-at"}, Constants: map[string]float64{}}
	list := r.endAt(root)
	if err := errors.Join(r.Err(), r.lackOwn("--end-at")); err != nil {
		return EndCondition{}, err
	}
	if len(list) != 1 {
		return EndCondition{}, fmt.Errorf("%q is not one condition", text)
	}
	return list[0], nil
}
