package graph

import (
	"reflect"
	"testing"
)

// Sums and products of ratios have one form each: sorted by powers, without terms and exponents that are 0.
func TestFactorsHaveOneForm(t *testing.T) {
	converters := []*Converter{{}, {}, {Free: true}}
	a, b, free := ratio(0), ratio(1), ratio(2)
	inverse := func(f Factor) Factor {
		t.Helper()
		r, is := f.reciprocal(converters)
		if !is {
			t.Fatalf("%v has no reciprocal", f)
		}
		return r
	}
	for _, c := range []struct {
		name      string
		got, want Factor
	}{
		{"sum", b.plus(one(2)).plus(a), Factor{{2, nil}, {1, []int{0, 1}}, {1, []int{1}}}},
		{"sum in another order", a.plus(b).plus(one(2)), Factor{{2, nil}, {1, []int{0, 1}}, {1, []int{1}}}},
		{"difference", a.plus(b).plus(a.negative()), Factor{{1, []int{0, 1}}}},
		{"nothing", a.plus(a.negative()), nil},
		{"quotient", a.times(b).times(inverse(b)), Factor{{1, []int{1}}}},
		{"one", b.times(inverse(b)), one(1)},
		{"negative quotient", inverse(a.negative()), Factor{{-1, []int{-1}}}},
		{"a free ratio below the line comes up", inverse(Factor{{1, []int{0, 0, -1}}}), free},
	} {
		// lists without elements are alike
		if !reflect.DeepEqual(c.got, c.want) && !(len(c.got) == 1 && len(c.want) == 1 && c.got[0].Count == c.want[0].Count &&
			len(c.got[0].Powers) == 0 && len(c.want[0].Powers) == 0) && !(len(c.got) == 0 && len(c.want) == 0) {
			t.Errorf("%s is %v, want %v", c.name, c.got, c.want)
		}
	}
	for _, f := range []Factor{free, one(2), a.plus(b), nil} {
		if r, is := f.reciprocal(converters); is {
			t.Errorf("%v has the reciprocal %v", f, r)
		}
	}
}
