package main

import (
	"fmt"
	"html/template"
	"path"
	"strings"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	extast "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/renderer"
	gmhtml "github.com/yuin/goldmark/renderer/html"
	"github.com/yuin/goldmark/util"
)

// pageRenderer writes the body of a page.
var pageRenderer = renderer.NewRenderer(renderer.WithNodeRenderers(
	util.Prioritized(pieces{}, 10),
	util.Prioritized(mathRenderer{}, 100),
	util.Prioritized(extension.NewTableHTMLRenderer(), 500),
	util.Prioritized(gmhtml.NewRenderer(), 1000),
))

// pieces renders nodes in the site's own style: code, tables in scrolling boxes, headings with links to themselves, no
// comments.
type pieces struct{}

// isBeside reports whether a node is a block of Python that is shown beside the commands before it.
func isBeside(node ast.Node, source []byte) bool {
	n, is := node.(*ast.FencedCodeBlock)
	return is && n.Info != nil && string(n.Info.Segment.Value(source)) == "python beside"
}

func (pieces) RegisterFuncs(r renderer.NodeRendererFuncRegisterer) {
	r.Register(ast.KindFencedCodeBlock,
		func(w util.BufWriter, source []byte, node ast.Node, entering bool) (ast.WalkStatus, error) {
			if !entering {
				return ast.WalkContinue, nil
			}
			n := node.(*ast.FencedCodeBlock)
			label := string(n.Language(source))
			if label == "sh" {
				label = "bash"
			}
			code, err := highlight(string(n.Lines().Value(source)), label)
			if err != nil {
				return ast.WalkStop, err
			}
			if isBeside(n.NextSibling(), source) {
				code = `<div class="beside"><div><p>Command</p>` + "\n" + code + "</div>\n"
			} else if isBeside(n, source) {
				code = "<div><p>Python</p>\n" + code + "</div></div>\n"
			}
			_, err = w.WriteString(code)
			return ast.WalkSkipChildren, err
		})
	r.Register(ast.KindParagraph, writeParagraph)
	r.Register(extast.KindTableCell, writeCell)
	nothing := func(util.BufWriter, []byte, ast.Node, bool) (ast.WalkStatus, error) { return ast.WalkSkipChildren, nil }
	r.Register(ast.KindHTMLBlock, nothing)
	r.Register(ast.KindRawHTML, nothing)
	r.Register(extast.KindTable, func(w util.BufWriter, _ []byte, _ ast.Node, entering bool) (ast.WalkStatus, error) {
		tag := "</table></div>\n"
		if entering {
			tag = `<div class="scroll" tabindex="0"><table>` + "\n"
		}
		_, err := w.WriteString(tag)
		return ast.WalkContinue, err
	})
	r.Register(ast.KindHeading,
		func(w util.BufWriter, source []byte, node ast.Node, entering bool) (ast.WalkStatus, error) {
			n := node.(*ast.Heading)
			id, _ := n.AttributeString("id")
			var err error
			switch {
			case entering:
				_, err = fmt.Fprintf(w, `<h%d id="%s">`, n.Level, id)
			case n.Level == 1:
				_, err = w.WriteString("</h1>\n")
			default:
				_, err = fmt.Fprintf(w,
					"<a class=\"anchor\" href=\"#%s\" aria-label=\"link to this part\">#</a></h%d>\n", id, n.Level)
			}
			return ast.WalkContinue, err
		})
}

// writeParagraph writes a paragraph. One that is nothing but a link to a page of pictures shows that page in a frame.
func writeParagraph(w util.BufWriter, source []byte, node ast.Node, entering bool) (ast.WalkStatus, error) {
	link, is := node.FirstChild().(*ast.Link)
	framed := is && node.ChildCount() == 1 && strings.Contains(string(link.Destination), "pictures/") &&
		path.Ext(string(link.Destination)) == ".html"
	var err error
	switch {
	case framed && entering:
		_, err = fmt.Fprintf(w,
			`<figure class="frame"><iframe src="%s" title="%s" loading="lazy"></iframe><figcaption>`,
			util.EscapeHTML(link.Destination), template.HTMLEscapeString(plain(link, source)))
	case framed:
		_, err = w.WriteString("</figcaption></figure>\n")
	case entering:
		_, err = w.WriteString("<p>")
	default:
		_, err = w.WriteString("</p>\n")
	}
	return ast.WalkContinue, err
}

// writeCell writes a cell of a table. One of the head without a text heads nothing.
func writeCell(w util.BufWriter, _ []byte, node ast.Node, entering bool) (ast.WalkStatus, error) {
	n := node.(*extast.TableCell)
	tag := "td"
	if n.Parent().Kind() == extast.KindTableHeader && n.HasChildren() {
		tag = "th"
	}
	var err error
	switch {
	case !entering:
		_, err = fmt.Fprintf(w, "</%s>\n", tag)
	case n.Alignment == extast.AlignNone:
		_, err = fmt.Fprintf(w, "<%s>", tag)
	default:
		_, err = fmt.Fprintf(w, `<%s style="text-align: %s">`, tag, n.Alignment)
	}
	return ast.WalkContinue, err
}
