package formulate

import (
	"cmp"
	"fmt"
	"slices"

	"skidpad/model/component"
	"skidpad/model/expr"
	"skidpad/model/keys"
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
		add(Output{Name: s.Name, Unit: s.Unit, Text: s.Text, Value: s.Symbol})
		known[s.Name] = len(f.Outputs) - 1
	}
	byLaws := f.published
	f.published = nil
	f.publishReactions()
	each(f, func(c component.Observed, b component.Builder) { c.Observed(b) })
	for _, o := range slices.Concat(f.published, byLaws) {
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
	f.checkRoles(seen)
	f.connect()
	if len(f.Model.Outputs) > 0 {
		f.selectOutputs()
	}
	f.Outputs = append(append(f.Outputs, f.local()...), f.indicators...)
	f.Indicators = len(f.indicators)
}

// quantitiesOfModel adds the formulas of the model file.
func (f *Formulation) quantitiesOfModel(add func(Output), seen map[string]bool) {
	for _, q := range f.Model.Quantities {
		if seen[q.Name] || f.inputOf[q.Name] != nil || f.parameterOf[q.Name] != nil {
			f.reject(q.Pos, "quantity %s: there is a variable of that name already; give it another name", q.Name)
			return
		}
		remedy := ""
		value, err := f.Pool.Parse(q.Formula, func(name string) *expr.Expr {
			for _, o := range f.Outputs {
				if o.Name == name {
					return o.Value
				}
			}
			remedy = f.withheld(name)
			return cmp.Or(f.inputOf[name], f.parameterOf[name], f.askedFor[name])
		})
		if err != nil && remedy != "" {
			f.reject(q.Pos, "quantity %s: %s", q.Name, remedy)
			return
		}
		if err != nil {
			f.reject(q.Pos, "quantity %s: %v; allowed are published variables, quantities that tire functions can request, "+
				"inputs and parameters", q.Name, err)
			return
		}
		if err := keys.CheckUnits(q.Formula, q.Unit, f.unitOf); err != nil {
			f.reject(q.Pos, "quantity %s is in %s: %v", q.Name, cmp.Or(q.Display, q.Unit), err)
			return
		}
		add(Output{Name: q.Name, Unit: q.Unit, Text: q.Text, Value: f.define(q.Name, value)})
	}
}

// unitOf is the SI unit of a name that a formula of the model file can use, "" for an unpublished name.
func (f *Formulation) unitOf(name string) string {
	for _, o := range f.Outputs {
		if o.Name == name {
			return o.Unit
		}
	}
	for _, u := range f.Inputs {
		if u.Name == name {
			return u.Unit
		}
	}
	for _, p := range f.Parameters {
		if p.Name == name {
			return p.Unit
		}
	}
	return ""
}

// selectOutputs keeps the outputs that the model file names, in its order, and behind them its reactions.
func (f *Formulation) selectOutputs() {
	all := map[string]Output{}
	for _, o := range f.Outputs {
		all[o.Name] = o
	}
	asked := slices.DeleteFunc(slices.Clone(f.Outputs), func(o Output) bool {
		return !f.reactions[o.Name] || slices.Contains(f.Model.Outputs, o.Name)
	})
	f.Outputs = f.Outputs[:0:0]
	for _, name := range f.Model.Outputs {
		o, ok := all[name]
		if !ok {
			f.fail(fmt.Errorf("model %s: outputs names %q, which no component publishes in this tree", f.Model.Name, name))
			return
		}
		f.Outputs = append(f.Outputs, o)
	}
	f.Outputs = append(f.Outputs, asked...)
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
