package cosim_test

import (
	"math"
	"sync"
	"testing"
)

// Between two communication points a motion driver continues as
// angle + rate dt + acceleration dt^2/2, rate + acceleration dt: with constant
// acceleration one long step is as good as many short ones.
func TestPrescribedMotionContinuesWithinAStep(t *testing.T) {
	const acceleration, rate = 0.2, -0.03
	once := func(r *run, at float64) {
		if at == 0 {
			r.set("articulation.angle", 0.01)
			r.set("articulation.rate", rate)
			r.set("articulation.acceleration", acceleration)
		}
	}
	always := func(r *run, at float64) {
		r.set("articulation.angle", 0.01+rate*at+acceleration*at*at/2)
		r.set("articulation.rate", rate+acceleration*at)
		r.set("articulation.acceleration", acceleration)
	}
	sys := load(t, "skidder", "")
	long, short := instance(t, sys, "rk4", 0.001), instance(t, sys, "rk4", 0.001)
	long.start(once)
	short.start(always)
	long.drive(once, 0.1, 0.5)
	short.drive(always, 0.001, 0.5)
	for _, name := range []string{"front.vx", "front.wz", "front.yaw", "wheel_RL.omega"} {
		if a, b := long.get(name), short.get(name); !(math.Abs(a-b) <= 1e-10*max(1, math.Abs(b))) {
			t.Errorf("%s = %.14g in long steps, %.14g in short ones", name, a, b)
		}
	}
	if got, want := long.get("articulation.angle"), 0.01+rate*0.5+acceleration*0.125; !(math.Abs(got-want) <= 1e-14) {
		t.Errorf("articulation.angle = %g after 0.5 s, want %g", got, want)
	}
	if got, want := long.get("articulation.rate"), rate+acceleration*0.5; !(math.Abs(got-want) <= 1e-14) {
		t.Errorf("articulation.rate = %g after 0.5 s, want %g", got, want)
	}
}

func TestInputIsHeldWithoutARateAndSlopesWithOne(t *testing.T) {
	r := instance(t, load(t, "skidder", ""), "rk4", 0.001)
	r.start(noInput)
	r.set("drive_RL.torque", 100)
	r.drive(noInput, 0.01, 0.1)
	if got := r.get("drive_RL.torque"); got != 100 {
		t.Errorf("held torque is %g", got)
	}
	if err := r.in.SetRate(r.variable("drive_RL.torque"), 50); err != nil {
		t.Fatal(err)
	}
	r.drive(noInput, 0.01, 0.2)
	if got := r.get("drive_RL.torque"); !(math.Abs(got-105) <= 1e-9) {
		t.Errorf("torque at 50 N m/s is %g after 0.1 s, want 105", got)
	}
	r.set("drive_RL.torque", 7)
	r.drive(noInput, 0.01, 0.3)
	if got := r.get("drive_RL.torque"); got != 7 {
		t.Errorf("torque set again is %g, want it held at 7", got)
	}
}

// vehicle-models.md section 4, generic braking with Pacejka: below about 10 m/s the slip oscillation of every tire
// grows under explicit Euler at 1 ms, h < V I/(Reff Rl Kx). The front spin is then off by 22 rad/s and the speed by
// 0.17 m/s. The linearly implicit method at the same step stays stable.
func TestEulerBlowsUpInTheBrakingRunWhereLinearlyImplicitDoesNot(t *testing.T) {
	sys := load(t, "generic4w", "")
	reference := instance(t, sys, "rk4", 0.001)
	euler, implicit := instance(t, sys, "euler", 0.001), instance(t, sys, "linearly-implicit", 0.001)
	all := []*run{reference, euler, implicit}
	for _, r := range all {
		r.start(genericBrake)
	}
	var explicitSpin, implicitSpin, explicitSpeed float64
	for i := 1; i <= 200; i++ {
		for _, r := range all {
			r.drive(genericBrake, 0.001, 0.05*float64(i))
		}
		off := func(r *run, name string) float64 { return math.Abs(r.get(name) - reference.get(name)) }
		for _, front := range []string{"wheel_FL.omega", "wheel_FR.omega"} {
			explicitSpin = max(explicitSpin, off(euler, front))
			implicitSpin = max(implicitSpin, off(implicit, front))
		}
		explicitSpeed = max(explicitSpeed, off(euler, "body.vx"))
	}
	if !(math.Abs(explicitSpin-22) <= 0.5 && math.Abs(explicitSpeed-0.17) <= 0.005) {
		t.Errorf("Euler is off by %g rad/s and %g m/s, published 22 and 0.17", explicitSpin, explicitSpeed)
	}
	if !(implicitSpin <= 0.01) {
		t.Errorf("the linearly implicit method is off by %g rad/s", implicitSpin)
	}
	t.Logf("Euler off by %g rad/s, %g m/s; linearly implicit by %g rad/s", explicitSpin, explicitSpeed, implicitSpin)
}

// Instances of one system share nothing that changes.
func TestInstancesOfOneSystemRunSideBySide(t *testing.T) {
	sys := load(t, "skidder", "")
	got := make([]float64, 4)
	var group sync.WaitGroup
	for i := range got {
		group.Go(func() {
			in, err := sys.Instantiate()
			if err != nil {
				t.Error(err)
				return
			}
			if in.SetText("solver.method", "linearly-implicit") != nil || in.Initialise() != nil {
				t.Error("initialisation failed")
				return
			}
			for range 100 {
				if err := in.Step(0.001); err != nil {
					t.Error(err)
				}
			}
			k, _ := sys.Find("front.wz")
			got[i], _ = in.Get(k)
		})
	}
	group.Wait()
	for _, v := range got {
		if v != got[0] || v == 0 {
			t.Errorf("yaw rates %v", got)
		}
	}
}
