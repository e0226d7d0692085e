package tangent

import "gonum.org/v1/gonum/spatial/r3"

// Ground is the body that does not move.
const Ground = -1

// Vehicle consists of bodies in steady motion and their connections. A body is an index into Bodies, or Ground. All
// vectors are resolved in ground; all points are positions in ground at the steady motion.
type Vehicle struct {
	Gravity     r3.Vec // m/s^2
	Bodies      []Body
	Constraints []Constraint
	Links       []Link
	Springs     []Spring
	Bushings    []Bushing
	SideForces  []SideForce
	Loads       []Load
	Actuators   []Actuator
	Sensors     []Sensor
}

// Body is a rigid body with a constant velocity; it can spin about an axis of symmetry.
type Body struct {
	Name           string
	Mass           float64 // kg
	Inertia        Matrix  // kg m^2, about the centre of mass; off-diagonal elements are minus the products of inertia
	Centre         r3.Vec  // m, centre of mass
	Velocity       r3.Vec  // m/s, of the centre of mass
	Spin           r3.Vec  // rad/s
	AngularDamping float64 // N m s/rad, moment against the angular velocity
}

// Action acts between two bodies: a force at a point of each and a moment, on First, and the opposite on Second. Its
// row of twelve numbers for each body maps displacements to the motion along the action.
type Action struct {
	First, Second     int
	At, AtSecond      r3.Vec
	Direction, Moment r3.Vec
}

// Constraint holds two bodies together at a point (4.1). Forces is 0, 1 (along the axis), 2 (normal
// to it) or 3, and so is Moments. Directions of one or two forces turn with Second.
type Constraint struct {
	Name            string
	First, Second   int
	Point, Axis     r3.Vec // Axis is a unit vector
	Forces, Moments int
	Nonholonomic    bool
	// Contact: First rolls on Second, and the point does not turn with its spin about Axis. The contact point is Crown
	// [m] below the point that is fixed in the frame of First: 0 except for a torus.
	Contact bool
	Crown   float64
	// Drive is the prescribed motion of First relative to Second along, or about, Axis: the names of
	// the inputs position, rate and acceleration. Forces and Moments must both be 3.
	Drive    *[3]string
	Rotation bool
}

// Link is a rigid massless rod between a point of First and one of Second.
type Link struct {
	Name          string
	First, Second int
	At, AtSecond  r3.Vec
}

// Spring is a spring with a damper between two bodies.
type Spring struct {
	Name               string
	Kind               SpringKind
	First, Second      int
	At, AtSecond       r3.Vec  // OnLine: its ends; AlongAxis: At is where it acts on both
	Axis               r3.Vec  // AlongAxis, AboutAxis: a unit vector that turns with Second
	Stiffness, Damping float64 // N/m, N s/m, or N m/rad, N m s/rad
	Tension            float64 // N at the steady motion, positive where it pulls
	// Unknown: Tension is not given; the equilibrium tells it.
	Unknown bool
}

// SpringKind says what a spring resists.
type SpringKind uint8

// A spring resists a change of the distance of two points, or a displacement of First relative to
// Second along or about an axis.
const (
	OnLine SpringKind = iota
	AlongAxis
	AboutAxis
)

// SideForce is a tire as a damper (2.3): against the velocity of a point of a body along a direction
// that is fixed in its frame.
type SideForce struct {
	Name             string
	Body             int
	Point, Direction r3.Vec
	Coefficient      float64 // N s/m
}

// Load is a constant force at a point of a body, and a semi-tangential moment (3.2).
type Load struct {
	Name          string
	Body          int
	Point         r3.Vec
	Force, Moment r3.Vec // N, N m
}

// Actuator applies its action times an input.
type Actuator struct {
	Name string
	Action
}

// Sensor is an output: Gain times what a quantity of its two bodies is along an action.
type Sensor struct {
	Name     string
	Quantity Quantity
	Gain     float64
	Action
}

// Quantity is the kind of measurement of a sensor.
type Quantity uint8

// The quantities of 4.4: p, w, p' = w - V p, w' and p”.
const (
	Displacement Quantity = iota
	Velocity
	Rate
	Acceleration
	SecondRate
)

// RollingWheel returns the constraints of a wheel that rolls on flat ground without slip, at a point below its centre.
// axis is the horizontal unit vector of the spin axis. crown [m] is the radius of the cross-section of a torus, 0 for a
// disc.
func RollingWheel(name string, body int, point, axis r3.Vec, crown float64) []Constraint {
	return []Constraint{
		{Name: name, First: body, Second: Ground, Point: point, Axis: axis, Forces: 2, Contact: true, Crown: crown},
		{Name: name + " (side slip)", First: body, Second: Ground, Point: point, Axis: axis, Forces: 1, Nonholonomic: true,
			Contact: true},
	}
}

// size is the number of positions, and that of velocities.
func (v *Vehicle) size() int { return 6 * len(v.Bodies) }

// arm leads from the centre of mass of a body to a point.
func (v *Vehicle) arm(body int, point r3.Vec) r3.Vec { return r3.Sub(point, v.Bodies[body].Centre) }

// name returns the name of a body.
func (v *Vehicle) name(body int) string {
	if body == Ground {
		return "ground"
	}
	return v.Bodies[body].Name
}

// row is the row of an action, [d^T, (r x d + a)^T | -d^T, -(r x d + a)^T]: J of section 4.1.
func (v *Vehicle) row(a Action) []float64 {
	row := make([]float64, v.size())
	for _, end := range []struct {
		body int
		at   r3.Vec
		sign float64
	}{{a.First, a.At, 1}, {a.Second, a.AtSecond, -1}} {
		if end.body == Ground {
			continue
		}
		d, t := components(a.Direction), components(r3.Add(r3.Cross(v.arm(end.body, end.at), a.Direction), a.Moment))
		for i := range 3 {
			row[6*end.body+i] += end.sign * d[i]
			row[6*end.body+3+i] += end.sign * t[i]
		}
	}
	return row
}

// actions lists the actions of a constraint, one per row: forces, then moments.
func (c *Constraint) actions() []Action {
	var list []Action
	for _, d := range directions(c.Axis, c.Forces) {
		list = append(list, Action{First: c.First, Second: c.Second, At: c.Point, AtSecond: c.Point, Direction: d})
	}
	for _, a := range directions(c.Axis, c.Moments) {
		list = append(list, Action{First: c.First, Second: c.Second, Moment: a})
	}
	return list
}

// driven is the number of the action of a constraint that is prescribed, -1 for none.
func (c *Constraint) driven() int {
	switch {
	case c.Drive == nil:
		return -1
	case c.Rotation:
		return c.Forces
	}
	return 0
}

// action is the action of a link: a compression of 1.
func (l *Link) action() Action {
	return Action{First: l.First, Second: l.Second, At: l.At, AtSecond: l.AtSecond,
		Direction: r3.Unit(r3.Sub(l.At, l.AtSecond))}
}

// action is the action of a spring: displacements along it extend the spring; a tension acts against it.
func (s *Spring) action() Action {
	a := Action{First: s.First, Second: s.Second, At: s.At, AtSecond: s.At, Direction: s.Axis}
	switch s.Kind {
	case OnLine:
		a.AtSecond, a.Direction = s.AtSecond, r3.Unit(r3.Sub(s.At, s.AtSecond))
	case AboutAxis:
		a.Direction, a.Moment = r3.Vec{}, s.Axis
	}
	return a
}
