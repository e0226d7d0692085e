package cosim_test

import (
	"fmt"
	"math"
	"testing"
)

// axle are two discs of 1.5 and 2 kg m2 on a stand that does not move, which a differential drives.
func axle(t *testing.T, keys, more string) *run {
	t.Helper()
	r := fromText(t, fmt.Sprintf(`name = "Axle"
gravity = 0
[component.wheel_L]
type = "revolute"
from = "ground"
to = "left"
axis = "y"
[component.left]
type = "rigid-body"
mass = 10
inertia = { axial = 1.5, transverse = 1 }
[component.wheel_R]
type = "revolute"
from = "ground"
to = "right"
axis = "y"
[component.right]
type = "rigid-body"
mass = 10
inertia = { axial = 2, transverse = 1 }
[component.differential]
type = "differential"
outputs = ["wheel_L", "wheel_R"]
%s
%s`, keys, more), "")
	return r
}

// An open differential gives each disc its share of the torque times the ratio at any speeds of the discs, and its
// input rotates with the weighted mean.
func TestAnOpenDifferentialSharesTheTorque(t *testing.T) {
	r := axle(t, "ratio = 4\nshare = 0.3", "")
	r.set("wheel_L.omega", 5)
	r.set("wheel_R.omega", -2)
	r.set("differential.torque", 10)
	r.start(noInput)
	r.near("differential.speed", 4*(0.3*5-0.7*2), 1e-12)
	r.drive(noInput, 0.01, 1)
	r.near("wheel_L.omega", 5+0.3*40/1.5, 1e-12)
	r.near("wheel_R.omega", -2+0.7*40/2, 1e-12)
	r.near("differential.loss", 0, 0)
}

// What goes in comes out or is lost, and friction never gives: for drive and coast, either wheel faster, with all
// kinds of friction.
func TestADifferentialBalancesPower(t *testing.T) {
	r := axle(t, `ratio = 3
share = 0.45
preload = 20
lock_drive = 0.4
lock_coast = 0.2
viscosity = 3
sliding_speed = 0.5`, "")
	for _, torque := range []float64{-70, 0, 90} {
		for _, left := range []float64{-3, 0, 0.2, 8} {
			for _, right := range []float64{-3, 0.1, 7.9} {
				r := instance(t, r.sys, "rk4", 0.001)
				r.set("wheel_L.omega", left)
				r.set("wheel_R.omega", right)
				r.set("differential.torque", torque)
				r.start(noInput)
				in := torque * r.get("differential.speed")
				out := r.get("differential.torque_1")*left + r.get("differential.torque_2")*right
				loss := r.get("differential.loss")
				if !(math.Abs(in-out-loss) <= 1e-10) || loss < 0 {
					t.Errorf("torque %g, wheels %g and %g: %g W go in, %g W come out, %g W are lost", torque, left,
						right, in, out, loss)
				}
				// locking value: the slower wheel gets more, by the preload and a share of the sum, and by viscosity
				lock := map[bool]float64{true: 0.4, false: 0.2}[torque > 0]
				slide := left - right
				want := (20+lock*3*math.Abs(torque))*math.Tanh(slide/0.5) + 3*slide
				if got := r.get("differential.torque_2") - 0.55*3*torque -
					(r.get("differential.torque_1") - 0.45*3*torque); !(math.Abs(got-want) <= 1e-10) {
					t.Errorf("torque %g, wheels %g and %g: the outputs differ by %g N m, want %g", torque, left,
						right, got, want)
				}
			}
		}
	}
}

// Of the power of the driving side, the other side receives the efficiency, and the rest is the loss: driven and
// coasting, forwards and backwards. A standing input loses nothing.
func TestADifferentialLosesAShareOfItsPower(t *testing.T) {
	const eta = 0.9
	r := axle(t, `ratio = 3
share = 0.45
efficiency = 0.9`, "")
	for _, torque := range []float64{-70, 0, 90} {
		for _, speed := range []float64{-60, 0, 60} { // tanh of 60 is 1
			r := instance(t, r.sys, "rk4", 0.001)
			r.set("wheel_L.omega", speed)
			r.set("wheel_R.omega", speed)
			r.set("differential.torque", torque)
			r.start(noInput)
			in := torque * 3 * speed
			out := (r.get("differential.torque_1") + r.get("differential.torque_2")) * speed
			want := in * eta
			if in < 0 {
				want = in / eta
			}
			if !(math.Abs(out-want) <= 1e-9) || !(math.Abs(in-out-r.get("differential.loss")) <= 1e-9) {
				t.Errorf("torque %g at %g rad/s: %g W go in, %g W come out, want %g; %g W are lost", torque, speed, in, out, want,
					r.get("differential.loss"))
			}
			if speed == 0 && r.get("differential.torque_1")+r.get("differential.torque_2") != 3*torque {
				t.Errorf("torque %g at rest: the gears take a part of it", torque)
			}
		}
	}
}

// With friction alone two discs reach the same speed, conserve their angular momentum, and lose exactly the energy that
// the differential reports.
func TestFrictionBringsWheelsTogether(t *testing.T) {
	r := axle(t, "preload = 30",
		`[component.engine]
type = "engine"
drives = "differential"
full_load = [[0, 0], [1, 0]]
`)
	r.set("wheel_L.omega", 12)
	r.set("wheel_R.omega", 4)
	r.start(noInput)
	energy := func() float64 {
		return (1.5*math.Pow(r.get("wheel_L.omega"), 2) + 2*math.Pow(r.get("wheel_R.omega"), 2)) / 2
	}
	before, lost := energy(), 0.0
	const h = 0.001
	for n := range 3000 {
		loss := r.get("differential.loss")
		r.drive(noInput, h, float64(n+1)*h)
		lost += h * (loss + r.get("differential.loss")) / 2
	}
	common := (1.5*12 + 2*4) / 3.5
	r.near("wheel_L.omega", common, 1e-6)
	r.near("wheel_R.omega", common, 1e-6)
	if after := energy(); !(math.Abs(before-after-lost) <= 1e-4*lost) {
		t.Errorf("the discs lose %g J, the differential %g J", before-after, lost)
	}
}

const constantEngine = `[component.engine]
type = "engine"
drives = "differential"
ratio = 1.5
full_load = [[0, 100], [1, 100]]
drag = [[0, -10], [1, -10]]
`

// An engine's inertia, which turns with the mean speed times the ratios, couples the discs: with c = 3 (0.4, 0.6)
// (J + I c c^T) w' = T c, T the engine's torque.
func TestInertiaOfTheEngineCouplesTheWheels(t *testing.T) {
	r := axle(t, "ratio = 2\nshare = 0.4", constantEngine+`inertia = 0.3
frame = "ground"
axis = "x"
`)
	r.set("wheel_L.omega", 5)
	r.start(noInput)
	r.set("engine.throttle", 0.5)
	r.near("engine.speed", 3*0.4*5, 1e-12)
	r.near("engine.torque", 45, 1e-12)
	c := [2]float64{1.2, 1.8}
	m := [2][2]float64{{1.5 + 0.3*c[0]*c[0], 0.3 * c[0] * c[1]}, {0.3 * c[0] * c[1], 2 + 0.3*c[1]*c[1]}}
	det := m[0][0]*m[1][1] - m[0][1]*m[1][0]
	r.drive(noInput, 0.01, 1)
	r.near("wheel_L.omega", 5+45*(c[0]*m[1][1]-c[1]*m[0][1])/det, 1e-10)
	r.near("wheel_R.omega", 45*(c[1]*m[0][0]-c[0]*m[1][0])/det, 1e-10)
	for throttle, torque := range map[float64]float64{-3: -10, 0: -10, 0.25: 17.5, 1: 100, 7: 100} {
		r.set("engine.throttle", throttle)
		r.near("engine.torque", torque, 1e-12)
	}
}

// An engine at standstill resists nothing if its drag torque starts at 0, and never drives with the throttle closed.
// Rotated backwards, the engine has its standstill torque from 1 rad/s on.
func TestDragOfTheEngineOpposesTheMotion(t *testing.T) {
	r := axle(t, "", `[component.engine]
type = "engine"
drives = "differential"
full_load = [[0, 100], [400, 50]]
drag = [[0, 0], [50, -20], [400, -60]]
`)
	r.start(noInput)
	r.near("engine.torque", 0, 0)
	for _, w := range []float64{-8, -0.5, 0.5, 8, 70} {
		r := instance(t, r.sys, "rk4", 0.001)
		r.set("wheel_L.omega", w)
		r.set("wheel_R.omega", w)
		r.start(noInput)
		if torque := r.get("engine.torque"); !(torque*w < 0 || w < -1 && torque == 0) {
			t.Errorf("at %g rad/s the engine drags with %g N m", w, torque)
		}
	}
}

// A vehicle in free space has a spinning engine and wheels on half-shafts. It keeps its angular momentum h = sum R (J
// w) + R (I s a). Left to itself, it also keeps its energy T = sum w.J w/2 + I s^2/2 + I s a.w. Here s is the engine
// speed relative to the carrier, and the carrier's inertia includes the engine at rest in it. The left wheel hangs on
// a knuckle that rotates relative to the body and takes the reaction of the half-shaft. The engine may be anywhere,
// on a wheel, too.
func TestASpinningEngineIsAGyroscope(t *testing.T) {
	for _, carrier := range []string{"body", "knuckle", "right"} {
		t.Run(carrier, func(t *testing.T) {
			r := gyrostat(t, `[component.engine]
type = "engine"
drives = "differential"
ratio = 2
full_load = [[0, 0], [1, 0]]
inertia = 0.2
frame = "`+carrier+`"
axis = [0.8, 0, 0.6]
`)
			r.start(noInput)
			h0, e0 := r.momentumAndEnergy(carrier)
			before := r.get("engine.speed")
			r.drive(noInput, 0.001, 1)
			h, e := r.momentumAndEnergy(carrier)
			r.same("energy [J]", []float64{e0}, []float64{e}, 1e-9)
			r.same("angular momentum", h0, h, 1e-9)
			if moved := r.get("engine.speed") - before; !(math.Abs(moved) > 0.1) {
				t.Errorf("the engine does not take part: its speed has changed by %g rad/s", moved)
			}
		})
	}
}

// What turns with the input of a differential is a gyroscope as what turns with an engine, at the speed of the input.
func TestAnInputShaftOfADifferentialIsAGyroscope(t *testing.T) {
	r := gyrostat(t, `inertia = 0.2
frame = "knuckle"
axis = [0.8, 0, 0.6]
`)
	r.start(noInput)
	h0, e0 := r.momentumAndEnergyWith("differential.speed", "knuckle")
	before := r.get("differential.speed")
	r.drive(noInput, 0.001, 1)
	h, e := r.momentumAndEnergyWith("differential.speed", "knuckle")
	r.same("energy [J]", []float64{e0}, []float64{e}, 1e-9)
	r.same("angular momentum", h0, h, 1e-9)
	if moved := r.get("differential.speed") - before; !(math.Abs(moved) > 0.1) {
		t.Errorf("the shaft does not take part: its speed has changed by %g rad/s", moved)
	}
}

// The same vehicle with a flywheel, a clutch and gears instead of the engine keeps its angular momentum through a
// gear change. Its energy loss equals the loss reported by the clutch.
func TestAClutchTakesNoMomentum(t *testing.T) {
	r := gyrostat(t, `[component.crank]
type = "revolute"
from = "body"
to = "flywheel"
axis = [0.8, 0, 0.6]
start = { omega = 60 }
[component.flywheel]
type = "rigid-body"
mass = 3
inertia = { xx = 0.2, yy = 0.15, zz = 0.1 }
[component.gearbox]
type = "gearbox"
input = "crank"
drives = "differential"
ratios = [2, 0.7]
capacity = 20
sliding_speed = 6
`)
	r.set("gearbox.gear", 1)
	r.start(noInput)
	h0, e0 := r.momentumAndEnergy("")
	lost := 0.0
	const h = 0.00025
	for n := range 6000 {
		switch n {
		case 1600:
			r.set("gearbox.clutch", 0)
		case 2000:
			r.set("gearbox.gear", 2)
		case 2400:
			r.set("gearbox.clutch", 0.7)
		}
		before := r.get("gearbox.loss")
		r.drive(noInput, h, float64(n+1)*h)
		lost += h * (before + r.get("gearbox.loss")) / 2
	}
	momentum, energy := r.momentumAndEnergy("")
	r.same("angular momentum", h0, momentum, 1e-9)
	r.same("energy [J]", []float64{e0}, []float64{energy + lost}, 1e-6)
	if !(lost > 0.1*e0) {
		t.Errorf("the clutch loses %g J of %g", lost, e0)
	}
}

// gyrostat is a vehicle in free space with all masses in one point; driving is the table of the drive of its
// differential.
func gyrostat(t *testing.T, driving string) *run {
	return fromText(t, `name = "Gyrostat"
gravity = 0
[component.body]
type = "rigid-body"
mass = 30
inertia = { xx = 3, yy = 5, zz = 6, xz = 0.4 }
start = { angular_velocity = [0.4, -0.3, 0.5] }
[component.swing]
type = "revolute"
from = "body"
to = "link"
axis = [1, 0.4, 0.2]
start = { phi = 0.4, omega = 1.3 }
[component.king]
type = "revolute"
from = "link"
to = "knuckle"
axis = [0.1, 0.3, 1]
start = { phi = 0.3, omega = -1.1 }
[component.knuckle]
type = "rigid-body"
mass = 4
inertia = { xx = 0.5, yy = 0.6, zz = 0.7 }
[component.wheel_L]
type = "revolute"
from = "knuckle"
to = "left"
axis = "y"
start = { omega = 9 }
[component.left]
type = "rigid-body"
mass = 5
inertia = { axial = 0.8, transverse = 0.5 }
[component.wheel_R]
type = "revolute"
from = "body"
to = "right"
axis = "y"
start = { omega = 7 }
[component.right]
type = "rigid-body"
mass = 5
inertia = { axial = 0.8, transverse = 0.5 }
[component.differential]
type = "differential"
outputs = ["wheel_L", "wheel_R"]
housing = "body"
ratio = 3
`+driving, "")
}

// momentumAndEnergy returns h = sum R (J w) and T = sum w.J w/2 of a gyrostat, with the contributions of an engine on
// its carrier.
func (r *run) momentumAndEnergy(carrier string) (momentum []float64, energy float64) {
	return r.momentumAndEnergyWith("engine.speed", carrier)
}

// momentumAndEnergyWith does the same for any rotor on the carrier, given the variable of its speed.
func (r *run) momentumAndEnergyWith(speed, carrier string) (momentum []float64, energy float64) {
	vector := func(name string) [3]float64 {
		return [3]float64{r.get(name + ".wx"), r.get(name + ".wy"), r.get(name + ".wz")}
	}
	inGround := func(body string, v [3]float64) (u [3]float64) {
		a := rotation(r.get(body+".yaw"), r.get(body+".pitch"), r.get(body+".roll"))
		for i := range 3 {
			for k := range 3 {
				u[i] += a[i][k] * v[k]
			}
		}
		return u
	}
	momentum = make([]float64, 3)
	add := func(frame string, h [3]float64) {
		for i, x := range inGround(frame, h) {
			momentum[i] += x
		}
	}
	w := vector("body")
	h := [3]float64{3*w[0] - 0.4*w[2], 5 * w[1], 6*w[2] - 0.4*w[0]}
	energy += (h[0]*w[0] + h[1]*w[1] + h[2]*w[2]) / 2
	add("body", h)
	bodies := map[string][3]float64{"knuckle": {0.5, 0.6, 0.7}, "left": {0.5, 0.8, 0.5}, "right": {0.5, 0.8, 0.5}}
	if carrier == "" {
		bodies["flywheel"] = [3]float64{0.2, 0.15, 0.1}
	} else {
		s, c := r.get(speed), vector(carrier)
		energy += 0.2*s*s/2 + 0.2*s*(0.8*c[0]+0.6*c[2])
		add(carrier, [3]float64{0.2 * s * 0.8, 0, 0.2 * s * 0.6})
	}
	for name, j := range bodies {
		w := vector(name)
		h := [3]float64{j[0] * w[0], j[1] * w[1], j[2] * w[2]}
		energy += (h[0]*w[0] + h[1]*w[1] + h[2]*w[2]) / 2
		add(name, h)
	}
	return momentum, energy
}

// same compares conserved quantities.
func (r *run) same(what string, before, after []float64, tolerance float64) {
	r.Helper()
	difference, size := 0.0, 0.0
	for i := range before {
		difference, size = math.Hypot(difference, after[i]-before[i]), math.Hypot(size, before[i])
	}
	if !(difference <= tolerance*size) {
		r.Errorf("%s %.12g, %.12g at the start", what, after, before)
	}
}

// shafts are a flywheel of 0.2 and a wheel of 3 kg m2, about one axis in a housing of 5 kg m2 in free space, with a
// gearbox between them.
func shafts(t *testing.T, more string) *run {
	return fromText(t, `name = "Shafts"
gravity = 0
[component.housing]
type = "rigid-body"
mass = 50
inertia = { xx = 5, yy = 6, zz = 7 }
[component.crank]
type = "revolute"
from = "housing"
to = "flywheel"
axis = "x"
[component.flywheel]
type = "rigid-body"
mass = 10
inertia = { axial = 0.2, transverse = 0.1, axis = "x" }
[component.shaft]
type = "revolute"
from = "housing"
to = "wheel"
axis = "x"
[component.wheel]
type = "rigid-body"
mass = 20
inertia = { axial = 3, transverse = 1.6, axis = "x" }
[component.gearbox]
type = "gearbox"
input = "crank"
drives = "shaft"
ratios = [3.7, 2, 1]
reverse = 3.5
capacity = 240
sliding_speed = 8
`+more, "")
}

// The energy that a clutch loses while it couples two inertias does not depend on the course of the coupling. In a
// fixed housing the loss is J2/(i^2 J1 + J2) of J1 (w1 - i w2)^2/2, and J1 w1 + J2 w2/i stays. The housing has the
// impulse of the difference of the torques.
func TestAClutchBringsTwoShaftsTogether(t *testing.T) {
	for _, c := range []struct {
		gear, clutch, ratio float64
	}{{1, 1, 3.7}, {2, 0.3, 2}, {3, 1, 1}, {-1, 0.6, -3.5}} {
		r := shafts(t, `[component.held]
type = "weld"
from = "ground"
to = "housing"
`)
		const j1, j2, w1, w2 = 0.2, 3.0, 300.0, 20.0
		r.set("crank.omega", w1)
		r.set("shaft.omega", w2)
		r.set("gearbox.gear", c.gear)
		r.set("gearbox.clutch", c.clutch)
		r.start(noInput)
		r.near("gearbox.slip", w1-c.ratio*w2, 1e-12)
		lost := 0.0
		const h = 0.0005
		for n := range 4000 {
			before := r.get("gearbox.loss")
			r.drive(noInput, h, float64(n+1)*h)
			lost += h * (before + r.get("gearbox.loss")) / 2
		}
		common := (j1*w1 + j2*w2/c.ratio) / (j1 + j2/(c.ratio*c.ratio))
		r.near("crank.omega", common, 1e-6)
		r.near("shaft.omega", common/c.ratio, 1e-6)
		want := j1 * j2 / (c.ratio*c.ratio*j1 + j2) * math.Pow(w1-c.ratio*w2, 2) / 2
		if !(math.Abs(lost-want) <= 1e-4*want) {
			t.Errorf("gear %g: the clutch loses %g J, want %g", c.gear, lost, want)
		}
	}
}

// In free space the housing takes the reaction of the gears: -T on the flywheel and i T on the wheel leave T - i T.
// The total momentum is conserved.
func TestGearsBearOnTheirHousing(t *testing.T) {
	r := shafts(t, "")
	r.set("crank.omega", 200)
	r.set("gearbox.gear", 1)
	r.start(noInput)
	torque := 240 * math.Tanh(200.0/8)
	r.near("gearbox.clutch_torque", torque, 1e-10)
	r.near("gearbox.torque", 3.7*torque, 1e-10)
	const h = 1e-4
	r.drive(noInput, h, h)
	r.near("housing.wx", h*(torque-3.7*torque)/5, 1e-9)
	r.drive(noInput, 0.0005, 1)
	w := r.get("housing.wx")
	flywheel, wheel := w+r.get("crank.omega"), w+r.get("shaft.omega")
	if momentum := 5*w + 0.2*flywheel + 3*wheel; !(math.Abs(momentum-0.2*200) <= 1e-9) {
		t.Errorf("angular momentum %.12g, 40 at the start", momentum)
	}
	r.near("gearbox.slip", 0, 1e-9)
	if !(w < -1) {
		t.Errorf("the housing turns with %g rad/s", w)
	}
}

// The engaged gear is the available gear nearest to the input, and the clutch has the torque of its law. In neutral,
// and with the clutch open, the shafts are decoupled.
func TestGearsAndClutchFollowTheirInputs(t *testing.T) {
	r := shafts(t, "")
	r.set("crank.omega", 30)
	r.set("shaft.omega", 10)
	r.start(noInput)
	for gear, ratio := range map[float64]float64{-9: -3.5, -1: -3.5, -0.51: -3.5, -0.5: 0, 0: 0, 0.5: 0, 0.51: 3.7,
		1: 3.7, 1.5: 3.7, 1.51: 2, 2: 2, 2.4: 2, 3: 1, 3.5: 1, 8: 1} {
		r.set("gearbox.gear", gear)
		for clutch, engaged := range map[float64]float64{-2: 0, 0: 0, 0.4: 0.4, 1: 1, 3: 1} {
			r.set("gearbox.clutch", clutch)
			slip, torque := 0.0, 0.0
			if ratio != 0 {
				slip = 30 - ratio*10
				torque = 240 * engaged * math.Tanh(slip/8)
			}
			r.near("gearbox.ratio", ratio, 0)
			r.near("gearbox.slip", slip, 1e-12)
			r.near("gearbox.clutch_torque", torque, 1e-10)
			r.near("gearbox.torque", ratio*torque, 1e-10)
			r.near("gearbox.loss", torque*slip, 1e-9)
		}
	}
	for _, free := range [][2]float64{{0, 1}, {2, 0}} {
		r.set("gearbox.gear", free[0])
		r.set("gearbox.clutch", free[1])
		crank, shaft := r.get("crank.omega"), r.get("shaft.omega")
		r.drive(noInput, 0.01, r.in.Time()+0.5)
		r.near("crank.omega", crank, 1e-12)
		r.near("shaft.omega", shaft, 1e-12)
	}
}

// Each gear has its efficiency: when driving, the shaft receives this share of the power behind the clutch; when
// coasting, the clutch receives this share of the shaft's power.
func TestEachGearHasItsEfficiency(t *testing.T) {
	r := shafts(t, "efficiency = [0.9, 1, 0.8]\nreverse_efficiency = 0.7")
	for gear, of := range map[float64]struct{ ratio, efficiency float64 }{
		-1: {-3.5, 0.7}, 0: {0, 1}, 1: {3.7, 0.9}, 2: {2, 1}, 3: {1, 0.8},
	} {
		for _, shaft := range []float64{-200, 200} {
			for _, slip := range []float64{-5, 5} {
				r := instance(t, r.sys, "rk4", 0.001)
				r.set("crank.omega", of.ratio*shaft+slip)
				r.set("shaft.omega", shaft)
				r.set("gearbox.gear", gear)
				r.start(noInput)
				torque := r.get("gearbox.clutch_torque")
				in, out := torque*of.ratio*shaft, r.get("gearbox.torque")*shaft
				want := in * of.efficiency
				if in < 0 {
					want = in / of.efficiency
				}
				lost := in - out + torque*r.get("gearbox.slip")
				if !(math.Abs(out-want) <= 1e-9*(1+math.Abs(in))) ||
					!(math.Abs(lost-r.get("gearbox.loss")) <= 1e-9*(1+math.Abs(in))) {
					t.Errorf("gear %g, %g rad/s, slip %g: %g W in, %g W out, want %g; %g W lost", gear, shaft, slip, in, out, want,
						r.get("gearbox.loss"))
				}
			}
		}
	}
}

// rotation is the matrix of 3-2-1 angles.
func rotation(yaw, pitch, roll float64) [3][3]float64 {
	sy, cy := math.Sincos(yaw)
	sp, cp := math.Sincos(pitch)
	sr, cr := math.Sincos(roll)
	return [3][3]float64{
		{cy * cp, cy*sp*sr - sy*cr, cy*sp*cr + sy*sr},
		{sy * cp, sy*sp*sr + cy*cr, sy*sp*cr - cy*sr},
		{-sp, cp * sr, cp * cr},
	}
}

const steeredFrames = `name = "Steered"
gravity = 0
[component.steering]
type = "steering"
ratio = 15
%s
[component.steer_L]
type = "motion-driver"
from = "ground"
to = "left"
axis = "z"
[component.left]
type = "rigid-body"
mass = 1
inertia = { xx = 1, yy = 1, zz = 1 }
[component.steer_R]
type = "motion-driver"
from = "ground"
to = "right"
axis = "z"
[component.right]
type = "rigid-body"
mass = 1
inertia = { xx = 1, yy = 1, zz = 1 }
[component.spin]
type = "sensor"
to = "left"
[component.other]
type = "sensor"
to = "right"
[component.arm]
type = "rigid-arm"
from = "left"
to = "tip"
translation = [1, 0, 0]
[component.point]
type = "point-mass"
frame = "tip"
mass = 1
[component.tip_sensor]
type = "sensor"
to = "tip"
`

// Wheels after Ackermann roll about one point on the rear axle: cot outer - cot inner = track/wheelbase; in the
// middle, and without lateral wheels, the ratio alone counts. Left and right are mirrored.
func TestSteeringTurnsWheelsAfterAckermann(t *testing.T) {
	r := fromText(t, fmt.Sprintf(steeredFrames, `wheelbase = 2.6
wheels = [{ driver = "steer_L", lateral = 0.7 }, { driver = "steer_R", lateral = -0.7 }]`), "")
	p := fromText(t, fmt.Sprintf(steeredFrames, `wheels = [{ driver = "steer_L" }, { driver = "steer_R" }]`), "")
	r.start(noInput)
	p.start(noInput)
	for _, hand := range []float64{-9, -3, -0.01, 0, 2, 8, 40} { // the last one is beyond any stop
		r.set("steering.angle", hand)
		p.set("steering.angle", hand)
		p.near("steer_L.angle", hand/15, 1e-15)
		p.near("steer_R.angle", hand/15, 1e-15)
		left, right := r.get("steer_L.angle"), r.get("steer_R.angle")
		if hand == 0 {
			r.near("steer_L.angle", 0, 0)
			continue
		}
		cot := func(x float64) float64 { return 1 / math.Tan(x) }
		if difference, mean := cot(right)-cot(left),
			(cot(right)+cot(left))/2; !(math.Abs(difference-1.4/2.6) <= 1e-9*math.Abs(mean)) ||
			!(math.Abs(mean-cot(hand/15)) <= 1e-9*math.Abs(mean)) {
			t.Errorf("steering wheel %g: cotangents %g and %g", hand, cot(left), cot(right))
		}
		if !(left > right) {
			t.Errorf("steering wheel %g: left wheel %g, right wheel %g", hand, left, right)
		}
		r.set("steering.angle", -hand)
		r.near("steer_R.angle", -left, 1e-15)
	}
}

// Rates and accelerations of a wheel are the derivatives of its angle, while the steering wheel continues within one
// long step like a motion driver.
func TestSteeringMovesWheelsConsistently(t *testing.T) {
	r := fromText(t, fmt.Sprintf(steeredFrames, `wheelbase = 2.6
wheels = [{ driver = "steer_L", lateral = 0.7 }, { driver = "steer_R", angle_curve = [[-0.6, -0.5], [-0.3, -0.27], [0,
	0], [0.2, 0.22], [0.6, 0.75]] }]`), "")
	r.set("steering.angle", 4)
	r.set("steering.rate", 2.5)
	r.set("steering.acceleration", -6)
	r.start(noInput)
	for hand, want := range map[float64]float64{0.6: 0.75, 0.2: 0.22, -0.3: -0.27, 0: 0} { // through its points
		r.set("steering.angle", 15*hand)
		r.near("steer_R.angle", want, 1e-12)
	}
	r.set("steering.angle", 4)
	at := func(time float64, name string) float64 {
		r.set("steering.angle", 4+2.5*time-3*time*time)
		r.set("steering.rate", 2.5-6*time)
		return r.get(name)
	}
	const h = 1e-4
	for wheel, sensor := range map[string]string{"steer_L": "spin", "steer_R": "other"} {
		for _, time := range []float64{0, 0.3, 0.9} {
			rate := (at(time+h, wheel+".angle") - at(time-h, wheel+".angle")) / (2 * h)
			if got := at(time, sensor+".wz"); !(math.Abs(got-rate) <= 1e-8) {
				t.Errorf("%s turns with %.10g rad/s, its angle changes with %.10g", wheel, got, rate)
			}
		}
	}
	// the tip of a unit arm: a = -w^2 along it, w' across
	for _, time := range []float64{0, 0.3, 0.9} {
		acceleration := (at(time+h, "spin.wz") - at(time-h, "spin.wz")) / (2 * h)
		angle, w := at(time, "steer_L.angle"), at(time, "spin.wz")
		sin, cos := math.Sincos(angle)
		ax, ay := at(time, "tip_sensor.ax"), at(time, "tip_sensor.ay")
		if got := -sin*ax + cos*ay; !(math.Abs(got-acceleration) <= 1e-7) {
			t.Errorf("after %g s the wheel is accelerated by %.10g rad/s2, its rate changes with %.10g", time,
				got, acceleration)
		}
		if got := cos*ax + sin*ay; !(math.Abs(got+w*w) <= 1e-12) {
			t.Errorf("after %g s the tip falls by %.10g m/s2 towards the kingpin, want %.10g", time, got, w*w)
		}
	}
	at(0, "spin.wz")
	r.drive(noInput, 0.5, 0.5)
	r.near("steering.angle", 4+2.5*0.5-3*0.25, 1e-12)
	r.near("steering.rate", 2.5-3, 1e-12)
}

// Brakes share one torque, slow what they act on, and hold it.
func TestBrakesShareATorque(t *testing.T) {
	r := axle(t, "", `[component.brake_L]
type = "brake"
from = "ground"
to = "left"
axis = "y"
[component.brake_R]
type = "brake"
from = "ground"
to = "right"
axis = "y"
[component.pedal]
type = "brake-distribution"
axles = [{ brakes = ["brake_L"], share = 0.7 }, { brakes = ["brake_R"], share = 0.3 }]
`)
	r.set("wheel_L.omega", 20)
	r.set("wheel_R.omega", 20)
	r.set("pedal.torque", 10)
	r.start(noInput)
	r.near("brake_L.torque", 7, 1e-15)
	r.near("brake_R.torque", 3, 1e-15)
	r.drive(noInput, 0.001, 2)
	r.near("wheel_L.omega", 20-2*7/1.5, 1e-10)
	r.near("wheel_R.omega", 20-2*3/2.0, 1e-10)
	r.set("pedal.torque", 100)
	r.drive(noInput, 0.001, 6)
	r.set("differential.torque", 50) // less than the brakes hold on either side
	r.drive(noInput, 0.001, 8)
	r.near("wheel_L.omega", 0, 1e-9)
	r.near("wheel_R.omega", 0, 1e-9)
}

// Joints behind gears and in half-shafts leave their efficiency of the power of the side that drives, the rest is the
// loss: driven and coasting, forwards and backwards.
func TestJointsLoseAShareOfTheirPower(t *testing.T) {
	differential := axle(t, `ratio = 3
share = 0.45
joint_efficiency = 0.96`, "")
	for _, torque := range []float64{-70, 90} {
		for _, speed := range []float64{-60, 60} {
			r := instance(t, differential.sys, "rk4", 0.001)
			r.set("wheel_L.omega", speed)
			r.set("wheel_R.omega", 1.5*speed)
			r.set("differential.torque", torque)
			r.start(noInput)
			lost := 0.0
			for i, share := range []float64{0.45, 0.55} {
				in, out := share*3*torque, r.get(fmt.Sprintf("differential.torque_%d", i+1))
				want := in * 0.96
				if torque*speed < 0 {
					want = in / 0.96
				}
				if !(math.Abs(out-want) <= 1e-9) {
					t.Errorf("torque %g at %g rad/s: output %d gets %g N m, want %g", torque, speed, i+1, out, want)
				}
				lost += (in - out) * speed * []float64{1, 1.5}[i]
			}
			if got := r.get("differential.loss"); !(math.Abs(got-lost) <= 1e-9) || got <= 0 {
				t.Errorf("torque %g at %g rad/s: %g W are lost, want %g", torque, speed, got, lost)
			}
		}
	}
	gears := shafts(t, "efficiency = [0.9, 1, 0.8]\njoint_efficiency = 0.95")
	for _, slip := range []float64{-5, 5} {
		r := instance(t, gears.sys, "rk4", 0.001)
		r.set("crank.omega", 3.7*200+slip)
		r.set("shaft.omega", 200)
		r.set("gearbox.gear", 1)
		r.start(noInput)
		in, out := r.get("gearbox.clutch_torque")*3.7*200, r.get("gearbox.torque")*200
		want := in * 0.9 * 0.95
		if slip < 0 {
			want = in / (0.9 * 0.95)
		}
		if lost := r.get("gearbox.clutch_torque") * slip; !(math.Abs(out-want) <= 1e-8) ||
			!(math.Abs(r.get("gearbox.loss")-lost-(in-out)) <= 1e-8) {
			t.Errorf("slip %g: %g W of %g come out, want %g", slip, out, in, want)
		}
	}
}

// A shift to the next gear transmits no torque for the shift time. A shift over two gears takes twice the time, and
// the gear between is not engaged. At the start the requested gear is engaged.
func TestAShiftTakesItsTime(t *testing.T) {
	const took = 0.2
	r := shafts(t, `shift_time = 0.2
[component.held]
type = "weld"
from = "ground"
to = "housing"
`)
	for _, c := range []struct{ from, to, gears float64 }{
		{1, 2, 1}, {3, 2, 1}, {1, 3, 2}, {1, -1, 2}, {2, 0, 2}, {0, 1, 1},
	} {
		r := instance(t, r.sys, "rk4", 0.001)
		r.set("crank.omega", 300)
		r.set("shaft.omega", 0)
		r.set("gearbox.gear", c.from)
		r.start(noInput)
		r.near("gearbox.lever", c.from, 0)
		if torque := r.get("gearbox.clutch_torque"); (torque > 200) != (c.from != 0) {
			t.Errorf("gear %g is not in at the start: %g N m", c.from, torque)
		}
		r.set("gearbox.gear", c.to)
		r.near("gearbox.clutch_torque", 0, 0)
		crank := r.get("crank.omega")
		r.drive(noInput, 0.001, c.gears*took-0.001)
		r.near("gearbox.clutch_torque", 0, 0)
		r.near("crank.omega", crank, 1e-12)
		if lever := r.get("gearbox.lever"); (c.to-lever)*(lever-c.from) < 0 {
			t.Errorf("from gear %g to %g the lever is in %g", c.from, c.to, lever)
		}
		r.drive(noInput, 0.001, c.gears*took+0.002)
		if torque := r.get("gearbox.clutch_torque"); (math.Abs(torque) > 1) != (c.to != 0) {
			t.Errorf("gear %g has %g N m as soon as the shift is over", c.to, torque)
		}
		r.drive(noInput, 0.001, c.gears*took+0.05)
		r.near("gearbox.lever", c.to, 0.01)
		if torque := r.get("gearbox.clutch_torque"); (math.Abs(torque) > 100) != (c.to != 0) {
			t.Errorf("gear %g has %g N m after the shift", c.to, torque)
		}
	}
}
