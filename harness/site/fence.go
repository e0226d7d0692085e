package main

import (
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/yuin/goldmark/ast"
)

// block is a fenced block of a page. Its label tells what becomes of it:
//
//	sh                  run by bash; must succeed
//	sh fails            run by bash; must fail
//	sh elsewhere        run by the script or test that the table elsewhere names
//	python              run; the blocks of a page are one program
//	python beside       run; does the same as the sh block before it, is shown beside that block, and may warn
//	c                   compiled and run; statements are put into a function main
//	toml                parsed
//	toml in=MODEL       merged into that model, which is then loaded
//	LANGUAGE file=NAME  written to that file for the blocks behind it; TOML is parsed, too
//	LANGUAGE more=NAME  goes on with that file
//	text                what the block before it prints, if that is run; else a picture or listing
type block struct {
	page     *page
	section  string // heading of level 2 above it
	at       int    // line of the first code line on the page
	language string
	verb     string // fails, elsewhere, beside, in, file, more, or empty
	value    string // of in, file and more
	code     string
	follows  bool // directly behind the block before it
}

// runnable are the languages that are run or checked by themselves; writable those that are only written to files.
var (
	runnable = []string{"sh", "python", "c", "toml", "text"}
	writable = []string{"cmake", "csv", "fortran", "go", "js", "json", "make", "matlab"}
)

// position is page:line.
func (b *block) position() string { return fmt.Sprintf("%s:%d", b.page.name, b.at) }

// needsFolder reports whether a block uses the page's working folder. TOML without a verb is parsed only.
func (b *block) needsFolder() bool {
	return b.language != "text" && b.verb != "elsewhere" && (b.language != "toml" || b.verb != "")
}

// blocks finds the blocks of a page. All faults in labels are returned together.
func blocks(p *page) ([]*block, error) {
	var list []*block
	var faults []error
	section := ""
	err := ast.Walk(p.document, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if !entering {
			return ast.WalkContinue, nil
		}
		switch n := n.(type) {
		case *ast.Heading:
			if n.Level == 2 {
				section = plain(n, p.source)
			}
		case *ast.CodeBlock:
			faults = append(faults,
				fmt.Errorf("%s:%d: an indented block of code; nobody knows what becomes of it: put it between ``` "+
					"with a label such as sh or text",
					p.name, p.line(p.offset(n))))
		case *ast.FencedCodeBlock:
			b := &block{page: p, section: section, code: string(n.Lines().Value(p.source))}
			if n.Lines().Len() == 0 {
				faults = append(faults, fmt.Errorf("%s: an empty block of code", p.name))
				return ast.WalkContinue, nil
			}
			b.at = p.line(n.Lines().At(0).Start)
			before, is := n.PreviousSibling().(*ast.FencedCodeBlock)
			b.follows = is && before.Lines().Len() > 0
			info := ""
			if n.Info != nil {
				info = string(n.Info.Segment.Value(p.source))
			}
			if err := b.label(info); err != nil {
				faults = append(faults, fmt.Errorf("%s: %w", b.position(), err))
			}
			if b.verb == "beside" && !(b.follows && list[len(list)-1].language == "sh") {
				faults = append(faults, fmt.Errorf("%s: no block of sh is directly before this block, which is to stand "+
					"beside one; move it there, or take beside out of its label", b.position()))
			}
			list = append(list, b)
		}
		return ast.WalkContinue, nil
	})
	faults = append(faults, err)
	return list, errors.Join(faults...)
}

// label takes the label of a block apart.
func (b *block) label(info string) error {
	words := strings.Fields(info)
	if len(words) == 0 {
		return errors.New("a block of code without a label; write one of " + strings.Join(runnable, ", ") +
			" behind the ```")
	}
	b.language = words[0]
	if len(words) > 2 {
		return fmt.Errorf("the label %q has %d words; a label is a language and at most one word more", info,
			len(words))
	}
	if len(words) == 2 {
		var isPair bool
		b.verb, b.value, isPair = strings.Cut(words[1], "=")
		if isPair && b.value == "" {
			return fmt.Errorf("the label %q names no file", info)
		}
	}
	switch b.verb {
	case "":
		if !slices.Contains(runnable, b.language) {
			return fmt.Errorf("the label %q is not known; known are %s, and with file=NAME also %s", info,
				strings.Join(runnable, ", "), strings.Join(writable, ", "))
		}
	case "fails", "elsewhere":
		if b.language != "sh" || b.value != "" {
			return fmt.Errorf("the label %q: %s goes with sh alone", info, b.verb)
		}
	case "beside":
		if b.language != "python" || b.value != "" {
			return fmt.Errorf("the label %q: beside goes with python alone", info)
		}
	case "in":
		if b.language != "toml" {
			return fmt.Errorf("the label %q: in=MODEL goes with toml alone", info)
		}
		return b.inside(info)
	case "file", "more":
		if !slices.Contains(runnable, b.language) && !slices.Contains(writable, b.language) {
			return fmt.Errorf("the label %q: the language is not known; known are %s, %s", info,
				strings.Join(runnable, ", "), strings.Join(writable, ", "))
		}
		return b.inside(info)
	default:
		return fmt.Errorf("the label %q: %s is not known; known are fails, elsewhere, beside, in=MODEL, file=NAME, "+
			"more=NAME", info, words[1])
	}
	return nil
}

// inside rejects files outside of the working folder of the blocks.
func (b *block) inside(info string) error {
	if clean := path.Clean(b.value); path.IsAbs(clean) || clean == ".." || strings.HasPrefix(clean, "../") {
		return fmt.Errorf("the label %q: %s lies outside of the page's working folder", info, b.value)
	}
	return nil
}
