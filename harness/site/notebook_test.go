package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

const written = `{"cells": [
	{"cell_type": "markdown", "source": ["# Title\n", "\n", "## Part"]},
	{"cell_type": "code", "source": "x = 1\nprint(x)", "outputs": [
		{"output_type": "stream", "text": ["1\n"]},
		{"output_type": "display_data", "data": {"image/svg+xml": ["<svg/>"], "text/plain": ["<Figure>"]}},
		{"output_type": "execute_result", "data": {"text/plain": "2"}}]}]}`

// A notebook becomes a page with its text, its code and the code's output; its figures lie beside the page.
func TestNotebooksArePages(t *testing.T) {
	p, err := parseNotebook("docs/notebooks/a.ipynb", []byte(written))
	if err != nil {
		t.Fatal(err)
	}
	want := "# Title\n\n## Part\n\n```python\nx = 1\nprint(x)\n```\n\n```text\n1\n```\n\n" +
		"![Figure 1, drawn by the code above](a-1.svg)\n\n```text\n2\n```\n\n"
	if string(p.source) != want || string(p.figures["a-1.svg"]) != "<svg/>" || len(p.figures) != 1 {
		t.Errorf("the page is\n%s\nits figures are %q", p.source, p.figures)
	}
	if p.title != "Title" || address(p.name) != "docs/notebooks/a.html" {
		t.Errorf("%s is called %q", address(p.name), p.title)
	}
	for old, fault := range map[string]string{`"stream"`: "an output of cell 2", `"markdown"`: "cell 1 is of the kind"} {
		if _, err := parseNotebook("a.ipynb", []byte(strings.Replace(written, old, `"error"`, 1))); err == nil ||
			!strings.Contains(err.Error(), fault) {
			t.Errorf("%s as error: %v", old, err)
		}
	}
}

// Notebooks are run by harness/hosts/bindings, not page by page.
func TestNotebooksAreNotRunAsPages(t *testing.T) {
	pages, err := blocksByPage(repository)
	if err != nil {
		t.Fatal(err)
	}
	for _, list := range pages {
		if name := list[0].page.name; strings.HasSuffix(name, notebookSuffix) {
			t.Errorf("%s is run", name)
		}
	}
}

// The site shows the notebooks that users get, with outputs.
func TestSiteNotebooksMatchThePackage(t *testing.T) {
	const remedy = "; harness/hosts/bindings/run.sh out --write writes it"
	read := func(file string) (n notebook) {
		data, err := os.ReadFile(file)
		if err == nil {
			err = json.Unmarshal(data, &n)
		}
		if err != nil {
			t.Errorf("%v%s", err, remedy)
		}
		return n
	}
	names := func(folder string) (list []string) {
		files, err := filepath.Glob(filepath.Join(repository, folder, "*"+notebookSuffix))
		if err != nil {
			t.Fatal(err)
		}
		for _, file := range files {
			list = append(list, filepath.Base(file))
		}
		return list
	}
	kept := names("capi/python/notebooks")
	if len(kept) < 3 || !slices.Equal(kept, names("docs/notebooks")) {
		t.Fatalf("notebooks of the package: %v, of the site: %v%s", kept, names("docs/notebooks"), remedy)
	}
	for _, name := range kept {
		shown := read(filepath.Join(repository, "docs/notebooks", name))
		outputs := 0
		for i, c := range read(filepath.Join(repository, "capi/python/notebooks", name)).Cells {
			if i >= len(shown.Cells) || shown.Cells[i].Source != c.Source || shown.Cells[i].Kind != c.Kind {
				t.Errorf("docs/notebooks/%s: cell %d is another one than that of the package%s", name, i+1, remedy)
				break
			}
			outputs += len(shown.Cells[i].Outputs)
		}
		if outputs == 0 {
			t.Errorf("docs/notebooks/%s has no outputs%s", name, remedy)
		}
	}
}
