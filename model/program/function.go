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

// Owner returns NAME in the texts that replace the function of a call and its parameter file, see TextNames: the
// component, for a relaxation function <component>.relaxation.
func (c *Call) Owner() string {
	if c.IsRelaxation() {
		return c.Name
	}
	return c.Component()
}

// TextNames returns the names of the texts that replace the function of a call and its parameter file: NAME.model and
// NAME.file, of a controller NAME.function and NAME.file.
func (c *Call) TextNames() (function, file string) {
	key := ".model"
	if c.isController() {
		key = ".function"
	}
	return c.Owner() + key, c.Owner() + ".file"
}

// Find returns the function of a name for a call, or the reason why the function is unsuitable; dir is the folder of
// the model file. A model file alone cannot run the code of a library: the host or the user must name the library, too.
func (c *Call) Find(name, dir string) (*tire.Kind, error) {
	switch {
	case c.IsLaw():
		return c.findLaw(name, dir)
	case c.isController():
		return c.findController(name, dir)
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
	switch {
	case err != nil:
		return nil, err
	case k.Sampled:
		return nil, fmt.Errorf("function %s is a controller, which is called at samples; use it in a component of type "+
			"controller, or take a law by skidpad_law.h", name)
	}
	return k, c.fits(k, name)
}

// findController finds the function that computes the values of a component at samples.
func (c *Call) findController(name, dir string) (*tire.Kind, error) {
	if _, err := tire.Lookup(name); err != nil && !tire.NamesLibrary(name) {
		return nil, fmt.Errorf("there is no controller %q; register one of that name (skidpad_register_controller, "+
			"skidpad.register_controller), or set %s.function to plugin:LIBRARY#SYMBOL", name, c.Owner())
	}
	k, err := tire.Find(name, dir)
	switch {
	case err != nil:
		return nil, err
	case !k.Sampled:
		return nil, fmt.Errorf("function %s is for tires or for equations; here a controller by skidpad_controller.h is "+
			"needed", name)
	}
	return k, c.fits(k, name)
}

// fits says why the inputs and results of a function are not those of a component.
func (c *Call) fits(k *tire.Kind, name string) error {
	if !slices.Equal(k.Outputs, c.Returns) {
		return fmt.Errorf("function %s returns %s; here %s are needed, in this order", name, strings.Join(k.Outputs, ", "),
			strings.Join(c.Returns, ", "))
	}
	for _, input := range k.Inputs {
		if !slices.Contains(c.Inputs, input) {
			return fmt.Errorf("function %s asks for %q; there are %s", name, input, strings.Join(c.Inputs, ", "))
		}
	}
	return nil
}
