package constants

import (
	"strings"
	"testing"

	"skidpad/model/document"
	"skidpad/model/keys"
)

// If a constant is missing, the error names the constant, where it is to be given, and the errors up to the constants;
// later errors may only follow from it.
func TestMissingConstantHidesConsequentialErrors(t *testing.T) {
	root, err := document.Parse([]byte(`odd = 1
wide = "2*width"
length = -1
`), "test.toml")
	if err != nil {
		t.Fatal(err)
	}
	for where, want := range map[string]string{"": "give it in [constants]", "[constants] of the car": "of the car"} {
		r := NewReader("test.toml", root)
		r.Where = where
		f := r.Fields(root, "the test", []keys.Key{{Name: "wide"}, {Name: "length", Positive: true}})
		r.ConstantsRead()
		f.Number("wide")
		f.Number("length")
		text := r.Err().Error()
		for _, says := range []string{`"odd"`, `there is no constant "width"`, want} {
			if !strings.Contains(text, says) {
				t.Errorf("%s: the error does not say %s:\n%s", where, says, text)
			}
		}
		if strings.Contains(text, "above 0") {
			t.Errorf("%s: the error has what follows:\n%s", where, text)
		}
	}
}

// A number of a table without units takes none.
func TestNumbersWithoutUnits(t *testing.T) {
	root, err := document.Parse([]byte("a = \"3 m\"\nb = \"2*2\""), "a.toml")
	if err != nil {
		t.Fatal(err)
	}
	r := NewReader("a.toml", root)
	f := r.Fields(root, "the test", []keys.Key{{Name: "a"}, {Name: "b"}})
	if f.Number("b") != 4 || r.Err() != nil {
		t.Errorf("%v", r.Err())
	}
	f.Number("a")
	if err := r.Err(); err == nil ||
		err.Error() != `a.toml:1:5: a is "3 m": it takes a number without a unit, in SI units` {
		t.Errorf("%v", err)
	}
}
