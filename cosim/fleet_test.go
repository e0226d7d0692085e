package cosim_test

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"testing"

	"skidpad/cosim"
)

// fleetOf makes n vehicles that differ in mass, speed and steering, every second one with another
// front left tire.
func fleetOf(t testing.TB, s *cosim.System, method string, n int) []*run {
	t.Helper()
	text, err := os.ReadFile("../resources/tires/pacejka2002.toml")
	if err != nil {
		t.Fatal(err)
	}
	worn := filepath.Join(t.TempDir(), "worn.toml")
	if err := os.WriteFile(worn, bytes.Replace(text, []byte("\nLmuy = 1.0"), []byte("\nLmuy = 0.7"), 1),
		0o644); err != nil {
		t.Fatal(err)
	}
	var list []*run
	for i := range n {
		r := instance(t, s, method, 0.001)
		if i%2 == 1 {
			if err := r.in.SetText("tire_FL.file", worn); err != nil {
				t.Fatal(err)
			}
		}
		r.set("body.mass", 2000+20*float64(i))
		r.set("body.vx", 20-0.5*float64(i))
		r.start(noInput)
		list = append(list, r)
	}
	return list
}

func instancesOf(list []*run) []*cosim.Instance {
	var in []*cosim.Instance
	for _, r := range list {
		in = append(in, r.in)
	}
	return in
}

// steer gives each vehicle its own angle.
func steer(list []*run, t float64) {
	for i, r := range list {
		for _, d := range []string{"steer_FL", "steer_FR"} {
			r.set(d+".angle", 0.01*float64(i+1)*math.Sin(2*t))
			r.set(d+".rate", 0.02*float64(i+1)*math.Cos(2*t))
		}
	}
}

func (r *run) values() []float64 {
	v := make([]float64, len(r.sys.Variables()))
	if err := r.in.Values(v); err != nil {
		r.Fatal(err)
	}
	return v
}

// TestFleetsStepLikeSingleInstances: to the last bit, for every solver and for numbers of
// vehicles that fill the lanes or do not.
func TestFleetsStepLikeSingleInstances(t *testing.T) {
	s := load(t, "generic4w", "")
	for _, method := range []string{"euler", "heun", "rk4", "linearly-implicit"} {
		for _, n := range []int{1, 4, 7} {
			alone, together := fleetOf(t, s, method, n), fleetOf(t, s, method, n)
			f, err := cosim.NewFleet(instancesOf(together))
			if err != nil {
				t.Fatal(err)
			}
			for k := range 50 {
				at := float64(k) * 0.01
				steer(alone, at)
				steer(together, at)
				for _, err := range f.Step(0.01, 2) {
					if err != nil {
						t.Fatal(err)
					}
				}
				if k == 20 { // one goes its own way for a step
					if err := together[0].in.Step(0.01); err != nil {
						t.Fatal(err)
					}
					if err := alone[0].in.Step(0.01); err != nil {
						t.Fatal(err)
					}
				}
				for _, r := range alone {
					if err := r.in.Step(0.01); err != nil {
						t.Fatal(err)
					}
				}
			}
			for i := range alone {
				a, b := alone[i].values(), together[i].values()
				for k := range a {
					if math.Float64bits(a[k]) != math.Float64bits(b[k]) && !(math.IsNaN(a[k]) && math.IsNaN(b[k])) {
						t.Fatalf("%s, vehicle %d of %d: %s is %g, alone %g", method, i, n,
							s.Variables()[k].Name, b[k], a[k])
					}
				}
			}
		}
	}
}

// TestAVehicleThatFailsLeavesTheOthersAlone, in lanes: its state stays what it was.
func TestAVehicleThatFailsLeavesTheOthersAlone(t *testing.T) {
	s := load(t, "generic4w", "")
	alone, together := fleetOf(t, s, "euler", 4), fleetOf(t, s, "euler", 4)
	f, err := cosim.NewFleet(instancesOf(together))
	if err != nil {
		t.Fatal(err)
	}
	together[2].set("drive_FL.torque", 1e306)
	before := together[2].values()
	var failed []error
	for range 20 {
		failed = f.Step(0.05, 2)
		for i, r := range alone {
			if err := r.in.Step(0.05); i != 2 && err != nil {
				t.Fatal(err)
			}
		}
		if failed[2] == nil {
			before = together[2].values()
			continue
		}
		break
	}
	if !errors.Is(failed[2], cosim.ErrNotFinite) {
		t.Fatalf("the error is %v", failed[2])
	}
	if after := together[2].values(); fmt.Sprint(after) != fmt.Sprint(before) {
		t.Error("the state of the vehicle that failed has changed")
	}
	for _, i := range []int{0, 1, 3} {
		if failed[i] != nil {
			t.Errorf("vehicle %d: %v", i, failed[i])
		}
		if a, b := alone[i].values(), together[i].values(); fmt.Sprint(a) != fmt.Sprint(b) {
			t.Errorf("vehicle %d is not where it is alone", i)
		}
	}
}

// TestFleetsFollowWhatHappensToTheirVehicles: resets, other parameters, other solvers.
func TestFleetsFollowWhatHappensToTheirVehicles(t *testing.T) {
	s := load(t, "skidder", "")
	make := func(i int) *run {
		r := instance(t, s, "rk4", 0.001)
		r.start(noInput)
		_ = i
		return r
	}
	var alone, together []*run
	for i := range 5 {
		alone, together = append(alone, make(i)), append(together, make(i))
	}
	f, err := cosim.NewFleet(instancesOf(together))
	if err != nil {
		t.Fatal(err)
	}
	step := func() {
		t.Helper()
		for i, err := range f.Step(0.02, 2) {
			if err != nil {
				t.Fatal(err)
			}
			if err := alone[i].in.Step(0.02); err != nil {
				t.Fatal(err)
			}
		}
		for i := range alone {
			if a, b := alone[i].values(), together[i].values(); fmt.Sprint(a) != fmt.Sprint(b) {
				t.Fatalf("vehicle %d is not where it is alone", i)
			}
		}
	}
	step()
	for _, r := range []*run{alone[1], together[1]} {
		r.in.Reset()
		r.set("front.mass", 7000)
		if err := r.in.SetText("solver.method", "heun"); err != nil {
			t.Fatal(err)
		}
	}
	for i, err := range f.Step(0.02, 2) { // the others go on
		alone := alone[i].in.Step(0.02)
		if fmt.Sprint(err) != fmt.Sprint(alone) || (err == nil) == (i == 1) {
			t.Errorf("fleet with vehicle 1 not initialised, vehicle %d: %v; alone: %v", i, err, alone)
		}
	}
	alone[1].start(noInput)
	together[1].start(noInput)
	step()
	for _, r := range []*run{alone[3], together[3]} {
		r.in.Reset()
		r.set("front.mass", 9000)
		r.start(noInput)
	}
	step()
	step()
	if _, err := cosim.NewFleet([]*cosim.Instance{together[0].in, together[0].in}); err == nil {
		t.Error("a vehicle is in a fleet twice")
	}
}

func BenchmarkFleet(b *testing.B) {
	s := load(b, "generic4w", "")
	for _, method := range []string{"euler", "linearly-implicit"} {
		for _, n := range []int{1, 4, 64} {
			f, err := cosim.NewFleet(instancesOf(fleetOf(b, s, method, n)))
			if err != nil {
				b.Fatal(err)
			}
			b.Run(fmt.Sprintf("%s/%d", method, n), func(b *testing.B) {
				for b.Loop() {
					f.Step(0.01, 2)
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/10/float64(n), "ns/step")
			})
		}
	}
}
