package reference

import (
	"fmt"

	"skidpad/model/component"
	"skidpad/model/keys"
)

// element is a component in this solver. Every type of component has an element, in a file of its own. It also
// implements the applicable interfaces below.
type element interface {
	// add adds what the component constrains and applies.
	add(s *System) error
}

type (
	// bodied elements may fill a frame with mass.
	bodied interface{ body() (b body, is bool) }
	// joining elements name frames that need no mass.
	joining interface{ frames() []string }
	// rigid elements hold two frames together.
	rigid interface{ arm() (from string, a arm) }
	// ground elements carry wheels: plane returns a plane in ground, and the frame that moves with the plane.
	ground interface {
		plane() (frame string, p road, err error)
	}
	// free elements start anywhere: the motion of their frame.
	free interface {
		start(g *givens) (frame string, m motion)
	}
	// connecting elements say how their frames move against each other at the start.
	connecting interface {
		connection(s *System, g *givens) connection
	}
	// publishing elements have quantities, found after all elements were added.
	publishing interface{ quantities(s *System) []quantity }
	// coordinated elements have a coordinate for springs.
	coordinated interface {
		coordinate(s *System) (coordinate, error)
	}
	// shafted elements take a torque, which reacts on a housing or, for "", where they choose.
	shafted interface {
		output(s *System, housing string) output
	}
	// leading elements may lead motion drivers.
	leading interface {
		lead(s *System, d *driver, name string) bool
	}
	// distributing elements may make the input of a brake.
	distributing interface {
		share(s *System, brake string) (input int, is bool)
	}
)

// body is the mass of a frame.
type body struct {
	frame   string
	mass    float64
	inertia axes // about the frame's origin, its columns
	point   bool
}

// elements make the element of a component, by its type.
var elements = map[string]func(c component.Component) element{}

// know registers the elements of a type of components.
func know[C component.Component](word string, make func(c C) element) {
	elements[word] = func(c component.Component) element { return make(c.(C)) }
}

// unknown is a component that the solver does not know.
type unknown struct{ *keys.Header }

func (c unknown) add(*System) error {
	return fmt.Errorf("%s: the reference solver does not know components of type %s", c.Name, c.Type)
}

// elementOf makes the element of a component.
func elementOf(c component.Component) element {
	if make, known := elements[c.Head().Type]; known {
		return make(c)
	}
	return unknown{c.Head()}
}
