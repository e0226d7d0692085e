package road

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"path"
	"slices"
	"strings"

	"skidpad/model/bounded"
)

// crgFile is the content of an OpenCRG file and of the files that it refers to (ASAM OpenCRG 1.2, chapter 3).
type crgFile struct {
	road, options, modifiers crgBlock
	data                     *crgData // nil without data
	warnings                 []string
}

// crgBlock holds the numbers of a block by their names in upper case; nil where there is no such
// block.
type crgBlock map[string]float64

// number returns the value of a name, or a default.
func (b crgBlock) number(name string, without float64) float64 {
	if v, ok := b[name]; ok {
		return v
	}
	return without
}

// has reports whether any of the names has a value.
func (b crgBlock) has(names ...string) bool {
	return slices.ContainsFunc(names, func(name string) bool { _, ok := b[name]; return ok })
}

// Names of the blocks that are read.
const (
	crgRoad      = "ROAD_CRG"
	crgOptions   = "ROAD_CRG_OPTS"
	crgModifiers = "ROAD_CRG_MODS"
	crgReference = "ROAD_CRG_FILE"
	crgChannels  = "KD_DEFINITION"
)

// The names that a block may hold, as far as they mean something to a surface, and beginnings of
// names that mean nothing to it: geographic positions, messages, search strategies.
var crgNames = map[string]struct{ known, idle []string }{
	crgRoad: {[]string{
		"REFERENCE_LINE_INCREMENT", "REFERENCE_LINE_START_U", "REFERENCE_LINE_END_U", "REFERENCE_LINE_START_X",
		"REFERENCE_LINE_START_Y", "REFERENCE_LINE_START_Z",
		"REFERENCE_LINE_END_X", "REFERENCE_LINE_END_Y", "REFERENCE_LINE_END_Z", "REFERENCE_LINE_START_PHI",
		"REFERENCE_LINE_END_PHI",
		"REFERENCE_LINE_START_S", "REFERENCE_LINE_END_S", "REFERENCE_LINE_START_B", "REFERENCE_LINE_END_B",
		"LONG_SECTION_V_RIGHT", "LONG_SECTION_V_LEFT", "LONG_SECTION_V_INCREMENT",
	}, []string{"REFERENCE_LINE_START_LON", "REFERENCE_LINE_START_LAT", "REFERENCE_LINE_START_ALT",
		"REFERENCE_LINE_END_LON", "REFERENCE_LINE_END_LAT", "REFERENCE_LINE_END_ALT", "REFERENCE_LINE_OFFSET_"}},
	crgOptions: {[]string{
		"BORDER_MODE_U", "BORDER_MODE_V", "BORDER_OFFSET_U", "BORDER_OFFSET_V", "BORDER_SMOOTH_UBEG",
		"BORDER_SMOOTH_UEND", "REFLINE_CONTINUATION", "CHECK_EPS", "CHECK_TOL",
	}, []string{"WARN_", "LOG_", "CHECK_", "REFLINE_SEARCH_"}},
	crgModifiers: {[]string{
		"SCALE_Z_GRID", "SCALE_SLOPE", "SCALE_BANKING", "SCALE_LENGTH", "SCALE_WIDTH", "SCALE_CURVATURE",
		"GRID_NAN_MODE", "GRID_NAN_OFFSET",
		"REFPOINT_U", "REFPOINT_U_FRACTION", "REFPOINT_U_OFFSET", "REFPOINT_V", "REFPOINT_V_FRACTION",
		"REFPOINT_V_OFFSET", "REFPOINT_X", "REFPOINT_Y", "REFPOINT_Z", "REFPOINT_PHI",
		"REFLINE_ROTCENTER_X", "REFLINE_ROTCENTER_Y", "REFLINE_OFFSET_PHI", "REFLINE_OFFSET_X", "REFLINE_OFFSET_Y",
		"REFLINE_OFFSET_Z",
	}, nil},
}

// How far CRG files may refer to others, and how many of them make one road.
const (
	deepest  = 8
	mostCRGs = 100
)

// parseCRG reads the data of a CRG file and of the files that it refers to. chain are the files that lead to this file;
// count counts all files read.
func parseCRG(file string, data []byte, read bounded.Files, count *int, chain ...string) (*crgFile, error) {
	name := path.Clean(strings.ReplaceAll(file, `\`, "/"))
	if slices.Contains(chain, name) {
		return nil, fmt.Errorf("refers to itself, by %s", strings.Join(append(chain, name), ", "))
	}
	if len(chain) == deepest {
		return nil, fmt.Errorf("is the %dth of files that refer to each other; at most %d are followed",
			deepest+1, deepest)
	}
	if *count++; *count > mostCRGs {
		return nil, fmt.Errorf("is one file too many: at most %d may make up one road", mostCRGs)
	}
	p := &crgParser{file: &crgFile{}, format: crgFormat{binary: true}}
	if err := p.header(data); err != nil {
		return nil, err
	}
	whole := &crgFile{}
	for _, reference := range p.references {
		next := joined(file, reference.Path)
		data, err := read(bounded.Road, next)
		if err != nil {
			return nil, fmt.Errorf("line %d: %w", reference.line, err)
		}
		other, err := parseCRG(next, data, read, count, append(chain, name)...)
		if err == nil {
			err = whole.join(other)
		}
		if err != nil {
			return nil, fmt.Errorf("line %d: %s: %w", reference.line, reference.Path, err)
		}
	}
	return whole, whole.join(p.file)
}

// joined names a file that another one refers to by a path from its own folder.
func joined(file, reference string) string {
	return path.Join(path.Dir(strings.ReplaceAll(file, `\`, "/")), reference)
}

// join takes over the content of a later file: its blocks replace earlier blocks.
func (f *crgFile) join(later *crgFile) error {
	for _, b := range []struct{ to, from *crgBlock }{{&f.road, &later.road}, {&f.options, &later.options},
		{&f.modifiers, &later.modifiers}} {
		if *b.from != nil {
			*b.to = *b.from
		}
	}
	if later.data != nil {
		if f.data != nil {
			return errors.New("holds data, and so does a file that is referred to; only one of them may")
		}
		f.data = later.data
	}
	f.warnings = append(f.warnings, later.warnings...)
	return nil
}

// crgParser reads the header of one file.
type crgParser struct {
	file       *crgFile
	format     crgFormat
	channels   []crgChannel
	line       int
	references []Reference
	path       *Reference // that may go on in the next line
	headerOnly bool
	leftOut    int // places with text that is not part of a number
}

// Reference is a path in a block ROAD_CRG_FILE.
type Reference struct {
	Path       string
	Start, End int // bytes of the file
	line       int
}

func (p *crgParser) fail(format string, arguments ...any) error {
	return fmt.Errorf("line %d: %w", p.line, fmt.Errorf(format, arguments...))
}

// header reads a file up to its data, and them.
func (p *crgParser) header(data []byte) error {
	block, any := "", false
	for at := 0; at < len(data); {
		end := bytes.IndexByte(data[at:], '\n')
		next := at + end + 1
		if end < 0 {
			next = len(data)
		}
		text := strings.TrimRight(string(data[at:next]), "\r\n")
		start := at
		at, p.line = next, p.line+1
		switch {
		case strings.HasPrefix(text, "$$$$"):
			if err := p.endPath(); err != nil || p.headerOnly {
				return err
			}
			return p.records(data[at:])
		case strings.HasPrefix(text, "*"):
			continue
		case strings.HasPrefix(text, "$"):
			if err := p.endPath(); err != nil {
				return err
			}
			block = p.open(text[1:])
			any = any || block != ""
			continue
		}
		plain, _, _ := strings.Cut(text, "!")
		if plain = strings.TrimSpace(plain); plain == "" {
			continue
		}
		column := strings.Index(text, plain) + 1
		var err error
		switch block {
		case crgRoad:
			err = p.number(block, p.file.road, plain, column)
		case crgOptions:
			err = p.number(block, p.file.options, plain, column)
		case crgModifiers:
			err = p.number(block, p.file.modifiers, plain, column)
		case crgChannels:
			err = p.channel(plain)
		case crgReference:
			err = p.addPath(plain, start+column-1)
		}
		if err != nil {
			return err
		}
	}
	if !any {
		return errors.New(`the file has no block of a CRG file: "$ROAD_CRG" and "$KD_DEFINITION" in front of data, ` +
			`or "$ROAD_CRG_FILE"`)
	}
	if len(p.channels) > 0 {
		return errors.New(`the file defines channels and has no data: they begin after a line of "$$$$"`)
	}
	return p.endPath()
}

// open begins a block and returns its name; an empty one where the line only ends a block.
func (p *crgParser) open(text string) string {
	name, _, _ := strings.Cut(text, "!")
	fields := strings.Fields(name)
	if len(fields) == 0 {
		return ""
	}
	block := strings.ToUpper(fields[0])
	switch block {
	case crgRoad:
		p.file.road = crgBlock{}
	case crgOptions:
		p.file.options = crgBlock{}
	case crgModifiers:
		p.file.modifiers = crgBlock{}
	}
	return block
}

// mostWarnings bounds how many places of a file are named.
const mostWarnings = 10

// warn warns that the text at a place is ignored.
func (p *crgParser) warn(line, column int, text string) {
	if p.leftOut++; p.leftOut > mostWarnings {
		return
	}
	said := fmt.Sprintf("line %d, column %d: %q is not part of a number and is left out, as by the C library of the "+
		"format", line, column, text)
	if p.leftOut == mostWarnings {
		said += "; further places are not named"
	}
	p.file.warnings = append(p.file.warnings, said)
}

// leadingDecimal reads a number, and returns the rest of the text. The C library of the format reads 2.0 where a file
// has 2.0+e00.
func leadingDecimal(text string) (v float64, rest string, err error) {
	v, err = decimal(text)
	if err == nil {
		return v, "", nil
	}
	for end := min(len(text)-1, longestNumber); end > 0; end-- {
		if v, shorter := decimal(text[:end]); shorter == nil {
			return v, text[end:], nil
		}
	}
	return 0, "", err
}

// longestNumber bounds the search for the end of a number [characters].
const longestNumber = 40

// number reads a line NAME = value, which begins in a column.
func (p *crgParser) number(block string, to crgBlock, text string, column int) error {
	name, value, ok := strings.Cut(text, "=")
	name = strings.ToUpper(strings.TrimSpace(name))
	if !ok {
		return p.fail("%q is no line of the form NAME = value", text)
	}
	names := crgNames[block]
	if !slices.Contains(names.known, name) {
		switch {
		case slices.ContainsFunc(names.idle, func(beginning string) bool { return strings.HasPrefix(name, beginning) }):
		case block == crgModifiers:
			return p.fail("there is no modifier %s; there are %s", name, strings.Join(names.known, ", "))
		default:
			p.file.warnings = append(p.file.warnings, fmt.Sprintf("line %d: %s is unknown in %s and means nothing here",
				p.line, name, block))
		}
		return nil
	}
	v, rest, err := leadingDecimal(strings.TrimSpace(value))
	if err != nil {
		return p.fail("%s: %w", name, err)
	}
	if rest != "" {
		p.warn(p.line, column+len(text)-len(rest), rest)
	}
	to[name] = v
	return nil
}

// channel reads a line of the definition of data.
func (p *crgParser) channel(text string) error {
	switch {
	case strings.HasPrefix(text, "#:"):
		f, err := parseCRGFormat(strings.TrimSpace(text[2:]))
		if err != nil {
			return p.fail("%w", err)
		}
		p.format = f
		return nil
	case len(text) < 2 || !strings.EqualFold(text[:2], "D:"):
		return nil // virtual channels, which have no data
	}
	c, unit, _ := strings.Cut(text[2:], ",")
	c, unit = strings.ToLower(strings.Join(strings.Fields(c), " ")), strings.TrimSpace(unit)
	add := func(kind crgKind, want string, position float64) error {
		if !strings.EqualFold(unit, want) {
			return p.fail("the channel %q has the unit %q; it must be %s", c, unit, want)
		}
		p.channels = append(p.channels, crgChannel{kind, position})
		return nil
	}
	switch c {
	case "reference line phi":
		return add(crgPhi, "rad", 0)
	case "reference line slope":
		return add(crgSlope, "m/m", 0)
	case "reference line banking":
		return add(crgBanking, "m/m", 0)
	}
	section, ok := strings.CutPrefix(c, "long section")
	if !ok {
		p.file.warnings = append(p.file.warnings, fmt.Sprintf("line %d: the channel %q is not used", p.line, c))
		p.channels = append(p.channels, crgChannel{})
		return nil
	}
	kind := decimaled
	if at, ok := strings.CutPrefix(strings.ReplaceAll(section, " ", ""), "atv="); ok {
		kind, section = crgAt, at
	}
	position, err := decimal(section)
	if err != nil {
		return p.fail("the channel %q: %w; sections are called \"long section 1\" or \"long section at v = -1.5\"", c,
			err)
	}
	return add(kind, "m", position)
}

// addPath takes a line of a block ROAD_CRG_FILE: a path goes on until it ends in .crg.
func (p *crgParser) addPath(text string, start int) error {
	if p.path == nil {
		p.path = &Reference{line: p.line, Start: start}
	}
	p.path.Path += text
	p.path.End = start + len(text)
	if strings.HasSuffix(strings.ToLower(p.path.Path), ".crg") {
		return p.endPath()
	}
	return nil
}

func (p *crgParser) endPath() error {
	if p.path == nil {
		return nil
	}
	reference := *p.path
	p.path = nil
	if reference.Path[0] == '/' || strings.ContainsAny(reference.Path, `$\:`) {
		return fmt.Errorf("line %d: the reference %q is not followed: it must be a path from the folder of the "+
			"file, with / between folders", reference.line, reference.Path)
	}
	p.references = append(p.references, reference)
	return nil
}

// References lists the files that a CRG file refers to, by paths from its own folder, and the bytes
// from Start to End where they stand. Data that are no CRG file refer to nothing.
func References(data []byte) []Reference {
	if len(data) == 0 || data[0] != '$' && data[0] != '*' {
		return nil // the first line of a CRG file begins a block, or is a comment
	}
	p := &crgParser{file: &crgFile{}, headerOnly: true}
	if p.header(data) != nil {
		return nil
	}
	return p.references
}

// records reads the data behind the header.
func (p *crgParser) records(data []byte) error {
	if len(p.channels) == 0 {
		return p.fail("data begin, but no block $KD_DEFINITION has defined their channels")
	}
	increment := p.file.road.number("REFERENCE_LINE_INCREMENT", 0)
	if !(increment > 0) {
		return p.fail("data begin, but no block $ROAD_CRG has given a REFERENCE_LINE_INCREMENT above 0")
	}
	want := 0
	if p.file.road.has("REFERENCE_LINE_END_U") {
		n := (p.file.road["REFERENCE_LINE_END_U"] - p.file.road.number("REFERENCE_LINE_START_U", 0)) / increment
		if !(n >= 0.5 && n < mostNodes) || math.Abs(n-math.Round(n)) > 1e-3 {
			return p.fail("from REFERENCE_LINE_START_U to REFERENCE_LINE_END_U there are %g increments; it must be "+
				"a whole number of 1 or more", n)
		}
		want = int(math.Round(n)) + 1
	}
	d := newCRGData(p.channels)
	var err error
	if p.format.binary {
		err = p.format.binaryRecords(data, len(p.channels), want, d.add)
	} else {
		err = p.format.textRecords(data, p.line, len(p.channels), want, d.add, p.warn)
	}
	if err == nil && d.count < 2 {
		err = fmt.Errorf("the data hold %d cross-sections; 2 are needed", d.count)
	}
	p.file.data = d
	return err
}

// crgKind is the kind of a channel.
type crgKind int

const (
	crgUnused crgKind = iota
	crgPhi
	crgSlope
	crgBanking
	crgAt     // long section at a v
	decimaled // long section by its number
)

// crgChannel is one number of each record.
type crgChannel struct {
	kind     crgKind
	position float64 // of a long section: v [m], or its number
}

// crgData are the records of a file, one for each cross-section; NaN where a value is missing.
type crgData struct {
	channels            []crgChannel
	sections            []int // channels that are long sections, from right to left
	count               int   // records
	phi, slope, banking []float64
	z                   []float32 // cross-section by cross-section, from right to left
}

func newCRGData(channels []crgChannel) *crgData {
	d := &crgData{channels: channels}
	for i, c := range channels {
		if c.kind >= crgAt {
			d.sections = append(d.sections, i)
		}
	}
	slices.SortStableFunc(d.sections, func(a, b int) int {
		switch pa, pb := channels[a].position, channels[b].position; {
		case pa < pb:
			return -1
		case pa > pb:
			return 1
		}
		return 0
	})
	return d
}

// highest bounds heights [m]: it detects data corrupted by a conversion of line ends.
const highest = 1e4

// add takes over a record.
func (d *crgData) add(record []float64) error {
	for i, c := range d.channels {
		switch c.kind {
		case crgPhi:
			d.phi = append(d.phi, record[i])
		case crgSlope:
			d.slope = append(d.slope, record[i])
		case crgBanking:
			d.banking = append(d.banking, record[i])
		}
	}
	for _, i := range d.sections {
		if math.Abs(record[i]) > highest {
			return fmt.Errorf("cross-section %d: %g m in channel %d is no height of a road; is the file damaged, by "+
				"a conversion of line ends or so?", d.count+1, record[i], i+1)
		}
		d.z = append(d.z, float32(record[i]))
	}
	d.count++
	return nil
}
