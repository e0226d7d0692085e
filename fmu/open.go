package fmu

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"skidpad/cosim"
)

// ModelFile is the name of the model in the folder resources.
const ModelFile = "model.toml"

// Open makes the model in an FMU's folder resources ready. token is what the
// importer has read in the model description; braces around it are allowed.
func Open(folder, token string) (*cosim.System, *Table, error) {
	path := filepath.Join(folder, ModelFile)
	if _, err := os.Stat(path); err != nil {
		return nil, nil, fmt.Errorf("the resources of the FMU are not there: %w", err)
	}
	resources, err := Collect(path)
	if err != nil {
		return nil, nil, err
	}
	if given := strings.TrimSuffix(strings.TrimPrefix(token, "{"), "}"); given != resources.Token() {
		return nil, nil, errors.New("the GUID or instantiation token " + given + " is not that of the model in " + folder +
			", which is " + resources.Token() + "; model description and resources do not belong together")
	}
	s, err := cosim.Load(path, cosim.Options{})
	if err != nil {
		return nil, nil, err
	}
	t := Describe(s)
	t.Token = resources.Token()
	return s, t, nil
}
