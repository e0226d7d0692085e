package cosim_test

import (
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"skidpad/cosim"
	"skidpad/tire"
)

// peak reads a peak variable of a tire.
func (r *run) peak(name string) float64 {
	r.Helper()
	x, err := r.in.Get(r.peakIndex(name))
	if err != nil {
		r.Fatal(err)
	}
	return x
}

func (r *run) peakIndex(name string) int {
	r.Helper()
	for _, v := range r.in.TireVariables() {
		if v.Name == name {
			return v.Index
		}
	}
	r.Fatalf("no variable %s", name)
	return 0
}

// cornering steers to the left and brakes the front wheels.
func cornering(r *run, t float64) {
	for _, c := range corners[:2] {
		r.set("steer_"+c+".angle", 0.03*min(1, 5*t))
		r.set("brake_"+c+".torque", 400*min(1, 5*t))
	}
}

// The peaks of each wheel agree with the closed form of Fiala's tire at its load, on the side of its slip.
func TestPeaksOfACarOnFialasTires(t *testing.T) {
	s, err := cosim.New(withFiala(t), cosim.Options{})
	if err != nil {
		t.Fatal(err)
	}
	const cs, friction, sliding = 115000, 1.22, 0.2 // of resources/tires/fiala_generic4w.toml
	r := instance(t, s, "rk4", 0.001)
	r.start(cornering)
	r.drive(cornering, 0.001, 1)
	for _, c := range corners {
		of := func(key string) float64 { return r.get("tire_" + c + "." + key) }
		peak := func(key string) float64 { return r.peak("tire_" + c + "." + key) }
		fz := of("Fz")
		a, b := friction*fz, (friction-sliding)*fz
		slip := a / math.Sqrt(b*(4*cs+b))
		n := a - b*slip
		mu := (n - n*n/(4*cs*slip)) / fz
		if got := peak("mu_x_peak"); !(math.Abs(got-mu) <= 1e-12*mu) {
			t.Errorf("%s: mu_x_peak %.15g, not %.15g", c, got, mu)
		}
		if got := peak("kappa_peak"); !(math.Abs(got-math.Copysign(slip, of("kappa"))) <= 1e-7*slip) {
			t.Errorf("%s: kappa_peak %g at the slip %g, not %g", c, got, of("kappa"), slip)
		}
		if got := peak("alpha_peak"); got*of("alpha") <= 0 || peak("alpha_peak_found") != 1 || peak("kappa_peak_found") != 1 {
			t.Errorf("%s: alpha_peak %g at the slip angle %g", c, got, of("alpha"))
		}
		used := math.Hypot(of("Fx")/(mu*fz), of("Fy")/(peak("mu_y_peak")*fz))
		if got := peak("utilisation"); !(math.Abs(got-used) <= 1e-12) || used < 0.1 {
			t.Errorf("%s: utilisation %g, not %g", c, got, used)
		}
	}
	if slips := r.get("tire_FL.kappa"); slips >= 0 || r.get("tire_FL.alpha") == 0 {
		t.Error("the front wheels do not brake")
	}
}

// Peaks follow from the point reached. Reading them changes no state. A restored vehicle and a vehicle of a fleet have
// the same peaks, also with a carcass. The scale factor of friction multiplies them.
func TestPeaksFollowFromThePointReached(t *testing.T) {
	names := []string{"mu_x_peak", "mu_y_peak", "kappa_peak", "alpha_peak", "utilisation", "kappa_peak_found"}
	for _, model := range []string{"generic4w", "generic4w_carcass"} {
		s := load(t, model, "")
		var list []*run
		for range 5 {
			r := instance(t, s, "rk4", 0.001)
			r.start(noInput)
			list = append(list, r)
		}
		alone := instance(t, s, "rk4", 0.001)
		alone.start(noInput)
		f, err := cosim.NewFleet(instancesOf(list))
		if err != nil {
			t.Fatal(err)
		}
		for range 200 {
			for _, r := range append(list, alone) {
				cornering(r, r.in.Time())
			}
			for _, err := range f.Step(0.001, 1) {
				if err != nil {
					t.Fatal(err)
				}
			}
			if err := alone.in.Step(0.001); err != nil {
				t.Fatal(err)
			}
			alone.peak("tire_FL.utilisation")
		}
		state := make([]byte, alone.in.StateSize())
		if err := alone.in.Save(state); err != nil {
			t.Fatal(err)
		}
		back := instance(t, s, "rk4", 0.001)
		if err := back.in.Restore(state); err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(alone.values(), list[3].values()) {
			t.Errorf("%s: reading peaks has changed the run", model)
		}
		for _, c := range corners {
			for _, name := range names {
				name = "tire_" + c + "." + name
				want := alone.peak(name)
				if a, b := list[3].peak(name), back.peak(name); a != want || b != want {
					t.Errorf("%s: %s is %v alone, %v in a fleet, %v after a restored state", model, name, want, a, b)
				}
			}
		}
		along, across := alone.peak("tire_FL.mu_x_peak"), alone.peak("tire_FL.mu_y_peak")
		alone.set("tire_FL.LMUX", 0.5)
		if got := alone.peak("tire_FL.mu_x_peak"); math.Abs(got/along-0.5) > 0.01 {
			t.Errorf("%s: half the friction has the peak %g, not half of %g", model, got, along)
		}
		if got := alone.peak("tire_FL.mu_y_peak"); got != across {
			t.Errorf("%s: LMUX changes mu_y_peak from %g to %g", model, across, got)
		}
	}
}

// A tire in the air has no peaks. When the wheel lands, its peaks exist again.
func TestPeaksInTheAir(t *testing.T) {
	r := instance(t, load(t, "generic4w", ""), "rk4", 0.001)
	if _, err := r.in.Get(r.peakIndex("tire_FL.mu_x_peak")); err == nil ||
		!strings.Contains(err.Error(), "tire_FL.mu_x_peak has no value before initialisation") {
		t.Error(err)
	}
	r.set("body.z", 3)
	r.start(noInput)
	for _, p := range tire.PeakVariables {
		if x := r.peak("tire_FL." + p.Name); x != 0 {
			t.Errorf("%s is %g in the air", p.Name, x)
		}
	}
}

// Peaks are computed: they cannot be set, have no rate, and nothing is differentiated by them. Tires whose forces do
// not follow from slip have no peaks.
func TestPeaksAreReadOnly(t *testing.T) {
	r := instance(t, load(t, "generic4w", ""), "rk4", 0.001)
	r.start(noInput)
	i := r.peakIndex("tire_FL.mu_x_peak")
	mass, rate := r.variable("body.mass"), r.variable("der(body.wz)")
	result := make([]float64, 1)
	directional := func(of, by int) error { return r.in.Directional([]int{of}, []int{by}, result, result) }
	for want, err := range map[string]error{
		"tire_FL.mu_x_peak is computed by the model and cannot be set":                         r.in.Set(i, 1),
		"tire_FL.mu_x_peak is computed by the model":                                           r.in.Check(i, 1),
		"tire_FL.mu_x_peak is not an input":                                                    r.in.SetRate(i, 1),
		"tire_FL.mu_x_peak has no derivatives; outputs and derivatives of states have":         directional(i, mass),
		"nothing can be differentiated by tire_FL.mu_x_peak; inputs, states and parameters ca": directional(rate, i),
	} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, not %q", err, want)
		}
	}
	r.in.Reset()
	before := len(r.in.TireVariables())
	if err := r.in.SetText("tire_FL.model", "inputs"); err != nil {
		t.Fatal(err)
	}
	for _, v := range r.in.TireVariables() {
		if v.Kind == cosim.Peak && strings.HasPrefix(v.Name, "tire_FL.") {
			t.Errorf("%s is listed for a tire whose forces are inputs", v.Name)
		}
	}
	if len(r.in.TireVariables()) >= before-len(tire.PeakVariables) {
		t.Error("coefficients of the tire are still listed")
	}
	r.start(noInput)
	if _, err := r.in.Get(i); err == nil || !strings.Contains(err.Error(),
		"tire_FL.mu_x_peak: the force function inputs asks for none of S") {
		t.Error(err)
	}
	if r.peak("tire_FR.mu_x_peak") <= 0 {
		t.Error("the other tire has no peak any more")
	}
	last := i + 1000000
	if _, err := r.in.Get(last); err == nil || errors.Is(err, cosim.ErrFunction) {
		t.Error(err)
	}
}
