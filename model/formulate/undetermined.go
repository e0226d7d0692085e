package formulate

import (
	"skidpad/model/component"
	"skidpad/model/program"
)

// shared lists the components whose reactions are asked for where constraints can be redundant.
func (f *Formulation) shared() (list []component.Holding) {
	if _, general := f.equationsOfMotion.(*bordered); !general || f.enforced == 0 {
		return nil
	}
	for _, c := range component.All[component.Holding](f.scope) {
		if f.asked(c) != "" {
			list = append(list, c)
		}
	}
	return list
}

// sharedNames are the components of their reactions.
func (f *Formulation) sharedNames() (names []string) {
	for _, c := range f.shared() {
		for _, key := range [...]string{"Fx", "Fy", "Fz", "Mx", "My", "Mz"} {
			names = append(names, c.Head().Name+"."+key)
		}
	}
	return names
}

// redundancy is, for each constraint, its row by the speeds, followed by the effect of a multiplier of 1 on each of
// sharedNames.
func (f *Formulation) redundancy() *program.SourceSide {
	s := &program.SourceSide{Of: f.Source()}
	unit := f.zeros(len(f.Constraints))
	for i := range f.enforced {
		s.Values = append(s.Values, f.Constraints[i].Row...)
		unit[i] = f.Pool.Int(1)
		b := f.balanceOfMultipliers(unit)
		unit[i] = f.Pool.Int(0)
		for _, c := range f.shared() {
			for _, v := range f.publishedReaction(b, c) {
				s.Values = append(s.Values, v.X[:]...)
			}
		}
	}
	return s
}
