package fmu

import (
	"cmp"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"skidpad/fmu/archive"
	"skidpad/model/bounded"
	"skidpad/model/document"
	"skidpad/model/road"
	"skidpad/model/vehicle"
)

// Resources are the files of an FMU's folder resources, by name: the model with its bases and subsystem files, and the
// parameter files named in these files.
type Resources struct {
	Files map[string][]byte

	text    []byte            // of the model, its bases and its subsystem files, before their file names were replaced
	sources []string          // paths of these files
	from    map[string]string // names in the resources of the other files to which the model refers, by their paths
}

// Collect reads a model file with its bases and its subsystem files, and the files of tires and roads that these files
// name. In the result, bases are in the folder bases, subsystem files in subsystems, the others in tires. The files
// name each other by these paths; CRG files name other files by file name only. A model that was collected before keeps
// its paths.
func Collect(modelFile string) (*Resources, error) {
	d, err := vehicle.ReadDocument(modelFile)
	if err != nil {
		return nil, err
	}
	return collectOf(d, modelFile)
}

// collectText is Collect for the text of a model file that names files as from a folder.
func collectText(text []byte, modelFile string) (*Resources, error) {
	d, err := vehicle.ParseDocument(text, modelFile, vehicle.Opener(modelFile))
	if err != nil {
		return nil, err
	}
	return collectOf(d, modelFile)
}

func collectOf(d *vehicle.Document, modelFile string) (r *Resources, err error) {
	r = &Resources{Files: map[string][]byte{}, from: map[string]string{}}
	c := &collection{Resources: r, document: d, modelFile: modelFile, subsystems: map[string]string{}}
	c.findReferences()
	for _, f := range d.Subsystems {
		if c.subsystems[f.Name], err = r.add("subsystems/", filepath.Base(f.Name), nil); err != nil {
			return nil, err
		}
	}
	name, up := ModelFile, "" // of the present file, and the relative path from its folder to the resources
	for i, s := range d.Sources {
		r.sources = append(r.sources, s.Name)
		w := c.rewrite(s.Name, s.Data, up)
		base := ""
		if s.Base != nil {
			base, err = r.add("bases/", filepath.Base(d.Sources[i+1].Name), nil)
			w.rename(s.Base, base, err)
		}
		r.Files[name] = w.bytes()
		name, up = base, "../"
	}
	for _, f := range d.Subsystems {
		r.sources = append(r.sources, f.Name)
		r.Files[c.subsystems[f.Name]] = c.rewrite(f.Name, f.Data, "../").bytes()
	}
	if err := c.faults.Err(); err != nil {
		return nil, err
	}
	return r, nil
}

// collection is the state of Collect.
type collection struct {
	*Resources
	document   *vehicle.Document
	modelFile  string
	subsystems map[string]string // their names in the resources, by path
	references []*document.Node  // values that name files, each once
	faults     document.Faults
}

// findReferences lists the values that name files. Values of one line are listed from right to
// left, so that replacing one does not move the others. Instances of a subsystem share the values of its file; these
// are listed once.
func (c *collection) findReferences() {
	c.references = append(c.document.FileNames(), c.document.UsedFiles...)
	slices.SortStableFunc(c.references, func(a, b *document.Node) int {
		return cmp.Or(cmp.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line), cmp.Compare(b.Column, a.Column))
	})
	c.references = slices.CompactFunc(c.references, func(a, b *document.Node) bool {
		return a.File == b.File && a.Line == b.Line && a.Column == b.Column
	})
}

// rewriting is a file with replacements of file names.
type rewriting struct {
	c     *collection
	lines []string
	up    string // relative path from its folder to the resources
}

// rewrite takes the files to which a file refers, and replaces their names in it.
func (c *collection) rewrite(file string, data []byte, up string) *rewriting {
	c.text = append(append(c.text, data...), 0)
	w := &rewriting{c, strings.SplitAfter(string(data), "\n"), up}
	for _, n := range c.references {
		switch {
		case n.File != file:
		case slices.Contains(c.document.UsedFiles, n):
			w.rename(n, c.subsystems[c.document.PathOf(n)], nil)
		default:
			name, err := c.take(c.document.FileKind(n), bounded.Beside(c.modelFile, n.Text))
			w.rename(n, name, err)
		}
	}
	return w
}

// rename replaces a file name in the file. An error becomes a fault at the file name.
func (w *rewriting) rename(n *document.Node, name string, err error) {
	line := &w.lines[n.Line-1]
	rewritten, ok := replaceText(*line, n.Column-1, w.up+name)
	switch {
	case err != nil:
		w.c.faults.At(n, "%v", err)
	case !ok:
		w.c.faults.At(n, "the file name %q cannot be rewritten for the FMU; write it as one basic string on the "+
			"line of its key", n.Text)
	default:
		*line = rewritten
	}
}

func (w *rewriting) bytes() []byte { return []byte(strings.Join(w.lines, "")) }

// take adds a file, with the CRG files to which it refers, and returns its name in the resources.
func (r *Resources) take(kind bounded.Kind, source string) (string, error) {
	if name := r.from[source]; name != "" {
		return name, nil
	}
	content, err := kind.Read(source)
	if err != nil {
		return "", err
	}
	base := filepath.Base(source)
	name, err := r.add("tires/", base, content)
	if err != nil {
		return "", err
	}
	if r.from[source] = name; len(r.from) > archive.MaxEntries {
		return "", fmt.Errorf("%s is one file too many; an FMU has at most %d", base, archive.MaxEntries)
	}
	size := len(content)
	for _, other := range r.Files {
		size += len(other)
	}
	if size > archive.MaxUnpacked {
		return "", fmt.Errorf("with %s the files of the model have more than %d bytes (1 GiB), the most that an FMU "+
			"may have", base, archive.MaxUnpacked)
	}
	for _, reference := range slices.Backward(road.References(content)) {
		other, err := r.take(kind, filepath.Join(filepath.Dir(source), filepath.FromSlash(reference.Path)))
		if err != nil {
			return "", fmt.Errorf("%s: %w", base, err)
		}
		content = slices.Replace(content, reference.Start, reference.End, []byte(path.Base(other))...)
	}
	r.Files[name] = content
	return name, nil
}

// add adds a file to a folder under a name that no other file has. Names that differ only in letter case
// count as the same, because some systems do not distinguish them.
func (r *Resources) add(folder, base string, content []byte) (string, error) {
	name := folder + base
	if err := archive.CheckName(name); err != nil || strings.Contains(base, `"`) {
		return "", fmt.Errorf("the file name %q cannot be used in an FMU; name the file with ASCII letters, digits, "+
			"points, dashes and underscores", base)
	}
	extension := path.Ext(base)
	for k := 2; r.has(name); k++ {
		name = folder + strings.TrimSuffix(base, extension) + "_" + strconv.Itoa(k) + extension
	}
	r.Files[name] = content
	return name, nil
}

// has reports whether a file has the name, in any letter case.
func (r *Resources) has(name string) bool {
	for taken := range r.Files {
		if strings.EqualFold(taken, name) {
			return true
		}
	}
	return false
}

// replaceText replaces the quoted string that begins at an index of a line, and reports whether it could.
func replaceText(line string, at int, by string) (string, bool) {
	quote := line[at : at+1]
	text, rest, closed := strings.Cut(line[at+1:], quote)
	if !closed || text == "" || quote == `"` && strings.Contains(text, `\`) {
		return "", false
	}
	return line[:at] + `"` + by + `"` + rest, true
}

// Token identifies the content of the resources: the GUID of FMI 2.0 and the
// instantiation token of FMI 3.0.
func (r *Resources) Token() string {
	h := sha256.New()
	h.Write([]byte("skidpad resources 1\x00"))
	var names []string
	for name := range r.Files {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		h.Write(binary.LittleEndian.AppendUint64([]byte(name+"\x00"), uint64(len(r.Files[name]))))
		h.Write(r.Files[name])
	}
	s := hex.EncodeToString(h.Sum(nil)[:16])
	return strings.Join([]string{s[:8], s[8:12], s[12:16], s[16:20], s[20:]}, "-")
}
