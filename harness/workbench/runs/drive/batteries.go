package drive

import (
	"fmt"
	"slices"
	"strings"

	"skidpad/harness/library"
	"skidpad/harness/workbench/results/trace"
)

// atLimit is the share of the limit above which the power of batteries counts as limited.
const atLimit = 0.98

// batteries are the batteries of a vehicle, with the limits of their power: components with the outputs discharge and
// charge [W], as in the subsystem traction_battery.
type batteries struct{ names, limits []string }

// batteriesOf finds the batteries of a subject; none where it does not list its variables.
func batteriesOf(s Subject) (b batteries) {
	lister, can := s.(interface{ All() []library.Variable })
	if !can {
		return b
	}
	list := lister.All()
	b.names = library.Batteries(list)
	powers := func(suffix string) (components []string) {
		for _, v := range list {
			if component, is := strings.CutSuffix(v.Name, suffix); is && v.Unit == "W" && v.Causality == library.Output {
				components = append(components, component)
			}
		}
		return components
	}
	charge := powers(".charge")
	for _, component := range powers(".discharge") {
		if slices.Contains(charge, component) {
			b.limits = append(b.limits, component)
		}
	}
	return b
}

// record lists the variables that exhausted reads.
func (b *batteries) record() (names []string) {
	for _, name := range b.names {
		names = append(names, name+".soc", name+".voltage", name+".current", name+".open_circuit_voltage")
	}
	for _, name := range b.limits {
		names = append(names, name+".discharge")
	}
	return names
}

// exhausted names the batteries of a run that give no more power at its end, and what to do; "" where there are none.
// The power is at the sum of the limits, or, near half of its open-circuit voltage U, at the largest power U^2/(4R).
func (b *batteries) exhausted(t *trace.Trace) string {
	last := func(name string) float64 {
		column := t.Column(name)
		return column[len(column)-1]
	}
	power, limit := 0.0, 0.0
	for _, name := range b.names {
		power += last(name+".voltage") * last(name+".current")
	}
	for _, name := range b.limits {
		limit += last(name + ".discharge")
	}
	limited := len(b.limits) > 0 && power >= atLimit*limit
	var list []string
	for _, name := range b.names {
		if limited || last(name+".soc") <= 0 || last(name+".voltage") <= last(name+".open_circuit_voltage")/2/atLimit {
			list = append(list, fmt.Sprintf("%s at a state of charge of %.3g", name, last(name+".soc")))
		}
	}
	if len(list) == 0 {
		return ""
	}
	return fmt.Sprintf(": the power of the battery is at its limit, %.3g kW (%s); charge it (parameter soc of "+
		"traction_battery), or take a battery with more power", power/1000, strings.Join(list, ", "))
}
