package export

import (
	"fmt"
	"slices"

	"skidpad/capi/standalone"
	"skidpad/fmu"
	"skidpad/model/solver"
)

// Content says which implementations an FMU has.
type Content uint8

// The contents of FMUs.
const (
	Libraries           Content = iota // of all platforms that have been built
	LibrariesAndSources                // C sources, too
	Sources                            // alone
)

// sourceMethods are the methods of integration in sources unless the user names others, beside that of the model.
var sourceMethods = []string{"euler", "heun", "rk4"}

// CheckMethods refuses methods that C sources cannot have.
func CheckMethods(names []string) error {
	for _, name := range names {
		if m, err := solver.Lookup(name); err != nil || !m.InC {
			return fmt.Errorf("%q cannot be in C sources, which have %s", name, standalone.Methods)
		}
	}
	return nil
}

// addSources adds the C sources of a model to its FMU.
func (e *Export) addSources(p *fmu.Package) error {
	own := p.System.Model().Solver.Method
	if CheckMethods([]string{own}) != nil {
		return fmt.Errorf("solver.method is %q: C sources have %s; name one of them in the model file", own,
			standalone.Methods)
	}
	methods, others := []string{own}, e.Methods
	if len(others) == 0 {
		others = sourceMethods
	}
	for _, name := range others {
		if !slices.Contains(methods, name) {
			methods = append(methods, name)
		}
	}
	instances, err := standalone.Instances(methods, p.System.Instantiate)
	if err != nil {
		return err
	}
	defer func() {
		for _, in := range instances {
			in.Close()
		}
	}()
	return p.AddSources(func(t *fmu.Table) (list []fmu.Source, err error) {
		files, err := standalone.Sources(instances, t, standalone.SourceOptions{Version: e.Version, Name: t.Name})
		for _, f := range files {
			list = append(list, fmu.Source{Name: f.Name, Text: f.Text, Compiled: f.Compiled()})
		}
		return list, err
	})
}
