package trace

import (
	"cmp"
	"slices"
	"strings"
)

// Channel is one variable that a run records. Before the run, its name is looked up once; recordings, characteristic
// values and reports take unit, text and role from the channel.
type Channel struct {
	Name string // as the vehicle calls it: "body.ay"
	Unit string // SI; "" where it is not known
	Text string // what it is
	Role string // name of the variable in manoeuvres: "@chassis.ay"; "" without a role
}

// Named makes channels without units, texts and roles.
func Named(names ...string) []Channel {
	list := make([]Channel, len(names))
	for i, name := range names {
		list[i].Name = name
	}
	return list
}

// Names lists the names of all channels in their order.
func (t *Trace) Names() []string {
	names := make([]string, len(t.Channels))
	for i := range t.Channels {
		names[i] = t.Channels[i].Name
	}
	return names
}

// Body names the body whose motion reports show: the body with the role "chassis"; without roles the first body that
// has a yaw rate; "" for neither.
func (t *Trace) Body() string {
	first := ""
	for _, c := range t.Channels {
		owner, quantity, _ := strings.Cut(c.Name, ".")
		if strings.HasPrefix(c.Role, "@chassis.") {
			return owner
		}
		if quantity == "wz" {
			first = cmp.Or(first, owner)
		}
	}
	return first
}

// Wheel is the variable of a tire, with the index of the wheel in roles: "1L".
type Wheel struct{ Index, Variable string }

// Wheels lists the recorded variables of one quantity of the tires, axle by axle from the left.
func (t *Trace) Wheels(quantity string) (list []Wheel) {
	for _, c := range t.Channels {
		role, is := strings.CutPrefix(c.Role, "@wheel[")
		if index, of, _ := strings.Cut(role, "]."); is && of == quantity {
			list = append(list, Wheel{index, c.Name})
		}
	}
	digits := func(w Wheel) int { return strings.IndexAny(w.Index, "LR") }
	slices.SortFunc(list, func(a, b Wheel) int {
		return cmp.Or(digits(a)-digits(b), strings.Compare(a.Index, b.Index))
	})
	return list
}
