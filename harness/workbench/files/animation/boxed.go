package animation

import (
	"math"
	"slices"

	"skidpad/harness/workbench/results/trace"
	"skidpad/model/road"
	"skidpad/model/roles"
)

// Box is the picture of a vehicle without a model file: a rigid body with the outline of the roles, and wheels that are
// fixed in the body.
type Box struct {
	Title     string
	Roles     *roles.Roles
	Wheelbase float64 // from the first axle to the last [m]; 0 takes a usual share of the outline
}

// Dimensions of a box that roles do not state.
const (
	usualTrack    = 0.85 // between the middles of the outer wheels, by the width of the outline
	usualRadius   = 0.31 // of wheels [m]
	usualWidth    = 0.2  // of wheels [m]
	frontOverhang = 0.31 // by the wheelbase
	rearOverhang  = 0.37
)

// Variables are the outputs that place a box: position [m] and 3-2-1 angles [rad] of its chassis. Without x, y and yaw
// there are none. The others may be missing; they count as 0.
func (b *Box) Variables(outputs []string) (list []string) {
	for i, quantity := range boxQuantities {
		name := b.Roles.Chassis + "." + quantity
		if slices.Contains(outputs, name) {
			list = append(list, name)
		} else if i < neededQuantities {
			return nil
		}
	}
	return list
}

// boxQuantities place a chassis; the first ones are needed.
var boxQuantities = [...]string{"x", "y", "yaw", "z", "pitch", "roll"}

const neededQuantities = 3

// lacks is the reason why a box cannot be drawn; "" where it can.
func (b *Box) lacks(variables []string) string {
	switch {
	case b.Variables(variables) == nil:
		return "No picture: the vehicle does not publish x, y and yaw of the role chassis."
	case b.Roles.Outline == nil:
		return "No picture: the roles of the vehicle have no outline."
	case len(b.Roles.Axles) == 0:
		return "No picture: the roles of the vehicle have no axles."
	}
	return ""
}

// NewPoser makes the scene of a box. Values are the start values of the variables that place the box, and of forces on
// tires. The ground is level, at the height 0, as far as reach about the box [m]. A box that cannot be drawn is a scene
// without shapes, which says what lacks.
func (b *Box) NewPoser(variables []string, values []float64, reach float64) *Poser {
	at := func(quantity string) int { return slices.Index(variables, b.Roles.Chassis+"."+quantity) }
	step := Operation{Kind: free, From: -1, Sequence: "321"}
	for _, quantity := range []string{"x", "y", "z", "yaw", "pitch", "roll"} {
		step.Columns = append(step.Columns, at(quantity))
	}
	const chassis = "chassis"
	p := &Poser{Scene: &Scene{Title: b.Title, Names: []string{chassis}, Shapes: []Shape{}, Absent: b.lacks(variables)},
		Placement: &Placement{Frames: []string{chassis}, Operations: []Operation{step}}, start: slices.Clone(values)}
	if p.Absent == "" {
		height := 0.0
		if z := at("z"); z >= 0 {
			height = values[z]
		}
		b.build(p, height)
		run := trace.New(trace.Named(variables...), 0)
		run.Append(0, values)
		p.force(run)
	}
	p.Frames, p.Placement.poses = len(p.Names), make([]pose, len(p.Names))
	p.Poses = make([][7]float64, p.Frames)
	p.Place(values)
	p.ground([]*surface{{at: func(float64, float64) road.Point { return road.Point{Friction: 1} }}}, reach)
	return p
}

// build adds the wheels, which stand on the ground at the start, and the shell about them. The origin of the chassis
// has a height there [m].
func (b *Box) build(p *Poser, height float64) {
	o, axles := b.Roles.Outline, b.Roles.Axles
	shell := &shellMaker{Shell: &Shell{}, outline: o, front: math.Inf(-1), rear: math.Inf(1)}
	front, wheelbase := b.axles()
	for i := range axles {
		x := front
		if i > 0 {
			x -= wheelbase * float64(i) / float64(len(axles)-1)
		}
		radius := axles[i].Radius
		if radius == 0 {
			radius = usualRadius
		}
		single := len(axles[i].Wheels()) == 1
		for side, wheels := range [][]roles.Wheel{axles[i].Left, axles[i].Right} {
			for k, w := range wheels { // twins stand side by side, from outside in
				y := usualTrack*o.Width/2 - 1.1*usualWidth*float64(k)
				if single {
					y = 0
				} else if side == 1 {
					y = -y
				}
				place := vector{x, y, radius - height}
				shell.wheels = append(shell.wheels, shellWheel{place, radius, usualWidth})
				b.wheel(p, w.Tire, place, radius)
			}
		}
	}
	shell.measure()
	kind := b.Roles.Shell
	if kind == "" {
		kind = shell.kind(len(axles))
	}
	shell.build(kind, false)
	p.Shell = shell.Shell
}

// wheel adds a wheel at a place in the chassis.
func (b *Box) wheel(p *Poser, tire string, place vector, radius float64) {
	frame := len(p.Names)
	p.Names, p.Placement.Frames = append(p.Names, tire), append(p.Placement.Frames, tire)
	p.Placement.Operations = append(p.Placement.Operations, Operation{Kind: fixed, From: p.Chassis, To: frame,
		Constants: constantPose(pose{place, unturned})})
	shape := disc(radius, usualWidth, 0)
	shape.Name, shape.Frames = tire, []int{frame}
	p.Shapes = append(p.Shapes, shape)
}

// axles are the place of the first axle ahead of the chassis, and the way from it to the last one [m]. The outline
// reaches farther, in usual shares.
func (b *Box) axles() (front, wheelbase float64) {
	o := b.Roles.Outline
	length := o.Front + o.Rear
	wheelbase = b.Wheelbase
	if len(b.Roles.Axles) == 1 {
		wheelbase = 0
	} else if !(wheelbase > 0 && wheelbase < length) {
		wheelbase = length / (1 + frontOverhang + rearOverhang)
	}
	return o.Front - (length-wheelbase)*frontOverhang/(frontOverhang+rearOverhang), wheelbase
}
