package main

import (
	"bytes"
	"fmt"
	"go/scanner"
	"go/token"
	"path"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"
)

// longest is the largest number of columns of a line; a tab is one column.
const longest = 120

var generated = regexp.MustCompile(`(?m)^(//|/\*) Code generated .* DO NOT EDIT`)

// codes are the endings of files of code.
var codes = []string{".go", ".c", ".h", ".py", ".sh", ".m", ".s", ".java", ".rs"}

// foreignLines are the lines of Go files with text of another language: string literals over several lines.
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

// lintLines finds long lines of Go, C, Python, MATLAB and shell that were written by hand.
func lintLines(t *tree) (found []finding, seen checked, err error) {
	seen = checked{}
	for _, name := range t.names {
		kind := path.Ext(name)
		if !slices.Contains(codes, kind) {
			continue
		}
		text, err := t.read(name)
		if err != nil {
			return nil, nil, err
		}
		if generated.Match(text) {
			continue
		}
		seen[kind]++
		var others map[int]bool // are found when they are needed
		for i, line := range bytes.Split(text, []byte("\n")) {
			n := utf8.RuneCount(line)
			if n <= longest || bytes.HasPrefix(line, []byte("//go:")) {
				continue
			}
			if others == nil {
				others = foreignLines(kind, text)
			}
			if !others[i+1] {
				found = append(found, finding{name, i + 1,
					fmt.Sprintf("%d columns; at most %d, with a tab as one column", n, longest)})
			}
		}
	}
	return found, seen, nil
}
