package component

import (
	"cmp"
	"slices"

	"skidpad/model/expr"
	"skidpad/model/keys"
	"skidpad/model/program"
	"skidpad/tire"
)

var controllerType = Type{
	Word:   "controller",
	Text:   "digital controller by a function of the user's own, which is called at samples; inside a model or alone",
	Middle: true,
	Keys: slices.Concat(sampleKeys, []keys.Key{
		{Name: "function", Shape: keys.TextShape, Optional: true,
			Text: "registered name of the function; default: none, and all values are held; the string `function` names " +
				"another one at load time, also plugin:LIBRARY#SYMBOL, which a file cannot name"},
		{Name: "file", Shape: keys.TextShape, Optional: true,
			Text: "parameter file of the function, relative to the model file; the string `file` exchanges it"},
		sampledInputsKey,
		{Name: "states", Shape: keys.TablesShape, Optional: true,
			Text: "what the function remembers: it gets the states, and returns their next values",
			Keys: []keys.Key{ownNameKey, unitKey, textKey, startKey, drivenKey}},
		{Name: "outputs", Shape: keys.TablesShape, Optional: true, Text: "outputs, which the function returns",
			Keys: []keys.Key{ownNameKey, unitKey, textKey, heldKey, drivenKey}},
		intervenesKey,
	}),
	Read: readController,
}

// Controller is a digital controller by a function outside of the file. The function is called once at each sample.
type Controller struct {
	sampled
	Function, File string           // "" for none
	Intervenes     EquationVariable // condition; without a formula where nothing counts interventions
}

// nextSuffix stands behind the name of a state in the name of its next value among the results of a function.
const nextSuffix = "_next"

// readController reads it. A file names no library, so that reading a file never runs native code.
func readController(h keys.Header, f *keys.Fields) Component {
	c := &Controller{Function: f.Text("function"), File: f.Text("file")}
	if tire.NamesLibrary(c.Function) {
		f.Fault("function", "%s.function is %q, which names a library, and a model file cannot make code run; leave the "+
			"key out, and set %[3]s.function to this text when the model is loaded (--set, SetString, skidpad_set_text)",
			f.Path, c.Function, h.Name)
	}
	taken := map[string]bool{sampleName: true}
	c.Intervenes = readIntervenes(f, taken)
	c.sampled = readSampled(h, f, taken, "", "")
	c.checkIntervenes(f)
	for _, y := range c.Outputs {
		for _, x := range c.States {
			if y.Name == x.Name+nextSuffix {
				f.FaultAt(y.Pos, "the output %s of %s has the name of the next value of the state %s; give it another name",
					y.Name, f.Path, x.Name)
			}
		}
	}
	return c
}

// checkIntervenes checks the names in the condition. They change at samples only, and so does the condition.
func (c *Controller) checkIntervenes(f *keys.Fields) {
	const rule = "it can name outputs, states and [parameters]"
	known := map[string]bool{}
	for _, v := range slices.Concat(c.Outputs, c.States) {
		known[v.Name] = true
	}
	checkFormula(f, &c.Intervenes, known, rule)
	_ = keys.CheckFormula(c.Intervenes.Formula, func(name string) bool {
		if ofModel(name) {
			f.FaultAt(c.Intervenes.Pos, "the formula of %s: %s changes between samples; %s", c.Intervenes.Name, name, rule)
		}
		return true
	})
}

// Law adds held values. At a sample a function computes them,
//
//	(y, x_next) = f(u, x, sample)
//
// with the inputs u and the states x from before the sample. Without a function they stay.
func (c *Controller) Law(b Builder) {
	s, known := c.begin(b)
	values := map[string]*expr.Expr{} // after the sample
	call := &program.Call{Name: c.Name + "." + program.ControllerRole, Function: c.Function, File: c.File}
	add := func(name string, value *expr.Expr) {
		call.Inputs, s.Arguments = append(call.Inputs, name), append(s.Arguments, value)
	}
	for _, v := range c.Inputs {
		add(v.Name, known[v.Name])
	}
	for _, v := range c.Outputs {
		values[v.Name] = c.hold(b, &s, v)
		s.Next = append(s.Next, values[v.Name])
		call.Returns = append(call.Returns, v.Name)
	}
	for _, v := range c.States {
		held := c.hold(b, &s, v)
		values[v.Name] = held
		s.Next = append(s.Next, held)
		call.Returns = append(call.Returns, v.Name+nextSuffix)
		add(v.Name, held)
	}
	add(sampleName, known[sampleName])
	s.Function = call
	b.Sampled(s)
	if c.Intervenes.Formula != "" {
		c.countInterventions(b, s.Sampler, values)
	}
}

// countInterventions counts how often the condition of interventions begins to hold. It holds, or not, from one sample
// to the next, and follows from the values after a sample. At the next sample it becomes the condition before.
func (c *Controller) countInterventions(b Builder, of program.Sampler, values map[string]*expr.Expr) {
	p := b.Pool()
	condition, err := p.Parse(c.Intervenes.Formula, func(name string) *expr.Expr {
		return cmp.Or(values[name], b.Named(name))
	})
	if err != nil {
		b.Reject(c.Intervenes.Pos, "%s.%s: %v", c.Name, c.Intervenes.Name, err)
		return
	}
	s := Sampled{Sampler: program.Sampler{Name: c.Name, Sample: of.Sample, Phase: of.Phase, Active: of.Active}}
	remembered := func(name string) *expr.Expr {
		symbol, control := b.Control(name, "1", 0)
		s.Values = append(s.Values, program.SampledValue{Name: c.Name + "." + name, Control: control,
			Start: b.EngineConstant(p.Int(0))})
		return symbol
	}
	acted, before, past := remembered("acted"), remembered("intervened"), remembered("past_interventions")
	now := p.Mul(acted, p.Truth(condition)) // start values are no intervention
	count := p.Add(past, p.Mul(now, p.Equal(before, p.Int(0))))
	s.Next = []*expr.Expr{p.Int(1), now, count}
	b.Sampled(s)
	b.Publish(keys.Intervening, "1", keys.InterveningText, now)
	b.Publish(keys.Interventions, "1", keys.InterventionsText, count)
}
