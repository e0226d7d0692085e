package web_test

import (
	"math"
	"slices"
	"testing"

	"skidpad/harness/tests/pagedata"
	"skidpad/harness/workbench/results/web"
)

// Numbers come back, to half of a decimal step as codes, exactly where they are constant, even or written whole.
func TestNumbersComeBack(t *testing.T) {
	wave := make([]float64, 900)
	for i := range wave {
		wave[i] = 300*math.Sin(float64(i)/40) - 7
	}
	someTimes, times := []float64{0, 0.003, 0.004, 7, 8.999}, make([]float64, 9000)
	for i := range times {
		times[i] = 0.001 * float64(i)
	}
	nearly, long := []float64{0, 1, 2, 3.01}, make([]float64, 1<<16+1)
	for i := range long {
		long[i] = 0.5 * float64(i)
	}
	codes := func(list []float64) func(*web.Numbers) web.Column {
		return func(n *web.Numbers) web.Column { return n.Decimals(list) }
	}
	rising := func(some, all []float64) func(*web.Numbers) web.Column {
		return func(n *web.Numbers) web.Column { return n.Rising(some, all) }
	}
	for name, c := range map[string]struct {
		list   []float64
		write  func(*web.Numbers) web.Column
		kind   int
		within float64
	}{
		"wave":        {wave, codes(wave), web.Codes, 0.005},
		"to and fro":  {[]float64{0, 65534, 1, 65533, 0}, codes([]float64{0, 65534, 1, 65533, 0}), web.Codes, 0},
		"round":       {[]float64{-0.35, 0, 0.4, 0.125}, codes([]float64{-0.35, 0, 0.4, 0.125}), web.Codes, 1e-16},
		"widest":      {[]float64{-0.5, 65533.4}, codes([]float64{-0.5, 65533.4}), web.Codes, 0.5},
		"far":         {[]float64{-1e7, -1e7 + 1}, codes([]float64{-1e7, -1e7 + 1}), web.Codes, 1e-5},
		"equal":       {[]float64{0.1, 0.1, 0.1}, codes([]float64{0.1, 0.1, 0.1}), web.Constant, 0},
		"even":        {times, rising(times, times), web.Even, 1e-12},
		"of even":     {someTimes, rising(someTimes, times), web.Codes, 1e-12},
		"of many":     {[]float64{0, 0.5, 32768}, rising([]float64{0, 0.5, 32768}, long), web.Codes, 0.5},
		"of the most": {[]float64{0, 0.5, 32767.5}, rising([]float64{0, 0.5, 32767.5}, long[:1<<16]), web.Codes, 0},
		"of uneven":   {[]float64{1, 2, 4}, rising([]float64{1, 2, 4}, []float64{1, 2, 4}), web.Codes, 2.5e-5},
		"nearly even": {nearly, rising(nearly, nearly), web.Codes, 2.5e-5},
		"two":         {[]float64{2, 3}, rising([]float64{2, 3}, []float64{2, 3}), web.Codes, 1e-5},
		"whole":       {wave, func(n *web.Numbers) web.Column { return n.Doubles(wave) }, web.Doubles, 0},
		"single":      {wave, func(n *web.Numbers) web.Column { return n.Singles(wave) }, web.Singles, 2e-5},
	} {
		t.Run(name, func(t *testing.T) {
			var n web.Numbers
			column := c.write(&n)
			n.Doubles([]float64{42})
			packed, err := n.Packed()
			if err != nil {
				t.Fatal(err)
			}
			r := pagedata.Open(t, packed)
			got := r.Column(column, len(c.list))
			if behind := r.Column(web.Column{Kind: web.Doubles}, 1); column.Kind != c.kind || behind[0] != 42 || r.Left() != 0 {
				t.Errorf("kind %d, %v behind, %d bytes left", column.Kind, behind, r.Left())
			}
			for i := range got {
				if !(math.Abs(got[i]-c.list[i]) <= c.within*(1+1e-6)) {
					t.Fatalf("number %d is %.17g, not %.17g", i, got[i], c.list[i])
				}
			}
		})
	}
	// a smooth curve takes about a byte a number
	var n web.Numbers
	n.Decimals(wave)
	packed, err := n.Packed()
	if err != nil || len(packed) > 2*len(wave) {
		t.Errorf("%d letters for %d numbers: %v", len(packed), len(wave), err)
	}
	if c := new(web.Numbers).Decimals(slices.Repeat([]float64{3}, 4)); c.Step != 0 {
		t.Errorf("a constant has the step %g", c.Step)
	}
}
