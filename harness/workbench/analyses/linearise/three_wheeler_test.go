package linearise

import (
	"math"
	"math/cmplx"
	"testing"

	"skidpad/harness/tests/built"
	"skidpad/harness/tests/testrun"
	"skidpad/harness/workbench/runs/manoeuvre"
	"skidpad/model/linear"
	"skidpad/model/vehicle"
)

// read makes the linear equations of a shipped model.
func read(t *testing.T, name string) *linear.Model {
	t.Helper()
	m, err := vehicle.Read(built.Model(name))
	if err != nil {
		t.Fatal(err)
	}
	vehicle, err := linear.New(m, "")
	if err != nil {
		t.Fatal(err)
	}
	return vehicle
}

// The tilting three-wheeler is stable between the speeds of an independent program. Without springs its weave ends at
// the first speed and its capsize begins at the second. A spring removes the capsize, and dampers lower the speed of
// the weave. Without dampers its eigenvalues at 10 and 20 m/s equal the results of the program to its five decimals.
func TestTiltingThreeWheelerHasTheReferenceStabilityLimits(t *testing.T) {
	testrun.Slow(t)
	vehicle := read(t, "tilting_three_wheeler")
	set := func(name string, value float64) {
		t.Helper()
		if err := vehicle.Set(name, value); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range []struct {
		spring, damper, steering float64
		from, to                 float64 // 0: beyond 40 m/s
	}{
		{0, 0, 0, 6.201090915, 12.086737754}, {1500, 0, 0, 7.074046925, 0}, {2500, 100, 0, 3.096249387, 0},
		{1500, 100, 2, 1.746053329, 0},
	} {
		set("tilt_stiffness", c.spring)
		set("tilt_damping", c.damper)
		set("steer_damping", c.steering)
		values, err := ParseValues("speed=1.5:40:1.75")
		if err != nil {
			t.Fatal(err)
		}
		l := &Result{Varied: values}
		if err := l.AddAll(vehicle, nil, nil); err != nil {
			t.Fatal(err)
		}
		limits, err := l.StabilityLimits(vehicle)
		if err != nil {
			t.Fatal(err)
		}
		from, to := 0.0, 0.0
		for _, limit := range limits {
			switch (Unstable{}) {
			case limit.From:
				from = limit.Value
			case limit.Before:
				to = limit.Value
			}
		}
		if math.Abs(from-c.from) > 1e-6 || math.Abs(to-c.to) > 1e-6 {
			t.Errorf("stable from %.9g to %.9g m/s, want %+v; limits %+v", from, to, c, limits)
		}
	}
	for speed, want := range map[float64][]complex128{
		10: {-1.14524 + 8.10060i, -1.14524 - 8.10060i, -6.50311, -32.84378},
		20: {-6.7441 + 9.09691i, -6.7441 - 9.09691i, -7.30504, -62.48151},
	} {
		set("tilt_stiffness", 1500)
		set("tilt_damping", 0)
		set("steer_damping", 0)
		l := &Result{Varied: manoeuvre.Variation{Name: "speed"}}
		if err := l.Add(vehicle, nil, speed); err != nil {
			t.Fatal(err)
		}
		got := Eigenvalues(l.Modes[0])
		if len(got) != len(want) {
			t.Fatalf("%g m/s: eigenvalues %v, want %v", speed, got, want)
		}
		for i, other := range Paired(want, got) {
			if cmplx.Abs(other-want[i]) > 1e-5 {
				t.Errorf("%g m/s: eigenvalues %v, want %v", speed, got, want)
			}
		}
	}
}
