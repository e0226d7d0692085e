package main

import (
	"bytes"
	"fmt"
	"path"
	"regexp"
	"regexp/syntax"
	"slices"
	"strings"
)

// phraseList is the list of phrases.
const phraseList = "harness/tests/lint/phrases.tsv"

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

// literals returns strings such that every match of a pattern contains at least one of them; nil if none are known.
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

// findPhrases reports each phrase in a text with its replacement and the reason.
func findPhrases(name, text string, phrases []phrase) (found []finding) {
	phrases = slices.DeleteFunc(slices.Clone(phrases), func(p phrase) bool { return !p.possible(text) })
	for i, line := range strings.Split(text, "\n") {
		for _, p := range phrases {
			if !p.possible(line) {
				continue
			}
			if match := p.pattern.FindString(line); match != "" {
				found = append(found, finding{name, i + 1,
					fmt.Sprintf("%q; write instead: %s (%s)", match, p.replacement, p.reason)})
			}
		}
	}
	return found
}

// unchecked reports whether a file is not checked: the list of phrases, corpora of the fuzzer, data, and output of
// tools.
func unchecked(name string) bool {
	return name == phraseList || name == "harness/tests/lint/lint_test.go" || strings.Contains(name, "/testdata/fuzz/") ||
		slices.Contains([]string{".sum", ".lock", ".csv", ".json", ".ipynb", ".svg", ".asc", ".crg", ".rdf"},
			path.Ext(name))
}

// lintPhrases finds phrases of the list in comments, messages, help texts, descriptions and documentation.
func lintPhrases(t *tree) (found []finding, seen checked, err error) {
	list, err := t.read(phraseList)
	if err != nil {
		return nil, nil, err
	}
	phrases, err := readPhrases(string(list))
	if err != nil {
		return nil, nil, fmt.Errorf("%s: %w", phraseList, err)
	}
	seen = checked{}
	for _, name := range t.names {
		if unchecked(name) {
			continue
		}
		text, err := t.read(name)
		if err != nil {
			return nil, nil, err
		}
		if bytes.IndexByte(text, 0) >= 0 {
			continue // binary
		}
		seen[path.Ext(name)]++
		found = append(found, findPhrases(name, string(text), phrases)...)
	}
	return found, seen, nil
}
