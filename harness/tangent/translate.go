package tangent

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"skidpad/model"
)

// Translate makes bodies and connections of a model that starts in steady straight motion. values are
// those of parameters and start values, by name, that replace the file's. Arms and welds make one
// body of what they hold. What cannot be expressed is refused.
func Translate(m *model.Model, values map[string]float64) (*Vehicle, error) {
	t := &translator{model: m, values: values, used: map[string]bool{}}
	t.gather()
	joints := t.joints()
	t.place(joints)
	v := &Vehicle{}
	for i, name := range [...]string{"gravity_x", "gravity_y", "gravity_z"} {
		*[...]*float64{&v.Gravity.X, &v.Gravity.Y, &v.Gravity.Z}[i] = t.scalar(name, m.Gravity[i])
	}
	if t.err != nil {
		return nil, fmt.Errorf("model %s: %w", m.Name, t.err)
	}
	t.bodies(v)
	for _, j := range joints {
		t.checkJoint(j)
	}
	for _, c := range m.Components {
		t.connect(v, c)
	}
	for _, c := range m.Components {
		t.observe(v, c)
	}
	if t.err == nil {
		t.err = t.unknown()
	}
	if t.err != nil {
		return nil, fmt.Errorf("model %s: %w", m.Name, t.err)
	}
	return v, nil
}

// bodies sums what the parts carry.
func (t *translator) bodies(v *Vehicle) {
	v.Bodies = make([]Body, len(t.parts)-1)
	lumps := make([][]*model.RigidBody, len(v.Bodies))
	for _, c := range t.model.Components {
		if c, is := c.(*model.RigidBody); is {
			if k := t.body(c.Frame); k != Ground {
				lumps[k] = append(lumps[k], c)
			}
		}
	}
	for k := range v.Bodies {
		b, p := &v.Bodies[k], &t.parts[k+1]
		b.Name = p.name
		var moment r3.Vec
		for i, c := range lumps[k] {
			if i == 0 {
				b.Name = c.Name
			}
			mass := t.scalar(c.Name+".mass", c.Mass)
			b.Mass += mass
			moment = r3.Add(moment, r3.Scale(mass, t.at(c.Frame).origin))
			b.AngularDamping += t.scalar(c.Name+".angular_damping", c.Damping)
		}
		b.Centre = p.motion.origin
		if b.Mass > 0 {
			b.Centre = r3.Scale(1/b.Mass, moment)
		}
		if r3.Norm(p.motion.spin) > meets { // less is rounding of the search for a steady motion
			b.Spin = p.motion.spin
		}
		b.Velocity = r3.Add(p.motion.velocity, r3.Cross(b.Spin, r3.Sub(b.Centre, p.motion.origin)))
		for _, c := range lumps[k] { // parallel axes
			f := t.at(c.Frame)
			away := tilde(r3.Sub(f.origin, b.Centre))
			own := f.axes.times(t.inertia(c)).times(f.axes.transposed())
			b.Inertia = b.Inertia.plus(own).plus(away.times(away).scaled(-t.scalar(c.Name+".mass", c.Mass)))
		}
	}
}

// inertia is the matrix of a body in its own axes.
func (t *translator) inertia(c *model.RigidBody) Matrix {
	name, j := c.Name+".inertia_", &c.Inertia
	if j.Axisymmetric {
		m := identity.scaled(t.scalar(name+"transverse", j.Transverse))
		m[j.Axis][j.Axis] = t.scalar(name+"axial", j.Axial)
		return m
	}
	xy, xz, yz := t.scalar(name+"xy", j.XY), t.scalar(name+"xz", j.XZ), t.scalar(name+"yz", j.YZ)
	return Matrix{{t.scalar(name+"xx", j.XX), xy, xz}, {xy, t.scalar(name+"yy", j.YY), yz}, {xz, yz, t.scalar(name+"zz", j.ZZ)}}
}

// meets is how closely joints must fit at the start [m, rad], and speeds [m/s, rad/s] for one of 1.
const meets = 1e-8

// checkJoint refuses a joint that closes a loop and does not fit the start values of the others.
func (t *translator) checkJoint(j joint) {
	want, got := t.at(j.from).then(j.relative), t.at(j.to)
	apart, slip, spin := r3.Sub(got.origin, want.origin), r3.Sub(got.velocity, want.velocity), r3.Sub(got.spin, want.spin)
	turn := got.axes.times(want.axes.transposed())
	off := turn.plus(identity.scaled(-1)).largest()
	switch c := j.component.(type) {
	case *model.Revolute:
		axis := t.at(j.from).axes.of(vec(c.Axis))
		spin, off = normalTo(axis).of(spin), r3.Norm(r3.Sub(turn.of(axis), axis))
	case *model.Prismatic:
		across := normalTo(t.at(j.from).axes.of(vec(c.Axis)))
		apart, slip = across.of(apart), across.of(slip)
	case *model.Spherical:
		spin, off = r3.Vec{}, 0
	}
	fast := 1 + r3.Norm(got.velocity) + r3.Norm(got.spin)
	if !(r3.Norm(apart) <= meets && off <= meets && r3.Norm(slip) <= meets*fast && r3.Norm(spin) <= meets*fast) {
		t.fail(j.component, "the start values do not fit this joint, which closes a loop: %.3g m and %.3g rad apart, %.3g m/s and %.3g rad/s", r3.Norm(apart), off, r3.Norm(slip), r3.Norm(spin))
	}
}

// connect adds what one component constrains and applies.
func (t *translator) connect(v *Vehicle, c model.Component) {
	name := c.Head().Name
	between := func(from, to string, axis [3]float64, forces, moments int) Constraint {
		return Constraint{Name: name, First: t.body(to), Second: t.body(from), Point: t.at(to).origin, Axis: t.at(from).axes.of(vec(axis)), Forces: forces, Moments: moments}
	}
	switch c := c.(type) {
	case *model.RigidBody, *model.RigidArm, *model.Road, *model.Sensor:
	case *model.Revolute:
		joint := between(c.From, c.To, c.Axis, 3, 2)
		v.Constraints = append(v.Constraints, joint)
		if c.Torque {
			t.torque(v, c, c.From, c.To, c.Axis)
		}
	case *model.Prismatic:
		v.Constraints = append(v.Constraints, between(c.From, c.To, c.Axis, 2, 3))
	case *model.Spherical:
		v.Constraints = append(v.Constraints, Constraint{Name: name, First: t.body(c.To), Second: t.body(c.From), Point: t.at(c.To).origin, Forces: 3})
	case *model.MotionDriver:
		driven := between(c.From, c.To, c.Axis, 3, 3)
		position := ".angle"
		if driven.Rotation = !c.Translation; c.Translation {
			position = ".position"
		}
		driven.Drive = &[3]string{name + position, name + ".rate", name + ".acceleration"}
		v.Constraints = append(v.Constraints, driven)
	case *model.TorqueDriver:
		if c.Brake {
			t.fail(c, "a brake acts against a spin, which is not linear; leave it out")
			return
		}
		t.torque(v, c, c.From, c.To, c.Axis)
	case *model.ForceDriver:
		from, to := t.at(c.From), t.at(c.To)
		t.carried(c, c.From, from.axes.of(vec(c.Axis)))
		v.Actuators = append(v.Actuators, Actuator{name + ".force", Action{First: t.body(c.To), Second: t.body(c.From), At: to.origin, AtSecond: from.origin, Direction: from.axes.of(vec(c.Axis))}})
	case *model.SpringDamper:
		t.spring(v, c)
	case *model.Rod:
		t.rod(v, c)
	case *model.SideForce:
		f := t.at(c.Frame)
		v.SideForces = append(v.SideForces, SideForce{name, t.body(c.Frame), f.origin, f.axes.column(1), t.scalar(name+".coefficient", c.Coefficient)})
	case *model.RollingWheel:
		t.rollingWheel(v, c)
	default:
		t.fail(c, "components of type %s have no place in this formulation, which knows rigid-body, rigid-arm, weld, revolute, prismatic, spherical, motion-driver, torque-driver, force-driver, spring-damper, rod, side-force, rolling-wheel, road and sensor", c.Head().Type)
	}
}

// carried refuses an axis that is fixed in a part that spins about another one.
func (t *translator) carried(c model.Component, from string, axis r3.Vec) {
	if f := t.at(from); r3.Norm(r3.Cross(f.spin, axis)) > meets*(1+r3.Norm(f.spin)) {
		t.fail(c, "its axis turns with the frame %s, which spins; let it belong to what does not spin", from)
	}
}

func (t *translator) torque(v *Vehicle, c model.Component, from, to string, axis [3]float64) {
	a := t.at(from).axes.of(vec(axis))
	t.carried(c, from, a)
	v.Actuators = append(v.Actuators, Actuator{c.Head().Name + ".torque", Action{First: t.body(to), Second: t.body(from), Moment: a}})
}

// spring adds a spring with the tension that it has at the start.
func (t *translator) spring(v *Vehicle, c *model.SpringDamper) {
	s := Spring{Name: c.Name, Stiffness: t.scalar(c.Name+".stiffness", c.Stiffness), Damping: t.scalar(c.Name+".damping", c.Damping)}
	t.scalar(c.Name+".quadratic_damping", c.QuadraticDamping) // nothing at rest, and without slope there
	free := t.scalar(c.Name+".free_length", c.FreeLength)
	from, to := c.From, c.To
	var axis [3]float64
	length := 0.0
	for _, other := range t.model.Components {
		if other.Head().Name != c.Joint {
			continue
		}
		switch j := other.(type) {
		case *model.Prismatic:
			s.Kind, from, to, axis = AlongAxis, j.From, j.To, j.Axis
		case *model.Revolute:
			s.Kind, from, to, axis = AboutAxis, j.From, j.To, j.Axis
			length = t.scalar(j.Name+".phi", j.Phi)
		}
	}
	tail, head := t.at(from), t.at(to)
	// tail and head are so that along and about axes First is the head
	s.First, s.Second, s.At, s.AtSecond, s.Axis = t.body(to), t.body(from), head.origin, tail.origin, tail.axes.of(vec(axis))
	switch s.Kind {
	case OnLine:
		length = r3.Norm(r3.Sub(head.origin, tail.origin))
	case AlongAxis:
		length = r3.Dot(s.Axis, r3.Sub(head.origin, tail.origin))
	}
	deflection := length - free
	if s.Kind == AboutAxis && math.Abs(deflection) <= meets {
		deflection = 0
	}
	s.Tension = s.Stiffness * deflection
	if c.SpringForce != nil {
		force, slope, _ := c.SpringForce.At(deflection)
		s.Tension, s.Stiffness = s.Tension+force, s.Stiffness+slope
	}
	if c.DamperForce != nil {
		force, slope, _ := c.DamperForce.At(0) // nothing changes its length in a steady motion
		s.Tension, s.Damping = s.Tension+force, s.Damping+slope
	}
	v.Springs = append(v.Springs, s)
}

func (t *translator) rod(v *Vehicle, c *model.Rod) {
	l := Link{c.Name, t.body(c.To), t.body(c.From), t.at(c.To).origin, t.at(c.From).origin}
	length, active := t.scalar(c.Name+".length", c.Length), t.scalar(c.Name+".active", c.Active)
	if found := r3.Norm(r3.Sub(l.At, l.AtSecond)); math.Abs(found-length) > meets {
		t.fail(c, "its ends are %.9g m apart at the start, its length is %.9g m", found, length)
	}
	switch active {
	case 1:
		v.Links = append(v.Links, l)
	case 0:
	default:
		t.fail(c, "active is %g; it must be 0 or 1 here", active)
	}
}

// rollingWheel adds a wheel that stands upright on its road and rolls.
func (t *translator) rollingWheel(v *Vehicle, c *model.RollingWheel) {
	wheel, road := t.at(c.Frame), t.at(c.Road)
	radius, crown := t.scalar(c.Name+".radius", c.Radius), t.scalar(c.Name+".crown_radius", c.CrownRadius)
	normal, axis := road.axes.column(2), wheel.axes.column(1)
	body := t.body(c.Frame)
	height := r3.Dot(normal, r3.Sub(wheel.origin, road.origin))
	switch {
	case t.body(c.Road) != Ground:
		t.fail(c, "its road %s moves; let it be fixed to ground", c.Road)
	case body == Ground:
		t.fail(c, "its wheel %s is fixed to ground", c.Frame)
	case math.Abs(r3.Dot(normal, axis)) > meets:
		t.fail(c, "the wheel leans by %.6g rad at the start; it must be upright", math.Asin(max(-1, min(1, r3.Dot(normal, axis)))))
	case math.Abs(height-radius) > meets:
		t.fail(c, "the centre of the wheel is %.9g m above the road at the start, its radius is %.9g m", height, radius)
	default:
		t.carried(c, c.Frame, axis)
		v.Constraints = append(v.Constraints, RollingWheel(c.Name, body, r3.Sub(wheel.origin, r3.Scale(radius, normal)), axis, crown)...)
	}
}
