package document

import (
	"fmt"
	"slices"
	"strings"
)

// Formula is a number that a file gives as a formula of parameters. It cannot be set; the parameters can.
type Formula struct {
	Name       string // that the number would have as a parameter: body.mass, body.inertia_xx
	Text       string
	Parameters []string // of the formula, each once
}

// NewFormula is the formula at a path of a file: the component, and its keys with "_" between; elements of a vector are
// named by their axes.
func NewFormula(path, text string, parameters []string) Formula {
	component, key, _ := strings.Cut(path, ".")
	f := Formula{Text: text, Name: component + "." +
		strings.NewReplacer(".", "_", "[0]", "_x", "[1]", "_y", "[2]", "_z").Replace(key)}
	for _, p := range parameters {
		if !slices.Contains(f.Parameters, p) {
			f.Parameters = append(f.Parameters, p)
		}
	}
	return f
}

// Hint ends a message about an unknown name. It suggests a similar name, if there is one. For the name of a formula it
// also lists the parameters of the formula, which can be set.
func Hint(name string, names []string, formulas []Formula) string {
	for i := range formulas {
		if formulas[i].Name == name {
			return ": " + formulas[i].remedy()
		}
		names = append(names, formulas[i].Name)
	}
	near := Nearest(name, names)
	if near == "" {
		return ""
	}
	hint := fmt.Sprintf("; did you mean %q?", near)
	if i := slices.IndexFunc(formulas, func(f Formula) bool { return f.Name == near }); i >= 0 {
		hint += " It cannot be set: " + formulas[i].remedy()
	}
	return hint
}

func (f *Formula) remedy() string {
	remedy := "write a number in its place"
	if len(f.Parameters) > 0 {
		remedy = "set " + strings.Join(f.Parameters, " or ")
	}
	return fmt.Sprintf("the model file has the formula %q there; %s", f.Text, remedy)
}
