package vehicle_test

import (
	"maps"
	"slices"
	"testing"

	"skidpad/model/component"
)

// workless are the types whose components neither store energy nor exchange it by a law of their own, with the reason.
var workless = map[string]string{
	"point-mass":         "mass alone: Heavy gives its energy",
	"rigid-arm":          "reactions within a frame",
	"weld":               "reactions within a frame",
	"prismatic":          "reactions across a free motion",
	"spherical":          "reactions across a free motion",
	"strut":              "reactions across a free motion",
	"free":               "observes",
	"suspension":         "reactions across its guide",
	"rocker":             "others act on it",
	"motion-driver":      "the inputs that prescribe its motion do the work",
	"brake-distribution": "torques belong to the brakes among which it distributes",
	"rod":                "constraint at rest",
	"right-angle":        "constraint at rest",
	"parallelogram":      "constraint at rest",
	"rolling-wheel":      "constraint at rest",
	"terrain":            "the inputs that prescribe its motion do the work",
	"road":               "the inputs that prescribe its motion do the work",
	"sensor":             "observes",
	"linear-equations":   "signals",
	"equations":          "signals",
	"sampled-equations":  "signals",
	"controller":         "signals",
	"probe":              "observes",
	"heat-capacity":      "heat is outside of the ledger, which counts losses",
	"heat-resistance":    "heat is outside of the ledger, which counts losses",
	"temperature-source": "heat is outside of the ledger, which counts losses",
	"heat-source":        "heat is outside of the ledger, which counts losses",
	"tire-forces":        "forces on nothing: what they do is up to the user of its outputs",
}

// Every type of component is in the ledger of energies, or it is said why it needs none.
func TestEveryTypeHasEnergyOrAReasonForNone(t *testing.T) {
	unused := maps.Clone(workless)
	for _, typ := range component.Types {
		reason, without := workless[typ.Word]
		if without && reason == "" {
			t.Errorf("%s has no reason", typ.Word)
		}
		for _, v := range examples(t, typ.Word) {
			m := parse(t, inPrelude(v.text))
			c := m.Components[slices.IndexFunc(m.Components, func(c component.Component) bool {
				return c.Head().Name == "example"
			})]
			if _, energetic := c.(component.Energetic); energetic == without {
				t.Errorf("%s: energetic %v, but in the list of those that are not: %v", typ.Word, energetic, without)
			}
		}
		if len(examples(t, typ.Word)) == 0 {
			t.Errorf("%s has no example", typ.Word)
		}
		delete(unused, typ.Word)
	}
	for word := range unused {
		t.Errorf("there is no type %s", word)
	}
}
