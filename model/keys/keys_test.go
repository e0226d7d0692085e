package keys_test

import (
	"math"
	"slices"
	"strings"
	"testing"

	"skidpad/model/document"
	"skidpad/model/keys"
)

// everyKey has a key of each shape that files of the workbench use.
var everyKey = []keys.Key{
	{Name: "length", Unit: "m", Text: "of the path", Positive: true},
	{Name: "share", Text: "of the rows", Default: "0.5", Nonnegative: true, AtMostOne: true},
	{Name: "count", Text: "of the rows", Whole: &keys.Whole{Least: 2, Most: 5}, Optional: true},
	{Name: "radius", Shape: keys.QuantityShape, Unit: "m", Text: "of the wheel", Optional: true},
	{Name: "plain", Plain: true, Text: "a number alone", Optional: true},
	{Name: "value", Unit: keys.AnyUnit, Text: "in any unit", Optional: true},
	{Name: "times", Shape: keys.ScalarsShape, Unit: "s", Text: "of the rows", Optional: true},
	{Name: "names", Shape: keys.TextsShape, Filled: true, Text: "of the rows", Optional: true},
	{Name: "map", Shape: keys.TruthShape, Text: "whether it is drawn", Default: "true"},
	{Name: "side", Shape: keys.WordShape, Choices: []string{"left", "right"}, Text: "of the car", Default: "left"},
	{Name: "start", Shape: keys.NamedShape, Text: "by variables", Optional: true, Value: &keys.Key{Unit: "m/s"}},
	{Name: "column", Shape: keys.NamedShape, Text: "by names", Optional: true,
		Value: &keys.Key{Shape: keys.TableShape, Keys: []keys.Key{{Name: "factor", Text: "of it", Default: "1"}}}},
	{Name: "ends", Shape: keys.ListShape, Text: "of the run", Optional: true, Value: &keys.Key{Shape: keys.AnyShape,
		Any: []keys.Key{{Shape: keys.TextShape}, {Shape: keys.TableShape, Keys: []keys.Key{{Name: "above", Text: "x"}}}}}},
	{Name: "either", Shape: keys.AnyShape, Text: "one of both", Optional: true,
		Any: []keys.Key{{Shape: keys.ScalarsShape, Unit: "s"}, {Shape: keys.TextShape}}},
	{Name: "wave", Shape: keys.TableShape, Text: "of the road", Optional: true, Kinds: []keys.Kind{
		{Word: "flat", Text: "no wave"},
		{Word: "sine", Text: "a sine", Keys: []keys.Key{{Name: "height", Unit: "m", Text: "of it"}}}}},
	{Name: "part", Shape: keys.TablesShape, Text: "of the track", Optional: true,
		Keys: []keys.Key{{Name: "length", Unit: "m", Text: "of it", Positive: true}}},
}

// readEvery reads a text by all of its keys.
func readEvery(t *testing.T, text string) (*keys.Reader, *keys.Fields) {
	t.Helper()
	root, err := document.Parse([]byte(text), "a.toml")
	if err != nil {
		t.Fatal(err)
	}
	r := keys.NewReader("a.toml", root, nil)
	return r, r.Fields(root, "the file", everyKey)
}

const whole = `length = "2 km"
count = 3
radius = "30 cm"
plain = 4
value = "36 km/h"
times = [0, "100 ms", "2*3"]
names = ["a", "b"]
map = false
side = "right"
start = { "a.b" = "36 km/h", "c" = 2 }
column = { x = { factor = 3 }, y = {} }
ends = ["fallen", { above = 1 }]
either = ["1 min"]
wave = { kind = "sine", height = "1 mm" }
part = [{ length = 1 }, { length = "2 km" }]
`

// The reader converts numbers to SI units. A key that the file lacks has its default.
func TestValuesByTheirKeys(t *testing.T) {
	r, f := readEvery(t, whole)
	start, column, parts := f.Sub("start"), f.Sub("column"), f.List("part")
	kind, wave := f.Kind("wave")
	for name, pair := range map[string][2]float64{
		"length": {f.Number("length"), 2000}, "share": {f.Number("share"), 0.5}, "count": {f.Number("count"), 3},
		"radius": {f.Number("radius"), 0.3}, "plain": {f.Number("plain"), 4}, "value": {f.Number("value"), 10},
		"start": {start.Number("a.b"), 10}, "c": {start.Number("c"), 2}, "factor": {column.Sub("x").Number("factor"), 3},
		"no factor": {column.Sub("y").Number("factor"), 1}, "height": {wave.Number("height"), 1e-3},
		"part": {parts[1].Number("length"), 2000},
	} {
		if math.Abs(pair[0]-pair[1]) > 1e-12*pair[1] {
			t.Errorf("%s is %g, want %g", name, pair[0], pair[1])
		}
	}
	if !slices.Equal(f.Numbers("times"), []float64{0, 0.1, 6}) || !slices.Equal(f.Numbers("either"), []float64{60}) ||
		!slices.Equal(f.Texts("names"), []string{"a", "b"}) || f.Truth("map") || f.Text("side") != "right" ||
		!slices.Equal(start.Names(), []string{"a.b", "c"}) || len(f.Items("ends")) != 2 || kind != "sine" {
		t.Errorf("%v, %v, %v, %v, %q, %v, %q", f.Numbers("times"), f.Numbers("either"), f.Texts("names"), f.Truth("map"),
			f.Text("side"), start.Names(), kind)
	}
	if err := r.Err(); err != nil {
		t.Error(err)
	}
	for _, count := range []string{"2", "5", "\"2+1\""} {
		if r, f := readEvery(t, "length = 1\ncount = "+count+"\n"); f.Number("count") < 2 || r.Err() != nil {
			t.Errorf("count = %s: %v", count, r.Err())
		}
	}
	if _, f := readEvery(t, "length = 1\n"); !f.Truth("map") || f.Text("side") != "left" || f.Numbers("times") != nil ||
		f.Items("ends") != nil || len(f.Sub("start").Names()) != 0 {
		t.Errorf("%v, %q, %v", f.Truth("map"), f.Text("side"), f.Numbers("times"))
	}
}

// An error names its place, the path of the key, and what is allowed. The value is then 1, which passes other checks.
func TestFaultsByTheirKeys(t *testing.T) {
	for _, c := range []struct{ old, by, says string }{
		{`length = "2 km"`, ``, `a.toml:1:1: the file lacks the key "length": of the path (a number or a formula [m])`},
		{`length = "2 km"`, `lenght = 3`, `1:10: unknown key "lenght" in the file; did you mean "length"? allowed keys:`},
		{`length = "2 km"`, `length = -3`, `1:10: length is -3; it must be above 0`},
		{`length = "2 km"`, `length = "2 kg"`, `kg is not a unit for what must be in m`},
		{`count = 3`, `count = 2.5`, `2:9: count is 2.5; it must be an integer from 2 to 5`},
		{`count = 3`, `count = 6`, `count is 6; it must be an integer from 2 to 5`},
		{`count = 3`, `count = 1`, `count is 1; it must be an integer from 2 to 5`},
		{`count = 3`, `share = 1.5`, `share is 1.5; it must not be above 1`},
		{`count = 3`, `share = -0.5`, `share is -0.5; it must not be negative`},
		{`"30 cm"`, `"2*3"`, `radius is "2*3"; it must be a number, or a text of a number and its unit [m]`},
		{`plain = 4`, `plain = "4 m"`, `plain is "4 m"; it must be a number`},
		{`"36 km/h"`, `"36 kph"`, `value is "36 kph": unit "kph" is not known`},
		{`"100 ms"`, `true`, `times[1] is true; it must be a number or a formula [s]`},
		{`[0, "100 ms", "2*3"]`, `[]`, `times is empty; it needs at least one number`},
		{`["a", "b"]`, `[]`, `names is empty; it needs at least one element`},
		{`["a", "b"]`, `["a", 3]`, `names[1] is 3; it must be a string`},
		{`"right"`, `""`, `side is ""; it must be one of the words left, right`},
		{`map = false`, `map = 0`, `map is 0; it must be true or false`},
		{`"right"`, `"rigth"`, `side is "rigth"; it must be one of the words left, right`},
		{`"c" = 2`, `"c" = "2 kg"`, `start.c is "2 kg": kg is not a unit for what must be in m/s`},
		{`{ factor = 3 }`, `{ facto = 3 }`, `unknown key "facto" in column.x; did you mean "factor"?`},
		{`["fallen", { above = 1 }]`, `"fallen"`, `ends is "fallen"; it must be a list`},
		{`["1 min"]`, `3`, `either is 3; it must be a list of numbers or formulas [s], or a string`},
		{`kind = "sine", `, ``, `wave lacks the key "kind": which of them it is (one of the words flat, sine)`},
		{`"sine"`, `"sin"`, `wave.kind is "sin"; did you mean "sine"? it must be one of the words flat, sine`},
		{`"sine"`, `"flat"`, `unknown key "height" in wave`},
		{`{ kind = "sine", height = "1 mm" }`, `3`, `wave is 3; it must be a table`},
		{`{ length = "2 km" }`, `{ length = 0 }`, `part[1].length is 0; it must be above 0`},
	} {
		text := strings.Replace(whole, c.old, c.by, 1)
		if text == whole {
			t.Fatalf("%q is not in the file", c.old)
		}
		r, f := readEvery(t, text)
		for _, k := range everyKey {
			switch k.Shape {
			case keys.ScalarShape, keys.QuantityShape:
				if x := f.Number(k.Name); k.Whole != nil && f.Given(k.Name) && x != 3 && x != 1 {
					t.Errorf("%s: %s is %g", c.by, k.Name, x)
				}
			case keys.ScalarsShape:
				f.Numbers(k.Name)
			case keys.TextsShape:
				f.Texts(k.Name)
			case keys.TruthShape:
				f.Truth(k.Name)
			case keys.WordShape:
				f.Text(k.Name)
			case keys.ListShape:
				f.Items(k.Name)
			case keys.AnyShape:
				f.Numbers(k.Name)
			}
		}
		for _, name := range f.Sub("start").Names() {
			f.Sub("start").Number(name)
		}
		f.Sub("column").Sub("x")
		f.Kind("wave")
		for _, part := range f.List("part") {
			part.Number("length")
		}
		if err := r.Err(); err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%q for %q: %v\nwant %s", c.by, c.old, err, c.says)
		}
	}
}

// The table of a page has all keys with their paths, forms, bounds and defaults.
func TestPagesOfKeys(t *testing.T) {
	page := keys.Page(everyKey)
	for _, row := range []string{
		"| `length` | a number or a formula [m], above 0 | required | of the path |\n",
		"| `share` | a number or a formula, from 0 to 1 | `0.5` | of the rows |\n",
		"| `count` | an integer from 2 to 5 | optional | of the rows |\n",
		"| `side` | `left`, `right` | `left` | of the car |\n",
		"| `start` | a table by names: a number or a formula [m/s] | optional | by variables |\n",
		"| `column.NAME.factor` | a number or a formula | `1` | of it |\n",
		"| `ends.above` | a number or a formula | required | x |\n",
		"| `either` | a list of numbers or formulas [s], or a string | optional | one of both |\n",
		"| `part.length` | a number or a formula [m], above 0 | required | of it |\n",
	} {
		if strings.Count(page, row) != 1 {
			t.Errorf("%sis not a row of\n%s", row, page)
		}
	}
	if top := keys.TopPage(everyKey); strings.Contains(top, "part.") || strings.Count(top, "\n") != len(everyKey)+2 {
		t.Errorf("%s", top)
	}
	kinds := keys.KindsPage(everyKey[len(everyKey)-2].Kinds, "none")
	if !strings.Contains(kinds, "| `flat` | | | | no wave |\n| `sine` | | | | a sine |\n| | `height` | a number") {
		t.Errorf("%s", kinds)
	}
}
