package formulate

import "skidpad/model"

// Answers that not every component has are interfaces. They are asked for here and in no other place.

// peer is a component by its name, with its builder.
func peer[T any](b Builder, name string) (T, Builder, bool) {
	return find(b, func(c T) bool { return any(c).(model.Component).Head().Name == name })
}

// find is the first component with an answer that fits, with its builder.
func find[T any](b Builder, fits func(T) bool) (T, Builder, bool) {
	for _, c := range b.Components() {
		if t, ok := c.(T); ok && fits(t) {
			return t, b.For(c), true
		}
	}
	var none T
	return none, nil, false
}

// each goes through the components that have an answer.
func each[T any](f *Formulation, visit func(c T, b Builder)) {
	for _, c := range f.components {
		if t, ok := c.(T); ok {
			visit(t, f.builder(c))
		}
	}
}

func (f *Formulation) component(name string) model.Component {
	for _, c := range f.components {
		if c.Head().Name == name {
			return c
		}
	}
	return nil
}
