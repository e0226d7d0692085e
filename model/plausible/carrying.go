package plausible

import (
	"fmt"

	"skidpad/model/component"
	"skidpad/model/keys"
)

// Carrying lists the tires that alone carry a vehicle. It is nil with fewer than two tires, where wheels roll by
// constraint, or where a joint or an arm holds a part of the vehicle on the ground.
func Carrying(s *component.Scope) (tires []*keys.Header) {
	roads := map[string]bool{component.GroundFrame: true}
	for _, w := range component.All[component.Wheeled](s) {
		if !w.Wheel().Tire {
			return nil
		}
		roads[w.Wheel().Road] = true
		tires = append(tires, w.Head())
	}
	for _, e := range s.Graph().Edges {
		if roads[e.From] && !roads[e.To] && e.Selectable() && e.Space.Free == nil || len(tires) < 2 {
			return nil
		}
	}
	return tires
}

// Place is a place in a model file as messages have it.
func Place(at keys.Position) string { return fmt.Sprintf("%s:%d:%d", at.File, at.Line, at.Column) }

// Unbalanced lists the tires whose longitudinal force acts on the spin at another radius than the effective one.
func Unbalanced(s *component.Scope) (names []string) {
	for _, t := range component.All[*component.Tire](s) {
		if t.Unbalanced() {
			names = append(names, t.Name)
		}
	}
	return names
}
