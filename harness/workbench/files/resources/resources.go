// Package resources finds models, subsystems, manoeuvres, assessments, systems, tires, roads and tracks by their names,
// so that a command line can have passenger_car in place of resources/models/passenger_car.toml. The name of a file is
// its file name without its ending. Files in folders called resources come before those that are compiled into this
// program.
package resources

import (
	"bufio"
	"bytes"
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"skidpad/model/bounded"
	"skidpad/model/document"
	"skidpad/model/shelf"
)

// Kind is a kind of resources: files of one folder.
type Kind struct {
	Name    string // of the folder: "models"
	One     string // "model"
	endings []string
	limit   bounded.Kind
}

// The kinds.
var (
	Models      = Kind{"models", "model", []string{".toml"}, bounded.Model}
	Manoeuvres  = Kind{"manoeuvres", "manoeuvre", []string{".toml"}, bounded.Manoeuvre}
	Assessments = Kind{"assessments", "assessment", []string{".toml"}, bounded.Study}
	Systems     = Kind{"systems", "system", []string{".toml"}, bounded.System}
	Tires       = Kind{"tires", "tire", []string{".toml", ".tir"}, bounded.Tire}
	Subsystems  = Kind{"subsystems", "subsystem", []string{".toml"}, bounded.Model}
	Roads       = Kind{"roads", "road", []string{".crg", ".rdf", ".asc", ".csv"}, bounded.Road}
	Tracks      = Kind{"tracks", "track", []string{".csv", ".crg"}, bounded.Track}

	// References are not among Kinds: nothing is run with them, and no program contains them.
	References = Kind{"references", "reference", []string{".toml"}, bounded.Facts}

	Kinds = []Kind{Models, Subsystems, Manoeuvres, Assessments, Systems, Tires, Roads, Tracks}
)

// Entry is a resource.
type Entry struct {
	Name  string `json:"name"`
	Title string `json:"title"` // the key title of a TOML file, the first comment of another file; "" without
	Path  string `json:"path"`
}

// Find returns the path of a resource. The path of a file is returned as it is, and so is a word with a separator.
// Any other word is a name. It must be the name of exactly one resource, or of copies of one. If no resource has the
// name, a word with an ending and the name of a folder are returned as paths, which the caller reports.
func (k Kind) Find(word string) (string, error) {
	info, err := os.Stat(word)
	isFolder := err == nil && info.IsDir()
	if err == nil && !isFolder || word == "" || word != filepath.Base(word) {
		return word, nil
	}
	var paths, names []string
	for _, path := range k.files() {
		if name := nameOf(path); name == word {
			paths = append(paths, path)
		} else {
			names = append(names, name)
		}
	}
	switch {
	case len(paths) > 0 && k.copies(paths):
		return paths[0], nil
	case len(paths) == 0 && (filepath.Ext(word) != "" || isFolder):
		return word, nil
	case len(paths) == 0:
		hint := ""
		if near := document.Nearest(word, names); near != "" {
			hint = fmt.Sprintf("did you mean %q? ", near)
		}
		return "", fmt.Errorf("there is no file and no %s %q; %sskidpad list %s shows their names", k.One, word, hint,
			k.Name)
	}
	return "", fmt.Errorf("%q is the name of %d %s: %s; give the path of one of them", word, len(paths), k.Name,
		strings.Join(paths, ", "))
}

// Read reads a file of the kind.
func (k Kind) Read(path string) ([]byte, error) { return k.limit.Read(path) }

// copies reports whether files have the same content.
func (k Kind) copies(paths []string) bool {
	var first []byte
	for i, path := range paths {
		data, err := k.Read(path)
		if i == 0 {
			first = data
		} else if err != nil || !bytes.Equal(data, first) {
			return false
		}
	}
	return true
}

// List returns all resources of a kind, by name.
func (k Kind) List() []Entry {
	list := []Entry{}
	for _, path := range k.files() {
		list = append(list, Entry{nameOf(path), k.title(path), path})
	}
	return list
}

// Names returns the names of all resources of a kind.
func (k Kind) Names() []string {
	var names []string
	for _, path := range k.files() {
		names = append(names, nameOf(path))
	}
	return slices.Compact(names)
}

// Own returns the paths of files and folders that begin with a text. Files have an ending of the kind or one of the
// others; folders end in a slash.
func (k Kind) Own(begin string, others ...string) []string {
	folder, start := filepath.Split(begin)
	entries, err := os.ReadDir(cmp.Or(folder, "."))
	if err != nil {
		return nil
	}
	var list []string
	for _, e := range entries {
		name := e.Name()
		if !strings.HasPrefix(name, start) || strings.HasPrefix(name, ".") && !strings.HasPrefix(start, ".") {
			continue
		}
		ending := filepath.Ext(name)
		switch info, err := os.Stat(filepath.Join(folder, name)); {
		case err != nil:
		case info.IsDir():
			list = append(list, folder+name+"/")
		case slices.Contains(k.endings, ending) || slices.Contains(others, ending):
			list = append(list, folder+name)
		}
	}
	return list
}

func nameOf(path string) string { return strings.TrimSuffix(filepath.Base(path), filepath.Ext(path)) }

// files are the files of a kind in all folders, by name, and the shipped ones of other names.
func (k Kind) files() []string {
	var files []string
	for _, folder := range folders() {
		entries, err := os.ReadDir(filepath.Join(folder, k.Name))
		if err != nil {
			continue // a folder of resources need not have every kind
		}
		for _, e := range entries {
			path := filepath.Join(folder, k.Name, e.Name())
			info, err := os.Stat(path)
			if err == nil && info.Mode().IsRegular() && slices.Contains(k.endings, filepath.Ext(path)) {
				files = append(files, path)
			}
		}
	}
	for _, path := range shelf.Paths(k.Name) {
		other := func(file string) bool { return nameOf(file) == nameOf(path) }
		if slices.Contains(k.endings, filepath.Ext(path)) && !slices.ContainsFunc(files, other) {
			files = append(files, path)
		}
	}
	slices.SortStableFunc(files, func(a, b string) int { return cmp.Compare(nameOf(a), nameOf(b)) })
	return files
}

// folder is what folders of resources are called.
const folder = "resources"

// folders are the folders called resources in the current folder and in each folder above.
func folders() []string {
	var list []string
	for up := "."; ; up = filepath.Join("..", up) {
		list = append(list, filepath.Join(up, folder))
		at, err := filepath.Abs(up)
		if err != nil || at == filepath.Dir(at) {
			break
		}
	}
	return list
}

// title reads what a file says that it is. A file that cannot be read has no title.
func (k Kind) title(path string) string {
	if filepath.Ext(path) == ".toml" {
		data, err := k.Read(path)
		if err != nil {
			return ""
		}
		root, err := document.Parse(data, path)
		if err != nil {
			return ""
		}
		if title := root.Field("title"); title != nil && title.Kind == document.Text {
			return title.Text
		}
		return ""
	}
	file, err := k.limit.Open(path)
	if err != nil {
		return ""
	}
	defer file.Close()
	lines := bufio.NewScanner(file)
	lines.Scan()
	for _, comment := range []string{"$CT", "$", "#"} {
		if comment == "$" && filepath.Ext(path) == ".crg" {
			continue // begins a block
		}
		if text, is := strings.CutPrefix(lines.Text(), comment); is {
			return strings.Trim(text, " !\r")
		}
	}
	return ""
}
