package linear

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"skidpad/model/bounded"
	"skidpad/model/program"
	"skidpad/model/shelf"
	"skidpad/tire"
)

// function is a function of a tire or a law of the model, with its settings.
type function struct {
	kind       *tire.Kind // nil until it is looked for
	name, file string
	filed      bool               // the file was set
	set        map[string]float64 // coefficients
}

// findFunctions takes over the functions that the model names. Functions of laws are found when they are called: the
// user can name others, and must name libraries.
func (l *Model) findFunctions() error {
	for i, c := range l.program.Calls {
		l.functions = append(l.functions, function{name: c.Function, file: c.File, set: map[string]float64{}})
		if c.IsLaw() {
			l.unbound = true
		} else if err := l.find(i, c.Function); err != nil {
			return err
		}
	}
	if l.unbound {
		return nil
	}
	return l.bind()
}

// find finds the function of that name for a call.
func (l *Model) find(i int, name string) error {
	c, f := &l.program.Calls[i], &l.functions[i]
	kind, err := c.Find(name, filepath.Dir(l.source.File))
	if err != nil {
		return fmt.Errorf("%s: %w", c.Owner(), err)
	}
	f.name, f.kind = name, kind
	return nil
}

// bind makes the functions with their settings.
func (l *Model) bind() error {
	var kinds []*tire.Kind
	l.made = nil
	for i, c := range l.program.Calls {
		f := &l.functions[i]
		if f.kind == nil {
			if err := l.find(i, f.name); err != nil {
				return err
			}
		}
		made, err := l.make(c, f)
		if err != nil {
			return fmt.Errorf("%s: %w", c.Owner(), err)
		}
		if _, own := made.(tire.Stateful); own {
			return fmt.Errorf("%s: the function %s has internal states and cannot be linearised", c.Owner(), f.name)
		}
		kinds, l.made = append(kinds, f.kind), append(l.made, made)
	}
	callees, err := program.Callees(l.program.Calls, kinds, l.made, false)
	if err != nil {
		return err
	}
	for i, f := range program.Joined(callees, kinds, l.made, false) {
		if err := l.machine.Bind(i, f, callees[i].Inputs); err != nil {
			return err
		}
	}
	l.unbound = false
	return nil
}

// make makes a function with its parameters and its settings.
func (l *Model) make(c program.Call, f *function) (tire.Function, error) {
	for name := range f.set {
		if _, known := f.kind.Coefficient(name); !known {
			return nil, fmt.Errorf("the function %s has no coefficient %s, which was set", f.name, name)
		}
	}
	if f.kind.Open != nil {
		request := tire.OpenRequest{Vehicle: l, Tire: c.Component()}
		if f.file != "" {
			request.File = l.path(f.file)
		}
		return f.kind.Open(request)
	}
	values, err := l.values(c, f)
	if err != nil {
		return nil, err
	}
	if len(f.set) > 0 {
		values = f.kind.Complete(values)
	}
	for name, v := range f.set {
		known, _ := f.kind.Coefficient(name)
		values[known.Place] = v
	}
	return f.kind.Make(values, c.Combined)
}

// fault says why evaluations of functions since the last call have failed, nil if none has.
func (l *Model) fault() (first error) {
	for i, f := range l.made {
		if f, can := f.(tire.Fallible); can {
			if err := f.Fault(); err != nil && first == nil {
				first = fmt.Errorf("%s: the function failed: %w", l.program.Calls[i].Owner(), err)
			}
		}
	}
	return first
}

// Notes names the functions without derivatives, whose differences are taken, and the components that act at samples,
// which are left out.
func (l *Model) Notes() (notes []string) {
	for i, f := range l.made {
		if _, tells := f.(tire.Differentiable); !tells {
			notes = append(notes, fmt.Sprintf("%s: the function %s tells no derivatives; differences of its results are "+
				"taken", l.program.Calls[i].Owner(), l.functions[i].name))
		}
	}
	for _, s := range l.program.Samplers {
		notes = append(notes, s.Name+" is left out: it acts at samples, and its outputs are constants here")
	}
	return notes
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
// <tire>.relaxation and of laws, or a parameter with choices. It lets the code of a library run that it names.
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
	case l.isOfController(name):
		if l.controllers == nil {
			l.controllers = map[string]string{}
		}
		l.controllers[name] = value // its function is not called
		return nil
	case i >= 0 && of == "file":
		l.functions[i].file, l.functions[i].filed, l.unbound = value, true, true
		if l.program.Calls[i].Wheel {
			l.takeSizes(owner, value)
		}
		return nil
	case i >= 0 && of == "model":
		tire.AllowLibrary(value, filepath.Dir(l.source.File))
		if err := l.find(i, value); err != nil {
			return err
		}
		l.unbound = true
		l.startFromNoFile(i)
		return nil
	}
	return fmt.Errorf("%s = %q: it is not a number, and there is no text of that name; texts are <tire>.model, "+
		"<tire>.file, the same of <tire>.relaxation and <law>, <controller>.function, and parameters with choices", name,
		value)
}

// isOfController reports whether a text names the function of a component that acts at samples, or its file. Linear
// equations leave these components out, and call no function of them.
func (l *Model) isOfController(name string) bool {
	return slices.ContainsFunc(l.program.Samplers, func(s program.Sampler) bool {
		if s.Function == nil {
			return false
		}
		function, file := s.Function.TextNames()
		return name == function || name == file
	})
}

// startFromNoFile gives an external function that replaces another one no file, unless one was set. The file of the
// replaced function means nothing to it.
func (l *Model) startFromNoFile(i int) {
	c, f := &l.program.Calls[i], &l.functions[i]
	switch {
	case f.filed:
	case f.kind.Open != nil && f.name != c.Function:
		f.file = ""
	default:
		f.file = c.File
	}
}

// callOf returns the index of the call of an owner of texts: a tire, <tire>.relaxation or a law; -1 for none.
func (l *Model) callOf(owner string) int {
	if tire, is := strings.CutSuffix(owner, ".relaxation"); is {
		return l.call(tire, "relaxation")
	}
	if i := l.call(owner, program.LawRole); i >= 0 {
		return i
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
		if x, has := p.Sizes[v.FromFile]; has && strings.HasPrefix(v.Name, component+".") && !l.fixed[v.Name] {
			l.parameters[i] = x
		}
	}
}

// path returns the path of a file beside the model file, or of a shipped tire.
func (l *Model) path(file string) string {
	return bounded.OrShipped(bounded.Beside(l.source.File, file), file, shelf.Tires)
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
	kind := l.functions[call].kind
	if kind == nil {
		return false
	}
	_, ok := kind.Coefficient(number)
	return ok
}

// takeFunctions takes over the functions of a model with the same tires.
func (l *Model) takeFunctions(from *Model) error {
	for i, c := range l.program.Calls {
		k := slices.IndexFunc(from.program.Calls, func(other program.Call) bool { return other.Name == c.Name })
		l.functions[i] = from.functions[k]
	}
	l.controllers = from.controllers
	return l.bind()
}
