package web

import (
	"crypto/sha256"
	"embed"
	"encoding/base64"
	"fmt"
	"html/template"
	"strings"
)

// Vendored libraries of the npm packages three and uplot, made by vendor.sh; licences are beside them.
//
//go:embed vendored/three.min.js
var three string

//go:embed vendored/uplot.min.js
var uPlot string

//go:embed vendored/uplot.min.css
var uPlotStyle string

//go:embed scripts
var scripts embed.FS

// Script is a script or a style sheet of a page.
type Script string

// Three is three.js: the object THREE, with the classes that the renderers use.
func Three() Script { return Script(three) }

// Plotting is uPlot, and its style.
func Plotting() (script, style Script) { return Script(uPlot), Script(uPlotStyle) }

// Own is one script of own files, in the order of their names without .js; a name with .css is a style sheet.
func Own(names ...string) Script {
	var b strings.Builder
	for _, name := range names {
		if !strings.Contains(name, ".") {
			name += ".js"
		}
		data, err := scripts.ReadFile("scripts/" + name)
		if err != nil {
			panic(err) // a fault of the caller
		}
		b.Write(data)
	}
	return Script(b.String())
}

// Page has the scripts and styles of a page of one file, in their order.
type Page struct {
	Scripts, Styles []Script
	Compiles        bool // scripts compile WebAssembly
}

// Policy is the Content-Security-Policy of the page: these scripts and styles, and no network. Pictures are drawn, and
// embedded fonts are data.
func (p *Page) Policy() string {
	list := func(of []Script) string {
		hashes := ""
		for _, s := range of {
			sum := sha256.Sum256([]byte(s))
			hashes += fmt.Sprintf(" 'sha256-%s'", base64.StdEncoding.EncodeToString(sum[:]))
		}
		return hashes
	}
	compiles := ""
	if p.Compiles {
		compiles = " 'wasm-unsafe-eval'"
	}
	return "default-src 'none'; script-src" + list(p.Scripts) + compiles + "; style-src 'unsafe-inline'; " +
		"img-src data: blob:; font-src data:; media-src blob:; base-uri 'none'; form-action 'none'"
}

// Head is the policy, the styles and the scripts as elements. They come last in the body.
func (p *Page) Head() template.HTML {
	var b strings.Builder
	fmt.Fprintf(&b, "<meta http-equiv=\"Content-Security-Policy\" content=\"%s\">\n", p.Policy())
	for _, s := range p.Styles {
		fmt.Fprintf(&b, "<style>%s</style>\n", s)
	}
	return template.HTML(b.String()) //nolint:gosec // our own texts
}

// Body is the scripts as elements, which stand at the end of the body.
func (p *Page) Body() template.HTML {
	var b strings.Builder
	for _, s := range p.Scripts {
		fmt.Fprintf(&b, "<script>%s</script>\n", s)
	}
	return template.HTML(b.String()) //nolint:gosec // our own texts
}
