package cosim

import (
	"testing"

	"skidpad/model/contact"
	"skidpad/model/program"
)

// Wheels hit the ground from where they were before the solver step: in communication steps of any length, and in the
// first step after a state was restored.
func TestWheelsHitTheGroundInStepsOfAnyLength(t *testing.T) {
	drop := map[string]float64{"terrain.height": -0.5}
	short, long := begin(t, "motorcycle2d", nil, drop), begin(t, "motorcycle2d", nil, drop)
	h, hits := short.settings[stepSetting], 0
	saved := make([]byte, short.StateSize())
	for range 100 {
		for range 10 {
			if err := short.Save(saved); err != nil {
				t.Fatal(err)
			}
			short.to(short.Time()+h, nil)
			if short.get("contact_F.mode") != contact.Impact || hits > 3 {
				continue
			}
			hits++
			other, err := short.sys.Instantiate()
			if err != nil {
				t.Fatal(err)
			}
			if err := other.Restore(saved); err != nil {
				t.Fatal(err)
			}
			if err := other.Step(h); err != nil {
				t.Fatal(err)
			}
			if !sameBits(other.x, short.x) {
				t.Errorf("at %g s a wheel of a restored vehicle hits the ground elsewhere", short.Time())
			}
		}
		if err := long.Step(10 * h); err != nil {
			t.Fatal(err)
		}
		if !sameBits(long.x, short.x) {
			t.Fatalf("at %g s states after a long step are others than after short ones", long.Time())
		}
	}
	if hits == 0 {
		t.Error("no wheel hits the ground")
	}
}

// Vehicles with wheel contacts step alone in fleets, with the results of single instances.
func TestWheelContactsStepAloneInFleets(t *testing.T) {
	texts, drop := map[string]string{MethodVariable: "rk4"}, map[string]float64{"terrain.height": -0.5}
	single := begin(t, "motorcycle2d", texts, drop)
	var list []*Instance
	for range program.Width {
		list = append(list, begin(t, "motorcycle2d", texts, drop).Instance)
	}
	f, err := NewFleet(list)
	if err != nil {
		t.Fatal(err)
	}
	h := single.settings[stepSetting]
	for range 400 {
		for _, err := range append(f.Step(h, 2), single.Step(h)) {
			if err != nil {
				t.Fatal(err)
			}
		}
	}
	if len(f.groups) != 0 {
		t.Error("wheel contacts step in lanes")
	}
	for i, in := range list {
		if !sameBits(in.x, single.x) {
			t.Errorf("vehicle %d goes elsewhere in a fleet", i)
		}
	}
}
