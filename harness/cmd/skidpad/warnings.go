package main

import (
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"skidpad/harness/library"
	"skidpad/model"
)

// readModel reads a model file, and prints what its author hardly means.
func readModel(path string, stderr io.Writer) (*model.Model, error) {
	m, err := model.Read(path)
	if err != nil {
		return nil, err
	}
	for _, w := range m.Warnings {
		fmt.Fprintln(stderr, library.WarningPrefix+w)
	}
	return m, nil
}

// warnOf prints the warnings of a model file, and returns them. Its errors come with the run.
func warnOf(path string, stderr io.Writer) []string {
	if filepath.Ext(path) != ".toml" {
		return nil
	}
	m, err := readModel(path, stderr)
	if err != nil {
		return nil
	}
	return m.Warnings
}

// marked is a note, or a warning, as it is printed.
func marked(note string) string {
	if strings.HasPrefix(note, library.WarningPrefix) {
		return note
	}
	return "note: " + note
}
