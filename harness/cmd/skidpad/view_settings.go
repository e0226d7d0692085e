package main

import (
	"fmt"
	"path"
	"path/filepath"
	"slices"

	"skidpad/harness/library"
	"skidpad/harness/workbench/files/resources"
	"skidpad/harness/workbench/files/view"
	"skidpad/harness/workbench/results/recording"
	"skidpad/harness/workbench/runs/live"
	"skidpad/model/bounded"
	"skidpad/model/roles"
	"skidpad/model/vehicle"
	"skidpad/tire"
)

// mostSliders bounds the settings of a page.
const mostSliders = 40

// sliders are the names of the numbers that the page changes: those of the patterns, or the parameters of the model
// file, the friction of the road and the wind. A model file without parameters has its masses, stiffnesses, dampings
// and shares of brakes.
func sliders(m *vehicle.Model, v *library.Vehicle, o *roles.Roles, patterns string) ([]string, error) {
	all := v.Adjustable()
	if patterns != "" {
		names, err := recording.ChooseInOrder(recording.Split(patterns), all, nil, o)
		if err == nil && len(names) > mostSliders {
			err = fmt.Errorf("%d numbers match; a page has at most %d settings", len(names), mostSliders)
		}
		if err != nil {
			return nil, usageError{fmt.Errorf("--param: %w", err)}
		}
		return names, nil
	}
	var names []string
	for _, p := range m.Parameters {
		names = append(names, p.Name)
	}
	if len(names) == 0 {
		for _, name := range all {
			for _, pattern := range []string{"*.mass", "*.stiffness", "*.damping", "*.*_share"} {
				if is, _ := path.Match(pattern, name); is {
					names = append(names, name)
				}
			}
		}
	}
	if o.Road != "" {
		names = append(names, o.Road+".mu")
	}
	names = append(names, o.Input("wind")...)
	var list []string
	for _, name := range names {
		if slices.Contains(all, name) && !slices.Contains(list, name) && len(list) < mostSliders {
			list = append(list, name)
		}
	}
	return list, nil
}

// tiresToChoose are the tires that pages choose from: the shipped ones, and those of folders called resources.
func tiresToChoose() (list []live.Tire) {
	for _, e := range resources.Tires.List() {
		data, err := resources.Tires.Read(e.Path)
		if err != nil {
			continue
		}
		p, err := tire.ParseFile(data, e.Path)
		if err != nil {
			continue
		}
		kind, err := tire.Lookup(p.Function)
		if err != nil || tire.IsRelaxation(kind) {
			continue
		}
		file := e.Path
		if !bounded.IsAbsolute(file) {
			if file, err = filepath.Abs(file); err != nil {
				continue
			}
		}
		if slices.ContainsFunc(list, func(t live.Tire) bool { return t.Name == e.Name }) {
			e.Name = filepath.Base(e.Path)
		}
		list = append(list, live.Tire{Name: e.Name, Function: p.Function, File: file})
	}
	return list
}

// changes finds the settings of a vehicle that has just been loaded, with a spare vehicle that tries them. The spare
// vehicle is to be closed.
func changes(s *started, m *vehicle.Model, v *library.Vehicle, patterns string) (_ *view.Changes, states []string,
	spare *library.Vehicle, err error) {
	names, err := sliders(m, v, s.roles, patterns)
	if err != nil {
		return nil, nil, nil, err
	}
	var wheels []string
	for _, w := range s.roles.Wheels() {
		if _, err := v.Text(w.Tire + ".file"); err == nil {
			wheels = append(wheels, w.Tire)
		}
	}
	var tires []live.Tire
	if len(wheels) > 0 {
		tires = tiresToChoose()
	}
	if len(names) == 0 && len(tires) == 0 {
		return nil, nil, nil, nil
	}
	settings, err := live.NewSettings(v, names, tires, wheels)
	if err != nil {
		return nil, nil, nil, err
	}
	if spare, err = v.Copy(); err != nil {
		return nil, nil, nil, err
	}
	states = live.States(spare, spare.Variables)
	s.start.Settings = settings
	return &view.Changes{Settings: settings, Build: func(now *live.Snapshot) ([]byte, error) {
		other := *s.start
		other.Vehicle = spare
		if err := other.From(now, now.Settings); err != nil {
			return nil, err
		}
		return spare.Save()
	}}, states, spare, nil
}
