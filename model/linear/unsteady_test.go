package linear_test

import (
	"errors"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"skidpad/model/bounded"
	"skidpad/model/linear"
	"skidpad/model/vehicle"
)

// unsteady is the error of a vehicle with values, and with inputs that are free.
func unsteady(t *testing.T, l *linear.Model, values map[string]float64, free ...string) string {
	t.Helper()
	for name, value := range values {
		if err := l.Set(name, value); err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range free {
		if err := l.Free(name); err != nil {
			t.Fatal(err)
		}
	}
	_, err := l.At()
	if err == nil {
		t.Fatalf("%v: there is a steady state", values)
	}
	return err.Error()
}

// says reports a required part that a text lacks, or a forbidden part that it has.
func says(t *testing.T, text string, has []string, lacks ...string) {
	t.Helper()
	for _, part := range has {
		if !strings.Contains(text, part) {
			t.Errorf("%q lacks %q", text, part)
		}
	}
	for _, part := range lacks {
		if strings.Contains(text, part) {
			t.Errorf("%q has %q", text, part)
		}
	}
}

// A car that nothing drives slows down: the engine can hold its speed, the brakes cannot. With full throttle it gains
// speed, which the engine and the brakes can end. The remedies named in a message lead to a steady state, with the
// physically correct sign.
func TestUnheldSpeedIsExplained(t *testing.T) {
	l := read(t, "passenger_car")
	says(t, unsteady(t, l, map[string]float64{"body.vx": 20}), []string{"holds body.vx", "(engine.throttle)"}, "brakes")

	l = read(t, "passenger_car")
	says(t, unsteady(t, l, map[string]float64{"body.vx": 20, "engine.throttle": 1}),
		[]string{"holds body.vx", "(brakes.torque started above 0, engine.throttle started below 1)"})
	says(t, unsteady(t, l, nil, "brakes.torque"), []string{"brakes.torque, which is free, is 0", "within its range"})
	if err := l.Set("brakes.torque", 100); err != nil {
		t.Fatal(err)
	}
	s, err := l.At()
	if err != nil {
		t.Fatal(err)
	}
	if torque := s.U[slices.Index(s.Inputs, "brakes.torque")]; torque <= 0 {
		t.Errorf("the brakes hold the car with %g N.m", torque)
	}

	// steering has an effect of first order on the speed where toe and inclination are, but would need half a radian
	says(t, unsteady(t, read(t, "generic4w"), map[string]float64{"body.vx": 20}),
		[]string{"holds body.vx", "drive_RL.torque"}, "steer_", "brake_", "tire_", "road.")
}

// With open throttle a car reaches its top speed: it has a steady state a little below that speed and none above.
func TestASaturatedInput(t *testing.T) {
	text := unsteady(t, read(t, "passenger_car"), map[string]float64{"body.vx": 100}, "engine.throttle")
	says(t, text, []string{"engine.throttle, which is free", "saturated"})
	found := regexp.MustCompile(`own start up to body\.vx = ([\d.]+), and none beyond`).FindStringSubmatch(text)
	if found == nil {
		t.Fatalf("%q does not say how fast the car gets", text)
	}
	top, err := strconv.ParseFloat(found[1], 64)
	if err != nil {
		t.Fatal(err)
	}
	for by, steady := range map[float64]bool{-0.5: true, 0.5: false} {
		l := read(t, "passenger_car")
		if err := errors.Join(l.Free("engine.throttle"), l.Set("body.vx", top+by)); err != nil {
			t.Fatal(err)
		}
		s, err := l.At()
		if (err == nil) != steady {
			t.Errorf("at %g m/s, the end of the search at %g: %v", top+by, top, err)
			continue
		}
		if steady {
			if open := s.U[slices.Index(s.Inputs, "engine.throttle")]; open < 0.9 || open > 1 {
				t.Errorf("at %g m/s the throttle is %g", top+by, open)
			}
		}
	}
}

func TestNoTireOnTheRoad(t *testing.T) {
	for _, z := range []float64{1.2, 3} {
		says(t, unsteady(t, read(t, "generic4w"), map[string]float64{"body.z": z}),
			[]string{"near the start", "no tire is on the road"}, "drive")
	}
	// the tires bear the car here, and something else is the reason
	says(t, unsteady(t, read(t, "generic4w"), map[string]float64{"body.vx": 20}), nil, "no tire")
}

// sliders is a mass that slides along z on ground, with a spring; a second mass slides on the first, and a third on
// ground. Forces act on the first and on the third.
const sliders = `name = "Sliders"
[component.first]
type = "rigid-body"
mass = 2
inertia = { axial = 1, transverse = 1, axis = "z" }
[component.second]
type = "rigid-body"
mass = 3
inertia = { axial = 1, transverse = 1, axis = "z" }
[component.third]
type = "rigid-body"
mass = 4
inertia = { axial = 1, transverse = 1, axis = "z" }
[component.guide]
type = "prismatic"
from = "ground"
to = "first"
axis = "z"
[component.upper]
type = "prismatic"
from = "first"
to = "second"
axis = "z"
[component.lower]
type = "prismatic"
from = "ground"
to = "third"
axis = "z"
[component.push]
type = "force-driver"
from = "ground"
to = "first"
axis = "z"
[component.lift]
type = "force-driver"
from = "ground"
to = "third"
axis = "z"
[component.spring]
type = "spring-damper"
joint = "guide"
stiffness = 1000
damping = 10
`

// A body that nothing holds falls. A force that holds one of two falling bodies is no remedy; a force on the last
// falling body is.
func TestLooseBodiesAreExplained(t *testing.T) {
	spring := func(joint string) string {
		return "[component.spring_" + joint + `]
type = "spring-damper"
joint = "` + joint +
			`"
stiffness = 500
damping = 5
`
	}
	made := func(more ...string) *linear.Model {
		m, err := vehicle.Parse([]byte(sliders+strings.Join(more, "")), "sliders.toml", bounded.Kind.Read)
		if err != nil {
			t.Fatal(err)
		}
		l, err := linear.New(m, "")
		if err != nil {
			t.Fatal(err)
		}
		return l
	}
	says(t, unsteady(t, made(), nil), []string{"lower.s_dot, and no input does", "is loose"}, "free an input", "are held")
	says(t, unsteady(t, made(spring("lower")), nil), []string{"upper.s_dot, and no input does"}, "free an input")
	says(t, unsteady(t, made(spring("upper")), nil), []string{"holds lower.s_dot: free an input that can (lift.force)"},
		"push")
	l := made(spring("upper"))
	if err := l.Free("lift.force"); err != nil {
		t.Fatal(err)
	}
	s, err := l.At()
	if err != nil {
		t.Fatal(err)
	}
	if force := s.U[slices.Index(s.Inputs, "lift.force")]; math.Abs(force-4*9.81) > 0.1 {
		t.Errorf("4 kg are held by %g N", force)
	}
}

// A rod that is held at an angle would swing, and hangs where it is not held.
func TestHeldStateIsExplained(t *testing.T) {
	says(t, unsteady(t, read(t, "pendulum"), map[string]float64{"joint.phi": 1}),
		[]string{"holds joint.omega", "do not hold joint.phi"}, "free an input")
	says(t, unsteady(t, read(t, "point_pendulum"), map[string]float64{"mass_1.z": 0}),
		[]string{"holds mass_1.vz", "are held: mass_1.z"})
}
