package cosim

import (
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"skidpad/model/bounded"
	"skidpad/model/program"
	"skidpad/model/vehicle"
)

// The identity of powers holds for laws that no shipped model contains, and each law takes part in the exchange.
func TestPowersOfLawsOutsideShippedModels(t *testing.T) {
	const (
		supplied   = program.SuppliedPower
		dissipated = program.DissipatedPower
	)
	type part struct {
		component string
		kind      int
	}
	for name, c := range map[string]struct {
		text   string
		inputs map[string]float64
		counts []part
	}{
		"anti-roll bar": {text: bar, counts: []part{{"bar", dissipated}, {"torsion", dissipated}}},
		"spring and damper by surfaces": {
			text:   bar + surfaceStrut,
			inputs: map[string]float64{"strut.current": 0.7},
			counts: []part{{"strut", dissipated}},
		},
		"spring with a length over a travel and a driven rack": {
			text:   bar + ledSpring,
			counts: []part{{"coil", dissipated}, {"rack", supplied}},
		},
		"spring with a length over a travel and a steering wheel": {
			text: bar + strings.ReplaceAll(ledSpring, `steer = "rack"`, `steer = "steering"`) +
				"[component.steering]\ntype = \"steering\"\nrack = { driver = \"rack\", travel_per_turn = \"48 mm/rev\" }\n",
			counts: []part{{"coil", dissipated}, {"steering", supplied}},
		},
		"engine by a map": {
			text: driveline + strings.NewReplacer("full_load", "full_load = [[0, 0, -30], [0, 1, 200], [400, 0, -70], "+
				"[400, 1, 250]]\n#", "drag", "#").Replace(driving),
			inputs: map[string]float64{"engine.throttle": 0.6},
			counts: []part{{"engine", supplied}},
		},
		"differential by an input": {
			text:   driveline + "viscosity = 8\npreload = 60\n",
			inputs: map[string]float64{"differential.torque": 70},
			counts: []part{{"differential", supplied}, {"differential", dissipated}},
		},
		"differential behind an engine": {
			text: driveline + `preload = 60
viscosity = 8
lock_drive = 0.3
` + driving,
			inputs: map[string]float64{"engine.throttle": 0.6},
			counts: []part{{"engine", supplied}, {"differential", dissipated}},
		},
		"clutch in third gear": {
			text:   driveline + clutch,
			inputs: map[string]float64{"gearbox.gear": 3, "gearbox.clutch": 0.8},
			counts: []part{{"gearbox", dissipated}},
		},
		"differential with an efficiency": {
			text: driveline + `efficiency = 0.9
preload = 60
` + driving,
			inputs: map[string]float64{"engine.throttle": 0.6},
			counts: []part{{"engine", supplied}, {"differential", dissipated}},
		},
		"differential with an efficiency, coasting": {
			text:   driveline + "efficiency = 0.9\n" + driving,
			inputs: map[string]float64{"engine.throttle": 0},
			counts: []part{{"differential", dissipated}},
		},
		"gears with efficiencies": {
			text:   driveline + clutch + "efficiency = [1, 0.92, 0.85]\n",
			inputs: map[string]float64{"gearbox.gear": 2, "gearbox.clutch": 0.8},
			counts: []part{{"gearbox", dissipated}},
		},
		"shafts with inertia and joints that lose": {
			text: driveline + `efficiency = 0.9
joint_efficiency = 0.95
` + shaft + clutch + "joint_efficiency = 0.96\n" +
				shaft,
			inputs: map[string]float64{"gearbox.gear": 2, "gearbox.clutch": 0.8},
			counts: []part{{"gearbox", dissipated}, {"differential", dissipated}},
		},
		"reverse gear with an efficiency": {
			text:   driveline + clutch + "reverse_efficiency = 0.8\n",
			inputs: map[string]float64{"gearbox.gear": -1, "gearbox.clutch": 0.8},
			counts: []part{{"gearbox", dissipated}},
		},
		"clutch in reverse": {
			text:   driveline + clutch,
			inputs: map[string]float64{"gearbox.gear": -1, "gearbox.clutch": 0.8},
			counts: []part{{"gearbox", dissipated}},
		},
		"damped disc": {text: dampedDisc, counts: []part{{"disc", dissipated}, {"frame", dissipated}}},
		"elastic wheels": {
			text:   elasticHalfCar,
			inputs: map[string]float64{"road.mu": 0.7, "motor.torque": 40},
			counts: []part{{"contact_F", dissipated}, {"contact_R", dissipated}},
		},
		"tire that turns on the spot":   {text: boredTire, counts: []part{{"wheel", dissipated}}},
		"resistance of a wheel contact": {text: rollingContact, counts: []part{{"contact_R", dissipated}}},
	} {
		t.Run(name, func(t *testing.T) {
			m := parsed(t, c.text)
			found := checkPowers(t, m, m.Trees[0].Name, c.inputs)
			for _, p := range c.counts {
				if share := found[p.component][p.kind]; !(share > 1e-4) {
					t.Errorf("%s has %g of the exchanged power; the law does not act", p.component, share)
				}
			}
		})
	}
}

// boredTire is a wheel with bore torque alone: its other forces are inputs, which are 0.
const boredTire = `name = "BoredTire"
[component.street]
type = "road"
[component.wheel]
type = "tire"
road = "street"
mass = 15
inertia = { axial = 0.8, transverse = 0.5 }
unloaded_radius = 0.3
vertical_stiffness = 2e5
rolling_radius = { method = "loaded" }
slip = { method = "kinematic", minimum_speed = 0.02 }
bore = { arm = 0.06, load = 4000, angle = 0.05, length = 0.1, friction = 1.2 }
force = { function = "inputs" }
`

// parsed returns the model of a text.
func parsed(t *testing.T, text string) *vehicle.Model {
	t.Helper()
	m, err := vehicle.Parse([]byte(text), "test.toml", func(_ bounded.Kind, name string) ([]byte, error) {
		return os.ReadFile(filepath.Join("../resources/models", name))
	})
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// Dampers of elastic wheels dissipate the damping times the square of the speed. Springs store the energy of the
// compression under their load. The identity of powers cannot check this energy, because it holds for any zero of the
// energy.
func TestElasticWheelsDissipateByTheirDampers(t *testing.T) {
	in := recording(t, parsed(t, elasticHalfCar), "default")
	x := slices.Clone(in.x)
	const speed = 0.1 // m/s, of the whole car, upwards
	x[slices.IndexFunc(in.sys.program.States, func(v program.Variable) bool { return v.Name == "upward.s_dot" })] = speed
	in.rates(0, x, make([]float64, len(x)))
	loads := map[string]float64{"contact_F": 1400, "contact_R": 2300}
	for _, e := range in.ledger.side.Ledger() {
		load, is := loads[e.Component]
		if !is {
			continue
		}
		delete(loads, e.Component)
		if have := in.ledger.sum(e.Values[program.DissipatedPower]); math.Abs(have-1000*speed*speed) > 1e-9 {
			t.Errorf("%s: %.12g W", e.Component, have)
		}
		// the wheels start at their radius, where springs carry their loads
		want := load * load / (2 * 150000)
		if have := in.ledger.sum(e.Values[program.PotentialEnergy]); math.Abs(have-want) > 1e-9*want {
			t.Errorf("%s: %.12g J are stored, want %.12g J", e.Component, have, want)
		}
	}
	if len(loads) > 0 {
		t.Errorf("not in the ledger: %v", loads)
	}
}

// surfaceStrut is added to the bars.
const surfaceStrut = `[component.strut]
type = "spring-damper"
joint = "slide_L"
spring_force = [[-0.1, -1, -300], [-0.1, 1, -200], [0.1, -1, 150], [0.1, 1, 400]]
damper_force = [[-1, 0, -90], [-1, 2, -500], [0, 0, 0], [0, 2, 0], [1, 0, 200], [1, 2, 900]]
`

// ledSpring is added to the bars: a wheel on a suspension over a travel and a rack, with a spring whose length depends
// on both.
const ledSpring = `[component.rack]
type = "motion-driver"
kind = "translation"
from = "beam"
to = "rack"
axis = "y"
[component.rack_mass]
type = "point-mass"
frame = "rack"
mass = 3
[component.susp]
type = "suspension"
from = "beam"
to = "wheel"
steer = "rack"
toe = [[-0.1, -0.1, 0.5], [-0.1, 0.1, -0.6], [0.1, -0.1, 0.7], [0.1, 0.1, -0.4]]
start = { travel = 0.02, travel_dot = 0.3 }
[component.wheel]
type = "rigid-body"
mass = 12
inertia = { xx = 0.4, yy = 0.6, zz = 0.5 }
[component.coil]
type = "spring-damper"
joint = "susp"
stiffness = 9000
damping = 700
free_length = 0.6
length = [[-0.1, -0.1, 0.6], [-0.1, 0.1, 0.45], [0.1, -0.1, 0.5], [0.1, 0.1, 0.42]]
`

// bar is a beam that carries two sliding masses and two arms on hinges, with an anti-roll bar between each pair.
const bar = `name = "Bars"
[component.beam]
type = "rigid-body"
mass = 80
inertia = { xx = 9, yy = 4, zz = 11 }
[component.slide_L]
type = "prismatic"
from = "beam"
to = "left"
axis = "z"
start = { s = 0.05, s_dot = 0.3 }
[component.left]
type = "point-mass"
mass = 12
[component.slide_R]
type = "prismatic"
from = "beam"
to = "right"
axis = "z"
start = { s = -0.02, s_dot = -0.4 }
[component.right]
type = "point-mass"
mass = 15
[component.bar]
type = "anti-roll-bar"
left = "slide_L"
right = "slide_R"
stiffness = 2000
damping = 900
force = [[-0.2, -900], [-0.05, -100], [0, 0], [0.05, 100], [0.2, 900]]
[component.turn_L]
type = "revolute"
from = "beam"
to = "arm_L"
axis = "y"
start = { phi = 0.1, omega = 0.5 }
[component.arm_L]
type = "rigid-body"
mass = 3
inertia = { xx = 0.1, yy = 0.3, zz = 0.25 }
[component.turn_R]
type = "revolute"
from = "beam"
to = "arm_R"
axis = "y"
start = { phi = -0.1, omega = -0.7 }
[component.arm_R]
type = "rigid-body"
mass = 4
inertia = { xx = 0.15, yy = 0.4, zz = 0.3 }
[component.torsion]
type = "anti-roll-bar"
left = "turn_L"
right = "turn_R"
damping = 25
force = [[-0.5, -90], [0, 0], [0.1, 8], [0.5, 90]]
`

// driveline is a body with two wheels and a differential. The table of the differential comes last.
const driveline = `name = "Driveline"
[component.body]
type = "rigid-body"
mass = 30
inertia = { xx = 3, yy = 5, zz = 6, xz = 0.4 }
start = { angular_velocity = [0.4, -0.3, 0.5] }
[component.wheel_L]
type = "revolute"
from = "body"
to = "left"
axis = "y"
start = { omega = 9 }
[component.left]
type = "rigid-body"
mass = 10
inertia = { axial = 1.5, transverse = 1 }
[component.wheel_R]
type = "revolute"
from = "body"
to = "right"
axis = "y"
start = { omega = 6 }
[component.right]
type = "rigid-body"
mass = 10
inertia = { axial = 2, transverse = 1.2 }
[component.differential]
type = "differential"
outputs = ["wheel_L", "wheel_R"]
housing = "body"
ratio = 3.5
share = 0.45
`

const driving = `[component.engine]
type = "engine"
drives = "differential"
ratio = 2
full_load = [[0, 100], [90, 80]]
drag = [[0, 0], [90, -20]]
inertia = 0.2
frame = "body"
axis = [0.8, 0, 0.6]
`

const clutch = `[component.crank]
type = "revolute"
from = "body"
to = "flywheel"
axis = [0.8, 0, 0.6]
start = { omega = 20 }
[component.flywheel]
type = "rigid-body"
mass = 3
inertia = { xx = 0.2, yy = 0.15, zz = 0.1 }
[component.gearbox]
type = "gearbox"
input = "crank"
drives = "differential"
ratios = [2, 0.9, 0.7]
reverse = 1.9
capacity = 20
sliding_speed = 6
`

// shaft has the keys of a rotor on the shaft of a gearbox or a differential.
const shaft = `inertia = 0.1
frame = "body"
axis = [0, 0.6, 0.8]
`

// dampedDisc is a disc on its axle in a frame; both are damped.
const dampedDisc = `name = "DampedDisc"
[component.frame]
type = "rigid-body"
mass = 20
inertia = { xx = 2, yy = 3, zz = 4 }
angular_damping = 0.7
start = { angular_velocity = [0.4, -0.3, 0.5] }
[component.axle]
type = "revolute"
from = "frame"
to = "disc"
axis = "y"
start = { omega = 30 }
[component.disc]
type = "rigid-body"
mass = 10
inertia = { axial = 1.5, transverse = 1 }
angular_damping = 0.3
`

// elasticHalfCar is the half-car on springs and dampers in place of constraints.
const elasticHalfCar = `base = "halfcar.toml"
name = "HalfCarElastic"
title = "Half-car on springs"
[component.contact_F]
vertical_stiffness = 150000
vertical_damping = 1000
load = 1400
[component.contact_R]
vertical_stiffness = 150000
vertical_damping = 1000
load = 2300
`

// rollingContact is a partial vehicle that rolls against a resistance.
const rollingContact = `base = "partial_vehicle2d.toml"
name = "PartialVehicleResisted"
title = "Partial vehicle with resistance"
[parameters.contact]
friction = { value = 40, unit = "N.s/m" }
[component.mass_2]
start = { position = [0.0, 0.0, 0.3588], velocity = [3, 0, 0] }
[component.contact_R]
initial_mode = 1
`
