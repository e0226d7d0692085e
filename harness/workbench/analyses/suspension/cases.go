package suspension

import (
	"encoding/csv"
	"fmt"
	"io"
	"math"
	"strconv"
	"text/tabwriter"

	"skidpad/harness/workbench/runs/constants"
	"skidpad/model/bounded"
	"skidpad/model/document"
	"skidpad/model/keys"
	"skidpad/model/rig"
)

// Case is a load case at the wheels.
type Case struct {
	Name string
	rig.Given
}

// Forced is a load case with its state and the loads of the joints.
type Forced struct {
	Case
	State  *rig.State
	Forces []rig.JointForce
}

var wheelKeys = []keys.Key{
	{Name: "contact", Shape: keys.VectorShape, Unit: "N", Default: "0",
		Text: "force at the contact, in axes of the chassis: forward, to the left, upward in addition to the pad"},
	{Name: "centre", Shape: keys.VectorShape, Unit: "N", Default: "0", Text: "force at the wheel centre"},
	{Name: "moment", Shape: keys.VectorShape, Unit: "N.m", Default: "0", Text: "moment on the wheel"},
	{Name: "pad", Unit: "N", Optional: true,
		Text: "force of the pad, upward at the contact; of both wheels or of none: without it the travel is given"},
	{Name: "travel", Unit: "m", Default: "0", Text: "height of the wheel centre above the design position"},
}

// FileKeys are the keys of files of load cases.
var FileKeys = []keys.Key{
	{Name: "case", Shape: keys.TablesShape, Text: "load cases", Keys: []keys.Key{
		{Name: "name", Shape: keys.TextShape, Text: "name of the case"},
		{Name: "left", Shape: keys.TableShape, Optional: true, Text: "left wheel", Keys: wheelKeys},
		{Name: "right", Shape: keys.TableShape, Optional: true, Text: "right wheel", Keys: wheelKeys},
		{Name: "rack", Unit: keys.AnyUnit, Default: "0", Text: "displacement of the rack, or angle of the steering wheel"},
	}},
}

// ReadCases reads a file of load cases.
func ReadCases(path string) ([]Case, error) {
	data, err := bounded.Study.Read(path)
	if err != nil {
		return nil, err
	}
	return ParseCases(path, data)
}

// ParseCases is ReadCases for the bytes of a file.
func ParseCases(file string, data []byte) (list []Case, err error) {
	root, err := document.Parse(data, file)
	if err != nil {
		return nil, err
	}
	r := constants.NewReader(file, root)
	f := r.Fields(root, "the file", FileKeys)
	for _, t := range f.NonEmptyList("case") {
		c := Case{Name: t.Text("name")}
		c.Rack = t.Number("rack")
		var pads [2]bool
		for side, key := range rig.Sides {
			if !t.Given(key) {
				continue
			}
			w := t.Sub(key)
			vector := func(name string) (x [3]float64) {
				for i, s := range w.Vector(name) {
					x[i] = s.Value
				}
				return x
			}
			c.Loads[side] = rig.Load{Contact: vector("contact"), Centre: vector("centre"), Moment: vector("moment")}
			c.Travel[side] = w.Number("travel")
			if pads[side] = w.Given("pad"); pads[side] {
				c.Pads[side] = w.Number("pad")
			}
		}
		if c.ByPads = pads[0]; pads[0] != pads[1] {
			t.Fault("name", "case %q gives the force of the pad of one wheel; give pad of both wheels, or of none", c.Name)
		}
		list = append(list, c)
	}
	if err := r.Err(); err != nil {
		return nil, err
	}
	return list, nil
}

// forced solves load cases.
func forced(r *rig.Rig, cases []Case) (list []Forced, err error) {
	for _, c := range cases {
		state, err := r.Solve(c.Given, nil)
		if err != nil {
			return nil, fmt.Errorf("case %q: %w", c.Name, err)
		}
		forces, err := r.Forces(state)
		if err != nil {
			return nil, err
		}
		list = append(list, Forced{c, state, forces})
	}
	return list, nil
}

// PrintForces writes the loads of joints, case by case.
func (r *Result) PrintForces(to io.Writer) error {
	for i := range r.Forced {
		c := &r.Forced[i]
		w := tabwriter.NewWriter(to, 0, 0, 2, ' ', tabwriter.AlignRight)
		fmt.Fprintf(w, "\n%s: pads %.5g and %.5g N\n", c.Name, c.State.Pads[0].V, c.State.Pads[1].V)
		fmt.Fprint(w, "joint\ttype\tFx, N\tFy, N\tFz, N\tMx, N.m\tMy, N.m\tMz, N.m\ttension, N\t\n")
		for _, f := range c.Forces {
			fmt.Fprintf(w, "%s\t%s\t", f.Component, f.Type)
			for k := range 6 {
				if f.Loads {
					fmt.Fprint(w, rounded(load(&f, k)))
				}
				fmt.Fprint(w, "\t")
			}
			if !math.IsNaN(f.Tension) {
				fmt.Fprint(w, rounded(f.Tension))
			}
			fmt.Fprint(w, "\t\n")
		}
		if err := w.Flush(); err != nil {
			return err
		}
	}
	return nil
}

// load is component k of force and moment.
func load(f *rig.JointForce, k int) float64 {
	if k < 3 {
		return f.Force[k]
	}
	return f.Moment[k-3]
}

// rounded has tenths.
func rounded(x float64) string {
	const tenths = 10
	return strconv.FormatFloat(math.Round(tenths*x)/tenths+0, 'f', -1, 64)
}

// WriteForces writes the loads of joints: a row for each joint of each case.
func (r *Result) WriteForces(to io.Writer) error {
	w := csv.NewWriter(to)
	w.Write([]string{"case", "component", "type", "on", "Fx [N]", "Fy [N]", "Fz [N]", "Mx [N.m]", "My [N.m]", "Mz [N.m]",
		"tension [N]"})
	text := func(x float64) string { return strconv.FormatFloat(x, 'g', -1, 64) }
	for i := range r.Forced {
		for _, f := range r.Forced[i].Forces {
			row := []string{r.Forced[i].Name, f.Component, f.Type, f.On}
			for k := range 6 {
				if row = append(row, ""); f.Loads {
					row[len(row)-1] = text(load(&f, k))
				}
			}
			if row = append(row, ""); !math.IsNaN(f.Tension) {
				row[len(row)-1] = text(f.Tension)
			}
			w.Write(row)
		}
	}
	w.Flush()
	return w.Error()
}
