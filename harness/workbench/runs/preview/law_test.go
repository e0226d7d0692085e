package preview

import (
	"math"
	"math/cmplx"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"
)

func near(t *testing.T, what string, got, want, within float64) {
	t.Helper()
	if !(math.Abs(got-want) <= within*math.Abs(want)) {
		t.Errorf("%s is %.9g; want %.9g", what, got, want)
	}
}

// A body that a force k u moves to the side: F = (1, eta) and G = k eta^2/2, so that the integrals are
// k T^3/6, k T^4/8 and k^2 T^5/20.
func TestTheLawOfADoubleIntegrator(t *testing.T) {
	for _, c := range []struct{ k, preview float64 }{{3, 1.2}, {-0.7, 0.5}, {120, 2}} {
		m := Motion{mat.NewDense(2, 2, []float64{0, 1, 0, 0}), []float64{0, c.k}, []float64{1, 0}}
		l, err := NewLaw(m, c.preview)
		if err != nil {
			t.Fatal(err)
		}
		near(t, "the gain of the position", l.State[0], 10/(3*c.k*c.preview*c.preview), 1e-7)
		near(t, "the gain of the speed", l.State[1], 5/(2*c.k*c.preview), 1e-7)
		modes, err := l.Modes(m, 0, 0)
		if err != nil {
			t.Fatal(err)
		}
		near(t, "the natural frequency", cmplx.Abs(modes[0]), math.Sqrt(10.0/3)/c.preview, 1e-6)
		damping, err := l.SlowDamping(m, 0, 0)
		if err != nil {
			t.Fatal(err)
		}
		near(t, "the damping", damping, 1.25/math.Sqrt(10.0/3), 1e-6) // 0.6847
		// a target that is 1 m aside everywhere is answered as a vehicle 1 m to the other side
		target := make([]float64, Places)
		for i := range target {
			target[i] = 1
		}
		near(t, "the steering to a line 1 m aside", l.Steer(target, []float64{0, 0}, make([]float64, Places), 0),
			l.State[0], 1e-12)
		// a steering that rises evenly moves the body by k eta^3/6, which the law answers by 5/18 T
		steering, moved, sum := make([]float64, Places), make([]float64, Places), 0.0
		for i := range steering {
			at := l.Ahead(i)
			steering[i], moved[i] = 0.2+at, c.k*(0.1*at*at+at*at*at/6)
			sum += l.Known[i] * at
		}
		near(t, "what the law makes of a rising steering", sum, c.preview*5/18, 1e-3)
		near(t, "the steering along a path that is known", l.Steer(moved, []float64{0, 0}, steering, steering[10]),
			steering[10], 1e-3)
		near(t, "the time of the last place", l.Ahead(Places-1), c.preview, 1e-15)
	}
}

// neutral is a single track with the same cornering stiffness by load in front and behind, u the road-wheel angle.
func neutral(speed float64) *Vehicle {
	const m, inertia, a, b, g, c = 1093.2952, 1791.6, 1.1562, 1.42272, 9.81, 21.92
	front, rear := c*m*g*b/(a+b), c*m*g*a/(a+b)
	return &Vehicle{Speed: speed, Steer: [2]float64{front / m, a * front / inertia}, Self: [2][2]float64{
		{-(front + rear) / (m * speed), -speed - (a*front-b*rear)/(m*speed)},
		{-(a*front - b*rear) / (inertia * speed), -(a*a*front + b*b*rear) / (inertia * speed)}}}
}

// Gains and slow eigenvalues of a neutral single track with a preview of 1.2 s. The numbers are integrals by the rule
// of Gauss with 60 places and series of the exponential, in another program.
func TestTheLawOfASingleTrack(t *testing.T) {
	for _, c := range []struct {
		speed float64
		gains [4]float64
		slow  complex128
	}{
		{20, [4]float64{0.01801883, 0.32965243, 0.00167212, 0.02437998}, -1.11786634 + 1.24263646i},
		{30, [4]float64{0.00983454, 0.27440087, 0.00136315, 0.02691221}, -1.19614464 + 1.41027691i},
	} {
		m := neutral(c.speed).Motion()
		l, err := NewLaw(m, 1.2)
		if err != nil {
			t.Fatal(err)
		}
		for i, want := range c.gains {
			near(t, "a gain", l.State[i], want, 1e-5)
		}
		modes, err := l.Modes(m, 0, 0)
		if err != nil {
			t.Fatal(err)
		}
		nearest := math.Inf(1)
		for _, p := range modes {
			nearest = min(nearest, cmplx.Abs(p-c.slow))
		}
		if nearest > 1e-5 {
			t.Errorf("at %g m/s the nearest eigenvalue is %g from %v", c.speed, nearest, c.slow)
		}
	}
}

// On a circle the expected motion comes to rest on the circle itself: what it does without steering and what the
// steering adds are the circle, at every time ahead. Delay and lag change nothing of that.
func TestThereIsNoOffsetOnACircle(t *testing.T) {
	const radius, h = 100.0, 0.001
	for _, hands := range []Hands{{}, {Delay: 0.1, Lag: 0.05}} {
		v := neutral(20)
		l, err := NewLaw(v.Motion(), 1.5)
		if err != nil {
			t.Fatal(err)
		}
		var wheel Turning
		wheel.Take(hands, 0, h)
		var y, psi, vy, r float64 // about a line that is straight
		target, known := make([]float64, Places), make([]float64, Places)
		for i := range known {
			known[i] = 0.7 // of a curvature that does not change, which makes no difference
		}
		offset := 0.0
		for n := range 30_000 {
			at := func(ahead float64) float64 { // the circle, by its curvature over the way
				way := v.Speed * (float64(n)*h + ahead)
				return way * way / (2 * radius)
			}
			offset = at(0) - y
			for i := range target {
				ahead := l.Ahead(i)
				target[i] = at(ahead) - y - psi*v.Speed*ahead
			}
			wheel.Turn(l.Steer(target, []float64{0, 0, vy, r}, known, 0.7), h)
			u := wheel.Angle
			const parts = 10
			for range parts {
				dv := v.Self[0][0]*vy + v.Self[0][1]*r + v.Steer[0]*u
				dr := v.Self[1][0]*vy + v.Self[1][1]*r + v.Steer[1]*u
				y, psi = y+(v.Speed*psi+vy)*h/parts+v.Speed*r*h*h/parts/parts/2, psi+r*h/parts
				vy, r = vy+dv*h/parts, r+dr*h/parts
			}
		}
		if math.Abs(offset) > 1e-6*radius {
			t.Errorf("with %+v the offset is %g m", hands, offset)
		}
		near(t, "the yaw rate", r, v.Speed/radius, 1e-6)
	}
}

// The preview that a driver chooses damps by 0.6, and a shorter one damps less. Later hands need a longer one.
func TestTheDriverChoosesHisPreview(t *testing.T) {
	before := 0.0
	for _, hands := range []Hands{{}, {Lag: 0.1}, {Delay: 0.15, Lag: 0.1}} {
		m := neutral(25).Motion()
		l, damping, err := Adapted(m, hands.Delay, hands.Lag)
		if err != nil {
			t.Fatal(err)
		}
		if l.Preview <= before || damping < 0.6 {
			t.Errorf("with %+v the preview is %g s and the damping %g; before it was %g s", hands, l.Preview, damping, before)
		}
		if l.Preview > 0.4 {
			near(t, "the damping", damping, 0.6, 1e-3)
			shorter, err := NewLaw(m, 0.9*l.Preview)
			if err != nil {
				t.Fatal(err)
			}
			if less, err := shorter.SlowDamping(m, hands.Delay, hands.Lag); err != nil || less >= 0.6 {
				t.Errorf("with 0.9 of the preview the damping is %g, %v", less, err)
			}
		}
		before = l.Preview - 1e-9
	}
	// a double integrator with a delay d: the slow pair follows the exact p^2 + k (c1 p + c0) exp(-p d) = 0
	const k, d = 2.0, 0.12
	m := Motion{mat.NewDense(2, 2, []float64{0, 1, 0, 0}), []float64{0, k}, []float64{1, 0}}
	l, err := NewLaw(m, 1.5)
	if err != nil {
		t.Fatal(err)
	}
	const lag = 0.08
	modes, err := l.Modes(m, d, lag)
	if err != nil {
		t.Fatal(err)
	}
	slow := complex(0, 0)
	for _, p := range modes {
		if imag(p) > 0 && (slow == 0 || cmplx.Abs(p) < cmplx.Abs(slow)) {
			slow = p
		}
	}
	left := slow * slow
	right := -complex(k, 0) * (complex(l.State[1], 0)*slow + complex(l.State[0], 0)) * cmplx.Exp(-slow*d) / (1 + slow*lag)
	if cmplx.Abs(left-right) > 1e-4*cmplx.Abs(left) {
		t.Errorf("the slow eigenvalue %v is not one of the equations: %v and %v", slow, left, right)
	}
}

// Hands without limits follow at once; the others have their delay, lag, rate and angle.
func TestHandsHaveLimits(t *testing.T) {
	const h = 0.01
	run := func(hands Hands, wanted float64, steps int) (w Turning) {
		w.Take(hands, 0, h)
		for range steps {
			w.Turn(wanted, h)
		}
		return w
	}
	for _, c := range []struct {
		what   string
		hands  Hands
		wanted float64
		steps  int
		want   float64
	}{
		{"without limits", Hands{}, 2, 1, 2},
		{"before the delay is over", Hands{Delay: 0.15}, 2, 15, 0},
		{"behind the delay", Hands{Delay: 0.15}, 2, 16, 2},
		{"a lag after its time", Hands{Lag: 0.1}, 2, 10, 2 * (1 - math.Exp(-1))},
		{"at the largest rate", Hands{Rate: 3}, -2, 20, -0.6},
		{"at the stop", Hands{Angle: 1.5}, -2, 20, -1.5},
	} {
		if w := run(c.hands, c.wanted, c.steps); math.Abs(w.Angle-c.want) > 1e-12 {
			t.Errorf("%s the steering wheel is at %g rad; want %g", c.what, w.Angle, c.want)
		}
	}
	var w Turning
	w.Take(Hands{Delay: 0.02}, 0.7, h)
	if rate := w.Turn(0, h); rate != 0 || w.Angle != 0.7 {
		t.Errorf("a wheel that is taken at 0.7 rad is at %g rad, and turns by %g rad/s", w.Angle, rate)
	}
}

// What cannot be steered, and a preview of nothing, are errors.
func TestMotionsWithoutALaw(t *testing.T) {
	m := neutral(20).Motion()
	if _, err := NewLaw(m, 0); err == nil || !strings.Contains(err.Error(), "a preview of 0 s") {
		t.Errorf("a preview of 0 s: %v", err)
	}
	m.B = make([]float64, 4)
	if _, err := NewLaw(m, 1); err == nil {
		t.Error("a vehicle that does not steer is no error")
	}
	if _, _, err := Adapted(m, 0, 0); err == nil {
		t.Error("a vehicle that does not steer has a preview")
	}
}
