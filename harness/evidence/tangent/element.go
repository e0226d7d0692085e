package tangent

import (
	"strings"

	"gonum.org/v1/gonum/spatial/r3"

	"skidpad/model/component"
)

// element is a component in this formulation. It also implements the applicable interfaces below.
type element interface {
	// connect adds what the component constrains and applies.
	connect(t *translator, v *Vehicle)
}

type (
	// bodied elements fill a frame with mass.
	bodied interface{ body() *component.RigidBody }
	// joining elements name frames that need no mass.
	joining interface{ frames() []string }
	// rigid elements hold two frames together.
	rigid interface {
		arm(t *translator) (from, to string, relative frame)
	}
	// jointed elements say how their head moves against their tail at the start.
	jointed interface{ joint(t *translator) joint }
	// freed elements subtract the free motions of a joint from the misfit at the start.
	freed interface {
		free(t *translator, m *misfit)
	}
	// observed elements publish quantities that are linear in the departures, under the names of the model.
	observed interface {
		observe(t *translator, v *Vehicle, sense sense)
	}
	// sprung elements are joints with a spring.
	sprung interface {
		spring(t *translator, s *Spring) (from, to string, axis [3]float64, angle float64)
	}
)

// sense adds a sensor to a component.
type sense func(name string, q Quantity, gain float64, a Action)

// elements make the element of a component, by its type.
var elements = map[string]func(c component.Component) element{}

// know registers the elements of a type of components.
func know[C component.Component](word string, make func(c C) element) {
	elements[word] = func(c component.Component) element { return make(c.(C)) }
}

// refused are types that have no linear equations, and why.
var refused = map[string]string{"brake": "a brake acts against a spin, which is not linear; leave it out"}

// unknown is a component without linear equations.
type unknown struct{ component.Component }

func (c unknown) connect(t *translator, _ *Vehicle) {
	word := c.Head().Type
	if reason, is := refused[word]; is {
		t.fail(c, "%s", reason)
		return
	}
	var known []string
	for _, kind := range component.Types {
		if elements[kind.Word] != nil {
			known = append(known, kind.Word)
		}
	}
	t.fail(c, "components of type %s have no place in this formulation, which knows %s and %s", word,
		strings.Join(known[:len(known)-1], ", "), known[len(known)-1])
}

// elementOf makes the element of a component.
func elementOf(c component.Component) element {
	if make, known := elements[c.Head().Type]; known {
		return make(c)
	}
	return unknown{c}
}

// element returns the element of the component with this name, or nil.
func (t *translator) element(name string) element {
	for i, c := range t.model.Components {
		if c.Head().Name == name {
			return t.elements[i]
		}
	}
	return nil
}

// jointConstraint is a constraint at the head of a joint, about an axis of its tail.
func (t *translator) jointConstraint(name, from, to string, axis [3]float64, forces, moments int) Constraint {
	return Constraint{
		Name: name, First: t.body(to), Second: t.body(from), Point: t.at(to).origin,
		Axis: t.at(from).axes.of(vec(axis)), Forces: forces, Moments: moments,
	}
}

// carried rejects an axis that is fixed in a spinning part and differs from the axis of the spin.
func (t *translator) carried(c component.Component, from string, axis r3.Vec) {
	if f := t.at(from); r3.Norm(r3.Cross(f.spin, axis)) > meets*(1+r3.Norm(f.spin)) {
		t.fail(c, "its axis turns with the spinning frame %s; attach it to a frame that does not spin", from)
	}
}

// torque adds a torque about an axis of its tail.
func (t *translator) torque(v *Vehicle, c component.Component, from, to string, axis [3]float64) {
	a := t.at(from).axes.of(vec(axis))
	t.carried(c, from, a)
	action := Action{First: t.body(to), Second: t.body(from), Moment: a}
	v.Actuators = append(v.Actuators, Actuator{c.Head().Name + ".torque", action})
}
