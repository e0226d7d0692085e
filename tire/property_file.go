package tire

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"skidpad/model/document"
	"skidpad/tire/tir"
)

// propertyHeading begins a property file whose name does not tell.
var propertyHeading = regexp.MustCompile(`(?im)(^|\r)[ \t]*\[ *(MDI_HEADER|UNITS|MODEL) *\]`)

// isPropertyFile tells property files by their names, or, where these end with neither .tir nor
// .toml, by their sections.
func isPropertyFile(data []byte, name string) bool {
	switch strings.ToLower(filepath.Ext(name)) {
	case ".tir":
		return true
	case ".toml":
		return false
	}
	return propertyHeading.Match(data)
}

// functionOf are the functions of the Magic Formula versions.
var functionOf = map[tir.Version]string{tir.MF52: "Pacejka02", tir.MF61: "MF61", tir.MF62: "MF62"}

// propertyKeys are the keys of property files that are not parameter names in capitals.
var propertyKeys = map[string]string{
	"Fz0": "FNOMIN", "R0": "UNLOADED_RADIUS", "V0": "LONGVL", "P0": "NOMPRES", "Pressure": "INFLPRES",
	"LFz0": "LFZO", "Lgammax": "LGAX", "Lgammay": "LGAY", "Lgammaz": "LGAZ", "Ltrail": "LTR",
	"LXalpha": "LXAL", "LYkappa": "LYKA", "LVykappa": "LVYKA", "LSkappa": "LSGKP", "LSalpha": "LSGAL",
	"Cx": "LONGITUDINAL_STIFFNESS", "Cy": "LATERAL_STIFFNESS",
	"Smin": "KPUMIN", "Smax": "KPUMAX", "alphamin": "ALPMIN", "alphamax": "ALPMAX", "gammamin": "CAMMIN",
	"gammamax": "CAMMAX",
}

func propertyKey(parameter string) string {
	return cmp.Or(propertyKeys[parameter], strings.ToUpper(parameter))
}

// propertyDefaults are the values of missing keys of a property file: the nominal pressure, the cornering stiffness of
// version 5.2, and a rolling resistance proportional to the load.
var propertyDefaults = map[string]float64{"LONGVL": 16.7, "NOMPRES": 2e5, "PKY4": 2, "QSY7": 1}

// readProperties reads a property file for a use.
func readProperties(data []byte, name string, u ReadOptions) (*Parameters, error) {
	file, err := tir.Parse(data, name)
	if err != nil {
		return nil, err
	}
	properties, err := tir.Read(file, u.Radius)
	if err != nil {
		return nil, err
	}
	own := functionOf[properties.Version]
	function := cmp.Or(u.Function, own)
	served := []string{own}
	served = append(served, map[bool]string{true: "StretchedString",
		false: "MFRelaxation"}[properties.Version == tir.MF52])
	downgraded := properties.Version != tir.MF52 && function == functionOf[tir.MF52]
	if !slices.Contains(served, function) && !(downgraded && u.Downgrade) {
		remedy := ""
		if downgraded {
			remedy = "; to read it without the coefficients that version 5.2 does not have, set allow_downgrade of " +
				"the tire's force"
		}
		return nil, fmt.Errorf("%s is of Magic Formula %s, for the function %s, not for %s%s", name, properties.Version,
			strings.Join(served, " or "), function, remedy)
	}
	kind, err := Lookup(function)
	if err != nil {
		return nil, err
	}
	p := &Parameters{Function: function, Title: strings.Join(file.Comments, " "), Warnings: properties.Warnings}
	p.Sizes = map[string]float64{}
	for _, key := range SizeKeys {
		if _, given := properties.Places[key]; given {
			p.Sizes[key] = properties.Values[key]
		}
	}
	for _, info := range kind.Parameters {
		p.Values = append(p.Values, property(properties, info.Name))
	}
	if len(kind.Optional) > 0 {
		p.Values = append(p.Values, useIn(properties, u.Side)...)
	}
	if _, err := kind.New(p.Values); err != nil {
		return nil, placed(err, properties, name)
	}
	if downgraded {
		p.Warnings = append(p.Warnings, fmt.Sprintf("%s:1:1: of Magic Formula %s and read with the equations of "+
			"5.2; dropped are %s", name, properties.Version, strings.Join(ignoredCoefficients(properties, kind), ", ")))
	}
	return p, nil
}

// ignoredCoefficients lists the coefficients of a file that have an effect in its version, and none in a function.
func ignoredCoefficients(p *tir.Properties, k *Kind) []string {
	known := map[string]bool{}
	for _, info := range k.Parameters {
		known[propertyKey(info.Name)] = true
	}
	var list []string
	for _, key := range slices.Sorted(maps.Keys(p.Values)) {
		neutral := propertyDefaults[key]
		if key[0] == 'L' {
			neutral = 1
		}
		if tir.Only6[key] && !known[key] && p.Values[key] != neutral {
			list = append(list, fmt.Sprintf("%s = %g", key, p.Values[key]))
		}
	}
	if pressure, nominal := property(p, "Pressure"), property(p, "P0"); pressure != nominal {
		list = append(list, fmt.Sprintf("INFLPRES = %g beside NOMPRES = %g", pressure, nominal))
	}
	if len(list) == 0 {
		return []string{"none that differ from what 5.2 takes for granted"}
	}
	return list
}

// property is the value of a parameter.
func property(p *tir.Properties, parameter string) float64 {
	key := propertyKey(parameter)
	value, given := p.Values[key]
	nominal, known := p.Values["NOMPRES"]
	switch {
	case parameter == "TurnSlip":
		return map[bool]float64{true: 1}[p.TurnSlip]
	case p.Side == tir.Symmetric && tir.Asymmetric[key]:
		return 0
	case given:
		return value
	case key == "INFLPRES" && known:
		return nominal
	case key == "NOMPRES" && p.Values["INFLPRES"] > 0:
		return p.Values["INFLPRES"]
	case key == "INFLPRES":
		return propertyDefaults["NOMPRES"]
	case parameter[0] == 'L':
		return 1
	}
	return propertyDefaults[key]
}

// useIn returns the parameters of use, none for a tire as measured without ranges and with combined slip.
func useIn(p *tir.Properties, side string) []float64 {
	var values []float64
	given := false
	for _, o := range useParameters {
		value, there := p.Values[propertyKey(o.Name)]
		switch {
		case o.Name == "side" && p.Mirrored(side):
			value, there = -1, true
		case o.Name == combinedParameter && p.Uncombined:
			value, there = 0, true
		case !there:
			value = o.Default
		}
		given = given || there
		values = append(values, value)
	}
	if !given {
		return nil
	}
	return values
}

// placed names the places of refused parameters.
func placed(err error, p *tir.Properties, name string) error {
	faults := &document.Faults{File: name}
	refused := []error{err}
	if several, ok := err.(interface{ Unwrap() []error }); ok {
		refused = several.Unwrap()
	}
	for _, err := range refused {
		at := tir.Place{Line: 1, Column: 1}
		text := err.Error()
		if f := (*parameterError)(nil); errors.As(err, &f) {
			key := propertyKey(f.parameter)
			text = fmt.Sprintf("%s: %s", key, text)
			if position, given := p.Places[key]; given {
				at = position
			}
		}
		faults.Add(at.Line, at.Column, "%s", text)
	}
	return faults.Err()
}

// propertySections are the sections of a property file in their order, with what their keys begin
// with.
var propertySections = []struct{ section, prefixes string }{
	{"SCALING_COEFFICIENTS", "L"},
	{"LONGITUDINAL_COEFFICIENTS", "PCX PDX PEX PKX PHX PVX PPX RBX RCX REX RHX"},
	{"OVERTURNING_COEFFICIENTS", "QSX PPM"},
	{"LATERAL_COEFFICIENTS", "PCY PDY PEY PKY PHY PVY PPY RBY RCY REY RHY RVY"},
	{"ROLLING_COEFFICIENTS", "QSY"},
	{"ALIGNING_COEFFICIENTS", "QBZ QCZ QDZ QEZ QHZ PPZ SSZ"},
	{"TURNSLIP_COEFFICIENTS", "PDXP PKYP PDYP PHYP PECP QDTP QCRP QBRP QDRP"},
}

// WriteProperties writes parameters as a property file. Reading this file is bit-identical. stiffness is the vertical
// stiffness of the tire [N/m], a mandatory entry of such a file.
func WriteProperties(p *Parameters, stiffness float64) ([]byte, error) {
	if !slices.Contains(slices.Collect(maps.Values(functionOf)), p.Function) {
		return nil, fmt.Errorf("parameters of %s cannot be written as a property file; those of %s can", p.Function,
			strings.Join(slices.Sorted(maps.Values(functionOf)), ", "))
	}
	if !(stiffness > 0) {
		return nil, fmt.Errorf("the vertical stiffness is %g N/m; it must be positive", stiffness)
	}
	kind, err := Lookup(p.Function)
	if err != nil {
		return nil, err
	}
	values := map[string]float64{}
	for i, info := range kind.Parameters {
		values[info.Name] = p.Values[i]
	}
	number := propertyNumber
	text := func(key, value string) *tir.Entry { return &tir.Entry{Key: key, Text: value, Quoted: true} }
	file := &tir.File{Comments: comments(p)}
	add := func(name string, entries ...*tir.Entry) {
		file.Sections = append(file.Sections, &tir.Section{Name: name, Entries: entries})
	}
	format, fit, mode := "PAC2002", 6.0, 14.0
	if p.Function != "Pacejka02" {
		format, mode = "MF-TYRE", 14+values["TurnSlip"]
		fit = map[string]float64{"MF61": 61, "MF62": 62}[p.Function]
	}
	if u := p.Values[len(kind.Parameters):]; len(u) > 0 && u[rangeParameters] == 0 {
		mode = 13
	}
	add("MDI_HEADER", text("FILE_TYPE", "tir"), number("FILE_VERSION", 3, ""), text("FILE_FORMAT", "ASCII"))
	add("UNITS", text("LENGTH", "meter"), text("FORCE", "newton"), text("ANGLE", "radians"), text("MASS", "kg"),
		text("TIME", "second"), text("PRESSURE", "pascal"))
	add("MODEL", text("PROPERTY_FILE_FORMAT", format), number("FITTYP", fit, "Magic Formula version"),
		number("USE_MODE", mode, ""),
		text("TYRESIDE", "LEFT"), number("LONGVL", values["V0"], "reference speed"))
	add("DIMENSION", number("UNLOADED_RADIUS", values["R0"], "unloaded radius"))
	add("VERTICAL", number("FNOMIN", values["Fz0"], "nominal load"), number("VERTICAL_STIFFNESS", stiffness, ""))
	if p.Function != "Pacejka02" {
		add("OPERATING_CONDITIONS", number("INFLPRES", values["Pressure"], "inflation pressure"),
			number("NOMPRES", values["P0"], "nominal inflation pressure"))
	}
	if use := p.Values[len(kind.Parameters):]; len(use) > 0 {
		if use[0] != 1 {
			return nil, errors.New("a mirrored tire cannot be written as a property file; write it as measured, " +
				"without the parameter side")
		}
		for i, section := range []string{
			"LONG_SLIP_RANGE", "SLIP_ANGLE_RANGE", "INCLINATION_ANGLE_RANGE", "VERTICAL_FORCE_RANGE",
		} {
			low, high := 1+2*i, 2+2*i
			if use[low] == useParameters[low].Default && use[high] == useParameters[high].Default { // none
				continue
			}
			add(section, propertyNumber(propertyKey(useParameters[low].Name), use[low], ""),
				propertyNumber(propertyKey(useParameters[high].Name), use[high], ""))
		}
	}
	for _, s := range propertySections {
		if entries := entriesOf(kind, s.section, values); entries != nil {
			add(s.section, entries...)
		}
	}
	return file.Format(), nil
}

// propertyNumber is the line of a number.
func propertyNumber(key string, x float64, comment string) *tir.Entry {
	return &tir.Entry{Key: key, Text: tir.Number(x), Comment: comment}
}

// entriesOf are the coefficients of a section.
func entriesOf(kind *Kind, section string, values map[string]float64) (entries []*tir.Entry) {
	for _, info := range kind.Parameters {
		key := propertyKey(info.Name)
		if info.Unit == "1" && sectionOf(key) == section {
			entries = append(entries, propertyNumber(key, values[info.Name], ""))
		}
	}
	return entries
}

// sectionOf returns the section of a coefficient: that of the longest prefix.
func sectionOf(key string) string {
	best, length := "", 0
	for _, s := range propertySections {
		for _, prefix := range strings.Fields(s.prefixes) {
			if strings.HasPrefix(key, prefix) && len(prefix) > length {
				best, length = s.section, len(prefix)
			}
		}
	}
	return best
}

// comments are title and source of parameters.
func comments(p *Parameters) []string {
	var list []string
	for _, text := range []string{p.Title, p.Source} {
		for line := range strings.Lines(text) {
			if line = strings.TrimSpace(line); line != "" {
				list = append(list, line)
			}
		}
	}
	return list
}
