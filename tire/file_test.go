package tire_test

import (
	"os"
	"strings"
	"testing"

	"skidpad/harness/tests/fuzzinputs"
	"skidpad/tire"
)

func TestBrokenParameterFilesAreExplained(t *testing.T) {
	good, err := os.ReadFile("../resources/tires/fiala_generic4w.toml")
	if err != nil {
		t.Fatal(err)
	}
	edit := func(old, new string) string {
		text := strings.Replace(string(good), old, new, 1)
		if text == string(good) {
			t.Fatalf("%q is not in the file", old)
		}
		return text
	}
	for name, c := range map[string]struct {
		text string
		want []string
	}{
		"unknown function": {edit(`"Fiala"`, `"Fialla"`), []string{"t.toml:2:", "Fialla", "Pacejka02"}},
		"no function":      {edit(`function = "Fiala"`, ""), []string{"function", "missing"}},
		"unknown parameter": {edit("Calpha", "Calfa"), []string{"t.toml:9:", "Calfa", `did you mean "Calpha"`,
			"missing: Calpha"}},
		"missing parameter": {edit("mu1 = 0.2", ""), []string{"missing: mu1"}},
		"text for a number": {edit("mu1 = 0.2", `mu1 = "low"`), []string{"t.toml:12:", `"low"`, "finite number"}},
		"not a number":      {edit("mu1 = 0.2", "mu1 = nan"), []string{"t.toml:12:", "finite number"}},
		"infinite":          {edit("mu1 = 0.2", "mu1 = inf"), []string{"t.toml:12:", "finite number"}},
		"below its range": {edit("CS = 115000.0", "CS = -1"), []string{"t.toml:8:6:", "CS of Fiala",
			"is -1; it must be positive"}},
		"two out of range": {strings.Replace(edit("CS = 115000.0", "CS = 0"), "mu1 = 0.2", "mu1 = -1", 1),
			[]string{"t.toml:8:6:", "t.toml:12:7:", "zero or positive"}},
		"function a number": {edit(`"Fiala"`, "3"), []string{"t.toml:2:12:", "function is 3; it must be a text"}},
		"parameters a number": {"function = \"Fiala\"\nparameters = 3\n",
			[]string{"t.toml:2:14:", "parameters is 3; it must be a table"}},
		"empty":         {"", []string{"t.toml:1:1:", "function", "missing"}},
		"twice":         {edit("mu1 = 0.2", "mu0 = 0.2"), []string{"not valid TOML"}},
		"unknown key":   {"colour = 1\n" + string(good), []string{"t.toml:1:", "colour"}},
		"syntax":        {"function = \n", []string{"t.toml:1:", "not valid TOML"}},
		"no parameters": {`function = "Fiala"`, []string{"[parameters]", "missing"}},
	} {
		_, err := tire.ParseFile([]byte(c.text), "t.toml")
		if err == nil {
			t.Errorf("%s: accepted", name)
			continue
		}
		for _, fragment := range c.want {
			if !strings.Contains(err.Error(), fragment) {
				t.Errorf("%s: error %q lacks %q", name, err, fragment)
			}
		}
	}
}

func TestFaultsOfAFileAreNamedTogether(t *testing.T) {
	_, err := tire.ParseFile([]byte(`function = "Fiala"
colour = 1
[parameters]
D2 = 0.1
CS = "a"
Calfa = inf
`), "t.toml")
	if err == nil {
		t.Fatal("accepted")
	}
	lines := strings.Split(err.Error(), "\n")
	want := []string{"t.toml:2:10: unknown key", "t.toml:3:", "t.toml:5:6: parameter CS", "t.toml:6:9: parameter Calfa",
		"t.toml:6:9: Fiala has no parameter"}
	if len(lines) != len(want) {
		t.Fatalf("%d faults, want %d:\n%v", len(lines), len(want), err)
	}
	for i, line := range lines {
		if !strings.HasPrefix(line, want[i]) {
			t.Errorf("fault %d is %q, want %q", i, line, want[i])
		}
	}
}

// A key that is there is not said to be missing as well.
func TestWrongFunctionKindIsOneFault(t *testing.T) {
	for text, want := range map[string]string{
		`function = 3
[parameters]
D2 = 1
`: "t.toml:1:12: function is 3; it must be a text",
		"function = \"\"\n": "t.toml:1:12: there is no tire function \"\"; there are " +
			strings.Join(tire.Names(), ", "),
	} {
		if _, err := tire.ParseFile([]byte(text), "t.toml"); err == nil || err.Error() != want {
			t.Errorf("%q: error %v, want %q", text, err, want)
		}
	}
}

func FuzzParseFile(f *testing.F) {
	for _, name := range []string{"fiala_generic4w", "stretched_string", "pacejka2002"} {
		data, err := os.ReadFile("../resources/tires/" + name + ".toml")
		if err != nil {
			f.Fatal(err)
		}
		fuzzinputs.Add(f, data)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		if p, err := tire.ParseFile(data, "t.toml"); (p == nil) == (err == nil) {
			t.Fatalf("%v, %v", p, err)
		}
	})
}
