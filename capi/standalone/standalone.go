package standalone

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"regexp"
	"strings"

	"skidpad/cosim"
	"skidpad/tire/machinecode"
)

// Options choose what is written.
type Options struct {
	Name    string                 // the beginning of all names, a C identifier
	Vectors bool                   // tires and parts that repeat side by side, where the compiler's target has vectors
	Outputs func(name string) bool // which outputs are computed; nil: all
	Module  bool                   // with the files for a WebAssembly module, see ModuleCommand
}

// File is a file that is written.
type File struct{ Name, Text string }

// Files returns the files of the vehicle of an initialised instance, with its parameters, start values and method.
func Files(in *cosim.Instance, o Options) ([]File, error) {
	of, why := in.Plan()
	if of == nil {
		return nil, fmt.Errorf("%s; %s", why, coverage)
	}
	plan := *of
	if plan.Listing, plan.Memory, why = in.Listing(); why != "" { // with the checks of the start
		return nil, fmt.Errorf("%s; %s", why, coverage)
	}
	w := &writer{Options: o, in: in, plan: &plan, text: machinecode.NewText(o.Name, o.Vectors),
		size: make([]int, len(plan.Memories)), called: map[placed]string{}, made: map[shaped]made{}}
	for k := range plan.Memories {
		w.size[k] = plan.Memories[k].Size
	}
	source, err := w.source()
	if err != nil {
		return nil, err
	}
	mark := sha256.Sum256([]byte(source))
	program := fmt.Sprintf("#define %s_PROGRAM UINT64_C(0x%x)\n\n", w.upper(), binary.BigEndian.Uint64(mark[:]))
	files := []File{
		{o.Name + ".c", w.banner() + "#include \"" + o.Name + ".h\"\n\n" + program + source},
		{o.Name + ".h", w.header()},
		{"README.txt", w.readme()},
	}
	if !o.Module {
		return files, nil
	}
	module, err := w.module()
	return append(files, module...), err
}

var placeholder = regexp.MustCompile(`\b(vehicle|VEHICLE)(_|\b)`)

// named is a fixed text with the names of this vehicle.
func (w *writer) named(text string) string {
	return placeholder.ReplaceAllStringFunc(text, func(s string) string {
		if strings.HasPrefix(s, "V") {
			return w.upper() + s[len("vehicle"):]
		}
		return w.Name + s[len("vehicle"):]
	})
}

func (w *writer) upper() string { return strings.ToUpper(w.Name) }
