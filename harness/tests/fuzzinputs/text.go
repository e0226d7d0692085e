package fuzzinputs

import (
	"bytes"
	"encoding/binary"
	"math"
	"math/rand/v2"
	"regexp"
)

// tokens are strings that often break parsers.
var tokens = []string{"\x00", "\xff", "\xc3", "\r\n", "\n", "\t", " ", "\ufeff", "\u2028", "é", "°", "%", "%s", "1e999",
	"-1e999", "1e-999", "-0", "NaN", "nan", "Inf", "-inf", "9223372036854775808", "-9223372036854775809", "4294967296",
	"0x", "1_000", "1.", ".", "..", "../", "/", "[[[[[[[[", "((((((((", "{{{{{{{{", "]", ")", "}", "\"", "'", "\"\"\"",
	"'''", "\\", "\\u0000", "#", "$", "=", ",", ";", ":", "@", "*", "^", "-", "<a>", "</", "<!--", "&lt;", "&#0;", "true"}

// numbers take the place of a number in a text.
var numbers = []string{"0", "-0", "1", "-1", "2", "1e999", "-1e308", "1e-320", "nan", "inf", "9223372036854775807",
	"9223372036854775808", "-9223372036854775808", "2147483648", "65536", "0.1", "1e", "1.5.2", "00", "+5", "\"1\"", ""}

var number = regexp.MustCompile(`[+-]?[0-9]+(?:\.[0-9]*)?(?:[eE][+-]?[0-9]+)?`)

// textChanges are the ways to change a text. All of them give a new one.
var textChanges = []func(random *rand.Rand, text, other []byte) []byte{
	flipBit, replaceByte, deleteChunk, repeatChunk, swapChunks, truncate, insertToken, insertToken, replaceByToken,
	replaceNumber, replaceNumber, changeLines, changeLines, splice, overwriteInteger, overwriteFloat,
}

// changeText changes a text in one way. The changed text is at most 256 bytes longer than twice the longer of text and
// other.
func changeText(random *rand.Rand, text, other []byte) []byte {
	most := 2*max(len(text), len(other)) + 256
	changed := textChanges[random.IntN(len(textChanges))](random, text, other)
	return changed[:min(len(changed), most)]
}

// chunk is a part of a text: most often a short one.
func chunk(random *rand.Rand, text []byte) (from, to int) {
	if len(text) == 0 {
		return 0, 0
	}
	longest := len(text)
	if random.IntN(4) > 0 {
		longest = min(longest, 16)
	}
	n := 1 + random.IntN(longest)
	from = random.IntN(len(text) - n + 1)
	return from, from + n
}

// joined is the text of several parts.
func joined(parts ...[]byte) []byte { return bytes.Join(parts, nil) }

func flipBit(random *rand.Rand, text, other []byte) []byte {
	if len(text) == 0 {
		return insertToken(random, text, other)
	}
	changed := bytes.Clone(text)
	changed[random.IntN(len(changed))] ^= 1 << random.IntN(8)
	return changed
}

func replaceByte(random *rand.Rand, text, other []byte) []byte {
	if len(text) == 0 {
		return insertToken(random, text, other)
	}
	changed := bytes.Clone(text)
	changed[random.IntN(len(changed))] = byte(random.IntN(256))
	return changed
}

func deleteChunk(random *rand.Rand, text, _ []byte) []byte {
	from, to := chunk(random, text)
	return joined(text[:from], text[to:])
}

func repeatChunk(random *rand.Rand, text, _ []byte) []byte {
	from, to := chunk(random, text)
	return joined(text[:from], bytes.Repeat(text[from:to], 2+random.IntN(7)), text[to:])
}

func swapChunks(random *rand.Rand, text, _ []byte) []byte {
	from, to := chunk(random, text)
	first, second := chunk(random, text[to:])
	first, second = first+to, second+to
	return joined(text[:from], text[first:second], text[to:first], text[from:to], text[second:])
}

func truncate(random *rand.Rand, text, _ []byte) []byte {
	at := random.IntN(len(text) + 1)
	if random.IntN(4) == 0 {
		return bytes.Clone(text[at:])
	}
	return bytes.Clone(text[:at])
}

func insertToken(random *rand.Rand, text, _ []byte) []byte {
	at := random.IntN(len(text) + 1)
	return joined(text[:at], []byte(tokens[random.IntN(len(tokens))]), text[at:])
}

func replaceByToken(random *rand.Rand, text, _ []byte) []byte {
	from, to := chunk(random, text)
	return joined(text[:from], []byte(tokens[random.IntN(len(tokens))]), text[to:])
}

// replaceNumber writes another number in the place of one that is written in digits.
func replaceNumber(random *rand.Rand, text, other []byte) []byte {
	places := number.FindAllIndex(text, -1)
	if len(places) == 0 {
		return insertToken(random, text, other)
	}
	span := places[random.IntN(len(places))]
	return joined(text[:span[0]], []byte(numbers[random.IntN(len(numbers))]), text[span[1]:])
}

// changeLines leaves out a line, writes it twice, or puts it at another place.
func changeLines(random *rand.Rand, text, other []byte) []byte {
	lines := bytes.SplitAfter(text, []byte("\n"))
	if len(lines) < 2 {
		return deleteChunk(random, text, other)
	}
	from, to := random.IntN(len(lines)), random.IntN(len(lines))
	changed := make([][]byte, 0, len(lines)+1)
	doubled := random.IntN(3)
	for i, line := range lines {
		switch {
		case i == from && doubled == 0: // left out
		case i == from && doubled == 1:
			changed = append(changed, line, line)
		case i == from:
			changed = append(changed, lines[to])
		case i == to && doubled == 2:
			changed = append(changed, lines[from])
		default:
			changed = append(changed, line)
		}
	}
	return joined(changed...)
}

// splice joins the beginning of a text and the end of another.
func splice(random *rand.Rand, text, other []byte) []byte {
	return joined(text[:random.IntN(len(text)+1)], other[random.IntN(len(other)+1):])
}

// overwriteInteger writes a bound over one, two, four or eight bytes, as they stand in binary files.
func overwriteInteger(random *rand.Rand, text, other []byte) []byte {
	bytesOf := 1 << random.IntN(4)
	return overwrite(random, text, other, uint64(changeInteger(random, 0, 8*bytesOf)), bytesOf)
}

// overwriteFloat writes a number over eight bytes.
func overwriteFloat(random *rand.Rand, text, other []byte) []byte {
	return overwrite(random, text, other, math.Float64bits(floats[random.IntN(len(floats))]), 8)
}

func overwrite(random *rand.Rand, text, other []byte, value uint64, bytesOf int) []byte {
	if len(text) < bytesOf {
		return insertToken(random, text, other)
	}
	at := random.IntN(len(text) - bytesOf + 1)
	if random.IntN(2) == 0 && at >= bytesOf { // where a table of equal entries would have it
		at -= at % bytesOf
	}
	changed := bytes.Clone(text)
	copy(changed[at:at+bytesOf], binary.LittleEndian.AppendUint64(nil, value))
	return changed
}
