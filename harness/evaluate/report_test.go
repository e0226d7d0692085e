package evaluate

import (
	"regexp"
	"strings"
	"testing"

	"skidpad/harness/built"
	"skidpad/harness/library"
	"skidpad/harness/manoeuvre"
)

// A report names the vehicle, has another caption for each figure, and judges nothing that no bound is given for.
func TestReportsNameTheVehicleAndEveryFigure(t *testing.T) {
	if testing.Short() {
		t.Skip("builds the library")
	}
	library, err := library.Open(built.Library(t))
	if err != nil {
		t.Fatal(err)
	}
	e := evaluator(library, genericModel)
	e.Replaced = []manoeuvre.ConstantValue{{Name: "side", Value: 1}}
	result, err := e.Evaluate(built.Manoeuvre("circle_speed"))
	if err != nil {
		t.Fatal(err)
	}
	var page strings.Builder
	if err := result.WriteReport(&page); err != nil {
		t.Fatal(err)
	}
	text := page.String()
	if !strings.Contains(text, "<dt>Vehicle</dt><dd>GenericVehicle</dd>") ||
		strings.Contains(text, "<small>hold</small>") {
		t.Errorf("the heading is\n%.3000s", text[strings.Index(text, "<body>"):])
	}
	captions := map[string]string{}
	for _, c := range regexp.MustCompile(`<b>Figure (\d+)\. ([^<]*)\.</b>`).FindAllStringSubmatch(text, -1) {
		if captions[c[2]] != "" {
			t.Errorf("figures %s and %s are both called %q", captions[c[2]], c[1], c[2])
		}
		captions[c[2]] = c[1]
	}
	if len(captions) < 14 {
		t.Errorf("%d figures", len(captions))
	}
}
