package modelfile

import (
	"fmt"
	"strings"

	"skidpad/model/vehicle"
)

// Options are the choices of a model file for the options of its subsystems, a line for each use: "" for an FMU, where
// they are resolved, and for a file that cannot be read.
func Options(path string) string {
	if isFMU(path) {
		return ""
	}
	d, err := vehicle.ReadDocument(path)
	if err != nil {
		return ""
	}
	lines := d.Choices
	for _, t := range d.Tabulated {
		lines = append(lines, fmt.Sprintf("%s: suspension = %q", t.Use, t.Node.Text))
	}
	return strings.Join(lines, "\n")
}
