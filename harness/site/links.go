package main

import (
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/yuin/goldmark/ast"
)

// site is all that is written: the pages by their names, and files of the repository that they lead to.
type site struct {
	root     string
	chapters []chapter
	pages    map[string]*page
	sources  map[string]bool // files and folders shown as text
	drives   []drive
}

// address is where the page of that name lies in the site.
func address(name string) string {
	if name == chapters[0].pages[0] {
		return "index.html"
	}
	return strings.TrimSuffix(name, path.Ext(name)) + ".html"
}

// sourceAddress is where a file or folder of the repository is shown.
func sourceAddress(name string) string { return "source/" + name + ".html" }

// relative is the way from one file of the site to another.
func relative(from, to string) string {
	return strings.Repeat("../", strings.Count(from, "/")) + to
}

// resolve makes all links of the pages lead to where the site has what they mean. All links that
// lead nowhere are returned together, one per line.
func (s *site) resolve() error {
	var faults []error
	for _, c := range s.chapters {
		for _, name := range c.pages {
			p := s.pages[name]
			err := ast.Walk(p.document, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
				if !entering {
					return ast.WalkContinue, nil
				}
				var destination *[]byte
				switch n := n.(type) {
				case *ast.Link:
					destination = &n.Destination
				case *ast.Image:
					destination = &n.Destination
				default:
					return ast.WalkContinue, nil
				}
				to, err := s.target(p, string(*destination), n.Kind() == ast.KindImage)
				if err != nil {
					faults = append(faults, fmt.Errorf("%s:%d: %w", p.name, p.line(p.offset(n)), err))
				}
				*destination = []byte(to)
				return ast.WalkContinue, nil
			})
			if err != nil {
				return err
			}
		}
	}
	return errors.Join(faults...)
}

// target is the address that stands for a link on a page.
func (s *site) target(p *page, link string, image bool) (string, error) {
	u, err := url.Parse(link)
	if err != nil {
		return "", fmt.Errorf("the link %s: %w", link, err)
	}
	if u.Scheme != "" {
		if image {
			return "", fmt.Errorf("the image %s comes from the network; keep it in the repository", link)
		}
		return link, nil
	}
	if path.IsAbs(u.Path) {
		return "", fmt.Errorf("the link %s is absolute; links go by paths from the folder of the page", link)
	}
	name := p.name
	if u.Path != "" {
		name = path.Join(path.Dir(p.name), u.Path)
	}
	if _, is := p.figures[u.Path]; is && image {
		return u.Path, nil
	}
	from := address(p.name)
	if to, is := s.pages[name]; is && !image {
		if u.Fragment != "" && !to.anchors[u.Fragment] {
			return "", fmt.Errorf("the link %s: %s has no %s", link, name, what(u.Fragment))
		}
		if u.Fragment != "" && u.Path == "" {
			return "#" + u.Fragment, nil
		}
		return relative(from, address(name)) + fragment(u), nil
	}
	info, err := os.Stat(filepath.Join(s.root, name))
	if err != nil || name == ".." || strings.HasPrefix(name, "../") || name == "out" ||
		strings.HasPrefix(name, "out/") {
		return "", fmt.Errorf("the link %s leads to %s, which is not in the repository; correct the path, or add the "+
			"page", link, name)
	}
	if image || isCopied(name) {
		s.sources[name] = true
		return relative(from, name), nil
	}
	if u.Fragment != "" {
		if err := s.hasLine(name, u.Fragment, info); err != nil {
			return "", fmt.Errorf("the link %s: %w", link, err)
		}
	}
	s.sources[name] = true
	if info.IsDir() {
		files, err := s.folder(name)
		if err != nil {
			return "", err
		}
		for _, file := range files {
			s.sources[file] = true
		}
	}
	return relative(from, sourceAddress(name)) + fragment(u), nil
}

// fragment is the fragment of a link with its sign, or "".
func fragment(u *url.URL) string {
	if u.Fragment == "" {
		return ""
	}
	return "#" + u.Fragment
}

// what calls an anchor.
func what(fragment string) string {
	if number, is := strings.CutPrefix(fragment, "eq"); is {
		return fmt.Sprintf("equation (%s); give the equation \\tag{%s}, or correct the number", number, number)
	}
	return fmt.Sprintf("heading with the anchor #%s; an anchor is the heading in small letters, with - for spaces and "+
		"without signs", fragment)
}

// hasLine checks the anchor of a line of a file, #L12.
func (s *site) hasLine(name, fragment string, info fs.FileInfo) error {
	number, err := strconv.Atoi(strings.TrimPrefix(fragment, "L"))
	if err != nil || info.IsDir() || !strings.HasPrefix(fragment, "L") {
		return fmt.Errorf("#%s in %s; anchors of source files are lines, such as #L12", fragment, name)
	}
	data, err := os.ReadFile(filepath.Join(s.root, name))
	if err != nil {
		return err
	}
	if lines := strings.Count(string(data), "\n"); number < 1 || number > lines {
		return fmt.Errorf("%s has %d lines, not %d", name, lines, number)
	}
	return nil
}

// folder lists the text files below a folder.
func (s *site) folder(name string) ([]string, error) {
	var files []string
	err := fs.WalkDir(os.DirFS(s.root), name, func(file string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if !d.IsDir() && (language(file) != "" || path.Ext(file) == ".txt") {
			files = append(files, file)
		}
		return nil
	})
	slices.Sort(files)
	return files, err
}
