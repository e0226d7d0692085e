package vehicle

import (
	"slices"

	"skidpad/model/document"
	"skidpad/model/roles"
)

// connectInputs connects components with the inputs of roles, such as @brake. A component that reads a role and drives
// the same role stands between the driver and the vehicle. Its input takes the place of the role: manoeuvres set this
// input, and the outputs of the component drive the former inputs of the role. Of several such components the last one
// is next to the driver. In other lists `to`, a role becomes the names of its inputs; a role with one value can have
// several inputs.
func (d *Document) connectInputs() {
	components := d.Root.Field("component")
	if d.Root.Field("roles") == nil || components == nil || components.Kind != document.Table {
		return
	}
	for _, between := range []bool{true, false} {
		for _, name := range components.Keys {
			c := d.Root.Field("component").Field(name)
			if c.Kind != document.Table {
				continue
			}
			if changed := d.connected(c, name, between); changed != c {
				d.Root = withField(d.Root, "component", withField(d.Root.Field("component"), name, changed))
			}
		}
	}
}

// connected is a component with inputs in place of roles: of the roles that it also reads, or of all.
func (d *Document) connected(c *document.Node, name string, between bool) *document.Node {
	reads, driven := map[string]bool{}, map[string][]string{} // roles, and their inputs
	withEach(c, "inputs", func(v *document.Node) *document.Node {
		if from := v.Field("from"); from != nil {
			reads[from.Text] = true
		}
		return v
	})
	for _, key := range []string{"states", "outputs"} {
		c = withEach(c, key, func(v *document.Node) *document.Node {
			to := v.Field("to")
			if to == nil || to.Kind != document.List {
				return v
			}
			return d.drivingInputs(v, func(role string, inputs []string) bool {
				if between && reads[role] {
					driven[role] = inputs
				}
				return !between || reads[role]
			})
		})
	}
	return withEach(c, "inputs", func(v *document.Node) *document.Node {
		from := v.Field("from")
		if from == nil || driven[from.Text] == nil || v.Field("name") == nil {
			return v
		}
		d.takePlace(from, driven[from.Text], name+"."+v.Field("name").Text)
		delete(driven, from.Text) // a second input with the role reads what the first one gets
		return v.Without("from")
	})
}

// drivingInputs is an output with inputs in place of the roles that take says.
func (d *Document) drivingInputs(v *document.Node, take func(role string, inputs []string) bool) *document.Node {
	list, other := *v.Field("to"), false
	list.Items = nil
	for _, item := range v.Field("to").Items {
		inputs := d.inputsOf(item.Text)
		if inputs == nil || !take(item.Text, inputs) {
			list.Items = append(list.Items, item)
			continue
		}
		other = true
		for _, input := range inputs {
			of := *item
			of.Text = input
			list.Items = append(list.Items, &of)
		}
	}
	if !other {
		return v
	}
	return withField(v, "to", &list)
}

// inputsOf are the inputs of a role that have one value; nil for other roles and names.
func (d *Document) inputsOf(role string) []string {
	if !roles.Mentions(role) {
		return nil
	}
	var faults document.Faults // which the reader of the model reports
	all := roles.Read(d.Root.Field("roles"), &faults)
	if sets, err := all.Sets(role); err == nil && roles.TakesInput(role) && len(sets) == 1 {
		return sets[0].Inputs
	}
	return nil
}

// takePlace makes an input of a component the input of a role, in place of other inputs.
func (d *Document) takePlace(role *document.Node, others []string, input string) {
	text := *role
	text.Text = input
	key := role.Text[len("@"):]
	table := d.Root.Field("roles")
	of := table.Field(key)
	if of.Kind == document.List { // of one table
		of = of.Items[0]
	}
	of = withField(of.Without("inputs"), "input", &text)
	table = withField(table, key, of)
	if start := table.Field("start"); start != nil && start.Kind == document.Table {
		for _, other := range others {
			if value := start.Field(other); value != nil {
				start = withField(start.Without(other), input, value)
			}
		}
		table = withField(table, "start", start)
	}
	d.Root = withField(d.Root, "roles", table)
}

// withEach is a component with other tables in a list.
func withEach(c *document.Node, key string, f func(*document.Node) *document.Node) *document.Node {
	list := c.Field(key)
	if list == nil || list.Kind != document.List {
		return c
	}
	changed, other := *list, false
	changed.Items = slices.Clone(list.Items)
	for i, v := range list.Items {
		if v.Kind == document.Table {
			changed.Items[i] = f(v)
			other = other || changed.Items[i] != v
		}
	}
	if !other {
		return c
	}
	return withField(c, key, &changed)
}
