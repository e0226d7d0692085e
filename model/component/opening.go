package component

import (
	"skidpad/model/expr"
	"skidpad/model/keys"
)

// lagKey is the key of the lag of a valve.
var lagKey = nonnegative("lag", "s", "0", "time constant from the opening that is asked for to that of the valve; "+
	"0: the valve has no state")

// Opening is the opening of a valve with its lag.
type Opening struct {
	Opening TimeCourse
	Lag     keys.Scalar // s
}

func readOpening(f *keys.Fields) Opening {
	return Opening{readTimeCourse(f, "opening", "1"), f.Scalar("lag")}
}

// at is the opening within its limits.
func (o *Opening) at(b Builder, least *expr.Expr) *expr.Expr {
	if zero(o.Lag) {
		return o.asked(b, least)
	}
	return b.Pool().Sym(b.Head().Name+".position", expr.State)
}

// asked is the opening that is asked for, within its limits.
func (o *Opening) asked(b Builder, least *expr.Expr) *expr.Expr {
	p := b.Pool()
	value, _ := o.Opening.value(b)
	return b.Define("opening", p.Call(expr.Max, least, p.Call(expr.Min, p.Int(1), value)))
}

// follow makes the state of the lag, and publishes the opening where there is none. The state starts where a number or
// a formula asks it to be, and at 0 with an input, which other components may drive.
func (o *Opening) follow(b Builder, least *expr.Expr) {
	p, at := b.Pool(), o.at(b, least)
	if zero(o.Lag) {
		b.Publish("position", "1", "opening of the valve", at)
		return
	}
	asked := o.asked(b, least)
	s := OwnState{Key: "position", Unit: "1", Text: "opening of the valve", Symbol: at,
		Rate: p.Div(p.Sub(asked, at), b.Scalar("lag", "s", o.Lag))}
	if !o.Opening.Input {
		s.Begin = asked
	}
	b.State(s)
}
