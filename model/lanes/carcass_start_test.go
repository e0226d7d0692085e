package lanes_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"skidpad/harness/tests/testrun"
	"skidpad/model/lanes"
	"skidpad/tire"
	"skidpad/tire/machinecode"
)

// The states that code computes from delayed slips at the start are bit-identical to package tire. Carcasses of all
// kinds are on the ground or in the air, and slips have both signs.
func TestCarcassesStartAsInPackageTire(t *testing.T) {
	r := rand.New(rand.NewPCG(46, 1))
	compared := 0
	for k, relaxation := range relaxations {
		force := []string{"MF61", "Fiala", "Brush", "TMeasy", "Calspan"}[k]
		list := carcasses(t, force, relaxation, 5, k%2 == 0, r) // one more than the number of lanes
		grouped := lanes.BatchCarcasses(list, tire.GroupCarcasses(list))
		if _, ok := grouped[0].(tire.Grouped); !ok {
			t.Skip("no machine code here")
		}
		block, _, _, _ := lanes.CarcassStart(grouped[0])
		of, err := block.Operations()
		if err != nil {
			t.Fatal(err)
		}
		code, err := machinecode.Compile(of, of.Slots(), block.Lanes)
		if err != nil {
			t.Fatal(err)
		}
		room := make([]float64, code.Slots*block.Lanes)
		for range testrun.Either(4000, 20000) {
			for i, c := range list {
				in := asked(r, c.Inputs())
				_, memory, slips, states := lanes.CarcassStart(grouped[i])
				g, index := grouped[i].(tire.Grouped).Member()
				for a, x := range in {
					*g.Argument(index, a) = x
				}
				copy(room, memory)
				q := [2]float64{r.NormFloat64() * math.Pow(10, float64(r.IntN(8)-6)), r.NormFloat64()}
				room[slips[0]], room[slips[1]] = q[0], q[1]
				if !code.Run(room) {
					continue // as in the rates, which run before
				}
				want := c.Start(in, q)
				for side := range want {
					if got := room[states[side]]; math.Float64bits(got) != math.Float64bits(want[side]) &&
						!(math.IsNaN(got) && math.IsNaN(want[side])) {
						t.Fatalf("%s with %q: slip %v has the state %v, want %v", force, relaxation, q[side], got, want[side])
					}
					if want[side] != 0 {
						compared++
					}
				}
			}
		}
	}
	if compared < 5000 {
		t.Errorf("%d states were compared", compared)
	}
}
