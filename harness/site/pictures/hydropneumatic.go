package main

import (
	"skidpad/harness/workbench/results/report"
	"skidpad/harness/workbench/runs/drive"
	"skidpad/harness/workbench/runs/manoeuvre"
)

// kerb lifts the road under the quarter car by 40 mm within a tenth of a second.
const kerb = `name = "kerb"
title = "Kerb of 40 mm"
models = ["HydropneumaticQuarterCar"]
duration = 3.0
step = 0.001
[[input]]
drivers = ["road"]
signal = { kind = "formula", formula = "0.02*(1 + tanh(40*(time - 0.5)))" }
`

// drawQuarterCar draws the answer of the hydropneumatic quarter car to a kerb. It draws no view of the bodies, because
// they cover each other.
func drawQuarterCar(w *workshop) ([]byte, error) {
	m, err := manoeuvre.Parse("kerb.toml", []byte(kerb))
	if err != nil {
		return nil, err
	}
	_, result, err := w.run("hydropneumatic_quarter_car", "", drive.Plan{Manoeuvre: m,
		Record: []string{"body.z", "wheel.z"}})
	if err != nil {
		return nil, err
	}
	k := key{scale: 1e-3, curves: []string{"body=body.z", "wheel=wheel.z"}}
	return drawPlot(&report.Plot{Title: "Hydropneumatic quarter car on a kerb", X: report.Axis{Label: "time, s"},
		Y: report.Axis{Label: "height, mm"}, Curves: k.of(result.Trace, "")})
}
