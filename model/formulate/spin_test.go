package formulate_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"skidpad/harness/tests/testrun"
	"skidpad/model/bounded"
	"skidpad/model/component"
	"skidpad/model/formulate"
	"skidpad/model/program"
	"skidpad/model/vehicle"
)

// spinner is a wheel of revolution on a carrier that is free, with another wheel beside it. A wheel whose inertia is
// given by moments about three axes is resolved in a frame that turns with it.
const spinner = `name = "Spinner"
gravity = [0.3, -0.2, -9.7]

[[tree]]
name = "default"
%[2]s

[component.carrier]
type = "rigid-body"
mass = 50
inertia = { xx = 3, yy = 5, zz = 4, xz = 0.4 }

[component.spin]
type = "revolute"
%[1]s
axis = "%[3]s"

[component.disc]
type = "rigid-body"
frame = "wheel"
mass = 9
inertia = %[4]s
angular_damping = 0.02

[component.beside]
type = "revolute"
from = "carrier"
to = "second"
axis = "%[3]s"

[component.second]
type = "rigid-body"
mass = 8
inertia = { xx = 0.4, yy = 0.6, zz = 0.5 }

[component.mast]
type = "rigid-arm"
from = "carrier"
to = "post"
translation = [0.3, 0.4, 1.2]

[component.lamp]
type = "point-mass"
frame = "post"
mass = 1

[component.street]
type = "road"
angles = [0.1, 0.05, 0.02]

`

const flap = `
[component.flap]
type = "rigid-body"
mass = 3
inertia = { xx = 0.1, yy = 0.2, zz = 0.3 }
`

// onSpinner has components of all types, in all their possible relations to a frame that spins. nil: the frame of the
// type is always the ground, or it has no frame.
var onSpinner = map[string][]string{
	"rigid-body": {
		`type = "rigid-body"
frame = "wheel"
mass = 2
inertia = { axial = 0.1, transverse = 0.3, axis = "x" }`,
		`type = "rigid-body"
frame = "wheel"
mass = 2
inertia = { axial = 0.1, transverse = 0.3, axis = "y" }`,
		`type = "rigid-body"
frame = "wheel"
mass = 2
inertia = { xx = 0.1, yy = 0.2, zz = 0.25, xy = 0.02 }`,
	},
	"point-mass": {`type = "point-mass"
frame = "wheel"
mass = 2`,
		`type = "point-mass"
frame = "wheel"
mass = 2
inertial_mass = [1, 2, 3]`},
	"rigid-arm": {
		`type = "rigid-arm"
from = "wheel"
to = "flap"
translation = [0.1, 0.2, 0.3]` + flap,
		`type = "rigid-arm"
from = "flap"
to = "wheel"
translation = [0.1, 0.2, 0.3]` + flap,
		`type = "rigid-arm"
from = "wheel"
to = "flap"
angles = [0.1, 0.2, 0.3]` + flap,
	},
	"weld": {`type = "weld"
from = "wheel"
to = "flap"` + flap},
	"revolute": {`type = "revolute"
from = "wheel"
to = "flap"
axis = [1, 2, 2]` + flap,
		`type = "revolute"
from = "flap"
to = "wheel"
axis = "x"
torque = "input"` + flap},
	"prismatic": {`type = "prismatic"
from = "wheel"
to = "flap"
axis = "x"` + flap,
		`type = "prismatic"
from = "flap"
to = "wheel"
axis = [1, 2, 2]` + flap},
	"suspension": {`type = "suspension"
from = "wheel"
to = "flap"
x = [[-1, 0.1], [0, 0], [1, 0.2]]` + flap,
		`type = "suspension"
from = "wheel"
to = "flap"
toe = [[-1, 0.1], [0, 0], [1, 0.2]]` + flap},
	"compliance": {`type = "compliance"
joints = ["yield_x", "yield_toe"]
over = "guide"
loss = 0.1
frequency = 5
table = [
  { travel = -1, matrix = [[300, 20], [20, 50]], preload = [4, 1] },
  { travel = 1, matrix = [[500, 10], [10, 70]] },
]
[component.guide]
type = "suspension"
from = "wheel"
to = "held"
[component.yield_x]
type = "prismatic"
from = "held"
to = "shifted"
axis = "x"
[component.yield_toe]
type = "revolute"
from = "shifted"
to = "flap"
axis = "z"` + flap},
	"rocker": {`type = "rocker"
joint = "guide"
angle = [[-1, -3], [0, 0], [1, 2]]
[component.guide]
type = "suspension"
from = "wheel"
to = "flap"
[component.torsion]
type = "spring-damper"
joint = "example"
stiffness = 300
damping = 20` + flap},
	"spherical": {`type = "spherical"
from = "wheel"
to = "flap"` + flap,
		`type = "spherical"
from = "flap"
to = "wheel"` + flap},
	"motion-driver": {`type = "motion-driver"
from = "wheel"
to = "flap"
axis = "x"` + flap,
		`type = "motion-driver"
from = "wheel"
to = "flap"
axis = "y"
kind = "translation"` + flap},
	"torque-driver": {`type = "torque-driver"
from = "wheel"
to = "ground"
axis = "x"`,
		`type = "torque-driver"
from = "post"
to = "wheel"
axis = [1, 2, 2]`,
		`type = "torque-driver"
from = "wheel"
to = "second"
axis = "z"`},
	"brake": {`type = "brake"
from = "wheel"
to = "ground"
axis = "x"`,
		`type = "brake"
from = "post"
to = "wheel"
axis = [1, 2, 2]`},
	"force-driver": {`type = "force-driver"
from = "wheel"
to = "post"
axis = "x"`,
		`type = "force-driver"
from = "post"
to = "wheel"
axis = [1, 2, 2]`},
	"aerodynamics": {`type = "aerodynamics"
frame = "wheel"
area = 2
length = 3
drag = 0.3
side_force = 1
lift_front = 0.2
yaw_moment = 0.3`},
	"steering": {`type = "steering"
wheels = [{ driver = "turn" }]
[component.turn]
type = "motion-driver"
from = "wheel"
to = "flap"
axis = "x"` + flap,
		`type = "steering"
wheels = [{ driver = "turn" }]
hand_wheel = { inertia = 0.05, damping = 0.1 }
[component.turn]
type = "motion-driver"
from = "wheel"
to = "flap"
axis = "y"` + flap},
	"brake-distribution": {`type = "brake-distribution"
axles = [{ brakes = ["shoe"], share = 1 }]
[component.shoe]
type = "brake"
from = "wheel"
to = "post"
axis = "y"`},
	"differential": {`type = "differential"
outputs = ["spin", "beside"]
preload = 3`,
		`type = "differential"
outputs = ["spin", "beside"]
housing = "post"`},
	"engine": {
		`type = "engine"
drives = "spin"
full_load = [[0, 90], [400, 180]]
inertia = 0.2
frame = "carrier"
axis = "x"`,
		`type = "engine"
drives = "beside"
full_load = [[0, 90], [400, 180]]
inertia = 0.2
frame = "wheel"
axis = "x"`,
	},
	"gearbox": {`type = "gearbox"
input = "spin"
drives = "beside"
ratios = [3, 2]
capacity = 40`,
		`type = "gearbox"
input = "beside"
drives = "spin"
ratios = [3, 2]
capacity = 40`},
	"spring-damper": {`type = "spring-damper"
from = "wheel"
to = "post"
stiffness = 300
damping = 20`,
		`type = "spring-damper"
joint = "spin"
stiffness = 300
damping = 20
free_length = 0.3`},
	"anti-roll-bar": {`type = "anti-roll-bar"
left = "spin"
right = "beside"
stiffness = 40
damping = 2`},
	"bushing": {`type = "bushing"
from = "wheel"
to = "post"
stiffness = [200, 300, 400]
rotational_stiffness = [20, 30, 40]
damping = [10, 20, 30]
rotational_damping = [1, 2, 3]
preload = [3, 2, 1]`,
		`type = "bushing"
from = "ground"
to = "wheel"
along = [1, 2, 2]
stiffness = [200, 300, 400]
rotational_stiffness = [20, 30, 40]`},
	"strut": {`type = "strut"
from = "flap"
to = "wheel"
axis = [0.6, 0.8, 0]` + flap,
		`type = "strut"
from = "eye"
to = "ground"
axis = [0.6, 0.8, 0]
[component.eye_arm]
type = "rigid-arm"
from = "wheel"
to = "eye"
translation = [0.3, 0.2, 0.1]`},
	"rod": {`type = "rod"
from = "ground"
to = "wheel"
length = 2`},
	"right-angle": {`type = "right-angle"
corner = "wheel"
from = "ground"
to = "post"`},
	"parallelogram": {
		`type = "parallelogram"
corner = "wheel"
from = "post"
opposite = "ground"
to = "flap"` + flap},
	"rolling-wheel": {`type = "rolling-wheel"
frame = "wheel"
road = "street"
radius = 0.4
crown_radius = 0.05`,
		`type = "rolling-wheel"
frame = "flap"
road = "wheel"
radius = 0.4` + flap},
	"relaxed-wheel": {`type = "relaxed-wheel"
frame = "wheel"
road = "street"
radius = 0.4`},
	"side-force": {`type = "side-force"
frame = "wheel"
coefficient = 40`},
	"terrain": {`type = "terrain"
frame = "meadow"
[component.tie]
type = "spring-damper"
from = "meadow"
to = "wheel"
stiffness = 30`},
	"wheel-contact": {`type = "wheel-contact"
contact = "pebble"
rim = "flap"
terrain = "meadow"
friction = 3
[component.pebble]
type = "point-mass"
mass = 1
[component.flap]
type = "point-mass"
mass = 1
[component.meadow]
type = "terrain"
[component.tie]
type = "spring-damper"
from = "flap"
to = "wheel"
stiffness = 30`},
	"road": nil,
	"sensor": {`type = "sensor"
from = "wheel"
to = "post"
resolve = "wheel"`,
		`type = "sensor"
from = "ground"
to = "wheel"
resolve = "carrier"`},
	"free": {`type = "free"
from = "wheel"
to = "post"`,
		`type = "free"
from = "ground"
to = "wheel"`},
	"tire": {`type = "tire"
frame = "wheel"
road = "street"
mass = 5
inertia = { axial = 0.2, transverse = 0.1 }
unloaded_radius = 0.4
vertical_stiffness = 1e4
rolling_radius = { method = "loaded" }
slip = { method = "kinematic" }
force = { function = "Fiala", parameters = { D2 = 0.16, CS = 2e4, Calpha = 1.5e4, Cr = 0.01, mu0 = 1, mu1 = 0.8 } }`},
	"resistor": nil, "switch": nil, "diode": nil, "capacitor": nil, "inductor": nil, "voltage-source": nil,
	"current-source": nil, "battery": nil, "converter": nil, "probe": nil,
	"dc-machine": {`type = "dc-machine"
from = "dc"
joint = "spin"
resistance = 0.5
inductance = 0.1
constant = 2
[component.pack]
type = "voltage-source"
to = "dc"
voltage = 40`,
		`type = "dc-machine"
to = "dc"
joint = "beside"
resistance = 0.5
constant = 2
[component.pack]
type = "voltage-source"
to = "dc"
voltage = 40`},
	"pm-machine": {`type = "pm-machine"
from = "dc"
joint = "spin"
pole_pairs = 3
flux = 0.2
resistance = 0.5
inductance = 0.1
iron_loss = 0.3
[component.pack]
type = "voltage-source"
to = "dc"
voltage = 40`},
	"motor": {`type = "motor"
from = "dc"
joint = "spin"
efficiency = 0.9
[component.pack]
type = "voltage-source"
to = "dc"
voltage = 40`,
		`type = "motor"
from = "dc"
joint = "beside"
lag = 0
loss = [[0, 1], [2, 3]]
[component.pack]
type = "voltage-source"
to = "dc"
voltage = 40`},
	"pressure-source":    nil,
	"flow-source":        nil,
	"orifice":            nil,
	"valve":              nil,
	"four-way-valve":     nil,
	"check-valve":        nil,
	"line":               nil,
	"volume":             nil,
	"accumulator":        nil,
	"heat-capacity":      nil,
	"heat-resistance":    nil,
	"temperature-source": nil,
	"heat-source":        nil,
	"pump": {`type = "pump"
to = "rail"
joint = "spin"
displacement = 2e-3
[component.rail]
type = "volume"
from = "rail"
capacity = 1e-6`},
	"cylinder": {`type = "cylinder"
frames = ["wheel", "post"]
head = "oil"
area = 0.01
bulk_modulus = 1e6
dead_volume = 0.1
length = 1
friction = 3`,
		`type = "cylinder"
frames = ["ground", "wheel"]
head = "oil"
area = 0.01
[component.oil]
type = "volume"
from = "oil"
capacity = 1e-6`},
	"caliper": {`type = "caliper"
joint = "spin"
from = "oil"
capacity = 1e-6
friction = 0.4
area = 0.01
radius = 0.1`,
		`type = "caliper"
joint = "beside"
from = "oil"
capacity = 1e-6
friction = 0.4
area = 0.01
radius = 0.1`},
	"linear-equations":  nil,
	"equations":         nil,
	"sampled-equations": nil,
	"controller":        nil,
	"tire-forces":       nil,
}

// TestNonSpinningWheelFrameIsExact: a wheel that is resolved in a frame without its spin has the rates and outputs of a
// wheel resolved in its own frame. The test has any component on a wheel of revolution, any axis, and trees from both
// sides.
func TestNonSpinningWheelFrameIsExact(t *testing.T) {
	r := rand.New(rand.NewPCG(20, 2))
	for i, kind := range component.Types {
		list, known := onSpinner[kind.Word]
		if !known {
			t.Errorf("there is no %s on the spinner", kind.Word)
		}
		for number, text := range list {
			for j, axis := range []string{"x", "y", "z"} {
				for k, joint := range []string{"from = \"carrier\"\nto = \"wheel\"", "from = \"wheel\"\nto = \"carrier\""} {
					if !testrun.All() && (i+number+j+k)%3 != 0 { // each way of the joint about one axis
						continue
					}
					name := fmt.Sprintf("%s %d about %s, %s", kind.Word, number+1, axis, strings.ReplaceAll(joint, "\n", ", "))
					formulation := ""
					if kind.Word == "relaxed-wheel" {
						formulation = `formulation = "udwadia-kalaba"`
					}
					moments := map[string]string{"x": "xx = 0.7, yy = 0.4, zz = 0.4", "y": "xx = 0.4, yy = 0.7, zz = 0.4",
						"z": "xx = 0.4, yy = 0.4, zz = 0.7"}
					with := func(inertia string) (*program.Program, program.Machine) {
						return spinning(t, name, fmt.Sprintf(spinner, joint, formulation, axis, inertia)+"[component.example]\n"+text)
					}
					p, free := with("{ axial = 0.7, transverse = 0.4, axis = \"" + axis + "\" }")
					q, own := with("{ " + moments[axis] + " }")
					if p == nil || q == nil {
						continue
					}
					for range 3 {
						x, u := make([]float64, len(p.States)), make([]float64, len(p.Inputs))
						for i := range x {
							x[i] = 0.3 + 0.4*r.Float64()
						}
						for i := range u {
							u[i] = 0.3 + 0.4*r.Float64()
						}
						compareRates(t, name, p, q, free, own, x, u)
					}
				}
			}
		}
	}
}

func spinning(t *testing.T, name, text string) (*program.Program, program.Machine) {
	t.Helper()
	m, err := vehicle.Parse([]byte(text), "spinner.toml", func(bounded.Kind, string) ([]byte, error) { return nil, nil })
	if err != nil {
		t.Errorf("%s: %v", name, err)
		return nil, nil
	}
	p, err := formulate.Program(m, formulate.Options{})
	if err != nil {
		t.Errorf("%s: %v", name, err)
		return nil, nil
	}
	tape := p.NewTape()
	values := make([]float64, len(p.Parameters))
	for i, v := range p.Parameters {
		values[i] = v.Start
	}
	tape.SetParameters(values)
	bind(t, p, tape)
	return p, tape
}

// compareRates compares rates and outputs that two programs have in common.
func compareRates(t *testing.T, name string, p, q *program.Program, a, b program.Machine, x, u []float64) {
	t.Helper()
	da, db := make([]float64, len(x)), make([]float64, len(x))
	a.Derivatives(0, x, u, da)
	b.Derivatives(0, x, u, db)
	size := 0.0
	for i := range db {
		size = max(size, math.Abs(db[i]))
	}
	for i := range da {
		if !(math.Abs(da[i]-db[i]) <= 1e-8*(1+size)) || p.States[i].Name != q.States[i].Name {
			t.Errorf("%s: rate of %s is %.10g, of %s in a frame of its own %.10g", name, p.States[i].Name, da[i],
				q.States[i].Name, db[i])
			return
		}
	}
	ya, yb := make([]float64, len(p.Outputs)), make([]float64, len(q.Outputs))
	a.Outputs(ya)
	b.Outputs(yb)
	for i, v := range p.Outputs {
		k := output(q, v.Name)
		if k < 0 || !(math.Abs(ya[i]-yb[k]) <= 1e-8*(1+size+math.Abs(yb[k]))) {
			t.Errorf("%s: %s is %.10g, in a frame of its own %.10g", name, v.Name, ya[i], yb[k])
			return
		}
	}
}
