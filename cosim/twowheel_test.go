package cosim

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"strings"
	"testing"

	"skidpad/harness/tests/testrun"
)

// inlined is a model whose brush tires have parameters different from their file.
func inlined(t *testing.T, file, tires string, ck, cm, camber float64, replace ...string) *ride {
	t.Helper()
	parameters := fmt.Sprintf("parameters = { Ck = %g, Ca = %g, CM = %g, camber = %g, Cr = 0, mu0 = 0 }",
		ck, ck, cm, camber)
	return variantOf(t, file, "", append([]string{`file = "../tires/` + tires + `.toml"`, parameters}, replace...)...)
}

// start sets values and initialises.
func (r *ride) start(values map[string]float64) *ride {
	r.t.Helper()
	for name, v := range values {
		r.set(name, v)
	}
	if err := r.Initialise(); err != nil {
		r.t.Fatal(err)
	}
	return r
}

// The random states of brush_points.json, computed independently: forces, rates of the slips, and the wrench on the
// wheel from its accelerations.
func TestBrushTireAtRandomStates(t *testing.T) {
	data, err := os.ReadFile("../resources/references/tires/brush_points.json")
	if err != nil {
		t.Fatal(err)
	}
	var file struct {
		Points []struct {
			Center   vector  `json:"center"`
			Velocity vector  `json:"velocity"`
			Omega    vector  `json:"angular_velocity"`
			Axis     vector  `json:"spin_axis_left"`
			KappaF   float64 `json:"kappaF"`
			AlphaF   float64 `json:"alphaF"`
			PsiF     float64 `json:"psiF"`
			Force    vector  `json:"force"`
			Moment   vector  `json:"moment_about_centre"`
			KappaDot float64 `json:"kappaF_dot"`
			AlphaDot float64 `json:"alphaF_dot"`
			PsiDot   float64 `json:"psiF_dot"`
			Fz, Fx   float64
			Fy, Mz   float64
			Camber   float64 `json:"F_camber"`
			Gamma    float64 `json:"sin_gamma"`
		} `json:"points"`
	}
	if err := json.Unmarshal(data, &file); err != nil {
		t.Fatal(err)
	}
	if len(file.Points) < 4 {
		t.Fatalf("%d points", len(file.Points))
	}
	const mass, axial, transverse = 2.0, 0.12, 0.0603
	for n, p := range file.Points {
		r := inlined(t, "wheel", "brush_wheel", 2e4, 0.3, 1).start(nil)
		x := append([]float64(nil), r.x...)
		// heading and lean from the axis; the body's axes have no spin angle
		lean, heading := math.Asin(p.Axis[2]), math.Atan2(-p.Axis[0], p.Axis[1])
		ux := vector{math.Cos(heading), math.Sin(heading), 0}
		uz := vector{ux[1]*p.Axis[2] - ux[2]*p.Axis[1], ux[2]*p.Axis[0] - ux[0]*p.Axis[2],
			ux[0]*p.Axis[1] - ux[1]*p.Axis[0]}
		body := func(v vector) vector { return vector{v.dot(ux), v.dot(p.Axis), v.dot(uz)} }
		v, w := body(p.Velocity), body(p.Omega)
		for name, value := range map[string]float64{
			"wheel.x": p.Center[0], "wheel.y": p.Center[1], "wheel.z": p.Center[2], "wheel.angle1": heading,
			"wheel.angle2": lean, "wheel.angle3": 0,
			"wheel.vx": v[0], "wheel.vy": v[1], "wheel.vz": v[2], "wheel.wx": w[0], "wheel.wy": w[1], "wheel.wz": w[2],
			"tire.q1": p.KappaF, "tire.q2": -p.AlphaF, "tire.q3": p.PsiF,
		} {
			found := false
			for i, s := range r.sys.program.States {
				if s.Name == name {
					x[i], found = value, true
				}
			}
			if !found {
				t.Fatalf("no state %s", name)
			}
		}
		if err := r.SetStates(x); err != nil {
			t.Fatal(err)
		}
		near := func(what string, got, want float64) {
			t.Helper()
			r.near(fmt.Sprintf("point %d: %s", n, what), got, want, 1e-9*(1+math.Abs(want)))
		}
		near("Fz", r.get("tire.Fz"), p.Fz)
		near("Fx", r.get("tire.Fx"), p.Fx)
		near("Fy", r.get("tire.Fy"), p.Fy)
		near("Mz", r.get("tire.Mz"), p.Mz)
		near("sin gamma", math.Sin(r.get("tire.gamma")), p.Gamma)
		near("dq1/dt", r.get("der(tire.q1)"), p.KappaDot)
		near("dq2/dt", r.get("der(tire.q2)"), -p.AlphaDot)
		near("dq3/dt", r.get("der(tire.q3)"), p.PsiDot)
		force := body(p.Force.plus(-mass*9.81, vector{0, 0, 1}))
		for k, axis := range []string{"ax", "ay", "az"} {
			near("force along "+axis, mass*r.get("wheel."+axis), force[k])
		}
		// J w' + w x J w = M
		inertia := vector{transverse, axial, transverse}
		h := vector{inertia[0] * w[0], inertia[1] * w[1], inertia[2] * w[2]}
		turning := vector{w[1]*h[2] - w[2]*h[1], w[2]*h[0] - w[0]*h[2], w[0]*h[1] - w[1]*h[0]}
		moment := body(p.Moment)
		for k, axis := range []string{"wx", "wy", "wz"} {
			near("moment about "+axis, inertia[k]*r.get("der(wheel."+axis+")")+turning[k], moment[k])
		}
	}
}

// The wheel with a tire and the disc that rolls without slip (two-wheeler specification, 7.1).
func TestWheelAgainstDisc(t *testing.T) {
	testrun.Slow(t) // 0.7 s, and 27 s under the race detector, in one thread
	for _, c := range []struct{ speed, disc, tire, high float64 }{
		{1.5, -27.86269, -27.83800, 11.311}, {2.0, -16.47993, -16.47893, 7.826}, {2.5, -11.99216, -11.99165, 6.647},
		{5.0, -5.33674, -5.33782, 5.367},
	} {
		wheel, disc := begin(t, "wheel", nil, map[string]float64{"speed": c.speed}),
			begin(t, "disc", nil, map[string]float64{"speed": c.speed})
		lean := newSpan()
		difference := 0.0
		for range 50 {
			wheel.to(wheel.Time()+1, nil)
			disc.to(disc.Time()+1, func() { lean.add(disc.get("wheel.angle2"), disc.Time()) })
			difference = max(difference, math.Abs(wheel.get("wheel.angle1")-disc.get("wheel.angle1")))
		}
		disc.near(fmt.Sprintf("heading of the disc, %g m/s", c.speed), disc.get("wheel.angle1"), c.disc, 2e-5)
		wheel.near(fmt.Sprintf("heading of the wheel, %g m/s", c.speed), wheel.get("wheel.angle1"), c.tire, 2e-5)
		disc.near("largest lean", lean.high*180/math.Pi, c.high, 1e-3)
		disc.near("least lean", lean.low*180/math.Pi, 5, 1e-3)
		wheel.within("difference of headings", difference, 0, 0.03)
		p, rate := disc.Violation()
		disc.within("violation of rolling", max(p, rate), 0, 1e-10)
	}
}

// As stiffness grows and relaxation shrinks, the wheel with a tire becomes the disc.
func TestWheelConvergesToTheDisc(t *testing.T) {
	testrun.Slow(t)
	disc := begin(t, "disc", nil, map[string]float64{"speed": 1.5})
	disc.to(10, nil)
	var errors []float64
	for _, factor := range []float64{1, 4, 16} {
		r := inlined(t, "wheel", "brush_wheel", 2e4*factor, 0, 1, "vertical_stiffness = 5e4",
			fmt.Sprintf("vertical_stiffness = %g", 5e4*factor),
			"vertical_damping = 100", fmt.Sprintf("vertical_damping = %g", 100*math.Sqrt(factor)),
			`file = "../tires/brush_relaxation.toml"`, "parameters = { sigma = 0.03 }").
			start(map[string]float64{"speed": 1.5, StepVariable: 0.0005 / math.Sqrt(factor) / 2})
		r.to(10, nil)
		errors = append(errors, math.Abs(r.get("wheel.angle1")-disc.get("wheel.angle1")))
	}
	if !(errors[1] < errors[0]/2 && errors[2] < errors[1]/2 && errors[2] <= 1e-3) {
		t.Errorf("headings differ by %v rad", errors)
	}
}

// A moment against turn slip straightens the path (7.2). Turn slip includes the spin of a leaning wheel with its sign,
// so that the moment steers the wheel into its lean.
func TestTurnSlipOfTheWheel(t *testing.T) {
	testrun.Slow(t)
	for _, c := range []struct{ cm, heading, highest, last float64 }{{0.1, -2.79036, 10.272, 0.155},
		{0.3, -0.94529, 8.857, 0}, {0.5, -0.56537, 7.937, 0}, {1.0, -0.28094, 6.738, 0}} {
		r := inlined(t, "wheel", "brush_wheel", 2e4, c.cm, 1).start(map[string]float64{"speed": 1.5})
		lean := newSpan()
		r.to(20, r.sampled(func() { lean.add(r.get("tire.gamma"), r.Time()) }))
		r.near(fmt.Sprintf("heading with CM = %g", c.cm), r.get("wheel.angle1"), c.heading, 2e-5)
		r.near("largest lean", lean.high*180/math.Pi, c.highest, 2e-3)
		r.near("lean at the end", math.Abs(r.get("tire.gamma"))*180/math.Pi, c.last, 1e-3)
	}
}

// Bearing friction reduces the speed until the wheel spins down like a coin (7.3).
func TestBearingFriction(t *testing.T) {
	for _, c := range []struct{ speed, disc, tire, lean float64 }{{2, -100.154, -99.580, 70.6},
		{5, -7.78588, -7.78428, 11.40}} {
		damped := map[string]float64{"speed": c.speed, "angular_damping": 1e-2}
		disc, wheel := begin(t, "disc", nil, damped), begin(t, "wheel", nil, damped)
		disc.to(30, nil)
		wheel.to(30, nil)
		disc.near(fmt.Sprintf("heading of the disc, %g m/s", c.speed), disc.get("wheel.angle1"), c.disc,
			2e-5*math.Abs(c.disc))
		wheel.near(fmt.Sprintf("heading of the wheel, %g m/s", c.speed), wheel.get("wheel.angle1"), c.tire,
			2e-5*math.Abs(c.tire))
		disc.near("lean at the end", disc.get("wheel.angle2")*180/math.Pi, c.lean, 0.1)
	}
}

// The upright disc has a known frequency of oscillation and a known critical speed, both in closed form. Above the
// critical speed it is stable. A lean without turning is one end of a swing.
func TestUprightDisc(t *testing.T) {
	const m, r, ixx, iyy, g, small = 2.0, 0.3, 0.0603, 0.12, 9.81, 1e-4
	critical := math.Sqrt(g * m * r * r * r * ixx / (iyy * (iyy + m*r*r)))
	for _, v := range []float64{1.1, 1.5, 3} {
		w := math.Sqrt(((iyy+m*r*r)*iyy*v*v/(r*r*ixx) - m*g*r) / (ixx + m*r*r))
		d := begin(t, "disc", nil, map[string]float64{"speed": v, "lean": small, StepVariable: 2 * math.Pi / w / 2000})
		lean := newSpan()
		d.to(2*math.Pi/w, func() { lean.add(d.get("wheel.angle2"), d.Time()) })
		d.near(fmt.Sprintf("lean after a period at %g m/s", v), d.get("wheel.angle2"), small, 1e-4*small)
		d.near("when it is farthest", lean.highAt, math.Pi/w, 2e-3*math.Pi/w)
	}
	for _, c := range []struct {
		speed  float64
		stable bool
	}{{critical - 0.02, false}, {critical + 0.02, true}} {
		d := begin(t, "disc", nil, map[string]float64{"speed": c.speed, "lean": small})
		highest := newSpan()
		d.to(20, func() { highest.add(d.get("wheel.angle2"), 0) })
		if stable := highest.high < 100*small; stable != c.stable {
			t.Errorf("at %g m/s, critical is %g, the lean grows from %g to %g", c.speed, critical, small, highest.high)
		}
	}
}

// The tricycle turns after a steer torque, and a moment against turn slip straightens its path
// (section 8).
func TestTricycle(t *testing.T) {
	testrun.Slow(t)
	for _, c := range []struct {
		tires   string
		yaw     []float64 // at 5, 6, 10, 20, 40 s
		torque  []float64
		heading float64
	}{
		{"brush_wheel_turn", []float64{0.103803, 0.065650, 0.010515, 1.087e-4, 1.2e-8},
			[]float64{0.150369, 0.095970, 0.015373, 1.59e-4}, 0.30282},
		{"brush_wheel", []float64{0.138183, 0.137095, 0.131828, 0.120932, 0.105387},
			[]float64{0.202806, 0.202533, 0.194693, 0.178464, 0.155334}, 4.27780},
	} {
		texts := map[string]string{}
		for _, w := range []string{"RL", "RR", "F"} {
			texts["tire_"+w+".file"] = "../tires/" + c.tires + ".toml"
		}
		r := loaded(t, "tricycle", "", texts, nil)
		r.to(4, nil)
		r.near("yaw rate before the torque", r.get("frame.wz"), 0, 1e-9)
		r.near("torque before", r.get("pendulum_spring.torque"), 0, 1e-9)
		r.set("steer.torque", 0.03)
		r.to(4.5, nil)
		r.set("steer.torque", 0)
		for i, end := range []float64{5, 6, 10, 20, 40} {
			r.to(end, nil)
			r.near(fmt.Sprintf("%s: yaw rate at %g s", c.tires, end), r.get("frame.wz"), c.yaw[i], 2e-6)
			if i < len(c.torque) {
				// the spring's torque on the bob, positive about the forward axis
				r.near(fmt.Sprintf("%s: torque at %g s", c.tires, end), -r.get("pendulum_spring.torque"),
					c.torque[i], 2e-6)
			}
			if end == 10 {
				angle, yaw := r.get("pendulum.phi"), r.get("frame.wz")
				if !(angle < 0) {
					t.Error("the bob does not swing to the outside")
				}
				quasi := 1 * 0.2 * (r.get("frame.vx")*yaw - 9.81*math.Abs(angle))
				r.near("torque by the turn", -r.get("pendulum_spring.torque"), quasi, 0.02*math.Abs(quasi))
				lateral := 0.0
				for _, w := range []string{"RL", "RR", "F"} {
					lateral += r.get("tire_" + w + ".Fy")
				}
				if c.tires == "brush_wheel" {
					r.near("lateral forces", lateral, 43.200, 1e-3)
					r.near("mass times v yaw rate", 41*r.get("frame.vx")*yaw, 43.214, 0.05)
				}
			}
		}
		r.near(c.tires+": heading", r.get("frame.yaw"), c.heading, 2e-5)
	}
}

// A torus rolls on its crown. The wheel with a stiff tire follows the torus that rolls without slip, which keeps its
// energy and its height.
func TestTorusWheel(t *testing.T) {
	const crown, rolling = "crown_radius = 0.1", `"speed/(radius - 0.1 + 0.1*cos(lean))"`
	disc := variantOf(t, "disc", "", `radius = "radius"`, "radius = \"radius\"\n"+crown, `"radius*cos(lean)"`,
		`"(radius - 0.1)*cos(lean) + 0.1"`, `"speed/radius"`,
		rolling).start(map[string]float64{"speed": 1.5, "lean": 0.2})
	errors := []float64{}
	energy := func() float64 {
		v := vector{disc.get("wheel.vx"), disc.get("wheel.vy"), disc.get("wheel.vz")}
		w := vector{disc.get("wheel.wx"), disc.get("wheel.wy"), disc.get("wheel.wz")}
		return 2*(v.dot(v)/2+9.81*disc.get("wheel.z")) + (0.0603*(w[0]*w[0]+w[2]*w[2])+0.12*w[1]*w[1])/2
	}
	before := energy()
	disc.to(5, func() {
		disc.near("height of the contact point", disc.get("contact.value"), 0, 1e-12)
		disc.near("height", disc.get("wheel.z"), 0.2*math.Cos(disc.get("wheel.angle2"))+0.1, 1e-12)
	})
	disc.near("energy", energy(), before, 1e-9*before)
	for _, factor := range []float64{1, 16} {
		r := inlined(t, "wheel", "brush_wheel", 2e4*factor, 0, 0, `method = "undeformed"`,
			`method = "undeformed", `+crown, "vertical_stiffness = 5e4",
			fmt.Sprintf("vertical_stiffness = %g", 5e4*factor),
			`"radius*cos(lean)"`, `"(radius - 0.1)*cos(lean) + 0.1"`, `"speed/radius"`, rolling,
			`file = "../tires/brush_relaxation.toml"`, "parameters = { sigma = 0.03 }").
			start(map[string]float64{"speed": 1.5, "lean": 0.2, StepVariable: 1e-4})
		r.to(5, nil)
		errors = append(errors, math.Abs(r.get("wheel.angle1")-disc.get("wheel.angle1")))
	}
	if !(errors[1] < errors[0]/3 && errors[1] <= 2e-3) {
		t.Errorf("headings differ by %v rad", errors)
	}
	round := begin(t, "disc", nil, map[string]float64{"speed": 1.5, "lean": 0.2})
	round.to(5, nil)
	if !(math.Abs(round.get("wheel.angle1")-disc.get("wheel.angle1")) >= 0.1) {
		t.Error("a torus turns like a thin disc")
	}
}

// A wheel that leans far, up to 70 degrees, still has the full forces of the road. Gravity and these forces together
// accelerate it as a body of its mass.
func TestLargeLean(t *testing.T) {
	r := begin(t, "wheel", nil, map[string]float64{"speed": 3, "lean": 1.2})
	for range 200 {
		r.to(r.Time()+0.005, nil)
		gamma := r.get("tire.gamma")
		if math.Abs(gamma) > 1.5 {
			break
		}
		body := []string{"ax", "ay", "az"}
		sum := 0.0
		for _, a := range body {
			sum += r.get("wheel."+a) * r.get("wheel."+a)
		}
		horizontal := math.Hypot(r.get("tire.Fx"), r.get("tire.Fy"))
		vertical := r.get("tire.Fz") - 2*9.81
		r.near("acceleration", 2*math.Sqrt(sum), math.Hypot(horizontal, vertical), 1e-9*(1+horizontal))
	}
}

// The brush tire works on any vehicle. The generic vehicle with brush tires of the stiffness of its Fiala tires turns
// as with the Fiala tires, as long as slips are small.
func TestBrushTiresOnACar(t *testing.T) {
	drive := func(function, file string) *ride {
		texts := map[string]string{}
		for _, w := range []string{"FL", "FR", "RL", "RR"} {
			texts["tire_"+w+".model"], texts["tire_"+w+".file"] = function, "../tires/"+file+".toml"
		}
		return loaded(t, "generic4w", "", texts, nil)
	}
	fiala, brush := drive("Fiala", "fiala_generic4w"), drive("Brush", "brush_generic4w")
	turned := newSpan()
	for range 5000 {
		for _, r := range []*ride{fiala, brush} {
			r.steer(0.002, 5)
			if err := r.Step(0.001); err != nil {
				t.Fatal(err)
			}
		}
		turned.add(fiala.get("body.wz"), fiala.Time())
		brush.near("yaw rate", brush.get("body.wz"), fiala.get("body.wz"), 0.03*0.02)
		if t.Failed() {
			return
		}
	}
	fiala.within("yaw rate", turned.high, 0.01, 0.05)
	brush.near("speed", brush.get("body.vx"), fiala.get("body.vx"), 1e-3)
}

// With every solver for constraints the disc rolls without slip in the same way. Rolling is nonholonomic: its
// constraints can be violated in speed, but there is no violation of position to correct.
func TestDiscRollsByEverySolver(t *testing.T) {
	want := begin(t, "disc", nil, map[string]float64{StepVariable: 2e-4})
	want.to(3, nil)
	for method, tolerance := range map[string]float64{"dlmm": 1e-8, "clmm": 1e-8, "stabilised-ode": 1e-8,
		"post-stabilisation": 1e-8, "coordinate-projection": 1e-8, "half-explicit": 1e-7,
		"half-explicit-both": 1e-7, "rk4": 1e-8, "linearly-implicit": 1e-4, "linearly-implicit tangent": 3e-4} {
		method, matrix, _ := strings.Cut(method, " ")
		texts, step := map[string]string{MethodVariable: method, jacobianVariable: "exact"}, 1e-3
		if matrix != "" { // nothing is stiff, and the error is 30 times larger
			texts[jacobianVariable], step = matrix, 5e-4
		}
		d := begin(t, "disc", texts, map[string]float64{StepVariable: step})
		d.to(3, nil)
		for _, name := range []string{"wheel.x", "wheel.y", "wheel.z", "wheel.angle1", "wheel.angle2", "wheel.angle3"} {
			d.near(method+": "+name, d.get(name), want.get(name), tolerance)
		}
	}
}

// The fork of a bicycle is turned as prescribed, accelerating, while both wheels roll without slip. Without
// stabilisation the speeds of the contact points stay constant, except for the effect of accelerations held over a
// millisecond. The steer rate alone, 0.3 rad/s on the trail, would cause 25 mm/s.
func TestRollingWithPrescribedSteer(t *testing.T) {
	r := variantOf(t, "bicycle_rolling", "", "type = \"revolute\"\ntext = \"steering axis, pointing up: positive to "+
		"the left\"", `type = "motion-driver"`, "torque = \"input\"\n", "")
	if err := r.SetText(MethodVariable, "clmm"); err != nil {
		t.Fatal(err)
	}
	if err := r.Initialise(); err != nil {
		t.Fatal(err)
	}
	worst, turned := 0.0, 0.0
	for r.Time() < 1 {
		s, c := math.Sincos(2 * math.Pi * r.Time())
		r.set("steer.angle", 0.05*(1-c))
		r.set("steer.rate", 0.05*2*math.Pi*s)
		r.set("steer.acceleration", 0.05*4*math.Pi*math.Pi*c)
		r.to(r.Time()+0.001, nil)
		_, rate := r.Violation()
		worst, turned = max(worst, rate), max(turned, math.Abs(r.get("rear_frame.yaw")))
	}
	r.within("speed of a contact point", worst, 0, 2e-4)
	r.within("heading", turned, 0.1, 1)
}
