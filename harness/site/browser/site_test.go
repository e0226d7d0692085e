package browser

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"skidpad/harness/tests/testrun"
)

// writePage writes a page with a style and a body.
func writePage(t *testing.T, folder, name, body string) {
	t.Helper()
	text := "<!DOCTYPE html><html><head><title>t</title><link rel=icon href=data:,><style>body { margin: 0 " +
		"}</style></head><body>" + body + "</body></html>"
	if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

// A site without faults, and the same with one page for each kind of fault.
func TestFaultsOfPagesAreSeenInChromium(t *testing.T) {
	testrun.OnlyAll(t)
	testrun.InStage(t, "browser")
	testrun.RequiresOne(t, Names...)
	folder := t.TempDir()
	writePage(t, folder, "good.html",
		`<p id="here">text <a href="good.html#here">here</a> <a href="#here">here</a> <a href="https://example.com">away</a>
		<div style="overflow-x: auto"><div style="width: 3000px">wide, in a box</div></div>`)
	if err := CheckSite(folder, []int{390, 1280}); err != nil {
		t.Fatalf("a good site: %v", err)
	}
	faults := map[string][2]string{
		"wide.html":    {`<p style="width: 600px">wide</p>`, "wide.html at 390 pixels: is 600 pixels wide"},
		"error.html":   {`<script>console.error('sad')</script>`, "says sad"},
		"throw.html":   {`<script>undefinedFunction()</script>`, "undefinedFunction"},
		"image.html":   {`<img src="none.png">`, "has no picture none.png"},
		"network.html": {`<img src="http://example.com/a.png">`, "asks for http://example.com/a.png"},
		"link.html":    {`<a href="gone.html">gone</a>`, "link.html: the link to gone.html leads nowhere"},
		"anchor.html":  {`<a href="good.html#there">there</a>`, "there is no #there"},
	}
	for name, fault := range faults {
		writePage(t, folder, name, fault[0])
	}
	err := CheckSite(folder, []int{390, 1280})
	if err == nil {
		t.Fatal("faults are not seen")
	}
	for name, fault := range faults {
		if !strings.Contains(err.Error(), fault[1]) {
			t.Errorf("%s: %q is not among the faults", name, fault[1])
		}
	}
	if strings.Contains(err.Error(), "wide.html at 1280") || strings.Contains(err.Error(), "good.html at") {
		t.Errorf("faults where there are none: %v", err)
	}
	if t.Failed() {
		t.Log(err)
	}
}

// Pages that show files are alike: CheckSite opens one page of each language, and the pages whose lines are link
// targets.
func TestOneFilePageOfEachLanguageIsOpenedInChromium(t *testing.T) {
	testrun.OnlyAll(t)
	testrun.InStage(t, "browser")
	testrun.RequiresOne(t, Names...)
	folder := t.TempDir()
	if err := os.Mkdir(filepath.Join(folder, "source"), 0o755); err != nil {
		t.Fatal(err)
	}
	const wide = `<p id="L1" style="width: 600px">wide</p>`
	writePage(t, folder, "index.html", `<a href="source/c.go.html#L1">c</a> <a href="source/d.go.html#L2">d</a>`)
	writePage(t, folder, "source/a.go.html", wide)
	writePage(t, folder, "source/b.go.html", wide)
	writePage(t, folder, "source/c.go.html", wide)
	writePage(t, folder, "source/d.go.html", "")
	writePage(t, folder, "source/e.py.html", wide)
	if err := os.Mkdir(filepath.Join(folder, "more"), 0o755); err != nil {
		t.Fatal(err)
	}
	writePage(t, folder, "more/index.html",
		`<a href="#here">here</a> <a href="../" id="here">all</a> <a href="#gone">gone</a>`)
	err := CheckSite(folder, []int{390})
	if err == nil {
		t.Fatal("faults are not seen")
	}
	for _, want := range []string{"source/a.go.html at 390", "source/c.go.html at 390", "source/e.py.html at 390",
		"the link to source/d.go.html leads nowhere: there is no #L2"} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("%q is not in %v", want, err)
		}
	}
	if text := err.Error(); strings.Contains(text, "#here") || !strings.Contains(text, "no #gone") {
		t.Errorf("links within the page of a folder: %v", err)
	}
	if strings.Contains(err.Error(), "source/b.go.html") {
		t.Errorf("a page like others is opened: %v", err)
	}
}
