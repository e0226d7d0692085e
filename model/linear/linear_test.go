package linear_test

import (
	"errors"
	"math"
	"math/cmplx"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"

	"gonum.org/v1/gonum/mat"

	"skidpad/cosim"
	"skidpad/harness/tests/built"
	"skidpad/model/bounded"
	"skidpad/model/linear"
	"skidpad/model/vehicle"
)

// formulated has shipped models by name; each test gets its own copy.
var formulated sync.Map // of func() (*linear.Model, error)

// read reads a shipped model, whose equations all tests share.
func read(t *testing.T, name string) *linear.Model {
	t.Helper()
	once, _ := formulated.LoadOrStore(name, sync.OnceValues(func() (*linear.Model, error) {
		m, err := vehicle.Read("../../resources/models/" + name + ".toml")
		if err != nil {
			return nil, err
		}
		return linear.New(m, "")
	}))
	l, err := once.(func() (*linear.Model, error))()
	if err != nil {
		t.Fatal(err)
	}
	if l, err = l.Again(); err != nil {
		t.Fatal(err)
	}
	return l
}

// at linearises with a value.
func at(t *testing.T, l *linear.Model, name string, value float64) *linear.System {
	t.Helper()
	if err := l.Set(name, value); err != nil {
		t.Fatal(err)
	}
	s, err := l.At()
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func modes(t *testing.T, s *linear.System) []linear.Mode {
	t.Helper()
	m, err := s.Modes()
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// The published eigenvalues of the benchmark bicycle (Meijaard et al. 2007; linearised-eom
// specification, 6.2): these and no others. The speed itself is cyclic.
func TestBenchmarkBicycle(t *testing.T) {
	l := read(t, "bicycle_rolling")
	for v, want := range map[float64][]complex128{
		0: {5.53094371765393, 3.13164324790656, -3.13164324790656, -5.53094371765393},
		1: {3.52696170990070 + 0.80774027519930i, 3.52696170990070 - 0.80774027519930i, -3.13423125066578,
			-7.11008014637442},
		5: {-0.32286642900409, -0.77534188219585 + 4.46486771378823i, -0.77534188219585 - 4.46486771378823i,
			-14.07838969279822},
		6: {-0.00406690076970, -1.52644486584142 + 5.87673060598709i, -1.52644486584142 - 5.87673060598709i,
			-16.08537123098026},
		7: {0.10268170574766, -2.13875644258362 + 7.19525913329805i, -2.13875644258362 - 7.19525913329805i,
			-18.15788466125262},
		10: {0.16105338653172, -3.72016840437287 + 10.90681139476287i, -3.72016840437287 - 10.90681139476287i,
			-24.62459635017404},
	} {
		got := modes(t, at(t, l, "speed", v))
		if len(got) != len(want) {
			t.Errorf("%g m/s: %d eigenvalues, 4 expected", v, len(got))
			continue
		}
		for i, w := range want {
			if d := cmplx.Abs(got[i].Value - w); !(d <= 1e-9) {
				t.Errorf("%g m/s: %v, published %v, differs by %.2g", v, got[i].Value, w, d)
			}
		}
	}
}

// The slip speeds of freely rolling wheels decay with the stabilisation of their constraints, which belongs to the
// vehicle (half-car specification, 3.3). All other modes oscillate on the springs.
func TestSlipOfRelaxedWheels(t *testing.T) {
	l := read(t, "halfcar")
	for _, gamma := range []float64{20, 35} {
		slips, rocks := 0, 0
		for _, m := range modes(t, at(t, l, "gamma", gamma)) {
			switch {
			case cmplx.Abs(m.Value+complex(gamma, 0)) <= 1e-9:
				slips++
			case imag(m.Value) != 0 && real(m.Value) < 0:
				rocks++
			default:
				t.Errorf("gamma = %g 1/s: mode %v", gamma, m.Value)
			}
		}
		if slips != 2 || rocks != 4 {
			t.Errorf("gamma = %g 1/s: %d modes of slip, 2 expected; %d eigenvalues of oscillations, 4 expected", gamma, slips,
				rocks)
		}
	}
}

// Every mode is one of all states: A z = lambda z, also for the place and the heading that are left
// out of the eigenvalues. At the weave speed the steer follows the lean by 20.1832 degrees, 1.2076
// times as large (two-wheeler specification, section 6).
func TestModeShapes(t *testing.T) {
	for name, speed := range map[string]float64{"bicycle_rolling": 4.292382536341, "bicycle": 5} {
		l := read(t, name)
		s := at(t, l, "speed", speed)
		for _, m := range modes(t, s) {
			worst, size := 0.0, 0.0
			for i := range s.States {
				rate := complex(0, 0)
				for k, z := range m.Shape {
					rate += complex(s.A.At(i, k), 0) * z
				}
				worst = max(worst, cmplx.Abs(rate-m.Value*m.Shape[i]))
				size = max(size, cmplx.Abs(m.Shape[i]))
			}
			if !(worst <= 1e-12*mat.Norm(s.A, 2) && math.Abs(size-1) <= 1e-12) {
				t.Errorf("%s: mode %v: A z and lambda z differ by %.2g, the largest deviation is %v", name, m.Value, worst, size)
			}
			if name == "bicycle_rolling" && imag(m.Value) > 1 {
				shape := map[string]complex128{}
				for i, state := range s.States {
					shape[state] = m.Shape[i]
				}
				ratio, phase := cmplx.Polar(-shape["steer.phi"] / shape["rear_frame.angle2"])
				if !(math.Abs(ratio-1.207594179) <= 1e-8 && math.Abs(-phase*180/math.Pi-20.1832) <= 5e-5) {
					t.Errorf("weave: steer by lean %v, lag %v degrees", ratio, -phase*180/math.Pi)
				}
				if !(math.Abs(m.Frequency()-3.435033848661) <= 1e-8 && math.Abs(m.Damping()) <= 1e-8) {
					t.Errorf("weave: %v rad/s, damping %v", m.Frequency(), m.Damping())
				}
			}
		}
	}
}

// A wheel on a non-spinning carrier swings with the period of the closed form, or falls (linearised-eom specification,
// 6.1, with the carrier's contribution).
func TestRollingWheel(t *testing.T) {
	const text = `
name = "Wheel"
[parameters]
speed = { value = 1.0, unit = "m/s" }
r = { value = 0.5, unit = "m" }
[component.road]
type = "road"
[component.carrier]
type = "rigid-body"
mass = 1
inertia = { axial = 0.1, transverse = 0.06 }
sequence = "312"
start = { position = [0, 0, 0.5], velocity = ["speed", 0, 0] }
[component.axle]
type = "revolute"
from = "carrier"
to = "wheel"
axis = "y"
start = { omega = "speed/r" }
[component.wheel]
type = "rigid-body"
mass = 4
inertia = { axial = 0.5, transverse = 0.25 }
[component.contact]
type = "rolling-wheel"
frame = "wheel"
road = "road"
radius = 0.5
`
	m, err := vehicle.Parse([]byte(text), "wheel.toml", bounded.Kind.Read)
	if err != nil {
		t.Fatal(err)
	}
	l, err := linear.New(m, "")
	if err != nil {
		t.Fatal(err)
	}
	const mass, r, g, axial, transverse = 5, 0.5, 9.81, 0.5, 0.06 + 0.25
	for _, v := range []float64{0, 0.5, 1, 2, 5} {
		square := (mass*g*r - (axial+mass*r*r)*axial*v*v/(r*r*transverse)) / (transverse + mass*r*r)
		want := cmplx.Sqrt(complex(square, 0))
		got := modes(t, at(t, l, "speed", v))
		if len(got) != 2 {
			t.Errorf("%g m/s: %d eigenvalues, 2 expected", v, len(got))
		}
		for _, mode := range got {
			if d := min(cmplx.Abs(mode.Value-want), cmplx.Abs(mode.Value+want)); !(d <= 1e-9) {
				t.Errorf("%g m/s: %v, closed form %v", v, mode.Value, want)
			}
		}
	}
}

// Ellis' truck and trailer at 30 ft/s, tires as dampers (linearised-eom specification, 6.3).
func TestEllisTruckAndTrailer(t *testing.T) {
	l := read(t, "truck_trailer")
	got := modes(t, at(t, l, "speed", 9.144))
	want := []complex128{-1.263250849, -6.248328977 + 1.104890461i, -6.248328977 - 1.104890461i, -9.242765685}
	if len(got) != len(want) {
		t.Fatalf("%d eigenvalues", len(got))
	}
	for i, w := range want {
		if d := cmplx.Abs(got[i].Value - w); d > 1e-9 {
			t.Errorf("%v, wanted %v", got[i].Value, w)
		}
	}
}

// At lambda^2 = 0 a wheel neither falls nor swings. Both modes of lean stay, because lean is not cyclic: its two
// eigenvalues are 0 at this speed only, up to the root of rounding. Responses of outputs that do not depend on lean are
// 0.
func TestWheelAtItsCriticalSpeed(t *testing.T) {
	l := read(t, "wheel_rolling")
	s := at(t, l, "speed", math.Sqrt(9.81*0.5/3))
	got := modes(t, s)
	if len(got) != 2 {
		t.Errorf("modes %v", got)
	}
	for _, m := range got {
		if cmplx.Abs(m.Value) > 1e-6 {
			t.Errorf("mode %v", m.Value)
		}
	}
	h, err := s.Response("lean.torque", "contact.Fx", []float64{0.5, 3})
	if err != nil || len(h) != 2 || cmplx.Abs(h[0])+cmplx.Abs(h[1]) > 1e-9 {
		t.Errorf("%v, %v", h, err)
	}
}

// canonical is the response of lean and steer to a torque on the handlebar by the canonical
// equations of the benchmark (linearised-eom specification, 6.2), benchmark axes.
func canonical(v, w float64) (lean, steer, yaw complex128) {
	const g = 9.81
	m := [2][2]float64{{80.81722, 2.31941332208709}, {2.31941332208709, 0.29784188199686}}
	k0 := [2][2]float64{{-80.95, -2.59951685249872}, {-2.59951685249872, -0.80329488458618}}
	k2 := [2][2]float64{{0, 76.59734589573222}, {0, 2.65431523794604}}
	c1 := [2][2]float64{{0, 33.86641391492494}, {-0.85035641456978, 1.68540397397560}}
	var a [2][2]complex128
	for i := range a {
		for k := range a {
			a[i][k] = complex(-w*w*m[i][k]+g*k0[i][k]+v*v*k2[i][k], w*v*c1[i][k])
		}
	}
	det := a[0][0]*a[1][1] - a[0][1]*a[1][0]
	lean, steer = -a[0][1]/det, a[0][0]/det
	c := math.Cos(math.Pi / 10)
	return lean, steer, complex(v*c, 0.08*c*w) / 1.02 * steer
}

// Bode plots of the bicycle: the canonical equations at all speeds and frequencies, and the printed
// values (linearised-eom specification, 6.5). ISO axes: the lean is to the other side of the torque.
func TestBodeOfBicycle(t *testing.T) {
	l := read(t, "bicycle_rolling")
	respond := func(s *linear.System, output string, w ...float64) []complex128 {
		t.Helper()
		h, err := s.Response("steer.torque", output, w)
		if err != nil {
			t.Fatal(err)
		}
		return h
	}
	spread := linear.LogSpace(0.01, 100, 9)
	for v := 1.0; v <= 10; v += 0.75 {
		s := at(t, l, "speed", v)
		phi, delta, rate, heading := respond(s, "rear_frame.angle2", spread...), respond(s, "steer.phi", spread...),
			respond(s, "rear_frame.wz", spread...), respond(s, "rear_frame.angle1", spread...)
		for i, w := range spread {
			lean, steer, yaw := canonical(v, w)
			for _, c := range []struct {
				name      string
				got, want complex128
			}{{"lean", -phi[i], lean}, {"steer", delta[i], steer}, {"yaw rate", rate[i], yaw},
				{"heading", heading[i], yaw / complex(0, w)}} {
				if d := cmplx.Abs(c.got-c.want) / cmplx.Abs(c.want); !(d <= 1e-8) {
					t.Errorf("%g m/s, %.3g rad/s: %s %v, canonical %v, differs by %.2g", v, w, c.name, c.got, c.want, d)
				}
			}
		}
	}
	s := at(t, l, "speed", 5)
	for output, want := range map[string][2]float64{"rear_frame.wz": {-15.9025, -103.405},
		"rear_frame.angle2": {-40.8548, 180 - 66.8825}, "steer.phi": {-29.3838, -112.495}} {
		size, phase := cmplx.Polar(respond(s, output, 10)[0])
		if !(math.Abs(20*math.Log10(size)-want[0]) <= 5e-5 && math.Abs(phase*180/math.Pi-want[1]) <= 5e-4) {
			t.Errorf("%s at 10 rad/s: %.5f dB, %.4f degrees, printed %v", output, 20*math.Log10(size), phase*180/math.Pi, want)
		}
	}
	for v, want := range map[float64][3]float64{4: {-0.944633, -0.382748, -0.253278}, 5: {-2.121934, -1.082932, -0.455151},
		6: {-98.557192, -60.607485, -17.616958}, 8: {1.383576, 1.139068, 0.185484}} {
		s := at(t, l, "speed", v)
		for i, output := range []string{"rear_frame.wz", "rear_frame.angle2", "steer.phi"} {
			got := real(respond(s, output, 0)[0])
			if i == 1 {
				got = -got
			}
			// at 6 m/s seven of the printed digits are right
			if !(math.Abs(got-want[i]) <= max(1e-6, 1e-7*math.Abs(want[i]))) {
				t.Errorf("%g m/s: static gain of %s %.7f, printed %v", v, output, got, want[i])
			}
		}
	}
}

// The paper states of its Bode surfaces, in the form of the specification (6.5): the largest response is at the capsize
// speed and low frequencies, another at the weave speed, and all responses fall at high frequencies.
func TestBodeSurfaceOfBicycle(t *testing.T) {
	l := read(t, "bicycle_rolling")
	for output, c := range map[string]struct{ falls, low, high float64 }{"rear_frame.wz": {11.3, -49.8, -45.9},
		"rear_frame.angle2": {5, -98.1, -94.2}} {
		slow, middle := linear.LogSpace(0.01, 0.02, 2), linear.LogSpace(0.9, 9, 181)
		fast := append(linear.LogSpace(c.falls, 99.9, 40), 100)
		// the printed limits are rounded
		var slowest, largest, speedOfSlowest, speedOfLargest, frequency float64
		for i := range 181 {
			v := 1 + 0.05*float64(i)
			s := at(t, l, "speed", v)
			size := func(w []float64) (sizes []float64) {
				h, err := s.Response("steer.torque", output, w)
				if err != nil {
					t.Fatal(err)
				}
				for _, h := range h {
					sizes = append(sizes, cmplx.Abs(h))
				}
				return sizes
			}
			if h := size(slow)[0]; h > slowest || math.IsNaN(h) {
				slowest, speedOfSlowest = h, v
			}
			for k, h := range size(middle) {
				if h > largest || math.IsNaN(h) {
					largest, speedOfLargest, frequency = h, v, middle[k]
				}
			}
			falling := size(fast)
			for k := 1; k < len(falling); k++ {
				if !(falling[k] < falling[k-1]) {
					t.Errorf("%g m/s: %s does not fall at %g rad/s", v, output, fast[k])
				}
			}
			if dB := 20 * math.Log10(falling[len(falling)-1]); !(dB >= c.low-0.05 && dB <= c.high+0.05) {
				t.Errorf("%g m/s: %s is %.2f dB at 100 rad/s", v, output, dB)
			}
		}
		if !(math.Abs(speedOfSlowest-6) <= 0.05+1e-9 && math.Abs(speedOfLargest-4.3) <= 0.05+1e-9 &&
			math.Abs(frequency-3.43) <= 0.1) {
			t.Errorf("%s: largest at 0.01 rad/s at %g m/s; largest at %g m/s and %g rad/s", output, speedOfSlowest,
				speedOfLargest, frequency)
		}
	}
}

// The generic vehicle drives straight ahead and in a turn, with its rear wheels driven. Simulated with all equations,
// it keeps the steady state, and small perturbations follow the modes.
func TestVehicleInSteadyMotion(t *testing.T) {
	system, err := cosim.Load("../../resources/models/generic4w.toml", cosim.Options{})
	if err != nil {
		t.Fatal(err)
	}
	l := read(t, "generic4w")
	for _, input := range []string{"steer_FL.angle", "steer_FR.angle", "drive_RL.torque", "drive_RR.torque"} {
		if err := l.Free(input); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range []struct{ speed, yaw, low, high float64 }{
		{20, 0, -1e-3, 1e-3},
		{20, 0.1, 0.0142, 0.022},  // understeers: more than wheelbase by radius
		{2, 0.02, 0.0277, 0.0291}, // hardly any slip: wheelbase by radius, 2.84 m by 100 m
		{12, -0.15, -0.042, -0.0355},
	} {
		if err := l.Set("body.wz", c.yaw); err != nil {
			t.Fatal(err)
		}
		s := at(t, l, "body.vx", c.speed)
		steer := (s.U[slices.Index(s.Inputs, "steer_FL.angle")] + s.U[slices.Index(s.Inputs, "steer_FR.angle")]) / 2
		if !(steer >= c.low && steer <= c.high) {
			t.Errorf("%g m/s, %g rad/s: steered by %g rad", c.speed, c.yaw, steer)
		}
		const small, end = 1e-6, 0.4
		slow := modes(t, s)[0]
		run := func(size float64) []float64 {
			in, err := system.Instantiate()
			if err != nil {
				t.Fatal(err)
			}
			if err := in.Initialise(); err != nil {
				t.Fatal(err)
			}
			for i, name := range s.Inputs {
				k, _ := system.Find(name)
				if err := in.Set(k, s.U[i]); err != nil {
					t.Fatal(err)
				}
			}
			x := slices.Clone(s.X)
			for i := range x {
				x[i] += size * real(slow.Shape[i])
			}
			if err := in.SetStates(x); err != nil {
				t.Fatal(err)
			}
			for range int(end / 0.001) {
				if err := in.Step(0.001); err != nil {
					t.Fatal(err)
				}
			}
			for i, name := range s.States {
				k, _ := system.Find(name)
				if x[i], err = in.Get(k); err != nil {
					t.Fatal(err)
				}
			}
			return x
		}
		still, moved := run(0), run(small)
		grown := cmplx.Exp(slow.Value * end)
		for i, name := range s.States {
			if i < 14 && !(math.Abs(still[i]-s.X[i]) <= 1e-7*max(1, math.Abs(s.X[i]))) {
				t.Errorf("%g m/s, %g rad/s: %s goes from %.9g to %.9g", c.speed, c.yaw, name, s.X[i], still[i])
			}
			want := real(slow.Shape[i] * grown)
			if got := (moved[i] - still[i]) / small; !(math.Abs(got-want) <= 1e-3) {
				t.Errorf("%g m/s, %g rad/s: mode %v, %s deviates by %.6g of the start, the mode says %.6g", c.speed, c.yaw,
					slow.Value, name, got, want)
			}
		}
	}
}

// The forestry skidder has steady states rolling straight ahead at speeds far from its start speed, although wheels
// with the start rotation would only slide. Its tires have no rolling resistance: no torque holds the speed. At low
// speed the fastest modes are the slip of the rear wheels, together against the mass or against each other and the yaw
// inertia. Alone they would decay with (CS/v) (R^2/I + 2/m) and (CS/v) (R^2/I + 2 b^2/J).
func TestSkidderAtHeldSpeeds(t *testing.T) {
	l := read(t, "skidder")
	for _, input := range []string{"articulation.angle", "drive_RL.torque", "drive_RR.torque"} {
		if err := l.Free(input); err != nil {
			t.Fatal(err)
		}
	}
	if err := l.Set("front.wz", 0); err != nil {
		t.Fatal(err)
	}
	for _, v := range []float64{0.5, 1, 2, 10, 25} {
		s := at(t, l, "front.vx", v)
		value := func(names []string, values []float64, name string) float64 { return values[slices.Index(names, name)] }
		weight := 0.0
		for _, wheel := range []string{"FL", "FR", "RL", "RR"} {
			weight += value(s.Outputs, s.Y, "tire_"+wheel+".Fz")
			if slip := value(s.Outputs, s.Y, "tire_"+wheel+".kappa"); math.Abs(slip) > 1e-5 {
				t.Errorf("%g m/s: the wheel %s slips by %g", v, wheel, slip)
			}
		}
		if want := (2*7280 + 4*557) * 9.81; math.Abs(weight-want) > 1e-9*want {
			t.Errorf("%g m/s: the wheels carry %g N of %g N", v, weight, want)
		}
		for i, limit := range map[string]float64{"articulation.angle": 1e-4, "drive_RL.torque": 1, "drive_RR.torque": 1} {
			if x := value(s.Inputs, s.U, i); math.Abs(x) > limit {
				t.Errorf("%g m/s: %s is %g", v, i, x)
			}
		}
		if v > 2 {
			continue
		}
		const stiffness, inertia, halfTrack, mass = 238220.0, 225.0, 1.2275, 2*7280 + 4*557.0
		const yawInertia = 2*(7280+7280*1.227*1.227) + 4*(112.5+557*(1.727*1.727+halfTrack*halfTrack))
		radius := value(s.Outputs, s.Y, "tire_RL.R_l")
		all := modes(t, s)
		for i, want := range []float64{radius*radius/inertia + 2*halfTrack*halfTrack/yawInertia,
			radius*radius/inertia + 2/mass} {
			want *= -stiffness / v
			if got := all[len(all)-2+i].Value; math.Abs(real(got)/want-1) > 0.01 || imag(got) != 0 {
				t.Errorf("%g m/s: slip of the rear wheels decays with %v, by themselves with %g", v, got, want)
			}
		}
	}
}

// Slow and bent, the skidder goes round the point where the axles of its halves meet: half of the
// articulation lies between each and the line through the joint. At the speed of its start it would slide.
func TestSkidderInSlowTurn(t *testing.T) {
	l := read(t, "skidder")
	if err := l.Free("drive_RL.torque"); err != nil {
		t.Fatal(err)
	}
	const angle, speed, toAxle = 0.3, 0.5, 1.227 + 0.5
	if err := l.Set("articulation.angle", angle); err != nil {
		t.Fatal(err)
	}
	s := at(t, l, "front.vx", speed)
	want := speed * math.Tan(angle/2) / toAxle
	if got := s.X[slices.Index(s.States, "front.wz")]; math.Abs(got/want-1) > 0.01 {
		t.Errorf("it turns with %g rad/s, by its shape %g", got, want)
	}
}

func TestModelsWithoutLinearEquationsAreRejected(t *testing.T) {
	for name, part := range map[string]string{"motorcycle2d": "cannot be linearised",
		"partial_vehicle3d": "cannot be linearised"} {
		m, err := vehicle.Read("../../resources/models/" + name + ".toml")
		if err != nil {
			t.Fatal(err)
		}
		if _, err := linear.New(m, ""); err == nil || !strings.Contains(err.Error(), part) {
			t.Errorf("%s: %v", name, err)
		}
	}
	l := read(t, "bicycle_rolling")
	for name, value := range map[string]float64{"speeed": 1, "speed": math.NaN(), "rear_frame.mass": -1} {
		if err := l.Set(name, value); err == nil {
			t.Errorf("%s = %v is accepted", name, value)
		}
	}
	s := at(t, l, "speed", 5)
	if _, err := s.Response("torque", "steer.phi", nil); err == nil || !strings.Contains(err.Error(), "steer.torque") {
		t.Error(err)
	}
	if _, err := s.Response("steer.torque", "phi", nil); err == nil || !strings.Contains(err.Error(), "steer.phi") {
		t.Error(err)
	}
	// a disc that spins with its frame has no steady motion but standstill
	disc := read(t, "disc")
	if _, err := disc.At(); err == nil || !strings.Contains(err.Error(), "non-spinning carrier") {
		t.Errorf("a disc without carrier: %v", err)
	}
	car := read(t, "generic4w")
	if err := errors.Join(car.Set("body.vx", 20), car.Hold("wheel_FL.omega")); err != nil {
		t.Fatal(err)
	}
	if _, err := car.At(); err == nil || !strings.Contains(err.Error(), "steady state") {
		t.Errorf("a car with a wheel that may not turn as it must: %v", err)
	}
	if err := car.Hold("wheel.omega"); err == nil || !strings.Contains(err.Error(), "wheel_FL.omega") {
		t.Error(err)
	}
	if err := car.Free("torque"); err == nil || !strings.Contains(err.Error(), "drive_RL.torque") {
		t.Error(err)
	}
}

// Steady motions, matrices and eigenvalues of the bicycle at 200 speeds.
func BenchmarkSweep(b *testing.B) {
	m, err := vehicle.Read("../../resources/models/bicycle_rolling.toml")
	if err != nil {
		b.Fatal(err)
	}
	l, err := linear.New(m, "")
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		for i := range 200 {
			if err := l.Set("speed", 0.05*float64(i+1)); err != nil {
				b.Fatal(err)
			}
			s, err := l.At()
			if err != nil {
				b.Fatal(err)
			}
			if _, err := s.Modes(); err != nil {
				b.Fatal(err)
			}
		}
	}
}

// Relaxed wheels: the torque holds the half-car at 10 m/s against drag and bearing friction. It rolls with almost no
// slip although its wheels start at rest. It slows down by the derivatives of both resistances by the speed, over the
// mass including the wheels' inertia.
func TestHalfCar(t *testing.T) {
	l := read(t, "halfcar")
	if err := l.Free("motor.torque"); err != nil {
		t.Fatal(err)
	}
	s := at(t, l, "forward.s_dot", 10)
	for i, name := range s.Inputs {
		if name == "motor.torque" && math.Abs(s.U[i]-(36*0.25+2*5e-5*40*40)) > 1e-5 {
			t.Errorf("torque %.9g N m", s.U[i])
		}
	}
	for i, name := range s.States {
		if strings.HasPrefix(name, "wheel_") && strings.HasSuffix(name, ".omega") && math.Abs(s.X[i]-40) > 1e-3 {
			t.Errorf("%s = %.9g rad/s", name, s.X[i])
		}
	}
	slow := modes(t, s)[0].Value
	if want := complex(-(7.2+2*2*5e-5*40/0.25/0.25)/(381+2*0.3125/0.25/0.25), 0); cmplx.Abs(slow-want) > 1e-8 {
		t.Errorf("slowest mode %v, expected %v", slow, want)
	}
}

// Where everything is held there is nothing to search for.
func TestEverythingHeld(t *testing.T) {
	l := read(t, "pendulum")
	for name, v := range map[string]float64{"joint.phi": 0.3, "joint.omega": 0} {
		if err := l.Set(name, v); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := l.At(); err == nil || !strings.Contains(err.Error(), "the rate of joint.omega") {
		t.Errorf("error %v", err)
	}
	if err := l.Set("joint.phi", 0); err != nil {
		t.Fatal(err)
	}
	if _, err := l.At(); err != nil {
		t.Error(err)
	}
}

// On flat terrain a car has the same linear equations as on a plane road, with any contact patch of its tires; other
// terrain is rejected.
func TestFlatTerrainIsAPlane(t *testing.T) {
	const folder = "../../resources/models/"
	text, err := os.ReadFile(folder + "generic4w.toml")
	if err != nil {
		t.Fatal(err)
	}
	onTerrain := func(terrain string) (*linear.Model, error) {
		changed := strings.Replace(built.WithoutRoles(string(text)), "[component.road]\ntype = \"road\"\n",
			`[component.road]
type = "terrain"
`+terrain, 1)
		changed = strings.ReplaceAll(changed, "\nroad = \"road\"\n",
			"\nroad = \"road\"\nenveloping = { length = 0.1, width = 0.1 }\n")
		m, err := vehicle.Parse([]byte(changed), "test.toml", func(_ bounded.Kind, file string) ([]byte, error) {
			return os.ReadFile(folder + file)
		})
		if err != nil {
			t.Fatal(err)
		}
		return linear.New(m, "")
	}
	even, err := onTerrain("")
	if err != nil {
		t.Fatal(err)
	}
	road := read(t, "generic4w")
	for _, l := range []*linear.Model{even, road} {
		err := errors.Join(l.Free("steer_FL.angle"), l.Free("steer_FR.angle"), l.Free("drive_RL.torque"),
			l.Free("drive_RR.torque"), l.Set("body.wz", 0.1))
		if err != nil {
			t.Fatal(err)
		}
	}
	a, b := at(t, even, "body.vx", 20), at(t, road, "body.vx", 20)
	if !mat.Equal(a.A, b.A) || !mat.Equal(a.B, b.B) || !slices.Equal(a.Inputs, b.Inputs) {
		t.Error("flat terrain and plane road give other equations")
	}
	for _, terrain := range []string{"kind = \"plane\"\nslope_x = 0.1\n", "friction = { left = 0.5 }\n",
		"friction = { kind = \"formula\", formula = \"1 + 0*x\" }\n"} {
		if _, err := onTerrain(terrain); err == nil || !strings.Contains(err.Error(), "road: uneven terrain") {
			t.Errorf("%s: error %v", terrain, err)
		}
	}
}
