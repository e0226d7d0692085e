package manoeuvre

import (
	"fmt"
	"slices"
	"strings"

	"skidpad/harness/workbench/runs/constants"
	"skidpad/harness/workbench/runs/signal"
	"skidpad/model/document"
	"skidpad/model/keys"
	"skidpad/model/roles"
	"skidpad/model/unit"
)

// manoeuvreReader reads a manoeuvre or a car; driven holds what inputs seen so far drive, by name.
type manoeuvreReader struct {
	*constants.Reader
	driven    map[string]*document.Node
	car       *car // nil without
	readTrack Track
	own       *roles.Roles // of the vehicle, where the manoeuvre is for it alone; nil without
	lacks     []string     // roles that are needed and that the vehicle does not have
	// constants that --let, the prerun or the sweep have set
	replaced []string
	places   map[string]*document.Node // of constants in files
	declared map[string]bool           // constants whose unit is known without their uses
	unfound  error                     // why numbers could not be found in the vehicle
	// units of columns of files, by the tables of signals
	columns map[*document.Node]constants.Written
}

func newReader(file string, root *document.Node) *manoeuvreReader {
	return &manoeuvreReader{Reader: constants.NewReader(file, root), driven: map[string]*document.Node{},
		places: map[string]*document.Node{}, declared: map[string]bool{},
		columns: map[*document.Node]constants.Written{}}
}

// readConstants reads the table [constants] behind the constants of list. A formula may use the constants before it and
// those of list. A constant replaces the constant of list with its name; others replaces constants of the table.
func (r *manoeuvreReader) readConstants(f *keys.Fields, list, others []ConstantValue) []ConstantValue {
	for _, name := range f.Names() {
		if !plainName(name) {
			f.Fault(name,
				"constant %q; a name begins with a letter, goes on with letters, digits and _, and is not time or pi",
				name)
			continue
		}
		c := ConstantValue{Name: name, Value: f.Number(name)}
		r.places[name] = f.Node(name)
		r.declare(name, r.UnitOf(f.Node(name)))
		same := func(other ConstantValue) bool { return other.Name == name }
		if i := slices.IndexFunc(others, same); i >= 0 {
			c.Value = others[i].Value
			r.replaced = append(r.replaced, name)
			if err := others[i].Written.Fits(r.Units[name]); err != nil {
				f.Fault(name, "%v", err)
			}
			if u := others[i].Written.SI(); u != "" {
				r.Units[name] = u
			}
		}
		c.Written = r.shownAs(name)
		r.Constants[name] = c.Value
		list = append(slices.DeleteFunc(list, same), c)
	}
	if f.Table != nil {
		r.ConstantsRead()
	}
	return list
}

// shownAs returns the display unit of a constant: the unit of its file, or else its SI unit.
func (r *manoeuvreReader) shownAs(name string) constants.Written {
	if n := r.places[name]; n.Kind == document.Text {
		if _, is, _ := unit.ParseNumber(n.Text); is {
			return r.Written(n, name)
		}
	}
	return constants.InUnit(r.Units[name])
}

// declare notes the unit of a constant; "" where it is not known.
func (r *manoeuvreReader) declare(name, si string) {
	if r.declared[name] = si != ""; si != "" {
		r.Units[name] = si
	} else {
		delete(r.Units, name)
	}
}

// unknownUnits notes numbers with a unit for constants whose unit nothing tells.
func (r *manoeuvreReader) unknownUnits(others []ConstantValue) {
	for _, other := range others {
		if other.Written.SI() != "" && !r.declared[other.Name] && !r.Compared[other.Name] {
			r.At(r.places[other.Name], "%v", other.Written.Unknown())
		}
	}
}

// causes names the constants of formulas with their values, and those first that the user has set: a fault of a shipped
// file is theirs, not the file's; "" without.
func (r *manoeuvreReader) causes(formulas []*document.Node) string {
	var set, others []string
	for _, n := range formulas {
		if n.Kind != document.Text {
			continue
		}
		for _, name := range word.FindAllString(n.Text, -1) {
			x, known := r.Constants[name]
			text := fmt.Sprintf("%s = %g", name, x)
			switch {
			case !known || slices.Contains(set, text) || slices.Contains(others, text):
			case slices.Contains(r.replaced, name):
				set = append(set, text)
			default:
				others = append(others, text)
			}
		}
	}
	text := ""
	if len(set) > 0 {
		text = "; change " + strings.Join(set, ", ") + " of --let, the prerun or the sweep"
	}
	if len(others) > 0 {
		text += "; constants: " + strings.Join(others, ", ")
	}
	return text
}

// plainName reports whether a formula reads name as one name that means nothing else.
func plainName(name string) bool {
	l, err := signal.ParseLaw(name, nil)
	return err == nil && len(l.Reads) == 1 && l.Reads[0] == name && name != "time" && !strings.Contains(name, ".")
}
