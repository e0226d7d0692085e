package cosim_test

import (
	"fmt"
	"math"
	"testing"

	"skidpad/cosim"
	"skidpad/harness/tests/testrun"
)

// blockMass is the mass [kg] of a block that slides on one wheel that does not turn (standstill specification, 7.2). At
// the start the tire's vertical spring carries the block already, so that the load is the weight of the block.
const blockMass = 557

// block returns a run that starts with 20 m/s: along the heading of the wheel with a Magic Formula, or across it with
// Fiala's tire. Fiala's tire with constant friction (mu0 = mu1) is the brush tire with parabolic pressure.
func block(t *testing.T, method, function string, mu, damping float64) *run {
	t.Helper()
	axis, relaxation := "x", `{ function = "StretchedString", file = "../tires/stretched_string.toml" }`
	force := `{ function = "Pacejka02", file = "../tires/pacejka2002.toml" }`
	if function == "Fiala" {
		axis, relaxation = "y", `{ function = "ConstantLength", parameters = { Blong = 0.8, Blat = 0.8 } }`
		force = `{ function = "Fiala", parameters = { D2 = 0, CS = 1.1e5, Calpha = 1.1e5, Cr = 0, mu0 = 1, mu1 = 1 } }`
	}
	r := fromText(t, fmt.Sprintf(`name = "Block"
[component.road]
type = "road"
[component.along]
type = "prismatic"
from = "ground"
to = "carriage"
axis = "%s"
start = { s_dot = 20 }
[component.up]
type = "prismatic"
from = "carriage"
to = "wheel"
axis = "z"
start = { s = "0.3 - %d*9.81/1e6" }
[component.mass]
type = "rigid-body"
frame = "wheel"
mass = %d
inertia = { xx = 10, yy = 10, zz = 10 }
[component.tire]
type = "tire"
frame = "wheel"
road = "road"
mass = 0
inertia = { axial = 0, transverse = 0 }
unloaded_radius = 0.3
vertical_stiffness = 1e6
rolling_radius = { method = "loaded" }
slip = { method = "carcass", damping = %g, nominal_load = 5500, relaxation = %s }
force = %s
`, axis, blockMass, blockMass, damping, relaxation, force), "")
	if err := r.in.SetText("solver.method", method); err != nil {
		t.Fatal(err)
	}
	r.set("road.mu", mu)
	return r
}

// stopping describes how a block comes to rest.
type stopping struct {
	distance    float64 // to the first stop [m]
	speed, back float64 // largest speed [m/s] and distance [m] of the rebound after it
	second      float64 // largest deflection of the carcass in the swing after the rebound [m]
	creep, last float64 // distance in the last 5 s [m], and the speed at their end [m/s]
	ripple      float64 // largest difference between the deceleration and mu g while the block slides [m/s2]
}

// stopping runs the block until a time [s].
func (r *run) stopping(until float64) (s stopping) {
	const h = 0.001
	r.start(noInput)
	stopped, swung, at5 := false, false, 0.0
	for end := 0.25; end <= until; end += 0.25 {
		for k := range 250 {
			r.drive(noInput, h, end-0.25+float64(k+1)*h)
			v, x := r.get("along.s_dot"), r.get("along.s")
			switch {
			case !stopped:
				if s.distance, stopped = x, v <= 0; v < 19.5 && v > 2 {
					s.ripple = max(s.ripple, math.Abs(r.get("der(along.s_dot)")+r.get("road.mu")*9.81))
				}
			case !swung && v > 0:
				swung, s.back = true, s.distance-x
			case !swung:
				s.speed = max(s.speed, -v)
			default:
				s.second = max(s.second, math.Abs(r.get("tire.u1")), math.Abs(r.get("tire.u2")))
			}
		}
		if end <= until-5 {
			at5 = r.get("along.s")
		}
	}
	s.creep, s.last = math.Abs(r.get("along.s")-at5), math.Abs(r.get("along.s_dot"))
	return s
}

// The forward Euler method lets oscillations grow. Carcasses are therefore damped at all speeds with this method. A
// locked wheel swings back with at most the energy of its carcass: at 0.62435 m/s for mu = 1, at 0.18731 m/s for
// mu = 0.3 (TestStopAndRebound).
func TestEulerAddsNoEnergyToCarcasses(t *testing.T) {
	for _, c := range []struct{ mu, free, duration float64 }{{1, 0.62435, 5}, {0.3, 0.18731, 10}} {
		s := block(t, "euler", "Fiala", c.mu, 0).stopping(c.duration)
		if s.speed > c.free*(1+1e-3) || s.speed < 0.9*c.free {
			t.Errorf("mu = %g: the wheel swings back at %g m/s, want %g", c.mu, s.speed, c.free)
		}
	}
}

// A locked wheel slides to its stop and swings back with the energy of its carcass and no more. That energy is the
// integral of the force over the deflection, from 0 to the largest deflection U. For the brush it is
// mu Fz U (f - f^2/2), f = phi(2.4). For the Magic Formula the specification computes the integral by quadrature.
func TestStopAndRebound(t *testing.T) {
	testrun.Slow(t)
	t.Parallel()
	const f = 2.4 * (1 - 2.4/3 + 2.4*2.4/27) // phi(2.4)
	for i, c := range []struct {
		function                     string
		mu, distance                 float64 // distance to the stop [m]
		free, damped, back, u, swing float64 // rebound without, with a damper [m/s], its distance, U [m]; second swing by U
		until                        float64 // duration of the run with a damper [s]
	}{
		{"Fiala", 1, 20.4057, 0.62435, 0.51886, 0.06596, 0.039739, 0.7, 15},
		{"Fiala", 0.3, 67.963, 0.18731, 0.14265, 0.01831, 0.011922, 0.7, 20},
		{"Pacejka02", 1, 24.6134, 0.78677, 0.69362, 0.09041, 0.05317, 0.73, 17},
		{"Pacejka02", 0.3, 98.494, 0.22765, 0.17153, 0.02273, 0.01595, 0.7, 24},
	} {
		if c.function == "Fiala" {
			closed := math.Sqrt(2 * c.mu * 9.81 * c.u * (f - f*f/2))
			if math.Abs(closed-c.free) > 1e-5 {
				t.Fatalf("the closed form is %g m/s, the table has %g", closed, c.free)
			}
		}
		for j, method := range []string{"euler", "heun", "rk4", "linearly-implicit"} {
			if !cosim.Picked(2, i, j) {
				continue
			}
			share, back := 1e-3, 2e-4
			if method == "euler" {
				share, back = 0.02, 0.02*c.back
			}
			if c.function == "Pacejka02" && c.mu == 1 {
				back += 2e-3 // the specification's law opens to sliding at 0.7 of the damped deflection, this law at 0.9
			}
			what := fmt.Sprintf("%s, %s, mu = %g", method, c.function, c.mu)
			if method != "euler" { // with which the carcass is damped at all speeds
				s := block(t, method, c.function, c.mu, 0).stopping(c.until - 10)
				t.Logf("%s, no damper: %+v", what, s)
				if math.Abs(s.distance-c.distance) > 0.04 || math.Abs(s.speed-c.free) > share*c.free ||
					s.speed > c.free*(1+1e-4) {
					t.Errorf("%s: without a damper the block stops after %g m and swings back at %g m/s; want %g, %g", what,
						s.distance, s.speed, c.distance, c.free)
				}
			}
			s := block(t, method, c.function, c.mu, 0.2).stopping(c.until)
			t.Logf("%s: %+v", what, s)
			if math.Abs(s.distance-c.distance) > 0.04 || math.Abs(s.speed-c.damped) > share*c.damped ||
				math.Abs(s.back-c.back) > back {
				t.Errorf("%s: the block stops after %g m and swings back at %g m/s over %g m; want %g, %g, %g", what,
					s.distance, s.speed, s.back, c.distance, c.damped, c.back)
			}
			if c.function == "Fiala" && s.ripple > 1e-9*9.81 {
				t.Errorf("%s: while it slides the deceleration differs from mu g by %g m/s2", what, s.ripple)
			}
			swing := c.swing
			if method == "euler" && swing > 0.7 {
				swing = 0.76 // steps of 1 ms miss the exact time at which the force reverses
			}
			if s.second > swing*c.u || s.creep > 1e-7 || s.last > 1e-6 {
				t.Errorf("%s: the second swing deflects the carcass by %g m; at the end the speed is %g m/s, after %g m in 5 s",
					what, s.second, s.last, s.creep)
			}
		}
	}
}
