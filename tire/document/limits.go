package document

import (
	"bytes"
	"fmt"

	"github.com/pelletier/go-toml/v2"
)

// What a document may hold, so that reading it takes tens of megabytes and a second at most. The decoder looks for each
// key among all before it, and calls itself for each array in an array and each part of a dotted key.
const (
	mostKeys   = 20_000  // parts of keys, of tables and of [[lists]]; a chain of 500 bodies has some 8000
	mostValues = 200_000 // values, also those in arrays; a signal measured for an hour at 20 Hz has 144 000
	mostDepth  = 32      // arrays and inline tables within each other, and parts of a dotted key
)

// Decode reads a document into a value whose fields tell all keys that there may be; name is the file's name for
// messages.
func Decode(data []byte, name string, to any) error {
	if err := checkSize(data, name); err != nil {
		return err
	}
	if err := toml.NewDecoder(bytes.NewReader(data)).DisallowUnknownFields().Decode(to); err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	return nil
}

// checkSize rejects documents that would cost the decoder far more than their size. It follows strings and comments as
// TOML has them, and leaves what else is wrong to the decoder.
func checkSize(data []byte, name string) error {
	keys, values, depth, parts := 0, 0, 0, 0
	start := true // of a line, outside of arrays: a bracket opens a table
	for at := 0; at < len(data); at++ {
		c := data[at]
		switch c {
		case ' ', '\t', '\r':
			continue
		case '#':
			if at = indexFrom(data, at, '\n'); at == len(data) {
				return nil
			}
			parts, start = 0, depth == 0
			continue
		case '\n':
			parts, start = 0, depth == 0
			continue
		case '"', '\'':
			at = stringEnd(data, at)
		case '.':
			parts++
		case '=':
			keys, values, parts = keys+parts+1, values+1, 0
		case ',':
			values, parts = values+1, 0
		case '[', '{':
			if parts = 0; start {
				keys++
				if at+1 < len(data) && data[at+1] == '[' {
					at++
				}
			} else {
				depth++
				values++
			}
		case ']', '}':
			if depth == 0 { // of a table, whose opening bracket was not counted
				keys += parts
			}
			depth, parts = max(depth-1, 0), 0
		}
		start = false
		if keys > mostKeys || values > mostValues || max(depth, parts) > mostDepth {
			faults := Faults{File: name}
			faults.Add(1+bytes.Count(data[:at], []byte{'\n'}), at-bytes.LastIndexByte(data[:min(at, len(data))], '\n'),
				"the file holds too much: at most %d keys and tables, %d values, and %d arrays or parts of a key within each other are allowed; "+
					"make it smaller, or put it into several files", mostKeys, mostValues, mostDepth)
			return faults.Err()
		}
	}
	return nil
}

// stringEnd returns the last byte of the string that begins at a quote; where it does not end, the last byte that is in
// it.
func stringEnd(data []byte, at int) int {
	quote := data[at]
	if three := bytes.Repeat([]byte{quote}, 3); bytes.HasPrefix(data[at:], three) {
		for at += 3; at < len(data); at++ {
			switch {
			case data[at] == '\\' && quote == '"':
				at++
			case bytes.HasPrefix(data[at:], three):
				for at += 2; at+1 < len(data) && data[at+1] == quote; at++ { // quotes before the closing ones are text
				}
				return at
			}
		}
		return len(data)
	}
	for at++; at < len(data) && data[at] != quote && data[at] != '\n'; at++ {
		if data[at] == '\\' && quote == '"' {
			at++
		}
	}
	return at
}

// indexFrom returns where a byte is next, the length of the data without it.
func indexFrom(data []byte, at int, c byte) int {
	if i := bytes.IndexByte(data[at:], c); i >= 0 {
		return at + i
	}
	return len(data)
}
