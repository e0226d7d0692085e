package laps

import (
	"fmt"
	"math"

	"skidpad/harness/workbench/results/report"
)

// scaled is a list times a factor.
func scaled(list []float64, factor float64) []float64 {
	out := make([]float64, len(list))
	for i, x := range list {
		out[i] = factor * x
	}
	return out
}

const distanceLabel = "distance [m]"

// Page is the report of a lap.
func (r *Result) Page() *report.Page {
	v := r.Table.Values
	over := report.Axis{Label: distanceLabel}
	page := &report.Page{Title: r.Vehicle + " on " + r.Track, Subtitle: "Quasi-steady lap",
		Answer: &report.Answer{Rows: []report.AnswerRow{
			{Name: "Lap time", Value: Clock(r.Time), Unit: "min", Words: fmt.Sprintf("%.3f s over %.1f m", r.Time, r.Length)},
			{Name: "Speed", Value: fmt.Sprintf("%.1f to %.1f", kmh*r.Least, kmh*r.Largest), Unit: "km/h"}}},
		Facts: []report.Fact{{Name: "Vehicle", Value: r.Vehicle}, {Name: "Track", Value: r.Track},
			{Name: "Line", Value: r.Line.String()}, {Name: "Smoothing", Value: r.Line.smoothed()},
			{Name: "Version", Value: r.Version}}}
	if d := r.Driven; d != nil {
		page.Answer.Rows = append(page.Answer.Rows, report.AnswerRow{Name: "Driven lap", Value: Clock(d.Time), Unit: "min",
			Words: r.drivenWords()})
	}
	for _, s := range r.Settings {
		page.Facts = append(page.Facts, report.Fact{Name: "Setting", Value: s})
	}
	plots := []*report.Plot{
		{Title: "Speed", X: over, Y: report.Axis{Label: "speed [km/h]"}, Curves: []report.Curve{
			{Label: "speed", X: v[distance], Y: scaled(v[speed], kmh)},
			{Label: "limit of cornering", X: v[distance], Y: scaled(bounded(v[cornering], r.Envelope.TopSpeed), kmh)}}},
		{Title: "Accelerations", X: over, Y: report.Axis{Label: "acceleration [m/s2]"}, Curves: []report.Curve{
			{Label: "longitudinal", X: v[distance], Y: v[longitudinal]},
			{Label: "lateral", X: v[distance], Y: v[lateral]}}},
		{Title: "g-g diagram", Note: "Of the lap, and the largest accelerations on a level road at three speeds.",
			X: report.Axis{Label: "lateral acceleration [m/s2]"}, Y: report.Axis{Label: "longitudinal acceleration [m/s2]"},
			EqualScales: true, Curves: []report.Curve{{Label: "lap", X: v[lateral], Y: v[longitudinal]}}},
		r.trackMap(),
	}
	if d := r.Driven; d != nil {
		plots[0].Curves = append(plots[0].Curves, report.Curve{Label: "driven", X: d.Table.Distance,
			Y: scaled(d.Table.Speed, kmh)})
	}
	for _, share := range []float64{0.25, 0.5, 0.75} {
		at := share * r.Envelope.TopSpeed
		x, y := r.Envelope.Boundary(at)
		plots[2].Curves = append(plots[2].Curves, report.Curve{Label: fmt.Sprintf("limit at %.0f km/h", kmh*at), X: x, Y: y})
	}
	page.Sections = []report.Section{
		{Title: "Sectors", Blocks: []report.Block{sectorTable([]*Result{r}, []string{""})}},
		{Title: "Over the distance", Blocks: []report.Block{&report.Grid{Plots: plots}}},
		{Title: "Vehicle", Text: "The largest accelerations, measured by short runs of the vehicle.",
			Blocks: []report.Block{r.vehicleTable(), r.energyTable()}},
	}
	return page
}

// bounded is a list with a largest number.
func bounded(list []float64, most float64) []float64 {
	out := make([]float64, len(list))
	for i, x := range list {
		out[i] = min(x, most)
	}
	return out
}

// trackMap is the line in the plan, a curve for each sector.
func (r *Result) trackMap() *report.Plot {
	p := &report.Plot{Title: "Track", Note: "Dots show where sectors begin.", X: report.Axis{Label: "x [m]"},
		Y: report.Axis{Label: "y [m]"}, EqualScales: true}
	v := r.Table.Values
	for k, s := range r.Sectors {
		c := report.Curve{Label: fmt.Sprintf("sector %d", k+1)}
		for i, x := range v[distance] {
			if x >= s.From && x <= s.To {
				c.X, c.Y = append(c.X, v[placeX][i]), append(c.Y, v[placeY][i])
			}
		}
		if len(c.X) > 0 {
			p.Curves = append(p.Curves, c)
			p.Dots = append(p.Dots, [2]float64{c.X[0], c.Y[0]})
		}
	}
	return p
}

// sectorTable is a row for each sector and the whole lap, with the times of all laps and, from the second on, how much
// later they are than the first.
func sectorTable(list []*Result, names []string) *report.Table {
	t := &report.Table{Columns: []report.Column{{Name: "Sector"}, {Name: "From [m]", Kind: report.Number},
		{Name: "To [m]", Kind: report.Number}}}
	for i, name := range names {
		if name != "" {
			name += ": "
		}
		t.Columns = append(t.Columns, report.Column{Name: name + "time [s]", Kind: report.Number},
			report.Column{Name: name + "speed [km/h]", Kind: report.Number})
		if i > 0 {
			t.Columns = append(t.Columns, report.Column{Name: name + "later by [s]", Kind: report.Number})
		}
	}
	first := list[0]
	row := func(name string, of Sector) {
		cells := []string{name, fmt.Sprintf("%.1f", of.From), fmt.Sprintf("%.1f", of.To)}
		for i, r := range list {
			s := r.sector(of.From, min(of.To, r.Length))
			cells = append(cells, fmt.Sprintf("%.3f", s.Time), fmt.Sprintf("%.1f to %.1f", kmh*s.Least, kmh*s.Largest))
			if i > 0 {
				cells = append(cells, fmt.Sprintf("%+.3f", s.Time-of.Time))
			}
		}
		t.Rows = append(t.Rows, cells)
	}
	for i, s := range first.Sectors {
		row(fmt.Sprint(i+1), s)
	}
	row("lap", first.sector(0, first.Length))
	return t
}

// vehicleTable has the largest accelerations of the vehicle.
func (r *Result) vehicleTable() *report.Table {
	e := r.Envelope
	t := &report.Table{Title: "Largest accelerations on a level road", Columns: []report.Column{
		{Name: "Speed [km/h]", Kind: report.Number}, {Name: "lateral [m/s2]", Kind: report.Number},
		{Name: "braking [m/s2]", Kind: report.Number}, {Name: "driving [m/s2]", Kind: report.Number}},
		Note: fmt.Sprintf("Mass %.5g kg; drag %.4g N, downforce %.4g N by (m/s)2; top speed %.1f km/h; exponent of the "+
			"combination of lateral and longitudinal acceleration %.3g.", e.Mass, e.AirDrag*e.Mass, e.Down*e.Mass,
			kmh*e.TopSpeed, e.Exponent)}
	const rows = 8
	for i := 1; i <= rows; i++ {
		v := e.TopSpeed * float64(i) / rows
		lateral, brake, drive := e.Largest(v)
		t.Rows = append(t.Rows, []string{fmt.Sprintf("%.1f", kmh*v), fmt.Sprintf("%.2f", lateral),
			fmt.Sprintf("%.2f", brake), fmt.Sprintf("%.2f", drive)})
	}
	return t
}

// energyTable is the energy balance.
func (r *Result) energyTable() *report.Table {
	e := r.Energy
	t := &report.Table{Title: "Energy", Columns: []report.Column{{Name: "What"}, {Name: "[kJ]", Kind: report.Number}}}
	for _, row := range []struct {
		name string
		of   float64
	}{{"work of driving tires", e.Drive}, {"work against braking tires", e.Brake}, {"work against the air", e.Drag},
		{"gain of kinetic energy", e.Kinetic}, {"gain of potential energy", e.Potential}} {
		kilojoules := math.Round(row.of/100)/10 + 0 // no negative zero
		t.Rows = append(t.Rows, []string{row.name, fmt.Sprintf("%.1f", kilojoules)})
	}
	return t
}
