package manoeuvre

import (
	"slices"
	"strings"

	"skidpad/model/roles"
)

// Drives reports whether the manoeuvre sets an input itself, in all of its runs or in a phase, so that what is set
// before does not last.
func (m *Manoeuvre) Drives(input string) bool {
	drivenBy := func(driver string) bool {
		quantity, is := strings.CutPrefix(input, driver+".")
		return is && slices.Contains([]string{"angle", "position", "rate", "acceleration", "z", "z_dot"}, quantity)
	}
	by := func(inputs []InputSignal) bool {
		return slices.ContainsFunc(inputs, func(s InputSignal) bool {
			return slices.Contains(s.Variables, input) || slices.ContainsFunc(s.Drivers, drivenBy)
		})
	}
	switch {
	case by(m.Inputs), slices.ContainsFunc(m.Phases, func(p Phase) bool { return by(p.Inputs) }):
		return true
	case slices.ContainsFunc(m.Feedback, func(f FeedbackLaw) bool { return slices.Contains(f.Variables, input) }):
		return true
	case m.SpeedControl != nil && slices.Contains(m.SpeedControl.Torques, input):
		return slices.ContainsFunc(m.Phases, func(p Phase) bool { return p.Speed != nil })
	case m.Pedals != nil && slices.ContainsFunc(m.Pedals.Brakes, func(s roles.Set) bool {
		return slices.Contains(s.Inputs, input)
	}):
		return slices.ContainsFunc(m.Phases, func(p Phase) bool { return p.Speed != nil })
	case (m.PathFollower != nil || m.Driver != nil) && m.Steering != nil &&
		slices.ContainsFunc(m.Steering.Drivers, drivenBy):
		return slices.ContainsFunc(m.Phases, func(p Phase) bool { return p.Path != nil })
	}
	return false
}
