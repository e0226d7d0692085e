package linear_test

import (
	"math"
	"math/cmplx"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"skidpad/model/component"
	"skidpad/model/keys"
	"skidpad/model/linear"
	"skidpad/model/vehicle"
)

// same reports whether two lists hold the same numbers, within a share of the largest.
func same(a, b []complex128, share float64) bool {
	if len(a) != len(b) {
		return false
	}
	rest, size := slices.Clone(b), 0.0
	for _, x := range b {
		size = max(size, cmplx.Abs(x))
	}
	for _, x := range a {
		i := slices.IndexFunc(rest, func(y complex128) bool { return cmplx.Abs(x-y) <= share*size })
		if i < 0 {
			return false
		}
		rest = slices.Delete(rest, i, i+1)
	}
	return true
}

func transferOf(t *testing.T, s *linear.System, input, output string) *linear.Transfer {
	t.Helper()
	h, err := s.Transfer(input, output)
	if err != nil {
		t.Fatal(err)
	}
	return h
}

// Two masses. A force on the first mass moves it with the zeros of the second mass alone, held by the spring and damper
// between them. It moves the second mass with one zero, where the damper cancels the spring between them, or none.
func TestZerosOfTwoMasses(t *testing.T) {
	l := parse(t, twoMasses)
	const m2, coupling = 3.0, 20.0
	for _, damping := range []float64{0, 0.7} {
		s := at(t, l, "damping", damping)
		root := cmplx.Sqrt(complex(damping*damping/4/m2/m2-coupling/m2, 0))
		h := transferOf(t, s, "push_1.force", "first.s")
		if !same(h.Zeros, []complex128{-complex(damping/2/m2, 0) + root, -complex(damping/2/m2, 0) - root}, 1e-12) ||
			len(h.Poles) != 4 || math.Abs(h.Gain-1.0/50) > 1e-15 {
			t.Errorf("damping %g, first mass: %+v", damping, h)
		}
		var none []complex128
		if damping > 0 {
			none = []complex128{-complex(coupling/damping, 0)}
		}
		h = transferOf(t, s, "push_1.force", "second.s")
		if !same(h.Zeros, none, 1e-12) || len(h.Poles) != 4 || math.Abs(h.Gain-1.0/50) > 1e-15 {
			t.Errorf("damping %g, second mass: %+v", damping, h)
		}
		if h := transferOf(t, s, "push_1.force", "second.s_dot"); !same(h.Zeros, append(none, 0), 1e-12) || h.Gain != 0 {
			t.Errorf("damping %g, speed of the second mass: %+v", damping, h)
		}
	}
}

// Two equal masses between equal springs swing together or against each other. Equal forces do not move the second
// mode, opposite ones not the first, and what is between them sees one alone.
func TestSymmetryHidesModes(t *testing.T) {
	l := parse(t, strings.Replace(twoMasses, "[parameters]",
		`[quantities]
"middle.s" = { value = "(first.s + second.s)/2", unit = "m" }
[parameters]`, 1))
	for name, v := range map[string]float64{"m1": 3, "end": 50, "damping": 0.3} {
		if err := l.Set(name, v); err != nil {
			t.Fatal(err)
		}
	}
	s := at(t, l, "between", 20)
	list := modes(t, s)
	together := math.Sqrt(50.0 / 3)
	for _, output := range []string{"first.s", "middle.s"} {
		reach, err := s.ModalMeasures(list, "push_1.force+push_2.force", output)
		if err != nil {
			t.Fatal(err)
		}
		for i, r := range reach {
			alike := math.Abs(list[i].Frequency()-together) < 1e-9
			if r.Controllable != alike || (r.Input > 1e-6) != alike {
				t.Errorf("mode %v is moved by equal forces: %+v", list[i].Value, r)
			}
			if seen := alike || output == "first.s"; r.Observable != seen || (r.Output > 1e-6) != seen {
				t.Errorf("mode %v is seen by %s: %+v", list[i].Value, output, r)
			}
		}
		h := transferOf(t, s, "push_1.force+push_2.force", output)
		if h.Cancelled != 2 || len(h.Zeros) != 0 || !same(h.Poles, []complex128{complex(0, together), complex(0, -together)},
			1e-9) {
			t.Errorf("%s: %+v", output, h)
		}
	}
}

// In a chain of states, each drives the next one. An output sees the states in front of it, and an input moves the
// states behind it, so that the ranks of [A - lambda, b] and [A - lambda; c] differ.
func TestChainsHideModesFromOneSide(t *testing.T) {
	s := &linear.System{
		A: mat.NewDense(3, 3, []float64{-1, 0, 0, 1, -2, 0, 0, 1, -3}), B: mat.NewDense(3, 1, []float64{0, 1, 0}),
		C: mat.NewDense(1, 3, []float64{0, 1, 0}), D: mat.NewDense(1, 1, nil), States: []string{"a", "b", "c"},
		Groups: []string{"a", "b", "c"}, Inputs: []string{"u"}, Outputs: []string{"y"},
	}
	list := modes(t, s)
	reach, err := s.ModalMeasures(list, "u", "y")
	if err != nil {
		t.Fatal(err)
	}
	for i, r := range reach {
		pole := math.Round(real(list[i].Value))
		if moved, seen := pole != -1, pole != -3; r.Controllable != moved || (r.Input > 1e-9) != moved ||
			r.Observable != seen || (r.Output > 1e-9) != seen {
			t.Errorf("mode %v: %+v", list[i].Value, r)
		}
	}
}

// One input cannot move two equal, separate oscillators independently, whatever it does to each.
func TestEqualModesNeedTwoInputs(t *testing.T) {
	a := mat.NewDense(4, 4, []float64{0, 1, 0, 0, -4, -0.1, 0, 0, 0, 0, 0, 1, 0, 0, -4, -0.1})
	s := &linear.System{A: a, B: mat.NewDense(4, 1, []float64{0, 1, 0, 2}), C: mat.NewDense(1, 4, []float64{1, 0, 1, 0}),
		D: mat.NewDense(1, 1, nil), States: []string{"a", "b", "c", "d"}, Groups: []string{"a", "a", "c", "c"},
		Inputs: []string{"u"}, Outputs: []string{"y"}}
	reach, err := s.ModalMeasures(modes(t, s), "u", "y")
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range reach {
		if r.Controllable || r.Observable {
			t.Errorf("%+v", r)
		}
	}
}

// Measures are cosines. If rows and columns of A already have one size, they are the cosines of the left eigenvector
// with the input's axis, and of the shape with the output's axis.
func TestReachIsTheCosine(t *testing.T) {
	s := &linear.System{
		A: mat.NewDense(3, 3, []float64{-1, 2, 0, 0, -2, 2, 2, 0, -4}), B: mat.NewDense(3, 1, []float64{0, 3, 0}),
		C: mat.NewDense(1, 3, []float64{0, 0, 0.2}), D: mat.NewDense(1, 1, nil),
		States: []string{"a", "b", "c"}, Groups: []string{"a", "b", "c"}, Inputs: []string{"u"}, Outputs: []string{"y"},
	}
	list := modes(t, s)
	reach, err := s.ModalMeasures(list, "u", "y")
	if err != nil {
		t.Fatal(err)
	}
	size := func(v []complex128) float64 {
		return math.Sqrt(real(v[0]*cmplx.Conj(v[0]) + v[1]*cmplx.Conj(v[1]) + v[2]*cmplx.Conj(v[2])))
	}
	for i, m := range list {
		in, out := cmplx.Abs(m.Left[1])/size(m.Left), cmplx.Abs(m.Shape[2])/size(m.Shape)
		if math.Abs(reach[i].Input-in) > 1e-12 || math.Abs(reach[i].Output-out) > 1e-12 {
			t.Errorf("mode %v: %+v, want %g and %g", m.Value, reach[i], in, out)
		}
	}
	// a place that goes on with a state, and that the output does not see, changes nothing
	placed := *s
	placed.States, placed.Groups = append(slices.Clone(s.States), "place"), append(slices.Clone(s.Groups), "place")
	placed.A, placed.B, placed.C = mat.NewDense(4, 4, nil), mat.NewDense(4, 1, nil), mat.NewDense(1, 4, nil)
	placed.A.Slice(0, 3, 0, 3).(*mat.Dense).Copy(s.A)
	placed.A.Set(3, 0, 0.5)
	placed.B.Set(1, 0, 3)
	placed.C.Set(0, 2, 0.2)
	with, err := placed.ModalMeasures(modes(t, &placed), "u", "y")
	if err != nil {
		t.Fatal(err)
	}
	for i := range with {
		if math.Abs(with[i].Input-reach[i].Input) > 1e-12 || math.Abs(with[i].Output-reach[i].Output) > 1e-12 {
			t.Errorf("with a place %+v, without %+v", with[i], reach[i])
		}
	}
}

// In mixed states no element is exactly 0. Five integrators in a row still have no zeros; with a path around two of
// them they have two zeros; separate parts stay separate.
func TestZerosInMixedStates(t *testing.T) {
	const n = 5
	random := rand.New(rand.NewPCG(3, 4))
	mix := mat.NewDense(n, n, nil)
	mix.Apply(func(i, k int, _ float64) float64 { return random.NormFloat64() }, mix)
	var inverse mat.Dense
	if err := inverse.Inverse(mix); err != nil {
		t.Fatal(err)
	}
	system := func(row [n]float64, past float64) *linear.System {
		a, b, c := mat.NewDense(n, n, nil), mat.NewDense(n, 1, nil), mat.NewDense(1, n, nil)
		for i := range n {
			a.Set(i, i, -row[i])
			if i > 0 && row[i] != 4 {
				a.Set(i, i-1, 1)
			}
		}
		b.Set(0, 0, 1)
		c.Set(0, n-1, 1)
		c.Set(0, n-3, past)
		var ma, mb, mc mat.Dense
		ma.Product(mix, a, &inverse)
		mb.Mul(mix, b)
		mc.Mul(c, &inverse)
		return &linear.System{A: &ma, B: &mb, C: &mc, D: mat.NewDense(1, 1, nil), States: []string{"a", "b", "c", "d", "e"},
			Groups: make([]string, n), Inputs: []string{"u"}, Outputs: []string{"y"}}
	}
	if h := transferOf(t, system([n]float64{1, 2, 3, 5, 6}, 0), "u", "y"); len(h.Zeros) != 0 || len(h.Poles) != n {
		t.Errorf("in a row %+v", h)
	}
	// 1 + past (s + 5) (s + 6)
	h := transferOf(t, system([n]float64{1, 2, 3, 5, 6}, 0.5), "u", "y")
	if !same(h.Zeros, []complex128{complex(-5.5, math.Sqrt(1.75)), complex(-5.5, -math.Sqrt(1.75))}, 1e-9) {
		t.Errorf("past two %+v", h)
	}
	if h, err := system([n]float64{1, 2, 4, 5, 6}, 0).Transfer("u", "y"); err == nil {
		t.Errorf("apart %+v", h)
	}
}

// The steer torque of the bicycle gives a yaw rate of (v delta + c delta') cos(lambda)/w, and turns the steer by (M_11
// s^2 + g K0_11)/det. The zeros are -v/c and the zeros of the lean with fixed steer (canonical equations,
// linearised-eom specification, 6.2). The path goes to the other side first: zeros on the right.
func TestZerosOfTheBicycle(t *testing.T) {
	l := read(t, "bicycle_rolling")
	lean := math.Sqrt(9.81 * 80.95 / 80.81722)
	for _, v := range []float64{3, 5, 8} {
		s := at(t, l, "speed", v)
		h := transferOf(t, s, "steer.torque", "rear_frame.wz")
		if !same(h.Zeros, []complex128{complex(lean, 0), complex(-lean, 0), complex(-v/0.08, 0)}, 1e-9) ||
			len(h.Poles) != 4 || h.Cancelled != 0 {
			t.Errorf("%g m/s: %+v", v, h)
		}
		response, err := s.Response("steer.torque", "rear_frame.wz", []float64{0})
		if err != nil || math.Abs(h.Gain-real(response[0])) > 1e-12*math.Abs(h.Gain) {
			t.Errorf("%g m/s: steady gain %g, response %v", v, h.Gain, response)
		}
		path := transferOf(t, s, "steer.torque", "rear_frame.y")
		right := 0
		for _, z := range path.Zeros {
			if real(z) > 0 {
				right++
			}
		}
		if right == 0 || !math.IsInf(path.Gain, 1) || !same(path.Poles, append(slices.Clone(h.Poles), 0, 0), 1e-9) {
			t.Errorf("%g m/s: path %+v", v, path)
		}
		factored(t, s, "steer.torque", "rear_frame.y", path, 1e-10)
	}
}

// factored checks that poles and zeros give the response at all frequencies, up to a constant factor.
func factored(t *testing.T, s *linear.System, input, output string, h *linear.Transfer, tolerance float64) {
	t.Helper()
	omega := linear.LogSpace(0.1, 300, 9)
	response, err := s.Response(input, output, omega)
	if err != nil {
		t.Fatal(err)
	}
	var factor complex128
	for i, w := range omega {
		f := response[i]
		for _, p := range h.Poles {
			f *= complex(0, w) - p
		}
		for _, z := range h.Zeros {
			f /= complex(0, w) - z
		}
		if i == 0 {
			factor = f
		}
		if cmplx.Abs(f/factor-1) > tolerance {
			t.Errorf("%s to %s: at %.3g rad/s poles and zeros are off by %.2g", input, output, w, cmplx.Abs(f/factor-1))
		}
	}
}

// The name of a prescribed motion alone includes its rate and acceleration. The pendulum under a slide driven by a
// position, l phi" + g phi = x", has two zeros at 0; the block that a rod pulls has none.
func TestMotionsMoveWithTheirRates(t *testing.T) {
	s, err := parse(t, strings.Replace(pulled, "[component.slide]", `[parameters.filter]
T = { value = 0.5, unit = "s" }
T2 = { value = 0.1, unit = "s2" }
[quantities]
"mixed.y" = { value = "slide_mass.x + filter.T*slide_mass.vx + filter.T2*slide_mass.ax", unit = "m" }
[component.slide]`, 1)).At()
	if err != nil {
		t.Fatal(err)
	}
	const g, length = 9.81, 0.5
	swing := complex(0, math.Sqrt(g/length))
	h := transferOf(t, s, "slide", "pivot.phi")
	if !same(h.Poles, []complex128{swing, -swing}, 1e-9) || !same(h.Zeros, []complex128{0, 0}, 1e-6) {
		t.Errorf("pendulum %+v", h)
	}
	response, err := s.Response("slide", "pivot.phi", []float64{1, 3, 20})
	if err != nil {
		t.Fatal(err)
	}
	for i, w := range []float64{1, 3, 20} {
		if want := complex(-w*w/(g-length*w*w), 0); cmplx.Abs(response[i]-want) > 1e-9*cmplx.Abs(want) {
			t.Errorf("%g rad/s: %v, closed form %v", w, response[i], want)
		}
	}
	h = transferOf(t, s, "slide", "rail.s")
	if len(h.Poles) != 0 || len(h.Zeros) != 0 || math.Abs(h.Gain-1) > 1e-12 || h.Cancelled != 2 {
		t.Errorf("block %+v", h)
	}
	// 1 + 0.5 s + 0.1 s^2
	mixed := transferOf(t, s, "slide", "mixed.y")
	root := cmplx.Sqrt(2.5*2.5 - 10)
	if len(mixed.Poles) != 0 || !same(mixed.Zeros, []complex128{-2.5 + root, -2.5 - root}, 1e-9) ||
		math.Abs(mixed.Gain-1) > 1e-12 {
		t.Errorf("mixed %+v", mixed)
	}
	if h, err := s.Response("slide", "mixed.y", []float64{3}); err != nil || cmplx.Abs(h[0]-complex(1-0.9, 1.5)) > 1e-9 {
		t.Errorf("mixed: %v, %v", h, err)
	}
	minimal, err := s.Minimal(nil)
	if err != nil {
		t.Fatal(err)
	}
	if m := minimal.Motion("slide.position"); m != "slide" || minimal.Motion("slide.rate") != "" {
		t.Errorf("slide.position belongs to %q", m)
	}
}

// Transfer rejects unknown names, with a list of the known ones, and a transfer function that is 0.
func TestTransferRejectsUnknownNames(t *testing.T) {
	s, err := parse(t, twoMasses).At()
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range [][3]string{{"push_3", "first.s", "push_1.force"},
		{"push_1.force+push_3.force", "first.s", `"push_3.force"`}, {"push_1.force", "third.s", "second.s"}} {
		if _, err := s.Transfer(c[0], c[1]); err == nil || !strings.Contains(err.Error(), c[2]) {
			t.Errorf("%v: error %v", c, err)
		}
	}
	uncoupled := at(t, parse(t, twoMasses), "between", 0)
	_, err = uncoupled.Transfer("push_1.force", "second.s")
	if err == nil || !strings.Contains(err.Error(), "0 at all frequencies") {
		t.Errorf("masses without a spring between them: error %v", err)
	}
}

// singleTrack is a vehicle whose handling is known (manoeuvres specification, 2.1).
func singleTrack(t *testing.T) *linear.Model {
	t.Helper()
	m, err := vehicle.Read("../../harness/testdata/single_track.toml")
	if err != nil {
		t.Fatal(err)
	}
	l, err := linear.New(m, "")
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// K_u = (m/l)(l_r/C_f - l_f/C_r), the static margin (l_r C_r - l_f C_f)/(l (C_f + C_r)). The transfer function of the
// yaw rate is r/delta = (l_f C_f s + l C_f C_r/(m v))/(J (s^2 + ...)) with the zero -l C_r/(m v l_f).
func TestHandlingOfASingleTrackVehicle(t *testing.T) {
	l := singleTrack(t)
	const mass, front, rear, wheelbase = 1500.0, 1.2, 1.6, 2.8
	car := linear.Car{Body: "body", Drivers: []string{"steer"}, Ratio: 1, Wheelbase: wheelbase}
	for _, c := range []struct{ cf, cr, speed float64 }{{70000, 80000, 20}, {70000, 80000, 5}, {70000, 45000, 12},
		{70000, 52500, 30}} {
		for name, v := range map[string]float64{"front_stiffness": c.cf, "rear_stiffness": c.cr} {
			if err := l.Set(name, v); err != nil {
				t.Fatal(err)
			}
		}
		s := at(t, l, "speed", c.speed)
		h, err := l.Handling(s, car)
		if err != nil {
			t.Fatal(err)
		}
		term := mass / wheelbase * rear / c.cf
		gradient := term - mass/wheelbase*front/c.cr
		margin := (rear*c.cr - front*c.cf) / (wheelbase * (c.cf + c.cr))
		if math.Abs(h.UndersteerGradient-gradient) > 1e-9*term || math.Abs(h.StaticMargin-margin) > 1e-9 ||
			h.Speed != c.speed {
			t.Errorf("%+v: %+v, understeer gradient %g and static margin %g expected", c, h, gradient, margin)
		}
		if gain := c.speed / (wheelbase + gradient*c.speed*c.speed); math.Abs(h.YawGain-gain) > 1e-9*gain {
			t.Errorf("%+v: yaw gain %g, want %g", c, h.YawGain, gain)
		}
		speed, other := h.CharacteristicSpeed, h.CriticalSpeed
		if gradient < 0 {
			speed, other = other, speed
		}
		want := math.Sqrt(wheelbase / math.Abs(gradient))
		if math.Abs(gradient) > 1e-9 && math.Abs(speed-want) > 1e-8*want || math.Abs(gradient) > 1e-9 && !math.IsNaN(other) {
			t.Errorf("%+v: %+v, speed %g expected", c, h, want)
		}
		yaw := transferOf(t, s, "steer", "body.wz")
		if neutral := c.cr == 52500; neutral { // side slip has no part in the yaw
			if len(yaw.Zeros) != 0 || len(yaw.Poles) != 1 || yaw.Cancelled != 1 {
				t.Errorf("%+v: %+v", c, yaw)
			}
		} else if !same(yaw.Zeros, []complex128{complex(-wheelbase*c.cr/(mass*c.speed*front), 0)}, 1e-9) ||
			len(yaw.Poles) != 2 || math.Abs(yaw.Gain-h.YawGain) > 1e-9*h.YawGain {
			t.Errorf("%+v: %+v", c, yaw)
		}
		// a steering wheel turns the road wheels by less
		geared, err := l.Handling(s, linear.Car{Body: "body", Drivers: []string{"steer"}, Ratio: 0.5, Wheelbase: wheelbase})
		if err != nil || math.Abs(geared.YawGain-h.YawGain/2) > 1e-12*h.YawGain {
			t.Errorf("ratio 1/2: %+v, %v", geared, err)
		}
	}
	s := at(t, l, "speed", 20)
	for _, c := range []struct {
		car  linear.Car
		says string
	}{
		{linear.Car{Body: "hull", Drivers: []string{"steer"}, Ratio: 1, Wheelbase: 2.8}, `"hull"`},
		{linear.Car{Body: "body", Drivers: []string{"wheel"}, Ratio: 1, Wheelbase: 2.8}, `"wheel"`},
		{linear.Car{Body: "body", Drivers: []string{"steer"}, Ratio: 1}, "wheelbase"},
	} {
		if _, err := l.Handling(s, c.car); err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%+v: error %v", c.car, err)
		}
	}
}

// The static margin refers to the centre of all mass, including masses on the body.
func TestHandlingWithMassBesideTheBody(t *testing.T) {
	m, err := vehicle.Read("../../harness/testdata/single_track.toml")
	if err != nil {
		t.Fatal(err)
	}
	number := func(v float64, text string) keys.Scalar { return keys.Scalar{Value: v, Text: text} }
	nothing := keys.Vector{{Text: "0"}, {Text: "0"}, {Text: "0"}}
	boot := nothing
	boot[0] = number(-1, "-1")
	m.Components = append(m.Components,
		&component.RigidArm{Header: keys.Header{Name: "boot", Type: "rigid-arm"}, From: "body", To: "boot", Translation: boot,
			Sequence: "321", Angles: nothing},
		&component.PointMass{Header: keys.Header{Name: "luggage", Type: "point-mass"}, Frame: "boot",
			Mass: number(300, "300"),
			Axes: []int{0, 1, 2}})
	l, err := linear.New(m, "")
	if err != nil {
		t.Fatal(err)
	}
	const back = 300.0 / 1800 // of the common centre behind that of the body, m
	const front, rear, cf, cr, wheelbase, mass = 1.2 + back, 1.6 - back, 70000.0, 80000.0, 2.8, 1800.0
	s, err := l.At()
	if err != nil {
		t.Fatal(err)
	}
	h, err := l.Handling(s, linear.Car{Body: "body", Drivers: []string{"steer"}, Ratio: 1, Wheelbase: wheelbase})
	if err != nil {
		t.Fatal(err)
	}
	if want := (rear*cr - front*cf) / (wheelbase * (cf + cr)); math.Abs(h.StaticMargin-want) > 1e-9 {
		t.Errorf("static margin %g, want %g", h.StaticMargin, want)
	}
	if want := mass / wheelbase * (rear/cf - front/cr); math.Abs(h.UndersteerGradient-want) > 1e-9 {
		t.Errorf("understeer gradient %g, want %g", h.UndersteerGradient, want)
	}
}

// The heading of a car changes nothing, and a turn has no handling figures.
func TestHandlingWhereverACarHeads(t *testing.T) {
	l := read(t, "generic4w")
	for _, torque := range []string{"drive_RL.torque", "drive_RR.torque"} {
		if err := l.Free(torque); err != nil {
			t.Fatal(err)
		}
	}
	car := linear.Car{Body: "body", Drivers: []string{"steer_FL", "steer_FR"}, Ratio: 1, Wheelbase: 2.84}
	var list []*linear.Handling
	for _, heading := range []float64{0, 0.7} {
		if err := l.Set("body.yaw", heading); err != nil {
			t.Fatal(err)
		}
		h, err := l.Handling(at(t, l, "body.vx", 20), car)
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, h)
	}
	a, b := list[0], list[1]
	if math.Abs(a.UndersteerGradient-b.UndersteerGradient) > 1e-8 || math.Abs(a.StaticMargin-b.StaticMargin) > 1e-6 ||
		a.UndersteerGradient < 5e-4 || a.StaticMargin < 0.01 {
		t.Errorf("%+v and %+v", a, b)
	}
	for _, steer := range []string{"steer_FL.angle", "steer_FR.angle"} {
		if err := l.Free(steer); err != nil {
			t.Fatal(err)
		}
	}
	if err := l.Set("body.wz", 0.1); err != nil {
		t.Fatal(err)
	}
	if _, err := l.Handling(at(t, l, "body.vx", 20), car); err == nil || !strings.Contains(err.Error(), "straight") {
		t.Errorf("in a bend: error %v", err)
	}
}
