// Package laps makes results of laps for users: sectors, tables over the distance, reports, and laps over each other.
package laps

import (
	"fmt"
	"io"
	"math"
	"sort"
	"time"

	"skidpad/harness/workbench/results/output"
	"skidpad/harness/workbench/results/trace"
	"skidpad/harness/workbench/runs/course"
	"skidpad/harness/workbench/runs/drivenlap"
	"skidpad/harness/workbench/runs/envelope"
	"skidpad/harness/workbench/runs/lap"
)

// Track is a course as a track of laps. Distances of a course are those of the plan: on a slope the road is longer, and
// its curvature by the distance is smaller.
func Track(c *course.Course) *lap.Track {
	t := &lap.Track{Name: c.Name, Closed: c.Closed, Bank: c.Bank, Slope: c.Slope}
	s := 0.0
	for i := range c.S {
		if i > 0 {
			s += (c.S[i] - c.S[i-1]) / 2 * (1/math.Cos(c.Slope[i-1]) + 1/math.Cos(c.Slope[i]))
		}
		cosine := math.Cos(c.Slope[i])
		t.S, t.Curvature = append(t.S, s), append(t.Curvature, c.Curvature[i]*cosine*cosine)
	}
	return t
}

// Result is the lap of a vehicle, as lap.json has it. Numbers are in SI units.
type Result struct {
	Vehicle  string             `json:"vehicle"`
	Settings []string           `json:"settings"` // NAME=VALUE
	Track    string             `json:"track"`
	Line     Line               `json:"line"`
	Closed   bool               `json:"closed"`
	Length   float64            `json:"length"`
	Time     float64            `json:"time"`
	Least    float64            `json:"least_speed"`
	Largest  float64            `json:"largest_speed"`
	Sectors  []Sector           `json:"sectors"`
	Energy   Energy             `json:"energy"`
	Envelope *envelope.Envelope `json:"envelope"`
	Version  string             `json:"version"`
	// Driven is the lap of the driver in the full model, on a level road; nil where none was driven.
	Driven *drivenlap.Lap `json:"driven,omitempty"`

	Table Table `json:"-"`
}

// Line is a line along a track. A body of a width keeps a margin from the borders on the line of least curvature [m].
type Line struct {
	Name      string  `json:"name"` // course.Centre or course.Race
	BodyWidth float64 `json:"body_width,omitempty"`
	Margin    float64 `json:"margin,omitempty"`
	Smoothing float64 `json:"smoothing"` // as in course.Options [m]
	Moved     float64 `json:"moved"`     // largest displacement of a point of the file by smoothing [m]
	MovedAt   string  `json:"moved_at"`  // place of that point in the file
}

// Of is the line on a track: its reference line, or the line of least curvature of a body. It sets the smoothing.
func (l Line) Of(c *course.Course) (*course.Course, Line, error) {
	l.Smoothing, l.Moved, l.MovedAt = c.Smoothing, c.Moved, c.MovedAt
	if l.Name == course.Centre {
		return c, l, nil
	}
	race, err := c.LeastCurvature(l.BodyWidth, l.Margin)
	return race, l, err
}

// String describes the line.
func (l Line) String() string {
	if l.Name == course.Centre {
		return "reference line of the file"
	}
	return fmt.Sprintf("line of least curvature, for a body of %.4g m that keeps %.4g m from the borders", l.BodyWidth,
		l.Margin)
}

// smoothed describes how far smoothing has moved the reference line.
func (l Line) smoothed() string {
	return fmt.Sprintf("smoothing over %.4g m moves points of the file by up to %.2g m, at %s", l.Smoothing, l.Moved,
		l.MovedAt)
}

// Sector is a part of a lap.
type Sector struct {
	From    float64 `json:"from"` // m
	To      float64 `json:"to"`
	Time    float64 `json:"time"` // s
	Least   float64 `json:"least_speed"`
	Largest float64 `json:"largest_speed"`
}

// Energy is the energy balance of a lap [J]: drive - brake - drag = kinetic + potential.
type Energy struct {
	Drive     float64 `json:"drive"`
	Brake     float64 `json:"brake"`
	Drag      float64 `json:"drag"`
	Kinetic   float64 `json:"kinetic"`
	Potential float64 `json:"potential"`
}

// Table is a lap over the distance: a column for each of Columns.
type Table struct{ Values [len(Columns)][]float64 }

// Columns are the columns of a lap over the distance. Units are SI units; accelerations are those of the motion.
var Columns = [...]string{"distance", "time", "speed", "cornering_speed", "longitudinal_acceleration",
	"lateral_acceleration", "tire_acceleration", "curvature", "x", "y"}

// The columns by their indices.
const (
	distance = iota
	elapsed
	speed
	cornering
	longitudinal
	lateral
	tires
	curvature
	placeX
	placeY
)

// CheckMarks refuses distances that do not part a length [m] into sectors: they rise.
func CheckMarks(marks []float64, length float64) error {
	from := 0.0
	for _, to := range marks {
		if !(to > from && to < length) {
			return fmt.Errorf("a sector ends at %.6g m; it must end beyond %.6g m, where it begins, and before the end of the "+
				"track at %.6g m", to, from, length)
		}
		from = to
	}
	return nil
}

// Of makes the result of a lap on a course. Marks are the distances at which a sector ends and the next one begins [m];
// without any there are three sectors of one length.
func Of(e *envelope.Envelope, c *course.Course, l *lap.Lap, marks []float64) (*Result, error) {
	last := len(l.Points) - 1
	r := &Result{Vehicle: e.Vehicle, Track: c.Name, Closed: c.Closed, Length: l.Points[last].S, Time: l.Time(),
		Envelope: e}
	for i, p := range l.Points {
		row := [len(Columns)]float64{p.S, p.Time, p.Speed, p.Limit, p.Longitudinal, p.Lateral, p.Tires, p.Curvature, c.X[i],
			c.Y[i]}
		for k, x := range row {
			r.Table.Values[k] = append(r.Table.Values[k], x)
		}
	}
	m := e.Mass
	r.Energy = Energy{m * l.Energy.Drive, m * l.Energy.Brake, m * l.Energy.Drag, m * l.Energy.Kinetic,
		m * l.Energy.Potential}
	if len(marks) == 0 {
		marks = []float64{r.Length / 3, 2 * r.Length / 3}
	}
	if err := CheckMarks(marks, r.Length); err != nil {
		return nil, err
	}
	from := 0.0
	for _, to := range append(append([]float64{}, marks...), r.Length) {
		r.Sectors = append(r.Sectors, r.sector(from, to))
		from = to
	}
	all := r.sector(0, r.Length)
	r.Least, r.Largest = all.Least, all.Largest
	return r, nil
}

// sector is the part of the lap between two distances.
func (r *Result) sector(from, to float64) Sector {
	t := &r.Table
	s := Sector{From: from, To: to, Time: t.timeAt(to) - t.timeAt(from), Least: math.Inf(1)}
	for i, x := range t.Values[distance] {
		if v := t.Values[speed][i]; x >= from && x <= to {
			s.Least, s.Largest = min(s.Least, v), max(s.Largest, v)
		}
	}
	return s
}

// timeAt is the time at a distance, on even accelerations between points.
func (t *Table) timeAt(s float64) float64 {
	x, v := t.Values[distance], t.Values[speed]
	i := min(max(sort.SearchFloat64s(x, s), 1), len(x)-1)
	h, way := x[i]-x[i-1], s-x[i-1]
	there := math.Sqrt(max(0, v[i-1]*v[i-1]+(v[i]*v[i]-v[i-1]*v[i-1])*way/h))
	if way <= 0 {
		return t.Values[elapsed][i-1]
	}
	return t.Values[elapsed][i-1] + 2*way/(v[i-1]+there)
}

// Lead is how much later another lap comes to each distance of this one [s].
func (r *Result) Lead(other *Result) []float64 {
	list := make([]float64, len(r.Table.Values[distance]))
	for i, s := range r.Table.Values[distance] {
		list[i] = other.Table.timeAt(s) - r.Table.Values[elapsed][i]
	}
	return list
}

// rows is the table as rows.
func (t *Table) rows() *trace.Table {
	out := &trace.Table{Columns: Columns[:]}
	for i := range t.Values[0] {
		row := make([]float64, len(Columns))
		for k := range row {
			row[k] = t.Values[k][i]
		}
		out.Rows = append(out.Rows, row)
	}
	return out
}

// The files of a folder with a lap.
const (
	factsFile   = "lap.json"
	tableFile   = "lap.csv"
	parquetFile = "lap.parquet"
	reportFile  = "report.html"
	drivenFile  = "driven.csv"
)

// FileNames are the files that Files writes.
var FileNames = []string{factsFile, tableFile, parquetFile, reportFile, drivenFile}

// Files are the files of a folder with a lap.
func (r *Result) Files() []output.File {
	table := r.Table.rows()
	list := []output.File{
		{Name: factsFile, Write: func(to io.Writer) error { return output.WriteJSON(to, r) }},
		{Name: tableFile, Write: table.WriteCSV},
		{Name: parquetFile, Write: table.WriteParquet},
		{Name: reportFile, Write: r.Page().Write},
	}
	if r.Driven != nil {
		d := &r.Driven.Table
		driven := &trace.Table{Columns: []string{"distance", "time", "speed", "wanted_speed", "offset"}}
		for i := range d.Time {
			driven.Rows = append(driven.Rows, []float64{d.Distance[i], d.Time[i], d.Speed[i], d.Wanted[i], d.Offset[i]})
		}
		list = append(list, output.File{Name: drivenFile, Write: driven.WriteCSV})
	}
	return list
}

// drivenWords describe the driven lap.
func (r *Result) drivenWords() string {
	d := r.Driven
	gear := ""
	borders := "distance from the borders unknown: give the width of the body by --body-width or the role outline"
	if d.Gear != nil {
		gear = fmt.Sprintf("in gear %g for the whole lap, like the quasi-steady one; ", *d.Gear)
	}
	switch b := d.Borders; {
	case b == nil:
	case b.Room < 0:
		borders = fmt.Sprintf("a body of %.4g m leaves the track at s = %.0f m by %.2f m", b.BodyWidth, b.At, -b.Room)
	default:
		borders = fmt.Sprintf("a body of %.4g m keeps %.2f m from the borders, at s = %.0f m", b.BodyWidth, b.Room, b.At)
	}
	return fmt.Sprintf("%s%.1f %% more than the quasi-steady lap on a level road (%.3f s); at most %.2f m beside the "+
		"line, at %.0f m; %s; reserves: %.3f of the lateral limit, %.3f of the deceleration; runs: %d", gear,
		100*(d.Time/d.Quasi-1), d.Quasi, d.Off, d.OffAt, borders, d.Bend, d.Brake, d.Runs)
}

// Clock is a lap time as minutes and seconds.
func Clock(seconds float64) string {
	d := time.Duration(math.Round(seconds*1000)) * time.Millisecond
	minutes := int(d / time.Minute)
	return fmt.Sprintf("%d:%06.3f", minutes, (d - time.Duration(minutes)*time.Minute).Seconds())
}

const kmh = 3.6

// Write prints the lap.
func (r *Result) Write(to io.Writer) error {
	_, err := fmt.Fprintf(to, "%s, %s, %.1f m: quasi-steady lap\n\nlap time  %s (%.3f s)\n%s\n%s\n\n"+
		"%-8s %9s %9s %9s %9s %9s\n%-8s %9s %9s %9s %9s %9s\n", r.Vehicle, r.Track, r.Length, Clock(r.Time), r.Time,
		r.Line, r.Line.smoothed(), "sector", "from", "to", "time", "least", "largest", "", "[m]", "[m]", "[s]", "[km/h]",
		"[km/h]")
	if err != nil {
		return err
	}
	for i, s := range r.Sectors {
		if _, err := fmt.Fprintf(to, "%-8d %9.1f %9.1f %9.3f %9.1f %9.1f\n", i+1, s.From, s.To, s.Time, kmh*s.Least,
			kmh*s.Largest); err != nil {
			return err
		}
	}
	e := r.Envelope
	_, err = fmt.Fprintf(to, "\n%-24s %s\n", "largest accelerations", "lateral, braking, driving [m/s2]")
	for _, v := range []float64{e.TopSpeed / 4, e.TopSpeed / 2, 3 * e.TopSpeed / 4} {
		if err == nil {
			y, brake, drive := e.Largest(v)
			_, err = fmt.Fprintf(to, "  at %5.1f km/h            %7.2f %7.2f %7.2f\n", kmh*v, y, brake, drive)
		}
	}
	if err == nil && r.Driven != nil {
		_, err = fmt.Fprintf(to, "\ndriven lap  %s (%.3f s)\n%s\n", Clock(r.Driven.Time), r.Driven.Time, r.drivenWords())
	}
	return err
}
