package cosim_test

import (
	"math"
	"testing"

	"skidpad/cosim"
)

// An engine, gears with losses and a brake: while accelerating, coasting and braking, the balance of energies closes to
// 1e-6 of the energy turned over.
func TestLossesOfADrivelineCloseTheBalance(t *testing.T) {
	const rest = `
[component.engine]
type = "engine"
drives = "crank"
full_load = [[0, 60], [400, 90]]
drag = [[0, 0], [400, -40]]
[component.brake]
type = "brake"
from = "housing"
to = "wheel"
axis = "x"
`
	var turning [2]float64
	for i, losses := range []string{`efficiency = [0.9, 0.94, 0.85]
joint_efficiency = 0.97
inertia = 0.2
frame = "housing"
axis = "x"
shift_time = 0.2`, ""} {
		r := instance(t, shafts(t, losses+rest).sys, "rk4", 0.0002)
		r.text(cosim.RecordVariable, cosim.RecordOn)
		r.set("crank.omega", 40)
		r.set("shaft.omega", 20)
		pedals := func(throttle, brake float64) input {
			return func(r *run, _ float64) {
				r.set("gearbox.gear", 2)
				r.set("engine.throttle", throttle)
				r.set("brake.torque", brake)
			}
		}
		r.start(pedals(0.8, 0))
		first := r.get("energy.kinetic")
		for _, phase := range []struct {
			name                 string
			throttle, brake, end float64
		}{{"accelerates", 0.8, 0, 3}, {"coasts", 0, 0, 5}, {"brakes", 0, 100, 6}} {
			r.drive(pedals(phase.throttle, phase.brake), 0.0002, phase.end)
			turned := first + math.Abs(r.get("energy.supplied")) + r.get("energy.dissipated")
			if balance := r.get("energy.balance"); !(math.Abs(balance) <= 1e-6*turned) || balance == 0 {
				t.Errorf("%q, a driveline that %s: balance %g J of %g J", losses, phase.name, balance, turned)
			}
			if phase.name == "accelerates" {
				turning[i] = r.get("energy.kinetic")
			}
		}
	}
	if !(turning[0] < 0.97*turning[1]) {
		t.Errorf("kinetic energy %g J with losses, %g J without", turning[0], turning[1])
	}
}
