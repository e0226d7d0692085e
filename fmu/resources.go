package fmu

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"skidpad/model/road"
	"skidpad/tire/document"
)

// Resources are the files of an FMU's folder resources, by name: the model and the
// parameter files that it refers to.
type Resources struct {
	Files map[string][]byte

	text []byte // of the model as it was before
}

// Collect reads a model file and the files that it refers to, of tires and roads. In the collected
// model the references name tires/<file>, and CRG files refer to others by their names; of an
// already collected model they stay.
func Collect(modelFile string) (*Resources, error) {
	text, err := os.ReadFile(modelFile)
	if err != nil {
		return nil, fmt.Errorf("model file: %w", err)
	}
	root, err := document.Parse(text, modelFile)
	if err != nil {
		return nil, err
	}
	r := &Resources{Files: map[string][]byte{}, text: text}
	names := map[string]string{} // of collected files, by where they come from
	faults := document.Faults{File: modelFile}
	lines := strings.SplitAfter(string(text), "\n")
	for _, n := range fileReferences(root) {
		source := n.Text
		if !filepath.IsAbs(source) {
			source = filepath.Join(filepath.Dir(modelFile), filepath.FromSlash(source))
		}
		name, err := r.take(source, names)
		if err != nil {
			faults.At(n, "%v", err)
			continue
		}
		line := &lines[n.Line-1]
		if rewritten, ok := replaceValue(*line, n, name); ok {
			*line = rewritten
		} else {
			faults.At(n, "the file name %q cannot be rewritten for the FMU; write it as one basic string on the line of its key", n.Text)
		}
	}
	if err := faults.Err(); err != nil {
		return nil, err
	}
	r.Files[ModelFile] = []byte(strings.Join(lines, ""))
	return r, nil
}

// take reads a file, with the CRG files that it refers to, and returns its name. names are those of
// the files taken before, by where they come from.
func (r *Resources) take(source string, names map[string]string) (string, error) {
	if name := names[source]; name != "" {
		return name, nil
	}
	content, err := os.ReadFile(source)
	if err != nil {
		return "", err
	}
	base := filepath.Base(source)
	if err := checkName("tires/" + base); err != nil || strings.Contains(base, `"`) {
		return "", fmt.Errorf("the file name %q cannot be used in an FMU; name the file with ASCII letters, digits, points, dashes and underscores", base)
	}
	name := r.add(base, content)
	names[source] = name
	for _, reference := range slices.Backward(road.References(content)) {
		other, err := r.take(filepath.Join(filepath.Dir(source), filepath.FromSlash(reference.Path)), names)
		if err != nil {
			return "", fmt.Errorf("%s: %w", base, err)
		}
		content = slices.Replace(content, reference.Start, reference.End, []byte(path.Base(other))...)
	}
	r.Files[name] = content
	return name, nil
}

// add takes a file in under a name that is not taken, not even in other letter cases:
// some systems do not tell them apart.
func (r *Resources) add(base string, content []byte) string {
	stem, extension := strings.TrimSuffix(base, path.Ext(base)), path.Ext(base)
	name := "tires/" + base
	for k := 2; r.has(name); k++ {
		name = "tires/" + stem + "_" + strconv.Itoa(k) + extension
	}
	r.Files[name] = content
	return name
}

func (r *Resources) has(name string) bool {
	for taken := range r.Files {
		if strings.EqualFold(taken, name) {
			return true
		}
	}
	return false
}

// fileReferences lists the values of all keys called file that are texts, in the
// order of the file, last column first, so that rewriting keeps places right.
func fileReferences(root *document.Node) []*document.Node {
	var list []*document.Node
	var visit func(n *document.Node)
	visit = func(n *document.Node) {
		for _, item := range n.Items {
			visit(item)
		}
		for _, key := range n.Keys {
			field := n.Field(key)
			if key == "file" && field.Kind == document.Text && field.Text != "" {
				list = append(list, field)
			}
			visit(field)
		}
	}
	visit(root)
	slices.SortFunc(list, func(a, b *document.Node) int {
		if a.Line != b.Line {
			return a.Line - b.Line
		}
		return b.Column - a.Column
	})
	return list
}

// replaceValue replaces the text of a node in its line.
func replaceValue(line string, n *document.Node, value string) (string, bool) {
	at := n.Column - 1
	for _, quote := range []string{`"`, "'"} {
		old := quote + n.Text + quote
		if at >= 0 && at < len(line) {
			if k := strings.Index(line[at:], old); k >= 0 {
				return line[:at+k] + `"` + value + `"` + line[at+k+len(old):], true
			}
		}
	}
	return line, false
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
