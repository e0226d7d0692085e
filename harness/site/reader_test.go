package main

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"skidpad/harness/site/browser"
	"skidpad/harness/tests/testrun"
)

// small is a site of two pages, built into the folder that is returned.
func small(t *testing.T) string {
	t.Helper()
	root := repositoryOf(t, map[string]string{
		"README.md": "# Front\n\nWords before any part.\n\n## Stiff springs\n\nA spring of " +
			strings.Repeat("steel and ", 40) + "vanadium.\n\n```sh\nskidpad --help\n```\n",
		"docs/fmi.md": "# Units\n\n## Signs\n\nYaw turns left.\n\n| a | |\n| --- | --- |\n| tungsten | 2 |\n\n" +
			"```python\nprint(\"molybdenum\")\n```\n\n<!-- hidden -->\n",
	})
	out := t.TempDir()
	if err := build(root, out, "", t.Output()); err != nil {
		t.Fatal(err)
	}
	return filepath.Join(out, "site")
}

// The index has each visible word in its section, and no hidden word.
func TestTheSearchKnowsAllTextOfPages(t *testing.T) {
	p, err := parsePage("README.md", []byte("# Front\n\nfirst *word*\nsecond\n\n## Part $x$\n\n| c |\n| - |\n| d |\n"+
		"\n- e\n\n  ```c\n  int f;\n  ```\n\n![seen](g.svg) <!-- hidden -->\n\n### Deep\n\ni\n"))
	if err != nil {
		t.Fatal(err)
	}
	var list []string
	for _, s := range p.sections() {
		list = append(list, strings.Join([]string{s.Page, s.Heading, s.Address, s.Text}, "|"))
	}
	want := []string{"Front||index.html|first word second", "Front|Part x|index.html#part-x|c d e int f; seen",
		"Front|Deep|index.html#deep|i"}
	if got := strings.Join(list, "\n"); got != strings.Join(want, "\n") {
		t.Errorf("sections\n%s\nwant\n%s", got, strings.Join(want, "\n"))
	}
}

// A reader who has the site on the disk and uses the keyboard alone finds a word, and the part that has it.
func TestTheSearchWorksFromTheDiskByKeyboardInChromium(t *testing.T) {
	testrun.OnlyAll(t)
	testrun.InStage(t, "browser")
	testrun.RequiresOne(t, browser.Names...)
	var shown, focused, at, requests string
	err := browser.Visit(filepath.Join(small(t), "index.html"), 360,
		chromedp.KeyEvent("/"),
		chromedp.KeyEvent("molyb"),
		chromedp.Poll(`document.querySelector('#found li')`, nil),
		chromedp.Text("#found", &shown, chromedp.ByQuery),
		chromedp.KeyEvent(kb.ArrowDown),
		chromedp.Evaluate(`document.activeElement.textContent`, &focused),
		chromedp.KeyEvent(kb.Enter),
		chromedp.WaitVisible("#signs", chromedp.ByQuery),
		chromedp.Evaluate(`location.pathname.split('/').slice(-2).join('/')`, &at),
		chromedp.Evaluate(`performance.getEntriesByType('resource').map(e => e.name)
			.filter(n => !n.startsWith('file:') && !n.startsWith('data:')).join(' ')`, &requests))
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(shown, "1 place") || !strings.Contains(shown, `print("molybdenum")`) {
		t.Errorf("the search shows %q", shown)
	}
	if !strings.HasPrefix(focused, "SignsUnits") || at != "docs/fmi.html" {
		t.Errorf("the arrow leads to %q, Enter to %s", focused, at)
	}
	if requests != "" {
		t.Errorf("the page asks for %s", requests)
	}
}

func TestTheSearchSaysThatNothingIsFoundAndClosesInChromium(t *testing.T) {
	testrun.OnlyAll(t)
	testrun.InStage(t, "browser")
	testrun.RequiresOne(t, browser.Names...)
	var nothing, left, focused string
	var hidden bool
	err := browser.Visit(filepath.Join(small(t), "index.html"), 1280,
		chromedp.KeyEvent("/"),
		chromedp.KeyEvent("vanadium"),
		chromedp.Poll(`document.querySelector('#found mark')?.textContent === 'vanadium'`, nil),
		chromedp.KeyEvent(kb.ArrowDown), // to the place that was found
		chromedp.KeyEvent(kb.Escape),
		chromedp.Evaluate(`document.querySelector('#found').hidden`, &hidden),
		chromedp.Value("#search", &left, chromedp.ByQuery),
		chromedp.Evaluate(`document.activeElement.id`, &focused),
		chromedp.KeyEvent("xyzzy"),
		chromedp.Poll(`!document.querySelector('#found li')`, nil),
		chromedp.Poll(`!document.querySelector('#found').hidden`, nil),
		chromedp.Text("#found", &nothing, chromedp.ByQuery))
	if err != nil {
		t.Fatal(err)
	}
	if nothing != "no page has these words" || !hidden || left != "" || focused != "search" {
		t.Errorf("shown %q, hidden %t, %q stays, the keyboard is at %q", nothing, hidden, left, focused)
	}
}

// The text of a block goes to the clipboard as a shell wants it.
func TestCodeIsCopiedInChromium(t *testing.T) {
	testrun.OnlyAll(t)
	testrun.InStage(t, "browser")
	testrun.RequiresOne(t, browser.Names...)
	var copied, said string
	await := func(p *runtime.EvaluateParams) *runtime.EvaluateParams { return p.WithAwaitPromise(true) }
	err := browser.Visit(filepath.Join(small(t), "index.html"), 1280,
		chromedp.Evaluate(`navigator.clipboard.writeText = async text => { window.copied = text; }`, nil),
		chromedp.Click(".copy", chromedp.ByQuery),
		chromedp.Poll(`window.copied`, nil),
		chromedp.Evaluate(`window.copied`, &copied, await),
		chromedp.Text(".copy", &said, chromedp.ByQuery))
	if err != nil {
		t.Fatal(err)
	}
	if copied != "skidpad --help" || said != "Copied" {
		t.Errorf("copied %q, the button says %q", copied, said)
	}
}

// The menu of a phone opens by keyboard, and a link leads past it to the text.
func TestAPhoneIsUsedByKeyboardInChromium(t *testing.T) {
	testrun.OnlyAll(t)
	testrun.InStage(t, "browser")
	testrun.RequiresOne(t, browser.Names...)
	var closed, opened bool
	var skip string
	const shown = `document.querySelector('nav.chapters').checkVisibility()`
	err := browser.Visit(filepath.Join(small(t), "docs/fmi.html"), 360,
		chromedp.Evaluate(shown, &closed),
		chromedp.KeyEvent(kb.Tab),
		chromedp.Evaluate(`document.activeElement.getAttribute('href')`, &skip),
		chromedp.Focus("#menu", chromedp.ByQuery),
		chromedp.KeyEvent(" "),
		chromedp.Evaluate(shown, &opened))
	if err != nil {
		t.Fatal(err)
	}
	if closed || !opened || skip != "#content" {
		t.Errorf("the menu is shown: %t, then %t; Tab leads to %s", closed, opened, skip)
	}
}

// Code fits on a phone; what must keep its columns scrolls in its own box.
func TestCodeFitsOnAPhoneInChromium(t *testing.T) {
	testrun.OnlyAll(t)
	testrun.InStage(t, "browser")
	testrun.RequiresOne(t, browser.Names...)
	long := strings.Repeat("skidpad/resources/", 12)
	root := repositoryOf(t, map[string]string{"README.md": "# R\n\n```sh\necho " + long + "\n```\n\n```text\n" + long +
		"\n```\n", "docs/fmi.md": "# F\n"})
	out := t.TempDir()
	if err := build(root, out, "", t.Output()); err != nil {
		t.Fatal(err)
	}
	var widths []struct{ Room, Width int }
	err := browser.Visit(filepath.Join(out, "site", "index.html"), 360,
		chromedp.Evaluate(`[...document.querySelectorAll('.code .scroll')].map(e => ({ Room: e.clientWidth,
			Width: e.scrollWidth }))`, &widths))
	if err != nil {
		t.Fatal(err)
	}
	if len(widths) != 2 || widths[0].Width > widths[0].Room || widths[1].Width <= widths[1].Room {
		t.Errorf("widths of code and listing: %+v", widths)
	}
}
