package harness

import (
	"fmt"
	"path/filepath"
	"strings"

	"skidpad/fmu/archive"
	"skidpad/model"
	"skidpad/model/bounded"
	"skidpad/model/document"
)

// ModelName is the name of the model in a model file or an FMU.
func ModelName(path string) (string, error) {
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
		d, err := ParseDescription(data)
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

// ModelFiles are a model file and its bases, or an FMU alone.
func ModelFiles(path string) ([]string, error) {
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
