package reduction

import (
	"math"
	"testing"

	"skidpad/harness/tests/testrun"
	"skidpad/model/component"
	"skidpad/model/rig"
	"skidpad/model/vehicle"
)

// Both axles of the shipped cars by points have the rates and slopes of the full axles with tables. The rocker of the
// anti-roll bar and the column of the steering are among them.
func TestShippedCarsReduce(t *testing.T) {
	testrun.OnlyAll(t)
	for _, name := range []string{"formula_student", "road_car"} {
		path := "../../resources/models/" + name + ".toml"
		m, err := vehicle.Read(path)
		if err != nil {
			t.Fatal(err)
		}
		for axle := 1; axle <= 2; axle++ {
			a, err := Reduce(path, m, m.Roles, rig.Options{Axle: axle}, 1e-6)
			if err != nil || a.Model == nil {
				t.Fatalf("%s, axle %d: %v, %v", name, axle, err, a)
			}
			for i := range a.Full {
				f := &a.Full[i]
				of, allowed := a.WithTables(f.Key), 0.0
				switch f.Key {
				case "wheel_rate", "roll_stiffness":
					allowed = 0.002
				case "toe_per_travel", "camber_per_travel", "roll_camber", "lateral_parallel_toe", "lateral_opposed_toe",
					"aligning_parallel_toe", "steer_per_rack":
					allowed = 0.005
				}
				if allowed > 0 && f.Missing == "" && math.Abs(f.Left.V-of.Left.V) > allowed*math.Abs(f.Left.V)+1e-9 {
					t.Errorf("%s, axle %d: %s is %g, with tables %g", name, axle, f.Key, f.Left.V, of.Left.V)
				}
			}
		}
	}
}

// A spring on a travel has a free length below 0. With a table of its length, both grow by the same length.
func TestLengthsAreNotNegative(t *testing.T) {
	point := list(numeral(0.1), numeral(0.1))
	n := lengthened(table().put("length", list(point)).put("free_length", numeral(-0.3)).
		put("length_max", numeral(0.2)).Node)
	length, free, most := n.Field("length").Items[0].Items[1].Number, n.Field("free_length").Number,
		n.Field("length_max").Number
	if free != 0 || math.Abs(length-0.4) > 1e-12 || math.Abs(most-0.5) > 1e-12 {
		t.Errorf("the length %g, the free length %g, the largest %g", length, free, most)
	}
}

// The unsprung body has the name of the carrier, which roles name.
func TestTheCarrierKeepsItsName(t *testing.T) {
	path, m := write(t, "corner_five_link", "", "")
	a, err := Reduce(path, m, m.Roles, rig.Options{Axle: 1}, 1e-4)
	if err != nil {
		t.Fatal(err)
	}
	heavy, is := a.Model.Scope().Find("carrier_FL").(component.Heavy)
	if !is || heavy.Lump().Mass.Value < 5 {
		t.Errorf("carrier_FL is %v", heavy)
	}
}
