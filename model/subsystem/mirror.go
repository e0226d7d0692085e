package subsystem

import (
	"skidpad/model/document"
	"skidpad/model/keys"
)

// checkMirrored notes what has no place in a file for one side.
func (x *expander) checkMirrored(items []item, u *use) {
	for _, i := range items {
		if t := typeOf(i.table); t != nil && t.Middle {
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
		t := typeOf(table)
		if t == nil {
			continue // refused by the reader
		}
		flips := keys.FlipsCoordinate(table, t.Keys)
		if joint := table.Field("joint"); joint != nil && joint.Kind == document.Text {
			on := before[joint.Text]
			if of := typeOf(on); of != nil {
				flips = keys.FlipsCoordinate(on, of.Keys)
			} else {
				x.At(joint, "component %s acts on the joint %s, which is not of its file: on the right side its sign is not "+
					"known; move both into one file", items[k].name, joint.Text)
			}
		}
		items[k].table = keys.Mirrored(table, t.Keys, flips)
	}
}
