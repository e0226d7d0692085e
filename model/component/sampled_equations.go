package component

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"skidpad/model/expr"
	"skidpad/model/keys"
)

var sampledEquationsType = Type{
	Word:   "sampled-equations",
	Text:   "equations of a digital controller, which reads and acts at samples; inside a model or alone",
	Middle: true,
	Keys: slices.Concat(sampleKeys, []keys.Key{
		sampledInputsKey,
		{Name: "states", Shape: keys.TablesShape, Optional: true, Text: "states, which change at samples only",
			Keys: []keys.Key{ownNameKey, unitKey, textKey, startKey,
				{Name: "next", Shape: keys.TextShape, Names: keys.Variables,
					Text: "formula of the value after the sample"},
				drivenKey,
			}},
		{Name: "modes", Shape: keys.TablesShape, Optional: true,
			Text: "changes of the mode; the mode of the first row is the mode at the start",
			Keys: []keys.Key{
				{Name: "mode", Shape: keys.TextShape, Text: "mode that the row leaves"},
				{Name: "condition", Shape: keys.TextShape, Names: keys.Variables,
					Text: "formula of the condition, which holds above 0; of several rows of a mode the first counts"},
				{Name: "next", Shape: keys.TextShape, Text: "mode after it"},
			}},
		{Name: "outputs", Shape: keys.TablesShape, Optional: true,
			Text: "outputs, which change at samples only; formulas of later outputs and of states can use each of them",
			Keys: []keys.Key{ownNameKey, unitKey, textKey,
				{Name: "value", Shape: keys.TextShape, Names: keys.Variables, Text: "formula of the value from the sample on"},
				heldKey,
				drivenKey,
			}},
		intervenesKey,
	}),
	Read: readSampledEquations,
}

// SampledEquations are a digital controller, whose values after a sample are formulas.
type SampledEquations struct {
	sampled
	Changes    []ModeChange     // of the mode, if there are modes
	Modes      []string         // names; the number of a mode is its place
	Intervenes EquationVariable // condition; without a formula where nothing counts interventions
}

// ModeChange is a change from one mode to another on a condition.
type ModeChange struct {
	From, To  int // numbers of modes
	Condition string
	Pos       keys.Position // of the condition
}

// modeName is the name of the number of the mode.
const modeName = "mode"

// readSampledEquations reads variables and modes, and checks that formulas know the names that they use.
func readSampledEquations(h keys.Header, f *keys.Fields) Component {
	c := &SampledEquations{}
	taken := map[string]bool{modeName: true, sampleName: true}
	c.Intervenes = readIntervenes(f, taken)
	changes := f.List("modes")
	for _, m := range changes { // a mode that only "next" names has no way out
		c.readMode(f, m, "mode", taken)
	}
	for _, m := range changes {
		c.readMode(f, m, "next", taken)
	}
	c.sampled = readSampled(h, f, taken, "next", "value")
	c.checkFormulas(f, changes)
	return c
}

// readMode adds the mode that a key of a row names.
func (c *SampledEquations) readMode(f, row *keys.Fields, key string, taken map[string]bool) {
	name := row.Text(key)
	_, parameter := f.Reader.Parameters[name]
	switch {
	case name == "" || slices.Contains(c.Modes, name):
		return
	case !keys.IsIdentifier(name):
		row.Fault(key, "%s.%s is %q; a mode has the name of an identifier: a letter, then letters, digits and _", row.Path,
			key, name)
	case parameter || taken[name] || slices.Contains(keys.Reserved, name):
		row.Fault(key, "%s.%s is %q, which is a parameter of the model or a name of the engine's own; formulas could not "+
			"tell them apart, give the mode another name", row.Path, key, name)
	}
	taken[name] = true
	c.Modes = append(c.Modes, name)
}

// checkFormulas checks the names in formulas, and reads the changes of the mode.
func (c *SampledEquations) checkFormulas(f *keys.Fields, changes []*keys.Fields) {
	known := map[string]bool{sampleName: true}
	for _, v := range slices.Concat(c.Inputs, c.States) {
		known[v.Name] = true
	}
	for _, name := range c.Modes {
		known[modeName], known[name] = true, true
	}
	const rule = "it can name inputs, states, %s[parameters], modes, sample, variables of the model such as body.vx, " +
		"and time"
	for _, row := range changes {
		change := ModeChange{From: slices.Index(c.Modes, row.Text("mode")), To: slices.Index(c.Modes, row.Text("next")),
			Condition: row.Text("condition"), Pos: row.Position("condition")}
		checkFormula(row, &EquationVariable{Name: modeName, Formula: change.Condition, Pos: change.Pos}, known,
			strings.Replace(rule, "%s", "", 1))
		c.Changes = append(c.Changes, change)
	}
	for i := range c.Outputs {
		checkFormula(f, &c.Outputs[i], known, strings.Replace(rule, "%s", "outputs before this one, ", 1))
		known[c.Outputs[i].Name] = true
	}
	for i := range c.States {
		checkFormula(f, &c.States[i], known, strings.Replace(rule, "%s", "outputs, ", 1))
	}
	checkFormula(f, &c.Intervenes, known, strings.Replace(rule, "%s", "outputs, ", 1))
}

// Law adds held values with formulas of their next values. At a sample,
//
//	mode = m(mode, x, u),  y = h(mode, x, u),  x = g(mode, x, u, y)
//
// with the states x and the mode from before the sample in m, and the new mode and the old states in h and g. The
// condition of an intervention has the arguments of g.
func (c *SampledEquations) Law(b Builder) {
	p := b.Pool()
	s, known := c.begin(b)
	for i, name := range c.Modes {
		known[name] = p.Int(int64(i))
	}
	parse := func(name, formula string, at keys.Position) *expr.Expr {
		e, err := p.Parse(formula, func(name string) *expr.Expr {
			if e := cmp.Or(known[name], b.Named(name)); e != nil || !ofModel(name) {
				return e
			}
			return b.Variable(name, at)
		})
		if err != nil {
			b.Reject(at, "%s.%s: %v", c.Name, name, err)
			return p.Int(0)
		}
		return p.Define(c.Name+"."+name+".next", e)
	}
	for _, v := range c.States {
		known[v.Name] = c.hold(b, &s, v)
	}
	if len(c.Modes) > 0 {
		mode := EquationVariable{Name: modeName, Unit: "1", Text: c.modeText(), Value: keys.Zero(), Formula: c.table()}
		held := c.hold(b, &s, mode)
		known[modeName] = held
		next := held
		for _, change := range slices.Backward(c.Changes) {
			condition := parse(modeName, change.Condition, change.Pos)
			leaves := p.Mul(p.Truth(condition), p.Equal(held, p.Int(int64(change.From))))
			next = p.Define(c.Name+".mode.next", p.Select(leaves, p.Int(int64(change.To)), next))
		}
		known[modeName] = next
	}
	for _, v := range c.Outputs {
		c.hold(b, &s, v)
		known[v.Name] = parse(v.Name, v.Formula, v.Pos)
	}
	for _, v := range c.States {
		s.Next = append(s.Next, parse(v.Name, v.Formula, v.Pos))
	}
	if len(c.Modes) > 0 {
		s.Next = append(s.Next, known[modeName])
	}
	for _, v := range c.Outputs {
		s.Next = append(s.Next, known[v.Name])
	}
	if v := c.Intervenes; v.Formula != "" {
		var before [2]*expr.Expr
		for i, counted := range interventions(v) {
			before[i] = c.hold(b, &s, counted)
		}
		now := p.Truth(parse(v.Name, v.Formula, v.Pos))
		s.Next = append(s.Next, now, p.Add(before[1], p.Mul(now, p.Equal(before[0], p.Int(0)))))
	}
	b.Sampled(s)
}

// table is the table of changes in one text.
func (c *SampledEquations) table() string {
	var rows []string
	for _, change := range c.Changes {
		rows = append(rows, c.Modes[change.From]+": "+change.Condition+": "+c.Modes[change.To])
	}
	return strings.Join(rows, "; ")
}

// modeText describes the numbers of the modes.
func (c *SampledEquations) modeText() string {
	var list []string
	for i, name := range c.Modes {
		list = append(list, strconv.Itoa(i)+" "+name)
	}
	return "mode: " + strings.Join(list, ", ")
}
