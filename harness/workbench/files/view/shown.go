package view

import (
	"slices"

	"skidpad/model/roles"
)

// Shown are the options of what a page shows of a vehicle: Outputs, Placing and Signals. Placing variables are those
// that place its parts.
func Shown(placing []string, v Outputs, o *roles.Roles) (options Options) {
	options.Outputs = slices.Clone(placing)
	for _, w := range o.Wheels() { // for arrows
		for _, force := range []string{".Fx", ".Fy", ".Fz"} {
			if _, err := v.Find(w.Tire + force); err == nil && !slices.Contains(options.Outputs, w.Tire+force) {
				options.Outputs = append(options.Outputs, w.Tire+force)
			}
		}
	}
	options.Placing = len(options.Outputs)
	add := func(name string) {
		x, err := v.Find(name)
		if err != nil {
			return
		}
		if !slices.Contains(options.Outputs, name) {
			options.Outputs = append(options.Outputs, name)
		}
		options.Signals = append(options.Signals, Signal{Name: name, Unit: x.Unit, Role: o.Role(name)})
	}
	for _, name := range []string{".vx", ".ax", ".ay", ".wz"} {
		add(o.Chassis + name)
	}
	for _, w := range o.Wheels() {
		for _, force := range []string{".Fx", ".Fy", ".Fz"} {
			add(w.Tire + force)
		}
	}
	if o.EngineSpeed != "" {
		add(o.EngineSpeed)
	}
	options.Signals = append(options.Signals, OfRows...)
	return options
}
