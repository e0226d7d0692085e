package check

import (
	"archive/zip"
	"fmt"
	"maps"
	"net/url"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"skidpad/fmu/archive"
)

// Part is an FMU of a system.
type Part struct {
	Name     string // in the package
	Path     string // where it has been unpacked
	Findings []Finding
}

const structureFile = "SystemStructure.ssd"

// IsSystem reports whether an archive is a package of a system (SSP). An error means that the file is no archive.
func IsSystem(file string) (bool, error) {
	entries, closer, err := open(file)
	if err != nil {
		return false, err
	}
	defer closer.Close()
	named := func(name string) bool {
		return slices.ContainsFunc(entries, func(f *zip.File) bool { return f.Name == name })
	}
	return named(structureFile) || strings.EqualFold(filepath.Ext(file), ".ssp") && !named(description), nil
}

// System looks for mistakes in a package of a system: in its archive, its structures and their FMUs. It unpacks the
// FMUs into a folder. An error means that the file is no archive.
func System(file, folder string) ([]Finding, []Part, error) {
	entries, closer, err := open(file)
	if err != nil {
		return nil, nil, err
	}
	defer closer.Close()
	s := &systemChecker{checker: checker{files: map[string]*zip.File{}}, folder: folder, left: archive.MaxUnpacked,
		fmus: map[string]*checker{}}
	s.archive(entries)
	if s.files[structureFile] == nil {
		s.find("S-1", file, "there is no %s in the root of the archive", structureFile)
		return s.clauses(), nil, nil
	}
	variants := slices.DeleteFunc(slices.Sorted(maps.Keys(s.files)), func(name string) bool {
		return path.Ext(name) != ".ssd" || strings.Contains(name, "/") || name == structureFile
	})
	named := map[string]string{}
	for _, name := range append([]string{structureFile}, variants...) {
		s.structure(name, named)
	}
	return s.clauses(), s.parts, nil
}

// structure checks the default structure or a variant of it. All have different names.
func (s *systemChecker) structure(file string, named map[string]string) {
	root, err := s.read(file)
	if err != nil {
		s.find("S-1", file, "it cannot be read: %v", err)
		return
	}
	system := root.all("System")
	if root.name != "SystemStructureDescription" || len(system) != 1 {
		s.find("S-1", file, "it must be a SystemStructureDescription with one System, not %s", root.name)
		return
	}
	name := root.attribute("name")
	if other := named[name]; other != "" {
		s.find("S-3", file, "the structure is called %q, as that of %s", name, other)
	}
	named[name] = file
	for _, dictionary := range system[0].all("SignalDictionaries", "SignalDictionary") {
		s.source(dictionary, "signal dictionary "+dictionary.attribute("name"))
	}
	location := system[0].attribute("name")
	if file != structureFile {
		location = file + ", " + location
	}
	s.system(system[0], location)
}

// systemChecker gathers findings of a package.
type systemChecker struct {
	checker
	folder string
	left   uint64 // bytes that FMUs may still unpack to
	parts  []Part
	fmus   map[string]*checker // what has been read of FMUs, nil for others, by their names in the package
}

// clauses adds where the standard of systems states the rules.
func (s *systemChecker) clauses() []Finding {
	for i := range s.findings {
		if f := &s.findings[i]; f.Clause == "" {
			if clause := rule(f.Rule).System; clause != "" {
				f.Clause = "SSP 2.0, " + clause
			} else {
				f.Clause = "SSP 2.0, 3" // of the archive
			}
		}
	}
	return s.findings
}

// source finds the file of the package that an element names; none if that is another place.
func (s *systemChecker) source(e *element, location string) string {
	text := e.attribute("source")
	if text == "" || strings.HasPrefix(text, "#") || e.attribute("sourceBase") == "component" {
		return ""
	}
	u, err := url.Parse(text)
	switch {
	case err != nil:
		s.find("S-2", location, "source %q is no URI: %v", text, err)
		return ""
	case u.Scheme != "" || u.Host != "" || strings.HasPrefix(u.Path, "/"):
		s.find("S-7", location, "source %q is not in the package and was not looked at", text)
		return ""
	}
	name := path.Clean(u.Path)
	if s.files[name] == nil {
		s.find("S-2", location, "source %q is missing in the package", text)
		return ""
	}
	return name
}

// node is a system or an element of one, with its connectors.
type node struct {
	connectors map[string]*element
}

// system checks a system and those within it.
func (s *systemChecker) system(e *element, location string) {
	own := s.node(e, location)
	elements := map[string]node{}
	for _, list := range e.all("Elements") {
		for _, child := range list.children {
			name := child.attribute("name")
			at := location + "." + name
			if _, twice := elements[name]; twice || name == "" {
				s.find("S-3", at, "the name of the element is empty or comes twice")
			}
			elements[name] = s.node(child, at)
			switch child.name {
			case "System":
				s.system(child, at)
			case "Component":
				s.component(child, at)
			}
		}
	}
	fed := map[string]bool{}
	for _, c := range e.all("Connections", "Connection") {
		s.connection(c, location, own, elements, fed)
	}
}

// node checks connectors and parameter bindings of an element.
func (s *systemChecker) node(e *element, location string) node {
	n := node{map[string]*element{}}
	for _, c := range e.all("Connectors", "Connector") {
		name := c.attribute("name")
		if n.connectors[name] != nil || name == "" {
			s.find("S-3", location, "the name of the connector %q is empty or comes twice", name)
		}
		n.connectors[name] = c
	}
	for _, b := range e.all("ParameterBindings", "ParameterBinding") {
		s.source(b, location)
		for _, m := range b.all("ParameterMapping") {
			s.source(m, location)
		}
	}
	return n
}

// component checks the file of a component and, if it is an FMU, that the connectors are variables of it.
func (s *systemChecker) component(e *element, location string) {
	name := s.source(e, location)
	if name == "" {
		return
	}
	kind := e.attribute("type")
	if kind != "" && !strings.HasPrefix(kind, "application/x-fmu-") || kind == "" && path.Ext(name) != ".fmu" {
		s.find("S-7", location, "%s is not an FMU and was not looked at", name)
		return
	}
	c := s.fmu(name)
	if c == nil {
		return
	}
	for _, connector := range e.all("Connectors", "Connector") {
		name, kind := connector.attribute("name"), connector.attribute("kind")
		v := c.byName[name]
		if v == nil {
			if len(connector.all("Binary")) == 0 || c.version == 3 { // OSMP writes those of FMI 2.0 as three integers
				s.find("S-5", location, "the connector %s is no variable of the FMU", name)
			}
			continue
		}
		matches := kind == v.causes || kind == "unspecified" || kind == "constant" && v.changes == "constant"
		if !matches {
			s.find("S-5", location, "the connector %s has the kind %s, the variable of the FMU the causality %s", name, kind,
				v.causes)
		}
	}
}

// fmu unpacks and checks an FMU of the package, once.
func (s *systemChecker) fmu(name string) *checker {
	if c, known := s.fmus[name]; known {
		return c
	}
	s.fmus[name] = nil
	f := s.files[name]
	if f.UncompressedSize64 > s.left {
		s.find("S-2", name, "the FMUs unpack to more than 1 GiB, the most that a package may have")
		return nil
	}
	s.left -= f.UncompressedSize64
	to := filepath.Join(s.folder, fmt.Sprint(len(s.fmus)), path.Base(name)) // some have one name
	err := os.MkdirAll(filepath.Dir(to), 0o755)
	if err == nil {
		err = archive.ExtractEntry(f, to)
	}
	if err != nil {
		s.find("S-2", name, "it cannot be unpacked: %v", err)
		return nil
	}
	entries, closer, err := open(to)
	var findings []Finding
	var c *checker
	if err == nil {
		defer closer.Close()
		findings, c, err = fmuOf(entries)
	}
	if err != nil {
		s.find("S-2", name, "it cannot be read: %s", strings.TrimPrefix(err.Error(), to+": "))
		return nil
	}
	for _, finding := range findings {
		finding.Place = name + ", " + finding.Place
		s.findings = append(s.findings, finding)
	}
	s.parts, s.fmus[name] = append(s.parts, Part{name, to, findings}), c
	return c
}

// flows are the connections that SSP allows: from a kind of a system's connector (s) or of an element's (e) to others.
var flows = map[string][]string{
	"s structuralParameter": {"s calculatedParameter", "s output", "s local", "e structuralParameter", "e parameter",
		"e input", "e inout"},
	"s parameter": {"s calculatedParameter", "s output", "s local", "e parameter", "e input", "e inout"},
	"s input":     {"s output", "s local", "e input", "e inout"},
	"e constant": {"e structuralParameter", "e parameter", "e input", "e inout", "s constant", "s calculatedParameter",
		"s output", "s local"},
	"e calculatedParameter": {"e parameter", "e input", "e inout", "s calculatedParameter", "s output", "s local"},
	"e output":              {"e input", "e inout", "s output", "s local"},
	"e local":               {"e input", "e inout", "s output", "s local"},
	"e inout":               {"e input", "e inout", "s output", "s local"},
}

// connection checks that a connection leads from a connector to another one as their kinds allow. Its start may be that
// of the flow or its end.
func (s *systemChecker) connection(e *element, location string, own node, elements map[string]node,
	fed map[string]bool) {
	var kinds, names [2]string
	wild := false
	for i, end := range []string{"start", "end"} {
		at, owner := own, "s "
		if of := e.attribute(end + "Element"); of != "" {
			n, known := elements[of]
			if !known {
				s.find("S-4", location, "a connection leads to the element %q, which does not exist", of)
				return
			}
			at, owner, names[i] = n, "e ", of+"."
		}
		name := e.attribute(end + "Connector")
		names[i] += name
		c := at.connectors[name]
		if c == nil {
			s.find("S-4", location, "a connection leads to the connector %q, which does not exist", names[i])
			return
		}
		kinds[i] = owner + c.attribute("kind")
		wild = wild || c.attribute("kind") == "unspecified" || len(c.all("Clock")) > 0
	}
	forward, backward := slices.Contains(flows[kinds[0]], kinds[1]), slices.Contains(flows[kinds[1]], kinds[0])
	switch {
	case wild || e.has("startIndices") || e.has("endIndices") || forward && backward:
		return // of whatever kind is needed, or of a part of an array
	case !forward && !backward:
		s.find("S-4", location, "%s and %s cannot be connected: their kinds are %s and %s", names[0], names[1],
			kinds[0][2:], kinds[1][2:])
		return
	}
	end := names[1]
	if backward {
		end = names[0]
	}
	if fed[end] {
		s.find("S-6", location, "several connections feed %s", end)
	}
	fed[end] = true
}
