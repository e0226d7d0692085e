package cosim_test

import (
	"bytes"
	"math"
	"os"
	"testing"

	"skidpad/cosim"
	"skidpad/model/bounded"
	"skidpad/model/vehicle"
)

// A vehicle whose tires have no coefficients of combined slip, and an ellipse in their place, does not exceed the
// friction when it brakes in a turn. It steps without allocation, and in a fleet with the same bits as alone.
func TestAnEllipseHoldsVehiclesWithinTheirFriction(t *testing.T) {
	const folder = "../resources/models/"
	largest := map[string]float64{}
	for _, combined := range []string{"file", "ellipse"} {
		text, err := os.ReadFile(folder + "generic4w.toml")
		if err != nil {
			t.Fatal(err)
		}
		const file = `file = "../tires/pacejka2002.toml"`
		if n := bytes.Count(text, []byte(file)); n != 4 {
			t.Fatalf("%d tires", n)
		}
		text = bytes.ReplaceAll(text, []byte(file), []byte(file+"\ncombined = \""+combined+"\""))
		m, err := vehicle.Parse(text, "generic4w.toml", func(_ bounded.Kind, name string) ([]byte, error) {
			data, err := os.ReadFile(folder + name)
			for _, key := range []string{"RBx1 = 13.276", "RBy1 = 7.1433"} {
				data = bytes.ReplaceAll(data, []byte(key), []byte(key[:7]+"0.0"))
			}
			return data, err
		})
		if err != nil {
			t.Fatal(err)
		}
		sys, err := cosim.New(m, cosim.Options{})
		if err != nil {
			t.Fatal(err)
		}
		list := []*run{instance(t, sys, "rk4", 0.001), instance(t, sys, "rk4", 0.001), instance(t, sys, "rk4", 0.001)}
		drive := func(r *run, _ float64) {
			for _, c := range corners {
				r.set("brake_"+c+".torque", 2000)
			}
			for _, c := range []string{"FL", "FR"} {
				r.set("steer_"+c+".angle", 0.12)
			}
		}
		for _, r := range list {
			r.start(drive)
		}
		fleet, err := cosim.NewFleet(instancesOf(list[1:]))
		if err != nil {
			t.Fatal(err)
		}
		for list[0].in.Time() < 0.6 {
			list[0].step(0.001)
			for _, err := range fleet.Step(0.001, 1) {
				if err != nil {
					t.Fatal(err)
				}
			}
			for _, c := range corners {
				fx, fy, fz := list[0].get("tire_"+c+".Fx"), list[0].get("tire_"+c+".Fy"), list[0].get("tire_"+c+".Fz")
				if fz > 1000 {
					largest[combined] = max(largest[combined], math.Hypot(fx, fy)/fz)
				}
			}
		}
		for i, x := range list[0].states() {
			if x != list[1].states()[i] || x != list[2].states()[i] {
				t.Fatalf("%s: state %d is %v alone, %v and %v in a fleet", combined, i, x, list[1].states()[i],
					list[2].states()[i])
			}
		}
		if n := testing.AllocsPerRun(20, func() { list[0].step(0.001) }); n > 0 {
			t.Errorf("%s: %g allocations a step", combined, n)
		}
	}
	if !(largest["ellipse"] < 1.35 && largest["file"] > 1.4) {
		t.Errorf("forces by the load: %v", largest)
	}
}
