package reference

import "gonum.org/v1/gonum/spatial/r3"

// quantity is one published variable of a component, by the names that the engine uses
// too. Values are read after the accelerations were solved for.
type quantity struct {
	name       string
	value      func(s *System, y []float64) float64
	derivative func(s *System, y []float64) float64 // of states
}

// three are the quantities of a vector.
func three(component string, names [3]string, v, derivative func(s *System, y []float64) r3.Vec) []quantity {
	list := make([]quantity, 3)
	for i := range list {
		list[i].name = component + "." + names[i]
		list[i].value = func(s *System, y []float64) float64 { return components(v(s, y))[i] }
		if derivative != nil {
			list[i].derivative = func(s *System, y []float64) float64 { return components(derivative(s, y))[i] }
		}
	}
	return list
}

// number is the quantity of a number that the latest evaluation left.
func number(name string, v *float64) quantity {
	return quantity{name: name, value: func(*System, []float64) float64 { return *v }}
}

// inputQuantity is the quantity of an input that follows others.
func (s *System) inputQuantity(name string, input int) quantity {
	return quantity{name: name, value: func(s *System, _ []float64) float64 { return s.inputs.values[input] }}
}

var (
	positionNames = [3]string{"x", "y", "z"}
	velocityNames = [3]string{"vx", "vy", "vz"}
	spinNames     = [3]string{"wx", "wy", "wz"}
	accelerations = [3]string{"ax", "ay", "az"}
	angles        = [3]string{"yaw", "pitch", "roll"}
	anyAngles     = [3]string{"angle1", "angle2", "angle3"} // of turns in any order
)

// quantities lists what the components publish.
func (s *System) quantities() []quantity {
	var list []quantity
	for _, e := range s.elements {
		if e, is := e.(publishing); is {
			list = append(list, e.quantities(s)...)
		}
	}
	for _, r := range s.revolutes {
		list = append(list, r.quantities()...)
	}
	return list
}
