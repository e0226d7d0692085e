package manoeuvre

import (
	"strings"
	"testing"

	"skidpad/model/roles"
)

func TestInvalidEndConditions(t *testing.T) {
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
		file := `name = "a"
title = "A"
models = ["A"]
duration = 1
step = 0.1
` + text
		if _, err := Parse("a.toml", []byte(file)); err == nil || !strings.Contains(err.Error(), says) ||
			!strings.Contains(err.Error(), "a.toml:6:") {
			t.Errorf("%s: %v", text, err)
		}
	}
	for text, says := range map[string]string{
		"": "empty", "{}": "bounds", `{ formula = "time", above = 1`: "--end-at",
		`{ formula = "time", above = 1 }, "fallen"`: "not one", `{ formula = "x", near = 1 }`: "near",
	} {
		if _, err := ParseEndAt(text, nil); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%s: %v", text, err)
		}
	}
	c, err := ParseEndAt(`{ formula = "2*time", above = 3 }`, nil)
	if err != nil || c.When == nil || c.When.Kind != Above || c.When.Bound != 3 || c.Name != "2*time above 3" {
		t.Errorf("%+v, %v", c, err)
	}
}

// A condition can name roles; it is refused where the vehicle does not have them.
func TestConditionsOfAUserNameRoles(t *testing.T) {
	const text = `{ formula = "abs(@chassis.roll)", above = 0.5 }`
	c, err := ParseEndAt(text, &roles.Roles{Chassis: "hull"})
	if err != nil || len(c.When.Law.Reads) != 1 || c.When.Law.Reads[0] != "hull.roll" {
		t.Errorf("%+v, %v", c, err)
	}
	if _, err := ParseEndAt(text, nil); err == nil || !strings.Contains(err.Error(), "--end-at uses roles that the "+
		"vehicle does not have: chassis") {
		t.Error(err)
	}
	single := strings.Replace(valid, "duration = 10", "duration = 10\nend_at = ["+text+"]", 1)
	if _, err := Parse("own.toml", []byte(single)); err == nil || !strings.Contains(err.Error(),
		"uses roles that the vehicle does not have: chassis") {
		t.Errorf("a manoeuvre of single models: %v", err)
	}
}
