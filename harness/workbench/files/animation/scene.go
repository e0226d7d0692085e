package animation

import (
	"fmt"
	"math"
	"slices"

	"skidpad/harness/workbench/results/trace"
	"skidpad/model/component"
	"skidpad/model/keys"
	"skidpad/model/vehicle"
)

// Shape is a drawn part: at one frame, or between frames.
type Shape struct {
	Kind   string `json:"kind"` // box, wheel, ball, spring, rod, line, plate, sleeve, hinge, bar
	Name   string `json:"name"`
	Frames []int  `json:"frames"`
	// Size [m] is the edges of a box, radius and width of a wheel, the radius of a ball, or half of a sleeve, hinge or
	// bar. A spring begins at Size in its first frame.
	Size [3]float64 `json:"size"`
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
}

// Patch is a piece of ground: heights over a rectangle.
type Patch struct {
	X, Y   [2]float64
	Nx, Ny int
	Z      []float64 // row by row
}

// most moments a page holds: enough for a minute at 50 pictures a second.
const mostMoments = 3000

type pose struct {
	r vector
	q quaternion
}

// unturned is no rotation.
var unturned = quaternion{1, 0, 0, 0}

// placer finds where frames are at one moment.
type placer struct {
	model *vehicle.Model
	run   *trace.Trace
	at    int // sample
	known map[string]pose
	asked []string // variables that were looked for, and have placed something
}

// Variables lists the outputs that place the parts of a model.
func Variables(m *vehicle.Model, outputs []string) (list []string) {
	run := trace.New(trace.Named(outputs...), 0)
	run.Append(0, make([]float64, len(outputs)))
	p := &placer{model: m, run: run, known: map[string]pose{}}
	p.findFrames()
	for _, name := range outputs {
		if slices.Contains(p.asked, name) {
			list = append(list, name)
		}
	}
	return list
}

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
	first := &placer{model: m, run: run, known: map[string]pose{}}
	first.findFrames()
	frames := scene.compose(m, first.known, func(string) bool { return true })
	if len(scene.Shapes) == 0 {
		return nil, fmt.Errorf("nothing of the model %s is in the recorded variables; "+
			"record positions and angles of its bodies and masses", m.Name)
	}
	stride := (len(times) + mostMoments - 1) / mostMoments
	for at := 0; at < len(times); at += stride {
		p := &placer{model: m, run: run, at: at, known: map[string]pose{}}
		p.findFrames()
		scene.Times = append(scene.Times, times[at])
		row := make([][7]float64, len(frames))
		for name, i := range frames {
			k := p.known[name]
			row[i] = [7]float64{k.r[0], k.r[1], k.r[2], k.q[0], k.q[1], k.q[2], k.q[3]}
		}
		scene.Poses = append(scene.Poses, row...)
	}
	return scene, scene.ground(m)
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
	s.Frames = len(frames)
	return frames
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

// value reads a variable at the moment; 0 where it was not recorded.
func (p *placer) value(name string) (float64, bool) {
	p.asked = append(p.asked, name)
	if !p.run.Has(name) {
		return 0, false
	}
	return p.run.Column(name)[p.at], true
}

func (p *placer) values(component string, names ...string) (v [3]float64, ok bool) {
	ok = true
	for i, n := range names {
		x, known := p.value(component + "." + n)
		v[i], ok = x, ok && known
	}
	return v, ok
}

// findFrames finds all frames: those of bodies, then what joints and arms carry, until nothing new is
// found.
func (p *placer) findFrames() {
	p.known[component.GroundFrame], p.asked = pose{q: unturned}, p.asked[:0]
	for _, c := range p.model.Components {
		if e, is := elementOf(c).(placed); is {
			if frame, at, known := e.framePose(p); known {
				p.known[frame] = at
			}
		}
	}
	for found := true; found; {
		found = false
		for _, c := range p.model.Components {
			e, is := elementOf(c).(leading)
			if !is {
				continue
			}
			before := len(p.asked)
			from, to, step, recorded := e.step(p)
			a, fromKnown := p.known[from]
			b, toKnown := p.known[to]
			switch {
			case recorded && fromKnown && !toKnown:
				p.known[to] = a.then(step)
				found = true
			case recorded && toKnown && !fromKnown:
				p.known[from] = b.then(step.inverse())
				found = true
			default:
				p.asked = p.asked[:before]
			}
		}
	}
}

// along is a displacement along an axis.
func along(axis [3]float64, by float64) vector {
	return vector{axis[0] * by, axis[1] * by, axis[2] * by}
}

func scalars(v keys.Vector) vector { return vector{v[0].Value, v[1].Value, v[2].Value} }

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

// ground makes patches below the way of the vehicle.
func (s *Scene) ground(m *vehicle.Model) error {
	low, high := vector{math.Inf(1), math.Inf(1)}, vector{math.Inf(-1), math.Inf(-1)}
	for _, p := range s.Poses {
		for k := range 2 {
			low[k], high[k] = min(low[k], p[k]), max(high[k], p[k])
		}
	}
	const margin = 5
	for k := range 2 {
		low[k], high[k] = math.Floor(low[k])-margin, math.Ceil(high[k])+margin
	}
	for _, c := range m.Components {
		if e, is := elementOf(c).(ground); is {
			height, err := e.ground(m)
			if err != nil {
				return err
			}
			if height != nil {
				s.patch(low, high, height)
			}
		}
	}
	return nil
}

// patch adds a piece of ground, with lines no closer than a metre and not too many.
func (s *Scene) patch(low, high vector, height func(x, y float64) float64) {
	count := func(length float64) int { return int(min(max(math.Ceil(length), 2), 120)) + 1 }
	p := Patch{
		X: [2]float64{low[0], high[0]}, Y: [2]float64{low[1], high[1]},
		Nx: count(high[0] - low[0]), Ny: count(high[1] - low[1]),
	}
	for j := range p.Ny {
		y := low[1] + (high[1]-low[1])*float64(j)/float64(p.Ny-1)
		for i := range p.Nx {
			p.Z = append(p.Z, height(low[0]+(high[0]-low[0])*float64(i)/float64(p.Nx-1), y))
		}
	}
	s.Ground = append(s.Ground, p)
}
