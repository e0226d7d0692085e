package document

import (
	"fmt"
	"runtime"
	"strings"
	"testing"
)

// names are different keys.
func names(n int) []string {
	list := make([]string, n)
	for i := range list {
		list[i] = fmt.Sprintf("k%05x", i)
	}
	return list
}

// A document is read up to each limit and rejected beyond it, with its place.
func TestDocumentsHoldUpToTheirLimits(t *testing.T) {
	lines := func(form string, n int) string {
		var b strings.Builder
		for _, name := range names(n) {
			b.WriteString(strings.ReplaceAll(form, "K", name))
		}
		return b.String()
	}
	nested := func(n int) string { return "a=" + strings.Repeat("[", n) + strings.Repeat("]", n) }
	tables := func(n int) string { return "a=" + strings.Repeat("{a=", n) + "1" + strings.Repeat("}", n) }
	dotted := func(n int) string { return strings.Repeat("a.", n) + "a=1" }
	header := func(n int) string { return "[" + strings.Repeat("a . ", n) + "a]" }
	for name, c := range map[string]struct {
		text  func(n int) string
		limit int
	}{
		"keys":          {func(n int) string { return lines("K=1\n", n) }, mostKeys},
		"tables":        {func(n int) string { return lines("[K]\n", n) }, mostKeys},
		"dotted tables": {func(n int) string { return lines("[K.a.b.c]\n", n/4) + lines("[x.K]\n", n%4) }, mostKeys},
		"dotted keys":   {func(n int) string { return lines("K.a=1\n", n/2) + lines("c=1\n", n%2) }, mostKeys},
		"lists":         {func(n int) string { return lines("[[a]]\n", n) }, mostKeys},
		"inline tables": {func(n int) string { return "a=[" + lines("{K=1},", n-1) + "]" }, mostKeys},
		"values":        {func(n int) string { return "a=[" + strings.Repeat("1.5,\n", n-2) + "]" }, mostValues},
		"arrays":        {func(n int) string { return "a=[" + strings.Repeat("[],", n/2-1) + "]" }, mostValues},
		"texts": {func(n int) string {
			return "a=[" + strings.Repeat("'[{=.\"',\"\\\"'[\",", n/2-1) + "]"
		}, mostValues},
		"nested arrays":      {nested, mostDepth},
		"nested tables":      {tables, mostDepth},
		"parts of a key":     {dotted, mostDepth},
		"characters":         {func(n int) string { return strings.Repeat("x", n) + "=1" }, mostWord},
		"parts of a heading": {header, mostDepth},
	} {
		within, beyond := c.text(c.limit), c.text(c.limit+2)
		if _, err := Parse([]byte(within), "file.toml"); err != nil {
			t.Errorf("%s: %.200s", name, err.Error())
		}
		_, err := Parse([]byte(beyond), "file.toml")
		if err == nil || !strings.HasPrefix(err.Error(), "file.toml:") ||
			!strings.Contains(err.Error(), "the file holds too much") {
			t.Errorf("%s beyond the limit: error %v", name, err)
		}
		var to map[string]any
		err = Decode([]byte(beyond), "file.toml", &to)
		if err == nil || !strings.Contains(err.Error(), "the file holds too much") {
			t.Errorf("%s beyond the limit are decoded: error %v", name, err)
		}
	}
}

// Brackets, points and equals signs in strings and comments do not count, for any kind of string.
func TestBracketsInStringsAndCommentsAreNotCounted(t *testing.T) {
	deep := strings.Repeat("[.", 2*mostDepth)
	for _, text := range []string{
		"# " + deep + "\na=1", "a='" + deep + "'", `a="` + deep + `\"` + deep + `"`,
		"a='''\n" + deep + "\n'" + deep + "''" + deep + "'''",
		"a=\"\"\"\n" + deep + "\\\"\"\"" + deep + "\n\"\"\"\"\"", `"` + deep + `"=1`, "['" + deep + "']",
		"a=[ # " + deep + "\n1, '" + deep + "']", "a=''\nb=''''''\nc='" + deep + "'",
		"a=[" + strings.Repeat("1.5,", 3*mostDepth) + "]",
		strings.Repeat("[a.b]\n", 1) + strings.Repeat("[[c.d]]\n", 3*mostDepth),
	} {
		if _, err := Parse([]byte(text), "file.toml"); err != nil {
			t.Errorf("%.100s: %v", text, err)
		}
	}
	var b strings.Builder
	for _, name := range names(mostKeys) {
		b.WriteString(name + " = 1.5 # 1.5\n")
	}
	if _, err := Parse([]byte(b.String()), "file.toml"); err != nil {
		t.Errorf("numbers and comments count as keys: %.200s", err.Error())
	}
	// text behind a string counts again
	for _, before := range []string{"a=''\n", `a="\\"` + "\n", "a=''''x'''''\n", "a=\"\"\"\\\\\"\"\"\n", "# x\n",
		"a='#'\n"} {
		err := checkSize([]byte(before+"b="+deep), "file.toml")
		if err == nil || !strings.Contains(err.Error(), "file.toml:2:") {
			t.Errorf("behind %q: error %v", before, err)
		}
	}
}

// The memory for a document of 4 MiB is bounded for any content, read or rejected.
func TestDocumentsTakeBoundedMemory(t *testing.T) {
	const size, most = 4 << 20, 160 << 20
	for name, part := range map[string]string{
		"brackets": "[", "braces": "{", "points": ".", "equals": "=", "commas": ",", "quotes": "'", "double quotes": "\"",
		"triple quotes": "'''", "lines": "\n", "comments": "#\n",
		"keys": "a.b=1\n", "tables": "[a.b.c]\n", "lists": "[[a]]\n", "numbers": "1,", "empty arrays": "[],",
		"empty tables": "{},", "tables in lists": "{a=1},", "text": "x",
		"escapes": "\\", "lists of lists": "[[a.b]]\n[[a]]\n", "zeros": "\x00",
	} {
		for _, before := range []string{"", "a=", "a=[", "a='", "[", "[[a]]\n"} {
			text := []byte(before + strings.Repeat(part, size/len(part)))
			var start, end runtime.MemStats
			runtime.ReadMemStats(&start)
			Parse(text, "file.toml")
			runtime.ReadMemStats(&end)
			if took := end.TotalAlloc - start.TotalAlloc; took > most {
				t.Errorf("%q and %s: %d MiB", before, name, took>>20)
			}
		}
	}
	full := "a=[" + strings.Repeat("{},", mostValues/2-1) + "]"
	var start, end runtime.MemStats
	runtime.ReadMemStats(&start)
	_, err := Parse([]byte(full), "file.toml")
	runtime.ReadMemStats(&end)
	if took := end.TotalAlloc - start.TotalAlloc; err != nil || took > most {
		t.Errorf("a document that is full takes %d MiB, error %v", took>>20, err)
	}
}
