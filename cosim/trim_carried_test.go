package cosim_test

import (
	"fmt"
	"math"
	"math/cmplx"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"skidpad/cosim"
	"skidpad/harness/tests/testrun"
	"skidpad/model/bounded"
	"skidpad/model/linear"
	"skidpad/model/vehicle"
)

// onLinks is a car with four wheel carriers on links that turn about one axis each, and an engine on a soft bushing.
// Its front corners steer. With free, carriers and engine are free bodies that joints tie to the car; otherwise their
// coordinates are relative to the car.
func onLinks(free bool) string {
	var b strings.Builder
	b.WriteString(`name = "OnLinks"
source = "own"
gravity = 9.81
`)
	if !free {
		b.WriteString("[[tree]]\nname = \"relative\"\nprefer = [\"on_seat.T1\", \"on_seat.R2\"]\n")
	}
	b.WriteString(`[solver]
method = "rk4"
step = 0.001
[roles]
chassis = "body"
[component]
road = { type = "terrain" }
body.type = "rigid-body"
body.mass = 1200
body.inertia = { xx = 300, yy = 1500, zz = 1600 }
body.start = { position = [0, 0, 0.55], velocity = [20, 0, 0] }
push = { type = "torque-driver", from = "upright_RL", to = "tire_RL", axis = "y" }
`)
	b.WriteString(`block = { type = "rigid-body", design = [0.7, 0.1, -0.1], mass = 150, inertia = { xx = 8, yy = 12, zz = 10 } }
seat = { type = "rigid-arm", from = "body", to = "seat", translation = [0.7, 0.1, -0.1] }
mount.type = "bushing"
mount.from = "seat"
mount.to = "block"
mount.stiffness = [4e4, 7e4, 3e5]
mount.rotational_stiffness = [4000, 5000, 6000]
mount.damping = [100, 100, 500]
`)
	if !free {
		b.WriteString(`on_seat = { type = "free", from = "body", to = "block", start = { position = [0.7, 0.1, -0.1] } }
`)
	}
	for _, corner := range []string{"FL", "FR", "RL", "RR"} {
		x, y, s := 1.2, 0.74, 1.0
		if corner[0] == 'R' {
			x = -1.3
		}
		if corner[1] == 'R' {
			y, s = -0.74, -1
		}
		chassis, design := "body", ""
		if corner[0] == 'F' {
			chassis = "steered_" + corner
			fmt.Fprintf(&b, "steer_%[1]s = { type = \"motion-driver\", kind = \"rotation\", from = \"body\", "+
				"to = \"steered_%[1]s\", axis = \"z\" }\n", corner)
		}
		if free {
			design = fmt.Sprintf("design = [%g, %g, -0.25], ", x, y)
		}
		fmt.Fprintf(&b, `pivot_%[1]s = { type = "rigid-arm", from = "%[2]s", to = "pivot_%[1]s", translation = [%[3]g, %[4]g, -0.23] }
upright_%[1]s = { type = "rigid-body", %[6]s mass = 15, inertia = { xx = 0.4, yy = 0.3, zz = 0.4 } }
links_%[1]s = { type = "revolute", from = "pivot_%[1]s", to = "carrier_%[1]s", axis = [%[7]g, 1, %[8]g] }
seat_%[1]s = { type = "rigid-arm", from = "%[2]s", to = "seat_%[1]s", translation = [%[5]g, %[4]g, 0.15] }
spring_%[1]s.type = "spring-damper"
spring_%[1]s.from = "seat_%[1]s"
spring_%[1]s.to = "upright_%[1]s"
spring_%[1]s.stiffness = 30000
spring_%[1]s.damping = 2000
spring_%[1]s.free_length = 0.5
wheel_%[1]s = { type = "revolute", from = "upright_%[1]s", to = "tire_%[1]s", axis = "y", start = { omega = 67 } }
tire_%[1]s.type = "tire"
tire_%[1]s.road = "road"
tire_%[1]s.side = "%[9]s"
tire_%[1]s.mass = 17
tire_%[1]s.inertia = { axial = 0.9, transverse = 0.5 }
tire_%[1]s.unloaded_radius = { from = "file" }
tire_%[1]s.vertical_stiffness = { from = "file" }
tire_%[1]s.vertical_damping = { from = "file" }
tire_%[1]s.rolling_radius = { method = "loaded" }
tire_%[1]s.slip = { method = "carcass", relaxation = { function = "MFRelaxation", file = "../tires/mf61_205_60R15.tir" } }
tire_%[1]s.force = { function = "MF61", file = "../tires/mf61_205_60R15.tir" }
`, corner, chassis, x+0.6, y, x, design, 0.15*s, 0.02*s, map[bool]string{true: "left", false: "right"}[s > 0])
		if free {
			fmt.Fprintf(&b, "arm_%[1]s = { type = \"rigid-arm\", from = \"upright_%[1]s\", to = \"carrier_%[1]s\", "+
				"translation = [0.6, 0, 0.02] }\n", corner)
		} else {
			fmt.Fprintf(&b, "arm_%[1]s = { type = \"rigid-arm\", from = \"carrier_%[1]s\", to = \"upright_%[1]s\", "+
				"translation = [-0.6, 0, -0.02] }\n", corner)
		}
	}
	return b.String()
}

// A car whose wheel carriers are free bodies on joints has the steady motions of the same car with the coordinates of
// the joints: at rest, straight ahead, and in a turn whose start has to be assembled.
func TestFreeCarriersHaveTheSteadyMotionOfJoints(t *testing.T) {
	testrun.Slow(t)
	t.Parallel()
	var both [2]*cosim.System
	for i := range both {
		both[i] = fromText(t, onLinks(i == 1), "").sys
	}
	quantities := []string{"body.z", "body.pitch", "body.roll", "body.vx", "body.vy", "body.vz", "body.wx", "body.wy",
		"body.wz", "body.ax", "body.ay", "body.az", "mount.dx", "mount.dy", "mount.dz", "mount.ry"}
	for _, corner := range corners {
		quantities = append(quantities, "wheel_"+corner+".omega", "tire_"+corner+".Fx", "tire_"+corner+".Fy",
			"tire_"+corner+".Fz", "spring_"+corner+".length")
	}
	for _, start := range []map[string]float64{
		{"body.vx": 0}, {"body.vx": 20}, {"body.vx": 12, "body.yaw": 2},
		{"body.vx": 15, "steer_FL.angle": 0.06, "steer_FR.angle": 0.055},
	} {
		var runs [2]*run
		for i, sys := range both {
			r := instance(t, sys, "rk4", 0.001)
			for name, v := range start {
				r.set(name, v)
			}
			if result, err := r.in.Trim(); err != nil {
				t.Fatalf("%v: %v %+v", start, err, result)
			}
			r.start(noInput)
			if start["steer_FL.angle"] == 0 { // directions without effect stay as they are
				r.near("body.yaw", start["body.yaw"], 1e-7)
			}
			runs[i] = r
		}
		for _, q := range quantities {
			if start["body.vx"] == 0 { // carcasses that creep leave the side forces at rest open
				break
			}
			want := runs[0].get(q)
			runs[1].near(q, want, 1e-8*max(1, math.Abs(want)))
		}
		if position, rate := runs[1].in.Violation(); !(max(position, rate) <= 1e-9) {
			t.Errorf("%v: violated by %g, rate %g", start, position, rate)
		}
		if start["body.vx"] == 0 {
			runs[1].near("body.az", 0, 1e-9)
			if load, weight := runs[1].load(), 9.81*(1350+4*32); !(math.Abs(load-weight) <= 1e-7*weight) {
				t.Errorf("the wheels carry %g N, the car weighs %g N", load, weight)
			}
		}
	}
}

// A car whose wheel carriers are free bodies on joints has the same modes as the car with the coordinates of the
// joints, straight ahead and in a turn.
func TestFreeCarriersHaveTheModesOfJoints(t *testing.T) {
	testrun.OnlyAll(t)
	t.Parallel()
	var models [2]*linear.Model
	for i := range models {
		m, err := vehicle.Parse([]byte(onLinks(i == 1)), "test.toml", func(_ bounded.Kind, name string) ([]byte, error) {
			return os.ReadFile(filepath.Join("../resources/models", name))
		})
		if err != nil {
			t.Fatal(err)
		}
		if models[i], err = linear.New(m, ""); err != nil {
			t.Fatal(err)
		}
		if err := models[i].Free("push.torque"); err != nil {
			t.Fatal(err)
		}
	}
	for _, angle := range []float64{0, 0.02} {
		var systems [2]*linear.System
		for i, l := range models {
			for name, v := range map[string]float64{"body.vx": 20, "steer_FL.angle": angle, "steer_FR.angle": angle} {
				if err := l.Set(name, v); err != nil {
					t.Fatal(err)
				}
			}
			var err error
			if systems[i], err = l.At(); err != nil {
				t.Fatalf("angle %g: %v", angle, err)
			}
		}
		var modes [2][]linear.Mode
		for i, s := range systems {
			var err error
			if modes[i], err = s.Modes(); err != nil {
				t.Fatal(err)
			}
		}
		if len(modes[0]) != len(modes[1]) || len(modes[0]) < 20 {
			t.Fatalf("angle %g: %d modes with joints, %d with free carriers", angle, len(modes[0]), len(modes[1]))
		}
		for k := range modes[0] {
			want, got := modes[0][k].Value, modes[1][k].Value
			if cmplx.Abs(got-want) > 1e-8*cmplx.Abs(want) {
				t.Errorf("angle %g: mode %d is %.12g with free carriers, want %.12g", angle, k, got, want)
			}
		}
		for _, output := range []string{"body.wz", "spring_FR.length", "mount.dy"} {
			var responses [2][]complex128
			for i, s := range systems {
				var err error
				if responses[i], err = s.Response("push.torque", output, []float64{0.7, 7, 70}); err != nil {
					t.Fatal(err)
				}
			}
			for k, want := range responses[0] {
				if got := responses[1][k]; cmplx.Abs(got-want) > 1e-7*cmplx.Abs(want) {
					t.Errorf("angle %g: response %d of %s is %.12g with free carriers, want %.12g", angle, k, output, got, want)
				}
			}
		}
	}
}

// struts is a car of shipped corners by points, steered by a rack.
const struts = `name = "Struts"
source = "own"
gravity = 9.81
[component]
road = { type = "terrain" }
body.type = "rigid-body"
body.mass = 1200
body.inertia = { xx = 300, yy = 1500, zz = 1600 }
body.start = { position = [0, 0, 0.5], velocity = [20, 0, 0] }
front = { type = "rigid-arm", from = "body", to = "front", translation = [1.2, 0, -0.5] }
rear = { type = "rigid-arm", from = "body", to = "rear", translation = [-1.3, 0, -0.5] }
rack = { type = "rigid-body", design = [1.2, 0, -0.5], mass = 3, inertia = { xx = 0.1, yy = 0.01, zz = 0.1 } }
slide = { type = "motion-driver", kind = "translation", from = "front", to = "rack", axis = [0, -1, 0] }
[use.F]
file = "corner_macpherson"
at = ["L", "R"]
frames = { chassis = "front", rack = "rack", road = "road" }
joints = "ideal"
[use.R]
file = "corner_five_link"
at = ["L", "R"]
frames = { chassis = "rear", road = "road" }
[roles]
chassis = "body"
`

// The handling of a car with a rack is the turn of its trim, and the ratio of rack and road wheels only scales it.
func TestHandlingOfARackIsTheTurnOfTheTrim(t *testing.T) {
	testrun.OnlyAll(t)
	t.Parallel()
	text := strings.Replace(struts, "road = {", `pull_L = { type = "torque-driver", from = "hub_RL", to = "tire_RL", axis = "y" }
pull_R = { type = "torque-driver", from = "hub_RR", to = "tire_RR", axis = "y" }
road = {`, 1)
	for _, corner := range corners {
		text += "[component.wheel_" + corner + "]\nstart.omega = 67\n"
	}
	file := filepath.Join(t.TempDir(), "struts.toml")
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	m, err := vehicle.Read(file)
	if err != nil {
		t.Fatal(err)
	}
	l, err := linear.New(m, "")
	if err != nil {
		t.Fatal(err)
	}
	if err := l.Set("body.vx", 20); err != nil {
		t.Fatal(err)
	}
	for _, input := range []string{"pull_L.torque", "pull_R.torque"} {
		if err := l.Free(input); err != nil {
			t.Fatal(err)
		}
	}
	s, err := l.At()
	if err != nil {
		t.Fatal(err)
	}
	const travel = 1e-4
	sys, err := cosim.Load(file, cosim.Options{})
	if err != nil {
		t.Fatal(err)
	}
	r := instance(t, sys, "rk4", 0.001)
	for i, name := range s.Inputs {
		if strings.HasPrefix(name, "pull") {
			r.set(name, s.U[i])
		}
	}
	r.set("slide.position", travel)
	if _, err := r.in.Trim(); err != nil {
		t.Fatal(err)
	}
	r.start(noInput)
	for _, ratio := range []float64{0.1, 0.2} {
		car := linear.Car{Body: "body", Drivers: []string{"slide"}, Slides: true, Ratio: ratio, Wheelbase: 2.5}
		h, err := l.Handling(s, car)
		if err != nil {
			t.Fatal(err)
		}
		if want := r.get("body.wz") / travel; !(math.Abs(h.YawGain/ratio-want) <= 1e-3*want) {
			t.Errorf("yaw rate %g 1/s by the travel of the rack, want %g", h.YawGain/ratio, want)
		}
		if car.Slides = false; ratio == 0.1 {
			if _, err := l.Handling(s, car); err == nil || !strings.Contains(err.Error(), "roles.steering.ratio in rad/m") {
				t.Errorf("metres are taken for radians: %v", err)
			}
		}
	}
}

// A trimmed car with bushings stays in its motion: speeds of bodies on stiff bushings would show any force that is
// left.
func TestCarsOnBushingsKeepTheirTrimmedMotion(t *testing.T) {
	testrun.OnlyAll(t)
	t.Parallel()
	file := filepath.Join(t.TempDir(), "struts.toml")
	if err := os.WriteFile(file, []byte(strings.ReplaceAll(struts, "ideal", "bushings")), 0o600); err != nil {
		t.Fatal(err)
	}
	sys, err := cosim.Load(file, cosim.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, start := range []map[string]float64{{"body.vx": 0}, {"body.vx": 20}, {"slide.position": 0.004}} {
		r := instance(t, sys, "rk4", 0.0002)
		for name, v := range start {
			r.set(name, v)
		}
		if _, err := r.in.Trim(); err != nil {
			t.Fatalf("%v: %v", start, err)
		}
		r.start(noInput)
		quantities := []string{"body.z", "body.pitch", "body.roll", "body.wz", "lower_FL.wx", "lower_FR.wy", "carrier_RL.wz",
			"spring_FL.length", "spring_RR.length"}
		var before []float64
		for _, q := range quantities {
			before = append(before, r.get(q))
		}
		// rolling resistance slows the car, and with it a turn
		tolerance := map[bool]float64{true: 1e-6, false: 1e-3}[start["body.vx"] == 0 && start["slide.position"] == 0]
		r.drive(noInput, 0.0002, 0.05)
		for i, q := range quantities {
			r.near(q, before[i], tolerance)
		}
	}
}
