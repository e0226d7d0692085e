package roles

import (
	"math"

	"skidpad/model/document"
)

// axles reads axles, and the properties of wheels in lists of the same shape.
func (r *reader) axles(v, n *Node) {
	if v.Kind != document.List || len(v.Items) == 0 {
		r.At(v, `roles.axles is %s; it is a list of axles from the front, each from the left: [["tire_L", "tire_R"], ...]`, v)
		return
	}
	for _, item := range v.Items {
		r.roles.Axles = append(r.roles.Axles, r.axle(item))
	}
	of := func(key string, to func(w *Wheel) *string, kind Kind) {
		if list := n.Field(key); list != nil {
			r.role = key
			r.perWheel(list, v, func(w *Wheel, item *Node) { *to(w) = r.name(item, kind) })
		}
	}
	of("spin", func(w *Wheel) *string { return &w.Spin }, Start)
	of("travel", func(w *Wheel) *string { return &w.Travel }, Output)
	of("unsprung", func(w *Wheel) *string { return &w.Unsprung }, Component)
	if list := n.Field("rolling_radius"); list != nil {
		r.role = "rolling_radius"
		r.perAxle(list, func(a *Axle, item *Node) {
			a.Radius = r.Number(item, "roles.rolling_radius", &radiusKey)
		})
	}
	if list := n.Field("stops"); list != nil {
		r.role = "stops"
		r.perAxle(list, r.stops)
	}
	r.role = "axles"
}

// stops reads the travels at the stops of an axle.
func (r *reader) stops(a *Axle, item *Node) {
	if item.Kind != document.List || len(item.Items) != 2 {
		r.At(item, "roles.stops has %s for an axle; it is [travel at the stop of rebound, travel at that of bump]", item)
		return
	}
	var at [2]float64
	for i := range at {
		at[i] = r.Number(item.Items[i], "roles.stops", &stopKey)
	}
	if at[0] >= at[1] {
		r.At(item, "roles.stops has the travel %g at the stop of rebound and %g at that of bump, which must be above it",
			at[0], at[1])
	}
	for _, side := range [][]Wheel{a.Left, a.Right} {
		for i := range side {
			side[i].Stops = at
		}
	}
}

// axle reads the tires of one axle: a list from the left, of texts or, for twins, of lists of texts from outside in.
// One tire alone is an axle of a vehicle with one track.
func (r *reader) axle(v *Node) (a Axle) {
	if v.Kind != document.List || len(v.Items) == 0 || len(v.Items) > 2 {
		r.At(v, `roles.axles has the axle %s; an axle is ["LEFT", "RIGHT"], with twins [["OUTER", "INNER"], `+
			`["OUTER", "INNER"]], and ["TIRE"] of a vehicle with one track`, v)
		return a
	}
	for i, item := range v.Items {
		side := &a.Left
		if i == 1 {
			side = &a.Right
		}
		for _, tire := range r.list(item) {
			nothing := math.NaN()
			*side = append(*side, Wheel{Tire: r.name(tire, Tire), Stops: [2]float64{nothing, nothing}})
		}
	}
	return a
}

// perAxle reads a list of as many items as there are axles.
func (r *reader) perAxle(list *Node, read func(*Axle, *Node)) {
	if list.Kind != document.List || len(list.Items) != len(r.roles.Axles) {
		r.At(list, "roles.%s is %s; it must be a list with one element for each of the %d axles", r.role, list,
			len(r.roles.Axles))
		return
	}
	for i, item := range list.Items {
		read(&r.roles.Axles[i], item)
	}
}

// perWheel reads a list that is nested as axles is.
func (r *reader) perWheel(list, axles *Node, read func(*Wheel, *Node)) {
	r.perAxle(list, func(a *Axle, item *Node) {
		sides := [][]Wheel{a.Left, a.Right}
		given := []*Node{item}
		if item.Kind == document.List {
			given = item.Items
		}
		for i, side := range sides {
			var items []*Node
			if i < len(given) {
				items = r.list(given[i])
			}
			if len(items) != len(side) || len(given) > 2 {
				r.At(item, "roles.%s must be nested as roles.axles is", r.role)
				return
			}
			for k := range side {
				read(&side[k], items[k])
			}
		}
	})
}
