package cosim

import (
	"fmt"
	"math"
)

// Limits of what contacts of tires are meant for. A tire has come back when it is well within.
const (
	leaningTire = 0.4         // rad, of inclination
	lyingTire   = math.Pi / 4 // rad
	wellWithin  = 0.9         // of a limit
)

// outsideContact says which limits a tire has passed, and has not come back from.
type outsideContact struct{ leaning, lying, crushed bool }

// passes reports that a value has passed a limit since it was well within.
func passes(passed *bool, value, limit float64) bool {
	before := *passed
	*passed = value > limit || before && value > wellWithin*limit
	return *passed && !before
}

// contactNotes says which tires have left what their contacts are meant for: of those that touch the road, how far they
// lean and how deep they are.
func (in *Instance) contactNotes() (list []string) {
	side := in.sides.tires
	if side == nil {
		return nil
	}
	p := in.sys.program
	if len(p.Uneven) == 0 {
		in.inputsAt(in.since)
	} else if in.refresh() != nil { // the planes under the tires
		return nil
	}
	side.Evaluate(in.x[:len(p.States)], in.continued, nil)
	for i := range p.Tires {
		t, passed := &p.Tires[i], &in.outside[i]
		lean, deflection, deepest := math.Abs(side.Value(3*i)), side.Value(3*i+1), side.Value(3*i+2)
		touches := deflection > 0 || lean <= leaningTire // or has come back
		if touches && passes(&passed.leaning, lean, leaningTire) && t.Leaning != "" {
			list = append(list, fmt.Sprintf("%s: at %g s the inclination is %.3g rad: %s", t.Component, in.t, lean, t.Leaning))
		}
		if touches && passes(&passed.lying, lean, lyingTire) && t.Lying != "" {
			list = append(list, fmt.Sprintf("%s: at %g s the inclination is %.3g rad, above 45 degrees: %s", t.Component, in.t,
				lean, t.Lying))
		}
		if passes(&passed.crushed, deflection, deepest) {
			list = append(list, fmt.Sprintf("%s: at %g s the deflection is %.3g m, deeper than the tire is, which has %.3g m "+
				"from its free radius to its side", t.Component, in.t, deflection, deepest))
		}
	}
	return list
}
