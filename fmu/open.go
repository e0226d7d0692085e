package fmu

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"skidpad/cosim"
)

// ModelFile is the name of the model in the folder resources.
const ModelFile = "model.toml"

// Open makes the model in an FMU's folder resources ready. token is what the
// importer has read in the model description; braces around it are allowed.
func Open(folder, token string) (*cosim.System, *Table, error) {
	path := filepath.Join(folder, ModelFile)
	if _, err := os.Stat(path); err != nil {
		return nil, nil, fmt.Errorf("the resources of the FMU cannot be read: %w; unpack the whole FMU where this "+
			"process may read it", err)
	}
	choice, err := choiceIn(folder)
	if err != nil {
		return nil, nil, err
	}
	resources, err := collect(path, choice)
	if err != nil {
		return nil, nil, err
	}
	if given := strings.TrimSuffix(strings.TrimPrefix(token, "{"), "}"); given != resources.Token() {
		return nil, nil, errors.New("the GUID or instantiation token " + given +
			" is not that of the model in " + folder +
			", which is " + resources.Token() + "; model description and resources do not belong together")
	}
	return load(path, choice, choice, resources)
}

// Load makes a model file ready. tree names one of the model's trees, "" the first one; reactions are added to the
// file's own list of reactions.
func Load(path, tree string, reactions []string) (*cosim.System, *Table, error) {
	choice := Choice{Tree: tree, Reactions: reactions}
	resources, err := Collect(path)
	if err != nil { // what cannot be put into an FMU may be loaded all the same
		return ready(path, choice)
	}
	return load(path, choice, Choice{}, resources)
}

// keptSystems is how many systems are kept for those who load the same again.
const keptSystems = 4

// content identifies a system: by the text of the model and its bases with all file names in them, by the content of
// the files, and by the choice of tree and reactions.
type content struct {
	text                   [sha256.Size]byte
	token, tree, reactions string
}

func (r *Resources) content(c Choice) content {
	return content{sha256.Sum256(r.text), r.Token(), c.Tree, strings.Join(c.Reactions, "\n")}
}

type cachedModel struct {
	content content
	system  *cosim.System
	table   *Table
}

// recent holds the systems that were asked for last, the latest one at the end. A process that
// makes many vehicles of a model formulates it once.
var recent struct {
	sync.Mutex
	list []cachedModel
}

// collect is Collect with what the resources keep of a choice.
func collect(path string, kept Choice) (*Resources, error) {
	r, err := Collect(path)
	if err == nil {
		r.keep(kept)
	}
	return r, err
}

// load is Load for a model that has been collected, with what the resources keep of the choice.
func load(path string, choice, kept Choice, resources *Resources) (*cosim.System, *Table, error) {
	of := resources.content(choice)
	recent.Lock()
	at := slices.IndexFunc(recent.list, func(k cachedModel) bool { return k.content == of })
	if at >= 0 {
		k := recent.list[at]
		recent.list = append(slices.Delete(recent.list, at, at+1), k)
		recent.Unlock()
		return k.system.At(path), k.table, nil
	}
	recent.Unlock()
	// Those who ask for the same meanwhile make it, too.
	s, t, err := ready(path, choice)
	if err != nil {
		return nil, nil, err
	}
	t.Token = of.token
	now, err := collect(path, kept)
	if err != nil || now.content(choice) != of { // somebody writes there
		return s, t, nil
	}
	recent.Lock()
	defer recent.Unlock()
	recent.list = append(slices.DeleteFunc(recent.list, func(k cachedModel) bool { return k.content == of }),
		cachedModel{of, s, t})
	if len(recent.list) > keptSystems {
		recent.list = slices.Delete(recent.list, 0, 1)
	}
	return s, t, nil
}

func ready(path string, c Choice) (*cosim.System, *Table, error) {
	s, err := cosim.Load(path, cosim.Options{Tree: c.Tree, Reactions: c.Reactions})
	if err != nil {
		return nil, nil, err
	}
	if c.Coefficients {
		return s, DescribeWithCoefficients(s), nil
	}
	return s, Describe(s), nil
}
