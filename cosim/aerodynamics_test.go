package cosim_test

import (
	"fmt"
	"math"
	"testing"
)

// hull is a body of 900 kg in free space with aerodynamics at its frame.
func hull(t *testing.T, coefficients string) *run {
	t.Helper()
	return fromText(t, fmt.Sprintf(`name = "Hull"
gravity = 0
[component.body]
type = "rigid-body"
mass = 900
inertia = { xx = 400, yy = 1500, zz = 1700 }
[component.air]
type = "aerodynamics"
frame = "body"
area = 2
length = 2.5
density = 1.2
%s`, coefficients), "")
}

// Against drag alone v' = -k v^2, k = rho A CD/(2 m), so that v = v0/(1 + k v0 t); in a wind the same holds for the
// speed against the air.
func TestDragSlowsABodyDown(t *testing.T) {
	const k = 1.2 * 2 * 0.3 / (2 * 900)
	for _, c := range []struct{ speed, wind float64 }{{50, 0}, {30, -20}, {-40, 10}} {
		r := hull(t, "drag = 0.3")
		r.set("body.vx", c.speed)
		r.set("air.wind_x", c.wind)
		r.start(noInput)
		r.drive(noInput, 0.01, 20)
		v0 := c.speed - c.wind
		r.near("body.vx", c.wind+v0/(1+k*math.Abs(v0)*20), 1e-9)
		r.near("air.Fx", -1.2*2*0.3/2*math.Pow(r.get("body.vx")-c.wind, 2)*math.Copysign(1, v0), 1e-9)
	}
}

// A car drives north in a wind from the west, which strikes it from the left. The wind pushes the car to the right,
// turns it out of the wind and rolls it to the right. The forces follow from the coefficients at the angle
// atan(10/30); constant coefficients of drag and lift do not depend on the angle.
func TestWindFromTheLeft(t *testing.T) {
	r := hull(t, `drag = 0.3
lift_front = 0.1
lift_rear = 0.25
side_force = 2
roll_moment = 0.4
yaw_moment = 0.6`)
	r.set("body.yaw", math.Pi/2)
	r.set("body.vx", 30)
	r.set("air.wind_x", 10)
	r.start(noInput)
	angle := math.Atan(10. / 30)
	pressure := 1.2 * 1000 / 2 * 2
	r.near("air.airspeed", math.Sqrt(1000), 1e-5)
	r.near("air.side_slip", angle, 1e-7)
	r.near("air.Fx", -0.3*pressure, 1e-9)
	r.near("air.Fy", -2*angle*pressure, 1e-3)
	r.near("air.Fz", 0.35*pressure, 1e-9)
	r.near("air.Mx", 0.4*angle*2.5*pressure, 1e-3)
	r.near("air.My", (0.25-0.1)/2*2.5*pressure, 1e-9)
	r.near("air.Mz", -0.6*angle*2.5*pressure, 1e-3)
	r.near("body.ay", r.get("air.Fy")/900, 1e-12)
	r.drive(noInput, 0.001, 0.1)
	if r.get("body.roll") <= 0 || r.get("body.wz") >= 0 || r.get("body.vy") >= 0 {
		t.Errorf("wind from the left: roll %g, yaw rate %g, lateral speed %g", r.get("body.roll"), r.get("body.wz"),
			r.get("body.vy"))
	}
	// the same wind from the right is the mirror image
	l := hull(t, `drag = 0.3
lift_front = 0.1
lift_rear = 0.25
side_force = 2
roll_moment = 0.4
yaw_moment = 0.6`)
	l.set("body.yaw", math.Pi/2)
	l.set("body.vx", 30)
	l.set("air.wind_x", -10)
	l.start(noInput)
	l.drive(noInput, 0.001, 0.1)
	for name, sign := range map[string]float64{"vx": 1, "vy": -1, "vz": 1, "wx": -1, "wy": 1, "wz": -1} {
		l.near("body."+name, sign*r.get("body."+name), 1e-12)
	}
}

// Curves add to the numbers, each to its own coefficient, at the points exactly; a number for an odd coefficient and
// the straight curve with its slope are the same.
func TestCurvesOfCoefficients(t *testing.T) {
	const angle = 0.3
	at := func(r *run) {
		r.set("body.vx", 40*math.Cos(angle))
		r.set("body.vy", 40*math.Sin(angle))
		r.start(noInput)
	}
	r := hull(t, `drag = 0.3
lift_front = 0.1
lift_rear = 0.2
drag_curve = [[-0.3, 0.05], [0, 0], [0.3, 0.07]]
lift_front_curve = [[-0.3, 0.2], [0, 0], [0.3, 0.25]]
lift_rear_curve = [[-0.3, 0.1], [0, 0], [0.3, 0.11]]
side_force_curve = [[-0.3, -0.6], [0, 0], [0.3, 0.62]]
roll_moment_curve = [[-0.3, -0.1], [0, 0], [0.3, 0.12]]
yaw_moment_curve = [[-0.3, -0.15], [0, 0], [0.3, 0.16]]`)
	at(r)
	const pressure, l = 1.2 * 1600 / 2 * 2, 2.5
	for name, want := range map[string]float64{
		"Fx": -0.37, "Fy": -0.62, "Fz": 0.35 + 0.31, "Mx": 0.12 * l, "My": (0.31 - 0.35) / 2 * l, "Mz": -0.16 * l,
	} {
		r.near("air."+name, want*pressure, 1e-4)
	}
	number, straight := hull(t, `side_force = 2
roll_moment = 0.4
yaw_moment = 0.6`),
		hull(t, `side_force_curve = [[-1, -2], [1, 2]]
roll_moment_curve = [[-1, -0.4], [1, 0.4]]
yaw_moment_curve = [[-1, -0.6], [1, 0.6]]`)
	at(number)
	at(straight)
	for _, name := range []string{"Fx", "Fy", "Fz", "Mx", "My", "Mz"} {
		straight.near("air."+name, number.get("air."+name), 1e-9)
	}
}

// In still air nothing acts on a standing vehicle. Wind from any side pushes a resting vehicle away without a jump
// and without NaN. Drag reverses with the motion.
func TestAirIsSmoothAtStandstill(t *testing.T) {
	r := hull(t, `drag = 0.3
lift_front = 0.1
lift_rear = 0.2
side_force = 2
roll_moment = 0.4
yaw_moment = 0.6
drag_curve = [[-1, 0.2], [0, 0], [1, 0.2]]`)
	r.start(noInput)
	for _, name := range []string{"Fx", "Fy", "Fz", "Mx", "My", "Mz"} {
		r.near("air."+name, 0, 0)
	}
	for _, around := range []float64{0, 1e-9, 0.5, math.Pi / 2, 2, math.Pi, -1} {
		for _, speed := range []float64{1e-12, 1e-3, 1, 40} {
			r.set("air.wind_x", -speed*math.Cos(around))
			r.set("air.wind_y", -speed*math.Sin(around))
			if x := r.get("air.Fx"); !(x*math.Cos(around) <= 0) {
				t.Errorf("wind of %g m/s, %g rad: Fx = %g", speed, around, x)
			}
			if y := r.get("air.Fy"); !(y*math.Sin(around) <= 0) {
				t.Errorf("wind of %g m/s, %g rad: Fy = %g", speed, around, y)
			}
			for _, name := range []string{"Fz", "Mx", "My", "Mz", "airspeed", "side_slip"} {
				if v := r.get("air." + name); math.IsNaN(v) || math.Abs(v) > 1.2*1600/2*2*2.5*math.Pi {
					t.Errorf("wind of %g m/s, %g rad: %s = %g", speed, around, name, v)
				}
			}
		}
	}
}
