package cosim

import (
	"fmt"
	"slices"
	"strings"

	"skidpad/model/plausible"
	"skidpad/tire"
)

// radii warns of tires that generate or lose power, in runs that record works. The longitudinal force of these tires
// acts on the spin at the loaded radius, and their slip is measured at the effective radius. Neither contact.power nor
// a rolling resistance in their parameter file balances the difference. Runs without works need no balance of power.
func (in notes) radii(texts []string, b *bindings) []notice {
	if !in.records(texts) {
		return nil
	}
	unbalanced := plausible.Unbalanced(in.sys.model.Scope())
	var names []string
	for i, c := range in.sys.program.Calls {
		if !c.Wheel || !slices.Contains(unbalanced, b.names[i]) {
			continue
		}
		name, file := in.sys.chosen(i, c, texts)
		values, _, err := in.sys.parameters(c, b.kinds[i], name, file)
		if err == nil && tire.ResistanceByForce(b.kinds[i], values) == 0 {
			names = append(names, b.names[i])
		}
	}
	if names == nil {
		return nil
	}
	return noticed(powerRule, fmt.Sprintf("%s: the longitudinal force acts at the loaded radius, and slip is measured at "+
		"the effective radius: a driven tire delivers Fx (Reff - Rl) omega more power than it receives, and the "+
		"balance of energy misses this power; contact.power = \"yes\" of a conservative contact corrects this",
		strings.Join(names, ", ")))
}
