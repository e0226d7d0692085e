package lap

import (
	"math"
	"strings"
	"testing"
)

// point is a point with a friction circle.
type point struct {
	mu       float64
	force    float64 // largest acceleration by the drive [m/s2]; 0 for the friction alone
	power    float64 // by the mass [W/kg]; 0 for none
	drag     float64 // by the square of the speed [1/m]
	down     float64 // downforce by the square of the speed [1/m]
	fastest  float64
	straight bool // the drive is limited by force and power alone
}

func (p point) grip(v, normal float64) float64 { return p.mu * (normal + p.down*v*v) }

func (p point) Lateral(v, normal float64) float64 { return p.grip(v, normal) }

func (p point) Longitudinal(v, lateral, normal float64) (least, most float64) {
	most = math.Sqrt(max(0, math.Pow(p.grip(v, normal), 2)-lateral*lateral))
	least = -most
	if p.straight {
		most = math.Inf(1)
	}
	if p.force > 0 {
		most = min(most, p.force)
	}
	if p.power > 0 {
		most = min(most, p.power/v)
	}
	return least, most
}

func (p point) Drag(v float64) float64 { return p.drag * v * v }
func (p point) Fastest() float64       { return p.fastest }

// track is a track of pieces with constant curvatures: lengths and curvatures.
func track(step float64, closed bool, pieces ...[2]float64) *Track {
	t := &Track{Closed: closed, S: []float64{0}, Curvature: []float64{pieces[0][1]}}
	for k, p := range pieces {
		n := int(math.Ceil(p[0] / step))
		begin := t.S[len(t.S)-1]
		if k > 0 { // the curvature jumps
			t.S, t.Curvature = append(t.S, begin+1e-9), append(t.Curvature, p[1])
		}
		for i := 1; i <= n; i++ {
			t.S, t.Curvature = append(t.S, begin+p[0]*float64(i)/float64(n)), append(t.Curvature, p[1])
		}
	}
	return t
}

func solve(t *testing.T, v Vehicle, of *Track, start float64) *Lap {
	t.Helper()
	l, err := Solve(v, of, start)
	if err != nil {
		t.Fatal(err)
	}
	return l
}

func near(t *testing.T, what string, got, want, tolerance float64) {
	t.Helper()
	if !(math.Abs(got-want) <= tolerance) {
		t.Errorf("%s is %.9g; want %.9g within %.2g", what, got, want, tolerance)
	}
}

// From standstill with a constant force v^2 = 2 a s and t = sqrt(2 s/a), without an error of the step.
func TestAConstantForce(t *testing.T) {
	for _, slope := range []float64{0, 0.05, -0.05} {
		of := track(10, false, [2]float64{500, 0})
		of.Slope = make([]float64, len(of.S))
		for i := range of.Slope {
			of.Slope[i] = slope
		}
		l := solve(t, point{mu: 1, force: 4, fastest: 100}, of, 0)
		a := 4 - Gravity*math.Sin(slope)
		near(t, "the speed", l.Points[len(l.Points)-1].Speed, math.Sqrt(2*a*500), 1e-9)
		near(t, "the time", l.Time(), math.Sqrt(2*500/a), 1e-9)
		near(t, "the potential energy", l.Energy.Potential, Gravity*500*math.Sin(slope), 1e-9)
		near(t, "the work", l.Energy.Drive, 4*500, 1e-9)
	}
}

// With a constant power v^3 = v0^3 + 3 P s.
func TestAConstantPower(t *testing.T) {
	l := solve(t, point{mu: 10, power: 100, fastest: 200}, track(1, false, [2]float64{1000, 0}), 10)
	end := math.Cbrt(1000 + 3*100*1000)
	near(t, "the speed", l.Points[len(l.Points)-1].Speed, end, 1e-5*end)
	near(t, "the time", l.Time(), (end*end-100)/(2*100), 1e-3) // P = v dv/dt
}

// With a constant force and drag v = V tanh(a t/V) and s = V^2/a ln cosh(a t/V), V^2 = a/c. The error of the step is of
// second order, and that of the time from standstill of the order 1.5.
func TestDragAndTheOrderOfTheStep(t *testing.T) {
	const a, c, length = 5.0, 0.002, 600.0
	v := math.Sqrt(a / c)
	want := v / a * math.Acosh(math.Exp(length*a/v/v))
	var off []float64
	for _, step := range []float64{20, 10, 5} {
		l := solve(t, point{mu: 1, force: a, drag: c, fastest: 100}, track(step, false, [2]float64{length, 0}), 0)
		off = append(off, math.Abs(l.Points[len(l.Points)-1].Speed-v*math.Tanh(a*want/v)))
		near(t, "the time", l.Time(), want, 3e-5*math.Pow(step, 1.5)*want)
	}
	for i := 1; i < len(off); i++ {
		if order := math.Log2(off[i-1] / off[i]); math.Abs(order-2) > 0.1 {
			t.Errorf("the order of the speed is %.3g, errors %v; want 2", order, off)
		}
	}
}

// On a circle v^2 = g r (mu + tan b)/(1 - mu tan b) with the outer side higher by b, to both sides.
func TestACircle(t *testing.T) {
	const r, mu = 50.0, 0.8
	for _, bank := range []float64{0, 0.2, -0.2} {
		for _, side := range []float64{1, -1} {
			of := track(1, true, [2]float64{2 * math.Pi * r, side / r})
			of.Bank = make([]float64, len(of.S))
			for i := range of.Bank {
				of.Bank[i] = -side * bank
			}
			l := solve(t, point{mu: mu, fastest: 100}, of, 0)
			want := math.Sqrt(Gravity * r * (mu + math.Tan(bank)) / (1 - mu*math.Tan(bank)))
			near(t, "the time", l.Time(), 2*math.Pi*r/want, 1e-9)
			p := l.Points[10]
			near(t, "the lateral acceleration", p.Lateral, side*want*want/r, 1e-9)
			near(t, "the longitudinal acceleration", p.Longitudinal, 0, 1e-9)
		}
	}
}

// With drag the friction circle holds both the bend and the drag: (v^2/r)^2 + (c v^2)^2 = (mu (g + d v^2))^2.
func TestACircleWithAir(t *testing.T) {
	const r, mu, c, d = 100.0, 1.2, 0.004, 0.003
	l := solve(t, point{mu: mu, drag: c, down: d, fastest: 100}, track(2, true, [2]float64{2 * math.Pi * r, 1 / r}), 0)
	want := mu * Gravity / (math.Sqrt(1/r/r+c*c) - mu*d)
	near(t, "the speed", l.Points[7].Speed, math.Sqrt(want), 1e-6)
	near(t, "the tires", l.Points[7].Tires, c*want, 1e-6)
	e := l.Energy
	near(t, "the energy", e.Drive-e.Brake-e.Drag-e.Kinetic-e.Potential, 0, 1e-9)
}

// stadium are two circles and the straight lines that touch them.
func stadium(step, r1, r2, apart float64) (*Track, float64) {
	straight := math.Sqrt(apart*apart - (r1-r2)*(r1-r2))
	turn := 2 * math.Asin((r1-r2)/apart)
	return track(step, true, [2]float64{straight, 0}, [2]float64{(math.Pi + turn) * r1, 1 / r1},
		[2]float64{straight, 0}, [2]float64{(math.Pi - turn) * r2, 1 / r2}), turn
}

// stadiumTime is the lap time for a friction circle. The speed is sqrt(mu g r) on each circle. On a straight line the
// speed rises and falls with mu g between the speeds of the circles.
func stadiumTime(mu, r1, r2, apart float64) float64 {
	_, turn := stadium(apart, r1, r2, apart)
	a := mu * Gravity
	v1, v2 := math.Sqrt(a*r1), math.Sqrt(a*r2)
	straight := math.Sqrt(apart*apart - (r1-r2)*(r1-r2))
	top := math.Sqrt((v1*v1+v2*v2)/2 + a*straight)
	return (math.Pi+turn)*r1/v1 + (math.Pi-turn)*r2/v2 + 2*(2*top-v1-v2)/a
}

// The lap of two circles with straight lines is that of the closed form, and ten times finer tracks change it by less
// than 0.1 %.
func TestTwoCirclesWithStraightLines(t *testing.T) {
	const mu, r1, r2, apart = 1.1, 60.0, 25.0, 220.0
	want := stadiumTime(mu, r1, r2, apart)
	var times []float64
	for _, step := range []float64{5, 0.5} {
		of, _ := stadium(step, r1, r2, apart)
		l := solve(t, point{mu: mu, fastest: 200}, of, 0)
		times = append(times, l.Time())
		near(t, "the lap time", l.Time(), want, 1e-4*step*want)
		for _, p := range l.Points {
			if p.Speed > p.Limit*(1+1e-12) || math.Hypot(p.Tires, p.Lateral) > mu*Gravity*(1+1e-6) &&
				math.Abs(p.Tires) > mu*Gravity*(1+1e-9) {
				t.Fatalf("beyond the friction circle: %+v", p)
			}
		}
		near(t, "the gain of kinetic energy", l.Energy.Kinetic, 0, 1e-9)
		near(t, "drive and brakes", l.Energy.Drive-l.Energy.Brake, 0, 1e-6*l.Energy.Drive)
		begin, end := l.Points[0], l.Points[len(l.Points)-1]
		near(t, "the speed at the end", end.Speed, begin.Speed, 1e-12)
	}
	near(t, "the change by a finer track", times[0]/times[1], 1, 1e-3)
}

// bends is a smooth closed track, its curvature by a sum of sines, with slopes, banks and all forces.
func bends(step float64) *Track {
	const length = 1200.0
	n := int(math.Round(length / step))
	t := &Track{Closed: true}
	for i := range n + 1 {
		s := length * float64(i) / float64(n)
		x := 2 * math.Pi * s / length
		t.S = append(t.S, s)
		t.Curvature = append(t.Curvature, 0.006+0.02*math.Sin(2*x)+0.012*math.Sin(5*x))
		t.Bank = append(t.Bank, -0.05*math.Sin(2*x))
		t.Slope = append(t.Slope, 0.04*math.Cos(3*x))
	}
	return t
}

var racer = point{mu: 1.3, power: 250, drag: 0.003, down: 0.004, fastest: 90}

// Ten times finer tracks change the lap by less than 0.1 %, also with everything at once.
func TestFinerTracks(t *testing.T) {
	coarse, fine := solve(t, racer, bends(2), 0), solve(t, racer, bends(0.2), 0)
	near(t, "the change by a finer track", coarse.Time()/fine.Time(), 1, 1e-3)
}

// A closed lap is the same from wherever it begins. Where the first and the last point have different curvatures, the
// lower limit counts for both.
func TestWhereAClosedLapBegins(t *testing.T) {
	rotated := func(at int, last float64) *Lap {
		of := &Track{Closed: true}
		const n = 400
		for i := range n + 1 {
			k := (i + at) % n
			bend := 0.0
			if k < 150 {
				bend = 0.03
			}
			if i == n {
				bend = last
			}
			of.S, of.Curvature = append(of.S, 2*float64(i)), append(of.Curvature, bend)
		}
		return solve(t, racer, of, 0)
	}
	begin, other := rotated(0, 0.03), rotated(100, 0.03)
	near(t, "the lap time", begin.Time(), other.Time(), 1e-6)
	for i, p := range other.Points {
		at := begin.Points[(i+100)%400]
		near(t, "the speed", p.Speed, at.Speed, 1e-4)
		near(t, "the limit", p.Limit, at.Limit, 1e-9)
		near(t, "the acceleration", p.Longitudinal, at.Longitudinal, 1e-3)
		if t.Failed() {
			t.Fatalf("at point %d", i)
		}
	}
	for _, l := range []*Lap{rotated(0, 0), rotated(150, 0.03)} {
		first, last := l.Points[0], l.Points[400]
		near(t, "the limit at both ends", last.Limit, first.Limit, 0)
		near(t, "the speed at the end", last.Speed, first.Speed, 0)
		near(t, "the acceleration at the end", last.Longitudinal, first.Longitudinal, 0)
		near(t, "the limit", first.Limit, begin.Points[0].Limit, 0)
	}
}

// The work of the tires, summed from the laws of the vehicle along the lap, is the change of the kinetic and of the
// potential energy and the work against the drag, to 1e-6. In most steps the tires drive
// or brake at their limit. Few steps change from driving to braking, or are along the limit of cornering.
func TestTheEnergyOfALap(t *testing.T) {
	of := bends(0.5)
	s := solver{vehicle: racer, track: of}
	if err := s.limits(); err != nil {
		t.Fatal(err)
	}
	l := solve(t, racer, of, 0)
	e := l.Energy
	near(t, "the balance", e.Drive-e.Brake-e.Drag-e.Kinetic-e.Potential, 0, 1e-6*e.Drive)
	near(t, "the gain of kinetic energy", e.Kinetic, 0, 1e-9)
	near(t, "the gain of potential energy", e.Potential, 0, 1e-6)
	total, driven, braked, between := 0.0, 0, 0, 0
	for i := 1; i < len(l.Points); i++ {
		a, b := l.Points[i-1], l.Points[i]
		h := b.S - a.S
		gain := (b.Speed*b.Speed - a.Speed*a.Speed) / 2
		mean := func(way int) float64 {
			return h / 2 * (s.slope(i-1, a.Speed*a.Speed/2, way) + s.slope(i, b.Speed*b.Speed/2, way))
		}
		drive, brake := mean(1), mean(-1)
		switch {
		case math.Abs(gain-drive) < 1e-7:
			driven++
			total += drive
		case math.Abs(gain-brake) < 1e-7:
			braked++
			total += brake
		case gain > drive || gain < brake:
			t.Fatalf("at %g m the energy changes by %g J/kg, where the tires allow %g to %g", a.S, gain, brake, drive)
		default:
			between++
			total += gain
		}
	}
	near(t, "the work", total, 0, 1e-6*e.Drive)
	if driven < 400 || braked < 400 || between > (driven+braked)/4 {
		t.Errorf("%d steps at the limit of driving, %d of braking, %d between", driven, braked, between)
	}
}

// On a crest the road falls away, and in a dip it presses: v^2/r changes the normal acceleration.
func TestACrestAndADip(t *testing.T) {
	of := track(1, false, [2]float64{20, 0.02})
	of.Slope = make([]float64, len(of.S))
	for _, rise := range []float64{-0.004, 0.004} {
		for i, s := range of.S {
			of.Slope[i] = rise * (s - 10)
		}
		l := solve(t, point{mu: 1, fastest: 100}, of, 1)
		near(t, "the limit", l.Points[10].Limit, math.Sqrt(Gravity/(0.02-rise)), 1e-6)
	}
	for i, s := range of.S { // a straight crest, over which the vehicle would jump
		of.Curvature[i], of.Slope[i] = 0, -0.02*(s-10)
	}
	l := solve(t, point{mu: 1, fastest: 100}, of, 1)
	near(t, "the limit of a crest", l.Points[10].Limit, math.Sqrt(Gravity/0.02), 1e-6)
}

func TestLapsThatAreRefused(t *testing.T) {
	up := func(of *Track, slope float64) *Track {
		of.Slope = make([]float64, len(of.S))
		for i := range of.S {
			of.Slope[i] = slope
		}
		return of
	}
	bank := func(of *Track, angle float64) *Track {
		of.Bank = make([]float64, len(of.S))
		for i := range of.S {
			of.Bank[i] = angle
		}
		return of
	}
	line := func() *Track { return track(1, false, [2]float64{100, 0}) }
	for _, c := range []struct {
		track *Track
		start float64
		want  string
	}{
		{&Track{S: []float64{0, 1}, Curvature: []float64{0, 0}}, 0, "has 2 points; it needs 3 or more"},
		{&Track{S: []float64{0, 1, 1}, Curvature: []float64{0, 0, 0}}, 0, "distance of point 2 is 1 m; it must be above"},
		{&Track{S: []float64{0, 1, 2}, Curvature: []float64{0, 0}}, 0, "different lengths"},
		{&Track{S: []float64{0, 1, 2}, Curvature: []float64{0, math.NaN(), 0}}, 0, "point 1 of the track, at 1 m"},
		{line(), -1, "start speed is -1 m/s; it must be from 0 to 100 m/s"},
		{line(), 101, "start speed is 101 m/s; it must be from 0 to 100 m/s"},
		{track(1, false, [2]float64{9, 0.1}), 20, "the start speed is 20 m/s, and the first bend allows 9.9"},
		{track(1, false, [2]float64{9, 0}, [2]float64{9, 0.1}), 40, "the brakes do not reach the speed of the first bend"},
		{up(line(), 0.5), 10, "the vehicle stops: it does not climb the slope of 54.6 %"},
		{up(track(1, false, [2]float64{90, 0}, [2]float64{9, 0.1}), -1), 5, "the brakes do not hold the vehicle"},
		{bank(line(), 1), 10, "no speed up to 100 m/s holds the vehicle on a road with a bank of 57.3 deg"},
	} {
		_, err := Solve(point{mu: 1, force: 4, fastest: 100}, c.track, c.start)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q: %v", c.want, err)
		}
	}
}
