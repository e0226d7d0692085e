package evaluate

import (
	"skidpad/harness/workbench/results/figures"
	"skidpad/harness/workbench/runs/drive"
	"skidpad/harness/workbench/runs/manoeuvre"
)

// of a relaxed wheel, in the order of figures.Relaxed.
var ofRelaxedWheel = []string{"traction", "stabilisation", "sliding", "grip"}

// recordedForHalfCar are the variables that characteristic values of a half-car need.
func recordedForHalfCar(e *manoeuvre.KeyFigures) []string {
	names := []string{e.Body + ".vx"}
	for _, wheel := range [][]string{e.Front, e.Rear} {
		names = append(names, wheel[0]+".wy")
		for _, quantity := range ofRelaxedWheel {
			names = append(names, wheel[1]+"."+quantity)
		}
	}
	return names
}

// recordOfHalfCar makes signals of what a run of a half-car recorded.
func recordOfHalfCar(e *manoeuvre.KeyFigures, result *drive.Result) *figures.Record {
	t := result.Trace
	wheel := func(names []string) figures.Relaxed {
		of := func(quantity string) []float64 { return t.Column(names[1] + "." + quantity) }
		return figures.Relaxed{Spin: t.Column(names[0] + ".wy"), Traction: of("traction"),
			Stabilisation: of("stabilisation"), Sliding: of("sliding"), Grip: of("grip")}
	}
	input := func(key string) []float64 { return result.Inputs.Column(e.Inputs[key]) }
	return &figures.Record{Verdict: result.Verdict, Time: t.Time, Speed: t.Column(e.Body + ".vx"),
		HalfCar: &figures.HalfCar{Front: wheel(e.Front), Rear: wheel(e.Rear),
			Drive: input("drive"), Brake: input("brake"), Friction: input("friction")}}
}
