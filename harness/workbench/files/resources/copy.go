package resources

import (
	"bytes"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"skidpad/model/bounded"
	"skidpad/model/document"
	"skidpad/model/shelf"
)

// Copy is a file to be written into a folder.
type Copy struct {
	Name string // in the folder
	Of   string // path of the original
	Data []byte
}

// Copies returns the copies that make a resource complete in any folder. The first copy is the resource itself. The
// other copies are files beside it without a name on the shelf, such as the CSV of a signal. A copied file can name
// further files. An error gives the place in a file that is not TOML.
func (k Kind) Copies(file string) ([]Copy, error) {
	data, err := k.Read(file)
	if err != nil {
		return nil, err
	}
	copies := []Copy{{filepath.Base(file), file, data}}
	for i := 0; i < len(copies); i++ { // grows
		c := &copies[i]
		if filepath.Ext(c.Name) != ".toml" {
			continue
		}
		root, err := document.Parse(c.Data, c.Of)
		if err != nil {
			return nil, err
		}
		c.Data = k.byName(c.Name, c.Data)
		of := c.Of
		for text := range texts(root) {
			name := strings.Trim(string(k.byName(c.Name, []byte(`"`+text))), `"`)
			known := func(c Copy) bool { return c.Name == name }
			if name != filepath.Base(name) || !slices.Contains(shelf.Endings, path.Ext(name)) ||
				slices.ContainsFunc(copies, known) {
				continue
			}
			original := bounded.Beside(of, text)
			data, err := bounded.Table.Read(original)
			if err != nil || onShelf(name, data) {
				continue // the reader of the copy reports a missing file with its place
			}
			copies = append(copies, Copy{name, original, data})
		}
	}
	return copies, nil
}

// onShelf reports whether the name of a file finds a shipped one with this content in every folder.
func onShelf(name string, data []byte) bool {
	shipped, err := shelf.Find(name, shelf.Models, shelf.Subsystems, shelf.Tires, shelf.Roads, shelf.Tracks)
	if err != nil || shipped == "" {
		return false
	}
	same, err := bounded.Table.Read(shipped)
	return err == nil && bytes.Equal(same, data)
}

// texts yields all texts of a document.
func texts(n *document.Node) func(yield func(string) bool) {
	var walk func(n *document.Node, yield func(string) bool) bool
	walk = func(n *document.Node, yield func(string) bool) bool {
		if n.Kind == document.Text && !yield(n.Text) {
			return false
		}
		for _, item := range n.Items {
			if !walk(item, yield) {
				return false
			}
		}
		for _, key := range n.Keys {
			if !walk(n.Fields[key], yield) {
				return false
			}
		}
		return true
	}
	return func(yield func(string) bool) { walk(n, yield) }
}

// paths are the beginnings of paths to other folders in shipped files, and the line that leads editors to a schema.
var paths = regexp.MustCompile(`"\.\./(models|subsystems|tires|roads)/|(?m)^#:schema .*\n`)

// byName replaces the paths of shipped files in a copy of a file by their names, which hold in any folder.
func (k Kind) byName(name string, data []byte) []byte {
	data = paths.ReplaceAllFunc(data, func(path []byte) []byte {
		if path[0] == '#' {
			return nil
		}
		return []byte(`"`)
	})
	if k.Name == Systems.Name { // its models lie in a folder of its name
		inside := nameOf(name) + "/"
		data = bytes.ReplaceAll(data, []byte(`"`+inside), []byte(`"`+shelf.Root+k.Name+"/"+inside))
	}
	return data
}
