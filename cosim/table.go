package cosim

import (
	"cmp"
	"strings"

	"skidpad/model/program"
	"skidpad/model/road"
	"skidpad/model/solver"
	"skidpad/model/vehicle"
)

// list makes the variable table, sorted by kind and then in the program's order. An output with a start value is one
// variable.
func (s *System) list() {
	l := &lister{System: s, starts: map[string]int{}, published: map[string]bool{}, states: map[string]int{}}
	p := s.program
	l.outputs = p.Outputs[:len(p.Outputs)-p.Indicators]
	for i := range l.outputs {
		l.published[l.outputs[i].Name] = true
	}
	for i := range p.States {
		l.states[p.States[i].Name] = i
	}
	l.listParameters()
	l.listOutputs()
	l.add(Variable{Name: "time", Unit: "s", Text: "simulation time", Kind: Time, State: -1, parameter: -1})
	l.listTexts()
	for k := range s.first {
		for s.first[k] < len(s.variables) && s.variables[s.first[k]].Kind < Kind(k) {
			s.first[k]++
		}
	}
}

// lister makes the variable table of a system.
type lister struct {
	*System
	outputs   []program.Variable // without event indicators
	starts    map[string]int     // parameters that are start values of a state or an output
	published map[string]bool    // names of outputs
	states    map[string]int
	count     int // of texts
}

func (l *lister) add(v Variable) {
	v.passed = -1
	switch v.Kind {
	case State:
		v.passed = v.source
	case Output:
		if state, is := l.program.IsState(v.source); is {
			v.passed = state
		}
	}
	l.index[v.Name] = len(l.variables)
	l.variables = append(l.variables, v)
}

// started completes a variable that may have a start value.
func (l *lister) started(v Variable) Variable {
	v.parameter = -1
	if k, ok := l.starts[v.Name]; ok {
		of := &l.program.Parameters[k]
		v.parameter, v.Initial, v.Start, v.Display = k, true, of.Start, cmp.Or(v.Display, of.Display)
		v.Follows = of.Follows
	}
	return v
}

func (l *lister) listParameters() {
	p := l.program
	l.stepParameter = -1
	for i, v := range p.Parameters {
		if v.Name == StepVariable {
			l.stepParameter = i
			continue
		}
		if v.Choices != nil {
			l.choices = append(l.choices, i)
			continue
		}
		if _, state := l.states[v.Name]; v.StartValue && (state || l.published[v.Name]) {
			l.starts[v.Name] = i
			continue
		}
		l.add(Variable{Name: v.Name, Unit: v.Unit, Text: v.Text, Display: v.Display, Start: v.Start, State: -1, parameter: i,
			Nonnegative: v.Nonnegative, Positive: v.Positive, AtMostOne: v.AtMostOne})
	}
	l.add(Variable{Name: StepVariable, Unit: "s", Text: "longest solver step", Start: l.model.Solver.Step,
		State: -1, parameter: -1, source: stepSetting, Positive: true})
	if p.Constraints > 0 {
		l.add(Variable{Name: ToleranceVariable, Unit: "1",
			Text:  "largest permitted violation of a constraint at the start, in the unit of the constraint",
			Start: l.model.Solver.Tolerance, State: -1, parameter: -1, source: toleranceSetting, Positive: true})
	}
	for i, v := range p.Inputs[:len(p.Inputs)-p.Controls] {
		l.add(Variable{Name: v.Name, Unit: v.Unit, Text: v.Text, Kind: Input, Start: v.Start, State: -1, parameter: -1,
			source: i, Nonnegative: v.Nonnegative})
	}
}

func (l *lister) listOutputs() {
	p := l.program
	for i, v := range l.outputs {
		state, ok := l.states[v.Name]
		if !ok {
			state = -1
		}
		text := v.Text
		if v.Driver != "" {
			text = strings.TrimSuffix("driven by "+v.Driver+"; "+text, "; ")
		}
		l.add(l.started(Variable{Name: v.Name, Unit: v.Unit, Text: text, Display: v.Display, Kind: Output,
			Driver: v.Driver, Discrete: isDiscrete(p, v.Name), State: state, source: i}))
	}
	for i, v := range p.Outputs[len(l.outputs):] {
		l.add(Variable{Name: component(v.Name) + ".contact", Unit: "1",
			Text: "the tire touches the road", Kind: Contact,
			State: -1, parameter: -1, source: i})
	}
	if !l.ownsEnergy() {
		for i, e := range energies {
			if l.hasEnergy(i) {
				l.add(Variable{Name: energyName + "." + e.name, Unit: "J", Text: e.text, Kind: Energy, State: -1, parameter: -1,
					source: i})
			}
		}
	}
	l.listPowers()
	for _, k := range actKinds {
		if k.list != nil {
			k.list(l)
		}
	}
	for i, v := range p.States {
		if !l.published[v.Name] {
			l.add(l.started(Variable{Name: v.Name, Unit: v.Unit, Text: v.Text, Kind: State, State: i, source: i}))
		}
	}
	for i, v := range p.States {
		l.add(Variable{Name: "der(" + v.Name + ")", Unit: perSecond(v.Unit),
			Text: "derivative of " + v.Name, Kind: Rate,
			State: i, parameter: -1, source: i})
	}
	for i, v := range p.Outputs[len(l.outputs):] {
		l.add(Variable{Name: v.Name, Unit: v.Unit, Text: v.Text, Kind: Indicator, State: -1, parameter: -1,
			source: len(l.outputs) + i})
	}
}

// text adds a text variable and returns its index among the texts.
func (l *lister) text(name, what, start string) int {
	l.add(Variable{Name: name, Text: what, Kind: Text, StartText: start, State: -1, parameter: -1})
	l.count++
	return l.count - 1
}

func (l *lister) listTexts() {
	p := l.program
	l.text(MethodVariable, "integration method: "+strings.Join(solver.Names(), ", "), l.model.Solver.Method)
	l.texts.jacobian = l.text(jacobianVariable, "matrix of the method linearly-implicit: "+
		strings.Join(solver.Matrices, " or "), l.model.Solver.Jacobian)
	l.texts.multipliers, l.texts.assemble = -1, -1
	if p.Constraints > 0 {
		l.texts.multipliers = l.text(multipliersVariable, "constraint violations that dlmm corrects, of a step or of "+
			"every stage: "+strings.Join(vehicle.Multipliers, " or "), l.model.Solver.Multipliers)
		l.texts.assemble = l.text(AssembleVariable, "whether a start that violates constraints is assembled: "+
			strings.Join(vehicle.Assemblies, ", "), l.model.Solver.Assemble)
	}
	l.texts.choices = l.count
	for _, i := range l.choices {
		v := &p.Parameters[i]
		l.text(v.Name, strings.TrimPrefix(v.Text+": "+strings.Join(v.Choices, " or "), ": "), v.Choices[int(v.Start)])
	}
	l.texts.terrains = l.count
	for _, t := range p.Terrains {
		for _, text := range [terrainTexts]struct{ key, what, start string }{
			groundKind:    {"kind", "kind of terrain: " + strings.Join(road.Kinds, ", "), t.Kind},
			groundFormula: {"formula", "height in m over x, y in m and t in s, for the kind formula", t.Formula},
			groundFile:    {"file", "file of the kinds table, grid, crg and rdf, relative to the model file", t.File},
			groundClass: {"class", "roughness class, for the kind iso8608: " + strings.Join(road.Classes, ", "),
				t.Class},
			frictionKind: {
				"friction_kind", "kind of the friction map: " + strings.Join(road.FrictionKinds, ", "),
				t.Map.Kind,
			},
			frictionFormula: {"friction_formula", "factor over x, y in m and t in s, for the kind formula",
				t.Map.Formula},
			frictionFile: {"friction_file", "file of the kinds table, grid and crg, relative to the model file",
				t.Map.File},
		} {
			l.text(t.Name+"."+text.key, text.what, text.start)
		}
	}
	for _, t := range l.tires {
		l.function(t.slot, "force function: a built-in or registered name, inputs, plugin:LIBRARY#SYMBOL or "+
			"sti:LIBRARY#ROUTINE", "the force function")
	}
	l.texts.curves = l.count
	for _, c := range l.model.CurveFiles {
		l.text(c.Name+".file", "file of the curve, with the columns that the model file names, relative to it", c.File)
	}
	l.texts.record = -1
	if !l.ownsEnergy() {
		l.texts.record = l.text(RecordVariable, "true: works are recorded, and "+energyName+".supplied, .dissipated and "+
			".balance count from initialisation; false: they are 0", recordOff)
	}
	l.texts.endAt = -1
	if ends := p.Ends; len(ends) > 0 {
		l.texts.endAt = l.text(endAtVariable, "conditions that end runs, with commas between them: "+
			strings.Join(endNames(ends), ", ")+"; or "+noEnd, defaultEnds(ends))
	}
	l.texts.code = l.text(CodeVariable,
		"native: machine code, generated at load time, where the system allows it; portable: no machine code", nativeCode)
	for _, t := range l.slots {
		if t.of.IsRelaxation() {
			l.function(t, "relaxation function: a built-in or registered name, or plugin:LIBRARY#SYMBOL",
				"the relaxation function")
		}
		if t.of.IsLaw() {
			l.function(t, "function of the outputs and rates: a registered name, or plugin:LIBRARY#SYMBOL", "the function")
		}
	}
	for _, c := range l.controllers {
		l.function(c.slot, "function that is called at samples: a registered name, or plugin:LIBRARY#SYMBOL; \"\": none, "+
			"and all values are held", "the function")
	}
}

// function adds the texts of a slot.
func (l *lister) function(t *slot, what, it string) {
	function, file := t.of.TextNames()
	t.text = l.text(function, what, t.function)
	l.text(file, "parameter file of "+it+", relative to the model file", t.file)
}
