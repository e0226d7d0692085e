package standalone

import (
	"fmt"
	"path"
	"regexp"
	"slices"
	"strings"

	"skidpad/capi/shim"
	"skidpad/capi/standalone/text"
	"skidpad/cosim"
	"skidpad/fmu"
	"skidpad/tire/machinecode"
)

// SourceOptions are the options of the sources of an FMU.
type SourceOptions struct {
	Version int    // of FMI: 2 or 3
	Name    string // model identifier: the prefix of all names
}

// Sources returns the files of the folder sources of an FMU: the model of instances as for Files, the functions of the
// standard and the connecting code. The first instance has the method of the model description. Argument t is the table
// of the FMU, with its token. The files do not include the headers of the standard, which importers have.
func Sources(of []*cosim.Instance, t *fmu.Table, o SourceOptions) ([]File, error) {
	if o.Version != 2 && o.Version != 3 {
		return nil, fmt.Errorf("sources of FMI %d.0 are not available; use FMI 2.0 or 3.0", o.Version)
	}
	for _, v := range t.Variables {
		if _, known := of[0].System().Find(v.Name); !known {
			return nil, fmt.Errorf("expose makes %s a variable of the FMU: coefficients and peaks of tires are not variables "+
				"of C sources; remove expose from the model file, or pack without --sources", v.Name)
		}
	}
	if slices.Contains(words(), o.Name) {
		return nil, fmt.Errorf("the model is called %s, which is a name within its sources; give it another name", o.Name)
	}
	w, err := newWriter(of, Options{Name: o.Name, Derivatives: true}, true)
	if err != nil {
		return nil, err
	}
	files, err := w.model()
	if err != nil {
		return nil, err
	}
	tables := (&sourceTables{writer: w, table: t, version: o.Version, first: of[0]}).files()
	files = append(files, tables...)
	if files, err = w.addFixed(files, o.Version); err != nil {
		return nil, err
	}
	slices.SortStableFunc(files, func(a, b File) int { // compiled files first
		return strings.Compare(path.Ext(a.Name), path.Ext(b.Name))
	})
	return files, nil
}

// addFixed adds the files that do not depend on the model.
func (w *writer) addFixed(files []File, version int) ([]File, error) {
	entries, err := text.Sources.ReadDir("fmu")
	if err != nil {
		return nil, err
	}
	own := fmt.Sprintf("fmi%d", version)
	for _, e := range entries {
		if strings.HasPrefix(e.Name(), "fmi") && e.Name() != own+".h" {
			continue
		}
		data, err := text.Sources.ReadFile("fmu/" + e.Name())
		if err != nil {
			return nil, err
		}
		files = append(files, File{e.Name(), w.named(string(data))})
	}
	functions := shim.Functions(version)
	return append(files, File{"core.h", shim.Core()}, File{own + ".c", functions + w.plainNames(functions, version)}), nil
}

// Compiled reports whether a file of sources is compiled by itself.
func (f File) Compiled() bool { return path.Ext(f.Name) == ".c" }

var (
	exported = regexp.MustCompile(`(?m)^FMI[23]_EXPORT [^(]*?(fmi[23]\w+)\(`)
	absent   = regexp.MustCompile(`(?m)^ABSENT\((\w+)\)$`)
)

// functionNames returns the functions of the standard in C code.
func functionNames(functions string, version int) (names []string) {
	for _, m := range exported.FindAllStringSubmatch(functions, -1) {
		names = append(names, m[1])
	}
	for _, m := range absent.FindAllStringSubmatch(functions, -1) {
		names = append(names, fmt.Sprintf("fmi%dGet%s", version, m[1]), fmt.Sprintf("fmi%dSet%s", version, m[1]))
	}
	return names
}

// plainNames returns definitions of names without the prefix of the FMU for the functions in C code.
func (w *writer) plainNames(functions string, version int) string {
	var list strings.Builder
	for _, name := range functionNames(functions, version) {
		fmt.Fprintf(&list, "PLAIN(%s);\n", name)
	}
	return w.named(strings.NewReplacer("fmiN", fmt.Sprintf("fmi%d", version), "/* @names@ */\n", list.String()).
		Replace(text.PlainNames))
}

var (
	comment    = regexp.MustCompile(`(?s)/\*.*?\*/|//[^\n]*|"[^"\n]*"`)
	identifier = regexp.MustCompile(`[A-Za-z_]\w*`)
)

// words returns the names in sources, and the names of files. A model cannot have such a name.
func words() (list []string) {
	texts := []string{text.Tables, text.Model, text.VehicleRun, text.StepMethods, text.StepTables, shim.Functions(2),
		shim.Functions(3), shim.Core(), machinecode.NewText("vehicle").Operations()}
	entries, _ := text.Sources.ReadDir("fmu") // the folder of sources
	for _, e := range entries {
		data, _ := text.Sources.ReadFile("fmu/" + e.Name())
		texts, list = append(texts, string(data)), append(list, strings.TrimSuffix(e.Name(), path.Ext(e.Name())))
	}
	for _, t := range texts {
		list = append(list, identifier.FindAllString(comment.ReplaceAllString(t, " "), -1)...)
	}
	return slices.DeleteFunc(list, placeholder.MatchString)
}
