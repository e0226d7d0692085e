package manoeuvre

import (
	"strings"
	"testing"
)

func TestEndConditionsThatAreRefused(t *testing.T) {
	for text, says := range map[string]string{
		`end_at = "fallen"`:               "list",
		`end_at = [1]`:                    "table",
		`end_at = [""]`:                   "empty",
		`end_at = [{ formula = "time" }]`: "bounds",
		`end_at = [{ above = 1 }]`:        "formula",
		`end_at = [{ formula = "time", above = 1, below = 2 }]`: "bounds",
		`end_at = [{ formula = "time", abov = 1 }]`:             "abov",
		`end_at = [{ formula = "time +", above = 1 }]`:          "formula",
	} {
		file := "name = \"a\"\ntitle = \"A\"\nmodels = [\"A\"]\nduration = 1\nstep = 0.1\n" + text
		if _, err := Parse("a.toml", []byte(file)); err == nil || !strings.Contains(err.Error(), says) ||
			!strings.Contains(err.Error(), "a.toml:6:") {
			t.Errorf("%s: %v", text, err)
		}
	}
	for text, says := range map[string]string{
		"": "empty", "{}": "bounds", `{ formula = "time", above = 1`: "--end-at",
		`{ formula = "time", above = 1 }, "fallen"`: "not one", `{ formula = "x", near = 1 }`: "near",
	} {
		if _, err := ParseEndAt(text); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%s: %v", text, err)
		}
	}
	c, err := ParseEndAt(`{ formula = "2*time", above = 3 }`)
	if err != nil || c.When == nil || c.When.Kind != Above || c.When.Bound != 3 || c.Name != "2*time above 3" {
		t.Errorf("%+v, %v", c, err)
	}
}
