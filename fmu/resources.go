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
	"skidpad/model"
	"skidpad/model/bounded"
	"skidpad/model/document"
	"skidpad/model/road"
)

// Resources are the files of an FMU's folder resources, by name: the model with its bases, and the
// parameter files that they refer to.
type Resources struct {
	Files map[string][]byte

	text    []byte            // of the model and its bases as it was before
	sources []string          // where these lie
	from    map[string]string // names of the files that the model refers to, by where they come from
}

// coefficientsFile is in the resources of an FMU that shows the coefficients of its tires.
const coefficientsFile = "tire-parameters.txt"

// showCoefficients marks an FMU that shows the coefficients of its tires. The mark decides about the token, so that
// model description and resources go together.
func (r *Resources) showCoefficients() {
	r.Files[coefficientsFile] = []byte("The model description of this FMU has the coefficients of the tires as " +
		"parameters.\n")
}

func (r *Resources) showsCoefficients() bool { return r.Files[coefficientsFile] != nil }

// Collect reads a model file with its bases and the files that the model refers to, of tires and roads.
// As collected, the bases lie in a folder bases, the others in tires; the files name each other by these paths, and
// CRG files refer to others by their names. Of an already collected model they stay.
func Collect(modelFile string) (*Resources, error) {
	d, err := model.ReadDocument(modelFile)
	if err != nil {
		return nil, err
	}
	r := &Resources{Files: map[string][]byte{}, from: map[string]string{}}
	var faults document.Faults
	references := d.FileNames()
	// last column first, so that rewriting keeps places right
	slices.SortFunc(references, func(a, b *document.Node) int {
		return cmp.Or(cmp.Compare(a.Line, b.Line), cmp.Compare(b.Column, a.Column))
	})
	name, up := ModelFile, "" // of the file at hand, and the way from its folder to that of the resources
	for i, s := range d.Sources {
		r.text = append(append(r.text, s.Data...), 0)
		r.sources = append(r.sources, s.Name)
		lines := strings.SplitAfter(string(s.Data), "\n")
		rename := func(n *document.Node, name string, err error) {
			line := &lines[n.Line-1]
			rewritten, ok := replaceText(*line, n.Column-1, up+name)
			switch {
			case err != nil:
				faults.At(n, "%v", err)
			case !ok:
				faults.At(n, "the file name %q cannot be rewritten for the FMU; write it as one basic string on the "+
					"line of its key", n.Text)
			default:
				*line = rewritten
			}
		}
		for _, n := range references {
			if n.File != s.Name {
				continue
			}
			tire, err := r.take(d.FileKind(n), placeOf(modelFile, n.Text))
			rename(n, tire, err)
		}
		base := ""
		if s.Base != nil {
			base, err = r.add("bases/", filepath.Base(d.Sources[i+1].Name), nil)
			rename(s.Base, base, err)
		}
		r.Files[name] = []byte(strings.Join(lines, ""))
		name, up = base, "../"
	}
	if err := faults.Err(); err != nil {
		return nil, err
	}
	return r, nil
}

// placeOf is where a file lies that a model file names.
func placeOf(modelFile, name string) string {
	source := filepath.FromSlash(name)
	if !filepath.IsAbs(source) {
		source = filepath.Join(filepath.Dir(modelFile), source)
	}
	return source
}

// take reads a file, with the CRG files that it refers to, and returns its name.
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

// add takes a file into a folder under a name that is not taken, not even in other letter cases:
// some systems do not tell them apart.
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

func (r *Resources) has(name string) bool {
	for taken := range r.Files {
		if strings.EqualFold(taken, name) {
			return true
		}
	}
	return false
}

// replaceText replaces the text that begins at a place of a line.
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
