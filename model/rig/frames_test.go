package rig_test

import (
	"math"
	"testing"

	"skidpad/model/rig"
)

// Frames are at the points of the file, mirrored on the right, with the axes of their bodies. The wheels or the rack
// move the frames of carriers, arms and the rack, and no frame of the chassis.
func TestFramesOfAnAxle(t *testing.T) {
	m := shippedAxle(t, corners("corner_double_wishbone", `spring_on = "lower"`))
	r, err := rig.New(m, rig.Options{Axle: 1, Frames: true})
	if err != nil {
		t.Fatal(err)
	}
	list, err := r.Frames()
	if err != nil {
		t.Fatal(err)
	}
	frames := map[string]rig.Frame{}
	for _, f := range list {
		frames[f.Name] = f
	}
	for name, want := range map[string]struct {
		at    [3]float64
		moves bool
	}{
		"carrier_FL":             {[3]float64{0, 0.74, -0.2}, true},
		"carrier_tie_outer_FL":   {[3]float64{-0.13, 0.665, -0.268}, true},
		"carrier_tie_outer_FR":   {[3]float64{-0.13, -0.665, -0.268}, true},
		"rack_tie_inner_FL":      {[3]float64{-0.14, 0.355, -0.26}, true},
		"chassis_upper_front_FL": {[3]float64{0.11, 0.42, -0.06}, false},
		"lower_spring_bottom_FR": {[3]float64{0, -0.58, -0.295}, true},
		"front":                  {[3]float64{0, 0, -0.5}, false},
		"body":                   {[3]float64{0, 0, 0}, false},
		"chassis_spring_top_FL":  {[3]float64{-0.01, 0.48, 0.19}, false},
		"carrier_lower_outer_FL": {[3]float64{0.01, 0.68, -0.32}, true},
		"lower_lower_outer_FL":   {[3]float64{0.01, 0.68, -0.32}, true},
		"tire_FL":                {[3]float64{0, 0.74, -0.2}, true},
		"carrier_upper_outer_FL": {[3]float64{-0.025, 0.64, -0.035}, true},
		"chassis_lower_front_FL": {[3]float64{0.15, 0.36, -0.3}, false},
		"chassis_lower_front_FR": {[3]float64{0.15, -0.36, -0.3}, false},
	} {
		f, has := frames[name]
		if !has || f.Moves != want.moves {
			t.Errorf("%s: %+v", name, f)
		}
		for k, x := range f.Place {
			if math.Abs(x-want.at[k]) > 1e-9 {
				t.Errorf("%s is at %v, not %v", name, f.Place, want.at)
			}
		}
	}
	for axis, v := range frames["carrier_FL"].Axes {
		for k, x := range v {
			if want := map[bool]float64{true: 1}[axis == k]; math.Abs(x-want) > 1e-9 {
				t.Errorf("axes of the carrier: %v", frames["carrier_FL"].Axes)
			}
		}
	}
	// toe-in and camber of the left wheel turn its axes
	hub := frames["hub_FL"].Axes
	if toe, camber := math.Atan2(hub[1][0], hub[1][1]), -math.Asin(hub[1][2]); math.Abs(toe-0.002) > 1e-9 ||
		math.Abs(camber+0.01) > 1e-9 {
		t.Errorf("the hub has toe-in %v and camber %v", toe, camber)
	}
	bare, err := rig.New(m, rig.Options{Axle: 1})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := bare.Frames(); err == nil {
		t.Error("frames without Options.Frames")
	}
}

// The rack of the front axle does not belong to the rear axle.
func TestFramesOfTheOtherAxle(t *testing.T) {
	m := rackCar(t, `type = "motion-driver", kind = "translation"`, "",
		`steering = { drivers = ["slide"], ratio = "80 rad/m" }`)
	for axle, want := range map[int]map[string]bool{1: {"rack": true, "carrier_FL": true, "carrier_RL": false},
		2: {"rack": false, "carrier_FL": false, "carrier_RL": true}} {
		r, err := rig.New(m, rig.Options{Axle: axle, Frames: true})
		if err != nil {
			t.Fatal(err)
		}
		list, err := r.Frames()
		if err != nil {
			t.Fatal(err)
		}
		seen := 0
		for _, f := range list {
			if moves, is := want[f.Name]; is {
				seen++
				if f.Moves != moves {
					t.Errorf("axle %d: %s moves: %v", axle, f.Name, f.Moves)
				}
			}
		}
		if seen != len(want) {
			t.Errorf("axle %d has %d of the frames", axle, seen)
		}
	}
}
