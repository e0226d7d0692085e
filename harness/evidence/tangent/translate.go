package tangent

import (
	"fmt"

	"gonum.org/v1/gonum/spatial/r3"

	"skidpad/model/component"
	"skidpad/model/vehicle"
)

// Translate makes bodies and connections of a model that starts in steady straight motion. values replace parameters
// and start values of the file by name. Frames that arms and welds hold together become one body. Translate rejects
// components that it cannot express.
func Translate(m *vehicle.Model, values map[string]float64) (*Vehicle, error) {
	t := &translator{model: m, values: values, used: map[string]bool{}}
	for _, c := range m.Components {
		t.elements = append(t.elements, elementOf(c))
	}
	t.gather()
	joints := t.joints()
	t.computeMotions(joints)
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
	for _, e := range t.elements {
		e.connect(t, v)
	}
	for i, e := range t.elements {
		if e, is := e.(observed); is {
			name := m.Components[i].Head().Name
			e.observe(t, v, func(quantity string, q Quantity, gain float64, a Action) {
				v.Sensors = append(v.Sensors, Sensor{Name: name + quantity, Quantity: q, Gain: gain, Action: a})
			})
		}
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
	lumps := make([][]*component.RigidBody, len(v.Bodies))
	for _, e := range t.elements {
		if e, is := e.(bodied); is {
			if k := t.body(e.body().Frame); k != Ground {
				lumps[k] = append(lumps[k], e.body())
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

// meets is the largest misfit of a joint at the start [m, rad]. The largest misfit of speeds [m/s, rad/s] is meets
// times 1 + velocity + angular velocity.
const meets = 1e-8

// misfit is the difference between the head of a joint and its position according to its tail and the start values.
type misfit struct {
	gap, slip, spin r3.Vec
	turn            Matrix
	off             float64 // of the turn
}

// checkJoint refuses a joint that closes a loop and does not fit the start values of the others.
func (t *translator) checkJoint(j joint) {
	want, got := t.at(j.from).then(j.relative), t.at(j.to)
	m := misfit{
		gap: r3.Sub(got.origin, want.origin), slip: r3.Sub(got.velocity, want.velocity),
		spin: r3.Sub(got.spin, want.spin), turn: got.axes.times(want.axes.transposed()),
	}
	m.off = m.turn.plus(identity.scaled(-1)).largest()
	if c, is := j.component.(freed); is {
		c.free(t, &m)
	}
	fast := 1 + r3.Norm(got.velocity) + r3.Norm(got.spin)
	gap, slip, spin := r3.Norm(m.gap), r3.Norm(m.slip), r3.Norm(m.spin)
	if !(gap <= meets && m.off <= meets && slip <= meets*fast && spin <= meets*fast) {
		t.fail(j.component, "the start values do not fit this joint, which closes a loop: "+
			"%.3g m and %.3g rad apart, %.3g m/s and %.3g rad/s", gap, m.off, slip, spin)
	}
}
