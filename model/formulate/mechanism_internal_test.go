package formulate

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"skidpad/harness/tests/testrun"
	"skidpad/model/program"
	"skidpad/model/vehicle"
)

// mechanism is a tree of frames for the formulation, as text, and for inverse dynamics in the axes of the ground, which
// knows neither classes nor turns about coordinate axes.
type mechanism struct {
	text   strings.Builder
	frames []mechanical
}

// mechanical is a frame, and how it stands on another: it is the tail of the element between them if it is reversed.
type mechanical struct {
	parent   int // -1 for the hull
	name     string
	kind     string // "rigid-arm", "revolute", "prismatic" or "motion-driver"
	reversed bool
	sequence string
	angles   [3]float64
	axis     r3.Vec // in the tail; of an arm its translation
	mass     float64
	inertia  [3]float64 // about its axes, and the element xy
	product  float64

	turned   axes
	at       r3.Vec
	velocity twist // of the origin
	change   twist // its rate

	force, moment r3.Vec // on the frame and all it carries, from the carrying frame, about the origin of the ground
}

type twist struct{ linear, angular r3.Vec }

// axes are the unit vectors of a frame.
type axes [3]r3.Vec

func (a axes) out(v r3.Vec) r3.Vec {
	return r3.Add(r3.Scale(v.X, a[0]), r3.Add(r3.Scale(v.Y, a[1]), r3.Scale(v.Z, a[2])))
}

func (a axes) in(v r3.Vec) r3.Vec {
	return r3.Vec{X: r3.Dot(a[0], v), Y: r3.Dot(a[1], v), Z: r3.Dot(a[2], v)}
}

// about turns the axes about one that is given in them.
func (a axes) about(axis r3.Vec, angle float64) axes {
	turn := r3.NewRotation(angle, axis)
	return axes{a.out(turn.Rotate(r3.Vec{X: 1})), a.out(turn.Rotate(r3.Vec{Y: 1})), a.out(turn.Rotate(r3.Vec{Z: 1}))}
}

func vec(x [3]float64) r3.Vec { return r3.Vec{X: x[0], Y: x[1], Z: x[2]} }

var sequences = []string{"321", "312", "313", "123", "132", "213", "231"}

// standing adds a frame on another, by an element at random; a fixed turn is often back or about one axis.
func (m *mechanism) standing(r *rand.Rand, parent int, kind string) int {
	c := mechanical{
		parent: parent, name: fmt.Sprintf("f%d", len(m.frames)), kind: kind, reversed: r.IntN(3) == 0,
		sequence: sequences[r.IntN(len(sequences))],
	}
	from, to := m.frames[parent].name, c.name
	if c.reversed {
		from, to = to, from
	}
	fmt.Fprintf(&m.text, `[component.e%s]
type = %q
from = %q
to = %q
`, c.name, kind, from, to)
	if kind == "rigid-arm" {
		for k := range c.angles {
			c.angles[k] = []float64{0, 0, 0.4, -0.4, 1.1}[r.IntN(5)]
		}
		offset := [3]float64{r.NormFloat64(), r.NormFloat64(), r.NormFloat64()}
		c.axis = vec(offset)
		fmt.Fprintf(&m.text, `sequence = %q
angles = [%v, %v, %v]
translation = [%v, %v, %v]
`, c.sequence,
			c.angles[0], c.angles[1], c.angles[2], offset[0], offset[1], offset[2])
	} else {
		axis := [][3]float64{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {0, 0, -1}, {0.6, 0, 0.8}, {-0.48, 0.64, 0.6}}[r.IntN(6)]
		c.axis = vec(axis)
		fmt.Fprintf(&m.text, "axis = [%v, %v, %v]\n", axis[0], axis[1], axis[2])
	}
	m.frames = append(m.frames, c)
	return len(m.frames) - 1
}

func (m *mechanism) body(r *rand.Rand, i int) {
	c := &m.frames[i]
	c.mass = 1 + r.Float64()
	c.inertia, c.product = [3]float64{2 + r.Float64(), 2 + r.Float64(), 2 + r.Float64()}, 0.3*r.Float64()
	fmt.Fprintf(&m.text, `[component.%s]
type = "rigid-body"
mass = %v
inertia = { xx = %v, yy = %v, zz = %v, xy = %v, offdiagonal = "matrix" }
`,
		c.name, c.mass, c.inertia[0], c.inertia[1], c.inertia[2], c.product)
}

// randomMechanism is a hull with limbs. Behind each joint there is inertia.
func randomMechanism(r *rand.Rand) *mechanism {
	m := &mechanism{frames: []mechanical{{parent: -1, name: "hull"}}}
	m.text.WriteString("name = \"Mechanism\"\ngravity = 9.81\n")
	m.body(r, 0)
	for range 3 {
		at := r.IntN(len(m.frames))
		for range 2 {
			for range r.IntN(4) {
				at = m.standing(r, at, []string{"rigid-arm", "rigid-arm", "motion-driver"}[r.IntN(3)])
				if r.IntN(4) == 0 {
					m.body(r, at)
				}
			}
			at = m.standing(r, at, []string{"revolute", "revolute", "prismatic"}[r.IntN(3)])
			if r.IntN(2) == 0 { // fixed frames on both sides of the body
				at = m.standing(r, at, "rigid-arm")
			}
			m.body(r, at)
		}
	}
	return m
}

// move finds poses and motions of all frames from states, their rates and inputs.
func (m *mechanism) move(value, rate func(name string) float64) {
	of := func(get func(string) float64, name string, x ...string) r3.Vec {
		return r3.Vec{X: get(name + "." + x[0]), Y: get(name + "." + x[1]), Z: get(name + "." + x[2])}
	}
	hull := &m.frames[0]
	turned := axes{{X: 1}, {Y: 1}, {Z: 1}}.about(r3.Vec{Z: 1}, value("hull.yaw"))
	hull.turned = turned.about(r3.Vec{Y: 1}, value("hull.pitch")).about(r3.Vec{X: 1}, value("hull.roll"))
	hull.velocity = twist{hull.turned.out(of(value, "hull", "vx", "vy", "vz")),
		hull.turned.out(of(value, "hull", "wx", "wy", "wz"))}
	hull.change = twist{r3.Add(hull.turned.out(of(rate, "hull", "vx", "vy", "vz")),
		r3.Cross(hull.velocity.angular, hull.velocity.linear)), hull.turned.out(of(rate, "hull", "wx", "wy", "wz"))}
	for i := range m.frames[1:] {
		m.frames[1+i].moveOn(&m.frames[m.frames[1+i].parent], value, rate)
	}
}

// moveOn: in either direction w' = w + u q', alpha' = alpha + u q" + w x u q' and so on, with the sign of the direction
// and the angular velocity w of the tail; u is the same in both frames.
func (c *mechanical) moveOn(on *mechanical, value, rate func(name string) float64) {
	sign, name := 1.0, "e"+c.name
	if c.reversed {
		sign = -1
	}
	c.turned = on.turned
	var q, p, dp float64
	switch c.kind {
	case "rigid-arm":
		unit := map[byte]r3.Vec{'1': {X: 1}, '2': {Y: 1}, '3': {Z: 1}}
		for k := range c.angles {
			if c.reversed {
				k = 2 - k
			}
			c.turned = c.turned.about(unit[c.sequence[k]], sign*c.angles[k])
		}
	case "revolute":
		q, p, dp = value(name+".phi"), value(name+".omega"), rate(name+".omega")
	case "prismatic":
		q, p, dp = value(name+".s"), value(name+".s_dot"), rate(name+".s_dot")
	default:
		q, p, dp = value(name+".angle"), value(name+".rate"), value(name+".acceleration")
	}
	if c.kind == "revolute" || c.kind == "motion-driver" {
		c.turned = c.turned.about(c.axis, sign*q)
	}
	tail := &on.turned
	if c.reversed {
		tail = &c.turned
	}
	u := tail.out(c.axis)
	w, alpha := on.velocity.angular, on.change.angular
	c.velocity.angular, c.change.angular = w, alpha
	var d, along twist // along: of the head as the tail sees it
	var offset r3.Vec
	switch c.kind {
	case "rigid-arm":
		offset = u
	case "prismatic":
		offset, d.linear, along.linear = r3.Scale(q, u), r3.Scale(p, u), r3.Scale(dp, u)
	case "revolute", "motion-driver":
		c.velocity.angular = r3.Add(w, r3.Scale(sign*p, u))
		c.change.angular = r3.Add(alpha, r3.Scale(sign, r3.Add(r3.Scale(dp, u), r3.Scale(p, r3.Cross(w, u)))))
	}
	velocity := r3.Add(d.linear, r3.Cross(w, offset))
	change := r3.Add(r3.Add(along.linear, r3.Cross(alpha, offset)),
		r3.Add(r3.Cross(w, r3.Cross(w, offset)), r3.Scale(2, r3.Cross(w, d.linear))))
	c.at = r3.Add(on.at, r3.Scale(sign, offset))
	c.velocity.linear = r3.Add(on.velocity.linear, r3.Scale(sign, velocity))
	c.change.linear = r3.Add(on.change.linear, r3.Scale(sign, change))
}

// residual is the largest force or moment that a free joint, or the hull, would have to bear, as a part of the sum of
// the sizes of all. There is none.
func (m *mechanism) residual() (worst float64) {
	size := 0.0
	for i := range m.frames {
		m.frames[i].force, m.frames[i].moment = r3.Vec{}, r3.Vec{}
	}
	for i := len(m.frames) - 1; i >= 0; i-- {
		c := &m.frames[i]
		if c.mass > 0 {
			f := r3.Scale(c.mass, r3.Add(c.change.linear, r3.Vec{Z: 9.81}))
			times := func(v r3.Vec) r3.Vec {
				v = c.turned.in(v)
				return c.turned.out(r3.Vec{X: c.inertia[0]*v.X + c.product*v.Y, Y: c.inertia[1]*v.Y + c.product*v.X,
					Z: c.inertia[2] * v.Z})
			}
			w := c.velocity.angular
			n := r3.Add(times(c.change.angular), r3.Cross(w, times(w)))
			c.force, c.moment = r3.Add(c.force, f), r3.Add(c.moment, r3.Add(n, r3.Cross(c.at, f)))
			size += r3.Norm(f) + r3.Norm(n) + r3.Norm(r3.Cross(c.at, f))
		}
		u := m.frames[max(c.parent, 0)].turned.out(c.axis)
		if c.reversed {
			u = c.turned.out(c.axis)
		}
		switch {
		case i == 0:
			worst = max(worst, r3.Norm(c.force), r3.Norm(c.moment))
		case c.kind == "revolute":
			worst = max(worst, math.Abs(r3.Dot(u, r3.Sub(c.moment, r3.Cross(c.at, c.force)))))
		case c.kind == "prismatic":
			worst = max(worst, math.Abs(r3.Dot(u, c.force)))
		}
		if i > 0 {
			on := &m.frames[c.parent]
			on.force, on.moment = r3.Add(on.force, c.force), r3.Add(on.moment, c.moment)
		}
	}
	return worst / size
}

// TestRandomMechanismsAreInEquilibrium: with the accelerations of the formulation, by the matrix and by the recursion,
// no joint of a mechanism at random bears a load along its freedom (d'Alembert).
func TestRandomMechanismsAreInEquilibrium(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(25, 1))
	fixed, joined, based := 0, 0, 0
	for n := range testrun.Either(8, 25) {
		m := randomMechanism(r)
		parsed, err := vehicle.Parse([]byte(m.text.String()), "mechanism.toml", nil)
		if err != nil {
			t.Fatal(err)
		}
		for _, how := range []solves{byMatrix, byRecursion} {
			f, err := formulated(parsed, Options{}, how)
			if err != nil {
				t.Fatalf("%v\n%s", err, &m.text)
			}
			if f.withoutMass != (how == byRecursion) {
				t.Fatalf("mechanism %d is not solved as it should be", n)
			}
			for i := range f.classes {
				c := &f.classes[i]
				fixed += map[bool]int{true: 1}[c.fixed]
				joined += max(len(c.joints)-1, 0)
				based += map[bool]int{true: 1}[len(c.joints) > 0 && c.reference != i]
			}
			p, err := program.Build(f.Source())
			if err != nil {
				t.Fatal(err)
			}
			for range 3 {
				m.atRandom(r, p)
				if worst := m.residual(); !(worst < 1e-12) {
					t.Errorf("mechanism %d, %d: a joint bears %.3g of all loads\n%s", n, how, worst, &m.text)
				}
			}
		}
	}
	if fixed == 0 || joined == 0 || based == 0 {
		t.Errorf("%d classes are fixed to others, %d joints turn together with others, %d classes have other axes than "+
			"the head of their joint", fixed, joined, based)
	}
}

// atRandom moves the mechanism with a state at random as the program says. It returns the published values of the
// program.
func (m *mechanism) atRandom(r *rand.Rand, p *program.Program) (published map[string]float64) {
	tape, parameters := p.NewTape(), make([]float64, len(p.Parameters))
	for i, v := range p.Parameters {
		parameters[i] = v.Start
	}
	tape.SetParameters(parameters)
	x, dx, u := make([]float64, len(p.States)), make([]float64, len(p.States)), make([]float64, len(p.Inputs))
	values, rates := map[string]float64{}, map[string]float64{}
	for i, v := range p.States {
		x[i] = r.NormFloat64()
		values[v.Name] = x[i]
	}
	for i, v := range p.Inputs {
		u[i] = r.NormFloat64()
		values[v.Name] = u[i]
	}
	tape.Derivatives(0, x, u, dx)
	for i, v := range p.States {
		rates[v.Name] = dx[i]
	}
	of := func(list map[string]float64) func(string) float64 {
		return func(name string) float64 {
			v, known := list[name]
			if !known {
				panic("there is no " + name)
			}
			return v
		}
	}
	m.move(of(values), of(rates))
	y := make([]float64, len(p.Outputs))
	tape.Outputs(y)
	published = map[string]float64{}
	for i, v := range p.Outputs {
		published[v.Name] = y[i]
	}
	side := tape.Side(program.Energies)
	side.Evaluate(x, u, nil)
	for i, v := range p.Powers {
		published[v.Name] = side.Value(side.Len() - len(p.Powers) + i)
	}
	return published
}
