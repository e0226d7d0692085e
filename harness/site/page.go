package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"strings"
	"unicode"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
)

// page is a file of Markdown that was read.
type page struct {
	name     string // path in the repository, with slashes
	source   []byte
	document ast.Node
	title    string
	headings []heading         // of the table of contents
	anchors  map[string]bool   // what a link to the page may have behind #
	figures  map[string][]byte // of a notebook, by their names in the folder of the page; nil without
}

// heading is a line of the table of contents.
type heading struct {
	level    int
	id, text string
}

// markdown reads pages: CommonMark with tables and formulas.
var markdown = goldmark.New(
	goldmark.WithExtensions(extension.Table, mathematics{}),
	goldmark.WithParserOptions(parser.WithAutoHeadingID()),
)

// identifiers gives headings the anchors that GitHub gives them, so that links hold there, too.
type identifiers map[string]bool

func (seen identifiers) Generate(value []byte, _ ast.NodeKind) []byte {
	var b strings.Builder
	for _, c := range strings.ToLower(string(bytes.TrimSpace(value))) {
		switch {
		case unicode.IsLetter(c), unicode.IsDigit(c), c == '-', c == '_':
			b.WriteRune(c)
		case c == ' ':
			b.WriteByte('-')
		}
	}
	id := b.String()
	for n := 1; seen[id]; n++ {
		id = fmt.Sprintf("%s-%d", b.String(), n)
	}
	seen[id] = true
	return []byte(id)
}

func (seen identifiers) Put(value []byte) { seen[string(value)] = true }

// readPage reads the page of that name in the repository at root. Faults in it are returned together,
// one per line.
func readPage(root, name string) (*page, error) {
	source, err := os.ReadFile(filepath.Join(root, name))
	if err != nil {
		return nil, err
	}
	if path.Ext(name) == notebookSuffix {
		return parseNotebook(name, source)
	}
	return parsePage(name, source)
}

func parsePage(name string, source []byte) (*page, error) {
	p := &page{name: name, source: source, anchors: map[string]bool{}}
	context := parser.NewContext(parser.WithIDs(identifiers{}))
	p.document = markdown.Parser().Parse(text.NewReader(source), parser.WithContext(context))
	var faults []error
	fault := func(at int, format string, values ...any) {
		faults = append(faults, fmt.Errorf("%s:%d: %s", name, p.line(at), fmt.Sprintf(format, values...)))
	}
	level := 0 // of the heading before
	err := ast.Walk(p.document, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if !entering {
			return ast.WalkContinue, nil
		}
		switch n := n.(type) {
		case *ast.Heading:
			id, _ := n.AttributeString("id")
			h := heading{n.Level, string(id.([]byte)), plain(n, source)}
			p.anchors[h.id] = true
			if level > 0 && n.Level > level+1 {
				fault(p.offset(n), "a heading of level %d under one of level %d; take %s", n.Level, level,
					strings.Repeat("#", level+1))
			}
			level = n.Level
			if n.Level == 1 && p.title == "" {
				p.title = h.text
			} else {
				p.headings = append(p.headings, h)
			}
		case *inlineMath, *displayMath:
			f, at, err := convert(n, source)
			if err != nil {
				fault(at, "%v", err)
			} else if f.Tag != "" {
				if p.anchors["eq"+f.Tag] {
					fault(p.offset(n), "a second equation with the number %s; give it another one", f.Tag)
				}
				p.anchors["eq"+f.Tag] = true
			}
		case *ast.HTMLBlock:
			if n.HTMLBlockType != ast.HTMLBlockType2 {
				fault(p.offset(n), "HTML in a page; only comments <!-- --> are allowed")
			}
		case *ast.RawHTML:
			if segment := n.Segments.At(0); !bytes.HasPrefix(segment.Value(source), []byte("<!--")) {
				fault(segment.Start, "HTML in a page: %s; write a sign < as \\< or in code", segment.Value(source))
			}
		}
		return ast.WalkContinue, nil
	})
	if err != nil {
		return nil, err
	}
	if p.title == "" {
		faults = append(faults, fmt.Errorf("%s:1: no title; a page begins with a heading of the first level, # Title",
			name))
	}
	return p, errors.Join(faults...)
}

// line is the line number of a place in the source.
func (p *page) line(at int) int { return bytes.Count(p.source[:at], []byte("\n")) + 1 }

// offset is the position of a node in the source: the beginning of its first text or line, or its parent's position.
func (p *page) offset(n ast.Node) int {
	for ; n != nil; n = n.Parent() {
		if m, is := n.(*displayMath); is {
			return m.opened
		}
		if n.Type() == ast.TypeBlock && n.Lines() != nil && n.Lines().Len() > 0 {
			return n.Lines().At(0).Start
		}
		at := -1
		_ = ast.Walk(n, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
			if t, is := n.(*ast.Text); is && entering {
				at = t.Segment.Start
				return ast.WalkStop, nil
			}
			return ast.WalkContinue, nil
		})
		if at >= 0 {
			return at
		}
	}
	return 0
}

// plain is the text of a node without its markup.
func plain(n ast.Node, source []byte) string {
	var b strings.Builder
	_ = ast.Walk(n, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if entering {
			switch n := n.(type) {
			case *ast.Text:
				b.Write(n.Segment.Value(source))
			case *ast.String:
				b.Write(n.Value)
			case *inlineMath:
				b.Write(n.segment.Value(source))
			}
		}
		return ast.WalkContinue, nil
	})
	return b.String()
}
