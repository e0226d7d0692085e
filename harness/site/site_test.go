package main

import (
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"skidpad/harness/site/browser"
	"skidpad/harness/tests/testrun"
)

const repository = "../.."

// repositoryOf writes files and returns their folder.
func repositoryOf(t *testing.T, files map[string]string) string {
	t.Helper()
	folder := t.TempDir()
	for name, text := range files {
		if err := write(folder, name, []byte(text)); err != nil {
			t.Fatal(err)
		}
	}
	return folder
}

func TestTheSiteOfTheRepositoryIsBuilt(t *testing.T) {
	testrun.Slow(t)
	if err := build(repository, t.TempDir(), "", t.Output()); err != nil {
		t.Fatal(err)
	}
}

// A phone, a tablet, a desk and a large screen.
func TestTheSiteOfTheRepositoryIsShownWithoutFaultsInChromium(t *testing.T) {
	testrun.OnlyAll(t)
	testrun.InStage(t, "browser")
	testrun.RequiresOne(t, browser.Names...)
	out := t.TempDir()
	if err := build(repository, out, "", t.Output()); err != nil {
		t.Fatal(err)
	}
	if err := browser.CheckSite(filepath.Join(out, "site"), []int{360, 768, 1280, 1920}); err != nil {
		t.Error(err)
	}
}

func TestEveryPageOfTheRepositoryIsInAChapter(t *testing.T) {
	if err := outside(repository); err != nil {
		t.Error(err)
	}
	for _, c := range chapters {
		for _, name := range c.pages {
			if found, err := fs.Glob(os.DirFS(repository), name); len(found) == 0 {
				t.Errorf("the table of harness/site/chapters.go has a page that is not there: %s (%v)", name, err)
			}
		}
	}
	root := repositoryOf(t, map[string]string{"README.md": "# R\n", "docs/lost.md": "# Lost\n"})
	if err := outside(root); err == nil || !strings.Contains(err.Error(), "docs/lost.md belongs to no chapter") {
		t.Errorf("a page in no chapter: %v", err)
	}
}

func TestPagesOfAPatternFollowInTheOrderOfTheirNames(t *testing.T) {
	root := repositoryOf(t, map[string]string{"README.md": "# R\n", "docs/components/b.md": "# b\n",
		"docs/components/a.md": "# a\n"})
	want := []chapter{{"Learn", []string{"README.md"}},
		{"Look up: components", []string{"docs/components/a.md", "docs/components/b.md"}}}
	if got := present(root); !reflect.DeepEqual(got, want) {
		t.Errorf("chapters %v, want %v", got, want)
	}
}

// Each of these stands on line 3 of README.md, beside a page and a file that are there.
func TestFaultsInPagesHaveTheirPlace(t *testing.T) {
	for text, want := range map[string]string{
		"[a](docs/none.md)":  "README.md:3: the link docs/none.md leads to docs/none.md, which is not in the repository",
		"[a](out/skidpad.h)": "README.md:3: the link out/skidpad.h leads to",
		"[a](../x.md)":       "README.md:3: the link ../x.md leads to",
		"[a](docs/fmi.md#none)": "README.md:3: the link docs/fmi.md#none: docs/fmi.md has no heading with the anchor " +
			"#none",
		"[a](#none)":                       "README.md:3: the link #none: README.md has no heading",
		"[(3)](docs/fmi.md#eq3)":           "README.md:3: the link docs/fmi.md#eq3: docs/fmi.md has no equation (3)",
		"[a](capi/x.h#L9)":                 "README.md:3: the link capi/x.h#L9: capi/x.h has 2 lines, not 9",
		"![a](none.png)":                   "README.md:3: the link none.png leads to",
		"![a](https://example.com/a.png)":  "README.md:3: the image https://example.com/a.png comes from the network",
		"text $\\foo$":                     `README.md:3: formula: \foo is not known`,
		"text $a":                          "README.md:3: $ opens a formula that does not end",
		"text $$a$$":                       "README.md:3: $$ within a line",
		"$$a + b":                          "README.md:3: $$ opens a formula that does not end",
		"$$\na + \\foo\n$$":                `README.md:4: formula: \foo is not known`,
		"$$a \\tag{1}$$\n\n$$b \\tag{1}$$": "README.md:5: a second equation with the number 1",
		"a <b>c</b>":                       "README.md:3: HTML in a page",
		"<div>\nc\n</div>":                 "README.md:3: HTML in a page",
		"### Deep":                         "README.md:3: a heading of level 3 under one of level 1; take ##",
	} {
		root := repositoryOf(t, map[string]string{"README.md": "# R\n\n" + text + "\n",
			"docs/fmi.md": "# F\n\n## Good\n\n$$x \\tag{1}$$\n", "capi/x.h": "a\nb\n"})
		if _, err := read(root); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v; expected %q", text, err, want)
		}
	}
	root := repositoryOf(t, map[string]string{"README.md": "no title\n"})
	if _, err := read(root); err == nil || !strings.Contains(err.Error(), "README.md:1: no title") {
		t.Errorf("a page without title: %v", err)
	}
}

func TestLinksLeadToPagesOfTheSite(t *testing.T) {
	root := repositoryOf(t, map[string]string{
		"README.md": "# R\n\n[f](docs/fmi.md) [g](docs/fmi.md#good-things) [e](docs/fmi.md#eq1) [h](capi/x.h) " +
			"[l](capi/x.h#L2) [d](capi) [w](https://example.com)\n\n![i](docs/i.svg)\n",
		"docs/fmi.md": "# F\n\n## Good things\n\n$$x \\tag{1}$$\n\n[back](../README.md) [eq](#eq1) costs \\$5 or 5$ " +
			"and 6$\n",
		"docs/verification.md": "# V\n",
		"capi/x.h":             "int a;\nint b;\n", "docs/i.svg": "<svg/>",
	})
	out := t.TempDir()
	if err := build(root, out, "", t.Output()); err == nil {
		t.Error("signs $ that open nothing are no fault")
	}
	if err := os.WriteFile(filepath.Join(root, "docs/fmi.md"),
		[]byte("# F\n\n## Good things\n\n$$x \\tag{1}$$\n\n[back](../README.md) [eq](#eq1) costs \\$5\n"),
		0o644); err != nil {
		t.Fatal(err)
	}
	if err := write(out, "verification.html", []byte("report")); err != nil {
		t.Fatal(err)
	}
	if err := build(root, out, filepath.Join(out, "verification.html"), t.Output()); err != nil {
		t.Fatal(err)
	}
	for file, texts := range map[string][]string{
		"index.html": {`href="docs/fmi.html"`, `href="docs/fmi.html#good-things"`, `href="docs/fmi.html#eq1"`,
			`href="source/capi/x.h.html"`, `href="source/capi/x.h.html#L2"`,
			`href="source/capi.html"`, `href="https://example.com"`, `src="docs/i.svg"`},
		"docs/verification.html": {`href="../verification.html"`},
		"docs/fmi.html":          {`href="../index.html"`, `id="eq1"`, `<math display="block">`, `costs $5`},
		"source/capi/x.h.html":   {`id="L2"`},
		"source/capi.html":       {`href="../source/capi/x.h.html"`},
		"docs/i.svg":             {"<svg/>"},
		"verification.html":      {"report"},
	} {
		data, err := os.ReadFile(filepath.Join(out, "site", file))
		if err != nil {
			t.Error(err)
		}
		for _, text := range texts {
			if !strings.Contains(string(data), text) {
				t.Errorf("%s lacks %s", file, text)
			}
		}
	}
}

func TestAnchorsMatchGitHub(t *testing.T) {
	p, err := parsePage("x.md",
		[]byte("# A\n\n## Third-party tires: the `sti:` way\n\n## Twice\n\n## Twice\n\n## a_b, 1/2\n"))
	if err != nil {
		t.Fatal(err)
	}
	for _, anchor := range []string{"a", "third-party-tires-the-sti-way", "twice", "twice-1", "a_b-12"} {
		if !p.anchors[anchor] {
			t.Errorf("no anchor %s among %v", anchor, p.anchors)
		}
	}
}

// A head of a table without a text is no head; a link alone to a page of pictures shows that page, another link does
// not.
func TestTablesAndFramesAreWritten(t *testing.T) {
	root := repositoryOf(t, map[string]string{
		"README.md": "# R\n\n| | b |\n| - | -: |\n| c | d |\n\n[the *car*](docs/pictures/car.html)\n\n" +
			"See [it](docs/pictures/car.html).\n\n[f](docs/fmi.md)\n\n[It](docs/pictures/car.html) moves.\n\n" +
			"[s](docs/pictures/s.svg)\n",
		"docs/fmi.md": "# F\n", "docs/pictures/car.html": "<p>car</p>", "docs/pictures/s.svg": "<svg/>",
	})
	out := t.TempDir()
	if err := build(root, out, "", t.Output()); err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(filepath.Join(out, "site/index.html"))
	if err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{"<td></td>", `<th style="text-align: right">b</th>`, "<td>c</td>",
		`<figure class="frame"><iframe src="docs/pictures/car.html" title="the car" loading="lazy"></iframe>` +
			`<figcaption><a href="docs/pictures/car.html">the <em>car</em></a></figcaption></figure>`,
		`<p>See <a href="docs/pictures/car.html">it</a>.</p>`, `<p><a href="docs/fmi.html">f</a></p>`,
		`<p><a href="docs/pictures/car.html">It</a> moves.</p>`, `<p><a href="docs/pictures/s.svg">s</a></p>`} {
		if strings.Count(string(data), text) != 1 {
			t.Errorf("%d times %s", strings.Count(string(data), text), text)
		}
	}
	if page, err := os.ReadFile(filepath.Join(out, "site/docs/pictures/car.html")); string(page) != "<p>car</p>" {
		t.Errorf("the page of pictures is %q (%v)", page, err)
	}
}

// A step as a command and in Python is one box with a title for each; other blocks of Python stay alone.
func TestPythonIsShownBesideItsCommand(t *testing.T) {
	root := repositoryOf(t, map[string]string{"README.md": "# R\n\n```sh\nfirst\n```\n\n```python beside\nx = 1\n```\n\n" +
		"```sh\nsecond\n```\n\n```python\ny = 2\n```\n\n[f](docs/fmi.md)\n", "docs/fmi.md": "# F\n"})
	out := t.TempDir()
	if err := build(root, out, "", t.Output()); err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(filepath.Join(out, "site/index.html"))
	if err != nil {
		t.Fatal(err)
	}
	box, rest, found := strings.Cut(string(data), "</div></div>\n</div></div>\n")
	_, box, began := strings.Cut(box, `<div class="beside"><div><p>Command</p>`)
	command, python, both := strings.Cut(box, `<div><p>Python</p>`)
	if !found || !began || !both || !strings.Contains(command, "first") || !strings.Contains(python, "x") ||
		strings.Contains(rest, "beside") || !strings.Contains(rest, "second") {
		t.Errorf("the page is\n%s", data)
	}
}

// What Skidpad is, and the scheme of its reference solver, is said alike where readers begin, and as in the solver.
func TestPagesDescribeSkidpadAlike(t *testing.T) {
	text := func(name string) string {
		data, err := os.ReadFile(filepath.Join(repository, name))
		if err != nil {
			t.Fatal(err)
		}
		return strings.Join(strings.Fields(string(data)), " ")
	}
	const library = " library like any third party, without cgo (purego), and compares results and timing with an " +
		"ADAMS-style solver (stabilised index 2, BDF)"
	const is = "Skidpad is a co-simulation plug-in: a shared library (Go, `-buildmode=c-shared`) with an FMI-like C " +
		"interface and FMI 2.0/3.0 shells around it. A Go harness loads this" + library
	const harness = "A Go harness loads the shared" + library
	for name, want := range map[string][]string{"README.md": {is}, "ARCHITECTURE.md": {is},
		"docs/verification.md":              {harness, "stabilised index 2 (the form of ADAMS, GSTIFF SI2)"},
		"harness/evidence/reference/doc.go": {"stabilised index-2 form", "BDF of variable order and step", "GSTIFF SI2"}} {
		for _, part := range want {
			if !strings.Contains(text(name), part) {
				t.Errorf("%s does not say %q", name, part)
			}
		}
	}
}
