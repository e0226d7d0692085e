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

// onSpinner are components of all types, in all ways in which they can touch a frame that spins. nil: its frame is
// always that of ground, or it has none.
var onSpinner = map[string][]string{
	"rigid-body": {
		"type = \"rigid-body\"\nframe = \"wheel\"\nmass = 2\ninertia = { axial = 0.1, transverse = 0.3, axis = \"x\" }",
		"type = \"rigid-body\"\nframe = \"wheel\"\nmass = 2\ninertia = { axial = 0.1, transverse = 0.3, axis = \"y\" }",
		"type = \"rigid-body\"\nframe = \"wheel\"\nmass = 2\ninertia = { xx = 0.1, yy = 0.2, zz = 0.25, xy = 0.02 }",
	},
	"point-mass": {"type = \"point-mass\"\nframe = \"wheel\"\nmass = 2",
		"type = \"point-mass\"\nframe = \"wheel\"\nmass = 2\ninertial_mass = [1, 2, 3]"},
	"rigid-arm": {
		"type = \"rigid-arm\"\nfrom = \"wheel\"\nto = \"flap\"\ntranslation = [0.1, 0.2, 0.3]" + flap,
		"type = \"rigid-arm\"\nfrom = \"flap\"\nto = \"wheel\"\ntranslation = [0.1, 0.2, 0.3]" + flap,
		"type = \"rigid-arm\"\nfrom = \"wheel\"\nto = \"flap\"\nangles = [0.1, 0.2, 0.3]" + flap,
	},
	"weld": {"type = \"weld\"\nfrom = \"wheel\"\nto = \"flap\"" + flap},
	"revolute": {"type = \"revolute\"\nfrom = \"wheel\"\nto = \"flap\"\naxis = [1, 2, 2]" + flap,
		"type = \"revolute\"\nfrom = \"flap\"\nto = \"wheel\"\naxis = \"x\"\ntorque = \"input\"" + flap},
	"prismatic": {"type = \"prismatic\"\nfrom = \"wheel\"\nto = \"flap\"\naxis = \"x\"" + flap,
		"type = \"prismatic\"\nfrom = \"flap\"\nto = \"wheel\"\naxis = [1, 2, 2]" + flap},
	"suspension": {"type = \"suspension\"\nfrom = \"wheel\"\nto = \"flap\"\nx = [[-1, 0.1], [0, 0], [1, 0.2]]" + flap,
		"type = \"suspension\"\nfrom = \"wheel\"\nto = \"flap\"\ntoe = [[-1, 0.1], [0, 0], [1, 0.2]]" + flap},
	"spherical": {"type = \"spherical\"\nfrom = \"wheel\"\nto = \"flap\"" + flap,
		"type = \"spherical\"\nfrom = \"flap\"\nto = \"wheel\"" + flap},
	"motion-driver": {"type = \"motion-driver\"\nfrom = \"wheel\"\nto = \"flap\"\naxis = \"x\"" + flap,
		"type = \"motion-driver\"\nfrom = \"wheel\"\nto = \"flap\"\naxis = \"y\"\nkind = \"translation\"" + flap},
	"torque-driver": {"type = \"torque-driver\"\nfrom = \"wheel\"\nto = \"ground\"\naxis = \"x\"",
		"type = \"torque-driver\"\nfrom = \"post\"\nto = \"wheel\"\naxis = [1, 2, 2]",
		"type = \"torque-driver\"\nfrom = \"wheel\"\nto = \"second\"\naxis = \"z\""},
	"brake": {"type = \"brake\"\nfrom = \"wheel\"\nto = \"ground\"\naxis = \"x\"",
		"type = \"brake\"\nfrom = \"post\"\nto = \"wheel\"\naxis = [1, 2, 2]"},
	"force-driver": {"type = \"force-driver\"\nfrom = \"wheel\"\nto = \"post\"\naxis = \"x\"",
		"type = \"force-driver\"\nfrom = \"post\"\nto = \"wheel\"\naxis = [1, 2, 2]"},
	"aerodynamics": {"type = \"aerodynamics\"\nframe = \"wheel\"\narea = 2\nlength = 3\ndrag = 0.3\nside_force = " +
		"1\nlift_front = 0.2\nyaw_moment = 0.3"},
	"steering": {"type = \"steering\"\nwheels = [{ driver = \"turn\" }]\n[component.turn]\ntype = " +
		"\"motion-driver\"\nfrom = \"wheel\"\nto = \"flap\"\naxis = \"x\"" + flap,
		"type = \"steering\"\nwheels = [{ driver = \"turn\" }]\nhand_wheel = { inertia = 0.05, damping = 0.1 " +
			"}\n[component.turn]\ntype = \"motion-driver\"\nfrom = \"wheel\"\nto = \"flap\"\naxis = \"y\"" + flap},
	"brake-distribution": {"type = \"brake-distribution\"\naxles = [{ brakes = [\"shoe\"], share = 1 " +
		"}]\n[component.shoe]\ntype = \"brake\"\nfrom = \"wheel\"\nto = \"post\"\naxis = \"y\""},
	"differential": {"type = \"differential\"\noutputs = [\"spin\", \"beside\"]\npreload = 3",
		"type = \"differential\"\noutputs = [\"spin\", \"beside\"]\nhousing = \"post\""},
	"engine": {
		"type = \"engine\"\ndrives = \"spin\"\nfull_load = [[0, 90], [400, 180]]\ninertia = 0.2\nframe = " +
			"\"carrier\"\naxis = \"x\"",
		"type = \"engine\"\ndrives = \"beside\"\nfull_load = [[0, 90], [400, 180]]\ninertia = 0.2\nframe = " +
			"\"wheel\"\naxis = \"x\"",
	},
	"gearbox": {"type = \"gearbox\"\ninput = \"spin\"\ndrives = \"beside\"\nratios = [3, 2]\ncapacity = 40",
		"type = \"gearbox\"\ninput = \"beside\"\ndrives = \"spin\"\nratios = [3, 2]\ncapacity = 40"},
	"spring-damper": {"type = \"spring-damper\"\nfrom = \"wheel\"\nto = \"post\"\nstiffness = 300\ndamping = 20",
		"type = \"spring-damper\"\njoint = \"spin\"\nstiffness = 300\ndamping = 20\nfree_length = 0.3"},
	"anti-roll-bar": {"type = \"anti-roll-bar\"\nleft = \"spin\"\nright = \"beside\"\nstiffness = 40\ndamping = 2"},
	"rod":           {"type = \"rod\"\nfrom = \"ground\"\nto = \"wheel\"\nlength = 2"},
	"right-angle":   {"type = \"right-angle\"\ncorner = \"wheel\"\nfrom = \"ground\"\nto = \"post\""},
	"parallelogram": {
		"type = \"parallelogram\"\ncorner = \"wheel\"\nfrom = \"post\"\nopposite = \"ground\"\nto = \"flap\"" + flap},
	"rolling-wheel": {"type = \"rolling-wheel\"\nframe = \"wheel\"\nroad = \"street\"\nradius = 0.4\ncrown_radius = 0.05",
		"type = \"rolling-wheel\"\nframe = \"flap\"\nroad = \"wheel\"\nradius = 0.4" + flap},
	"relaxed-wheel": {"type = \"relaxed-wheel\"\nframe = \"wheel\"\nroad = \"street\"\nradius = 0.4"},
	"side-force":    {"type = \"side-force\"\nframe = \"wheel\"\ncoefficient = 40"},
	"terrain": {"type = \"terrain\"\nframe = \"meadow\"\n[component.tie]\ntype = \"spring-damper\"\nfrom = " +
		"\"meadow\"\nto = \"wheel\"\nstiffness = 30"},
	"wheel-contact": {"type = \"wheel-contact\"\ncontact = \"pebble\"\nrim = \"flap\"\nterrain = \"meadow\"\nfriction " +
		"= 3\n[component.pebble]\ntype = \"point-mass\"\nmass = 1\n[component.flap]\ntype = \"point-mass\"\nmass = " +
		"1\n[component.meadow]\ntype = \"terrain\"\n[component.tie]\ntype = \"spring-damper\"\nfrom = \"flap\"\nto = " +
		"\"wheel\"\nstiffness = 30"},
	"road": nil,
	"sensor": {"type = \"sensor\"\nfrom = \"wheel\"\nto = \"post\"\nresolve = \"wheel\"",
		"type = \"sensor\"\nfrom = \"ground\"\nto = \"wheel\"\nresolve = \"carrier\""},
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
	"linear-equations": nil,
	"equations":        nil,
	"tire-forces":      nil,
}

// A wheel is resolved in a frame that does not spin with it only where nothing can tell: whatever is on a wheel of
// revolution, about whichever axis it turns and whichever of its sides the tree comes from, rates and outputs are those
// that the wheel has in a frame of its own.
func TestNothingCanTellThatAWheelIsResolvedWithoutItsSpin(t *testing.T) {
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
						formulation = "formulation = \"udwadia-kalaba\""
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
