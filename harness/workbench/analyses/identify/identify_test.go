package identify

import (
	"bytes"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"skidpad/harness/library"
	"skidpad/harness/tests/built"
	"skidpad/harness/tests/testrun"
	"skidpad/harness/workbench/analyses/suspension"
	"skidpad/harness/workbench/files/measured"
	"skidpad/harness/workbench/files/modelfile"
	"skidpad/harness/workbench/runs/drive"
	"skidpad/harness/workbench/runs/evaluate"
	"skidpad/model/rig"
	"skidpad/model/vehicle"
)

func TestMain(m *testing.M) {
	library.RunAsChild()
	built.Main(m)
}

// tablesOf are tables of the left wheel by formulas of its motion: bounce by lines and a stop, and loads by linear
// compliances, with toe per lateral force 0.107 deg/kN and per moment -0.253 deg/(100 N m).
func tablesOf(loads map[string]func(load float64) (toe, camber, x, y float64)) *measured.Axle {
	a := &measured.Axle{Tests: map[string]*measured.Test{}}
	const pad, rate = 3000, 25000.0
	add := func(name, unit string, most float64, of func(x float64) map[string]float64) {
		t := &measured.Test{Name: name, Unit: unit, Sides: [2]map[string][]float64{{}, {}}}
		for i := -8; i <= 8; i++ {
			x := most * float64(i) / 8
			t.At = append(t.At, x)
			for key, value := range of(x) {
				t.Sides[0][key] = append(t.Sides[0][key], value)
			}
		}
		a.Tests[name] = t
	}
	add("bounce", "m", 0.08, func(z float64) map[string]float64 {
		return map[string]float64{"travel": z, "toe": -0.07 * z, "camber": -0.4 * z, "x": 1.2 + 0.02*z, "y": 0.7 - 0.1*z,
			"Fz": pad + rate*z + 1e6*math.Pow(max(0, z-0.05), 2)}
	})
	for name, of := range loads {
		unit, most := "N", 2000.0
		if strings.HasPrefix(name, "aligning") {
			unit, most = "N.m", 100
		}
		add(name, unit, most, func(load float64) map[string]float64 {
			toe, camber, x, y := of(load)
			return map[string]float64{"toe": toe, "camber": camber, "x": 1.2 + x, "y": 0.7 + y}
		})
	}
	return a
}

// The published compliance of the passenger car gives its joints: the front toe axis 0.042 m ahead of the contact, the
// rear toe axis 0.020 m behind, and k = 1/c_M. The camber axis is at the wheel centre with k = h/c. Recession has k =
// 1/c.
func TestClosedFormsOfJoints(t *testing.T) {
	const radius, recession = 0.3, 2e-7
	for name, of := range map[string]struct{ force, moment, camber, ahead float64 }{
		"front": {0.107, 0.253, 0.316, 0.107 / 2.53}, "rear": {-0.014, 0.072, 0.251, -0.014 / 0.72},
	} {
		force, moment, camber := of.force*degree/1e3, of.moment*degree/100, of.camber*degree/1e3
		a := tablesOf(map[string]func(x float64) (float64, float64, float64, float64){
			"lateral_opposed": func(f float64) (float64, float64, float64, float64) {
				return force * f, -camber * f, 0, force * f * of.ahead
			},
			"aligning_parallel": func(m float64) (float64, float64, float64, float64) {
				return -moment * m, 0, 0, -moment * m * of.ahead
			},
			"braking": func(f float64) (float64, float64, float64, float64) { return 0, 0, recession * f, 0 },
			"driving": func(f float64) (float64, float64, float64, float64) { return 0, 0, recession * f, 0 },
		})
		c := &Corner{Options: Options{Radius: radius, Unsprung: 32, Wheel: 17}}
		c.tests, _ = corner(a, "mean")
		if err := c.start(); err != nil {
			t.Fatal(err)
		}
		near := func(what string, got, want, within float64) {
			t.Helper()
			if math.Abs(got-want) > within {
				t.Errorf("%s: %s is %.9g, want %.9g", name, what, got, want)
			}
		}
		p := c.point()
		near("place of the toe axis, forward", p[0], of.ahead, 1e-12)
		near("place of the toe axis, outward", p[1], 0, 1e-12)
		near("axis, forward", c.axis[0], 0, 1e-12)
		near("axis, outward", c.axis[1], 0, 1e-12)
		near("stiffness of toe", c.toeLaw.stiffness()*moment, 1, 1e-9)
		near("stiffness of camber", c.camberLaw.stiffness()*camber/radius, 1, 1e-9)
		near("axis of camber above the wheel centre", c.height, 0, 1e-12)
		near("recession", c.recession, recession, 1e-18)
		near("spring", c.rate, 25000, 1e-6)
	}
}

// A carrier that turns about one inclined axis through two points, an independent calculation by rotating the wheel
// about it: the closed forms find the axis from the slopes.
func TestClosedFormsOfAnInclinedAxis(t *testing.T) {
	const radius, compliance = 0.3, 4e-5 // rad/(N m), about the axis of unit length
	below, above := [3]float64{0.03, 0.01, -0.3}, [3]float64{-0.02, -0.06, 0}
	axis := [3]float64{above[0] - below[0], above[1] - below[1], above[2] - below[2]}
	size := math.Sqrt(dot(axis, axis))
	for i := range axis {
		axis[i] /= size
	}
	turn := func(at, force, moment [3]float64) (toe, camber, x, y float64) {
		arm := [3]float64{at[0] - above[0], at[1] - above[1], at[2] - above[2]}
		angle := compliance * (dot(axis, moment) + dot(axis, crossed(arm, force)))
		u := turned([3]float64{0, 1, 0}, axis, angle)
		centre := turned([3]float64{-above[0], -above[1], -above[2]}, axis, angle)
		return math.Atan2(u[0], u[1]), -math.Asin(u[2]), centre[0] + above[0], centre[1] + above[1]
	}
	contact := [3]float64{0, 0, -radius}
	a := tablesOf(map[string]func(x float64) (float64, float64, float64, float64){
		"lateral_parallel": func(f float64) (float64, float64, float64, float64) {
			return turn(contact, [3]float64{1: f}, [3]float64{})
		},
		"aligning_opposed": func(m float64) (float64, float64, float64, float64) {
			return turn([3]float64{}, [3]float64{}, [3]float64{2: m})
		},
		"braking": func(f float64) (float64, float64, float64, float64) {
			return turn(contact, [3]float64{f}, [3]float64{})
		},
		"driving": func(f float64) (float64, float64, float64, float64) {
			return turn([3]float64{}, [3]float64{f}, [3]float64{})
		},
	})
	c := &Corner{Options: Options{Radius: radius, Unsprung: 32, Wheel: 17}}
	c.tests, _ = corner(a, "left")
	if err := c.start(); err != nil {
		t.Fatal(err)
	}
	for i := range 2 {
		if got, want := c.axis[i], axis[i]/axis[2]; math.Abs(got-want) > 2e-3 {
			t.Errorf("axis %d: %.6g, want %.6g", i, got, want)
		}
		// where the axis passes the height of the wheel centre
		p := c.point()
		if got := p[i] - p[2]*c.axis[i]; math.Abs(got-above[i]) > 2e-4 {
			t.Errorf("place %d: %.6g, want %.6g", i, got, above[i])
		}
	}
	if c.camberLaw.over != nil || c.recession > 0 {
		t.Errorf("nothing else yields: camber %v, recession %g", c.camberLaw, c.recession)
	}
}

// imported writes the tables of an axle of the passenger car, and the corner that they give.
func imported(t *testing.T, folder string, axle int) (*suspension.Result, *Corner) {
	t.Helper()
	m, err := vehicle.Read(built.Model("passenger_car"))
	if err != nil {
		t.Fatal(err)
	}
	full := measureAxle(t, m, axle)
	if err := os.MkdirAll(folder, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := full.WriteFolder(folder); err != nil {
		t.Fatal(err)
	}
	tables, err := measured.Read(folder, nil)
	if err != nil {
		t.Fatal(err)
	}
	c, err := Find(tables, Options{Side: "mean", Unsprung: 31.9, Wheel: 17})
	if err != nil {
		t.Fatal(err)
	}
	return full, c
}

func measureAxle(t *testing.T, m *vehicle.Model, axle int) *suspension.Result {
	t.Helper()
	r, err := suspension.Measure(m, m.Roles, suspension.Options{Options: rig.Options{Axle: axle}, Tests: rig.Tests,
		Curves: true})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// closedForms checks that the closed forms alone, without corrections by the rig, give an axle of the passenger car:
// joints at 0 in the design position, and slopes within 3 %.
func closedForms(t *testing.T, corrected *Corner) {
	t.Helper()
	c := &Corner{Options: corrected.Options, tests: corrected.tests, names: corrected.names}
	if err := c.start(); err != nil {
		t.Fatal(err)
	}
	found, err := c.measure()
	if err != nil {
		t.Fatal(err)
	}
	c.compare(found)
	b := c.tests["bounce"]
	for _, key := range []string{"toe", "camber"} {
		if off := found["bounce"].middle(found["bounce"].of[key]) - b.middle(b.of[key]); math.Abs(off) > 2e-3*degree {
			t.Errorf("in the design position %s differs by %g deg", key, off/degree)
		}
	}
	for _, line := range c.Compared {
		tight := line.Test == "lateral_parallel" || line.Test == "aligning_parallel"
		if tight && (line.Key == "toe" || line.Key == "camber") || line.Test == "braking" && line.Key == "Fz" ||
			line.Test == "driving" && line.Key == "toe" {
			if math.Abs(line.Found-line.Measured) > 0.03*math.Abs(line.Measured)+1e-8 {
				t.Errorf("%s by %s: %g, measured %g", line.Key, line.Test, line.Found, line.Measured)
			}
		}
	}
}

// measuredCar writes a variant of the passenger car with corners in place of its own, and the dampers of the passenger
// car.
func measuredCar(t *testing.T, folder string, corners [2]*Corner) string {
	t.Helper()
	car := "name = \"PassengerCar\"\ntitle = \"Passenger car with measured axles\"\nbase = \"passenger_car\"\n"
	for i, c := range corners {
		if c == nil {
			continue
		}
		use := "FR"[i : i+1]
		var text bytes.Buffer
		if err := c.Write(&text); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(folder, "corner_"+use+".toml"), text.Bytes(), 0o600); err != nil {
			t.Fatal(err)
		}
		steer, centre, starts := "", "rear_centre", [2]float64{-0.0008543, 65.634}
		damper := "[-1.5, -2400], [-1, -1800], [-0.5, -1060], [-0.2, -462], [-0.05, -116], [0, 0], [0.05, 50], [0.2, 198], " +
			"[0.5, 444], [1, 766], [1.5, 1040]"
		if c.Steered() != "" {
			steer, centre, starts = `, steer = "steering"`, "front_centre", [2]float64{-0.0016668, 65.508}
			damper = "[-1.5, -2600], [-1, -1950], [-0.5, -1150], [-0.2, -500], [-0.05, -125], [0, 0], [0.05, 54], [0.2, 214], " +
				"[0.5, 480], [1, 830], [1.5, 1130]"
			car += "[component]\nsteering = { type = \"steering\", ratio = 19, wheels = [{ driver = \"dial\" }] }\n" +
				"dial = { type = \"motion-driver\", from = \"body\", to = \"column\", axis = \"z\" }\n" +
				"column = { type = \"rigid-body\", mass = 1e-3, inertia = { xx = 1e-3, yy = 1e-3, zz = 1e-3 } }\n"
		}
		car += fmt.Sprintf("[component.bar_%s]\nstiffness = %g\n", [2]string{"front", "rear"}[i], c.bar)
		car += fmt.Sprintf("[use.%s]\nfile = \"corner_%[1]s.toml\"\nat = [\"L\", \"R\"]\nframes = { chassis = \"body\", "+
			"road = \"road\"%[2]s }\nparameters = { centre = %[3]q }\n[use.%[1]s.component]\nsusp.start = { travel = %[4]g }\n"+
			"wheel.start = { omega = %[5]g }\ndamper.damping = 0\ndamper.damper_force = [%[6]s]\n", use, steer, centre,
			starts[0],
			starts[1], damper)
	}
	path := filepath.Join(folder, "car.toml")
	if err := os.WriteFile(path, []byte(car), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// The rig measures the same slopes and curves on an imported axle as on the passenger car. Slopes are within 1 %, or
// within 1e-3 deg and 1e-2 mm over the loads of the slopes. Curves are within 0.02 deg and 0.2 mm.
func TestRoundTripOfThePassengerCar(t *testing.T) {
	for axle := 1; axle <= testrun.Either(1, 2); axle++ {
		t.Run(fmt.Sprintf("axle %d", axle), func(t *testing.T) {
			testrun.Slow(t)
			t.Parallel()
			folder := t.TempDir()
			full, c := imported(t, folder, axle)
			closedForms(t, c)
			var corners [2]*Corner
			corners[axle-1] = c
			m, err := vehicle.Read(measuredCar(t, folder, corners))
			if err != nil {
				t.Fatal(err)
			}
			again := measureAxle(t, m, axle)
			slopes, curves := 0.0, map[string]float64{}
			for i := range full.Figures {
				f, g := &full.Figures[i], &again.Figures[i]
				if f.Key != g.Key || f.Missing != g.Missing {
					t.Fatalf("figure %s (%s) has become %s (%s)", f.Key, f.Missing, g.Key, g.Missing)
				}
				if f.Missing != "" {
					continue
				}
				if slices.Contains(ofAxis, f.Key) {
					limit := map[string]float64{"rad": 0.1 * degree, "m": 1e-3}[f.Unit]
					if off := math.Abs(g.Left.V - f.Left.V); off > limit {
						t.Errorf("%s differs by %g", f.Key, off)
					}
					continue
				}
				reach := map[string]float64{"rad/N": 500 / (1e-3 * degree), "m/N": 500 / 1e-5, "rad/N.m": 50 / (1e-3 * degree),
					"m/N.m": 50 / 1e-5}[f.Unit]
				for side, of := range [2][2]float64{{f.Left.V, g.Left.V}, {f.Right.V, g.Right.V}} {
					off := math.Abs(of[1] - of[0])
					if off*reach < 1 && reach > 0 {
						continue
					}
					slopes = max(slopes, off/math.Abs(of[0]))
					if off > 0.01*math.Abs(of[0]) {
						t.Errorf("%s, %s: %.6g, imported %.6g", f.Key, rig.Sides[side], of[0], of[1])
					}
				}
			}
			if len(full.Curves) != len(again.Curves) {
				t.Fatalf("%d curves have become %d", len(full.Curves), len(again.Curves))
			}
			for k, of := range full.Curves {
				for i, s := range of.States {
					for key, value := range columns {
						limit := map[string]float64{"toe": 0.02 * degree, "camber": 0.02 * degree, "x": 2e-4, "y": 2e-4,
							"Fz": 5}[key]
						off := math.Abs(value(s).V - value(again.Curves[k].States[i]).V)
						curves[key] = max(curves[key], off/limit)
						if off > limit {
							t.Errorf("%s at %g: %s differs by %g", of.Test, of.At[i], key, off)
						}
					}
				}
			}
			t.Logf("slopes within %.2g %%, curves within these shares of the limits: %.3v", 100*slopes, curves)
		})
	}
}

// ofAxis are figures of the steering axis. The axis of the toe compliance stands for it, within 0.1 deg and 1 mm.
var ofAxis = []string{"castor", "inclination", "trail", "scrub", "hub_trail", "hub_offset"}

// A step steer to 4 m/s2 with both axles imported: yaw response time within 5 ms, overshoot within 1 point, gradient
// within 1 %.
func TestStepSteerOfTheImportedCar(t *testing.T) {
	testrun.OnlyAll(t)
	testrun.Slow(t)
	folder := t.TempDir()
	var corners [2]*Corner
	for i := range corners {
		_, corners[i] = imported(t, filepath.Join(folder, fmt.Sprint(i)), i+1)
	}
	lib, err := library.Open(built.Library(t))
	if err != nil {
		t.Fatal(err)
	}
	values := map[string][2]float64{}
	for i, file := range []string{built.Model("passenger_car"), measuredCar(t, folder, corners)} {
		target, err := modelfile.Target(file, "")
		if err != nil {
			t.Fatal(err)
		}
		e := &evaluate.Evaluator{Target: target, Open: func() (drive.Subject, func(), error) {
			v, err := lib.Load(file, "")
			if err != nil {
				return nil, nil, err
			}
			return v, func() { v.Close() }, nil
		}}
		r, err := e.Evaluate(built.Manoeuvre("step_steer"))
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range r.Runs[0].Figures {
			both := values[f.ID]
			both[i] = f.Value
			values[f.ID] = both
		}
	}
	for id, limit := range map[string]float64{"yaw_rate_response_time": 5e-3, "yaw_rate_overshoot": 0.01,
		"yaw_gain": 0.01 * values["yaw_gain"][0]} {
		of := values[id]
		t.Logf("%s: %.6g, imported %.6g", id, of[0], of[1])
		if !(math.Abs(of[1]-of[0]) < limit) || of[0] == 0 {
			t.Errorf("%s: %.6g, imported %.6g", id, of[0], of[1])
		}
	}
}
