package drive

import (
	"math"
	"strings"
	"testing"

	"skidpad/harness/library"
	"skidpad/harness/tests/testrun"
	"skidpad/harness/workbench/runs/manoeuvre"
	"skidpad/harness/workbench/runs/preview"
	"skidpad/harness/workbench/runs/signal"
)

// singleTrack is a car with two wheels whose side forces are F = mu N tanh(c alpha/mu) for the load N of the axle. It
// keeps its speed.
type singleTrack struct {
	reading
	vy, r           float64
	frontMu, rearMu float64
	resets          int
}

const (
	trackMass, trackInertia     = 1093.2952, 1791.6
	trackFront, trackRear       = 1.1562, 1.42272 // m
	trackC                      = 21.92           // 1/rad
	trackRatio                  = 16.0
	trackFrontMu, trackRearMu   = 0.8, 1.0
	trackLength, trackMostFront = trackFront + trackRear, trackFrontMu * 9.81
)

func newSingleTrack() *singleTrack {
	s := &singleTrack{reading: reading{listener{inputs: []string{"steer.angle", "steer.rate", "steer.acceleration",
		"throttle", "body.x", "body.y", "body.yaw", "body.vx", "body.vy", "body.wz"}, values: map[string]float64{},
		rates: map[string]float64{}}}, frontMu: trackFrontMu, rearMu: trackRearMu}
	return s
}

func (s *singleTrack) TakesRates() bool { return false }

func (s *singleTrack) Find(name string) (library.Variable, error) {
	v, err := s.reading.Find(name)
	if v.Causality = library.Input; strings.HasPrefix(name, "body.") {
		v.Causality = library.Output
	}
	return v, err
}

func (s *singleTrack) SetNamed(name string, value float64) error {
	s.values[name] = value
	return nil
}

func (s *singleTrack) SetText(string, string) error { return nil }
func (s *singleTrack) Initialise() error            { return nil }
func (s *singleTrack) Outputs() []string            { return nil }

func (s *singleTrack) Reset() error {
	clear(s.values)
	s.vy, s.r = 0, 0
	s.resets++
	return nil
}

func (s *singleTrack) Step(h float64) error {
	const g, parts = 9.81, 4
	v := s.values
	for range parts {
		speed := v["body.vx"]
		force := func(mu, load, alpha float64) float64 { return mu * load * math.Tanh(trackC*alpha/mu) }
		front := force(s.frontMu, trackMass*g*trackRear/trackLength,
			v["steer.angle"]-(s.vy+trackFront*s.r)/speed)
		rear := force(s.rearMu, trackMass*g*trackFront/trackLength, -(s.vy-trackRear*s.r)/speed)
		dt := h / parts
		sin, cos := math.Sincos(v["body.yaw"])
		v["body.x"] += dt * (speed*cos - s.vy*sin)
		v["body.y"] += dt * (speed*sin + s.vy*cos)
		v["body.yaw"] += dt * s.r
		s.vy, s.r = s.vy+dt*((front+rear)/trackMass-speed*s.r), s.r+dt*(trackFront*front-trackRear*rear)/trackInertia
	}
	v["body.vy"], v["body.wz"] = s.vy, s.r
	return nil
}

// onPath is a manoeuvre of the single track along a path at a speed.
func onPath(path *manoeuvre.Path, speed, duration float64, d manoeuvre.Driver) *manoeuvre.Manoeuvre {
	d.Body, d.Slowest, d.Fastest, d.Factor = "body", 10, 40, 1
	return &manoeuvre.Manoeuvre{Name: "path", Step: 0.001, Duration: duration, EndAt: []manoeuvre.EndCondition{},
		Start:        []manoeuvre.StartValue{{Variable: "body.vx", Value: speed}},
		Steering:     &manoeuvre.Steering{Drivers: []string{"steer"}, Ratio: trackRatio},
		SpeedControl: &manoeuvre.SpeedControl{Variable: "body.vx", Torques: []string{"throttle"}, Limit: 1, Least: -1},
		Driver:       &d,
		Phases:       []manoeuvre.Phase{{Name: "path", Duration: duration, Path: path, Speed: signal.Constant(speed)}}}
}

// A driver gets to know a single track by pulses of its steering wheel as its equations say, and its steady curve up to
// the limit of the front axle: more = ratio (mu_f/c artanh(a/(mu_f g)) - mu_r/c artanh(a/(mu_r g))).
func TestADriverGetsToKnowAVehicle(t *testing.T) {
	testrun.Slow(t)
	t.Parallel()
	s := newSingleTrack()
	d, err := Adapt(s, Plan{Manoeuvre: onPath(nil, 20, 1, manoeuvre.Driver{Lag: 0.1})})
	if err != nil {
		t.Fatal(err)
	}
	if len(d.Vehicles) != 8 || math.Abs(d.Vehicles[0].Speed-10) > 1e-9 || math.Abs(d.Vehicles[7].Speed-40) > 1e-9 {
		t.Fatalf("speeds of %+v", d.Vehicles)
	}
	const g = 9.81
	front, rear := trackC*trackMass*g*trackRear/trackLength, trackC*trackMass*g*trackFront/trackLength
	for _, v := range d.Vehicles {
		for _, c := range []struct{ got, want, within float64 }{ // motions above 2 Hz are not seen well
			{v.Self[0][0], -(front + rear) / (trackMass * v.Speed), 0.05},
			{v.Self[0][1], -v.Speed, 0.03},
			{v.Self[1][1], -(trackFront*trackFront*front + trackRear*trackRear*rear) / (trackInertia * v.Speed), 0.05},
			{v.Steer[0], front / trackMass / trackRatio, 0.05},
			{v.Steer[1], trackFront * front / trackInertia / trackRatio, 0.05},
			{v.Lateral(), v.Speed * v.Speed / trackLength / trackRatio, 0.01},
			{real(v.At(0)[0]), (trackRear - trackMass*v.Speed*v.Speed*trackFront/(trackLength*rear)) / trackLength *
				v.Speed / trackRatio, 0.01},
		} {
			if math.Abs(c.got-c.want) > c.within*math.Abs(c.want) {
				t.Errorf("at %g m/s a number of the vehicle is %g; want %g, of %+v", v.Speed, c.got, c.want, v)
			}
		}
	}
	if largest := d.Limit.Largest(); largest > trackMostFront || largest < 0.97*trackMostFront {
		t.Errorf("the largest lateral acceleration is %g m/s2; want %g", largest, trackMostFront)
	}
	for i, a := range d.Limit.Lateral {
		if a < 1 || a > 0.9*trackMostFront {
			continue
		}
		more := func(a float64) float64 {
			return trackRatio / trackC * (trackFrontMu*math.Atanh(a/(trackFrontMu*g)) - math.Atanh(a/g))
		}
		if want := more(a) - more(1); math.Abs(d.Limit.More[i]-want) > 0.02+0.1*want {
			t.Errorf("at %g m/s2 the steering wheel turns by %g rad more; want %g", a, d.Limit.More[i], want)
		}
	}
	if len(s.values) != 0 {
		t.Errorf("the vehicle is not as it was loaded: %v", s.values)
	}
	if d.Previews[0] < 0.4 || d.Previews[7] <= d.Previews[0] {
		t.Errorf("previews of %v s", d.Previews)
	}
}

// On a circle with 2 m/s2 the driver, who has adapted by himself, stays on the path within 1e-4 of its radius, to both
// sides and with the limits of a person; on a straight path he comes back from an offset.
func TestTheDriverWhoAdaptsFollowsPaths(t *testing.T) {
	testrun.Slow(t)
	t.Parallel()
	person := manoeuvre.Driver{Delay: 0.15, Lag: 0.1, Rate: 14, Angle: 9}
	var knows *preview.Driver
	for _, c := range []struct {
		path   *manoeuvre.Path
		driver manoeuvre.Driver
	}{{manoeuvre.Circle(200, 0), manoeuvre.Driver{}}, {manoeuvre.Circle(-200, 0), person},
		{manoeuvre.Circle(200, 0), manoeuvre.Driver{Nonlinear: true}}} {
		const speed, duration = 20, 15
		s := newSingleTrack()
		m := onPath(c.path, speed, duration, c.driver)
		if knows == nil {
			var err error
			if knows, err = Adapt(s, Plan{Manoeuvre: m}); err != nil {
				t.Fatal(err)
			}
		}
		of, err := preview.NewDriver(knows.Vehicles, knows.Limit, hands(&c.driver))
		if err != nil {
			t.Fatal(err)
		}
		result, err := Simulate(s, Plan{Manoeuvre: m, Driver: of, Record: []string{"body.x", "body.y", "body.wz"}})
		if err != nil || result.Verdict != "" {
			t.Fatal(err, result.Verdict)
		}
		n := len(result.Trace.Time) - 1
		x, y := result.Trace.Column("body.x")[n], result.Trace.Column("body.y")[n]
		radius := 200.0
		if c.path.Y[1] < 0 {
			radius = -radius
		}
		if off := math.Hypot(x, y-radius) - 200; math.Abs(off) > 0.02 {
			t.Errorf("with %+v the car is %g m beside the circle", c.driver, off)
		}
	}
}

// A car with less grip at the rear axle turns in at the largest steady steering angle. At 25 m/s,
// length/v^2 + (1/(1 - (a/(mu_f g))^2) - 1/(1 - (a/(mu_r g))^2))/(c g) = 0 for a = 6.09 m/s2. The larger yaw rate
// after that does not count as the limit.
func TestTheLimitOfACarThatTurnsIn(t *testing.T) {
	t.Parallel()
	s := newSingleTrack()
	s.frontMu, s.rearMu = trackRearMu, trackFrontMu
	d, err := Adapt(s, Plan{Manoeuvre: onPath(nil, 20, 1, manoeuvre.Driver{})})
	if err != nil {
		t.Fatal(err)
	}
	if got := d.Limit.Largest(); got < 6.09 || got > 1.15*6.09 {
		t.Errorf("the largest lateral acceleration is %g m/s2; want some 6.09", got)
	}
}

// The driver knows the curvature ahead. On a wave of 0.8 m the car stays within 0.05 m of the path; without this
// knowledge the same preview would round the wave by 0.1 m.
func TestTheDriverKnowsTheCurvatureAhead(t *testing.T) {
	testrun.Slow(t)
	t.Parallel()
	const speed, wave, height = 20, 60.0, 0.4
	at := func(x float64) float64 { return height * (1 - math.Cos(2*math.Pi*max(x-20, 0)/wave)) }
	path := &manoeuvre.Path{StraightAhead: true}
	for x := 0.0; x <= 400; x++ {
		path.X, path.Y = append(path.X, x), append(path.Y, at(x))
	}
	s := newSingleTrack()
	knows, err := Adapt(s, Plan{Manoeuvre: onPath(path, speed, 8, manoeuvre.Driver{})})
	if err != nil {
		t.Fatal(err)
	}
	for i := range knows.Previews {
		knows.Previews[i] = 1
	}
	for _, lag := range []float64{0, 0.1} {
		if err := s.Reset(); err != nil {
			t.Fatal(err)
		}
		m := onPath(path, speed, 8, manoeuvre.Driver{Lag: lag})
		result, err := Simulate(s, Plan{Manoeuvre: m, Driver: knows, Record: []string{"body.x", "body.y"}})
		if err != nil || result.Verdict != "" {
			t.Fatal(err, result.Verdict)
		}
		off := 0.0
		y := result.Trace.Column("body.y")
		for i, x := range result.Trace.Column("body.x") {
			off = max(off, math.Abs(y[i]-at(x)))
		}
		if off > 0.05 {
			t.Errorf("with a lag of %g s the car is %g m beside the path", lag, off)
		}
	}
}

// A driver looks beyond the end of a path, and one who has not adapted cannot drive.
func TestTheDriverNeedsAPathAndAVehicle(t *testing.T) {
	t.Parallel()
	s := newSingleTrack()
	m := onPath(&manoeuvre.Path{X: []float64{0, 100}, Y: []float64{0, 0}}, 20, 20, manoeuvre.Driver{})
	knows, err := preview.NewDriver([]preview.Vehicle{{Speed: 20, Self: [2][2]float64{{-10, -20}, {0, -10}},
		Steer: [2]float64{5, 5}}}, preview.Limit{}, preview.Hands{})
	if err != nil {
		t.Fatal(err)
	}
	result, err := Simulate(s, Plan{Manoeuvre: m, Driver: knows, Record: []string{"body.x"}})
	if err != nil || !strings.Contains(result.Verdict, "looked beyond the end of the path") {
		t.Errorf("verdict %q, %v", result.Verdict, err)
	}
	n := len(result.Trace.Time) - 1
	if x := result.Trace.Column("body.x")[n]; math.Abs(x+20*knows.Previews[0]-100) > 0.1 {
		t.Errorf("the run ends at %g m, with a preview of %g m", x, 20*knows.Previews[0])
	}
	if _, err := newInputDriver(newSingleTrack(), m, nil); err == nil || !strings.Contains(err.Error(), "adapts") {
		t.Errorf("a driver who has not adapted: %v", err)
	}
	if _, err := Adapt(toy(), Plan{Manoeuvre: m}); err == nil || !strings.Contains(err.Error(), "can be reset") {
		t.Errorf("a vehicle that cannot be reset: %v", err)
	}
	deaf := newSingleTrack()
	deaf.inputs[9], deaf.inputs[8] = "body.r", "body.wz" // no yaw rate is seen
	m.Start[0].Value = 0.001
	if _, err := Adapt(deaf, Plan{Manoeuvre: m}); err == nil {
		t.Error("a vehicle without body.vy is no error")
	}
}
