package fmu

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"skidpad/fmu/archive"
	"skidpad/model/bounded"
	"skidpad/model/shelf"
)

// ModelFiles are the files of a vehicle, unchanged and in their original folder structure, so that the relative file
// names in them stay valid elsewhere.
type ModelFiles struct {
	Model string            // path of the model file in the common folder of all, with slashes
	Files map[string][]byte // by such paths
}

// CollectInPlace collects the files of a model, and further files named by strings of a vehicle. token is the model's
// token of the time when the vehicle was made: files that have changed since are rejected. A file without a common
// folder with the others, as on another drive, is rejected, too.
func CollectInPlace(modelFile, token string, more []string) (*ModelFiles, error) {
	r, err := Collect(modelFile)
	if err != nil {
		return nil, err
	}
	if r.Token() != token {
		return nil, fmt.Errorf("the files of %s have changed since the vehicle was loaded; load it again", modelFile)
	}
	paths, folder, err := inOneFolder(slices.Concat(r.sources, slices.Collect(maps.Keys(r.from)), more))
	if err != nil {
		return nil, err
	}
	files := &ModelFiles{Files: map[string][]byte{}}
	size := 0
	for i, path := range paths {
		name := filepath.ToSlash(strings.TrimPrefix(path, folder))
		if i == 0 {
			files.Model = name
		}
		if files.Files[name] != nil {
			continue
		}
		content, err := bounded.Road.Read(path) // the largest kind
		if err != nil {
			return nil, err
		}
		if size += len(content); size > archive.MaxUnpacked {
			return nil, fmt.Errorf("with %s the files of the vehicle have more than %d bytes (1 GiB)", path,
				archive.MaxUnpacked)
		}
		files.Files[name] = content
	}
	return files, nil
}

// inOneFolder are the paths of files, the model file first, and their folder with a separator. Shipped files of other
// models stay where they are; those of a shipped model are in their folder of all shipped files.
func inOneFolder(paths []string) (all []string, folder string, err error) {
	const between = string(os.PathSeparator)
	if shelf.Holds(paths[0]) {
		for _, path := range paths {
			if !shelf.Holds(path) {
				return nil, "", fmt.Errorf("%s is a file beside the shipped model %s; write the model to a file, by 'skidpad "+
					"expand', and copy the other one beside it", path, paths[0])
			}
		}
		return paths, shelf.Root, nil
	}
	all = slices.DeleteFunc(slices.Clone(paths), shelf.Holds)
	for i, path := range all {
		if all[i], err = filepath.Abs(path); err != nil {
			return nil, "", err
		}
	}
	folder = filepath.Dir(all[0])
	within := func(path string) bool { return strings.HasPrefix(path, strings.TrimSuffix(folder, between)+between) }
	for _, path := range all {
		for !within(path) {
			above := filepath.Dir(folder)
			if above == folder {
				return nil, "", errors.New(path + " lies in no folder with " + all[0] + "; copy it beside the model")
			}
			folder = above
		}
	}
	return all, strings.TrimSuffix(folder, between) + between, nil
}
