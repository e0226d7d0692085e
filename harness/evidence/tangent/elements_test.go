package tangent

import (
	"math"
	"math/cmplx"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"
)

const g = 9.81

func modes(t *testing.T, v *Vehicle) ([]complex128, int) {
	t.Helper()
	s, err := v.Linearise()
	if err != nil {
		t.Fatal(err)
	}
	values, zeros, err := s.Eigenvalues()
	if err != nil {
		t.Fatal(err)
	}
	return values, zeros
}

// same compares with values in any order.
func same(t *testing.T, what string, got []complex128, want ...complex128) {
	t.Helper()
	if len(got) != len(want) {
		t.Errorf("%s: %v, wanted %v", what, got, want)
		return
	}
	rest := slices.Clone(got)
	for _, w := range want {
		best := 0
		for i := range rest {
			if cmplx.Abs(rest[i]-w) < cmplx.Abs(rest[best]-w) {
				best = i
			}
		}
		if cmplx.Abs(rest[best]-w) > 1e-9 {
			t.Errorf("%s: %v, wanted %v", what, got, want)
		}
		rest = slices.Delete(rest, best, best+1)
	}
}

// moved are the places of a body's points and its axes after a displacement and a turn.
type moved struct {
	from r3.Vec
	to   r3.Vec
	turn Matrix
}

func (m *moved) point(p r3.Vec) r3.Vec { return r3.Add(m.to, m.turn.of(r3.Sub(p, m.from))) }

// exact compares K of two bodies with the central difference of exact forces: (places) => forces and
// moments about the centres, both in ground.
func exact(t *testing.T, v *Vehicle, loads func(b [2]moved) [2][2]r3.Vec) {
	t.Helper()
	f, err := v.statics()
	if err != nil {
		t.Fatal(err)
	}
	m, err := v.matrices(f)
	if err != nil {
		t.Fatal(err)
	}
	at := func(k int, step float64) (all [12]float64) {
		var bodies [2]moved
		for i := range bodies {
			var d [6]float64
			if k/6 == i {
				d[k%6] = step
			}
			c := v.Bodies[i].Centre
			bodies[i] = moved{c, r3.Add(c, vec([3]float64(d[:3]))), identity}
			if turn := vec([3]float64(d[3:])); turn != (r3.Vec{}) {
				bodies[i].turn = turned(r3.Norm(turn), r3.Unit(turn))
			}
		}
		for i, pair := range loads(bodies) {
			for j, x := range pair {
				for c, y := range components(x) {
					all[6*i+3*j+c] = y
				}
			}
		}
		return all
	}
	const step = 1e-5
	for k := range 12 {
		plus, minus := at(k, step), at(k, -step)
		for i := range plus {
			want := -(plus[i] - minus[i]) / (2 * step)
			if got := m.K.At(i, k); math.Abs(got-want) > 1e-7*largest(m.K) {
				t.Errorf("K[%d,%d] is %g, finite difference %g", i, k, got, want)
			}
		}
	}
}

func random(r *rand.Rand) r3.Vec {
	return r3.Vec{X: r.Float64()*2 - 1, Y: r.Float64()*2 - 1, Z: r.Float64()*2 - 1}
}

// pairOfBodies are two bodies anywhere.
func pairOfBodies(r *rand.Rand) *Vehicle {
	return &Vehicle{Bodies: []Body{
		{Name: "first", Mass: 1, Inertia: identity, Centre: random(r)},
		{Name: "second", Mass: 2, Inertia: identity, Centre: random(r)},
	}}
}

// balanced adds constant loads that keep the bodies as they are.
func balanced(v *Vehicle, loads func(b [2]moved) [2][2]r3.Vec, points ...r3.Vec) {
	var still [2]moved
	for i := range still {
		still[i] = moved{v.Bodies[i].Centre, v.Bodies[i].Centre, identity}
	}
	for i, l := range loads(still) {
		arm := r3.Sub(points[i], v.Bodies[i].Centre)
		v.Loads = append(v.Loads, Load{Name: "load", Body: i, Point: points[i], Force: r3.Scale(-1, l[0]),
			Moment: r3.Sub(r3.Cross(arm, l[0]), l[1])})
	}
}

// withLoads adds what the constant loads of a vehicle do when its bodies move: half of a moment
// follows the body.
func withLoads(v *Vehicle, loads func(b [2]moved) [2][2]r3.Vec) func(b [2]moved) [2][2]r3.Vec {
	return func(b [2]moved) [2][2]r3.Vec {
		sum := loads(b)
		for _, l := range v.Loads {
			m := &b[l.Body]
			moment := r3.Scale(0.5, r3.Add(l.Moment, m.turn.of(l.Moment)))
			sum[l.Body][0] = r3.Add(sum[l.Body][0], l.Force)
			sum[l.Body][1] = r3.Add(sum[l.Body][1], r3.Add(moment, r3.Cross(r3.Sub(m.point(l.Point), m.to), l.Force)))
		}
		return sum
	}
}

// acting are a force on the first body at a point, and the opposite on the second.
func acting(b [2]moved, at, atSecond, force r3.Vec) [2][2]r3.Vec {
	return [2][2]r3.Vec{
		{force, r3.Cross(r3.Sub(at, b[0].to), force)},
		{r3.Scale(-1, force), r3.Cross(r3.Sub(atSecond, b[1].to), r3.Scale(-1, force))},
	}
}

// A preloaded spring with constant forces that balance it (section 5).
func TestTangentStiffnessOfSpring(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 5 {
		v := pairOfBodies(r)
		s := Spring{Name: "spring", First: 0, Second: 1, At: random(r), AtSecond: random(r), Stiffness: 50 + 100*r.Float64(),
			Tension: 200 * (r.Float64() - 0.5)}
		v.Springs = []Spring{s}
		length := r3.Norm(r3.Sub(s.AtSecond, s.At))
		loads := func(b [2]moved) [2][2]r3.Vec {
			one, two := b[0].point(s.At), b[1].point(s.AtSecond)
			d := r3.Sub(two, one)
			pull := s.Tension + s.Stiffness*(r3.Norm(d)-length)
			return acting(b, one, two, r3.Scale(pull, r3.Unit(d)))
		}
		balanced(v, loads, s.At, s.AtSecond)
		exact(t, v, withLoads(v, loads))
	}
}

// A preloaded spring along an axis that turns with the second body.
func TestTangentStiffnessOfSpringAlongAxis(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for range 5 {
		v := pairOfBodies(r)
		s := Spring{Name: "spring", Kind: AlongAxis, First: 0, Second: 1, At: random(r), Axis: r3.Unit(random(r)),
			Stiffness: 80, Tension: 100 * (r.Float64() - 0.5)}
		v.Springs = []Spring{s}
		begin := r3.Sub(s.At, r3.Scale(0.7, s.Axis)) // of the axis, in the second body
		loads := func(b [2]moved) [2][2]r3.Vec {
			point, axis := b[0].point(s.At), b[1].turn.of(s.Axis)
			pull := s.Tension + s.Stiffness*(r3.Dot(axis, r3.Sub(point, b[1].point(begin)))-0.7)
			return acting(b, point, point, r3.Scale(-pull, axis))
		}
		balanced(v, loads, s.At, s.At)
		exact(t, v, withLoads(v, loads))
	}
}

// A force of a constraint whose direction turns with the second body.
func TestTangentStiffnessOfSlidingContact(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	v := pairOfBodies(r)
	c := Constraint{Name: "slide", First: 0, Second: 1, Point: random(r), Axis: r3.Unit(random(r)), Forces: 1}
	v.Constraints = []Constraint{c}
	loads := func(b [2]moved) [2][2]r3.Vec {
		point := b[0].point(c.Point)
		return acting(b, point, point, b[1].turn.of(r3.Scale(30, c.Axis)))
	}
	balanced(v, loads, c.Point, c.Point)
	exact(t, v, withLoads(v, loads))
}

// Half of a moment follows its body (3.2). What holds the body adds nothing.
func TestTangentStiffnessOfMoment(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	v := pairOfBodies(r)
	v.Constraints = []Constraint{{Name: "weld", First: 0, Second: Ground, Point: v.Bodies[0].Centre, Forces: 3,
		Moments: 3}}
	v.Loads = []Load{{Name: "twist", Body: 0, Point: v.Bodies[0].Centre, Moment: random(r)}}
	exact(t, v, withLoads(v, func([2]moved) [2][2]r3.Vec { return [2][2]r3.Vec{} }))
}

// A body that nothing holds has nothing but cyclic coordinates, and moves as Newton says.
func TestFreeBody(t *testing.T) {
	push := Action{First: 0, Second: Ground, Direction: r3.Vec{Y: 1}}
	v := &Vehicle{
		Bodies:    []Body{{Name: "body", Mass: 4, Inertia: identity, Velocity: r3.Vec{X: 3}}},
		Actuators: []Actuator{{"push", push}},
		Sensors:   []Sensor{{"acceleration", SecondRate, 2, push}, {"place", Displacement, 1, push}},
	}
	got, zeros := modes(t, v)
	if len(got) != 0 || zeros != 12 {
		t.Errorf("%v, %d zeros", got, zeros)
	}
	s, err := v.Linearise()
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]complex128{"acceleration": 2. / 4, "place": -1. / 4 / 9} {
		if h, err := s.Response("push", name, []float64{3}); err != nil || cmplx.Abs(h[0]-want) > 1e-12 {
			t.Errorf("%s: %v, %v wanted; %v", name, h, want, err)
		}
	}
}

// Going back undoes a motion, wherever and however a frame moves.
func TestFramesMoveAgainstEachOther(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 10))
	f := frame{random(r), sequenced("312", [3]float64{r.Float64(), r.Float64(), r.Float64()}), random(r), random(r)}
	rest := f.then(f.inverse())
	if r3.Norm(rest.origin)+r3.Norm(rest.velocity)+r3.Norm(rest.spin)+rest.axes.plus(
		identity.scaled(-1)).largest() > 1e-14 {
		t.Errorf("%+v", rest)
	}
	// the end of an arm that turns moves across it
	tip := (frame{axes: identity, spin: r3.Vec{Z: 2}}).then(frame{origin: r3.Vec{X: 0.5}, axes: identity})
	if r3.Norm(r3.Sub(tip.velocity, r3.Vec{Y: 1})) > 1e-15 {
		t.Errorf("%v", tip.velocity)
	}
	for _, order := range []string{"321", "312", "313", "123", "132", "213", "231"} {
		want := [3]float64{r.Float64(), 0.1 + r.Float64(), r.Float64()}
		got, ok := turns(sequenced(order, want), order)
		for i := range want {
			if !ok || math.Abs(got[i]-want[i]) > 1e-12 {
				t.Errorf("%s: %v, want %v", order, got, want)
			}
		}
	}
}

// pendulum hangs 0.7 m below the origin.
func pendulum() *Vehicle {
	return &Vehicle{
		Gravity:     r3.Vec{Z: -g},
		Bodies:      []Body{{Name: "bob", Mass: 2, Inertia: Diagonal(0.3, 0.2, 0.1), Centre: r3.Vec{Z: -0.7}}},
		Constraints: []Constraint{{Name: "hinge", First: 0, Second: Ground, Axis: r3.Vec{X: 1}, Forces: 3, Moments: 2}},
	}
}

func TestPendulums(t *testing.T) {
	const about = 2 * 0.7 * 0.7
	about1, about2 := complex(0, math.Sqrt(2*g*0.7/(0.3+about))), complex(0, math.Sqrt(2*g*0.7/(0.2+about)))
	v := pendulum()
	got, zeros := modes(t, v)
	same(t, "hinge", got, about1, -about1)
	if zeros != 0 || math.Abs(imag(about1)-3.2756201703) > 5e-11 {
		t.Errorf("%d zeros, %.10f rad/s", zeros, imag(about1))
	}
	v.Constraints[0].Moments = 0
	got, zeros = modes(t, v)
	same(t, "ball", got, about1, -about1, about2, -about2)
	if zeros != 2 {
		t.Errorf("%d zeros", zeros)
	}
	// on a rod from its centre: a point mass that does not turn
	v.Constraints, v.Links = nil, []Link{{Name: "rod", First: 0, Second: Ground, At: v.Bodies[0].Centre}}
	got, zeros = modes(t, v)
	point := complex(0, math.Sqrt(g/0.7))
	same(t, "rod", got, point, -point, point, -point)
	if zeros != 6 {
		t.Errorf("%d zeros", zeros)
	}
	s, err := v.Steady()
	if err != nil {
		t.Fatal(err)
	}
	if f := s.Reactions[0].Force; r3.Norm(r3.Sub(f, r3.Vec{Z: 2 * g})) > 1e-9 {
		t.Errorf("the rod holds %v", f)
	}
}

// A sleeping top sleeps above a spin of 90.3433 rad/s (section 5).
func TestSleepingTop(t *testing.T) {
	const m, jt, ja, l = 0.5, 0.002, 0.001, 0.08
	const i = jt + m*l*l
	if critical := 2 * math.Sqrt(i*m*g*l) / ja; math.Abs(critical-90.3433) > 5e-5 {
		t.Errorf("critical spin %v", critical)
	}
	for _, spin := range []float64{0, 50, 90, 91, 200} {
		v := &Vehicle{
			Gravity: r3.Vec{Z: -g},
			Bodies: []Body{{Name: "top", Mass: m, Inertia: Diagonal(jt, jt, ja), Centre: r3.Vec{Z: l},
				Spin: r3.Vec{Z: spin}}},
			Constraints: []Constraint{{Name: "tip", First: 0, Second: Ground, Forces: 3}},
		}
		root := cmplx.Sqrt(complex(ja*ja*spin*spin-4*i*m*g*l, 0))
		one, two := 1i*(complex(ja*spin, 0)+root)/(2*i), 1i*(complex(ja*spin, 0)-root)/(2*i)
		got, zeros := modes(t, v)
		same(t, "top", got, one, two, cmplx.Conj(one), cmplx.Conj(two))
		if zeros != 2 || (real(got[0]) > 1e-6) != (spin < 90.3433) {
			t.Errorf("spin %g: %d zeros, %v", spin, zeros, got)
		}
	}
}

// A damper between two bodies resists the rate of their distance in ground. At speed, a body that yaws without moving
// sideways changes its lateral velocity in its own frame, not in ground: the damper resists the lateral motion, not the
// yaw (R2).
func TestDamperFeelsRatesInGround(t *testing.T) {
	const speed, c, m = 7, 3, 2
	forward := r3.Vec{X: speed}
	v := &Vehicle{
		Bodies: []Body{
			{Name: "first", Mass: m, Inertia: identity, Centre: r3.Vec{Y: 1}, Velocity: forward},
			{Name: "second", Mass: m, Inertia: identity, Velocity: forward},
		},
		Springs: []Spring{{Name: "damper", First: 0, Second: 1, At: r3.Vec{Y: 1}, Damping: c}},
	}
	// two masses and a damper between them, 2 c/m; everything else is free, whatever the bodies' headings
	got, zeros := modes(t, v)
	same(t, "damper", got, complex(-2*c/m, 0))
	if zeros != 23 {
		t.Errorf("%d zeros", zeros)
	}
}

// Three springs under a stiff beam share an eccentric load as strength of materials predicts. Four rigid legs share the
// load of a table by the solution with the least forces, and Steady warns (3.4).
func TestIndeterminateForces(t *testing.T) {
	const p, x, l = 120.0, 0.3, 1.5
	v := &Vehicle{
		Bodies: []Body{{Name: "beam", Mass: 1, Inertia: identity}},
		Loads:  []Load{{Name: "load", Body: 0, Point: r3.Vec{X: x}, Force: r3.Vec{Z: -p}}},
	}
	for _, at := range []float64{-l, 0, l} {
		v.Springs = append(v.Springs, Spring{Name: "spring", First: 0, Second: Ground, At: r3.Vec{X: at},
			AtSecond: r3.Vec{X: at, Z: -0.4}, Stiffness: 7e4, Unknown: true})
	}
	s, err := v.Steady()
	if err != nil {
		t.Fatal(err)
	}
	for i, at := range []float64{-l, 0, l} {
		if want := p/3 + p*x*at/(2*l*l); r3.Norm(r3.Sub(s.Reactions[i].Force, r3.Vec{Z: want})) > 1e-9*p {
			t.Errorf("spring at %g carries %v, %g wanted", at, s.Reactions[i].Force, want)
		}
	}
	if s.Warnings != nil {
		t.Error(s.Warnings)
	}
	table := &Vehicle{Gravity: r3.Vec{Z: -g},
		Bodies: []Body{{Name: "table", Mass: 20, Inertia: identity, Centre: r3.Vec{Z: 1}}}}
	for _, name := range []string{"leg 1", "leg 2", "leg 3", "leg 4"} {
		i := len(table.Constraints)
		table.Constraints = append(table.Constraints, Constraint{Name: name, First: 0, Second: Ground,
			Point: r3.Vec{X: float64(i%2) - 0.5, Y: float64(i/2) - 0.5}, Axis: r3.Vec{Z: 1}, Forces: 1})
	}
	if s, err = table.Steady(); err != nil {
		t.Fatal(err)
	}
	for _, r := range s.Reactions {
		if r3.Norm(r3.Sub(r.Force, r3.Vec{Z: 5 * g})) > 1e-9 {
			t.Errorf("%s carries %v", r.Name, r.Force)
		}
	}
	if len(s.Warnings) != 1 || !strings.Contains(s.Warnings[0], "leg 1, leg 2, leg 3, leg 4") {
		t.Errorf("warnings %q", s.Warnings)
	}
}

// slider moves along x of ground.
func slider(body int) Constraint {
	return Constraint{Name: "slider", First: body, Second: Ground, Axis: r3.Vec{X: 1}, Forces: 2, Moments: 3}
}

// A mass hangs on a spring; a damper holds the other end, which has no mass. One motion follows from the forces alone.
// m c s^2 + m k s + k c = 0, and a constant force moves it at the damper's speed.
func TestMotionWithoutMass(t *testing.T) {
	const m, k, c = 3.0, 40.0, 5.0
	v := &Vehicle{
		Bodies:      []Body{{Name: "mass", Mass: m, Inertia: identity}, {Name: "end"}},
		Constraints: []Constraint{slider(0), slider(1)},
		Springs: []Spring{
			{Name: "spring", Kind: AlongAxis, First: 0, Second: 1, Axis: r3.Vec{X: 1}, Stiffness: k},
			{Name: "damper", Kind: AlongAxis, First: 1, Second: Ground, Axis: r3.Vec{X: 1}, Damping: c},
		},
		Actuators: []Actuator{{Name: "push", Action: Action{First: 1, Second: Ground, Direction: r3.Vec{X: 1}}}},
		Sensors: []Sensor{
			{Name: "speed", Gain: 1, Quantity: Rate, Action: Action{First: 1, Second: Ground, Direction: r3.Vec{X: 1}}},
			{Name: "acceleration", Gain: 1, Quantity: Acceleration,
				Action: Action{First: 0, Second: Ground, Direction: r3.Vec{X: 1}}},
		},
	}
	root := cmplx.Sqrt(complex(m*m*k*k-4*m*c*k*c, 0))
	got, zeros := modes(t, v)
	same(t, "slider", got, (-m*k+root)/(2*m*c), (-m*k-root)/(2*m*c))
	if zeros != 1 {
		t.Errorf("%d zeros", zeros)
	}
	s, err := v.Linearise()
	if err != nil {
		t.Fatal(err)
	}
	for _, w := range []float64{0.1, 2, 30} {
		j := complex(0, w)
		// of the end: f = c x' + k (x - y), m y" = k (x - y)
		mass := k / (m*j*j + k)
		end := 1 / (c*j + k - k*mass)
		for name, want := range map[string]complex128{"speed": j * end, "acceleration": j * j * mass * end} {
			h, err := s.Response("push", name, []float64{w})
			if err != nil || cmplx.Abs(h[0]-want) > 1e-9*cmplx.Abs(want) {
				t.Errorf("%s at %g rad/s: %v, %v wanted; %v", name, w, h, want, err)
			}
		}
	}
	v.Sensors[1].First = 1
	if s, err = v.Linearise(); err != nil || !slices.Equal(s.Outputs, []string{"speed"}) {
		t.Errorf("outputs %v, %v: want none for the acceleration of a body without mass", s.Outputs, err)
	}
	v.Springs[1].Damping = 0
	if _, err := v.Linearise(); err == nil || !strings.Contains(err.Error(), "nothing determines the motion") ||
		!strings.Contains(err.Error(), "end") {
		t.Error(err)
	}
}

// Steady rejects invalid vehicles and names the errors (section 7).
func TestInvalidVehiclesAreRejected(t *testing.T) {
	for part, change := range map[string]func(v *Vehicle){
		"there is no body":                      func(v *Vehicle) { v.Bodies = nil },
		"bob: the mass is -1 kg":                func(v *Vehicle) { v.Bodies[0].Mass = -1 },
		"bob: the mass is NaN kg":               func(v *Vehicle) { v.Bodies[0].Mass = math.NaN() },
		"least principal moment is -0.1":        func(v *Vehicle) { v.Bodies[0].Inertia = Diagonal(0.3, 0.2, -0.1) },
		"least principal moment is NaN":         func(v *Vehicle) { v.Bodies[0].Inertia[0][1] = 0.05 },
		"not symmetric":                         func(v *Vehicle) { v.Bodies[0].Spin = r3.Vec{X: 1} },
		"bob: it spins with (0, 0.7071, 0.7071": func(v *Vehicle) { v.Bodies[0].Spin = r3.Unit(r3.Vec{Y: 1, Z: 1}) },
		"bob: it spins against its angular damping": func(v *Vehicle) {
			v.Bodies[0].AngularDamping, v.Bodies[0].Spin = 0.1, r3.Vec{Z: 1}
		},
		"hinge: its bodies move there with (1, 0, 0) m/s": func(v *Vehicle) { v.Bodies[0].Velocity = r3.Vec{X: 1} },
		"twist: its point on bob turns with the spin": func(v *Vehicle) {
			v.Bodies[0].Inertia, v.Bodies[0].Spin = identity, r3.Vec{Z: 1}
			v.Loads = []Load{{Name: "twist", Body: 0, Point: r3.Vec{X: 1}, Force: r3.Vec{Z: 1}}}
		},
		"rod: its ends move with (1, 0, 0) m/s": func(v *Vehicle) {
			v.Bodies[0].Velocity = r3.Vec{X: 1}
			v.Constraints, v.Links = nil, []Link{{Name: "rod", First: 0, Second: Ground, At: v.Bodies[0].Centre}}
		},
		"spring: stiffness 0 N/m": func(v *Vehicle) {
			v.Springs = []Spring{{Name: "spring", First: 0, Second: Ground, At: v.Bodies[0].Centre, Unknown: true}}
		},
		"not in equilibrium: left over on bob": func(v *Vehicle) { v.Bodies[0].Centre = r3.Vec{Y: 0.1, Z: -0.7} },
		"is not a unit vector":                 func(v *Vehicle) { v.Constraints[0].Axis = r3.Vec{} },
		"hinge: there is no body 7":            func(v *Vehicle) { v.Constraints[0].First = 7 },
		"hinge: 3 forces and 4 moments":        func(v *Vehicle) { v.Constraints[0].Moments = 4 },
		"rolls on ground":                      func(v *Vehicle) { v.Constraints[0].Contact = true },
		"rod: its ends coincide": func(v *Vehicle) {
			v.Links = []Link{{Name: "rod", First: 0, Second: Ground}}
		},
		"torsion: a torsion spring with a moment": func(v *Vehicle) {
			v.Springs = []Spring{{Name: "torsion", Kind: AboutAxis, First: 0, Second: Ground, Axis: r3.Vec{X: 1}, Stiffness: 1,
				Tension: 1}}
		},
		"a constraint with one moment that carries a couple (3": func(v *Vehicle) {
			v.Constraints[0].Moments = 1
			v.Loads = []Load{{Name: "twist", Body: 0, Moment: r3.Vec{X: 3}}}
		},
		"nothing can move":         func(v *Vehicle) { v.Constraints[0].Moments = 3 },
		"bodies without mass: bob": func(v *Vehicle) { v.Bodies[0].Mass, v.Bodies[0].Inertia = 0, Matrix{} },
		"the null spaces R and L have": func(v *Vehicle) { // at speed, two that are nearly one become one
			v.Bodies[0].Velocity = r3.Vec{X: 300}
			v.Constraints[0].Forces, v.Constraints[0].Moments, v.Constraints[0].Axis = 1, 0, r3.Vec{Y: 1}
			turned := v.Constraints[0]
			turned.Axis = r3.Unit(r3.Vec{X: 1e-10, Y: 1})
			v.Gravity, v.Constraints = r3.Vec{}, append(v.Constraints, turned)
		},
	} {
		v := pendulum()
		change(v)
		if _, err := v.Linearise(); err == nil || !strings.Contains(err.Error(), part) {
			t.Errorf("%q: %v", part, err)
		}
	}
	s, err := pendulum().Linearise()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.Response("push", "turn", nil); err == nil || !strings.Contains(err.Error(), `no input "push"`) {
		t.Error(err)
	}
}
