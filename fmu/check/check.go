package check

import (
	"archive/zip"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"skidpad/fmu/archive"
	"skidpad/model/bounded"
)

// Finding is something wrong with an FMU: the rule that is broken, where, and how. What a library does wrong has no
// rule and no place.
type Finding struct {
	Rule  string `json:"rule,omitempty"`
	Place string `json:"place,omitempty"`
	Text  string `json:"text"`
}

func (f Finding) String() string {
	if f.Rule == "" {
		return f.Text
	}
	return f.Rule + ": " + f.Place + ": " + f.Text
}

// FMU looks for mistakes in the archive and the XML files of an FMU 2.0 or 3.0. An error means that the file cannot be
// read as an FMU at all.
func FMU(file string) ([]Finding, error) {
	opened, err := bounded.FMU.Open(file)
	if err != nil {
		return nil, err
	}
	defer opened.Close()
	entries, err := archive.Entries(opened, opened.Size())
	if err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	c := &checker{files: map[string]*zip.File{}}
	c.archive(entries)
	root, err := c.read("modelDescription.xml")
	if err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	switch version := root.attribute("fmiVersion"); {
	case version == "2.0":
		c.version = 2
	case version == "3.0":
		c.version = 3
	default:
		return nil, fmt.Errorf("%s: modelDescription.xml has fmiVersion %q; 2.0 and 3.0 can be checked", file, version)
	}
	c.root = root
	c.schema()
	c.head()
	c.interfaces()
	c.unitDefinitions()
	c.typeDefinitions()
	c.variables()
	c.structure()
	c.terminals()
	return c.findings, nil
}

// checker gathers findings.
type checker struct {
	files    map[string]*zip.File
	root     *element
	version  int
	findings []Finding

	units    map[string][]string // display units by unit
	types    map[string]*element // with the attributes of a type, by its name
	list     []*checkedVariable
	byName   map[string]*checkedVariable
	byNumber map[string]*checkedVariable // index of 2.0, value reference of 3.0
}

func (c *checker) find(rule, place, format string, arguments ...any) {
	c.findings = append(c.findings, Finding{rule, place, fmt.Sprintf(format, arguments...)})
}

func (c *checker) archive(files []*zip.File) {
	for _, f := range files {
		if strings.HasSuffix(f.Name, "/") {
			if err := archive.CheckName(strings.TrimSuffix(f.Name, "/")); err != nil {
				c.find("F-ZIP-4", f.Name, "%v", err)
			}
			continue
		}
		if err := archive.CheckEntry(f); err != nil {
			c.find("F-ZIP", f.Name, "%v", err)
		}
		if c.files[f.Name] != nil {
			c.find("F-ZIP-4", f.Name, "the name comes twice")
		}
		c.files[f.Name] = f
	}
}

func (c *checker) read(name string) (*element, error) {
	f := c.files[name]
	if f == nil {
		if name == "modelDescription.xml" {
			return nil, archive.ErrNoDescription
		}
		return nil, fmt.Errorf("%s is missing", name)
	}
	data, err := archive.Unpack(f, bounded.Description)
	if err != nil {
		return nil, err
	}
	e, err := parseElement(data)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return e, nil
}

const description = archive.DescriptionFile

// head checks the root, log categories and the default experiment.
func (c *checker) head() {
	token := map[int]string{2: "guid", 3: "instantiationToken"}[c.version]
	for _, name := range []string{"modelName", token} {
		if c.root.attribute(name) == "" {
			c.find("F-XML-5", description, "%s is missing", name)
		}
	}
	if date := c.root.attribute("generationDateAndTime"); date != "" {
		if _, err := time.Parse("2006-01-02T15:04:05Z", date); err != nil {
			c.find("F-XML-1", description, "generationDateAndTime %q is not YYYY-MM-DDThh:mm:ssZ", date)
		}
	}
	seen := map[string]bool{}
	for _, category := range c.root.all("LogCategories", "Category") {
		if name := category.attribute("name"); seen[name] {
			c.find("F-CB-7", description, "log category %q comes twice", name)
		} else {
			seen[name] = true
		}
	}
	for _, e := range c.root.all("DefaultExperiment") {
		value := func(name string, otherwise float64) float64 {
			if !e.has(name) {
				return otherwise
			}
			x, ok := xmlNumber(e.attribute(name))
			if !ok {
				c.find("F-XML-1", description, "DefaultExperiment: %s %q is not a number", name, e.attribute(name))
				return otherwise
			}
			return x
		}
		start := value("startTime", 0)
		stop, step := value("stopTime", start+1), value("stepSize", 1e-9)
		if stop <= start || value("tolerance", 1) <= 0 || step <= 0 || step >= stop-start {
			c.find("6.4", description, "DefaultExperiment: the stop must be after the start, the tolerance above 0, "+
				"and the step between 0 and the duration")
		}
	}
	if n := c.root.attribute("numberOfEventIndicators"); n != "" {
		if _, err := strconv.ParseUint(n, 10, 32); err != nil {
			c.find("F-ME-1", description, "numberOfEventIndicators %q is not a count", n)
		}
	}
}

// interfaces checks the kinds of use and the libraries.
func (c *checker) interfaces() {
	found := 0
	var named []string
	for _, kind := range []string{"ModelExchange", "CoSimulation", "ScheduledExecution"} {
		for _, e := range c.root.all(kind) {
			found++
			if name := e.attribute("modelIdentifier"); !slices.Contains(named, name) {
				named = append(named, name)
				c.libraries(kind, name)
			}
			if e.attribute("canReturnEarlyAfterIntermediateUpdate") == "true" &&
				e.attribute("providesIntermediateUpdate") != "true" {
				c.find("F-3CS-3", kind, "canReturnEarlyAfterIntermediateUpdate needs providesIntermediateUpdate")
			}
			for _, state := range []string{"State", "state"} {
				if e.attribute("canSerializeFMU"+state) == "true" && e.attribute("canGetAndSetFMU"+state) != "true" {
					c.find("F-FST-5", kind, "canSerializeFMU%s needs canGetAndSetFMU%s", state, state)
				}
			}
			if e.has("fixedInternalStepSize") {
				if x, ok := xmlNumber(e.attribute("fixedInternalStepSize")); !ok || x <= 0 {
					c.find("F-3CS-5", kind, "fixedInternalStepSize %q must be above 0",
						e.attribute("fixedInternalStepSize"))
				}
			}
		}
	}
	if found == 0 {
		c.find("section 7", description, "there is neither ModelExchange nor CoSimulation")
	}
}

// oldPlatforms are the folder names of FMI 2.0 that FMI 3.0 does not look into.
var oldPlatforms = []string{"win32", "win64", "linux32", "linux64", "darwin32", "darwin64"}

// libraries checks that every platform has a library called as the FMU says.
func (c *checker) libraries(kind, identifierText string) {
	if err := archive.CheckIdentifier(identifierText); err != nil {
		c.find("F-BIN-1", kind, "%v", err)
		return
	}
	platforms := map[string]bool{}
	for name := range c.files {
		if parts := strings.Split(name, "/"); len(parts) == 3 && parts[0] == "binaries" {
			platforms[parts[1]] = platforms[parts[1]] || parts[2] == identifierText+librarySuffix(parts[1])
		}
	}
	for _, platform := range slices.Sorted(maps.Keys(platforms)) {
		if !platforms[platform] {
			c.find("F-BIN-1", "binaries/"+platform, "no library is called %s", identifierText+librarySuffix(platform))
		}
		if c.version == 3 && slices.Contains(oldPlatforms, platform) {
			c.find("1.2", "binaries/"+platform, "FMI 3.0 names platforms like x86_64-linux")
		}
	}
}

// librarySuffix is how libraries of a platform end.
func librarySuffix(platform string) string {
	switch {
	case strings.HasPrefix(platform, "win") || strings.Contains(platform, "-windows"):
		return ".dll"
	case strings.Contains(platform, "darwin"):
		return ".dylib"
	}
	return ".so"
}
