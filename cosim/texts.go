package cosim

import (
	"fmt"
	"slices"
	"strings"

	"skidpad/model/solver"
	"skidpad/model/vehicle"
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
	if name == MethodVariable {
		if _, err := solver.Lookup(value); err != nil {
			return err
		}
	}
	if name == CodeVariable {
		if err := checkCode(value); err != nil {
			return err
		}
	}
	if i == in.sys.texts.record {
		if err := checkRecord(value); err != nil {
			return err
		}
	}
	if i == in.sys.texts.endAt {
		if _, err := in.sys.endsOf(value); err != nil {
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
	if i == in.sys.texts.jacobian && !slices.Contains(solver.Matrices, value) {
		return fmt.Errorf("%s is %q; it must be one of %q", name, value, solver.Matrices)
	}
	if i == in.sys.texts.multipliers && !slices.Contains(vehicle.Multipliers, value) {
		return fmt.Errorf("%s is %q; it must be one of %q", name, value, vehicle.Multipliers)
	}
	if i == in.sys.texts.assemble && !slices.Contains(vehicle.Assemblies, value) {
		return fmt.Errorf("%s is %q; it must be one of %q", name, value, vehicle.Assemblies)
	}
	in.startFromNoFile(i, value)
	tire.AllowLibrary(value, in.sys.folder)
	if in.texts[i] != value {
		k := slices.IndexFunc(in.sys.tires, func(t mounted) bool { return i == t.text || i == t.text+1 })
		isTire := k >= 0
		var before map[string]float64
		if isTire {
			before = in.sys.sizesOf(k, in.texts)
		}
		in.texts[i], in.files = value, nil
		if isTire {
			in.takeSizes(k, before)
		}
		in.disconnect()
	}
	return nil
}

// startFromNoFile notes that text i gets a value. A function from outside does not know the parameter file of the
// function that it replaces: it gets no file unless the file was set, too.
func (in *Instance) startFromNoFile(i int, value string) {
	t := in.sys.slotOf(i)
	if t == nil {
		return
	}
	if in.named == nil {
		in.named = make([]bool, len(in.sys.slots))
	}
	file := t.text + 1
	switch named := &in.named[t.number]; {
	case i == file:
		*named = true
	case !*named && value != t.function && t.function != "" && outside(value):
		in.texts[file] = ""
	case !*named:
		in.texts[file] = t.file
	}
}

// outside reports whether a tire function with this name lives outside of this library.
func outside(name string) bool {
	if tire.NamesLibrary(name) {
		return true
	}
	k, err := tire.Lookup(name)
	return err == nil && k.Open != nil
}

// checkCode refuses invalid values of CodeVariable.
func checkCode(value string) error {
	if value != nativeCode && value != portableCode {
		return fmt.Errorf("%s is %q; it must be %s or %s", CodeVariable, value, nativeCode, portableCode)
	}
	return nil
}

// checkRecord refuses invalid values of RecordVariable.
func checkRecord(value string) error {
	if value != RecordOn && value != recordOff {
		return fmt.Errorf("%s is %q; it must be %s or %s", RecordVariable, value, RecordOn, recordOff)
	}
	return nil
}

// Text returns the value of a text variable, the ledger, one line for each entry, or the table of warnings.
func (in *Instance) Text(name string) (string, error) {
	if name == ledgerText && in.ledger.recorded {
		return in.ledger.lines()
	}
	if name == WarningsText {
		return notes{in}.lines(), nil
	}
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
	owner, _, _ := strings.Cut(name, ".")
	var names, own []string
	for _, v := range in.sys.variables[first:] {
		names = append(names, v.Name)
		if strings.HasPrefix(v.Name, owner+".") {
			own = append(own, v.Name)
		}
	}
	if c := in.sys.model.Scope().Find(owner); c != nil && c.Head().Type == "road" {
		return 0, fmt.Errorf("%s is a road, which is a plane without %q; for uneven ground write type = \"terrain\" in "+
			"[component.%[1]s]", owner, name)
	}
	if own != nil {
		names = own
	}
	return 0, fmt.Errorf("there is no text variable %q; there are %s", name, strings.Join(names, ", "))
}

// TextFiles lists the files that texts of tires and terrains name at present, with the paths that the system uses.
func (in *Instance) TextFiles() []string {
	var files []string
	add := func(text string) {
		if text != "" {
			files = append(files, in.sys.path(text))
		}
	}
	for i := range in.sys.program.Terrains {
		at := in.sys.texts.terrains + terrainTexts*i
		add(in.texts[at+groundFile])
		add(in.texts[at+frictionFile])
	}
	for _, t := range in.sys.slots {
		add(in.texts[t.text+1])
	}
	for i := range in.sys.model.CurveFiles {
		add(in.texts[in.sys.texts.curves+i])
	}
	return files
}
