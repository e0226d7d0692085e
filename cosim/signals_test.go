package cosim_test

import (
	"bytes"
	"math"
	"os"
	"strings"
	"testing"

	"skidpad/cosim"
	"skidpad/model/bounded"
	"skidpad/model/vehicle"
)

// motorLoop is a motor of 0.5 Ohm, 1 mH and 0.1 V s against a load of 0.5 N m, with a PI controller of its speed.
const motorLoop = `name = "MotorLoop"
gravity = 0
[parameters]
wish = { value = 50, unit = "rad/s" }
[component.rotor]
type = "rigid-body"
mass = 1
inertia = { axial = 0.01, transverse = 0.01, axis = "y" }
[component.shaft]
type = "revolute"
from = "ground"
to = "rotor"
axis = "y"
torque = "input"
[component.winding]
type = "equations"
inputs = [{ name = "voltage", unit = "V" }, { name = "load", unit = "N.m", value = 0.5 }]
states = [{ name = "current", unit = "A", rate = "(voltage - 0.5*current - 0.1*shaft.omega)/0.001" }]
outputs = [{ name = "torque", unit = "N.m", value = "0.1*current - 0.001*shaft.omega - load", to = ["shaft.torque"] }]
[component.control]
type = "equations"
inputs = [{ name = "speed", unit = "rad/s", from = "shaft.omega" }, { name = "clock", unit = "s", from = "time" }]
states = [{ name = "z", unit = "rad", rate = "wish - speed" }]
outputs = [
  { name = "voltage", unit = "V", value = "0.5*(wish - speed) + 5*z", to = ["winding.voltage"] },
  { name = "twice", unit = "s", value = "clock + time" },
]
`

// ofText returns the system of a model without files.
func ofText(t *testing.T, text string) *cosim.System {
	t.Helper()
	m, err := vehicle.Parse([]byte(text), "test.toml", nil)
	if err != nil {
		t.Fatal(err)
	}
	s, err := cosim.New(m, cosim.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// The speed loop is the linear system of three states with published numbers: 38.22638407 rad/s after 0.1 s. Time is
// read without delay, also within a step.
func TestModelLoopEqualsItsEquations(t *testing.T) {
	r := instance(t, ofText(t, motorLoop), "rk4", 2e-5)
	r.start(noInput)
	r.drive(noInput, 0.001, 0.1)
	if w := r.get("shaft.omega"); math.Abs(w-38.22638407) > 1e-8*50 {
		t.Errorf("the speed is %.10f rad/s after 0.1 s, published 38.22638407", w)
	}
	for name, want := range map[string]float64{
		"control.twice": 0.2, "control.clock": 0.1, "control.speed": r.get("shaft.omega"),
		"winding.voltage": r.get("control.voltage"), "shaft.torque": r.get("winding.torque"),
	} {
		if got := r.get(name); math.Abs(got-want) > 1e-12*(1+math.Abs(want)) {
			t.Errorf("%s is %v, want %v", name, got, want)
		}
	}
	for name, by := range map[string]string{
		"shaft.torque": "winding.torque", "winding.voltage": "control.voltage", "control.speed": "shaft.omega",
	} {
		err := r.in.Set(r.variable(name), 1)
		if want := name + " is driven by " + by; err == nil || err.Error() != want {
			t.Errorf("setting %s: %v, want %s", name, err, want)
		}
	}
}

// A state with the rate 1 equals the time, for all communication steps and start times.
func TestSignalsReadTheTimeOfStages(t *testing.T) {
	s := ofText(t, `name = "Clock"
[component.clock]
type = "equations"
states = [{ name = "cube", unit = "1", rate = "3*time^2" }]
outputs = [{ name = "t", unit = "s", value = "time" }]
`)
	for _, begin := range []float64{0, 2} {
		r := instance(t, s, "rk4", 0.01)
		r.in.SetTime(begin)
		r.start(noInput)
		for _, h := range []float64{0.5, 0.013, 0.487} {
			if err := r.in.Step(h); err != nil {
				t.Fatal(err)
			}
		}
		end := begin + 1
		if got, want := r.get("clock.cube"), end*end*end-begin*begin*begin; math.Abs(got-want) > 1e-12*want {
			t.Errorf("from %g s on the integral of 3 t^2 is %v, not %v", begin, got, want)
		}
		if got := r.get("clock.t"); math.Abs(got-end) > 1e-14 {
			t.Errorf("the time is %v, not %v", got, end)
		}
	}
}

// A law reads the torque that holds a driven motion: m l^2/3 q” + m g l/2 sin q of a hanging rod.
func TestSignalsReadTheLoadOfADriver(t *testing.T) {
	r := instance(t, ofText(t, pendulum+`inputs = [{ name = "torque", unit = "N.m", from = "crank.torque" }]
states = [{ name = "lag", unit = "N.m", rate = "100*(torque - lag)" }]
outputs = [{ name = "half", unit = "N.m", value = "torque/2" }]
`), "rk4", 0.001)
	hang := func(r *run, t float64) {
		r.set("crank.angle", 0.7*math.Sin(2*t))
		r.set("crank.rate", 1.4*math.Cos(2*t))
		r.set("crank.acceleration", -2.8*math.Sin(2*t))
	}
	r.start(hang)
	r.drive(hang, 0.001, 0.8)
	hang(r, 0.8)
	if got := r.get("law.half"); math.Abs(got-5.278094448/2) > 1e-8 {
		t.Errorf("half the torque is %v N m, closed form %v", got, 5.278094448/2)
	}
}

// pendulum is a rod that a driver swings; a law follows.
const pendulum = `name = "Rod"
[component.rod]
type = "rigid-body"
mass = 2
inertia = { xx = 0, yy = 0.375, zz = 0.375 }
[component.arm]
type = "rigid-arm"
from = "rod"
to = "pivot"
translation = [0, 0, 0.75]
[component.crank]
type = "motion-driver"
from = "ground"
to = "pivot"
axis = "y"
[component.law]
type = "equations"
`

// A motion that a law drives has the rate and the acceleration of the law, differentiated by the engine or given by the
// law itself. The ledger counts the work of the motion.
func TestDrivenMotionsHaveTheirDerivatives(t *testing.T) {
	laws := map[string]string{
		"differentiated": `outputs = [{ name = "angle", unit = "rad", value = "0.7*sin(2*time)", to = ["crank.angle"] }]`,
		"given": `outputs = [{ name = "angle", unit = "rad", value = "0.7*sin(2*time)", to = ["crank.angle"] },
{ name = "rate", unit = "rad/s", value = "1.4*cos(2*time)", to = ["crank.rate"] },
{ name = "acceleration", unit = "rad/s2", value = "-2.8*sin(2*time)", to = ["crank.acceleration"] }]`,
		"states": `states = [{ name = "angle", unit = "rad", rate = "rate", to = ["crank.angle"] },
{ name = "rate", unit = "rad/s", rate = "-4*angle", value = 1.4 }]`,
	}
	for what, law := range laws {
		r := instance(t, ofText(t, pendulum+law), "rk4", 0.001)
		if err := r.in.SetText(cosim.RecordVariable, cosim.RecordOn); err != nil {
			t.Fatal(err)
		}
		r.start(noInput)
		r.drive(noInput, 0.001, 0.8)
		for name, want := range map[string]float64{
			"crank.angle": 0.7 * math.Sin(1.6), "crank.rate": 1.4 * math.Cos(1.6),
			"crank.acceleration": -2.8 * math.Sin(1.6), "rod.wy": 1.4 * math.Cos(1.6),
			"crank.torque": 5.278094447909,
		} {
			if got := r.get(name); math.Abs(got-want) > 1e-10 {
				t.Errorf("%s: %s is %v, want %v", what, name, got, want)
			}
		}
		if balance, supplied := r.get("energy.balance"), r.get("energy.supplied"); !(math.Abs(balance) < 1e-9*supplied) {
			t.Errorf("%s: %g J of %g J that the motion supplied are missing", what, balance, supplied)
		}
		if err := r.in.Set(r.variable("crank.rate"), 1); err == nil || !strings.Contains(err.Error(), "is driven by") {
			t.Errorf("%s: the rate can be set: %v", what, err)
		}
	}
}

// The same law outside of the model holds its output between samples. Its difference to the law inside the model is of
// first order in the sample time.
func TestModelLoopIsTheLimitOfSampledLaws(t *testing.T) {
	for name, c := range map[string]struct {
		law    string
		to     map[string]string
		seen   string
		end, h float64
	}{
		"bicycle_controlled": {"rider", map[string]string{"torque": "steer.torque"}, "rear_frame.angle2", 1, 0.008},
		"redbike_gyroscope_controlled": {"balance",
			map[string]string{"gimbal_torque": "gimbal.torque", "steer_torque": "steer.torque"}, "gimbal.phi", 0.5, 0.001},
	} {
		const folder = "../resources/models/"
		text, err := os.ReadFile(folder + name + ".toml")
		if err != nil {
			t.Fatal(err)
		}
		open := text
		for _, input := range c.to {
			open = bytes.Replace(open, []byte(`, to = ["`+input+`"]`), nil, 1)
		}
		m, err := vehicle.Parse(open, name+".toml", func(_ bounded.Kind, file string) ([]byte, error) {
			return os.ReadFile(folder + file)
		})
		if err != nil {
			t.Fatal(err)
		}
		outside, err := cosim.New(m, cosim.Options{})
		if err != nil {
			t.Fatal(err)
		}
		sampled := func(s *cosim.System, h float64) float64 {
			r := instance(t, s, "rk4", 0.00025)
			hold := func(r *run, _ float64) {
				for output, input := range c.to {
					if r.in.Time() > 0 {
						r.set(input, r.get(c.law+"."+output))
					}
				}
			}
			if s != outside {
				hold = noInput
			}
			r.start(noInput)
			r.drive(hold, h, c.end)
			return r.get(c.seen)
		}
		inside := sampled(load(t, name, ""), c.h)
		last := math.Inf(1)
		for k := range 3 {
			h := c.h / float64(int(1)<<k)
			difference := math.Abs(sampled(outside, h) - inside)
			if ratio := last / difference; k > 0 && !(ratio > 1.8 && ratio < 2.2) {
				t.Errorf("%s: with half the sample time, %g s, the difference is %.3f times smaller, not twice", name, h, ratio)
			}
			last = difference
		}
		if !(last > 0 && last < 0.05*math.Abs(inside)) {
			t.Errorf("%s: %s is %v, with samples off by %v", name, c.seen, inside, last)
		}
	}
}

// Vehicles in lanes move like single vehicles, to the last bit, also with signals and the time.
func TestSignalsInLanes(t *testing.T) {
	s := load(t, "redbike_gyroscope_controlled", "")
	vehicles := func() (list []*run) {
		for i := range 5 {
			r := instance(t, s, "rk4", 0.00025)
			r.set("lean", 0.004*float64(i+1))
			r.in.SetTime(0.1 * float64(i))
			r.start(noInput)
			list = append(list, r)
		}
		return list
	}
	alone, together := vehicles(), vehicles()
	f, err := cosim.NewFleet(instancesOf(together))
	if err != nil {
		t.Fatal(err)
	}
	for range 40 {
		for _, err := range f.Step(0.001, 2) {
			if err != nil {
				t.Fatal(err)
			}
		}
		for _, r := range alone {
			if err := r.in.Step(0.001); err != nil {
				t.Fatal(err)
			}
		}
	}
	for i := range alone {
		a, b := alone[i].values(), together[i].values()
		for k := range a {
			if math.Float64bits(a[k]) != math.Float64bits(b[k]) && !(math.IsNaN(a[k]) && math.IsNaN(b[k])) {
				t.Fatalf("vehicle %d: %s is %g, alone %g", i, s.Variables()[k].Name, b[k], a[k])
			}
		}
	}
	if got := alone[4].get("flywheel_drive.angle"); math.Abs(got-300*0.44) > 1e-9 {
		t.Errorf("the flywheel is at %v rad, the law says %v", got, 300*0.44)
	}
}
