package check

import (
	"runtime"
	"strings"
	"testing"

	"skidpad/harness/tests/testrun"
)

// Whatever a document repeats, reading it takes memory in proportion to its size.
func TestElementsTakeMemoryInProportion(t *testing.T) {
	testrun.Slow(t)
	size := testrun.Either(1<<19, 2<<20)
	parts := []string{
		"<a>", "<a/>", "<a b=''/>", "</a>", "<", ">", "<!--", "<?", "<![CDATA[", "<a ", "b='' ", "'", "&amp;",
		"<a b='", "\x00",
	}
	for _, part := range parts {
		for _, before := range []string{"", "<r>", "<r ", "<r a='"} {
			text := []byte(before + strings.Repeat(part, size/len(part)))
			var begin, end runtime.MemStats
			runtime.ReadMemStats(&begin)
			_, _, _ = parseElement(text) // with or without an error
			runtime.ReadMemStats(&end)
			if took := end.TotalAlloc - begin.TotalAlloc; took > 100*uint64(size) {
				t.Errorf("%q and %q: %d MiB", before, part, took>>20)
			}
		}
	}
}
