package main

import (
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"

	"skidpad/harness/workbench/results/report"
	"skidpad/harness/workbench/runs/drive"
	"skidpad/harness/workbench/runs/manoeuvre"
	"skidpad/harness/workbench/runs/rig"
)

// morency are the figures of Morency (2007): tires (chapter 3) and responses of both vehicles (chapter 5).
var morency = func() []picture {
	list := []picture{{name: "figure_morency_3_4.svg", draw: drawRadii}}
	for _, f := range tireFigures {
		list = append(list, picture{name: "figure_morency_" + f.figure + ".svg", draw: f.draw})
	}
	for _, r := range responses {
		list = append(list, picture{name: "figure_morency_5_" + r.name + ".svg", draw: r.draw})
	}
	return list
}()

// radiiStand is a wheel at a height, with the parameters of Figure 3.4. The unloaded radius is not printed there; it
// shifts all curves.
const radiiStand = `name = "Radii"
[component.road]
type = "road"
[component.height]
type = "motion-driver"
from = "ground"
to = "tire"
axis = "z"
kind = "translation"
[component.tire]
type = "tire"
road = "road"
mass = 20
inertia = { axial = 1, transverse = 0.5 }
unloaded_radius = 0.32
vertical_stiffness = 210e3
rolling_radius = { method = "load-dependent", Fz0 = 4851, B = 8.4, D = 0.27, F = 0.07 }
slip = { method = "kinematic" }
force = { function = "inputs" }
`

// drawRadii draws the radii of a tire over the load.
func drawRadii(w *workshop) ([]byte, error) {
	curves, err := radii(w)
	if err != nil {
		return nil, err
	}
	return drawPlot(&report.Plot{Title: "Radii of a tire", X: report.Axis{Label: "vertical load, N"},
		Y: report.Axis{Label: "radius, m"}, Curves: curves})
}

// radii are the unloaded, the loaded and the effective radius, every 50 N.
func radii(w *workshop) ([]report.Curve, error) {
	const free, stiffness, most, points = 0.32, 210e3, 9000.0, 180
	folder, err := os.MkdirTemp("", "skidpad-picture")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(folder)
	path := filepath.Join(folder, "radii.toml")
	if err := os.WriteFile(path, []byte(radiiStand), 0o600); err != nil {
		return nil, err
	}
	v, err := w.library.Load(path, "")
	if err != nil {
		return nil, err
	}
	curves := []report.Curve{{Label: "unloaded"}, {Label: "loaded"}, {Label: "effective"}}
	err = func() error {
		outputs, err := v.References("tire.Fz", "tire.R_l", "tire.R_eff")
		if err != nil {
			return err
		}
		if err := v.Initialise(); err != nil {
			return err
		}
		for i := range points + 1 {
			if err := v.SetNamed("height.position", free-most*float64(i)/points/stiffness); err != nil {
				return err
			}
			var out [3]float64
			if err := v.Get(outputs, out[:]); err != nil {
				return err
			}
			for k, radius := range [...]float64{free, out[1], out[2]} {
				curves[k].X, curves[k].Y = append(curves[k].X, out[0]), append(curves[k].Y, radius)
			}
		}
		return nil
	}()
	return curves, errors.Join(err, v.Close())
}

// tireFigure is a force or moment of both tires of the generic vehicle over a slip: nominal, and with one departure
// each. Morency (2007) prints the load of 5900 N, but not the sizes of the departures.
type tireFigure struct {
	figure, title, x, y string
	over                func(s *rig.State, u float64) // u from -1 to 1
	abscissa            func(s rig.State) float64
	of                  func(f rig.Forces) float64
	departures          []departure
}

type departure struct {
	label string
	set   func(s *rig.State)
}

var (
	lighter  = departure{", 3000 N", func(s *rig.State) { s.Load = 3000 }}
	inclined = departure{", inclination 5 deg", func(s *rig.State) { s.Gamma = 5 * degree }}
	cornered = departure{", slip angle 4 deg", func(s *rig.State) { s.Alpha = 4 * degree }}
	braked   = departure{", slip -0.05", func(s *rig.State) { s.Kappa = -0.05 }}

	overSlip  = func(s *rig.State, u float64) { s.Kappa = 0.3 * u }
	overAngle = func(s *rig.State, u float64) { s.Alpha = 15 * degree * u }
	slipOf    = func(s rig.State) float64 { return s.Kappa }
	angleOf   = func(s rig.State) float64 { return s.Alpha / degree }

	tireFigures = []tireFigure{
		{"3_7", "Longitudinal force", "longitudinal slip", "Fx, N", overSlip, slipOf,
			func(f rig.Forces) float64 { return f.Fx }, []departure{{}, lighter, cornered}},
		{"3_8", "Side force", "slip angle, deg", "Fy, N", overAngle, angleOf,
			func(f rig.Forces) float64 { return f.Fy }, []departure{{}, lighter, braked}},
		{"3_9", "Aligning moment", "slip angle, deg", "Mz, N m", overAngle, angleOf,
			func(f rig.Forces) float64 { return f.Mz }, []departure{{}, lighter, braked}},
		{"3_7_inclined", "Longitudinal force of inclined tires", "longitudinal slip", "Fx, N", overSlip, slipOf,
			func(f rig.Forces) float64 { return f.Fx }, []departure{{}, inclined}},
		{"3_8_inclined", "Side force of inclined tires", "slip angle, deg", "Fy, N", overAngle, angleOf,
			func(f rig.Forces) float64 { return f.Fy }, []departure{{}, inclined}},
		{"3_9_inclined", "Aligning moment of inclined tires", "slip angle, deg", "Mz, N m", overAngle, angleOf,
			func(f rig.Forces) float64 { return f.Mz }, []departure{{}, inclined}},
	}
)

// draw measures both tires on the rig.
func (t tireFigure) draw(w *workshop) ([]byte, error) {
	const load, points = 5900, 61
	p := &report.Plot{Title: t.title + ", 5900 N", X: report.Axis{Label: t.x}, Y: report.Axis{Label: t.y}}
	for _, tire := range [...][2]string{{"Fiala", "fiala_generic4w.toml"}, {"Pacejka02", "pacejka2002.toml"}} {
		file, err := filepath.Abs(filepath.Join(w.resources, "tires", tire[1]))
		if err != nil {
			return nil, err
		}
		r, err := rig.Open(w.library, rig.Tire{Model: tire[0], File: file, Radius: 0.355, Stiffness: 3.04e5}, false)
		if err != nil {
			return nil, err
		}
		for _, d := range t.departures {
			c := report.Curve{Label: tire[0] + d.label}
			for i := range points {
				s := rig.State{Load: load, Speed: 16.7}
				if d.set != nil {
					d.set(&s)
				}
				t.over(&s, 2*float64(i)/(points-1)-1)
				f, measuring := r.Measure(s)
				err = errors.Join(err, measuring)
				c.X, c.Y = append(c.X, t.abscissa(s)), append(c.Y, t.of(f))
			}
			p.Curves = append(p.Curves, c)
		}
		if err := errors.Join(err, r.Close()); err != nil {
			return nil, err
		}
	}
	return drawPlot(p)
}

// response is a quantity of one of the four runs of chapter 5: of the generic vehicle with both tires, of the skidder.
type response struct {
	name, model, manoeuvre, title, y, variable string
	scale                                      float64
	over                                       string // in place of time
}

var responses = func() (list []response) {
	const generic, skidder = "generic4w", "skidder"
	for _, r := range []struct{ run, model, manoeuvre, title string }{
		{"generic_sine", generic, "generic4w_sine", "Generic vehicle, sine steer"},
		{"generic_braking", generic, "generic4w_braking", "Generic vehicle, braking"},
		{"skidder_sine", skidder, "skidder_sine", "Skidder, sine steer"},
		{"skidder_braking", skidder, "skidder_braking", "Skidder, braking"},
	} {
		body := map[string]string{generic: "body", skidder: "front"}[r.model]
		add := func(name, y, variable string, scale float64, over string) {
			list = append(list, response{r.run + "_" + name, r.model, r.manoeuvre, r.title, y, variable, scale, over})
		}
		if r.run == "generic_sine" || r.run == "skidder_sine" {
			add("path", "y, m", body+".y", 1, body+".x")
			add("yaw_rate", "yaw rate, deg/s", body+".wz", degree, "")
			add("roll", "roll angle, deg", body+".roll", degree, "")
			add("fz", "Fz, front left, N", "tire_FL.Fz", 1, "")
			add("fy", "Fy, front left, N", "tire_FL.Fy", 1, "")
			add("mz", "Mz, front left, N m", "tire_FL.Mz", 1, "")
			continue
		}
		add("speed", "speed, m/s", body+".vx", 1, "")
		add("pitch", "pitch angle, deg", body+".pitch", degree, "")
		add("fz", "Fz, front left, N", "tire_FL.Fz", 1, "")
		add("fx", "Fx, front left, N", "tire_FL.Fx", 1, "")
		if r.model == generic { // the skidder's tires have no rolling resistance
			add("my", "My, front left, N m", "tire_FL.My", 1, "")
		}
	}
	return list
}()

// draw drives the vehicle, the generic one with either tire.
func (r response) draw(w *workshop) ([]byte, error) {
	p := &report.Plot{Title: r.title, X: report.Axis{Label: "time, s"}, Y: report.Axis{Label: r.y, Span: 1e-6}}
	record := []string{r.variable}
	if r.over != "" {
		record, p.X.Label = append(record, r.over), "x, m"
	}
	tires := []string{"Fiala"}
	if r.model == "generic4w" {
		tires = []string{"Pacejka02", "Fiala"}
	}
	for i, tire := range tires {
		plan := drive.Plan{Record: record, Method: "rk4", Step: 0.001}
		if i > 0 {
			file, err := filepath.Abs(filepath.Join(w.resources, "tires", "fiala_generic4w.toml"))
			if err != nil {
				return nil, err
			}
			for _, wheel := range [...]string{"FL", "FR", "RL", "RR"} {
				plan.Settings = append(plan.Settings, manoeuvre.Setting{Name: "tire_" + wheel + ".model", Value: tire},
					manoeuvre.Setting{Name: "tire_" + wheel + ".file", Value: file})
			}
		}
		_, result, err := w.run(r.model, r.manoeuvre, plan)
		if err != nil {
			return nil, err
		}
		x := result.Trace.Time
		if r.over != "" {
			x = result.Trace.Column(r.over)
		}
		c, y := report.Curve{Label: tire}, result.Trace.Column(r.variable)
		stride := len(x)/mostPoints + 1
		for k := 0; k < len(x); k += stride {
			if math.IsNaN(y[k]) {
				return nil, fmt.Errorf("%s: %s is not a number at %g s", r.name, r.variable, result.Trace.Time[k])
			}
			c.X, c.Y = append(c.X, x[k]), append(c.Y, y[k]/r.scale)
		}
		p.Curves = append(p.Curves, c)
	}
	return drawPlot(p)
}
