package hardpoints

import (
	"skidpad/model/bounded"
	"skidpad/model/document"
)

// ReadNames reads a TOML file with a table [names]: names of a file of points, and names in Skidpad.
func ReadNames(path string) (map[string]string, error) {
	text, err := bounded.HardPoints.Read(path)
	if err != nil {
		return nil, err
	}
	root, err := document.Parse(text, path)
	if err != nil {
		return nil, err
	}
	faults := document.Faults{File: path}
	for _, key := range root.Keys {
		if key != "names" {
			faults.At(root.Fields[key], "key %s is unknown; the file has one table, [names]", key)
		}
	}
	table := root.Field("names")
	if table == nil || table.Kind != document.Table {
		faults.At(table, "the table [names] is missing: \"name in the file\" = \"name in Skidpad\"")
		return nil, faults.Err()
	}
	names := map[string]string{}
	for _, key := range table.Keys {
		value := table.Fields[key]
		if value.Kind != document.Text || !identifier.MatchString(value.Text) {
			faults.At(value, "%s: it must be a name of letters, digits and _, which begins with a letter", key)
			continue
		}
		names[key] = value.Text
	}
	return names, faults.Err()
}
