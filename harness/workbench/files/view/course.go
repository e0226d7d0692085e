package view

import (
	"fmt"
	"math"
	"slices"

	"skidpad/harness/workbench/results/display"
	"skidpad/harness/workbench/results/figures"
	"skidpad/harness/workbench/runs/drive"
	"skidpad/harness/workbench/runs/evaluate"
	"skidpad/harness/workbench/runs/live"
	"skidpad/harness/workbench/runs/manoeuvre"
)

// Of cones and lines.
const (
	coneSpacing = 5.0   // m, at most
	coneRadius  = 0.14  // m, of the foot
	mostPoints  = 400   // of a line
	mostDriven  = 150.0 // s whose rows are kept for characteristic values
)

// Course is the way of a manoeuvre: its lanes with cones, the line of its driver, and its characteristic values.
type Course struct {
	Manoeuvre *manoeuvre.Manoeuvre
	Chassis   string            // body that drives along
	Fixed     bool              // the axes are those of the chassis at the start, not where the driver begins to follow
	Lead      float64           // m, by which Ahead has moved the track; the line is moved by it, too
	Passage   *evaluate.Passage // nil for no characteristic values
	Turns     float64           // see drive.Result
	Ratio     float64

	pose    [3]int    // x, y, yaw in the outputs of rows
	taken   []int     // outputs of Passage
	row     []float64 // for Passage: the outputs of the last row, with its time and inputs
	at      float64
	inputs  []float64
	axes    [3]float64 // place [m] and yaw angle [rad] in ground
	placed  bool
	line    *manoeuvre.Path
	cones   [][2]float64 // in ground
	fallen  []float64    // time when they fell [s]; NaN for those that stand
	drivers [2]bool      // the manoeuvre, somebody
	done    bool         // the end has been reached
	over    *live.Event  // the manoeuvre is over, and its last row has not come
}

// Ahead is a manoeuvre whose track begins some metres further ahead.
func Ahead(m *manoeuvre.Manoeuvre, lead float64) *manoeuvre.Manoeuvre {
	other := *m
	other.Track = slices.Clone(m.Track)
	for i := range other.Track {
		other.Track[i].From += lead
		other.Track[i].To += lead
	}
	return &other
}

// connect finds the outputs of rows. Names not among the outputs are an error.
func (c *Course) connect(outputs []string) error {
	at := map[string]int{}
	for i, name := range outputs {
		at[name] = i
	}
	for i, quantity := range []string{".x", ".y", ".yaw"} {
		where, known := at[c.Chassis+quantity]
		if !known {
			return fmt.Errorf("the loop does not read %s", c.Chassis+quantity)
		}
		c.pose[i] = where
	}
	if c.Passage != nil {
		for _, name := range c.Passage.Outputs() {
			where, known := at[name]
			if !known {
				return fmt.Errorf("the loop does not read %s", name)
			}
			c.taken = append(c.taken, where)
		}
		c.row = make([]float64, len(c.taken))
	}
	for i := range c.Manoeuvre.Phases {
		if p := c.Manoeuvre.Phases[i].Path; p != nil && c.line == nil {
			c.line = p
		}
	}
	return nil
}

// outline is the outline of the body, for manoeuvres that have one.
func (c *Course) outline() *figures.Outline {
	if e := c.Manoeuvre.KeyFigures; e != nil {
		if o, is := e.Options.(*figures.LaneOptions); is {
			return &o.Outline
		}
	}
	return nil
}

// shownCourse is the message with a course.
type shownCourse struct {
	Title string       `json:"title"`
	Cones [][2]float64 `json:"cones"` // in ground
	Line  [][2]float64 `json:"line"`
}

// place places the course.
func (c *Course) place(x, y, yaw float64) shownCourse {
	sin, cos := math.Sincos(yaw)
	c.axes, c.placed = [3]float64{x, y, yaw}, true
	to := func(p [2]float64) [2]float64 {
		return [2]float64{c.axes[0] + cos*p[0] - sin*p[1], c.axes[1] + sin*p[0] + cos*p[1]}
	}
	shown := shownCourse{Title: c.Manoeuvre.Title, Cones: [][2]float64{}, Line: [][2]float64{}}
	c.cones, c.fallen = nil, nil
	for _, p := range figures.Cones(c.Manoeuvre.Track, coneSpacing, coneRadius) {
		c.cones, c.fallen = append(c.cones, to(p)), append(c.fallen, math.NaN())
	}
	shown.Cones = append(shown.Cones, c.cones...)
	if c.line != nil {
		n := len(c.line.X)
		for i := 0; i < n; i += max(1, n/mostPoints) {
			shown.Line = append(shown.Line, to([2]float64{c.Lead + c.line.X[i], c.line.Y[i]}))
		}
		shown.Line = append(shown.Line, to([2]float64{c.Lead + c.line.X[n-1], c.line.Y[n-1]}))
	}
	return shown
}

// lying are the cones that have fallen.
func (c *Course) lying() []int {
	list := []int{}
	for i, t := range c.fallen {
		if !math.IsNaN(t) {
			list = append(list, i)
		}
	}
	return list
}

// back lets cones stand again that fall after a time, to which the vehicle has returned. It reports whether there are
// some.
func (c *Course) back(time float64) (some bool) {
	for i, t := range c.fallen {
		if t >= time {
			c.fallen[i], some = math.NaN(), true
		}
	}
	c.done = false
	if time == 0 {
		c.drivers = [2]bool{}
	}
	return some
}

// pass takes a row. It reports whether cones have fallen, and whether the body has left the course.
func (c *Course) pass(r *live.Row) (touched, left bool) {
	x, y, yaw := r.Outputs[c.pose[0]], r.Outputs[c.pose[1]], r.Outputs[c.pose[2]]
	if r.Slice > 0 {
		c.drivers[map[bool]int{true: 0, false: 1}[r.Piloted]] = true
	}
	if c.Passage != nil && r.Time <= mostDriven {
		if r.Slice > 0 { // its inputs were set at the row before
			c.Passage.Row(c.at, c.row, r.Inputs)
		}
		for i, at := range c.taken {
			c.row[i] = r.Outputs[at]
		}
		c.at, c.inputs = r.Time, append(c.inputs[:0], r.Inputs...)
	}
	o := c.outline()
	if !c.placed || o == nil {
		return false, false
	}
	for i, cone := range c.cones {
		if math.IsNaN(c.fallen[i]) && math.Abs(cone[0]-x) < 20 && math.Abs(cone[1]-y) < 20 &&
			o.Touches(cone, coneRadius, x, y, yaw) {
			c.fallen[i], touched = r.Time, true
		}
	}
	if c.Fixed && !c.done && len(c.Manoeuvre.Track) > 0 {
		sin, cos := math.Sincos(c.axes[2])
		along := cos*(x-c.axes[0]) + sin*(y-c.axes[1])
		track := c.Manoeuvre.Track
		c.done = along-o.Rear > track[len(track)-1].To
		left = c.done
	}
	return touched, left
}

// shownFigures is the message with characteristic values.
type shownFigures struct {
	Title   string        `json:"title"`
	By      string        `json:"by"` // who drove
	Figures []shownFigure `json:"figures"`
}

type shownFigure struct {
	ID      string   `json:"id"`
	Text    string   `json:"text"`
	Unit    string   `json:"unit"`
	Value   *float64 `json:"value"` // nil where it is missing
	Missing string   `json:"missing,omitempty"`
}

// figures are the characteristic values of the drive, angles in degrees. Without a manoeuvre that drives, phases are
// nil.
func (c *Course) figures(phases []drive.PhaseInterval, time float64, verdict string) *shownFigures {
	if c.Passage == nil || time > mostDriven {
		return nil
	}
	if c.Fixed {
		phases = []drive.PhaseInterval{{Name: "track", Begin: 0, End: time}}
	}
	by := map[[2]bool]string{{true, false}: "the manoeuvre", {false, true}: "you", {true, true}: "the manoeuvre and you"}
	shown := &shownFigures{Title: c.Manoeuvre.Title, By: by[c.drivers]}
	c.Passage.Row(c.at, c.row, c.inputs)
	units := display.Degrees()
	for _, f := range c.Passage.Figures(phases, verdict, c.Turns, c.Ratio) {
		unit, factor := units.Of(f.Unit)
		one := shownFigure{ID: f.ID, Text: f.Definition, Unit: unit, Missing: f.Missing}
		if x := f.Value / factor; !math.IsNaN(x - x) {
			one.Value = &x
		}
		shown.Figures = append(shown.Figures, one)
	}
	if shown.Figures == nil {
		return nil
	}
	return shown
}
