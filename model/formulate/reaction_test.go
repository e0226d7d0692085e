package formulate_test

import (
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"regexp"
	"strings"
	"testing"

	"skidpad/model/bounded"
	"skidpad/model/formulate"
	"skidpad/model/program"
	"skidpad/model/vehicle"
)

// still is a program at a state, with inputs and parameters by name; others have their starts.
type still struct {
	*testing.T
	p *program.Program
	m program.Machine
	y []float64
	x []float64
}

func newStill(t *testing.T, text, tree string) *still {
	t.Helper()
	p, m := machine(t, parse(t, text), formulate.Options{Tree: tree})
	return &still{T: t, p: p, m: m, y: make([]float64, len(p.Outputs)), x: make([]float64, len(p.States))}
}

// at evaluates everything.
func (s *still) at(v map[string]float64) {
	s.Helper()
	u := make([]float64, len(s.p.Inputs))
	for i, in := range s.p.Inputs {
		u[i] = in.Start
	}
	list := make([]float64, len(s.p.Parameters))
	for i, q := range s.p.Parameters {
		list[i] = q.Start
	}
	s.m.SetParameters(list)
	s.m.Start(u, s.x)
	for name, value := range v {
		found := false
		for i, in := range s.p.Inputs {
			if in.Name == name {
				u[i], found = value, true
			}
		}
		for i, state := range s.p.States {
			if state.Name == name {
				s.x[i], found = value, true
			}
		}
		if !found {
			s.Fatalf("no state or input %s", name)
		}
	}
	s.m.Derivatives(0, s.x, u, make([]float64, len(s.x)))
	s.m.Outputs(s.y)
	side := s.m.Side(program.Energies)
	returned := make([]float64, s.m.ReturnedCount())
	s.m.Returned(returned)
	side.Evaluate(s.x, u, returned)
}

// value evaluates an output or a variable that is computed on demand.
func (s *still) value(name string) float64 {
	s.Helper()
	for i, o := range s.p.Outputs {
		if o.Name == name {
			return s.y[i]
		}
	}
	side := s.m.Side(program.Energies)
	for i, o := range s.p.Powers {
		if o.Name == name {
			return side.Value(side.Len() - len(s.p.Powers) + i)
		}
	}
	s.Fatalf("no variable %s", name)
	return 0
}

func (s *still) near(what string, got, want, size, tolerance float64) {
	s.Helper()
	if !(math.Abs(got-want) <= tolerance*size) {
		s.Errorf("%s = %.15g, expected %.15g", what, got, want)
	}
}

// A bead 2 m from the axis slides at 3 m/s on a bar that turns at 1 rad/s about the vertical and slows down by 2
// rad/s2: the bar holds its weight, and pushes with m (2 v w + r w'). The reaction does not contain a spring along the
// bar.
func TestReactionOfStrut(t *testing.T) {
	s := newStill(t, `name = "Bead"
gravity = 10
[component.hinge]
type = "revolute"
from = "ground"
to = "bar"
axis = "z"
start = { omega = 1 }
[component.bar]
type = "rigid-body"
mass = 4
inertia = { xx = 1, yy = 2, zz = 2 }
[component.line]
type = "strut"
from = "bead"
to = "bar"
axis = "x"
reactions = true
[component.coil]
type = "spring-damper"
joint = "line"
stiffness = 100
damping = 5
free_length = 2.5
[component.bead]
type = "point-mass"
mass = 1
start = { position = [2, 0, 0], velocity = [3, 2, 0] }
`, "")
	s.at(nil)
	for name, want := range map[string]float64{
		"line.length": 2, "line.length_dot": 3, "coil.force": -35,
		"line.Fx": 0, "line.Fy": 2, "line.Fz": 10, "line.Mx": 0, "line.My": 0, "line.Mz": 0,
	} {
		s.near(name, s.value(name), want, 10, 1e-14)
	}
}

// claims is the debugging data of another program that knows no graph.
func claims(t *testing.T, name string, into any) {
	t.Helper()
	data, err := os.ReadFile("testdata/reactions.json")
	if err != nil {
		t.Fatal(err)
	}
	all := map[string]json.RawMessage{}
	if err := json.Unmarshal(data, &all); err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(all[name], into); err != nil {
		t.Fatal(err)
	}
}

// drivenRod is a slender rod that a driver swings about its end, towards +x for a positive angle; it hangs at the angle
// 0.
const drivenRod = `name = "Rod"
[component.drive]
type = "motion-driver"
from = "ground"
to = "pivot"
axis = [0, -1, 0]
reactions = "ground"
[component.arm]
type = "rigid-arm"
from = "pivot"
to = "rod"
translation = [0, 0, -0.75]
reactions = true
[component.rod]
type = "rigid-body"
mass = 2
inertia = { axial = 0, transverse = 0.375, axis = "z" }
`

// A driver of a physical pendulum has the torque m l^2/3 q" + m g l/2 sin q. The force on the pivot accelerates the
// centre of mass. The model has no states, and the multipliers are the only unknowns.
func TestDriverOfPhysicalPendulum(t *testing.T) {
	var data struct {
		Rows []struct {
			T, Angle, Torque, Closed float64
			ForceX                   float64 `json:"force_x"`
			ForceZ                   float64 `json:"force_z"`
		}
	}
	claims(t, "physical_pendulum", &data)
	s := newStill(t, drivenRod, "")
	if len(s.p.States) != 0 {
		t.Fatalf("%d states, want none", len(s.p.States))
	}
	for _, row := range data.Rows {
		q, w, a := 0.7*math.Sin(2*row.T), 1.4*math.Cos(2*row.T), -2.8*math.Sin(2*row.T)
		s.at(map[string]float64{"drive.angle": q, "drive.rate": w, "drive.acceleration": a})
		for name, want := range map[string]float64{
			"drive.torque": row.Torque, "drive.power": row.Torque * w, "drive.My": -row.Torque,
			"drive.Fx": row.ForceX, "drive.Fy": 0, "drive.Fz": row.ForceZ, "drive.Mx": 0, "drive.Mz": 0,
			// of the pivot on the rod at its centre, in axes of the pivot, which hangs turned by q
			"arm.Fx": math.Cos(q)*row.ForceX + math.Sin(q)*row.ForceZ,
			"arm.Fz": math.Cos(q)*row.ForceZ - math.Sin(q)*row.ForceX,
			"arm.My": -0.375 * a,
		} {
			s.near(fmt.Sprintf("%s at %g s", name, row.T), s.value(name), want, 22.56, 1e-12)
		}
	}
}

const pointOnRod = `name = "PointOnRod"
[component.mass]
type = "point-mass"
mass = 1
start = { position = [0, 0, -1] }
[component.rod]
type = "rod"
from = "ground"
to = "mass"
length = 1
form = "%s"
reactions = true
[[tree]]
name = "mass"
baumgarte = { alpha = 0, beta = 0 }
formulation = "%s"
`

// The tension of a rod is the same in both of its forms, whose multipliers have other units, and in both formulations.
func TestTensionOfARod(t *testing.T) {
	var data struct {
		Rows []struct{ X, Z, Vx, Vz, Tension float64 }
	}
	claims(t, "rod_force", &data)
	for _, form := range []string{"distance", "square"} {
		for _, formulation := range []string{"multipliers", "udwadia-kalaba"} {
			s := newStill(t, fmt.Sprintf(pointOnRod, form, formulation), "")
			for _, row := range data.Rows {
				s.at(map[string]float64{"mass.x": row.X, "mass.z": row.Z, "mass.vx": row.Vx, "mass.vz": row.Vz})
				for name, want := range map[string]float64{
					"rod.force": row.Tension, "rod.Fx": -row.Tension * row.X, "rod.Fz": -row.Tension * row.Z, "rod.Fy": 0,
				} {
					s.near(form+", "+formulation+": "+name, s.value(name), want, 10, 1e-12)
				}
			}
		}
	}
}

// planarArm has three links that drivers turn about -y, the first one against the ground.
func planarArm(lengths, masses, inertias [3]float64) string {
	var b strings.Builder
	b.WriteString("name = \"Arm\"\nreactions = [\"turn_* in ground\"]\n")
	from := "ground"
	for i := range lengths {
		fmt.Fprintf(&b, `[component.turn_%[1]d]
type = "motion-driver"
from = %[2]q
to = "joint_%[1]d"
axis = [0, -1, 0]
[component.half_%[1]d]
type = "rigid-arm"
from = "joint_%[1]d"
to = "link_%[1]d"
translation = [%[3]v, 0, 0]
[component.link_%[1]d]
type = "rigid-body"
mass = %[4]v
inertia = { xx = 0.01, yy = %[5]v, zz = %[5]v }
`, i+1, from, lengths[i]/2, masses[i], inertias[i])
		if i < 2 {
			fmt.Fprintf(&b, `[component.rest_%[1]d]
type = "rigid-arm"
from = "link_%[1]d"
to = "end_%[1]d"
translation = [%[2]v, 0, 0]
`, i+1, lengths[i]/2)
		}
		from = fmt.Sprintf("end_%d", i+1)
	}
	return b.String()
}

// A planar arm has prescribed angles. Forces and torques of the joints follow Newton and Euler, from the tip inwards.
// The powers of the drivers add up to the rate of the energy.
func TestPlanarArmByNewtonAndEuler(t *testing.T) {
	const gravity = 9.81
	l, m, j := [3]float64{0.8, 0.6, 0.4}, [3]float64{3, 2, 1}, [3]float64{0.16, 0.06, 0.0133}
	s := newStill(t, planarArm(l, m, j), "")
	r := rand.New(rand.NewPCG(45, 3))
	for range 20 {
		var q, w, a [3]float64 // of the links, absolute
		in := map[string]float64{}
		rates := [3]float64{}
		for i := range q {
			angle, rate, acceleration := r.NormFloat64(), 3*r.NormFloat64(), 5*r.NormFloat64()
			name := fmt.Sprintf("turn_%d.", i+1)
			in[name+"angle"], in[name+"rate"], in[name+"acceleration"] = angle, rate, acceleration
			rates[i] = rate
			q[i], w[i], a[i] = angle, rate, acceleration
			if i > 0 {
				q[i], w[i], a[i] = q[i]+q[i-1], w[i]+w[i-1], a[i]+a[i-1]
			}
		}
		s.at(in)
		// centres and ends: p = p0 + x (cos q, sin q), up is z
		var ax, az, vx, vz, x0, z0 float64
		var centre [3][4]float64 // arm from the joint x, z; acceleration x, z
		var speed [3][2]float64
		for i := range q {
			c, n := math.Cos(q[i]), math.Sin(q[i])
			at := func(x float64) (float64, float64) { return ax - x*(a[i]*n+w[i]*w[i]*c), az + x*(a[i]*c-w[i]*w[i]*n) }
			gx, gz := at(l[i] / 2)
			centre[i] = [4]float64{l[i] / 2 * c, l[i] / 2 * n, gx, gz}
			speed[i] = [2]float64{vx - l[i]/2*w[i]*n, vz + l[i]/2*w[i]*c}
			ax, az = at(l[i])
			vx, vz = vx-l[i]*w[i]*n, vz+l[i]*w[i]*c
			x0, z0 = x0+l[i]*c, z0+l[i]*n
		}
		var fx, fz, torque, power, energy float64
		for i := 2; i >= 0; i-- {
			ex, ez := 2*centre[i][0], 2*centre[i][1] // from the joint to that of the next link
			torque += ex*fz - ez*fx                  // about the joint, of the next link's force
			gx, gz := m[i]*centre[i][2], m[i]*(centre[i][3]+gravity)
			torque += centre[i][0]*gz - centre[i][1]*gx + j[i]*a[i]
			fx, fz = fx+gx, fz+gz
			name := fmt.Sprintf("turn_%d.", i+1)
			for key, want := range map[string]float64{"torque": torque, "Fx": fx, "Fz": fz, "Fy": 0, "My": -torque} {
				s.near(name+key, s.value(name+key), want, 200, 1e-13)
			}
			power += s.value(name + "power")
			energy += m[i]*(speed[i][0]*centre[i][2]+speed[i][1]*(centre[i][3]+gravity)) + j[i]*w[i]*a[i]
			s.near(name+"power", s.value(name+"power"), torque*rates[i], 1000, 1e-13)
		}
		s.near("sum of the powers", power, energy, 1000, 1e-12)
	}
}

// panhard is an axle in a plane, whose height, place and roll are free, on a rod from the ground.
const panhard = `name = "Panhard"
[component.lift]
type = "prismatic"
from = "ground"
to = "lifted"
axis = "z"
[component.shift]
type = "prismatic"
from = "lifted"
to = "shifted"
axis = "y"
[component.roll]
type = "revolute"
from = "shifted"
to = "axle"
axis = "x"
[component.axle]
type = "rigid-body"
mass = 120
inertia = { xx = 30, yy = 5, zz = 31 }
[component.on_axle]
type = "rigid-arm"
from = "axle"
to = "end"
translation = [0, -0.5, 0.1]
[component.on_body]
type = "rigid-arm"
from = "ground"
to = "bracket"
translation = [0, 0.45, 0.15]
[component.panhard]
type = "rod"
from = "bracket"
to = "end"
length = 0.95
form = "%s"
reactions = "ground"
[component.push]
type = "force-driver"
from = "ground"
to = "axle"
axis = "y"
[[tree]]
name = "only"
baumgarte = { alpha = 0, beta = 0 }
formulation = "%s"
`

// The tension of a Panhard rod follows from the condition that its ends keep their distance.
func TestTensionOfAPanhardRod(t *testing.T) {
	r := rand.New(rand.NewPCG(45, 4))
	for _, form := range []string{"distance", "square"} {
		for _, formulation := range []string{"multipliers", "udwadia-kalaba"} {
			s := newStill(t, fmt.Sprintf(panhard, form, formulation), "")
			for range 10 {
				roll, w, vz, push := 0.2*r.NormFloat64(), r.NormFloat64(), r.NormFloat64(), 1000*r.NormFloat64()
				c, n := math.Cos(roll), math.Sin(roll)
				ey, ez := -0.5*c-0.1*n, -0.5*n+0.1*c // of the end, from the axle
				const length = 0.95
				z := 0.05 * r.NormFloat64()
				dz := z + ez - 0.15
				dy := -math.Sqrt(length*length - dz*dz)
				y, uy, uz := dy-ey+0.45, dy/length, dz/length
				vy := w*ez - uz*(vz+w*ey)/uy // so that the end does not move along the rod
				uvy, uvz := vy-w*ez, vz+w*ey
				// u.(a_axle + alpha x e - w^2 e) + v.v/length = 0 with the forces of push, weight and the tension
				arm := ey*uz - ez*uy
				free := uy*push/120 - uz*9.81 - w*w*(uy*ey+uz*ez) + (uvy*uvy+uvz*uvz)/length
				tension := free / (1./120 + arm*arm/30)
				s.at(map[string]float64{"shift.s": y, "lift.s": z, "roll.phi": roll, "shift.s_dot": vy, "lift.s_dot": vz,
					"roll.omega": w, "push.force": push})
				for name, want := range map[string]float64{
					"panhard.force": tension, "panhard.Fy": -tension * uy, "panhard.Fz": -tension * uz,
				} {
					s.near(form+", "+formulation+": "+name, s.value(name), want, 2000, 1e-11)
				}
			}
		}
	}
}

// asked is a shipped model with all its reactions.
func asked(t *testing.T, name string) *vehicle.Model {
	t.Helper()
	const folder = "../../resources/models/"
	text := "base = \"" + name + ".toml\"\nname = \"Asked\"\ntitle = \"A test\"\nreactions = [\"*\"]\n"
	m, err := vehicle.Parse([]byte(text), folder+"asked.toml",
		func(kind bounded.Kind, name string) ([]byte, error) { return kind.Read(folder + name) })
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// Reactions do not depend on the tree: a branch in one tree is a chord in another.
func TestReactionsDoNotDependOnTheTree(t *testing.T) {
	r := rand.New(rand.NewPCG(45, 5))
	for _, name := range []string{"generic4w", "skidder"} {
		m := asked(t, name)
		p1, m1 := machine(t, m, formulate.Options{Tree: "default"})
		p2, m2 := machine(t, m, formulate.Options{Tree: "tire"})
		bind(t, p1, m1)
		bind(t, p2, m2)
		for range 5 {
			values := map[string]float64{}
			for _, v := range p1.Parameters {
				if v.StartValue {
					values[v.Name] = v.Start + 0.05*r.NormFloat64()
				}
			}
			u := make([]float64, len(p1.Inputs))
			for i, v := range p1.Inputs {
				u[i] = v.Start
				if !strings.HasPrefix(v.Name, "road") {
					u[i] += 0.2 * r.NormFloat64()
				}
			}
			y1, y2 := make([]float64, len(p1.Outputs)), make([]float64, len(p2.Outputs))
			x1, x2 := start(t, p1, m1, values, u), start(t, p2, m2, values, u)
			m1.Derivatives(0, x1, u, make([]float64, len(x1)))
			m2.Derivatives(0, x2, u, make([]float64, len(x2)))
			m1.Outputs(y1)
			m2.Outputs(y2)
			size, compared := 0.0, 0
			for i, o := range p1.Outputs {
				if reactionName.MatchString(o.Name) {
					size = max(size, math.Abs(y1[i]))
				}
			}
			for i, o := range p1.Outputs {
				if !reactionName.MatchString(o.Name) {
					continue
				}
				compared++
				if e := math.Abs(y1[i] - y2[output(p2, o.Name)]); !(e <= 1e-9*size) {
					t.Errorf("%s: %s is %.15g in one tree, %.15g in the other", name, o.Name, y1[i], y2[output(p2, o.Name)])
				}
			}
			if compared < 80 {
				t.Errorf("%s has %d components of reactions", name, compared)
			}
		}
	}
}

var reactionName = regexp.MustCompile(`\.[FM][xyz]$`)

// plate lies level on four vertical rods, below its corners.
func plate(weight, x, y float64, sides [2]float64) string {
	var b strings.Builder
	fmt.Fprintf(&b, `name = "Plate"
gravity = 9.81
reactions = ["rod_*"]
[component.plate]
type = "rigid-body"
mass = %v
inertia = { xx = 20, yy = 30, zz = 50 }
start = { position = [0, 0, 1] }
[[tree]]
name = "plate"
formulation = "udwadia-kalaba"
`, weight/9.81)
	for i, sign := range [][2]float64{{1, 1}, {1, -1}, {-1, 1}, {-1, -1}} {
		px, py := sign[0]*sides[0]/2, sign[1]*sides[1]/2
		fmt.Fprintf(&b, `[component.corner_%[1]d]
type = "rigid-arm"
from = "plate"
to = "corner_%[1]d"
translation = [%[2]v, %[3]v, 0]
[component.foot_%[1]d]
type = "rigid-arm"
from = "ground"
to = "foot_%[1]d"
translation = [%[4]v, %[5]v, 0]
[component.rod_%[1]d]
type = "rod"
from = "foot_%[1]d"
to = "corner_%[1]d"
length = 1
`, i+1, px-x, py-y, px-x, py-y)
	}
	return b.String()
}

// A plate on four rods leaves one combination of their forces open. The least norm shares it out.
func TestFourRodsUnderAPlate(t *testing.T) {
	var data struct {
		W           float64
		Sides       [2]float64
		Place       [2]float64
		Compression [4]float64
	}
	claims(t, "plate_on_four_rods", &data)
	s := newStill(t, plate(data.W, data.Place[0], data.Place[1], data.Sides), "")
	s.at(nil)
	for i, want := range data.Compression {
		name := fmt.Sprintf("rod_%d.", i+1)
		s.near(name+"force", s.value(name+"force"), -want, 1, 1e-6)
		s.near(name+"Fz", s.value(name+"Fz"), want, 1, 1e-6)
	}
}

// door hangs on two hinges above each other.
const door = `name = "Door"
reactions = ["hinge_* in ground"]
%s
[component.door]
type = "rigid-body"
mass = 20
inertia = { xx = 2, yy = 3, zz = 1 }
start = { position = [0.4, 0, 0] }
[component.upper]
type = "rigid-arm"
from = "door"
to = "top"
translation = [-0.4, 0, 0.6]
[component.lower]
type = "rigid-arm"
from = "door"
to = "bottom"
translation = [-0.4, 0, -0.6]
[component.above]
type = "rigid-arm"
from = "ground"
to = "frame_top"
translation = [0, 0, 0.6]
[component.below]
type = "rigid-arm"
from = "ground"
to = "frame_bottom"
translation = [0, 0, -0.6]
[component.hinge_top]
type = "revolute"
from = "frame_top"
to = "top"
axis = "z"
[component.hinge_bottom]
type = "revolute"
from = "frame_bottom"
to = "bottom"
axis = "z"
[[tree]]
name = "top"
formulation = "udwadia-kalaba"
forbid = ["hinge_bottom.T1", "hinge_bottom.R2"]
[[tree]]
name = "bottom"
formulation = "udwadia-kalaba"
forbid = ["hinge_top.T1", "hinge_top.R2"]
[[tree]]
name = "door"
formulation = "udwadia-kalaba"
prefer = ["door.T1", "door.R1"]
forbid = ["hinge_top.T1", "hinge_top.R2", "hinge_bottom.T1", "hinge_bottom.R2"]
[[tree]]
name = "mixed"
formulation = "udwadia-kalaba"
forbid = ["hinge_top.T1", "hinge_bottom.R2"]
`

// In any tree, two hinges share the weight of a door equally, and hold its moment by forces and moments. The share of
// the moments depends on the length that weighs them.
func TestHingesShareADoor(t *testing.T) {
	for _, length := range []float64{1, 0.3} {
		for _, tree := range []string{"top", "bottom", "door", "mixed"} {
			text := fmt.Sprintf(door, fmt.Sprintf("reaction_length = %v", length))
			if length != 1 { // arms from the hinges to the door bear other moments, which do not count
				text = strings.Replace(text, "from = \"door\"\nto = \"top\"\ntranslation = [-0.4, 0, 0.6]",
					"from = \"top\"\nto = \"door\"\ntranslation = [0.4, 0, -0.6]", 1)
			}
			s := newStill(t, text, tree)
			s.at(nil)
			// h Fx + 2 My = W x with (Fx, My/L) in proportion to (h/2, L)
			const h, moment = 1.2, 196.2 * 0.4
			share := moment / (h*h/2 + 2*length*length)
			for name, want := range map[string]float64{
				"top.Fx": -share * h / 2, "bottom.Fx": share * h / 2, "top.Fz": 98.1, "bottom.Fz": 98.1,
				"top.My": -share * length * length, "bottom.My": -share * length * length, "top.Fy": 0, "top.Mx": 0, "top.Mz": 0,
			} {
				s.near(fmt.Sprintf("%s, %g m: %s", tree, length, name), s.value("hinge_"+name), want, 100, 1e-8)
			}
		}
	}
}

// onSeesaw is a wheel on a plate that turns about x of the ground, and rolls.
const onSeesaw = `name = "Seesaw"
reactions = ["tilt in ground"]
[component.tilt]
type = "%s"
from = "ground"
to = "plate"
axis = "x"
[component.plate]
type = "rigid-body"
mass = 50
inertia = { xx = 20, yy = 30, zz = 40 }
start = { position = [0, 0, 0] }
[component.wheel]
type = "tire"
road = "plate"
mass = 28
inertia = { axial = 1.56, transverse = 0.78 }
unloaded_radius = 0.355
vertical_stiffness = 3.04e5
vertical_damping = 500
rolling_radius = { method = "load-dependent", Fz0 = 5900, B = 8, D = 0.24, F = 0.01 }
slip = { method = "kinematic" }
force = { function = "Fiala", file = "../tires/fiala_generic4w.toml" }
[component.hub]
type = "rigid-body"
mass = 10
inertia = { xx = 1, yy = 1, zz = 1 }
start = { position = [0.4, 0.3, 0.35], velocity = [3, 0.2, 0], angular_velocity = [0, 0, 0.1] }
[component.axle]
type = "revolute"
from = "hub"
to = "wheel"
axis = "y"
start = { omega = 9 }
[[tree]]
name = "only"
prefer = ["tilt.T1", "tilt.R2"]
`

// Whether a plate under a wheel turns freely or a driver turns it in the same way, its axle bears the same.
func TestDriversUnderWheelsBearTheirMoments(t *testing.T) {
	var forces [2][6]float64
	acceleration := 0.0
	for i, kind := range []string{"revolute", "motion-driver"} {
		m, err := vehicle.Parse([]byte(fmt.Sprintf(onSeesaw, kind)), "seesaw.toml",
			func(kind bounded.Kind, name string) ([]byte, error) {
				return kind.Read("../../resources/models/" + name)
			})
		if err != nil {
			t.Fatal(err)
		}
		p, machine := machine(t, m, formulate.Options{})
		bind(t, p, machine)
		u := make([]float64, len(p.Inputs))
		for k, v := range p.Inputs {
			u[k] = v.Start
		}
		x, dx, y := start(t, p, machine, nil, u), make([]float64, len(p.States)), make([]float64, len(p.Outputs))
		motion := map[string]float64{"tilt.phi": 0.05, "tilt.omega": 0.2, "tilt.angle": 0.05, "tilt.rate": 0.2,
			"tilt.acceleration": acceleration}
		for k, v := range p.States {
			if value, is := motion[v.Name]; is {
				x[k] = value
			}
		}
		for k, v := range p.Inputs {
			if value, is := motion[v.Name]; is {
				u[k] = value
			}
		}
		machine.Derivatives(0, x, u, dx)
		machine.Outputs(y)
		for k, v := range p.States {
			if v.Name == "tilt.omega" {
				acceleration = dx[k]
			}
		}
		for k, key := range []string{"Fx", "Fy", "Fz", "Mx", "My", "Mz"} {
			forces[i][k] = y[output(p, "tilt."+key)]
		}
	}
	size := 0.0
	for _, v := range forces[0] {
		size = max(size, math.Abs(v))
	}
	if size < 1000 || math.Abs(forces[0][4]) < 100 || math.Abs(forces[0][3]) > 1e-9*size {
		t.Errorf("the free plate bears %v", forces[0])
	}
	for k, v := range forces[0] {
		if !(math.Abs(v-forces[1][k]) <= 1e-9*size) {
			t.Errorf("component %d is %.12g at the free plate, %.12g at the driven one", k, v, forces[1][k])
		}
	}
}

// About the axis of a joint there is its own torque alone: brakes, engines and springs on it act beside it.
func TestReactionsHaveTheOwnTorqueAboutTheAxis(t *testing.T) {
	m := asked(t, "passenger_car")
	p, machine := machine(t, m, formulate.Options{})
	bind(t, p, machine)
	u := make([]float64, len(p.Inputs))
	for k, v := range p.Inputs {
		if u[k] = v.Start; v.Name == "engine.throttle" || strings.HasPrefix(v.Name, "brake") {
			u[k] += 0.4
		}
	}
	x, y := start(t, p, machine, nil, u), make([]float64, len(p.Outputs))
	machine.Derivatives(0, x, u, make([]float64, len(x)))
	machine.Outputs(y)
	if torque := y[output(p, "engine.torque")]; torque < 10 {
		t.Fatalf("the engine has %g N m", torque)
	}
	for _, corner := range []string{"FL", "FR", "RL", "RR"} {
		if about := y[output(p, "wheel_"+corner+".My")]; !(math.Abs(about) < 1e-8) {
			t.Errorf("wheel_%s has %g N m about its axle", corner, about)
		}
	}
}

// A list of outputs does not suppress requested reactions.
func TestReactionsBesideTheListOfOutputs(t *testing.T) {
	text := strings.Replace(drivenRod, "name = \"Rod\"", "name = \"Rod\"\noutputs = [\"rod.x\", \"arm.Fz\"]", 1)
	s := newStill(t, text, "")
	var names []string
	for _, o := range s.p.Outputs {
		names = append(names, o.Name)
	}
	want := "rod.x arm.Fz drive.Fx drive.Fy drive.Fz drive.Mx drive.My drive.Mz arm.Fx arm.Fy arm.Mx arm.My arm.Mz"
	if strings.Join(names, " ") != want {
		t.Errorf("outputs are %q", names)
	}
}

// A rod that is inactive bears nothing, and the three others are then determined.
func TestInactiveRodsUnderAPlateBearNothing(t *testing.T) {
	const weight = 1962.0
	text := strings.Replace(plate(weight, 0.25, -0.1, [2]float64{1.2, 0.8}), "to = \"corner_4\"\nlength = 1\n",
		"to = \"corner_4\"\nlength = 1\nactive = 0\n", 1)
	for _, formulation := range []string{"udwadia-kalaba", "multipliers"} {
		s := newStill(t, strings.Replace(text, "udwadia-kalaba", formulation, 1), "")
		s.at(nil)
		for i, share := range []float64{1. / 12, 5. / 8, 7. / 24, 0} {
			name := fmt.Sprintf("rod_%d.force", i+1)
			s.near(formulation+": "+name, s.value(name), -share*weight, weight, 1e-10)
		}
	}
}
