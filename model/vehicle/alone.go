package vehicle

import (
	"slices"
	"strings"
	"unicode"

	"skidpad/model/document"
	"skidpad/model/keys"
	"skidpad/model/roles"
	"skidpad/model/subsystem"
)

// isSubsystem reports whether a file is a subsystem.
func isSubsystem(root *document.Node) bool {
	kind := root.Field("kind")
	return kind != nil && kind.Text == "subsystem"
}

// alone makes a model of a subsystem file, so that a controller is an FMU of its own. Roles are open: a role that a
// component reads is an input, which the user sets, and a role that a component drives is an output. The title names
// the model, because an FMU keeps its model file under another name.
func alone(root *document.Node) (*document.Node, error) {
	var f document.Faults
	for _, key := range []string{"frames", "nodes", "options"} {
		if n := root.Field(key); n != nil && len(n.Items)+len(n.Keys) > 0 {
			f.At(n, "the file is a subsystem with %s, which a model gives by [use.NAME]; write a model file that uses it. "+
				"A file that reads roles alone, such as @chassis.vx, is a model of its own", key)
		}
	}
	for _, key := range root.Keys {
		if !slices.ContainsFunc(subsystem.FileKeys, func(k keys.Key) bool { return k.Name == key }) {
			f.At(root.Field(key), "unknown key %q in the subsystem file; a model has it", keys.Printable(key))
		}
	}
	title := root.Field("title")
	name := nameOf(title)
	if name == "" {
		f.At(root.Place("title"), "the file is a subsystem, and as a model of its own it is called like its title; write a "+
			"title with letters, or a model file that uses it by [use.NAME]")
	}
	parameters := root.Field("parameters")
	if parameters != nil && parameters.Kind == document.Table {
		for _, key := range parameters.Keys {
			p := parameters.Field(key)
			if p.Kind != document.Table {
				continue // the reader of the model reports it
			}
			if !grouped(p) && p.Field("value") == nil && p.Field("choices") == nil {
				f.At(p, "the file is a subsystem, and its parameter %s has no value; write a value, or a model file that gives "+
					"it by [use.NAME]", keys.Printable(key))
			}
			parameters = withField(parameters, key, p.Without("share"))
		}
	}
	if err := f.Err(); err != nil {
		return nil, err
	}
	for _, key := range []string{"kind", "sides", "exports", "frames", "nodes", "options"} {
		root = root.Without(key)
	}
	if parameters != nil {
		root = withField(root, "parameters", parameters)
	}
	called := *title
	called.Text = name
	return withField(root, "name", &called), nil
}

// nameOf makes an identifier of a title: its words, each with a capital letter.
func nameOf(title *document.Node) string {
	if title == nil || title.Kind != document.Text {
		return ""
	}
	var b strings.Builder
	for word := range strings.FieldsFuncSeq(title.Text, func(c rune) bool {
		return c > unicode.MaxASCII || !unicode.IsLetter(c) && !unicode.IsDigit(c)
	}) {
		b.WriteString(strings.ToUpper(word[:1]) + word[1:])
	}
	return strings.TrimLeft(b.String(), "0123456789")
}

// openRoles connects the components of a model without roles with each other. The first component that reads a role
// gets an input for it. Other components with the role read this input or drive it. Components
// that read and drive a role form a chain between driver and vehicle, as in connectInputs: the first one has the
// output, and the last one the input.
func (d *Document) openRoles() {
	components := d.Root.Field("component")
	if components == nil || components.Kind != document.Table {
		return
	}
	inputs := map[string]string{} // of components, by the role whose value they have
	each := func(change func(c *document.Node, name string) *document.Node) {
		for _, name := range components.Keys {
			if c := components.Field(name); c.Kind == document.Table {
				components = withField(components, name, change(c, name))
			}
		}
	}
	every := func(string) bool { return true }
	each(func(c *document.Node, name string) *document.Node {
		reads, drives := rolesOf(c)
		both := func(role string) bool { return reads[role] && drives[role] }
		changed := openedOutputs(c, both, inputs)
		for role := range reads {
			if drives[role] {
				delete(inputs, role) // its own input takes the place
			}
		}
		return openedInputs(changed, name, both, inputs)
	})
	each(func(c *document.Node, name string) *document.Node { return openedInputs(c, name, every, inputs) })
	each(func(c *document.Node, _ string) *document.Node { return openedOutputs(c, every, inputs) })
	d.Root = withField(d.Root, "component", components)
}

// rolesOf are the roles that a component reads and drives.
func rolesOf(c *document.Node) (reads, drives map[string]bool) {
	reads, drives = map[string]bool{}, map[string]bool{}
	withEach(c, "inputs", func(v *document.Node) *document.Node {
		if from := v.Field("from"); from != nil {
			reads[from.Text] = true
		}
		return v
	})
	for _, key := range []string{"states", "outputs"} {
		withEach(c, key, func(v *document.Node) *document.Node {
			if to := v.Field("to"); to != nil {
				for _, item := range to.Items {
					drives[item.Text] = true
				}
			}
			return v
		})
	}
	return reads, drives
}

// openedInputs returns a component whose inputs read other inputs in place of the roles for which take is true. Where
// no component has the input of a role yet, this component gets it.
func openedInputs(c *document.Node, name string, take func(role string) bool, inputs map[string]string) *document.Node {
	return withEach(c, "inputs", func(v *document.Node) *document.Node {
		from := v.Field("from")
		if from == nil || !roles.Mentions(from.Text) || !take(from.Text) || v.Field("name") == nil {
			return v
		}
		if inputs[from.Text] == "" {
			inputs[from.Text] = name + "." + v.Field("name").Text
			return v.Without("from")
		}
		of := *from
		of.Text = inputs[from.Text]
		return withField(v, "from", &of)
	})
}

// openedOutputs is a component whose outputs drive the inputs of roles, for the roles that take says; nothing for a
// role without an input.
func openedOutputs(c *document.Node, take func(role string) bool, inputs map[string]string) *document.Node {
	for _, key := range []string{"states", "outputs"} {
		c = withEach(c, key, func(v *document.Node) *document.Node {
			to := v.Field("to")
			if to == nil || to.Kind != document.List {
				return v
			}
			list, other := *to, false
			list.Items = nil
			for _, item := range to.Items {
				if !roles.Mentions(item.Text) || !take(item.Text) {
					list.Items = append(list.Items, item)
					continue
				}
				other = true
				if input := inputs[item.Text]; input != "" {
					of := *item
					of.Text = input
					list.Items = append(list.Items, &of)
				}
			}
			switch {
			case !other:
				return v
			case len(list.Items) == 0:
				return v.Without("to")
			}
			return withField(v, "to", &list)
		})
	}
	return c
}
