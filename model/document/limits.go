package document

import (
	"bytes"
	"fmt"
)

// The limits of a document keep reading within tens of megabytes and a second. The decoder looks for each key among all
// before it, and calls itself for each array in an array and each part of a dotted key.
const (
	mostKeys   = 20_000  // parts of keys, of tables and of [[lists]]; a chain of 500 bodies has some 8000
	mostValues = 200_000 // values, also those in arrays; a signal measured for an hour at 20 Hz has 144 000
	mostWord   = 10_000  // characters of a number or a key without quotes
	mostDepth  = 32      // arrays and inline tables within each other, and parts of a dotted key
)

// Decode reads a document into a value whose fields tell all keys that there may be; name is the file's name for
// messages.
func Decode(data []byte, name string, to any) error {
	if err := checkSize(data, name); err != nil {
		return err
	}
	known, err := decode(data, name, to)
	if err != nil {
		return err
	}
	if unknown := known.Undecoded(); len(unknown) > 0 {
		return fmt.Errorf("%s: unknown key %s", name, unknown[0])
	}
	return nil
}

// checkSize rejects documents that would cost the decoder far more than their size. It follows strings and comments of
// TOML, and leaves other errors to the decoder.
func checkSize(data []byte, name string) error {
	keys, values, depth, parts, word := 0, 0, 0, 0, 0
	start := true // of a line, outside of arrays: a bracket opens a table
	for at := 0; at < len(data); at++ {
		c := data[at]
		word++
		switch c {
		case ' ', '\t', '\r':
			word = 0
			continue
		case '#':
			if at = indexFrom(data, at, '\n'); at == len(data) {
				return nil
			}
			parts, word, start = 0, 0, depth == 0
			continue
		case '\n':
			parts, word, start = 0, 0, depth == 0
			continue
		case '"', '\'':
			at, word = stringEnd(data, at), 0
		case '.':
			parts, word = parts+1, 0
		case '=':
			keys, values, parts, word = keys+parts+1, values+1, 0, 0
		case ',':
			values, parts, word = values+1, 0, 0
		case '[', '{':
			if parts, word = 0, 0; start {
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
			depth, parts, word = max(depth-1, 0), 0, 0
		}
		start = false
		if keys > mostKeys || values > mostValues || max(depth, parts) > mostDepth || word > mostWord {
			faults := Faults{File: name}
			faults.Add(1+bytes.Count(data[:at], []byte{'\n'}), at-bytes.LastIndexByte(data[:min(at, len(data))], '\n'),
				"the file holds too much: at most %d keys and tables, %d values, %d arrays or parts of a key within each other, "+
					"and words of %d characters are allowed; "+
					"make it smaller, or put it into several files", mostKeys, mostValues, mostDepth, mostWord)
			return faults.Err()
		}
	}
	return nil
}

// stringEnd returns the last byte of the string that begins at a quote. For an unterminated string it returns the last
// byte in the string.
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
