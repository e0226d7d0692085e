package tangent

import (
	"math"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/spatial/r3"

	"skidpad/model/component"
)

// rigidBody is a body with its frame at the centre of mass.
type rigidBody struct{ *component.RigidBody }

func init() { know("rigid-body", func(c *component.RigidBody) element { return rigidBody{c} }) }

func (rigidBody) connect(*translator, *Vehicle) {}

func (c rigidBody) body() *component.RigidBody { return c.RigidBody }

// observe adds place, angles, velocity, angular velocity and acceleration of a body that does not spin.
func (c rigidBody) observe(t *translator, v *Vehicle, sense sense) {
	body := t.body(c.Frame)
	f := t.at(c.Frame)
	if body == Ground || v.Bodies[body].Spin != (r3.Vec{}) {
		return
	}
	for i := range 3 {
		own := f.axes.column(i)
		along := Action{First: body, Second: Ground, At: f.origin, Direction: own}
		position := Action{First: body, Second: Ground, At: f.origin, Direction: identity.column(i)}
		sense(positionNames[i], Displacement, 1, position)
		sense(velocityNames[i], Velocity, 1, along)
		sense(spinNames[i], Velocity, 1, Action{First: body, Second: Ground, Moment: own})
		sense([...]string{".ax", ".ay", ".az"}[i], SecondRate, 1, along)
	}
	observeAngles(body, f.axes, "321", yawPitchRoll, sense)
	if c.Sequence != "321" {
		observeAngles(body, f.axes, c.Sequence, angleNames, sense)
	}
}

// inertia is the matrix of a body in its own axes.
func (t *translator) inertia(c *component.RigidBody) Matrix {
	name, j := c.Name+".inertia_", &c.Inertia
	if j.Axisymmetric {
		m := identity.scaled(t.scalar(name+"transverse", j.Transverse))
		m[j.Axis][j.Axis] = t.scalar(name+"axial", j.Axial)
		return m
	}
	xy, xz, yz := t.scalar(name+"xy", j.XY), t.scalar(name+"xz", j.XZ), t.scalar(name+"yz", j.YZ)
	xx, yy, zz := t.scalar(name+"xx", j.XX), t.scalar(name+"yy", j.YY), t.scalar(name+"zz", j.ZZ)
	return Matrix{{xx, xy, xz}, {xy, yy, yz}, {xz, yz, zz}}
}

// freeStart is the start of a free body.
func (t *translator) freeStart(c *component.RigidBody) frame {
	names := angleNames
	if c.Sequence == "321" {
		names = yawPitchRoll
	}
	axes := sequenced(c.Sequence, t.vector(c.Name, names, c.Start.Angles))
	return frame{
		origin:   vec(t.vector(c.Name, positionNames, c.Start.Position)),
		axes:     axes,
		velocity: axes.of(vec(t.vector(c.Name, velocityNames, c.Start.Velocity))),
		spin:     axes.of(vec(t.vector(c.Name, spinNames, c.Start.AngularVelocity))),
	}
}

// observeAngles adds the angles of a rotation sequence. Its axes are such that each small rotation changes one angle
// only.
func observeAngles(body int, axes Matrix, order string, names [3]string, sense sense) {
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
		moment := r3.Vec{X: inverse.At(i, 0), Y: inverse.At(i, 1), Z: inverse.At(i, 2)}
		sense(name, Displacement, 1, Action{First: body, Second: Ground, Moment: moment})
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
		angles[0] = math.Atan2(axes[j][i], -sign*axes[third][i])
		angles[1] = math.Acos(max(-1, min(1, axes[i][i])))
		angles[2] = math.Atan2(axes[i][j], sign*axes[i][third])
		return angles, math.Abs(math.Sin(angles[1])) > 1e-9
	}
	angles[0] = math.Atan2(-sign*axes[j][k], axes[k][k])
	angles[1] = math.Asin(max(-1, min(1, sign*axes[i][k])))
	angles[2] = math.Atan2(-sign*axes[i][j], axes[i][i])
	return angles, math.Cos(angles[1]) > 1e-9
}
