package evaluate

import (
	"fmt"
	"math"
	"sync"

	"skidpad/harness/workbench/results/figures"
	"skidpad/harness/workbench/runs/cruise"
	"skidpad/harness/workbench/runs/drive"
	"skidpad/harness/workbench/runs/preview"
)

// adaptations are what drivers know of the vehicle, by what it is set to. Runs side by side share them.
type adaptations struct {
	sync.Mutex
	known map[string]*preview.Driver
	laws  map[string]*cruise.Law // of pedals
}

// driver is what the driver of a run knows, whose subject has just been loaded and is again afterwards.
func (e *Evaluator) driver(s drive.Subject, plan drive.Plan) (*preview.Driver, error) {
	a := e.adapted
	driver := *plan.Manoeuvre.Driver
	driver.Factor = 1 // which he does not need for it
	key := fmt.Sprint(plan.Manoeuvre.Settings, plan.Settings, driver)
	a.Lock()
	defer a.Unlock()
	if knows := a.known[key]; knows != nil {
		return knows, nil
	}
	knows, err := e.known(s, plan)
	if err == nil {
		a.known[key] = knows
	}
	return knows, err
}

// pedals are the law of a run with pedals, whose subject has just been loaded and is again afterwards.
func (e *Evaluator) pedals(s drive.Subject, plan drive.Plan) (*cruise.Law, error) {
	a := e.adapted
	key := fmt.Sprint(plan.Manoeuvre.Settings, plan.Settings, plan.Manoeuvre.Start, *plan.Manoeuvre.Pedals)
	a.Lock()
	defer a.Unlock()
	if law := a.laws[key]; law != nil {
		return law, nil
	}
	law, err := drive.AdaptPedals(s, plan)
	if err == nil {
		a.laws[key] = law
	}
	return law, err
}

// known is what the driver of a run knows by a file, or finds out.
func (e *Evaluator) known(s drive.Subject, plan drive.Plan) (*preview.Driver, error) {
	if e.Knows == nil {
		return drive.Adapt(s, plan)
	}
	mass := 0.0
	if e.Mass != nil {
		mass = e.Mass(plan.Settings)
	}
	return e.Knows.Driver(plan.Manoeuvre, e.Model, mass)
}

// ofDriver are the figures beside the highest speed of a driver who adapts: his preview there, and the speed of a point
// on the path of least curvature with the largest lateral acceleration of the vehicle.
func (e *Evaluator) ofDriver(out *Result) (list []figures.Figure) {
	m := out.Manoeuvre
	if m.Driver == nil || m.Search.Constant != "speed" || len(e.adapted.known) != 1 {
		return nil
	}
	curvature := 0.0
	for _, p := range m.Phases {
		if p.Path != nil {
			curvature = max(curvature, p.Path.Curvature)
		}
	}
	for _, knows := range e.adapted.known {
		largest := knows.Limit.Largest()
		add := func(id, definition, unit string, value float64) {
			list = append(list, figures.Figure{ID: id, Definition: definition, Unit: unit, Value: value, Time: math.NaN()})
		}
		speed, factor := out.Figures[0].Value, m.Driver.Factor
		if len(out.Figures) > 1 && m.Search.Over == "preview_factor" {
			factor = out.Figures[1].Value
		}
		if curvature > 0 {
			add("speed_bound", "speed of a point with the largest lateral acceleration on the path of least curvature", "m/s",
				math.Sqrt(largest/curvature))
		}
		add("lateral_limit", "largest lateral acceleration of the vehicle when the steering wheel turns slowly", "m/s2",
			largest)
		if !math.IsNaN(speed) {
			add("preview", "preview of the driver at the highest speed", "s", knows.Ahead(speed, factor))
		}
	}
	return list
}
