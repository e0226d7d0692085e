package bounded

import (
	"bufio"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"strings"
)

// longestRow bounds a row of a CSV [bytes]; 10 000 columns of full precision have 250 KB.
const longestRow = 1 << 20

// Rows reads a CSV row by row. A row is one line: quotes may enclose separators, but no end of a line. Empty lines are
// skipped.
type Rows struct {
	// Comment begins lines that are skipped; 0 for none.
	Comment byte

	lines  *bufio.Scanner
	line   int
	text   string
	fields []string
	width  int // of the first row; 0 before it
}

// NewRows reads a CSV from a reader.
func NewRows(from io.Reader) *Rows {
	r := &Rows{lines: bufio.NewScanner(from)}
	r.lines.Buffer(make([]byte, 0, 64*kibi), longestRow)
	return r
}

// Next returns the next row, which is valid until the one after it is read; io.EOF behind the last. Every row has as
// many fields as the first.
func (r *Rows) Next() ([]string, error) {
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

// Place is line and column [bytes], counted from 1, at which a field of the latest row begins.
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
