package reduction

import (
	"bytes"
	"fmt"
	"strings"

	"skidpad/model/document"
	"skidpad/model/rig"
	"skidpad/model/roles"
	"skidpad/model/subsystem"
	"skidpad/model/vehicle"
)

// Tolerance is the largest error of tables midway between their lines [m, rad], unless another is asked for.
const Tolerance = 1e-6

// Read reads a model file as it runs: with tables in place of the corners of uses that ask for them.
func Read(path string) (*vehicle.Model, error) {
	m, err := vehicle.Read(path)
	if err != nil || !m.Tabulated {
		return m, err
	}
	t, err := Tabulate(path, m)
	if err != nil {
		return nil, err
	}
	return t.Model, nil
}

// Tabulated is a model with tables in place of the corners of uses that ask for them.
type Tabulated struct {
	Model *vehicle.Model
	Text  []byte // without bases and uses; files are named as from the folder of the model
}

// Asking is the model with more elements of the list of reactions.
func (t *Tabulated) Asking(reactions []string) (*vehicle.Model, error) {
	m, err := vehicle.ParseAsking(t.Text, t.Model.File, reactions)
	if err == nil {
		m.Warnings = t.Model.Warnings
	}
	return m, err
}

// Tabulate makes the tables that uses of a model ask for. The path leads to its file.
func Tabulate(path string, m *vehicle.Model) (*Tabulated, error) {
	d, err := vehicle.ReadDocument(path)
	if err != nil {
		return nil, err
	}
	t := &Tabulated{Model: m}
	root := d.Root
	var notes []string
	for _, use := range d.Tabulated {
		b, err := tabulate(path, root, m, use.Use)
		if err != nil {
			var f document.Faults
			f.At(use.Node, "use %s as tables: %v", use.Use, err)
			return nil, f.Err()
		}
		for _, note := range b.Notes {
			var f document.Faults
			f.At(use.Node, "use %s as tables: %s", use.Use, note)
			notes = append(notes, f.Err().Error())
		}
		root, m = withoutUnnamed(b.flat), b.Model
	}
	if t.Text, err = flatText(root); err != nil {
		return nil, err
	}
	if m, err = vehicle.ParseAsking(t.Text, path, nil); err != nil {
		return nil, err
	}
	m.Warnings = append(notes, m.Warnings...)
	t.Model = m
	return t, nil
}

// tabulate puts the tables of a use into a model.
func tabulate(path string, root *document.Node, m *vehicle.Model, use string) (*reducer, error) {
	axle, err := axleOf(m, use)
	if err != nil {
		return nil, err
	}
	b, err := reduce(path, root, m, rig.Options{Axle: axle, Roles: m.Roles, Bodies: true}, Tolerance)
	switch {
	case err != nil:
		return nil, err
	case b.Model == nil || len(b.Dropped) > 0:
		return nil, fmt.Errorf("%s", strings.Join(append(b.Notes, lost(b.Dropped)...), "; "))
	}
	return b, nil
}

// lost tells components that would be missing.
func lost(dropped []string) []string {
	if len(dropped) == 0 {
		return nil
	}
	return []string{"tables have no place for " + strings.Join(dropped, ", ")}
}

// axleOf is the number of the axle whose wheels belong to a use, from the front.
func axleOf(m *vehicle.Model, use string) (int, error) {
	if m.Roles != nil {
		for i, a := range m.Roles.Axles {
			if ends(a.Left, use+"L") && ends(a.Right, use+"R") {
				return i + 1, nil
			}
		}
	}
	return 0, fmt.Errorf("no axle in [roles] has wheels of its instances L and R; name them in axles = "+
		"[[\"tire_%[1]sL\", \"tire_%[1]sR\"], ...]", use)
}

// ends reports whether a side has one wheel, of an instance.
func ends(wheels []roles.Wheel, instance string) bool {
	return len(wheels) == 1 && strings.HasSuffix(wheels[0].Tire, "_"+instance)
}

// withoutUnnamed is a model without the parameters of its former corners: those that nothing names.
func withoutUnnamed(root *document.Node) *document.Node {
	named := map[string]bool{}
	for _, key := range root.Keys {
		if key != "parameters" {
			subsystem.AddNames(named, root.Field(key))
		}
	}
	list := root.Field("parameters")
	if list == nil {
		return root
	}
	kept := table()
	for _, name := range list.Keys {
		if named[name] {
			kept.put(name, list.Field(name))
		}
	}
	changed := &node{root.Without("parameters")}
	return changed.put("parameters", kept.Node).Node
}

// flatText is the text of a model without bases and uses.
func flatText(root *document.Node) ([]byte, error) {
	var text bytes.Buffer
	err := document.Write(&text, root, "component", func(string) string { return "" })
	return text.Bytes(), err
}
