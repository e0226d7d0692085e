package subsystem

import (
	"maps"
	"slices"

	"skidpad/model/document"
	"skidpad/model/keys"
)

// checkMirrored reports keys that are not allowed in a file for one side.
func (x *expander) checkMirrored(items []item, u *use) {
	for _, i := range items {
		if t := TypeOf(i.table); t != nil && t.Middle {
			x.At(i.table, "component %s is not mirrored, as no %s is, but %s has sides = \"left\"; move it to the vehicle or "+
				"to a file of an axle", i.local(), t.Word, u.file.Name)
		}
	}
}

// mirror makes the right side of the left one.
func (x *expander) mirror(items []item) {
	before := map[string]*document.Node{}
	for _, i := range items {
		before[i.name] = i.table
	}
	for k := range items {
		table := items[k].table
		t := TypeOf(table)
		if t == nil {
			continue // refused by the reader
		}
		coordinate := keys.CoordinateOf(table, t.Keys)
		joint := table.Field("joint")
		if joints := table.Field("joints"); joints != nil { // its table goes over a suspension
			x.keepSigns(items[k].name, joints, before)
			joint = table.Field("over")
		}
		if joint != nil && joint.Kind == document.Text {
			on := before[joint.Text]
			if of := TypeOf(on); of != nil {
				coordinate = keys.CoordinateOf(on, of.Keys)
			} else if !slices.ContainsFunc(items, func(i item) bool { return i.local() == joint.Text }) {
				// the reader refuses a joint of the file whose type is unknown
				x.At(joint, "component %s acts on the joint %s, which is not of its file%s on the right side its sign is not "+
					"known; move both into one file", items[k].name, joint.Text, keys.HintOrSemicolon(nearestOf(joint.Text, items)))
			}
		}
		if table.Field("other") != nil {
			coordinate.Steered = false // its surfaces go over another travel
		}
		items[k].table = alsoMirrored(keys.Mirrored(table, t.Keys, coordinate), before)
	}
}

// keepSigns reports joints whose coordinates change their signs, in a component that couples joints.
func (x *expander) keepSigns(name string, joints *document.Node, before map[string]*document.Node) {
	for _, joint := range joints.Items {
		on := before[joint.Text]
		if of := TypeOf(on); of != nil && keys.CoordinateOf(on, of.Keys).Flips {
			x.At(joint, "component %s couples the joint %s, whose coordinate changes its sign on the right side; write "+
				"mirror = \"same\" in %s", name, joint.Text, joint.Text)
		}
	}
}

// alsoMirrored changes the ratios of a rocker to joints whose coordinates change their sign.
func alsoMirrored(table *document.Node, before map[string]*document.Node) *document.Node {
	list := table.Field("also")
	if list == nil || list.Kind != document.List {
		return table
	}
	m, also := *table, *list
	m.Fields, also.Items = maps.Clone(table.Fields), slices.Clone(list.Items)
	for i, item := range also.Items {
		joint, ratio := item.Field("joint"), item.Field("ratio")
		if joint == nil || ratio == nil {
			continue // refused by the reader
		}
		on := before[joint.Text]
		if of := TypeOf(on); of != nil && keys.CoordinateOf(on, of.Keys).Flips {
			other := *item
			other.Fields = maps.Clone(item.Fields)
			other.Fields["ratio"] = keys.Opposed(ratio)
			also.Items[i] = &other
		}
	}
	m.Fields["also"] = &also
	return &m
}

// nearestOf is a hint at the component of the file that is most like a name.
func nearestOf(name string, items []item) string {
	var names []string
	for _, i := range items {
		names = append(names, i.local())
	}
	if near := document.Nearest(name, names); near != "" {
		return "; did you mean \"" + near + "\"?"
	}
	return ""
}
