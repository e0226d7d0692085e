package animation

import (
	"math"
	"slices"

	"skidpad/model/component"
	"skidpad/model/road"
	"skidpad/model/vehicle"
)

// Components are drawn by what they are to this table. A type that is not in it is not drawn.
var elements = map[string]func(c component.Component) any{}

// know registers the elements of a type of components. An element answers what it has something to say to.
func know[C component.Component](word string, make func(c C) any) {
	elements[word] = func(c component.Component) any { return make(c.(C)) }
}

type (
	// placed elements know where a frame is, from what was recorded.
	placed interface {
		framePose(p *placer) (frame string, at Operation, known bool)
	}
	// leading elements lead from one frame to another.
	leading interface {
		step(p *placer) (from, to string, step Operation, known bool)
	}
	// shaped elements look like something, at frames.
	shaped interface {
		shape(m *vehicle.Model) (Shape, []string)
	}
	// rolling elements are wheels.
	rolling interface{ wheel() (frame string) }
	// ground elements are drawn below the way of the vehicle.
	ground interface {
		ground(m *vehicle.Model) (*surface, error)
	}
	// sprung elements are joints whose springs are drawn between their frames.
	sprung interface{ spring() (Shape, []string) }
)

// elementOf returns the element of a component; nil if the component is not drawn.
func elementOf(c component.Component) any {
	if make, known := elements[c.Head().Type]; known {
		return make(c)
	}
	return nil
}

type rigidBody struct{ *component.RigidBody }

func (c rigidBody) framePose(p *placer) (frame string, at Operation, known bool) {
	at, known = p.pose(c.Name)
	return c.Frame, at, known
}

// shape is a cuboid; a wheel's is drawn with its tire.
func (c rigidBody) shape(m *vehicle.Model) (Shape, []string) {
	for _, other := range m.Components {
		if w, is := elementOf(other).(rolling); is && w.wheel() == c.Frame {
			return Shape{}, nil
		}
	}
	return Shape{Kind: "box", Size: cuboid(c.RigidBody)}, []string{c.Frame}
}

type pointMass struct{ *component.PointMass }

func (c pointMass) framePose(p *placer) (frame string, at Operation, known bool) {
	place, known := p.all(c.Name, "x", "y", "z")
	if !known { // in a plane
		var plane []int
		if plane, known = p.all(c.Name, "x", "z"); known {
			place = []int{plane[0], -1, plane[1]}
		}
	}
	return c.Frame, Operation{Kind: free, Columns: append(place, -1, -1, -1), Sequence: "321"}, known
}

func (c pointMass) shape(*vehicle.Model) (Shape, []string) {
	return Shape{Kind: "ball", Size: [3]float64{0.02 * math.Cbrt(max(1, c.Mass.Value))}}, []string{c.Frame}
}

type rigidArm struct{ *component.RigidArm }

func (c rigidArm) step(*placer) (from, to string, step Operation, known bool) {
	at := pose{scalars(c.Translation), euler(c.Sequence, scalars(c.Angles))}
	return c.From, c.To, Operation{Kind: fixed, Constants: constantPose(at)}, true
}

func (c rigidArm) shape(*vehicle.Model) (Shape, []string) {
	return Shape{Kind: "line"}, []string{c.From, c.To}
}

type revolute struct{ *component.Revolute }

// shape is a hinge along the axis.
func (c revolute) shape(*vehicle.Model) (Shape, []string) {
	return Shape{Kind: "hinge", Size: along(c.Axis, 0.03)}, []string{c.From}
}

func (c revolute) step(p *placer) (from, to string, step Operation, known bool) {
	angle, known := p.column(c.Name + ".phi")
	return c.From, c.To, Operation{Kind: turning, Columns: []int{angle}, Constants: c.Axis[:]}, known
}

type prismatic struct{ *component.Prismatic }

func (c prismatic) step(p *placer) (from, to string, step Operation, known bool) {
	s, known := p.column(c.Name + ".s")
	return c.From, c.To, Operation{Kind: shift, Columns: []int{s}, Constants: c.Axis[:]}, known
}

func (c prismatic) spring() (Shape, []string) { return Shape{Kind: "spring"}, []string{c.From, c.To} }

// shape is a bar along a lateral axis, such as a rack.
func (c prismatic) shape(*vehicle.Model) (Shape, []string) {
	const mostly = 0.9
	if math.Abs(c.Axis[1]) < mostly {
		return Shape{}, nil
	}
	return Shape{Kind: "bar", Size: along(c.Axis, barLength/2)}, []string{c.To}
}

// barLength is the length of racks and slides [m].
const barLength = 0.3

type suspension struct{ *component.Suspension }

// step is the pose in which a suspension holds its head: displaced forward, outward and upward, and turned by toe-in,
// camber and castor about z, the new x and the new y. In ISO 8855, toe-in and camber with the top outward are opposite
// turns on both sides.
func (c suspension) step(p *placer) (from, to string, step Operation, known bool) {
	travel, known := p.column(c.Name + ".travel")
	second := -1
	for _, of := range []string{".travel", ".s", ".phi", ".wheel_angle", ".angle", ".position"} { // one of them is there
		if column, is := p.column(c.Second + of); is {
			second = column
			break
		}
	}
	outward := 1.0
	if c.Right {
		outward = -1
	}
	signs := [...]float64{1, outward, 1, -outward, -outward, -1}
	step = Operation{Kind: guide, Columns: []int{travel, second}, Sequence: "312"}
	for i, course := range c.Courses() {
		step.Courses = append(step.Courses, Course{Sign: signs[i], Curve: course.Curve, Surface: course.Surface,
			Own: course.Key == "z" && course.Curve == nil && course.Surface == nil})
	}
	return c.From, c.To, step, known
}

// spring stands above the carrier, from the chassis.
func (c suspension) spring() (Shape, []string) {
	const above = 0.35 // the carrier at travel 0 [m]
	return Shape{Kind: "spring", Size: [3]float64{0, 0, above}}, []string{c.From, c.To}
}

type spherical struct{ *component.Spherical }

func (c spherical) step(p *placer) (from, to string, step Operation, known bool) {
	angles, known := p.all(c.Name, "angle1", "angle2", "angle3")
	return c.From, c.To, Operation{Kind: free, Columns: append([]int{-1, -1, -1}, angles...), Sequence: c.Sequence}, known
}

func (c spherical) shape(*vehicle.Model) (Shape, []string) {
	return Shape{Kind: "ball", Size: [3]float64{0.012}}, []string{c.From}
}

type freeJoint struct{ *component.FreeJoint }

// step has the published angles of every free joint: 3-2-1, whatever the sequence of its coordinates is.
func (c freeJoint) step(p *placer) (from, to string, step Operation, known bool) {
	step, known = p.pose(c.Name)
	return c.From, c.To, step, known
}

type motionDriver struct{ *component.MotionDriver }

// step is the step of an input; identity if the input is not recorded.
func (c motionDriver) step(p *placer) (from, to string, step Operation, known bool) {
	if c.Translation {
		s, _ := p.column(c.Name + ".position")
		return c.From, c.To, Operation{Kind: shift, Columns: []int{s}, Constants: c.Axis[:]}, true
	}
	angle, _ := p.column(c.Name + ".angle")
	return c.From, c.To, Operation{Kind: turning, Columns: []int{angle}, Constants: c.Axis[:]}, true
}

// shape is a bar along a translation, such as a rack.
func (c motionDriver) shape(*vehicle.Model) (Shape, []string) {
	if !c.Translation {
		return Shape{}, nil
	}
	return Shape{Kind: "bar", Size: along(c.Axis, barLength/2)}, []string{c.To}
}

type bushing struct{ *component.Bushing }

// shape is a sleeve along the z axis of the bushing.
func (c bushing) shape(*vehicle.Model) (Shape, []string) {
	return Shape{Kind: "sleeve", Size: along(c.Axes[2], 0.025)}, []string{c.From}
}

type tire struct{ *component.Tire }

func (c tire) wheel() string { return c.Frame }

func (c tire) shape(*vehicle.Model) (Shape, []string) {
	return disc(c.UnloadedRadius.Value, widthOf(c.Tire), c.Force.Sizes["RIM_RADIUS"]), []string{c.Frame}
}

type rollingWheel struct{ *component.RollingWheel }

func (c rollingWheel) wheel() string { return c.Frame }

func (c rollingWheel) shape(*vehicle.Model) (Shape, []string) {
	return disc(c.Radius.Value, widthOf(c.RollingWheel), 0), []string{c.Frame}
}

type relaxedWheel struct{ *component.RelaxedWheel }

func (c relaxedWheel) wheel() string { return c.Frame }

func (c relaxedWheel) shape(*vehicle.Model) (Shape, []string) {
	return disc(c.Radius.Value, widthOf(c.RelaxedWheel), 0), []string{c.Frame}
}

// disc is a wheel. Without a radius of its rim it gets one as most tires have.
func disc(radius, width, rim float64) Shape {
	const usual = 0.62 // by the radius of the wheel
	if !(rim > 0 && rim < radius) {
		rim = usual * radius
	}
	return Shape{Kind: "wheel", Size: [3]float64{radius, width, rim}}
}

// widthOf is the width of a tire or of another wheel.
func widthOf(c component.Component) float64 {
	const least = 0.02
	switch w := c.(type) {
	case *component.Tire:
		return max(least, w.Width())
	case *component.RollingWheel:
		return max(least, 2*w.CrownRadius.Value)
	}
	return least
}

type springDamper struct{ *component.SpringDamper }

func (c springDamper) shape(m *vehicle.Model) (Shape, []string) {
	if c.Joint == "" {
		return Shape{Kind: "spring"}, []string{c.From, c.To}
	}
	first := slices.IndexFunc(m.Components, func(o component.Component) bool {
		s, is := o.(*component.SpringDamper)
		return is && s.Joint == c.Joint
	})
	if m.Components[first].Head().Name != c.Name { // one spring stands for all of the joint
		return Shape{}, nil
	}
	for _, other := range m.Components {
		if j, is := elementOf(other).(sprung); is && other.Head().Name == c.Joint {
			return j.spring()
		}
	}
	return Shape{}, nil
}

type rod struct{ *component.Rod }

func (c rod) shape(*vehicle.Model) (Shape, []string) {
	return Shape{Kind: "rod"}, []string{c.From, c.To}
}

type strut struct{ *component.Strut }

func (c strut) shape(*vehicle.Model) (Shape, []string) {
	return Shape{Kind: "rod"}, []string{c.From, c.To}
}

func (c strut) spring() (Shape, []string) { return Shape{Kind: "spring"}, []string{c.From, c.To} }

type planeRoad struct{ *component.Road }

func (c planeRoad) framePose(*placer) (frame string, at Operation, known bool) {
	return c.Frame, Operation{Kind: fixed, Constants: constantPose(pose{scalars(c.Translation), euler(c.Sequence,
		scalars(c.Angles))})}, true
}

func (c planeRoad) ground(*vehicle.Model) (*surface, error) {
	normal := pose{q: euler(c.Sequence, scalars(c.Angles))}.then(pose{vector{0, 0, 1}, unturned}).r
	origin := scalars(c.Translation)
	if normal[2] <= 1e-3 {
		return nil, nil
	}
	return &surface{at: func(x, y float64) road.Point {
		return road.Point{Height: origin[2] - (normal[0]*(x-origin[0])+normal[1]*(y-origin[1]))/normal[2], Friction: 1}
	}}, nil
}

type terrain struct{ *component.Terrain }

func (c terrain) framePose(*placer) (frame string, at Operation, known bool) {
	return c.Frame, Operation{Kind: fixed, Constants: constantPose(pose{q: unturned})}, true
}

func (c terrain) ground(m *vehicle.Model) (*surface, error) {
	opened, err := road.Open(c.Shape(), c.Friction.Shape(), vehicle.Opener(m.File))
	if err != nil {
		return nil, err
	}
	opened.Height, opened.SlopeX, opened.SlopeY = c.Height.Value, c.SlopeX.Value, c.SlopeY.Value
	opened.Left, opened.Right = c.Friction.Left.Value, c.Friction.Right.Value
	opened.Seed(uint64(c.Seed.Value))
	return &surface{
		at: func(x, y float64) road.Point {
			return opened.At(road.Query{X: x, Y: y, Above: math.Inf(1), Near: road.Unknown})
		},
		uneven: c.Kind != road.Flat && c.Kind != road.Plane,
		mapped: opened.Friction != nil || opened.Left != opened.Right,
	}, nil
}

func init() {
	know("rigid-body", func(c *component.RigidBody) any { return rigidBody{c} })
	know("point-mass", func(c *component.PointMass) any { return pointMass{c} })
	know("rigid-arm", func(c *component.RigidArm) any { return rigidArm{c} })
	know("weld", func(c *component.RigidArm) any { return rigidArm{c} })
	know("revolute", func(c *component.Revolute) any { return revolute{c} })
	know("prismatic", func(c *component.Prismatic) any { return prismatic{c} })
	know("suspension", func(c *component.Suspension) any { return suspension{c} })
	know("spherical", func(c *component.Spherical) any { return spherical{c} })
	know("free", func(c *component.FreeJoint) any { return freeJoint{c} })
	know("motion-driver", func(c *component.MotionDriver) any { return motionDriver{c} })
	know("bushing", func(c *component.Bushing) any { return bushing{c} })
	know("tire", func(c *component.Tire) any { return tire{c} })
	know("rolling-wheel", func(c *component.RollingWheel) any { return rollingWheel{c} })
	know("relaxed-wheel", func(c *component.RelaxedWheel) any { return relaxedWheel{c} })
	know("spring-damper", func(c *component.SpringDamper) any { return springDamper{c} })
	know("strut", func(c *component.Strut) any { return strut{c} })
	know("rod", func(c *component.Rod) any { return rod{c} })
	know("road", func(c *component.Road) any { return planeRoad{c} })
	know("terrain", func(c *component.Terrain) any { return terrain{c} })
}
