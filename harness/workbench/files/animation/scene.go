package animation

import (
	"fmt"
	"math"
	"slices"

	"skidpad/harness/workbench/results/recording"
	"skidpad/harness/workbench/results/trace"
	"skidpad/model/component"
	"skidpad/model/vehicle"
)

// Shape is a drawn part: at one frame, or between frames.
type Shape struct {
	Kind   string `json:"kind"` // box, wheel, ball, spring, rod, line, plate, sleeve, hinge, bar
	Name   string `json:"name"`
	Frames []int  `json:"frames"`
	// Size [m] is the edges of a box, radius, width and radius of the rim of a wheel, the radius of a ball, or half of a
	// sleeve, hinge or bar. A spring begins at Size in its first frame.
	Size  [3]float64 `json:"size"`
	Solid bool       `json:"solid,omitempty"` // a box is the outside of a trailer
}

// Scene is a run that can be drawn.
type Scene struct {
	Title  string
	Shapes []Shape
	Times  []float64 // s, evenly as far as the samples are
	// Poses holds for every moment and frame the position [m] and the quaternion w, x, y, z.
	Poses   [][7]float64
	Frames  int
	Names   []string // of the frames
	Ground  []Patch
	Missing []string // frames that nothing recorded places
	Absent  string   // why there are no shapes; "" where there are some

	Chassis  int // frame that cameras follow: that of the roles, or of the largest box; -1 for none
	Shell    *Shell
	Trailers []*Shell
	Forces   []Force
	Curves   []Curve
	Ghosts   []*Scene // other runs of the same vehicle
}

// Curve is a recorded signal that is plotted below the scene. Curves of one panel share a plot.
type Curve struct {
	Name  string `json:"name"`
	Unit  string `json:"unit"`
	Panel int    `json:"panel"`

	values []float64 // by moment
}

// Force is the recorded force on a tire [N], along its heading, to its left and normal to the road.
type Force struct {
	Shape  int          // the wheel
	Values [3][]float64 // by moment
}

// most moments a page holds: enough for a minute at 50 pictures a second.
const mostMoments = 3000

type pose struct {
	r vector
	q quaternion
}

// unturned is no rotation.
var unturned = quaternion{1, 0, 0, 0}

// New makes a scene of a run of a model.
func New(m *vehicle.Model, run *trace.Trace) (*Scene, error) {
	times := run.Time
	if len(times) < 2 {
		return nil, fmt.Errorf("the run has %d samples; an animation needs at least 2", len(times))
	}
	scene := &Scene{Title: m.Title}
	if scene.Title == "" {
		scene.Title = m.Name
	}
	placement := newPlacement(m, channelNames(run))
	placement.place(rowAt(run, 0))
	scene.compose(m, placement.known(), func(string) bool { return true })
	if len(scene.Shapes) == 0 {
		return nil, fmt.Errorf("nothing of the model %s is in the recorded variables; "+
			"record positions and angles of its bodies and masses", m.Name)
	}
	stride := strideOf(run)
	scene.force(run)
	placement = placement.arrange(scene.Names)
	for at := 0; at < len(times); at += stride {
		placement.place(rowAt(run, at))
		scene.Times = append(scene.Times, times[at])
		for i, name := range scene.Names {
			row := rowOf(placement.poses[i])
			if err := checkRow(row, name, times[at]); err != nil {
				return nil, err
			}
			scene.Poses = append(scene.Poses, row)
		}
	}
	const margin = 5 // m
	all, err := surfaces(m)
	scene.ground(all, margin)
	return scene, err
}

// channelNames are the names of recorded variables.
func channelNames(run *trace.Trace) (list []string) {
	for _, c := range run.Channels {
		list = append(list, c.Name)
	}
	return list
}

// rowAt are the values of all recorded variables at a sample.
func rowAt(run *trace.Trace, at int) []float64 {
	row := make([]float64, len(run.Values))
	for i, column := range run.Values {
		row[i] = column[at]
	}
	return row
}

// strideOf is the number of samples from one moment to the next.
func strideOf(run *trace.Trace) int { return (len(run.Time) + mostMoments - 1) / mostMoments }

// moments are the values of a recorded variable at the moments.
func moments(run *trace.Trace, name string) (list []float64) {
	column := run.Column(name)
	for at := 0; at < len(column); at += strideOf(run) {
		list = append(list, column[at])
	}
	return list
}

// Limits of plots and ghosts of a page.
const (
	mostPlots  = 6
	mostCurves = 8 // of a plot
	mostGhosts = 8
)

// Plot adds a plot of recorded signals below the scene. Patterns choose them, separated by commas.
func (s *Scene) Plot(m *vehicle.Model, run *trace.Trace, patterns string) error {
	recorded := channelNames(run)
	names, err := recording.ChooseInOrder(recording.Split(patterns), recorded, nil, m.Roles)
	if err != nil {
		return err
	}
	panel := 0
	if n := len(s.Curves); n > 0 {
		panel = s.Curves[n-1].Panel + 1
	}
	if len(names) > mostCurves || panel >= mostPlots {
		return fmt.Errorf("%q chooses %d signals, in plot %d; a page has at most %d plots of %d curves", patterns, len(names),
			panel+1, mostPlots, mostCurves)
	}
	for _, name := range names {
		i := slices.Index(recorded, name)
		if i < 0 {
			return fmt.Errorf("the run has not recorded %s", name)
		}
		s.Curves = append(s.Curves, Curve{name, run.Channels[i].Unit, panel, moments(run, name)})
	}
	return nil
}

// Ghost adds another run of the vehicle, which moves through the scene as a transparent vehicle.
func (s *Scene) Ghost(m *vehicle.Model, run *trace.Trace) error {
	if len(s.Ghosts) == mostGhosts {
		return fmt.Errorf("a page has at most %d ghosts", mostGhosts)
	}
	ghost, err := New(m, run)
	if err != nil {
		return err
	}
	if !slices.Equal(ghost.Names, s.Names) {
		return fmt.Errorf("it places %d frames of the model, the run %d; record the same variables of both", ghost.Frames,
			s.Frames)
	}
	s.Ghosts = append(s.Ghosts, ghost)
	return nil
}

// compose adds the shapes of components with a frame that is wanted, if all frames of the shape are known, and returns
// the numbers of their frames.
func (s *Scene) compose(m *vehicle.Model, known map[string]pose, wanted func(frame string) bool) map[string]int {
	frames := map[string]int{}
	frame := func(name string) int {
		if _, ok := known[name]; !ok {
			if !slices.Contains(s.Missing, name) {
				s.Missing = append(s.Missing, name)
			}
			return -1
		}
		if _, ok := frames[name]; !ok {
			frames[name] = len(frames)
			s.Names = append(s.Names, name)
		}
		return frames[name]
	}
	for _, c := range m.Components {
		e, is := elementOf(c).(shaped)
		if !is {
			continue
		}
		shape, names := e.shape(m)
		of := c.Frames()
		if shape.Kind == "" || !slices.ContainsFunc(slices.Concat(names, of.Joins[:], of.Uses), wanted) {
			continue
		}
		for _, name := range names {
			shape.Frames = append(shape.Frames, frame(name))
		}
		if !slices.Contains(shape.Frames, -1) {
			shape.Name = c.Head().Name
			s.Shapes = append(s.Shapes, shape)
		}
	}
	for _, b := range plates(m) {
		shape := Shape{Kind: "plate", Name: b.frame}
		if !wanted(b.frame) {
			continue
		}
		for _, name := range b.points {
			shape.Frames = append(shape.Frames, frame(name))
		}
		if !slices.Contains(shape.Frames, -1) {
			s.Shapes = append(s.Shapes, shape)
		}
	}
	s.chassis(m, known, frame)
	for i, x := range s.Shapes {
		s.Shapes[i].Solid = x.Kind == "box" && m.Roles != nil && slices.Contains(m.Roles.Trailers, s.Names[x.Frames[0]])
	}
	s.shell(m, known, frame)
	s.Frames = len(frames)
	return frames
}

// chassis finds the frame that cameras follow.
func (s *Scene) chassis(m *vehicle.Model, known map[string]pose, number func(frame string) int) {
	s.Chassis = -1
	if m.Roles != nil {
		if _, found := known[m.Roles.Chassis]; found {
			s.Chassis = number(m.Roles.Chassis)
			return
		}
	}
	largest := 0.0
	for _, x := range s.Shapes {
		if size := x.Size[0] * x.Size[1] * x.Size[2]; x.Kind == "box" && size > largest {
			s.Chassis, largest = x.Frames[0], size
		}
	}
	if s.Chassis < 0 && len(s.Shapes) > 0 {
		s.Chassis = s.Shapes[0].Frames[0]
	}
}

// force adds the recorded forces on tires.
func (s *Scene) force(run *trace.Trace) {
	for i, x := range s.Shapes {
		names := [3]string{x.Name + ".Fx", x.Name + ".Fy", x.Name + ".Fz"}
		if x.Kind != "wheel" || slices.ContainsFunc(names[:], func(name string) bool { return !run.Has(name) }) {
			continue
		}
		f := Force{Shape: i}
		for k, name := range names {
			f.Values[k] = moments(run, name)
		}
		s.Forces = append(s.Forces, f)
	}
}

// plate is a body with two or three points: a line, or a triangle.
type plate struct {
	frame  string
	points []string
}

// plates are the moving frames with two or three arms.
func plates(m *vehicle.Model) (list []plate) {
	for _, c := range m.Components {
		arm, is := c.(*component.RigidArm)
		if !is || arm.From == component.GroundFrame {
			continue
		}
		i := slices.IndexFunc(list, func(p plate) bool { return p.frame == arm.From })
		if i < 0 {
			i, list = len(list), append(list, plate{frame: arm.From})
		}
		list[i].points = append(list[i].points, arm.To)
	}
	return slices.DeleteFunc(list, func(p plate) bool { return len(p.points) < 2 || len(p.points) > 3 })
}

// cuboid returns the edges of the cuboid with a body's mass and moments of inertia about its axes.
func cuboid(c *component.RigidBody) (edges [3]float64) {
	j := [3]float64{c.Inertia.XX.Value, c.Inertia.YY.Value, c.Inertia.ZZ.Value}
	if c.Inertia.Axisymmetric {
		t := c.Inertia.Transverse.Value
		j = [3]float64{t, t, t}
		j[c.Inertia.Axis] = c.Inertia.Axial.Value
	}
	for k := range edges {
		square := 6 * (j[0] + j[1] + j[2] - 2*j[k]) / max(c.Mass.Value, 1e-9)
		edges[k] = math.Sqrt(max(square, 1e-4))
	}
	return edges
}
