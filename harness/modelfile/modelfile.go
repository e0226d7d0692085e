// Package modelfile tells what a model file, or an FMU, says of itself: the name of the model and the files it is made
// of. It reads model files by the engine's parser.
package modelfile

import (
	"fmt"
	"path/filepath"
	"strings"

	"skidpad/fmu/archive"
	"skidpad/harness/library"
	"skidpad/model"
	"skidpad/model/bounded"
	"skidpad/model/document"
)

// Name is the name of the model in a model file or an FMU.
func Name(path string) (string, error) {
	if isFMU(path) {
		opened, err := archive.Open(path)
		if err != nil {
			return "", err
		}
		defer opened.Close()
		data, err := opened.Description()
		if err != nil {
			return "", fmt.Errorf("%s: %w", path, err)
		}
		d, err := library.ParseDescription(data)
		if err != nil {
			return "", fmt.Errorf("%s: %w", path, err)
		}
		return d.ModelName, nil
	}
	data, err := bounded.Model.Read(path)
	if err != nil {
		return "", err
	}
	root, err := document.Parse(data, path)
	if err != nil {
		return "", err
	}
	if name := root.Field("name"); name != nil && name.Kind == document.Text {
		return name.Text, nil
	}
	_, err = model.Read(path) // which tells what is wrong
	return "", err
}

// Sources are a model file and its bases, or an FMU alone.
func Sources(path string) ([]string, error) {
	if isFMU(path) {
		return []string{path}, nil
	}
	d, err := model.ReadDocument(path)
	if err != nil {
		return nil, err
	}
	var files []string
	for _, s := range d.Sources {
		files = append(files, s.Name)
	}
	return files, nil
}

func isFMU(path string) bool { return strings.EqualFold(filepath.Ext(path), ".fmu") }
