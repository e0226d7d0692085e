package trace

import (
	"cmp"
	"slices"
	"strings"
)

// Channel is one variable that a run records. It is found by its name once, before the run; recordings, characteristic
// values and reports take its unit, its text and its role from here.
type Channel struct {
	Name string // as the vehicle calls it: "body.ay"
	Unit string // SI; "" where it is not known
	Text string // what it is
	Role string // by which manoeuvres know it: "@chassis.ay"; "" without
}

// Named are channels of which nothing but their names is known.
func Named(names ...string) []Channel {
	list := make([]Channel, len(names))
	for i, name := range names {
		list[i].Name = name
	}
	return list
}

// Names are those of all channels, in their order.
func (t *Trace) Names() []string {
	names := make([]string, len(t.Channels))
	for i := range t.Channels {
		names[i] = t.Channels[i].Name
	}
	return names
}

// Body is the body whose motion reports show: that of the role "chassis", without roles the first one that has a yaw
// rate, and "" where there is neither.
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

// Wheel is a channel of a tire, with the index of the wheel by which roles know it: "1L".
type Wheel struct{ Index, Variable string }

// Wheels are the channels that all wheels have of a quantity, axle by axle from the left.
func (t *Trace) Wheels(quantity string) (list []Wheel) {
	for _, c := range t.Channels {
		index, of, is := strings.Cut(strings.TrimPrefix(c.Role, "@wheel["), "].")
		if is && of == quantity && len(index) < len(c.Role) {
			list = append(list, Wheel{index, c.Name})
		}
	}
	digits := func(w Wheel) int { return strings.IndexAny(w.Index, "LR") }
	slices.SortFunc(list, func(a, b Wheel) int {
		return cmp.Or(digits(a)-digits(b), strings.Compare(a.Index, b.Index))
	})
	return list
}
