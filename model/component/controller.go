package component

import (
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
	}),
	Read: readController,
}

// Controller is a digital controller by a function outside of the file. The function is called once at each sample.
type Controller struct {
	sampled
	Function, File string // "" for none
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
	c.sampled = readSampled(h, f, map[string]bool{sampleName: true}, "", "")
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

// Law adds held values. At a sample a function computes them,
//
//	(y, x_next) = f(u, x, sample)
//
// with the inputs u and the states x from before the sample. Without a function they stay.
func (c *Controller) Law(b Builder) {
	s, known := c.begin(b)
	call := &program.Call{Name: c.Name + "." + program.ControllerRole, Function: c.Function, File: c.File}
	add := func(name string, value *expr.Expr) {
		call.Inputs, s.Arguments = append(call.Inputs, name), append(s.Arguments, value)
	}
	for _, v := range c.Inputs {
		add(v.Name, known[v.Name])
	}
	for _, v := range c.Outputs {
		s.Next = append(s.Next, c.hold(b, &s, v))
		call.Returns = append(call.Returns, v.Name)
	}
	for _, v := range c.States {
		held := c.hold(b, &s, v)
		s.Next = append(s.Next, held)
		call.Returns = append(call.Returns, v.Name+nextSuffix)
		add(v.Name, held)
	}
	add(sampleName, known[sampleName])
	s.Function = call
	b.Sampled(s)
}
