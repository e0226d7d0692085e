package suspension

import (
	"skidpad/harness/workbench/results/report"
	"skidpad/model/rig"
)

// curve is a test of a set-up, as drawn.
type curve struct {
	name       string // of the set-up, "" for the only one
	test, unit string
	at         []float64
	values     map[string][2][]float64 // by key of columns and side
}

// curveOf is a measured curve.
func curveOf(c *rig.Curve) curve {
	drawn := curve{test: c.Test, unit: c.Unit, at: c.At, values: map[string][2][]float64{}}
	for _, column := range columns {
		var sides [2][]float64
		for side := range rig.Sides {
			for _, s := range c.States {
				sides[side] = append(sides[side], column.of(s, side))
			}
		}
		drawn.values[column.key] = sides
	}
	return drawn
}

// section is a part of a report with the plots of a test.
type section struct {
	report.Section
	test string
}

// sections are the parts of a report in the order of pages. Curves of one test lie over each other.
func sections(curves []curve) (list []section) {
	for _, p := range pages {
		var same []curve
		for _, c := range curves {
			if c.test == p.test && (len(same) == 0 || c.unit == same[0].unit) {
				same = append(same, c)
			}
		}
		if len(same) == 0 {
			continue
		}
		if p.over == "" {
			p.over, p.si = "rack, mm", 1e-3
			if same[0].unit == "rad" {
				p.over, p.si = "steering wheel, deg", degree
			}
		}
		list = append(list, section{report.Section{Title: p.title,
			Blocks: []report.Block{grid(same, p.over, p.si, p.plots)}}, p.test})
	}
	return list
}

// grid are the plots of curves of one test, of both wheels.
func grid(curves []curve, over string, si float64, plots []quantity) *report.Grid {
	g := &report.Grid{}
	scaled := func(list []float64, by float64) []float64 {
		out := make([]float64, len(list))
		for i, x := range list {
			out[i] = x / by
		}
		return out
	}
	for _, q := range plots {
		p := &report.Plot{Title: q.title, X: report.Axis{Label: over}, Y: report.Axis{Label: q.label, Span: 1e-3}}
		for _, c := range curves {
			for side, label := range rig.Sides {
				if c.name != "" {
					label = c.name + ", " + label
				}
				p.Curves = append(p.Curves, report.Curve{Label: label, X: scaled(c.at, si),
					Y: scaled(c.values[q.column][side], q.si)})
			}
		}
		g.Plots = append(g.Plots, p)
	}
	return g
}
