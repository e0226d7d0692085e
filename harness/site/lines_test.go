package main

import (
	"bytes"
	"go/scanner"
	"go/token"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

// longest is the number of columns of a line, of which a tab is one.
const longest = 120

var generated = regexp.MustCompile(`(?m)^(//|/\*) Code generated .* DO NOT EDIT`)

// foreignLines are those of Go on which a text of another language stands: literals that go over several lines.
func foreignLines(kind string, text []byte) map[int]bool {
	lines := map[int]bool{}
	if kind != ".go" {
		return lines
	}
	set := token.NewFileSet()
	file := set.AddFile("", set.Base(), len(text))
	var s scanner.Scanner
	s.Init(file, text, nil, 0)
	for {
		at, kind, literal := s.Scan()
		if kind == token.EOF {
			return lines
		}
		if n := strings.Count(literal, "\n"); kind == token.STRING && n > 0 {
			first := file.Line(at)
			for line := first; line <= first+n; line++ {
				lines[line] = true
			}
		}
	}
}

// TestLinesEndAt120Columns: those of Go, C, Python, MATLAB and shell that were written by hand.
func TestLinesEndAt120Columns(t *testing.T) {
	command := exec.Command("git", "ls-files", "-z")
	command.Dir = repository
	names, err := command.Output()
	if err != nil {
		t.Fatalf("git ls-files: %v; the test needs a git checkout", err)
	}
	checked := map[string]int{}
	for name := range strings.SplitSeq(strings.TrimSuffix(string(names), "\x00"), "\x00") {
		kind := path.Ext(name)
		if !slices.Contains([]string{".go", ".c", ".h", ".py", ".sh", ".m", ".s", ".java", ".rs"}, kind) {
			continue
		}
		text, err := os.ReadFile(filepath.Join(repository, name))
		if err != nil {
			t.Error(err)
			continue
		}
		if generated.Match(text) {
			continue
		}
		checked[kind]++
		others := foreignLines(kind, text)
		for i, line := range bytes.Split(text, []byte("\n")) {
			if n := utf8.RuneCount(line); n > longest && !others[i+1] && !bytes.HasPrefix(line, []byte("//go:")) {
				t.Errorf("%s:%d: %d columns; at most %d, of which a tab is one", name, i+1, n, longest)
			}
		}
	}
	for _, kind := range []string{".go", ".c", ".h", ".py", ".sh", ".m"} {
		if checked[kind] == 0 {
			t.Errorf("no file %s was checked", kind)
		}
	}
}
