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
	paths := slices.DeleteFunc(slices.Concat(r.sources, slices.Collect(maps.Keys(r.from)), more), shelf.Holds)
	for i, path := range paths {
		if paths[i], err = filepath.Abs(path); err != nil {
			return nil, err
		}
	}
	folder := filepath.Dir(paths[0])
	for _, path := range paths {
		for !strings.HasPrefix(path, strings.TrimSuffix(folder, string(os.PathSeparator))+string(os.PathSeparator)) {
			above := filepath.Dir(folder)
			if above == folder {
				return nil, errors.New(path + " lies in no folder with " + paths[0] + "; copy it beside the model")
			}
			folder = above
		}
	}
	files := &ModelFiles{Files: map[string][]byte{}}
	size := 0
	for i, path := range paths {
		name, err := filepath.Rel(folder, path)
		if err != nil {
			return nil, err
		}
		name = filepath.ToSlash(name)
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
