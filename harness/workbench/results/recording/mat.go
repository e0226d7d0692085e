package recording

import (
	"fmt"
	"io"
	"strings"

	"skidpad/harness/workbench/results/matfile"
)

// matFile has the vector time, a structure for each component (tire_FL.Fz), and the structure meta. meta has facts by
// their names, and names, units, texts and roles of the signals, with the variable of each signal.
var matFile = format{ending: ".mat", text: "MATLAB, version 5, nested structures", single: true, write: writeMAT}

// branch is a structure to be, or a signal.
type branch struct {
	name     string
	leaf     bool // it is a signal
	signal   []float64
	children []*branch
}

// child finds a branch below another one, or adds it. A name that a signal has already is a structure's with an
// underscore behind it, and the other way round.
func (b *branch) child(name string, leaf bool) *branch {
	for i := 0; i < len(b.children); i++ {
		if c := b.children[i]; c.name == name {
			if !leaf && !c.leaf {
				return c
			}
			name, i = name+"_", -1
		}
	}
	c := &branch{name: name, leaf: leaf}
	b.children = append(b.children, c)
	return c
}

// matName is a name as MATLAB allows it: letters, digits and underscores, a letter first.
func matName(text string) string {
	name := strings.Map(func(r rune) rune {
		if r == '_' || r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' {
			return r
		}
		return '_'
	}, text)
	if name == "" || name[0] == '_' || name[0] >= '0' && name[0] <= '9' {
		name = "x" + name
	}
	return name[:min(len(name), matfile.LongestName)]
}

func writeMAT(to io.Writer, r *Recording) error {
	root := &branch{}
	root.child("time", true)
	root.child("meta", true)
	var names, units, texts, roles, places []string
	for i, c := range r.Channels {
		at, fieldPath := root, []string(nil)
		parts := strings.Split(c.Name, ".")
		for k, part := range parts {
			at = at.child(matName(part), k == len(parts)-1)
			fieldPath = append(fieldPath, at.name)
		}
		at.signal = r.Values[i]
		names, units = append(names, c.Name), append(units, c.Unit)
		texts, roles = append(texts, c.Text), append(roles, c.Role)
		places = append(places, strings.Join(fieldPath, "."))
	}
	meta := &branch{}
	fields := []matfile.Variable{{Name: "names", Array: matfile.Texts(names)},
		{Name: "units", Array: matfile.Texts(units)}, {Name: "texts", Array: matfile.Texts(texts)},
		{Name: "roles", Array: matfile.Texts(roles)}, {Name: "variables", Array: matfile.Texts(places)}}
	for _, f := range fields {
		meta.child(f.Name, true)
	}
	for _, f := range r.Facts {
		fields = append(fields, matfile.Variable{Name: meta.child(matName(f.Name), true).name,
			Array: matfile.Text(f.Text)})
	}
	variables := []matfile.Variable{{Name: "time", Array: matfile.Numbers(r.Time, len(r.Time), 1)},
		{Name: "meta", Array: matfile.Struct(fields...)}}
	for _, b := range root.children[2:] {
		array, err := b.array(r.Single)
		if err != nil {
			return err
		}
		variables = append(variables, matfile.Variable{Name: b.name, Array: array})
	}
	return matfile.Write(to, "a recording of Skidpad", variables)
}

// array is a branch as an array.
func (b *branch) array(single bool) (matfile.Array, error) {
	if b.leaf {
		if single {
			return matfile.Singles(b.signal, len(b.signal), 1), nil
		}
		return matfile.Numbers(b.signal, len(b.signal), 1), nil
	}
	var fields []matfile.Variable
	size := 0
	for _, c := range b.children {
		a, err := c.array(single)
		if err != nil {
			return a, err
		}
		size += a.Size()
		fields = append(fields, matfile.Variable{Name: c.name, Array: a})
	}
	if size > matfile.MostBytes {
		return matfile.Array{}, fmt.Errorf("the structure %s would have %d bytes; MAT-files of version 5 hold up to %d in a "+
			"variable: record fewer variables, or write .parquet", b.name, size, matfile.MostBytes)
	}
	return matfile.Struct(fields...), nil
}
