package modelfile

import (
	"cmp"
	"fmt"
	"io"
	"path/filepath"

	"skidpad/model/document"
	"skidpad/model/reduction"
	"skidpad/model/vehicle"
)

// Expand writes a model file without bases and uses, each component of a subsystem with a comment that names where it
// comes from. Tables stand in place of corners where uses ask for them. Files are named as from a folder; "" is the
// folder of the model file. A model that is wrong is written, too, as far as its files can be put together: the flat
// file shows what the error is about.
func Expand(w io.Writer, path, folder string) error {
	m, wrong := vehicle.Read(path)
	d, err := vehicle.ReadDocument(path)
	if err != nil {
		return cmp.Or(wrong, err)
	}
	if wrong == nil && m.Tabulated {
		t, err := reduction.Tabulate(path, m)
		if err == nil {
			d, err = vehicle.ParseDocument(t.Text, path, vehicle.Opener(path))
		}
		if err != nil {
			return err
		}
	}
	err = writeFlat(w, d, path, folder)
	return cmp.Or(wrong, err)
}

// writeFlat writes the document of a model file without bases and uses; files are named as from a folder, "" for that
// of the model file.
func writeFlat(w io.Writer, d *vehicle.Document, path, folder string) (err error) {
	if folder == "" {
		folder = filepath.Dir(path)
	}
	for _, n := range uniquely(d.FileNames()) {
		if n.Text, err = FromFolder(folder, filepath.Dir(path), n.Text); err != nil {
			return err
		}
	}
	root := d.Root.Without("base")
	return document.Write(w, root, "component", func(name string) string {
		if o := d.Origins()[name]; o != nil {
			return o.Chain()
		}
		return ""
	})
}

// uniquely lists nodes that instances have in common once.
func uniquely(list []*document.Node) []*document.Node {
	seen := map[*document.Node]bool{}
	var once []*document.Node
	for _, n := range list {
		if !seen[n] {
			seen[n] = true
			once = append(once, n)
		}
	}
	return once
}

// FromFolder is the path from a folder to a file that another folder names.
func FromFolder(folder, other, file string) (string, error) {
	file = filepath.FromSlash(file)
	if filepath.IsAbs(file) {
		return filepath.ToSlash(file), nil
	}
	from, err := filepath.Abs(folder)
	if err != nil {
		return "", err
	}
	to, err := filepath.Abs(filepath.Join(other, file))
	if err != nil {
		return "", err
	}
	relative, err := filepath.Rel(from, to)
	if err != nil {
		return "", fmt.Errorf("no path leads from %s to %s: %w", folder, file, err)
	}
	return filepath.ToSlash(relative), nil
}
