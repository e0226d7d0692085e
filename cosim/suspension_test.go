package cosim_test

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"
)

// inertial is a rigid body with principal inertia.
type inertial struct {
	name       string
	mass       float64
	jx, jy, jz float64
}

// balance returns kinetic energy, momentum and angular momentum about the origin of ground, from published variables of
// bodies.
func (r *run) balance(bodies ...inertial) (energy float64, momentum, angular r3.Vec) {
	for _, b := range bodies {
		at := func(names ...string) r3.Vec {
			return r3.Vec{X: r.get(b.name + "." + names[0]), Y: r.get(b.name + "." + names[1]),
				Z: r.get(b.name + "." + names[2])}
		}
		position, angles, v, w := at("x", "y", "z"), at("yaw", "pitch", "roll"), at("vx", "vy", "vz"), at("wx", "wy", "wz")
		turn := func(u r3.Vec) r3.Vec {
			u = r3.Rotate(u, angles.Z, r3.Vec{X: 1})
			u = r3.Rotate(u, angles.Y, r3.Vec{Y: 1})
			return r3.Rotate(u, angles.X, r3.Vec{Z: 1})
		}
		spin := r3.Vec{X: b.jx * w.X, Y: b.jy * w.Y, Z: b.jz * w.Z}
		energy += (b.mass*r3.Dot(v, v) + r3.Dot(w, spin)) / 2
		p := r3.Scale(b.mass, turn(v))
		momentum = r3.Add(momentum, p)
		angular = r3.Add(angular, r3.Add(r3.Cross(position, p), turn(spin)))
	}
	return energy, momentum, angular
}

// corner is a wheel on a suspension at a corner of a body, with strong curvature in all curves.
func corner(side string, y, travel float64) string {
	return strings.NewReplacer("SIDE", side, "HALF_TRACK", fmt.Sprint(y), "TRAVEL", fmt.Sprint(travel)).Replace(`
[component.arm_SIDE]
type = "rigid-arm"
from = "body"
to = "corner_SIDE"
translation = [0.6, HALF_TRACK, -0.1]
[component.susp_SIDE]
type = "suspension"
from = "corner_SIDE"
to = "upright_SIDE"
side = "SIDE"
x = [[-0.1, -0.02], [-0.05, -0.006], [0, 0], [0.04, 0.008], [0.1, 0.05]]
y = [[-0.1, -0.05], [-0.05, -0.02], [0, 0], [0.04, 0.01], [0.1, -0.01]]
z = [[-0.1, -0.08], [-0.05, -0.045], [0, 0], [0.04, 0.045], [0.1, 0.12]]
toe = [[-0.1, 0.12], [-0.05, 0.05], [0, 0], [0.04, -0.08], [0.1, -0.1]]
camber = [[-0.1, 0.2], [-0.05, 0.12], [0, 0], [0.04, -0.1], [0.1, -0.3]]
castor = [[-0.1, -0.2], [-0.05, -0.08], [0, 0], [0.04, 0.05], [0.1, 0.3]]
start = { travel = TRAVEL, travel_dot = 0.3 }
[component.upright_SIDE]
type = "rigid-body"
mass = 10
inertia = { xx = 0.9, yy = 0.5, zz = 1 }
[component.spring_SIDE]
type = "spring-damper"
joint = "susp_SIDE"
stiffness = 16000
[component.wheel_SIDE]
type = "revolute"
from = "upright_SIDE"
to = "rim_SIDE"
axis = "y"
start = { omega = 30 }
[component.rim_SIDE]
type = "rigid-body"
mass = 15
inertia = { axial = 0.8, transverse = 0.5 }
`)
}

const space = `name = "Free"
gravity = 0
`

const freeBody = `
[component.body]
type = "rigid-body"
mass = 120
inertia = { xx = 20, yy = 25, zz = 40 }
start = { position = [0.1, 0.2, 0.3], angles = [0.3, 0.1, -0.2], velocity = [1, -0.5, 0.2], angular_velocity = [0.6, -0.4, 0.9] }
[component.bar]
type = "anti-roll-bar"
left = "susp_left"
right = "susp_right"
stiffness = 6000
`

// chain hangs links on an upright, enough of them to solve the equations by recursion.
func chain(links int) (text string, bodies []inertial) {
	from := "upright_left"
	for i := range links {
		link := fmt.Sprintf("link%d", i)
		text += fmt.Sprintf(`
[component.hinge_%[1]s]
type = "revolute"
from = "%[2]s"
to = "pin_%[1]s"
axis = "%[3]c"
start = { omega = 0.2 }
[component.arm_%[1]s]
type = "rigid-arm"
from = "pin_%[1]s"
to = "%[1]s"
translation = [0.05, 0.1, -0.02]
[component.%[1]s]
type = "rigid-body"
mass = 2
inertia = { xx = 0.02, yy = 0.03, zz = 0.04 }
`, link, from, "xyz"[i%3])
		bodies = append(bodies, inertial{link, 2, 0.02, 0.03, 0.04})
		from = link
	}
	return text, bodies
}

// A body with two wheels on suspensions with strongly bent curves tumbles through space. Its energy, including springs
// and anti-roll bar, its momentum and its angular momentum are conserved. The error has the order of RK4 as long as the
// travel passes no point of a curve, and second order where curvatures have kinks. The same holds when an upright moves
// freely and carries the body, and with a long chain on the upright.
func TestSuspensionsConserveEnergyAndMomentum(t *testing.T) {
	bodies := []inertial{{"body", 120, 20, 25, 40}}
	for _, side := range []string{"left", "right"} {
		bodies = append(bodies, inertial{"upright_" + side, 10, 0.9, 0.5, 1},
			inertial{"rim_" + side, 15, 0.5, 0.8, 0.5})
	}
	loss := func(model string, step float64, bodies []inertial) (worst float64) {
		r := fromText(t, model, "")
		r.set("solver.step", step)
		r.start(noInput)
		totals := func() (e float64, p, l r3.Vec) {
			e, p, l = r.balance(bodies...)
			left, right := r.get("susp_left.travel"), r.get("susp_right.travel")
			return e + 8000*(left*left+right*right) + 3000*(left-right)*(left-right), p, l
		}
		e0, p0, l0 := totals()
		lowest, highest := 0.0, 0.0
		for i := range 60 {
			r.drive(noInput, step, 0.01*float64(i+1))
			e, p, l := totals()
			worst = max(worst, math.Abs(e/e0-1), r3.Norm(r3.Sub(p, p0))/r3.Norm(p0), r3.Norm(r3.Sub(l, l0))/r3.Norm(l0))
			lowest, highest = min(lowest, r.get("susp_left.travel")), max(highest, r.get("susp_left.travel"))
		}
		if highest-lowest < 0.04 {
			t.Errorf("the suspension moves from %g to %g m only", lowest, highest)
		}
		return worst
	}
	wheels := corner("left", 0.7, 0.02) + corner("right", -0.7, -0.03)
	links, linked := chain(16)
	for _, c := range []struct {
		name, model  string
		order, bound float64
		more         []inertial
	}{
		{"with points on the way", space + freeBody + wheels, 2, 1e-6, nil},
		{"without points on the way", space + freeBody + outOfTravel.Replace(wheels), 4, 1e-8, nil},
		{"on an upright", space + outOfTravel.Replace(wheels) + freeBody, 4, 3e-8, nil},
		{"with a chain", space + freeBody + outOfTravel.Replace(wheels) + links, 4, 1e-8, linked},
	} {
		all := slices.Concat(bodies, c.more)
		coarse, fine := loss(c.model, 0.001, all), loss(c.model, 0.00025, all)
		if order := math.Log2(coarse/fine) / 2; order < c.order-0.2 || fine > c.bound {
			t.Errorf("%s: changes by %.3g at 1 ms, by %.3g at 0.25 ms, order %.2f", c.name, coarse, fine, order)
		}
	}
}

// outOfTravel moves the points of a corner's curves out of its range of travel.
var outOfTravel = strings.NewReplacer("[-0.1, ", "[-0.4, ", "[-0.05, ", "[-0.2, ", "[0, 0], ", "", "[0.04, ", "[0.16, ",
	"[0.1, ", "[0.4, ")

// sampled writes a curve for a model file: points of a function, evenly spaced over travels within reach.
func sampled(name string, points int, reach float64, y func(travel float64) float64) string {
	var list []string
	for i := range points {
		x := reach * (2*float64(i)/float64(points-1) - 1)
		list = append(list, fmt.Sprintf("[%.17g, %.17g]", x, y(x)))
	}
	return name + " = [" + strings.Join(list, ", ") + "]\n"
}

// Wheels on a trailing arm and on a swing axle move a body in two models: with revolute joints, and with suspensions
// whose curves are points of the same motion. The models agree the better the more points there are: with the third
// power of the points' distance, as the slopes of splines converge.
func TestSuspensionsMoveLikeTheirMechanisms(t *testing.T) {
	const length, reach = 0.4, 0.24
	swing := func(z float64) float64 { return math.Asin(z / length) }
	back := func(z float64) float64 { return length * (1 - math.Cos(swing(z))) }
	const frame = `name = "Trailed"
[component.body]
type = "rigid-body"
mass = 100
inertia = { xx = 20, yy = 25, zz = 40 }
start = { velocity = [1, -0.5, 0.2], angular_velocity = [0.6, -0.4, 0.9] }
`
	wheel := func(name, y, joint string) string {
		return strings.NewReplacer("NAME", name, "Y", y).Replace(`
[component.arm_NAME]
type = "rigid-arm"
from = "body"
to = "corner_NAME"
translation = [0.2, Y, -0.1]
[component.tower_NAME]
type = "rigid-arm"
from = "body"
to = "tower_NAME"
translation = [0.15, Y, 0.3]
[component.spring_NAME]
type = "spring-damper"
from = "tower_NAME"
to = "upright_NAME"
stiffness = 9000
damping = 200
free_length = 0.36
` + joint + `
[component.upright_NAME]
type = "rigid-body"
mass = 10
inertia = { xx = 0.9, yy = 0.5, zz = 1 }
[component.wheel_NAME]
type = "revolute"
from = "upright_NAME"
to = "rim_NAME"
axis = "y"
start = { omega = 60 }
[component.rim_NAME]
type = "rigid-body"
mass = 15
inertia = { axial = 0.8, transverse = 0.5 }
`)
	}
	const hinged = `
[component.inner_NAME]
type = "rigid-arm"
from = "corner_NAME"
to = "pivot_NAME"
translation = PIVOT
[component.hinge_NAME]
type = "revolute"
from = "pivot_NAME"
to = "swing_NAME"
axis = "AXIS"
[component.outer_NAME]
type = "rigid-arm"
from = "swing_NAME"
to = "upright_NAME"
translation = WHEEL
`
	const guided = `
[component.susp_NAME]
type = "suspension"
from = "corner_NAME"
to = "upright_NAME"
`
	exact := fromText(t, frame+
		wheel("T", "0.6", strings.NewReplacer("PIVOT", "[0.4, 0, 0]", "AXIS", "y", "WHEEL",
			"[-0.4, 0, 0]").Replace(hinged))+
		wheel("S", "-0.6", strings.NewReplacer("PIVOT", "[0, 0.4, 0]", "AXIS", "x", "WHEEL",
			"[0, -0.4, 0]").Replace(hinged)), "")
	names := []string{"body.x", "body.y", "body.z", "body.yaw", "body.pitch", "body.roll", "wheel_T.phi",
		"wheel_S.omega", "upright_T.z", "upright_S.y"}
	var path [][]float64
	swings := 0.0
	sample := func(r *run, each func()) {
		r.set("solver.step", 0.0005)
		r.start(noInput)
		for i := range 30 {
			r.drive(noInput, 0.0005, 0.01*float64(i+1))
			each()
		}
	}
	sample(exact, func() {
		var row []float64
		for _, name := range names {
			row = append(row, exact.get(name))
		}
		path = append(path, row)
		swings = max(swings, math.Abs(exact.get("hinge_T.phi")), math.Abs(exact.get("hinge_S.phi")))
	})
	if swings < 0.14 {
		t.Errorf("the arms swing by %g rad only", swings)
	}
	off := func(points int) (worst float64) {
		r := fromText(t, frame+
			wheel("T", "0.6", guided+"side = \"left\"\n"+sampled("x", points, reach, back)+sampled("castor", points,
				reach, func(z float64) float64 { return -swing(z) }))+
			wheel("S", "-0.6", guided+"side = \"right\"\n"+sampled("y", points, reach,
				func(z float64) float64 { return -back(z) })+sampled("camber", points, reach,
				func(z float64) float64 { return -swing(z) })), "")
		i := 0
		sample(r, func() {
			for k, name := range names {
				worst = max(worst, math.Abs(r.get(name)-path[i][k]))
			}
			i++
		})
		return worst
	}
	coarse, fine := off(31), off(61)
	if order := math.Log2(coarse / fine); order < 2.8 || fine > 1e-8 {
		t.Errorf("31 points differ by %.3g, 61 by %.3g, order %.2f", coarse, fine, order)
	}
}

// An anti-roll bar acts on the difference of two motions only. It has no effect on masses that move together, and twice
// the effect on masses that move against each other. The same holds for discs on revolute joints, and for a bar with a
// table.
func TestAntiRollBar(t *testing.T) {
	const mass, stiffness, bar = 20.0, 3000.0, 1250.0
	for _, joint := range []struct{ kind, q, law string }{
		{"prismatic", ".s", "stiffness = 1250"},
		{"revolute", ".phi", "stiffness = 1250"},
		{"suspension", ".travel", "force = [[-1, -1250], [0, 0], [1, 1250]]"},
	} {
		side := func(name string, start float64) string {
			axis := "axis = \"x\"\n"
			if joint.kind == "suspension" {
				axis = ""
			}
			return fmt.Sprintf(`
[component.%[1]s]
type = "%[2]s"
from = "ground"
to = "mass_%[1]s"
%[3]sstart = { %[4]s = %[5]g }
[component.mass_%[1]s]
type = "rigid-body"
mass = 20
inertia = { xx = 20, yy = 20, zz = 20 }
[component.spring_%[1]s]
type = "spring-damper"
joint = "%[1]s"
stiffness = 3000
`, name, joint.kind, axis, joint.q[1:], start)
		}
		for _, c := range []struct {
			right, force, squared float64
		}{{0.05, 0, stiffness / mass}, {-0.05, 2 * 0.05 * bar, (stiffness + 2*bar) / mass}} {
			r := fromText(t, `name = "Axle"
gravity = 0
`+side("left", 0.05)+side("right", c.right)+`
[component.bar]
type = "anti-roll-bar"
left = "left"
right = "right"
`+joint.law, "")
			r.start(noInput)
			published := "bar.force"
			if joint.kind == "revolute" {
				published = "bar.torque"
			}
			r.near(published, c.force, 1e-12)
			r.drive(noInput, 0.001, 0.4)
			swing := math.Cos(0.4 * math.Sqrt(c.squared))
			r.near("left"+joint.q, 0.05*swing, 1e-9)
			r.near("right"+joint.q, c.right*swing, 1e-9)
		}
	}
}

// The damper of an anti-roll bar takes as much energy from a difference of motions as two dampers of twice its
// strength, one at each side.
func TestAntiRollBarDamps(t *testing.T) {
	side := func(name string, speed float64) string {
		return fmt.Sprintf(`
[component.%[1]s]
type = "prismatic"
from = "ground"
to = "mass_%[1]s"
axis = "z"
start = { s_dot = %[2]g }
[component.mass_%[1]s]
type = "rigid-body"
mass = 20
inertia = { xx = 20, yy = 20, zz = 20 }
`, name, speed)
	}
	r := fromText(t, `name = "Axle"
gravity = 0
`+side("left", 0.5)+side("right", -0.3)+`
[component.bar]
type = "anti-roll-bar"
left = "left"
right = "right"
damping = 50
`, "")
	r.start(noInput)
	r.drive(noInput, 0.001, 0.3)
	r.near("left.s_dot", 0.1+0.4*math.Exp(-2*50/20.0*0.3), 1e-9)
	r.near("right.s_dot", 0.1-0.4*math.Exp(-2*50/20.0*0.3), 1e-9)
}

// Over the travel of a wheel, its axle has the toe and camber of the tables, whatever the castor, with the signs of ISO
// 8855 on both sides. Its carrier has the position of the tables.
func TestKinematicsOfSuspensions(t *testing.T) {
	points := []struct{ travel, x, y, z, toe, camber, castor float64 }{
		{-0.08, -0.006, -0.02, -0.078, -0.01, 0.03, -0.05}, {-0.04, -0.002, -0.008, -0.04, -0.004, 0.012, -0.02},
		{0, 0, 0, 0, 0.002, -0.01, 0.01}, {0.04, 0.001, 0.003, 0.041, 0.005, -0.04, 0.04},
		{0.08, 0.004, -0.003, 0.085, 0.02, -0.08, 0.06},
	}
	var curves [6]string
	for _, p := range points {
		for i, y := range []float64{p.x, p.y, p.z, p.toe, p.camber, p.castor} {
			curves[i] += fmt.Sprintf("[%g, %g], ", p.travel, y)
		}
	}
	text := "name = \"Rig\"\n"
	for _, side := range []string{"left", "right"} {
		text += fmt.Sprintf(`[component.%[1]s]
type = "suspension"
side = "%[1]s"
from = "ground"
to = "carrier_%[1]s"
`, side)
		for i, name := range []string{"x", "y", "z", "toe", "camber", "castor"} {
			text += name + " = [" + curves[i] + "]\n"
		}
		text += fmt.Sprintf(`[component.carrier_%[1]s]
type = "rigid-body"
mass = 1
inertia = { xx = 1, yy = 1, zz = 1 }
`, side)
	}
	for _, p := range points {
		r := fromText(t, text, "")
		r.set("left.travel", p.travel)
		r.set("right.travel", p.travel)
		r.start(noInput)
		for name, out := range map[string]float64{"left": 1, "right": -1} {
			axle, front := r3.Vec{Y: out}, r3.Vec{X: 1}
			for _, turn := range []struct {
				angle string
				about r3.Vec
			}{{"roll", r3.Vec{X: 1}}, {"pitch", r3.Vec{Y: 1}}, {"yaw", r3.Vec{Z: 1}}} {
				angle := r.get("carrier_" + name + "." + turn.angle)
				axle, front = r3.Rotate(axle, angle, turn.about), r3.Rotate(front, angle, turn.about)
			}
			// the axle points outward: forward with toe-in, down with camber whose top leans outward
			for _, c := range []struct {
				what      string
				got, want float64
			}{
				{"toe", math.Atan2(axle.X, out*axle.Y), p.toe},
				{"camber", -math.Asin(axle.Z), p.camber},
				{"castor", math.Asin(front.Z / math.Cos(p.camber)), p.castor}, // the front rises if the top moves back
				{"forward", r.get("carrier_" + name + ".x"), p.x},
				{"outward", out * r.get("carrier_"+name+".y"), p.y},
				{"upward", r.get("carrier_" + name + ".z"), p.z},
				{"published toe", r.get(name + ".toe"), p.toe},
				{"published camber", r.get(name + ".camber"), p.camber},
				{"published castor", r.get(name + ".castor"), p.castor},
				{"published x", r.get(name + ".x"), p.x}, {"published y", r.get(name + ".y"), p.y},
				{"published z", r.get(name + ".z"), p.z},
			} {
				if math.Abs(c.got-c.want) > 1e-14 {
					t.Errorf("%s, travel %g: %s is %.15g, want %g", name, p.travel, c.what, c.got, c.want)
				}
			}
		}
	}
}

// A lateral force behind the steering axis turns a wheel by the angle in the table of its bushings. The test compares
// degrees per kilonewton near the middle of the table, and the angle at its last point, where the bushings are stiffer.
func TestComplianceByTable(t *testing.T) {
	const trail = 0.03
	angle := func(force float64) float64 {
		r := fromText(t, fmt.Sprintf(`name = "Hub"
gravity = 0
[component.bushings]
type = "revolute"
from = "ground"
to = "hub"
axis = "z"
[component.hub]
type = "rigid-body"
mass = 20
inertia = { xx = 1, yy = 1, zz = 1 }
[component.rubber]
type = "spring-damper"
joint = "bushings"
damping = 300
spring_force = [[-0.02, -900], [-0.004, -80], [0, 0], [0.004, 80], [0.02, 900]]
[component.contact]
type = "rigid-arm"
from = "hub"
to = "contact"
translation = [%g, 0, -0.3]
[component.road]
type = "force-driver"
from = "ground"
to = "contact"
axis = "y"
`, -trail), "")
		r.set("road.force", force)
		r.start(noInput)
		r.drive(noInput, 0.001, 1.5)
		return r.get("bushings.phi")
	}
	degrees := 180 / math.Pi
	if got, want := (angle(0.01)-angle(-0.01))/0.02*1000*degrees,
		-trail*1000/(80/0.004)*degrees; math.Abs(got-want) > 1e-5*math.Abs(want) {
		t.Errorf("%.8g deg/kN, want %.8g", got, want)
	}
	// at the last point of the table the arm has rotated by 0.02 rad
	if got := angle(-900 / trail / math.Cos(0.02)); math.Abs(got-0.02) > 1e-9 {
		t.Errorf("%.10g rad under %.6g N, want 0.02", got, -900/trail)
	}
}
