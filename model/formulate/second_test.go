package formulate_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"skidpad/model/curve"
	"skidpad/model/formulate"
	"skidpad/model/program"
	"skidpad/model/vehicle"
)

// follower is a wheel on a suspension from a frame with surfaces over its travel and the motion of a component.
type follower struct {
	surfaces [6]*curve.Surface
	coil     *curve.Surface // length of a spring
}

const (
	wheelMass, wheelX, wheelY, wheelZ = 30, 1.5, 2.5, 1.6
	coilStiffness, coilFree           = 9e3, 0.6
)

// newFollower makes surfaces; the last three are small angles.
func newFollower(t *testing.T, r *rand.Rand, rule string, keys string) (f follower, text string) {
	t.Helper()
	var b strings.Builder
	fmt.Fprintf(&b, `
[component.susp]
type = "suspension"
from = %%q
to = "wheel"
side = "left"
%s
`, keys)
	for i, key := range []string{"x", "y", "z", "toe", "camber", "castor"} {
		var points []curve.PointOfSurface
		for _, q := range []float64{-0.12, -0.05, 0.02, 0.06, 0.14} {
			for _, s := range []float64{-0.2, -0.07, 0.05, 0.2} {
				z := 0.02 * r.NormFloat64()
				if key == "z" {
					z = q + 0.3*z
				}
				points = append(points, curve.PointOfSurface{X: q, Y: s, Z: z})
			}
		}
		by := curve.Rule(curve.Smooth)
		if rule == "monotone" {
			by = curve.Monotone
		}
		s, err := curve.NewSurface(points, by, false)
		if err != nil {
			t.Fatal(err)
		}
		f.surfaces[i] = s
		fmt.Fprintf(&b, "%s = { points = %s, smooth = %q }\n", key, surfaceRows(points), rule)
	}
	fmt.Fprintf(&b, `start = { travel = 0.03 }
[component.wheel]
type = "rigid-body"
mass = %d
inertia = { xx = %g, yy = %g, zz = %g }
[component.wheel_spring]
type = "spring-damper"
joint = "susp"
stiffness = 8e3
`, wheelMass, wheelX, wheelY, wheelZ)
	var points []curve.PointOfSurface
	for _, q := range []float64{-0.12, -0.04, 0.05, 0.14} {
		for _, s := range []float64{-0.2, 0.02, 0.2} {
			points = append(points, curve.PointOfSurface{X: q, Y: s, Z: 0.5 - 0.6*q + 0.3*s + 0.02*r.NormFloat64()})
		}
	}
	var err error
	if f.coil, err = curve.NewSurface(points, curve.Smooth, false); err != nil {
		t.Fatal(err)
	}
	fmt.Fprintf(&b, `[component.coil]
type = "spring-damper"
joint = "susp"
length = %s
stiffness = %g
free_length = %g
`, surfaceRows(points), coilStiffness, coilFree)
	return f, b.String()
}

// hangingChain is a chain of bodies that hangs from the ground, at rest.
func hangingChain(links int) string {
	var text strings.Builder
	for i, from := 0, "ground"; i < links; i++ {
		fmt.Fprintf(&text,
			`[component.joint_%[1]d]
type = "revolute"
from = %[2]q
to = "link_%[1]d"
axis = "y"
`, i, from)
		fmt.Fprintf(&text, `[component.arm_%[1]d]
type = "rigid-arm"
from = "link_%[1]d"
to = "end_%[1]d"
translation = [0, 0, -0.1]
`, i)
		fmt.Fprintf(&text, `[component.ball_%[1]d]
type = "rigid-body"
frame = "end_%[1]d"
mass = 0.5
inertia = { xx = 0.01, yy = 0.01, zz = 0.01 }
`, i)
		from = fmt.Sprintf("end_%d", i)
	}
	return text.String()
}

type matrix [3][3]float64

func (a matrix) times(b matrix) (c matrix) {
	for i := range 3 {
		for j := range 3 {
			for k := range 3 {
				c[i][j] += a[i][k] * b[k][j]
			}
		}
	}
	return c
}

// turnAndSlope is an elementary turn about an axis, and its derivative by the angle.
func turnAndSlope(axis int, angle float64) (r, d matrix) {
	sin, cos := math.Sincos(angle)
	x, y := (axis+1)%3, (axis+2)%3
	r[axis][axis], r[x][x], r[y][y], r[x][y], r[y][x] = 1, cos, cos, -sin, sin
	d[x][x], d[y][y], d[x][y], d[y][x] = -sin, -sin, -cos, cos
	return r, d
}

// kinetic returns the kinetic energy of the wheel on a suspension from the ground, and its height. The angular velocity
// is R'R^T in axes of the wheel, with the derivative of the rotation matrix.
func (f *follower) kinetic(q, qRate, s, sRate float64) (energy, height float64) {
	var value, rate [6]float64
	for i, c := range f.surfaces {
		v, by, bySecond := c.At(q, s)
		value[i], rate[i] = v, by*qRate+bySecond*sRate
	}
	energy = wheelMass / 2. * (rate[0]*rate[0] + rate[1]*rate[1] + rate[2]*rate[2])
	var turns, changes [3]matrix
	for k, axis := range []int{2, 0, 1} { // on the left toe-in, camber and castor turn about -z, -x and -y
		turns[k], changes[k] = turnAndSlope(axis, -value[3+k])
		for i := range 3 {
			for j := range 3 {
				changes[k][i][j] *= -rate[3+k]
			}
		}
	}
	r := turns[0].times(turns[1]).times(turns[2])
	var change matrix
	for _, m := range []matrix{changes[0].times(turns[1]).times(turns[2]), turns[0].times(changes[1]).times(turns[2]),
		turns[0].times(turns[1]).times(changes[2])} {
		for i := range 3 {
			for j := range 3 {
				change[i][j] += m[i][j]
			}
		}
	}
	spin := func(i, j int) (w float64) { // of R^T R'
		for k := range 3 {
			w += r[k][i] * change[k][j]
		}
		return w
	}
	wx, wy, wz := spin(2, 1), spin(0, 2), spin(1, 0)
	return energy + (wheelX*wx*wx+wheelY*wy*wy+wheelZ*wz*wz)/2, value[2]
}

// stateOf is the index of a state.
func stateOf(t *testing.T, p *program.Program, name string) int {
	t.Helper()
	for i := range p.States {
		if p.States[i].Name == name {
			return i
		}
	}
	t.Fatalf("no state %s in %v", name, p.States)
	return 0
}

// A body moved by a suspension over two variables keeps its energy for any second variable: a rack, a lever, a free
// steering wheel, or the travel of another suspension. The kinetic energy depends on the surfaces and their slopes
// alone; the mass matrix and the accelerations hold all second derivatives.
func TestSuspensionsOverTwoVariablesKeepTheirEnergy(t *testing.T) {
	const rack = `
[component.rack_body]
type = "rigid-body"
mass = 4
inertia = { xx = 1, yy = 1, zz = 0.5 }
`
	const spring = `
[component.rack_spring]
type = "spring-damper"
joint = "rack"
stiffness = 3e3
`
	for _, c := range []struct {
		name, keys, text string
		state            [2]string // of the second variable
		mass, stiffness  float64   // of the second coordinate
		weight           float64   // along it
		rule             string
		limit            float64
	}{
		{"rack", `steer = "rack"`,
			`[component.rack]
type = "prismatic"
from = "ground"
to = "rack_body"
axis = "y"
` +
				rack + spring, [2]string{"rack.s", "rack.s_dot"}, 4, 3e3, 0, "spline", 1e-7},
		{"rack, beside a chain that makes the recursion cheaper", `steer = "rack"`,
			`[component.rack]
type = "prismatic"
from = "ground"
to = "rack_body"
axis = "y"
` +
				rack + spring + hangingChain(20), [2]string{"rack.s", "rack.s_dot"}, 4, 3e3, 0, "spline", 1e-7},
		{"rack, monotone", `steer = "rack"`,
			`[component.rack]
type = "prismatic"
from = "ground"
to = "rack_body"
axis = "y"
` + rack + spring,
			[2]string{"rack.s", "rack.s_dot"}, 4, 3e3, 0, "monotone", 1e-7},
		{"lever", `steer = "rack"`,
			`[component.rack]
type = "revolute"
from = "ground"
to = "rack_body"
axis = "z"
` +
				rack + spring, [2]string{"rack.phi", "rack.omega"}, 0.5, 3e3, 0, "spline", 1e-7},
		{"other suspension", `other = "rack"`,
			`[component.rack]
type = "suspension"
from = "ground"
to = "rack_body"
side = "right"
` + rack + spring,
			[2]string{"rack.travel", "rack.travel_dot"}, 4, 3e3, 4 * 9.81, "spline", 1e-7},
		{"steering wheel", `steer = "rack"`,
			`[component.driver]
type = "motion-driver"
from = "ground"
to = "rack_body"
axis = "z"
` + rack +
				`[component.rack]
type = "steering"
ratio = 2
hand_wheel = { inertia = 0.7 }
[[component.rack.wheels]]
driver = "driver"
`,
			[2]string{"rack.wheel_angle", "rack.wheel_rate"}, 0.7 + 0.5/4, 0, 0, "spline", 1e-7},
	} {
		r := rand.New(rand.NewPCG(51, 7))
		f, text := newFollower(t, r, c.rule, c.keys)
		m, err := vehicle.Parse([]byte("name = \"Corner\"\n"+fmt.Sprintf(text, "ground")+c.text), "corner.toml", nil)
		if err != nil {
			t.Fatal(err)
		}
		p, tape := machine(t, m, formulate.Options{})
		q, v := stateOf(t, p, "susp.travel"), stateOf(t, p, "susp.travel_dot")
		s, w := stateOf(t, p, c.state[0]), stateOf(t, p, c.state[1])
		u := make([]float64, len(p.Inputs))
		for i, in := range p.Inputs {
			u[i] = in.Start
		}
		energy := func(x []float64) float64 {
			kinetic, height := f.kinetic(x[q], x[v], x[s], x[w])
			length, _, _ := f.coil.At(x[q], x[s])
			kinetic += coilStiffness / 2 * (length - coilFree) * (length - coilFree)
			return kinetic + c.mass/2*x[w]*x[w] + 8e3/2*x[q]*x[q] + c.stiffness/2*x[s]*x[s] + wheelMass*9.81*height +
				c.weight*x[s]
		}
		x, dx, near := make([]float64, len(p.States)), make([]float64, len(p.States)), make([]float64, len(p.States))
		for range 200 {
			x[q], x[v] = 0.26*r.Float64()-0.13, r.NormFloat64()
			x[s], x[w] = 0.44*r.Float64()-0.22, r.NormFloat64()
			tape.Derivatives(0, x, u, dx)
			along := func(time float64) float64 {
				for i := range near {
					near[i] = x[i] + time*dx[i]
				}
				return energy(near)
			}
			const h = 2e-5
			power := (8*(along(h)-along(-h)) - (along(2*h) - along(-2*h))) / (12 * h)
			size := wheelMass * (math.Abs(x[v]*dx[v]) + math.Abs(x[w]*dx[w]) + 10)
			if !(math.Abs(power) < c.limit*size) {
				t.Fatalf("%s at %v: the energy rises by %g W, of %g", c.name, x, power, size)
			}
		}
	}
}

// On a body that flies and turns, a rack with its free motion as a prescribed motion leaves the other accelerations
// unchanged. So does a steering wheel with an angle as input.
func TestPrescribedSecondVariablesEqualFreeOnes(t *testing.T) {
	const hull = `
[component.hull]
type = "rigid-body"
mass = 200
inertia = { xx = 40, yy = 90, zz = 100, xz = 3 }
`
	const body = `[component.rack_body]
type = "rigid-body"
mass = 1e-9
inertia = { xx = 1, yy = 1, zz = 2 }
`
	r := rand.New(rand.NewPCG(51, 9))
	_, text := newFollower(t, r, "spline", `steer = "rack"`)
	text = `name = "Hull"
` + hull + fmt.Sprintf(text, "hull") +
		`[component.rod]
type = "rod"
from = "ground"
to = "wheel"
length = 1
` // a constraint on both
	build := func(more string) (*program.Program, program.Machine) {
		m, err := vehicle.Parse([]byte(text+more), "hull.toml", nil)
		if err != nil {
			t.Fatal(err)
		}
		return machine(t, m, formulate.Options{})
	}
	const joint = `from = "hull"
to = "rack_body"
axis = "z"
`
	free, a := build(`[component.rack]
type = "revolute"
` + joint + body)
	driven, b := build(`[component.rack]
type = "motion-driver"
` + joint + body)
	steered, c := build(`[component.driver]
type = "motion-driver"
` + joint + body +
		`[component.rack]
type = "steering"
ratio = 1
[[component.rack.wheels]]
driver = "driver"
`)
	angle, rate := stateOf(t, free, "rack.phi"), stateOf(t, free, "rack.omega")
	for range 50 {
		x, dx := make([]float64, len(free.States)), make([]float64, len(free.States))
		for i := range x {
			x[i] = 0.5 * r.NormFloat64()
		}
		x[stateOf(t, free, "susp.travel")] = 0.05 * r.NormFloat64()
		x[angle] = 0.1 * r.NormFloat64()
		a.Derivatives(0, x, make([]float64, len(free.Inputs)), dx)
		for _, other := range []struct {
			p *program.Program
			m program.Machine
		}{{driven, b}, {steered, c}} {
			u := make([]float64, len(other.p.Inputs))
			for i, in := range other.p.Inputs {
				switch in.Name {
				case "rack.angle":
					u[i] = x[angle]
				case "rack.rate":
					u[i] = x[rate]
				case "rack.acceleration":
					u[i] = dx[rate]
				}
			}
			y, dy := make([]float64, len(other.p.States)), make([]float64, len(other.p.States))
			for i := range other.p.States {
				y[i] = x[stateOf(t, free, other.p.States[i].Name)]
			}
			other.m.Derivatives(0, y, u, dy)
			for i := range dy {
				name := other.p.States[i].Name
				if want := dx[stateOf(t, free, name)]; !(math.Abs(dy[i]-want) < 1e-9*(1+math.Abs(want))) {
					t.Fatalf("rate of %s: %.14g prescribed, %.14g free", name, dy[i], want)
				}
			}
		}
	}
}

// Toe in proportion to a rack is a rotation about z in front of the wheel; an outward displacement is a slide along y.
// These closed forms check the surfaces, on a body that flies and turns.
func TestPlaneSurfacesAreTurnsAndSlides(t *testing.T) {
	const hull = `name = "Hull"
[component.hull]
type = "rigid-body"
mass = 200
inertia = { xx = 40, yy = 90, zz = 100 }
[component.wheel]
type = "rigid-body"
mass = 30
inertia = { xx = 1, yy = 2, zz = 3, xy = 0.2 }
[component.spring]
type = "spring-damper"
joint = "susp"
stiffness = 9e3
[component.brake]
type = "brake"
from = "ground"
to = "wheel"
axis = "z"
[component.susp]
type = "suspension"
from = "hull"
side = "left"
x = [[-0.1, 0.01], [0, 0], [0.1, 0.03]]
`
	build := func(text string) (*program.Program, program.Machine) {
		m, err := vehicle.Parse([]byte(hull+text), "hull.toml", nil)
		if err != nil {
			t.Fatal(err)
		}
		return machine(t, m, formulate.Options{})
	}
	const plane = " = [[-1, -1, 3], [-1, 1, -3], [1, -1, 3], [1, 1, -3]]\n" // -3 s
	const rack = `[component.rack]
type = "motion-driver"
from = "hull"
to = "dummy"
axis = "y"
kind = "translation"
[component.dummy]
type = "rigid-body"
mass = 1e-12
inertia = { xx = 1e-12, yy = 1e-12, zz = 1e-12 }
`
	const turn = `to = "knuckle"
[component.turn]
type = "motion-driver"
from = "knuckle"
to = "wheel"
`
	for _, c := range []struct {
		key, motion string
		factor      float64
	}{
		{"toe", "axis = \"z\"\n", 3}, // toe-in on the left is about -z
		{"y", "axis = \"y\"\nkind = \"translation\"\n", -3},
	} {
		p, a := build(`to = "wheel"
steer = "rack"
` + c.key + plane + rack)
		q, b := build(turn + c.motion)
		compareDriven(t, p, a, q, b, c.factor)
	}
}

// compareDriven compares rates of states and outputs of the wheel of two programs with one prescribed motion each, that
// of the second one being larger by a factor.
func compareDriven(t *testing.T, p *program.Program, a program.Machine, q *program.Program, b program.Machine,
	factor float64) {
	t.Helper()
	r := rand.New(rand.NewPCG(51, 11))
	for range 50 {
		x, dx, dy := make([]float64, len(p.States)), make([]float64, len(p.States)), make([]float64, len(p.States))
		for i := range x {
			x[i] = 0.3 * r.NormFloat64()
		}
		rack := [3]float64{0.2 * r.NormFloat64(), r.NormFloat64(), 10 * r.NormFloat64()}
		inputs := func(p *program.Program, factor float64) []float64 {
			u := make([]float64, len(p.Inputs))
			for i, in := range p.Inputs {
				switch {
				case in.Name == "brake.torque":
					u[i] = 50
				case strings.HasSuffix(in.Name, ".acceleration"):
					u[i] = factor * rack[2]
				case strings.HasSuffix(in.Name, ".rate"):
					u[i] = factor * rack[1]
				case strings.HasSuffix(in.Name, ".position"), strings.HasSuffix(in.Name, ".angle"):
					u[i] = factor * rack[0]
				}
			}
			return u
		}
		a.Derivatives(0, x, inputs(p, 1), dx)
		b.Derivatives(0, x, inputs(q, factor), dy)
		for i := range dx {
			if p.States[i].Name != q.States[i].Name || !(math.Abs(dx[i]-dy[i]) < 1e-10*(1+math.Abs(dy[i]))) {
				t.Fatalf("rate of %s: %.14g by the surface, %.14g by the turn", p.States[i].Name, dx[i], dy[i])
			}
		}
		outputs, turned := make([]float64, len(p.Outputs)), make([]float64, len(q.Outputs))
		a.Outputs(outputs)
		b.Outputs(turned)
		compared := 0
		for i, o := range p.Outputs {
			for j := range q.Outputs {
				if q.Outputs[j].Name == o.Name && strings.HasPrefix(o.Name, "wheel") {
					compared++
					if !(math.Abs(outputs[i]-turned[j]) < 1e-10*(1+math.Abs(turned[j]))) {
						t.Fatalf("%s: %.14g by the surface, %.14g by the turn", o.Name, outputs[i], turned[j])
					}
				}
			}
		}
		if compared == 0 {
			t.Fatalf("nothing to compare: %v, %v", p.Outputs, q.Outputs)
		}
	}
}
