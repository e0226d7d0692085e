package component

import "skidpad/model/keys"

// intervenesKey is the condition by which a controller says that it intervenes.
var intervenesKey = keys.Key{Name: "intervenes", Shape: keys.TextShape, Optional: true, Names: keys.Variables,
	Text: "formula of a condition, which holds above 0: the controller acts otherwise than without a cause; " +
		"`interventions` counts how often it begins to hold"}

// readIntervenes reads the condition of a controller; without the key its formula is "". It adds the names of the two
// counts to the taken names of the controller's variables.
func readIntervenes(f *keys.Fields, taken map[string]bool) EquationVariable {
	v := EquationVariable{Name: keys.Intervening, Formula: f.Text(intervenesKey.Name),
		Pos: f.Position(intervenesKey.Name)}
	if v.Formula != "" {
		taken[keys.Intervening], taken[keys.Interventions] = true, true
	}
	return v
}

// interventions are the held values of a controller with a condition v: whether it intervenes, and how often it began
// to.
func interventions(v EquationVariable) [2]EquationVariable {
	return [2]EquationVariable{
		{Name: keys.Intervening, Unit: "1", Text: keys.InterveningText, Value: keys.Zero(), Formula: v.Formula},
		{Name: keys.Interventions, Unit: "1", Text: keys.InterventionsText, Value: keys.Zero(), Formula: v.Formula},
	}
}
