package manoeuvre

import (
	"errors"
	"fmt"

	"skidpad/model/document"
	"skidpad/model/keys"
	"skidpad/model/roles"
)

// EndCondition ends a run: one that the vehicle has under a name, or a condition of the manoeuvre.
type EndCondition struct {
	Name string     // "rolled-over"; of a condition what it says, for the verdict
	When *Condition // nil for one of the vehicle
}

var endAtKey = keys.Key{Name: "end_at", Shape: keys.ListShape, Text: "conditions that end a run", Optional: true,
	Value: &keys.Key{Shape: keys.AnyShape, Any: []keys.Key{
		{Shape: text, Text: "name of a condition"}, {Shape: keys.TableShape, Keys: conditionKeys}}}}

// endAt reads the list "end_at", nil where there is none: the vehicle's own conditions end the run then.
func (r *manoeuvreReader) endAt(f *keys.Fields) []EndCondition {
	if n := f.Node("end_at"); n == nil || n.Kind != document.List {
		f.Items("end_at")
		return nil
	}
	list := []EndCondition{}
	for i, item := range f.Items("end_at") {
		list = append(list, r.endCondition(item, fmt.Sprintf("%s[%d]", f.PathOf("end_at"), i)))
	}
	return list
}

// endCondition reads a name or a table { formula, above | below }.
func (r *manoeuvreReader) endCondition(n *document.Node, path string) EndCondition {
	if n.Kind == document.Text {
		if n.Text == "" {
			r.At(n, `an entry of "end_at" is empty; it is the name of a condition, or { formula, above | below }`)
		}
		return EndCondition{Name: n.Text}
	}
	f := r.Fields(n, path, conditionKeys)
	if f.Table == nil {
		return EndCondition{}
	}
	c := r.condition(f)
	e := EndCondition{When: c}
	if formula := f.Node("formula"); formula != nil {
		e.Name = fmt.Sprintf("%s %s %.6g", formula.Text, conditionKinds[c.Kind], c.Bound)
	}
	return e
}

// ParseEndAt reads an entry of "end_at" from a user: a name, or { formula = "...", above | below = ... }. The entry can
// use the roles of vehicle.
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
	r := newReader("--end-at", root)
	r.own = vehicle
	list := r.endAt(r.Fields(root, "--end-at", []keys.Key{endAtKey}))
	if err := errors.Join(r.Err(), r.lackOwn("--end-at")); err != nil {
		return EndCondition{}, err
	}
	if len(list) != 1 {
		return EndCondition{}, fmt.Errorf("%q is not one condition", text)
	}
	return list[0], nil
}
