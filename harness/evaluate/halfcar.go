package evaluate

import (
	"fmt"
	"slices"

	"skidpad/harness/drive"
	"skidpad/harness/figures"
	"skidpad/harness/manoeuvre"
	"skidpad/harness/report"
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

// halfCar are the panels of the figures 5 to 14 of Ikoki (2022) of a run. The reaction of the front wheel has the sign
// of the paper: minus (traction + stabilisation).
func (e *Result) halfCar(run int) []*report.Plot {
	r := e.Runs[run].Record
	c := r.HalfCar
	const most = 2000 // points of a curve
	stride := len(r.Time)/most + 1
	curve := func(label string, value func(i int) float64) report.Curve {
		line := report.Curve{Label: label}
		for i := 0; i < len(r.Time); i += stride {
			if y := value(i); isFinite(y) { // the last row of a run that fails may not be
				line.X, line.Y = append(line.X, r.Time[i]), append(line.Y, y)
			}
		}
		return line
	}
	of := func(label string, values []float64) report.Curve {
		return curve(label, func(i int) float64 { return values[i] })
	}
	plot := func(title, y string, curves ...report.Curve) *report.Plot {
		if len(e.Runs) > 1 {
			title = fmt.Sprintf("%s of run %d %s", title, run+1, texts(e.Runs[run].Varied))
		}
		return &report.Plot{Title: title, X: report.Axis{Label: "time, s"}, Y: report.Axis{Label: y, Span: 1e-3},
			Curves: slices.DeleteFunc(curves, func(c report.Curve) bool { return len(c.X) < 2 })}
	}
	limited := func(wheel *figures.Relaxed, curves ...report.Curve) []report.Curve {
		return append(curves, of("+mu N", wheel.Grip), curve("-mu N", func(i int) float64 { return -wheel.Grip[i] }))
	}
	return []*report.Plot{
		plot("Torques", "N m", of("motor", c.Drive), of("brake of a wheel", c.Brake)),
		plot("Friction coefficient", "1", of("mu", c.Friction)),
		plot("Rotational speeds of the wheels", "rad/s", of("front wheel", c.Front.Spin), of("rear wheel", c.Rear.Spin)),
		plot("Speed", "m/s", of("speed", r.Speed)),
		plot("Forces on the rear wheel", "N",
			limited(&c.Rear, of("traction", c.Rear.Traction), of("sliding friction", c.Rear.Sliding))...),
		plot("Forces on the front wheel", "N", limited(&c.Front,
			curve("minus (traction + stabilisation)",
				func(i int) float64 { return -(c.Front.Traction[i] + c.Front.Stabilisation[i]) }),
			curve("minus sliding friction", func(i int) float64 { return -c.Front.Sliding[i] }))...),
	}
}
