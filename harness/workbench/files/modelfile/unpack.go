package modelfile

import (
	"errors"
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

// ErrNoModel is the error of an FMU that carries no model file: that of another tool.
var ErrNoModel = errors.New("no model file of Skidpad")

// Unpack writes the model file that a Skidpad FMU carries, and the files beside it, to a folder. It returns the path of
// the model file and the name of the tree selection, "" for the first. An FMU of another tool is ErrNoModel.
func Unpack(path, folder string) (model, tree string, err error) {
	opened, err := archive.Open(path)
	if err != nil {
		return "", "", err
	}
	defer opened.Close()
	names := opened.Names()
	if !slices.Contains(names, modelFile) {
		return "", "", fmt.Errorf("%s has %w, %s", path, ErrNoModel, modelFile)
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
