package component

import (
	"skidpad/model/expr"
	"skidpad/model/graph"
	"skidpad/model/keys"
	"skidpad/model/program"
)

// sampleKeys are the keys of all components that act at samples, before those of their variables.
var sampleKeys = []keys.Key{
	positive("sample", "s", "time from one sample to the next"),
	{Name: "phase", Unit: "s", Default: "0", Nonnegative: true, Text: "time of the first sample"},
	{Name: "active", Unit: "1", Default: "1", Nonnegative: true, AtMostOne: true,
		Text: "0: the component never acts, and outputs and states keep their start values"},
}

// sampledInputsKey has the inputs of components that act at samples.
var sampledInputsKey = keys.Key{Name: "inputs", Shape: keys.TablesShape, Optional: true, Text: "inputs",
	Keys: []keys.Key{ownNameKey, unitKey, textKey, startKey, variableKey}}

// heldKey is the key of the value of an output before the first sample.
var heldKey = scalar("start", "", "0", "value before the first sample")

// sampleName is the name of the time between samples, in formulas and among the inputs of functions.
const sampleName = "sample"

// sampled are the parts that all components have that act at samples. At each sample they read their inputs; their
// outputs and states then change, and hold their values until the next sample.
type sampled struct {
	keys.Header
	Sample, Phase, Active   keys.Scalar // s, s, 1
	Inputs, States, Outputs []EquationVariable
}

// readSampled reads them. next and value are the keys of the formulas of states and outputs, "" for none; taken has
// names that variables cannot have, and receives the names of the variables.
func readSampled(h keys.Header, f *keys.Fields, taken map[string]bool, next, value string) sampled {
	c := sampled{Header: h, Sample: f.Scalar("sample"), Phase: f.Scalar("phase"), Active: f.Scalar("active")}
	for _, u := range f.List("inputs") {
		c.Inputs = append(c.Inputs, equationVariable(u, taken, inputRole, "", false))
	}
	for _, x := range f.List("states") {
		c.States = append(c.States, equationVariable(x, taken, stateRole, next, false))
	}
	for _, y := range f.List("outputs") {
		v := equationVariable(y, taken, outputRole, value, false)
		v.Value = y.ScalarIn("start", v.Unit)
		c.Outputs = append(c.Outputs, v)
	}
	if f.Table != nil && len(c.States)+len(c.Outputs) == 0 && !f.Given("states") && !f.Given("outputs") {
		f.FaultOfTable("%s has neither states nor outputs; a component that acts at samples needs at least one of them",
			f.Path)
	}
	return c
}

func (*sampled) Frames() Frames { return Frames{} }

// Edges: they move no frame.
func (*sampled) Edges(*Scope) []graph.Edge { return nil }

// Check has nothing to add to the keys.
func (*sampled) Check(*Scope, *keys.Reader) {}

// begin adds the times of the samples and the inputs, and returns the values of their names.
func (c *sampled) begin(b Builder) (s Sampled, known map[string]*expr.Expr) {
	known = map[string]*expr.Expr{sampleName: b.Scalar("sample", "s", c.Sample)}
	s.Sampler = program.Sampler{Name: c.Name, Sample: b.EngineConstant(known[sampleName]),
		Phase:  b.EngineConstant(b.Settable("phase", "s", "", c.Phase)),
		Active: b.EngineConstant(b.Settable("active", "1", "", c.Active))}
	for _, v := range c.Inputs {
		if v.From.Name != "" {
			known[v.Name] = b.Reads(v.Name, v.Unit, v.Text, v.From)
			continue
		}
		known[v.Name] = b.Input(v.Name, v.Unit, v.Text, v.Value.Value)
	}
	return s, known
}

// hold adds a value that is held between samples, and returns it.
func (c *sampled) hold(b Builder, s *Sampled, v EquationVariable) *expr.Expr {
	symbol, control := b.Control(v.Name, v.Unit, v.Value.Value)
	start := b.EngineConstant(b.Scalar(v.Name+"_start", v.Unit, v.Value))
	s.Values = append(s.Values, program.SampledValue{Name: c.Name + "." + v.Name, Control: control, Start: start,
		Formula: v.Formula})
	b.Publish(v.Name, v.Unit, v.Text, symbol)
	for _, to := range v.To {
		b.Drives(to, v.Name, v.Unit, symbol)
	}
	return symbol
}
