package formulate

import (
	"cmp"
	"fmt"

	"skidpad/model"
	"skidpad/model/expr"
	"skidpad/model/graph"
)

// outputs collects the published quantities of every component; each state is an output of the same name, and has the
// description of the quantity that it is.
func (f *Formulation) outputs() {
	seen := map[string]bool{}
	known := map[string]int{} // places of states
	add := func(o Output) {
		if i, state := known[o.Name]; state {
			f.Outputs[i].Text = cmp.Or(f.Outputs[i].Text, o.Text)
		} else if !seen[o.Name] {
			f.Outputs = append(f.Outputs, o)
		}
		seen[o.Name] = true
	}
	for _, s := range f.States() {
		add(Output{s.Name, s.Unit, s.Text, s.Symbol})
		known[s.Name] = len(f.Outputs) - 1
	}
	for _, c := range f.Model.Components {
		for _, o := range f.quantities(c) {
			add(o)
		}
	}
	for _, o := range f.published {
		add(o)
	}
	texts := map[string]string{}
	for i := range f.Outputs[:len(known)] {
		o := &f.Outputs[i]
		o.Text = cmp.Or(o.Text, coordinateText(o.Name))
		texts[o.Name] = o.Text
	}
	f.describeStates(texts)
	f.quantitiesOfModel(add, seen)
	if len(f.Model.Outputs) > 0 {
		f.selectOutputs()
	}
	f.Outputs = append(f.Outputs, f.indicators...)
	f.Indicators = len(f.indicators)
}

// quantitiesOfModel adds the formulas of the model file.
func (f *Formulation) quantitiesOfModel(add func(Output), seen map[string]bool) {
	for _, q := range f.Model.Quantities {
		if seen[q.Name] || f.inputOf[q.Name] != nil || f.parameterOf[q.Name] != nil {
			f.reject(q.Pos, "quantity %s: there is a variable of that name already; give it another name", q.Name)
			return
		}
		value, err := f.Pool.Parse(q.Formula, func(name string) *expr.Expr {
			for _, o := range f.Outputs {
				if o.Name == name {
					return o.Value
				}
			}
			return cmp.Or(f.inputOf[name], f.parameterOf[name], f.askedFor[name])
		})
		if err != nil {
			f.reject(q.Pos, "quantity %s: %v; names are those of published variables, of what tire functions ask for, of inputs and parameters", q.Name, err)
			return
		}
		add(Output{q.Name, q.Unit, q.Text, f.define(q.Name, value)})
	}
}

// selectOutputs keeps the outputs that the model file names, in its order.
func (f *Formulation) selectOutputs() {
	all := map[string]Output{}
	for _, o := range f.Outputs {
		all[o.Name] = o
	}
	f.Outputs = f.Outputs[:0:0]
	for _, name := range f.Model.Outputs {
		o, ok := all[name]
		if !ok {
			f.fail(fmt.Errorf("model %s: outputs names %q, which no component publishes in this tree", f.Model.Name, name))
			return
		}
		f.Outputs = append(f.Outputs, o)
	}
}

func (f *Formulation) quantities(c model.Component) []Output {
	name := c.Head().Name
	switch c := c.(type) {
	case *model.RigidBody:
		n := f.node(c.Frame)
		own := f.classes[f.classOf[n]].frame
		list := f.positions(name, graph.Ground, n, f.classes[0].frame, "of the centre of mass in ground")
		list = append(list, f.angles(name, graph.Ground, n)...)
		list = append(list, vectorOutputs(name, [3]string{"vx", "vy", "vz"}, "m/s", "velocity of the centre of mass, body frame", f.Across(graph.Ground, n, Velocity, own))...)
		list = append(list, vectorOutputs(name, [3]string{"wx", "wy", "wz"}, "rad/s", "angular velocity, body frame", f.resolve(f.classes[f.classOf[n]].omega, own))...)
		return append(list, vectorOutputs(name, [3]string{"ax", "ay", "az"}, "m/s2", "inertial acceleration of the centre of mass, body frame", f.acceleration(graph.Ground, n, own))...)
	case *model.PointMass:
		n := f.node(c.Frame)
		ground := f.classes[0].frame
		list := f.positions(name, graph.Ground, n, ground, "in ground")
		list = append(list, vectorOutputs(name, [3]string{"vx", "vy", "vz"}, "m/s", "velocity in ground", f.Across(graph.Ground, n, Velocity, ground))...)
		return append(list, vectorOutputs(name, [3]string{"ax", "ay", "az"}, "m/s2", "acceleration in ground", f.acceleration(graph.Ground, n, ground))...)
	case *model.RollingWheel:
		return f.rollingForces(c)
	case *model.Prismatic:
		r := f.along(f.node(c.From), f.node(c.To), c.Axis)
		return []Output{
			{name + ".s", "m", "position along the joint axis", r.coordinate},
			{name + ".s_dot", "m/s", "rate of s", r.rate},
		}
	case *model.Revolute:
		r := f.about(f.node(c.From), f.node(c.To), c.Axis)
		angle := r.coordinate
		if angle == nil {
			angle = f.angleBetween(f.node(c.From), f.node(c.To), c.Axis)
		}
		return []Output{
			{name + ".phi", "rad", "angle about the joint axis", angle},
			{name + ".omega", "rad/s", "rate about the joint axis", r.rate},
		}
	case *model.Suspension:
		return f.suspensionOutputs(c)
	case *model.Sensor:
		from, to, in := f.node(c.From), f.node(c.To), f.classes[f.classOf[f.node(c.Resolve)]].frame
		list := f.positions(name, from, to, in, "relative to "+c.From)
		list = append(list, vectorOutputs(name, [3]string{"vx", "vy", "vz"}, "m/s", "difference of inertial velocities", f.Across(from, to, Velocity, in))...)
		list = append(list, vectorOutputs(name, [3]string{"ax", "ay", "az"}, "m/s2", "difference of inertial accelerations", f.acceleration(from, to, in))...)
		if f.classOf[from] >= 0 && f.classOf[to] >= 0 {
			list = append(list, f.angles(name, from, to)...)
			list = append(list, vectorOutputs(name, [3]string{"wx", "wy", "wz"}, "rad/s", "relative angular velocity", f.AcrossRotation(from, to, Velocity, in))...)
		}
		return list
	}
	return nil
}

func vectorOutputs(component string, names [3]string, unit, text string, v expr.Vector) []Output {
	list := make([]Output, 3)
	for i := range list {
		list[i] = Output{component + "." + names[i], unit, text + ", " + "xyz"[i:i+1] + " component", v.X[i]}
	}
	return list
}

func (f *Formulation) positions(component string, from, to int, frame expr.Frame, text string) []Output {
	return vectorOutputs(component, [3]string{"x", "y", "z"}, "m", "position "+text, f.Across(from, to, Position, frame))
}

// angles returns the 3-2-1 Euler angles of one frame against another.
func (f *Formulation) angles(component string, from, to int) []Output {
	p := f.Pool
	m := f.Orientation(to, from).M
	return []Output{
		{component + ".yaw", "rad", "first of the 3-2-1 Euler angles", p.Call(expr.Atan2, m[1][0], m[0][0])},
		{component + ".pitch", "rad", "second of the 3-2-1 Euler angles", p.Neg(p.Call(expr.Asin, p.Call(expr.Clamp, m[2][0])))},
		{component + ".roll", "rad", "third of the 3-2-1 Euler angles", p.Call(expr.Atan2, m[2][1], m[2][2])},
	}
}

// angleBetween reads the angle of a turn about an axis from the orientation of
// two frames, between -pi and pi.
func (f *Formulation) angleBetween(from, to int, axis [3]float64) *expr.Expr {
	frame := f.classes[f.classOf[from]].frame
	normals := complement(axis)
	a := f.constant(frame, normals[0])
	b := f.Pool.Cross(f.constant(frame, axis), a)
	turned := f.resolve(f.constant(f.classes[f.classOf[to]].frame, normals[0]), frame)
	return f.Pool.Call(expr.Atan2, f.Pool.Dot(turned, b), f.Pool.Dot(turned, a))
}

// acceleration returns the relative inertial acceleration of two nodes, the
// terms in pdot included. Gravity, which every point carries with the opposite
// sign, cancels in the difference.
func (f *Formulation) acceleration(from, to int, frame expr.Frame) expr.Vector {
	p := f.Pool
	a := f.Across(from, to, Acceleration, frame)
	for _, end := range []struct {
		node int
		sign int64
	}{{to, 1}, {from, -1}} {
		pt := &f.points[end.node]
		if f.withoutMass {
			if len(pt.moved) > 0 {
				a = p.AddV(a, p.ScaleV(p.Int(end.sign), f.resolve(f.accelerated.acceleration(end.node), frame)))
			}
			continue
		}
		for _, k := range pt.moved {
			if v, ok := pt.partials[k]; ok {
				a = p.AddV(a, p.ScaleV(p.Scale(expr.Integer(end.sign), f.Speeds[k].Rate), f.resolve(v, frame)))
			}
		}
	}
	return a
}
