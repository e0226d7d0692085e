package tangent

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/gonum/spatial/r3"

	"skidpad/model/component"
	"skidpad/model/keys"
	"skidpad/model/vehicle"
)

// translator makes bodies and connections of a model.
type translator struct {
	model    *vehicle.Model
	elements []element          // of its components
	values   map[string]float64 // that replace those of the file
	used     map[string]bool
	parts    []part // the first is ground
	markers  map[string]marker
	err      error // the first
}

// part is a group of frames that arms hold together; motion is the motion of its first frame.
type part struct {
	name   string
	motion frame
	placed bool
}

// frame is where a frame is and how it moves, resolved in ground.
type frame struct {
	origin         r3.Vec
	axes           Matrix // columns are the axes
	velocity, spin r3.Vec
}

// marker is a frame as a part carries it: its origin and axes in the first frame of the part.
type marker struct {
	part   int
	origin r3.Vec
	axes   Matrix
}

// fail notes the first fault.
func (t *translator) fail(c component.Component, format string, args ...any) {
	if h := c.Head(); t.err == nil {
		t.err = fmt.Errorf("%s: %s", h.Name, fmt.Sprintf(format, args...))
	}
}

// scalar returns the value of a number; name is the name under which the user can set it.
func (t *translator) scalar(name string, s keys.Scalar) float64 {
	value, given := t.values[name]
	if t.used[name] = true; !given {
		var err error
		if value, err = t.model.ValueOf(s, t.values); err != nil && t.err == nil {
			t.err = err
		}
	}
	impossible := math.IsNaN(value) || math.IsInf(value, 0) || s.Positive && value <= 0 || s.Nonnegative && value < 0
	if impossible && t.err == nil {
		t.err = fmt.Errorf("%s is %g, which is not allowed", name, value)
	}
	return value
}

func (t *translator) vector(name string, ends [3]string, v keys.Vector) [3]float64 {
	var x [3]float64
	for i := range x {
		x[i] = t.scalar(name+ends[i], v[i])
	}
	return x
}

var (
	axisNames     = [3]string{"_x", "_y", "_z"}
	angleNames    = [3]string{".angle1", ".angle2", ".angle3"}
	yawPitchRoll  = [3]string{".yaw", ".pitch", ".roll"}
	positionNames = [3]string{".x", ".y", ".z"}
	velocityNames = [3]string{".vx", ".vy", ".vz"}
	spinNames     = [3]string{".wx", ".wy", ".wz"}
)

// sequenced are the axes after three turns, each about an axis of the frame that the preceding ones
// turned.
func sequenced(order string, angles [3]float64) Matrix {
	axes := identity
	for i, angle := range angles {
		axes = axes.times(turned(angle, identity.column(int(order[i]-'1'))))
	}
	return axes
}

// then composes two motions: f is the motion of a frame, relative the motion of a second frame against the first.
func (f frame) then(relative frame) frame {
	arm := f.axes.of(relative.origin)
	return frame{
		origin:   r3.Add(f.origin, arm),
		axes:     f.axes.times(relative.axes),
		velocity: r3.Add(r3.Add(f.velocity, r3.Cross(f.spin, arm)), f.axes.of(relative.velocity)),
		spin:     r3.Add(f.spin, f.axes.of(relative.spin)),
	}
}

// inverse is the motion of the reference frame against f.
func (f frame) inverse() frame {
	back := f.axes.transposed()
	return frame{
		origin:   back.of(r3.Scale(-1, f.origin)),
		axes:     back,
		velocity: back.of(r3.Sub(r3.Cross(f.spin, f.origin), f.velocity)),
		spin:     back.of(r3.Scale(-1, f.spin)),
	}
}

func (m marker) relative() frame { return frame{origin: m.origin, axes: m.axes} }

// at is the motion of a frame of the model.
func (t *translator) at(name string) frame {
	m := t.markers[name]
	return t.parts[m.part].motion.then(m.relative())
}

// body is the number of the body that carries a frame.
func (t *translator) body(name string) int { return t.markers[name].part - 1 }

// arm leads from a frame to a frame that is rigidly connected.
type arm struct {
	to       string
	relative frame
}

// gather makes parts of the frames that arms and roads hold together.
func (t *translator) gather() {
	arms := map[string][]arm{}
	hold := func(from, to string, relative frame) {
		arms[from] = append(arms[from], arm{to, relative})
		arms[to] = append(arms[to], arm{from, relative.inverse()})
	}
	frames := []string{component.GroundFrame}
	var others []string
	for _, e := range t.elements {
		if e, is := e.(bodied); is {
			frames = append(frames, e.body().Frame)
		}
		if e, is := e.(joining); is {
			others = append(others, e.frames()...)
		}
		if e, is := e.(rigid); is {
			hold(e.arm(t))
		}
	}
	t.markers = map[string]marker{}
	var give func(name string, k int, f frame)
	give = func(name string, k int, f frame) {
		t.markers[name] = marker{k, f.origin, f.axes}
		for _, a := range arms[name] {
			if _, taken := t.markers[a.to]; !taken {
				give(a.to, k, f.then(a.relative))
			}
		}
	}
	for _, name := range slices.Concat(frames, others) {
		if _, taken := t.markers[name]; !taken {
			t.parts = append(t.parts, part{name: name})
			give(name, len(t.parts)-1, frame{axes: identity})
		}
	}
}

// joint is a joint or driver with how its head moves against its tail at the start.
type joint struct {
	component component.Component
	from, to  string
	relative  frame
}

// joints lists drivers, then joints.
func (t *translator) joints() []joint {
	var drivers, list []joint
	for _, e := range t.elements {
		e, is := e.(jointed)
		if !is {
			continue
		}
		if _, driven := e.(motionDriver); driven {
			drivers = append(drivers, e.joint(t))
		} else {
			list = append(list, e.joint(t))
		}
	}
	return append(drivers, list...)
}

// computeMotions computes the motion of the parts from joints and drivers, drivers first, except those that close a
// loop. A group of parts that is not joined to ground has the free start of its first body.
func (t *translator) computeMotions(joints []joint) {
	group := make([]int, len(t.parts)) // connected parts have the same number
	for k := range group {
		group[k] = k
	}
	unite := func(a, b int) bool {
		from, to := group[a], group[b]
		for k, g := range group {
			if g == from {
				group[k] = to
			}
		}
		return from != to
	}
	part := func(name string) int { return t.markers[name].part }
	var tree []joint
	for _, j := range joints {
		if unite(part(j.from), part(j.to)) {
			tree = append(tree, j)
		}
	}
	set := func(name string, f frame) {
		m := t.markers[name]
		t.parts[m.part].motion, t.parts[m.part].placed = f.then(m.relative().inverse()), true
	}
	t.parts[0].motion, t.parts[0].placed = frame{axes: identity}, true
	for _, e := range t.elements {
		if e, is := e.(bodied); is && unite(part(e.body().Frame), 0) {
			set(e.body().Frame, t.freeStart(e.body()))
		}
	}
	for again := true; again; {
		again = false
		for _, j := range tree {
			switch from, to := t.parts[part(j.from)].placed, t.parts[part(j.to)].placed; {
			case from && !to:
				set(j.to, t.at(j.from).then(j.relative))
				again = true
			case to && !from:
				set(j.from, t.at(j.to).then(j.relative.inverse()))
				again = true
			}
		}
	}
	for k := range t.parts {
		if p := &t.parts[k]; !p.placed && t.err == nil {
			t.err = fmt.Errorf("%s has no place at the start: nothing joins it to a body or to ground", p.name)
		}
	}
}

// unknown names the values that nothing of the model is called.
func (t *translator) unknown() error {
	var list []string
	for name := range t.values {
		called := func(p vehicle.Parameter) bool { return p.Name == name }
		if !t.used[name] && !slices.ContainsFunc(t.model.Parameters, called) {
			list = append(list, name)
		}
	}
	if list == nil {
		return nil
	}
	slices.Sort(list)
	return fmt.Errorf("model %s has no parameter or start value %s here", t.model.Name, strings.Join(list, ", "))
}
