// Package shelf finds the models, subsystems, manoeuvres, tires, roads and tracks that Skidpad ships by their names,
// from files in any folder.
//
//	"corner_strut" -> Find -> skidpad:/subsystems/corner_strut.toml -> Open
//
// The path of a shipped file begins with "skidpad:/". Files of one folder name each other as on disk.
package shelf

import (
	"fmt"
	"io"
	"io/fs"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"skidpad/resources"
)

// Root begins the paths of shipped files.
const Root = "skidpad:/"

// Folders of shipped files.
const (
	Models     = "models"
	Subsystems = "subsystems"
	Tires      = "tires"
	Roads      = "roads"
	Tracks     = "tracks"
)

// Endings of the names of shipped files.
var Endings = []string{".toml", ".tir", ".crg", ".rdf", ".asc", ".csv"}

// Holds reports whether a path names a shipped file.
func Holds(file string) bool { return strings.HasPrefix(filepath.ToSlash(file), Root) }

// File is an open shipped file.
type File interface {
	fs.File
	io.ReaderAt
}

// Open opens a shipped file by its path.
func Open(file string) (File, error) {
	name := strings.TrimPrefix(filepath.ToSlash(file), Root)
	f, err := resources.Files.Open(name)
	if err != nil {
		return nil, fmt.Errorf("%s: Skidpad ships no such file: %w", file, fs.ErrNotExist)
	}
	shipped, ok := f.(File)
	if !ok {
		return nil, fmt.Errorf("%s is a folder: %w", file, fs.ErrNotExist)
	}
	return shipped, nil
}

// Find returns the path of the shipped file of a name in one of the folders, "" where there is none. The name is the
// name of a file, with or without its ending. Several files with that name and different endings are an error.
func Find(name string, folders ...string) (string, error) {
	if name == "" || strings.ContainsAny(name, `/\`) {
		return "", nil
	}
	var found []string
	for _, file := range list(folders) {
		switch base := path.Base(file); {
		case base == name:
			return Root + file, nil
		case strings.TrimSuffix(base, path.Ext(base)) == name:
			found = append(found, file)
		}
	}
	switch len(found) {
	case 0:
		return "", nil
	case 1:
		return Root + found[0], nil
	}
	for i, file := range found {
		found[i] = path.Base(file)
	}
	return "", fmt.Errorf("%q is the name of %d shipped files: %s; write the ending, too", name, len(found),
		strings.Join(found, ", "))
}

// Paths lists the paths of the shipped files in a folder; none where nothing of the folder is shipped.
func Paths(folder string) []string {
	entries, err := fs.ReadDir(resources.Files, folder)
	if err != nil {
		return nil
	}
	var paths []string
	for _, e := range entries {
		paths = append(paths, Root+folder+"/"+e.Name())
	}
	return paths
}

// Names lists the names of the shipped files in folders, without endings.
func Names(folders ...string) []string {
	var names []string
	for _, file := range list(folders) {
		base := path.Base(file)
		names = append(names, strings.TrimSuffix(base, path.Ext(base)))
	}
	return slices.Compact(names)
}

// list returns the paths of the files in folders, in order.
func list(folders []string) []string {
	var files []string
	for _, folder := range folders {
		entries, err := fs.ReadDir(resources.Files, folder)
		if err != nil {
			panic(err) // the folders are constants, and their files are compiled in
		}
		for _, e := range entries {
			files = append(files, folder+"/"+e.Name())
		}
	}
	return files
}
