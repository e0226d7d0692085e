package reference

import "skidpad/model/component"

// publishScalar are the quantities of an edge: drop or rise, by the sign 1 or -1, flow, and the power taken or
// supplied. A flow of heat is power itself.
func (s *System) publishScalar(component string, e *scalarEdge, across string, sign float64) []quantity {
	drop := func(s *System, y []float64) float64 { return sign * s.drop(e, y) }
	flow := func(_ *System, y []float64) float64 { return e.through(y) }
	list := []quantity{
		{name: component + "." + across, value: drop}, {name: component + "." + e.domain.through, value: flow},
	}
	if e.domain != thermal {
		list = append(list, quantity{name: component + ".power",
			value: func(s *System, y []float64) float64 { return drop(s, y) * flow(s, y) }})
	}
	size := e.domain.flow
	if e.capacity != nil {
		size = e.domain.potential
	}
	for i := range list {
		if list[i].name == e.state {
			list[i].derivative = func(s *System, y []float64) float64 { return size * s.storedRate(e, y) }
		}
	}
	return list
}

// publishDrop publishes the quantities of an edge that takes power.
func (s *System) publishDrop(component string, e *scalarEdge) []quantity {
	return s.publishScalar(component, e, e.domain.across, 1)
}

// publishRise publishes the quantities of a source. Where the given value is a variable with the name of the potential,
// the rise has the name of a terminal.
func (s *System) publishRise(name string, e *scalarEdge, given component.TimeCourse) []quantity {
	across := e.domain.across
	if across == given.Key && variable(given) {
		across = "terminal_" + across
	}
	return s.publishScalar(name, e, across, -1)
}

// variable reports whether a value over time is a variable of the model: an input, or a parameter.
func variable(c component.TimeCourse) bool {
	return c.Input || c.Formula == "" && !c.Number.Formula && c.Number.Value != 0
}

// published is the quantity of a value of the unknowns.
func published(name string, value func(y []float64) float64) quantity {
	return quantity{name: name, value: func(_ *System, y []float64) float64 { return value(y) }}
}

// quantity is the state as a quantity.
func (state *scalarState) quantity() quantity {
	return quantity{name: state.name, value: func(_ *System, y []float64) float64 { return state.at(y) },
		derivative: func(_ *System, y []float64) float64 { return state.rate(y) }}
}

func (state *scalarState) at(y []float64) float64 { return y[state.unknown] }
