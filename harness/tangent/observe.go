package tangent

import (
	"math"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/spatial/r3"

	"skidpad/model"
)

// observe adds what a component publishes that is linear in the departures, under the names of the
// model: place, angles, velocity, angular velocity and acceleration of bodies that do not spin,
// coordinates and rates of joints, forces of side forces and length of springs.
func (t *translator) observe(v *Vehicle, c model.Component) {
	sense := func(name string, q Quantity, gain float64, a Action) {
		v.Sensors = append(v.Sensors, Sensor{Name: c.Head().Name + name, Quantity: q, Gain: gain, Action: a})
	}
	switch c := c.(type) {
	case *model.RigidBody:
		body := t.body(c.Frame)
		f := t.at(c.Frame)
		if body == Ground || v.Bodies[body].Spin != (r3.Vec{}) {
			return
		}
		for i := range 3 {
			own := f.axes.column(i)
			along := Action{First: body, Second: Ground, At: f.origin, Direction: own}
			sense(positionNames[i], Displacement, 1, Action{First: body, Second: Ground, At: f.origin, Direction: identity.column(i)})
			sense(velocityNames[i], Velocity, 1, along)
			sense(spinNames[i], Velocity, 1, Action{First: body, Second: Ground, Moment: own})
			sense([...]string{".ax", ".ay", ".az"}[i], SecondRate, 1, along)
		}
		t.observeAngles(c, body, f.axes, "321", yawPitchRoll, sense)
		if c.Sequence != "321" {
			t.observeAngles(c, body, f.axes, c.Sequence, angleNames, sense)
		}
	case *model.Revolute:
		a := Action{First: t.body(c.To), Second: t.body(c.From), Moment: t.at(c.From).axes.of(vec(c.Axis))}
		sense(".phi", Displacement, 1, a)
		sense(".omega", Rate, 1, a)
	case *model.Prismatic:
		point := t.at(c.To).origin
		a := Action{First: t.body(c.To), Second: t.body(c.From), At: point, AtSecond: point, Direction: t.at(c.From).axes.of(vec(c.Axis))}
		sense(".s", Displacement, 1, a)
		sense(".s_dot", Rate, 1, a)
	case *model.SideForce:
		f := t.at(c.Frame)
		sense(".force", Velocity, -t.scalar(c.Name+".coefficient", c.Coefficient), Action{First: t.body(c.Frame), Second: Ground, At: f.origin, Direction: f.axes.column(1)})
	case *model.SpringDamper:
		for i := range v.Springs {
			if s := &v.Springs[i]; s.Name == c.Name && s.Kind != AboutAxis {
				sense(".length", Displacement, 1, s.action())
			}
		}
	}
}

// observeAngles adds the angles of a sequence of turns, for axes at which small turns change them
// one by one.
func (t *translator) observeAngles(c *model.RigidBody, body int, axes Matrix, order string, names [3]string, sense func(name string, q Quantity, gain float64, a Action)) {
	angles, ok := turns(axes, order)
	if !ok {
		return
	}
	about := mat.NewDense(3, 3, nil) // its columns are the axes of the three turns, in ground
	before := identity
	for i, angle := range angles {
		axis := identity.column(int(order[i] - '1'))
		for k, x := range components(before.of(axis)) {
			about.Set(k, i, x)
		}
		before = before.times(turned(angle, axis))
	}
	var inverse mat.Dense
	if inverse.Inverse(about) != nil {
		return // turned so far that an angle is not determined
	}
	for i, name := range names {
		sense(name, Displacement, 1, Action{First: body, Second: Ground, Moment: r3.Vec{X: inverse.At(i, 0), Y: inverse.At(i, 1), Z: inverse.At(i, 2)}})
	}
}

// turns are the angles of a sequence that leads to axes; not ok where the first and the third turn
// are about the same line.
func turns(axes Matrix, order string) (angles [3]float64, ok bool) {
	i, j, k := int(order[0]-'1'), int(order[1]-'1'), int(order[2]-'1')
	third, sign := 3-i-j, -1.0
	if (i+1)%3 == j {
		sign = 1
	}
	if i == k {
		angles = [3]float64{math.Atan2(axes[j][i], -sign*axes[third][i]), math.Acos(max(-1, min(1, axes[i][i]))), math.Atan2(axes[i][j], sign*axes[i][third])}
		return angles, math.Abs(math.Sin(angles[1])) > 1e-9
	}
	angles = [3]float64{math.Atan2(-sign*axes[j][k], axes[k][k]), math.Asin(max(-1, min(1, sign*axes[i][k]))), math.Atan2(-sign*axes[i][j], axes[i][i])}
	return angles, math.Cos(angles[1]) > 1e-9
}
