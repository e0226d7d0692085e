package display

import (
	"skidpad/model/bounded"
	"skidpad/model/document"
	"skidpad/model/keys"
	"skidpad/model/unit"
)

// Read adds the units of a file with a table [display], such as "m/s" = "km/h", N = "kN".
func (u *Units) Read(path string) error {
	data, err := bounded.Study.Read(path)
	if err != nil {
		return err
	}
	return u.parse(data, path)
}

// FileKeys are the keys of files of units.
var FileKeys = []keys.Key{{Name: "display", Shape: keys.NamedShape, Text: "units that are shown, by the SI units in " +
	"place of which they are, such as \"m/s\" = \"km/h\"",
	Value: &keys.Key{Shape: keys.TextShape, Text: "name of a unit"}}}

func (u *Units) parse(data []byte, path string) error {
	root, err := document.Parse(data, path)
	if err != nil {
		return err
	}
	r := keys.NewReader(path, root, nil)
	units := r.Fields(root, "the file of units", FileKeys).Sub("display")
	for _, si := range units.Names() {
		name := units.Text(si)
		if name == "" {
			continue // reported
		}
		from, err := unit.Parse(si)
		to, wrong := unit.Parse(name)
		switch {
		case err != nil:
			units.Fault(si, "%v", err)
		case from.Factor != 1 || from.Offset != 0:
			units.Fault(si, "%q is not an SI unit; the unit on the left is the one in files, such as m/s", si)
		case wrong != nil:
			units.Fault(si, "%v", wrong)
		case to.Offset != 0:
			units.Fault(si, "%q is a point of a scale, which differences do not have", name)
		case from.Exponents != to.Exponents:
			units.Fault(si, "%q is not a unit of the same kind as %q", name, si)
		default:
			u.put(shown{si, name, to.Factor})
		}
	}
	return r.Err()
}
