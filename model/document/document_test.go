package document_test

import (
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/BurntSushi/toml"

	"skidpad/harness/tests/fuzzinputs"
	"skidpad/model/document"
)

func parse(t *testing.T, text string) *document.Node {
	t.Helper()
	n, err := document.Parse([]byte(text), "file.toml")
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// Kinds, values and texts follow the TOML 1.0 specification.
func TestKindsOfValuesAreDistinguished(t *testing.T) {
	root := parse(t, `a = 1
b = "one"
c = true
d = [1, 2]
e = { f = 1 }
g = 2026-01-31
[h]
[[i]]
`)
	for key, want := range map[string]document.Kind{
		"a": document.Number, "b": document.Text, "c": document.Truth, "d": document.List,
		"e": document.Table, "g": document.Other, "h": document.Table, "i": document.List,
	} {
		if got := root.Field(key).Kind; got != want {
			t.Errorf("%s is %v, want %v", key, got, want)
		}
	}
	if root.Field("z") != nil {
		t.Error("a key that is not given has a value")
	}
}

func TestNumbersHaveTheValueTheyAreWrittenWith(t *testing.T) {
	for text, want := range map[string]float64{
		"0": 0, "+7": 7, "-17": -17, "1_000": 1000, "0xff": 255, "0o17": 15, "0b101": 5,
		"1.5": 1.5, "-0.25": -0.25, "1e3": 1000, "6.25E-1": 0.625, "1_0.5_0": 10.5, "5e+2": 500,
		"inf": math.Inf(1), "+inf": math.Inf(1), "-inf": math.Inf(-1),
	} {
		if n := parse(t, "x = "+text).Field("x"); n.Kind != document.Number || n.Number != want || n.Text != text {
			t.Errorf("%s is read as %v %g %q", text, n.Kind, n.Number, n.Text)
		}
	}
	for _, text := range []string{"nan", "+nan", "-nan"} {
		if n := parse(t, "x = "+text).Field("x"); n.Kind != document.Number || !math.IsNaN(n.Number) {
			t.Errorf("%s is read as %v %g", text, n.Kind, n.Number)
		}
	}
}

func TestKeysKeepTheOrderOfTheFile(t *testing.T) {
	root := parse(t, `z = 1
[m.q]
b = 1
a = 2
[a]
[m.p]
`)
	if want := []string{"z", "m", "a"}; !slices.Equal(root.Keys, want) {
		t.Errorf("keys %v, want %v", root.Keys, want)
	}
	m := root.Field("m")
	if want := []string{"q", "p"}; !slices.Equal(m.Keys, want) {
		t.Errorf("keys of m %v, want %v", m.Keys, want)
	}
	if want := []string{"b", "a"}; !slices.Equal(m.Field("q").Keys, want) {
		t.Errorf("keys of m.q %v, want %v", m.Field("q").Keys, want)
	}
}

func TestDottedKeysInlineTablesAndHeadersNameTheSameTree(t *testing.T) {
	for _, text := range []string{"[a.b]\nc = 1", "a.b.c = 1", "a = { b = { c = 1 } }", "[a]\nb.c = 1", "a = { b.c = 1 }",
		"\"a\".'b'.c = 1"} {
		if n := parse(t, text).Field("a").Field("b").Field("c"); n == nil || n.Number != 1 {
			t.Errorf("%q: a.b.c is %v", text, n)
		}
	}
}

func TestListsOfTablesKeepTheirElements(t *testing.T) {
	root := parse(t, `[[tree]]
name = "a"
[tree.inner]
x = 1
[[tree]]
name = "b"
[[tree.leaf]]
[[tree.leaf]]
`)
	items := root.Field("tree").Items
	if len(items) != 2 || items[0].Field("name").Text != "a" || items[1].Field("name").Text != "b" {
		t.Fatalf("%v", items)
	}
	if items[0].Field("inner").Field("x").Number != 1 || items[1].Field("inner") != nil {
		t.Error("[tree.inner] belongs to the first tree")
	}
	if len(items[1].Field("leaf").Items) != 2 || items[0].Field("leaf") != nil {
		t.Error("[[tree.leaf]] belongs to the second tree")
	}
}

// A scalar stands at its own first character, a table and a list at their key.
func TestNodesHavePositions(t *testing.T) {
	root := parse(t, `a = 1
  long =   "text"
[table.inner]
list = [
  1,
  22 ]
two = { three = 3 }
[[rows]]
`)
	inner := root.Field("table").Field("inner")
	for _, c := range []struct {
		name         string
		node         *document.Node
		line, column int
	}{
		{"a", root.Field("a"), 1, 5},
		{"long", root.Field("long"), 2, 12},
		{"table", root.Field("table"), 3, 2},
		{"inner", inner, 3, 8},
		{"first item", inner.Field("list").Items[0], 5, 3},
		{"second item", inner.Field("list").Items[1], 6, 3},
		{"three", inner.Field("two").Field("three"), 7, 17},
		{"rows", root.Field("rows"), 8, 3},
	} {
		if c.node.Line != c.line || c.node.Column != c.column {
			t.Errorf("%s stands at %d:%d, want %d:%d", c.name, c.node.Line, c.node.Column, c.line, c.column)
		}
	}
}

// TOML 1.1: tables in braces can span several lines and end with a comma, and keep the places of their content.
func TestTablesInBracesMayGoOverLines(t *testing.T) {
	a := parse(t, `a = { # start
  b = 1, # first

  "c.d" = [
    { e = 'x' },
  ],
}
`).Field("a")
	e := a.Field("c.d").Items[0]
	for _, c := range []struct {
		node         *document.Node
		line, column int
	}{{a, 1, 5}, {a.Field("b"), 2, 7}, {a.Field("c.d"), 4, 3}, {e, 5, 5}, {e.Field("e"), 5, 11}} {
		if c.node.Line != c.line || c.node.Column != c.column {
			t.Errorf("%v stands at %d:%d, want %d:%d", c.node, c.node.Line, c.node.Column, c.line, c.column)
		}
	}
}

// A mark of UTF-8 is no text, and shifts no line; UTF-16 is rejected with a remedy.
func TestMarksOfUnicode(t *testing.T) {
	n := parse(t, "\xef\xbb\xbfa = 1\nb = 2\n")
	if n.Field("a").Number != 1 || n.Field("a").Column != 5 || n.Field("b").Line != 2 || n.Field("b").Column != 5 {
		t.Errorf("behind a mark: %v, %v", n.Field("a"), n.Field("b"))
	}
	for _, text := range []string{"\xff\xfea\x00 \x00=\x00 \x001\x00", "\xfe\xff\x00a\x00=\x001", "\xff\xfea = 1\n"} {
		_, err := document.Parse([]byte(text), "file.toml")
		if err == nil ||
			!strings.Contains(err.Error(), "file.toml:1:1: not valid TOML: the file is UTF-16; save it as UTF-8") {
			t.Errorf("%q: %v", text, err)
		}
	}
}

// An archive is named as one: verbs that read models are tried with FMUs.
func TestArchivesAreRejected(t *testing.T) {
	_, err := document.Parse([]byte("PK\x03\x04\x14\x00\x00\x00"), "car.fmu")
	if err == nil || err.Error() != "car.fmu is a zip archive, such as an FMU; the file must be TOML" {
		t.Error(err)
	}
}

// Tables in braces are complete: neither a key nor a heading can add to them later.
func TestTablesInBracesAreComplete(t *testing.T) {
	for text, position := range map[string]string{
		"a = { b = 1 }\na.c = 2\n": "file.toml:2:1", "x = { y = { z = 1 } }\n x.y.w = 2\n": "file.toml:2:",
		"a = { b = 1 }\n[a.c]\n": "file.toml:2:",
		`a = { b = {} }
[a.b.c]
d = 1
`: "file.toml:2:", "a = [{ b = 1 }]\n[[a]]\n": "file.toml:2:",
	} {
		if n, err := document.Parse([]byte(text), "file.toml"); err == nil || !strings.HasPrefix(err.Error(), position) {
			t.Errorf("%q: %v, %v; want %s", text, n, err, position)
		}
	}
}

// A document decoded into a structure has no keys except the fields.
func TestDecodingRejectsUnknownKeys(t *testing.T) {
	var to struct{ A struct{ B float64 } }
	if err := document.Decode([]byte("[a]\nb = 1.5\n"), "file.toml", &to); err != nil || to.A.B != 1.5 {
		t.Errorf("%v, %v", to, err)
	}
	for text, want := range map[string]string{`[a]
b = 1.5
c = 2
`: "file.toml: unknown key a.c",
		"[a]\nb = \n": "file.toml:2:5: not valid TOML"} {
		if err := document.Decode([]byte(text), "file.toml", &to); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%q: %v, want %s", text, err, want)
		}
	}
}

func TestFilesThatAreNotTOMLAreRefusedByPlace(t *testing.T) {
	for text, position := range map[string]string{
		"a = ":                       "file.toml:1:",
		"a = 1\nb = \"open\n":        "file.toml:2:",
		"a = 1\n\na = 2\n":           "file.toml:3:",
		"[a]\n[a]\n":                 "file.toml:2:",
		"a = 1\n[a.b]\n":             "file.toml:2:",
		"a = [1, 2\n":                "file.toml:",
		"a = 012\n":                  "file.toml:1:",
		"a = { b = 1 }\na.c = 2\n":   "file.toml:2:",
		"a = 99999999999999999999\n": "file.toml:1:",
		"x = \xff\n":                 "file.toml:1:",
	} {
		n, err := document.Parse([]byte(text), "file.toml")
		if err == nil {
			t.Errorf("%q is accepted: %v", text, n)
		} else if !strings.HasPrefix(err.Error(), position) || !strings.Contains(err.Error(), "not valid TOML") {
			t.Errorf("%q: %v, want %s", text, err, position)
		}
	}
}

func TestFaultsAreSortedByPlace(t *testing.T) {
	f := document.Faults{File: "f"}
	if f.Err() != nil {
		t.Error("an error without faults")
	}
	f.Add(3, 1, "third")
	f.Add(1, 9, "second, %d", 2)
	f.At(&document.Node{File: "g", Line: 1, Column: 1}, "in another file")
	f.At(&document.Node{File: "f", Line: 1, Column: 2}, "first")
	f.Add(3, 1, "fourth")
	want := "f:1:2: first\nf:1:9: second, 2\nf:3:1: third\nf:3:1: fourth\ng:1:1: in another file"
	if err := f.Err(); err == nil || err.Error() != want || f.Len() != 5 {
		t.Errorf("%d faults: %v, want %s", f.Len(), err, want)
	}
}

// An error is one line of graphic characters, for any content of the file.
func TestFaultsAreLines(t *testing.T) {
	f := document.Faults{File: "f"}
	f.Add(1, 1, "no model %s", "a\nb\r\x1b[2J\u2028'c\u202e \u00a0ä€😀\"")
	want := `f:1:1: no model a\nb\r\x1b[2J\u2028'c\u202e ` + "\u00a0ä€😀\""
	if err := f.Err(); err == nil || err.Error() != want {
		t.Errorf("%v, want %s", err, want)
	}
}

// A fault of a key that is not there stands at its table; one without a node at the beginning of the file.
func TestFaultsOfMissingKeysHavePositions(t *testing.T) {
	n, err := document.Parse([]byte("a = 1\nb = { c = 2 }\n"), "f.toml")
	if err != nil {
		t.Fatal(err)
	}
	b := n.Field("b")
	f := document.Faults{File: "f.toml"}
	f.At(b.Place("c"), "there")
	f.At(b.Place("d"), "not there")
	f.At(b.Field("d").Field("e"), "nowhere")
	want := "f.toml:1:1: nowhere\nf.toml:2:5: not there\nf.toml:2:11: there"
	if err := f.Err(); err == nil || err.Error() != want {
		t.Errorf("%v, want %s", err, want)
	}
}

// Tables merge key by key, everything else replaces; every node stays in its file.
func TestMergedTablesHoldTheKeysOfBoth(t *testing.T) {
	const base = `a = 1
t = { x = 1, y = { p = 1, q = [1, 2] } }
list = [1, 2]
both = { z = 1 }
`
	under, err := document.Parse([]byte(base), "base.toml")
	if err != nil {
		t.Fatal(err)
	}
	over := parse(t, `new = 7
list = [3]
both = 8
[t.y]
q = 5
r = 6
[t]
x.deep = 1
`)
	var text func(n *document.Node) string
	text = func(n *document.Node) string {
		s := strings.TrimSuffix(n.File, ".toml")[:1] + ":" + n.Text
		for _, item := range n.Items {
			s += " " + text(item)
		}
		for _, key := range n.Keys {
			s += " " + key + "(" + text(n.Field(key)) + ")"
		}
		return s
	}
	before := text(under) + text(over)
	const want = "f: a(b:1) t(f: x(f: deep(f:1)) y(f: p(b:1) q(f:5) r(f:6))) list(f: f:3) both(f:8) new(f:7)"
	if got := text(document.Merge(under, over)); got != want {
		t.Errorf("merged: %s, want %s", got, want)
	}
	if text(under)+text(over) != before {
		t.Error("merging has changed what was merged")
	}
}

// The library takes a list of tables that is later given as a value, or the other way round; TOML does not.
func TestListsOfTablesAreGivenOnce(t *testing.T) {
	for text, want := range map[string]string{
		`[[roles.brake]]
x = 1
[roles]
brake = [{ y = 2 }]
`: "1:9: not valid TOML: brake is given twice\ncar.toml:4:1:",
		`[[a.b]]
x = 1
[a]
b = [{ y = 2 }, 1]
`: "1:5: not valid TOML: b is given twice",
		`[[brake]]
[brake.a]
[[brake]]
b.c = 1
`: "",
	} {
		_, err := document.Parse([]byte(text), "car.toml")
		if (err == nil) != (want == "") || err != nil && !strings.HasPrefix(err.Error(), "car.toml:"+want) {
			t.Errorf("%v, want %q for\n%s", err, want, text)
		}
	}
}

func TestNearestFindsMisspeltWordsOnly(t *testing.T) {
	allowed := []string{"stiffness", "damping", "free_length", "rear", "bar_R", "damper_R.damping"}
	for word, want := range map[string]string{
		"dampign": "damping", "Damping": "damping", "stifness": "stiffness", "freelength": "free_length",
		"colour": "", "": "", "R.bar": "bar_R", "R.damper.damping": "damper_R.damping", "R.rear": "rear",
	} {
		if got := document.Nearest(word, allowed); got != want {
			t.Errorf("nearest to %q is %q, want %q", word, got, want)
		}
	}
}

// For any input there is no panic, places are within the file, and every key has a value.
func FuzzParse(f *testing.F) {
	for _, text := range []string{
		"a = 1\nb = \"x\"\n", `[[t]]
[t.u]
x = { y = [1, { z = 2 }] }
`, "a.b.c = 1\n[a.d]\n", `[a]
[[a.b]]
[a.b.c]
`,
		"a = []\n[[a]]\n", "a = [{}]\n[a.b]\n", "a = {}\n[a.b]\n", "x = '''\n'''\n", "x = nan\ny = -inf\n",
		"d = 1979-05-27T07:32:00Z\n", "\"\" = 0\n",
		`a = {
 b = 1, # x
 c = [{ d = 'x' },],
}
`, "\"a\\u0062\" . 'c d' = \"\"\"x\\\n  y\"\"\"\"\n",
		"\xef\xbb\xbfa = 0x1F # \n", `a.b = 1
a.c.d = [[1], [2.5]]
[[e.f]]
[e.f.g]
h = +1_0e-2
`,
	} {
		fuzzinputs.Add(f, []byte(text))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		root, err := document.Parse(data, "fuzz.toml")
		if (root == nil) == (err == nil) {
			t.Fatalf("%v, %v", root, err)
		}
		if err == nil {
			check(t, root, 1+strings.Count(string(data), "\n"))
		}
		var read map[string]any
		if _, valid := toml.Decode(string(data), &read); err == nil && valid == nil {
			same(t, root, read)
		} else if err == nil {
			t.Fatalf("the library refuses it: %v", valid)
		}
	})
}

// same compares the scanner's result with the library's result.
func same(t *testing.T, n *document.Node, read any) {
	switch read := read.(type) {
	case map[string]any:
		if n.Kind != document.Table || len(n.Keys) != len(read) {
			t.Fatalf("%v with keys %q, the library reads %v", n, n.Keys, read)
		}
		for key, value := range read {
			if n.Field(key) == nil {
				t.Fatalf("no key %q in %q", key, n.Keys)
			}
			same(t, n.Field(key), value)
		}
	case []map[string]any:
		if n.Kind != document.List || len(n.Items) != len(read) {
			t.Fatalf("%v, the library reads %v", n, read)
		}
		for i := range read {
			same(t, n.Items[i], read[i])
		}
	case []any:
		if n.Kind != document.List || len(n.Items) != len(read) {
			t.Fatalf("%v, the library reads %v", n, read)
		}
		for i := range read {
			same(t, n.Items[i], read[i])
		}
	case string:
		if n.Kind != document.Text || n.Text != read {
			t.Fatalf("%v, the library reads %q", n, read)
		}
	case int64:
		if n.Kind != document.Number || n.Number != float64(read) {
			t.Fatalf("%v (%g), the library reads %d", n, n.Number, read)
		}
	case float64:
		if n.Kind != document.Number || n.Number != read && !(n.Number != n.Number && read != read) {
			t.Fatalf("%v (%g), the library reads %g", n, n.Number, read)
		}
	case bool:
		if n.Kind != document.Truth || n.Text != strconv.FormatBool(read) {
			t.Fatalf("%v, the library reads %v", n, read)
		}
	default:
		if n.Kind != document.Other {
			t.Fatalf("%v, the library reads %v", n, read)
		}
	}
}

func check(t *testing.T, n *document.Node, lines int) {
	if n.File != "fuzz.toml" || n.Line < 1 || n.Line > lines || n.Column < 1 || n.String() == "" {
		t.Fatalf("%v at %d:%d of %d lines", n, n.Line, n.Column, lines)
	}
	if len(n.Keys) != len(n.Fields) || (n.Kind != document.Table && n.Fields != nil) {
		t.Fatalf("keys %q of %d fields, %v", n.Keys, len(n.Fields), n.Kind)
	}
	for _, key := range n.Keys {
		check(t, n.Field(key), lines)
	}
	for _, item := range n.Items {
		check(t, item, lines)
	}
}
