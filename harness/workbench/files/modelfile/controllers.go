package modelfile

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"skidpad/model/bounded"
	"skidpad/model/document"
	"skidpad/model/vehicle"
)

// Controlled is a vehicle with controllers: a model file in a folder of its own that is a variant of another one and
// uses the subsystem files of the controllers.
type Controlled struct {
	Path        string   // of the model file; the vehicle's own without controllers
	Tree        string   // tree selection of an FMU; "" of a model file
	Controllers []string // paths of the subsystem files

	of     string // the vehicle
	folder string // "" without controllers
}

// WithControllers puts controllers into a vehicle, as [use.NAME] with the name of the file does. A Skidpad FMU is run
// by its model file. The controllers are subsystem files that know a vehicle by roles alone.
func WithControllers(model string, controllers []string) (_ *Controlled, err error) {
	c := &Controlled{Path: model, of: model, Controllers: controllers}
	if len(controllers) == 0 {
		return c, nil
	}
	if c.folder, err = os.MkdirTemp("", "skidpad-"); err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			err = errors.Join(c.Renamed(err), c.Close())
		}
	}()
	base := model
	if isFMU(model) {
		if base, c.Tree, err = Unpack(model, c.folder); errors.Is(err, ErrNoModel) {
			err = fmt.Errorf("--controller: %w, into which a controller could be put; use a law of [[feedback]] in the "+
				"manoeuvre, or --control-pipe", err)
		}
		if err != nil {
			return nil, err
		}
	}
	text, err := variantWith(base, controllers)
	if err != nil {
		return nil, err
	}
	c.Path = filepath.Join(c.folder, strings.TrimSuffix(filepath.Base(model), filepath.Ext(model))+".toml")
	return c, os.WriteFile(c.Path, []byte(text), 0o600)
}

// variantWith is the text of a variant of a model file that uses controllers.
func variantWith(base string, controllers []string) (string, error) {
	d, err := vehicle.ReadDocument(base)
	if err != nil {
		return "", err
	}
	taken := map[string]string{}
	for _, s := range d.Sources {
		root, err := document.Parse(s.Data, s.Name)
		if err != nil {
			return "", err
		}
		if uses := root.Field("use"); uses != nil {
			for _, name := range uses.Keys {
				taken[name] = s.Name
			}
		}
	}
	var b strings.Builder
	path, err := fromAnywhere(base)
	if err != nil {
		return "", err
	}
	fmt.Fprintf(&b, "base = %s\n", quoted(path))
	for _, key := range []string{"name", "title"} {
		if n := d.Root.Field(key); n != nil {
			fmt.Fprintf(&b, "%s = %s\n", key, quoted(n.Text))
		}
	}
	for _, file := range controllers {
		if err := checkController(file); err != nil {
			return "", err
		}
		use := notInNames.ReplaceAllString(strings.TrimSuffix(filepath.Base(file), filepath.Ext(file)), "_")
		if other := taken[use]; other != "" {
			return "", fmt.Errorf("--controller %s: %s has [use.%s] already; give the file another name", file, other, use)
		}
		taken[use] = "the vehicle with --controller " + file
		if path, err = fromAnywhere(file); err != nil {
			return "", err
		}
		fmt.Fprintf(&b, "[use.%s]\nfile = %s\n", use, quoted(path))
	}
	return b.String(), nil
}

// notInNames are the characters that names of uses do not have.
var notInNames = regexp.MustCompile(`[^A-Za-z0-9_]`)

// checkController rejects a file that is no subsystem, or one that needs more of a vehicle than its roles.
func checkController(file string) error {
	data, err := bounded.Model.Read(file)
	if err != nil {
		return fmt.Errorf("--controller: %w", err)
	}
	root, err := document.Parse(data, file)
	if err != nil {
		return err
	}
	var f document.Faults
	if kind := root.Field("kind"); kind == nil || kind.Text != "subsystem" {
		f.At(root, `--controller takes a subsystem file; write kind = "subsystem" in place of the keys of a model`)
		return f.Err()
	}
	for _, key := range []string{"frames", "nodes"} {
		if n := root.Field(key); n != nil && len(n.Items) > 0 {
			f.At(n, "--controller connects a file by roles such as @brake, and the file wants %s; put it into a model file "+
				"by [use.NAME], which gives them", key)
		}
	}
	parameters := root.Field("parameters")
	for _, name := range keysOf(parameters) {
		if p := parameters.Field(name); p.Kind == document.Table && p.Field("value") == nil {
			f.At(p, "--controller gives no parameters, and %s has no value; write a value, which --set can change", name)
		}
	}
	return f.Err()
}

// ActsAtSamples reports whether a subsystem file has a component that acts at samples, as controllers do.
func ActsAtSamples(file string) bool {
	data, err := bounded.Model.Read(file)
	if err != nil {
		return false
	}
	root, err := document.Parse(data, file)
	if err != nil {
		return false
	}
	components := root.Field("component")
	return slices.ContainsFunc(keysOf(components), func(name string) bool {
		return components.Field(name).Field("sample") != nil
	})
}

func keysOf(n *document.Node) []string {
	if n == nil {
		return nil
	}
	return n.Keys
}

// fromAnywhere is the path of a file that is the same for all folders.
func fromAnywhere(file string) (string, error) {
	if bounded.IsAbsolute(file) {
		return file, nil
	}
	return filepath.Abs(file)
}

// quoted is a string as TOML writes it, with the escapes of JSON.
func quoted(text string) string {
	encoded, err := json.Marshal(text)
	if err != nil {
		panic(err) // texts can be encoded
	}
	return string(encoded)
}

// Sources are the files of the vehicle and of its controllers.
func (c *Controlled) Sources() ([]string, error) {
	own, err := Sources(c.of)
	if err != nil || c.folder == "" {
		return own, err
	}
	all, err := Sources(c.Path)
	for _, file := range all {
		if !strings.HasPrefix(file, c.folder) && !isAmong(own, file) {
			own = append(own, file)
		}
	}
	return own, err
}

// isAmong reports whether a list has the file, by this or another path.
func isAmong(list []string, file string) bool {
	return slices.ContainsFunc(list, func(other string) bool {
		path, err := fromAnywhere(other)
		return err == nil && path == file
	})
}

// Renamed is an error that names the vehicle in place of the file that was made of it.
func (c *Controlled) Renamed(err error) error {
	if err == nil || c.folder == "" || !strings.Contains(err.Error(), c.folder) {
		return err
	}
	made := regexp.MustCompile(regexp.QuoteMeta(c.Path) + `(:\d+:\d+)?`)
	text := made.ReplaceAllLiteralString(err.Error(), c.of+" with --controller")
	return &renamedError{err, strings.ReplaceAll(text, filepath.Join(c.folder, filepath.FromSlash(resourcesFolder)), c.of)}
}

// renamedError is an error with another text.
type renamedError struct {
	error
	text string
}

func (e *renamedError) Error() string { return e.text }
func (e *renamedError) Unwrap() error { return e.error }

// Close removes the model file that was made.
func (c *Controlled) Close() error {
	if c.folder == "" {
		return nil
	}
	return os.RemoveAll(c.folder)
}
