package fmu

import (
	"errors"
	"io/fs"
	"path/filepath"
	"strings"

	"skidpad/model/bounded"
)

// Choice holds the options of an FMU beside its model file. Small files in the resources keep the options. They enter
// the token, so that model description and resources go together.
type Choice struct {
	Tree         string   // a tree selection of the model; "" is the first
	Reactions    []string // elements of the list of reactions, beside those of the model
	Coefficients bool     // all coefficients of tires are parameters
	Sources      string   // a hash of the FMU's sources; empty without
}

// The files of the options. A file is missing if its option has its default.
const (
	treeFile         = "tree.txt"            // the name of the tree
	reactionsFile    = "reactions.txt"       // an element a line
	coefficientsFile = "tire-parameters.txt" // a sentence
	sourcesFile      = "sources.txt"         // the hash
)

// keep adds the files of the options to the resources.
func (r *Resources) keep(c Choice) {
	if c.Tree != "" {
		r.Files[treeFile] = []byte(c.Tree)
	}
	if len(c.Reactions) > 0 {
		r.Files[reactionsFile] = []byte(strings.Join(c.Reactions, "\n"))
	}
	if c.Coefficients {
		r.Files[coefficientsFile] = []byte("The model description of this FMU has the coefficients of the tires as " +
			"parameters.\n")
	}
	if c.Sources != "" {
		r.Files[sourcesFile] = []byte(c.Sources)
	}
}

// choiceIn reads the options from a folder resources.
func choiceIn(folder string) (c Choice, err error) {
	read := func(name string) string {
		text, fault := bounded.Model.Read(filepath.Join(folder, name))
		if fault != nil && !errors.Is(fault, fs.ErrNotExist) {
			err = errors.Join(err, fault)
		}
		return string(text)
	}
	c.Tree, c.Coefficients, c.Sources = read(treeFile), read(coefficientsFile) != "", read(sourcesFile)
	if text := read(reactionsFile); text != "" {
		c.Reactions = strings.Split(text, "\n")
	}
	return c, err
}
