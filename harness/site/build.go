package main

import (
	"bytes"
	_ "embed"
	"errors"
	"fmt"
	"html/template"
	"io"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/alecthomas/chroma/v2"
	"github.com/alecthomas/chroma/v2/formatters/html"
	"github.com/alecthomas/chroma/v2/lexers"
	"github.com/alecthomas/chroma/v2/styles"
)

var (
	//go:embed page.html
	pageTemplate string
	//go:embed style.css
	styleSheet []byte
	//go:embed site.js
	script []byte

	layout = template.Must(template.New("page").Parse(pageTemplate))
)

// view is the data of a page's template.
type view struct {
	Title, Root    string // Root leads to the folder of the site
	Front, Code    bool   // the first page; a file of the repository
	Chapters       []chapterView
	Contents       []entry
	Body           template.HTML
	Previous, Next *entry
	Source         string // path in the repository
}

type chapterView struct {
	Title string
	Pages []entry
}

// entry is a link to a page or heading.
type entry struct {
	Title, Address string
	Level          int
	Present        bool
}

// read reads all pages of the repository at root and resolves their links.
func read(root string) (*site, error) {
	s := &site{root: root, chapters: present(root), pages: map[string]*page{}, sources: map[string]bool{}}
	faults := []error{outside(root)}
	for _, c := range s.chapters {
		for _, name := range c.pages {
			p, err := readPage(root, name)
			faults = append(faults, err)
			if p == nil {
				return nil, errors.Join(faults...)
			}
			s.pages[name] = p
		}
	}
	faults = append(faults, s.resolve())
	return s, errors.Join(faults...)
}

// build writes the site of the repository at root into out/site, with the verification report if one
// is named, and with pages of vehicles to drive.
func build(root, out, report string, log io.Writer, drives ...drive) error {
	s, err := read(root)
	if err != nil {
		return err
	}
	folder := filepath.Join(out, "site")
	if err := os.RemoveAll(folder); err != nil {
		return err
	}
	page := "" // of the report
	if report != "" {
		data, err := os.ReadFile(report)
		if err != nil {
			return err
		}
		page = "verification.html"
		if err := write(folder, page, data); err != nil {
			return err
		}
	}
	s.drives = drives
	for _, d := range drives {
		if err := write(folder, d.address, d.page); err != nil {
			return err
		}
	}
	if err := s.write(folder, page); err != nil {
		return err
	}
	_, err = fmt.Fprintf(log, "%d pages, %d sources: %s\n", len(s.pages), len(s.sources),
		filepath.Join(folder, "index.html"))
	return err
}

func write(folder, name string, data []byte) error {
	file := filepath.Join(folder, name)
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		return err
	}
	return os.WriteFile(file, data, 0o644)
}

func (s *site) write(folder, report string) error {
	colours, err := codeColours()
	if err != nil {
		return err
	}
	search, err := s.searchScript()
	if err != nil {
		return err
	}
	for name, data := range map[string][]byte{"style.css": append(slices.Clone(styleSheet), colours...),
		"site.js": script, "search.js": search} {
		if err := write(folder, name, data); err != nil {
			return err
		}
	}
	var order []string
	for _, c := range s.chapters {
		order = append(order, c.pages...)
	}
	for i, name := range order {
		p := s.pages[name]
		var body bytes.Buffer
		if err := pageRenderer.Render(&body, p.source, p.document); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		v := s.view(address(name), name, p.title, report)
		text := body.String()
		if i == 0 || name == liveView {
			text = strings.Replace(text, "</h1>\n", "</h1>\n"+s.driveLinks(address(name)), 1)
		}
		v.Front, v.Body, v.Source = i == 0, template.HTML(text), name
		for _, h := range p.headings {
			if h.level <= 3 {
				v.Contents = append(v.Contents, entry{Title: h.text, Address: "#" + h.id, Level: h.level})
			}
		}
		neighbour := func(i int) *entry {
			if i < 0 || i >= len(order) {
				return nil
			}
			return &entry{Title: s.pages[order[i]].title, Address: relative(address(name), address(order[i]))}
		}
		v.Previous, v.Next = neighbour(i-1), neighbour(i+1)
		if err := writeView(folder, address(name), v); err != nil {
			return err
		}
		for figure, data := range p.figures {
			if err := write(folder, path.Join(path.Dir(name), figure), data); err != nil {
				return err
			}
		}
	}
	for name := range s.sources {
		if err := s.writeSource(folder, name, report); err != nil {
			return err
		}
	}
	return nil
}

// view is the data that all pages have; name is the shown page, if the page is a chapter.
func (s *site) view(at, name, title, report string) view {
	v := view{Title: title, Root: strings.Repeat("../", strings.Count(at, "/"))}
	for _, c := range s.chapters {
		shown := chapterView{Title: c.title}
		for _, page := range c.pages {
			shown.Pages = append(shown.Pages, entry{Title: s.pages[page].title, Address: relative(at, address(page)),
				Present: page == name})
		}
		if len(s.drives) > 0 && slices.Contains(c.pages, s.chapters[0].pages[0]) {
			shown.Pages = slices.Insert(shown.Pages, 1, entry{Title: "Drive in the browser",
				Address: relative(at, s.drives[0].address)})
		}
		if report != "" && slices.Contains(c.pages, "docs/verification.md") {
			shown.Pages = append(shown.Pages, entry{Title: "Verification report", Address: relative(at, report)})
		}
		v.Chapters = append(v.Chapters, shown)
	}
	return v
}

func writeView(folder, name string, v view) error {
	var b bytes.Buffer
	if err := layout.Execute(&b, v); err != nil {
		return err
	}
	return write(folder, name, b.Bytes())
}

// writeSource shows a file of the repository as text, or the list of files of a folder; images
// are copied.
func (s *site) writeSource(folder, name, report string) error {
	at := sourceAddress(name)
	v := s.view(at, "", name, report)
	v.Source, v.Code = name, true
	info, err := os.Stat(filepath.Join(s.root, name))
	if err != nil {
		return err
	}
	if info.IsDir() {
		files, err := s.folder(name)
		if err != nil {
			return err
		}
		var b strings.Builder
		b.WriteString("<ul>\n")
		for _, file := range files {
			fmt.Fprintf(&b, "<li><a href=\"%s\"><code>%s</code></a></li>\n",
				template.HTMLEscapeString(relative(at, sourceAddress(file))), template.HTMLEscapeString(file))
		}
		v.Body = template.HTML("<h1>" + template.HTMLEscapeString(name) + "</h1>\n" + b.String() + "</ul>\n")
		return writeView(folder, at, v)
	}
	data, err := os.ReadFile(filepath.Join(s.root, name))
	if err != nil {
		return err
	}
	if isCopied(name) {
		return write(folder, name, data)
	}
	code, err := highlight(string(data), language(name), html.WithLinkableLineNumbers(true, "L"),
		html.WithLineNumbers(true))
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	v.Body = template.HTML("<h1>" + template.HTMLEscapeString(name) + "</h1>\n" + code)
	return writeView(folder, at, v)
}

// isCopied reports whether a file is copied as it is: pictures, and pages such as animations.
func isCopied(name string) bool {
	return slices.Contains([]string{".svg", ".png", ".jpg", ".html"}, path.Ext(name))
}

// language is how a file is highlighted, by its name; empty for files that are not shown by folders.
func language(name string) string {
	return map[string]string{".h": "c", ".c": "c", ".cpp": "cpp", ".go": "go", ".py": "python", ".toml": "toml",
		".f90": "fortran", ".sh": "bash", ".md": "markdown",
		".tir": "ini", ".csv": "text", ".map": "text", ".mod": "text"}[path.Ext(name)]
}

// highlight writes code with classes for colours.
func highlight(code, language string, options ...html.Option) (string, error) {
	lexer := lexers.Get(language)
	if lexer == nil {
		lexer = lexers.Fallback
	}
	tokens, err := chroma.Coalesce(lexer).Tokenise(nil, code)
	if err != nil {
		return "", err
	}
	var b strings.Builder
	options = append(options, html.WithClasses(true))
	if err := html.New(options...).Format(&b, styles.Get("github"), tokens); err != nil {
		return "", err
	}
	kind := " listing" // whose columns would be lost if its lines were broken
	if language != "" && language != "text" {
		kind = ""
	}
	// The box scrolls, so it must be reached by keyboard.
	return fmt.Sprintf(`<div class="code%s"><div class="scroll" tabindex="0">%s</div></div>`, kind, b.String()) + "\n", nil
}

// codeColours are the colours of code, light and dark.
func codeColours() ([]byte, error) {
	var b bytes.Buffer
	formatter := html.New(html.WithClasses(true))
	for _, scheme := range [][2]string{{"light", "github"}, {"dark", "github-dark"}} {
		fmt.Fprintf(&b, "@media (prefers-color-scheme: %s) {\n", scheme[0])
		if err := formatter.WriteCSS(&b, styles.Get(scheme[1])); err != nil {
			return nil, err
		}
		b.WriteString("}\n")
	}
	return b.Bytes(), nil
}
