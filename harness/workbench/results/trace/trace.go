// Package trace holds recorded numbers: the variables of a run over time, and tables of results.
package trace

import (
	"cmp"
	"slices"
	"sort"
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

// Trace holds recorded variables: one row per communication point.
type Trace struct {
	Channels []Channel   // of the columns, without time
	Time     []float64   // s
	Values   [][]float64 // by channel

	column map[string]int
}

// New makes an empty trace of channels, with room for some rows.
func New(channels []Channel, rows int) *Trace {
	t := &Trace{Channels: channels, Time: make([]float64, 0, rows), Values: make([][]float64, len(channels)),
		column: map[string]int{}}
	all := make([]float64, rows*len(channels))
	for i := range channels {
		t.Values[i] = all[i*rows : i*rows : (i+1)*rows]
		t.column[channels[i].Name] = i
	}
	return t
}

// Of makes a trace of columns; the first column is the time.
func Of(channels []Channel, columns [][]float64) *Trace {
	t := New(channels, 0)
	t.Time, t.Values = columns[0], columns[1:]
	return t
}

// Append adds the row at time; values are ordered as the channels.
func (t *Trace) Append(time float64, values []float64) {
	t.Time = append(t.Time, time)
	for i, value := range values {
		t.Values[i] = append(t.Values[i], value)
	}
}

// Cut removes the rows from a time on.
func (t *Trace) Cut(time float64) {
	n := sort.SearchFloat64s(t.Time, time)
	t.Time = t.Time[:n]
	for i := range t.Values {
		t.Values[i] = t.Values[i][:n]
	}
}

// Beside returns a trace with the channels of t, then the channels of another trace of the same times. Where both have
// a channel of one name, the other one is left out.
func (t *Trace) Beside(other *Trace) *Trace {
	all := New(slices.Clone(t.Channels), 0)
	all.Time, all.Values = t.Time, slices.Clone(t.Values)
	for i, c := range other.Channels {
		if !all.Has(c.Name) {
			all.column[c.Name] = len(all.Channels)
			all.Channels, all.Values = append(all.Channels, c), append(all.Values, other.Values[i])
		}
	}
	return all
}

// Column returns the recorded values of one variable. Asking for a variable
// that was not recorded is a programmer's error.
func (t *Trace) Column(name string) []float64 {
	i, recorded := t.column[name]
	if !recorded {
		panic("harness: variable " + name + " was not recorded")
	}
	return t.Values[i]
}

// Has reports whether a variable was recorded.
func (t *Trace) Has(name string) bool {
	_, recorded := t.column[name]
	return recorded
}

// At returns a variable at the recorded time nearest to time.
func (t *Trace) At(name string, time float64) float64 {
	return t.Column(name)[t.Row(time)]
}

// Row returns the index of the recorded time nearest to time.
func (t *Trace) Row(time float64) int {
	after := sort.SearchFloat64s(t.Time, time)
	switch {
	case after == len(t.Time):
		return after - 1
	case after > 0 && time-t.Time[after-1] < t.Time[after]-time:
		return after - 1
	}
	return after
}

// Range returns the times and values of one variable for from <= t <= to.
func (t *Trace) Range(name string, from, to float64) (times, values []float64) {
	first, last := t.Row(from), t.Row(to)
	return t.Time[first : last+1], t.Column(name)[first : last+1]
}

// Sampled returns the rows at the given times.
func (t *Trace) Sampled(times []float64) *Trace {
	s := New(t.Channels, len(times))
	row := make([]float64, len(t.Channels))
	for _, time := range times {
		n := t.Row(time)
		for i := range row {
			row[i] = t.Values[i][n]
		}
		s.Append(time, row)
	}
	return s
}

// Sampling is the time between samples in comparisons of runs, s.
const Sampling = 0.05

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
