package main

import (
	"math"
	"path/filepath"

	"skidpad/harness/workbench/files/animation"
	"skidpad/harness/workbench/results/report"
	"skidpad/harness/workbench/results/trace"
	"skidpad/harness/workbench/runs/drive"
	"skidpad/model/bounded"
	"skidpad/model/vehicle"
)

// drawBeside pictures the yaw rate of the generic vehicle in a sine steer beside that of the independent solver, and
// below how far they are apart.
func drawBeside(w *workshop) ([]byte, error) {
	const run, variable = "generic4w_sine", "body.wz"
	file, err := bounded.Table.Open(filepath.Join(w.resources, "references", "trajectories", run+".csv"))
	if err != nil {
		return nil, err
	}
	defer file.Close()
	reference, err := trace.ReadCSV(file)
	if err != nil {
		return nil, err
	}
	_, result, err := w.run("generic4w", run, drive.Plan{Record: []string{variable}})
	if err != nil {
		return nil, err
	}
	degrees := func(values []float64) (list []float64) {
		for _, value := range values {
			list = append(list, value/degree)
		}
		return list
	}
	times := reference.Time
	p := &report.Plot{Title: "Sine steer of the generic vehicle", X: report.Axis{Label: "time, s"},
		Y: report.Axis{Label: "yaw rate, deg/s"}, Difference: &report.Axis{Label: "difference"},
		Curves: []report.Curve{
			{Label: "independent solver", X: times, Y: degrees(reference.Column(variable)), Broad: true},
			{Label: "Skidpad", X: times, Y: degrees(result.Trace.Sampled(times).Column(variable))},
		}}
	return framed(p)
}

// drawMotion draws the passenger car in the fastest double lane change that the car passes, and the path of its centre
// of mass on the ground.
func drawMotion(w *workshop) ([]byte, error) {
	const from, to, every = 0.5, 2.3, 0.9 // s after the car enters the track
	run, begin, err := laneChange(w)
	if err != nil {
		return nil, err
	}
	m, err := vehicle.Read(w.model(laneChangeCar))
	if err != nil {
		return nil, err
	}
	v := pictured{laneChangeCar, -20, 16}
	c := v.camera()
	var pieces []piece
	var way []vector
	x, y := run.Column("body.x"), run.Column("body.y")
	for n, t := range run.Time {
		if t >= begin+from && t <= begin+to+0.3 && n%100 == 0 {
			way = append(way, vector{x[n], y[n], 0})
		}
	}
	for after := from; after <= to+1e-9; after += every {
		t := begin + after
		scene, err := animation.New(m, run.Sampled([]float64{t, t}))
		if err != nil {
			return nil, err
		}
		scene.Ground = nil
		pieces = append(pieces, c.body(scene)...)
	}
	pieces = append(pieces, piece{"way", false, way, 0, math.Inf(-1)})
	d := v.lay("The passenger car in a double lane change", pieces)
	d.more = bodyStyle
	return d.svg(), nil
}
