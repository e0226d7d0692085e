package component

import (
	"slices"
	"strings"

	"skidpad/model/bounded"
	"skidpad/model/document"
	"skidpad/model/keys"
	"skidpad/tire"
)

// TireFunction names a registered tire function and its parameters, in the
// function's own order.
type TireFunction struct {
	Name       string
	File       string  // parameter file relative to the model file, "" when inline
	Downgrade  bool    // a property file of Magic Formula 6.x may be read with the equations of 5.2
	Combined   string  // rule for combined slip, "" for the coefficients of the file
	Side       string  // side of the mounted tire: "left", "right", or "" for the side of the file
	Radius     float64 // unloaded radius [m] for a property file without it, 0 for none
	Parameters []float64
	Warnings   []string           // of the parameter file
	Sizes      map[string]float64 // data of the wheel in a property file
}

// tireFunction reads the name and the parameters of a tire function, mounted on a side, that returns the given values.
// radius is the unloaded radius [m] of the tire, or 0 if the file must give the radius.
func tireFunction(f *keys.Fields, side string, radius float64, returns ...string) TireFunction {
	fn := TireFunction{Name: f.Text("function"), File: f.Text("file"), Side: side, Radius: radius}
	n := f.Node("function")
	if n == nil || n.Kind != document.Text {
		return fn
	}
	kind, err := tire.LookupForFile(fn.Name)
	if err != nil {
		f.Fault("function", "%s: %v", f.Path, err)
		return fn
	}
	if slices.Contains(returns, "Fx") { // of a force function
		fn.Downgrade, fn.Combined = f.Text("allow_downgrade") == "yes", f.Text("combined")
		if fn.Combined == tire.CombinedByEllipse && !tire.Combinable(kind) {
			f.Fault("combined", "%s.combined is %q; the function %s combines slips by itself: leave the key out, or take a "+
				"Magic Formula", f.Path, fn.Combined, fn.Name)
		}
	}
	for _, want := range returns {
		if !slices.Contains(kind.Outputs, want) {
			f.Fault("function", "%s: function %s returns %s; here %s are needed", f.Path, fn.Name,
				strings.Join(kind.Outputs, ", "), strings.Join(returns, ", "))
			return fn
		}
	}
	faults := f.Reader.Len()
	switch inline := f.Table.Field("parameters"); {
	case inline != nil && f.Given("file"):
		f.Fault("function", "%s has both file and parameters; it needs one of them. Coefficients of a file are "+
			"changed in a copy of it, or in a run by --set '%s.LMUY=0.8'; expose = [\"LMUY\"] of the tire makes them "+
			"parameters of FMUs", f.Path, owner(f.Path))
	case kind.Open != nil || inline == nil && !f.Given("file") && len(kind.Parameters) == 0:
	case inline == nil && !f.Given("file"):
		f.Fault("function", "%s has neither file nor parameters; it needs one of them", f.Path)
	case inline == nil && fn.File != "":
		if p := fileParameters(f, fn); p != nil {
			fn.Parameters, fn.Warnings, fn.Sizes = p.Values, p.Warnings, p.Sizes
		}
	case inline != nil:
		fn.Parameters = inlineParameters(f, kind, inline)
	}
	if f.Reader.Len() == faults && kind.New != nil && (fn.Parameters != nil || len(kind.Parameters) == 0) {
		_, err := kind.New(fn.Parameters)
		f.Reader.AtEach(n, f.Path, err)
	}
	return fn
}

// owner is the prefix of the coefficients of a function: tire_FL for tire_FL.force, and tire_FL.relaxation.
func owner(path string) string {
	name, inner, _ := strings.Cut(path, ".")
	if strings.HasSuffix(inner, "relaxation") {
		name += ".relaxation"
	}
	return name
}

func fileParameters(f *keys.Fields, fn TireFunction) *tire.Parameters {
	at := f.Table.Field("file")
	data, err := f.Reader.Open(bounded.Tire, fn.File)
	if err != nil {
		f.Reader.AtEach(at, f.Path+".file", err)
		return nil
	}
	p, err := tire.ReadFile(data, fn.File, tire.ReadOptions{Function: fn.Name, Side: fn.Side, Downgrade: fn.Downgrade,
		Combined: fn.Combined, Radius: fn.Radius})
	if err != nil {
		f.Reader.AtEach(at, f.Path+".file", err)
		return nil
	}
	return p
}

func inlineParameters(f *keys.Fields, kind *tire.Kind, inline *document.Node) []float64 {
	if inline.Kind != document.Table {
		f.Reader.At(inline, "%s.parameters is %s; it must be a table", f.Path, inline)
		return nil
	}
	values := map[string]float64{}
	path := f.Path + ".parameters."
	for _, name := range inline.Keys {
		number := keys.Key{Name: name, Unit: kind.UnitOf(name)}
		values[name] = f.Reader.Scalar(inline.Field(name), path+keys.Printable(name), &number).Value
	}
	ordered, missing, unknown := kind.OrderParameters(values)
	for _, name := range unknown {
		f.Reader.At(inline.Field(name), "%s.parameters: %s has no parameter %q", f.Path, kind.Name, name)
	}
	if len(missing) > 0 {
		f.Reader.At(inline, "%s.parameters lacks %s of %s", f.Path, strings.Join(missing, ", "), kind.Name)
	}
	return ordered
}
