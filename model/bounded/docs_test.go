package bounded

import (
	"os"
	"strings"
	"testing"
)

// The documentation lists every kind with its limit.
func TestLimitsAreDocumented(t *testing.T) {
	text, err := os.ReadFile("../../docs/limits.md")
	if err != nil {
		t.Fatal(err)
	}
	kinds := []Kind{Model, Tire, TireData, Road, Manoeuvre, Car, Study, Comparison, System, Table, FMU, Description,
		Library, State, Drive, Facts}
	for _, k := range kinds {
		found := false
		for line := range strings.Lines(string(text)) {
			found = found || strings.HasPrefix(line, "| "+k.Name) &&
				strings.HasSuffix(strings.TrimSpace(line), "| "+k.Size()+" |")
		}
		if !found {
			t.Errorf("docs/limits.md has no row of a %s with %s", k.Name, k.Size())
		}
	}
}

func TestSizesAreShownInTheirUnit(t *testing.T) {
	for bytes, want := range map[int64]string{1: "1 bytes", 1023: "1023 bytes", 1024: "1 KiB", 3 << 20: "3 MiB",
		1<<20 + 1: "1048577 bytes", 1 << 30: "1 GiB"} {
		if got := (Kind{"file", bytes}).Size(); got != want {
			t.Errorf("%d bytes are shown as %s, want %s", bytes, got, want)
		}
	}
}
