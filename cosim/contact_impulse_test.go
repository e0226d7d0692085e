package cosim_test

import (
	"fmt"
	"math"
	"testing"

	"skidpad/cosim"
)

// The momentum of a vehicle that bounces and rolls is the sum of the impulses of its weight and of the terrain.
func TestImpulsesOfContactsMakeTheMomentum(t *testing.T) {
	s, err := cosim.Load("../resources/models/motorcycle2d.toml", cosim.Options{Reactions: []string{"contact_*"}})
	if err != nil {
		t.Fatal(err)
	}
	r := instance(t, s, "rk4", 0.001)
	for i := range 6 {
		name := fmt.Sprintf("mass_%d.z", i+1)
		r.set(name, r.get(name)+0.05)
		r.set(fmt.Sprintf("mass_%d.vx", i+1), 2)
	}
	r.start(noInput)
	momentum := func(axis string) (sum float64) {
		for i := range 6 {
			sum += r.get(fmt.Sprintf("mass_%d.v%s", i+1, axis)) // of 1 kg each
		}
		return sum
	}
	begin := map[string]float64{"x": momentum("x"), "z": momentum("z")}
	given, largest := map[string]float64{"z": 0}, 0.0
	for range 500 {
		r.step(0.001)
		for _, contact := range []string{"contact_R", "contact_F"} {
			for axis := range begin {
				given[axis] += r.get(contact + ".impulse_" + axis)
			}
			largest = max(largest, r.get(contact+".impulse_z"))
		}
	}
	if largest < 0.5 {
		t.Errorf("the largest impulse is %g N s", largest)
	}
	weight := map[string]float64{"z": -6 * 9.81 * 0.5}
	for axis, start := range begin {
		if have, want := momentum(axis)-start, given[axis]+weight[axis]; !(math.Abs(have-want) <= 1e-9) {
			t.Errorf("along %s the momentum changes by %.12g N s, by weight and impulses %.12g N s", axis, have, want)
		}
	}
}
