package figures

import (
	"math"
	"slices"
	"testing"
)

// A run begins with two interventions before it. The controller begins to intervene twice: in the rows up to 0.3 s and
// 0.7 s; rows hold what was before them, so it acted for 0.1 + 0.1 s and 0.1 s.
func TestInterventionsOfARun(t *testing.T) {
	r := &Record{Body: "body", HalfCar: &HalfCar{}, Controllers: []Controller{{Name: "abs"}, {Name: "idle"}}}
	channels := map[string]*[]float64{}
	for _, c := range r.Channels() {
		channels[c.Name] = c.To
	}
	for k := range 9 {
		r.Time = append(r.Time, float64(k)/10)
	}
	*channels["abs.interventions"] = []float64{2, 2, 2, 3, 3, 3, 3, 4, 4}
	*channels["abs.intervening"] = []float64{1, 0, 0, 1, 1, 0, 0, 1, 0}
	*channels["idle.interventions"] = make([]float64, 9)
	*channels["idle.intervening"] = make([]float64, 9)
	want := []struct {
		id, unit    string
		value, time float64
	}{{"interventions_abs", "1", 2, 0.3}, {"intervening_abs", "s", 0.3, math.NaN()},
		{"interventions_idle", "1", 0, math.NaN()}, {"intervening_idle", "s", 0, math.NaN()}}
	for i, f := range r.Interventions() {
		w := want[i]
		if f.ID != w.id || f.Unit != w.unit || math.Abs(f.Value-w.value) > 1e-12 || f.Missing != "" ||
			!(f.Time == w.time || math.IsNaN(f.Time) && math.IsNaN(w.time)) {
			t.Errorf("figure %d is %+v; want %+v", i, f, w)
		}
	}
	full := &Record{Body: "body", Wheel: "steering", Controllers: []Controller{{Name: "abs"}}}
	if !slices.ContainsFunc(full.Channels(), func(c Channel) bool {
		return c.Name == "abs.intervening" && c.To == &full.Controllers[0].Acts
	}) {
		t.Error("the record of a car leaves its controllers out")
	}
}
