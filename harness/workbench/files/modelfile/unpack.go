package modelfile

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"skidpad/fmu/archive"
	"skidpad/model/bounded"
)

// Files of a Skidpad FMU.
const (
	resourcesFolder = "resources/"
	modelFile       = resourcesFolder + "model.toml"
	treeFile        = resourcesFolder + "tree.txt"
)

// Unpack writes the model file that a Skidpad FMU carries, and the files beside it, to a folder. It returns the path of
// the model file and the name of the tree selection, "" for the first. An FMU of another tool is an error.
func Unpack(path, folder string) (model, tree string, err error) {
	opened, err := archive.Open(path)
	if err != nil {
		return "", "", err
	}
	defer opened.Close()
	names := opened.Names()
	if !slices.Contains(names, modelFile) {
		return "", "", fmt.Errorf("%s has no model file of Skidpad, %s, so that nothing tells how it looks: record a run, "+
			"'skidpad manoeuvre', and animate it; or show its outputs by a program, 'skidpad view MODEL --feed'", path,
			modelFile)
	}
	if slices.Contains(names, treeFile) {
		data, err := opened.Read(treeFile, bounded.Model)
		if err != nil {
			return "", "", fmt.Errorf("%s: %w", path, err)
		}
		tree = string(data)
	}
	beside := func(name string) bool { return strings.HasPrefix(name, resourcesFolder) }
	if err := opened.Extract(folder, beside); err != nil {
		return "", "", fmt.Errorf("%s: %w", path, err)
	}
	return filepath.Join(folder, filepath.FromSlash(modelFile)), tree, nil
}
