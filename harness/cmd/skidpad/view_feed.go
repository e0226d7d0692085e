package main

import (
	"errors"
	"fmt"
	"slices"

	"github.com/spf13/cobra"

	"skidpad/harness/library"
	"skidpad/harness/workbench/files/view"
	"skidpad/harness/workbench/runs/drive"
	"skidpad/harness/workbench/runs/live"
	"skidpad/harness/workbench/runs/manoeuvre"
	"skidpad/model/roles"
	"skidpad/model/vehicle"
)

// runFeed shows what a program feeds. The vehicle gives the values at the start, and is not stepped.
func (f *viewFlags) runFeed(c *cobra.Command, m *vehicle.Model, model string, target manoeuvre.Target) error {
	for _, name := range []string{"driver", "pace", "step", "speed", "method", "record", "manoeuvre", "track",
		"let", "param", "ghost"} {
		if c.Flags().Changed(name) {
			return usageError{fmt.Errorf("--%s is for a vehicle that is stepped; --feed steps nothing: leave one of them out",
				name)}
		}
	}
	of, err := target.Resolved()
	switch {
	case err != nil && *f.car != "":
		return err
	case of == nil:
		of = &roles.Roles{} // instruments need roles, the picture does not
	}
	v, closeAll, err := openSubject(model, *f.tree, *f.library)
	if err != nil {
		return err
	}
	defer closeAll()
	vehicle, is := v.(*library.Vehicle)
	if !is {
		return errors.New("the vehicle is no model file")
	}
	warnOfSet(model, f.set, c.ErrOrStderr())
	onRoad, err := roadSettings(c, *f.road, of)
	if err != nil {
		return err
	}
	start := &live.Start{Vehicle: vehicle, Step: *f.step, Plan: drive.Plan{Settings: slices.Concat(onRoad, f.set),
		Manoeuvre: &manoeuvre.Manoeuvre{Name: "feed", Models: []string{target.Model}, Roles: of}}}
	if err := start.Prepare(); err != nil {
		return err
	}
	options, err := f.scene(m, vehicle, of)
	if err != nil {
		return err
	}
	if err := f.offer(&options, vehicle, of, true); err != nil {
		return err
	}
	options.Feed, options.Sockets = view.NewFeed(options.Outputs), true
	return f.serve(c, options)
}
