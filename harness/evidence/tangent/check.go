package tangent

import (
	"errors"
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/spatial/r3"
)

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
			fault("%s: the inertia is not that of a body: its least principal moment is %.6g kg m2; "+
				"the matrix must be symmetric and none of them negative", b.Name, least)
		}
		if b.AngularDamping != 0 && b.Spin != (r3.Vec{}) {
			fault("%s: it spins against its angular damping, which is not a steady state without a drive", b.Name)
		}
		h := b.Inertia.of(b.Spin)
		if size := r3.Norm(r3.Cross(b.Spin, h)); size > 1e-9*(1+r3.Norm(h)) || !symmetric(b.Inertia, b.Spin) {
			fault("%s: it spins with (%.4g, %.4g, %.4g) rad/s about an axis about which it is not symmetric; "+
				"make the spinning body a body of revolution", b.Name, b.Spin.X, b.Spin.Y, b.Spin.Z)
		}
	}
	if len(errs) == 0 {
		(&checker{v, fault}).connections()
	}
	return errors.Join(errs...)
}

// checker rejects invalid connections and connections that change during the steady motion.
type checker struct {
	*Vehicle
	fault func(format string, args ...any)
}

func (v *checker) connections() {
	for i := range v.Constraints {
		v.constraint(&v.Constraints[i])
	}
	for i := range v.Links {
		if l := &v.Links[i]; v.known(l.Name, l.First, l.Second) {
			v.line(l.Name, l.First, l.Second, l.At, l.AtSecond)
		}
	}
	for i := range v.Springs {
		v.spring(&v.Springs[i])
	}
	for i := range v.Bushings {
		v.bushing(&v.Bushings[i])
	}
	for i := range v.SideForces {
		v.sideForce(&v.SideForces[i])
	}
	for i := range v.Loads {
		if l := &v.Loads[i]; v.known(l.Name, l.Body) {
			v.still(l.Name, l.Body, l.Point)
		}
	}
	for i := range v.Actuators {
		if a := &v.Actuators[i]; v.known(a.Name, a.First, a.Second) && a.Direction != (r3.Vec{}) {
			v.still(a.Name, a.First, a.At)
			v.still(a.Name, a.Second, a.AtSecond)
		}
	}
	for i := range v.Sensors {
		v.known(v.Sensors[i].Name, v.Sensors[i].First, v.Sensors[i].Second)
	}
}

// known refuses bodies that are none.
func (v *checker) known(what string, bodies ...int) bool {
	for _, b := range bodies {
		if b < Ground || b >= len(v.Bodies) {
			v.fault("%s: there is no body %d; there are %d, and ground is %d", what, b, len(v.Bodies), Ground)
			return false
		}
	}
	return true
}

func (v *checker) unit(what string, a r3.Vec) bool {
	ok := math.Abs(r3.Norm(a)-1) <= 1e-9
	if !ok {
		v.fault("%s: the axis (%g, %g, %g) is not a unit vector", what, a.X, a.Y, a.Z)
	}
	return ok
}

// line rejects ends that coincide, and ends with different velocities: the line between them would turn.
func (v *checker) line(what string, first, second int, at, atSecond r3.Vec) {
	if r3.Norm(r3.Sub(at, atSecond)) == 0 {
		v.fault("%s: its ends coincide, so that it has no direction", what)
	}
	if d := r3.Sub(v.velocity(first, at), v.velocity(second, atSecond)); !v.slow(d) {
		v.fault("%s: its ends move with (%.4g, %.4g, %.4g) m/s against each other, which is not a steady state",
			what, d.X, d.Y, d.Z)
	}
}

// fixed rejects a direction that is fixed in a spinning body and differs from the axis of the spin.
func (v *checker) fixed(what string, body int, direction r3.Vec) {
	if body != Ground && !v.slow(r3.Cross(v.Bodies[body].Spin, direction)) {
		v.fault("%s: its axis turns with the spinning body %s; attach it to a body that does not spin",
			what, v.Bodies[body].Name)
	}
}

// still refuses a point that goes round with the spin of its body.
func (v *checker) still(what string, body int, point r3.Vec) {
	if body != Ground && !v.slow(r3.Cross(v.Bodies[body].Spin, v.arm(body, point))) {
		v.fault("%s: its point on %s turns with the spin; move it onto the axis", what, v.Bodies[body].Name)
	}
}

func (v *checker) constraint(c *Constraint) {
	if !v.known(c.Name, c.First, c.Second) {
		return
	}
	directed := c.Forces%3 != 0 || c.Moments%3 != 0 || c.Contact || c.Drive != nil
	if directed && !v.unit(c.Name, c.Axis) {
		return
	}
	counted := c.Forces >= 0 && c.Forces <= 3 && c.Moments >= 0 && c.Moments <= 3 && c.Forces+c.Moments != 0
	if !counted || c.Drive != nil && (c.Forces+c.Moments != 6 || c.Nonholonomic) {
		v.fault("%s: %d forces and %d moments: each is 0 to 3, not both are 0, and what is driven has all",
			c.Name, c.Forces, c.Moments)
	}
	if c.Contact {
		v.contact(c)
		return
	}
	if c.Forces == 3 {
		if d := r3.Sub(v.velocity(c.First, c.Point), v.velocity(c.Second, c.Point)); !v.slow(d) {
			v.fault("%s: its bodies move there with (%.4g, %.4g, %.4g) m/s against each other; "+
				"give them velocities that go together", c.Name, d.X, d.Y, d.Z)
		}
	}
	v.fixed(c.Name, c.Second, c.Axis)
}

func (v *checker) contact(c *Constraint) {
	if c.First == Ground || c.Second != Ground || c.Moments > 0 {
		v.fault("%s: a contact is a point where a body rolls on ground, without moments", c.Name)
	} else if slip := v.velocity(c.First, c.Point); !v.slow(slip) {
		v.fault("%s: its point moves with (%.4g, %.4g, %.4g) m/s; a wheel that rolls does not slip: "+
			"give it the speed and the spin that go together", c.Name, slip.X, slip.Y, slip.Z)
	}
}

func (v *checker) spring(s *Spring) {
	switch {
	case !v.known(s.Name, s.First, s.Second):
	case s.Unknown && !(s.Stiffness > 0):
		v.fault("%s: stiffness %g N/m; a spring with unknown tension needs a stiffness above 0", s.Name, s.Stiffness)
	case s.Kind == OnLine:
		v.line(s.Name, s.First, s.Second, s.At, s.AtSecond)
	case !v.unit(s.Name, s.Axis):
	case s.Kind == AboutAxis && (s.Tension != 0 || s.Unknown):
		v.fault("%s: a torsion spring with a moment at the steady state (%g N m) cannot be expressed; "+
			"change its free angle", s.Name, s.Tension)
	case s.Kind == AboutAxis:
		turning := r3.Dot(s.Axis, r3.Sub(v.spin(s.First), v.spin(s.Second)))
		if s.Damping != 0 && !v.slow(r3.Scale(turning, s.Axis)) {
			v.fault("%s: it is turned with %.4g rad/s against its damping, which is not a steady state without a drive",
				s.Name, turning)
		}
	default:
		v.fixed(s.Name, s.Second, s.Axis)
		v.still(s.Name, s.First, s.At)
		d := r3.Dot(s.Axis, r3.Sub(v.velocity(s.First, s.At), v.velocity(s.Second, s.At)))
		if !v.slow(r3.Scale(d, s.Axis)) {
			v.fault("%s: its ends move with %.4g m/s against each other, which is not a steady state", s.Name, d)
		}
	}
}

func (v *checker) sideForce(s *SideForce) {
	if !v.known(s.Name, s.Body) || !v.unit(s.Name, s.Direction) || s.Body == Ground {
		return
	}
	v.fixed(s.Name, s.Body, s.Direction)
	v.still(s.Name, s.Body, s.Point)
	if slip := r3.Dot(s.Direction, v.velocity(s.Body, s.Point)); !v.slow(r3.Scale(slip, s.Direction)) {
		v.fault("%s: it slips with %.4g m/s, so the motion is not steady straight-ahead running", s.Name, slip)
	}
}

// velocity is the velocity of a point of a body at the steady motion.
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

// slow reports whether a velocity, or what a spin makes of a length, is nothing but rounding.
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
	// with vectors: values alone end in a panic of gonum 0.17 where elements differ by a factor of 1e122
	if !e.Factorize(s, true) {
		return math.NaN(), false
	}
	return e.Values(nil)[0], true
}

// symmetric reports whether a body looks the same however it is turned about its spin.
func symmetric(j Matrix, spin r3.Vec) bool {
	if r3.Norm(spin) == 0 {
		return true
	}
	n, b := perpendicular(r3.Unit(spin))
	allowed := 1e-9 * j.largest()
	alike := math.Abs(r3.Dot(n, j.of(n))-r3.Dot(b, j.of(b))) <= allowed
	return alike && math.Abs(r3.Dot(n, j.of(b))) <= allowed
}
