package bounded

import (
	"bufio"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
)

// longestRow bounds a row of a CSV [bytes]; 10 000 columns of full precision have 250 KB.
const longestRow = 1 << 20

// Rows reads a CSV row by row. A row is one line: quotes may enclose separators, but no end of a line. Empty lines are
// skipped.
type Rows struct {
	// Comment begins lines that are skipped; 0 for none.
	Comment byte

	from   *bufio.Reader
	lines  *bufio.Scanner
	line   int
	text   string
	fields []string
	width  int // of the first row; 0 before it
}

// NewRows reads a CSV from a reader.
func NewRows(from io.Reader) *Rows {
	r := &Rows{from: bufio.NewReader(from)}
	r.lines = bufio.NewScanner(r.from)
	r.lines.Buffer(make([]byte, 0, 64*kibi), longestRow)
	return r
}

// Next returns the next row, which is valid until the one after it is read; io.EOF behind the last. Every row has as
// many fields as the first.
func (r *Rows) Next() ([]string, error) {
	if r.line == 0 {
		if err := r.checkKind(); err != nil {
			return nil, err
		}
	}
	for r.lines.Scan() {
		r.line++
		r.text = r.lines.Text()
		if r.line == 1 {
			r.text = strings.TrimPrefix(r.text, "\ufeff")
		}
		if strings.TrimSpace(r.text) == "" || r.Comment != 0 && r.text[0] == r.Comment {
			continue
		}
		if err := r.split(); err != nil {
			return nil, fmt.Errorf("line %d: %w", r.line, err)
		}
		if r.width == 0 {
			if err := r.checkSeparator(); err != nil {
				return nil, err
			}
			r.width = len(r.fields)
		}
		if len(r.fields) != r.width {
			return nil, fmt.Errorf("line %d has %d fields, the first row has %d; each row needs the same number", r.line,
				len(r.fields), r.width)
		}
		return r.fields, nil
	}
	err := r.lines.Err()
	switch {
	case errors.Is(err, bufio.ErrTooLong):
		return nil, fmt.Errorf("line %d has more than %d bytes, the most that a row of a table may have", r.line+1,
			longestRow)
	case err != nil:
		return nil, err
	}
	return nil, io.EOF
}

// kinds are files that are taken for a CSV, by their first bytes.
var kinds = []struct{ first, is string }{
	{"PAR1", "a Parquet file"}, {"\x1f\x8b", "compressed by gzip"},
	{"MDF ", "an MDF file"}, {"PK\x03\x04", "a zip archive"},
	{"MATLAB 5.0", "a MAT file of MATLAB"}, {"\x89HDF", "an HDF5 file, as MAT files of MATLAB 7.3 are"},
	{"\xff\xfe", utf16}, {"\xfe\xff", utf16},
}

const utf16 = "in UTF-16, which spreadsheets call Unicode text; save it in UTF-8"

// checkKind refuses files that are none of text in UTF-8.
func (r *Rows) checkKind() error {
	head, err := r.from.Peek(16)
	if err != nil && !errors.Is(err, io.EOF) {
		return err
	}
	is := ""
	if strings.IndexByte(string(head), 0) >= 0 {
		is = "binary, or in UTF-16"
	}
	for _, k := range kinds {
		if strings.HasPrefix(string(head), k.first) {
			is = k.is
		}
	}
	if is != "" {
		return fmt.Errorf("not a CSV in UTF-8: the file is %s", is)
	}
	return nil
}

// checkSeparator refuses a first row whose values other characters than commas separate.
func (r *Rows) checkSeparator() error {
	for _, separator := range []struct{ sign, is string }{{";", "semicolons"}, {"\t", "tabs"}} {
		parts := strings.Split(r.text, separator.sign)
		numbers := !slices.ContainsFunc(parts, func(part string) bool {
			_, err := strconv.ParseFloat(strings.Replace(strings.TrimSpace(part), ",", ".", 1), 64)
			return err != nil
		})
		if len(parts) > 1 && (len(r.fields) == 1 || numbers) {
			return fmt.Errorf("line %d: the values are separated by %s; separate them by commas, and write decimal points, "+
				"not decimal commas", r.line, separator.is)
		}
	}
	return nil
}

// split takes the fields of a line.
func (r *Rows) split() error {
	r.fields = r.fields[:0]
	if strings.Contains(r.text, `"`) {
		quoted := csv.NewReader(strings.NewReader(r.text))
		quoted.TrimLeadingSpace = true
		fields, err := quoted.Read()
		if parse := (*csv.ParseError)(nil); errors.As(err, &parse) {
			err = fmt.Errorf("column %d: %w", parse.Column, parse.Err)
		}
		r.fields = append(r.fields, fields...)
		return err
	}
	for field := range strings.SplitSeq(r.text, ",") {
		r.fields = append(r.fields, field)
	}
	return nil
}

// Place is the line and column [bytes], counted from 1, where a field of the latest row begins.
func (r *Rows) Place(field int) (line, column int) {
	quoted := false
	for at := range len(r.text) {
		if field == 0 {
			return r.line, at + 1
		}
		switch c := r.text[at]; {
		case c == '"':
			quoted = !quoted
		case c == ',' && !quoted:
			field--
		}
	}
	return r.line, len(r.text) + 1
}
