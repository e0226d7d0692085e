package formulate_test

import (
	"math"
	"os"
	"strings"
	"testing"

	"skidpad/model/bounded"
	"skidpad/model/formulate"
	"skidpad/model/vehicle"
)

// shaft is a rotor on a shaft whose torque is an input. Tests append equations that read and drive it.
const shaft = `name = "Shaft"
gravity = 0
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
`

// sled is a mass on a rail that an input force drives, with a sensor of its acceleration.
const sled = `name = "Sled"
gravity = 0
[component.body]
type = "rigid-body"
mass = 2
inertia = { axial = 0.01, transverse = 0.01, axis = "y" }
[component.probe]
type = "sensor"
from = "ground"
to = "body"
[component.rail]
type = "prismatic"
from = "ground"
to = "body"
axis = "x"
[component.push]
type = "force-driver"
from = "ground"
to = "body"
axis = "x"
`

// formulatedFault returns the first error in a model or its formulation, "" for none.
func formulatedFault(t *testing.T, text string) string {
	t.Helper()
	m, err := vehicle.Parse([]byte(text), "test.toml", nil)
	if err == nil {
		_, err = formulate.Program(m, formulate.Options{})
	}
	if err == nil {
		return ""
	}
	return err.Error()
}

// Algebraic loops are found in the expressions. The rate of a state can use an acceleration. An output that acts on its
// own argument at the same instant is rejected, and the message lists the chain.
func TestInvalidSignals(t *testing.T) {
	equations := func(name, text string) string {
		return "[component." + name + "]\ntype = \"equations\"\n" + text + "\n"
	}
	for what, c := range map[string]struct{ text, want string }{
		"a loop through an acceleration": {
			sled + equations("pull", `outputs = [{ name = "force", unit = "N", value = "-0.1*probe.ax", to = ["push.force"] }]`),
			"test.toml:23:73: algebraic loop: pull.force -> push.force -> probe.ax (acceleration) -> pull.force; " +
				"read a state, add a state (lag), or use a sampled controller",
		},
		"a rate that reads an acceleration": {
			sled + equations("pull", `inputs = [{ name = "a", unit = "m/s2", from = "probe.ax" }]
states = [{ name = "lag", unit = "m/s2", rate = "100*(a - lag)" }]
outputs = [{ name = "force", unit = "N", value = "-0.1*lag", to = ["push.force"] }]`), "",
		},
		"two components that read each other": {
			shaft + equations("one", `inputs = [{ name = "u", unit = "1", from = "other.y" }]
outputs = [{ name = "y", unit = "1", value = "2*u" }]`) + equations("other", `inputs = [{ name = "u", unit = "1", from = "one.y" }]
outputs = [{ name = "y", unit = "1", value = "3*u" }]`),
			"algebraic loop: one.y -> other.y -> one.y",
		},
		"an input that reads itself": {
			shaft + equations("one", `inputs = [{ name = "u", unit = "1", from = "one.u" }]
outputs = [{ name = "y", unit = "1", value = "2*u" }]`), "algebraic loop: one.u -> one.u",
		},
		"a chain of two components": {
			shaft + equations("one", `inputs = [{ name = "u", unit = "rad/s", from = "shaft.omega" }]
outputs = [{ name = "y", unit = "rad/s", value = "2*u" }]`) + equations("other", `inputs = [{ name = "u", unit = "rad/s", from = "one.y" }]
outputs = [{ name = "y", unit = "N.m", value = "-u", to = ["shaft.torque"] }]`), "",
		},
		"two drivers of one input": {
			shaft + equations("one", `outputs = [{ name = "y", unit = "N.m", value = "1", to = ["shaft.torque"] }]`) +
				equations("other", `outputs = [{ name = "y", unit = "N.m", value = "2", to = ["shaft.torque"] }]`),
			"test.toml:18:59: shaft.torque is driven by one.y already, and other.y would drive it, too; an input has one driver",
		},
		"a driven input with the key from": {
			shaft + equations("one", `inputs = [{ name = "u", unit = "rad/s", from = "shaft.omega" }]
outputs = [{ name = "y", unit = "rad/s", value = "2", to = ["one.u"] }]`),
			"one.u has the value of a variable of the model already",
		},
		"from in another unit": {
			shaft + equations("one", `inputs = [{ name = "u", unit = "A", from = "shaft.omega" }]
outputs = [{ name = "y", unit = "1", value = "2*u" }]`),
			"test.toml:15:44: one.u is in A and reads shaft.omega, which is in rad/s; their units must agree",
		},
		"to in another unit": {
			shaft + equations("one", `outputs = [{ name = "y", unit = "V", value = "2", to = ["shaft.torque"] }]`),
			"one.y is in V and drives shaft.torque, which is in N.m; their units must agree",
		},
		"an empty from": {
			shaft + equations("one", `inputs = [{ name = "u", unit = "1", from = "" }]
outputs = [{ name = "y", unit = "1", value = "2*u" }]`),
			"one.inputs[0].from is empty; give it at least one character, or leave the key out",
		},
		"an unknown variable": {
			shaft + equations("one", `outputs = [{ name = "y", unit = "1", value = "2*shaft.omaga" }]`),
			`"shaft.omaga" is not a variable of the model; did you mean "shaft.omega"?`,
		},
		"a reaction that is not asked for": {
			shaft + equations("one", `outputs = [{ name = "y", unit = "N", value = "2*shaft.Fz" }]`),
			`"shaft.Fz" is a reaction, which is computed on request only; give shaft reactions = true`,
		},
		"the tension of a joint, which only rods have": {
			shaft + equations("one", `outputs = [{ name = "y", unit = "N", value = "2*shaft.force" }]`),
			`"shaft.force" is not a variable of the model`,
		},
		"an unknown input": {
			shaft + equations("one", `outputs = [{ name = "y", unit = "N.m", value = "2", to = ["shaft.tork"] }]`),
			`"shaft.tork" is not an input of the model; did you mean "shaft.torque"?`,
		},
		"to an output": {
			shaft + equations("one", `outputs = [{ name = "y", unit = "rad/s", value = "2", to = ["shaft.omega"] }]`),
			`"shaft.omega" is not an input of the model; `,
		},
		"a role in a vehicle without roles": {
			shaft + equations("one", `inputs = [{ name = "u", unit = "m/s", from = "@chassis.vx" }]
outputs = [{ name = "y", unit = "1", value = "2*u" }]`), `@chassis.vx needs the role "chassis", which the vehicle does not have`,
		},
		"an unknown role": {
			"roles = { chassis = \"rotor\" }\n" + shaft + equations("one", `inputs = [{ name = "u", unit = "m/s", from = "@chasis.vx" }]
outputs = [{ name = "y", unit = "1", value = "2*u" }]`), "test.toml:16:46: @chasis.vx names no role; did you mean @chassis?",
		},
	} {
		switch got := formulatedFault(t, c.text); {
		case c.want == "" && got != "":
			t.Errorf("%s is rejected: %s", what, got)
		case !strings.Contains(got, c.want) || c.want != "" && got == "":
			t.Errorf("%s: %q, want %q", what, got, c.want)
		}
	}
}

// A motion that an output drives needs a rate and an acceleration: two derivatives of the output by time.
func TestMotionsThatOutputsDrive(t *testing.T) {
	const crank = `name = "Crank"
[component.rod]
type = "rigid-body"
mass = 2
inertia = { xx = 0.1, yy = 0.2, zz = 0.2 }
[component.crank]
type = "motion-driver"
from = "ground"
to = "rod"
axis = "y"
[component.law]
type = "equations"
`
	for what, c := range map[string]struct{ text, want string }{
		"a formula of an input": {`inputs = [{ name = "wish", unit = "rad" }]
outputs = [{ name = "angle", unit = "rad", value = "wish", to = ["crank.angle"] }]`,
			"test.toml:14:66: law.angle drives crank.angle, whose rate is not known: it would be the derivative of " +
				"law.angle, which depends on an input; let law.angle follow from states"},
		"one lag": {`inputs = [{ name = "wish", unit = "rad" }]
states = [{ name = "angle", unit = "rad", rate = "wish - angle", to = ["crank.angle"] }]`,
			"law.angle drives crank.angle, whose acceleration is not known: it would be the derivative of the rate of " +
				"law.angle"},
		"two states in a chain": {`inputs = [{ name = "wish", unit = "rad" }]
states = [{ name = "angle", unit = "rad", rate = "rate", to = ["crank.angle"] },
  { name = "rate", unit = "rad/s", rate = "100*(wish - angle) - 14*rate" }]`, ""},
		"time alone": {`outputs = [{ name = "angle", unit = "rad", value = "0.7*sin(2*time)", to = ["crank.angle"] }]`, ""},
		"three outputs": {`inputs = [{ name = "wish", unit = "rad" }]
outputs = [{ name = "angle", unit = "rad", value = "wish", to = ["crank.angle"] },
  { name = "rate", unit = "rad/s", value = "0*wish", to = ["crank.rate"] },
  { name = "acceleration", unit = "rad/s2", value = "0*wish", to = ["crank.acceleration"] }]`, ""},
		"a rate alone": {`outputs = [{ name = "rate", unit = "rad/s", value = "1", to = ["crank.rate"] }]`,
			"law.rate drives crank.rate, the rate of a motion whose position crank.angle nothing drives"},
	} {
		switch got := formulatedFault(t, crank+c.text+"\n"); {
		case c.want == "" && got != "":
			t.Errorf("%s is rejected: %s", what, got)
		case !strings.Contains(got, c.want) || c.want != "" && got == "":
			t.Errorf("%s: %q, want %q", what, got, c.want)
		}
	}
}

// All tire functions and laws in libraries are called in one round. A steering angle computed from a tire force is
// therefore an algebraic loop. A law in a library reads, in place of the force, a state that follows the force.
func TestTireForcesThatSteer(t *testing.T) {
	text, err := os.ReadFile("../../resources/models/generic4w.toml")
	if err != nil {
		t.Fatal(err)
	}
	for law, want := range map[string]string{
		`outputs = [{ name = "angle", unit = "rad", value = "1e-6*tire_RL.Fy", to = ["steer_FL.angle"] }]`: "" +
			"algebraic loop: law.angle -> steer_FL.angle -> tire_RL.Fy (force) -> law.angle",
		`outputs = [{ name = "torque", unit = "N.m", value = "0.1*tire_RL.Fy", to = ["drive_RL.torque"] }]`: "",
		`function = "plugin:law.so#law"
inputs = [{ name = "f", unit = "N", from = "tire_RL.Fy" }]
outputs = [{ name = "torque", unit = "N.m", to = ["drive_RL.torque"] }]`: "" +
			"law.f reads tire_RL.Fy (force): all functions of tires and laws are called in one round, and none can use a " +
			"result of another at once; let a state of equations with formulas follow it by a lag, and read this state",
		`function = "plugin:law.so#law"
inputs = [{ name = "a", unit = "m/s2", from = "body.ay" }]
outputs = [{ name = "torque", unit = "N.m", to = ["drive_RL.torque"] }]`: "law.a reads body.ay (acceleration): all functions",
		`function = "plugin:law.so#law"
inputs = [{ name = "f", unit = "N", from = "lag.f" }]
outputs = [{ name = "torque", unit = "N.m", to = ["drive_RL.torque"] }]
[component.lag]
type = "equations"
states = [{ name = "f", unit = "N", rate = "(tire_RL.Fy - f)/0.01" }]`: "",
	} {
		m, err := vehicle.Parse(append(text, "\n[component.law]\ntype = \"equations\"\n"+law...), "car.toml",
			func(_ bounded.Kind, name string) ([]byte, error) {
				return os.ReadFile("../../resources/models/" + name)
			})
		if err == nil {
			_, err = formulate.Program(m, formulate.Options{})
		}
		if (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", law, err, want)
		}
	}
}

// In a tree whose states are those of the body, the start values follow from the motion that equations drive.
func TestStartsOfAnotherTreeFollowDrivenMotions(t *testing.T) {
	m, err := vehicle.Parse([]byte(`name = "Crank"
[[tree]]
name = "joints"
[[tree]]
name = "body"
prefer = ["rod.T1", "rod.R1"]
[component.rod]
type = "rigid-body"
mass = 2
inertia = { xx = 0.1, yy = 0.2, zz = 0.2 }
[component.crank]
type = "motion-driver"
from = "ground"
to = "rod"
axis = "z"
[component.law]
type = "equations"
states = [{ name = "angle", unit = "rad", rate = "rate", value = 0.3, to = ["crank.angle"] },
  { name = "rate", unit = "rad/s", rate = "-angle", value = 0.7 }]
`), "test.toml", nil)
	if err != nil {
		t.Fatal(err)
	}
	p, tape := machine(t, m, formulate.Options{Tree: "body"})
	x := make([]float64, len(p.States))
	tape.Start(make([]float64, len(p.Inputs)), x)
	found := 0
	for i, v := range p.States {
		if want, is := map[string]float64{"rod.yaw": 0.3, "rod.wz": 0.7}[v.Name]; is {
			if found++; math.Abs(x[i]-want) > 1e-15 {
				t.Errorf("%s starts at %v, not %v", v.Name, x[i], want)
			}
		}
	}
	if found != 2 {
		t.Errorf("the states are %v", p.States)
	}
}
