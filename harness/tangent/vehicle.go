package tangent

import (
	"errors"
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/spatial/r3"
)

// Ground is the body that does not move.
const Ground = -1

// Vehicle is what moves steadily: bodies and what connects them. Bodies are named by their place in
// the list, or Ground. All vectors are resolved in ground, all points are places in ground at the
// steady motion.
type Vehicle struct {
	Gravity     r3.Vec // m/s^2
	Bodies      []Body
	Constraints []Constraint
	Links       []Link
	Springs     []Spring
	SideForces  []SideForce
	Loads       []Load
	Actuators   []Actuator
	Sensors     []Sensor
}

// Body is a rigid body that moves with a constant velocity, and perhaps spins about an axis about
// which it is symmetric.
type Body struct {
	Name           string
	Mass           float64 // kg
	Inertia        Matrix  // kg m^2, about the centre of mass; off-diagonal elements are minus the products of inertia
	Centre         r3.Vec  // m, centre of mass
	Velocity       r3.Vec  // m/s, of the centre of mass
	Spin           r3.Vec  // rad/s
	AngularDamping float64 // N m s/rad, moment against the angular velocity
}

// Action is what acts between two bodies: a force at a point of each and a moment, on First, and
// the opposite on Second. Its row of twelve numbers for each body is, for displacements, what they
// do along it.
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
	// Contact: First rolls on Second, and the point does not turn with its spin about Axis. It is
	// Crown [m] further below the point that is fixed in its frame: 0 but for a torus.
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

// Quantity is what a sensor measures.
type Quantity uint8

// The quantities of 4.4: p, w, p' = w - V p, w' and p”.
const (
	Displacement Quantity = iota
	Velocity
	Rate
	Acceleration
	SecondRate
)

// RollingWheel are the constraints of a wheel that rolls on flat ground without slip, in a point
// below its centre; axis is a horizontal unit vector, that of the spin. crown [m] is the radius of
// the cross-section of a torus, 0 of a disc.
func RollingWheel(name string, body int, point, axis r3.Vec, crown float64) []Constraint {
	return []Constraint{
		{Name: name, First: body, Second: Ground, Point: point, Axis: axis, Forces: 2, Contact: true, Crown: crown},
		{Name: name + " (side slip)", First: body, Second: Ground, Point: point, Axis: axis, Forces: 1, Nonholonomic: true, Contact: true},
	}
}

// size is the number of positions, and that of velocities.
func (v *Vehicle) size() int { return 6 * len(v.Bodies) }

// arm leads from the centre of mass of a body to a point.
func (v *Vehicle) arm(body int, point r3.Vec) r3.Vec { return r3.Sub(point, v.Bodies[body].Centre) }

// name is that of a body.
func (v *Vehicle) name(body int) string {
	if body == Ground {
		return "ground"
	}
	return v.Bodies[body].Name
}

// row is that of an action, [d^T, (r x d + a)^T | -d^T, -(r x d + a)^T]: J of section 4.1.
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

// actions are those of a constraint, one a row: forces, then moments.
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

// action is that of a link: a compression of one.
func (l *Link) action() Action {
	return Action{First: l.First, Second: l.Second, At: l.At, AtSecond: l.AtSecond, Direction: r3.Unit(r3.Sub(l.At, l.AtSecond))}
}

// action is that of a spring, along which displacements make it longer; a tension acts against it.
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

// check refuses what is no body or no steady motion.
func (v *Vehicle) check() error {
	var errs []error
	fault := func(format string, args ...any) { errs = append(errs, fmt.Errorf(format, args...)) }
	if len(v.Bodies) == 0 {
		fault("there is no body")
	}
	for i := range v.Bodies {
		b := &v.Bodies[i]
		if !(b.Mass >= 0) || math.IsInf(b.Mass, 0) {
			fault("%s: the mass is %g kg; it must not be negative", b.Name, b.Mass)
		}
		if least, ok := leastMoment(b.Inertia); !ok || !(least >= -1e-9*b.Inertia.largest()) {
			fault("%s: the inertia is not that of a body: its least principal moment is %.6g kg m2; the matrix must be symmetric and none of them negative", b.Name, least)
		}
		if b.AngularDamping != 0 && b.Spin != (r3.Vec{}) {
			fault("%s: it spins against its angular damping, which is no steady motion without a drive", b.Name)
		}
		h := b.Inertia.of(b.Spin)
		if size := r3.Norm(r3.Cross(b.Spin, h)); size > 1e-9*(1+r3.Norm(h)) || !symmetric(b.Inertia, b.Spin) {
			fault("%s: it spins with (%.4g, %.4g, %.4g) rad/s about an axis about which it is not symmetric; let what spins be a body of revolution", b.Name, b.Spin.X, b.Spin.Y, b.Spin.Z)
		}
	}
	if len(errs) == 0 {
		v.checkConnections(fault)
	}
	return errors.Join(errs...)
}

// checkConnections refuses connections that are none, or that do not stay what they are when bodies
// move steadily.
func (v *Vehicle) checkConnections(fault func(format string, args ...any)) {
	known := func(what string, bodies ...int) bool {
		for _, b := range bodies {
			if b < Ground || b >= len(v.Bodies) {
				fault("%s: there is no body %d; there are %d, and ground is %d", what, b, len(v.Bodies), Ground)
				return false
			}
		}
		return true
	}
	unit := func(what string, a r3.Vec) bool {
		ok := math.Abs(r3.Norm(a)-1) <= 1e-9
		if !ok {
			fault("%s: the axis (%g, %g, %g) is no unit vector", what, a.X, a.Y, a.Z)
		}
		return ok
	}
	// ends must be apart, and move alike, so that the line between them stays as it is
	line := func(what string, first, second int, at, atSecond r3.Vec) {
		if r3.Norm(r3.Sub(at, atSecond)) == 0 {
			fault("%s: its ends coincide, so that it has no direction", what)
		}
		if d := r3.Sub(v.velocity(first, at), v.velocity(second, atSecond)); !v.slow(d) {
			fault("%s: its ends move with (%.4g, %.4g, %.4g) m/s against each other, which is no steady motion", what, d.X, d.Y, d.Z)
		}
	}
	// a direction that is fixed in a body must be the axis of its spin, if it has one
	fixed := func(what string, body int, direction r3.Vec) {
		if body != Ground && !v.slow(r3.Cross(v.Bodies[body].Spin, direction)) {
			fault("%s: its axis turns with %s, which spins; let it belong to what does not spin", what, v.Bodies[body].Name)
		}
	}
	still := func(what string, body int, point r3.Vec) {
		if body != Ground && !v.slow(r3.Cross(v.Bodies[body].Spin, v.arm(body, point))) {
			fault("%s: its point on %s goes round with its spin; let it be on the axis", what, v.Bodies[body].Name)
		}
	}
	for i := range v.Constraints {
		c := &v.Constraints[i]
		if !known(c.Name, c.First, c.Second) {
			continue
		}
		if (c.Forces%3 != 0 || c.Moments%3 != 0 || c.Contact || c.Drive != nil) && !unit(c.Name, c.Axis) {
			continue
		}
		if c.Forces < 0 || c.Forces > 3 || c.Moments < 0 || c.Moments > 3 || c.Forces+c.Moments == 0 || c.Drive != nil && (c.Forces+c.Moments != 6 || c.Nonholonomic) {
			fault("%s: %d forces and %d moments: each is 0 to 3, not both are 0, and what is driven has all", c.Name, c.Forces, c.Moments)
		}
		if c.Contact {
			if c.First == Ground || c.Second != Ground || c.Moments > 0 {
				fault("%s: a contact is a point where a body rolls on ground, without moments", c.Name)
			} else if slip := v.velocity(c.First, c.Point); !v.slow(slip) {
				fault("%s: its point moves with (%.4g, %.4g, %.4g) m/s; a wheel that rolls does not slip: give it the speed and the spin that go together", c.Name, slip.X, slip.Y, slip.Z)
			}
			continue
		}
		if c.Forces == 3 {
			if d := r3.Sub(v.velocity(c.First, c.Point), v.velocity(c.Second, c.Point)); !v.slow(d) {
				fault("%s: its bodies move there with (%.4g, %.4g, %.4g) m/s against each other; give them velocities that go together", c.Name, d.X, d.Y, d.Z)
			}
		}
		fixed(c.Name, c.Second, c.Axis)
	}
	for i := range v.Links {
		if l := &v.Links[i]; known(l.Name, l.First, l.Second) {
			line(l.Name, l.First, l.Second, l.At, l.AtSecond)
		}
	}
	for i := range v.Springs {
		s := &v.Springs[i]
		switch {
		case !known(s.Name, s.First, s.Second):
		case s.Unknown && !(s.Stiffness > 0):
			fault("%s: its tension is to be found, so that its stiffness must be above 0, not %g N/m", s.Name, s.Stiffness)
		case s.Kind == OnLine:
			line(s.Name, s.First, s.Second, s.At, s.AtSecond)
		case !unit(s.Name, s.Axis):
		case s.Kind == AboutAxis && (s.Tension != 0 || s.Unknown):
			fault("%s: a torsion spring with a moment at the steady motion (%g N m) cannot be expressed; change its free angle", s.Name, s.Tension)
		case s.Kind == AboutAxis:
			if turning := r3.Dot(s.Axis, r3.Sub(v.spin(s.First), v.spin(s.Second))); s.Damping != 0 && !v.slow(r3.Scale(turning, s.Axis)) {
				fault("%s: it is turned with %.4g rad/s against its damping, which is no steady motion without a drive", s.Name, turning)
			}
		default:
			fixed(s.Name, s.Second, s.Axis)
			still(s.Name, s.First, s.At)
			if d := r3.Dot(s.Axis, r3.Sub(v.velocity(s.First, s.At), v.velocity(s.Second, s.At))); !v.slow(r3.Scale(d, s.Axis)) {
				fault("%s: its ends move with %.4g m/s against each other, which is no steady motion", s.Name, d)
			}
		}
	}
	for i := range v.SideForces {
		s := &v.SideForces[i]
		if known(s.Name, s.Body) && unit(s.Name, s.Direction) && s.Body != Ground {
			fixed(s.Name, s.Body, s.Direction)
			still(s.Name, s.Body, s.Point)
			if slip := r3.Dot(s.Direction, v.velocity(s.Body, s.Point)); !v.slow(r3.Scale(slip, s.Direction)) {
				fault("%s: it slips with %.4g m/s, which is no steady motion straight on", s.Name, slip)
			}
		}
	}
	for i := range v.Loads {
		if l := &v.Loads[i]; known(l.Name, l.Body) {
			still(l.Name, l.Body, l.Point)
		}
	}
	for i := range v.Actuators {
		if a := &v.Actuators[i]; known(a.Name, a.First, a.Second) && a.Direction != (r3.Vec{}) {
			still(a.Name, a.First, a.At)
			still(a.Name, a.Second, a.AtSecond)
		}
	}
	for i := range v.Sensors {
		known(v.Sensors[i].Name, v.Sensors[i].First, v.Sensors[i].Second)
	}
}

// velocity is that of a point of a body at the steady motion.
func (v *Vehicle) velocity(body int, point r3.Vec) r3.Vec {
	if body == Ground {
		return r3.Vec{}
	}
	return r3.Add(v.Bodies[body].Velocity, r3.Cross(v.Bodies[body].Spin, v.arm(body, point)))
}

func (v *Vehicle) spin(body int) r3.Vec {
	if body == Ground {
		return r3.Vec{}
	}
	return v.Bodies[body].Spin
}

// slow tells whether a velocity, or what a spin makes of a length, is nothing but rounding.
func (v *Vehicle) slow(velocity r3.Vec) bool {
	fastest := 1.0
	for i := range v.Bodies {
		fastest = max(fastest, r3.Norm(v.Bodies[i].Velocity), r3.Norm(v.Bodies[i].Spin))
	}
	return r3.Norm(velocity) <= 1e-8*fastest
}

// leastMoment is the least eigenvalue of an inertia; not ok if that is not symmetric.
func leastMoment(j Matrix) (least float64, ok bool) {
	s := mat.NewSymDense(3, nil)
	for i := range j {
		for k := range j[i] {
			if !(math.Abs(j[i][k]-j[k][i]) <= 1e-9*j.largest()) {
				return math.NaN(), false
			}
			s.SetSym(i, k, j[i][k])
		}
	}
	var e mat.EigenSym
	if !e.Factorize(s, false) {
		return math.NaN(), false
	}
	return e.Values(nil)[0], true
}

// symmetric tells whether a body looks the same however it is turned about its spin.
func symmetric(j Matrix, spin r3.Vec) bool {
	if r3.Norm(spin) == 0 {
		return true
	}
	n, b := perpendicular(r3.Unit(spin))
	allowed := 1e-9 * j.largest()
	return math.Abs(r3.Dot(n, j.of(n))-r3.Dot(b, j.of(b))) <= allowed && math.Abs(r3.Dot(n, j.of(b))) <= allowed
}
