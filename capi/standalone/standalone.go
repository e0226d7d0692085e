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

// Options are the options of the written files.
type Options struct {
	Name        string                 // prefix of all names, a C identifier
	Outputs     func(name string) bool // which outputs are computed; nil: all
	Frozen      bool                   // parameters are constants of the equations, not variables
	Derivatives bool                   // with the functions of text/derivatives.h
	CasADi      bool                   // functions for CasADi in place of the other files; derivatives are part of them
	Acados      bool                   // functions for acados in place of the other files
	Controls    []string               // inputs that acados controls; nil: all
	Vary        []string               // parameters that are arguments of these functions; if none, all are frozen
	Module      bool                   // with the files for a WebAssembly module, see ModuleCommand
}

// File is a written file.
type File struct{ Name, Text string }

// Files returns the files of a vehicle. The parameters and start values come from initialised instances that differ
// only in their method, as from Instances. The method of the first instance is the default of the file.
func Files(of []*cosim.Instance, o Options) ([]File, error) {
	if o.CasADi || o.Acados {
		o.Derivatives = true
		o.Frozen = len(o.Vary) == 0
	}
	w, err := newWriter(of, o, false)
	if err != nil {
		return nil, err
	}
	switch {
	case o.CasADi:
		return w.casadi()
	case o.Acados:
		return w.acados()
	}
	files, err := w.model()
	if err != nil {
		return nil, err
	}
	files = append(files, File{"README.txt", w.readme()})
	if !o.Module {
		return files, nil
	}
	module, err := w.module()
	return append(files, module...), err
}

func newWriter(of []*cosim.Instance, o Options, forFMU bool) (*writer, error) {
	w := &writer{Options: o, forFMU: forFMU, text: machinecode.NewText(o.Name), called: map[placed]string{},
		made: map[shaped]made{}}
	if err := w.checkLibraryTires(of[0]); err != nil {
		return nil, err
	}
	if err := w.list(of); err != nil {
		return nil, err
	}
	if err := w.checkSamples(); err != nil {
		return nil, err
	}
	for k := range w.plan.Memories {
		w.size = append(w.size, w.plan.Memories[k].Size)
	}
	return w, nil
}

// model returns the C file of the equations and its header.
func (w *writer) model() ([]File, error) {
	source, mark, err := w.marked()
	if err != nil {
		return nil, err
	}
	return []File{
		{w.Name + ".c", w.banner() + "#include \"" + w.Name + ".h\"\n\n" + mark + source},
		{w.Name + ".h", w.header()},
	}, nil
}

// marked returns the C file of the equations, and the mark that precedes it.
func (w *writer) marked() (source, mark string, err error) {
	if err := w.freeze(); err != nil {
		return "", "", err
	}
	source, err = w.source()
	sum := sha256.Sum256([]byte(source))
	return source, fmt.Sprintf("#define %s_PROGRAM UINT64_C(0x%x)\n\n", w.upper(), binary.BigEndian.Uint64(sum[:])), err
}

var placeholder = regexp.MustCompile(`\b(vehicle|VEHICLE)(_|\b)`)

// named returns a fixed text with the names of this vehicle.
func (w *writer) named(text string) string {
	return placeholder.ReplaceAllStringFunc(text, func(s string) string {
		if strings.HasPrefix(s, "V") {
			return w.upper() + s[len("vehicle"):]
		}
		return w.Name + s[len("vehicle"):]
	})
}

func (w *writer) upper() string { return strings.ToUpper(w.Name) }
