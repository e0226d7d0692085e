package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"regexp/syntax"
	"slices"
	"strings"
	"testing"
)

// phraseList is the list of phrases, below the repository's root.
const phraseList = "harness/site/testdata/phrases.tsv"

// A phrase is a pattern that the tree must not contain, with its replacement and the reason.
type phrase struct {
	pattern     *regexp.Regexp
	literals    []string // a text that matches contains one of them; nil if none are known
	replacement string
	reason      string
}

// possible reports whether a text can contain the phrase. It is much faster than the pattern.
func (p *phrase) possible(text string) bool {
	contained := func(literal string) bool { return strings.Contains(text, literal) }
	return p.literals == nil || slices.ContainsFunc(p.literals, contained)
}

// literals returns texts of which every match of a pattern contains at least one; nil if none are known.
func literals(tree *syntax.Regexp) (best []string) {
	switch tree.Op {
	case syntax.OpLiteral:
		if tree.Flags&syntax.FoldCase == 0 {
			return []string{string(tree.Rune)}
		}
	case syntax.OpCapture:
		return literals(tree.Sub[0])
	case syntax.OpConcat:
		shortest := func(list []string) int {
			return len(slices.MinFunc(list, func(a, b string) int { return len(a) - len(b) }))
		}
		for _, part := range tree.Sub {
			if list := literals(part); list != nil && (best == nil || shortest(list) > shortest(best)) {
				best = list
			}
		}
	case syntax.OpAlternate:
		for _, choice := range tree.Sub {
			list := literals(choice)
			if list == nil {
				return nil
			}
			best = append(best, list...)
		}
	}
	return best
}

// readPhrases reads the list: pattern, replacement and reason, separated by tabs; lines that begin with # are comments.
func readPhrases(list string) (phrases []phrase, err error) {
	for i, line := range strings.Split(strings.TrimSuffix(list, "\n"), "\n") {
		if strings.HasPrefix(line, "#") {
			continue
		}
		fields := strings.Split(line, "\t")
		if len(fields) != 3 {
			return nil, fmt.Errorf("line %d: %d columns; want pattern, replacement and reason, separated by tabs", i+1,
				len(fields))
		}
		pattern, err := regexp.Compile(fields[0])
		if err != nil {
			return nil, fmt.Errorf("line %d: %w", i+1, err)
		}
		tree, err := syntax.Parse(fields[0], syntax.Perl)
		if err != nil {
			return nil, fmt.Errorf("line %d: %w", i+1, err)
		}
		phrases = append(phrases, phrase{pattern, literals(tree), fields[1], fields[2]})
	}
	return phrases, nil
}

// findPhrases reports each phrase in a text as file:line, the phrase found, its replacement and the reason.
func findPhrases(name, text string, phrases []phrase) (found []string) {
	phrases = slices.DeleteFunc(slices.Clone(phrases), func(p phrase) bool { return !p.possible(text) })
	for i, line := range strings.Split(text, "\n") {
		for _, p := range phrases {
			if !p.possible(line) {
				continue
			}
			if match := p.pattern.FindString(line); match != "" {
				found = append(found, fmt.Sprintf("%s:%d: %q; write instead: %s (%s)", name, i+1, match, p.replacement,
					p.reason))
			}
		}
	}
	return found
}

// unchecked returns why a tracked file is not checked, "" if it is.
func unchecked(name string) string {
	switch {
	case name == phraseList || name == "harness/site/phrases_test.go":
		return "contains the phrases themselves"
	case strings.Contains(name, "/testdata/fuzz/"):
		return "written by the fuzzer"
	case slices.Contains([]string{".sum", ".lock", ".csv", ".json", ".ipynb", ".svg", ".asc", ".crg", ".rdf"},
		path.Ext(name)):
		return "data, or written by a tool"
	}
	return ""
}

// Comments, messages, help texts and descriptions use the terms of the field.
func TestTheTreeUsesPlainTerms(t *testing.T) {
	list, err := os.ReadFile(filepath.Join(repository, phraseList))
	if err != nil {
		t.Fatal(err)
	}
	phrases, err := readPhrases(string(list))
	if err != nil {
		t.Fatalf("%s: %v", phraseList, err)
	}
	command := exec.Command("git", "ls-files", "-z")
	command.Dir = repository
	names, err := command.Output()
	if err != nil {
		t.Fatalf("git ls-files: %v; the test needs a git checkout", err)
	}
	checked, skipped := map[string]int{}, map[string]int{}
	for name := range strings.SplitSeq(strings.TrimSuffix(string(names), "\x00"), "\x00") {
		if why := unchecked(name); why != "" {
			skipped[why]++
			continue
		}
		text, err := os.ReadFile(filepath.Join(repository, name))
		if err != nil {
			t.Error(err)
			continue
		}
		if bytes.IndexByte(text, 0) >= 0 {
			skipped["binary"]++
			continue
		}
		checked[path.Ext(name)]++
		for _, found := range findPhrases(name, string(text), phrases) {
			t.Error(found)
		}
	}
	for _, kind := range []string{".go", ".c", ".h", ".py", ".sh", ".toml", ".md", ".m"} {
		if checked[kind] == 0 {
			t.Errorf("no file %s was checked", kind)
		}
	}
	t.Logf("checked, by ending: %v; not checked: %v", checked, skipped)
}

// A phrase is found with its file, line and replacement; a plain sentence is not.
func TestPhrasesAreFound(t *testing.T) {
	phrases, err := readPhrases("# comment\n\\b(anew|afresh)\\b\tagain\tArchaic\n\\b[Aa]ll else\\b\teverything " +
		"else\tInversion\n")
	if err != nil {
		t.Fatal(err)
	}
	found := findPhrases("a/b.c", "/* once more\n * anew, and all else */\nrenewal\n", phrases)
	want := []string{
		`a/b.c:2: "anew"; write instead: again (Archaic)`,
		`a/b.c:2: "all else"; write instead: everything else (Inversion)`,
	}
	if !slices.Equal(found, want) {
		t.Errorf("%q; want %q", found, want)
	}
	for _, list := range []string{"anew\tagain\n", "(\tagain\tArchaic\n"} {
		if _, err := readPhrases(list); err == nil {
			t.Errorf("the list %q is accepted", list)
		}
	}
	for name, is := range map[string]bool{"docs/fmi.md": false, "README.md": false, "docs/pictures/solvers.svg": true,
		"model/keys.go": false} {
		if (unchecked(name) != "") != is {
			t.Errorf("%s: %q", name, unchecked(name))
		}
	}
}
