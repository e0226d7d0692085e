package cosim

import (
	"fmt"
	"maps"
	"math"
	"testing"
)

// ride is one run of a model in tests inside this package.
type ride struct {
	*Instance
	t *testing.T
}

// begin returns an initialised instance of a model with texts and values, by the names of their variables.
func begin(t *testing.T, file string, texts map[string]string, values map[string]float64) *ride {
	t.Helper()
	return loaded(t, file, "", texts, values)
}

func (r *ride) set(name string, v float64) {
	r.t.Helper()
	i, ok := r.sys.Find(name)
	if !ok {
		r.t.Fatalf("no variable %s", name)
	}
	if err := r.Set(i, v); err != nil {
		r.t.Fatal(err)
	}
}

func (r *ride) get(name string) float64 {
	r.t.Helper()
	i, ok := r.sys.Find(name)
	if !ok {
		r.t.Fatalf("no variable %s", name)
	}
	v, err := r.Get(i)
	if err != nil {
		r.t.Fatal(err)
	}
	return v
}

// to takes solver steps up to a time, and calls each after every step; each can be nil.
func (r *ride) to(end float64, each func()) {
	r.t.Helper()
	h := r.settings[stepSetting]
	for n := int(math.Round((end - r.Time()) / h)); n > 0; n-- {
		if err := r.Step(h); err != nil {
			r.t.Fatal(err)
		}
		if each != nil {
			each()
		}
	}
}

// near checks a value against a value of the specification.
func (r *ride) near(what string, got, want, tolerance float64) {
	r.t.Helper()
	if !(math.Abs(got-want) <= tolerance) {
		r.t.Errorf("%s = %.9g, not %.9g +- %.2g", what, got, want, tolerance)
	}
}

// within checks that a value is in a range.
func (r *ride) within(what string, got, low, high float64) {
	r.t.Helper()
	if !(got >= low && got <= high) {
		r.t.Errorf("%s = %.9g is not in %.9g .. %.9g", what, got, low, high)
	}
}

// span is the range of a quantity, with the times of its smallest and its largest value.
type span struct{ low, high, lowAt, highAt float64 }

func newSpan() span { return span{low: math.Inf(1), high: math.Inf(-1)} }

// add extends the range by the value v at time t. After a NaN the range stays NaN.
func (s *span) add(v, t float64) {
	if v < s.low || math.IsNaN(v) {
		s.low, s.lowAt = v, t
	}
	if v > s.high || math.IsNaN(v) {
		s.high, s.highAt = v, t
	}
}

// merged joins maps; values of later maps replace values of earlier ones.
func merged(all ...map[string]float64) map[string]float64 {
	m := map[string]float64{}
	for _, values := range all {
		maps.Copy(m, values)
	}
	return m
}

// numbered gives a quantity of the components <component>_1 to <component>_<count> the value v.
func numbered(component, quantity string, count int, v float64) map[string]float64 {
	m := map[string]float64{}
	for i := range count {
		m[fmt.Sprintf("%s_%d.%s", component, i+1, quantity)] = v
	}
	return m
}
