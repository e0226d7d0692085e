package rig

import (
	"fmt"
	"math"
	"slices"

	"skidpad/harness/workbench/results/report"
)

// Plots are the diagrams of a tire, each with a name for its file.
func (m *Measured) Plots() map[string]*report.Plot {
	type of = func(State, Forces) float64
	alpha := func(s State, _ Forces) float64 { return s.Alpha / degree }
	kappa := func(s State, _ Forces) float64 { return s.Kappa }
	fx := func(_ State, f Forces) float64 { return f.Fx / 1e3 }
	fy := func(_ State, f Forces) float64 { return f.Fy / 1e3 }
	fz := func(_ State, f Forces) float64 { return f.Fz / 1e3 }
	mz := func(_ State, f Forces) float64 { return f.Mz }
	byLoad := func(force of) of { return func(s State, f Forces) float64 { return force(s, f) / fz(s, f) } }
	list := map[string]*report.Plot{}
	one := fmt.Sprintf(", load %.5g N", m.Plan.middle())
	for _, p := range []struct {
		file, title, x, y string
		sweep             string
		over, force       of
	}{
		{"fy_alpha", "Side force", "slip angle, deg", "Fy, kN", slipAngle, alpha, fy},
		{"mz_alpha", "Aligning moment", "slip angle, deg", "Mz, N m", slipAngle, alpha, mz},
		{"trail_alpha", "Pneumatic trail", "slip angle, deg", "-Mz/Fy, m", slipAngle, alpha, nil},
		{"fx_kappa", "Longitudinal force", "longitudinal slip", "Fx, kN", slip, kappa, fx},
		{"fy_alpha_gamma", "Side force at inclinations" + one, "slip angle, deg", "Fy, kN", camber, alpha, fy},
		{"mz_alpha_gamma", "Aligning moment at inclinations" + one, "slip angle, deg", "Mz, N m", camber, alpha, mz},
		{"fx_kappa_alpha", "Longitudinal force at slip angles" + one, "longitudinal slip", "Fx, kN", combined, kappa,
			fx},
		{"fy_kappa_alpha", "Side force at slip angles" + one, "longitudinal slip", "Fy, kN", combined, kappa, fy},
		{"fy_alpha_kappa", "Side force at longitudinal slips" + one, "slip angle, deg", "Fy, kN", combinedAngle, alpha,
			fy},
		{"fy_fx", "Grip at slip angles" + one, "Fx/Fz", "Fy/Fz", combined, byLoad(fx), byLoad(fy)},
		{"fy_fz", "Side force over load, at slip angles", "Fz, kN", "Fy, kN", loads, fz, fy},
		{"fy_turn", "Side force over turn slip" + one, "turn slip, 1/m", "Fy, kN", turnSlip,
			func(s State, _ Forces) float64 { return s.TurnSlip }, fy},
		{"mz_turn", "Moment over turn slip" + one, "turn slip, 1/m", "Mz, N m", turnSlip,
			func(s State, _ Forces) float64 { return s.TurnSlip }, mz},
		{"fy_alpha_compared", "Side force, compared" + one, "slip angle, deg", "Fy, kN", compared, alpha, fy},
		{"mz_alpha_compared", "Aligning moment, compared" + one, "slip angle, deg", "Mz, N m", compared, alpha, mz},
	} {
		f := &report.Plot{Title: p.title, X: report.Axis{Label: p.x}, Y: report.Axis{Label: p.y, Span: 1e-3}}
		for _, l := range m.of(p.sweep) {
			c := report.Curve{Label: l.Name}
			for i, s := range l.States {
				if p.force == nil { // where the side force is next to nothing there is no trail
					if f := l.Forces[i]; s.Alpha > 0 && -f.Fy > 0.05*f.Fz {
						c.X, c.Y = append(c.X, alpha(s, f)), append(c.Y, -f.Mz/f.Fy)
					}
					continue
				}
				c.X, c.Y = append(c.X, p.over(s, l.Forces[i])), append(c.Y, p.force(s, l.Forces[i]))
			}
			if len(c.X) > 1 {
				f.Curves = append(f.Curves, c)
			}
		}
		if vary(f.Curves) { // a function without turn slip does not depend on it
			list[p.file] = f
		}
	}
	list["carpet_fy"] = m.carpet("Side force", "Fy, kN", fy)
	list["carpet_mz"] = m.carpet("Aligning moment", "Mz, N m", mz)
	return list
}

// carpet draws a force over slip angle and load as a grid: the abscissa of each load is shifted in proportion to the
// load, and thin lines join equal slip angles.
func (m *Measured) carpet(title, label string, force func(State, Forces) float64) *report.Plot {
	const shift = 2.0 // deg/kN
	f := &report.Plot{Title: title + ", carpet", Note: "Thin lines: constant slip angle, 1 deg apart",
		X: report.Axis{Label: fmt.Sprintf("slip angle, deg, + %g Fz/kN", shift)},
		Y: report.Axis{Label: label, Span: 1e-3}}
	lines := m.of(slipAngle)
	abscissa := func(s State) float64 { return s.Alpha/degree + shift*s.Load/1e3 }
	for _, l := range lines {
		c := report.Curve{Label: l.Name}
		for i, s := range l.States {
			c.X, c.Y = append(c.X, abscissa(s)), append(c.Y, force(s, l.Forces[i]))
		}
		f.Curves = append(f.Curves, c)
	}
	for i, s := range lines[0].States {
		if deg := s.Alpha / degree; math.Abs(deg-math.Round(deg)) > 1e-6 || len(lines) < 2 {
			continue
		}
		var l report.Line
		for _, other := range lines {
			l.X, l.Y = append(l.X, abscissa(other.States[i])), append(l.Y, force(other.States[i], other.Forces[i]))
		}
		f.Lines = append(f.Lines, l)
	}
	return f
}

// vary reports whether curves are more than one level line.
func vary(curves []report.Curve) bool {
	return slices.ContainsFunc(curves, func(c report.Curve) bool {
		return slices.Min(c.Y) < curves[0].Y[0] || slices.Max(c.Y) > curves[0].Y[0]
	})
}

// order is the order of the plots in a report.
var order = []string{"fy_alpha", "carpet_fy", "mz_alpha", "carpet_mz", "trail_alpha", "fx_kappa", "fy_alpha_gamma",
	"mz_alpha_gamma", "fy_fx", "fx_kappa_alpha",
	"fy_kappa_alpha", "fy_alpha_kappa", "fy_fz", "fy_turn", "mz_turn", "fy_alpha_compared", "mz_alpha_compared"}

// gridOf are plots in their order.
func gridOf(plots map[string]*report.Plot) *report.Grid {
	grid := &report.Grid{}
	for _, name := range order {
		if f := plots[name]; f != nil {
			grid.Plots = append(grid.Plots, f)
		}
	}
	return grid
}

// sorted are the names of the plots that there are.
func sorted(plots map[string]*report.Plot) []string {
	return slices.DeleteFunc(slices.Clone(order), func(name string) bool { return plots[name] == nil })
}
