package library

import "strings"

// Batteries are the components of a list of variables that have a state of charge and a voltage without current, in the
// order of the list.
func Batteries(list []Variable) (names []string) {
	charged := map[string]bool{}
	for _, v := range list {
		if component, is := strings.CutSuffix(v.Name, ".soc"); is {
			charged[component] = true
		}
	}
	for _, v := range list {
		if component, is := strings.CutSuffix(v.Name, ".open_circuit_voltage"); is && charged[component] {
			names = append(names, component)
		}
	}
	return names
}
