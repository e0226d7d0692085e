package cosim

import (
	"fmt"
	"slices"
	"strings"

	"skidpad/model"
	"skidpad/tire"
)

// SetText gives a text variable a value, before initialisation.
func (in *Instance) SetText(name, value string) error {
	i, err := in.text(name)
	if err != nil {
		return err
	}
	if in.initialised {
		return fmt.Errorf("%s cannot be set after initialisation; reset the instance first", name)
	}
	if name == methodVariable {
		if _, err := newSolver(value, 0); err != nil {
			return err
		}
	}
	if name == codeVariable {
		if err := checkCode(value); err != nil {
			return err
		}
	}
	if k := i - in.sys.texts.choices; k >= 0 && k < len(in.sys.choices) {
		choices := in.sys.program.Parameters[in.sys.choices[k]].Choices
		at := slices.Index(choices, value)
		if at < 0 {
			return fmt.Errorf("%s is %q; it must be one of %q", name, value, choices)
		}
		in.p[in.sys.choices[k]] = float64(at)
	}
	if i == in.sys.texts.multipliers && !slices.Contains(model.Multipliers, value) {
		return fmt.Errorf("%s is %q; it must be one of %q", name, value, model.Multipliers)
	}
	if in.texts[i] != value {
		tire.AllowLibrary(value, in.sys.folder)
		in.texts[i], in.files = value, nil
		in.disconnect()
	}
	return nil
}

// checkCode refuses what codeVariable may not say.
func checkCode(value string) error {
	if value != nativeCode && value != portableCode {
		return fmt.Errorf("%s is %q; it must be %s or %s", codeVariable, value, nativeCode, portableCode)
	}
	return nil
}

// Text returns the value of a text variable.
func (in *Instance) Text(name string) (string, error) {
	i, err := in.text(name)
	if err != nil {
		return "", err
	}
	return in.texts[i], nil
}

func (in *Instance) text(name string) (int, error) {
	first := in.sys.first[Text]
	if i, ok := in.sys.index[name]; ok && i >= first {
		return i - first, nil
	}
	var names []string
	for _, v := range in.sys.variables[first:] {
		names = append(names, v.Name)
	}
	return 0, fmt.Errorf("there is no text variable %q; there are %s", name, strings.Join(names, ", "))
}
