package cosim_test

import (
	"flag"
	"fmt"
	"math"
	"os"
	"strings"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"skidpad/harness/tests/testrun"
)

var update = flag.Bool("update", false, "write the figures of the passenger car into docs/passenger-car.md")

const (
	carFile = "../resources/models/passenger_car.toml"
	carPage = "../docs/passenger-car.md"
)

// carRig is the passenger car with its body fixed, without weight and off the road, and with additional components.
func carRig(t *testing.T, more string) *run {
	t.Helper()
	text, err := os.ReadFile(carFile)
	if err != nil {
		t.Fatal(err)
	}
	fixed := strings.NewReplacer("gravity = 9.81", "gravity = 0",
		"[component.body]\ntype = \"rigid-body\"", `[component.clamp]
type = "weld"
from = "ground"
to = "body"

[component.body]
type = "rigid-body"`,
		"[component.road]\n", "[component.road]\nheight = -9\n").Replace(string(text))
	return fromText(t, fixed+more, "")
}

// wheelAt returns the centre of a wheel at standstill, and its axle pointing outward.
func (r *run) wheelAt(c string) (centre, axle r3.Vec) {
	at := func(name string) float64 { return r.get("upright_" + c + "." + name) }
	axle = r3.Vec{Y: 1}
	if c[1] == 'R' {
		axle.Y = -1
	}
	axle = r3.Rotate(axle, at("roll"), r3.Vec{X: 1})
	axle = r3.Rotate(axle, at("pitch"), r3.Vec{Y: 1})
	return r3.Vec{X: at("x"), Y: at("y"), Z: at("z")}, r3.Rotate(axle, at("yaw"), r3.Vec{Z: 1})
}

// The page of the passenger car shows the results of the model: kinematics over the travel, figures of kinematics and
// compliance. The test checks published figures, and the design figures of the curves.
func TestKinematicsAndComplianceOfThePassengerCar(t *testing.T) {
	testrun.Slow(t)
	t.Parallel()
	const degrees, wheelbase = 180 / math.Pi, 1.1562 + 1.4227
	height := (965.7*0.6137 + 4*31.9*0.3) / (965.7 + 4*31.9) // of the centre of mass of the whole car
	axles := []struct {
		name, wheel string
		radius      float64 // under load at rest
		half, share float64 // half track; share of braking
	}{{"front", "FL", 0.2994, 0.6934, 0.66}, {"rear", "RL", 0.3018, 0.682, 0.34}}
	type wheelPose struct{ centre, axle, contact, bottom r3.Vec } // bottom is fixed in the carrier
	steered := func(wheel string, radius, travel, hand float64) wheelPose {
		r := carRig(t, "")
		r.set("steering.angle", hand)
		for _, c := range corners {
			r.set("toe_"+c+".phi", 0)
			r.set("camber_"+c+".phi", 0)
			r.set("susp_"+c+".travel", travel)
			r.set("wheel_"+c+".omega", 0)
		}
		r.start(noInput)
		var p wheelPose
		p.centre, p.axle = r.wheelAt(wheel)
		down := r3.Sub(r3.Vec{Z: -1}, r3.Scale(-p.axle.Z, p.axle))
		p.contact = r3.Add(p.centre, r3.Scale(radius, r3.Unit(down)))
		castor := r.get("susp_" + wheel + ".castor")
		p.bottom = r3.Add(p.contact, r3.Vec{X: radius * castor}) // to first order
		return p
	}
	at := func(wheel string, radius, travel float64) wheelPose { return steered(wheel, radius, travel, 0) }
	kinematics := "| axle | travel, mm | toe-in, deg | camber, deg | castor, deg | wheel centre forward, mm | " +
		"contact outward, mm |\n| --- | --- | --- | --- | --- | --- | --- |\n"
	// roll centre, camber and toe over travel, anti-dive or anti-lift, anti-squat of each axle
	columns := [6][2]float64{}
	for i, a := range axles {
		rest := at(a.wheel, a.radius, 0)
		for _, travel := range []float64{-0.08, -0.04, 0, 0.04, 0.08} {
			p := at(a.wheel, a.radius, travel)
			castor := (p.bottom.X - p.contact.X) / a.radius
			kinematics += fmt.Sprintf("| %s | %+.0f | %.2f | %.2f | %.2f | %.1f | %.1f |\n", a.name, 1e3*travel,
				degrees*math.Atan2(p.axle.X, p.axle.Y), -degrees*math.Asin(p.axle.Z), degrees*castor,
				1e3*(p.centre.X-rest.centre.X), 1e3*(p.contact.Y-rest.contact.Y))
		}
		const h = 0.001
		up, down := at(a.wheel, a.radius, h), at(a.wheel, a.radius, -h)
		slope := func(of func(p wheelPose) float64) float64 { return (of(up) - of(down)) / (2 * h) }
		braked := slope(func(p wheelPose) float64 { return p.bottom.X }) * a.share * wheelbase / height
		if i == 1 {
			braked = -braked
			columns[4][i] = -100 * slope(func(p wheelPose) float64 { return p.centre.X }) * wheelbase / height
		}
		columns[0][i] = 1e3 * a.half * slope(func(p wheelPose) float64 { return p.contact.Y })
		columns[1][i] = slope(func(p wheelPose) float64 { return -math.Asin(p.axle.Z) })
		columns[2][i] = degrees * slope(func(p wheelPose) float64 { return math.Atan2(p.axle.X, p.axle.Y) })
		columns[3][i] = 100 * braked
	}
	for i, a := range axles {
		if want := [2]float64{-0.12, -0.276}[i] / 0.3048; math.Abs(columns[1][i]-want) > 0.01*math.Abs(want) { // DF, DR
			t.Errorf("%s camber over travel %g rad/m, the published value is %g", a.name, columns[1][i], want)
		}
		if want := [2]float64{60, 100}[i]; math.Abs(columns[0][i]-want) > 1.5 {
			t.Errorf("%s roll centre %g mm above ground, made for %g mm", a.name, columns[0][i], want)
		}
	}
	// Each wheel turns about the steering axis by its own angle; the steering wheel turns the inner wheel more.
	steering := "| steering wheel, deg | left wheel, deg | right wheel, deg | camber left, deg | camber right, deg | " +
		"contact left, mm forward, outward, up |\n| --- | --- | --- | --- | --- | --- |\n"
	rest := steered("FL", axles[0].radius, 0, 0)
	for _, hand := range []float64{-540, -270, -90, 0, 90, 270, 540} {
		left, right := steered("FL", axles[0].radius, 0, hand/degrees), steered("FR", axles[0].radius, 0, hand/degrees)
		toe := func(p wheelPose) float64 { return degrees * math.Atan2(p.axle.X, p.axle.Y) }
		camber := func(p wheelPose) float64 { return -degrees * math.Asin(p.axle.Z) }
		mirrored := right
		mirrored.axle.X, mirrored.axle.Y = -right.axle.X, -right.axle.Y
		moved := r3.Sub(left.contact, rest.contact)
		steering += fmt.Sprintf("| %+.0f | %.2f | %.2f | %.2f | %.2f | %.1f, %.1f, %.1f |\n", hand, -toe(left),
			-toe(mirrored), camber(left), camber(right), 1e3*moved.X, 1e3*moved.Y, 1e3*moved.Z)
		m := hand / degrees / 19
		angle := math.Atan2(math.Sin(m), math.Cos(m)-0.6*(0.6934-0.07)/wheelbase*math.Sin(m)) // 60 % of Ackermann
		kingpin := r3.Rotate(r3.Rotate(r3.Vec{Z: 1}, 0.23, r3.Vec{X: 1}), -0.14, r3.Vec{Y: 1})
		// camber and toe at travel 0
		kingpin = r3.Rotate(r3.Rotate(kingpin, 0.0087, r3.Vec{X: 1}), -0.001, r3.Vec{Z: 1})
		if off := r3.Norm(r3.Sub(r3.Rotate(rest.axle, angle, kingpin), left.axle)); !(off < 1e-9) {
			t.Errorf("steering wheel at %g deg: the axle is %g off its rotation about the steering axis", hand, off)
		}
	}
	figures := "| figure | front | rear |\n| --- | --- | --- |\n"
	row := func(format, what string, v [2]float64) {
		figures += fmt.Sprintf("| %s | "+format+" | "+format+" |\n", what, v[0], v[1])
	}
	row("%.0f", "roll centre above ground, mm", columns[0])
	row("%.3f", "camber over travel, rad/m", columns[1])
	row("%.2f", "toe-in over travel, deg/m", columns[2])
	row("%.0f", "anti-dive, anti-lift in braking, %", columns[3])
	figures += fmt.Sprintf("| anti-squat in driving, %% | | %.0f |\n", columns[4][1])

	loads := ""
	for _, a := range axles {
		loads += strings.NewReplacer("WHEEL", a.wheel, "RADIUS", fmt.Sprint(a.radius)).Replace(`
[component.hold_WHEEL]
type = "spring-damper"
joint = "susp_WHEEL"
stiffness = 1e7
damping = 3e4
[component.foot_WHEEL]
type = "rigid-arm"
from = "upright_WHEEL"
to = "foot_WHEEL"
translation = [0, 0, -RADIUS]
[component.push_WHEEL]
type = "force-driver"
from = "ground"
to = "foot_WHEEL"
axis = "y"
[component.twist_WHEEL]
type = "torque-driver"
from = "ground"
to = "foot_WHEEL"
axis = "z"
`)
	}
	angles := func(wheel, input string, load float64) (toe, camber float64) {
		r := carRig(t, loads)
		for _, name := range []string{"front_load", "rear_load"} {
			r.set(name, 0)
		}
		for _, c := range corners {
			r.set("wheel_"+c+".omega", 0)
		}
		r.set(input, load)
		r.start(noInput)
		r.drive(noInput, 0.001, 1)
		_, axle := r.wheelAt(wheel)
		return degrees * math.Atan2(axle.X, axle.Y), -degrees * math.Asin(axle.Z)
	}
	var toeByForce, camberByForce, toeByMoment [2]float64
	for i, a := range axles {
		toe, camber := angles(a.wheel, "push_"+a.wheel+".force", -1)
		back, forth := angles(a.wheel, "push_"+a.wheel+".force", 1)
		toeByForce[i], camberByForce[i] = (toe-back)/2*1000, (camber-forth)/2*1000
		toe, _ = angles(a.wheel, "twist_"+a.wheel+".torque", 1)
		back, _ = angles(a.wheel, "twist_"+a.wheel+".torque", -1)
		toeByMoment[i] = (toe - back) / 2 * 100
		// the slopes of the tables at 0, where the chords on both sides are equal; a force at a lever arm is a moment,
		// and a rotation about an axis inclined by the castor is camber, too
		stiffness := [2][2]float64{{21000, 57000}, {80000, 69000}}[i]
		lean := [2][2]float64{{0.14, 0.23}, {}}[i]
		if want := a.radius*1000/stiffness[1]*degrees - toeByForce[i]*math.Tan(lean[0]); math.Abs(camberByForce[i]-
			want) > 0.01*want {
			t.Errorf("%s camber %g deg/kN, the table has %g", a.name, camberByForce[i], want)
		}
		upright := math.Cos(lean[0]) * math.Cos(lean[1])
		if want := -100 / stiffness[0] * degrees * upright * upright; math.Abs(toeByMoment[i]-
			want) > 0.01*math.Abs(want) {
			t.Errorf("%s toe %g deg for 100 N m, the table has %g", a.name, toeByMoment[i], want)
		}
	}
	row("%.3f", "toe-in by a force inward, deg/kN", toeByForce)
	row("%.3f", "camber by a force inward, deg/kN", camberByForce)
	row("%.3f", "toe-in by an aligning moment outward, deg/(100 N m)", toeByMoment)

	page, err := os.ReadFile(carPage)
	if err != nil {
		t.Fatal(err)
	}
	text := string(page)
	for name, want := range map[string]string{"kinematics": kinematics, "steering": steering, "figures": figures} {
		begin, end := "<!-- begin "+name+" -->\n", "<!-- end "+name+" -->"
		_, after, _ := strings.Cut(text, begin)
		old, _, found := strings.Cut(after, end)
		if !found {
			t.Fatalf("%s has no part %q", carPage, name)
		}
		if old != want && !*update {
			t.Errorf("%s: the part %q is not what the model does; run go test ./cosim -run PassengerCar -update. It "+
				"does\n%s", carPage, name, want)
		}
		text = strings.Replace(text, begin+old+end, begin+want+end, 1)
	}
	if *update {
		if err := os.WriteFile(carPage, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}
