package statements

import (
	"math"

	"skidpad/harness/workbench/results/trace"
)

// What the passenger car must do by the laws of mechanics, with the numbers of its parameter set and the
// figures of its suspensions (docs/passenger-car.md).

// passengerCars are the manoeuvres of the passenger car.
var passengerCars = []Scenario{
	{Model: "passenger_car", Manoeuvre: "passenger_car_sine", FMU: "PassengerCar", Method: "rk4",
		Checks: PassengerCarSine},
	{Model: "passenger_car", Manoeuvre: "passenger_car_braking", FMU: "PassengerCar", Method: "rk4",
		Checks: PassengerCarBraking},
}

const (
	CarMass      = 965.7 + 4*31.9                        // kg
	CarHeight    = (965.7*0.6137 + 4*31.9*0.3) / CarMass // of its centre of mass, m
	CarWheelbase = 1.1562 + 1.4227                       // m
)

// PassengerCarSine checks a slow sine steer.
func PassengerCarSine(t *trace.Trace) []Check {
	_, ay := trace.Peak(t.Range("body.ay", 2.5, 4.5))
	_, roll := trace.Peak(t.Range("body.roll", 2.5, 4.5))
	// static is the sum of two roll angles per lateral acceleration. The first follows from the moment of the sprung
	// mass about the roll axis (0.06 and 0.10 m above ground at the axles) and the roll stiffness of springs and bars,
	// which the weight reduces. The second is the roll of the axles on their tires.
	arm := 0.6137 - 0.06 - 0.04*1.1562/CarWheelbase
	springs := 2*24445*0.6934*0.6934 + 6915 + 2*19629*0.682*0.682 + 2644
	tires := 2 * 208000 * (0.6934*0.6934 + 0.682*0.682)
	static := 965.7*arm/(springs-965.7*9.81*arm) + CarMass*CarHeight/tires
	weight, bar := 0.0, 0.0
	for i := range t.Time {
		sum := 0.0
		for _, c := range []string{"FL", "FR", "RL", "RR"} {
			sum += t.Column("tire_" + c + ".Fz")[i]
		}
		weight = max(weight, math.Abs(sum/(CarMass*9.81)-1))
		bar = max(bar,
			math.Abs(t.Column("bar_front.force")[i]-3595*(t.Column("susp_FL.travel")[i]-t.Column("susp_FR.travel")[i])))
	}
	first, up := trace.Maximum(t.Range("body.wz", 0, 2))
	lag, steer := first-1, (t.At("steer_FL.angle", first)+t.At("steer_FR.angle", first))/2
	return []Check{
		NewCheck("K1", "the car rolls outward, by what springs, bars and tires ask for",
			near("roll/a_y", roll/ay, static, 0.1*static, degree, "deg/(m/s2)")),
		NewCheck("K2", "the wheels bear the weight", Below("off by", weight, 0.02, 0.01, "%")),
		NewCheck("K3", "the anti-roll bar has the force of its twist", Below("off by", bar, 1e-6, 1, "N")),
		NewCheck("K4", "the yaw rate follows the wheels, later and less than they would roll",
			inRange("lag", lag, 0.02, 0.2, 1, "s"),
			inRange("share", up*CarWheelbase/(t.At("body.vx", first)*steer), 0.5, 1, 1, "")),
	}
}

// PassengerCarBraking checks straight braking, at a time when it has settled.
func PassengerCarBraking(t *trace.Trace) []Check {
	const before, at = 0.25, 2.3
	ax := -t.At("body.ax", at)
	force, least := 0.0, math.Inf(1)
	change := map[byte]float64{} // of the load of an axle
	for _, c := range []string{"FL", "FR", "RL", "RR"} {
		force -= t.At("tire_"+c+".Fx", at)
		change[c[0]] += t.At("tire_"+c+".Fz", at) - t.At("tire_"+c+".Fz", before)
		_, low := trace.Minimum(t.Time, t.Column("wheel_"+c+".omega"))
		least = min(least, low)
	}
	// moments about the ground: the mass, the wheels, which are slowed, too, and the lift of the air in
	// front, which is less when the car is slower
	inertia := (CarMass*CarHeight + 4*0.9/0.3055) * ax / CarWheelbase
	lift := 0.12 / (0.12 + 0.1) * (t.At("air.Fz", before) - t.At("air.Fz", at))
	// The curves x and castor bear a part of the load change, in proportion to the braking forces. The contact moves
	// forward by 0.085 of the travel in front, backward by 0.382 at the rear. The engine braking acts on the wheel
	// centre, which moves backward by 0.05. The deceleration of the wheels turns the carriers, by 0.35 and -1.1 of the
	// travel.
	share, drag := 2*-t.At("tire_FL.Fx", at), -t.At("final_drive.torque", at)*3.64/t.At("tire_RL.R_l", at)
	slowing := 2 * 0.9 * ax / 0.3055 // N m
	dive := (change['F'] - 0.085*share - 0.35*slowing) / (2 * 24445)
	rise := (change['R'] + 0.382*(force-share-drag) + 0.05*drag + 1.1*slowing) / (2 * 19629)
	travelled := func(wheel string) float64 {
		return t.At("susp_"+wheel+".travel", at) - t.At("susp_"+wheel+".travel", before)
	}
	return []Check{
		NewCheck("K5", "the tires and the air slow the mass",
			near("a_x", ax, (force-t.At("air.Fx", at))/CarMass, 0.01*ax, 1, "m/s2")),
		NewCheck("K6", "the load goes to the front by the height of the centre of mass",
			near("change", change['F'], inertia+lift, 0.03*inertia, 1, "N")),
		NewCheck("K7", "springs bear what the suspensions leave to them",
			near("travel in front", travelled("FL"), dive, 0.1*math.Abs(dive), millimetre, "mm"),
			near("at the rear", travelled("RL"), rise, 0.1*math.Abs(rise), millimetre, "mm")),
		NewCheck("K8", "the engine drags", inRange("torque on the differential", t.At("final_drive.torque", at), -40,
			-10, 1, "N m")),
		NewCheck("K9", "no wheel locks", above("least spin", least, 10, 1, "rad/s")),
		NewCheck("K10", "the car stays straight, except for the yaw due to the engine's rotor",
			Below("off by", math.Abs(t.At("body.y", 3)), 0.01, millimetre, "mm")),
	}
}
