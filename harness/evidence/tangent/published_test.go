package tangent_test

import (
	"encoding/csv"
	"fmt"
	"math"
	"math/cmplx"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/BurntSushi/toml"
	"gonum.org/v1/gonum/spatial/r3"

	"skidpad/harness/evidence/tangent"
)

// A wheel that rolls straight has the closed form of section 6.1, five zeros, and falls below its
// critical speed.
func TestRollingWheel(t *testing.T) {
	const r = 0.5
	for _, alpha := range []float64{0.5, 1} {
		for _, v := range []float64{0, 0.5, 1, 1.25, 1.3, 2, 5} {
			root := cmplx.Sqrt(complex((gravity/r-2*(alpha+1)*v*v/(r*r))/(1+alpha/2), 0))
			vehicle := rollingWheel(alpha, v)
			s := linearised(t, vehicle)
			got, zeros := eigenvalues(t, vehicle)
			matches(t, "wheel", got, []complex128{root, -root}, 1e-9)
			if s.Positions != 4 || s.Velocities != 3 || zeros != 5 {
				t.Errorf("%g m/s: %d positions and %d velocities, %d zeros", v, s.Positions, s.Velocities, zeros)
			}
		}
		want := math.Sqrt(gravity * r / (2 * (alpha + 1)))
		critical := crossing(t, 0.9*want, 1.15*want, func(v float64) float64 {
			e, _ := eigenvalues(t, rollingWheel(alpha, v))
			return real(e[0]*e[0]) + imag(e[0]*e[0])
		})
		if math.Abs(critical-want) > 1e-9 {
			t.Errorf("critical speed %.12g, closed form %.12g", critical, want)
		}
	}
	for v, want := range map[float64]complex128{0: 3.96181776, 1: 2.46900790, 2: 4.76487146i} {
		got, _ := eigenvalues(t, rollingWheel(0.5, v))
		matches(t, "disk", got, []complex128{want, -want}, 1e-8) // as printed
	}
}

// known are the eigenvalues that were published of a shipped model, or computed by others, by speed.
func known(t *testing.T, model string) map[float64][]complex128 {
	t.Helper()
	text, err := os.ReadFile("../../../resources/references/eigenvalues.toml")
	if err != nil {
		t.Fatal(err)
	}
	var file struct {
		Case []struct {
			Model       string
			Set         map[string]float64
			Eigenvalues [][2]float64
		}
	}
	if _, err := toml.Decode(string(text), &file); err != nil {
		t.Fatal(err)
	}
	list := map[float64][]complex128{}
	for _, c := range file.Case {
		if c.Model != model {
			continue
		}
		v := c.Set["speed"]
		for _, e := range c.Eigenvalues {
			if e[1] != 0 {
				list[v] = append(list[v], pair(e[0], e[1])...)
			} else {
				list[v] = append(list[v], complex(e[0], 0))
			}
		}
	}
	return list
}

// oscillating is the largest real part of the oscillating modes, others the largest real part of the other modes.
func oscillating(e []complex128) float64 {
	return largestReal(e, func(l complex128) bool { return imag(l) != 0 })
}
func others(e []complex128) float64 {
	return largestReal(e, func(l complex128) bool { return imag(l) == 0 })
}

func largestReal(e []complex128, which func(complex128) bool) float64 {
	most := math.Inf(-1)
	for _, l := range e {
		if which(l) {
			most = max(most, real(l))
		}
	}
	return most
}

func TestBenchmarkBicycle(t *testing.T) {
	published := known(t, "bicycle_rolling")
	if len(published) != 11 {
		t.Errorf("%d speeds", len(published))
	}
	for v, want := range published {
		vehicle := bicycle(v, -0.8)
		got, zeros := eigenvalues(t, vehicle)
		matches(t, fmt.Sprintf("bicycle at %g m/s", v), got, want, 1e-9)
		if s := linearised(t, vehicle); s.Positions != 4 || s.Velocities != 2 || zeros != 2 || s.Warnings != nil {
			t.Errorf("%g m/s: %d positions and %d velocities, %d zeros, %q", v, s.Positions, s.Velocities, zeros, s.Warnings)
		}
	}
	at := func(measure func([]complex128) float64) func(float64) float64 {
		return func(v float64) float64 {
			e, _ := eigenvalues(t, bicycle(v, -0.8))
			return measure(e)
		}
	}
	weave := crossing(t, 4, 5, at(oscillating))
	capsize := crossing(t, 5.5, 6.5, at(others))
	if math.Abs(weave-4.29238253634111) > 1e-9 || math.Abs(capsize-6.02426201538837) > 1e-9 {
		t.Errorf("weave %.14g m/s, capsize %.14g m/s", weave, capsize)
	}
	// there the square of half their difference vanishes
	meeting := crossing(t, 0.5, 0.9, at(func(e []complex128) float64 {
		half := (e[0] - e[1]) / 2
		return real(half * half)
	}))
	if math.Abs(meeting-0.68428308) > 5e-9 {
		t.Errorf("two real roots meet at %.10g m/s", meeting)
	}
	e, _ := eigenvalues(t, bicycle(weave, -0.8))
	if w := slices.MaxFunc(e, func(a, b complex128) int {
		return int(math.Copysign(1, imag(a)-imag(b)))
	}); math.Abs(imag(w)-3.43503385) > 5e-9 {
		t.Errorf("weave at %.10g rad/s", imag(w))
	}
}

// The steady forces printed in section 6.2: weight of the wheels on the road, and what hinges carry.
func TestSteadyForcesOfBicycle(t *testing.T) {
	for _, v := range []float64{0, 5} {
		s, err := bicycle(v, -0.8).Steady()
		if err != nil {
			t.Fatal(err)
		}
		for name, want := range map[string]float64{
			"rear contact": -612.836471, "front contact": -309.303529, "steer": 240.633529, "front axle": 279.873529,
			"rear axle": 593.216471, "speed": 0,
		} {
			r := reaction(t, s, name)
			couple := 0.0
			if name == "steer" {
				couple = -44.945998
			}
			if r3.Norm(r3.Sub(r.Force, at(0, 0, want))) > 1e-6 || r3.Norm(r3.Sub(r.Couple, at(0, couple, 0))) > 1e-6 {
				t.Errorf("%s: force %v, couple %v; %.6f N and %.6f N m wanted", name, r.Force, r.Couple, want, couple)
			}
		}
	}
}

// Neither the position of a hinge on its axis nor the heading of the vehicle matters (section 3.3, tests a and b).
func TestHingeAndHeadingAreFree(t *testing.T) {
	for _, v := range []float64{0.5, 5, 9} {
		want, zeros := eigenvalues(t, bicycle(v, -0.8))
		for _, hinge := range []float64{-3, 0, 0.4, 2} {
			got, left := eigenvalues(t, bicycle(v, hinge))
			matches(t, "hinge moved", got, want, 1e-9)
			if zeros != 2 || left != 2 {
				t.Errorf("%d and %d zeros; the lateral place and the heading are free", zeros, left)
			}
		}
	}
}

// response is one of a vehicle.
func response(t *testing.T, s *tangent.System, input, output string, omega ...float64) []complex128 {
	t.Helper()
	h, err := s.Response(input, output, omega)
	if err != nil {
		t.Fatal(err)
	}
	return h
}

// The canonical equations of the benchmark (section 6.2) at many speeds and frequencies: steer and
// roll torque to roll angle, steer angle, yaw rate and heading.
func TestCanonicalFormOfBicycle(t *testing.T) {
	m := [2][2]float64{{80.81722, 2.31941332208709}, {2.31941332208709, 0.29784188199686}}
	k0 := [2][2]float64{{-80.95, -2.59951685249872}, {-2.59951685249872, -0.80329488458618}}
	k2 := [2][2]float64{{0, 76.59734589573222}, {0, 2.65431523794604}}
	c1 := [2][2]float64{{0, 33.86641391492494}, {-0.85035641456978, 1.68540397397560}}
	for v := 0.25; v <= 10; v += 0.75 {
		s := linearised(t, bicycle(v, -0.8))
		for _, w := range []float64{0.01, 0.3, 1, 4, 20, 100} {
			var a [2][2]complex128
			for i := range a {
				for k := range a {
					a[i][k] = complex(-w*w*m[i][k]+gravity*k0[i][k]+v*v*k2[i][k], w*v*c1[i][k])
				}
			}
			det := a[0][0]*a[1][1] - a[0][1]*a[1][0]
			for input, solution := range map[string][2]complex128{"roll torque": {a[1][1] / det, -a[1][0] / det},
				"steer torque": {-a[0][1] / det, a[0][0] / det}} {
				yaw := complex(v*math.Cos(tilt), 0.08*math.Cos(tilt)*w) / 1.02 * solution[1]
				for output, want := range map[string]complex128{"roll": solution[0], "steer": solution[1], "yaw rate": yaw,
					"heading": yaw / complex(0, w)} {
					if got := response(t, s, input, output, w)[0]; cmplx.Abs(got-want) > 1e-9*cmplx.Abs(want) {
						t.Errorf("%g m/s, %g rad/s: %s to %s %v, canonical %v", v, w, input, output, got, want)
					}
				}
			}
		}
	}
	s := linearised(t, bicycle(5, -0.8))
	for output, want := range map[string][2]float64{"yaw rate": {-15.9025, -103.405}, "roll": {-40.8548, -66.8825},
		"steer": {-29.3838, -112.495}} {
		size, phase := cmplx.Polar(response(t, s, "steer torque", output, 10)[0])
		if math.Abs(20*math.Log10(size)-want[0]) > 5e-5 || math.Abs(phase*180/math.Pi-want[1]) > 5e-4 {
			t.Errorf("%s: %.5f dB, %.4f deg; printed %v", output, 20*math.Log10(size), phase*180/math.Pi, want)
		}
	}
}

// Ellis' truck with its trailer in his units, 30 ft/s, and the speed of jack-knifing (section 6.3).
func TestEllisTruckAndTrailer(t *testing.T) {
	second := ellis
	second.d, second.e, second.h = 4, 15, 5
	for _, c := range []struct {
		data       truckTrailer
		want       []complex128
		literature []complex128
	}{
		{ellis, append(pair(-6.248328977, 1.104890462), -1.263250849, -9.242765685), append(pair(-6.3, 1.1), -1.3, -9.3)},
		{second, append(pair(-2.233067789, 1.226689057), pair(-11.210739116, 3.864193839)...),
			append(pair(-2.2, 1.2), pair(-11.2, 3.9)...)},
	} {
		vehicle := c.data.at(30)
		got, zeros := eigenvalues(t, vehicle)
		matches(t, "Ellis", got, c.want, 1e-9)
		matches(t, "Ellis, two digits", got, c.literature, 0.08)
		if s := linearised(t, vehicle); zeros != 2 || s.Positions != 3 || s.Velocities != 3 {
			t.Errorf("%d zeros, %d positions, %d velocities", zeros, s.Positions, s.Velocities)
		}
	}
	real0 := func(c truckTrailer) func(float64) float64 {
		return func(v float64) float64 { e, _ := eigenvalues(t, c.at(v)); return real(e[0]) }
	}
	if v := crossing(t, 50, 70, real0(ellis)); math.Abs(v-60.259582) > 5e-7 {
		t.Errorf("jack-knife at %.9g ft/s", v)
	}
	for v := 10.0; v <= 100; v += 5 {
		e, _ := eigenvalues(t, second.at(v))
		if real(e[0]) >= 0 || v >= 30 && imag(e[0])*imag(e[3]) == 0 {
			t.Errorf("case 2 at %g ft/s: %v", v, e)
		}
	}
}

// Car and trailer in SI: eigenvalues, jack-knifing, snaking with the load behind the axle
// (section 6.3).
func TestCarAndTrailer(t *testing.T) {
	snaking := carTrailer
	snaking.h = -0.3
	e, _ := eigenvalues(t, carTrailer.at(20))
	matches(t, "car and trailer", e, append(pair(-1.013857124, 3.542874483), -0.564778308, -6.535910593), 1e-9)
	e, _ = eigenvalues(t, snaking.at(20))
	if math.Abs(real(e[0])-1.169650129) > 1e-9 || math.Abs(imag(e[0])-2.737743015) > 1e-9 {
		t.Errorf("snaking: %v", e[0])
	}
	for _, c := range []struct {
		data      truckTrailer
		measure   func([]complex128) float64
		low, high float64
		want      float64
	}{{carTrailer, others, 20, 30, 23.892382}, {snaking, oscillating, 8, 12, 9.357175}} {
		if v := crossing(t, c.low, c.high, func(v float64) float64 {
			e, _ := eigenvalues(t, c.data.at(v))
			return c.measure(e)
		}); math.Abs(v-c.want) > 5e-7 {
			t.Errorf("critical speed %.9g m/s, printed %.9g", v, c.want)
		}
	}
}

// table reads a CSV file of numbers, by row.
func table(t *testing.T, file string) (names []string, rows [][]float64) {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	lines, err := csv.NewReader(strings.NewReader(string(data))).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	for _, line := range lines[1:] {
		var row []float64
		for _, text := range line {
			x, err := strconv.ParseFloat(text, 64)
			if err != nil {
				t.Fatal(err)
			}
			row = append(row, x)
		}
		rows = append(rows, row)
	}
	return lines[0], rows
}

// Frequency responses of car and trailer to the steer angle, of an independent prototype: 1e-6 dB,
// 1e-5 degrees.
func TestBodeOfCarAndTrailer(t *testing.T) {
	_, rows := table(t, "testdata/car_trailer_bode.csv")
	for _, row := range rows {
		s := linearised(t, carTrailer.at(row[0]))
		for i, output := range []string{"articulation", "yaw rate", "side slip"} {
			size, phase := cmplx.Polar(response(t, s, "steer", output, row[1])[0])
			dB, deg := 20*math.Log10(size)-row[2+2*i], math.Remainder(phase*180/math.Pi-row[3+2*i], 360)
			if math.Abs(dB) > 1e-6 || math.Abs(deg) > 1e-5 {
				t.Errorf("%g m/s, %g rad/s: %s differs by %.2g dB, %.2g deg", row[0], row[1], output, dB, deg)
			}
		}
	}
	if len(rows) < 30 {
		t.Errorf("%d rows", len(rows))
	}
}

func TestBicycleWithTrailer(t *testing.T) {
	for v, want := range known(t, "bicycle_trailer") {
		vehicle := bicycleTrailer(v, false)
		got, zeros := eigenvalues(t, vehicle)
		matches(t, "bicycle with trailer", got, want, 1e-9)
		s := linearised(t, vehicle)
		if zeros != 2 || s.Positions != 5 || s.Velocities != 2 {
			t.Errorf("%g m/s: %d zeros, %d positions, %d velocities", v, zeros, s.Positions, s.Velocities)
		}
		if len(s.Warnings) != 1 || !strings.Contains(s.Warnings[0], "left contact (side slip), right contact (side slip)") {
			t.Errorf("%g m/s: warnings %q", v, s.Warnings)
		}
	}
	s, err := bicycleTrailer(5, false).Steady()
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]float64{"hitch": 24.525, "left contact": -80.9325, "right contact": -80.9325,
		"rear contact": -637.361471, "front contact": -309.303529} {
		if r := reaction(t, s, name); r3.Norm(r3.Sub(r.Force, at(0, 0, want))) > 1e-6 {
			t.Errorf("%s carries %v, %.6f N wanted", name, r.Force, want)
		}
	}
	at := func(measure func([]complex128) float64) func(float64) float64 {
		return func(v float64) float64 { e, _ := eigenvalues(t, bicycleTrailer(v, false)); return measure(e) }
	}
	if v := crossing(t, 4, 5, at(oscillating)); math.Abs(v-4.346996547) > 1e-9 {
		t.Errorf("weave stable above %.10g m/s", v)
	}
	if v := crossing(t, 5.5, 6.5, at(others)); math.Abs(v-6.022365499) > 1e-9 {
		t.Errorf("capsize unstable above %.10g m/s", v)
	}
}

// Statements of the paper on the trailer: the roots of the bicycle stay; the new root belongs to an axle that follows
// its hitch, about -v/0.9 m (section 6.4, a and b).
func TestTrailerFollows(t *testing.T) {
	before, published := 0.0, known(t, "bicycle_rolling")
	for v := 1; v <= 10; v++ {
		got, _ := eigenvalues(t, bicycleTrailer(float64(v), false))
		alone := published[float64(v)][:3] // without castering
		for _, l := range alone {
			nearest := slices.MinFunc(got, func(a, b complex128) int {
				return int(math.Copysign(1, cmplx.Abs(a-l)-cmplx.Abs(b-l)))
			})
			if math.Abs(real(nearest-l)) > 0.25 || math.Abs(imag(nearest-l)) > 0.25 {
				t.Errorf("%d m/s: %v of the bicycle becomes %v", v, l, nearest)
			}
		}
		follows := slices.MinFunc(got, func(a, b complex128) int {
			return int(math.Copysign(1, cmplx.Abs(a+complex(float64(v)/0.9, 0))-cmplx.Abs(b+complex(float64(v)/0.9, 0))))
		})
		if imag(follows) != 0 || math.Abs(real(follows)*0.9/float64(v)+1) > 0.04 || real(follows) >= before {
			t.Errorf("%d m/s: the trailer follows with %v", v, follows)
		}
		before = real(follows)
	}
}

// Without the factor (I - e e^T) for contacts the heading is no longer neutral, and the spurious root of the paper
// (Minaker 2010) appears (section 6.4, c; values of an independent prototype).
func TestContactsThatTurnWithTheSpinAreWrong(t *testing.T) {
	_, rows := table(t, "testdata/bicycle_trailer_wrong_contact.csv")
	for _, row := range rows {
		var want []complex128
		for i := 2; i < len(row); i += 2 {
			want = append(want, complex(row[i], row[i+1]))
		}
		got, zeros := eigenvalues(t, bicycleTrailer(row[0], true))
		matches(t, "wrong contacts", got, want, 1e-9)
		if zeros != int(row[1]) {
			t.Errorf("%g m/s: %d zeros, %g wanted", row[0], zeros, row[1])
		}
		if spurious := others(got); row[0] != 5 && row[0] != 6 && spurious < 0.03 {
			t.Errorf("%g m/s: no root is unstable but %g", row[0], spurious)
		}
	}
}

// The benchmark bicycle at 41 speeds.
func BenchmarkBicycleSweep(b *testing.B) {
	for b.Loop() {
		for i := range 41 {
			s, err := bicycle(0.25*float64(i), -0.8).Linearise()
			if err != nil {
				b.Fatal(err)
			}
			if _, _, err := s.Eigenvalues(); err != nil {
				b.Fatal(err)
			}
		}
	}
}
