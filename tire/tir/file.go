package tir

import (
	"bytes"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"skidpad/model/document"
)

// What is longer is no property file.
const (
	longestFile = 4 << 20 // bytes
	longestLine = 4096    // bytes
	mostFaults  = 100
)

const endOfText = 0x1a // Ctrl-Z: end of a DOS text

// File is a file of the TeimOrbit format.
type File struct {
	Name     string // for messages
	Comments []string
	Sections []*Section
}

// Section holds the lines below a heading [NAME].
type Section struct {
	Name    string // upper case
	Line    int
	Entries []*Entry
	Blocks  []*Block

	repeated []*Entry // entries that stand there again, with the same value
}

// Entry is a line KEY = value, or one that is a comment only.
type Entry struct {
	Key          string // upper case; "" for a comment
	Line, Column int    // of the value
	Text         string // of the value, without quotes; "" for none
	Quoted       bool
	Comment      string // without $ or !
}

// Block is a table, free text, or both under one name.
type Block struct {
	Name    string // "" for a table without one
	Line    int
	Text    []string
	Columns []string // nil for a table without a heading
	Rows    []Row
}

// Row is a line of a table.
type Row struct {
	Line   int
	Values []float64
}

// Section returns the section of that name, nil for none.
func (f *File) Section(name string) *Section {
	for _, s := range f.Sections {
		if s.Name == name {
			return s
		}
	}
	return nil
}

// Entry returns the entry of that key, nil for none, also in no section.
func (s *Section) Entry(key string) *Entry {
	if s == nil {
		return nil
	}
	for _, e := range s.Entries {
		if e.Key == key {
			return e
		}
	}
	return nil
}

// Number reads the value as a number, in Fortran's forms, too: an exponent D counts as E, and exponents of three digits
// can have no letter.
func (e *Entry) Number() (float64, bool) { return number(e.Text) }

var fortran = strings.NewReplacer("D", "E", "d", "e")

func number(text string) (float64, bool) {
	if text == "" || strings.ContainsAny(text, "xXpP_nNiI") { // hexadecimal, underscores, NaN and Inf are Go's
		return 0, false
	}
	text = fortran.Replace(text)
	if at := strings.LastIndexAny(text, "+-"); at > 0 && !strings.ContainsAny(text, "Ee") {
		text = text[:at] + "e" + text[at:]
	}
	x, err := strconv.ParseFloat(text, 64)
	return x, err == nil && !math.IsInf(x, 0)
}

// parser holds what has been read so far.
type parser struct {
	file    *File
	faults  *document.Faults
	section *Section
	block   *Block
	seen    map[entryKey]*Entry
	headers map[string]int // line of a section's heading
}

// entryKey identifies an entry: keys are unique within a section.
type entryKey struct {
	section *Section
	key     string
}

// Parse reads a file; name stands for it in messages. The error holds all faults found, one per line.
func Parse(data []byte, name string) (*File, error) {
	p := &parser{file: &File{Name: name}, faults: &document.Faults{File: name}, seen: map[entryKey]*Entry{},
		headers: map[string]int{}}
	switch {
	case len(data) > longestFile:
		p.faults.Add(1, 1, "the file has %d bytes; property files have at most %d", len(data), longestFile)
		return nil, p.faults.Err()
	case bytes.HasPrefix(data, []byte("\xff\xfe")) || bytes.HasPrefix(data, []byte("\xfe\xff")):
		p.faults.Add(1, 1, "the file is UTF-16; save it as ASCII, Latin-1 or UTF-8")
		return nil, p.faults.Err()
	}
	if line, what := Foreign(data); line > 0 {
		p.faults.Add(line, 1, "%s", what)
		return nil, p.faults.Err()
	}
	data = bytes.TrimPrefix(data, []byte("\xef\xbb\xbf"))
	if end := bytes.IndexByte(data, endOfText); end >= 0 && len(bytes.Trim(data[end:], "\x1a \t\r\n")) == 0 {
		data = data[:end]
	}
	for line := 1; len(data) > 0 && p.faults.Len() < mostFaults; line++ {
		var text []byte
		text, data = firstLine(data)
		if len(text) > longestLine {
			p.faults.Add(line, longestLine+1, "the line has %d bytes; lines have at most %d", len(text), longestLine)
			continue
		}
		if at := bytes.IndexByte(text, 0); at >= 0 {
			p.faults.Add(line, at+1, "the file holds a zero byte; it is not a text file")
			break
		}
		if at := bytes.IndexByte(text, endOfText); at >= 0 {
			p.faults.Add(line, at+1, "the file holds a Ctrl-Z (1A), which ends texts of DOS, and goes on behind it; take the "+
				"byte out, or what follows")
			break
		}
		p.line(string(text), line)
	}
	if p.faults.Len() >= mostFaults {
		return nil, fmt.Errorf("%w\n%s: there are more faults", p.faults.Err(), name)
	}
	if err := p.faults.Err(); err != nil {
		return nil, err
	}
	return p.file, nil
}

// firstLine cuts a text behind its first line, which ends with LF, CR LF, CR or the text.
func firstLine(data []byte) (line, rest []byte) {
	end := bytes.IndexAny(data, "\r\n")
	switch {
	case end < 0:
		return data, nil
	case data[end] == '\r' && end+1 < len(data) && data[end+1] == '\n':
		return data[:end], data[end+2:]
	}
	return data[:end], data[end+1:]
}

// line reads one line.
func (p *parser) line(raw string, line int) {
	text := strings.TrimSpace(raw)
	column := 1 + strings.Index(raw, text)
	switch {
	case text == "":
	case text[0] == '$' || text[0] == '!':
		p.comment(strings.TrimSpace(text[1:]))
	case text[0] == '[':
		p.heading(text, line, column)
	case p.section == nil:
		p.faults.Add(line, column, "%q stands before the first section; a section begins with a line like [MODEL]",
			clipped(text))
	case text[0] == '(':
		p.begin(text, line, column)
	case text[0] == '{':
		p.columns(text, line, column)
	case p.block != nil && p.block.Columns != nil && p.block.freeText():
		p.block.Text = append(p.block.Text, text)
	case p.block != nil && p.block.isTable() && !assigns(text):
		p.row(text, line, column)
	case p.block != nil && !p.block.isTable() && !p.isEntry(text):
		p.block.Text = append(p.block.Text, text)
	case p.block == nil && p.section.holdsTables() && areNumbers(text):
		p.block = &Block{Line: line}
		p.section.Blocks = append(p.section.Blocks, p.block)
		p.row(text, line, column)
	default:
		p.entry(raw, line)
	}
}

// freeText reports whether a block holds text, i.e. comments, and not a table.
func (b *Block) freeText() bool {
	return b.Name == "COMMENTS" || len(b.Columns) == 1 && strings.HasPrefix(b.Columns[0], "COMMENT")
}

// isTable tells tables, those without a heading by their first row.
func (b *Block) isTable() bool { return b.Columns != nil || len(b.Rows) > 0 }

// known reports whether this package knows the section. Unknown sections are skipped whole.
func (s *Section) known() bool { return sections[s.Name] != nil }

// holdsTables tells sections that have no entries.
func (s *Section) holdsTables() bool { return s.known() && len(sections[s.Name]) == 0 }

// used reports whether anything of the section is used.
func (s *Section) used() bool {
	for _, k := range sections[s.Name] {
		if k.used {
			return true
		}
	}
	return false
}

// isEntry tells entries from free text: within comments they are those that the section can have.
func (p *parser) isEntry(text string) bool {
	if !assigns(text) || p.block.Name != "COMMENTS" {
		return assigns(text)
	}
	key, _, _ := strings.Cut(text, "=")
	_, known := sections[p.section.Name][strings.ToUpper(strings.TrimSpace(key))]
	return known
}

// skip keeps the text of a line in an unknown section. In a known section it returns false.
func (p *parser) skip(text string, line int) bool {
	if p.section.known() {
		return false
	}
	if p.block == nil || len(p.block.Rows) > 0 {
		p.block = &Block{Line: line}
		p.section.Blocks = append(p.section.Blocks, p.block)
	}
	p.block.Text = append(p.block.Text, text)
	return true
}

// areNumbers reports whether a line consists of numbers.
func areNumbers(text string) bool {
	content, _ := cut(text)
	fields := cells(content)
	return len(fields) > 0 && !slices.ContainsFunc(fields, func(field string) bool {
		_, is := number(field)
		return !is
	})
}

// cells are the parts of a row, between which there are blanks or a comma.
func cells(content string) []string {
	return strings.FieldsFunc(content, func(r rune) bool { return r == ',' || r == ' ' || r == '\t' })
}

// assigns tells lines with = outside of quotes.
func assigns(text string) bool {
	text, _ = cut(text)
	at := strings.IndexByte(text, '=')
	return at > 0 && !strings.ContainsAny(text[:at], `'"`)
}

// clipped keeps messages short.
func clipped(text string) string {
	if len(text) > 40 {
		return text[:40] + "..."
	}
	return text
}

// cut parts a line from its comment, which begins with $ or ! outside of quotes.
func cut(text string) (content, comment string) {
	quote := byte(0)
	for i := range len(text) {
		switch c := text[i]; {
		case quote != 0:
			if c == quote {
				quote = 0
			}
		case c == '\'' || c == '"':
			quote = c
		case c == '$' || c == '!':
			return strings.TrimRight(text[:i], " \t"), strings.TrimSpace(text[i+1:])
		}
	}
	return strings.TrimRight(text, " \t"), ""
}

func (p *parser) comment(text string) {
	switch {
	case strings.Trim(text, "-=*$! \t") == "" && text != "": // a rule
	case p.section == nil:
		p.file.Comments = append(p.file.Comments, text)
	default:
		p.section.Entries = append(p.section.Entries, &Entry{Comment: text})
	}
}

func (p *parser) heading(text string, line, column int) {
	content, _ := cut(text)
	name, closed := strings.CutSuffix(content[1:], "]")
	name = strings.ToUpper(strings.TrimSpace(name))
	switch before, again := p.headers[name]; {
	case !closed || name == "" || strings.ContainsAny(name, "[]"):
		p.faults.Add(line, column, "%q is not a section heading; it must be like [MODEL], alone on its line",
			clipped(content))
	case again && (&Section{Name: name}).used():
		p.faults.Add(line, column, "section [%s] begins in line %d already; put its entries together", name, before)
	}
	p.headers[name] = line
	p.section, p.block = &Section{Name: name, Line: line}, nil
	p.file.Sections = append(p.file.Sections, p.section)
}

func (p *parser) begin(text string, line, column int) {
	content, _ := cut(text)
	name, closed := strings.CutSuffix(content[1:], ")")
	if !closed || strings.TrimSpace(name) == "" {
		if p.skip(text, line) {
			return
		}
		p.faults.Add(line, column, "[%s] %q is not a block name; it must be like (COMMENTS), alone on its line",
			p.section.Name, clipped(content))
	}
	p.block = &Block{Name: strings.ToUpper(strings.TrimSpace(name)), Line: line}
	p.section.Blocks = append(p.section.Blocks, p.block)
}

func (p *parser) columns(text string, line, column int) {
	content, _ := cut(text)
	names, closed := strings.CutSuffix(content[1:], "}")
	if !closed || strings.TrimSpace(names) == "" {
		if p.skip(text, line) {
			return
		}
		p.faults.Add(line, column, "[%s] %q is not a table heading; it must be like {pen fz}", p.section.Name,
			clipped(content))
	}
	switch {
	case p.block != nil && p.block.Name == "COMMENTS" && len(p.block.Text) > 0:
		p.block.Text = append(p.block.Text, text)
		return
	case p.block == nil || p.block.Columns != nil || len(p.block.Text) > 0:
		p.block = &Block{Line: line}
		p.section.Blocks = append(p.section.Blocks, p.block)
	}
	p.block.Columns = append([]string{}, strings.Fields(strings.ToUpper(strings.ReplaceAll(names, ",", " ")))...)
}

func (p *parser) row(text string, line, column int) {
	content, _ := cut(text)
	fields := cells(content)
	row := Row{Line: line}
	for _, field := range fields {
		x, ok := number(field)
		if !ok {
			if p.skip(text, line) {
				return
			}
			p.faults.Add(line, column+strings.Index(text, field), "[%s] %q in a table is not a number; rows hold "+
				"numbers, and a new section begins on a line of its own", p.section.Name, clipped(field))
			return
		}
		row.Values = append(row.Values, x)
	}
	n, names := len(p.block.Columns), " "+strings.Join(p.block.Columns, " ")
	if p.block.Columns == nil {
		n, names = len(fields), ""
		if len(p.block.Rows) > 0 {
			n = len(p.block.Rows[0].Values)
		}
	}
	if len(fields) != n {
		if !p.skip(text, line) {
			p.faults.Add(line, column, "[%s] the row has %d numbers; the table has the %d columns%s", p.section.Name,
				len(fields), n, names)
		}
		return
	}
	p.block.Rows = append(p.block.Rows, row)
}

func (p *parser) entry(raw string, line int) {
	content, comment := cut(raw)
	at := strings.IndexByte(content, '=')
	start := len(content) - len(strings.TrimLeft(content, " \t"))
	if at < 0 {
		if p.skip(strings.TrimSpace(raw), line) {
			return
		}
		p.faults.Add(line, start+1, "[%s] %q is not an entry; it must be like KEY = value, a comment begins with $ "+
			"or !", p.section.Name, clipped(strings.TrimSpace(content)))
		return
	}
	key := strings.ToUpper(strings.TrimSpace(content[:at]))
	value := strings.TrimSpace(content[at+1:])
	column := len(content) - len(strings.TrimLeft(content[at+1:], " \t")) + 1
	if key == "" || strings.ContainsAny(key, " \t'\"[]{}()") {
		if p.skip(strings.TrimSpace(raw), line) {
			return
		}
		p.faults.Add(line, start+1, "[%s] %q is not a valid key; keys are single words", p.section.Name,
			clipped(strings.TrimSpace(content[:at])))
		return
	}
	e := &Entry{Key: key, Line: line, Column: column, Text: value, Comment: comment}
	if value != "" && (value[0] == '\'' || value[0] == '"') {
		inner, closed := strings.CutSuffix(value[1:], value[:1])
		if len(value) < 2 || !closed || strings.Contains(inner, value[:1]) {
			if p.skip(strings.TrimSpace(raw), line) {
				return
			}
			p.faults.Add(line, column, "[%s] %s: the quotes of %s do not match; a text stands in one pair of them",
				p.section.Name, key, clipped(value))
			return
		}
		e.Text, e.Quoted = strings.TrimSpace(inner), true
	}
	if !e.Quoted && strings.ContainsAny(value, `'"`) {
		if p.skip(strings.TrimSpace(raw), line) {
			return
		}
		p.faults.Add(line, column, "[%s] %s: there are quotes within %s; a text stands in one pair of them",
			p.section.Name, key, clipped(value))
		return
	}
	where := entryKey{p.section, key}
	if before := p.seen[where]; before != nil && p.section.known() {
		if !before.same(e) {
			p.faults.Add(line, column, "[%s] %s is %s, in line %d it is %s; keep one of them", p.section.Name, key,
				clipped(e.Text), before.Line, clipped(before.Text))
		}
		p.section.repeated = append(p.section.repeated, e)
		return
	}
	p.seen[where] = e
	p.section.Entries = append(p.section.Entries, e)
	p.block = nil
}

// same reports whether two entries have one value.
func (e *Entry) same(other *Entry) bool {
	a, number := e.Number()
	b, also := other.Number()
	return number && also && a == b || strings.EqualFold(e.Text, other.Text)
}

// Format writes a file in one form: what it reads again is the same, and is written the same.
func (f *File) Format() []byte {
	var b bytes.Buffer
	comment := func(text string) {
		b.WriteString(strings.TrimRight("$ "+text, " ") + "\n")
	}
	for _, c := range f.Comments {
		comment(c)
	}
	for i, s := range f.Sections {
		if i > 0 || len(f.Comments) > 0 {
			b.WriteString("$" + strings.Repeat("-", 78) + "\n")
		}
		fmt.Fprintf(&b, "[%s]\n", s.Name)
		width := 0
		for _, e := range s.Entries {
			width = max(width, len(e.Key))
		}
		for _, e := range s.Entries {
			if e.Key == "" {
				comment(e.Comment)
				continue
			}
			value := e.Text
			if _, number := e.Number(); !number && value != "" || e.Quoted {
				quote := "'"
				if strings.Contains(value, quote) {
					quote = `"`
				}
				value = quote + value + quote
			}
			line := fmt.Sprintf("%-*s = %s", width, e.Key, value)
			if e.Comment != "" {
				line = fmt.Sprintf("%-*s $ %s", width+24, line, e.Comment)
			}
			b.WriteString(strings.TrimRight(line, " ") + "\n")
		}
		for _, t := range s.Blocks {
			if t.Name != "" {
				fmt.Fprintf(&b, "(%s)\n", t.Name)
			}
			if t.Columns != nil {
				fmt.Fprintf(&b, "{%s}\n", strings.ToLower(strings.Join(t.Columns, " ")))
			}
			for _, text := range t.Text {
				b.WriteString(text + "\n")
			}
			for _, r := range t.Rows {
				for _, x := range r.Values {
					b.WriteString(" " + Number(x))
				}
				b.WriteString("\n")
			}
		}
	}
	return b.Bytes()
}

// Number writes a number so that reading it is bit-identical.
func Number(x float64) string { return strconv.FormatFloat(x, 'g', -1, 64) }
