package main

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"skidpad/harness/library"
	"skidpad/harness/workbench/files/animation"
	"skidpad/harness/workbench/files/modelfile"
	"skidpad/harness/workbench/files/view"
	"skidpad/harness/workbench/runs/drive"
	"skidpad/harness/workbench/runs/evaluate"
	"skidpad/harness/workbench/runs/live"
)

// runForeign drives an FMU that carries no model file of Skidpad. It is drawn by its roles.
func (f *viewFlags) runForeign(c *cobra.Command, file string, pace float64) error {
	for _, not := range []struct{ flag, why string }{
		{"record", "a drive is recorded with the model file of its vehicle"},
		{"ghost", "a ghost is drawn by the model file of its vehicle"},
		{"param", "sliders are for the parameters of model files; --set sets numbers before the start"},
		{"road", "a road is for the terrain of a model file"},
		{"method", "an FMU has a solver of its own"},
		{"library", "an FMU has a library of its own"},
		{"feed", "what a program feeds is drawn by a model file"},
	} {
		if c.Flags().Changed(not.flag) {
			return usageError{fmt.Errorf("--%s: %s has %w; %s", not.flag, file, modelfile.ErrNoModel, not.why)}
		}
	}
	target, err := modelfile.Target(file, *f.car)
	if err != nil {
		return err
	}
	if target.Roles == nil && *f.car == "" {
		return fmt.Errorf("%s has %w and no roles: name its chassis, axles, outline and inputs in a car file, --car FILE; "+
			"'skidpad car %[1]s --draft' writes a draft", file, modelfile.ErrNoModel)
	}
	target.Find = finder(file, "", "")
	open := func() (drive.Subject, func(), error) { return openSubject(file, "", "") }
	s, err := f.begin.read(&evaluate.Evaluator{Target: target, Settings: f.set, Replaced: f.begin.let, Held: true,
		AllowPlugins: *f.plugins, Interrupt: interruptOf(c), Open: open}, *f.step, c.ErrOrStderr())
	if err != nil {
		return err
	}
	if s.start.Pilot == nil && *f.driver == "page" {
		if err := rideable(s.roles); err != nil {
			return err
		}
	}
	opened, closeAll, err := open()
	if err != nil {
		return err
	}
	defer closeAll()
	instance, is := opened.(*library.Instance)
	if !is {
		return errors.New("the vehicle is not an FMU")
	}
	vehicle := live.Instance{Instance: instance}
	s.vehicle, s.start.Vehicle = vehicle, vehicle
	if err := f.prepare(s, vehicle, target.Model, c.ErrOrStderr()); err != nil {
		return err
	}
	if _, err := vehicle.Save(); err != nil {
		return err
	}
	options, err := boxScene(target.Model, vehicle, s)
	if err != nil {
		return err
	}
	s.follow(&options)
	if err := f.offer(&options, vehicle, s.roles, pace == 0); err != nil {
		return err
	}
	if err := f.loop(&options, s, vehicle, pace, nil); err != nil {
		return err
	}
	return f.serve(c, options)
}

// boxScene finds what the page shows of an FMU: a box with wheels.
func boxScene(name string, v live.Instance, s *started) (view.Options, error) {
	box := &animation.Box{Title: name, Roles: s.roles, Wheelbase: wheelbaseOf(s)}
	options := view.Shown(box.Variables(v.Outputs()), v, s.roles)
	placing := options.Outputs[:options.Placing]
	values, err := valuesOf(v, placing)
	if err != nil {
		return options, err
	}
	options.Poser = box.NewPoser(placing, values, reach)
	return options, nil
}

// wheelbaseOf is the wheelbase of a vehicle [m], from its driver or its roles; 0 if it is unknown.
func wheelbaseOf(s *started) float64 {
	if s.car != nil && s.car.Wheelbase > 0 {
		return s.car.Wheelbase
	}
	return s.roles.Wheelbase
}
