package formulate_test

import (
	"fmt"
	"io/fs"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"skidpad/model/bounded"
	"skidpad/model/formulate"
	"skidpad/model/program"
	"skidpad/model/vehicle"
)

// cornerByPoints has all kinds of vectors and formulas of them.
const cornerByPoints = `kind = "subsystem"
frames = ["chassis"]
sides = "left"
[parameters]
front = { value = [150, 350, 150], unit = "mm" }
rear = { value = ["-160 mm", "0.34 m", "155 mm"] }
outer = { value = [10, 680, 180], unit = "mm", share = true }
along = { value = [0.1, 0.2, 1], unit = "1", kind = "direction" }
spin = { value = [0.1, 0.2, 0.3], unit = "rad/s", kind = "axial" }
rate = { value = 20000, unit = "N/m" }
load = { value = 2, unit = "kg" }
[component.pivot]
type = "rigid-arm"
from = "chassis"
to = "pivot"
translation = "0.5*(front + rear)"
[component.hinge]
type = "revolute"
from = "pivot"
to = "arm"
axis = "front - rear"
start = { phi = 0.1, omega = "spin.z" }
[component.arm]
type = "rigid-body"
mass = 3
inertia = { xx = 0.1, yy = 0.12, zz = 0.15 }
[component.ball]
type = "rigid-arm"
from = "arm"
to = "ball"
translation = "outer - 0.5*(front + rear)"
[component.top]
type = "rigid-arm"
from = "chassis"
to = "top"
translation = ["outer.x", "outer.y - 0.1", "norm(outer)"]
[component.slide]
type = "prismatic"
from = "top"
to = "stone"
axis = "cross(along, front - outer)"
[component.coil]
type = "spring-damper"
from = "top"
to = "ball"
stiffness = "rate"
damping = 1000
free_length = "0.9*norm(outer - front)"
[component.stone]
type = "point-mass"
mass = "1 kg"
[component.loose]
type = "rigid-body"
mass = "load*dot(along, along)"
inertia = { xx = 0.1, yy = 0.12, zz = 0.15 }
start = { angular_velocity = "spin", position = "outer" }
`

const carByPoints = `name = "Points"
gravity = "down"
[parameters]
down = { value = [0.1, 0.2, -9.7], unit = "m/s2" }
own = { value = [-1.5, 0.3, 0.1], unit = "m" }
[component.body]
type = "rigid-body"
mass = 100
inertia = { xx = 25, yy = 150, zz = 160 }
[use.F]
file = "corner.toml"
at = ["L", "R"]
frames = { chassis = "body" }
parameters = { along = [0.2, 0.3, 0.9] }
[use.R]
file = "corner.toml"
at = ["L", "R"]
frames = { chassis = "body" }
parameters = { front = "own", rear = ["own.x - 0.3", "330 mm", "160 mm"], outer = [-1600, 690, 170] }
[quantities]
"gap" = { value = "norm(own - outer_F) + body.x", unit = "m" }
`

func inFiles(files map[string]string) bounded.Files {
	return func(_ bounded.Kind, name string) ([]byte, error) {
		if text, has := files[name]; has {
			return []byte(text), nil
		}
		return nil, fs.ErrNotExist
	}
}

func parsed(t *testing.T, car string, files map[string]string) *vehicle.Model {
	t.Helper()
	m, err := vehicle.Parse([]byte(car), "car.toml", inFiles(files))
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// handCorner is a corner of cornerByPoints written by hand for one side.
func handCorner(name string, front, rear, outer, along, spin [3]string, right bool) string {
	turn, shift := "", " - 0.1" // of the hinge, whose coordinate changes its sign; to the middle
	if right {
		turn, shift = "-", " + 0.1"
	}
	middle := func(i int) string { return fmt.Sprintf("0.5*(%s + %s)", front[i], rear[i]) }
	diff := func(i int) string { return front[i] + " - (" + rear[i] + ")" }
	to := func(i int) string { return front[i] + " - (" + outer[i] + ")" }
	cross := func(i int) string {
		j, k := (i+1)%3, (i+2)%3
		return fmt.Sprintf("(%s)*(%s) - (%s)*(%s)", along[j], to(k), along[k], to(j))
	}
	axis := [3]string{cross(0), cross(1), cross(2)}
	if right { // the vector product of two mirrored vectors is minus the mirror image of their product
		for i := range axis {
			axis[i] = "-(" + axis[i] + ")"
		}
	}
	square := func(v [3]string) string { return fmt.Sprintf("((%s)^2 + (%s)^2 + (%s)^2)", v[0], v[1], v[2]) }
	return strings.NewReplacer("_N", "_"+name).Replace(fmt.Sprintf(`
[component.pivot_N]
type = "rigid-arm"
from = "body"
to = "pivot_N"
translation = ["%s", "%s", "%s"]
[component.hinge_N]
type = "revolute"
from = "pivot_N"
to = "arm_N"
axis = ["%s", "%s", "%s"]
start = { phi = %s0.1, omega = "%s" }
[component.arm_N]
type = "rigid-body"
mass = 3
inertia = { xx = 0.1, yy = 0.12, zz = 0.15 }
[component.ball_N]
type = "rigid-arm"
from = "arm_N"
to = "ball_N"
translation = ["%s - %s", "%s - %s", "%s - %s"]
[component.top_N]
type = "rigid-arm"
from = "body"
to = "top_N"
translation = ["%s", "%s", "sqrt%s"]
[component.slide_N]
type = "prismatic"
from = "top_N"
to = "stone_N"
axis = ["%s", "%s", "%s"]
[component.coil_N]
type = "spring-damper"
from = "top_N"
to = "ball_N"
stiffness = "rate_N"
damping = 1000
free_length = "0.9*sqrt%s"
[component.stone_N]
type = "point-mass"
mass = "1 kg"
[component.loose_N]
type = "rigid-body"
mass = "load_N*%s"
inertia = { xx = 0.1, yy = 0.12, zz = 0.15 }
start = { angular_velocity = ["%s", "%s", "%s"], position = ["%s", "%s", "%s"] }
`, middle(0), middle(1), middle(2), diff(0), diff(1), diff(2), turn, spin[2], outer[0], middle(0), outer[1], middle(1), outer[2],
		middle(2), outer[0], outer[1]+shift, square(outer),
		axis[0], axis[1], axis[2], square([3]string{to(0), to(1), to(2)}), square(along), spin[0], spin[1], spin[2], outer[0],
		outer[1], outer[2]))
}

// coordinatesNamed are the coordinates of a vector, of which y has another sign where the vector is of the left side.
func coordinatesNamed(name string, left bool) [3]string {
	v := [3]string{name + "_x", name + "_y", name + "_z"}
	if left {
		v[1] = "-(" + v[1] + ")"
	}
	return v
}

// setRandomly gives parameters random values near their own, alike for alike names.
func setRandomly(r *rand.Rand, p *program.Program, m program.Machine, known map[string]float64) {
	values := make([]float64, len(p.Parameters))
	for i, v := range p.Parameters {
		if _, has := known[v.Name]; !has {
			known[v.Name] = v.Start * (1 + 0.1*r.Float64())
		}
		values[i] = known[v.Name]
	}
	m.SetParameters(values)
}

// A car whose corners are given by points has the equations of the car that is written coordinate by coordinate, on
// both sides, to the bit, at any values of the coordinates.
func TestCornersByPointsEqualThoseByHand(t *testing.T) {
	byPoints := parsed(t, carByPoints, map[string]string{"corner.toml": cornerByPoints})
	hand := `name = "Points"
gravity = ["down_x", "down_y", "down_z"]
[quantities]
"gap" = { value = "sqrt((own_x - outer_F_x)^2 + (own_y - outer_F_y)^2 + (own_z - outer_F_z)^2) + body.x", unit = "m" }
[component.body]
type = "rigid-body"
mass = 100
inertia = { xx = 25, yy = 150, zz = 160 }
`
	for _, name := range []string{"FL", "FR", "RL", "RR"} {
		right := name[1] == 'R'
		front, rear := coordinatesNamed("front_"+name, false), coordinatesNamed("rear_"+name, false)
		if name[0] == 'R' {
			front = coordinatesNamed("own", right)
			rear[0] = "own_x - 0.3"
		}
		hand += handCorner(name, front, rear, coordinatesNamed("outer_"+name[:1], right),
			coordinatesNamed("along_"+name, false), coordinatesNamed("spin_"+name, false), right)
	}
	hand += "[parameters]\n"
	for _, p := range byPoints.Parameters {
		hand += fmt.Sprintf("%s = { value = %v, unit = %q }\n", p.Name, p.Value.Value, p.Unit)
	}
	byHand := parsed(t, hand, nil)
	p, one := machine(t, byPoints, formulate.Options{})
	q, other := machine(t, byHand, formulate.Options{})
	if len(p.States) != len(q.States) || len(p.Parameters) != len(q.Parameters) {
		t.Fatalf("%d states, %d parameters by points; %d, %d by hand", len(p.States), len(p.Parameters), len(q.States),
			len(q.Parameters))
	}
	r := rand.New(rand.NewPCG(50, 2))
	for range 20 {
		known := map[string]float64{}
		setRandomly(r, p, one, known)
		setRandomly(r, q, other, known)
		x := make([]float64, len(p.States))
		for i := range x {
			x[i] = 0.3 * r.NormFloat64()
		}
		got, want := make([]float64, len(x)), make([]float64, len(x))
		one.Derivatives(0, x, nil, got)
		other.Derivatives(0, x, nil, want)
		for i := range x {
			if math.IsNaN(got[i]) || got[i] != want[i] {
				t.Fatalf("rate of %s is %v by points and %v by hand", p.States[i].Name, got[i], want[i])
			}
		}
	}
}

// An axis by formulas is the axis of the same numbers, in every direction, for joints and loads; also after its points
// have been moved.
func TestAxesByFormulasAreThoseByNumbers(t *testing.T) {
	const car = `name = "Axes"
[parameters]
a = { value = [0.3, -0.2, 0.1], unit = "m" }
b = { value = [%v, %v, %v], unit = "m" }
[component.body]
type = "rigid-body"
mass = 100
inertia = { xx = 25, yy = 150, zz = 160 }
[component.place]
type = "rigid-arm"
from = "body"
to = "place"
translation = "a"
[component.hinge]
type = "revolute"
from = "place"
to = "arm"
axis = AXIS
[component.arm]
type = "rigid-body"
mass = 3
inertia = { xx = 0.1, yy = 0.12, zz = 0.15, xy = 0.01 }
[component.motor]
type = "torque-driver"
from = "place"
to = "arm"
axis = AXIS
[component.slide]
type = "prismatic"
from = "body"
to = "block"
axis = AXIS
[component.block]
type = "rigid-body"
mass = 2
inertia = { xx = 0.1, yy = 0.12, zz = 0.15 }
[component.turn]
type = "motion-driver"
from = "arm"
to = "tip"
axis = AXIS
[component.tip]
type = "rigid-body"
mass = 1
inertia = { xx = 0.1, yy = 0.2, zz = 0.25, yz = 0.02 }
[component.push]
type = "force-driver"
from = "body"
to = "tip"
axis = AXIS
[component.line]
type = "strut"
from = "bead"
to = "arm"
axis = AXIS
[component.coil]
type = "spring-damper"
joint = "line"
stiffness = 50
damping = 3
[component.bead]
type = "point-mass"
mass = 1
[component.sleeve]
type = "bushing"
from = "place"
to = "tip"
along = AXIS
stiffness = [80, 50, 20]
rotational_stiffness = [3, 2, 1]
`
	r := rand.New(rand.NewPCG(50, 3))
	for _, d := range [][3]float64{{1, 0.2, -0.3}, {-1, 0.2, 0.3}, {0.3, 1, -0.2}, {0.1, -1, 0.4}, {0.2, 0.3, 1},
		{0.2, -0.3, -1},
		{0, 0, 1}, {0, 1, 0}, {1, 0, 0}, {1, 1, 1}, {-0.5, 0.5, -0.5}} {
		text := fmt.Sprintf(car, 0.3+d[0], -0.2+d[1], 0.1+d[2])
		byPoints := parsed(t, strings.ReplaceAll(text, "AXIS", `"b - a"`), nil)
		moved := d
		for i := range moved {
			moved[i] += 0.2 * r.NormFloat64()
		}
		nearX := func(v [3]float64) bool { return v[0]*v[0] > v[1]*v[1]+v[2]*v[2] }
		if nearX(moved) != nearX(d) {
			moved = [3]float64{1.1 * d[0], d[1], d[2]} // the rule for the axes of the bushing stays
		}
		p, one := machine(t, byPoints, formulate.Options{})
		values := make([]float64, len(p.Parameters))
		for i, v := range p.Parameters {
			values[i] = v.Start
		}
		for _, e := range [][3]float64{d, moved} {
			byNumbers := strings.ReplaceAll(text, "AXIS", fmt.Sprintf("[%v, %v, %v]", e[0], e[1], e[2]))
			q, other := machine(t, parsed(t, byNumbers, nil), formulate.Options{})
			for i, v := range p.Parameters {
				for axis, name := range []string{"b_x", "b_y", "b_z"} {
					if v.Name == name {
						values[i] = []float64{0.3, -0.2, 0.1}[axis] + e[axis]
					}
				}
			}
			one.SetParameters(values)
			x, u := make([]float64, len(p.States)), make([]float64, len(p.Inputs))
			for i := range x {
				x[i] = 0.3 * r.NormFloat64()
			}
			for i, v := range p.Inputs {
				if u[i] = v.Start; i < len(u)-p.Controls { // demands of constraints belong to their normals
					u[i] = r.NormFloat64()
				}
			}
			got, want := make([]float64, len(x)), make([]float64, len(x))
			one.Derivatives(0, x, u, got)
			other.Derivatives(0, x, u, want)
			for i := range x {
				if !(math.Abs(got[i]-want[i]) <= 1e-11*(1+math.Abs(want[i]))) || p.States[i].Name != q.States[i].Name {
					t.Errorf("axis %v: rate of %s is %v by points, and of %s %v by numbers", e, p.States[i].Name, got[i],
						q.States[i].Name, want[i])
				}
			}
		}
	}
}
