package check

import (
	"embed"
	"fmt"
	"path"
	"regexp"
	"slices"
	"strings"

	"skidpad/fmu/archive"
	"skidpad/model/bounded"
)

// Headers are the header files of the standards, FMI 2.0.5 and 3.0.2. FMUs do not hold them: the tool that compiles
// sources of an FMU brings them (FMI 2.0, 2.3; FMI 3.0, 2.5.1.3).
//
//go:embed headers/*.h
var Headers embed.FS

// SourceSet is a set of source files of an FMU that are compiled with the same options.
type SourceSet struct {
	Place       string   // what lists them
	Files       []string // below the folder sources; each exists
	Include     []string // folders below the folder sources
	Definitions []string // NAME=VALUE or NAME
	Platform    string   // as in FMI 3.0; empty: any
	Language    string   // as in FMI 3.0: C99, C++17; empty: C
	Compiler    string   // as in FMI 3.0: gcc, VisualC; empty: any

	version  int
	compiled bool
}

// Sources lists the source files of an FMU as its descriptions do.
func Sources(file string) ([]SourceSet, error) {
	entries, closer, err := open(file)
	if err != nil {
		return nil, err
	}
	defer closer.Close()
	_, c, err := fmuOf(entries)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	return c.sets, nil
}

// Refused is the finding that a compiler refuses source files, and what it says.
func (s *SourceSet) Refused(text string) Finding {
	id := map[bool]string{false: "F-SRC-5", true: "F-SRC-6"}[s.compiled]
	return Finding{Grade: rule(id).Grade, Rule: id, Clause: clause(id, s.version), Place: s.Place, Text: text}
}

const buildDescription = "sources/buildDescription.xml"

// sources checks what lists source files: a build description, or the interfaces of FMI 2.0 if there is none.
func (c *checker) sources() {
	switch {
	case c.files[buildDescription] != nil:
		c.buildDescription()
	case c.version == 2:
		listed := map[string]bool{} // lists that have been seen: both interfaces mostly have the same
		for _, kind := range interfaceKinds {
			for _, e := range c.root.all(kind) {
				var files []string
				for _, file := range e.all("SourceFiles", "File") {
					files = append(files, file.attribute("name"))
				}
				if key := strings.Join(files, "\n"); !listed[key] {
					listed[key] = true
					c.addSources(SourceSet{Place: e.name, Files: files})
				}
			}
		}
	case len(c.under("sources")) > 0:
		c.find("F-SRC-3", "sources", "there is no buildDescription.xml, which says what has to be compiled")
	}
}

// buildDescription checks the description of builds, which FMI 2.0 takes from FMI 3.0.
func (c *checker) buildDescription() {
	root, err := c.read(buildDescription)
	if err != nil {
		c.find("F-SRC-1", buildDescription, "%v", err)
		return
	}
	if version := root.attribute("fmiVersion"); !versions3.MatchString(version) ||
		c.version == 3 && version != c.root.attribute("fmiVersion") {
		c.find("F-SRC-4", buildDescription, "fmiVersion is %q; it must be %s", version,
			map[int]string{2: "3.0, the version that defines this file", 3: "that of " + description}[c.version])
	}
	var built []string
	for _, configuration := range root.all("BuildConfiguration") {
		built = append(built, configuration.attribute("modelIdentifier"))
		set := SourceSet{Place: buildDescription, Platform: configuration.attribute("platform")}
		for _, e := range configuration.all("SourceFileSet") {
			set.Language, set.Compiler = e.attribute("language"), e.attribute("compiler")
			set.Files, set.Include, set.Definitions = nil, nil, nil
			for _, file := range e.all("SourceFile") {
				set.Files = append(set.Files, file.attribute("name"))
			}
			for _, folder := range e.all("IncludeDirectory") {
				set.Include = append(set.Include, folder.attribute("name"))
			}
			for _, definition := range e.all("PreprocessorDefinition") {
				text := definition.attribute("name")
				if definition.has("value") {
					text += "=" + definition.attribute("value")
				}
				set.Definitions = append(set.Definitions, text)
			}
			c.addSources(set)
		}
	}
	for _, kind := range interfaceKinds {
		for _, e := range c.root.all(kind) {
			if name := e.attribute("modelIdentifier"); !slices.Contains(built, name) {
				c.find("F-SRC-4", buildDescription, "no BuildConfiguration has the modelIdentifier %s of %s", name, kind)
			}
		}
	}
	c.unlisted(buildDescription, c.sets)
}

// addSources takes a set of source files, and checks that they exist.
func (c *checker) addSources(set SourceSet) {
	set.version, set.compiled = c.version, c.compiled
	set.Files = slices.DeleteFunc(set.Files, func(name string) bool {
		missing := c.files[path.Join("sources", name)] == nil || archive.CheckPath(name) != nil
		if missing {
			id := map[bool]string{false: "F-SRC-1", true: "F-SRC-2"}[c.compiled] // the library can be used
			c.find(id, set.Place, "its source file sources/%s is missing", name)
		}
		return missing
	})
	c.sets = append(c.sets, set)
	if set.Place != buildDescription {
		c.unlisted(set.Place, []SourceSet{set})
	}
}

var (
	code     = regexp.MustCompile(`\.(c|cc|cpp|cxx|C)$`)
	included = regexp.MustCompile(`(?m)^[ \t]*#[ \t]*include[ \t]*"([^"\n]+)"`)
)

// IsCode reports whether a file is one of C or C++ that is compiled by itself, by its name.
func IsCode(name string) bool { return code.MatchString(name) }

// unlisted checks that each file of code is in one of the sets, or is included by a file that is.
func (c *checker) unlisted(location string, sets []SourceSet) {
	known, files, folders := map[string]bool{}, 0, []string{"."}
	var take func(name string)
	take = func(name string) {
		f := c.files[path.Join("sources", name)]
		if f == nil || known[name] {
			return
		}
		known[name] = true
		text, err := archive.Unpack(f, bounded.Source)
		if err != nil {
			return // a file that cannot be read includes nothing
		}
		for _, match := range included.FindAllSubmatch(text, -1) {
			for _, folder := range append([]string{path.Dir(name)}, folders...) {
				take(path.Join(folder, string(match[1])))
			}
		}
	}
	for _, set := range sets {
		folders = append(folders, set.Include...)
	}
	for _, set := range sets {
		for _, name := range set.Files {
			files++
			take(path.Clean(name))
		}
	}
	for _, name := range c.under("sources") {
		switch {
		case !IsCode(name) || known[name]:
		case files == 0:
			c.find("F-SRC-3", location, "it lists no source files, and there is sources/%s", name)
			return
		default:
			c.find("F-SRC-3", location, "sources/%s is neither listed nor included by a file that is listed", name)
		}
	}
}
