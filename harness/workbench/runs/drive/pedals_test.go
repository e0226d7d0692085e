package drive

import (
	"math"
	"slices"
	"strings"
	"testing"

	"skidpad/harness/library"
	"skidpad/harness/workbench/runs/cruise"
	"skidpad/harness/workbench/runs/manoeuvre"
	"skidpad/harness/workbench/runs/signal"
	"skidpad/model/roles"
)

// straight is a car with v' = gain u - decay v - brake/mass, stepped exactly.
type straight struct {
	reading
	gain, decay, mass float64
	fastest           float64 // start of a run; 0 for any
	rated             bool
	together          int // steps with both pedals
	resets            int
}

func newStraight(gain float64) *straight {
	return &straight{gain: gain, decay: 0.04, mass: 500, reading: reading{listener{
		inputs: []string{"throttle", "front.torque", "rear.torque", "rest", "body.vx"},
		values: map[string]float64{}, rates: map[string]float64{}}}}
}

func (s *straight) TakesRates() bool { return s.rated }

func (s *straight) Find(name string) (library.Variable, error) {
	v, err := s.reading.Find(name)
	if v.Causality = library.Input; name == "body.vx" {
		v.Causality = library.Output
	}
	return v, err
}

func (s *straight) SetNamed(name string, value float64) error {
	s.values[name] = value
	return nil
}

func (s *straight) SetText(string, string) error { return nil }

func (s *straight) Initialise() error {
	if v := s.values; s.fastest > 0 {
		v["body.vx"] = min(v["body.vx"], s.fastest)
	}
	return nil
}

func (s *straight) Outputs() []string { return nil }

func (s *straight) Reset() error {
	clear(s.values)
	s.resets++
	return nil
}

func (s *straight) Step(h float64) error {
	v := s.values
	brake := v["front.torque"] + v["rear.torque"]
	if v["throttle"] != 0 && brake != 0 {
		s.together++
	}
	steady := (s.gain*v["throttle"] - math.Copysign(brake/s.mass, v["body.vx"])) / s.decay
	v["body.vx"] = steady + (v["body.vx"]-steady)*math.Exp(-s.decay*h)
	return nil
}

// jumps is a manoeuvre that jumps from one speed to another and back.
func jumps(from, to, gain float64) *manoeuvre.Manoeuvre {
	m := &manoeuvre.Manoeuvre{Name: "jumps", Step: 0.001, Duration: 32, EndAt: []manoeuvre.EndCondition{},
		Start: []manoeuvre.StartValue{{Variable: "body.vx", Value: from}},
		SpeedControl: &manoeuvre.SpeedControl{Variable: "body.vx", Torques: []string{"throttle"},
			Proportional: math.Copysign(2, gain), Integral: math.Copysign(2, gain), Limit: 1},
		Pedals: &manoeuvre.Pedals{Slowest: min(from, to), Fastest: max(from, to), Open: 1, Frequency: 1, Damping: 1,
			Deceleration: 4, Brakes: []roles.Set{{Inputs: []string{"front.torque"}, Factor: 300},
				{Inputs: []string{"rear.torque"}, Factor: 200}}}}
	for _, p := range []struct{ duration, speed float64 }{{2, from}, {18, to}, {12, from}} {
		m.Phases = append(m.Phases, manoeuvre.Phase{Name: "hold", Duration: p.duration, Speed: signal.Constant(p.speed)})
	}
	return m
}

// The throttle and the brakes hold a speed with the gain of the vehicle, which is found by steps of the throttle; in a
// reverse gear, too. The vehicle is reset after each short run. A step of 1 m/s has the closed form of the double pole
// at -1/s; a large one brakes by 4 m/s2, and both pedals are never used together.
func TestPedalsFindTheGainOfAVehicle(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ gain, from, to float64 }{{2.5, 20, 30}, {4, 20, 21}, {-0.8, -1, -5}, {-3, -2, -3}} {
		s := newStraight(c.gain)
		m := jumps(c.from, c.to, c.gain)
		l, err := AdaptPedals(s, Plan{Manoeuvre: m})
		if err != nil {
			t.Fatal(err)
		}
		if len(l.Plants) != 5 || s.resets != 10 || len(s.values) != 0 {
			t.Fatalf("%d speeds, %d resets, left: %v", len(l.Plants), s.resets, s.values)
		}
		for i, p := range l.Plants {
			want := cruise.Plant{Speed: m.Pedals.Slowest + float64(i)/4*(m.Pedals.Fastest-m.Pedals.Slowest), Gain: c.gain}
			want.Decay, want.Steady = s.decay, s.decay*want.Speed/c.gain
			if math.Abs(p.Speed-want.Speed) > 1e-3 || math.Abs(p.Gain/want.Gain-1) > 1e-3 ||
				math.Abs(p.Decay-want.Decay) > 0.003 || math.Abs(p.Steady-want.Steady) > 1e-3 {
				t.Errorf("the vehicle is %+v; want %+v", p, want)
			}
		}
		result, err := Simulate(s, Plan{Manoeuvre: m, Record: []string{"body.vx"}})
		if err != nil || result.Verdict != "" {
			t.Fatal(err, result.Verdict)
		}
		v, size, way := result.Trace.Column("body.vx"), math.Abs(c.to-c.from), math.Copysign(1, c.to-c.from)
		over, off, braked := 0.0, 0.0, 0.0
		for i, at := range result.Trace.Time {
			if at <= 20 {
				over = max(over, way*(v[i]-c.to))
			}
			if e := c.to - v[i]; at > 2 && at <= 10 && size == 1 {
				off = max(off, math.Abs(way*e-(3-at)*math.Exp(2-at)))
			}
			front, rear := result.Inputs.Column("front.torque")[i], result.Inputs.Column("rear.torque")[i]
			if braked = max(braked, front); math.Abs(2*front-3*rear) > 1e-9 || front < 0 {
				t.Fatalf("at %g s the brakes have %g and %g N.m", at, front, rear)
			}
		}
		if size == 1 && (off > 0.02 || math.Abs(over-math.Exp(-2)) > 0.02*math.Exp(-2)) {
			t.Errorf("from %g to %g m/s: %g m/s off the closed form, overshoot %g m/s", c.from, c.to, off, over)
		}
		if size > 1 && (over > 0.2 || math.Abs(braked-4*300) > 1e-9) {
			t.Errorf("from %g to %g m/s: overshoot %g m/s, braked by %g N.m", c.from, c.to, over, braked)
		}
		if end := v[len(v)-1]; math.Abs(end-c.from) > 1e-3 || s.together > 0 {
			t.Errorf("from %g to %g m/s: %g m/s at the end, %d steps with both pedals", c.from, c.to, end, s.together)
		}
	}
}

// A vehicle without brakes rolls out; a phase without a speed leaves the pedals where they are.
func TestPedalsWithoutBrakes(t *testing.T) {
	t.Parallel()
	s := newStraight(2.5)
	m := jumps(10, 15, 2.5)
	m.Pedals.Brakes, m.Phases[2].Speed = nil, nil
	law, err := AdaptPedals(s, Plan{Manoeuvre: m})
	if err != nil {
		t.Fatal(err)
	}
	result, err := Simulate(s, Plan{Manoeuvre: m, Pedals: law, Record: []string{"body.vx"}})
	if err != nil || s.resets != 10 {
		t.Fatalf("%v, %d resets with a law that is known", err, s.resets)
	}
	throttle := result.Inputs.Column("throttle")
	n := len(throttle) - 1
	if math.Abs(throttle[n]-s.decay*15/s.gain) > 1e-4 || throttle[n] != throttle[n-10000] {
		t.Errorf("the throttle is %g at the end, and was %g", throttle[n], throttle[n-10000])
	}
	m = jumps(15, 10, 2.5)
	m.Pedals.Brakes, m.Pedals.Closed = nil, -0.2
	if result, err = Simulate(newStraight(2.5), Plan{Manoeuvre: m, Record: []string{"body.vx"}}); err != nil {
		t.Fatal(err)
	}
	const drag = 0.2 * 2.5 / 0.04 // m/s, of the closed throttle
	v := result.Trace.Column("body.vx")
	if want := (15+drag)*math.Exp(-2*s.decay) - drag; math.Abs(v[4000]-want) > 1e-3 {
		t.Errorf("2 s after the jump the speed is %g m/s; want that of rolling, %g m/s", v[4000], want)
	}
	if least := slices.Min(v[:20000]); least < 9.92 {
		t.Errorf("the speed falls to %g m/s; want 10 m/s", least)
	}
}

// A signal that was a ramp leaves no rate on the pedals that hold a speed after it.
func TestPedalsHaveNoRates(t *testing.T) {
	t.Parallel()
	s := newStraight(2.5)
	s.rated = true
	m := jumps(10, 12, 2.5)
	ramp := signal.PiecewiseLinear{Time: []float64{0, 4}, Value: []float64{0, 1}}
	m.Phases[0].Speed = nil
	m.Phases[0].Inputs = []manoeuvre.InputSignal{{Variables: []string{"throttle", "front.torque"}, Signal: ramp}}
	result, err := Simulate(s, Plan{Manoeuvre: m, Record: []string{"body.vx"}})
	if err != nil {
		t.Fatal(err)
	}
	if s.rates["throttle"] != 0 || s.rates["front.torque"] != 0 || result.Inputs.Column("throttle")[1999] < 0.49 {
		t.Errorf("at the end the rates are %v", s.rates)
	}
}

// An error names the speed at which a vehicle does not answer its throttle.
func TestPedalsNeedAVehicleThatAnswers(t *testing.T) {
	t.Parallel()
	for text, change := range map[string]func(s *straight, m *manoeuvre.Manoeuvre){
		"at 20 m/s: the vehicle does not answer the throttle": func(s *straight, _ *manoeuvre.Manoeuvre) {
			s.gain, s.decay = 0, 1e-9
		},
		"at 20 m/s: the throttle is at 1 of at most 1, so": func(s *straight, _ *manoeuvre.Manoeuvre) { s.decay = 2 },
		"reaches 15.73 m/s where 25 m/s are wanted; change": func(s *straight, m *manoeuvre.Manoeuvre) {
			s.fastest, m.SpeedControl.Proportional, m.SpeedControl.Integral = 20, 0, 0
		},
		"at 20 m/s: too slow": func(s *straight, m *manoeuvre.Manoeuvre) {
			law, _ := signal.ParseLaw("body.vx", nil)
			m.Stops = []manoeuvre.Stop{{Verdict: "too slow", When: &manoeuvre.Condition{Law: law, Kind: manoeuvre.Below,
				Bound: 25}}}
		},
		"at 20 m/s: no variable body.vz": func(_ *straight, m *manoeuvre.Manoeuvre) {
			m.SpeedControl.Variable = "body.vz"
		},
	} {
		s, m := newStraight(2.5), jumps(20, 40, 2.5)
		change(s, m)
		if _, err := AdaptPedals(s, Plan{Manoeuvre: m}); err == nil || !strings.Contains(err.Error(), text) {
			t.Errorf("%q is not in: %v", text, err)
		}
	}
	m := jumps(20, 30, 2.5)
	if _, err := AdaptPedals(toy(), Plan{Manoeuvre: m}); err == nil || !strings.Contains(err.Error(), "can be reset") {
		t.Errorf("a vehicle that cannot be reset: %v", err)
	}
	if _, err := newInputDriver(newStraight(2.5), m, nil); err == nil || !strings.Contains(err.Error(), "sweep do") {
		t.Errorf("pedals that do not know the vehicle: %v", err)
	}
	m.Pedals.Brakes[1].Inputs[0] = "nothing"
	if _, err := Simulate(newStraight(2.5), Plan{Manoeuvre: m}); err == nil || !strings.Contains(err.Error(), "nothing") {
		t.Errorf("brakes that the vehicle does not have: %v", err)
	}
	m.Pedals.Brakes[1].Inputs[0] = "rear.torque"
	m.Phases[1].Inputs = []manoeuvre.InputSignal{{Variables: []string{"rear.torque"}, Signal: signal.Constant(1)}}
	if _, err := Simulate(newStraight(2.5), Plan{Manoeuvre: m}); err == nil ||
		!strings.Contains(err.Error(), "rear.torque") {
		t.Errorf("brakes that are driven twice: %v", err)
	}
}
