package check

import (
	"archive/zip"
	"fmt"
	"maps"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"skidpad/fmu/archive"
	"skidpad/model/bounded"
)

// FMU looks for mistakes in the archive and the XML files of an FMU 2.0 or 3.0. An error means that the file cannot be
// read as an FMU at all.
func FMU(file string) ([]Finding, error) {
	entries, closer, err := open(file)
	if err != nil {
		return nil, err
	}
	defer closer.Close()
	findings, _, err := fmuOf(entries)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	return findings, nil
}

// open lists the entries of an archive. Close it when done.
func open(file string) ([]*zip.File, *bounded.File, error) {
	opened, err := bounded.FMU.Open(file)
	if err != nil {
		return nil, nil, err
	}
	entries, err := archive.Entries(opened, opened.Size())
	if err != nil {
		opened.Close()
		return nil, nil, fmt.Errorf("%s: %w", file, err)
	}
	return entries, opened, nil
}

// fmuOf checks the entries of an FMU, and returns what it has read of them.
func fmuOf(entries []*zip.File) ([]Finding, *checker, error) {
	c := &checker{files: map[string]*zip.File{}}
	c.archive(entries)
	root, err := c.read(description)
	if err != nil {
		return nil, nil, err
	}
	switch version := root.attribute("fmiVersion"); {
	case version == "2.0":
		c.version = 2
	case strings.HasPrefix(version, "2.0."):
		c.version = 2
		c.find("F-XML-11", description, "fmiVersion is %q; it must be 2.0 for all 2.0.x, and importers refuse others",
			version)
	case versions3.MatchString(version):
		c.version = 3
	default:
		return nil, nil, fmt.Errorf("%s has fmiVersion %q; 2.0 and 3.0 can be checked", description, version)
	}
	c.root = root
	c.schema()
	c.head()
	c.interfaces()
	c.sources()
	c.unitDefinitions()
	c.typeDefinitions()
	c.variables()
	c.structure()
	c.terminals()
	c.folders()
	for i := range c.findings {
		c.findings[i].Clause = clause(c.findings[i].Rule, c.version)
	}
	return c.findings, c, nil
}

// versions3 are the versions that the schema of FMI 3.0 allows.
var versions3 = regexp.MustCompile(`^3\.(0|[1-9][0-9]*)(\.(0|[1-9][0-9]*))?(-.+)?$`)

// clause is where the standard of a version of FMI states a rule.
func clause(id string, version int) string {
	r := rule(id)
	of := map[int]string{2: r.Two, 3: r.Three}[version]
	if of == "" {
		return ""
	}
	return fmt.Sprintf("FMI %d.0, %s", version, of)
}

// checker gathers findings.
type checker struct {
	files    map[string]*zip.File
	root     *element
	version  int
	compiled bool // there is a library
	findings []Finding

	units    map[string][]string // display units by unit
	types    map[string]*element // with the attributes of a type, by its name
	list     []*checkedVariable
	byName   map[string]*checkedVariable
	byNumber map[string]*checkedVariable // index of 2.0, value reference of 3.0
	states   map[string]bool             // numbers that the attribute derivative of a variable names
	previous map[string]string           // names of variables by the number that their attribute previous has
	sets     []SourceSet
}

func (c *checker) find(id, location, format string, arguments ...any) {
	c.findings = append(c.findings, Finding{Grade: rule(id).Grade, Rule: id, Place: location,
		Text: fmt.Sprintf(format, arguments...)})
}

// archive checks names and kinds of entries.
func (c *checker) archive(files []*zip.File) {
	for _, f := range files {
		name, folder := strings.CutSuffix(f.Name, "/")
		if folder {
			if err := archive.CheckPath(name); err != nil {
				c.find("F-ZIP-4", f.Name, "%v", err)
			}
			continue
		}
		pathError := archive.CheckPath(name)
		switch err := archive.CheckEntry(f); {
		case pathError != nil:
			c.find("F-ZIP-4", f.Name, "%v", pathError)
		case err != nil:
			c.find("F-ZIP", f.Name, "%v", err)
		default:
			if err := archive.CheckName(name); err != nil {
				c.find("F-ZIP-5", f.Name, "%v", err)
			}
		}
		name = strings.ReplaceAll(name, `\`, "/") // to be found as what it is meant to be
		if c.files[name] != nil {
			c.find("F-ZIP-4", f.Name, "the name comes twice")
		}
		c.files[name] = f
	}
}

// under lists the files below a folder, without its name, in an order that does not change.
func (c *checker) under(folder string) []string {
	var names []string
	for name := range c.files {
		if rest, ok := strings.CutPrefix(name, folder+"/"); ok {
			names = append(names, rest)
		}
	}
	slices.Sort(names)
	return names
}

func (c *checker) read(name string) (*element, error) {
	f := c.files[name]
	if f == nil {
		for _, inside := range slices.Sorted(maps.Keys(c.files)) {
			if folder, is := strings.CutSuffix(inside, "/"+name); is && name == description {
				return nil, fmt.Errorf("%w; it lies in %s: pack the files of that folder, not the folder",
					archive.ErrNoDescription, folder)
			}
		}
		if name == description {
			return nil, archive.ErrNoDescription
		}
		return nil, fmt.Errorf("%s is missing", name)
	}
	data, err := archive.Unpack(f, bounded.Description)
	if err != nil {
		return nil, err
	}
	e, encoding, err := parseElement(data)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	if encoding != "UTF-8" {
		c.find("F-XML-3", name, "the encoding is %s; the standard requires UTF-8", encoding)
	}
	return e, nil
}

const description = archive.DescriptionFile

// head checks the root, log categories and the default experiment.
func (c *checker) head() {
	token := map[int]string{2: "guid", 3: "instantiationToken"}[c.version]
	for _, name := range []string{"modelName", token} {
		switch {
		case !c.root.has(name):
			c.find("F-XML-5", description, "%s is missing", name)
		case c.root.attribute(name) == "":
			c.find("F-XML-10", description, "%s is empty", name)
		}
	}
	if c.root.has("generationDateAndTime") {
		c.date(c.root.attribute("generationDateAndTime"))
	}
	if convention := c.root.attribute("variableNamingConvention"); convention != "" && convention != "flat" &&
		convention != "structured" {
		c.find("F-XML-1", description, "variableNamingConvention %q must be flat or structured", convention)
	}
	seen := map[string]bool{}
	for _, category := range c.root.all("LogCategories", "Category") {
		name := category.attribute("name")
		if seen[name] {
			c.find("F-LOG-1", description, "log category %q comes twice", name)
		}
		seen[name] = true
	}
	for _, e := range c.root.all("DefaultExperiment") {
		c.experiment(e)
	}
	if c.root.has("numberOfEventIndicators") {
		n := c.root.attribute("numberOfEventIndicators")
		if _, err := strconv.ParseUint(strings.TrimSpace(n), 10, 32); err != nil {
			c.find("F-MST-8", description, "numberOfEventIndicators %q is not a count", n)
		}
	}
}

// dateTime is xs:dateTime: a time with fractions of a second or without, in a zone or in none.
var dateTime = regexp.MustCompile(`^(-?(?:[1-9][0-9]{3,}|0[0-9]{3})-[0-9]{2}-[0-9]{2})T([0-9]{2}:[0-9]{2}:[0-9]{2})` +
	`(\.[0-9]+)?(Z|[+-](?:0[0-9]|1[0-3]):[0-5][0-9]|[+-]14:00)?$`)

// date checks the time of generation.
func (c *checker) date(text string) {
	parts := dateTime.FindStringSubmatch(strings.TrimSpace(text))
	if parts == nil || !isTime(parts[1], parts[2]) {
		c.find("F-XML-1", description, "generationDateAndTime %q is no xs:dateTime such as 2026-01-31T12:00:00Z", text)
		return
	}
	if parts[3] != "" || parts[4] != "Z" {
		c.find("F-XML-9", description, "generationDateAndTime %q should be YYYY-MM-DDThh:mm:ssZ", text)
	}
}

// isTime reports whether a day and a time of it exist. Midnight may be called 24:00:00; years beyond four digits are
// not looked at.
func isTime(day, clock string) bool {
	if clock == "24:00:00" {
		clock = "00:00:00"
	}
	if year, rest, _ := strings.Cut(day, "-"); len(year) != 4 {
		day = "2000-" + rest[len(rest)-len("01-01"):]
	}
	_, err := time.Parse("2006-01-02T15:04:05", day+"T"+clock)
	return err == nil
}

func (c *checker) experiment(e *element) {
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
	stop, step, tolerance := value("stopTime", start+1), value("stepSize", 1e-9), value("tolerance", 1)
	if stop <= start || tolerance <= 0 || step <= 0 || e.has("stopTime") && step > stop-start {
		c.find("F-EXP-1", description, "DefaultExperiment: the stop should be after the start, the tolerance above 0, "+
			"and the step between 0 and the duration")
	}
}

var interfaceKinds = []string{"ModelExchange", "CoSimulation", "ScheduledExecution"}

// interfaces checks the kinds of use and the libraries.
func (c *checker) interfaces() {
	found := 0
	var named []string
	for _, kind := range interfaceKinds {
		for _, e := range c.root.all(kind) {
			found++
			if name := e.attribute("modelIdentifier"); !slices.Contains(named, name) {
				named = append(named, name)
				c.libraries(kind, name)
			}
			if isTrue(e.attribute("canReturnEarlyAfterIntermediateUpdate")) &&
				!isTrue(e.attribute("providesIntermediateUpdate")) {
				c.find("F-FLG-2", kind, "canReturnEarlyAfterIntermediateUpdate needs providesIntermediateUpdate")
			}
			for _, state := range []string{"State", "state"} {
				if isTrue(e.attribute("canSerializeFMU"+state)) && !isTrue(e.attribute("canGetAndSetFMU"+state)) {
					c.find("F-FLG-1", kind, "canSerializeFMU%s needs canGetAndSetFMU%s", state, state)
				}
			}
			if e.has("fixedInternalStepSize") {
				switch x, ok := xmlNumber(e.attribute("fixedInternalStepSize")); {
				case !ok:
					c.find("F-XML-1", kind, "fixedInternalStepSize %q is not a number", e.attribute("fixedInternalStepSize"))
				case x <= 0:
					c.find("F-FLG-3", kind, "fixedInternalStepSize %q should be above 0", e.attribute("fixedInternalStepSize"))
				}
			}
		}
	}
	if found == 0 {
		c.find("F-XML-7", description, "there is neither ModelExchange nor CoSimulation%s",
			map[int]string{3: " nor ScheduledExecution"}[c.version])
	}
}

// oldPlatforms are the folder names of FMI 2.0 that FMI 3.0 does not look into.
var oldPlatforms = []string{"win32", "win64", "linux32", "linux64", "darwin32", "darwin64"}

// libraries checks that there is an implementation, and that libraries are called as the FMU says.
func (c *checker) libraries(kind, identifier string) {
	if err := archive.CheckIdentifier(identifier); err != nil {
		c.find("F-BIN-1", kind, "%v", err)
		if archive.CheckLibraryName(identifier) != nil {
			return
		}
	}
	others := map[string]bool{} // whether a platform has other libraries only
	implementations := 0
	for _, name := range c.under("binaries") {
		platform, file, _ := strings.Cut(name, "/")
		switch ending := path.Ext(file); {
		case file == identifier+librarySuffix(platform):
			implementations++
			others[platform] = false
		case strings.Contains(file, "/") || ending == ".a" || ending == ".lib": // of a compiler, linked into a program
			if strings.TrimSuffix(path.Base(file), ending) == identifier {
				implementations++
			}
		case ending == librarySuffix(platform):
			if _, known := others[platform]; !known {
				others[platform] = true
			}
		}
	}
	for _, platform := range slices.Sorted(maps.Keys(others)) {
		if others[platform] {
			c.find("F-BIN-2", "binaries/"+platform, "no library is called %s", identifier+librarySuffix(platform))
		}
		if c.version == 3 && slices.Contains(oldPlatforms, platform) {
			c.find("F-BIN-5", "binaries/"+platform, "FMI 3.0 names platforms like x86_64-linux")
		}
	}
	c.compiled = c.compiled || implementations > 0
	if implementations == 0 && len(c.under("sources")) == 0 {
		c.find("F-BIN-3", kind, "there is neither a library called %s nor a folder of sources", identifier)
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

// folders checks folders beside the description: licenses.
func (c *checker) folders() {
	if c.version == 3 {
		licenses := c.under("documentation/licenses")
		if len(licenses) > 0 && !slices.ContainsFunc([]string{"license.txt", "license.html", "license.spdx"},
			func(name string) bool { return slices.Contains(licenses, name) }) {
			c.find("F-DOC-1", "documentation/licenses", "there is no license.txt, license.html or license.spdx")
		}
	}
}
