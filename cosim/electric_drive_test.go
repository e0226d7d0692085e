package cosim_test

import (
	"math"
	"strings"
	"testing"

	"skidpad/cosim"
	"skidpad/harness/tests/testrun"
)

// integrals adds up products of published outputs over time, by trapezoids.
type integrals struct {
	r    *run
	of   map[string]func() float64
	last map[string]float64
	sum  map[string]float64
}

func (s *integrals) add(h float64) {
	for name, of := range s.of {
		x := of()
		if last, begun := s.last[name]; begun {
			s.sum[name] += h * (last + x) / 2
		}
		s.last[name] = x
	}
}

// The energies of an electric car agree with integrals of what it publishes, in each domain, while it accelerates,
// coasts, and brakes with regeneration: the charge and the chemical energy of the battery, the electrical power of the
// node, the mechanical power of the motor, and the heat of windings and cells.
func TestElectricAxleKeepsItsEnergyInAllDomains(t *testing.T) {
	r := instance(t, load(t, "electric_axle_car", ""), "rk4", 1e-3)
	r.text(cosim.RecordVariable, cosim.RecordOn)
	get := r.get
	power := func(names ...string) func() float64 {
		return func() float64 {
			product := 1.0
			for _, name := range names {
				product *= get(name)
			}
			return product
		}
	}
	s := &integrals{r: r, last: map[string]float64{}, sum: map[string]float64{}, of: map[string]func() float64{
		"chemical": power("pack_B.open_circuit_voltage", "pack_B.current"), "charge": power("pack_B.current"),
		"terminal": power("pack_B.voltage", "pack_B.current"),
		"motor":    power("motor_E.voltage", "motor_E.current"), "shaft": power("motor_E.torque", "motor_E.speed"),
		"copper": power("motor_E.torque", "motor_E.torque"), "speed2": power("motor_E.speed", "motor_E.speed"),
		"speed": func() float64 { return math.Abs(get("motor_E.speed")) },
		"lamps": power("auxiliaries_B.power"), "gear": power("gear_E.loss"),
		"jacket": func() float64 { return (get("windings_E.temperature") - 338.15) / 0.037 },
		"film":   func() float64 { return (get("cells_B.temperature") - 293.15) / 0.02 },
	}}
	const h = 1e-3
	r.set("solver.step", h)
	if err := r.in.Initialise(); err != nil {
		t.Fatal(err)
	}
	s.add(0)
	soc, windings, cells := get("pack_B.soc"), get("windings_E.temperature"), get("cells_B.temperature")
	kinetic, potential := get("energy.kinetic"), get("energy.potential")
	slowest, returned := math.Inf(1), 0.0
	for k := range 5500 {
		time := h * float64(k+1)
		r.set("control_E.throttle", max(0, min(1, time/0.3, (2.5-time)/0.3)))
		r.set("blend_M.torque", 900*max(0, min(1, (time-3.5)/0.3)))
		r.step(h)
		s.add(h)
		slowest, returned = min(slowest, get("body.vx")), max(returned, -get("pack_B.current"))
	}
	if returned < 60 || get("motor_E.torque") > -30 {
		t.Errorf("%g A returned, at last %g N m", returned, get("motor_E.torque"))
	}
	exchanged := get("energy.supplied") + get("energy.dissipated") + get("energy.kinetic")
	near := func(what string, got, want float64) {
		t.Helper()
		if !(math.Abs(got-want) <= 1e-6*exchanged) {
			t.Errorf("%s: %.9g J, %.9g J expected, of %.4g J", what, got, want, exchanged)
		}
	}
	entries, err := r.in.Ledger()
	if err != nil {
		t.Fatal(err)
	}
	dissipated := map[string]float64{}
	for _, e := range entries {
		dissipated[e.Component] = e.Dissipated
	}
	loss := 0.145*s.sum["copper"] + 0.5*s.sum["speed"] + 5e-4*s.sum["speed2"]
	packLoss, drawn := s.sum["chemical"]-s.sum["terminal"], s.sum["lamps"]/0.94
	near("chemical", get("energy.supplied"), s.sum["chemical"])
	near("charge", 360000*(soc-get("pack_B.soc"))*370, s.sum["charge"]*370)
	near("cells", dissipated["pack_B"], packLoss)
	near("node", s.sum["terminal"], s.sum["motor"]+drawn)
	near("motor", s.sum["motor"], s.sum["shaft"]+loss)
	near("loss of the motor", dissipated["motor_E"], loss)
	near("gear", dissipated["gear_E"], s.sum["gear"])
	near("windings", 3250*(get("windings_E.temperature")-windings)+s.sum["jacket"], loss)
	near("heat of the cells", 300e3*(get("cells_B.temperature")-cells)+s.sum["film"], packLoss)
	electrical := dissipated["pack_B"] + dissipated["motor_E"] + dissipated["supply_B"] + dissipated["auxiliaries_B"]
	near("mechanics", s.sum["shaft"], get("energy.kinetic")-kinetic+get("energy.potential")-potential+
		get("energy.dissipated")-electrical)
	near("balance", get("energy.balance"), 0)
}

// electricBench has the battery and the axle with one motor between two heavy flywheels, which turn with 30 rad/s.
func electricBench(t *testing.T, axle string) *run {
	return fromText(t, strings.Replace(`name = "bench"
gravity = [0, 0, 0]
[component]
axle_L = { type = "revolute", from = "ground", to = "L", axis = "y", start = { omega = 30 } }
axle_R = { type = "revolute", from = "ground", to = "R", axis = "y", start = { omega = 30 } }
L = { type = "rigid-body", mass = 1, inertia = { xx = 1e7, yy = 1e7, zz = 1e7 } }
R = { type = "rigid-body", mass = 1, inertia = { xx = 1e7, yy = 1e7, zz = 1e7 } }
[use.B]
file = "../subsystems/traction_battery.toml"
nodes = { dc = "dc" }
[use.E]
file = "../subsystems/AXLE.toml"
frames = { chassis = "ground", left = "axle_L", right = "axle_R", limits = "limits_B" }
nodes = { dc = "dc" }
[use.E.component]
`, "AXLE", axle, 1), "")
}

// The windings heat up by the exact exponential of a capacity and a resistance, as long as they have the peak torque.
// Then the torque falls to the value at which loss and cooling are equal, which is found by bisection.
func TestPeakTorqueFadesToTheContinuousOne(t *testing.T) {
	for _, c := range []struct {
		axle, motor, windings                                      string
		peak, continuous, copper, iron, eddy, capacity, resistance float64
	}{
		{"electric_axle", "motor_E", "windings_E", 220, 110, 0.145, 0.5, 5e-4, 3250, 0.037},
		{"electric_axle_two", "right_motor_E", "right_windings_E", 110, 55, 0.29, 0.25, 2.5e-4, 1625, 0.074},
	} {
		r := electricBench(t, c.axle)
		r.set("charge_B", 3600e6)
		r.set("control_E.throttle", 1)
		for _, motor := range []string{"motor_E", "left_motor_E", "right_motor_E"} {
			if _, is := r.sys.Find(motor + ".torque"); is {
				r.set(motor+".torque", c.peak)
			}
		}
		r.set("solver.step", 5e-3)
		if err := r.in.Initialise(); err != nil {
			t.Fatal(err)
		}
		const coolant, hottest, band, speed = 338.15, 413.15, 20.0, 255.0
		loss := func(torque float64) float64 {
			return c.copper*torque*torque + c.iron*speed + c.eddy*speed*speed
		}
		rise := func(torque float64) float64 { return c.resistance * loss(torque) }
		r.step(20)
		r.near(c.windings+".temperature", coolant+rise(c.peak)*(1-math.Exp(-20/c.resistance/c.capacity)), 3e-3)
		r.near(c.motor+".torque", c.peak, 1e-9*c.peak)
		r.step(980)
		low, high := c.continuous, c.peak
		for range 60 {
			torque := (low + high) / 2
			if coolant+rise(torque)+band*(torque-c.continuous)/(c.peak-c.continuous) > hottest {
				high = torque
			} else {
				low = torque
			}
		}
		r.near(c.motor+".torque", low, 1e-3*low)
		if !(low < 1.03*c.continuous) {
			t.Errorf("%s: %g N m for long", c.axle, low)
		}
	}
}

// An empty battery gives the motors nothing, a full one takes nothing, and between them the current stays within its
// limits. Motors and friction brakes together always give the wanted braking torque.
func TestRegenerationWithinTheLimitsOfTheBattery(t *testing.T) {
	type limits struct{ soc, current, throttle, brake float64 }
	for name, c := range map[string]struct {
		limits
		least, most float64 // of the current of the battery at the end [A]
	}{
		"drive":            {limits{0.8, 150, 1, 0}, 250, 352},
		"drive, empty":     {limits{0.02, 150, 1, 0}, 2, 3.5},
		"drive, beyond":    {limits{0, 150, 1, 0}, 2, 3.5},
		"brake":            {limits{0.8, 150, 0, 500}, -90, -60},
		"brake, 20 A":      {limits{0.8, 20, 0, 500}, -20, -15},
		"brake, full":      {limits{0.98, 150, 0, 500}, 1.5, 3},
		"brake hard, full": {limits{1, 150, 0, 2000}, 1.5, 3},
		"brake hard":       {limits{0.5, 150, 0, 2000}, -120, -80},
	} {
		r := instance(t, load(t, "electric_axle_car", ""), "rk4", 1e-3)
		r.set("soc_B", c.soc)
		r.set("charge_current_B", c.current)
		r.set("control_E.throttle", c.throttle)
		r.set("blend_M.torque", c.brake)
		if err := r.in.Initialise(); err != nil {
			t.Fatal(err)
		}
		for range 150 {
			r.step(1e-3)
			friction := 2 * (r.get("calipers_M.free_wheel") + r.get("calipers_M.driven_wheel"))
			if sum := friction + r.get("control_E.braking"); c.brake > 0 && !(math.Abs(sum-c.brake) <= 1e-9*c.brake) {
				t.Fatalf("%s: %g N m of %g N m", name, sum, c.brake)
			}
		}
		if current := r.get("pack_B.current"); !(current >= c.least && current <= c.most) {
			t.Errorf("%s: %g A", name, current)
		}
		if share := r.get("calipers_M.free_wheel") * 2 / (0.66 * c.brake); c.brake == 2000 && !(math.Abs(share-1) < 1e-9) {
			t.Errorf("%s: the free axle has %g of its share", name, share)
		}
	}
}

// Regeneration ends within the time off when anti-lock control acts, and comes back only after the pedal is released.
func TestRegenerationEndsByAntiLockControl(t *testing.T) {
	r := instance(t, load(t, "electric_axle_car", ""), "rk4", 1e-3)
	r.set("blend_M.torque", 400)
	if err := r.in.Initialise(); err != nil {
		t.Fatal(err)
	}
	after := func(seconds, low, high float64) {
		t.Helper()
		r.step(seconds)
		if x := r.get("control_E.braking"); !(x >= low && x <= high) {
			t.Errorf("%g N m by the motor", x)
		}
	}
	after(0.2, 395, 420)
	r.set("blend_M.antilock", 1)
	after(0.1, 0, 1)
	r.set("blend_M.antilock", 0)
	after(0.5, 0, 1)
	r.set("blend_M.torque", 0)
	r.step(0.02)
	r.set("blend_M.torque", 400)
	after(0.1, 50, 250)
	after(0.4, 395, 420)
}

// The motors of an axle give the moved torque of torque vectoring: the yaw rate is that of the wanted single track, and
// without control it is less. The sum of the torques stays, and the energies balance. Of four motors both axles do so.
func TestMotorsFollowTheWantedYawRate(t *testing.T) {
	steady := func(model string, axles []string, active float64) (share, sum, moved float64) {
		r := instance(t, load(t, model, ""), "rk4", 1e-3)
		r.text(cosim.RecordVariable, cosim.RecordOn)
		r.set("active_V", active)
		r.set("steering.angle", -0.25)
		for _, axle := range axles {
			r.set("control_"+axle+".throttle", 0.06/float64(len(axles)))
		}
		if err := r.in.Initialise(); err != nil {
			t.Fatal(err)
		}
		for range 200 {
			r.step(0.01)
		}
		if balance := r.get("energy.balance"); !(math.Abs(balance) < 1e-6*r.get("energy.supplied")) {
			t.Errorf("balance %g J", balance)
		}
		for _, axle := range axles {
			left, right := r.get("left_motor_"+axle+".torque"), r.get("right_motor_"+axle+".torque")
			r.near("control_"+axle+".moved", 8.5*(right-left)/2, 0.5)
			sum += (left + right) / (r.get("left_motor_"+axle+".limit") + r.get("right_motor_"+axle+".limit"))
			moved += 8.5 * (right - left) / 2
		}
		speed := r.get("body.vx")
		wanted := speed * -0.25 / 19 / (1.1562 + 1.4227 + 0.001*speed*speed)
		return r.get("body.wz") / wanted, sum, moved
	}
	for model, axles := range map[string][]string{
		"electric_two_motor_car": {"E"}, "electric_four_motor_car": {"E", "FE"}} {
		share, sum, moved := steady(model, axles, 1)
		if !(math.Abs(share-1) < 0.005) || !(moved < -50) || !(math.Abs(sum-0.06) < 1e-3) {
			t.Errorf("%s: %g of the wanted yaw rate, %g of the torque, %g N m moved", model, share, sum, moved)
		}
		if share, sum, moved := steady(model, axles, 0); !(share < 0.9) || moved != 0 || !(math.Abs(sum-0.06) < 1e-3) {
			t.Errorf("%s without control: %g of the wanted yaw rate, %g of the torque, %g N m moved",
				model, share, sum, moved)
		}
	}
}

// Four motors brake by the shares of the friction brakes while they can. Beyond their limits each axle gets its share
// by friction, and the sum is the wanted torque.
func TestFourMotorsBrakeByTheSharesOfTheAxles(t *testing.T) {
	for torque, friction := range map[float64]bool{600: false, 3000: true} {
		r := instance(t, load(t, "electric_four_motor_car", ""), "rk4", 1e-3)
		r.set("blend_M.torque", torque)
		if err := r.in.Initialise(); err != nil {
			t.Fatal(err)
		}
		r.step(0.15)
		front, rear := r.get("control_FE.braking"), r.get("control_E.braking")
		freeFriction, drivenFriction := 2*r.get("calipers_M.free_wheel"), 2*r.get("calipers_M.driven_wheel")
		if sum := front + rear + freeFriction + drivenFriction; !(math.Abs(sum-torque) < 1e-3*torque) {
			t.Errorf("%g N m of %g N m", sum, torque)
		}
		if share := (front + freeFriction) / torque; !(math.Abs(share-0.66) < 5e-3) || front < 200 || rear < 100 {
			t.Errorf("%g N m: %g by the front axle; the motors give %g and %g N m", torque, share, front, rear)
		}
		if by := freeFriction + drivenFriction; (by > 0.1*torque) != friction || !friction && by > 0.01*torque {
			t.Errorf("%g N m: %g N m by friction", torque, by)
		}
		r.set("blend_M.antilock", 1)
		r.step(0.15)
		front, rear = r.get("control_FE.braking"), r.get("control_E.braking")
		freeFriction = 2 * r.get("calipers_M.free_wheel")
		if !(front+rear <= 1) || !(math.Abs(freeFriction/torque-0.66) < 5e-3) {
			t.Errorf("with anti-lock control the motors give %g and %g N m, brakes in front %g N m", front, rear, freeFriction)
		}
	}
}

// With a small current of the battery the motors and their losses together draw that current, and a motor below a
// walking pace or backwards does not brake.
func TestMotorsWithinTheCurrentAndAtAWalkingPace(t *testing.T) {
	for _, axle := range []string{"electric_axle", "electric_axle_two"} {
		r := electricBench(t, axle)
		r.set("discharge_current_B", 60)
		r.set("load_B", 1e9) // no auxiliaries
		r.set("control_E.throttle", 1)
		if err := r.in.Initialise(); err != nil {
			t.Fatal(err)
		}
		r.step(1)
		r.near("pack_B.current", 60, 0.01)
		for _, c := range []struct{ speed, least, most float64 }{
			{30, 50, 60}, {3.5, 20, 50}, {2, 0, 0}, {0, 0, 0}, {-30, 0, 0}} {
			r := electricBench(t, axle)
			r.set("axle_L.omega", c.speed)
			r.set("axle_R.omega", c.speed)
			r.set("control_E.brake", 500)
			if err := r.in.Initialise(); err != nil {
				t.Fatal(err)
			}
			r.step(0.1)
			if x := r.get("control_E.regeneration"); !(x >= c.least && x <= c.most) {
				t.Errorf("%s at %g rad/s: %g N m", axle, c.speed, x)
			}
		}
	}
}

// On a slippery road the motor stops braking within 70 ms after anti-lock control begins to act, and the brake circuit
// has the pressure of the whole torque. On a dry road it gives all of a gentle braking, without pressure.
func TestAntiLockControlEndsRegeneration(t *testing.T) {
	testrun.OnlyAll(t)
	for _, friction := range []float64{0.3, 1} {
		r := instance(t, load(t, "electric_axle_car_controlled", ""), "rk4", 1e-3)
		r.set("road.friction_left", friction)
		r.set("road.friction_right", friction)
		torque := 400.0
		if friction < 1 {
			torque = 1500
		}
		r.set("throttle.driver", 0)
		if err := r.in.Initialise(); err != nil {
			t.Fatal(err)
		}
		acts, ended := math.NaN(), math.NaN()
		for k := range 900 {
			time := 1e-3 * float64(k+1)
			r.set("blend_K.torque", torque*max(0, min(1, (time-0.2)/0.2)))
			r.step(1e-3)
			if acts != acts && r.get("antilock.acts") > 0 {
				acts = time
				if r.get("control_E.braking") < 300 {
					t.Errorf("%g N m by the motor before", r.get("control_E.braking"))
				}
			}
			if acts == acts && ended != ended && r.get("control_E.braking") < 10 {
				ended = time
			}
			if ended == ended && r.get("control_E.braking") > 10 {
				t.Fatal("it brakes again")
			}
		}
		switch pressure := r.get("common_K.pressure"); {
		case friction < 1 && !(ended-acts < 0.07 && math.Abs(pressure-1264.7*torque) < 1e4):
			t.Errorf("anti-lock control from %g s on, without the motor from %g s on; %g Pa", acts, ended, pressure)
		case friction == 1 && !(acts != acts && r.get("control_E.braking") > 395 && pressure < 1e4):
			t.Errorf("anti-lock control from %g s on, %g N m by the motor, %g Pa", acts, r.get("control_E.braking"), pressure)
		}
	}
}
