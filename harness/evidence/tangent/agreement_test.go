package tangent_test

import (
	"fmt"
	"math"
	"math/cmplx"
	"os"
	"strings"
	"testing"

	"skidpad/harness/evidence/tangent"
	"skidpad/harness/tests/testrun"
	"skidpad/model/bounded"
	"skidpad/model/linear"
	"skidpad/model/vehicle"
)

// shipped reads a model of resources.
func shipped(t *testing.T, name string) *vehicle.Model {
	t.Helper()
	m, err := vehicle.Read("../../../resources/models/" + name + ".toml")
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// translated linearises a model with values.
func translated(t *testing.T, m *vehicle.Model, values map[string]float64) *tangent.System {
	t.Helper()
	v, err := tangent.Translate(m, values)
	if err != nil {
		t.Fatal(err)
	}
	return linearised(t, v)
}

// symbolic linearises a model with values by its symbolic equations.
func symbolic(t *testing.T, l *linear.Model, values map[string]float64) *linear.System {
	t.Helper()
	for name, value := range values {
		if err := l.Set(name, value); err != nil {
			t.Fatal(err)
		}
	}
	s, err := l.At()
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// carAndTrailer holds the parameter values that turn the truck with trailer into a car with trailer (section 6.3), with
// the trailer's axle behind its centre of mass.
func carAndTrailer(speed, axle float64) map[string]float64 {
	return map[string]float64{
		"speed": speed, "front": 1.289, "rear": 1.596, "hitch_distance": 2.7, "centre": 2.5, "axle": axle,
		"mass": 16975 / 9.81, "inertia": 3508,
		"trailer_mass": 2000, "trailer_inertia": 3000, "front_stiffness": 80000, "rear_stiffness": 80000,
		"trailer_stiffness": 80000,
	}
}

// replaced reads a shipped model with parts of its text replaced.
func replaced(t *testing.T, name string, pairs ...string) *vehicle.Model {
	t.Helper()
	text, err := os.ReadFile("../../../resources/models/" + name + ".toml")
	if err != nil {
		t.Fatal(err)
	}
	for i := 0; i < len(pairs); i += 2 {
		if !strings.Contains(string(text), pairs[i]) {
			t.Fatalf("%s lacks %q", name, pairs[i])
		}
	}
	m, err := vehicle.Parse([]byte(strings.NewReplacer(pairs...).Replace(string(text))), name, bounded.Kind.Read)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// Symbolic equations in branch coordinates, differentiated, and bodies with tangent stiffness have
// the same eigenvalues and frequency responses, to 1e-9 of the largest, at all speeds.
func TestBothFormulationsAgree(t *testing.T) {
	testrun.Slow(t)
	at := func(speeds ...float64) (list []map[string]float64) {
		for _, v := range speeds {
			list = append(list, map[string]float64{"speed": v})
		}
		return list
	}
	rig, err := vehicle.Read("testdata/rig.toml")
	if err != nil {
		t.Fatal(err)
	}
	torus := replaced(t, "wheel_rolling", "road = \"road\"\n", "road = \"road\"\ncrown_radius = 0.15\n")
	for _, c := range []struct {
		model   *vehicle.Model
		inputs  []string
		outputs []string
		values  []map[string]float64
	}{
		{shipped(t, "bicycle_rolling"), []string{"steer.torque"},
			[]string{"rear_frame.wz", "rear_frame.angle2", "steer.phi", "front_frame.ay", "rear_frame.y"},
			at(0, 0.5, 1, 2, 3.3, 4.5, 5, 6, 8, 10)},
		{shipped(t, "wheel_rolling"), []string{"lean.torque"}, []string{"lean.phi", "heading.omega"},
			append(at(0, 0.5, 1, 1.5, 3), map[string]float64{"alpha": 1, "speed": 0.7},
				map[string]float64{"alpha": 1, "speed": 4})},
		{shipped(t, "truck_trailer"), []string{"steer.angle"},
			[]string{"hitch.phi", "truck.wz", "truck.vy", "tire_F.force", "trailer.ay", "heading.phi"},
			append(at(3, 9.144, 20, 30), carAndTrailer(20, 0.5), carAndTrailer(20, -0.3))},
		{torus, []string{"lean.torque"}, []string{"lean.phi", "heading.omega"}, at(0.5, 1, 3)},
		{rig, []string{"heading.torque", "pusher.force", "motor.torque", "shaker.position"},
			[]string{"base.vy", "drift.s_dot", "base.wz", "base.yaw", "heading.phi", "strut.s", "bob.wx", "bob.ax", "upper.ay",
				"skid.force", "upper.z", "stay.length"}, at(0, 6, 15)},
		{shipped(t, "bicycle_trailer"), []string{"steer.torque"}, []string{"rear_frame.wz", "steer.phi", "trailer.wz"},
			at(0.5, 2, 5, 8)},
		{shipped(t, "tilting_three_wheeler"), []string{"steer.torque", "tilt.torque"},
			[]string{"axle.wz", "tilt.phi", "steer.phi", "body.ay"}, at(0.5, 2, 10, 30)},
	} {
		formulationsAgree(t, c.model, c.inputs, c.outputs, c.values)
	}
}

// formulationsAgree compares the eigenvalues and frequency responses of both formulations.
func formulationsAgree(t *testing.T, m *vehicle.Model, inputs, outputs []string, at []map[string]float64) {
	t.Helper()
	l, err := linear.New(m, "")
	if err != nil {
		t.Fatal(err)
	}
	for _, values := range at {
		what := fmt.Sprint(m.Name, " ", values)
		s, own := symbolic(t, l, values), translated(t, m, values)
		list, err := s.Modes()
		if err != nil {
			t.Fatal(err)
		}
		got, _, err := own.Eigenvalues()
		if err != nil {
			t.Fatal(err)
		}
		var want []complex128
		size := 1.0
		for _, mode := range list {
			want = append(want, mode.Value)
			size = max(size, cmplx.Abs(mode.Value))
		}
		matches(t, what, got, want, 1e-9*size)
		omega := []float64{0.05, 0.7, 3, 12, 60}
		for _, input := range inputs {
			for _, output := range outputs {
				want, got := prescribed(t, s, input, output, omega), response(t, own, input, output, omega...)
				size := 0.0
				for _, h := range want {
					size = max(size, cmplx.Abs(h))
				}
				for i, w := range omega {
					if d := cmplx.Abs(got[i] - want[i]); !(d <= 1e-9*size+1e-12) {
						t.Errorf("%s: %s to %s at %g rad/s is %v, by symbolic equations %v, differs by %.2g", what, input, output, w,
							got[i], want[i], d/size)
					}
				}
			}
		}
	}
}

// prescribed is a frequency response by symbolic equations; a prescribed motion comes with its rate and acceleration.
func prescribed(t *testing.T, s *linear.System, input, output string, omega []float64) []complex128 {
	t.Helper()
	driver, quantity, _ := strings.Cut(input, ".")
	names := []string{input}
	if quantity == "angle" || quantity == "position" {
		names = append(names, driver+".rate", driver+".acceleration")
	}
	sum := make([]complex128, len(omega))
	for power, name := range names {
		h, err := s.Response(name, output, omega)
		if err != nil {
			t.Fatal(err)
		}
		for i, w := range omega {
			sum[i] += cmplx.Pow(complex(0, w), complex(float64(power), 0)) * h[i]
		}
	}
	return sum
}

// The shipped models have the published numbers: Ellis' truck in SI, car and trailer in parameters of
// the same file, and the bicycle with trailer in the axes of model files.
func TestPublishedNumbersOfModelFiles(t *testing.T) {
	truck := shipped(t, "truck_trailer")
	second := map[string]float64{"hitch_distance": 1.2192, "centre": 4.572, "axle": 1.524}
	for _, c := range []struct {
		values map[string]float64
		want   []complex128
	}{
		{nil, append(pair(-6.248328977, 1.104890462), -1.263250849, -9.242765685)},
		{second, append(pair(-2.233067789, 1.226689057), pair(-11.210739116, 3.864193839)...)},
		{carAndTrailer(20, 0.5), append(pair(-1.013857124, 3.542874483), -0.564778308, -6.535910593)},
	} {
		s := translated(t, truck, c.values)
		got, zeros, err := s.Eigenvalues()
		if err != nil {
			t.Fatal(err)
		}
		matches(t, "truck and trailer", got, c.want, 1e-9)
		if zeros != 4 { // place along and across, heading, and the speed, which is free here
			t.Errorf("%d zeros", zeros)
		}
	}
	_, rows := table(t, "testdata/car_trailer_bode.csv")
	for _, row := range rows {
		s := translated(t, truck, carAndTrailer(row[0], 0.5))
		for i, output := range []string{"hitch.phi", "truck.wz", "truck.vy"} {
			h := response(t, s, "steer.angle", output, row[1])[0]
			if output == "truck.vy" {
				h /= complex(row[0], 0)
			}
			size, phase := cmplx.Polar(h)
			dB, deg := 20*math.Log10(size)-row[2+2*i], math.Remainder(phase*180/math.Pi-row[3+2*i], 360)
			if math.Abs(dB) > 1e-6 || math.Abs(deg) > 1e-5 {
				t.Errorf("%g m/s, %g rad/s: %s differs by %.2g dB, %.2g deg", row[0], row[1], output, dB, deg)
			}
		}
	}
	trailer := shipped(t, "bicycle_trailer")
	for v, want := range known(t, "bicycle_trailer") {
		got, _, err := translated(t, trailer, map[string]float64{"speed": v}).Eigenvalues()
		if err != nil {
			t.Fatal(err)
		}
		matches(t, "bicycle with trailer", got, want, 1e-9)
	}
	s := translated(t, trailer, nil)
	for name, want := range map[string]float64{"hitch": -24.525, "contact_TL": 80.9325, "contact_TR": 80.9325,
		"contact_R": 637.361471, "contact_F": 309.303529} {
		if f := reaction(t, &s.Steady, name).Force; math.Abs(math.Abs(f.Z)-math.Abs(want)) > 1e-6 {
			t.Errorf("%s carries %v, %.6f N wanted", name, f, want)
		}
	}
}
