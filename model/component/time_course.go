package component

import (
	"skidpad/model/document"
	"skidpad/model/expr"
	"skidpad/model/keys"
)

// courseKey is the key of a value over time.
func courseKey(name, unit, text string) keys.Key {
	return keys.Key{Name: name, Shape: keys.CourseShape, Unit: unit, Text: text}
}

// TimeCourse is a value over time: a number, a formula over parameters and the time, or an input.
type TimeCourse struct {
	Key, Unit string
	Number    keys.Scalar // also a formula over parameters
	Formula   string      // over parameters and the time; "" for none
	Input     bool
	Pos       keys.Position
}

// InputWord stands for an input in place of a value.
const InputWord = "input"

func readTimeCourse(f *keys.Fields, key, unit string) TimeCourse {
	c := TimeCourse{Key: key, Unit: unit, Pos: f.Position(key)}
	n := f.Node(key)
	switch {
	case n == nil:
	case n.Kind == document.Text && n.Text == InputWord:
		c.Input = true
	case n.Kind == document.Text && misspeltInput(f, n.Text):
		f.Fault(key, "%s is %q, which is no parameter; did you mean %q?", f.PathOf(key), n.Text, InputWord)
	case n.Kind == document.Text && ofTime(n.Text):
		c.Formula = n.Text
		known := func(name string) bool { _, is := f.Reader.Parameters[name]; return is || name == "time" }
		if err := keys.CheckFormula(n.Text, known); err != nil {
			f.Fault(key, "%s: %v; it can name [parameters] and time", f.PathOf(key), err)
		}
	default:
		c.Number = f.Scalar(key)
	}
	return c
}

// misspeltInput reports whether a text nearly is the word for an input.
func misspeltInput(f *keys.Fields, text string) bool {
	_, parameter := f.Reader.Parameters[text]
	return !parameter && document.Nearest(text, []string{InputWord}) != ""
}

// ofTime reports whether a formula names the time.
func ofTime(formula string) (is bool) {
	_ = keys.CheckFormula(formula, func(name string) bool { is = is || name == "time"; return true })
	return is
}

// variable reports whether the value is a variable of the model by its key: an input, or a parameter.
func (c TimeCourse) variable() bool {
	return c.Input || c.Formula == "" && !c.Number.Formula && c.Number.Value != 0
}

// value is the value, and what makes its rate; nil for a value that is constant during a run. The rate of an input is
// another input, which appears where the rate is needed.
func (c TimeCourse) value(b Builder) (value *expr.Expr, rate func() *expr.Expr) {
	p := b.Pool()
	switch {
	case c.Input:
		return b.Input(c.Key, c.Unit, c.Key+", given from outside", 0), func() *expr.Expr {
			return b.Input("rate", c.Unit+"/s", "rate of the input "+c.Key, 0)
		}
	case c.Formula == "":
		return b.Scalar(c.Key, c.Unit, c.Number), nil
	}
	time := b.Variable("time", c.Pos)
	e, err := p.Parse(c.Formula, func(name string) *expr.Expr {
		if name == "time" {
			return time
		}
		return b.Named(name)
	})
	if err != nil {
		b.Reject(c.Pos, "%s: %v", c.Key, err)
		return p.Int(0), nil
	}
	return b.Define(c.Key, e), func() *expr.Expr { return p.Diff(e, time) }
}
