package linear

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"skidpad/model/bounded"
	"skidpad/model/program"
	"skidpad/tire"
)

// function is a tire function of the model, with what was set of it.
type function struct {
	kind       *tire.Kind
	name, file string
	set        map[string]float64 // coefficients
}

// findFunctions takes over the functions that the model names.
func (l *Model) findFunctions() error {
	for _, c := range l.program.Calls {
		f := function{name: c.Function, file: c.File, set: map[string]float64{}}
		var err error
		if f.kind, err = kindOf(c, c.Function); err != nil {
			return err
		}
		l.functions = append(l.functions, f)
	}
	return l.bind()
}

// kindOf finds a function for a call.
func kindOf(c program.Call, name string) (*tire.Kind, error) {
	if c.IsLaw() {
		return nil, fmt.Errorf("%s: the function %s cannot be linearised here; write the law by formulas, or take the "+
			"derivatives of an instance that has the function", c.Name, name)
	}
	if tire.NamesLibrary(name) {
		return nil, fmt.Errorf("%s: the function %s of a library cannot be linearised; name a built-in one", c.Name, name)
	}
	kind, err := tire.Lookup(name)
	switch {
	case err != nil:
		return nil, fmt.Errorf("%s: %w", c.Name, err)
	case kind.New == nil:
		return nil, fmt.Errorf("%s: the function %s of a library cannot be linearised; name a built-in one", c.Name, name)
	case name == c.Function:
		return kind, nil
	}
	if err := tire.Serves(kind, c.Returns); err != nil {
		return nil, fmt.Errorf("%s: %w", c.Name, err)
	}
	return kind, nil
}

// bind makes the functions with what was set.
func (l *Model) bind() error {
	var kinds []*tire.Kind
	var functions []tire.Function
	for i, c := range l.program.Calls {
		f := &l.functions[i]
		values, err := l.values(c, f)
		if err != nil {
			return fmt.Errorf("%s: %w", c.Name, err)
		}
		if len(f.set) > 0 {
			values = f.kind.Complete(values)
		}
		for name, v := range f.set {
			known, ok := f.kind.Coefficient(name)
			if !ok {
				return fmt.Errorf("%s: the function %s has no coefficient %s, which was set", c.Name, f.name, name)
			}
			values[known.Place] = v
		}
		made, err := f.kind.Make(values, c.Combined)
		if err != nil {
			return fmt.Errorf("%s: %w", c.Name, err)
		}
		if _, own := made.(tire.Stateful); own {
			return fmt.Errorf("%s: the function %s has internal states and cannot be linearised", c.Name, f.name)
		}
		kinds, functions = append(kinds, f.kind), append(functions, made)
	}
	callees, err := program.Callees(l.program.Calls, kinds, functions, false)
	if err != nil {
		return err
	}
	for i, f := range program.Joined(callees, kinds, functions, false) {
		if err := l.machine.Bind(i, f, callees[i].Inputs); err != nil {
			return err
		}
	}
	l.unbound = false
	return nil
}

// values returns the parameters of a function as its file has them.
func (l *Model) values(c program.Call, f *function) ([]float64, error) {
	switch {
	case f.name == c.Function && f.file == c.File:
		return c.Parameters, nil
	case len(f.kind.Parameters) == 0:
		return nil, nil
	case f.file == "":
		return nil, fmt.Errorf("function %s needs %d parameters: set the tire's file, too", f.name, len(f.kind.Parameters))
	}
	path := l.path(f.file)
	data, err := bounded.Tire.Read(path)
	if err != nil {
		return nil, err
	}
	p, err := tire.ReadFile(data, path, tire.ReadOptions{Function: f.name, Side: c.Side, Downgrade: c.Downgrade,
		Combined: c.Combined, Radius: c.Radius})
	if err != nil {
		return nil, err
	}
	return p.Values, nil
}

// call returns the index of the call of a component and a role, -1 for none.
func (l *Model) call(component, role string) int {
	return slices.IndexFunc(l.program.Calls, func(c program.Call) bool { return c.Name == component+"."+role })
}

// SetText gives a text its value: <tire>.model, <tire>.file, relative to the model file, the same of
// <tire>.relaxation, or a parameter with choices.
// Texts come before the coefficients of their tires.
func (l *Model) SetText(name, value string) error {
	for i, v := range l.program.Parameters {
		if v.Name != name || v.Choices == nil {
			continue
		}
		at := slices.Index(v.Choices, value)
		if at < 0 {
			return fmt.Errorf("%s is %q; it must be one of %q", name, value, v.Choices)
		}
		l.parameters[i] = float64(at)
		return nil
	}
	owner, of, _ := cutLast(name)
	i := l.callOf(owner)
	switch {
	case i >= 0 && of == "file":
		l.functions[i].file, l.unbound = value, true
		if l.program.Calls[i].Wheel {
			l.takeSizes(owner, value)
		}
		return nil
	case i >= 0 && of == "model":
		kind, err := kindOf(l.program.Calls[i], value)
		if err != nil {
			return err
		}
		l.functions[i].name, l.functions[i].kind, l.unbound = value, kind, true
		return nil
	}
	return fmt.Errorf("%s = %q: it is not a number, and there is no text of that name; texts are <tire>.model, "+
		"<tire>.file, the same of <tire>.relaxation, and parameters with choices", name, value)
}

// callOf returns the index of the call whose function the texts of an owner name, a tire or <tire>.relaxation, -1 for
// none.
func (l *Model) callOf(owner string) int {
	if tire, is := strings.CutSuffix(owner, ".relaxation"); is {
		return l.call(tire, "relaxation")
	}
	return l.call(owner, "force")
}

// takeSizes gives parameters that come from the property file of a tire, and that nobody has set, its numbers.
func (l *Model) takeSizes(component, file string) {
	data, err := bounded.Tire.Read(l.path(file))
	if err != nil {
		return // said by what binds the function
	}
	p, err := tire.ReadFile(data, file, tire.ReadOptions{Radius: l.program.Calls[l.call(component, "force")].Radius})
	if err != nil {
		return
	}
	for i, v := range l.program.Parameters {
		if x, has := p.Sizes[v.FromFile]; has && strings.HasPrefix(v.Name, component+".") && !l.held[v.Name] {
			l.parameters[i] = x
		}
	}
}

// path is that of a file beside the model file.
func (l *Model) path(file string) string {
	path := filepath.FromSlash(file)
	if filepath.IsAbs(path) {
		return path
	}
	return filepath.Join(filepath.Dir(l.source.File), path)
}

// cutLast cuts a name at its last point.
func cutLast(name string) (before, after string, found bool) {
	i := strings.LastIndexByte(name, '.')
	if i < 0 {
		return name, "", false
	}
	return name[:i], name[i+1:], true
}

// setCoefficient sets a number of a tire function, <tire>.<NAME>, or of a relaxation function whose force function has
// that name, too, <tire>.relaxation.<NAME>. It reports whether there is one.
func (l *Model) setCoefficient(name string, value float64) bool {
	component, number, _ := cutLast(name)
	forces := l.call(component, "force")
	if forces >= 0 && l.has(forces, number) {
		l.functions[forces].set[number], l.unbound = value, true
		return true
	}
	tire, both := strings.CutSuffix(component, ".relaxation")
	if both {
		forces = l.call(tire, "force")
	}
	relaxation := l.call(tire, "relaxation")
	if relaxation < 0 || !l.has(relaxation, number) || both != (forces >= 0 && l.has(forces, number)) {
		return false
	}
	l.functions[relaxation].set[number], l.unbound = value, true
	return true
}

func (l *Model) has(call int, number string) bool {
	_, ok := l.functions[call].kind.Coefficient(number)
	return ok
}

// takeFunctions takes over the functions of a model with the same tires.
func (l *Model) takeFunctions(from *Model) error {
	for i, c := range l.program.Calls {
		k := slices.IndexFunc(from.program.Calls, func(other program.Call) bool { return other.Name == c.Name })
		l.functions[i] = from.functions[k]
	}
	return l.bind()
}
