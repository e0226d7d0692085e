package main

import (
	"bytes"
	"errors"
	"slices"

	"skidpad/harness/workbench/files/animation"
	"skidpad/harness/workbench/results/figures"
	"skidpad/harness/workbench/results/trace"
	"skidpad/harness/workbench/runs/drive"
	"skidpad/model/vehicle"
)

const laneChangeCar = "passenger_car"

// laneChange is the fastest double lane change of the passenger car that stays on the track, with the time when it
// enters the track [s].
func laneChange(w *workshop) (run *trace.Trace, begin float64, err error) {
	const driven = "double_lane_change"
	e, err := w.evaluator(laneChangeCar)
	if err != nil {
		return nil, 0, err
	}
	searched, err := e.Evaluate(w.manoeuvre(driven))
	if err != nil {
		return nil, 0, err
	}
	speed := 0.0
	for _, run := range searched.Runs {
		passed := slices.ContainsFunc(run.Figures, func(f figures.Figure) bool { return f.ID == "pass" && f.Value == 1 })
		if passed && run.Varied[0].Value > speed {
			speed, e.Replaced = run.Varied[0].Value, run.Varied
		}
	}
	if speed == 0 {
		return nil, 0, errors.New("no double lane change stays on the track")
	}
	m, _, err := e.Read(w.manoeuvre(driven))
	if err != nil {
		return nil, 0, err
	}
	_, result, err := w.run(laneChangeCar, driven, drive.Plan{Manoeuvre: m})
	if err != nil {
		return nil, 0, err
	}
	for _, p := range result.Phases {
		if p.Name == "track" {
			return result.Trace, p.Begin, nil
		}
	}
	return nil, 0, errors.New("the double lane change has no phase track")
}

// animate plays the double lane change.
func animate(w *workshop) ([]byte, error) {
	const rate = 12.5 // pictures in a second
	run, _, err := laneChange(w)
	if err != nil {
		return nil, err
	}
	var times []float64
	last := run.Time[len(run.Time)-1]
	for n := 0; float64(n)/rate <= last; n++ {
		times = append(times, float64(n)/rate)
	}
	m, err := vehicle.Read(w.model(laneChangeCar))
	if err != nil {
		return nil, err
	}
	sampled := run.Sampled(times)
	scene, err := animation.New(m, sampled)
	if err != nil {
		return nil, err
	}
	if err := scene.Plot(m, sampled, "body.ay"); err != nil {
		return nil, err
	}
	var page bytes.Buffer
	err = scene.Write(&page)
	return page.Bytes(), err
}
