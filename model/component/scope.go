package component

import (
	"fmt"
	"slices"

	"skidpad/model/document"
	"skidpad/model/graph"
)

// Scope is a list of components that find each other by their names. Components question each other through interfaces.
// Only this file inspects their types.
type Scope struct {
	list   []Component
	byName map[string]Component
	leads  map[string]*graph.Lead // by motion driver
}

// NewScope returns the scope of a list of components.
func NewScope(list []Component) *Scope {
	s := &Scope{list: list, byName: map[string]Component{}, leads: map[string]*graph.Lead{}}
	for _, c := range list {
		s.byName[c.Head().Name] = c
	}
	for _, c := range All[Leading](s) {
		lead, drivers := c.Leads()
		for _, name := range drivers {
			s.leads[name] = lead
		}
	}
	return s
}

// All lists the components that answer T, in their order.
func All[T any](s *Scope) []T {
	var list []T
	for _, c := range s.list {
		if t, is := c.(T); is {
			list = append(list, t)
		}
	}
	return list
}

// As returns a component as a T, if it implements T.
func As[T any](c Component) (T, bool) {
	t, is := c.(T)
	return t, is
}

// Named returns the component of a name, if it answers T.
func Named[T any](s *Scope, name string) (T, bool) {
	t, is := s.byName[name].(T)
	return t, is
}

// First returns the first component that answers T and fits.
func First[T any](s *Scope, fits func(T) bool) (T, bool) {
	for _, c := range s.list {
		if t, is := c.(T); is && fits(t) {
			return t, true
		}
	}
	var none T
	return none, false
}

// ActingOn returns the component of type T that acts on a part of the component with this name.
func ActingOn[T Acting](s *Scope, name string, part Part) (T, bool) {
	return First(s, func(t T) bool {
		return slices.ContainsFunc(t.Acts(), func(a Act) bool { return a.On == name && a.Part == part })
	})
}

// SteeredBy returns the steering that moves a motion driver.
func SteeredBy(s *Scope, driver string) (Steers, bool) {
	if c, turned := ActingOn[Steers](s, driver, Turned); turned {
		return c, true
	}
	return ActingOn[Steers](s, driver, Shifted)
}

// Find returns the component of a name, nil for none.
func (s *Scope) Find(name string) Component { return s.byName[name] }

// Graph returns the linear graph of the components, edges in their order.
func (s *Scope) Graph() *graph.Graph {
	g := graph.New()
	for _, c := range s.list {
		g.Add(c.Head(), c.Edges(s))
	}
	for _, c := range s.list {
		g.AddScalars(c.Head(), ScalarEdges(s, c))
	}
	return g
}

// Nearest suggests a component for a name that none has.
func (s *Scope) Nearest(name string) string {
	var names []string
	for _, c := range s.list {
		names = append(names, c.Head().Name)
	}
	if near := document.Nearest(name, names); near != "" {
		return fmt.Sprintf("; did you mean %q?", near)
	}
	return ""
}

// Axle is a revolute joint whose head is the wheel of a tire.
type Axle struct {
	Joint string
	Axis  [3]float64 // of the joint
	Wheel Wheel
}

// Axles returns the axles of the tires, in the order of the joints.
func (s *Scope) Axles() []Axle {
	wheels := map[string]Wheel{}
	for _, c := range All[Wheeled](s) {
		if w := c.Wheel(); w.Tire {
			wheels[w.Frame] = w
		}
	}
	var list []Axle
	for _, c := range All[Jointed](s) {
		if m := c.Moves(); m.Domain == graph.Rotation && wheels[m.To].Tire {
			list = append(list, Axle{c.Head().Name, m.Axis, wheels[m.To]})
		}
	}
	return list
}
