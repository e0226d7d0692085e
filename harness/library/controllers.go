package library

import (
	"strings"

	"skidpad/model/keys"
)

// Controllers names the components of a vehicle or an FMU that say when they intervene, in the order of its variables.
func Controllers(list []Variable) (names []string) {
	counted := map[string]bool{}
	for _, v := range list {
		component, is := strings.CutSuffix(v.Name, "."+keys.Interventions)
		counted[component] = counted[component] || is && strings.HasPrefix(v.Text, keys.InterventionsText)
	}
	for _, v := range list {
		component, is := strings.CutSuffix(v.Name, "."+keys.Intervening)
		if is && counted[component] && strings.HasPrefix(v.Text, keys.InterveningText) {
			names = append(names, component)
		}
	}
	return names
}
