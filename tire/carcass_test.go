package tire

import (
	"flag"
	"math"
	"math/rand/v2"
	"os"
	"strings"
	"testing"

	"skidpad/harness/tests/testrun"
)

// parabolicBrush is the brush tire with parabolic pressure of the standstill specification, 7.2: D phi(psi) in the
// direction of both slips.
type parabolicBrush struct{ k, mu0 float64 }

var parabolicKind = Kind{Name: "parabolic brush", Inputs: []string{"Fz", "S", "alpha", "mu"},
	Outputs: []string{"Fx", "Fy", "Mx", "My", "Mz"}}

func (t parabolicBrush) grip() Differentiable { return gripAt{parabolicGrip(t)} }

type parabolicGrip parabolicBrush

func (t parabolicGrip) Eval(in, out []float64) {
	for i := range 2 {
		out[i], out[2+i] = t.k, in[0]*in[2]*t.mu0
	}
}

func (t parabolicGrip) Jacobian(in, jac []float64) {
	clear(jac)
	for i := range 2 {
		jac[(2+i)*gripInputs], jac[(2+i)*gripInputs+2] = in[2]*t.mu0, in[0]*t.mu0
	}
}

func (t parabolicBrush) Eval(in, out []float64) {
	clear(out)
	d := min(in[0], crushing) * max(0, min(in[3], extreme)) * t.mu0 // as built-in functions limit them
	x, y := t.k*in[1], t.k*math.Tan(in[2])
	force := math.Hypot(x, y)
	if psi := force / d; d > 0 && force > 0 {
		phi := 1.0
		if psi < 3 {
			phi = psi * (1 - psi/3 + psi*psi/27)
		}
		out[0], out[1] = d*phi*x/force, -d*phi*y/force
	}
}

// rollingTire is a carcass on one wheel, with its arguments.
type rollingTire struct {
	*Carcass
	in, out []float64
}

func newRollingTire(t testing.TB, force Function, kind *Kind, relaxation *Kind, lengths []float64) *rollingTire {
	t.Helper()
	b, err := relaxation.New(lengths)
	if err != nil {
		t.Fatal(err)
	}
	c, err := NewCarcass(CarcassParts{Force: force, Relaxation: b, ForceKind: kind, RelaxationKind: relaxation},
		CarcassSetting{Nominal: 5500, Radius: 0.35})
	if err != nil {
		t.Fatal(err)
	}
	r := &rollingTire{c, make([]float64, len(c.Inputs())), make([]float64, len(kind.Outputs)+len(carcassResults))}
	r.in[atFz], r.in[atMu], r.in[atReff] = 557*9.81, 1, 0.35
	r.in[atLowSpeed], r.in[atStep], r.in[atUpright] = 1, 1e-3, 1
	return r
}

func parabolic(t testing.TB) *rollingTire {
	return newRollingTire(t, parabolicBrush{1.1e5, 1}, &parabolicKind, &constantLength, []float64{0.8, 0.8})
}

// standingTire has kinematic slip at speed and a carcass at standstill.
func standingTire(t testing.TB) *rollingTire {
	t.Helper()
	kind := &parabolicKind
	c, err := NewCarcass(CarcassParts{Force: parabolicBrush{1.1e5, 1}, ForceKind: kind},
		CarcassSetting{Nominal: 5500, Radius: 0.35})
	if err != nil {
		t.Fatal(err)
	}
	r := &rollingTire{c, make([]float64, len(c.Inputs())), make([]float64, len(kind.Outputs)+len(carcassResults))}
	r.in[atFz], r.in[atMu], r.in[atReff] = 557*9.81, 1, 0.35
	r.in[atLowSpeed], r.in[atStep], r.in[atUpright] = 1, 1e-3, 1
	return r
}

func (r *rollingTire) roll(vx, vy, slip float64) {
	rim := vx * (1 + slip)
	r.in[atVEx], r.in[atVExs], r.in[atVPy], r.in[atVPxs] = vx-rim, vx, vy, vx
	r.in[atOmega] = rim / r.in[atReff]
}

// The results of a carcass of forces, behind them.
const (
	outS = 5 + iota
	outAlpha
	outP1
	outP2
	outU1
	outU2
)

// step is one of Heun's method.
func (r *rollingTire) step(h float64, next func()) {
	p := [2]float64{r.in[atP1], r.in[atP2]}
	r.Eval(r.in, r.out)
	k := [2]float64{r.out[outP1], r.out[outP2]}
	r.in[atP1], r.in[atP2] = p[0]+h*k[0], p[1]+h*k[1]
	next()
	r.Eval(r.in, r.out)
	r.in[atP1], r.in[atP2] = p[0]+h/2*(k[0]+r.out[outP1]), p[1]+h/2*(k[1]+r.out[outP2])
}

// Steady slip equals kinematic slip, so steady forces equal the forces of the force function.
func TestCarcassHasTheSteadySlip(t *testing.T) {
	testrun.Slow(t)
	for _, c := range []struct{ v, within float64 }{{2, 1e-8}, {20, 1e-9}, {50, 1e-9}} {
		worst := 0.0
		for _, slip := range []float64{-1, -0.7, -0.3, -0.2, -0.1, -0.03, -0.003, 0.003, 0.03, 0.1, 0.2, 0.3, 0.7, 1} {
			r := parabolic(t)
			r.roll(c.v, 0, slip)
			for range int(20 / c.v / 1e-3 * 4) {
				r.step(1e-3, func() {})
			}
			r.Eval(r.in, r.out)
			worst = max(worst, math.Abs(r.out[outS]-slip))
		}
		t.Logf("%g m/s: %.2g", c.v, worst)
		if worst > c.within {
			t.Errorf("at %g m/s the slip is off by %g", c.v, worst)
		}
	}
}

// Forces and deflections of the brush at steady slips: D phi and U phi.
func TestCarcassOfTheBrush(t *testing.T) {
	for _, c := range []struct{ slip, force, deflection float64 }{
		{-0.01, -1027.8368, -7.4752e-3}, {-0.05, -3861.0288, -28.0802e-3}, {-0.1, -5269.6515, -38.3247e-3},
		{-0.2, -5464.17, -39.7394e-3},
	} {
		r := parabolic(t)
		r.roll(20, 0, c.slip)
		for range 4000 {
			r.step(1e-3, func() {})
		}
		r.Eval(r.in, r.out)
		if math.Abs(r.out[0]-c.force) > 5e-5+1e-7*math.Abs(c.force) || math.Abs(r.out[outU1]-c.deflection) > 5.1e-8 {
			t.Errorf("slip %g: %.7g N and %.6g m, want %.7g N and %.6g m", c.slip, r.out[0], r.out[outU1], c.force, c.deflection)
		}
	}
}

// With a sinusoidal slip, the force of the carcass differs from the force of a string of constant length as the
// specification lists. The values are the largest difference divided by the largest force [%], for amplitudes in
// saturating slips.
func TestCarcassAgainstTheString(t *testing.T) {
	const b, v = 0.8, 20.0
	e := 557 * 9.81 / 1.1e5
	amplitudes := []float64{0.02, 0.1, 0.3, 0.5, 1, 2}
	for _, c := range []struct {
		omega float64 // by B/V
		want  []float64
	}{{math.Pi * b / v, []float64{0.06, 0.3, 0.8, 1.2, 2.1, 3.6}}, {0.5, []float64{0.2, 0.9, 2.5, 3.9, 6.9, 16}}} {
		for i, amplitude := range amplitudes {
			r := parabolic(t)
			omega := c.omega * v / b
			const h = 1e-3
			brush, q, at := parabolicBrush{1.1e5, 1}, 0.0, 0.0
			slip := func(at float64) float64 { return amplitude * e * math.Sin(omega*at) }
			largest, difference := 0.0, 0.0
			end := 6 * 2 * math.Pi / omega
			for at < end {
				k := v / b * (slip(at) - q)
				k2 := v / b * (slip(at+h) - (q + h*k))
				r.roll(v, 0, slip(at))
				r.step(h, func() { r.roll(v, 0, slip(at+h)) })
				q += h / 2 * (k + k2)
				at += h
				r.roll(v, 0, slip(at))
				r.Eval(r.in, r.out)
				var of [5]float64
				brush.Eval([]float64{557 * 9.81, q, 0, 1}, of[:])
				if at > end/2 {
					largest, difference = max(largest, math.Abs(of[0])), max(difference, math.Abs(of[0]-r.out[0]))
				}
			}
			got := 100 * difference / largest
			t.Logf("omega B/V = %.3g, %g e: %.3g %%, want %g", c.omega, amplitude, got, c.want[i])
			if math.Abs(got-c.want[i]) > 0.1*c.want[i]+rounding(c.want[i]) {
				t.Errorf("omega B/V = %.3g, %g e: %.3g %%, want %g", c.omega, amplitude, got, c.want[i])
			}
		}
	}
}

// rounding is half a unit of the last digit of a figure in the list.
func rounding(figure float64) float64 {
	switch {
	case figure < 0.1:
		return 0.005
	case figure < 10:
		return 0.05
	}
	return 0.5
}

// sines is a sum of six sines of 0.2 to 8 Hz.
type sines [6][2]float64

func newSines(r *rand.Rand) (s sines) {
	for i := range s {
		s[i] = [2]float64{2 * math.Pi * (0.2 + 7.8*r.Float64()), 2 * math.Pi * r.Float64()}
	}
	return s
}

func (s *sines) at(t float64) (sum float64) {
	for _, x := range s {
		sum += math.Sin(x[0]*t + x[1])
	}
	return sum / 6
}

var manyCases = flag.Bool("carcass", false, "100 cases of each check of energy")

// A tire never gives back more than it took, whatever slides and whatever the load does; the brush never more than what
// its deflection stores.
func TestCarcassIsPassive(t *testing.T) {
	testrun.Slow(t)
	random := rand.New(rand.NewPCG(7, 3))
	cases := testrun.Either(2, 8)
	if *manyCases {
		cases = 100
	}
	magic := pacejkaWithoutOffsets(t)
	brush := func() *rollingTire { return parabolic(t) }
	for _, c := range []struct {
		what          string
		tire          func() *rollingTire
		rolling       float64
		constant, all bool
		most          float64
	}{
		{"brush, locked", brush, 0, false, true, 1e-6},
		{"brush, rolling", brush, 5, false, true, 1e-6},
		{"Magic Formula, constant load", magic, 0, true, false, 1e-6},
		{"Magic Formula, rolling", magic, 5, false, false, 1e-6},
		{"Magic Formula, locked", magic, 0, false, false, 5e-3},
	} {
		worst, stored := 0.0, 0.0
		for range cases {
			r := c.tire()
			r.in[atDamping] = 0.2
			given, beyond := r.energy(random, c.rolling, c.constant)
			worst, stored = max(worst, given), max(stored, beyond)
		}
		t.Logf("%s: %.2g returned beyond the energy taken, %.2g decrease of the lost energy", c.what, worst, stored)
		if worst > c.most || c.all && stored > c.most {
			t.Errorf("%s: returns %g of the exchanged energy beyond the energy taken; the lost energy decreases by %g of it",
				c.what, worst, stored)
		}
	}
}

// energy lets a tire slide at random speeds under a random load. given is the largest energy that the tire has returned
// beyond the energy taken since the start. The lost energy is the energy taken less the energy stored; beyond is its
// largest decrease from an earlier maximum. Both results are divided by the exchanged energy.
func (r *rollingTire) energy(random *rand.Rand, rolling float64, constant bool) (given, beyond float64) {
	load, along, across := newSines(random), newSines(random), newSines(random)
	speed := 0.02 * math.Pow(100, random.Float64())
	set := func(at float64) {
		r.in[atFz] = 6000
		if !constant {
			r.in[atFz] = max(0, min(12000, 6000+12000*load.at(at)))
		}
		slide := speed * along.at(at)
		r.in[atVEx], r.in[atVPy] = slide, speed*across.at(at)
		r.in[atVExs], r.in[atVPxs], r.in[atOmega] = rolling+slide, rolling+slide, rolling/r.in[atReff]
	}
	power := func() float64 { return -r.out[0]*r.in[atVEx] - r.out[1]*r.in[atVPy] } // Fx w_x - Fy w_y
	const h = 1e-4
	taken, exchanged, highest := 0.0, 0.0, 0.0
	set(0)
	r.Eval(r.in, r.out)
	before := power()
	for k := range 15000 {
		at := float64(k) * h
		set(at)
		r.step(h, func() { set(at + h) })
		set(at + h)
		r.Eval(r.in, r.out)
		now := power()
		taken += h / 2 * (before + now)
		exchanged += h / 2 * (math.Abs(before) + math.Abs(now))
		before = now
		lost := taken - (r.in[atP1]*r.in[atP1]+r.in[atP2]*r.in[atP2])/2
		highest = max(highest, lost)
		given, beyond = max(given, -taken), max(beyond, highest-lost)
	}
	return given / exchanged, beyond / exchanged
}

// pacejkaWithoutOffsets is the tire of the generic vehicle with neither shifts nor camber.
func pacejkaWithoutOffsets(t testing.TB) func() *rollingTire {
	t.Helper()
	values := parameters(t, "Pacejka02", "../resources/tires/pacejka2002.toml")
	for i, p := range pacejka02.Parameters {
		switch p.Name {
		case "PHx1", "PHx2", "PVx1", "PVx2", "PHy1", "PHy2", "PHy3", "PVy1", "PVy2", "PVy3", "PVy4", "RHx1", "RVy1", "RVy2",
			"RVy3", "RVy6", "RHy1", "RHy2", "RBy3":
			values[i] = 0
		}
	}
	lengths := parameters(t, "StretchedString", "../resources/tires/stretched_string.toml")
	return func() *rollingTire {
		f, err := pacejka02.New(values)
		if err != nil {
			t.Fatal(err)
		}
		return newRollingTire(t, f, &pacejka02, &stretchedString, lengths)
	}
}

func parameters(t testing.TB, function, file string) []float64 {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	p, err := ReadFile(data, file, ReadOptions{Function: function})
	if err != nil {
		t.Fatal(err)
	}
	return p.Values
}

// A locked wheel that slides less than 0.7 of the largest deflection is a spring: du/dt = w.
func TestLockedCarcassIsASpring(t *testing.T) {
	r := parabolic(t)
	r.in[atVEx], r.in[atVExs], r.in[atVPxs], r.in[atVPy] = 0.01, 0.01, 0.01, -0.02
	steps := 1000 // 22 mm of 39.7
	for range steps {
		r.step(1e-3, func() {})
	}
	r.Eval(r.in, r.out)
	if math.Abs(r.out[outU1]+0.01) > 1e-12 || math.Abs(r.out[outU2]+0.02) > 1e-12 {
		t.Errorf("deflections of %.15g and %.15g m after -0.01 and -0.02 m", r.out[outU1], r.out[outU2])
	}
	force := r.out[0]
	r.in[atVEx], r.in[atVExs], r.in[atVPxs], r.in[atVPy] = 0, 0, 0, 0
	for range 60000 {
		r.step(1e-3, func() {})
	}
	r.Eval(r.in, r.out)
	if lost := (force - r.out[0]) / 137.5e3; math.Abs(lost) > 2e-6 {
		t.Errorf("held for a minute it lets go by %g mm", 1e3*lost)
	}
}

// In the air a deflection decays at once, and there is no force.
func TestCarcassInTheAir(t *testing.T) {
	r := parabolic(t)
	r.in[atP1], r.in[atP2], r.in[atFz] = 5, -3, 0
	for range 16 { // 8 tau
		r.step(1e-3, func() {})
		if r.out[0] != 0 || r.out[1] != 0 {
			t.Fatalf("forces %v in the air", r.out[:5])
		}
	}
	if math.Abs(r.in[atP1]) > 5e-3 || math.Abs(r.in[atP2]) > 3e-3 {
		t.Errorf("after 8 tau p = %g, %g", r.in[atP1], r.in[atP2])
	}
}

// The Jacobian of a carcass agrees with difference quotients wherever all functions are smooth.
func TestCarcassJacobian(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for name, make0 := range map[string]func() *rollingTire{"brush": func() *rollingTire { return parabolic(t) },
		"Magic Formula": pacejkaWithoutOffsets(t), "kinematic slip": func() *rollingTire { return standingTire(t) },
	} {
		for _, lying := range []bool{false, true} {
			r := make0()
			n, m := len(r.Inputs()), len(r.out)
			up, down := make([]float64, m), make([]float64, m)
			jac, want := make([]float64, m*n), make([]float64, m*n)
			checked := 0
			for range 300 {
				for i := range r.in {
					r.in[i] = random.NormFloat64()
				}
				r.in[atFz] = 3000 + 3000*random.Float64()
				r.in[atGamma] = 0.2 + 1.2*random.Float64()
				if r.in[atUpright] = 1; lying {
					r.in[atUpright] = random.Float64()
				} else {
					r.in[atGamma] *= 0.1
				}
				r.in[atMu], r.in[atDamping], r.in[atLowSpeed], r.in[atStep], r.in[atAxial] = 0.8, 0.2, 1, 1e-3, 1.5
				r.in[atVExs] *= 5
				if r.RelaxationKind == nil {
					r.in[atVExs] = 0.5 + 0.6*random.Float64() // where the slips are blended
					r.in[atAxial] = 0.2                       // a light wheel: the relaxation length grows
				}
				r.in[atVPxs] = r.in[atVExs]
				r.in[atOmega], r.in[atReff] = 0.9*r.in[atVExs]/0.35, 0.35
				r.in[atP1], r.in[atP2] = 5*random.NormFloat64(), 5*random.NormFloat64()
				r.Jacobian(r.in, jac)
				Differences(r, r.in, want, up, down)
				r.differencesByStep(want, up, down)
				for k := range jac {
					if !lying && k%n == atUpright {
						continue // it is at its end
					}
					size := 0.0 // of the row
					for a := range n {
						size = max(size, math.Abs(want[k/n*n+a]))
					}
					if checked++; math.Abs(jac[k]-want[k]) > 1e-4*(1e-3+math.Abs(want[k]))+1e-5*size {
						t.Errorf("%s, lying %v: result %d by %s is %g, by differences %g", name, lying, k/n, r.Inputs()[k%n], jac[k],
							want[k])
					}
				}
			}
		}
	}
}

// From 1 m/s on, of the wheel or of its spin, the velocities determine the kinematic slip, to the last bit. Below 0.5
// m/s the deflection determines the slip.
func TestKinematicSlipHasACarcassAtStandstill(t *testing.T) {
	r := standingTire(t)
	n := len(parabolicKind.Outputs)
	for _, c := range []struct {
		travel, spin float64 // m/s
		kinematic    float64 // share
	}{{1, 0, 1}, {-3, 0, 1}, {0, 1, 1}, {0, -30, 1}, {0.5, 0.5, 0}, {0, 0, 0}, {-0.75, 0, 0.5}, {0.2, -0.75, 0.5}} {
		r.in[atVExs], r.in[atVPxs], r.in[atOmega] = c.travel, c.travel, c.spin/r.in[atReff]
		r.in[atP1], r.in[atP2] = 2, -1
		var s, alpha [2]float64
		for k := range s {
			r.in[atKinematicS], r.in[atKinematicAlpha] = 0.123456789*float64(k), -0.0987654321*float64(k)
			r.Eval(r.in, r.out)
			s[k], alpha[k] = r.out[n], r.out[n+1]
		}
		if c.kinematic == 1 && (s[1] != 0.123456789 || alpha[1] != -0.0987654321) {
			t.Errorf("%+v: slips %g, %g", c, s[1], alpha[1])
		}
		gotS, gotAlpha := (s[1]-s[0])/0.123456789, (alpha[1]-alpha[0])/-0.0987654321
		if math.Abs(gotS-c.kinematic) > 1e-12 || math.Abs(gotAlpha-c.kinematic) > 1e-12 {
			t.Errorf("%+v: shares %g, %g of the slips of the velocities", c, gotS, gotAlpha)
		}
	}
}

// The relaxation length of a standing tire grows if the step does not follow its wheel. At 0.05 m a wheel of 1.5 kg m2
// turns at 366 rad/s on its carcass, a wheel of 0.3 kg m2 at 734 rad/s; a step of 1 ms follows 500 rad/s.
func TestStandingTiresFollowTheStep(t *testing.T) {
	r := standingTire(t)
	for _, c := range []struct{ inertia, step, length float64 }{
		{1.5, 1e-3, 0.05}, {0.3, 1e-3, 4 * 1.1e5 * 1e-6 * 0.35 * 0.35 / 0.3},
		{1.5, 2e-3, 16 * 1.1e5 * 1e-6 * 0.35 * 0.35 / 1.5}, {0, 1e-3, 0.05},
	} {
		r.in[atAxial], r.in[atStep] = c.inertia, c.step
		h := r.evalHold(r.in)
		for _, length := range h[holdLength:][:2] {
			if math.Abs(length-c.length) > 1e-12 {
				t.Errorf("%+v: relaxation length %g m", c, length)
			}
		}
		if noted := strings.Contains(strings.Join(r.Notes(r.in), "\n"), "relaxation length"); noted != (c.length > 0.05) {
			t.Errorf("%+v: noted %v", c, noted)
		}
	}
}

// differencesByStep replaces the column of the step by differences that are small beside it.
func (r *rollingTire) differencesByStep(want, up, down []float64) {
	const h = 1e-9
	n := len(r.in)
	at := r.in[atStep]
	r.in[atStep] = at + h
	r.Eval(r.in, up)
	r.in[atStep] = at - h
	r.Eval(r.in, down)
	r.in[atStep] = at
	for o := range up {
		want[o*n+atStep] = (up[o] - down[o]) / (2 * h)
	}
}

// Whatever the arguments are, results and derivatives are finite.
func FuzzCarcass(f *testing.F) {
	for i := range uint64(50) { // arbitrary seeds of a generator
		f.Add(i, uint64(2))
	}
	f.Fuzz(func(t *testing.T, a, b uint64) {
		random := rand.New(rand.NewPCG(a, b))
		values := []float64{0, 1, -1, 1e-300, -1e-300, 1e-12, 1e300, -1e300, 1e6, 5000, 1e-3, math.Copysign(0, -1), 0.02}
		for _, made := range []func() *rollingTire{func() *rollingTire { return parabolic(t) }, pacejkaWithoutOffsets(t)} {
			r := made()
			r.law.euler = random.IntN(2) == 0
			jac := make([]float64, len(r.in)*len(r.out))
			for range 200 {
				for i := range r.in {
					if r.in[i] = values[random.IntN(len(values))]; random.IntN(3) == 0 {
						r.in[i] = random.NormFloat64()
					}
				}
				r.Eval(r.in, r.out)
				r.Jacobian(r.in, jac)
				for _, list := range [][]float64{r.out, jac} {
					for k, v := range list {
						if v-v != 0 {
							t.Fatalf("%v gives %v at %d", r.in, v, k)
						}
					}
				}
			}
		}
	})
}

// Forward Euler needs damping at all speeds: the slip uses the deflection one step later, by the slide of the step.
func TestForwardEulerIsDampedByTheSlideOfAStep(t *testing.T) {
	r := parabolic(t)
	r.roll(20, 0.3, -0.05)
	euler, err := NewCarcass(CarcassParts{Force: r.Force, Relaxation: r.Relaxation, ForceKind: r.ForceKind,
		RelaxationKind: r.RelaxationKind, Euler: true}, r.setting)
	if err != nil {
		t.Fatal(err)
	}
	got := make([]float64, len(r.out))
	euler.Eval(r.in, got)
	h := r.evalHold(r.in)
	for i, slide := range [...]float64{-r.in[atVEx], r.in[atVPy]} {
		r.in[atP1+i] += r.in[atStep] * math.Sqrt(h[holdStiffness+i]/h[holdLength+i]) * slide
	}
	r.Eval(r.in, r.out)
	for i := range 2 {
		if slip, want := got[5+i], r.out[5+i]; !(math.Abs(want) > 1e-4) || math.Abs(slip-want) > 1e-12 {
			t.Errorf("slip %d is %g, want %g", i, slip, want)
		}
	}
}

// Evaluations allocate nothing.
func TestCarcassAllocatesNothing(t *testing.T) {
	r := pacejkaWithoutOffsets(t)()
	r.roll(10, 0.3, -0.05)
	jac := make([]float64, len(r.in)*len(r.out))
	if n := testing.AllocsPerRun(100, func() { r.Eval(r.in, r.out); r.Jacobian(r.in, jac) }); n > 0 {
		t.Errorf("%g allocations", n)
	}
}

// What a carcass asks for does not change beyond the bounds of its arguments.
func TestGripsEndAtTheirBounds(t *testing.T) {
	brush := parabolic(t).holding
	jac := make([]float64, gripResults*gripInputs)
	brush.Jacobian([]float64{4000, 0.02, 1}, jac)
	if jac[2*gripInputs] == 0 || jac[2*gripInputs+2] == 0 {
		t.Fatalf("slopes %g within the bounds", jac)
	}
	for k, x := range []float64{2 * crushing, 2, -1} {
		in := []float64{4000, 0.02, 1}
		in[k] = x
		brush.Jacobian(in, jac)
		for r := range gripResults {
			if d := jac[r*gripInputs+k]; d != 0 {
				t.Errorf("argument %d is %g: slope %g of result %d", k, x, d, r)
			}
		}
	}
}

// brushes are parabolic brushes that are evaluated together.
type brushes struct {
	members []parabolicBrush
	in, out [][]float64
	calls   int
}

func (g *brushes) Argument(k, a int) *float64 { return &g.in[k][a] }
func (g *brushes) Result(k, r int) *float64   { return &g.out[k][r] }
func (g *brushes) Eval() {
	g.calls++
	for k := range g.members {
		g.members[k].Eval(g.in[k], g.out[k])
		g.out[k][len(g.out[k])-1] = g.in[k][0] // the load, of functions that find it themselves
	}
}

type memberBrush struct {
	parabolicBrush
	group *brushes
	index int
}

func (m memberBrush) Member() (Group, int) { return m.group, m.index }

// bearingBrush finds its load itself.
type bearingBrush struct{ memberBrush }

func (bearingBrush) ReturnsNormalForce() {}
func (b bearingBrush) Eval(in, out []float64) {
	b.parabolicBrush.Eval(in, out)
	out[5] = in[0]
}

// Carcasses around functions that are called together are called together, once, and give what they give alone. The
// load of functions that find it themselves is the last result.
func TestCarcassesAroundGroups(t *testing.T) {
	for _, bears := range []bool{false, true} {
		g := &brushes{}
		var carcasses []*Carcass
		for k := range 3 {
			brush := parabolicBrush{1e5 + 1e4*float64(k), 1 - 0.1*float64(k)}
			g.members = append(g.members, brush)
			g.in, g.out = append(g.in, make([]float64, 4)), append(g.out, make([]float64, 6))
			member := memberBrush{brush, g, k}
			force := Function(member)
			if bears {
				force = bearingBrush{member}
			}
			carcasses = append(carcasses, newRollingTire(t, force, &parabolicKind, &constantLength, []float64{0.8, 0.8}).Carcass)
		}
		joined := GroupCarcasses(carcasses)
		g.calls = 0
		in := newRollingTire(t, g.members[0], &parabolicKind, &constantLength, []float64{0.8, 0.8}).in
		var group Group
		for k, f := range joined {
			if _, own := f.(NormalForceSource); own != bears {
				t.Errorf("a carcass says that it finds the load itself: %v, want %v", own, bears)
			}
			var index int
			if group, index = f.(Grouped).Member(); index != k {
				t.Fatalf("carcass %d is at %d", k, index)
			}
			in[atP1], in[atP2], in[atVPy] = 3+float64(k), -2, 0.1*float64(k)
			for a, x := range in {
				*group.Argument(k, a) = x
			}
		}
		group.Eval()
		if g.calls != 1 {
			t.Errorf("the functions were called %d times", g.calls)
		}
		for k, c := range carcasses {
			in[atP1], in[atP2], in[atVPy] = 3+float64(k), -2, 0.1*float64(k)
			want := make([]float64, 5+len(carcassResults)+1)
			c.Eval(in, want)
			if !bears {
				want = want[:len(want)-1]
			}
			for r, x := range want {
				if got := *group.Result(k, r); got != x {
					t.Errorf("carcass %d, result %d: %g, alone %g", k, r, got, x)
				}
			}
		}
	}
	alone := newRollingTire(t, bearingBrush{memberBrush{parabolicBrush{1e5, 1}, &brushes{}, 0}}, &parabolicKind,
		&constantLength, []float64{0.8, 0.8})
	alone.Force = bearingAlone{parabolicBrush{1e5, 1}}
	if _, own := GroupCarcasses([]*Carcass{alone.Carcass})[0].(NormalForceSource); !own {
		t.Error("a carcass that is called alone does not say that it finds the load itself")
	}
}

// bearingAlone belongs to no group.
type bearingAlone struct{ parabolicBrush }

func (bearingAlone) ReturnsNormalForce() {}
