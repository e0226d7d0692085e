package tire

import (
	"os"
	"strings"
	"testing"
)

// Hosts know coefficients by their numbers: names are added at the end and never move. testdata/coefficients.txt lists
// them as they were published.
func TestCoefficientsKeepTheirNumbers(t *testing.T) {
	published, err := os.ReadFile("testdata/coefficients.txt")
	if err != nil {
		t.Fatal(err)
	}
	names := CoefficientNames()
	for i, name := range strings.Fields(string(published)) {
		if i >= len(names) || names[i] != name {
			t.Fatalf("coefficient %d is not %s: a function of tire has another place or order of parameters; "+
				"give a new function the next place, and add parameters behind all others", i, name)
		}
	}
	if more := len(names) - len(strings.Fields(string(published))); more > 0 {
		t.Errorf("%d coefficients are not in testdata/coefficients.txt; add them at its end: %v", more,
			names[len(names)-more:])
	}
}

// Two functions cannot have one place.
func TestPlacesAreTakenOnce(t *testing.T) {
	defer func() {
		if r, _ := recover().(string); !strings.Contains(r, "Fiala and Other have place 0") {
			t.Errorf("a place is taken twice: %v", r)
		}
	}()
	builtin(0, &Kind{Name: "Other"})
}
