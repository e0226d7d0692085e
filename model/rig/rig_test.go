package rig_test

import (
	"math"
	"strconv"
	"strings"
	"testing"

	"skidpad/model/rig"
	"skidpad/model/vehicle"
)

func figures(t *testing.T, r *rig.Rig) map[string]rig.Figure {
	t.Helper()
	list, err := r.Figures()
	if err != nil {
		t.Fatal(err)
	}
	of := map[string]rig.Figure{}
	for _, f := range list {
		of[f.Key] = f
	}
	return of
}

// The passenger car has kinematics by curves and joints that yield. With these joints held at 0 its figures are the
// published ones (docs/passenger-car.md), to all printed digits.
func TestPassengerCarHasItsPublishedKinematics(t *testing.T) {
	m, err := vehicle.Read("../../resources/models/passenger_car.toml")
	if err != nil {
		t.Fatal(err)
	}
	const deg = math.Pi / 180
	for i, want := range []map[string]string{
		{"roll_centre": "60", "camber_per_travel": "-0.393", "toe_per_travel": "-4.01", "anti_dive": "25"},
		{"roll_centre": "100", "camber_per_travel": "-0.906", "toe_per_travel": "1.49", "anti_lift": "58",
			"anti_squat": "22"},
	} {
		axle := string("FR"[i])
		var held []string
		for _, joint := range []string{"toe_", "camber_"} {
			held = append(held, joint+axle+"L", joint+axle+"R")
		}
		r, err := rig.New(m, rig.Options{Axle: i + 1, Hold: held})
		if err != nil {
			t.Fatal(err)
		}
		got := figures(t, r)
		for key, printed := range want {
			f := got[key]
			value := f.Left
			switch key {
			case "roll_centre":
				value *= 1e3
			case "toe_per_travel":
				value /= deg
			case "anti_dive", "anti_lift", "anti_squat":
				value *= 100
			}
			_, behind, _ := strings.Cut(printed, ".")
			want, _ := strconv.ParseFloat(printed, 64)
			if half := 0.5000001 * math.Pow10(-len(behind)); !(math.Abs(value-want) <= half) {
				t.Errorf("axle %d: %s is %.6g, not %s", i+1, key, value, printed)
			}
			if math.Abs(f.Left-f.Right) > 1e-9*math.Abs(f.Left) {
				t.Errorf("axle %d: %s is %v left and %v right", i+1, key, f.Left, f.Right)
			}
		}
		_, steers := got["castor"]
		if missing := got["castor"].Missing; !steers || (missing == "") != (i == 0) {
			t.Errorf("axle %d: castor is missing: %q", i+1, missing)
		}
	}
}

func TestRigRefuses(t *testing.T) {
	car, err := vehicle.Read("../../resources/models/passenger_car.toml")
	if err != nil {
		t.Fatal(err)
	}
	bicycle, err := vehicle.Read("../../resources/models/bicycle.toml")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		m    *vehicle.Model
		o    rig.Options
		says string
	}{
		{car, rig.Options{Axle: 3}, "axles 1 to 2"},
		{car, rig.Options{Axle: 1, Hold: []string{"toe_LF"}}, `did you mean "toe_FL"`},
		{bicycle, rig.Options{Axle: 1}, "roles"},
	} {
		if _, err := rig.New(c.m, c.o); err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%v does not say %q", err, c.says)
		}
	}
}

// Where the wheels cannot get, the error tells how far they got.
func TestUnreachableTravel(t *testing.T) {
	s := readSample(t)
	r, err := rig.New(s.car(t, false), rig.Options{Axle: 1, Radius: s.Inputs.Radius})
	if err != nil {
		t.Fatal(err)
	}
	_, err = r.Solve(rig.Given{Travel: [2]float64{0.6, 0.6}}, nil)
	if err == nil || !strings.Contains(err.Error(), "of the way") {
		t.Errorf("%v", err)
	}
}
