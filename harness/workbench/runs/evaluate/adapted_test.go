package evaluate

import (
	"fmt"
	"math"
	"math/cmplx"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"skidpad/harness/library"
	"skidpad/harness/tests/built"
	"skidpad/harness/tests/testrun"
	"skidpad/harness/workbench/runs/drive"
	"skidpad/harness/workbench/runs/manoeuvre"
	"skidpad/harness/workbench/runs/preview"
	"skidpad/model/linear"
	"skidpad/model/vehicle"
)

// The driver who adapts is at least as fast as the best gains of the other one (18.33 m/s and 28.19 m/s, found on a
// grid of 8 gains by 8 previews), less 1 km/h, and near the bound of a point. A fifth more or less preview costs less
// than 2 km/h.
func TestTheDriverWhoAdaptsFindsTheLimitOfTheCar(t *testing.T) {
	testrun.OnlyAll(t)
	t.Parallel()
	library := theLibrary(t)
	for name, least := range map[string]float64{"obstacle_avoidance_limit": 18.33 - 1/3.6,
		"double_lane_change_limit": 28.19 - 1/3.6} {
		highest := func(constants ...manoeuvre.ConstantValue) *Result {
			e := evaluator(library, built.Model("passenger_car"))
			e.Replaced = constants
			result, err := e.Evaluate(built.Manoeuvre(name))
			if err != nil {
				t.Fatal(err)
			}
			return result
		}
		result := highest()
		speed, factor := value(t, result.Figures, "highest_speed"), value(t, result.Figures, "best_preview_factor")
		bound := value(t, result.Figures, "speed_bound")
		if speed < least || speed < 0.7*bound || speed > 1.05*bound {
			t.Errorf("%s: the highest speed is %g m/s; want %g m/s and more, of a bound of %g m/s", name, speed, least, bound)
		}
		lateral, ahead := value(t, result.Figures, "lateral_limit"), value(t, result.Figures, "preview")
		path := result.Manoeuvre.Phases[1].Path
		if got := bound * bound * path.Curvature; math.Abs(got-lateral) > 1e-9 || lateral < 7.5 || lateral > 9 {
			t.Errorf("%s: the bound has a lateral acceleration of %g m/s2, of a limit of %g m/s2", name, got, lateral)
		}
		if ahead < 0.4*factor || ahead > factor {
			t.Errorf("%s: the preview is %g s with a factor of %g", name, ahead, factor)
		}
		for _, by := range []float64{0.8, 1.2} {
			other := highest(manoeuvre.ConstantValue{Name: "preview_factor", Value: by * factor})
			if got := value(t, other.Figures, "highest_speed"); got < speed-2/3.6 {
				t.Errorf("%s: with %g of the preview the highest speed is %g m/s; want %g m/s", name, by, got, speed)
			}
			for _, f := range other.Figures {
				if f.ID == "best_preview_factor" {
					t.Errorf("%s: a factor that is given is searched for", name)
				}
			}
		}
	}
}

// A car with a tenth more friction is faster through the obstacle avoidance, for both drivers.
func TestMoreFrictionIsFasterForBothDrivers(t *testing.T) {
	testrun.OnlyAll(t)
	t.Parallel()
	library := theLibrary(t)
	for _, name := range []string{"obstacle_avoidance", "obstacle_avoidance_limit"} {
		var speeds [2]float64
		for i, friction := range []string{"0.8", "0.88"} {
			e := evaluator(library, built.Model("passenger_car"),
				manoeuvre.Setting{Name: "road.friction_left", Value: friction},
				manoeuvre.Setting{Name: "road.friction_right", Value: friction})
			result, err := e.Evaluate(built.Manoeuvre(name))
			if err != nil {
				t.Fatal(err)
			}
			speeds[i] = value(t, result.Figures, "highest_speed")
		}
		if speeds[1] <= speeds[0] {
			t.Errorf("%s: the highest speed is %g m/s, with a tenth more friction %g m/s", name, speeds[0], speeds[1])
		}
	}
}

// The pulses of a driver agree with the linear equations of the vehicle. At three speeds the steady yaw
// rate agrees within 0.2 %, and the lateral velocity and the responses up to 2 Hz within 2 % of the largest. Of the
// lateral velocity at least a sixth of a second by speed and yaw rate counts, as for the fit: the steady one is 0 at
// some speed. The previews that follow agree within 1 %.
func TestPulsesAgreeWithTheLinearEquations(t *testing.T) {
	testrun.OnlyAll(t)
	t.Parallel()
	for name, file := range map[string]string{"generic4w": genericModel, "passenger_car": built.Model("passenger_car")} {
		e := evaluator(theLibrary(t), file)
		by := adapted(t, e, built.Manoeuvre("double_lane_change_limit"))
		m, err := manoeuvre.ReadFor(e.Target, built.Manoeuvre("double_lane_change_limit"))
		if err != nil {
			t.Fatal(err)
		}
		hertz := []float64{1e-4}
		for i := 1; i <= 20; i++ {
			hertz = append(hertz, 0.1*float64(i))
		}
		var responses []preview.Response
		for i := range by.Vehicles {
			responses = append(responses, linearResponse(t, file, m, by.Vehicles[i].Speed, hertz))
		}
		linear, err := preview.Fitted(responses)
		if err != nil {
			t.Fatal(err)
		}
		for _, i := range []int{0, 4, 7} {
			one, other := &by.Vehicles[i], &linear[i]
			var largest [2]float64
			for _, h := range responses[i].Of {
				largest[1] = max(largest[1], cmplx.Abs(h[1]))
				largest[0] = max(largest[0], cmplx.Abs(h[0]), other.Speed*largest[1]/6)
			}
			if got, want := real(one.At(0)[1]), responses[i].Steady[1]; math.Abs(got-want) > 0.002*want {
				t.Errorf("%s at %g m/s: the steady yaw rate is %g 1/s by pulses; want %g", name, other.Speed, got, want)
			}
			for _, f := range hertz {
				p := complex(0, 2*math.Pi*f)
				got, want := one.At(p), other.At(p)
				for k := range got {
					if apart := cmplx.Abs(got[k]-want[k]) / largest[k]; apart > 0.02 {
						t.Errorf("%s at %g m/s and %g Hz: response %d is %.5g by pulses; want %.5g, %.3g of the largest apart", name,
							other.Speed, f, k, got[k], want[k], apart)
					}
				}
			}
			law, _, err := preview.Adapted(other.Motion(), m.Driver.Delay, m.Driver.Lag)
			if err != nil {
				t.Fatal(err)
			}
			if got := by.Previews[i]; math.Abs(got-law.Preview) > 0.01*law.Preview {
				t.Errorf("%s at %g m/s: the preview is %g s; want %g s", name, other.Speed, got, law.Preview)
			}
		}
	}
}

// linearResponse is how a vehicle answers the steering wheel at a speed that its throttle holds, by its linear
// equations.
func linearResponse(
	t *testing.T, file string, m *manoeuvre.Manoeuvre, speed float64, hertz []float64,
) preview.Response {
	t.Helper()
	of, err := vehicle.Read(file)
	if err != nil {
		t.Fatal(err)
	}
	l, err := linear.New(of, "")
	if err != nil {
		t.Fatal(err)
	}
	if err := l.Set(m.Driver.Body+".vx", speed); err != nil {
		t.Fatal(err)
	}
	for _, torque := range m.SpeedControl.Torques {
		if err := l.Free(torque); err != nil {
			t.Fatal(err)
		}
	}
	s, err := l.At()
	if err != nil {
		t.Fatal(err)
	}
	ratio := m.Steering.Ratio
	if ratio == 0 {
		ratio = 1 // the vehicle has a steering wheel
	}
	r := preview.Response{Speed: speed}
	for _, f := range hertz {
		r.Angular, r.Of = append(r.Angular, 2*math.Pi*f), append(r.Of, [2]complex128{})
	}
	for k, output := range []string{".vy", ".wz"} {
		h, err := s.Response(strings.Join(m.Steering.Drivers, "+"), m.Driver.Body+output, r.Angular)
		if err != nil {
			t.Fatal(err)
		}
		for i := range h {
			r.Of[i][k] = h[i] / complex(ratio, 0)
		}
		r.Steady[k] = real(r.Of[0][k])
	}
	r.Angular, r.Of = r.Angular[1:], r.Of[1:]
	return r
}

// A driver finds in FMUs of both versions what he finds in the model, to the last bit.
func TestAnFMUHasTheDriverOfItsModel(t *testing.T) {
	testrun.OnlyAll(t)
	t.Parallel()
	for _, version := range []int{2, 3} {
		e := evaluator(theLibrary(t), built.Model("passenger_car"))
		e.Held = version == 3
		want := adapted(t, e, built.Manoeuvre("obstacle_avoidance_limit"))
		e.Open = func() (drive.Subject, func(), error) {
			f, err := library.OpenFMU(built.FMU(t, built.Model("passenger_car"), version))
			if err != nil {
				return nil, nil, err
			}
			c, err := f.Instantiate(f.ModelName, f.Token)
			if err != nil {
				f.Close()
				return nil, nil, err
			}
			return c, func() { c.Close(); f.Close() }, nil
		}
		if got := adapted(t, e, built.Manoeuvre("obstacle_avoidance_limit")); !reflect.DeepEqual(got, want) {
			t.Errorf("FMI %d: the driver knows %+v; of the model %+v", version, got, want)
		}
	}
}

// On a circle with 2 m/s2, the passenger car is less than 0.02 m beside it, to both sides, with the hands of a person
// and without limits.
func TestTheCarStaysOnACircle(t *testing.T) {
	testrun.OnlyAll(t)
	t.Parallel()
	for _, radius := range []float64{200, -200} {
		for _, hands := range []string{"", "delay = \"0.15 s\"\nlag = \"0.1 s\"\nrate = \"800 deg/s\""} {
			file := filepath.Join(t.TempDir(), "circle.toml")
			text := fmt.Sprintf(`name = "circle"
title = "Circle"
cars = %q
step = 0.001
[constants]
speed = 20
[driver]
slowest = 10
fastest = 30
%s
[[phase]]
name = "circle"
duration = 30
speed = { kind = "constant", value = "speed" }
path = { kind = "circle", radius = %g }
`, built.Path("resources", "cars"), hands, radius)
			if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
			e := evaluator(theLibrary(t), built.Model("passenger_car"))
			m, err := manoeuvre.ReadFor(e.Target, file)
			if err != nil {
				t.Fatal(err)
			}
			s, closeIt, err := e.Open()
			if err != nil {
				t.Fatal(err)
			}
			defer closeIt()
			names := []string{m.Driver.Body + ".x", m.Driver.Body + ".y", m.Driver.Body + ".wz"}
			result, err := drive.Simulate(s, drive.Plan{Manoeuvre: m, Record: names})
			if err != nil || result.Verdict != "" {
				t.Fatal(err, result.Verdict)
			}
			trace := result.Trace
			x, y, wz := trace.Column(names[0]), trace.Column(names[1]), trace.Column(names[2])
			last := len(trace.Time) - 1
			if lateral := 20 * math.Abs(wz[last]); math.Abs(lateral-2) > 0.05 {
				t.Errorf("the lateral acceleration is %g m/s2", lateral)
			}
			if off := math.Hypot(x[last]-x[0], y[last]-y[0]-radius) - 200; math.Abs(off) > 0.02 {
				t.Errorf("with a radius of %g m and hands %q the car is %g m beside the circle", radius, hands, off)
			}
		}
	}
}

func theLibrary(t *testing.T) *library.Library {
	t.Helper()
	l, err := library.Open(built.Library(t))
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// adapted is what the driver of a manoeuvre finds out about a vehicle.
func adapted(t *testing.T, e *Evaluator, file string) *preview.Driver {
	t.Helper()
	m, err := manoeuvre.ReadFor(e.Target, file)
	if err != nil {
		t.Fatal(err)
	}
	s, closeIt, err := e.Open()
	if err != nil {
		t.Fatal(err)
	}
	defer closeIt()
	knows, err := drive.Adapt(s, drive.Plan{Manoeuvre: m, Held: e.Held})
	if err != nil {
		t.Fatal(err)
	}
	return knows
}
