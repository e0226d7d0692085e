package main

import (
	_ "embed"
	"encoding/json"
	"slices"
	"strings"

	"github.com/yuin/goldmark/ast"
)

// miniSearch is the file dist/umd/index.js of MiniSearch, version 7.2.0 of the npm package minisearch, unchanged: the
// full-text search of the site, which runs in the page. Its licence (MIT) is minisearch/LICENSE.txt; check.sh compares
// both with the package.
//
//go:embed minisearch/minisearch.js
var miniSearch []byte

// section is one result of the search: the text from one heading of a page to the next.
type section struct {
	ID      int    `json:"id"`
	Page    string `json:"page"`
	Heading string `json:"heading"` // empty for what stands before the second heading of a page
	Text    string `json:"text"`
	Address string `json:"address"` // from the folder of the site
}

// searchScript is the script with the search and all it looks through. A page loads it when the reader turns to the
// box of the search, as a script and not as data: pages opened from a disk may read no files.
func (s *site) searchScript() ([]byte, error) {
	var list []section
	for _, c := range s.chapters {
		for _, name := range c.pages {
			list = append(list, s.pages[name].sections()...)
		}
	}
	for i := range list {
		list[i].ID = i
	}
	data, err := json.Marshal(list)
	return slices.Concat(miniSearch, []byte("\nconst sections = "), data, []byte(";\n")), err
}

// sections are the sections of a page in order.
func (p *page) sections() []section {
	list := []section{{Page: p.title, Address: address(p.name)}}
	var text strings.Builder
	end := func() {
		list[len(list)-1].Text = strings.Join(strings.Fields(text.String()), " ")
		text.Reset()
	}
	for n := p.document.FirstChild(); n != nil; n = n.NextSibling() {
		if h, is := n.(*ast.Heading); is {
			heading := plain(h, p.source)
			if h.Level == 1 && heading == p.title {
				continue
			}
			end()
			id, _ := h.AttributeString("id")
			list = append(list, section{Page: p.title, Heading: heading,
				Address: address(p.name) + "#" + string(id.([]byte))})
			continue
		}
		writeText(&text, n, p.source)
		text.WriteByte(' ')
	}
	end()
	return list
}

// writeText writes what a reader reads in a node: code, too, and the sources of formulas, but no comments.
func writeText(b *strings.Builder, n ast.Node, source []byte) {
	_ = ast.Walk(n, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if !entering {
			if n.Type() == ast.TypeBlock {
				b.WriteByte(' ')
			}
			return ast.WalkContinue, nil
		}
		switch n := n.(type) {
		case *ast.Text:
			b.Write(n.Segment.Value(source))
			if n.SoftLineBreak() || n.HardLineBreak() {
				b.WriteByte(' ')
			}
		case *ast.String:
			b.Write(n.Value)
		case *inlineMath:
			b.Write(n.segment.Value(source))
		case *ast.FencedCodeBlock, *ast.CodeBlock:
			b.Write(n.Lines().Value(source))
		}
		return ast.WalkContinue, nil
	})
}
