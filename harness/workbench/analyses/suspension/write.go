package suspension

import (
	"encoding/csv"
	"fmt"
	"io"
	"math"
	"path/filepath"
	"strconv"
	"strings"
	"text/tabwriter"

	"skidpad/harness/workbench/results/output"
	"skidpad/harness/workbench/results/report"
	"skidpad/model/kc"
	"skidpad/model/rig"
)

// texts are the words of figures for readers.
var texts = map[string]string{
	"toe_per_travel":           "toe-in over travel (bump steer)",
	"camber_per_travel":        "camber over travel",
	"x_per_travel":             "wheel centre forward over travel",
	"y_per_travel":             "wheel centre outward over travel",
	"wheel_rate":               "wheel rate",
	"ride_rate":                "ride rate, with the tire",
	"motion_ratio":             "motion ratio of the spring",
	"roll_centre_one_wheel":    "roll centre by the path of one wheel",
	"roll_stiffness":           "roll stiffness",
	"roll_steer":               "roll steer",
	"roll_camber":              "roll camber",
	"roll_centre":              "roll centre, kinematic",
	"roll_centre_by_force":     "roll centre by force",
	"support_brake":            "support under braking",
	"support_drive":            "support under driving",
	"anti_dive":                "anti-dive",
	"anti_lift":                "anti-lift",
	"anti_squat":               "anti-squat",
	"castor":                   "castor",
	"inclination":              "kingpin inclination",
	"trail":                    "castor trail",
	"scrub":                    "scrub radius",
	"hub_trail":                "castor trail at the hub",
	"hub_offset":               "kingpin offset at the hub",
	"steer_per_rack":           "steer angle per rack or steering wheel",
	"ackermann":                "Ackermann at the end, turn to this side",
	"turning_circle":           "turning circle at the end, turn to this side",
	"rack_load_per_aligning":   "load on the rack per aligning moment of each wheel",
	"hand_torque_per_aligning": "torque on the steering wheel per aligning moment of each wheel",
	"c_factor":                 "travel of the rack per turn of the steering wheel (C-factor)",
	"overall_ratio":            "overall steering ratio",
}

// loads are the words of tests under loads, and values those of what follows them.
var (
	loads = map[string]string{
		"lateral_parallel": "by lateral force", "lateral_opposed": "by opposed lateral forces",
		"aligning_parallel": "by aligning moment", "aligning_opposed": "by opposed aligning moments",
		"braking": "by force at the contact", "driving": "by force at the wheel centre",
	}
	values = map[string]string{"toe": "toe-in", "camber": "camber", "contact_y": "contact outward",
		"x": "wheel centre forward"}
)

// Text is a figure in words.
func Text(key string) string {
	if text := texts[key]; text != "" {
		return text
	}
	for test, words := range loads {
		if value, is := strings.CutPrefix(key, test+"_"); is {
			return values[value] + " " + words
		}
	}
	return strings.Replace(key, "motion_ratio", "motion ratio", 1)
}

// shown are the units of engineers, with their values in SI units.
var shown = map[string]struct {
	unit string
	si   float64
}{
	"rad": {"deg", degree}, "rad/m": {"deg/m", degree}, "m": {"mm", 1e-3}, "N/m": {"N/mm", 1e3},
	"N.m/rad": {"N.m/deg", 1 / degree}, "rad/N": {"deg/kN", degree / 1e3}, "m/N": {"mm/kN", 1e-6},
	"m/rad":   {"mm/rev", 1e-3 / (2 * math.Pi)},
	"rad/N.m": {"deg/(100 N.m)", degree / 100}, "m/N.m": {"mm/(100 N.m)", 1e-5}, "N": {"N", 1}, "N.m": {"N.m", 1},
}

const degree = math.Pi / 180

// Shown is the unit of engineers for a figure, and its value in SI units.
func Shown(f *rig.Figure) (unit string, si float64) {
	switch {
	case strings.HasPrefix(f.Key, "anti_"), f.Key == "ackermann":
		return "%", 0.01
	case f.Key == "turning_circle":
		return "m", 1
	}
	if s, is := shown[f.Unit]; is {
		return s.unit, s.si
	}
	return f.Unit, 1
}

// Print writes the figures in units of engineers.
func (r *Result) Print(to io.Writer) error {
	w := tabwriter.NewWriter(to, 0, 0, 2, ' ', 0)
	fmt.Fprintf(w, "%s, axle %d\t%s\n", r.Model, r.Axle, strings.ToLower(strings.Join(r.heads(), "\t")))
	for i := range r.Figures {
		fmt.Fprintln(w, strings.Join(r.row(&r.Figures[i]), "\t"))
	}
	return w.Flush()
}

// heads are the names of the columns after the names of figures.
func (r *Result) heads() []string {
	if len(r.Targets) == 0 {
		return []string{"Left", "Right", "Unit"}
	}
	return []string{"Left", "Right", "Target", "Met", "Unit"}
}

// row is a figure in units of engineers, beside its target.
func (r *Result) row(f *rig.Figure) []string {
	unit, si := Shown(f)
	row := []string{Text(f.Key), Number(f.Left.V / si), Number(f.Right.V / si)}
	switch {
	case f.Missing != "":
		row[1], row[2], unit = "-", "-", f.Missing
	case f.Axle:
		row[2] = ""
	}
	if t := r.target(f); t != nil {
		row = append(row, t.text(f), report.PassOrFail(t.met(f)))
	} else if len(r.Targets) > 0 {
		row = append(row, "", "")
	}
	return append(row, unit)
}

// Number has five digits; rounding errors about 0 are 0.
func Number(x float64) string {
	if math.Abs(x) < 1e-9 {
		return "0"
	}
	return strconv.FormatFloat(x, 'g', 5, 64)
}

// WriteJSON writes the figures in SI units.
func (r *Result) WriteJSON(to io.Writer) error {
	type target struct {
		Value     float64 `json:"value"`
		Tolerance float64 `json:"tolerance"`
		Met       bool    `json:"met"`
	}
	type figure struct {
		Key     string   `json:"key"`
		Text    string   `json:"text"`
		Unit    string   `json:"unit,omitempty"`
		Left    *float64 `json:"left,omitempty"`
		Right   *float64 `json:"right,omitempty"`
		Value   *float64 `json:"value,omitempty"`
		Missing string   `json:"missing,omitempty"`
		Target  *target  `json:"target,omitempty"`
	}
	all := struct {
		Model   string      `json:"model"`
		Axle    int         `json:"axle"`
		Tires   [2]string   `json:"tires"`
		Rack    string      `json:"rack,omitempty"`
		Figures []figure    `json:"figures"`
		Matrix  *rig.Matrix `json:"compliance_matrix"`
	}{r.Model, r.Axle, r.Tires, r.Rack, nil, r.Matrix}
	for i := range r.Figures {
		f := &r.Figures[i]
		of := figure{Key: f.Key, Text: Text(f.Key), Unit: f.Unit, Missing: f.Missing}
		switch {
		case f.Missing != "":
		case f.Axle:
			of.Value = output.Number(f.Left.V)
		default:
			of.Left, of.Right = output.Number(f.Left.V), output.Number(f.Right.V)
		}
		if t := r.target(f); t != nil {
			of.Target = &target{t.Value, t.Tolerance, t.met(f)}
		}
		all.Figures = append(all.Figures, of)
	}
	return output.WriteJSON(to, all)
}

// column is a column of a wheel in kc.csv.
type column struct {
	key, unit string
	of        func(s *rig.State, side int) float64
}

// head is the name of the column.
func (c *column) head(side int) string {
	return fmt.Sprintf("%s_%s [%s]", c.key, rig.Sides[side], c.unit)
}

// columns are the columns of a wheel in kc.csv.
var columns = []column{
	{"travel", "m", func(s *rig.State, side int) float64 { return s.Travel[side] }},
	{"toe", "rad", wheel((*kc.Wheel).Toe)},
	{"camber", "rad", wheel((*kc.Wheel).Camber)},
	{"camber_front_view", "rad", wheel((*kc.Wheel).CamberFrontView)},
	{"x", "m", wheel(func(w *kc.Wheel) kc.Number { return w.Centre[0] })},
	{"y", "m", wheel(func(w *kc.Wheel) kc.Number { return w.Centre[1] })},
	{"contact_x", "m", wheel(func(w *kc.Wheel) kc.Number { return w.Contact()[0] })},
	{"contact_y", "m", wheel(func(w *kc.Wheel) kc.Number { return w.Contact()[1] })},
	{"Fz", "N", func(s *rig.State, side int) float64 { return s.Pads[side].V }},
}

func wheel(of func(w *kc.Wheel) kc.Number) func(s *rig.State, side int) float64 {
	return func(s *rig.State, side int) float64 { return of(&s.Wheels[side]).V }
}

// WriteCSV writes the curves in SI units: a row for each state, with y outward.
func (r *Result) WriteCSV(to io.Writer) error {
	w := csv.NewWriter(to)
	head := []string{"test", "over", "at [SI]"}
	for side := range rig.Sides {
		for _, c := range columns {
			head = append(head, c.head(side))
		}
	}
	w.Write(append(head, "rack [SI]", "rack_force [SI]"))
	text := func(x float64) string {
		if math.IsNaN(x) {
			return ""
		}
		return strconv.FormatFloat(x, 'g', -1, 64)
	}
	for _, c := range r.Curves {
		for i, s := range c.States {
			row := []string{c.Test, fmt.Sprintf("%s [%s]", c.Over, c.Unit), text(c.At[i])}
			for side := range rig.Sides {
				for _, column := range columns {
					row = append(row, text(column.of(s, side)))
				}
			}
			w.Write(append(row, text(s.Rack), text(s.RackForce.V)))
		}
	}
	w.Flush()
	return w.Error()
}

// WriteFolder writes figures.json, kc.csv, points.csv and report.html. It also writes sensitivities.csv, shares.csv and
// forces.csv if they are wanted.
func (r *Result) WriteFolder(folder string) error {
	if err := output.WriteFile(filepath.Join(folder, "figures.json"), r.WriteJSON); err != nil {
		return err
	}
	if err := output.WriteFile(filepath.Join(folder, kcTable), r.WriteCSV); err != nil {
		return err
	}
	if r.Drawing != nil {
		if err := output.WriteFile(filepath.Join(folder, "points.csv"), r.WritePoints); err != nil {
			return err
		}
	}
	if len(r.Sensitivities) > 0 {
		if err := output.WriteFile(filepath.Join(folder, "sensitivities.csv"), r.WriteSensitivities); err != nil {
			return err
		}
	}
	if r.Shares != nil {
		if err := output.WriteFile(filepath.Join(folder, "shares.csv"), r.WriteShares); err != nil {
			return err
		}
	}
	if len(r.Forced) > 0 {
		if err := output.WriteFile(filepath.Join(folder, "forces.csv"), r.WriteForces); err != nil {
			return err
		}
	}
	return output.WriteFile(filepath.Join(folder, "report.html"), r.WriteReport)
}
