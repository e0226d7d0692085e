package main

import (
	"bytes"
	"errors"
	"slices"

	"skidpad/harness/animation"
	"skidpad/harness/drive"
	"skidpad/harness/figures"
	"skidpad/harness/trace"
	"skidpad/model"
)

// recorded is a run with fewer moments.
type recorded struct{ *trace.Trace }

func (r recorded) Times() []float64 { return r.Time }

func (r recorded) Column(name string) []float64 {
	if !slices.Contains(r.Names, name) {
		return nil
	}
	return r.Trace.Column(name)
}

// animate plays the fastest double lane change of the passenger car that stays on the track.
func animate(w *workshop) ([]byte, error) {
	const car, driven, rate = "passenger_car", "double_lane_change", 12.5 // pictures in a second
	e, err := w.evaluator(car)
	if err != nil {
		return nil, err
	}
	searched, err := e.Evaluate(w.manoeuvre(driven))
	if err != nil {
		return nil, err
	}
	speed := 0.0
	for _, run := range searched.Runs {
		passed := slices.ContainsFunc(run.Figures, func(f figures.Figure) bool { return f.ID == "pass" && f.Value == 1 })
		if passed && run.Varied[0].Value > speed {
			speed, e.Replaced = run.Varied[0].Value, run.Varied
		}
	}
	if speed == 0 {
		return nil, errors.New("no double lane change stays on the track")
	}
	m, _, err := e.Read(w.manoeuvre(driven))
	if err != nil {
		return nil, err
	}
	_, result, err := w.run(car, driven, drive.Plan{Manoeuvre: m})
	if err != nil {
		return nil, err
	}
	var times []float64
	last := result.Trace.Time[len(result.Trace.Time)-1]
	for n := 0; float64(n)/rate <= last; n++ {
		times = append(times, float64(n)/rate)
	}
	vehicle, err := model.Read(w.model(car))
	if err != nil {
		return nil, err
	}
	scene, err := animation.New(vehicle, recorded{result.Trace.Sampled(times)})
	if err != nil {
		return nil, err
	}
	var page bytes.Buffer
	err = scene.Write(&page)
	return page.Bytes(), err
}
