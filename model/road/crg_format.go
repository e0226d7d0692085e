package road

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
)

// crgFormat is how numbers are written.
type crgFormat struct{ long, double, binary bool }

// parseCRGFormat reads the letters of a format, which each decide about one thing.
func parseCRGFormat(letters string) (crgFormat, error) {
	var f crgFormat
	for _, choice := range []struct {
		at      *bool
		yes, no string
	}{{&f.long, "L", "K"}, {&f.double, "D", "R"}, {&f.binary, "B", "F"}} {
		upper := strings.ToUpper(letters)
		yes, no := strings.Contains(upper, choice.yes), strings.Contains(upper, choice.no)
		if yes == no {
			return f, fmt.Errorf("the format %q must hold one of the letters %s and %s; there are LRFI, LDFI, KRBI "+
				"and KDBI", letters, choice.yes, choice.no)
		}
		*choice.at = yes
	}
	return f, nil
}

// crgRecord is the length of a physical record, in bytes and columns.
const crgRecord = 80

// binaryRecords reads big-endian numbers. Long records begin at multiples of 80 bytes; the last
// record of the file is padded.
func (f crgFormat) binaryRecords(data []byte, channels, want int, add func([]float64) error) error {
	size := 4
	if f.double {
		size = 8
	}
	length := channels * size
	if f.long {
		length = (length + crgRecord - 1) / crgRecord * crgRecord
	}
	count := len(data) / length
	if want > 0 {
		if rest := len(data) - want*length; rest < 0 || rest > crgRecord {
			return fmt.Errorf("there are %d bytes of data; %d cross-sections of %d bytes need %d; is the file "+
				"damaged, by a conversion of line ends or so?", len(data), want, length, want*length)
		}
		count = want
	}
	record := make([]float64, channels)
	for i := range count {
		missing := true
		for k := range record {
			b := data[i*length+k*size:]
			if f.double {
				record[k] = math.Float64frombits(binary.BigEndian.Uint64(b))
			} else {
				record[k] = float64(math.Float32frombits(binary.BigEndian.Uint32(b)))
			}
			missing = missing && record[k] != record[k]
		}
		if missing && want == 0 && (count-i)*length < crgRecord {
			return nil // padding
		}
		if err := add(record); err != nil {
			return err
		}
	}
	return nil
}

// textRecords reads fields of 10 or 20 columns, by columns, as fields may touch. Long records
// begin in a line of their own.
func (f crgFormat) textRecords(data []byte, line, channels, want int, add func([]float64) error,
	warn func(line, column int, text string)) error {
	width := 10
	if f.double {
		width = 20
	}
	record := make([]float64, channels)
	var text []byte
	column, count := crgRecord, 0
	next := func() bool { // the next line that is not empty
		for len(data) > 0 {
			text, data, _ = bytes.Cut(data, []byte{'\n'})
			text = bytes.TrimRight(text, " \t\r")
			line++
			if column = 0; len(text) > 0 {
				return true
			}
		}
		return false
	}
	for ; ; count++ {
		if (f.long || column >= len(text)) && !next() {
			break
		}
		for k := range record {
			if column >= crgRecord && !next() {
				return fmt.Errorf("the data end in cross-section %d, which has %d of %d values", count+1, k, channels)
			}
			if len(text) > crgRecord {
				return fmt.Errorf("line %d of data has %d columns; at most %d are allowed", line, len(text), crgRecord)
			}
			field := string(bytes.TrimRight(text[min(column, len(text)):min(column+width, len(text))], " "))
			v, rest, err := crgField(strings.TrimLeft(field, " "))
			if err != nil {
				return fmt.Errorf("line %d, columns %d to %d, channel %d: %w", line, column+1, column+width, k+1, err)
			}
			if rest != "" {
				warn(line, column+len(field)-len(rest)+1, rest)
			}
			column += width
			record[k] = v
		}
		if f.long && column < len(text) {
			return fmt.Errorf("line %d holds more than the %d values of a cross-section: %q", line,
				channels, text[column:])
		}
		if err := add(record); err != nil {
			return fmt.Errorf("line %d: %w", line, err)
		}
	}
	if want > 0 && count != want {
		return fmt.Errorf("there are %d cross-sections; from REFERENCE_LINE_START_U to REFERENCE_LINE_END_U there "+
			"are %d", count, want)
	}
	return nil
}

// crgField reads a field, and returns the part that is not a number. A field that begins with an asterisk is missing,
// and so is a field with characters that numbers do not have.
func crgField(field string) (v float64, rest string, err error) {
	switch {
	case len(field) == 0:
		return 0, "", errors.New("the field is empty; values that are missing are written as *missing*")
	case field[0] == '*' || strings.EqualFold(field, "nan"):
		return math.NaN(), "", nil
	case strings.Trim(field, "0123456789+-.eEdD ") != "":
		return math.NaN(), field, nil
	}
	if v, err := strconv.ParseFloat(field, 64); err == nil && v-v == 0 {
		return v, "", nil
	}
	return leadingDecimal(field)
}
