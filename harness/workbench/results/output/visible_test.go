package output

import (
	"bytes"
	"io"
	"os"
	"slices"
	"strings"
	"testing"
)

// TestNothingActsOnATerminal: no control character but line end and tab passes, and no sign that changes the direction
// of writing, also where a character comes in pieces; everything else does.
func TestNothingActsOnATerminal(t *testing.T) {
	for text, want := range map[string]string{
		"plain, \u00b5, \u8eca, tab\tline\n": "plain, \u00b5, \u8eca, tab\tline\n",
		"\x1b[31mred\x1b[0m\x07":             "\u241b[31mred\u241b[0m\u2407",
		"over\rwritten\x7f":                  "over\u240dwritten\u2421",
		"\u009b31m":                          "\ufffd31m",
		"\x9b31m":                            "\ufffd31m",
		"abc\u202ecba\u2066x\u200f":          "abc\ufffdcba\ufffdx\ufffd",
		"cut \xe8\xbb":                       "cut \ufffd",
	} {
		for _, piece := range []int{1, 2, 1 << 10} {
			var to bytes.Buffer
			v := NewVisible(&to)
			for part := range slices.Chunk([]byte(text), piece) {
				if n, err := v.Write(part); n != len(part) || err != nil {
					t.Fatalf("%d bytes of %d, %v", n, len(part), err)
				}
			}
			if err := v.Close(); err != nil {
				t.Fatal(err)
			}
			if got := strings.ReplaceAll(to.String(), "\ufffd\ufffd", "\ufffd"); got != want {
				t.Errorf("%q in pieces of %d: %q, want %q", text, piece, got, want)
			}
		}
	}
}

// TestProgressShowsNamesOfFilesOnly: on a terminal the bar has its carriage returns, and a name has no others.
func TestProgressShowsNamesOfFilesOnly(t *testing.T) {
	var to bytes.Buffer
	p := NewProgress(NewVisible(&to)).(*progress)
	p.terminal, p.next = true, p.next.Add(-1e10)
	p.At("x\x1b[2J\r", 1, 2)
	if got := to.String(); !strings.HasPrefix(got, "\rx\u241b[2J\u240d [") {
		t.Errorf("%q", got)
	}
}

// TestProgressIsSilentWhereThereIsNoTerminal: in pipes and files.
func TestProgressIsSilentWhereThereIsNoTerminal(t *testing.T) {
	read, write, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	for _, to := range []io.Writer{write, NewVisible(write)} {
		p := NewProgress(to).(*progress)
		p.next = p.next.Add(-1e10)
		p.At("x", 1, 2)
		p.At("x", 2, 2)
	}
	write.Close()
	if text, err := io.ReadAll(read); err != nil || len(text) > 0 {
		t.Errorf("%q, %v", text, err)
	}
}
