package main

import (
	"bytes"
	"fmt"
	"html"
	"strings"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/renderer"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"

	"skidpad/harness/site/mathml"
)

// Formulas stand between $ within a line, and between $$ in lines of their own. As everywhere with this
// notation, a $ opens a formula before anything but a space, and closes it behind anything but a space
// and not before a digit; \$ is a dollar.

var (
	kindInlineMath  = ast.NewNodeKind("InlineMath")
	kindDisplayMath = ast.NewNodeKind("DisplayMath")
)

// inlineMath is a formula in a line.
type inlineMath struct {
	ast.BaseInline
	segment text.Segment // of the source between the signs
	fault   string       // what is wrong with the signs, if anything is
}

func (*inlineMath) Kind() ast.NodeKind              { return kindInlineMath }
func (n *inlineMath) Dump(source []byte, level int) { ast.DumpHelper(n, source, level, nil, nil) }

// displayMath is a formula by itself; its lines are between the signs.
type displayMath struct {
	ast.BaseBlock
	opened int // where it begins, in bytes
	closed bool
}

func (*displayMath) Kind() ast.NodeKind              { return kindDisplayMath }
func (n *displayMath) Dump(source []byte, level int) { ast.DumpHelper(n, source, level, nil, nil) }
func (*displayMath) IsRaw() bool                     { return true }

type inlineMathParser struct{}

func (inlineMathParser) Trigger() []byte { return []byte{'$'} }

func (inlineMathParser) Parse(_ ast.Node, block text.Reader, _ parser.Context) ast.Node {
	line, segment := block.PeekLine()
	at := segment.Start
	if bytes.HasPrefix(line, []byte("$$")) {
		block.Advance(2)
		return &inlineMath{segment: text.NewSegment(at, at+2),
			fault: "$$ within a line; a formula in display begins a line of its own"}
	}
	end := closing(line[1:])
	if end < 0 {
		block.Advance(1)
		return &inlineMath{segment: text.NewSegment(at, at+1),
			fault: `$ opens a formula that does not end in this line; close it with $, or write \$ for a dollar`}
	}
	block.Advance(end + 2)
	return &inlineMath{segment: text.NewSegment(at+1, at+1+end)}
}

// closing finds the sign $ that closes a formula.
func closing(line []byte) int {
	for i, c := range line {
		if c != '$' || i > 0 && line[i-1] == '\\' {
			continue
		}
		if i > 0 && line[0] != ' ' && line[i-1] != ' ' && (i+1 == len(line) || line[i+1] < '0' || line[i+1] > '9') {
			return i
		}
	}
	return -1
}

type displayMathParser struct{}

func (displayMathParser) Trigger() []byte { return []byte{'$'} }

func (displayMathParser) Open(_ ast.Node, reader text.Reader, _ parser.Context) (ast.Node, parser.State) {
	line, segment := reader.PeekLine()
	start := bytes.IndexByte(line, '$')
	if !bytes.HasPrefix(line[start:], []byte("$$")) {
		return nil, parser.NoChildren
	}
	node := &displayMath{opened: segment.Start + start}
	rest := text.NewSegment(segment.Start+start+2, segment.Stop)
	node.take(rest, reader.Source())
	reader.AdvanceToEOL()
	return node, parser.NoChildren
}

// take adds the part of a line that belongs to the formula, and notes whether it ends there.
func (n *displayMath) take(segment text.Segment, source []byte) {
	line := segment.Value(source)
	if trimmed := bytes.TrimRight(line, " \t\r\n"); bytes.HasSuffix(trimmed, []byte("$$")) {
		segment.Stop = segment.Start + len(trimmed) - 2
		n.closed = true
	}
	n.Lines().Append(segment)
}

func (displayMathParser) Continue(node ast.Node, reader text.Reader, _ parser.Context) parser.State {
	n := node.(*displayMath)
	line, segment := reader.PeekLine()
	if n.closed || util.IsBlank(line) {
		return parser.Close
	}
	n.take(segment, reader.Source())
	reader.AdvanceToEOL()
	return parser.Continue | parser.NoChildren
}

func (displayMathParser) Close(ast.Node, text.Reader, parser.Context) {}
func (displayMathParser) CanInterruptParagraph() bool                 { return true }
func (displayMathParser) CanAcceptIndentedLine() bool                 { return false }

// convert converts the formula of a node; places of faults are bytes of the page.
func convert(node ast.Node, source []byte) (mathml.Formula, int, error) {
	var sourceOffset func(offset int) int
	var formula string
	display := false
	switch n := node.(type) {
	case *inlineMath:
		if n.fault != "" {
			return mathml.Formula{}, n.segment.Start, fmt.Errorf("%s", n.fault)
		}
		formula = string(n.segment.Value(source))
		sourceOffset = func(offset int) int { return n.segment.Start + offset }
	case *displayMath:
		if !n.closed {
			return mathml.Formula{}, n.opened,
				fmt.Errorf("$$ opens a formula that does not end; close it with $$ at the end of a line, and leave " +
					"no line in it empty")
		}
		display = true
		lines := n.Lines()
		formula = string(lines.Value(source))
		sourceOffset = func(offset int) int {
			for i := range lines.Len() {
				s := lines.At(i)
				if offset <= s.Len() {
					return s.Start + offset
				}
				offset -= s.Len()
			}
			return n.opened
		}
	}
	f, err := mathml.Convert(formula, display)
	if err != nil {
		fault := err.(*mathml.Error) // the only kind of error of Convert
		return f, sourceOffset(fault.Offset), fmt.Errorf("formula: %w", err)
	}
	return f, 0, nil
}

// mathRenderer writes formulas; faults were found before, by convert.
type mathRenderer struct{}

func (mathRenderer) RegisterFuncs(r renderer.NodeRendererFuncRegisterer) {
	r.Register(kindInlineMath,
		func(w util.BufWriter, source []byte, node ast.Node, entering bool) (ast.WalkStatus, error) {
			if !entering {
				return ast.WalkContinue, nil
			}
			f, _, err := convert(node, source)
			if err == nil {
				_, err = w.WriteString(f.MathML)
			}
			return ast.WalkContinue, err
		})
	r.Register(kindDisplayMath,
		func(w util.BufWriter, source []byte, node ast.Node, entering bool) (ast.WalkStatus, error) {
			if !entering {
				return ast.WalkContinue, nil
			}
			f, _, err := convert(node, source)
			if err != nil {
				return ast.WalkStop, err
			}
			var b strings.Builder
			b.WriteString(`<div class="equation"`)
			number := ""
			if f.Tag != "" {
				tag := html.EscapeString(f.Tag)
				fmt.Fprintf(&b, ` id="eq%s"`, tag)
				number = fmt.Sprintf(`<a class="number" href="#eq%s">(%s)</a>`, tag, tag)
			}
			fmt.Fprintf(&b, `><div class="scroll" tabindex="0">%s</div>%s</div>`+"\n", f.MathML, number)
			_, err = w.WriteString(b.String())
			return ast.WalkContinue, err
		})
}

// mathematics adds formulas to Markdown.
type mathematics struct{}

func (mathematics) Extend(m goldmark.Markdown) {
	m.Parser().AddOptions(
		parser.WithBlockParsers(util.Prioritized(displayMathParser{}, 650)),
		parser.WithInlineParsers(util.Prioritized(inlineMathParser{}, 150)))
	m.Renderer().AddOptions(renderer.WithNodeRenderers(util.Prioritized(mathRenderer{}, 100)))
}
