package main

import (
	"math"

	"skidpad/harness/workbench/results/report"
	"skidpad/harness/workbench/runs/drive"
)

// vanIwaarden are the figures of van Iwaarden (2003).
var vanIwaarden = []picture{
	{name: "figure_vaniwaarden_3_3.svg", draw: drawDeviations},
	{name: "figure_vaniwaarden_6_8.svg", draw: ofMasses("motorcycle2_equilibrium_undamped", "rear chassis mass=mass_3.z")},
	{name: "figure_vaniwaarden_6_9.svg", draw: ofMasses("motorcycle2_equilibrium", "rear chassis mass=mass_3.z")},
	{name: "figure_vaniwaarden_7_1.svg", draw: ofMasses("motorcycle2_comfort", "rear contact=mass_1.z",
		"rear rim=mass_2.z", "rear chassis=mass_3.z", "front contact=mass_4.z", "front rim=mass_5.z",
		"front chassis=mass_6.z")},
}

// ofMasses draws heights of the motorcycle's masses over time.
func ofMasses(manoeuvre string, curves ...string) func(w *workshop) ([]byte, error) {
	return func(w *workshop) ([]byte, error) {
		return drawKey(w, "motorcycle2d", manoeuvre, key{y: "height, m", scale: 1, curves: curves})
	}
}

// drawDeviations draws the largest deviation of the pendulum from its circle up to each time. Its three methods are
// stabilised-ode (a method of figures 3.3 to 3.8), clmm (no correction) and dlmm. The other two methods of the figures,
// post-stabilisation and coordinate-projection, leave rounding errors only, below the range of this picture.
func drawDeviations(w *workshop) ([]byte, error) {
	const least = 1e-10 // m2, below which nothing is drawn
	p := &report.Plot{Title: "Pendulum: deviation by 10 ms steps", X: report.Axis{Label: "time, s"},
		Y: report.Axis{Label: "largest |P| so far, m2", Log: true}}
	for _, method := range []string{"clmm", "stabilised-ode", "dlmm"} {
		_, r, err := w.run("point_pendulum", "point_pendulum_swing",
			drive.Plan{Method: method, Step: 0.01, Substep: 0.01, Duration: 10, Record: []string{"rod.value"}})
		if err != nil {
			return nil, err
		}
		c, worst := report.Curve{Label: method}, 0.0
		for i, v := range r.Trace.Column("rod.value") {
			if worst = max(worst, math.Abs(v)); worst > least {
				c.X, c.Y = append(c.X, r.Trace.Time[i]), append(c.Y, worst)
			}
		}
		p.Curves = append(p.Curves, c)
	}
	return drawPlot(p)
}
