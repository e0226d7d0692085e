package cosim

import (
	"math/rand/v2"
	"slices"
	"testing"

	"skidpad/harness/tests/testrun"
	"skidpad/model/vehicle"
)

// Outputs of a fleet are computed in lanes for every choice of variables and every kind of vehicle. Otherwise a step
// costs several times as much, and no value shows it.
func TestFleetOutputsAreComputedInLanes(t *testing.T) {
	testrun.Slow(t)
	r := rand.New(rand.NewPCG(95, 96))
	for _, name := range []string{"generic4w", "generic4w_carcass", "passenger_car", "skidder", "tractor_semitrailer"} {
		m, err := vehicle.Read("../resources/models/" + name + ".toml")
		if err != nil {
			t.Fatal(err)
		}
		s, err := New(m, Options{})
		if err != nil {
			t.Fatal(err)
		}
		var instances []*Instance
		for range 4 {
			in, err := s.Instantiate()
			if err == nil {
				err = in.Initialise()
			}
			if err != nil {
				t.Fatal(err)
			}
			instances = append(instances, in)
		}
		f, err := NewFleet(instances)
		if err != nil {
			t.Fatal(err)
		}
		for _, err := range f.Step(0.001, 1) {
			if err != nil {
				t.Fatal(err)
			}
		}
		if len(f.groups) == 0 {
			t.Skip("no lanes on this machine")
		}
		kept := f.groups[0].lanes.KeptLoads()
		var all []int
		for i := s.first[Output]; i < s.first[Text]; i++ {
			if kind := s.variables[i].Kind; kind == Output || kind == Rate || kind == State {
				all = append(all, i)
			}
		}
		for k := range 12 {
			asked := slices.Clone(all)
			if k > 0 {
				r.Shuffle(len(asked), func(i, j int) { asked[i], asked[j] = asked[j], asked[i] })
				asked = asked[:1+r.IntN(6)]
			}
			if s.newReading(asked, kept) == nil {
				t.Errorf("%s: %d variables from %s on are not computed in lanes", name, len(asked), s.variables[asked[0]].Name)
			}
		}
	}
}
