package animation

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"

	"skidpad/model/component"
	"skidpad/model/curve"
	"skidpad/model/keys"
	"skidpad/model/vehicle"
)

// Placement is a list of operations that places the frames of a model by the values of variables. It is made once from
// the model and the names of the variables. It is plain data: scripts carry out the same list.
type Placement struct {
	Frames     []string    `json:"frames"`     // names, by number
	Operations []Operation `json:"operations"` // in order

	poses []pose // of the frames
}

// Operation places a frame relative to another one: To = From * step, or To = From * step^-1. The kind tells the step.
type Operation struct {
	Kind    OperationKind `json:"kind"`
	From    int           `json:"from"` // frame; -1 for ground
	To      int           `json:"to"`   // frame
	Inverse bool          `json:"inverse,omitempty"`
	// Columns are numbers of variables; -1 stands for the value 0.
	Columns []int `json:"columns,omitempty"`
	// Constants are x, y, z and a quaternion w, x, y, z of fixed, or an axis of turn and shift.
	Constants []float64 `json:"constants,omitempty"`
	Sequence  string    `json:"sequence,omitempty"` // axes of three turns, each about the axis turned by the ones before
	Courses   []Course  `json:"courses,omitempty"`  // of guide: x, y, z [m] and three angles [rad]
}

// OperationKind is a kind of step.
type OperationKind uint8

// Kinds of steps.
const (
	fixed   OperationKind = iota // constants: a pose
	free                         // columns: x, y, z [m], then three angles [rad] in the sequence
	turning                      // column: an angle [rad] about the axis of constants
	shift                        // column: a way [m] along the axis of constants
	guide                        // columns: a travel [m] and a second variable, of which courses are functions
)

var operationKinds = [...]string{"fixed", "free", "turn", "shift", "guide"}

// MarshalText writes the word of a kind.
func (k OperationKind) MarshalText() ([]byte, error) { return []byte(operationKinds[k]), nil }

// Course is a coordinate of a guide over its travel: a curve, a surface over the travel and the second variable, the
// travel itself, or 0.
type Course struct {
	Sign    float64
	Curve   *curve.Curve
	Surface *curve.Surface
	Own     bool // the travel itself
}

// at is the coordinate.
func (c *Course) at(travel, second float64) float64 {
	value := 0.0
	switch {
	case c.Curve != nil:
		value, _, _ = c.Curve.At(travel)
	case c.Surface != nil:
		value, _, _ = c.Surface.At(travel, second)
	case c.Own:
		value = travel
	}
	return c.Sign * value
}

// MarshalJSON writes a course as polynomials. "sign" multiplies each value.
//
//	own:     true for the travel itself; without own, points and x the value is 0
//	points:  of a curve, in increasing order; piece i lies before point i, the last one behind the last point
//	pieces:  a + s (b + s (c + s d)), with s the distance from the point before, in the first piece from the first point
//	x, y:    points of a surface, with pieces as above
//	cells:   of a surface, 16 numbers a[m][n] by m, then n, for s^m t^n; first along y, then along x
func (c Course) MarshalJSON() ([]byte, error) {
	written := map[string]any{"sign": c.Sign}
	switch {
	case c.Curve != nil:
		t := c.Curve.Table()
		pieces := make([][4]float64, len(t.A.Values))
		for i := range pieces {
			pieces[i] = [4]float64{t.A.Values[i], t.B.Values[i], t.C.Values[i], t.D.Values[i]}
		}
		written["points"], written["pieces"] = t.Grid.Points.Values, pieces
	case c.Surface != nil:
		t := c.Surface.Table
		var cells [][16]float64
		for i := range len(t.AlongX.Points.Values) + 1 {
			for j := range len(t.AlongY.Points.Values) + 1 {
				var cell [16]float64
				at := t.Row.At(float64(i)) + t.Place.At(float64(j))
				for k := range cell {
					cell[k] = t.A[k/4][k%4].At(at)
				}
				cells = append(cells, cell)
			}
		}
		written["x"], written["y"], written["cells"] = t.AlongX.Points.Values, t.AlongY.Points.Values, cells
	case c.Own:
		written["own"] = true
	}
	return json.Marshal(written)
}

// step is the motion of an operation.
func (o *Operation) step(values []float64) pose {
	value := func(i int) float64 {
		if column := o.Columns[i]; column >= 0 {
			return values[column]
		}
		return 0
	}
	switch c := o.Constants; o.Kind {
	case free:
		return pose{vector{value(0), value(1), value(2)}, euler(o.Sequence, [3]float64{value(3), value(4), value(5)})}
	case turning:
		return pose{q: turn([3]float64(c), value(0))}
	case shift:
		return pose{along([3]float64(c), value(0)), unturned}
	case guide:
		var at [6]float64
		for i := range at {
			at[i] = o.Courses[i].at(value(0), value(1))
		}
		return pose{vector(at[:3]), euler(o.Sequence, [3]float64(at[3:]))}
	default:
		return pose{vector(c[:3]), quaternion(c[3:])}
	}
}

// place places all frames by the values of variables.
func (p *Placement) place(values []float64) {
	for i := range p.Operations {
		o := &p.Operations[i]
		step := o.step(values)
		if o.Inverse {
			step = step.inverse()
		}
		if o.From >= 0 {
			step = p.poses[o.From].then(step)
		}
		p.poses[o.To] = step
	}
}

// arrange returns the operations that some frames need, which get the first numbers in their order.
func (p *Placement) arrange(names []string) *Placement {
	number := make([]int, len(p.Frames))
	needed := make([]bool, len(p.Frames))
	for i, name := range p.Frames {
		number[i] = slices.Index(names, name)
		needed[i] = number[i] >= 0
	}
	to := &Placement{Frames: slices.Clone(names)}
	for _, o := range slices.Backward(p.Operations) {
		if !needed[o.To] {
			continue
		}
		to.Operations = append(to.Operations, o)
		if o.From >= 0 {
			needed[o.From] = true
		}
	}
	slices.Reverse(to.Operations)
	renumbered := func(frame int) int {
		if frame >= 0 && number[frame] < 0 {
			number[frame], to.Frames = len(to.Frames), append(to.Frames, p.Frames[frame])
		}
		if frame < 0 {
			return frame
		}
		return number[frame]
	}
	for i := range to.Operations {
		o := &to.Operations[i]
		o.From, o.To = renumbered(o.From), renumbered(o.To)
	}
	to.poses = make([]pose, len(to.Frames))
	return to
}

// known are the poses by name of the frame.
func (p *Placement) known() map[string]pose {
	known := map[string]pose{}
	for i, name := range p.Frames {
		known[name] = p.poses[i]
	}
	return known
}

// used reports for each variable whether an operation reads it.
func (p *Placement) used(variables int) []bool {
	used := make([]bool, variables)
	for _, o := range p.Operations {
		for _, column := range o.Columns {
			if column >= 0 {
				used[column] = true
			}
		}
	}
	return used
}

// Variables lists the outputs that place the parts of a model.
func Variables(m *vehicle.Model, outputs []string) (list []string) {
	for i, used := range newPlacement(m, outputs).used(len(outputs)) {
		if used {
			list = append(list, outputs[i])
		}
	}
	return list
}

// placer finds which operations place frames.
type placer struct {
	columns map[string]int // of variables
	known   map[string]int // frames
	*Placement
}

// newPlacement finds the frames of bodies, then what joints and arms carry, until nothing new is found.
func newPlacement(m *vehicle.Model, variables []string) *Placement {
	p := &placer{columns: map[string]int{}, known: map[string]int{}, Placement: &Placement{}}
	for i, name := range variables {
		p.columns[name] = i
	}
	p.add("", component.GroundFrame, Operation{Kind: fixed, Constants: constantPose(pose{q: unturned})})
	for _, c := range m.Components {
		if e, is := elementOf(c).(placed); is {
			if frame, step, known := e.framePose(p); known {
				p.add("", frame, step)
			}
		}
	}
	for found := true; found; {
		found = false
		for _, c := range m.Components {
			e, is := elementOf(c).(leading)
			if !is {
				continue
			}
			from, to, step, recorded := e.step(p)
			_, fromKnown := p.known[from]
			_, toKnown := p.known[to]
			switch {
			case recorded && fromKnown && !toKnown:
				p.add(from, to, step)
				found = true
			case recorded && toKnown && !fromKnown:
				step.Inverse = true
				p.add(to, from, step)
				found = true
			}
		}
	}
	p.poses = make([]pose, len(p.Frames))
	return p.Placement
}

// add places a frame relative to another one; "" is ground.
func (p *placer) add(from, to string, step Operation) {
	step.From = -1
	if from != "" {
		step.From = p.known[from]
	}
	number, known := p.known[to]
	if !known {
		number, p.Frames = len(p.Frames), append(p.Frames, to)
		p.known[to] = number
	}
	step.To = number
	p.Operations = append(p.Operations, step)
}

// column is the number of a variable; -1 where it was not recorded.
func (p *placer) column(name string) (number int, recorded bool) {
	if number, recorded = p.columns[name]; recorded {
		return number, true
	}
	return -1, false
}

// all are the numbers of variables of a component, if all were recorded.
func (p *placer) all(component string, names ...string) (numbers []int, recorded bool) {
	recorded = true
	for _, name := range names {
		number, is := p.column(component + "." + name)
		numbers, recorded = append(numbers, number), recorded && is
	}
	return numbers, recorded
}

// pose is a step by the recorded position and 3-2-1 angles of a component.
func (p *placer) pose(component string) (step Operation, recorded bool) {
	columns, recorded := p.all(component, "x", "y", "z", "yaw", "pitch", "roll")
	return Operation{Kind: free, Columns: columns, Sequence: "321"}, recorded
}

// constantPose are the constants of a fixed step.
func constantPose(at pose) []float64 { return slices.Concat(at.r[:], at.q[:]) }

// along is a displacement along an axis.
func along(axis [3]float64, by float64) vector {
	return vector{axis[0] * by, axis[1] * by, axis[2] * by}
}

func scalars(v keys.Vector) vector { return vector{v[0].Value, v[1].Value, v[2].Value} }

// rowOf is the row of a scene: position and quaternion.
func rowOf(at pose) [7]float64 {
	return [7]float64{at.r[0], at.r[1], at.r[2], at.q[0], at.q[1], at.q[2], at.q[3]}
}

// checkRow refuses a pose that is not finite.
func checkRow(row [7]float64, frame string, time float64) error {
	for _, x := range row {
		if math.IsNaN(x - x) {
			return fmt.Errorf("the run places %s at %v at %g s; cut the run before this time", frame, row[:3], time)
		}
	}
	return nil
}
