package mathml

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Formula is a converted formula.
type Formula struct {
	MathML string // one element math; of a formula within a line one more behind each place where a line may break
	Tag    string // what \tag gives, the number of the equation; empty without
}

// Error is a fault in the source of a formula.
type Error struct {
	Offset int // in bytes, from the beginning of the source
	Reason string
}

func (e *Error) Error() string { return e.Reason }

// mayBreak marks where a line may break; browsers do not break formulas by themselves. It is no
// character of any formula.
const mayBreak = "\x00"

// deepest is how deep groups may be nested.
const deepest = 40

// Convert converts the source between the signs $ or $$. A formula in display stands by itself and
// may have a number.
func Convert(source string, display bool) (f Formula, err error) {
	p := &parser{source: source, display: display}
	defer func() {
		if r := recover(); r != nil {
			fault, is := r.(*Error)
			if !is {
				panic(r)
			}
			f, err = Formula{}, fault
		}
	}()
	if !utf8.ValidString(source) {
		p.fail(0, "the formula is not UTF-8")
	}
	p.next()
	row := p.row()
	if p.token != "" {
		p.fail(p.start, "%s closes nothing; take it out, or open it before", p.token)
	}
	if row == "" {
		p.fail(0, "the formula is empty")
	}
	if display {
		return Formula{MathML: `<math display="block"><mrow>` + row + "</mrow></math>", Tag: p.tag}, nil
	}
	row = strings.ReplaceAll(strings.TrimSuffix(row, mayBreak), mayBreak, "</mrow></math><wbr/><math><mrow>")
	return Formula{MathML: "<math><mrow>" + row + "</mrow></math>"}, nil
}

// parser reads tokens one by one. A token is a command with its backslash, a number, or one
// character; it is empty at the end.
type parser struct {
	source  string
	display bool
	at      int    // behind the token
	start   int    // of the token
	token   string // the present one
	depth   int
	bold    bool
	sign    bool // a plus or minus here is a sign
	tag     string
}

// fail ends the conversion; Convert recovers it.
func (p *parser) fail(offset int, format string, values ...any) {
	panic(&Error{Offset: offset, Reason: fmt.Sprintf(format, values...)})
}

var token = regexp.MustCompile(`^(?s:\\(?:[a-zA-Z]+|.)|[0-9]+(?:\.[0-9]+)?|.)`)

func (p *parser) next() {
	for p.at < len(p.source) && strings.IndexByte(" \t\r\n", p.source[p.at]) >= 0 {
		p.at++
	}
	p.start = p.at
	p.token = token.FindString(p.source[p.at:])
	if p.token == `\` {
		p.fail(p.at, `the backslash is the last character, and begins no command`)
	}
	p.at += len(p.token)
}

// expect takes one token.
func (p *parser) expect(want, where string) {
	if p.token != want {
		p.fail(p.start, "%s where %s needs %s", p.name(), where, want)
	}
	p.next()
}

// name calls the present token.
func (p *parser) name() string {
	if p.token == "" {
		return "the end"
	}
	return p.token
}

// raw takes the text of a group in braces as it stands.
func (p *parser) raw(command string) string {
	if p.token != "{" {
		p.fail(p.start, "%s where %s needs {", p.name(), command)
	}
	end := strings.IndexAny(p.source[p.at:], "{}")
	if end < 0 || p.source[p.at+end] == '{' {
		p.fail(p.start, "the text of %s does not end; it is plain text up to a brace }", command)
	}
	text := p.source[p.at : p.at+end]
	for i, c := range text {
		if !unicode.IsPrint(c) || c == '\\' || c == '$' {
			p.fail(p.at+i, "%q in the text of %s; it is plain text without commands", c, command)
		}
	}
	p.at += end + 1
	p.next()
	return text
}

// row converts up to what closes it: }, &, \\, \right, \end, ] in brackets of a root, or the end.
func (p *parser) row() string { return p.rowUntil("") }

func (p *parser) rowUntil(closing string) string {
	if p.depth++; p.depth > deepest {
		p.fail(p.start, "groups are nested deeper than %d", deepest)
	}
	defer func() { p.depth-- }()
	var b strings.Builder
	for before := ""; p.token != closing || closing == ""; {
		switch p.token {
		case "", "}", "&", `\\`, `\right`, `\end`:
			return b.String()
		}
		p.sign = b.Len() > 0 && opens(before)
		if isFunction(p.token) && b.Len() > 0 && !opens(before) && !isFunction(before) {
			b.WriteString(thinSpace)
		}
		before = p.token
		breaks := !p.display && p.depth == 1 && !p.sign && joins(before)
		b.WriteString(p.scripted())
		if breaks {
			b.WriteString(mayBreak)
		}
	}
	return b.String()
}

// joins reports whether a line may break behind a token: relations, plus and minus.
func joins(token string) bool {
	switch token {
	case "=", "<", ">", "+", "-", `\le`, `\leq`, `\ge`, `\geq`, `\ne`, `\neq`, `\approx`, `\equiv`, `\to`,
		`\rightarrow`, `\Rightarrow`, `\in`:
		return true
	}
	return false
}

// thinSpace stands between a function and what is beside it.
const thinSpace = `<mspace width="0.167em"/>`

func isFunction(token string) bool {
	name, isCommand := strings.CutPrefix(token, `\`)
	_, is := functions[name]
	return isCommand && is
}

// opens reports whether + and - behind a token are signs of what follows, not operations.
func opens(token string) bool {
	_, isOperator := operators[strings.TrimPrefix(token, `\`)]
	_, isSpace := spaces[strings.TrimPrefix(token, `\`)]
	return strings.HasPrefix(token, `\`) && (isOperator || isSpace) || strings.Contains("=<>([,;:+-*/", token)
}

// scripted converts an atom with what stands above and below it.
func (p *parser) scripted() string {
	first := p.token
	name := strings.TrimPrefix(first, `\`)
	below := false // scripts stand above and below, not beside
	if strings.HasPrefix(first, `\`) {
		_, isLarge := large[name]
		below = isLarge || functions[name]
	}
	if first == "^" || first == "_" || first == "'" {
		p.fail(p.start, "%s has nothing to stand at; write {}%s", first, first)
	}
	base := p.atom()
	var sub, sup string
	for p.token == "^" || p.token == "_" || p.token == "'" {
		at, sign := p.start, p.token
		p.next()
		switch {
		case sign == "'":
			sup += "<mo>′</mo>"
		case sign == "^" && (sup == "" || strings.HasSuffix(sup, "<mo>′</mo>")):
			sup += p.argument("^")
		case sign == "_" && sub == "":
			sub = p.argument("_")
		default:
			p.fail(at, "a second %s at the same place; use braces", sign)
		}
	}
	if strings.Count(sup, "<mo>′</mo>") > 0 {
		sup = "<mrow>" + sup + "</mrow>"
	}
	kind := [3]string{"msub", "msup", "msubsup"}
	if below {
		kind = [3]string{"munder", "mover", "munderover"}
	}
	switch {
	case sub != "" && sup != "":
		base = element(kind[2], base+sub+sup)
	case sub != "":
		base = element(kind[0], base+sub)
	case sup != "":
		base = element(kind[1], base+sup)
	}
	if isFunction(first) && !strings.Contains("([|", p.token) && p.token != `\left` && p.token != "}" {
		base += thinSpace
	}
	return base
}

func element(name, content string) string { return "<" + name + ">" + content + "</" + name + ">" }

// argument converts one group or atom, as one element.
func (p *parser) argument(of string) string {
	switch p.token {
	case "{":
		return p.group()
	case "", "}", "&", `\\`, `\right`, `\end`, "^", "_", "'":
		p.fail(p.start, "%s where %s needs what it applies to", p.name(), of)
	}
	if p.depth++; p.depth > deepest {
		p.fail(p.start, "groups are nested deeper than %d", deepest)
	}
	defer func() { p.depth-- }()
	return p.atom()
}

// group converts a group in braces.
func (p *parser) group() string {
	at := p.start
	p.next()
	content := p.row()
	if p.token != "}" {
		p.fail(at, "the brace { is not closed before %s", p.name())
	}
	p.next()
	return element("mrow", content)
}

// atom converts one thing without scripts to one element.
func (p *parser) atom() string {
	t, at := p.token, p.start
	if strings.HasPrefix(t, `\`) {
		return p.command(t[1:], at)
	}
	if t == "{" {
		return p.group()
	}
	p.next()
	c, _ := utf8.DecodeRuneInString(t)
	switch {
	case c >= '0' && c <= '9':
		return p.styled("mn", t)
	case c < utf8.RuneSelf && unicode.IsLetter(c):
		return p.letter(t, false)
	}
	switch t {
	case "-", "+":
		text := map[string]string{"-": "−", "+": "+"}[t]
		if p.sign {
			return `<mo form="prefix">` + text + "</mo>"
		}
		return element("mo", text)
	case "/":
		return `<mo lspace="0" rspace="0">/</mo>`
	case "*":
		return "<mo>∗</mo>"
	case "<":
		return "<mo>&lt;</mo>"
	case ">":
		return "<mo>&gt;</mo>"
	case "(", ")", "[", "]", "|":
		return `<mo stretchy="false">` + t + "</mo>"
	case "=", ",", ";", ":", "!", ".":
		return element("mo", t)
	}
	p.fail(at, "%q has no meaning here; letters other than ASCII and signs are commands such as \\alpha and \\le", c)
	return ""
}

// letter writes a letter: slanted, or upright.
func (p *parser) letter(text string, upright bool) string {
	switch {
	case p.bold:
		return `<mi mathvariant="normal" class="bold">` + text + "</mi>"
	case upright && utf8.RuneCountInString(text) == 1:
		return `<mi mathvariant="normal">` + text + "</mi>"
	}
	return element("mi", text)
}

func (p *parser) styled(name, text string) string {
	if p.bold {
		return "<" + name + ` class="bold">` + text + "</" + name + ">"
	}
	return element(name, text)
}

var tagged = regexp.MustCompile(`^[0-9A-Za-z][0-9A-Za-z.-]*$`)

// command converts what a backslash begins.
func (p *parser) command(name string, at int) string {
	p.next()
	if text, ok := p.symbol(name); ok {
		return text
	}
	switch name {
	case "frac", "dfrac", "tfrac":
		above := p.argument(`\` + name)
		return element("mfrac", above+p.argument(`\`+name))
	case "sqrt":
		if p.token != "[" {
			return element("msqrt", p.argument(`\sqrt`))
		}
		p.next()
		degree := element("mrow", p.rowUntil("]"))
		p.expect("]", `the degree of \sqrt`)
		return element("mroot", p.argument(`\sqrt`)+degree)
	case "mathbf", "boldsymbol":
		before := p.bold
		p.bold = true
		content := p.argument(`\` + name)
		p.bold = before
		return content
	case "mathrm", "operatorname":
		return p.letter(escape(p.raw(`\`+name)), true)
	case "text":
		return element("mtext", strings.ReplaceAll(escape(p.raw(`\text`)), " ", "\u00a0"))
	case "left":
		return p.fenced(at)
	case "begin":
		return p.environment(at)
	case "tag":
		if !p.display {
			p.fail(at, `\tag in a formula within a line; only one in display, between $$, has a number`)
		}
		if p.tag != "" {
			p.fail(at, `a second \tag; an equation has one number`)
		}
		if p.tag = p.raw(`\tag`); !tagged.MatchString(p.tag) {
			p.fail(at, `\tag{%s}; a number is made of letters, digits, points and hyphens`, p.tag)
		}
		return ""
	}
	p.fail(at, `\%s is not known; known are %s`, name, known())
	return ""
}

// symbol is a command that stands for a sign or puts one over its argument.
func (p *parser) symbol(name string) (text string, ok bool) {
	if text, ok := letters[name]; ok {
		return p.letter(text, false), true
	}
	if text, ok := capitals[name]; ok {
		return p.letter(text, true), true
	}
	if text, ok := operators[name]; ok {
		return element("mo", text), true
	}
	if text, ok := large[name]; ok {
		return element("mo", text), true
	}
	if text, ok := integrals[name]; ok {
		return element("mo", text), true
	}
	if limits, ok := functions[name]; ok {
		if limits {
			return `<mo movablelimits="true" lspace="0" rspace="0">` + name + "</mo>", true
		}
		return element("mi", name), true
	}
	if width, ok := spaces[name]; ok {
		return `<mspace width="` + width + `em"/>`, true
	}
	if text, ok := escaped[name]; ok {
		return `<mo stretchy="false">` + text + "</mo>", true
	}
	if sign, ok := accents[name]; ok {
		return `<mover accent="true">` + p.argument(`\`+name) + `<mo stretchy="false">` + sign + "</mo></mover>", true
	}
	return "", false
}

// known lists all commands.
func known() string {
	names := []string{"begin", "dfrac", "end", "frac", "left", "mathbf", "mathrm", "operatorname", "boldsymbol",
		"right", "sqrt", "tag", "text", "tfrac"}
	for _, list := range []map[string]string{letters, capitals, operators, large, integrals, accents, spaces, escaped} {
		names = slices.AppendSeq(names, maps.Keys(list))
	}
	names = slices.AppendSeq(names, maps.Keys(functions))
	slices.Sort(names)
	return `\` + strings.Join(names, ` \`)
}

// fenced converts what stands between \left and \right.
func (p *parser) fenced(at int) string {
	side := func(command string) string {
		sign, ok := fences[p.token]
		if !ok {
			p.fail(p.start, "%s after %s; it takes one of %s", p.name(), command,
				strings.Join(slices.Sorted(maps.Keys(fences)), " "))
		}
		p.next()
		if sign == "" {
			return ""
		}
		form := "prefix"
		if command == `\right` {
			form = "postfix"
		}
		return `<mo fence="true" stretchy="true" form="` + form + `">` + sign + "</mo>"
	}
	b := side(`\left`) + p.row()
	if p.token != `\right` {
		p.fail(at, `\left is not closed by \right before %s`, p.name())
	}
	p.next()
	return element("mrow", b+side(`\right`))
}

// environment converts a table.
func (p *parser) environment(at int) string {
	name := p.raw(`\begin`)
	around, ok := environments[name]
	if !ok {
		p.fail(at, `\begin{%s} is not known; known are %s`, name,
			strings.Join(slices.Sorted(maps.Keys(environments)), ", "))
	}
	var b strings.Builder
	b.WriteString("<mtr><mtd>")
	for p.token != `\end` {
		b.WriteString(p.row())
		switch p.token {
		case "&":
			b.WriteString("</mtd><mtd>")
		case `\\`:
			b.WriteString("</mtd></mtr><mtr><mtd>")
		case `\end`:
			continue
		default:
			p.fail(at, `\begin{%s} is not closed before %s`, name, p.name())
		}
		p.next()
	}
	p.next()
	if end := p.raw(`\end`); end != name {
		p.fail(at, `\begin{%s} is closed by \end{%s}`, name, end)
	}
	b.WriteString("</mtd></mtr>")
	table := "<mtable>"
	if name == "aligned" || name == "cases" {
		table = `<mtable class="` + name + `"` + map[string]string{"aligned": ` displaystyle="true"`}[name] + ">"
	}
	fence := func(sign, form string) string {
		if sign == "" {
			return ""
		}
		return `<mo fence="true" stretchy="true" form="` + form + `">` + sign + "</mo>"
	}
	content := strings.TrimSuffix(b.String(), "<mtr><mtd></mtd></mtr>") // behind a last \\
	return element("mrow", fence(around[0], "prefix")+table+content+"</mtable>"+fence(around[1], "postfix"))
}

func escape(text string) string {
	return strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;").Replace(text)
}
