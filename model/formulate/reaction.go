package formulate

import (
	"skidpad/model/component"
	"skidpad/model/expr"
	"skidpad/model/graph"
	"skidpad/model/keys"
	"skidpad/model/program"
)

// publishReactions publishes the reactions that the model file asks for. They come before what laws publish under the
// same names, such as forces of rolling wheels along their paths.
func (f *Formulation) publishReactions() {
	add := func(o Output) {
		f.published, f.reactions[o.Name] = append(f.published, o), true
	}
	for _, c := range component.All[component.Holding](f.scope) {
		h := c.Head()
		if h.Reactions == "" {
			continue
		}
		all := f.balanced()
		tail, head := c.Holds()
		resolved := h.Reactions
		if resolved == keys.OfTail {
			resolved = tail
		}
		axes := f.classes[max(f.classOf[f.node(resolved)], 0)].frame
		force, moment := all.reaction(c)
		for _, v := range []struct {
			letter, unit, what string
			expr.Vector
		}{{"F", "N", "force", force}, {"M", "N.m", "moment", moment}} {
			for i, x := range f.resolve(v.Vector, axes).X {
				axis := "xyz"[i : i+1]
				add(Output{Name: h.Name + "." + v.letter + axis, Unit: v.unit, Value: x,
					Text: v.what + " of the side of " + tail + " on " + head + ", " + axis + " component in axes of " + resolved})
			}
		}
		if rod, is := c.(component.Tense); is {
			add(Output{h.Name + ".force", "N", "tension, positive where it pulls",
				rod.Tension(f.builder(c), func(row string) *expr.Expr { return all.of(h.Name + "." + row) })})
		}
	}
}

// prescribed lists the edges of motion drivers.
func (f *Formulation) prescribed() (list []int) {
	for i := range f.Forest.Graph.Edges {
		e := &f.Forest.Graph.Edges[i]
		if _, holds := component.Named[component.Holding](f.scope, e.Owner.Name); holds && e.Space.Motion != nil &&
			e.Space.Motion.Prescribed {
			list = append(list, i)
		}
	}
	return list
}

// driveVariables are those of drives, for one edge.
func (f *Formulation) driveVariables(edge int) []program.Variable {
	e := &f.Forest.Graph.Edges[edge]
	name := e.Owner.Name
	load := program.Variable{Name: name + ".torque", Unit: "N.m", Text: "torque of the driver on " + e.To +
		" about the axis, positive in the direction of the motion"}
	if e.Domain == graph.Translation {
		load = program.Variable{Name: name + ".force", Unit: "N", Text: "force of the driver on " + e.To +
			" along the axis, positive in the direction of the motion"}
	}
	return []program.Variable{load, {Name: name + ".power", Unit: "W", Text: "power of the driver"}}
}

// drives are force or torque and power of each prescribed motion.
func (f *Formulation) drives() []Output {
	list := f.prescribed()
	if len(list) == 0 {
		return nil
	}
	p, all := f.Pool, f.balanced()
	var values []Output
	for _, i := range list {
		e := &f.Forest.Graph.Edges[i]
		v := all.edges[i]
		axis := f.resolve(f.constant(f.axesOf(e.Tail), e.Space.Motion.Axis), v.Frame)
		load := f.define("drive_"+e.Name, p.Dot(axis, v))
		variables := f.driveVariables(i)
		values = append(values, Output{Name: variables[0].Name, Value: load},
			Output{Name: variables[1].Name, Value: p.Mul(load, f.drivenRate(e))})
	}
	return values
}

// drivenRate is the rate of a prescribed motion.
func (f *Formulation) drivenRate(e *graph.Edge) *expr.Expr {
	m := f.motionOf(e)
	if _, course, led := f.leader(e); led && isCoordinateDriven(e) { // whose rate is that of what leads it
		return f.Pool.Mul(course.Slope, m.Rate)
	}
	return m.Rate
}
