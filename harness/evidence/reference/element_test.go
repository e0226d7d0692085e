package reference

import (
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"skidpad/model/component"
)

// TestComponentsWithoutAReferenceAreDocumented: those of the table in docs/verification.md, and no others.
func TestComponentsWithoutAReferenceAreDocumented(t *testing.T) {
	page, err := os.ReadFile("../../../docs/verification.md")
	if err != nil {
		t.Fatal(err)
	}
	_, section, found := strings.Cut(string(page), "### Components without a reference\n")
	if !found {
		t.Fatal("docs/verification.md has no section of components without a reference")
	}
	section, _, _ = strings.Cut(section, "\n#")
	var documented, without []string
	for _, row := range regexp.MustCompile("(?m)^\\| (`[^|]*) \\|").FindAllStringSubmatch(section, -1) {
		for _, word := range regexp.MustCompile("`([a-z-]+)`").FindAllStringSubmatch(row[1], -1) {
			documented = append(documented, word[1])
		}
	}
	for _, kind := range component.Types {
		if elements[kind.Word] == nil {
			without = append(without, kind.Word)
		}
	}
	slices.Sort(documented)
	slices.Sort(without)
	if !slices.Equal(documented, without) {
		t.Errorf("the page lists %q, the solver does not know %q", documented, without)
	}
}

// TestElementsAreOfComponents: a word that no type of component has is never asked for.
func TestElementsAreOfComponents(t *testing.T) {
	for word := range elements {
		has := func(kind component.Type) bool { return kind.Word == word }
		if !slices.ContainsFunc(component.Types, has) {
			t.Errorf("there is no type %q of components", word)
		}
	}
}
