package cosim

import (
	"fmt"
	"slices"
	"strings"

	"skidpad/model/program"
	"skidpad/tire"
)

// law finds the function that computes outputs and rates of equations. A model file alone does not make the code of a
// library run: the host or the user names the library, too.
func (s *System) law(c program.Call, name string) (*tire.Kind, error) {
	if name == c.Function && !tire.LibraryAllowed(name, s.folder) {
		return nil, fmt.Errorf("the model file names the library function %q, and a model file cannot make code run; if you "+
			"trust it, set %s.model to this text (--set, SetString, skidpad_set_text)", name, owner(c))
	}
	k, err := tire.Find(name, s.folder)
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
