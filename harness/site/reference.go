package main

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/yuin/goldmark/ast"
)

// references are pages that are made of comments of the sources, and kept beside the others so that links to them hold
// everywhere. A test compares them with the sources; -update writes them.
var references = []struct {
	page  string
	write func(root string) (string, error)
}{
	{"docs/c-reference.md", cReference}, {"docs/python-reference.md", pythonReference},
}

// prose makes Markdown of the text of a comment: what stands further in is a listing, names that mark knows
// become code.
func prose(text string, mark func(word string) string) string {
	var b strings.Builder
	var listing []string
	end := func() {
		if len(listing) == 0 {
			return
		}
		last := len(listing) // of its lines that are not empty
		for listing[last-1] == "" {
			last--
		}
		fmt.Fprintf(&b, "```text\n%s\n```\n", strings.Join(listing[:last], "\n"))
		if last < len(listing) {
			b.WriteString("\n")
		}
		listing = nil
	}
	const further = "    "
	lines := strings.Split(strings.Trim(text, "\n"), "\n")
	for i, line := range lines {
		opens := strings.HasPrefix(line, further) && (i == 0 || strings.TrimSpace(lines[i-1]) == "" || len(listing) > 0)
		switch {
		case opens:
			listing = append(listing, strings.TrimPrefix(line, further))
		case line == "" && len(listing) > 0:
			listing = append(listing, "")
		default:
			end()
			b.WriteString(words.ReplaceAllStringFunc(escaped.Replace(line), mark) + "\n")
		}
	}
	end()
	return strings.Trim(b.String(), "\n") + "\n"
}

var (
	escaped = strings.NewReplacer("*", `\*`, "<", `\<`, "``", "`", "$", `\$`)
	words   = regexp.MustCompile("`[^`]*`|[A-Za-z_][A-Za-z0-9_.]*[A-Za-z0-9_]")
)

// firstSentence is the first sentence of a text, in one line.
func firstSentence(text string) string {
	line := strings.Join(strings.Fields(strings.SplitN(text, "\n\n", 2)[0]), " ")
	if at := regexp.MustCompile(`\. |: [A-Z]|: $`).FindStringIndex(line); at != nil {
		line = line[:at[0]+1]
	}
	return strings.TrimRight(line, ".:") + "."
}

// declaration is a function, type or constant with its comment.
type declaration struct {
	name, comment, code string
	function            bool
}

var (
	cName = regexp.MustCompile(
		`\b(skidpad_\w+|SKIDPAD_DTYRE)\s*\(|\}\s*(skidpad_\w+);|struct (skidpad_(?:vehicle|fleet))\b`)
	cConstant = regexp.MustCompile(`^#define (SKIDPAD_[A-Z_]+) \d`)
	cTyped    = regexp.MustCompile(`typedef\b.*?\b(skidpad_tire_entry|skidpad_sti_\w+)\(`)
)

// readHeader splits a header into the text at its beginning and its declarations in order. Texts between the
// declarations that belong to no declaration have an empty code.
func readHeader(path string) (head string, list []declaration, err error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return "", nil, err
	}
	comment, commented := "", false
	lines := strings.Split(string(data), "\n")
	for i := 0; i < len(lines); i++ {
		line := lines[i]
		switch {
		case strings.HasPrefix(line, "/*"):
			first := i
			for !strings.Contains(lines[i], "*/") {
				i++
			}
			if commented {
				list = append(list, declaration{comment: comment})
			}
			if comment, commented = uncommented(lines[first:i+1]), true; head == "" {
				head, commented = comment, false
			}
		case cConstant.MatchString(line):
			list = append(list, declaration{name: cConstant.FindStringSubmatch(line)[1], comment: comment, code: line})
			comment, commented = "", false
		case strings.HasPrefix(line, "typedef") || strings.HasPrefix(line, "SKIDPAD_API "):
			first, open := i, 0
			for {
				code, _, _ := strings.Cut(lines[i], "/*")
				open += strings.Count(code, "{") - strings.Count(code, "}")
				if open == 0 && strings.HasSuffix(strings.TrimSpace(lines[i]), ";") {
					break
				}
				i++
			}
			code := strings.Join(lines[first:i+1], "\n")
			d := declaration{comment: comment, code: strings.TrimPrefix(code, "SKIDPAD_API "),
				function: strings.HasPrefix(line, "SKIDPAD_API ")}
			name := cTyped.FindStringSubmatch(code)
			if name == nil {
				name = cName.FindStringSubmatch(code)
			}
			if name == nil {
				return "", nil, fmt.Errorf("%s:%d: a declaration whose name is not found", path, first+1)
			}
			d.name = strings.Join(name[1:], "")
			list = append(list, d)
			comment, commented = "", false
		}
	}
	return head, list, nil
}

// uncommented is the text of a comment of C without its signs; its first line, which names the file, loses the name.
func uncommented(lines []string) string {
	var text []string
	for i, line := range lines {
		line = strings.TrimSuffix(strings.TrimSpace(strings.TrimSuffix(line, "*/")), "*/")
		line = strings.TrimPrefix(strings.TrimPrefix(line, "/*"), "*")
		if i > 0 || strings.TrimSpace(line) != "" {
			text = append(text, strings.TrimRight(strings.TrimPrefix(line, " "), " "))
		}
	}
	return strings.Trim(strings.Join(text, "\n"), "\n")
}

// cReference is the page of the headers.
func cReference(root string) (string, error) {
	var b strings.Builder
	b.WriteString(`# C API reference

The interface of the library in C, from its headers, which a program includes: [skidpad.h](../capi/skidpad.h) for vehicles,
[skidpad_tire.h](../capi/skidpad_tire.h) for tire functions, [skidpad_law.h](../capi/skidpad_law.h) for laws of equations,
[skidpad_controller.h](../capi/skidpad_controller.h) for digital controllers. How to build and link
a program is in [bindings](bindings.md); how to write a tire function is in [tire functions](tire-plug-ins.md), a law or a controller in
[own controllers](own-controllers.md#a-controller-in-c-or-python).
`)
	type header struct {
		file, head string
		list       []declaration
	}
	var headers []header
	anchors, ids := map[string]string{}, identifiers{}
	for _, file := range []string{"skidpad.h", "skidpad_tire.h", "skidpad_law.h", "skidpad_controller.h"} {
		head, list, err := readHeader(filepath.Join(root, "capi", file))
		if err != nil {
			return "", err
		}
		headers = append(headers, header{file, head, list})
		for _, d := range list {
			if d.code != "" {
				anchors[d.name] = "#" + string(ids.Generate([]byte(d.name), ast.KindHeading))
			}
		}
	}
	mark := func(word string) string {
		switch {
		case strings.HasPrefix(word, "`"):
			return word
		case anchors[word] != "":
			return fmt.Sprintf("[`%s`](%s)", word, anchors[word])
		case strings.Contains(word, "_") || strings.HasSuffix(word, ".h"):
			return "`" + word + "`"
		}
		return word
	}
	for _, h := range headers {
		_, text, _ := strings.Cut(h.head, " - ") // behind the name of the file
		fmt.Fprintf(&b, "\n## %s\n\n%s", h.file, prose(strings.ToUpper(text[:1])+text[1:], mark))
		if slices.ContainsFunc(h.list, func(d declaration) bool { return d.function }) {
			b.WriteString("\n| function | purpose |\n| --- | --- |\n")
			for _, d := range h.list {
				if d.function && d.comment != "" {
					purpose := words.ReplaceAllStringFunc(escaped.Replace(firstSentence(d.comment)), mark)
					fmt.Fprintf(&b, "| [`%s`](%s) | %s |\n", d.name, anchors[d.name], purpose)
				}
			}
		}
		for _, d := range h.list {
			if d.code == "" {
				b.WriteString("\n### Tires for other programs\n\n" + prose(d.comment, mark))
				continue
			}
			fmt.Fprintf(&b, "\n### %s\n", d.name)
			if d.comment != "" {
				b.WriteString("\n" + prose(d.comment, mark))
			}
			fmt.Fprintf(&b, "\n```text\n%s\n```\n", d.code)
		}
	}
	return b.String(), nil
}
