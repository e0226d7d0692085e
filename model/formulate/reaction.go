package formulate

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

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
		if f.asked(c) == "" {
			continue
		}
		all := f.balanced()
		tail, head := c.Holds()
		for k, v := range f.publishedReaction(all, c) {
			letter, unit, what := "F", "N", "force"
			if k == 1 {
				letter, unit, what = "M", "N.m", "moment"
			}
			for i, x := range v.X {
				axis := "xyz"[i : i+1]
				add(Output{Name: h.Name + "." + letter + axis, Unit: unit, Value: x, Text: what + " of the side of " + tail +
					" on " + head + ", " + axis + " component in axes of " + f.resolvedIn(c)})
			}
		}
		if rod, is := c.(component.Tense); is {
			add(Output{Name: h.Name + ".force", Unit: "N", Text: "tension, positive where it pulls",
				Value: rod.Tension(f.builder(c), func(row string) *expr.Expr { return all.of(h.Name + "." + row) })})
		}
	}
}

// asked is how the reaction of a component is asked for, as its key has it.
func (f *Formulation) asked(c component.Holding) string {
	return cmp.Or(f.options.Reactions, c.Head().Reactions)
}

// withheld returns the remedy for the name of a reaction that the model does not publish; "" for another name.
func (f *Formulation) withheld(name string) string {
	owner, key, _ := strings.Cut(name, ".")
	c, holds := component.Named[component.Holding](f.scope, owner)
	if !holds || f.asked(c) != "" || !slices.Contains(component.ReactionKeys, key) {
		return ""
	}
	if _, tense := c.(component.Tense); key == "force" && !tense {
		return ""
	}
	return fmt.Sprintf("%q is a reaction, which is computed on request only; give %s reactions = true, or the name of "+
		"the frame in whose axes", name, owner)
}

// resolvedIn is the frame in whose axes the reaction of a component is published.
func (f *Formulation) resolvedIn(c component.Holding) string {
	tail, _ := c.Holds()
	if frame := f.asked(c); frame != keys.OfTail {
		return frame
	}
	return tail
}

// publishedReaction is force and moment of a component in these axes.
func (f *Formulation) publishedReaction(b *balance, c component.Holding) [2]expr.Vector {
	axes := f.classes[max(f.classOf[f.node(f.resolvedIn(c))], 0)].frame
	force, moment := b.reaction(c)
	return [2]expr.Vector{f.resolve(force, axes), f.resolve(moment, axes)}
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

// driveVariables returns the variables of the drive of an edge.
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

// driveLoads are force or torque and power of each prescribed motion.
func (f *Formulation) driveLoads() []Output {
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
	if _, course, led := f.leader(e); led && isCoordinateDriven(e) { // m.Rate belongs to the leader
		return f.Pool.Mul(course.Slope, m.Rate)
	}
	return m.Rate
}
