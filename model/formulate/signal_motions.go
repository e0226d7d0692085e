package formulate

import (
	"slices"
	"strings"

	"skidpad/model/expr"
)

// order is the name of a derivative of a motion for messages.
var order = [3]string{"position", "rate", "acceleration"}

// drivenAt is the place of an input among the driven ones, by its index among all inputs; -1 for none.
func (f *Formulation) drivenAt(input int) int {
	if input < 0 {
		return -1
	}
	return slices.IndexFunc(f.drivers, func(d driven) bool { return d.Name == f.Inputs[input].Name })
}

// checkMotions refuses motions with a driven rate or acceleration and a free position.
func (f *Formulation) checkMotions() {
	for _, m := range f.Motions {
		for k := 1; k < len(m); k++ {
			if at := f.drivenAt(m[k]); at >= 0 && f.drivenAt(m[k-1]) < 0 {
				d := &f.drivers[at]
				f.reject(d.at, "%s drives %s, the %s of a motion whose %s %s nothing drives; drive %[5]s, too, or alone",
					d.by, d.Name, order[k], order[k-1], f.Inputs[m[k-1]].Name)
				return
			}
		}
	}
}

// followMotions adds the missing rates and accelerations of driven motions, as derivatives by time.
func (f *Formulation) followMotions() {
	kept := f.Motions[:0:0]
	for _, m := range f.Motions {
		if f.drivenAt(m[0]) < 0 {
			kept = append(kept, m)
			continue
		}
		if !f.followMotion(m) {
			return
		}
		name := f.Inputs[m[1]].Name
		f.moved = append(f.moved, drivenMotion{name[:strings.LastIndexByte(name, '.')], f.Inputs[m[1]].Symbol})
	}
	f.Motions = kept
}

// followMotion adds the missing derivatives of one motion, and reports whether they exist.
func (f *Formulation) followMotion(m [3]int) bool {
	first := f.drivers[f.drivenAt(m[0])]
	for k := 0; k < len(m) && m[k] >= 0; k++ {
		at := f.drivenAt(m[k])
		if at < 0 {
			before := f.drivers[f.drivenAt(m[k-1])]
			value := before.value
			if beyond := value.Depends() &^ (expr.Parameter | expr.State | expr.Time); beyond != 0 {
				f.reject(first.at, "%s drives %s, whose %s is not known: it would be the derivative of %s, which depends on %s; "+
					"let %s follow from states whose rates follow from states (two states in a chain), or drive %s, too",
					first.by, first.Name, order[k], before.by, f.dependingOn(beyond), first.by, f.Inputs[m[k]].Name)
				return false
			}
			by := "the rate of " + before.by
			f.drivers = append(f.drivers, driven{Input: f.Inputs[m[k]], at: first.at, by: by, value: f.rateOf(value)})
			if f.checkLoops(); f.err != nil {
				return false
			}
			last := f.drivers[len(f.drivers)-1]
			f.Pool.Become([]*expr.Expr{last.Symbol}, []*expr.Expr{last.value})
		}
	}
	return true
}

// dependingOn describes a dependence without a derivative by time.
func (f *Formulation) dependingOn(roles expr.Role) string {
	if roles&expr.Returned != 0 {
		return "a tire force"
	}
	return "an input"
}

// rateOf is the derivative by time of an expression in states and the time.
func (f *Formulation) rateOf(e *expr.Expr) *expr.Expr {
	rates := map[*expr.Expr]*expr.Expr{f.Pool.Sym("time", expr.Time): f.Pool.Int(1)}
	for _, s := range f.States() {
		rates[s.Symbol] = s.Rate
	}
	return f.Pool.NewDerivative("t", rates).Of(e)
}
