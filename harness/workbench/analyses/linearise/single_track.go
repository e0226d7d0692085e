package linearise

import (
	"cmp"
	"math/cmplx"
	"slices"

	"skidpad/model/linear"
)

// The modes of a single-track vehicle (Sharp 1971; Meijaard, Papadopoulos, Ruina and Schwab 2007).
const (
	weave     = "weave"     // lean and steer oscillate, at walking speed a growing lean with the steer
	wobble    = "wobble"    // the steer oscillates fast, and the frame hardly leans
	capsize   = "capsize"   // lean without oscillation
	castering = "castering" // the steer returns to straight ahead without oscillation
)

// Frequencies [Hz] between which an oscillation of the steer turns from weave into wobble.
const (
	slowest = 2.0
	fastest = 5.0
)

// likeness tells how near a mode is to each name, from 0 to 1, together 1: by the share of the steer, how fast the mode
// oscillates, and how fully. The share is the mean of that in the sum of the squares of lean and steer, and of the
// participation. It is nil for modes of something else than lean, yaw and steer.
func likeness(m *FollowedMode, lean, steer int) map[string]float64 {
	if len(m.Shares) == 0 || !slices.Contains(lateralGroups, m.Shares[0].Group) {
		return nil
	}
	leans, steers := cmplx.Abs(m.Shape[lean]), cmplx.Abs(m.Shape[steer])
	if !(leans+steers > 0) {
		return nil
	}
	part := 0.0
	for _, s := range m.Shares {
		if s.Group == linear.Steering {
			part = min(1, max(0, s.Value))
		}
	}
	share := (steers*steers/(steers*steers+leans*leans) + part) / 2
	oscillates := 0.0
	switch {
	case imag(m.Value) != 0 && m.Damping() > 0: // fully below 71 % of critical damping
		oscillates = min(1, 2*(1-m.Damping()*m.Damping()))
	case imag(m.Value) != 0:
		oscillates = 1
	case real(m.Value) > 0: // castering never grows: a weave that does not oscillate yet
		return map[string]float64{capsize: 1 - share, weave: share}
	}
	fast := share * min(1, max(0, (m.Hertz()-slowest)/(fastest-slowest)))
	return map[string]float64{weave: oscillates * (1 - fast), wobble: oscillates * fast,
		capsize: (1 - oscillates) * (1 - share), castering: (1 - oscillates) * share}
}

// lateralGroups are the groups of states that leave the plane of symmetry of an upright vehicle.
var lateralGroups = []string{linear.Roll, linear.Yaw, linear.Steering}

// leastLikeness is the likeness that a name needs.
const leastLikeness = 0.05

// nameModes names the modes of a single-track vehicle, value by value. The weight of a name is the likeness of the mode
// times the mean likeness of its branch. Several unstable modes without oscillation can all be weave.
func (l *Result) nameModes(of []*linear.System) {
	if len(of) == 0 || of[0].Lean == "" {
		return
	}
	alike := make([][]map[string]float64, len(l.Followed))
	means := map[int]map[string]float64{} // by branch
	for i, modes := range l.Followed {
		lean, steer := slices.Index(of[i].States, of[i].Lean), slices.Index(of[i].States, of[i].Steer)
		alike[i] = make([]map[string]float64, len(modes))
		for k := range modes {
			if lean >= 0 && steer >= 0 {
				alike[i][k] = likeness(&modes[k], lean, steer)
			}
			branch := modes[k].Branch
			if means[branch] == nil {
				means[branch] = map[string]float64{}
			}
			for name, x := range alike[i][k] {
				means[branch][name] += x / float64(len(l.Followed))
			}
		}
	}
	for i, modes := range l.Followed {
		nameAt(modes, alike[i], means)
	}
}

// nameAt names the modes at one value, the nearest first.
func nameAt(modes []FollowedMode, alike []map[string]float64, means map[int]map[string]float64) {
	type candidate struct {
		mode   int
		name   string
		weight float64
	}
	var list []candidate
	for k := range modes {
		for _, name := range []string{weave, wobble, capsize, castering} {
			if x := alike[k][name]; x >= leastLikeness {
				mean := (means[modes[k].Branch][name] + means[modes[conjugate(modes, k)].Branch][name]) / 2
				list = append(list, candidate{k, name, x * mean})
			}
		}
	}
	slices.SortStableFunc(list, func(a, b candidate) int { return cmp.Compare(b.weight, a.weight) })
	taken := map[string]bool{}
	for _, c := range list {
		m := &modes[c.mode]
		growing := c.name == weave && imag(m.Value) == 0
		if m.Named != "" || taken[c.name] && !growing {
			continue
		}
		taken[c.name] = taken[c.name] || !growing
		for _, k := range []int{c.mode, conjugate(modes, c.mode)} {
			modes[k].Named, modes[k].Likeness = c.name, alike[c.mode][c.name]
		}
	}
}

// conjugate is the other mode of a complex pair, the mode itself if its eigenvalue is real.
func conjugate(modes []FollowedMode, k int) int {
	if imag(modes[k].Value) != 0 {
		for i := range modes {
			if modes[i].Value == cmplx.Conj(modes[k].Value) {
				return i
			}
		}
	}
	return k
}
