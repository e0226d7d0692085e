package program

import (
	"fmt"
	"slices"
	"strings"

	"skidpad/tire"
)

// relaxationRole is the suffix of calls of relaxation functions.
const relaxationRole = "relaxation"

// IsRelaxation reports whether the function of a call is a relaxation function.
func (c *Call) IsRelaxation() bool { return strings.HasSuffix(c.Name, "."+relaxationRole) }

// Component returns the name of the component of the function.
func (c *Call) Component() string { return c.Name[:strings.LastIndexByte(c.Name, '.')] }

// Owner returns NAME in the texts NAME.model and NAME.file that replace the function of a call: the component, for a
// relaxation function <component>.relaxation.
func (c *Call) Owner() string {
	if c.IsRelaxation() {
		return c.Name
	}
	return c.Component()
}

// Find returns the function of a name for a call, or the reason why the function is unsuitable; dir is the folder of
// the model file. A model file alone cannot run the code of a library: the host or the user must name the library, too.
func (c *Call) Find(name, dir string) (*tire.Kind, error) {
	if c.IsLaw() {
		return c.findLaw(name, dir)
	}
	k, err := tire.Find(name, dir)
	if err == nil && name != c.Function {
		err = tire.Serves(k, c.Returns)
	}
	return k, err
}

// findLaw finds the function that computes outputs and rates of equations.
func (c *Call) findLaw(name, dir string) (*tire.Kind, error) {
	if name == c.Function && !tire.LibraryAllowed(name, dir) {
		return nil, fmt.Errorf("the model file names the library function %q, and a model file cannot make code run; if you "+
			"trust it, set %s.model to this text (--set, SetString, skidpad_set_text)", name, c.Owner())
	}
	if _, err := tire.Lookup(name); err != nil && !tire.NamesLibrary(name) {
		return nil, fmt.Errorf("there is no law %q; register one of that name (skidpad_register_law, "+
			"skidpad.register_law), or set %s.model to plugin:LIBRARY#SYMBOL", name, c.Owner())
	}
	k, err := tire.Find(name, dir)
	if err != nil {
		return nil, err
	}
	if !slices.Equal(k.Outputs, c.Returns) {
		return nil, fmt.Errorf("function %s returns %s; here %s are needed, in this order", name,
			strings.Join(k.Outputs, ", "), strings.Join(c.Returns, ", "))
	}
	for _, input := range k.Inputs {
		if !slices.Contains(c.Inputs, input) {
			return nil, fmt.Errorf("function %s asks for %q; there are %s", name, input, strings.Join(c.Inputs, ", "))
		}
	}
	return k, nil
}
