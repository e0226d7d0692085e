package evaluate

import (
	"fmt"
	"math"
	"os"
	"regexp"
	"strconv"
	"testing"

	"skidpad/harness/library"
	"skidpad/harness/tests/built"
	"skidpad/harness/tests/testrun"
	"skidpad/harness/workbench/runs/manoeuvre"
)

// The bound of the passenger car follows from its masses and the coefficients of its tires: a tire of Magic Formula 6.1
// holds PDX1 + PDX2 (N/N0 - 1), and more or less by its pressure. A third of the friction is a third of these. The car
// brakes less, and a pedal that locks no wheel gives the demanded deceleration.
func TestTheBoundOfBrakingIsThatOfTheTires(t *testing.T) {
	testrun.Slow(t)
	t.Parallel()
	library, err := library.Open(built.Library(t))
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(built.Path("resources", "tires", "mf61_205_60R15.tir"))
	if err != nil {
		t.Fatal(err)
	}
	of := func(name string) float64 {
		match := regexp.MustCompile(`(?m)^` + name + ` *= *(\S+)`).FindSubmatch(text)
		if match == nil {
			t.Fatalf("the tire has no %s", name)
		}
		x, err := strconv.ParseFloat(string(match[1]), 64)
		if err != nil {
			t.Fatal(err)
		}
		return x
	}
	pressure := of("INFLPRES")/of("NOMPRES") - 1
	factor := 1 + of("PPX3")*pressure + of("PPX4")*pressure*pressure
	const sprung, unsprung, front, rear, height, g = 965.7, 31.9, 1.1562, 1.4227, 0.61511, 9.81
	const frontCentre, rearCentre = height - 0.3143, height - 0.3119
	const mass = sprung + 4*unsprung
	const h = (sprung*height + 2*unsprung*(frontCentre+rearCentre)) / mass
	const x = 2 * unsprung * (front - rear) / mass
	for _, friction := range []float64{1, 0.3} {
		want := 5.0
		for range 200 {
			force := 0.0
			for _, load := range []float64{(rear + x) * g, (front - x) * g} {
				shift := want * h
				if force > 0 { // the rear axle is second
					shift = -shift
				}
				wheel := mass * (load + shift) / (front + rear) / 2
				force += 2 * wheel * friction * factor * (of("PDX1") + of("PDX2")*(wheel/of("FNOMIN")-1))
			}
			want = force / mass
		}
		e := evaluator(library, built.Model("passenger_car"),
			manoeuvre.Setting{Name: "road.friction_left", Value: fmt.Sprint(friction)},
			manoeuvre.Setting{Name: "road.friction_right", Value: fmt.Sprint(friction)})
		e.Replaced = []manoeuvre.ConstantValue{{Name: "pedal", Value: 8 * friction}}
		result, err := e.Evaluate(built.Manoeuvre("brake_distance"))
		if err != nil {
			t.Fatal(err)
		}
		list := result.Runs[0].Figures
		bound, reached := value(t, list, "braking_bound"), value(t, list, "mean_deceleration")
		if math.Abs(bound-want) > 3e-3*want { // camber and toe
			t.Errorf("with a friction of %g the bound is %.6g m/s2; want %.6g", friction, bound, want)
		}
		if value(t, list, "unlocked") != 1 || reached > bound || reached < 8*friction || reached > 8*friction+0.5 {
			t.Errorf("with a friction of %g the car brakes by %.6g m/s2", friction, reached)
		}
	}
}

// A vehicle is read at the start of its run, again and again, with other start values, and some steps later.
func TestAVehicleIsReadAtTheStartOfItsRun(t *testing.T) {
	testrun.Slow(t)
	t.Parallel()
	library, err := library.Open(built.Library(t))
	if err != nil {
		t.Fatal(err)
	}
	e := evaluator(library, genericModel)
	m, err := manoeuvre.ReadFor(e.Target, built.Manoeuvre("brake_distance"))
	if err != nil {
		t.Fatal(err)
	}
	p := starts{open: e.Open, manoeuvre: *m, begin: m.Start}
	defer p.close()
	for range 2 {
		for steps, within := range map[int]float64{0: 1e-12, 4: 1e-3} {
			values, err := p.at(map[string]float64{"body.z": 0.95}, steps, "body.vx", "body.x", "body.z")
			if err != nil {
				t.Fatal(err)
			}
			const speed = 100 / 3.6
			way := speed * 1e-3 * float64(steps)
			if math.Abs(values[0]-speed) > within*speed || math.Abs(values[1]-way) > within*way ||
				math.Abs(values[2]-0.95) > within {
				t.Errorf("after %d steps speed, way and height are %v; want %g, %g and 0.95", steps, values, speed, way)
			}
		}
	}
	if _, err := p.at(nil, 0, "body.nothing"); err == nil {
		t.Error("a variable that is not there is no error")
	}
}
