package cosim_test

import (
	"bytes"
	"fmt"
	"math"
	"strings"
	"testing"

	"skidpad/cosim"
	"skidpad/model/component"
)

var allMethods = []string{"euler", "heun", "rk4", "linearly-implicit", "adams-bashforth"}

// linear-graph.md section 14, item 3: without tire forces and dampers the
// generic vehicle conserves energy (RK4, 1 ms, 5 s, 1e-8). It is thrown up and
// tumbles freely with its wheels spinning and its springs swinging.
func TestVehicleConservesEnergyWithoutTiresAndDampers(t *testing.T) {
	r := instance(t, load(t, "generic4w", ""), "rk4", 0.001)
	for _, c := range corners {
		r.set("spring_"+c+".damping", 0)
	}
	r.set("body.z", 1000)
	r.set("body.wx", 0.4)
	r.set("body.wy", -0.3)
	r.set("body.wz", 0.5)
	r.set("susp_FL.s_dot", 0.3)
	r.start(noInput)
	first := r.energy()
	r.drive(noInput, 0.001, 5)
	if last := r.energy(); !(math.Abs(last-first) <= 1e-8*math.Abs(first)) {
		t.Errorf("energy %.12g J at the start, %.12g J after 5 s", first, last)
	}
}

// energy sums kinetic energy, weight and springs of the generic vehicle from
// published quantities and the printed parameters, not from the equations.
func (r *run) energy() float64 {
	const g = 9.81
	kinetic := func(m float64, body string) float64 {
		v2 := 0.0
		for _, q := range []string{".vx", ".vy", ".vz"} {
			v2 += r.get(body+q) * r.get(body+q)
		}
		return m * v2 / 2
	}
	w := [3]float64{r.get("body.wx"), r.get("body.wy"), r.get("body.wz")}
	e := kinetic(2077, "body") + 2077*g*r.get("body.z")
	e += (330*w[0]*w[0]+1925*w[1]*w[1]+1925*w[2]*w[2])/2 - 110*w[0]*w[2]
	for _, c := range corners {
		k, free := 48289.0, 0.674
		if c[0] == 'R' {
			k, free = 30518, 0.72
		}
		up := "upright_" + c
		// upright and wheel move together; the wheel adds its spin
		e += kinetic(38, up) + 38*g*r.get(up+".z")
		spin := w[1] + r.get("wheel_"+c+".omega")
		e += (1*w[0]*w[0] + 0.5*w[1]*w[1] + 1*w[2]*w[2]) / 2
		e += (0.78*w[0]*w[0] + 1.56*spin*spin + 0.78*w[2]*w[2]) / 2
		stretch := r.get("susp_"+c+".s") - free
		e += k * stretch * stretch / 2
	}
	return e
}

func TestMomentumIsConservedInFreeFlight(t *testing.T) {
	r := instance(t, load(t, "generic4w", ""), "rk4", 0.001)
	r.set("body.z", 1000)
	r.set("body.wx", 0.7)
	r.set("susp_RR.s_dot", -0.5)
	r.start(noInput)
	height := func() float64 {
		sum := 2077 * r.get("body.z")
		for _, c := range corners {
			sum += 38 * r.get("upright_"+c+".z")
		}
		return sum / (2077 + 4*38)
	}
	z := []float64{height()}
	for i := 1; i <= 2; i++ {
		r.drive(noInput, 0.001, 0.5*float64(i))
		z = append(z, height())
	}
	// the centre of mass falls on a parabola: second difference -g dt^2
	if got := z[0] - 2*z[1] + z[2]; !(math.Abs(got+9.81*0.25) <= 1e-9) {
		t.Errorf("second difference of the height %.12g m, want %.12g m", got, -9.81*0.25)
	}
}

func TestSavedStateContinuesBitByBit(t *testing.T) {
	for _, method := range allMethods {
		sys := load(t, "skidder", "")
		a := instance(t, sys, method, 0.001)
		a.start(skidderSine)
		a.drive(skidderSine, 0.001, 0.5)
		state := make([]byte, a.in.StateSize())
		if err := a.in.Save(state); err != nil {
			t.Fatal(err)
		}
		b := instance(t, fresh(t, "skidder", ""), "euler", 0.01)
		if err := b.in.Restore(state); err != nil {
			t.Fatal(err)
		}
		a.drive(skidderSine, 0.001, 1)
		b.drive(skidderSine, 0.001, 1)
		for _, v := range sys.Variables() {
			if v.Kind == cosim.Output && a.get(v.Name) != b.get(v.Name) {
				t.Errorf("%s: %s = %v, after restoring %v", method, v.Name, a.get(v.Name), b.get(v.Name))
			}
		}
	}
}

// The rates of inputs are part of the state: a ramp continues after restoring.
func TestSavedStateKeepsRampsGoing(t *testing.T) {
	a, b := instance(t, load(t, "skidder", ""), "rk4", 0.001), instance(t, fresh(t, "skidder", ""), "rk4", 0.001)
	a.start(skidderBrake)
	a.drive(skidderBrake, 0.001, 2.2)
	state := make([]byte, a.in.StateSize())
	if err := a.in.Save(state); err != nil {
		t.Fatal(err)
	}
	if err := b.in.Restore(state); err != nil {
		t.Fatal(err)
	}
	torque := a.get("brake_FL.torque")
	a.drive(noInput, 0.001, 2.3)
	b.drive(noInput, 0.001, 2.3)
	if now := b.get("brake_FL.torque"); now != a.get("brake_FL.torque") || !(math.Abs(now-torque-4000) <= 50) {
		t.Errorf("the brake torque rose from %g to %g N m, after restoring to %g", torque,
			a.get("brake_FL.torque"), now)
	}
	if x, y := a.get("front.vx"), b.get("front.vx"); x != y {
		t.Errorf("speed %v, after restoring %v m/s", x, y)
	}
}

func TestForeignOrCorruptedStateIsRefusedWithoutChange(t *testing.T) {
	r := instance(t, load(t, "skidder", ""), "rk4", 0.001)
	r.start(skidderSine)
	r.drive(skidderSine, 0.001, 0.1)
	good := make([]byte, r.in.StateSize())
	if err := r.in.Save(good); err != nil {
		t.Fatal(err)
	}
	other := instance(t, load(t, "generic4w", ""), "rk4", 0.001)
	foreign := make([]byte, other.in.StateSize())
	if err := other.in.Save(foreign); err != nil {
		t.Fatal(err)
	}
	bad := map[string][]byte{"empty": nil, "short": good[:len(good)-1], "foreign": foreign,
		"noise": bytes.Repeat([]byte{7}, len(good))}
	for i := 0; i < len(good); i += 37 {
		flipped := bytes.Clone(good)
		flipped[i] ^= 1
		bad[fmt.Sprint("flipped at ", i)] = flipped
	}
	// right checksum, but another version (byte 8), program (12), method (44), flag (48)
	for _, i := range []int{8, 12, 44, 48} {
		flipped := bytes.Clone(good)
		flipped[i] ^= 0x80
		bad[fmt.Sprint("sealed, flipped at ", i)] = seal(flipped)
	}
	negative := bytes.Clone(good)
	negative[52+3*8-1] ^= 0x80
	bad["sealed, step below 0"] = seal(negative)
	for name, state := range bad {
		if err := r.in.Restore(state); err == nil {
			t.Errorf("%s state was accepted", name)
		}
		now := make([]byte, r.in.StateSize())
		if err := r.in.Save(now); err != nil || !bytes.Equal(now, good) {
			t.Fatalf("%s state changed the instance", name)
		}
	}
}

func TestStepAllocatesNothing(t *testing.T) {
	for _, method := range allMethods {
		r := instance(t, load(t, "generic4w", ""), method, 0.001)
		r.start(genericSine)
		fz := r.variable("tire_FL.Fz")
		state := make([]byte, r.in.StateSize())
		angle := r.variable("steer_FL.angle")
		n := testing.AllocsPerRun(20, func() {
			if r.in.Set(angle, 0.01) != nil || r.in.Step(0.002) != nil || r.in.Save(state) != nil {
				t.Error("step failed")
			}
			if _, err := r.in.Get(fz); err != nil {
				t.Error(err)
			}
		})
		if n != 0 {
			t.Errorf("%s: %g allocations in set, step, get and save", method, n)
		}
	}
}

func TestSameInputGivesSameBits(t *testing.T) {
	var last []float64
	for range 2 {
		r := instance(t, load(t, "generic4w", ""), "rk4", 0.001)
		r.start(genericSine)
		r.drive(genericSine, 0.001, 1)
		var now []float64
		for _, v := range r.sys.Variables() {
			if v.Kind == cosim.Output {
				now = append(now, r.get(v.Name))
			}
		}
		for i := range last {
			if last[i] != now[i] {
				t.Fatalf("output %d: %v then %v", i, last[i], now[i])
			}
		}
		last = now
	}
}

func TestCommunicationStepIsDividedIntoSolverSteps(t *testing.T) {
	sys := load(t, "skidder", "")
	a, b := instance(t, sys, "heun", 0.001), instance(t, sys, "heun", 0.001)
	a.start(noInput)
	b.start(noInput)
	a.drive(noInput, 0.01, 0.2)
	b.drive(noInput, 0.001, 0.2)
	// the two sum the time differently, so the last bits may differ
	for _, name := range []string{"front.x", "front.yaw", "wheel_FL.omega"} {
		if x, y := a.get(name), b.get(name); !(math.Abs(x-y) <= 1e-12*max(1, math.Abs(x))) {
			t.Errorf("%s = %.17g in steps of 10 ms, %.17g in steps of 1 ms", name, x, y)
		}
	}
}

func TestInvalidCallsAreRefusedWithoutChange(t *testing.T) {
	r := instance(t, load(t, "skidder", ""), "rk4", 0.001)
	refuse := func(what string, err error, fragment string) {
		t.Helper()
		if err == nil || !strings.Contains(err.Error(), fragment) {
			t.Errorf("%s: error %v, want one about %q", what, err, fragment)
		}
	}
	refuse("step before initialisation", r.in.Step(0.001), "not initialised")
	refuse("unknown index", r.in.Set(-1, 0), "no such variable")
	refuse("unknown index", r.in.Set(1<<20, 0), "no such variable")
	refuse("NaN input", r.in.Set(r.variable("articulation.angle"), math.NaN()), "articulation.angle")
	refuse("infinite parameter", r.in.Set(r.variable("front.mass"), math.Inf(1)), "front.mass")
	refuse("computed output", r.in.Set(r.variable("tire_FL.Fz"), 1), "computed")
	refuse("step of zero", r.in.Set(r.variable("solver.step"), 0), "above 0")
	refuse("unknown method", r.in.SetText("solver.method", "magic"), "linearly-implicit")
	_, err := r.in.Get(r.variable("tire_FL.Fz"))
	refuse("output before initialisation", err, "before initialisation")
	r.set("front.mass", 7000)
	r.start(skidderSine)
	refuse("parameter after initialisation", r.in.Set(r.variable("front.mass"), 1), "after initialisation")
	refuse("second initialisation", r.in.Initialise(), "already")
	for _, h := range []float64{0, -1, math.NaN(), math.Inf(1)} {
		refuse("bad step", r.in.Step(h), "above 0")
	}
	x := r.get("front.x")
	r.set("drive_FL.torque", 1e300)
	err = r.in.Step(0.1)
	refuse("overflow", err, "the state at 0 s is kept")
	refuse("overflow", err, "at t = 0.001 s")
	if got := r.get("front.x"); got != x || r.in.Time() != 0 {
		t.Errorf("after a failed step front.x = %g at %g s, want %g at 0 s", got, r.in.Time(), x)
	}
	r.set("drive_FL.torque", 0)
	if err := r.in.Step(0.001); err != nil {
		t.Errorf("after a failed step: %v", err)
	}
}

// vehicle-models.md section 3, "Static state": z = 0.899287 m, pitch = -0.000365
// rad, s = 0.563551 and 0.560939 m, loads 5706.2 and 5227.0 N without rolling resistance.
func TestTrimFindsTheStaticState(t *testing.T) {
	m := withFiala(t)
	for _, c := range m.Components {
		if tire, ok := c.(*component.Tire); ok {
			tire.Force.Parameters[3] = 0 // Cr
		}
	}
	sys, err := cosim.New(m, cosim.Options{})
	if err != nil {
		t.Fatal(err)
	}
	r := instance(t, sys, "rk4", 0.001)
	result, err := r.in.Trim()
	if err != nil {
		t.Fatal(err)
	}
	r.start(noInput)
	for _, c := range []struct {
		name            string
		want, tolerance float64
	}{
		{"body.z", 0.899287, 5e-7}, {"body.pitch", -0.000365, 5e-7}, {"susp_FL.s", 0.563551, 5e-7},
		{"susp_RR.s", 0.560939, 5e-7},
		{"tire_FL.Fz", 5706.2, 0.05}, {"tire_RR.Fz", 5227.0, 0.05},
		{"body.vx", 20, 0}, {"body.x", 0, 1e-9}, {"body.yaw", 0, 1e-9},
	} {
		if got := r.get(c.name); !(math.Abs(got-c.want) <= c.tolerance) {
			t.Errorf("%s = %.7g, want %g (trim %+v)", c.name, got, c.want, result)
		}
	}
	r.drive(noInput, 0.001, 1)
	if got := r.get("body.z"); !(math.Abs(got-0.899287) <= 1e-4) {
		t.Errorf("after 1 s body.z = %g m", got)
	}
}

// The linearly implicit method must follow the vehicle to standstill, where the tires are stiffest, and keep it there.
func TestLinearlyImplicitBrakesToStandstill(t *testing.T) {
	for _, model := range []string{"generic4w", "skidder"} {
		body, torque := "body", 800.0
		if model == "skidder" {
			body, torque = "front", 15000
		}
		hold := brake([]float64{0, 0.5, 30}, []float64{0, torque, torque})
		r := instance(t, load(t, model, ""), "linearly-implicit", 0.001)
		if model == "skidder" {
			r.set("front.wz", 0)
		}
		r.start(hold)
		r.drive(hold, 0.001, 18)
		v := math.Abs(r.get(body + ".vx"))
		x := r.get(body + ".x")
		r.drive(hold, 0.001, 20)
		if !(v <= 1e-3 && math.Abs(r.get(body+".x")-x) <= 1e-3) {
			t.Errorf("%s: speed %g m/s after braking, moved %g m in the 2 s after", model, v, r.get(body+".x")-x)
		}
		for _, c := range corners {
			if w := r.get("wheel_" + c + ".omega"); !(math.Abs(w) <= 1e-2) {
				t.Errorf("%s: wheel %s turns at %g rad/s at standstill", model, c, w)
			}
		}
	}
}

func TestLinearlyImplicitIsAtLeastAsAccurateAsFineEuler(t *testing.T) {
	sys := load(t, "generic4w", "")
	reference, implicit := instance(t, sys, "rk4", 0.001), instance(t, sys, "linearly-implicit", 0.001)
	reference.start(genericBrake)
	implicit.start(genericBrake)
	worst := map[string]float64{}
	for i := 1; i <= 200; i++ {
		for _, r := range []*run{reference, implicit} {
			r.drive(genericBrake, 0.001, 0.05*float64(i))
		}
		for _, name := range []string{"body.vx", "body.y", "body.wz", "body.pitch", "wheel_FL.omega"} {
			worst[name] = max(worst[name], math.Abs(reference.get(name)-implicit.get(name)))
		}
	}
	// the 0.5 ms Euler row of vehicle-models.md section 4
	for name, bound := range map[string]float64{"body.vx": 1.6e-3, "body.y": 7e-5, "body.wz": 1.6e-4,
		"body.pitch": 2e-5, "wheel_FL.omega": 0.17} {
		if !(worst[name] <= bound) {
			t.Errorf("%s deviates by %g, bound %g", name, worst[name], bound)
		}
	}
	t.Log(worst)
}
