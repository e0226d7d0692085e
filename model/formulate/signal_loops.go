package formulate

import (
	"slices"
	"strings"

	"skidpad/model/expr"
	"skidpad/model/keys"
)

// signal is a link or a driven input in the search for loops.
type signal struct {
	value  *expr.Expr
	at     keys.Position
	labels []string // variables on the way of the value, in order
	drives bool
	reads  string // name of an input with the value, "" of other signals
}

// signalsOf maps symbols to their signals.
func (f *Formulation) signalsOf() map[*expr.Expr]*signal {
	all := map[*expr.Expr]*signal{}
	units := map[string]string{}
	for _, o := range f.Outputs {
		units[o.Name] = o.Unit
	}
	for _, l := range f.links {
		all[l.Symbol] = &signal{value: l.value, at: l.at, labels: []string{l.from + ofUnit(units[l.from])}, reads: l.Name}
	}
	for _, d := range f.drivers {
		all[d.Symbol] = &signal{value: d.value, at: d.at, labels: []string{d.by, d.Name}, drives: true}
	}
	return all
}

// ofUnit names the kind of a quantity in brackets, by its unit: of quantities that follow from the equations of motion.
func ofUnit(unit string) string {
	switch unit {
	case "m/s2", "rad/s2":
		return " (acceleration)"
	case "N":
		return " (force)"
	case "N.m":
		return " (moment)"
	}
	return ""
}

// checkLoops refuses signals that depend on themselves. All tire functions are called in one round, so that each tire
// force counts as dependent on the arguments of all.
func (f *Formulation) checkLoops() {
	l := &loops{f: f, signals: f.signalsOf(), done: map[*expr.Expr]bool{}, on: map[*expr.Expr]bool{}}
	for _, x := range f.links {
		l.visit(x.Symbol)
	}
	for _, x := range f.drivers {
		l.visit(x.Symbol)
	}
}

// loops is a depth-first search along dependences.
type loops struct {
	f        *Formulation
	signals  map[*expr.Expr]*signal
	path     []*expr.Expr
	on, done map[*expr.Expr]bool // on the path; searched
}

func (l *loops) visit(e *expr.Expr) {
	switch {
	case l.f.err != nil || l.done[e]:
		return
	case l.on[e]:
		l.reject(l.path[slices.Index(l.path, e):])
		return
	}
	l.on[e], l.path = true, append(l.path, e)
	switch s := l.signals[e]; {
	case s != nil:
		l.visit(s.value)
	case isReturned(e):
		for i := range l.f.Calls {
			for _, a := range l.f.Calls[i].Arguments {
				l.visit(a)
			}
		}
	default:
		for _, a := range e.Args() {
			l.visit(a)
		}
	}
	l.on[e], l.path = false, l.path[:len(l.path)-1]
	l.done[e] = true
}

// isReturned reports whether an expression is a result of an external function.
func isReturned(e *expr.Expr) bool { return e.Kind() == expr.Symbol && e.Role() == expr.Returned }

// reject names the signals of a loop. The chain begins with an output that drives an input.
func (l *loops) reject(loop []*expr.Expr) {
	var list []*signal
	for _, e := range slices.Backward(loop) {
		if s := l.signals[e]; s != nil {
			list = append(list, s)
		}
	}
	called := slices.ContainsFunc(loop, isReturned)
	if s := list[0]; called && len(list) == 1 && s.reads != "" { // a law in a function, whatever it drives
		l.f.reject(s.at, "%s reads %s: all functions of tires and laws are called in one round, and none can use a "+
			"result of another at once; let a state of equations with formulas follow it by a lag, and read this state",
			s.reads, s.labels[0])
		return
	}
	first := max(0, slices.IndexFunc(list, func(s *signal) bool { return s.drives }))
	list = append(list[first:], list[:first]...)
	var names []string
	for _, s := range list {
		names = append(names, s.labels...)
	}
	names = append(slices.Compact(names), names[0])
	calls := ""
	if called {
		calls = "; all functions of tires and laws are called in one round, and none can use a result of another at once"
	}
	l.f.reject(list[0].at, "algebraic loop: %s; read a state, add a state (lag), or use a sampled controller%s",
		strings.Join(names, " -> "), calls)
}
