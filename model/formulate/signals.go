package formulate

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"skidpad/model/component"
	"skidpad/model/document"
	"skidpad/model/expr"
	"skidpad/model/keys"
	"skidpad/model/program"
	"skidpad/model/roles"
)

// signals connect variables of the model. During the formulation, each read variable and each driven input is a symbol.
// connect then makes a definition of each symbol. Derivatives and programs, which are made later, look through
// definitions.
type signals struct {
	links   []link
	reading map[string]*expr.Expr // symbols of variables that formulas name
	drivers []driven
	moved   []drivenMotion
	timed   bool // the last control is the time
}

// link is an input, or a name in a formula, with the value of another variable of the model.
type link struct {
	Input        // without a name for a name in a formula
	from  string // variable of the model
	at    keys.Position
	value *expr.Expr
}

// driven is an input of the model with the value of an output.
type driven struct {
	Input
	at    keys.Position
	by    string // the output
	unit  string // of the output
	value *expr.Expr
}

// drivenMotion is a prescribed motion whose inputs are driven.
type drivenMotion struct {
	component string
	rate      *expr.Expr
}

func (b *bound) Variable(name string, at keys.Position) *expr.Expr {
	if e := b.f.reading[name]; e != nil {
		return e
	}
	e := b.f.Pool.Sym("read_"+name, expr.Input)
	b.f.reading[name] = e
	b.f.links = append(b.f.links, link{Input: Input{Symbol: e}, from: name, at: at})
	return e
}

func (b *bound) Reads(key, unit, text string, from component.Reference) *expr.Expr {
	e := b.f.Pool.Sym(b.prefix+key, expr.Input)
	input := Input{Name: b.prefix + key, Unit: unit, Text: text, Symbol: e}
	b.f.links = append(b.f.links, link{Input: input, from: from.Name, at: from.Pos})
	return e
}

func (b *bound) Drives(to component.Reference, key, unit string, e *expr.Expr) {
	d := driven{Input: Input{Name: to.Name}, at: to.Pos, by: b.prefix + key, unit: unit, value: e}
	b.f.drivers = append(b.f.drivers, d)
}

func (b *bound) Law(c component.LawCall) map[string]*expr.Expr {
	call := Call{Name: b.prefix + program.LawRole, Function: c.Function, File: c.File, Inputs: c.Inputs,
		Arguments: c.Arguments, Outputs: c.Outputs, Returns: c.Outputs}
	returned := map[string]*expr.Expr{}
	for _, output := range c.Outputs {
		s := b.f.Pool.Sym(output+"_"+b.head.Name, expr.Returned)
		call.Returned, returned[output] = append(call.Returned, s), s
	}
	b.f.Calls = append(b.f.Calls, call)
	return returned
}

// connect makes definitions of the symbols of signals.
func (f *Formulation) connect() {
	if len(f.links)+len(f.drivers) == 0 {
		return
	}
	for _, stage := range []func(){
		f.findSources, f.findDriven, f.checkMotions, f.checkLoops, f.giveMeaning, f.followMotions, f.startBySignals,
		f.withoutDriven,
	} {
		if stage(); f.err != nil {
			return
		}
	}
}

// findSources finds the variable that each link reads.
func (f *Formulation) findSources() {
	known := map[string]Output{"time": {Name: "time", Unit: "s", Value: f.Pool.Sym("time", expr.Time)}}
	for _, l := range f.links {
		if l.Name != "" {
			known[l.Name] = Output{Name: l.Name, Unit: l.Unit, Value: l.Symbol}
		}
	}
	for _, p := range f.Parameters {
		if !p.StartValue {
			known[p.Name] = Output{Name: p.Name, Unit: p.Unit, Value: p.Symbol}
		}
	}
	for _, u := range f.Inputs {
		known[u.Name] = Output{Name: u.Name, Unit: u.Unit, Value: u.Symbol}
	}
	for _, o := range f.Outputs {
		known[o.Name] = o
	}
	for i := range f.links {
		l := &f.links[i]
		name, err := f.Model.Roles.Variable(l.from)
		if err != nil {
			f.reject(l.at, "%v", err)
			return
		}
		source, is := known[name]
		if !is {
			source, is = f.driveOf(name)
		}
		if remedy := f.withheld(name); !is && remedy != "" {
			f.reject(l.at, "%s", remedy)
			return
		}
		if !is {
			f.reject(l.at, "%q is not a variable of the model%s", name,
				hint(name, known, "it can be a published quantity, an input, a parameter or time"))
			return
		}
		if l.Name != "" && !keys.Alike(source.Unit, l.Unit) {
			f.reject(l.at, "%s is in %s and reads %s, which is in %s; their units must agree", l.Name, shown(l.Unit), name,
				shown(source.Unit))
			return
		}
		l.from, l.value = name, source.Value
		f.timed = f.timed || name == "time"
	}
	if f.timed {
		f.Controls = append(f.Controls, Input{Name: "time", Unit: "s", Symbol: known["time"].Value})
	}
}

// driveOf is the load or the power of a motion driver; it is made only on request.
func (f *Formulation) driveOf(name string) (Output, bool) {
	for k, edge := range f.prescribed() {
		for i, v := range f.driveVariables(edge) {
			if v.Name == name {
				return Output{Name: name, Unit: v.Unit, Value: f.driveLoads()[2*k+i].Value}, true
			}
		}
	}
	return Output{}, false
}

func shown(unit string) string { return cmp.Or(unit, "1") }

// hint suggests a similar name, or lists the names of the same component, or says otherwise.
func hint[T any](name string, known map[string]T, otherwise string) string {
	var names, own []string
	owner, _, _ := strings.Cut(name, ".")
	for other := range known {
		names = append(names, other)
		if strings.HasPrefix(other, owner+".") {
			own = append(own, other)
		}
	}
	slices.Sort(names)
	slices.Sort(own)
	if len(own) == 0 {
		if near := document.Nearest(name, names); near != "" {
			return fmt.Sprintf("; did you mean %q?", near)
		}
		return "; " + otherwise
	}
	if near := document.Nearest(name, own); near != "" {
		return fmt.Sprintf("; did you mean %q?", near)
	}
	return "; " + owner + " has " + strings.Join(own[:min(10, len(own))], ", ")
}

// findDriven finds the inputs that outputs drive.
func (f *Formulation) findDriven() {
	inputs := map[string]*Input{}
	for i := range f.Inputs {
		inputs[f.Inputs[i].Name] = &f.Inputs[i]
	}
	by := map[string]string{}
	for i := range f.drivers {
		d := &f.drivers[i]
		name, err := f.Model.Roles.Variable(d.Name)
		input := inputs[name]
		if sets, wrong := f.Model.Roles.Sets(d.Name); err == nil && wrong == nil && len(sets) > 1 {
			err = fmt.Errorf("%s sets inputs by factors of their own, %s; name the input that %s drives", d.Name,
				inputsOf(sets), d.by)
		}
		switch {
		case err != nil:
			f.reject(d.at, "%v", err)
		case input == nil && f.isRead(name):
			f.reject(d.at, "%s has the value of a variable of the model already, by its key from; %s cannot drive it", name,
				d.by)
		case input == nil:
			f.reject(d.at, "%q is not an input of the model%s", name, hint(name, inputs, "only inputs can be driven"))
		case by[name] != "":
			f.reject(d.at, "%s is driven by %s already, and %s would drive it, too; an input has one driver: add the two in "+
				"one output", name, by[name], d.by)
		case !keys.Alike(input.Unit, d.unit):
			f.reject(d.at, "%s is in %s and drives %s, which is in %s; their units must agree", d.by, shown(d.unit), name,
				shown(input.Unit))
		case f.isReadBetweenSteps(name):
			f.reject(d.at, "%s is read between the steps, for the terrain under a wheel, and no output can drive it", name)
		}
		if f.err != nil {
			return
		}
		by[name], d.Input = d.by, *input
	}
}

// inputsOf lists the inputs of sets.
func inputsOf(sets []roles.Set) string {
	var names []string
	for _, s := range sets {
		names = append(names, s.Inputs...)
	}
	return strings.Join(names, ", ")
}

// isRead reports whether an input reads a variable.
func (f *Formulation) isRead(name string) bool {
	return slices.ContainsFunc(f.links, func(l link) bool { return l.Name == name })
}

// isReadBetweenSteps reports whether the engine itself reads an input.
func (f *Formulation) isReadBetweenSteps(name string) bool {
	for _, c := range f.Contacts {
		if f.Inputs[c.Height].Name == name {
			return true
		}
	}
	return slices.ContainsFunc(f.Uneven, func(u component.UnevenRoad) bool { return f.Inputs[u.Above].Name == name })
}

// giveMeaning makes definitions of the symbols of links and driven inputs.
func (f *Formulation) giveMeaning() {
	var symbols, values []*expr.Expr
	for _, l := range f.links {
		symbols, values = append(symbols, l.Symbol), append(values, l.value)
	}
	for _, d := range f.drivers {
		symbols, values = append(symbols, d.Symbol), append(values, d.value)
	}
	f.Pool.Become(symbols, values)
}

// startBySignals replaces states in start values that depend on driven inputs: by the start values of the states.
func (f *Formulation) startBySignals() {
	all := [][]State{f.Speeds, f.Coordinates, f.Internal}
	given := map[*expr.Expr]*expr.Expr{}
	for _, list := range all {
		for _, s := range list {
			if s.Start.Depends()&expr.State == 0 {
				given[s.Symbol] = s.Start
			}
		}
	}
	memo := map[*expr.Expr]*expr.Expr{}
	for _, list := range all {
		for i := range list {
			s := &list[i]
			if s.Start.Depends()&(expr.State|expr.Returned) == 0 {
				continue
			}
			if s.Start = substitute(f.Pool, s.Start, given, memo); s.Start.Depends()&(expr.State|expr.Returned) != 0 {
				f.fail(fmt.Errorf("model %s: the start value of %s follows from a driven input, which follows from %[2]s or from "+
					"a tire force; let a state with a start value stand between the two", f.Model.Name, s.Name))
				return
			}
		}
	}
}

// withoutDriven removes driven inputs from the list of inputs.
func (f *Formulation) withoutDriven() {
	place := make([]int, len(f.Inputs)) // where an input is then
	kept := f.Inputs[:0:0]
	for i, u := range f.Inputs {
		place[i] = len(kept)
		if f.drivenAt(i) < 0 {
			kept = append(kept, u)
		}
	}
	for i := range f.Motions {
		for k, at := range f.Motions[i] {
			if at >= 0 {
				f.Motions[i][k] = place[at]
			}
		}
	}
	for i := range f.Contacts {
		f.Contacts[i].Height = place[f.Contacts[i].Height]
	}
	for i := range f.Uneven {
		f.Uneven[i].Above = place[f.Uneven[i].Above]
	}
	f.Inputs = kept
}

// local lists the inputs with values of other variables as outputs, under their own names.
func (f *Formulation) local() (list []Output) {
	for _, l := range f.links {
		if l.Name != "" {
			list = append(list, Output{Name: l.Name, Unit: l.Unit, Text: l.Text, Value: l.Symbol, Driver: l.from})
		}
	}
	for _, d := range f.drivers {
		list = append(list, Output{Name: d.Name, Unit: d.Unit, Text: d.Text, Value: d.Symbol, Driver: d.by})
	}
	return list
}
