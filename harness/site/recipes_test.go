package main

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"

	"skidpad/harness/site/browser"
	"skidpad/harness/tests/testrun"
)

// recipe is a section of level 2 of a page of recipes: what a reader copies, and the text around it.
type recipe struct {
	name, anchor string // anchor with the name of the page
	text         string // with its blocks
	lines        int    // of code
}

var (
	fenced = regexp.MustCompile("(?ms)^```(\\w+)[^\n]*\n(.*?)^```$")
	linked = regexp.MustCompile(`\]\(([^)\s]+)\)`)
)

// recipesOf reads the recipes of a page. Tables of numbers and what a block prints are no code.
func recipesOf(t *testing.T, page, source string) []recipe {
	t.Helper()
	p, err := parsePage(page, []byte(source))
	if err != nil {
		t.Fatal(err)
	}
	var list []recipe
	for _, part := range strings.Split("\n"+source, "\n## ")[1:] {
		heading, text, _ := strings.Cut(part, "\n")
		r := recipe{name: heading, text: text}
		for _, s := range p.sections() {
			if s.Heading == heading {
				r.anchor = filepath.Base(page) + s.Address[strings.Index(s.Address, "#"):]
			}
		}
		for _, block := range fenced.FindAllStringSubmatch(text, -1) {
			if block[1] == "text" || block[1] == "csv" {
				continue
			}
			for line := range strings.Lines(block[2]) {
				if strings.TrimSpace(line) != "" {
					r.lines++
				}
			}
		}
		list = append(list, r)
	}
	return list
}

// faultsOf says what a recipe lacks: at most 15 lines, a sentence before the code, and one with a link behind it.
func faultsOf(r recipe) (faults []string) {
	if r.lines == 0 || r.lines > 15 {
		faults = append(faults, "it has not 1 to 15 lines of code")
	}
	ends := fenced.FindAllStringIndex(r.text, -1)
	if len(ends) == 0 {
		return append(faults, "it has no code")
	}
	if !strings.Contains(r.text[:ends[0][0]], ".") {
		faults = append(faults, "no sentence says what it gives")
	}
	if behind := r.text[ends[len(ends)-1][1]:]; !strings.Contains(behind, ".") || !linked.MatchString(behind) {
		faults = append(faults, "no sentence with a link says how to read the result")
	}
	return faults
}

func TestRecipesAreShortAndInTheIndex(t *testing.T) {
	index, err := os.ReadFile(filepath.Join(repository, recipes, "index.md"))
	if err != nil {
		t.Fatal(err)
	}
	var inIndex []string
	for _, link := range linked.FindAllStringSubmatch(string(index), -1) {
		if strings.Contains(link[1], "#") && !strings.HasPrefix(link[1], "..") {
			inIndex = append(inIndex, link[1])
		}
	}
	pages, err := filepath.Glob(filepath.Join(repository, recipes, "*.md"))
	if err != nil {
		t.Fatal(err)
	}
	count := 0
	for _, page := range pages {
		if filepath.Base(page) == "index.md" {
			continue
		}
		source, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range recipesOf(t, recipes+filepath.Base(page), string(source)) {
			count++
			if faults := faultsOf(r); len(faults) > 0 {
				t.Errorf("%s, %d lines: %s", r.anchor, r.lines, strings.Join(faults, "; "))
			}
			at := slices.Index(inIndex, r.anchor)
			if at < 0 {
				t.Errorf("index.md does not link to %s", r.anchor)
				continue
			}
			inIndex = slices.Delete(inIndex, at, at+1)
		}
	}
	if count < 30 || len(inIndex) > 0 {
		t.Errorf("%d recipes; the index has twice, or has without a recipe: %v", count, inIndex)
	}
}

func TestFaultsOfRecipesAreFound(t *testing.T) {
	code := func(lines int) string { return "```sh\n" + strings.Repeat("true\n", lines) + "```\n" }
	for text, faults := range map[string]int{
		"What.\n\n" + code(15) + "\nSo [l](x.md).\n":                                                       0,
		"What.\n\n" + code(16) + "\nSo [l](x.md).\n":                                                       1,
		"What.\n\n" + code(8) + "\n" + code(8) + "\nSo [l](x.md).\n":                                       1,
		"What.\n\n```csv file=a\n" + strings.Repeat("1\n", 20) + "```\n\n" + code(1) + "\nSo [l](x.md).\n": 0,
		code(1) + "\nSo [l](x.md).\n":                                                                      1,
		"What.\n\n" + code(1) + "\nSo.\n":                                                                  1,
		"What.\n\n" + code(1):                                                                              1,
		"What.\n":                                                                                          2,
	} {
		list := recipesOf(t, recipes+"x.md", "# X\n\n## Name\n\n"+text)
		if len(list) != 1 || list[0].anchor != "x.md#name" {
			t.Fatalf("%q: %+v", text, list)
		}
		if found := faultsOf(list[0]); len(found) != faults {
			t.Errorf("%q: %v, expected %d", text, found, faults)
		}
	}
}

// Neither files of a checkout nor those of another recipe are there.
func TestRecipesRunEachInAnEmptyFolder(t *testing.T) {
	s := newScene(t)
	const text = "# X\n\n## A\n\n```sh\ntest -z \"$(ls)\" && touch left\n```\n\n```sh\nls\n```\n\n```text\nleft\n```\n\n" +
		"## B\n\n```sh\ntest -z \"$(ls)\" && command -v skidpad\n```\n"
	p, err := parsePage(recipes+"x.md", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	list, err := blocks(p)
	if err != nil {
		t.Fatal(err)
	}
	parts := programs(list)
	if len(parts) != 2 || title(parts[0]) != "docs/recipes/x.md, A" || title(parts[1]) != "docs/recipes/x.md, B" {
		t.Fatalf("%d parts: %s", len(parts), title(parts[0]))
	}
	root := repositoryOf(t, map[string]string{"README.md": "# R\n"})
	for _, part := range parts {
		if _, err := runPage(root, s.out, s.environment, s.packages, part); err != nil {
			t.Error(err)
		}
	}
	if p, err = parsePage("docs/x.md", []byte(text)); err != nil {
		t.Fatal(err)
	}
	if list, err = blocks(p); err != nil || len(programs(list)) != 1 {
		t.Errorf("another page is divided, too: %d parts, %v", len(programs(list)), err)
	}
	for name, want := range map[string]int{"docs/recipes/x.md": 2, "docs/recipes/x.md, B": 1, "docs/none.md": -1} {
		selected, err := named(parts, []string{name})
		if (err != nil) != (want < 0) || err == nil && len(selected) != want {
			t.Errorf("%s: %d parts, %v", name, len(selected), err)
		}
	}
}

// Pages that a list of their own reaches are not in the table of README.md: components, decisions, figures of sources.
func TestTheTableOfTheReadmeHasAllPages(t *testing.T) {
	readme, err := os.ReadFile(filepath.Join(repository, "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	table := map[string]bool{}
	for line := range strings.Lines(string(readme)) {
		if !strings.HasPrefix(line, "| ") {
			continue
		}
		for _, link := range linked.FindAllStringSubmatch(line, -1) {
			table[link[1]] = true
		}
	}
	pages, err := filepath.Glob(filepath.Join(repository, "docs", "*.md"))
	if err != nil {
		t.Fatal(err)
	}
	for _, page := range append(pages, recipes+"index.md", "docs/model-files.md#components", "ARCHITECTURE.md",
		"CONTRIBUTING.md", "CHANGELOG.md") {
		if page = strings.TrimPrefix(filepath.ToSlash(page), repository+"/"); !table[page] {
			t.Errorf("the table of README.md lacks %s; add it where a reader looks for it", page)
		}
	}
}

// Each word is reached from a page that uses it.
func TestPagesLinkToTheWordsOfTheGlossary(t *testing.T) {
	used := map[string]bool{}
	for _, c := range present(repository) {
		for _, name := range c.pages {
			source, err := os.ReadFile(filepath.Join(repository, name))
			if err != nil {
				t.Fatal(err)
			}
			for _, link := range linked.FindAllStringSubmatch(string(source), -1) {
				if _, anchor, is := strings.Cut(link[1], "glossary.md#"); is {
					used[anchor] = true
				}
			}
		}
	}
	p, err := readPage(repository, "docs/glossary.md")
	if err != nil {
		t.Fatal(err)
	}
	words := p.sections()[1:]
	for _, s := range words {
		if _, anchor, _ := strings.Cut(s.Address, "#"); !used[anchor] {
			t.Errorf("no page links to %q of docs/glossary.md; link to it where the word is first used", s.Heading)
		}
	}
	for _, word := range []string{"Figure", "Role", "Tree", "Branch and chord", "From and to frame", "Driver of a motion",
		"Driver of a car"} {
		if !slices.ContainsFunc(words, func(s section) bool { return s.Heading == word }) {
			t.Errorf("docs/glossary.md does not define %q", word)
		}
	}
}

// wanted are words that people look for, and a page that must be among the first three places of each.
var wanted = [][2]string{
	{"hardpoint", "docs/recipes/cars.html"}, {"K&C", "docs/recipes/cars.html"},
	{"camber", "docs/recipes/cars.html"}, {"toe", "docs/recipes/cars.html"},
	{"bump steer", "docs/recipes/cars.html"}, {"roll centre", "docs/recipes/cars.html"},
	{"anti-dive", "docs/recipes/cars.html"}, {"torque vectoring", "docs/drive-and-steering-control.html"},
	{"ABS", "docs/recipes/controllers.html"}, {"ESC", "docs/recipes/controllers.html"},
	{"lap time", "docs/recipes/handling.html"}, {"race line", "docs/laps.html"}, {"track", "docs/tracks.html"},
	{"driven lap", "docs/recipes/handling.html"},
	{"understeer", "docs/recipes/handling.html"}, {"skidpad", "docs/recipes/handling.html"},
	{"lane change", "docs/recipes/handling.html"}, {"moose test", "docs/recipes/handling.html"},
	{"split mu", "docs/recipes/handling.html"}, {"ride comfort", "docs/recipes/ride.html"},
	{"tire fit", "docs/recipes/tires.html"}, {"TIR", "docs/recipes/tires.html"},
	{"relaxation", "docs/tires.html"}, {"standstill", "docs/glossary.html#standstill"},
	{"FMU", "docs/recipes/cars.html#fmu-in-five-importers"}, {"Simulink", "docs/importers.html"},
	{"CarMaker", "docs/importers.html"}, {"Python", "docs/bindings.html#python"}, {"fleet", "docs/glossary.html#fleet"},
	{"reinforcement learning", "docs/recipes/controllers.html"}, {"gradient", "docs/recipes/studies.html"},
	{"parameter study", "docs/python-studies.html"}, {"measurement", "docs/recipes/studies.html"},
}

func TestTheSearchFindsThePagesOfWordsInChromium(t *testing.T) {
	testrun.OnlyAll(t)
	testrun.InStage(t, "browser")
	testrun.RequiresOne(t, browser.Names...)
	out := t.TempDir()
	if err := build(repository, out, "", t.Output()); err != nil {
		t.Fatal(err)
	}
	words := make([]string, len(wanted))
	for i, w := range wanted {
		words[i] = w[0]
	}
	var found [][]string
	await := func(p *runtime.EvaluateParams) *runtime.EvaluateParams { return p.WithAwaitPromise(true) }
	err := browser.Visit(filepath.Join(out, "site", "index.html"), 1280, chromedp.Evaluate(
		`loaded().then(index => '`+strings.Join(words, "|")+`'.split('|').map(word =>
			index.search(word).slice(0, 3).map(hit => hit.address)))`, &found, await))
	if err != nil {
		t.Fatal(err)
	}
	for i, w := range wanted {
		if !slices.ContainsFunc(found[i], func(address string) bool { return strings.HasPrefix(address, w[1]) }) {
			t.Errorf("the first places for %q are %s; %s is not among them", w[0], found[i], w[1])
		}
	}
}
