package tangent_test

import (
	"math"
	"math/cmplx"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"skidpad/harness/evidence/tangent"
)

const gravity = 9.81

func at(x, y, z float64) r3.Vec { return r3.Vec{X: x, Y: y, Z: z} }

// linearised makes the equations of a vehicle that must have some.
func linearised(t *testing.T, v *tangent.Vehicle) *tangent.System {
	t.Helper()
	s, err := v.Linearise()
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// eigenvalues returns the eigenvalues of a vehicle and the number of zeros.
func eigenvalues(t *testing.T, v *tangent.Vehicle) ([]complex128, int) {
	t.Helper()
	values, zeros, err := linearised(t, v).Eigenvalues()
	if err != nil {
		t.Fatal(err)
	}
	return values, zeros
}

// matches compares sets of eigenvalues: every wanted one with the nearest that is left.
func matches(t *testing.T, what string, got, want []complex128, tolerance float64) {
	t.Helper()
	if len(got) != len(want) {
		t.Errorf("%s: eigenvalues %v, wanted %v", what, got, want)
		return
	}
	rest := append([]complex128(nil), got...)
	for _, w := range want {
		best := 0
		for i := range rest {
			if cmplx.Abs(rest[i]-w) < cmplx.Abs(rest[best]-w) {
				best = i
			}
		}
		if d := rest[best] - w; !(max(math.Abs(real(d)), math.Abs(imag(d))) <= tolerance) {
			t.Errorf("%s: %v, wanted %v, differs by %.2g", what, rest[best], w, d)
		}
		rest = append(rest[:best], rest[best+1:]...)
	}
}

// pair are a value and its conjugate.
func pair(re, im float64) []complex128 { return []complex128{complex(re, im), complex(re, -im)} }

// reaction returns the reaction of a connection by name.
func reaction(t *testing.T, s *tangent.Steady, name string) tangent.Reaction {
	t.Helper()
	for _, r := range s.Reactions {
		if r.Name == name {
			return r
		}
	}
	t.Fatalf("no reaction of %s", name)
	return tangent.Reaction{}
}

// rollingWheel is section 6.1: ISO axes, mass 4 kg, radius 0.5 m, alpha 1/2 for a disc and 1 for a hoop.
func rollingWheel(alpha, speed float64) *tangent.Vehicle {
	const m, r = 4, 0.5
	j := alpha * m * r * r
	return &tangent.Vehicle{
		Gravity: at(0, 0, -gravity),
		Bodies: []tangent.Body{{
			Name: "wheel", Mass: m, Inertia: tangent.Diagonal(j/2, j, j/2), Centre: at(0, 0, r), Velocity: at(speed, 0, 0),
			Spin: at(0, speed/r, 0),
		}},
		Constraints: tangent.RollingWheel("contact", 0, at(0, 0, 0), at(0, 1, 0), 0),
	}
}

// Bodies of the benchmark bicycle and of the one with a trailer.
const (
	rearFrame = iota
	fork
	rearWheel
	frontWheel
	trailer
	leftWheel
	rightWheel
)

var tilt = math.Pi / 10

// steerAxis points down, benchmark axes.
var steerAxis = at(math.Sin(tilt), 0, math.Cos(tilt))

// bicycle is the benchmark bicycle of section 6.2 in its own axes, y right and z down; hinge is the position of the
// hinge on the steering axis.
func bicycle(speed, hinge float64) *tangent.Vehicle {
	velocity, y := at(speed, 0, 0), at(0, 1, 0)
	rear, front := at(0, -speed/0.3, 0), at(0, -speed/0.35, 0)
	head := r3.Add(at(1.1, 0, 0), r3.Scale(hinge, steerAxis))
	v := &tangent.Vehicle{
		Gravity: at(0, 0, gravity),
		Bodies: []tangent.Body{
			{Name: "rear frame", Mass: 85, Inertia: tangent.Matrix{{9.2, 0, 2.4}, {0, 11, 0}, {2.4, 0, 2.8}},
				Centre: at(0.3, 0, -0.9), Velocity: velocity},
			{Name: "front fork", Mass: 4, Inertia: tangent.Matrix{{0.05892, 0, -0.00756}, {0, 0.06, 0}, {-0.00756, 0, 0.00708}},
				Centre: at(0.9, 0, -0.7), Velocity: velocity},
			{Name: "rear wheel", Mass: 2, Inertia: tangent.Diagonal(0.0603, 0.12, 0.0603), Centre: at(0, 0, -0.3),
				Velocity: velocity, Spin: rear},
			{Name: "front wheel", Mass: 3, Inertia: tangent.Diagonal(0.1405, 0.28, 0.1405), Centre: at(1.02, 0, -0.35),
				Velocity: velocity, Spin: front},
		},
		Constraints: []tangent.Constraint{
			{Name: "steer", First: fork, Second: rearFrame, Point: head, Axis: steerAxis, Forces: 3, Moments: 2},
			{Name: "rear axle", First: rearWheel, Second: rearFrame, Point: at(0, 0, -0.3), Axis: y, Forces: 3, Moments: 2},
			{Name: "front axle", First: frontWheel, Second: fork, Point: at(1.02, 0, -0.35), Axis: y, Forces: 3, Moments: 2},
			{Name: "speed", First: rearFrame, Second: tangent.Ground, Point: at(0.3, 0, -0.9), Axis: at(1, 0, 0), Forces: 1},
		},
		Actuators: []tangent.Actuator{
			{Name: "steer torque", Action: tangent.Action{First: fork, Second: rearFrame, Moment: steerAxis}},
			{Name: "roll torque", Action: tangent.Action{First: rearFrame, Second: tangent.Ground, Moment: at(1, 0, 0)}},
		},
		Sensors: []tangent.Sensor{
			{Name: "yaw rate", Quantity: tangent.Velocity, Gain: 1,
				Action: tangent.Action{First: rearFrame, Second: tangent.Ground, Moment: at(0, 0, 1)}},
			{Name: "roll", Quantity: tangent.Displacement, Gain: 1,
				Action: tangent.Action{First: rearFrame, Second: tangent.Ground, Moment: at(1, 0, 0)}},
			{Name: "steer", Quantity: tangent.Displacement, Gain: 1,
				Action: tangent.Action{First: fork, Second: rearFrame, Moment: steerAxis}},
			{Name: "heading", Quantity: tangent.Displacement, Gain: 1,
				Action: tangent.Action{First: rearFrame, Second: tangent.Ground, Moment: at(0, 0, 1)}},
		},
	}
	v.Constraints = append(v.Constraints, tangent.RollingWheel("rear contact", rearWheel, at(0, 0, 0), y, 0)...)
	v.Constraints = append(v.Constraints, tangent.RollingWheel("front contact", frontWheel, at(1.02, 0, 0), y, 0)...)
	return v
}

// bicycleTrailer is section 6.4; where contacts are wrong, the factor (I - e e^T) of section 3.3 is
// left out at all wheels.
func bicycleTrailer(speed float64, wrong bool) *tangent.Vehicle {
	v := bicycle(speed, -0.8)
	velocity, y, spin := at(speed, 0, 0), at(0, 1, 0), at(0, -speed/0.3, 0)
	wheel := tangent.Diagonal(0.0603, 0.12, 0.0603)
	v.Bodies = append(v.Bodies,
		tangent.Body{Name: "trailer", Mass: 15, Inertia: tangent.Diagonal(1, 1, 3), Centre: at(-0.75, 0, -0.4),
			Velocity: velocity},
		tangent.Body{Name: "left wheel", Mass: 2, Inertia: wheel, Centre: at(-0.9, -0.3, -0.3), Velocity: velocity,
			Spin: spin},
		tangent.Body{Name: "right wheel", Mass: 2, Inertia: wheel, Centre: at(-0.9, 0.3, -0.3), Velocity: velocity,
			Spin: spin})
	v.Constraints = append(v.Constraints,
		tangent.Constraint{Name: "hitch", First: rearFrame, Second: trailer, Point: at(0, 0, -0.3), Forces: 3},
		tangent.Constraint{Name: "left axle", First: leftWheel, Second: trailer, Point: at(-0.9, -0.3, -0.3), Axis: y,
			Forces: 3, Moments: 2},
		tangent.Constraint{Name: "right axle", First: rightWheel, Second: trailer, Point: at(-0.9, 0.3, -0.3), Axis: y,
			Forces: 3, Moments: 2})
	v.Constraints = append(v.Constraints, tangent.RollingWheel("left contact", leftWheel, at(-0.9, -0.3, 0), y, 0)...)
	v.Constraints = append(v.Constraints, tangent.RollingWheel("right contact", rightWheel, at(-0.9, 0.3, 0), y, 0)...)
	for i := range v.Constraints {
		v.Constraints[i].Contact = v.Constraints[i].Contact && !wrong
	}
	return v
}

// truckTrailer holds the data of section 6.3, in any consistent units. Distances from the truck's centre: a to the
// front axle, b to the rear axle, d to the hitch, all but a to the rear. e is the distance from the hitch to the
// trailer's centre, h from there to the trailer's axle.
type truckTrailer struct {
	a, b, d, e, h          float64
	truck, truckInertia    float64
	trailer, trailerMoment float64
	front, rear, axle      float64 // cornering stiffness
}

var (
	ellis = truckTrailer{a: 3.75, b: 5.25, d: 6, e: 10, h: 10, truck: 186, truckInertia: 2980, trailer: 620,
		trailerMoment: 35000, front: 23250, rear: 68500, axle: 57500}
	carTrailer = truckTrailer{a: 1.289, b: 1.596, d: 2.7, e: 2.5, h: 0.5, truck: 16975 / 9.81, truckInertia: 3508,
		trailer: 2000, trailerMoment: 3000, front: 80000, rear: 80000, axle: 80000}
)

func (c truckTrailer) at(speed float64) *tangent.Vehicle {
	velocity, z := at(speed, 0, 0), at(0, 0, 1)
	body := func(name string, mass, inertia, x float64) tangent.Body {
		return tangent.Body{Name: name, Mass: mass, Inertia: tangent.Diagonal(inertia, inertia, inertia), Centre: at(x, 0, 0),
			Velocity: velocity}
	}
	side := func(name string, body int, x, stiffness float64) tangent.SideForce {
		return tangent.SideForce{Name: name, Body: body, Point: at(x, 0, 0), Direction: at(0, 1, 0),
			Coefficient: stiffness / speed}
	}
	turn := tangent.Action{First: 0, Second: tangent.Ground, Moment: z}
	return &tangent.Vehicle{
		Bodies: []tangent.Body{body("truck", c.truck, c.truckInertia, 0),
			body("trailer", c.trailer, c.trailerMoment, -c.d-c.e)},
		Constraints: []tangent.Constraint{
			{Name: "plane", First: 0, Second: tangent.Ground, Axis: z, Forces: 1, Moments: 2},
			{Name: "speed", First: 0, Second: tangent.Ground, Axis: at(1, 0, 0), Forces: 1},
			{Name: "hitch", First: 1, Second: 0, Point: at(-c.d, 0, 0), Axis: z, Forces: 3, Moments: 2},
		},
		SideForces: []tangent.SideForce{side("front axle", 0, c.a, c.front), side("rear axle", 0, -c.b, c.rear),
			side("trailer axle", 1, -c.d-c.e-c.h, c.axle)},
		Actuators: []tangent.Actuator{
			{Name: "steer", Action: tangent.Action{First: 0, Second: tangent.Ground, At: at(c.a, 0, 0),
				Direction: at(0, c.front, 0)}},
		},
		Sensors: []tangent.Sensor{
			{Name: "articulation", Quantity: tangent.Displacement, Gain: 1,
				Action: tangent.Action{First: 1, Second: 0, Moment: z}},
			{Name: "yaw rate", Quantity: tangent.Velocity, Gain: 1, Action: turn},
			{Name: "side slip", Quantity: tangent.Velocity, Gain: 1 / speed,
				Action: tangent.Action{First: 0, Second: tangent.Ground, Direction: at(0, 1, 0)}},
		},
	}
}

// crossing finds the speed between low and high at which a measure of the eigenvalues changes sign. It bisects, then
// interpolates linearly within the last 2e-5, because a root that is nearly zero counts as cyclic.
func crossing(t *testing.T, low, high float64, measure func(speed float64) float64) float64 {
	t.Helper()
	atLow, atHigh := measure(low), measure(high)
	if atLow*atHigh >= 0 {
		t.Errorf("no change between %g and %g", low, high)
	}
	for high-low > 2e-5 {
		middle := (low + high) / 2
		if m := measure(middle); m*atLow > 0 {
			low, atLow = middle, m
		} else {
			high, atHigh = middle, m
		}
	}
	return low + (high-low)*atLow/(atLow-atHigh)
}
