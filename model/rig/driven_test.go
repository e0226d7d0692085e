package rig_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"skidpad/model/component"
	"skidpad/model/formulate"
	"skidpad/model/program"
	"skidpad/model/rig"
	"skidpad/model/vehicle"
)

// drivenWheels are corners by curves in the air, on a chassis that is held, with forces at the contacts and the
// centres of their wheels. Without toe, a force forward at the lowest point of a wheel has no moment but that about
// its spin axis.
func drivenWheels(driveline string) string {
	text := `name = "Driven"
gravity = 9.81
[component]
road = { type = "terrain" }
chassis = { type = "rigid-arm", from = "ground", to = "body", translation = [0, 0, 3] }
`
	for i, axle := range "FR" {
		file := "corner_curves"
		if axle == 'F' {
			file = "corner_curves_steered"
		}
		text += fmt.Sprintf(`[use.%c]
file = "../subsystems/%s.toml"
at = ["L", "R"]
frames = { chassis = "body", road = "road" }
parameters = { x = %d, half_track = 0.7, centre = -0.3, stiffness = 2e4, load = 2500 }
[use.%[1]c.component]
susp.toe = [[-0.1, 0], [0.1, 0]]
patch = { type = "rigid-arm", from = "tire", to = "patch", translation = [0, 0, -0.3] }
push = { type = "force-driver", from = "ground", to = "patch", axis = "x" }
pull = { type = "force-driver", from = "ground", to = "tire", axis = "x" }
`, axle, file, -i)
	}
	return text + driveline
}

// Half-shafts of the shipped drivelines: the torque of a final drive on the body and the force of the road at the
// contact move the suspension exactly as the force at the wheel centre does, which the rig takes for support_drive. A
// final drive on the carrier, as of a live axle, moves it in another way.
func TestHalfShaftsPushAtTheWheelCentres(t *testing.T) {
	const radius, torque = 0.3, 60 * 3.64 // of the engine at rest, at the final drive [N m]
	for _, c := range []struct {
		name, driveline string
		share           map[string]float64 // of the torque, by wheel
		live            bool
	}{
		{"rear", `frames = { chassis = "body", left = "wheel_RL", right = "wheel_RR" }`, map[string]float64{"RL": 0.5,
			"RR": 0.5}, false},
		{"front", `frames = { chassis = "body", left = "wheel_FL", right = "wheel_FR" }`, map[string]float64{"FL": 0.5,
			"FR": 0.5}, false},
		{"all", `frames = { chassis = "body", front_left = "wheel_FL", front_right = "wheel_FR", rear_left = "wheel_RL", ` +
			`rear_right = "wheel_RR" }`, map[string]float64{"FL": 0.2, "FR": 0.2, "RL": 0.3, "RR": 0.3}, false},
		{"rear", `frames = { chassis = "body", left = "wheel_RL", right = "wheel_RR" }
component.final_drive.housing = "upright_RL"`, map[string]float64{"RL": 0.5, "RR": 0.5}, true},
	} {
		text := drivenWheels(fmt.Sprintf("[use.D]\nfile = \"../subsystems/driveline_%s.toml\"\n%s\n", c.name, c.driveline))
		m, err := vehicle.Parse([]byte(text), "driven.toml", vehicle.Opener("../../resources/models/driven.toml"))
		if err != nil {
			t.Fatal(err)
		}
		p, err := formulate.Program(m, formulate.Options{})
		if err != nil {
			t.Fatal(err)
		}
		rest, centre, shaft := map[string]float64{}, map[string]float64{}, map[string]float64{"engine_D.throttle": 1}
		for wheel, share := range c.share {
			centre["pull_"+wheel+".force"] = share * torque / radius
			shaft["push_"+wheel+".force"] = share * torque / radius
		}
		still, pulled, driven := rates(p, rest), rates(p, centre), rates(p, shaft)
		moved := 0.0
		for i, v := range p.States {
			off := math.Abs(driven[i] - pulled[i])
			if c.live {
				if v.Name == "susp_RL.travel_dot" && off < 0.1*math.Abs(pulled[i]-still[i]) {
					t.Errorf("a final drive on the carrier moves %s as one on the body", v.Name)
				}
				continue
			}
			if off > 1e-9*(1+math.Abs(pulled[i])) {
				t.Errorf("%s: %s has the rate %g with half-shafts, %g by forces at the wheel centres", c.name, v.Name, driven[i],
					pulled[i])
			}
			if strings.Contains(v.Name, "travel_dot") {
				moved = max(moved, math.Abs(pulled[i]-still[i]))
			}
		}
		if moved < 0.1 && !c.live {
			t.Errorf("%s: the forces do not move the suspension", c.name)
		}
	}
}

// rates are the rates of all states at the start, with inputs.
func rates(p *program.Program, inputs map[string]float64) []float64 {
	machine := p.NewTape()
	values := make([]float64, len(p.Parameters))
	for i, v := range p.Parameters {
		values[i] = v.Start
	}
	machine.SetParameters(values)
	x, u, dx := make([]float64, len(p.States)), make([]float64, len(p.Inputs)), make([]float64, len(p.States))
	for i, v := range p.Inputs {
		u[i] = v.Start
		if force, given := inputs[v.Name]; given {
			u[i] = force
		}
	}
	machine.Start(u, x)
	machine.Derivatives(0, x, u, dx)
	return dx
}

// Supports of an axle by curves follow from the slopes of its curves, by virtual work. The wheel turns with the rates
// of toe about -z, camber about the new -x and castor about the spin axis, w. Per rise z + (w x e)_z of the contact at
// e from the centre, the centre moves by x under driving by half-shafts, and the contact by x + (w x e)_x under
// braking with brakes at the wheels.
func TestSupportsFollowFromTheCurves(t *testing.T) {
	const radius = 0.3
	m, err := vehicle.Read("../../resources/models/passenger_car.toml")
	if err != nil {
		t.Fatal(err)
	}
	for axle := 1; axle <= 2; axle++ {
		use := "FR"[axle-1 : axle]
		r, err := rig.New(m, rig.Options{Axle: axle, Radius: radius,
			Hold: []string{"toe_" + use + "L", "toe_" + use + "R", "camber_" + use + "L", "camber_" + use + "R"}})
		if err != nil {
			t.Fatal(err)
		}
		guide, _ := component.Named[*component.Suspension](m.Scope(), "susp_"+use+"L")
		toe, toeRate, _ := guide.Toe.At(0)
		camber, camberRate, _ := guide.Camber.At(0)
		_, castorRate, _ := guide.Castor.At(0)
		_, x, _ := guide.X.At(0)
		st, ct := math.Sincos(toe)
		sc, cc := math.Sincos(camber)
		w := [3]float64{-camberRate*ct - castorRate*st*cc, camberRate*st - castorRate*ct*cc, -toeRate + castorRate*sc}
		e := [3]float64{-radius * sc * st, -radius * sc * ct, -radius * cc}
		rise := 1 + w[0]*e[1] - w[1]*e[0]
		got := figures(t, r)
		for key, want := range map[string]float64{"support_drive": -x / rise,
			"support_brake": (x + w[1]*e[2] - w[2]*e[1]) / rise} {
			if f := got[key]; math.Abs(f.Left.V-want) > 1e-5*math.Abs(want) {
				t.Errorf("axle %d: %s is %g, by virtual work %g", axle, key, f.Left.V, want)
			}
		}
	}
}

// Torque steer: where toe yields about the steering axis, a driving force at the wheel centre has the lever of the hub
// offset about this axis, and braking at the contact the lever of the scrub radius. A moment about z shows the
// yielding.
func TestTorqueSteerFollowsFromTheHubOffset(t *testing.T) {
	m, err := vehicle.Read("../../resources/models/passenger_car.toml")
	if err != nil {
		t.Fatal(err)
	}
	r, err := rig.New(m, rig.Options{Axle: 1})
	if err != nil {
		t.Fatal(err)
	}
	of := figures(t, r)
	yield := -of["aligning_opposed_toe"].Left.V
	for key, lever := range map[string]float64{"driving_toe": of["hub_offset"].Left.V, "braking_toe": of["scrub"].Left.V} {
		if got := of[key].Left.V / yield; math.Abs(got-lever) > 1e-3 {
			t.Errorf("%s has a lever of %g m, and the steering axis %g m", key, got, lever)
		}
	}
}

// The shipped rigid axle heaves, slides and tilts about an axis at the height of the wheel centres. Its figures follow
// by hand from two springs at their distance, from the bar and from the rod that holds the axle sideways. The contacts
// move under the tilted axle, so that the load W takes W r from the moment of the pads.
func TestShippedRigidAxle(t *testing.T) {
	const spring, halfSpring, bar, lateral, radius, halfTrack = 40e3, 0.55, 9e3, 2e6, 0.33, 0.8
	for _, file := range []string{"rigid_axle", "rigid_axle_steered"} {
		r, err := rig.New(shippedAxle(t, fmt.Sprintf(`[use.F]
file = "../subsystems/%s.toml"
frames = { chassis = "front", road = "road" }
[use.F.parameters]
x = 0
z = 0.33
half_track = %g
mass = 80
load = 9000
spring = %g
damper = 3000
half_spring = %g
bar = %g
lateral = %g
`, file, halfTrack, spring, halfSpring, bar, lateral)), rig.Options{Axle: 1, Radius: radius})
		if err != nil {
			t.Fatal(err)
		}
		of := figures(t, r)
		for key, want := range map[string]float64{
			"wheel_rate": spring, "roll_stiffness": 2*spring*halfSpring*halfSpring + bar - (9000+(80+2*20)*9.81)*radius,
			"roll_centre": radius, "roll_centre_by_force": radius, "roll_camber": 1, "roll_steer": 0, "toe_per_travel": 0,
			"camber_per_travel": 0, "x_per_travel": 0, "support_brake": 0, "support_drive": 0,
			"lateral_parallel_contact_y": 2 / lateral,
		} {
			f := of[key]
			if f.Missing != "" || !(math.Abs(f.Left.V-want) <= 1e-4*math.Abs(want)+1e-9) {
				t.Errorf("%s: %s is %.9g %s, by hand %.9g", file, key, f.Left.V, f.Missing, want)
			}
		}
	}
}
