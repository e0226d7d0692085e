package main

import (
	"flag"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write the pages of references into docs")

func TestReferencesMatchTheSources(t *testing.T) {
	for _, r := range references {
		want, err := r.write(repository)
		if err != nil {
			t.Fatal(err)
		}
		file := filepath.Join(repository, r.page)
		if *update {
			if err := os.WriteFile(file, []byte(want), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		kept, err := os.ReadFile(file)
		if err != nil || string(kept) != want {
			t.Errorf("%s is not what the comments of the sources give (%v); "+
				"go test ./harness/site -run References -update writes it", r.page, err)
		}
	}
}

// Every function that a library exports, and every public method, has a heading of its own with its text.
func TestReferencesHaveAllFunctions(t *testing.T) {
	read := func(name string) string {
		data, err := os.ReadFile(filepath.Join(repository, name))
		if err != nil {
			t.Fatal(err)
		}
		return string(data)
	}
	count := 0
	for source, pattern := range map[string]*regexp.Regexp{
		"capi/skidpad.h":                  regexp.MustCompile(`(?m)^SKIDPAD_API .*?\b((?:skidpad_|SKIDPAD_D)\w+)\(`),
		"capi/python/skidpad/_vehicle.py": regexp.MustCompile(`(?ms)^class (Vehicle):$|^    def ([a-z]\w*)\(self`),
	} {
		page := read("docs/c-reference.md")
		if strings.HasSuffix(source, ".py") {
			page = read("docs/python-reference.md")
		}
		text := read(source)
		if i := strings.Index(text, "\nclass _Drive"); i > 0 {
			text = text[:i]
		}
		for _, found := range pattern.FindAllStringSubmatch(text, -1) {
			heading := "\n### " + found[1] + "\n"
			switch {
			case found[1] == "Vehicle":
				heading = "\n## Vehicle\n"
			case found[1] == "":
				heading = "\n### Vehicle." + found[2] + "\n"
			}
			if strings.Count(page, heading) != 1 {
				t.Errorf("%s: %d headings %q", source, strings.Count(page, heading), strings.TrimSpace(heading))
			}
			count++
		}
	}
	if count < 45 {
		t.Errorf("only %d functions were looked for", count)
	}
}

// Signs of comments that mean something in Markdown mean nothing there, names lead to what they name, and
// listings stay.
func TestCommentsBecomeMarkdown(t *testing.T) {
	mark := func(word string) string {
		if word == "skidpad_step" {
			return "[`skidpad_step`](#skidpad_step)"
		}
		return word
	}
	got := prose("Stores *vehicle of <tire>.model, see skidpad_step, ``with``.\nSecond line.\n\n"+
		"    code * 2\n\n      more\n\nEnd.", mark)
	want := "Stores \\*vehicle of \\<tire>.model, see [`skidpad_step`](#skidpad_step), `with`.\nSecond line.\n\n" +
		"```text\ncode * 2\n\n  more\n```\n\nEnd.\n"
	if listing := prose("    code", mark); listing != "```text\ncode\n```\n" {
		t.Errorf("a listing alone becomes %q", listing)
	}
	if got != want {
		t.Errorf("prose gives\n%s\nnot\n%s", got, want)
	}
}

// Each declaration has the comment above it, whatever stands between others, and its own name.
func TestDeclarationsHaveTheirComments(t *testing.T) {
	root := repositoryOf(t, map[string]string{"h.h": "/*\n * h.h - all of it\n */\n#ifndef H\n#define H\n\n" +
		"/* A number. */\n#define SKIDPAD_ONE 1\n\ntypedef enum {\n    A = 0, /* first; { not last */\n} skidpad_kind;\n\n" +
		"/* Of all\n * tires. */\n\n/* Sets\n * it. */\nSKIDPAD_API int32_t skidpad_set(int a,\n    int b);\n" +
		"SKIDPAD_API void skidpad_bare(void);\n#endif\n"})
	head, list, err := readHeader(filepath.Join(root, "h.h"))
	if err != nil {
		t.Fatal(err)
	}
	got := head
	for _, d := range list {
		got += "|" + d.name + ":" + strings.ReplaceAll(d.comment, "\n", " ")
	}
	want := "h.h - all of it|SKIDPAD_ONE:A number.|skidpad_kind:|:Of all tires.|skidpad_set:Sets it.|skidpad_bare:"
	if got != want {
		t.Errorf("the header is read as\n%s\nnot\n%s", got, want)
	}
	if code := list[3].code; code != "int32_t skidpad_set(int a,\n    int b);" || !list[3].function {
		t.Errorf("the declaration is %q", code)
	}
}
