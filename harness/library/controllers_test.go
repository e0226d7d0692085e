package library

import (
	"slices"
	"testing"

	"skidpad/model/keys"
)

// A controller has both variables, each with its own description; the description of an FMU may go on.
func TestControllersAreFoundByTheirVariables(t *testing.T) {
	list := []Variable{
		{Name: "abs.interventions", Text: keys.InterventionsText}, {Name: "abs.intervening", Text: keys.InterveningText},
		{Name: "esp.intervening", Text: keys.InterveningText + " (sampled-equations)"},
		{Name: "esp.interventions", Text: keys.InterventionsText + " (sampled-equations)"},
		{Name: "half.intervening", Text: keys.InterveningText},
		{Name: "other.interventions", Text: "of the police"}, {Name: "other.intervening", Text: keys.InterveningText},
		{Name: "third.interventions", Text: keys.InterventionsText}, {Name: "third.intervening", Text: "a state"},
		{Name: "body.vx"},
	}
	if names := Controllers(list); !slices.Equal(names, []string{"abs", "esp"}) {
		t.Errorf("the controllers are %q", names)
	}
}
