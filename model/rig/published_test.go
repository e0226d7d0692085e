package rig_test

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"testing"

	"skidpad/model/rig"
	"skidpad/model/vehicle"
)

// compliantCar is the passenger car with straight curves of the joints that yield, if wanted, and with or without
// weight.
func compliantCar(t *testing.T, straight, weight bool) *vehicle.Model {
	t.Helper()
	var b strings.Builder
	b.WriteString("name = \"Compliant\"\ntitle = \"Compliant\"\nbase = \"passenger_car.toml\"\n")
	if !weight {
		b.WriteString("gravity = 0\n[parameters]\nfront_load = { value = 0, unit = \"N\" }\n" +
			"rear_load = { value = 0, unit = \"N\" }\n")
	}
	if straight {
		for axle, of := range map[string][2]float64{"F": {21000, 57000}, "R": {80000, 69000}} {
			for i, joint := range []string{"toe", "camber"} {
				for _, side := range "LR" {
					const far = 0.03 // rad
					fmt.Fprintf(&b, "[component.%s_bushing_%s%c]\nspring_force = [[%g, %g], [0, 0], [%g, %g]]\n", joint, axle,
						side, -far, -far*of[i], far, far*of[i])
				}
			}
		}
	}
	const path = "../../resources/models/compliant.toml"
	m, err := vehicle.Parse([]byte(b.String()), path, vehicle.Opener(path))
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// The published compliance of the passenger car (docs/passenger-car.md) is a slope without weight and with the travel
// of the suspension held. The rig finds the printed digits under these conditions. Its own conditions add three
// effects: pads hold the heights of the wheels, pads carry the weight, and curves of joints are softer between points
// than at 0.
func TestPassengerCarHasItsPublishedCompliance(t *testing.T) {
	const deg = math.Pi / 180
	digits := func(what string, value float64, printed string) {
		t.Helper()
		_, behind, _ := strings.Cut(printed, ".")
		want, _ := strconv.ParseFloat(printed, 64)
		if half := 0.5000001 * math.Pow10(-len(behind)); !(math.Abs(value-want) <= half) {
			t.Errorf("%s is %.6g, not %s", what, value, printed)
		}
	}
	free := compliantCar(t, false, false)
	for i, want := range [][3]string{{"0.107", "0.316", "-0.253"}, {"-0.014", "0.251", "-0.072"}} {
		axle := string("FR"[i])
		r, err := rig.New(free, rig.Options{Axle: i + 1, Radius: []float64{0.2994, 0.3018}[i],
			Hold: []string{"susp_" + axle + "L", "susp_" + axle + "R"}})
		if err != nil {
			t.Fatal(err)
		}
		slope := func(load rig.Load, of func(s *rig.State) float64) float64 {
			var ends [2]float64
			for k, sign := range []float64{-1, 1} {
				given := rig.Given{ByPads: true}
				for j := range 3 {
					given.Loads[0].Contact[j], given.Loads[0].Moment[j] = sign*load.Contact[j], sign*load.Moment[j]
				}
				s, err := r.Solve(given, nil)
				if err != nil {
					t.Fatal(err)
				}
				ends[k] = of(s)
			}
			return (ends[1] - ends[0]) / 2
		}
		toe := func(s *rig.State) float64 { return s.Wheels[0].Toe().V / deg }
		camber := func(s *rig.State) float64 { return s.Wheels[0].Camber().V / deg }
		outward, moment := rig.Load{Contact: [3]float64{0, 1, 0}}, rig.Load{Moment: [3]float64{0, 0, 1}}
		digits(axle+": toe-in by a force outward", 1e3*slope(outward, toe), want[0])
		digits(axle+": camber by a force outward", -1e3*slope(outward, camber), want[1])
		digits(axle+": toe-in by a moment outward", 100*slope(moment, toe), want[2])
	}
	// the front axle on the rig: without weight and with straight curves, with weight, with the curves
	for _, c := range []struct {
		straight, weight    bool
		toe, camber, moment float64
	}{{true, false, 0.1046, -0.3150, -0.2534}, {true, true, 0.1059, -0.3201, -0.2531},
		{false, true, 0.1106, -0.3343, -0.2640}} {
		r, err := rig.New(compliantCar(t, c.straight, c.weight), rig.Options{Axle: 1, Radius: 0.2994})
		if err != nil {
			t.Fatal(err)
		}
		got := figures(t, r)
		for key, want := range map[string]float64{"lateral_parallel_toe": c.toe / 1e3,
			"lateral_parallel_camber": c.camber / 1e3, "aligning_parallel_toe": c.moment / 100} {
			if value := got[key].Left.V / deg; math.Abs(value-want) > 6e-4*math.Abs(want) {
				t.Errorf("straight %v, weight %v: %s is %.6g, not %.6g", c.straight, c.weight, key, value, want)
			}
		}
	}
}
