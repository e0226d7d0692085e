package cosim

import (
	"fmt"
	"maps"
	"math"
	"testing"

	"skidpad/harness/tests/testrun"
)

// halfCar runs the half-car to a time with the motor torque (34), the brakes (35), as corrected, and the friction
// profile (36), t_f = 30 s. The inputs continue linearly between solver steps, and each is called after every step.
func (r *ride) halfCar(torque, end float64, each func()) *ride {
	r.t.Helper()
	return r.driven(end, halfCarInputs(torque), each)
}

func halfCarInputs(torque float64) map[string]func(float64) float64 {
	brake := func(t float64) float64 { return 12.5 * (1 + math.Tanh(t-22.5)) * (1 - math.Tanh(t-52.5)) }
	return map[string]func(float64) float64{
		"motor.torque":   func(t float64) float64 { return torque * math.Tanh(2*t) },
		"brake_F.torque": brake, "brake_R.torque": brake,
		"road.mu": func(t float64) float64 { return 0.15 + 0.7*math.Pow(math.Tanh((t-15)/6), 4) },
	}
}

// driven runs to a time with inputs that follow formulas.
func (r *ride) driven(end float64, inputs map[string]func(float64) float64, each func()) *ride {
	r.t.Helper()
	h := r.settings[stepSetting]
	index := map[string]int{}
	for name := range inputs {
		index[name], _ = r.sys.Find(name)
	}
	for n := int(math.Round((end - r.Time()) / h)); n > 0; n-- {
		t := r.Time()
		for name, f := range inputs {
			if err := r.Set(index[name], f(t)); err != nil {
				r.t.Fatal(err)
			}
			if err := r.SetRate(index[name], (f(t+h)-f(t))/h); err != nil {
				r.t.Fatal(err)
			}
		}
		if err := r.Step(h); err != nil {
			r.t.Fatal(err)
		}
		if each != nil {
			each()
		}
	}
	return r
}

func newHalfCar(t *testing.T, values map[string]float64) *ride {
	t.Helper()
	return begin(t, "halfcar", nil, values)
}

// rearWheelSpeed returns the circumferential speed of the rear wheel at the radius at rest [m/s].
func (r *ride) rearWheelSpeed() float64 {
	return 0.25 * (r.get("pitch.omega") + r.get("arm_R.omega") + r.get("wheel_R.omega"))
}

// is reports whether the time is t, which is an integer number of steps.
func (r *ride) is(t float64) bool { return math.Abs(r.Time()-t) < 1e-6 }

// The half-car's scenarios (half-car specification, chapter 6): speeds at 1, 5, 10, ... 30 s, the rear wheel at 2, 5,
// 15 s, and the statements of Ikoki (2022) about them.
func TestHalfCarScenarios(t *testing.T) {
	t.Parallel()
	testrun.Slow(t)
	for _, c := range []struct {
		torque, gamma float64
		v             [7]float64
		rear          [3]float64
		slip          float64    // at 5 s
		low           [7]float64 // at 15 s: mu N_R, traction_R, sliding_R, s_R^2, ideal front force, N_F, N_R
		braked        float64    // force on the front wheel at 25 s
		traction      float64    // largest share of mu N_R
	}{
		{150, 20, [7]float64{1.02, 7.07, 14.18, 20.39, 25.58, 27.28, 26.46}, [3]float64{2.7, 7.2, 23.5}, 0.166,
			[7]float64{364.2, 337.6, 181.4, 0.5627, -6.02, 1309.6, 2428.0}, -200.2, 0.928},
		{550, 20, [7]float64{3.68, 25.16, 46.31, 49.02, 58.48, 65.98, 67.93}, [3]float64{13.1, 30.5, 645.5}, 5.367,
			[7]float64{364.8, 18.7, 351.9, 0.0048, -0.28, 1306.2, 2431.8}, -215.3, 0.9325},
		{700, 20, [7]float64{4.66, 31.66, 56.14, 52.39, 56.55, 71.95, 76.60}, [3]float64{19.5, 42.8, 849.6}, 11.125,
			[7]float64{355.8, 8.5, 352.0, 0.0004, 3.59, 1366.2, 2371.7}, -221.8, 0.9325},
		{550, 100, [7]float64{3.71, 25.21, 46.75, 55.77, 67.07, 70.20, 70.15}, [3]float64{10.1, 26.4, 386.8}, 1.176,
			[7]float64{}, 0, 0.9325},
		{550, 200, [7]float64{3.72, 25.22, 46.81, 58.28, 68.54, 70.93, 70.52}, [3]float64{9.7, 25.9, 248.5}, 0.655,
			[7]float64{}, 0, 0.9325},
		{550, 2000, [7]float64{3.72, 25.23, 46.87, 60.76, 69.05, 71.16, 70.65}, [3]float64{9.3, 25.3, 80.8}, 0.079,
			[7]float64{}, 0, 0.9325},
	} {
		if (c.gamma == 100 || c.gamma == 200) && !testrun.All() { // 20, and the stiff 2000, say the same
			continue
		}
		t.Run(fmt.Sprintf("%g N m, gamma %g", c.torque, c.gamma), func(t *testing.T) {
			values := map[string]float64{"gamma": c.gamma}
			if c.gamma > 1000 {
				values[StepVariable] = 0.0005
			}
			r := newHalfCar(t, values)
			v := func() float64 { return r.get("forward.s_dot") }
			share, front, pitch, centre, before, braking := newSpan(), newSpan(), newSpan(), newSpan(),
				newSpan(), newSpan()
			falls, last := newSpan(), 0.0
			next := 0
			r.halfCar(c.torque, 30, func() {
				now := r.Time()
				for i, s := range []float64{2, 5, 15} {
					if r.is(s) {
						r.near("rear wheel", r.rearWheelSpeed(), c.rear[i], 0.05)
					}
				}
				if r.is(5) {
					r.near("slip", r.get("wheel_R.slip_speed"), c.slip, 0.0005)
				}
				if times := []float64{1, 5, 10, 15, 20, 25, 30}; next < len(times) && r.is(times[next]) {
					r.near("speed", v(), c.v[next], 0.005)
					next++
				}
				limit := r.get("road.mu") * r.get("wheel_R.Fz")
				share.add(r.get("traction_R.force")/limit, now) // H2, H3
				pitch.add(r.get("pitch.phi"), now)              // H11
				for _, arm := range []string{"F", "R"} {
					angle := r.get("pitch.phi") + r.get("arm_"+arm+".phi")
					height := r.get("upward.s")
					if arm == "F" {
						height += -1.2*math.Sin(r.get("pitch.phi")) - 0.5*math.Sin(angle)
					} else {
						height += 0.5 * math.Sin(angle)
					}
					centre.add(height, now)
				}
				if v() < last {
					falls.add(now, now)
				}
				for at, want := range map[float64]map[float64]float64{550: {12.5: 50.255, 17: 48.106},
					700: {11.25: 57.895, 18.25: 48.560}}[c.torque] {
					if c.gamma == 20 && r.is(at) {
						r.near("speed before or after it falls", v(), want, 0.0005)
					}
				}
				last = v()
				ideal := r.get("traction_F.force") + r.get("stabilisation_F.force")
				if now < 20 { // H7
					front.add(math.Abs(ideal)/(r.get("road.mu")*r.get("wheel_F.Fz")), now)
				}
				if now < 15 {
					before.add(math.Abs(r.get("sliding_F.force")), now)
				}
				if c.gamma != 20 {
					return
				}
				switch { // H8, in the source's sign
				case c.torque == 700 && now > 11.75 && now < 18:
					r.within("ideal force of the front wheel", -ideal, -3.85, 0)
				case now > 0.1 && now < 11:
					r.within("ideal force of the front wheel", -ideal, 0, 1e3)
				}
				if c.torque == 700 && now > 13 && now < 17 { // H5
					r.within("traction", r.get("traction_R.force"), 0, 20)
					r.within("sliding", r.get("sliding_R.force")/limit, 0.984, 1)
				}
				if now > 25 {
					braking.add(v(), now)
				}
				if r.is(15) {
					for i, got := range []float64{limit, r.get("traction_R.force"), r.get("sliding_R.force"),
						math.Pow(r.get("wheel_R.stiction"), 2), ideal, r.get("wheel_F.Fz"), r.get("wheel_R.Fz")} {
						r.near(fmt.Sprintf("column %d at 15 s", i+1), got, c.low[i],
							[]float64{0.05, 0.05, 0.05, 5e-5, 0.005, 0.05, 0.05}[i])
					}
				}
				if r.is(25) { // H9
					r.near("force on the braked front wheel", r.get("contact_F.force"), c.braked, 0.05)
				}
				switch ratio := r.rearWheelSpeed() / v(); { // H1, H4
				case c.torque == 150 && r.is(15):
					r.near("slip ratio", ratio, 1.155, 0.0005)
				case c.torque == 150 && (r.is(5) || r.is(25)):
					r.within("slip ratio", ratio, 1, 1.03)
				case c.torque == 150 && r.is(2):
					r.near("slip ratio", ratio, 1.05, 0.005)
				case c.torque == 550 && r.is(2):
					r.near("slip ratio", ratio, 1.42, 0.005)
				}
			})
			if next != 7 {
				t.Errorf("%d of 7 speeds looked at", next)
			}
			r.near("largest share of the grip in traction", share.high, c.traction, 0.0015)
			r.within("it", share.high, 0, 0.94)
			r.within("ideal front force", front.high, 0, 0.19)
			r.within("sliding of the front wheel", before.high, 0, 1e-6)
			r.within("pitch", pitch.low, -0.01, 0.01)
			r.within("pitch", pitch.high, -0.01, 0.01)
			r.within("height of the wheels", centre.low-0.25, -1e-9, 1e-9)
			r.within("height of the wheels", centre.high-0.25, -1e-9, 1e-9)
			if c.gamma == 20 { // H6, H9
				r.near("the speed falls from", falls.low, map[float64]float64{150: 23.25, 550: 12.5,
					700: 11.25}[c.torque], 0.25)
				if c.torque > 150 {
					r.near("the speed falls until", falls.high, map[float64]float64{550: 17, 700: 18.25}[c.torque],
						0.25)
				}
				if slows := braking.highAt < 26; slows != (c.torque == 150) {
					t.Errorf("the car slows down at the end: %v", slows)
				}
			}
		})
	}
}

// Effect of the numbers that Ikoki (2022) does not give, and of the misprints in that paper (half-car specification,
// after H13): v(15), w_R(15), v(30) at 550 N m.
func TestHalfCarSensitivity(t *testing.T) {
	testrun.Slow(t)
	const load = 9.81 * 313.25 / 2.2 // on the front wheel at rest [N]
	carried := func(wheel string, load float64) (old, elastic string) {
		old = fmt.Sprintf(`frame = %q
road = "road"
radius = "wheel_radius"`, wheel)
		return old, old + fmt.Sprintf(`
vertical_stiffness = 150000
vertical_damping = 1000
load = %.17g`, load)
	}
	frontRigid, frontElastic := carried("wheel_F", load)
	rearRigid, rearElastic := carried("wheel_R", 381*9.81-load)
	for _, c := range []struct {
		name    string
		replace []string
		values  map[string]float64
		inputs  map[string]func(float64) float64
		want    [3]float64
	}{
		{name: "as it is", want: [3]float64{49.02, 645.5, 67.93}},
		{name: "elastic wheels (H13)", replace: []string{frontRigid, frontElastic, rearRigid, rearElastic},
			want: [3]float64{48.98, 653.6, 68.12}},
		// the specification has 626.5 and 68.17; another program solves its equations and does not get these numbers
		{name: "P3 as printed", values: map[string]float64{"P3.translation_x": 0.4,
			"strut_R.free_length": 1.105986776116302}, want: [3]float64{49.76, 626.39, 68.19}},
		{name: "tanh of the fourth power",
			inputs: map[string]func(float64) float64{"road.mu": func(t float64) float64 {
				return 0.15 +
					0.7*math.Tanh(math.Pow((t-15)/6, 4))
			}}, want: [3]float64{49.82, 634.6, 68.29}},
		{name: "more drag in the bearings", values: map[string]float64{"bearing_drag": 2e-4},
			want: [3]float64{46.71, 364.9, 64.38}},
		{name: "k_s = 2", values: map[string]float64{"contact_F.stiction_factor": 2, "contact_R.stiction_factor": 2},
			want: [3]float64{39.79, 752.7, 62.42}},
		{name: "k_F = 3", values: map[string]float64{"contact_F.friction_factor": 3, "contact_R.friction_factor": 3},
			want: [3]float64{49.23, 640.6, 68.01}},
		{name: "brake as printed: none",
			inputs: map[string]func(float64) float64{"brake_F.torque": func(float64) float64 { return 0 },
				"brake_R.torque": func(float64) float64 { return 0 }}, want: [3]float64{49.02, 645.5, 72.81}},
	} {
		r := variantOf(t, "halfcar", "", c.replace...).start(c.values)
		inputs := halfCarInputs(550)
		maps.Copy(inputs, c.inputs)
		r.driven(15, inputs, nil)
		r.near(c.name+": v(15)", r.get("forward.s_dot"), c.want[0], 0.005)
		r.near(c.name+": w_R(15)", r.rearWheelSpeed(), c.want[1], 0.05)
		r.driven(30, inputs, nil)
		r.near(c.name+": v(30)", r.get("forward.s_dot"), c.want[2], 0.005)
	}
}

// The solvers correct the active constraints by their own methods. The law of the wheels, with its stabilisation,
// belongs to the vehicle and is the same under every solver.
func TestHalfCarDoesNotDependOnTheSolver(t *testing.T) {
	end := func(method string) [3]float64 {
		r := begin(t, "halfcar", map[string]string{MethodVariable: method}, map[string]float64{StepVariable: 0.001})
		r.halfCar(550, 2, nil)
		r.near(method+": height of the front wheel", r.get("disc_F.z"), 0.25, 1e-8)
		return [3]float64{r.get("forward.s_dot"), r.rearWheelSpeed(), r.get("wheel_R.slip_speed")}
	}
	want := end("rk4")
	for method, tolerance := range map[string]float64{
		"dlmm": 1e-8, "clmm": 1e-8, "stabilised-ode": 1e-8, "post-stabilisation": 1e-8, "coordinate-projection": 1e-8,
		"half-explicit": 1e-8, "half-explicit-both": 1e-8, "heun": 1e-4, "linearly-implicit": 1e-4,
		"dlmm-euler": 0.05, "euler": 0.05,
	} {
		got := end(method)
		for i, what := range []string{"speed", "speed of the rear wheel", "slip speed"} {
			r := ride{t: t}
			r.near(method+": "+what, got[i], want[i], tolerance)
		}
	}
}

// Without torque, damping, drag and stabilisation, the half-car keeps its energy while it rolls and
// rocks on its springs (H12).
func TestHalfCarKeepsItsEnergy(t *testing.T) {
	r := newHalfCar(t, map[string]float64{
		"gamma": 0, "drag_coefficient": 0, "bearing_drag": 0, "strut_F.damping": 0, "strut_R.damping": 0,
		StepVariable:    0.0005,
		"forward.s_dot": 10, "wheel_F.omega": 40, "wheel_R.omega": 40, "strut_F.free_length": 0.63,
		"strut_R.free_length": 0.45,
	})
	energy := func() float64 {
		e := 0.0
		for _, b := range []struct {
			name          string
			mass, inertia float64
		}{{"body", 350, 1500}, {"arm_F_body", 5, 5 * 0.25 / 12}, {"arm_R_body", 6, 6 * 0.25 / 12},
			{"disc_F", 10, 0.3125}, {"disc_R", 10, 0.3125}} {
			vx, vz, w := r.get(b.name+".vx"), r.get(b.name+".vz"), r.get(b.name+".wy")
			e += b.mass*(vx*vx+vz*vz)/2 + b.inertia*w*w/2 + b.mass*9.81*r.get(b.name+".z")
		}
		return e + 20000*math.Pow(r.get("strut_F.length")-0.63, 2) + 22500*math.Pow(r.get("strut_R.length")-0.45, 2)
	}
	first, rocks := energy(), newSpan()
	r.to(3, func() {
		rocks.add(r.get("pitch.phi"), r.Time())
		r.near("energy", energy()/first, 1, 1e-11)
	})
	r.within("pitch", rocks.high-rocks.low, 0.01, 0.1)
}

// Friction as printed pushes the chassis backwards where the wheel spins: (33) verbatim, on q1 (option "printed" of the
// specification, 3.4). A known force is a load, counted among the non-ideal forces or not, because the row law sees
// only the sum of both.
func TestHalfCarWithPrintedFriction(t *testing.T) {
	testrun.Slow(t)
	const push = `[component.push]
type = "force-driver"
from = "ground"
to = "pivot"
axis = "x"

[quantities]`
	for _, c := range []struct{ torque, v15, rear, v30 float64 }{{150, 17.29, 21.9, 23.06}, {550, 32.66, 732.6, 52.04},
		{700, 33.97, 919.2, 58.09}} {
		r := variantOf(t, "halfcar", "", "[quantities]", push).start(map[string]float64{"contact_F.friction_factor": 0,
			"contact_R.friction_factor": 0})
		inputs := halfCarInputs(c.torque)
		force := func() {
			f := 0.0
			for _, end := range []string{"F", "R"} {
				torque := -r.get("brake_" + end + ".torque") // the wheels turn forward
				if end == "R" {
					torque += r.get("motor.torque")
				}
				limit := r.get("road.mu") * r.get("wheel_"+end+".Fz")
				spin := r.get("pitch.omega") + r.get("arm_"+end+".omega") + r.get("wheel_"+end+".omega")
				f -= limit * math.Tanh(torque/(limit*0.25)/3) * math.Tanh(spin*0.25-r.get("forward.s_dot"))
			}
			r.set("push.force", f)
		}
		r.driven(15, inputs, force)
		r.near("v(15)", r.get("forward.s_dot"), c.v15, 0.005)
		r.near("w_R(15)", r.rearWheelSpeed(), c.rear, 0.05)
		r.driven(30, inputs, force)
		r.near("v(30)", r.get("forward.s_dot"), c.v30, 0.005)
	}
}
