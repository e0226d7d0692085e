// Package template writes the folder of a new vehicle: a model file, its tires, a manoeuvre, and a page with the next
// commands.
package template

import (
	"bytes"
	_ "embed"
	"fmt"
	"io"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	texts "text/template"

	"skidpad/harness/workbench/results/output"
	"skidpad/model/bounded"
	"skidpad/model/document"
	"skidpad/model/shelf"
	"skidpad/resources"
)

// Template is a vehicle to begin with.
type Template struct {
	Name      string   `json:"name"` // "formula-student"
	Title     string   `json:"title"`
	manoeuvre string   // of the second command of the page, "" for none that fits
	tires     []string // shipped tires that are copied into the folder
}

// car is the tire of several templates.
const car = "mf61_205_60R15.tir"

// All are the templates, in the order of lists.
var All = []Template{
	{"formula-student", "Formula Student car: struts, links, rear drive", "step_steer --let 'speed=54 km/h'", nil},
	{"passenger", "passenger car: struts, links, front drive", "step_steer", []string{car}},
	{"electric", "electric car: battery, a motor for each rear wheel", "driving_cycle", []string{car}},
	{"van", "van: rigid axles, rear drive", "step_steer --let 'speed=72 km/h'", []string{"van_225_65R16C.tir"}},
	{"truck", "truck of 18 t: beam axles, rear drive", "step_steer --let 'speed=72 km/h' --let 'lateral=2 m/s2'",
		[]string{"truck_315_80R22.5.tir", "truck_315_80R22.5_dual.tir"}},
	{"trailer", "passenger car with a caravan", "step_steer --let 'speed=80 km/h'", nil},
	{"motorcycle", "motorcycle: brush tires, without suspension", "", nil},
}

// Names lists the names of all templates.
func Names() []string {
	var names []string
	for _, t := range All {
		names = append(names, t.Name)
	}
	return names
}

// Find returns the template of a name.
func Find(name string) (Template, error) {
	if i := slices.IndexFunc(All, func(t Template) bool { return t.Name == name }); i >= 0 {
		return All[i], nil
	}
	hint := ""
	if near := document.Nearest(name, Names()); near != "" {
		hint = fmt.Sprintf("; did you mean %q?", near)
	}
	return Template{}, fmt.Errorf("there is no template %q%s; templates are %s", name, hint, strings.Join(Names(), ", "))
}

// Files returns the files of a new folder, by name.
func (t Template) Files() (map[string][]byte, error) {
	files := map[string][]byte{}
	folder := "templates/" + t.Name
	entries, err := resources.Templates.ReadDir(folder)
	if err != nil {
		return nil, err
	}
	for _, e := range entries {
		if files[e.Name()], err = resources.Templates.ReadFile(folder + "/" + e.Name()); err != nil {
			return nil, err
		}
	}
	for _, tire := range t.tires {
		file, err := shelf.Find(tire, shelf.Tires)
		if err != nil {
			return nil, err
		}
		if files[path.Base(file)], err = bounded.Tire.Read(file); err != nil {
			return nil, err
		}
	}
	var written bytes.Buffer
	err = readme.Execute(&written, map[string]any{"Title": strings.ToUpper(t.Title[:1]) + t.Title[1:],
		"Manoeuvre": t.manoeuvre, "Tires": tiresIn(files)})
	files["README.md"] = written.Bytes()
	return files, err
}

// tiresIn lists the tire files of a folder.
func tiresIn(files map[string][]byte) []string {
	var tires []string
	for name := range files {
		if strings.HasSuffix(name, ".tir") || name == "tire.toml" {
			tires = append(tires, name)
		}
	}
	slices.Sort(tires)
	return tires
}

// Write writes the files of the template into a folder, which it makes. A folder with files in it is refused.
func (t Template) Write(folder string) error {
	files, err := t.Files()
	if err != nil {
		return err
	}
	entries, err := os.ReadDir(folder)
	switch {
	case err == nil && len(entries) > 0:
		return fmt.Errorf("%s is not empty: it has %s; give a new folder", folder, entries[0].Name())
	case err != nil && !os.IsNotExist(err):
		return err
	}
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return err
	}
	for _, name := range slices.Sorted(maps.Keys(files)) {
		err := output.WriteFile(filepath.Join(folder, name), func(w io.Writer) error {
			_, err := w.Write(files[name])
			return err
		})
		if err != nil {
			return err
		}
	}
	return nil
}

//go:embed readme.md
var page string

// readme is the page of a new folder.
var readme = texts.Must(texts.New("README.md").Parse(page))
