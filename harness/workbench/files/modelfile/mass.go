package modelfile

import (
	"strconv"

	"skidpad/harness/workbench/runs/manoeuvre"
	"skidpad/model/component"
	"skidpad/model/vehicle"
)

// Mass is the total mass of a model file [kg], with the given settings; 0 if unknown, as for an FMU.
func Mass(path string, set []manoeuvre.Setting) float64 {
	if isFMU(path) {
		return 0
	}
	m, err := vehicle.Read(path)
	if err != nil {
		return 0
	}
	values := map[string]float64{}
	for _, s := range set {
		if x, err := strconv.ParseFloat(s.Value, 64); err == nil {
			values[s.Name] = x
		}
	}
	if m, err = m.WithValues(values, vehicle.Opener(path)); err != nil {
		return 0
	}
	sum := 0.0
	for _, c := range component.All[component.Heavy](m.Scope()) {
		sum += c.Lump().Mass.Value
	}
	return sum
}
