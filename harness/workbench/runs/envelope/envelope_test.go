package envelope

import (
	"math"
	"strings"
	"testing"

	"skidpad/harness/workbench/results/trace"
	"skidpad/harness/workbench/runs/lap"
	"skidpad/model/document"
	"skidpad/model/roles"
)

func near(t *testing.T, what string, got, want, tolerance float64) {
	t.Helper()
	if !(math.Abs(got-want) <= tolerance) {
		t.Errorf("%s is %.9g; want %.9g within %.2g", what, got, want, tolerance)
	}
}

// The vehicle of these tests: a mass with drag and downforce by the square of the speed, whose driven wheels carry half
// of the weight and what the acceleration shifts to them.
const (
	mass, drag, down = 800.0, 0.002, 0.003
	share, shift     = 0.5, 0.2
)

// row is a row of a motion of this vehicle; resistance is that of a bend [N].
func row(m *motion, time, v, tangential, lateral, resistance, slip float64) {
	tires := tangential + drag*v*v
	load := mass * (9.81 + down*v*v)
	m.time, m.speed = append(m.time, time), append(m.speed, v)
	m.tangential, m.lateral = append(m.tangential, tangential), append(m.lateral, lateral)
	m.turning, m.along = append(m.turning, 0), append(m.along, mass*tires+resistance)
	m.load, m.driven = append(m.load, load), append(m.driven, load*(share+shift*tires*mass/load))
	m.locked, m.spun = append(m.locked, min(slip, 0)), append(m.spun, max(slip, 0))
}

// normal is the normal acceleration of the vehicle on a level road.
func normal(v float64) float64 { return 9.81 + down*v*v }

// accelerating is a run with the throttle open: the acceleration falls evenly with the speed, a - b v.
func accelerating(a, b, from, to float64) *motion {
	m := &motion{}
	for v := from; v <= to; v += 0.25 {
		row(m, 0, v, a-b*v, 0, 0, 0)
	}
	return m
}

// known is an envelope that knows the air.
func known() *Envelope {
	return &Envelope{Mass: mass, AirDrag: drag, Down: down, Exponent: 2, Traction: Traction{Friction: 0.7},
		Braking: Braking{Speed: []float64{10}, Friction: []float64{1.1}}}
}

// Mass, drag and downforce come from the forces of the tires.
func TestTheAir(t *testing.T) {
	e := &Envelope{}
	if err := e.air([]*motion{accelerating(5, 0.1, 5, 30), accelerating(3, 0.05, 20, 50)}); err != nil {
		t.Fatal(err)
	}
	near(t, "the mass", e.Mass, mass, 1e-6)
	near(t, "the drag", e.AirDrag, drag, 1e-9)
	near(t, "the downforce", e.Down, down, 1e-9)
	m := accelerating(5, 0.1, 5, 30)
	for i := range m.load {
		m.load[i] = 0
	}
	if err := e.air([]*motion{m}); err == nil || !strings.Contains(err.Error(), "do not give a mass") {
		t.Errorf("without loads: %v", err)
	}
}

// The best gear counts at each speed, and the lap with it is the closed form of an acceleration a - b v.
func TestTheBestGear(t *testing.T) {
	e := known()
	runs := []geared{{accelerating(6, 0.2, 0, 29), 1}, {accelerating(4, 0.1, 15, 39), 2},
		{accelerating(1, 0.02, 10, 30), 3}}
	if err := e.driving(runs); err != nil {
		t.Fatal(err)
	}
	near(t, "the top speed", e.TopSpeed, 39, 1e-9)
	for _, c := range []struct{ v, a, gear float64 }{{13, 3.4, 1}, {26, 1.4, 2}, {36.4, 0.36, 2}} {
		near(t, "the acceleration", between(e.Driving.Speed, e.Driving.Acceleration, c.v), c.a, 0.06)
		near(t, "the gear", between(e.Driving.Speed, e.Driving.Gear, c.v), c.gear, 0)
	}
	if err := e.driving([]geared{{&motion{speed: []float64{5}}, 1}}); err != nil {
		t.Errorf("more runs: %v", err)
	}
	one := known()
	if err := one.driving([]geared{{&motion{speed: []float64{5}}, 1}}); err == nil ||
		!strings.Contains(err.Error(), "does not accelerate") {
		t.Errorf("a run without a rising speed: %v", err)
	}
}

// Driven wheels that do not spin have the friction of braking on the load that they have then; X = mu (s + k X).
func TestTraction(t *testing.T) {
	e := known()
	run := geared{accelerating(5, 0.1, 5, 45), 1}
	e.Traction.Friction = 0
	e.traction([]geared{run}, false)
	near(t, "the friction of the driven wheels", e.Traction.Friction, 1.1*share/(1-1.1*shift), 1e-6)
	if e.Traction.Measured {
		t.Error("it counts as measured")
	}
	rolling := accelerating(0, 0, 5, 45) // does not drive: no wheel counts as driven
	for i := range rolling.along {
		rolling.tangential[i], rolling.driven[i] = -drag*rolling.speed[i]*rolling.speed[i], 0
	}
	e.Traction.Friction = 0
	e.traction([]geared{run, {rolling, 1}}, false)
	near(t, "the friction beside a run without drive", e.Traction.Friction, 1.1*share/(1-1.1*shift), 1e-6)
	e.Traction.Friction, e.Braking.Friction[0] = 0, 4 // more than the wheels can have: no limit by their load
	e.traction([]geared{run}, false)
	near(t, "the friction of wheels that carry ever more", e.Traction.Friction, 4, 1e-9)
	e.Traction.Friction, e.Braking.Friction[0] = 0, 1.1
	e.traction([]geared{run}, true)
	near(t, "the friction of wheels that spin", e.Traction.Friction, (4.5+drag*25)/normal(5), 1e-9)
	if !e.Traction.Measured {
		t.Error("it does not count as measured")
	}
	e.Traction.Friction, e.Braking.Friction[0] = 0, 0.3 // less than was seen
	e.traction([]geared{run}, false)
	near(t, "the friction that was seen", e.Traction.Friction, (4.5+drag*25)/normal(5), 1e-9)
}

// The friction of braking is the largest one before a wheel slips by more than 0.1; drag does not count.
func TestRisingBrakes(t *testing.T) {
	e := known()
	e.Braking = Braking{}
	m := &motion{}
	for i := range 20 {
		v, slip := 30-0.5*float64(i), 0.0
		mu := 0.1 * float64(i)
		if i > 12 {
			slip = -0.11
		}
		row(m, float64(i)/10, v, -mu*normal(v)-drag*v*v, 0, 0, slip)
	}
	if err := e.braked(m); err != nil {
		t.Fatal(err)
	}
	near(t, "the friction", e.Braking.Friction[0], 1.2, 1e-9)
	near(t, "its speed", e.Braking.Speed[0], 24, 1e-9)
	slower := &motion{}
	row(slower, 0, 20, -5, 0, 0, 0)
	if err := e.braked(slower); err != nil || e.Braking.Speed[0] != 20 || e.Braking.Friction[1] < 1.19 {
		t.Errorf("a slower run: %v, %+v", err, e.Braking)
	}
	if err := e.braked(accelerating(5, 0, 5, 6)); err == nil || !strings.Contains(err.Error(), "do not slow") {
		t.Errorf("brakes that do nothing: %v", err)
	}
}

// The largest lateral acceleration at a constant speed leaves just the grip for drag, and the resistance of the bend is
// found from the longitudinal forces. What comes after the vehicle has turned in by itself does not count.
func TestASteeringWheelThatTurnsSlowly(t *testing.T) {
	const v, mu, p, q = 25.0, 1.2, 0.02, 0.1
	e := known()
	m := &motion{}
	left := math.Sqrt(1 - math.Pow(drag*v*v/(0.7*normal(v)), 2)) // the steady share of the friction
	for i := range 41 {
		u := left * float64(i) / 40
		row(m, float64(i)/10, v, 0, u*mu*normal(v), mass*normal(v)*(p*u*u+q*u*u*u*u), 0)
	}
	row(m, 4.1, v, 0, 20, 0, 0)
	m.turning[41] = 3*rateOfTurn(4.1) + 0.1
	row(m, 4.2, v, 0, 25, 0, 0)
	if err := e.cornered(m); err != nil {
		t.Fatal(err)
	}
	c := e.Cornering
	near(t, "the steady lateral acceleration", c.Steady[0], left*mu*normal(v), 1e-9)
	near(t, "the friction", c.Friction[0], mu, 1e-9)
	near(t, "the square", c.Square[0], p, 1e-9)
	near(t, "the fourth power", c.Fourth[0], q, 1e-9)
	e.Driving = Driving{Speed: []float64{0}, Acceleration: []float64{50}} // the vehicle then just holds the speed
	_, most := e.Longitudinal(v, c.Steady[0], 9.81)
	near(t, "the acceleration by the tires", most, drag*v*v, 1e-9)
	swinging, quick := &motion{}, 3*rateOfTurn(0)+0.1 // as the steering wheel begins to turn
	row(swinging, 0, v, 0, 0.5, 0, 0)
	row(swinging, 0.1, v, 0, 1, 0, 0)
	row(swinging, 0.2, v, 0, 6, -mass, 0)
	swinging.turning[0], swinging.turning[1] = quick, quick
	one := known()
	if err := one.cornered(swinging); err != nil || one.Cornering.Steady[0] != 6 {
		t.Errorf("a run that begins with a swing: %v, %+v", err, one.Cornering)
	}
	if c := one.Cornering; c.Square[0] < 0 {
		t.Errorf("the resistance of the bend begins below 0: %+v", c)
	}
	falling := &motion{} // p < 0
	for i := range 41 {
		u := left * float64(i) / 40
		row(falling, float64(i)/10, v, 0, u*mu*normal(v), mass*normal(v)*(-p*u*u+q*u*u*u*u), 0)
	}
	one = known()
	if err := one.cornered(falling); err != nil || one.Cornering.Square[0] != 0 || !(one.Cornering.Fourth[0] > 0.05) {
		t.Errorf("a resistance that begins below 0: %v, %+v", err, one.Cornering)
	}
	slower := &motion{}
	row(slower, 0, 20, 0, 5, 0, 0)
	if err := e.cornered(slower); err != nil || e.Cornering.Speed[0] != 20 || e.Cornering.Steady[1] != c.Steady[0] {
		t.Errorf("a slower run: %v, %+v", err, e.Cornering)
	}
	if err := e.cornered(accelerating(1, 0, 5, 6)); err == nil || !strings.Contains(err.Error(), "does not answer") {
		t.Errorf("a steering wheel that does nothing: %v", err)
	}
}

// A state at the limit of braking in a turn gives the exponent.
func TestTheExponent(t *testing.T) {
	for _, n := range []float64{1, 1.5, 2, 3} {
		x := 0.6
		near(t, "the exponent", exponent(x, math.Pow(1-math.Pow(x, n), 1/n)), n, 1e-6)
	}
	near(t, "the exponent inside of the straight line", exponent(0.3, 0.3), 1, 1e-9)
	near(t, "the exponent of a rectangle", exponent(1, 1), 4, 1e-9)
	e := known()
	e.Cornering = Cornering{Speed: []float64{20}, Friction: []float64{1.2}}
	m := &motion{}
	for i := range 10 {
		x := 0.1 * float64(i)
		row(m, 0, 20, -x*1.1*normal(20)-drag*400, -0.7*1.2*normal(20), 0, map[bool]float64{true: -0.2}[i > 6])
	}
	e.both(m)
	near(t, "the lateral share", e.Combined[0].Lateral, 0.7, 1e-9)
	near(t, "the longitudinal share", e.Combined[0].Longitudinal, 0.6, 1e-9)
	near(t, "its exponent", math.Pow(0.7, e.Combined[0].Exponent)+math.Pow(0.6, e.Combined[0].Exponent), 1, 1e-9)
}

// The envelope of a vehicle with known numbers: power, friction, downforce, the resistance of a bend, and how they
// combine.
func TestTheLimitsOfAnEnvelope(t *testing.T) {
	e := known()
	e.TopSpeed, e.Exponent = 60, 1.5
	e.Driving = Driving{Speed: []float64{10, 50}, Acceleration: []float64{9, -1}}
	e.Cornering = Cornering{Speed: []float64{20, 40}, Steady: []float64{9, 10}, Friction: []float64{1, 1.2},
		Square: []float64{0.01, 0.03}, Fourth: []float64{0.1, 0.1}}
	var v lap.Vehicle = e
	near(t, "the fastest", v.Fastest(), 60, 0)
	near(t, "the drag", v.Drag(30), drag*900, 1e-12)
	near(t, "the lateral limit", v.Lateral(30, 8), 1.1*(8+down*900), 1e-12)
	near(t, "the lateral limit beyond", v.Lateral(50, 9.81), 1.2*normal(50), 1e-12)
	load := normal(30)
	left := math.Pow(1-math.Pow(0.5, 1.5), 1/1.5)
	resistance := load * (0.02*0.25 + 0.1*0.0625)
	least, most := v.Longitudinal(30, 0.5*1.1*load, 9.81)
	near(t, "the drive", most, 4+drag*900-resistance, 1e-12)
	near(t, "the brakes", least, -1.1*load*left, 1e-12)
	_, most = v.Longitudinal(10, 0.5*normal(10), 9.81)
	near(t, "the traction", most, 0.7*normal(10)*left, 1e-12)
	least, most = v.Longitudinal(30, 2*1.1*load, 9.81)
	near(t, "the drive beyond the limit", most, 0, 1e-12)
	near(t, "the brakes beyond the limit", least, -load*(0.02+0.1), 1e-12)
	beyond := *e
	beyond.AirDrag = 0
	if least, most = beyond.Longitudinal(60, 1.2*normal(60), 9.81); least > most {
		t.Errorf("beyond the top speed the limits are %g and %g m/s2", least, most)
	}
	lateral, brake, drive := e.Largest(30)
	near(t, "the largest lateral acceleration", lateral, 9.5, 1e-12)
	near(t, "the largest deceleration", brake, 1.1*load+drag*900, 1e-12)
	near(t, "the largest acceleration", drive, 4, 1e-12)
	y, x := e.Boundary(30)
	for i := range y {
		least, most := v.Longitudinal(30, math.Abs(y[i]), 9.81)
		if got := x[i] + drag*900; math.Abs(got-most) > 1e-9 && math.Abs(got-least) > 1e-9 {
			t.Errorf("the boundary at %g m/s2 is %g m/s2; want %g or %g", y[i], got, least, most)
		}
	}
}

// car are roles.
func car(t *testing.T, text string) *roles.Roles {
	t.Helper()
	root, err := document.Parse([]byte("[roles]\n"+text), "car.toml")
	if err != nil {
		t.Fatal(err)
	}
	faults := document.Faults{File: "car.toml"}
	o := roles.Read(root.Field("roles"), &faults)
	if err := faults.Err(); err != nil {
		t.Fatal(err)
	}
	return o
}

const fourWheels = `chassis = "body"
axles = [["FL", "FR"], ["RL", "RR"]]
spin = [["FL.omega", "FR.omega"], ["RL.omega", "RR.omega"]]
`

// A vehicle that brakes on a circle: accelerations along and across its path, and slips from where the wheels roll.
func TestTheMotionOfARun(t *testing.T) {
	o := car(t, fourWheels)
	names := recorded(o)
	tr := trace.New(trace.Named(names...), 0)
	const v0, a, r, h = 30.0, -4.0, 60.0, 0.001
	const beta0, turned = 0.05, 0.02 // sideslip angle to the right [rad], and its change [rad/s]
	for i := range 1000 {
		time := float64(i) * h
		v := v0 + a*max(0, time-0.2)
		beta := beta0 + turned*time // the course is the yaw angle less beta
		values := map[string]float64{"body.vx": v * math.Cos(beta), "body.vy": -v * math.Sin(beta), "body.wz": v/r + turned,
			"FL.Fx": -100, "FL.Fz": 3000, "RR.Fx": 50, "RR.Fz": 2000, "FL.omega": v / 0.3, "FR.omega": v / 0.3,
			"RL.omega": v / 0.3, "RR.omega": v / 0.3}
		if time > 0.6 {
			values["RL.omega"] *= 0.8
			values["RR.omega"] *= 1.2
		}
		list := make([]float64, len(names))
		for k, name := range names {
			list[k] = values[name]
		}
		tr.Append(time, list)
	}
	m, err := motionOf(tr, o, 0.2)
	if err != nil {
		t.Fatal(err)
	}
	i := 300
	time := m.time[i]
	v := v0 + a*time
	near(t, "the speed", m.speed[i], v, 1e-9)
	near(t, "the tangential acceleration", m.tangential[i], a, 1e-9)
	near(t, "the lateral acceleration", m.lateral[i], v*v/r, 1e-9)
	near(t, "the change of the yaw rate", m.turning[i], v*a/r, 1e-9)
	near(t, "the forces", m.along[i], -50, 0)
	near(t, "the loads", m.load[i], 5000, 0)
	near(t, "the driven load", m.driven[i], 2000, 0)
	near(t, "the slip", m.locked[i], 0, 1e-9)
	last := len(m.time) - 1
	near(t, "the slip of a wheel that locks", m.locked[last], -0.2, 1e-9)
	near(t, "the slip of a wheel that spins", m.spun[last], 0.2, 1e-9)
	near(t, "the first time", m.time[0], 0.05, 1e-9)
	spins := *m
	for i := range spins.locked { // a wheel that spins counts as one that locks
		spins.locked[i] = 0
	}
	if !spins.cut() || len(spins.time) == len(m.time) {
		t.Error("a wheel spins, and the run goes on")
	}
	if !m.cut() || m.time[len(m.time)-1] > 0.4+1e-9 || m.time[len(m.time)-1] < 0.399 {
		t.Errorf("the run that counts ends at %g s", m.time[len(m.time)-1])
	}
	if m.cut() {
		t.Error("a wheel still slips")
	}
	for _, c := range []struct {
		from float64
		want string
	}{{2, "before its measurement began"}, {0.95, "as soon as its measurement began"}} {
		if _, err := motionOf(tr, o, c.from); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("from %g s: %v", c.from, err)
		}
	}
}

const pedals = "throttle = { input = \"t\" }\nbrake = { input = \"b\" }\nsteering = { input = \"s.angle\" }\n"

// Vehicles that the runs do not suit are refused, and gears come from the role.
func TestVehiclesAndGears(t *testing.T) {
	for text, want := range map[string]string{
		fourWheels + pedals: "",
		fourWheels:          "needs the roles throttle, brake and steering",
		fourWheels + pedals + "trailer = \"trailer\"\n":             "trailers",
		"chassis = \"body\"\naxles = [[\"F\"], [\"R\"]]\n" + pedals: "leans",
	} {
		if err := fits(car(t, text)); (want == "") != (err == nil) || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v", want, err)
		}
	}
	for text, want := range map[string][]float64{
		"gear = { normal = 4, lowest = 1 }\n":   {1, 2, 3, 4},
		"gear = { normal = 1, lowest = 3.7 }\n": {3.7, 1},
		"gear = { normal = 2, lowest = 2 }\n":   {2},
		"":                                      {math.NaN()},
	} {
		got := Gears(car(t, fourWheels+text))
		if len(got) != len(want) {
			t.Errorf("%q: %v", text, got)
			continue
		}
		for i := range got {
			if got[i] != want[i] && !(math.IsNaN(got[i]) && math.IsNaN(want[i])) {
				t.Errorf("%q: %v", text, got)
			}
		}
	}
}
